"""Sends 800 requests of others through nginx, while somebody posts without a credential.

others.py SOCKET NAME

Each of the others' requests has to get its 200. Prints how many did not, and what the posts got.
"""

import socket
import sys
import threading
import time
from collections import Counter
from http.client import HTTPConnection, HTTPException

SOCKET, NAME = sys.argv[1:]
OTHERS, POSTERS, REQUESTS = 4, 8, 800
DEADLINE = time.monotonic() + 60
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
TEXT = {"Content-Type": "text/plain"}

# A proxy may send a request without a body again, and must not do that with a post.
GOOD = [
    ("POST", "/form", b"username=johndoe&password=secret", FORM),
    ("GET", "/http-bearer", None, {"Authorization": "Bearer t0k3n"}),
]
# No token, no form, and a form over its limit.
REFUSED = [
    ("/http-bearer", 401, TEXT),
    ("/form", 400, TEXT),
    ("/form", 413, FORM),
]
SIZES = [30, 70_000, 100_000]


class Connection(HTTPConnection):
    def __init__(self):
        super().__init__("localhost", timeout=20)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(SOCKET)


def status(connection, method, path, body, headers):
    try:
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        response.read()
        return response.status
    except (OSError, HTTPException) as error:
        connection.close()
        return type(error).__name__


def other(number):
    connection = Connection()
    for turn in range(REQUESTS // OTHERS):
        others[status(connection, *GOOD[(turn + number) % len(GOOD)])] += 1


def poster(number):
    connection = Connection()
    turn = number
    while not done.is_set() and time.monotonic() < DEADLINE:
        path, expected, headers = REFUSED[turn % len(REFUSED)]
        size = SIZES[turn // len(REFUSED) % len(SIZES)]
        if expected != 413 or size > 65_536:
            posts[status(connection, "POST", path, b"x" * size, headers) == expected] += 1
        turn += 1


def run(role, count):
    threads = [threading.Thread(target=role, args=(number,), daemon=True) for number in range(count)]
    for thread in threads:
        thread.start()
    return threads


others, posts, done = Counter(), Counter(), threading.Event()
while status(Connection(), *GOOD[0]) != 200:
    if time.monotonic() > DEADLINE:
        sys.exit(f"{NAME}: no answer")
    time.sleep(0.1)
posting = run(poster, POSTERS)
for thread in run(other, OTHERS):
    thread.join()
done.set()
for thread in posting:
    thread.join()
lost = REQUESTS - others[200]
print(f"{NAME}: {lost} of {REQUESTS} lost; {posts[True]} posts refused, {posts[False]} not answered")
if posts[True] == 0:
    sys.exit(f"{NAME}: nothing was posted")
sys.exit(lost > 0)
