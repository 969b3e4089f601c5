"""The modules with which pages play by themselves: where they lie, and when they have to be made anew.

A wheel brings them along. In a tree of sources `make kernels` makes them, or the house, once everything is compiled that is wanted sooner.
"""

from __future__ import annotations

import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[2]
FOLDER = PACKAGE / "server" / "engine"
MANIFEST = "manifest.json"
SERVED_ONLY = ("server", "cli", "terminal")  # rooms that no module is made from


def outdated(folder: Path = FOLDER, package: Path = PACKAGE) -> bool:
    """Whether modules are missing, or older than the sources that lie here to be edited."""
    manifest = folder / MANIFEST
    if not manifest.is_file():
        return True
    if not (package.parents[1] / "pyproject.toml").is_file():
        return False
    made = manifest.stat().st_mtime
    sources = (path for path in package.rglob("*.py") if path.relative_to(package).parts[0] not in SERVED_ONLY)
    return any(path.stat().st_mtime > made for path in sources)


def builder(folder: Path = FOLDER) -> list[str]:
    """A command that makes them, and makes way to all else meanwhile."""
    code = f"from diamonds import machine; from diamonds.wasm import writing; machine.make_way(10); writing.write({str(folder)!r})"
    return [sys.executable, "-c", code]
