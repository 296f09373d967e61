"""Calls the health service, with and without a token, by gRPC's own library.

client.py HOST:PORT

The messages are bytes, so nothing is generated.
"""

import sys
from pathlib import Path

import grpc

CHECK, WATCH = "/grpc.health.v1.Health/Check", "/grpc.health.v1.Health/Watch"
SERVING = b"\x08\x01"
MISSING = 'Bearer realm="health", scope="read"'
DESCRIPTION = "The request requires more scopes than the access token grants"
TOO_NARROW = (
    f'Bearer realm="health", error="insufficient_scope", error_description="{DESCRIPTION}", scope="read"'
)
REFUSED = [
    (None, grpc.StatusCode.UNAUTHENTICATED, "Not authenticated", ("www-authenticate", MISSING)),
    ("other", grpc.StatusCode.PERMISSION_DENIED, "Not enough permissions", ("www-authenticate", TOO_NARROW)),
    ("busy", grpc.StatusCode.UNAVAILABLE, "Später, zu 100%", ("retry-after", "120")),
]


def metadata(token):
    return [("authorization", f"Bearer {token}")] if token else []


def check(found, expected):
    if found != expected:
        sys.exit(f"{Path(__file__).name}: {found!r} is not {expected!r}")


with grpc.insecure_channel(sys.argv[1]) as channel:
    unary = channel.unary_unary(CHECK)
    calls = {
        "unary": lambda given: unary(b"", metadata=given, timeout=20),
        "a stream of answers": lambda given: list(channel.unary_stream(WATCH)(b"", metadata=given, timeout=20)),
        "a stream of requests": lambda given: channel.stream_unary(CHECK)(iter([b""]), metadata=given, timeout=20),
        "both": lambda given: list(channel.stream_stream(WATCH)(iter([b""]), metadata=given, timeout=20)),
    }
    for name, call in calls.items():
        for token, code, message, line in REFUSED:
            try:
                call(metadata(token))
            except grpc.RpcError as error:
                found = error.code(), error.details()
                check((name, *found), (name, code, message))
                lines = {tuple(line) for line in error.trailing_metadata()}
                check((name, line in lines, lines), (name, True, lines))
            else:
                sys.exit(f"{name} with {token}: let in")
    check(calls["unary"](metadata("read")), SERVING)
    check(calls["a stream of answers"](metadata("read")), [SERVING])
