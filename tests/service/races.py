"""Refreshes one token at two nodes at once, COUNT times: races.py FOLDER COUNT

It tells the nodes its addresses itself, as the proxy does: a network may log in 20 times.
"""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from wire import NODES, Journal, Wire, sys

COUNT = int(sys.argv[2])
# So many logins of an account, one of them is its registration.
EACH = 19
RACERS = 2

JOURNAL = Journal("races")


def token(session, node, address, **form):
    form["client_id"] = "web"
    return session.post(node + "/token", data=form, headers={"X-Forwarded-For": address})


def race(name, address, count):
    """Races with one account. Each race ends a login, because the second one is a replay."""
    wires = [Wire(JOURNAL, name, address) for _ in NODES]
    sessions = [wire.session() for wire in wires]
    wires[0].register("correct horse")
    while count:
        login = token(sessions[0], NODES[0], address, grant_type="password", username=name, password="correct horse")
        if not login.ok:
            wires[0].wait()
            continue
        spend = {"grant_type": "refresh_token", "refresh_token": login.json()["refresh_token"]}
        start = Barrier(len(NODES))

        def refresh(session, node):
            start.wait()
            return token(session, node, address, **spend)

        for answer in list(pool.map(refresh, sessions, NODES)):
            if answer.ok:
                headers = {"Authorization": f"Bearer {answer.json()['access_token']}"}
                for session, node in zip(sessions, NODES):
                    session.get(node + "/notes", headers=headers)
        count -= 1


def racer(number):
    for start in range(number * EACH, COUNT, RACERS * EACH):
        race(f"races-{start}", f"127.100.{start // 250}.{start % 250}", min(EACH, COUNT - start))


with ThreadPoolExecutor(RACERS) as racers, ThreadPoolExecutor(RACERS * len(NODES)) as pool:
    list(racers.map(racer, range(RACERS)))
