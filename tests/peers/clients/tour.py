"""Follows the tour of the README with curl: tour.py URL

Runs each command in one shell, and compares what it prints with the README. `…` stands for text
that differs each time."""

import re
import subprocess
import sys
from pathlib import Path

url = sys.argv[1]
readme = Path("README.md").read_text()
(tour,) = re.findall(r"^```console\n(.*?)^```", readme, re.M | re.S)
script, expected = [], []
for line in tour.replace("http://127.0.0.1:8000", url).splitlines():
    if line.startswith("$ "):
        # An answer need not end its line.
        script.append(line[2:] + "; echo")
    else:
        expected.append(re.escape(line).replace("…", "[^\"]+"))

run = subprocess.run(["bash", "-euc", "\n".join(script)], capture_output=True, text=True, check=True)
printed = [line for line in run.stdout.splitlines() if line]
assert len(printed) == len(expected) >= 5, run.stdout
for line, pattern in zip(printed, expected):
    assert re.fullmatch(pattern, line), f"not as in the README: {line}"
print(f"tour: {len(script)} commands")
