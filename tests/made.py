"""What the tests make once and share: the modules with which pages play by themselves, and the package for others' pages."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from filelock import FileLock

from diamonds.server.work import modules

LOCK = FileLock(Path(tempfile.gettempdir()) / "diamonds-modules.lock")  # so that two processes do not compile the same


def engine() -> Path:
    """The folder with every game's modules, where a house serves them; made first if they are missing or old."""
    with LOCK:
        if modules.outdated():
            write(modules.FOLDER)
    return modules.FOLDER


def package(temporary: pytest.TempPathFactory) -> Path:
    """The folder in which `npm/build.py` has made and packed the package once for all processes of these tests; ``said`` is what it said."""
    engine()
    own = temporary.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "diamonds-package"
    with FileLock(folder.with_suffix(".lock")):
        if not (folder / "said").exists():
            command = [sys.executable, str(Path(__file__).parents[1] / "npm" / "build.py"), str(folder)]
            done = subprocess.run(command, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            (folder / "said").write_text(done.stdout, encoding="utf-8")
    return folder


def write(folder: Path, *chosen: str, source: Path | None = None) -> None:
    """Make modules: all, or those of some games, or of those games' kinds; of other sources, if they are given."""
    environment = {**os.environ, "PYTHONPATH": str(source or modules.PACKAGE.parent)}
    command = [sys.executable, "-m", "diamonds.wasm", str(folder), *chosen]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
