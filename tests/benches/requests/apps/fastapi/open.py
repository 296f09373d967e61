"""FastAPI alone: a route that is open to everyone."""

import os

import uvicorn
from fastapi import FastAPI
from fastapi.responses import PlainTextResponse

app = FastAPI()


@app.get("/items", response_class=PlainTextResponse)
async def items() -> str:
    return "the items of 018f3c9e-7b2a-7c40-9d51-000000000000"


uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="warning")
