"""requests-oauthlib against the example `service`: each grant, refreshing by itself, and the class
of oauthlib that it raises for each error."""

from oauthlib.oauth2 import BackendApplicationClient, LegacyApplicationClient, WebApplicationClient
from oauthlib.oauth2.rfc6749 import errors
from requests.auth import HTTPBasicAuth
from requests_oauthlib import OAuth2Session
from service_checks import DESK, DESK_IN_THE_FORM, JOHN, NOTES, REVOKE, SERVICE, TOKEN, WEB, WIRE, Adapter, Checks

CLIENTS = {
    "password": LegacyApplicationClient,
    "client_credentials": BackendApplicationClient,
    "authorization_code": WebApplicationClient,
    "refresh_token": WebApplicationClient,
}

ERRORS = {
    # oauthlib has several classes with this code, and raises the first by the alphabet.
    "invalid_request": errors.InvalidClientIdError,
    "invalid_client": errors.InvalidClientError,
    "invalid_grant": errors.InvalidGrantError,
    "invalid_scope": errors.InvalidScopeError,
    "unauthorized_client": errors.UnauthorizedClientError,
    "unsupported_grant_type": errors.UnsupportedGrantTypeError,
    "unsupported_token_type": errors.UnsupportedTokenTypeError,
}

check = Checks("oauthlib")


def session(client, **options):
    session = OAuth2Session(client=client, **options)
    session.mount("http://", Adapter())
    return session


def authentication(client):
    """Returns the header and the parameters of a client."""
    name, secret, by = client
    if by == "header":
        return HTTPBasicAuth(name, secret), {}
    return None, {"client_id": name} | ({"client_secret": secret} if secret else {})


def token(client, grant, scope=None, **parameters):
    """Requests a token. Returns the session that has it."""
    asking = session(CLIENTS[grant](client[0], scope=scope and scope.split()))
    auth, in_form = authentication(client)
    if grant == "refresh_token":
        asking.refresh_token(TOKEN, auth=auth, **in_form, **parameters)
    else:
        secret = in_form.get("client_secret")
        asking.fetch_token(TOKEN, auth=auth, include_client_id=auth is None, client_secret=secret, **parameters)
    return asking


def revoke(client, token):
    """Revokes a refresh token. oauthlib has only the request, so errors are read like those of the
    token endpoint."""
    auth, in_form = authentication(client)
    oauth = WebApplicationClient(client[0])
    url, headers, body = oauth.prepare_token_revocation_request(REVOKE, token, "refresh_token", **in_form)
    response = session(oauth).post(url, body, headers=headers, auth=auth, withhold_token=True)
    if response.status_code != 200:
        oauth.parse_request_body_response(response.text)


def raised(ask, *arguments, **parameters):
    """Returns the code of the error, if its class is that of the code."""
    try:
        ask(*arguments, **parameters)
    except errors.OAuth2Error as error:
        return error.error if type(error) is ERRORS.get(error.error) else repr(error)
    return None


# The scopes of a token are a list.
machine = check.grants(token, str.split)
late = {"access_token": SERVICE["expired"], "token_type": "bearer"}
check.routes(token, machine, lambda: session(WebApplicationClient("web"), token=late).get(NOTES))

# A session refreshes by itself, and gives the next token to its owner.
for client, options, request in (
    (WEB, {"auto_refresh_kwargs": {"client_id": "web"}}, {}),
    (DESK, {}, {"client_id": "desk", "client_secret": "hunter2"}),
):
    first = token(client, "password", **JOHN).token
    kept = []
    expired = first | {"access_token": SERVICE["expired"], "expires_at": 1}
    by_itself = session(
        WebApplicationClient(client[0]), token=expired, auto_refresh_url=TOKEN, token_updater=kept.append, **options
    )
    WIRE.grants()
    statuses = [by_itself.get(NOTES, **request).status_code for _ in range(2)]
    check(f"refreshes by itself, once / {client[0]}", (statuses, WIRE.grants()), ([200, 200], ["refresh_token"]))
    found = (kept == [by_itself.token], kept[0]["refresh_token"] != first["refresh_token"])
    check(f"the next token is kept / {client[0]}", found, (True, True))
    again = token(client, "refresh_token", refresh_token=kept[0]["refresh_token"])
    check(f"the next token is good / {client[0]}", again.get(NOTES).status_code, 200)
    # The first token is spent. It ends its family.
    for name, spent in (("a spent token", first), ("the last token of its family", again.token)):
        error = raised(token, client, "refresh_token", refresh_token=spent["refresh_token"])
        check(f"{name} / {client[0]}", error, "invalid_grant")

# Revocation.
for client in (WEB, DESK, DESK_IN_THE_FORM):
    ended = token(client, "password", scope="notes:read", **JOHN)
    refresh_token = ended.token["refresh_token"]
    check.revocation(client, refresh_token, raised, revoke)
    error = raised(token, client, "refresh_token", refresh_token=refresh_token)
    check(f"a revoked token / {client}", error, "invalid_grant")
    # The access token ends with its login.
    check(f"the access token after revocation / {client}", ended.get(NOTES).status_code, 401)

check.mistakes(token, revoke, raised, ["notes:read"])
check.finish()
