"""Calls each method of the services, with and without a token, by gRPC's own library.

services.py HOST:PORT [layers]

The messages are bytes, so nothing is generated.
"""

import sys
from pathlib import Path

import grpc

UNAUTHENTICATED, DENIED = grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED


def note(text):
    return b"\x0a" + bytes([len(text)]) + text.encode()


def check(found, expected):
    if found != expected:
        sys.exit(f"{Path(__file__).name}: {found!r} is not {expected!r}")


def refused(name, call, token, scope):
    code = DENIED if token else UNAUTHENTICATED
    try:
        call(token)
    except grpc.RpcError as error:
        check((name, token, error.code()), (name, token, code))
        challenges = [value for key, value in error.trailing_metadata() if key == "www-authenticate"]
        check((name, len(challenges)), (name, 1))
        check((name, challenges[0].startswith('Bearer realm="notes"')), (name, True))
        check((name, challenges[0].endswith(f'scope="{scope}"'), challenges[0]), (name, True, challenges[0]))
    else:
        sys.exit(f"{name} with {token}: let in")


with grpc.insecure_channel(sys.argv[1]) as channel:

    def given(token):
        return {"metadata": [("authorization", f"Bearer {token}")] if token else [], "timeout": 20}

    def first(stream):
        answer = next(stream)
        stream.cancel()
        return answer

    path = "/notes.v1.{}".format
    calls = [
        ("Notes/Get", "notes:read", note("x"), lambda token, call=channel.unary_unary(path("Notes/Get")): call(note("x"), **given(token))),
        ("Notes/Put", "notes:write", note("x by notes:write"), lambda token, call=channel.unary_unary(path("Notes/Put")): call(note("x"), **given(token))),
        ("Notes/Watch", "notes:read", note("x"), lambda token, call=channel.unary_stream(path("Notes/Watch")): first(call(note("x"), **given(token)))),
        ("Journal/Collect", "notes:write", note("ab"), lambda token, call=channel.stream_unary(path("Journal/Collect")): call(iter([note("a"), note("b")]), **given(token))),
        ("Journal/Talk", "notes:write", [note("a to notes:write"), note("b to notes:write")], lambda token, call=channel.stream_stream(path("Journal/Talk")): list(call(iter([note("a"), note("b")]), **given(token)))),
    ]
    for name, scope, answer, call in calls:
        # The layer around the service refuses first, if there is one.
        first_scope = "notes:read" if "Notes" in name and "layers" in sys.argv else scope
        refused(name, call, None, first_scope)
        refused(name, call, "other", first_scope)
        if scope == "notes:write":
            refused(name, call, "notes:read", scope)
        check((name, call(scope)), (name, answer))
    check(channel.unary_unary("/grpc.health.v1.Health/Check")(b"", timeout=20), b"\x08\x01")
    check(list(channel.unary_stream("/grpc.health.v1.Health/Watch")(b"", timeout=20)), [b"\x08\x01"])
