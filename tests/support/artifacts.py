"""Build outputs that the tests create once and share: Wasm modules for browsers and the npm package."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from filelock import FileLock

from diamonds.server.jobs import worker_pool

# The lock keeps two processes from compiling the same module.
BUILD_LOCK = FileLock(Path(tempfile.gettempdir()) / "diamonds-modules.lock")


def built_modules() -> Path:
    """Return the folder from which a server serves all games' Wasm modules; build them if missing or outdated."""
    with BUILD_LOCK:
        if worker_pool.wasm_is_outdated():
            build_modules(worker_pool.FOLDER)
    return worker_pool.FOLDER


def built_package(temporary: pytest.TempPathFactory) -> Path:
    """Return the folder of the package, built once for all test processes; the file ``said`` has the output."""
    built_modules()
    own_dir = temporary.getbasetemp()
    folder = (own_dir.parent if "PYTEST_XDIST_WORKER" in os.environ else own_dir) / "diamonds-package"
    with FileLock(folder.with_suffix(".lock")):
        if not (folder / "said").exists():
            command = [sys.executable, str(Path(__file__).parents[2] / "npm" / "build.py"), str(folder)]
            result = subprocess.run(command, capture_output=True, text=True)
            assert result.returncode == 0, result.stderr
            (folder / "said").write_text(result.stdout, encoding="utf-8")
    return folder


def build_modules(folder: Path, *names: str, source: Path | None = None) -> None:
    """Build modules: all of them, those of some games or of some kinds, or of other sources."""
    environment = {**os.environ, "PYTHONPATH": str(source or worker_pool.PACKAGE.parent)}
    command = [sys.executable, "-m", "diamonds.wasm", str(folder), *names]
    result = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert result.returncode == 0, result.stdout + result.stderr
