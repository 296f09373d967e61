"""Nanoseconds of a request through FastAPI, without a socket: an empty route, a protected one, and a login form."""

import asyncio
import sys
import time
from typing import Annotated

from fastapi import Depends, FastAPI
from fastapi.security import OAuth2PasswordBearer, OAuth2PasswordRequestForm

app = FastAPI()
scheme = OAuth2PasswordBearer(tokenUrl="token")
REQUESTS = 3000
BODY = b"grant_type=password&username=johndoe&password=secret&scope=items+me&client_id=web&client_secret=hunter2"


@app.get("/empty")
async def empty():
    return None


@app.get("/protected")
async def protected(token: Annotated[str, Depends(scheme)]):
    return None


@app.post("/token")
async def token(form: Annotated[OAuth2PasswordRequestForm, Depends()]):
    return None


async def request(path: str, headers: list[tuple[bytes, bytes]]) -> None:
    """Sends one request, as a server does."""
    sent = []
    body = BODY if path == "/token" else b""

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST" if path == "/token" else "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    await app(scope, receive, send)
    assert sent[0]["status"] == 200, sent


async def main() -> None:
    headers = [
        (b"host", b"api.example.com"),
        (b"user-agent", b"Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"),
        (b"accept", b"application/json, text/plain, */*"),
        (b"accept-language", b"en-GB,en;q=0.7,de;q=0.3"),
        (b"accept-encoding", b"gzip, deflate, br, zstd"),
        (b"referer", b"https://www.example.com/items"),
        (b"origin", b"https://www.example.com"),
        (b"cookie", b"theme=dark; consent=essential"),
        (b"x-request-id", b"018f3c9e-7b2a-7c40-9d51-2f6f0a4be111"),
        (b"authorization", b"Bearer " + b"t" * 900),
        (b"content-type", b"application/x-www-form-urlencoded"),
    ]
    for path in ("/empty", "/protected", "/token"):
        await request(path, headers)
        start = time.perf_counter_ns()
        for _ in range(REQUESTS):
            await request(path, headers)
        print(path, (time.perf_counter_ns() - start) // REQUESTS)


sys.exit(asyncio.run(main()))
