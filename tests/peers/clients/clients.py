"""oauthlib, Authlib and httpx-auth against a token endpoint: what each raises, and what it is given."""

import sys

import httpx_auth
from authlib.integrations.base_client import OAuthError
from authlib.integrations.httpx_client import OAuth2Client
from httpx_auth import InvalidGrantRequest
from oauthlib.oauth2 import BackendApplicationClient, LegacyApplicationClient
from oauthlib.oauth2.rfc6749 import errors
from requests.auth import HTTPBasicAuth
from requests_oauthlib import OAuth2Session

URL = sys.argv[1]

# A case: the client and its secret, the password, and the error; the grant is that of a password where there is one.
CASES = {
    "a client with a secret": ("web", "hunter2", "secret", None),
    "a public client": ("app", "", "secret", None),
    "another grant": ("web", "hunter2", None, "unsupported_grant_type"),
    "a wrong password": ("web", "hunter2", "wrong", "invalid_grant"),
    "a wrong secret": ("web", "wrong", "secret", "invalid_client"),
    "an unknown client": ("nobody", "hunter2", "secret", "invalid_client"),
}

OAUTHLIB_ERRORS = {
    "unsupported_grant_type": errors.UnsupportedGrantTypeError,
    "invalid_grant": errors.InvalidGrantError,
    "invalid_client": errors.InvalidClientError,
}


def by_oauthlib(name, secret, password):
    """Returns the error of requests-oauthlib, which raises a class of oauthlib for each code."""
    client = (BackendApplicationClient if password is None else LegacyApplicationClient)(name)
    user = {} if password is None else {"username": "johndoe", "password": password}
    try:
        token = OAuth2Session(client=client).fetch_token(URL, auth=HTTPBasicAuth(name, secret), **user)
    except errors.OAuth2Error as error:
        assert type(error) is OAUTHLIB_ERRORS[error.error], repr(error)
        return error.error
    assert token["token_type"] == "bearer", token
    return None


def by_authlib(name, secret, password, method="client_secret_basic"):
    """Returns the error of Authlib, whose one class has the code."""
    user = {} if password is None else {"username": "johndoe", "password": password}
    grant = "client_credentials" if password is None else "password"
    with OAuth2Client(name, secret, token_endpoint_auth_method=method) as client:
        try:
            token = client.fetch_token(URL, grant_type=grant, **user)
        except OAuthError as error:
            return error.error
    assert token["token_type"] == "bearer", token
    return None


def by_authlib_in_the_form(name, secret, password):
    """As `by_authlib`, with the client in the form."""
    return by_authlib(name, secret, password, "client_secret_post")


def by_httpx_auth(name, secret, password):
    """Returns the error of httpx-auth, whose message starts with the code."""
    try:
        if password is None:
            auth = httpx_auth.OAuth2ClientCredentials(URL, client_id=name, client_secret=secret or "-")
        else:
            auth = httpx_auth.OAuth2ResourceOwnerPasswordCredentials(
                URL, username="johndoe", password=password, client_auth=(name, secret)
            )
        auth.request_new_token()
    except InvalidGrantRequest as error:
        return str(error).split(":")[0]
    return None


failed = False
for client in (by_oauthlib, by_authlib, by_authlib_in_the_form, by_httpx_auth):
    for case, (name, secret, password, expected) in CASES.items():
        raised = client(name, secret, password)
        holds = raised == expected
        failed |= not holds
        print("holds " if holds else "MISSED", client.__name__, "/", case, "/", raised or "a token")
sys.exit(failed)
