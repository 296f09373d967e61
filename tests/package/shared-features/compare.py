"""Compares the features of a program's dependencies with doorward and without it. Fails if doorward
switches on a feature that changes what the code of the program does."""

import json
import re
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

# The packages that most programs share with doorward, and their features that only add items.
ADDS = {
    "base64": {"alloc", "default", "simd-unsafe", "std"},
    "bytes": {"default", "serde", "std"},
    "http": {"default", "std"},
    "serde": {"alloc", "default", "derive", "rc", "serde_derive", "std"},
    "serde_core": {"alloc", "default", "rc", "result", "std"},
    "serde_json": {"alloc", "default", "std"},
    "serde_urlencoded": {"default"},
}
# Features of other packages that change code which is there without them.
CHANGES = {"arbitrary_precision", "float_roundtrip", "preserve_order", "preserve_path_order", "raw_value", "unbounded_depth"}
# A program that switches on one of these has that framework, with what it switches on itself.
FRAMEWORKS = {"salvo1": "salvo_core"}

LOCK = (ROOT / "Cargo.lock").read_text()
# Of several versions, the newest is the last.
VERSIONS = dict(re.findall(r'name = "([^"]+)"\nversion = "([^"]+)"', LOCK))


def switched_on(others: list[str], doorward: str = "") -> dict[str, set[str]]:
    """Returns the features of each package below a program with these packages, and doorward."""
    dependencies = [f'{name} = {{ version = "={VERSIONS[name]}", default-features = false }}' for name in [*ADDS, *others]]
    if doorward:
        dependencies.append(f"doorward = {{ path = {json.dumps(str(ROOT / 'runtime'))}, {doorward} }}")
    package = ["[package]", 'name = "program"', 'edition = "2024"', "[workspace]", "[dependencies]"]
    with tempfile.TemporaryDirectory() as folder:
        manifest = Path(folder, "Cargo.toml")
        manifest.write_text("\n".join([*package, *dependencies]))
        Path(folder, "Cargo.lock").write_text(LOCK)
        Path(folder, "src").mkdir()
        Path(folder, "src/lib.rs").touch()
        tree = ["cargo", "tree", "-q", "-e", "normal", "--prefix", "none", "-f", "{p}|{f}", "--manifest-path", manifest]
        lines = subprocess.run(tree, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    found: dict[str, set[str]] = {}
    for line in lines:
        package_and_version, _, features = line.removesuffix(" (*)").partition("|")
        name, version = package_and_version.split()[:2]
        # The program's code does not see another version.
        if VERSIONS[name] == version.removeprefix("v") if name in ADDS else name != "program":
            found.setdefault(name, set()).update(filter(None, features.split(",")))
    return found


def compare(others: list[str], doorward: str) -> list[str]:
    alone, both = switched_on(others), switched_on(others, doorward)
    assert set(ADDS) <= set(alone) and "doorward" in both
    new = [(name, feature) for name in both for feature in both[name] - alone.get(name, set())]
    return sorted(
        f"{name}/{feature}"
        for name, feature in new
        if (feature not in ADDS[name] if name in ADDS else feature in CHANGES)
    )


table = (ROOT / "runtime/Cargo.toml").read_text().split("[features]\n")[1].split("\n[")[0]
features = re.findall(r"^([a-z0-9-]+) = \[", table, re.MULTILINE)
assert "openapi" in features and set(FRAMEWORKS) <= set(features), features
without = [feature for feature in features if feature not in FRAMEWORKS]
found = {
    "default": compare([], "default-features = true"),
    "all": compare([], f"features = {json.dumps(without)}"),
    **{feature: compare([package], f"features = {json.dumps([feature])}") for feature, package in FRAMEWORKS.items()},
}
for features, switched in found.items():
    if switched:
        print(f"with the features {features}, doorward switches on in a program: {', '.join(switched)}")
raise SystemExit(any(found.values()))
