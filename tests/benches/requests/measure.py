"""Measures the apps, which `run` has built: measure.py [--write-limits | --check FILE]

Writes `table.md` and `table.json` to `target/requests`, and holds the ratios against `limits.json`.
`--write-limits` writes that file from the run's worst rounds instead. `--check` measures nothing,
and holds the ratios of a `table.json`.
"""

import argparse
import datetime
import http.client
import json
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HERE = Path(__file__).resolve().parent
OUT = HERE.parents[2] / "target/requests"
LIMITS = HERE / "limits.json"
ROUNDS = int(os.environ.get("ROUNDS", 3))
SECONDS = float(os.environ.get("SECONDS_PER_CELL", 3))
ALGORITHMS = ["RS256", "ES256"]
TOKENS = [1, 1_000, 10_000]
CELLS = [(algorithm, tokens) for algorithm in ALGORITHMS for tokens in TOKENS]
# What a limit leaves for noise, above the worst round that it was written from.
ROOM = 1.15


@dataclass(frozen=True, eq=False)
class Row:
    framework: str
    name: str
    command: list[str]
    # The packages whose versions are shown.
    packages: list[str]
    # What computes the signatures.
    backend: str = ""

    def title(self) -> str:
        return f"{self.framework}: {self.name}"

    def is_here(self) -> bool:
        """Whether `run` could build it."""
        return shutil.which(self.command[0]) is not None and Path(self.command[-1]).exists()


def rust(app: str) -> list[str]:
    return [str(OUT / "release" / app)]


def fastify(app: str) -> list[str]:
    return ["node", str(OUT / "fastify" / app)]


def fastapi(app: str) -> list[str]:
    return [str(OUT / "fastapi/bin/python"), str(HERE / "apps/fastapi" / app)]


def go(app: str) -> list[str]:
    return ["env", "GOMAXPROCS=1", str(OUT / "go-apps" / app)]


AWS_LC = "AWS-LC"
REMEMBER_NONE = ["env", "REMEMBER=0"]
TOWER = "tower-oauth2-resource-server"
# The first row of a framework is its open route.
ROWS = [
    Row("axum", "open route", rust("axum_open"), ["axum"]),
    Row("axum", "doorward, remembered", rust("axum_doorward"), ["doorward"], AWS_LC),
    Row("axum", "doorward, first", REMEMBER_NONE + rust("axum_doorward"), ["doorward"], AWS_LC),
    Row("axum", "jsonwebtoken by hand", rust("axum_jsonwebtoken"), ["jsonwebtoken"], AWS_LC),
    Row("axum", TOWER, rust("axum_tower_oauth2_resource_server"), [TOWER], AWS_LC),
    Row("axum", "oauth-resource-server", rust("axum_oauth_resource_server"), ["oauth-resource-server"], "ring"),
    Row("axum", "huskarl", rust("axum_huskarl"), ["huskarl-resource-server", "huskarl-axum"], "RustCrypto"),
    Row("actix-web", "open route", rust("actix_open"), ["actix-web"]),
    Row("actix-web", "doorward, remembered", rust("actix_doorward"), ["doorward"], AWS_LC),
    Row("actix-web", "doorward, first", REMEMBER_NONE + rust("actix_doorward"), ["doorward"], AWS_LC),
    Row("actix-web", "httpauth + jsonwebtoken", rust("actix_httpauth"), ["actix-web-httpauth", "jsonwebtoken"], AWS_LC),
    Row("fastify", "open route", fastify("open.mjs"), ["node", "fastify"]),
    Row("fastify", "fast-jwt, remembered", fastify("fast_jwt.mjs"), ["fast-jwt", "get-jwks"], "OpenSSL of Node.js"),
    Row("FastAPI", "open route", fastapi("open.py"), ["python", "fastapi", "uvicorn"]),
    Row("FastAPI", "PyJWT", fastapi("pyjwt.py"), ["pyjwt", "cryptography"], "OpenSSL of cryptography"),
    Row("net/http", "open route", go("open"), ["go"]),
    Row("net/http", "golang-jwt", go("golang_jwt"), ["golang-jwt"], "Go"),
]
# What doorward's rows are held against.
REFERENCES = ["open route", "jsonwebtoken by hand", "httpauth + jsonwebtoken"]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", metavar="FILE", help="the table.json of another run")
    parser.add_argument("--write-limits", action="store_true")
    options = parser.parse_args()
    if options.check:
        sys.exit(missed(json.loads(Path(options.check).read_text())["rows"]))
    with Issuer() as issuer:
        subprocess.run([*rust("tokens"), issuer.url, OUT], check=True)
        rows = [row for row in ROWS if row.is_here()]
        accepted = {row: checked(row, issuer.url) for row in rows}
        measured = measure([row for row in rows if accepted[row] is not None], issuer.url)
    rows = [entry(row, accepted[row], figures) for row, figures in measured.items()]
    result = {"machine": machine(), "rows": rows}
    (OUT / "table.json").write_text(json.dumps(result, indent=1) + "\n")
    (OUT / "table.md").write_text(table(result))
    print(table(result))
    if options.write_limits:
        LIMITS.write_text(json.dumps(limits(rows), indent=1) + "\n")
    failed = sum(taken is None for taken in accepted.values())
    sys.exit(failed + missed(rows))


class Issuer:
    """An issuer on this machine: its metadata and its keys."""

    def __enter__(self) -> "Issuer":
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self.Handler)
        self.url = self.server.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever).start()
        return self

    def __exit__(self, *_) -> None:
        self.server.shutdown()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            url = self.server.url
            metadata = {
                "issuer": url,
                "jwks_uri": f"{url}/.well-known/jwks.json",
                "authorization_endpoint": f"{url}/authorize",
                "token_endpoint": f"{url}/token",
                "response_types_supported": ["code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ALGORITHMS,
            }
            documents = {
                "/.well-known/openid-configuration": json.dumps(metadata).encode(),
                "/.well-known/jwks.json": (OUT / "jwks.json").read_bytes(),
            }
            body = documents.get(self.path)
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_) -> None:
            pass


class Server:
    """An app that runs, on the first core if there are two."""

    def __init__(self, row: Row, issuer: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        environment = {**os.environ, "PORT": str(self.port), "ISSUER": issuer}
        log = (OUT / "server.log").open("w")
        self.process = subprocess.Popen([*pinned(0), *row.command], env=environment, stdout=log, stderr=log)

    def __enter__(self) -> "Server":
        end = time.monotonic() + 30
        while self.process.poll() is None and time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return self
            except ConnectionRefusedError:
                time.sleep(0.02)
        self.process.kill()
        sys.exit(f"{self.process.args} does not listen: {(OUT / 'server.log').read_text()}")

    def __exit__(self, *_) -> None:
        self.process.kill()
        self.process.wait()

    def status(self, token: str | None) -> int:
        """The status of a response to a request with this token."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", "/items", headers={"Authorization": f"Bearer {token}"} if token else {})
        status = connection.getresponse().status
        connection.close()
        return status

    def load(self, algorithm: str, tokens: int, seconds: float, requests: int = 0) -> dict:
        """Sends requests from the second core, with the tokens in turn."""
        command = [*pinned(1), *rust("client"), self.port, OUT / f"{algorithm}.txt", tokens, seconds, requests]
        return json.loads(subprocess.check_output([str(part) for part in command]))


def pinned(core: int) -> list[str]:
    cores = sorted(os.sched_getaffinity(0))
    return ["taskset", "-c", str(cores[core])] if is_pinned() else []


def is_pinned() -> bool:
    return len(os.sched_getaffinity(0)) > 1 and shutil.which("taskset") is not None


def cpu_seconds(process: int) -> float:
    """The time that a process and its children have used."""
    # The name, in brackets, may have spaces. After it, utime, stime, cutime and cstime are 12 to 15.
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    own = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    children = " ".join(task.read_text() for task in Path(f"/proc/{process}/task").glob("*/children"))
    return own + sum(cpu_seconds(int(child)) for child in children.split())


def checked(row: Row, issuer: str) -> list[str] | None:
    """The probes that an app takes, or none if it lets in what no app may."""
    if row.name == "open route":
        return []
    refused, probes = (json.loads((OUT / name).read_text()) for name in ("refused.json", "probes.json"))
    taken, wrong = [], []
    with Server(row, issuer) as server:
        for algorithm in ALGORITHMS:
            good = (OUT / f"{algorithm}.txt").read_text().split("\n", 1)[0]
            expected = {"no token": (None, 401), "a good token": (good, 200)}
            expected |= {name: (token, 401) for name, token in refused[algorithm].items()}
            for name, (token, status) in expected.items():
                found = server.status(token)
                if found != status:
                    wrong.append(f"{algorithm}, {name}: {found} in place of {status}")
            taken += [name for name, token in probes[algorithm].items() if server.status(token) == 200]
    for line in wrong:
        print(f"{row.title()} is not measured: {line}", file=sys.stderr)
    return None if wrong else list(dict.fromkeys(taken))


def measure(rows: list[Row], issuer: str) -> dict[Row, dict[str, list[dict]]]:
    """The figures of each row, cell and round. The rows take turns, so that a slow phase of the machine meets all."""
    figures = {row: {cell(*each): [] for each in CELLS} for row in rows}
    for turn in range(ROUNDS):
        for algorithm, tokens in CELLS:
            for row in rows[turn:] + rows[:turn]:
                with Server(row, issuer) as server:
                    # Warm up, with each token once at least.
                    server.load(algorithm, tokens, 0.5, tokens)
                    before = cpu_seconds(server.process.pid)
                    load = server.load(algorithm, tokens, SECONDS)
                    used = cpu_seconds(server.process.pid) - before
                load["cpu"] = used / load["requests"] * 1e6
                load["rate"] = load["requests"] / load["seconds"]
                figures[row][cell(algorithm, tokens)].append(load)
        print(f"round {turn + 1} of {ROUNDS} is done", file=sys.stderr)
    return figures


def cell(algorithm: str, tokens: int) -> str:
    return f"{algorithm}, {tokens:,}"


def entry(row: Row, taken: list[str], figures: dict[str, list[dict]]) -> dict:
    return {
        "framework": row.framework,
        "name": row.name,
        "versions": [f"{name} {version(name)}" for name in row.packages],
        "backend": row.backend,
        "takes": taken,
        "rounds": figures,
    }


def version(package: str) -> str:
    """The version of a package, from the file that pins it, or of a program."""
    programs = {"node": ["node", "--version"], "python": [*fastapi("")[:1], "--version"], "go": ["go", "version"]}
    if package in programs:
        return re.search(r"\d[\d.]+", subprocess.check_output(programs[package], text=True)).group()
    patterns = {
        "Cargo.lock": rf'name = "{package}"\nversion = "(.*)"',
        "apps/fastify/package.json": rf'"{package}": "(.*)"',
        "apps/fastapi/requirements.txt": rf"(?i)^{package}==(.*)",
        "apps/go/go.mod": rf"{package}/.* v(.*)",
    }
    # Of a crate in two versions, the newer one comes last.
    found = [re.findall(pattern, (HERE / file).read_text(), re.MULTILINE) for file, pattern in patterns.items()]
    return next(versions[-1] for versions in found if versions)


def machine() -> dict:
    name = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    sizes = {a: (OUT / f"{a}.txt").read_text().find("\n") for a in ALGORITHMS}
    return {
        "date": datetime.date.today().isoformat(),
        "cores": len(os.sched_getaffinity(0)),
        "cpu": name.group(1) if name else "unknown",
        "pinned": is_pinned(),
        "rust": subprocess.check_output(["rustc", "--version"], text=True, cwd=HERE).split()[1],
        "rounds": ROUNDS,
        "seconds": SECONDS,
        "bytes": sizes,
        "left_out": [row.title() for row in ROWS if not row.is_here()],
    }


def lowest(row: dict, cell: str) -> float:
    return min(load["cpu"] for load in row["rounds"][cell])


def table(result: dict) -> str:
    about, rows = result["machine"], result["rows"]
    opened = {row["framework"]: row for row in rows if row["name"] == "open route"}
    sizes = " and ".join(f"{size} bytes ({algorithm})" for algorithm, size in about["bytes"].items())
    pinned = "The server has one core and the client another." if about["pinned"] else "Nothing is pinned to a core."
    lines = [
        "# What a protected request costs",
        "",
        f"{about['date']}, {about['cores']} cores of {about['cpu']}, Rust {about['rust']}, {about['rounds']} × "
        f"{about['seconds']:g} s for each figure. {pinned} Tokens of {sizes}, in turn, over 8 connections of HTTP/1.1.",
        "",
        "| | versions | signatures | checks less: takes also a token with |",
        "|---|---|---|---|",
    ]
    for row in rows:
        takes = ", ".join(row["takes"]) or ("everything" if row in opened.values() else "–")
        lines.append(f"| {title(row)} | {', '.join(row['versions'])} | {row['backend'] or '–'} | {takes} |")
    lines += [f"| {name} | not here | – | – |" for name in about["left_out"]]

    def add(heading: str, unit: str, shown) -> None:
        """A table with a column for each cell."""
        lines.extend(["", f"## {heading}", "", f"| {unit} | {' | '.join(cells)} |", f"|---|{'--:|' * len(cells)}"])
        lines.extend(f"| {title(row)} | {' | '.join(shown(row, cell) for cell in cells)} |" for row in rows)

    def median(name: str):
        return lambda row, cell: f"{statistics.median(load[name] for load in row['rounds'][cell]):,.0f}"

    def cpu(row: dict, cell: str) -> str:
        return f"{lowest(row, cell):.1f} · {statistics.median(load['cpu'] for load in row['rounds'][cell]):.1f}"

    def ratio(row: dict, cell: str) -> str:
        return f"{lowest(row, cell) / lowest(opened[row['framework']], cell):.2f}"

    cells = [cell(*each) for each in CELLS]
    add("CPU time of a request (µs)", "lowest · median, by algorithm and number of tokens", cpu)
    add("CPU time, open route = 1", "ratio of the lowest", ratio)
    add("Requests in a second", "median", median("rate"))
    add("Latency, half of the requests (µs)", "median", median("p50"))
    add("Latency, 99 % of the requests (µs)", "median", median("p99"))
    return "\n".join(lines) + "\n"


def title(row: dict) -> str:
    return f"{row['framework']}: {row['name']}"


def pairs(rows: list[dict]):
    """doorward's rows, each with a row of the same framework that it is held against."""
    for ours in rows:
        for other in rows:
            if ours["name"].startswith("doorward") and other["name"] in REFERENCES:
                if ours["framework"] == other["framework"]:
                    yield f"{title(ours)} / {other['name']}", ours, other


def limits(rows: list[dict]) -> dict:
    """The highest ratio of any round, with room for noise."""

    def worst(ours: dict, other: dict, cell: str) -> float:
        rounds = zip(ours["rounds"][cell], other["rounds"][cell], strict=True)
        return round(max(one["cpu"] / two["cpu"] for one, two in rounds) * ROOM, 2)

    return {name: {cell: worst(ours, other, cell) for cell in ours["rounds"]} for name, ours, other in pairs(rows)}


def missed(rows: list[dict]) -> int:
    """The number of limits that are missed. Prints each."""
    count, limits = 0, json.loads(LIMITS.read_text())
    for name, ours, other in pairs(rows):
        for cell, at_most in limits[name].items():
            ratio = lowest(ours, cell) / lowest(other, cell)
            if ratio > at_most:
                count += 1
                print(f"MISSED  {name}, {cell}: {ratio:.2f} (at most {at_most})", file=sys.stderr)
    return count


main()
