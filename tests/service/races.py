"""Refreshes one token at two nodes at once, COUNT times: races.py FOLDER COUNT

It tells the nodes its addresses itself, as the proxy does: a network may log in 20 times.
"""

import threading

from requests.exceptions import RequestException
from wire import NODES, Journal, Wire, sys

COUNT = int(sys.argv[2])
# So many logins of an account, one of them is its registration.
EACH = 19
RACERS = 2

JOURNAL = Journal("races")


def token(session, node, address, **form):
    try:
        form |= {"client_id": "web"}
        return session.post(node + "/token", data=form, headers={"X-Forwarded-For": address})
    except RequestException:
        return None


def race(name, address, count):
    """Races with one account. Each race ends a login, because the second one is a replay."""
    wires = [Wire(JOURNAL, name, address) for _ in NODES]
    sessions = [wire.session() for wire in wires]
    wires[0].register("correct horse")
    while count:
        login = token(sessions[0], NODES[0], address, grant_type="password", username=name, password="correct horse")
        if wires[0].status != 200:
            wires[0].wait()
            continue
        spend = {"grant_type": "refresh_token", "refresh_token": login.json()["refresh_token"]}
        start, answers = threading.Barrier(len(NODES)), [None] * len(NODES)

        def refresh(number):
            start.wait()
            answers[number] = token(sessions[number], NODES[number], address, **spend)

        threads = [threading.Thread(target=refresh, args=[number]) for number in range(len(NODES))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for won in filter(lambda answer: answer is not None and answer.ok, answers):
            headers = {"Authorization": f"Bearer {won.json()['access_token']}"}
            for session, node in zip(sessions, NODES):
                try:
                    session.get(node + "/notes", headers=headers)
                except RequestException:
                    pass
        count -= 1


def racer(number):
    for start in range(number * EACH, COUNT, RACERS * EACH):
        race(f"races-{start}", f"127.100.{start // 250}.{start % 250}", min(EACH, COUNT - start))


threads = [threading.Thread(target=racer, args=[number]) for number in range(RACERS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
