"""Asks rust-analyzer about a program, by its protocol, as an editor does.

ask.py PROGRAM TARGET

PROGRAM is the folder of the package, and TARGET the folder where rust-analyzer builds its macros.
Fails if a macro has no text, if a name leads to too many places, or if a completion does not offer
what it should.
"""

import json
import subprocess
import sys
import threading
from pathlib import Path
from queue import Queue

DEADLINE = 600

# In a place, `|` is where the cursor is.
# Each macro, and a phrase of its page.
HOVERS = [
    ("#[oauth2|(", "base OAuth2 scheme"),
    ("#[oauth2_password_bearer|(", "password flow"),
    ("#[oauth2_authorization_code_bearer|(", "authorization code flow"),
    ("#[oauth2_bearer|(", "several flows"),
    ("#[open_id_connect|(", "OpenID Connect provider"),
    ("#[http_bearer|(", "bearer tokens of any origin"),
    ("#[http_basic|]", "HTTP Basic"),
    ("#[http_digest|]", "HTTP Digest"),
    ("#[http|(", "any other HTTP authentication scheme"),
    ("#[api_key|(", "API key"),
    ("#[derive(PasswordRequestForm|)]", "password-grant"),
    ("#[derive(RequestForm|)]", "the form of any grant"),
    ("#[derive(Grant|)]", "`grant_type`"),
    ("#[dependency|]", "Makes a function a dependency"),
    ("#[one_of|]", "alternatives"),
    ("#[secured|]", "Secures a handler"),
    ("#[secured|(", "Secures a handler"),
    ("#[public|(", "anyone may call a handler"),
    ("layer|!(", "for every route below it"),
    ("plan|!(", "outside a handler"),
    ("operation|!(", "for the API description"),
]

# A name, the text of the line of its definition, and how many places may be offered. A handler's
# scheme has two, because the alias that the macro gives it is one.
DEFINITIONS = [
    # schemes
    ("    #[security(A|pi)] token: BearerToken,", "pub struct Api;", 1),
    ("#[security(K|ey)]", "pub struct Key;", 1),
    ("token(#[security(A|pi)]", "pub struct Api;", 2),
    ("#[security(T|oken)]", "pub struct Token;", 2),
    # dependencies
    ("#[security(u|ser, scopes(\"me\"))]", "pub fn user(", 1),
    ("#[security(u|ser)]\n    User(User)", "pub fn user(", 1),
    ("#[security(s|ervice, unscoped)]", "pub fn service(", 1),
    ("#[security(C|aller, scopes", "pub enum Caller {", 2),
    ("#[security(a|ctive, scopes(ITEMS))]", "pub fn active(", 2),
    ("#[security(r|ole(Role::Reader))]", "pub fn role(", 2),
    # guards
    ("#[secured(u|ser, scopes", "pub fn user(", 2),
    ("#[secured(r|ole(Role::Admin))]", "pub fn role(", 2),
    ("layer!(u|ser", "pub fn user(", 1),
    ("plan!(a|ctive", "pub fn active(", 1),
    ("operation!(i|tems", "pub async fn items(", 1),
    # arguments and scopes
    ("#[security(role(R|ole::Reader))]", "pub enum Role {", 1),
    ("#[secured(role(Role::A|dmin))]", "Admin,", 1),
    ("scopes(I|TEMS)", "pub const ITEMS", 1),
    ("scopes(\"i|tems\"))] caller", None, 0),
    # types
    ("    #[security(Api)] token: B|earerToken,", "pub struct BearerToken", 1),
    ("    scopes: S|ecurityScopes,\n) -> Result<User", "pub struct SecurityScopes", 1),
    ("token(#[security(Api)] token: B|earerToken", "pub struct BearerToken", 1),
    ("account: V|erified<Account>)", "pub struct Verified", 1),
    ("account: Verified<A|ccount>)", "pub struct Account {", 1),
    ("caller: C|aller)", "pub enum Caller {", 1),
    ("User(U|ser)", "pub struct User {", 1),
    ("wanted: R|ole)", "pub enum Role {", 1),
    ("Result<User, B|earerError>", "pub struct BearerError", 1),
    ("verified = A|ccount", "pub struct Account {", 1),
    ("by = D|irectory", "pub struct Directory;", 3),
    ("error = A|piError", "pub struct ApiError", 1),
]

# A line, what is in its place when the completion is asked for, and what has to be offered.
COMPLETIONS = [
    ("#[security(role(Role::Reader))]", "#[security(role(Role::|))]", {"Admin", "Reader"}),
    ("#[security(role(Role::Reader))]", "#[security(role(Role::Re|))]", {"Reader"}),
    ("#[security(role(Role::Reader))]", "#[security(ro|)]", {"role", "user", "Api"}),
    ("#[secured(role(Role::Admin))]", "#[secured(role(Role::|))]", {"Admin", "Reader"}),
    ("#[secured(role(Role::Admin))]", "#[secured(ro|)]", {"role", "user", "Api"}),
    ("plan!(active)", "plan!(role(Role::|))", {"Admin", "Reader"}),
]


class Editor:
    """A client of the Language Server Protocol 3.17, with one document open."""

    def __init__(self, program, target):
        self.server = subprocess.Popen(["rust-analyzer"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=program)
        self.messages, self.number = Queue(), 0
        threading.Thread(target=self.receive, daemon=True).start()
        self.request("initialize", {
            "capabilities": {
                "experimental": {"serverStatusNotification": True},
                "textDocument": {"hover": {"contentFormat": ["markdown"]}},
            },
            "initializationOptions": {
                "cachePriming": {"enable": False},
                "cargo": {"targetDir": str(target)},
                "checkOnSave": False,
            },
            "processId": None,
            "rootUri": program.as_uri(),
        })
        self.notify("initialized", {})
        document = program / "src/lib.rs"
        self.uri, self.saved, self.version = document.as_uri(), document.read_text(), 1
        opened = {"uri": self.uri, "languageId": "rust", "version": self.version, "text": self.saved}
        self.notify("textDocument/didOpen", {"textDocument": opened})
        while not self.is_ready(self.message()):
            pass

    def is_ready(self, message):
        if message.get("method") != "experimental/serverStatus":
            return False
        status = message["params"]
        if status["health"] != "ok":
            sys.exit(f"rust-analyzer: {status}")
        return status["quiescent"]

    def receive(self):
        out = self.server.stdout
        while header := out.readline():
            length = int(header.split(b":")[1])
            while out.readline().strip():
                pass
            self.messages.put(json.loads(out.read(length)))
        self.messages.put(None)

    def message(self):
        message = self.messages.get(timeout=DEADLINE)
        return message or sys.exit("rust-analyzer has ended")

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def request(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            message = self.message()
            if "method" in message:
                if "id" in message:
                    # What the server asks of an editor, such as its configuration.
                    self.send({"id": message["id"], "result": None})
            elif message["id"] == self.number:
                return message["result"] if "result" in message else sys.exit(f"{method}: {message['error']}")

    def ask(self, question, place, text=None):
        """Asks a question about a place in the document, or in a changed text of it."""
        text = text or self.saved
        before = text.index(place.replace("|", "")) + place.index("|")
        line_start = text.rfind("\n", 0, before) + 1
        position = {"line": text.count("\n", 0, before), "character": before - line_start}
        return self.request(f"textDocument/{question}", {"textDocument": {"uri": self.uri}, "position": position})

    def change(self, text):
        self.version += 1
        document = {"uri": self.uri, "version": self.version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def hover(self, place):
        return (self.ask("hover", place) or {"contents": {"value": ""}})["contents"]["value"]

    def definitions(self, place):
        """Returns the file and the text of the line of each definition."""
        found = []
        for location in self.ask("definition", place) or []:
            path = Path(location["uri"].removeprefix("file://"))
            found.append((path.name, path.read_text().splitlines()[location["range"]["start"]["line"]].strip()))
        return found

    def completions(self, line, edited):
        text = self.saved.replace(line, edited.replace("|", ""), 1)
        self.change(text)
        answer = self.ask("completion", edited, text)
        self.change(self.saved)
        items = answer["items"] if isinstance(answer, dict) else answer or []
        return {item["label"].split("(")[0] for item in items}


def faults(editor):
    for place, phrase in HOVERS:
        # The name of the macro is above a line, and its text below.
        _, _, text = editor.hover(place).partition("\n---\n")
        if phrase not in text:
            yield f"the text of `{place}` does not have `{phrase}`: {text!r}"
    for place, line, most in DEFINITIONS:
        found = editor.definitions(place)
        if len(found) > most or line and not any(text.startswith(line) for _, text in found):
            yield f"`{place}` leads to {len(found)} places, {most} at most: {found}"
    for line, edited, wanted in COMPLETIONS:
        found = editor.completions(line, edited)
        if not wanted <= found:
            yield f"`{edited}` is not completed with {wanted - found}: {sorted(found)[:20]}"


program, target = (Path(argument).resolve() for argument in sys.argv[1:])
editor = Editor(program, target)
try:
    found = list(faults(editor))
finally:
    editor.server.kill()
    editor.server.wait()
for fault in found:
    print(fault, file=sys.stderr)
print(f"{len(HOVERS)} texts, {len(DEFINITIONS)} definitions, {len(COMPLETIONS)} completions, {len(found)} faults")
sys.exit(bool(found))
