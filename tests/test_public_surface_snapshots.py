"""The snapshots of public names are the same on every machine."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.later

ROOT = Path(__file__).parents[1]


def test_public_surface_is_the_same_in_any_environment(tmp_path):
    """Run the check of `make lint` with an unusual terminal, language, home and settings."""
    terminal = {"COLUMNS": "40", "FORCE_COLOR": "1", "TERM": "xterm-256color"}
    home = {"HOME": str(tmp_path), "DIAMONDS_HOME": str(tmp_path / "games")}
    settings = {"DIAMONDS_DATA_DIR": str(tmp_path / "data"), "DIAMONDS_PORT": "9999", "PYTHONHASHSEED": "7"}
    unusual = terminal | {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"} | home | settings
    command = [sys.executable, "-m", "tests.support.public_surface"]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | unusual, capture_output=True, text=True, encoding="utf-8")
    assert (done.returncode, done.stdout) == (0, ""), f"expected the snapshots\n{done.stdout}{done.stderr}"
