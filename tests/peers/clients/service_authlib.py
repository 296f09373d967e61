"""Authlib against the example `service`: each grant, refreshing by itself, and the error that it
raises. The second argument says over which library: `requests` or `httpx`."""

import asyncio
import sys

import httpx2
from authlib.integrations.base_client import OAuthError
from authlib.integrations.httpx_client import AsyncOAuth2Client, OAuth2Client
from authlib.integrations.requests_client import OAuth2Session
from service_checks import (
    DESK, DESK_IN_THE_FORM, JOHN, NOTES, REPORTER, REVOKE, SERVICE, STATS, TOKEN, WEB, WIRE, Adapter, Checks,
    asynchronous_transport, transport,
)

OVER = sys.argv[2]

check = Checks(f"Authlib over {OVER}")


def options(client):
    """Returns how a client is set up."""
    name, secret, by = client
    method = "client_secret_basic" if by == "header" else "client_secret_post" if secret else "none"
    return {
        "client_id": name,
        "client_secret": secret,
        "token_endpoint_auth_method": method,
        "revocation_endpoint_auth_method": method,
        "token_endpoint": TOKEN,
    }


def session(client, **more):
    if OVER == "httpx":
        return OAuth2Client(transport=transport(httpx2), **options(client), **more)
    session = OAuth2Session(**options(client), **more)
    session.mount("http://", Adapter())
    return session


def token(client, grant, **parameters):
    """Requests a token. Returns the session that has it."""
    asking = session(client)
    if grant == "refresh_token":
        asking.refresh_token(**parameters)
    else:
        asking.fetch_token(grant_type=grant, **parameters)
    return asking


def revoke(client, token):
    """Revokes a refresh token. Authlib has only the request, so errors are read like those of the
    token endpoint."""
    asking = session(client)
    response = asking.revoke_token(REVOKE, token=token, token_type_hint="refresh_token")
    if response.status_code != 200:
        asking.parse_response_token(response)


def raised(ask, *arguments, **parameters):
    """Returns the code of the error."""
    try:
        ask(*arguments, **parameters)
    except OAuthError as error:
        return error.error
    return None


def late(token):
    """Returns a token that has expired, with its refresh token."""
    return token | {"access_token": SERVICE["expired"], "expires_at": 1}


machine = check.grants(token, str)
expired = {"access_token": SERVICE["expired"], "token_type": "bearer"}
check.routes(token, machine, lambda: session(WEB, token=expired).get(NOTES))

# A session refreshes by itself, and gives the next token to its owner.
for client in (WEB, DESK, DESK_IN_THE_FORM):
    first = token(client, "password", scope="notes:read", **JOHN).token
    kept = []
    update = lambda token, refresh_token: kept.append((token, refresh_token))
    by_itself = session(client, token=late(first), update_token=update)
    WIRE.grants()
    statuses = [by_itself.get(NOTES).status_code for _ in range(2)]
    check(f"refreshes by itself, once / {client}", (statuses, WIRE.grants()), ([200, 200], ["refresh_token"]))
    found = (kept == [(by_itself.token, first["refresh_token"])], kept[0][0]["refresh_token"] != first["refresh_token"])
    check(f"the next token is kept / {client}", found, (True, True))
    # From what was kept, it goes on.
    second = session(client, token=late(kept[0][0]), update_token=update)
    check(f"the next token is good / {client}", second.get(NOTES).status_code, 200)
    # The first token is spent. It ends its family.
    for name, spent in (("a spent token", first), ("the last token of its family", kept[1][0])):
        error = raised(session(client, token=late(spent)).get, NOTES)
        check(f"{name} / {client}", error, "invalid_grant")
# So does a machine, with its secret.
kept = []
update = lambda token, access_token: kept.append(token)
machine = session(REPORTER, token=late(machine.token), update_token=update, grant_type="client_credentials")
WIRE.grants()
found = (machine.get(STATS).status_code, WIRE.grants(), kept == [machine.token])
check("a machine asks again by itself", found, (200, ["client_credentials"], True))

# Of several requests at once, one refreshes: two would end the login.
if OVER == "httpx":
    first = token(WEB, "password", scope="notes:read", **JOHN).token
    kept = []

    async def update(token, refresh_token):
        kept.append(token)

    async def at_once():
        wire = asynchronous_transport(httpx2)
        async with AsyncOAuth2Client(transport=wire, token=late(first), update_token=update, **options(WEB)) as client:
            return await asyncio.gather(*(client.get(NOTES) for _ in range(10)))

    WIRE.grants()
    statuses = {response.status_code for response in asyncio.run(at_once())}
    check("ten requests at once", (statuses, WIRE.grants()), ({200}, ["refresh_token"]))
    check("the token after them", session(WEB, token=late(kept[0])).get(NOTES).status_code, 200)

# Revocation.
for client in (WEB, DESK, DESK_IN_THE_FORM):
    ended = token(client, "password", scope="notes:read", **JOHN)
    refresh_token = ended.token["refresh_token"]
    check.revocation(client, refresh_token, raised, revoke)
    error = raised(session(client, token=late(ended.token)).get, NOTES)
    check(f"a revoked token / {client}", error, "invalid_grant")
    # The access token ends with its login.
    check(f"the access token after revocation / {client}", ended.get(NOTES).status_code, 401)

check.mistakes(token, revoke, raised, "notes:read")
check.finish()
