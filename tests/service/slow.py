"""Callers who are slow: slow.py FOLDER SECONDS

More connections than a node takes begin a body through the proxy, and send a byte now and then. Who is
cut begins again.
"""

import resource
import socket
import time
from urllib.parse import urlsplit

from wire import PROXY, sys

CALLERS = 1200
HEAD = b"POST /accounts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{"

resource.setrlimit(resource.RLIMIT_NOFILE, [resource.getrlimit(resource.RLIMIT_NOFILE)[1]] * 2)
proxy = urlsplit(PROXY)
callers, until = {}, time.time() + float(sys.argv[2])
while time.time() < until:
    for number in range(CALLERS):
        try:
            if number not in callers:
                callers[number] = socket.create_connection((proxy.hostname, proxy.port), 5)
                callers[number].sendall(HEAD)
            callers[number].sendall(b" ")
        except OSError:
            callers.pop(number, None)
    time.sleep(0.5)
print(f"{len(callers)} slow callers")
