"""Imports run downward only (law 8), and few files know the big libraries."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "diamonds"

# From the bottom up. A module may import from its own layer's room and from every layer below.
LAYERS = [
    ["cards", "deals", "entries", "fingerprint"],
    ["fields", "words"],
    ["events"],
    ["rules"],
    ["game"],
    ["views"],
    ["records"],
    ["asides"],
    ["jit"],
    ["bots"],
    ["lab", "envs", "server"],
    ["terminal"],
    ["cli", "__main__"],
]
HEIGHT = {room: height for height, rooms in enumerate(LAYERS) for room in rooms}
ONLY_IN = {
    "fluent": ["words"],
    "numba": ["jit", "bots", "lab"],
    "litestar": ["server"],
    "typer": ["cli"],
    "apsw": ["server"],
    "msgspec": ["server"],
}


def imports(path: Path) -> list[tuple[int, str]]:
    """Every module that a file imports, with the line."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(node.lineno, name.name) for name in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [(node.lineno, f"{node.module}.{name.name}") for name in node.names]
    return found


def test_imports_run_downward_only() -> None:
    wrong = []
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        if parts == ("__init__",):
            continue
        room = parts[0]
        assert room in HEIGHT, (
            f"{room} has no place in the order of layers yet: add it to LAYERS, and to docs/architecture.md"
        )
        for line, name in imports(path):
            if name.startswith("diamonds."):
                other = name.split(".")[1]
                if other in HEIGHT and other != room and HEIGHT[other] >= HEIGHT[room]:
                    wrong.append(f"{'/'.join(parts)}.py:{line} {room} must not import {other}")
    assert not wrong, "\n".join(wrong)


def test_a_library_stays_in_its_room() -> None:
    wrong = []
    for path in sorted(SOURCE.rglob("*.py")):
        room = path.relative_to(SOURCE).with_suffix("").parts[0]
        for line, name in imports(path):
            library = name.split(".")[0]
            if library in ONLY_IN and room not in ONLY_IN[library]:
                wrong.append(f"{path.name}:{line} {library} belongs in {' and '.join(ONLY_IN[library])}")
    assert not wrong, "\n".join(wrong)


def test_importing_diamonds_needs_numpy_alone() -> None:
    code = (
        "import sys\n"
        "import numpy\n"
        "before = set(sys.modules)\n"
        "import diamonds\n"
        "new = {m.split('.')[0] for m in set(sys.modules) - before}\n"
        "print(sorted(m for m in new - set(sys.stdlib_module_names) if not m.startswith('_')))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "['diamonds']"
