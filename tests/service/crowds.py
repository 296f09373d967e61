"""Callers who want to keep others out: crowds.py FOLDER SECONDS

One address fails to log in to an account, again and again, and the networks of an IPv6 customer fill
the queue of logins. The owner of the account logs in from an address that is new, and an owner whose
address is known logs in all the time. The nodes are told the addresses, as the proxy does.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import requests
from wire import NODES, Journal, Wire, sys

PASSWORD = "correct horse"
JOURNAL = Journal("crowds")
STARTED = time.time()
UNTIL = STARTED + float(sys.argv[2])
# Another one each time: the counts are kept.
RUN = int(STARTED)


class Owner:
    def __init__(self, name, address):
        self.wire = Wire(JOURNAL, f"{name}-{RUN}", address)
        self.wire.register(PASSWORD)
        self.session = self.wire.session()

    def log_in(self, node, address):
        form = {"grant_type": "password", "client_id": "web", "username": self.wire.who, "password": PASSWORD}
        answer = self.session.post(node + "/token", data=form, headers={"X-Forwarded-For": address})
        if not answer.ok:
            raise SystemExit(f"the owner of {self.wire.who} is kept out: {answer.status_code} {answer.text}")


def fail(session, username, address, node):
    form = {"grant_type": "password", "client_id": "web", "username": username, "password": "a guess"}
    return session.post(node + "/token", data=form, headers={"X-Forwarded-For": address}, timeout=15).status_code


def crowd(number):
    """Takes a part of the networks of a /52."""
    session = requests.Session()
    for network in count(number, 20):
        if time.time() > UNTIL:
            return
        address = f"2001:db8:{RUN & 0xffff:x}:{network & 0xfff:x}::1"
        fail(session, f"nobody-{network}", address, NODES[network % len(NODES)])


known = Owner("known", "127.101.0.1")
known.log_in(NODES[0], "127.101.0.1")
victim = Owner("victim", "127.101.0.2")
statuses = [fail(requests.Session(), victim.wire.who, "192.0.2.1", NODES[n % 2]) for n in range(19)]
if 429 not in statuses:
    raise SystemExit(f"the account is not locked for those who fail: {statuses}")
with ThreadPoolExecutor(20) as pool:
    crowds = [pool.submit(crowd, number) for number in range(20)]
    for number in range(15):
        known.log_in(NODES[number % len(NODES)], "127.101.0.1")
        time.sleep(max(0, UNTIL - time.time()) / (15 - number))
    for ended in crowds:
        ended.result()
victim.log_in(NODES[0], "198.51.100.1")
