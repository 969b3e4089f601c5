"""Declared and pinned dependencies, compared with the imports of the source."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "diamonds"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
PROGRAM = ("table", "lab", "envs", "data", "postgres", "watch")  # the extras from which the program imports
# Used without an import statement: one is read as a data file, and uvicorn loads the others.
LOADED = {"confusable-homoglyphs", "httptools", "uvloop"}


def normal(name: str) -> str:
    """Return a distribution's name in the form by which package indexes compare names."""
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(extras: tuple[str, ...]) -> set[str]:
    """Return the distributions that the program and these extras require."""
    lines = [*PROJECT["dependencies"], *(line for extra in extras for line in EXTRAS[extra])]
    return {normal(re.match(r"[\w.-]+", line)[0]) for line in lines}  # type: ignore[index]


def imported() -> dict[str, set[str]]:
    """Return the libraries that the source imports, each with the distributions that may provide it."""
    owners = packages_distributions()
    found: dict[str, set[str]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [name.name for name in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module]
            else:
                continue
            for name in {name.partition(".")[0] for name in names} - sys.stdlib_module_names - {"diamonds"}:
                assert name in owners, f"{path.relative_to(ROOT)} imports {name}, which no distribution installs"
                found[name] = {normal(owner) for owner in owners[name]}
    return found


@pytest.mark.later
def test_every_imported_library_is_declared():
    missing = {name for name, owners in imported().items() if not owners & declared(PROGRAM)}
    assert not missing, f"imported but not declared in pyproject.toml: {sorted(missing)}"


@pytest.mark.later
def test_every_declared_library_is_used():
    unused = declared(PROGRAM) - set().union(*imported().values()) - LOADED
    assert not unused, f"declared in pyproject.toml but imported nowhere: {sorted(unused)}"


def test_every_declared_library_is_pinned_once():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", pin) for pin in pins), "expected `name==version` without an address"
    names = [normal(pin.partition("==")[0]) for pin in pins]
    assert len(names) == len(set(names)), "expected one pin of each library"
    missing = declared(tuple(EXTRAS)) - set(names)
    assert not missing, f"constraints.txt has no version of {sorted(missing)}: renew it"


@pytest.mark.parametrize("module", ["diamonds.server.main", "diamonds.cli"])
def test_server_and_commands_start_with_the_extra_table_alone(module):
    """`make play` installs neither ``postgres`` nor ``watch``, and a server may be installed without ``lab``."""
    needed = declared(("table",))
    optional = {name for name, owners in imported().items() if owners and not owners & needed}
    assert {"prometheus_client", "structlog", "psycopg", "aiohttp", "numba"} <= optional
    blocked = sorted(optional - {"multidict"})  # Litestar depends on multidict
    code = f"import sys; sys.modules.update(dict.fromkeys({blocked})); import {module}"
    started = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert started.returncode == 0, started.stderr
