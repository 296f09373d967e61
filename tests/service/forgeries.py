"""Forged journals, to prove that the checker sees each violation: a small good one, and what to change
in it for each rule."""

from checker import POSTGRES, VALKEY, Checker, stored

PROXY, NODE = "http://proxy", "http://node"


class Evidence:
    def __init__(self):
        self.entries, self.time = [], 0
        self.windows = [
            {"fault": POSTGRES, "from": 100, "to": 110, "allowed": "everything"},
            {"fault": VALKEY, "from": 120, "to": 130, "allowed": "logins"},
        ]
        # A login has the second part of the token that is not spent.
        self.notes, self.logins = [], {}

    def add(self, method, path, status, who="lib-1", at=PROXY, bearer="", text=None, got=None, **form):
        """Adds an exchange that takes a second."""
        self.time += 2
        self.entries.append({
            "who": who, "method": method, "url": at + path, "form": form, "bearer": bearer, "text": text,
            "sent": self.time, "answered": self.time + 1, "status": status,
            "retry_after": "1" if status == 429 else None, "got": got,
        })
        return self.entries[-1]

    def log_in(self, token, who="lib-1", status=200):
        got = {"refresh_token": token, "access_token": f"access of {token}"}
        return self.add("POST", "/token", status, who, got=got, grant_type="password")

    def refresh(self, old, new, who="lib-1", status=200):
        got = {"refresh_token": new, "access_token": f"access of {new}"} if new else None
        return self.add("POST", "/token", status, who, got=got, grant_type="refresh_token", refresh_token=old)

    def note(self, id, text, bearer, who="lib-1"):
        return self.add("POST", "/notes", 201, who, bearer=bearer, text=text, got={"id": id, "text": text})

    def list(self, bearer, *notes, status=200, who="lib-1", **more):
        got = [{"id": id, "text": text} for id, text in notes] if status == 200 else None
        return self.add("GET", "/notes", status, who, bearer=bearer, got=got, **more)

    def rules(self):
        database = {"notes": self.notes, "logins": [map(stored, login) for login in self.logins.items()]}
        checker = Checker(PROXY, ["lib"], self.entries, self.windows, database)
        return {rule for rule, _ in checker.check()}


def good():
    """Two logins that have ended, by a replay and by a logout, one that has not, and three notes."""
    e = Evidence()
    e.log_in("a.1")
    e.note(1, "one", "access of a.1")
    e.note(2, "two", "access of a.1")
    e.add("DELETE", "/notes/2", 204, bearer="access of a.1")
    e.refresh("a.1", "a.2")
    e.refresh("a.1", None, status=400)
    e.list("access of a.2", status=401, at=NODE)
    e.log_in("b.1")
    e.logout = e.add("POST", "/revoke", 200, token="b.1")
    e.log_in("c.1")
    e.list("access of c.1", (1, "one"))
    e.add("PUT", "/password", 204, bearer="access of c.1")
    e.log_in("d.1")
    e.refresh("d.1", "d.2")
    e.refresh("d.2", "d.3")
    e.log_in("other.1", "lib-2")
    e.note(3, "three", "access of other.1", who="lib-2")
    e.time = 100
    # Nobody knows whether these have happened.
    e.refresh("d.3", None, status=500)
    e.add("POST", "/notes", None, bearer="access of d.3", text="lost")
    e.time = 120
    e.refused = e.log_in("none", "lib-2", status=429)
    e.entries += [{"who": "lib-1", "kid": kid, "error": None} for kid in "12"]
    e.notes += [1, "lib-1", "one"], [3, "lib-2", "three"], [4, "lib-1", "lost"]
    e.logins |= {"d": "3", "other": "1"}
    return e


def at(time, forge):
    def forge_then(e):
        e.time = time
        forge(e)

    return forge_then


# Each violation, and what is changed in the good journal.
FORGERIES = [
    ("a note is lost", lambda e: e.notes.pop(0)),
    ("a note is doubled", lambda e: e.notes.append([5, "lib-1", "one"])),
    ("a note is somebody else's", lambda e: e.notes.append([5, "lib-2", "one"])),
    ("a note is somebody else's", lambda e: e.list("access of d.3", (1, "one"), (3, "three"))),
    ("a deleted note is there", lambda e: e.notes.append([2, "lib-1", "two"])),
    ("a deleted note is there", lambda e: e.list("access of d.3", (1, "one"), (2, "two"))),
    ("a note is not listed", lambda e: e.list("access of d.3")),
    ("a token was accepted twice", lambda e: e.refresh("d.1", "d.3")),
    ("a spent token is unspent", lambda e: e.logins.update(d="2")),
    ("a login is lost", lambda e: e.logins.update(other="2")),
    ("a login is lost", lambda e: e.logins.pop("d")),
    ("a login that has ended is in the database", lambda e: e.logins.update(b="1")),
    ("a login that has ended was accepted", lambda e: e.list("access of a.2", (1, "one"), at=NODE)),
    ("a login that has ended was accepted", lambda e: e.list("access of b.1", (1, "one"))),
    ("a login that has ended was accepted", lambda e: e.list("access of c.1", (1, "one"))),
    ("a login that has ended was accepted", lambda e: e.refresh("b.1", "b.2")),
    ("a good token was refused", lambda e: e.list("access of d.3", status=401)),
    ("a good token was refused", lambda e: e.refresh("other.1", None, "lib-2", 400) and e.logins.pop("other")),
    ("a good password was refused", lambda e: e.log_in("none", "lib-2", status=400)),
    ("a token does not verify", lambda e: e.entries.append({"who": "lib-1", "kid": None, "error": "unknown key"})),
    ("a failure outside of the windows", lambda e: e.add("GET", "/stats", 503)),
    ("a failure outside of the windows", lambda e: e.add("GET", "/stats", None)),
    ("a failure outside of the windows", lambda e: e.add("GET", "/stats", 503, at=NODE)),
    ("a failure outside of the windows", at(120, lambda e: e.add("GET", "/stats", 503))),
    ("a password was not counted", at(120, lambda e: e.log_in("e.1") and e.logins.update(e="1"))),
    ("a refusal does not say when to come again", lambda e: e.refused.update(retry_after=None)),
    ("an answer is not as it should be", lambda e: e.add("GET", "/notes", 404)),
    ("something was never seen", lambda e: e.logout.update(status=500, sent=105, answered=106)),
    ("something was never seen", lambda e: e.windows[1].update({"from": 131, "to": 132})),
    ("something was never seen", lambda e: e.entries.pop()),
]


def selftest():
    forgeries = [(set(), lambda e: None)] + [({rule}, forge) for rule, forge in FORGERIES]
    missed = 0
    for number, (expected, forge) in enumerate(forgeries):
        evidence = good()
        forge(evidence)
        if (found := evidence.rules()) != expected:
            missed += 1
            print(f"MISSED checker / forgery {number} / {found} / expected: {expected}")
    print("MISSED" if missed else "holds ", "checker /", len(FORGERIES), "forgeries")
    return bool(missed)
