"""The snapshots of public names are the same on every machine, and their check names each change."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import public_surface

pytestmark = pytest.mark.later

ROOT = Path(__file__).parents[1]


def run_check(tmp_path: Path) -> subprocess.CompletedProcess[str]:
    """Run the public-surface check, which `make lint` runs, with an unusual terminal, language, home and settings."""
    unusual = {
        "COLUMNS": "40",
        "FORCE_COLOR": "1",
        "TERM": "xterm-256color",
        "LC_ALL": "de_DE.UTF-8",
        "LANG": "de_DE.UTF-8",
        "HOME": str(tmp_path),
        "DIAMONDS_HOME": str(tmp_path / "games"),
        "DIAMONDS_DATA_DIR": str(tmp_path / "data"),
        "DIAMONDS_PORT": "9999",
        "PYTHONHASHSEED": "7",
    }
    command = [sys.executable, "-m", "tests.support.public_surface"]
    return subprocess.run(command, cwd=ROOT, env=os.environ | unusual, capture_output=True, text=True, encoding="utf-8")


def test_public_surface_is_the_same_in_any_environment(tmp_path):
    done = run_check(tmp_path)
    assert (done.returncode, done.stdout) == (0, ""), f"expected the snapshots\n{done.stdout}{done.stderr}"


def test_differences_name_a_changed_a_new_and_a_missing_snapshot(tmp_path, monkeypatch):
    now = {"kept.txt": "name\n", "changed.txt": "new\n", "added.txt": "more\n"}
    monkeypatch.setattr(public_surface, "SNAPSHOTS", {name: lambda text=text: text for name, text in now.items()})
    for name, text in {"kept.txt": "name\n", "changed.txt": "old\n", "gone.txt": "less\n"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    changed = [
        line for line in public_surface.differences(tmp_path) if line[0] in "+-" and line[:3] not in ("+++", "---")
    ]
    assert changed == ["-old", "+new", "+more", "-less"]
    public_surface.update(tmp_path)
    assert public_surface.differences(tmp_path) == []
    assert not (tmp_path / "gone.txt").exists()
