"""`make quick` does without kernels, and says so where a test, or a program that a test starts, wants them all the same."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent

SOME = """
import subprocess, sys
import pytest

def test_here():
    try:
        import numba
    except ImportError:
        pass

def test_in_a_program_it_starts():
    subprocess.run([sys.executable, "-c", "import numba"], capture_output=True)

@pytest.mark.kernels
def test_marked():
    import numba

def test_without():
    pass
"""
ALL = "import numba\nimport pytest\n\npytestmark = pytest.mark.kernels\n"


def test_who_wants_kernels_without_the_mark_fails_by_name_even_if_it_gets_by_and_what_is_marked_is_left_out(
    tmp_path: Path,
) -> None:
    shutil.copy(TESTS / "conftest.py", tmp_path)
    shutil.copytree(TESTS / "quick", tmp_path / "quick")
    (tmp_path / "test_some.py").write_text(SOME, encoding="utf-8")
    (tmp_path / "test_all.py").write_text(ALL, encoding="utf-8")
    options = ["--quick", "-q", "-p", "no:cacheprovider", "-c", str(TESTS.parent / "pyproject.toml"), str(tmp_path)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options],
        capture_output=True,
        text=True,
        env={**environment, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )
    assert "3 passed, 1 deselected, 2 errors" in done.stdout, done.stdout
    for name in ("test_here", "test_in_a_program_it_starts"):
        assert f"Wants kernels, and is not marked `kernels`: test_some.py::{name}" in done.stdout, done.stdout
