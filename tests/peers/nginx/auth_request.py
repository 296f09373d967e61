"""Asks nginx for a file behind `auth_request`, with and without a token, like a client of gRPC.

auth_request.py SOCKET

nginx lets a request in if the service answers its own with a 200. Without a token, each has to be a 401.
"""

import socket
import sys
from http.client import HTTPConnection
from itertools import product

[SOCKET] = sys.argv[1:]
KINDS = [None, "application/grpc", "application/grpc+proto", "application/grpc;a=b", "application/grpc-web", "application/json"]
WAYS = ["get", "post", "http2"]
LAYERS = ["plain", "extracted", "word"]


class Connection(HTTPConnection):
    def __init__(self):
        super().__init__("localhost", timeout=20)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(SOCKET)


def answer(method, path, headers):
    connection = Connection()
    connection.request(method, path, headers=headers)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response.status, response.headers["WWW-Authenticate"], body == b"let in\n"


wrong = 0
for way, layer, kind, method in product(WAYS, LAYERS, KINDS, ["GET", "POST"]):
    headers = {"TE": "trailers"} | ({"Content-Type": kind} if kind else {})
    refused = answer(method, f"/{way}/{layer}", headers)
    let_in = answer(method, f"/{way}/{layer}", headers | {"Authorization": "Bearer read"})
    challenge = 'Bearer realm="health", scope="read"'
    if refused != (401, challenge, False) or let_in != (200, None, True):
        print(way, layer, kind, method, refused, let_in, file=sys.stderr)
        wrong += 1
print(f"{len(WAYS) * len(LAYERS) * len(KINDS) * 2} requests, {wrong} of them wrong")
sys.exit(wrong > 0)
