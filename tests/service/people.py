"""People with notes, whose clients use a library for OAuth: people.py FOLDER LIBRARY

They log in, keep notes, refresh, and end their logins in each way that there is, until the file
`stop` is in the folder. Then each of them is logged in. What they were answered is in the journal, and
whether a verifier accepts their tokens that knows the published keys alone.
"""

import json
import random
import re
import subprocess
import threading
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from functools import partialmethod

from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session as AuthlibSession
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from oauthlib.oauth2 import BackendApplicationClient, LegacyApplicationClient, OAuth2Error
from requests.exceptions import RequestException
from requests_oauthlib import OAuth2Session
from wire import CLUSTER, FOLDER, NODES, PROXY, Journal, Wire, sys

LIBRARY = sys.argv[2]
TOKEN, REVOKE, NOTES = PROXY + "/token", PROXY + "/revoke", PROXY + "/notes"
PEOPLE = 4
# So many notes stay.
KEPT = 30
# How long an access token is valid at least, in seconds.
LIFETIME = 290

JOURNAL = Journal(LIBRARY)


def stopped():
    return (FOLDER / "stop").exists()


def answer(ask, *arguments, **options):
    """Returns what the library does, or nothing if it raises an error. The journal has the reason."""
    try:
        return ask(*arguments, **options)
    except (OAuth2Error, OAuthError, RequestException, ValueError):
        return None


class Keys:
    """The published keys, kept for as long as the service says. The file `skipped` has the seconds by
    which the test has moved the times in the database, in place of waiting."""

    def __init__(self):
        self.lock, self.until, self.recent = threading.Lock(), 0, deque(maxlen=1000)

    def check(self, wire, token):
        """Verifies a new token, and an older one that is still valid."""
        with self.lock:
            now = time.time() + float((FOLDER / "skipped").read_text())
            while self.until <= now:
                self.fetch(wire, now)
            valid = [old for until, old in self.recent if now < until]
            self.recent.append((now + LIFETIME, token))
        for token in [token] + random.sample(valid, min(1, len(valid))):
            error = kid = None
            try:
                kid = self.verify(token)
            except (JoseError, ValueError) as refusal:
                error = repr(refusal)
            JOURNAL.write(who=wire.who, kid=kid, error=error)

    def fetch(self, wire, now):
        response = answer(wire.session().get, PROXY + "/.well-known/jwks.json")
        if wire.status == 200:
            self.keys = KeySet.import_key_set(response.json())
            self.until = now + int(re.search(r"max-age=(\d+)", response.headers["cache-control"])[1])
        else:
            wire.wait()

    def verify(self, token):
        """Returns the name of the key that has signed a token."""
        decoded = jwt.decode(token, self.keys, algorithms=["ES256"])
        of_service = {"essential": True, "value": PROXY}
        jwt.JWTClaimsRegistry(iss=of_service, aud=of_service, exp={"essential": True}).validate(decoded.claims)
        return decoded.header["kid"]


KEYS = Keys()


class Oauthlib:
    def __init__(self, wire):
        self.oauth = LegacyApplicationClient("web")
        self.session = wire.session(OAuth2Session(client=self.oauth))

    def log_in(self, username, password):
        return self.session.fetch_token(TOKEN, username=username, password=password, include_client_id=True)

    def refresh(self, token):
        return self.session.refresh_token(TOKEN, refresh_token=token, client_id="web")

    def revoke(self, token):
        url, headers, body = self.oauth.prepare_token_revocation_request(
            REVOKE, token, "refresh_token", client_id="web"
        )
        self.session.post(url, body, headers=headers, withhold_token=True)


class Authlib:
    def __init__(self, wire):
        method = {"token_endpoint_auth_method": "none", "revocation_endpoint_auth_method": "none"}
        self.session = wire.session(AuthlibSession("web", token_endpoint=TOKEN, **method))

    def log_in(self, username, password):
        return self.session.fetch_token(grant_type="password", username=username, password=password)

    def refresh(self, token):
        return self.session.refresh_token(refresh_token=token)

    def revoke(self, token):
        self.session.revoke_token(REVOKE, token=token, token_type_hint="refresh_token")


class Oauth4webapi:
    def __init__(self, wire):
        command = ["node", CLUSTER["oauth4webapi"], PROXY]
        self.node = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        # That of the library, and that which has the token.
        self.wire, self.session = wire.session(), wire.session()

    def write(self, message):
        self.node.stdin.write(json.dumps(message) + "\n")
        self.node.stdin.flush()

    def call(self, name, *arguments):
        self.write({"call": name, "arguments": arguments})
        while "result" not in (message := json.loads(self.node.stdout.readline())):
            response = answer(self.wire.request, **message)
            self.write({} if response is None else {
                "status": response.status_code, "headers": dict(response.headers), "body": response.text,
            })
        if token := message["result"]:
            self.session.headers["Authorization"] = f"Bearer {token['access_token']}"
        return message["result"]

    log_in, refresh = partialmethod(call, "log_in"), partialmethod(call, "refresh")
    revoke = partialmethod(call, "revoke")


LIBRARIES = {"oauthlib": Oauthlib, "authlib": Authlib, "oauth4webapi": Oauth4webapi}


class Person:
    def __init__(self, number):
        self.wire = Wire(JOURNAL, f"{LIBRARY}-{number}", f"127.{len(LIBRARY)}.{number}.1")
        self.client = LIBRARIES[LIBRARY](self.wire)
        self.passwords = ["correct horse", "battery staple"]
        self.count, self.notes = 0, []
        self.endings = deque([self.log_out, self.replay, self.change_password])

    def live(self):
        self.wire.register(self.passwords[0])
        while True:
            self.log_in()
            for _ in range(random.randint(5, 50)):
                if stopped():
                    return
                self.keep_notes()
                if not self.refresh():
                    break
            else:
                self.endings[0]()
                self.endings.rotate()

    def log_in(self):
        token = None
        while not token:
            token = self.granted(self.client.log_in, self.wire.who, self.passwords[0])
            if self.wire.status == 400:
                # A change of the password has happened, although its answer was lost.
                self.passwords.reverse()
            elif not token:
                self.wire.wait()
        self.keep(token)

    def granted(self, ask, *arguments):
        """Returns the token, if there is one. Then the library understands the answer."""
        token = answer(ask, *arguments)
        if self.wire.status == 200 and not token:
            raise ValueError(f"{LIBRARY} does not understand an answer")
        return token

    def keep(self, token):
        self.token = token["refresh_token"]
        KEYS.check(self.wire, token["access_token"])

    def keep_notes(self):
        session = self.client.session
        self.count += 1
        response = answer(session.post, NOTES, json={"text": f"{self.wire.who} {self.count}"})
        if self.wire.status == 201:
            self.notes.append(response.json()["id"])
        elif self.wire.status != 401:
            self.wire.wait()
        # The last ones are read back.
        answer(session.get, NOTES, params={"after": ([0] + self.notes)[-5:][0]})
        if len(self.notes) > KEPT:
            answer(session.delete, f"{NOTES}/{self.notes.pop(0)}")
        time.sleep(0.1)

    def refresh(self):
        """Returns nothing if the client does not know whether the token is spent."""
        token = self.granted(self.client.refresh, self.token)
        if token:
            self.keep(token)
        return token

    def log_out(self):
        answer(self.client.revoke, self.token)
        self.come_back()

    def replay(self):
        spent = self.token
        if self.refresh():
            for token in (spent, self.token):
                answer(self.client.refresh, token)
            self.come_back()

    def change_password(self):
        old, new = self.passwords
        answer(self.client.session.put, PROXY + "/password", json={"old": old, "new": new})
        if self.wire.status == 204:
            self.passwords.reverse()
        self.come_back()

    def come_back(self):
        """Comes with the access token of the login that has ended, to each node."""
        for node in NODES:
            answer(self.client.session.get, node + "/notes")


class Machine:
    """A client and a job that act for themselves. They need no password, so they need no Valkey."""

    def __init__(self):
        self.wire = Wire(JOURNAL, "reporter", "127.0.0.2")

    def live(self):
        session = self.wire.session(OAuth2Session(client=BackendApplicationClient("reporter")))
        secret, key = CLUSTER["reporter"], {"x-api-key": CLUSTER["job"]}
        while not stopped():
            token = answer(session.fetch_token, TOKEN, client_secret=secret, include_client_id=True)
            if token:
                KEYS.check(self.wire, token["access_token"])
                answer(session.get, PROXY + "/stats")
            answer(session.post, PROXY + "/purge", headers=key, withhold_token=True)
            time.sleep(0.2)


everybody = [Person(number) for number in range(PEOPLE)] + [Machine()] * (LIBRARY == "oauthlib")
with ThreadPoolExecutor(len(everybody)) as pool:
    for life in [pool.submit(one.live) for one in everybody]:
        life.result()
