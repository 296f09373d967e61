"""What the Python scripts against the example `service` share: the checks, and the wire."""

import json
import sys
from urllib.parse import parse_qsl, urlencode

from requests.adapters import HTTPAdapter

with open(sys.argv[1]) as file:
    SERVICE = json.load(file)
TOKEN, REVOKE = SERVICE["url"] + "/token", SERVICE["url"] + "/revoke"
NOTES, STATS = SERVICE["url"] + "/notes", SERVICE["url"] + "/stats"

# Clients: the name, the secret, and how both are sent.
WEB = ("web", None, "form")
WEB_IN_THE_HEADER = ("web", "", "header")
DESK = ("desk", "hunter2", "header")
DESK_IN_THE_FORM = ("desk", "hunter2", "form")
REPORTER = ("reporter", SERVICE["reporter"], "header")
REPORTER_IN_THE_FORM = ("reporter", SERVICE["reporter"], "form")

JOHN = {"username": "johndoe", "password": "correct horse"}

INVALID_CLIENT = 'Basic realm="token", charset="UTF-8"'
INVALID_TOKEN = (
    'Bearer realm="notes", error="invalid_token", error_description="The access token is expired, revoked, '
    'malformed or otherwise invalid", scope="notes:read"'
)
LACKS_A_SCOPE = (
    'Bearer realm="notes", error="insufficient_scope", error_description="The request requires more scopes than '
    'the access token grants", scope="{}"'
)


class Checks:
    def __init__(self, client):
        self.client, self.count, self.missed = client, 0, 0

    def __call__(self, name, found, expected):
        self.count += 1
        if found != expected:
            self.missed += 1
            print("MISSED", self.client, "/", name, "/", found, "/ expected:", expected)

    def grants(self, token, scopes):
        """Each grant, with each way to authenticate. `scopes` reads the scopes of a token, as the
        library shows them. Returns the session of a machine.
        """
        for client in (WEB, WEB_IN_THE_HEADER, DESK, DESK_IN_THE_FORM):
            got = token(client, "password", **JOHN).token
            found = (got["token_type"], got["expires_in"], got["scope"], "refresh_token" in got)
            self(f"password / {client}", found, ("bearer", 300, scopes("notes:read notes:write"), True))
            again = token(client, "refresh_token", refresh_token=got["refresh_token"]).token
            are_new = [again[kind] != got[kind] for kind in ("access_token", "refresh_token")]
            self(f"refresh / {client}", (again["scope"], are_new), (got["scope"], [True, True]))
        for client in (REPORTER, REPORTER_IN_THE_FORM):
            machine = token(client, "client_credentials")
            found = (machine.token["scope"], "refresh_token" in machine.token)
            self(f"client credentials / {client[2]}", found, (scopes("stats:read"), False))
        return machine

    def routes(self, token, machine, ask_late):
        """What routes answer: to a user, to a machine, and to an expired token."""
        login = token(WEB, "password", **JOHN)
        self("a note is added", login.post(NOTES, json={"text": "Hello"}).status_code, 201)
        self("notes are listed", [note["text"] for note in login.get(NOTES).json()], ["Hello"])
        self("a machine reads", machine.get(STATS).json()["notes"], 1)
        reader = token(WEB, "refresh_token", refresh_token=login.token["refresh_token"], scope="notes:read")
        reader.post(NOTES, json={"text": "No"})
        self("a scope is missing", WIRE.refusal(), (403, LACKS_A_SCOPE.format("notes:write")))
        machine.get(NOTES)
        self("a scope is missing for a machine", WIRE.refusal(), (403, LACKS_A_SCOPE.format("notes:read")))
        ask_late()
        self("an expired token", WIRE.refusal(), (401, INVALID_TOKEN))

    def mistakes(self, token, revoke, raised, scope):
        """What is wrong. None of it has spent the token that it was tried with."""
        self.refusals("token", raised, lambda client, case: token(client, case["grant"], **case["parameters"]))
        self.refusals("revocation", raised, lambda client, case: revoke(client, case["token"]))
        good = token(WEB, "refresh_token", refresh_token=SERVICE["refresh_token"])
        self("the good token is good", good.token["scope"], scope)

    def revocation(self, client, refresh_token, raised, revoke):
        """Revokes a token twice, and one that is unknown: the answer is the same."""
        for name, unwanted in (("good", refresh_token), ("revoked", refresh_token), ("unknown", "unknown")):
            found = (raised(revoke, client, unwanted), WIRE.status)
            self(f"a token that is {name} is revoked / {client}", found, (None, 200))

    def refusals(self, endpoint, raised, ask):
        """Sends what is wrong. None of it spends the token that it is tried with."""
        for case in SERVICE["refusals"][endpoint]:
            name, secret, by = (*case["client"], None, "form")[:3]
            status = case.get("status", 400)
            WIRE.change = case.get("change")
            error = raised(ask, (name, secret, by), case)
            WIRE.change = None
            found = (error, WIRE.status, WIRE.challenge)
            self(f"{endpoint} / {case['name']}", found, (case["error"], status, INVALID_CLIENT if status == 401 else None))

    def finish(self):
        print("MISSED" if self.missed else "holds ", self.client, "/ service /", self.count, "checks")
        sys.exit(self.missed > 0)


class Wire:
    """What is between a client and the service. It makes requests wrong in ways in which no client
    does, and knows what the service has said."""

    def __init__(self):
        self.change, self.forms, self.status, self.challenge = None, [], None, None

    def send(self, body):
        """Returns the form that is sent in place of that of the client, and its type."""
        pairs = parse_qsl(body.decode(), keep_blank_values=True)
        change = self.change or {}
        pairs = [pair for pair in pairs if pair[0] not in change.get("without", ())]
        pairs += [tuple(pair) for pair in change.get("add", ())]
        self.forms.append(dict(pairs))
        if change.get("json"):
            return json.dumps(dict(pairs)).encode(), "application/json"
        return urlencode(pairs).encode(), "application/x-www-form-urlencoded"

    def receive(self, response):
        self.status = response.status_code
        self.challenge = response.headers.get("www-authenticate")
        return response

    def refusal(self):
        """Returns what a route has said."""
        return (self.status, self.challenge)

    def grants(self):
        """Returns the grants that were sent since the last call."""
        grants = [form.get("grant_type") for form in self.forms]
        self.forms.clear()
        return grants


WIRE = Wire()


def is_form(request):
    return request.headers.get("Content-Type", "").startswith("application/x-www-form-urlencoded")


class Adapter(HTTPAdapter):
    """The wire, for requests."""

    def send(self, request, **options):
        if is_form(request):
            body = request.body if isinstance(request.body, bytes) else request.body.encode()
            body, request.headers["Content-Type"] = WIRE.send(body)
            request.prepare_body(body, None)
        return WIRE.receive(super().send(request, **options))


# A server may close a connection after a refusal that comes before the body. httpx does not try
# again on another, so each request has its own.
def transport(httpx):
    """Returns the wire, for httpx or httpx2."""

    class Transport(httpx.HTTPTransport):
        def handle_request(self, request):
            return WIRE.receive(super().handle_request(changed(httpx, request)))

    return Transport(limits=httpx.Limits(max_keepalive_connections=0))


def asynchronous_transport(httpx):
    """Returns the wire, for the asynchronous clients of httpx or httpx2."""

    class Transport(httpx.AsyncHTTPTransport):
        async def handle_async_request(self, request):
            return WIRE.receive(await super().handle_async_request(changed(httpx, request)))

    return Transport(limits=httpx.Limits(max_keepalive_connections=0))


def changed(httpx, request):
    if not is_form(request):
        return request
    body, content_type = WIRE.send(request.content)
    headers = dict(request.headers) | {"content-type": content_type}
    del headers["content-length"]
    return httpx.Request(request.method, request.url, headers=headers, content=body)
