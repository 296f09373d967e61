"""The same random requests to FastAPI, in process, and to the server `conformance`, over a socket.

differential.py URL REQUESTS FRAMEWORK

The answers have to be equal, except where a rule below says what ours is instead. Each rule quotes
the contract.
"""

import asyncio
import base64
import json
import os
import random
import re
import socket
import sys
from dataclasses import dataclass, replace
from urllib.parse import unquote_to_bytes

from fastapi import Depends, FastAPI
from fastapi.security import APIKeyCookie, APIKeyHeader, APIKeyQuery, HTTPBasic, HTTPBearer, HTTPDigest, OpenIdConnect

URL, REQUESTS, FRAMEWORK = sys.argv[1], int(sys.argv[2]), sys.argv[3]
SEED = int(os.environ.get("DOORWARD_DIFFERENTIAL_SEED", "165"))
rng = random.Random(SEED)

# Each scheme: what makes it in FastAPI, and its challenge.
SCHEMES = {
    "/api-key/header": (lambda **options: APIKeyHeader(name="x-api-key", **options), "APIKey"),
    "/api-key/authorization": (lambda **options: APIKeyHeader(name="Authorization", **options), "APIKey"),
    "/api-key/query": (lambda **options: APIKeyQuery(name="key", **options), "APIKey"),
    "/api-key/cookie": (lambda **options: APIKeyCookie(name="key", **options), "APIKey"),
    "/basic": (lambda **options: HTTPBasic(realm="simple", **options), 'Basic realm="simple"'),
    "/http-bearer": (HTTPBearer, "Bearer"),
    "/digest": (HTTPDigest, "Digest"),
    "/openid": (lambda **options: OpenIdConnect(openIdConnectUrl="/openid", **options), "Bearer"),
}


@dataclass
class Answer:
    status: int
    body: object
    challenges: list[str]


@dataclass
class Request:
    scheme: str
    optional: bool
    method: str
    query: bytes
    lines: list[tuple[bytes, bytes]]
    """The names and values of the header lines as they are sent, with blanks around a value."""

    @property
    def path(self) -> str:
        return self.scheme + ("-optional" if self.optional else "")

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        """The header lines as a server hands them on: without blanks around a value (RFC 9110)."""
        return [(name.lower(), value.strip(b" \t")) for name, value in self.lines]

    def all(self, wanted: bytes) -> list[bytes]:
        return [value for name, value in self.headers if name == wanted]

    def on_wire(self) -> bytes:
        target = self.path.encode() + (b"?" + self.query if self.query else b"")
        lines = [
            b"%s %s HTTP/1.1" % (self.method.encode(), target),
            *(name + b":" + value for name, value in self.lines),
        ]
        return b"\r\n".join(lines) + b"\r\n\r\n"


# What the rules need of a request.


def found(credential: object) -> Answer:
    return Answer(200, {"credential": credential}, [])


def refused(request: Request) -> Answer:
    return found(None) if request.optional else malformed(request)


def malformed(request: Request) -> Answer:
    """A refusal with `auto_error = false`, too."""
    return Answer(401, {"detail": "Not authenticated"}, [SCHEMES[request.scheme][1]])


def authorization(request: Request) -> tuple[bytes, bytes]:
    """The name of the authentication scheme, in lower case, and the credentials."""
    name, _, rest = (request.all(b"authorization") or [b""])[0].partition(b" ")
    return name.lower(), rest.strip(b" \t")


def cookies(request: Request) -> list[bytes]:
    """The values of the cookies with the name `key`."""
    pairs = [pair.partition(b"=") for line in request.all(b"cookie") for pair in line.split(b";")]
    return [value.strip(b" \t") for name, equals, value in pairs if equals and name.strip(b" \t") == b"key"]


def parameters(request: Request) -> list[bytes]:
    """The decoded values of the parameters with the name `key`."""
    pairs = [pair.replace(b"+", b" ").partition(b"=") for pair in request.query.split(b"&")]
    return [unquote_to_bytes(value) for name, _, value in pairs if unquote_to_bytes(name) == b"key"]


def values(request: Request) -> list[bytes]:
    """The values at the place where the scheme looks, well-formed or not."""
    match request.scheme:
        case "/api-key/header":
            return request.all(b"x-api-key")
        case "/api-key/query":
            return parameters(request)
        case "/api-key/cookie":
            return cookies(request)
    return request.all(b"authorization")


def is_text(value: bytes) -> bool:
    return all(byte == 9 or 32 <= byte < 127 for byte in value)


def utf8(value: bytes) -> str | None:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return None


# The rules. The first one that gives an answer decides, whatever FastAPI's is.

RULES = []


def rule(sentence: str, *schemes: str):
    """A rule, by a sentence of the contract, for some schemes or for all. It returns our answer, or
    nothing where it does not apply.
    """

    def add(answer):
        RULES.append((f"{answer.__name__.replace('_', ' ')}: “{sentence}”", schemes or tuple(SCHEMES), answer))

    return add


@rule("Where it is silent, follow the RFC and fail closed")
def uri(request):
    """A URI is ASCII (RFC 3986, 2). The server of actix-web takes no other, the others UTF-8."""
    is_taken = request.query.isascii() if FRAMEWORK == "actix-web" else utf8(request.query) is not None
    return None if is_taken else Answer(400, "", [])


@rule(
    "A cookie scheme refuses cross-site requests unless told otherwise, with `auto_error = false` too",
    "/api-key/cookie",
)
def cross_site(request):
    upgrades = [name.strip().lower() for line in request.all(b"upgrade") for name in line.split(b",")]
    if request.method == "GET" and b"websocket" not in upgrades:
        return None
    if sites := request.all(b"sec-fetch-site"):
        is_cross_site = not set(sites) <= {b"same-origin", b"none"}
    else:
        [host] = request.all(b"host")
        is_cross_site = not all(is_own_origin(origin, host.lower()) for origin in request.all(b"origin"))
    return Answer(403, {"detail": "Cross-site request"}, []) if is_cross_site else None


def is_own_origin(origin: bytes, host: bytes) -> bool:
    scheme, _, authority = origin.partition(b"://")
    port = {b"http": b":80", b"https": b":443"}.get(scheme)
    if port is None:
        return False
    name = authority.lower().removesuffix(port)
    return name != b"" and name == host.removesuffix(port)


@rule("Anything repeated (line, parameter, cookie of that name) is refused")
def repeated(request):
    return refused(request) if len(values(request)) > 1 else None


@rule("header: visible ASCII, space and tab inside", "/api-key/header", "/api-key/authorization")
def header_is_text(request):
    return refused(request) if not all(map(is_text, values(request))) else None


@rule("query: form-decoded, valid UTF-8", "/api-key/query")
def query_is_utf8(request):
    return refused(request) if None in map(utf8, parameters(request)) else None


@rule("query: form-decoded, valid UTF-8", "/api-key/query")
def query_without_escapes(request):
    """FastAPI reads bytes that are not escaped as Latin-1."""
    [value] = parameters(request) or [b""]
    return found(utf8(value)) if value and not request.query.isascii() else None


@rule("the one value of that name is there and not empty", "/api-key/cookie")
def cookie_name(request):
    """FastAPI also trims what is white space in Latin-1, so it finds the name in others."""
    names = [pair.partition(b"=")[0].strip(b" \t") for line in request.all(b"cookie") for pair in line.split(b";")]
    if not any(name != b"key" and name.decode("latin-1").strip() == "key" for name in names):
        return None
    [value] = cookies(request) or [b""]
    return cookie_octets(request) or (found(unquoted(value)) if unquoted(value) else refused(request))


def unquoted(value: bytes) -> str:
    inside = re.fullmatch(rb'"(.*)"', value, re.DOTALL)
    return (inside[1] if inside else value).decode("latin-1")


def cookie_octets(request):
    """The grammar is that of RFC 6265, 4.1.1."""
    [value] = cookies(request) or [b""]
    return None if re.fullmatch(r"[!#-+\--:<-\[\]-~]*", unquoted(value)) else refused(request)


rule("cookie: RFC 6265 cookie-octets, quotes taken off", "/api-key/cookie")(cookie_octets)


@rule("canonical padded base64 … A malformed Basic value is a 401 even with `auto_error = false`", "/basic")
def basic_is_canonical(request):
    name, credentials = authorization(request)
    if name != b"basic":
        return None
    digits = re.fullmatch(rb"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?", credentials)
    is_canonical = digits and base64.b64encode(base64.b64decode(credentials)) == credentials
    return None if is_canonical else malformed(request)


@rule("no control characters (RFC 7617)", "/basic")
def basic_has_no_control_characters(request):
    name, credentials = authorization(request)
    has_control = name == b"basic" and re.search(rb"[\0-\x1f\x7f]", base64.b64decode(credentials))
    return malformed(request) if has_control else None


@rule("Basic is UTF-8, not ASCII", "/basic")
def basic_is_utf8(request):
    name, credentials = authorization(request)
    decoded = base64.b64decode(credentials) if name == b"basic" else b""
    if decoded.isascii():
        return None
    username, colon, password = (utf8(decoded) or "").partition(":")
    return found({"username": username, "password": password}) if colon else malformed(request)


@rule("its scheme name is `bearer`, ASCII case-insensitively", "/openid")
def openid_is_bearer(request):
    return None if authorization(request)[0] == b"bearer" else refused(request)


@rule(
    "a bearer credential with a byte outside visible ASCII, space and tab is refused like a wrong scheme",
    "/http-bearer",
    "/openid",
)
def bearer_is_text(request):
    name, token = authorization(request)
    return refused(request) if name == b"bearer" and not is_text(token) else None


@rule("OpenID Connect yields the token, not the whole line", "/openid")
def openid_token(request):
    return found(authorization(request)[1].decode())


@rule("the credentials, raw", "/digest")
def digest_raw(request):
    """FastAPI also trims what is white space in Latin-1."""
    name, credentials = authorization(request)
    trimmed = credentials.decode("latin-1")
    return found(trimmed) if name == b"digest" and trimmed != trimmed.strip() else None


# Random requests.


def pick(*choices):
    """One of the choices. A number behind a choice is its weight."""
    weights = [weight for _, weight in choices]
    return rng.choices([choice for choice, _ in choices], weights)[0]


def text(pieces: list[bytes], longest: int = 4) -> bytes:
    return b"".join(rng.choices(pieces, k=rng.randint(0, longest)))


def any_case(name: bytes) -> bytes:
    spell = pick((bytes, 6), (bytes.lower, 2), (bytes.upper, 2), (bytes.swapcase, 1), (bytes.title, 2))
    return spell(name)


HIGH = [b"\xc3\xa9", b"\xf0\x9f\x94\x91", b"\xff", b"\xa0", b"\xc2\xa0", b"\x85", b"\xe9", b"\xed\xa0\x80", b"\xc0\xaf"]
TOKEN = [b"tok", b"s3cret", b"a", b"0", b"mF_9.B5f-4.1JqM", b"eyJ.eyJ.sig", b"YQ==", b"k" * 70]
ODD = [b" ", b"\t", b"  ", b",", b";", b"=", b'"', b"\\", b"%20", b"%zz", b"+", b"'", b"{", b"<", b"|", b"~", b":"]


def token() -> bytes:
    return pick((rng.choice(TOKEN), 6), (text(TOKEN + ODD, 5), 5), (text(TOKEN + ODD + HIGH, 4), 3), (b"", 1))


def basic() -> bytes:
    plain = [b"john", b"secret", b":", b"", b" ", b"%3A", b"+", b"a:b"]
    control = [b"\0", b"\n", b"\t", b"\x1f", b"\x7f", b"\xc2\x85"]
    half = lambda: pick(
        (rng.choice(plain), 6), (text(plain, 3), 2), (text(plain + HIGH, 3), 3), (text(plain + control, 3), 1)
    )
    credentials = half() + pick((b":", 9), (b"", 1)) + half()
    encoded = base64.b64encode(credentials)
    match rng.randrange(16):
        case 0:
            return encoded.rstrip(b"=")
        case 1:
            return encoded + b"=" * rng.randint(1, 4)
        case 2:
            # Bits that the decoder does not use.
            return re.sub(rb".(?==)", lambda last: bytes([last[0][0] + 1]), encoded)
        case 3:
            return base64.urlsafe_b64encode(credentials)
        case 4 | 5:
            at = rng.randint(0, len(encoded))
            return encoded[:at] + rng.choice([*ODD, *HIGH, b"-", b"_", b"!", b"="]) + encoded[at:]
        case 6:
            return rng.choice([b'"%s"', b"%s,%s", b"%s %s", b"\xa0%s", b"%s\xa0", b"\x85%s"]).replace(b"%s", encoded)
        case 7:
            # Without the characters that end a line, or for which a server refuses a request.
            return re.sub(rb"[\0-\x08\n-\x1f\x7f]", b"", credentials)
    return encoded


def digest() -> bytes:
    parameters = b'username="Mufasa" realm="a@b" uri="/dir" response="6629fae4" nc=00000001 qop=auth'.split()
    return pick((b", ".join(rng.choices(parameters, k=rng.randint(1, 4))), 4), (token(), 3))


def authorization_line(scheme: str) -> bytes:
    own = {"/basic": (b"Basic", basic), "/digest": (b"Digest", digest)}
    name, credentials = own.get(scheme, (b"Bearer", token))
    others = [b"", b"Bearer\xa0", b"\xc5\xbfchema", *b"Bearer Basic Digest Token Beare Basics Digest, Bearer:".split()]
    name = pick((any_case(name), 7), (any_case(rng.choice(others)), 2))
    blank = pick((b" ", 8), (b"  ", 2), (b"", 1), (b"\t", 1), (b" \t ", 1), (b"\xa0", 1), (b" \xa0", 1), (b" \x85 ", 1))
    return name + blank + pick((credentials, 7), (rng.choice([token, basic, digest]), 1))()


def query() -> bytes:
    names = [b"", b"ke\xff", *b"k%65y %6Bey %6bEy Key KEY keys key[] key+ +key key%00 %20key k%6 %ff".split()]
    pieces = b"a s3cret %20 + % %2 %zz %C3%A9 %c3 %ff %ED%A0%80 %00 %0a %26 %3D %2B".split()
    odd = b"= ; ? / ' [ %EF%BF%BD %F0%9F%94%91 %c0%af %u0041 %C2%A0 %25%32%30".split()
    raw = [b"\xc3\xa9", b"\xf0\x9f\x94\x91", b"\xff", b"\xa0"]

    def pair(wanted: bool) -> bytes:
        name = pick((b"key", 8), (rng.choice(names), 2)) if wanted else rng.choice(names)
        plain = pick((b"s3cret", 3), (text(pieces, 5), 5), (b"", 1))
        value = pick((plain, 9), (text(pieces + odd, 6), 5), (text(pieces + raw, 4), 1))
        return name + pick((b"=", 9), (b"", 1), (b"==", 1), (b"%3D", 1)) + value

    pairs = [pair(True) for _ in range(pick((1, 8), (0, 1), (2, 2), (3, 1)))]
    pairs += [pair(False) for _ in range(pick((0, 5), (1, 3), (2, 1)))]
    rng.shuffle(pairs)
    return pick((b"&", 8), (b"&&", 1), (b"&=&", 1), (b";", 1)).join(pairs) + pick((b"", 9), (b"&", 1))


def cookie_line() -> bytes:
    names = [b"", b"\tkey ", b"ke y", b"\xa0key", b"key\xa0", b"\x85key"]
    names += b'Key keys "key" k%65y a __Host-key $key'.split()
    value = b"v s3cret !#$%&'()*+-./:<=>?@[]^_`{|}~ %20 = a=b YQ==".split()
    odd = [b" ", b"\t", *b', \\ " \\" \\073 \\303\\251'.split()]

    def pair(wanted: bool) -> bytes:
        name = pick((b"key", 8), (rng.choice(names), 2)) if wanted else rng.choice(names)
        odd_value = pick((text(value + odd, 5), 3), (text(value + HIGH, 3), 1), (b"", 1))
        inside = pick((rng.choice(value), 7), (odd_value, 5))
        quoted = pick((b"%s", 7), (b'"%s"', 3), (b'"%s', 1), (b'%s"', 1), (b' "%s" ', 1), (b'""%s""', 1))
        equals = pick((b"=", 9), (b"", 1), (b" = ", 1), (b"\t=\t", 1), (b"==", 1))
        return name + equals + quoted.replace(b"%s", inside)

    pairs = [pair(True) for _ in range(pick((1, 9), (0, 1), (2, 1)))]
    pairs += [pair(False) for _ in range(pick((0, 4), (1, 3), (2, 1)))]
    rng.shuffle(pairs)
    return pick((b"; ", 6), (b";", 2), (b" ; ", 1), (b";;", 1)).join(pairs) + pick((b"", 8), (b";", 1), (b"; ", 1))


def lines_of_a_browser(host: bytes) -> list[tuple[bytes, bytes]]:
    sites = [b"", b"\xff", b"none, none", *b"same-origin none same-site cross-site Same-Origin".split()]
    schemes = [b"", *b"http:// http:// https:// https:// HTTP:// ws://".split()]
    hosts = [host, host, host, host.upper(), host + b":80", host + b":443", b":80", b"h\xff"]
    hosts += [host + b".evil.example", b"evil" + host, b"evil.example", b""]
    protocols = [b"websocket", b"h2c, WebSocket", b"h2c", b"websockets"]
    origin = lambda: pick((rng.choice(schemes) + rng.choice(hosts), 9), (b"null", 1), (b"", 1))
    lines = [(b"Sec-Fetch-Site", rng.choice(sites)) for _ in range(pick((0, 6), (1, 3), (2, 1)))]
    lines += [(b"Origin", origin()) for _ in range(pick((0, 4), (1, 5), (2, 1)))]
    if rng.random() < 0.1:
        lines += [(b"Upgrade", rng.choice(protocols)), (b"Connection", b"Upgrade")]
    return lines


HOSTS = b"api.example.com API.example.com localhost:8000 127.0.0.1:80 api.example.com:443 [::1]:8000".split()


def random_request() -> Request:
    scheme = rng.choice(list(SCHEMES))
    host = rng.choice(HOSTS)
    lines = [(b"Host", host)]

    def times(*places: str) -> range:
        """How many lines a place has: mostly one where the scheme looks, rarely one elsewhere."""
        is_read = scheme in places
        return range(pick((1, 9), (0, 1), (2, 1), (3, 0.3)) if is_read else pick((0, 8), (1, 1)))

    for _ in times("/api-key/header"):
        lines.append((pick((b"x-api-key", 5), (b"X-API-Key", 5), (b"X-Api-Keys", 1), (b"x_api_key", 1)), token()))
    for _ in times("/api-key/cookie"):
        lines.append((any_case(b"Cookie"), cookie_line()))
    for _ in times("/basic", "/http-bearer", "/digest", "/openid", "/api-key/authorization"):
        name = pick((any_case(b"Authorization"), 20), (b"Proxy-Authorization", 1))
        is_bare = scheme == "/api-key/authorization" and rng.random() < 0.5
        lines.append((name, token() if is_bare else authorization_line(scheme)))
    method = pick(("GET", 1), ("POST", 1))
    if rng.random() < 0.5:
        lines += lines_of_a_browser(host)
    if method == "POST":
        lines.append((b"Content-Length", b"0"))
    rng.shuffle(lines)
    pad = lambda value: pick((b" ", 8), (b"", 1), (b" \t", 1)) + value + pick((b"", 8), (b" ", 1), (b"\t ", 1))
    return Request(
        scheme=scheme,
        optional=rng.random() < 0.4,
        method=method,
        query=b"".join(query() for _ in times("/api-key/query")),
        lines=[(name, pad(value)) for name, value in lines],
    )


# FastAPI, and ours.

app = FastAPI()


def shown(credential: object) -> object:
    """What the scheme yields, as `conformance` shows it: without the name of the scheme."""
    return getattr(credential, "credentials", credential)


for path, (scheme, _) in SCHEMES.items():
    for suffix, options in [("", {}), ("-optional", {"auto_error": False})]:

        async def route(found=Depends(scheme(**options))):
            return {"credential": shown(found)}

        app.api_route(path + suffix, methods=["GET", "POST"])(route)


async def of_fastapi(request: Request) -> Answer:
    sent = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "path": request.path,
        "raw_path": request.path.encode(),
        "query_string": request.query,
        "root_path": "",
        "headers": request.headers,
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    await app(scope, receive, send)
    start, *bodies = sent
    body = b"".join(message["body"] for message in bodies)
    challenges = [value.decode("latin-1") for name, value in start["headers"] if name == b"www-authenticate"]
    return Answer(start["status"], json.loads(body), challenges)


class Server:
    """A connection to `conformance`, opened again after the server has closed it."""

    def __init__(self, url: str):
        host, _, port = url.removeprefix("http://").partition(":")
        self.address = (host, int(port))
        self.connection = None

    def send(self, request: Request) -> Answer:
        is_new = self.connection is None
        if is_new:
            self.connection = socket.create_connection(self.address, timeout=60)
            self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.stream = self.connection.makefile("rb")
        try:
            self.connection.sendall(request.on_wire())
            if answer := self.receive():
                return answer
        except ConnectionError:
            pass
        # The server has closed the connection, as it may after any answer.
        self.stream.close()
        self.connection.close()
        self.connection = None
        return Answer(0, "no answer", []) if is_new else self.send(request)

    def receive(self) -> Answer | None:
        status = self.stream.readline().split()
        if not status:
            return None
        lines = []
        while (line := self.stream.readline()).strip():
            name, _, value = line.decode("latin-1").partition(":")
            lines.append((name.lower(), value.strip()))
        body = self.stream.read(int(dict(lines)["content-length"]))
        try:
            body = json.loads(body)
        except ValueError:
            body = body.decode("latin-1")
        return Answer(int(status[1]), body, [value for name, value in lines if name == "www-authenticate"])


def handed_on(request: Request) -> Request:
    """The request that the framework hands on: Rocket drops header lines that are not UTF-8."""
    if FRAMEWORK != "rocket":
        return request
    return replace(request, lines=[(name, value) for name, value in request.lines if utf8(value) is not None])


def expected(request: Request, theirs: Answer) -> tuple[str | None, Answer]:
    """The sentence that decides, and what it says. Without one, the answer is FastAPI's."""
    for sentence, schemes, answer in RULES:
        if request.scheme in schemes and (ours := answer(request)):
            return sentence, ours
    return None, theirs


async def main() -> int:
    server = Server(URL)
    equal = dropped = unexplained = 0
    differences = {sentence: 0 for sentence, _, _ in RULES}
    for _ in range(REQUESTS):
        request = random_request()
        seen = handed_on(request)
        dropped += seen != request
        ours, theirs = server.send(request), await of_fastapi(seen)
        sentence, wanted = expected(seen, theirs)
        if ours != wanted:
            unexplained += 1
            if unexplained <= 10:
                print(f"{request.on_wire()}\n  ours    {ours}\n  FastAPI {theirs}\n  wanted  {wanted}: {sentence}\n")
        elif ours == theirs:
            equal += 1
        else:
            differences[sentence] += 1

    print(f"{FRAMEWORK}: {REQUESTS} requests, seed {SEED}")
    if dropped:
        print(f"{dropped:6} of them with header lines that {FRAMEWORK} drops: FastAPI is sent the others")
    print(f"{equal:6} equal answers")
    for sentence, count in differences.items():
        print(f"{count:6} {sentence}")
    print(f"{unexplained:6} unexplained")
    return 1 if unexplained else 0


sys.exit(asyncio.run(main()))
