"""The program runs on macOS and Windows, where parts of Linux are missing or stricter."""

import ast
import json
import os
import resource
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

import diamonds
from diamonds import operating_system
from diamonds.terminal import save_file

pytestmark = pytest.mark.later

SOURCE = Path(diamonds.__file__).parent
UNIX_MODULES = ("fcntl", "grp", "posix", "pty", "pwd", "resource", "termios", "tty")
# Starts the server with Unix modules hidden from Python.
WITHOUT_UNIX_PROGRAM = f"""
import importlib.abc, os, sys

class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name in {UNIX_MODULES}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

for name in set({UNIX_MODULES}) - {{"posix"}}:  # which Python itself has begun with
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Missing())
for name in ("nice", "sched_getaffinity", "process_cpu_count"):
    if hasattr(os, name):
        delattr(os, name)
"""


def test_unix_modules_are_imported_in_one_file():
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if any(name in text for name in UNIX_MODULES) else ():
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            found += [f"{path.relative_to(SOURCE)}: {name}" for name in names if name in UNIX_MODULES]
    assert found == ["operating_system.py: resource"]


def serve_command(folder: Path) -> list[str]:
    """Return the command that serves from a folder without Unix modules."""
    code = f"{WITHOUT_UNIX_PROGRAM}\nfrom diamonds.server.main import main\nmain(sys.argv[1:])"
    return [sys.executable, "-c", code, "--no-warm-up", "--port", "0", "--data-dir", str(folder)]


def test_server_opens_without_unix_modules_and_keeps_its_data_dir_private(tmp_path):
    with subprocess.Popen(serve_command(tmp_path / "data"), stdout=subprocess.PIPE, text=True) as server:
        line = server.stdout.readline()
        try:
            address = line[line.index("http://") :].split(" ")[0]
            with urllib.request.urlopen(f"{address}api/server") as reply:
                assert len(json.load(reply)["games"]) == 3
            second = subprocess.run(serve_command(tmp_path / "data"), capture_output=True, text=True)
            assert second.returncode == 2
            assert (
                second.stderr.strip().splitlines()[-1]
                == f"Another Diamonds is already serving from {tmp_path / 'data'}."
            )
        finally:
            server.terminate()


def test_processor_count_falls_back_to_the_systems_answer(monkeypatch):
    here = operating_system.cpu_count()
    assert here >= 1
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.delattr(os, "process_cpu_count", raising=False)
    monkeypatch.setattr(operating_system.sys, "version_info", (3, 11))
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert operating_system.cpu_count() == 1
    monkeypatch.setattr(os, "cpu_count", lambda: 12)
    assert operating_system.cpu_count() == 12
    monkeypatch.delattr(os, "nice")
    operating_system.lower_priority(5)


class FileLimits:
    """A fake of `resource` that rejects limits of open files above ``ever``, even below the hard limit."""

    RLIMIT_NOFILE, RLIM_INFINITY = resource.RLIMIT_NOFILE, resource.RLIM_INFINITY

    def __init__(self, soft: int, hard: int, ever: int) -> None:
        self.soft, self.hard, self.hard_max = soft, hard, ever

    def getrlimit(self, _: int) -> tuple[int, int]:
        return self.soft, self.hard

    def setrlimit(self, _: int, limits: tuple[int, int]) -> None:
        soft, hard = limits
        assert hard == self.hard, "a lowered hard limit cannot be raised again"
        if not 0 <= soft <= self.hard_max:
            raise ValueError("current limit exceeds maximum limit")
        self.soft = soft


UNLIMITED = resource.RLIM_INFINITY


@pytest.mark.parametrize(("soft", "hard", "ever", "after"), [
    (1_024, 4_096, 4_096, 4_096),  # Linux
    (1_024, UNLIMITED, 1 << 30, 1 << 20),  # no hard limit, so request no more than needed
    (256, UNLIMITED, 10_240, 10_240),  # macOS
    (20_000, UNLIMITED, 10_240, 20_000),  # the soft limit is already above what can be requested
    (2_048, 2_048, 2_048, 2_048),
    (UNLIMITED, UNLIMITED, 10, None),
    (256, UNLIMITED, 300, 256),  # at the hard limit
])  # fmt: skip
def test_as_many_files_may_be_open_as_the_system_gives(soft, hard, ever, after, monkeypatch):
    monkeypatch.setattr(operating_system, "resource", FileLimits(soft, hard, ever))
    operating_system.raise_open_file_limit()
    assert operating_system.open_file_limit() == after


def test_open_file_limit_is_left_alone_where_unsupported(monkeypatch):
    monkeypatch.setattr(operating_system, "resource", None)
    operating_system.raise_open_file_limit()
    assert operating_system.open_file_limit() is None


def test_saved_games_use_the_systems_user_data_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("DIAMONDS_HOME", raising=False)
    monkeypatch.setattr(save_file, "user_data_path", lambda name, appauthor: tmp_path / "Library" / name)
    assert save_file.data_dir() == tmp_path / "Library" / "diamonds"
