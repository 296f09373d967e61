"""What is between the Python clients and the service: it writes each exchange into a journal."""

import json
import sys
import threading
import time
from pathlib import Path
from urllib.parse import parse_qsl

import requests
from requests.adapters import HTTPAdapter

FOLDER = Path(sys.argv[1])
CLUSTER = json.loads((FOLDER / "cluster.json").read_text())
PROXY, NODES = CLUSTER["proxy"], CLUSTER["nodes"]


class Journal:
    def __init__(self, name):
        self.file = open(FOLDER / f"{name}.journal", "a", buffering=1)
        self.lock = threading.Lock()

    def write(self, **entry):
        with self.lock:
            self.file.write(json.dumps(entry) + "\n")


class Wire(HTTPAdapter):
    """An exchange whose answer was lost has no status. The requests of each `who` come from another
    address, because logins are limited for each network."""

    def __init__(self, journal, who, address):
        self.journal, self.who, self.address = journal, who, address
        self.status, self.retry_after = None, None
        super().__init__()

    def init_poolmanager(self, *arguments, **options):
        super().init_poolmanager(*arguments, source_address=(self.address, 0), **options)

    def send(self, request, **options):
        body = request.body or ""
        body = body.decode() if isinstance(body, bytes) else body
        is_form = request.headers.get("Content-Type", "").startswith("application/x-www-form-urlencoded")
        form = dict(parse_qsl(body)) if is_form else {}
        for secret in ("password", "client_secret"):
            form.pop(secret, None)
        text = json.loads(body).get("text") if request.url.endswith("/notes") and body else None
        bearer = request.headers.get("Authorization", "").removeprefix("Bearer ")
        self.status = self.retry_after = got = None
        sent = time.time()
        try:
            response = super().send(request, **options | {"timeout": 15})
            got = response.json() if response.content and response.ok else None
            self.status, self.retry_after = response.status_code, response.headers.get("retry-after")
            return response
        finally:
            self.journal.write(
                who=self.who, method=request.method, url=request.url, form=form, bearer=bearer, text=text, sent=sent,
                answered=time.time(), status=self.status, retry_after=self.retry_after, got=got,
            )

    def wait(self):
        """Waits as long as the last refusal says, or for a moment."""
        time.sleep(float(self.retry_after or 0.2))

    def session(self, session=None):
        """Mounts this in a session of a library."""
        session = session or requests.Session()
        session.mount("http://", self)
        return session

    def register(self, password):
        """Registers an account that is named after `who`."""
        account = {"username": self.who, "password": password}
        while self.session().post(PROXY + "/accounts", json=account).status_code != 201:
            self.wait()
