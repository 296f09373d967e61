"""FastAPI with PyJWT, as the tutorial of the one and the page "Usage Examples" of the other have it."""

import os
from typing import Annotated

import jwt
import uvicorn
from fastapi import Depends, FastAPI, HTTPException
from fastapi.responses import PlainTextResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

ISSUER = os.environ["ISSUER"]
app = FastAPI()
keys = jwt.PyJWKClient(f"{ISSUER}/.well-known/jwks.json")


async def caller(bearer: Annotated[HTTPAuthorizationCredentials, Depends(HTTPBearer())]) -> dict:
    try:
        claims = jwt.decode(
            bearer.credentials,
            keys.get_signing_key_from_jwt(bearer.credentials),
            algorithms=["RS256", "ES256"],
            issuer=ISSUER,
            audience="https://api.example.com",
            options={"require": ["exp", "iss", "aud"]},
        )
    except jwt.PyJWTError:
        raise HTTPException(401, headers={"WWW-Authenticate": "Bearer"}) from None
    if "items" not in claims["scope"].split():
        raise HTTPException(403)
    return claims


@app.get("/items", response_class=PlainTextResponse)
async def items(caller: Annotated[dict, Depends(caller)]) -> str:
    return f"the items of {caller['sub']}"


uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="warning")
