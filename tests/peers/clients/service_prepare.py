"""Prepares the example `service` for a client: reads what its first start has printed, and prints
as JSON what the client's script needs."""

import base64
import hashlib
import json
import re
import sqlite3
import sys
from pathlib import Path

import requests
from joserfc import jwt
from joserfc.jwk import ECKey

URL, DATABASE = sys.argv[1:]


def post(path, **body):
    response = requests.post(URL + path, **body)
    response.raise_for_status()
    return response


# No client of the first start has a secret and takes passwords.
with sqlite3.connect(DATABASE) as database:
    secret_hash = base64.urlsafe_b64encode(hashlib.sha256(b"hunter2").digest()).rstrip(b"=").decode()
    grants, scopes = "password refresh_token client_credentials", "notes:read notes:write"
    database.execute("INSERT INTO clients VALUES ('desk', ?, ?, ?)", (secret_hash, grants, scopes))
    [[pkcs8]] = database.execute("SELECT pkcs8 FROM signing_keys")
key = ECKey.import_key(base64.b64decode(pkcs8))

john = {"username": "johndoe", "password": "correct horse"}
post("/accounts", json=john)
login = post("/token", data=john | {"grant_type": "password", "scope": "notes:read", "client_id": "web"}).json()

# Nobody waits until a token has expired: this one has.
token = jwt.decode(login["access_token"], key, algorithms=["ES256"])
expired = jwt.encode(token.header, token.claims | {"exp": 1}, key, algorithms=["ES256"])
# It is good but for that.
signed = jwt.encode(token.header, token.claims, key, algorithms=["ES256"])
requests.get(URL + "/notes", headers={"Authorization": f"Bearer {signed}"}).raise_for_status()

names = {
    "reporter": re.search("-u 'reporter:(.*?)'", sys.stdin.read())[1],
    "refresh_token": login["refresh_token"],
    "access_token": login["access_token"],
    "long": "x" * 100_000,
}
refusals = Path(__file__).with_name("service_refusals.json").read_text()
for name, value in names.items():
    refusals = refusals.replace("{" + name + "}", value)
json.dump({"url": URL, "expired": expired, "refusals": json.loads(refusals)} | names, sys.stdout)
