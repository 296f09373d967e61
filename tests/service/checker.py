"""Checks what the service has acknowledged: checker.py FOLDER, or --selftest.

It reads the journals of the clients, the windows in which the service may fail, and what the database
holds in the end, and then asks each node. It shares no code with the service. Of an exchange whose
answer was lost, or was a failure, nobody knows whether it has happened: both is right.
"""

import json
import sys
import time
from base64 import urlsafe_b64encode
from bisect import bisect
from collections import Counter, defaultdict
from hashlib import sha256
from math import inf
from pathlib import Path
from random import sample
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import Request, urlopen

# The answers to each kind of exchange, but for failures. Some need a reason: `check_answer`.
ANSWERS = {
    "password": {200, 400, 429},
    "refresh_token": {200, 400},
    "client_credentials": {200},
    "POST /revoke": {200},
    "POST /accounts": {201, 429},
    "PUT /password": {204, 401, 429},
    "POST /notes": {201, 401},
    "GET /notes": {200, 401},
    "DELETE /notes": {204, 401},
    "GET /stats": {200},
    "POST /purge": {204},
    "GET /.well-known": {200},
}
# Those that need Valkey.
COUNTED = {"password", "POST /accounts", "PUT /password"}
# The faults after which nobody can be served.
VALKEY, POSTGRES, DISK = "kill -9 of Valkey", "kill -9 of PostgreSQL", "a full disk of PostgreSQL"
# How long an access token is good at least, and how late a failed request may have an effect, in seconds.
LIFETIME, LATE = 290, 30
# Of how many logins, and of how many tokens, the nodes are asked in the end.
ASKED = 200


def kind(exchange):
    path = urlsplit(exchange["url"]).path
    return exchange["form"].get("grant_type") or f"{exchange['method']} /{path.split('/')[1]}"


def failed(exchange):
    return exchange["status"] is None or exchange["status"] >= 500 or exchange["status"] == 408


def stored(token):
    return urlsafe_b64encode(sha256(token.encode()).digest()).rstrip(b"=").decode()


def shown(entry):
    """Returns what is worth reading of an entry of a journal."""
    return json.dumps({name: value for name, value in entry.items() if value and name != "bearer"})[:400]


class Login:
    """A login, and the family of its refresh tokens: each was acknowledged, the newest is the last."""

    def __init__(self, account, start):
        self.account, self.start, self.tokens = account, start, []
        # Since when it has ended for certain, and since when it may have.
        self.ended = self.doubtful = inf

    def may_end(self, exchange):
        self.doubtful = min(self.doubtful, exchange["sent"])

    def ends(self, exchange):
        self.ended = min(self.ended, exchange["answered"])


class History:
    def __init__(self, exchanges):
        self.exchanges = sorted(exchanges, key=lambda exchange: exchange["answered"])
        self.logins, self.of_token, self.of_access = [], {}, {}
        # By account: since when its password may be another one.
        self.changed = {}
        # By refresh token: the requests to spend it.
        self.spends = defaultdict(list)
        for exchange in self.exchanges:
            self.read_tokens(exchange)
        for spends in self.spends.values():
            spends.sort(key=lambda exchange: exchange["sent"])
        for exchange in self.exchanges:
            self.read_ends(exchange)

    def read_tokens(self, exchange):
        spent, got = exchange["form"].get("refresh_token"), exchange["got"]
        if spent:
            self.spends[spent].append(exchange)
        if exchange["status"] != 200 or kind(exchange) not in ("password", "refresh_token"):
            return
        login = self.of_token.get(spent)
        if not login:
            login = Login(exchange["who"], exchange["sent"])
            self.logins.append(login)
        login.tokens.append(got["refresh_token"])
        self.of_token[got["refresh_token"]] = login
        self.of_access[got["access_token"]] = (login, exchange["answered"])

    def read_ends(self, exchange):
        form, status = exchange["form"], exchange["status"]
        if login := self.of_token.get(form.get("refresh_token")):
            # A token that comes for the second time ends its family, and after a refusal there is none.
            if self.spends[form["refresh_token"]][0] is not exchange:
                login.may_end(exchange)
            if status == 400:
                login.ends(exchange)
        if login := self.of_token.get(form.get("token")):
            login.may_end(exchange)
            if status == 200:
                login.ends(exchange)
        if kind(exchange) == "PUT /password" and (status == 204 or failed(exchange)):
            self.changed.setdefault(exchange["who"], exchange["sent"])
            done = exchange["answered"] + (LATE if failed(exchange) else 0)
            for login in self.logins:
                if login.account == exchange["who"] and login.start < done:
                    login.may_end(exchange)
                    if status == 204 and login.start < exchange["sent"]:
                        login.ends(exchange)


class Checker:
    def __init__(self, proxy, libraries, entries, windows, database):
        self.exchanges = [entry for entry in entries if "url" in entry]
        self.verified = [entry for entry in entries if "kid" in entry]
        self.proxy, self.libraries, self.windows, self.database = proxy, libraries, windows, database
        self.by_time = sorted(self.exchanges, key=lambda exchange: exchange["sent"])
        self.found = []

    def say(self, rule, about):
        self.found.append((rule, about if isinstance(about, str) else shown(about)))

    def check(self, ask=lambda history: []):
        """Checks the database first: what is asked then changes it."""
        self.check_logins_in_database(History(self.exchanges))
        self.exchanges += ask(History(self.exchanges))
        history = History(self.exchanges)
        self.check_notes(history)
        self.check_spends(history)
        for exchange in history.exchanges:
            self.check_answer(history, exchange)
        for token in self.verified:
            if token["error"]:
                self.say("a token does not verify", token)
        self.check_seen(history)
        return self.found

    # Refresh tokens.

    def check_logins_in_database(self, history):
        """A login has one row, with the hash of the one token that is not spent."""
        rows = dict(self.database["logins"])
        for login in history.logins:
            firsts, seconds = zip(*(map(stored, token.split(".")) for token in login.tokens))
            row = rows.get(firsts[-1])
            spends = [history.spends[token] for token in login.tokens]
            if login.ended < inf:
                if row:
                    self.say("a login that has ended is in the database", f"{login.account} {firsts[-1]}")
            elif login.doubtful == inf and (not row or not spends[-1] and row != seconds[-1]):
                self.say("a login is lost", f"{login.account} {firsts[-1]}")
            if row in (hash for hash, sent in zip(seconds, spends) if any(spend["status"] == 200 for spend in sent)):
                self.say("a spent token is unspent", f"{login.account} {firsts[-1]}")

    def check_spends(self, history):
        for token, spends in history.spends.items():
            if sum(exchange["status"] == 200 for exchange in spends) > 1:
                self.say("a token was accepted twice", spends[-1])

    # Notes.

    def check_notes(self, history):
        sent, added, deleted = set(), defaultdict(list), {}
        for exchange in history.exchanges:
            match kind(exchange):
                case "POST /notes":
                    sent.add((exchange["who"], exchange["text"]))
                    if exchange["status"] == 201:
                        added[exchange["who"]].append((exchange["got"]["id"], exchange))
                case "DELETE /notes":
                    deleted[int(exchange["url"].rpartition("/")[2])] = exchange
        for notes in added.values():
            notes.sort(key=lambda note: note[0])
        there = {id: (account, text) for id, account, text in self.database["notes"]}
        for note, count in Counter(there.values()).items():
            if note not in sent:
                self.say("a note is somebody else's", " / ".join(note))
            if count > 1:
                self.say("a note is doubled", " / ".join(note))
        for notes in added.values():
            for id, exchange in notes:
                if id in deleted:
                    if id in there and deleted[id]["status"] == 204:
                        self.say("a deleted note is there", exchange)
                elif there.get(id) != (exchange["who"], exchange["text"]):
                    self.say("a note is lost", exchange)
        for exchange in history.exchanges:
            if kind(exchange) == "GET /notes" and exchange["status"] == 200:
                self.check_list(exchange, added[exchange["who"]], sent, deleted)

    def check_list(self, exchange, added, sent, deleted):
        got = {note["id"]: note["text"] for note in exchange["got"]}
        for id, text in got.items():
            if (exchange["who"], text) not in sent:
                self.say("a note is somebody else's", exchange)
            if id in deleted and deleted[id]["status"] == 204 and deleted[id]["answered"] < exchange["sent"]:
                self.say("a deleted note is there", exchange)
        after = int(parse_qs(urlsplit(exchange["url"]).query).get("after", ["0"])[0])
        # A page has 100 notes.
        last = max(got) if len(got) == 100 else inf
        for id, note in added[bisect(added, after, key=lambda note: note[0]):]:
            if id > last:
                break
            may_be_deleted = id in deleted and deleted[id]["sent"] < exchange["answered"]
            if note["answered"] < exchange["sent"] and not may_be_deleted and got.get(id) != note["text"]:
                self.say("a note is not listed", exchange)

    # Answers.

    def check_answer(self, history, exchange):
        name, status = kind(exchange), exchange["status"]
        windows = [w for w in self.windows if exchange["sent"] <= w["to"] and exchange["answered"] >= w["from"]]
        without_valkey = name in COUNTED and any(window["allowed"] == "logins" for window in windows)
        if failed(exchange):
            # A node that is down does not answer those who know its own address.
            is_known = without_valkey or any(window["allowed"] == "everything" for window in windows)
            if not is_known and (status or exchange["url"].startswith(self.proxy)):
                self.say("a failure outside of the windows", exchange)
        elif status not in ANSWERS[name]:
            self.say("an answer is not as it should be", exchange)
        if (status == 429 or status == 503 and without_valkey) and not exchange["retry_after"]:
            self.say("a refusal does not say when to come again", exchange)
        # The window begins before the kill.
        gone = [w for w in windows if w["fault"] == VALKEY and w["from"] + 1 < exchange["sent"]]
        if name in COUNTED and status in (200, 201, 204) and any(exchange["answered"] < w["to"] for w in gone):
            self.say("a password was not counted", exchange)
        login, since = history.of_access.get(exchange["bearer"], (None, 0))
        if name == "refresh_token":
            login = history.of_token.get(exchange["form"]["refresh_token"])
        if login and status in (200, 201, 204) and login.ended < exchange["sent"]:
            self.say("a login that has ended was accepted", exchange)
        is_good = login and login.doubtful > exchange["answered"]
        if is_good and (status == 400 or status == 401 and exchange["sent"] < since + LIFETIME):
            self.say("a good token was refused", exchange)
        if name == "password" and status == 400 and history.changed.get(exchange["who"], inf) > exchange["sent"]:
            self.say("a good password was refused", exchange)

    def is_without(self, exchange, window):
        """Returns whether a client did not get what it asked for, because of the fault of a window."""
        return failed(exchange) or window["allowed"] == "logins" and exchange["status"] == 429

    def outage(self, window):
        """Returns the longest time from a request in a window until its client got something."""
        longest, back = 0, {}
        for exchange in reversed(self.by_time):
            if not exchange["url"].startswith(self.proxy):
                continue
            if not self.is_without(exchange, window):
                back[exchange["who"]] = exchange["answered"]
            if window["from"] <= exchange["sent"] <= window["to"]:
                longest = max(longest, back.get(exchange["who"], inf) - exchange["sent"])
        return longest

    def check_seen(self, history):
        """What did not happen proves nothing."""
        for library in self.libraries:
            seen = {(kind(e), e["status"]) for e in history.exchanges if e["who"].startswith(f"{library}-")}
            for name in ("password", "refresh_token", "POST /revoke", "POST /notes", "GET /notes", "PUT /password"):
                if not seen & {(name, 200), (name, 201), (name, 204)}:
                    self.say("something was never seen", f"{library}: {name}")
            if ("GET /notes", 401) not in seen:
                self.say("something was never seen", f"{library}: the token of a login that has ended")
        if not any(len(spends) > 1 for spends in history.spends.values()):
            self.say("something was never seen", "a token that comes twice")
        if len({token["kid"] for token in self.verified if not token["error"]}) < 2:
            self.say("something was never seen", "a new key")
        for window in self.windows:
            if window["fault"] in (VALKEY, POSTGRES, DISK):
                during = (e for e in history.exchanges if window["from"] <= e["sent"] <= window["to"])
                if not any(self.is_without(exchange, window) for exchange in during):
                    self.say("something was never seen", f"an effect of {window['fault']}")


def ask_nodes(nodes, history):
    """Asks each node for all notes, and for what it must refuse. Returns the exchanges."""
    exchanges = []

    def ask(node, login, path, bearer="", **form):
        request = Request(node + path, urlencode(form).encode() if form else None)
        if bearer:
            request.add_header("Authorization", f"Bearer {bearer}")
        sent = time.time()
        try:
            with urlopen(request, timeout=15) as response:
                status, headers, got = response.status, response.headers, json.load(response)
        except HTTPError as error:
            status, headers, got = error.code, error.headers, None
        exchanges.append({
            "who": login.account, "method": request.get_method(), "url": request.full_url, "form": form,
            "bearer": bearer, "text": None, "sent": sent, "answered": time.time(), "status": status,
            "retry_after": headers["retry-after"], "got": got,
        })
        return got

    def refresh(node, token):
        form = {"grant_type": "refresh_token", "client_id": "web", "refresh_token": token}
        ask(node, history.of_token[token], "/token", **form)

    newest = {login: token for token, (login, _) in history.of_access.items()}
    present = {login.account: login for login in history.logins if login.doubtful == inf}
    for login in present.values():
        for node in nodes:
            page = ask(node, login, "/notes", newest[login])
            while page:
                page = ask(node, login, f"/notes?after={page[-1]['id']}", newest[login])
    ended = [login for login in history.logins if login.ended < inf]
    for login in sample(ended, min(ASKED, len(ended))):
        for node in nodes:
            ask(node, login, "/notes", newest[login])
            refresh(node, login.tokens[-1])
    spent = [token for token, spends in history.spends.items() if any(spend["status"] == 200 for spend in spends)]
    for number, token in enumerate(sample(spent, min(ASKED, len(spent)))):
        refresh(nodes[number % len(nodes)], token)
    return exchanges


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def main(folder):
    cluster = json.loads((folder / "cluster.json").read_text())
    entries = [entry for journal in sorted(folder.glob("*.journal")) for entry in lines(journal)]
    windows, database = lines(folder / "windows"), json.loads((folder / "database.json").read_text())
    database = {name: rows or [] for name, rows in database.items()}
    checker = Checker(cluster["proxy"], ["authlib", "oauth4webapi", "oauthlib"], entries, windows, database)
    found = checker.check(lambda history: ask_nodes(cluster["nodes"], history))

    table = defaultdict(Counter)
    for exchange in checker.exchanges:
        status = exchange["status"]
        table[exchange["who"].split("-")[0], kind(exchange)][f"{status // 100}xx" if status else "lost"] += 1
    columns = ["2xx", "4xx", "5xx", "lost"]
    print(f"{'client':<14}{'request':<20}" + "".join(f"{column:>8}" for column in columns))
    for (client, name), counts in sorted(table.items()):
        print(f"{client:<14}{name:<20}" + "".join(f"{counts[column]:>8}" for column in columns))
    outages = defaultdict(list)
    for window in windows:
        outages[window["fault"], window["allowed"]].append(checker.outage(window))
    print(f"\n{'fault':<36}{'may fail':<12}{'times':>6}{'longest outage':>18}")
    for (fault, allowed), lengths in outages.items():
        print(f"{fault:<36}{allowed:<12}{len(lengths):>6}{max(lengths):>16.2f} s")
    of_keys = Counter(token["kid"] for token in checker.verified)
    twice = [spends for spends in History(checker.exchanges).spends.values() if len(spends) > 1]
    print(f"\nverified tokens, by key: {', '.join(map(str, of_keys.values()))}; tokens that came twice: {len(twice)}")
    print(f"in the database: {len(database['notes'])} notes, {len(database['logins'])} logins")
    for rule, count in Counter(rule for rule, _ in found).items():
        print(f"\nFOUND {count} times: {rule}")
        print("\n".join([about for other, about in found if other == rule][:5]))
    print(f"\n{'FOUND' if found else 'holds '} cluster / {len(checker.exchanges)} requests / {len(found)} violations")
    return bool(found)


if __name__ == "__main__":
    if sys.argv[1] == "--selftest":
        from forgeries import selftest

        sys.exit(selftest())
    sys.exit(main(Path(sys.argv[1])))
