"""Writes the vectors as seeds of the fuzz targets: seeds.py VECTORS SEEDS"""

import json
import pathlib
import sys

vectors, seeds = (pathlib.Path(argument) for argument in sys.argv[1:])


def whole(value):
    """Writes out `{"gen": [[piece, times], …]}`."""
    if isinstance(value, dict):
        return "".join(piece * times for piece, times in value["gen"])
    return value


def write(target, name, data):
    folder = seeds / target
    folder.mkdir(parents=True, exist_ok=True)
    if len(data) <= 4096:
        (folder / name).write_bytes(data)


for file in vectors.glob("*.json"):
    for vector in json.loads(file.read_text()):
        name = vector.get("id")
        if "jws" in vector:
            write("jwt", name, vector["jws"].encode())
            continue
        headers = [(key.lower(), whole(value).encode("latin-1")) for key, value in vector.get("headers", [])]
        lines = [value for key, value in headers if key == "authorization"]
        body = whole(vector.get("body", "")).encode("latin-1")
        write("authorization", f"{name}", b"\n".join(lines))
        for line in lines:
            write("basic", name, line)
        if body:
            write("form", name, b"\x07" + body)
            write("own_form", name, body + b"&tenant=42&otp=1")
        area = vector.get("area")
        if area in ("grant", "revocation"):
            write("grant", name, b"".join(lines[:1]) + b"\n" + body)
        if area == "api-key-cookie":
            cookies = [value if key == "cookie" else key.encode() + b":" + value for key, value in headers]
            write("cookie", name, b"\n".join(cookies))
        if area == "api-key-query":
            _, _, query = whole(vector.get("target", "")).partition("?")
            write("query", name, query.encode("latin-1"))
        if area == "http-basic":
            write("http_basic", name, b"\n".join(lines))
write("jwt", "audiences", b'{"alg": "Ed25519"}\n{"aud": ["https://api.example.com", "a"], "nbf": 1.5, "scp": ["a"]}')
write("proof", "good", b'/items?a=b\n{}\n{"htu": "HTTPS://API.example.com:443/./%69tems"}')
write("proof", "dots", b'/a/\n{}\n{"htu": "https://api.example.com/a/b/..?c#d"}')
write("proof", "refused", b'/items\n{"typ": "JWT", "crit": [], "jwk": {"kty": "EC", "d": "a"}}\n{"iat": 1, "htm": "POST", "ath": "a"}')
write("jwt", "refused", b'{"typ": "JWT", "crit": ["exp"]}\n{"aud": "a", "exp": 1, "iss": "a", "cnf": {}}')
write("challenge", "realm", b"items of \"me\" \\ \xc3\xa9")
