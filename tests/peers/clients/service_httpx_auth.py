"""httpx-auth against the example `service`: passwords, refreshing by itself, machines, and the
error that it raises. It has no revocation."""

import httpx
import httpx_auth
from httpx_auth import InvalidGrantRequest
from service_checks import (
    DESK, DESK_IN_THE_FORM, INVALID_TOKEN, JOHN, LACKS_A_SCOPE, NOTES, REPORTER, REVOKE, SERVICE, STATS, TOKEN, WEB,
    WEB_IN_THE_HEADER, WIRE, Checks, transport,
)

# Longer than a token lives, so that each has expired when it is used.
TOO_LATE = 301

check = Checks("httpx-auth")
http = httpx.Client(transport=transport(httpx))
tokens = httpx_auth.OAuth2.token_cache


def login(client, **parameters):
    """Returns what logs in with a password, and sends what it is told besides."""
    name, secret, by = client
    if by == "header":
        parameters["client_auth"] = (name, secret)
    else:
        parameters |= {"client_id": name} | ({"client_secret": secret} if secret else {})
    parameters = {"client": httpx.Client(transport=transport(httpx))} | JOHN | parameters
    return httpx_auth.OAuth2ResourceOwnerPasswordCredentials(TOKEN, **parameters)


def machine(client, **parameters):
    name, secret, _ = client
    asking = httpx.Client(transport=transport(httpx))
    return httpx_auth.OAuth2ClientCredentials(TOKEN, client_id=name, client_secret=secret, client=asking, **parameters)


def ask(client, grant, refresh_token=None, **parameters):
    """Requests a token."""
    if grant == "client_credentials" and client[2] == "header":
        return machine(client, **parameters).request_new_token()
    if grant == "refresh_token":
        return login(client, **parameters).refresh_token(refresh_token)
    return login(client, grant_type=grant, **parameters).request_new_token()


def raised(ask, *arguments, **parameters):
    """Returns the code of the error, which is the start of its message."""
    try:
        ask(*arguments, **parameters)
    except InvalidGrantRequest as error:
        return str(error).split(":")[0]
    return None


def kept(auth):
    """Returns the access token and the refresh token that httpx-auth has kept."""
    access_token, _, refresh_token = tokens.tokens[auth.state]
    return access_token, refresh_token


# It logs in when a route is called, refreshes if it is too late, and keeps the next token.
for client in (WEB, WEB_IN_THE_HEADER, DESK, DESK_IN_THE_FORM):
    # It keeps tokens by what is in the form, which may not name the client.
    tokens.clear()
    auth = login(client, scope="notes:read notes:write")
    statuses = [http.get(NOTES, auth=auth).status_code for _ in range(2)]
    check(f"password, once / {client}", (statuses, WIRE.grants()), ([200, 200], ["password"]))
    first, late = kept(auth), login(client, scope="notes:read notes:write", early_expiry=TOO_LATE)
    statuses = [http.get(NOTES, auth=late).status_code for _ in range(2)]
    check(f"refresh, each time / {client}", (statuses, WIRE.grants()), ([200, 200], ["refresh_token"] * 2))
    last = kept(late)
    check(f"the next token is kept / {client}", [last[0] != first[0], last[1] != first[1]], [True, True])
    # The first token is spent. It ends its family, and the next request logs in again.
    check(f"a spent token / {client}", raised(auth.refresh_token, first[1]), "invalid_grant")
    check(f"the last token of its family / {client}", raised(auth.refresh_token, last[1]), "invalid_grant")
    WIRE.grants()
    found = (http.get(NOTES, auth=late).status_code, WIRE.grants())
    check(f"logs in again / {client}", found, (200, ["refresh_token", "password"]))
    # So does a token that is revoked.
    form = {"token": kept(late)[1]} | ({} if client[2] == "header" else {"client_id": client[0]})
    form |= {"client_secret": client[1]} if client == DESK_IN_THE_FORM else {}
    http.post(REVOKE, data=form, auth=client[:2] if client[2] == "header" else None).raise_for_status()
    check(f"a revoked token / {client}", raised(auth.refresh_token, kept(late)[1]), "invalid_grant")
    # The access token ends with its login.
    check(f"the access token after revocation / {client}", http.get(NOTES, auth=auth).status_code, 401)
    WIRE.grants()
reporter = machine(REPORTER)
statuses = [http.get(STATS, auth=reporter).status_code for _ in range(2)]
check("client credentials, once", (statuses, WIRE.grants()), ([200, 200], ["client_credentials"]))
late = machine(REPORTER, early_expiry=TOO_LATE)
statuses = [http.get(STATS, auth=late).status_code for _ in range(2)]
check("client credentials, each time", (statuses, WIRE.grants()), ([200, 200], ["client_credentials"] * 2))

# Routes.
auth = login(WEB, scope="notes:read notes:write")
check("a note is added", http.post(NOTES, json={"text": "Hello"}, auth=auth).status_code, 201)
check("notes are listed", [note["text"] for note in http.get(NOTES, auth=auth).json()], ["Hello"])
check("a machine reads", http.get(STATS, auth=reporter).json()["notes"], 1)
http.post(NOTES, json={"text": "No"}, auth=login(WEB, scope="notes:read"))
check("a scope is missing", WIRE.refusal(), (403, LACKS_A_SCOPE.format("notes:write")))
http.get(NOTES, auth=reporter)
check("a scope is missing for a machine", WIRE.refusal(), (403, LACKS_A_SCOPE.format("notes:read")))
tokens.tokens[auth.state] = (SERVICE["expired"], tokens.tokens[auth.state][1], None)
http.get(NOTES, auth=auth)
check("an expired token", WIRE.refusal(), (401, INVALID_TOKEN))

# What is wrong. None of it has spent the token that it was tried with.
check.refusals("token", raised, lambda client, case: ask(client, case["grant"], **case["parameters"]))
# The error is raised by the request to the route, too.
check("a route and a wrong password", raised(http.get, NOTES, auth=login(WEB, password="wrong horse")), "invalid_grant")
auth = machine((*REPORTER[:1], "wrong", "header"))
check("a route and a wrong secret", raised(http.get, STATS, auth=auth), "invalid_client")
_, access_token, _, next_token = ask(WEB, "refresh_token", refresh_token=SERVICE["refresh_token"])
check("the good token is good", next_token != SERVICE["refresh_token"], True)
check.finish()
