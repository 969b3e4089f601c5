"""`make quick` runs without Numba, names whoever imports it, and shares out all tests with its complement."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.later

TESTS = Path(__file__).parent

SAMPLE_TESTS = """
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
MARKED_FILE = "import numba\nimport pytest\n\npytestmark = pytest.mark.kernels\n"
UNMARKED_FILE = "try:\n    import numba\nexcept ImportError:\n    pass\n\ndef test_in_another_file():\n    pass\n"


def run_pytest(folder: Path, *options: str, xdist: bool) -> subprocess.CompletedProcess[str]:
    """Run the tests of a folder as `make` does."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    plugins = ["-p", "xdist", "-n", "2"] if xdist else []
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", str(TESTS.parent / "pyproject.toml"),
         *plugins, *options, str(folder)],
        capture_output=True, text=True, env={**environment, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder of tests, some of which import Numba."""
    shutil.copy(TESTS / "conftest.py", tmp_path)
    shutil.copytree(TESTS / "support" / "no_numba", tmp_path / "support" / "no_numba")
    (tmp_path / "test_some.py").write_text(SAMPLE_TESTS, encoding="utf-8")
    (tmp_path / "test_marked.py").write_text(MARKED_FILE, encoding="utf-8")
    (tmp_path / "test_unmarked.py").write_text(UNMARKED_FILE, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("xdist", [False, True], ids=["one process", "two processes"])
def test_quick_names_each_test_and_module_that_imports_numba_once(project: Path, xdist: bool) -> None:
    done = run_pytest(project, "--quick", xdist=xdist)
    assert done.returncode == 1, f"expected a failure\n{done.stdout}{done.stderr}"
    named = re.findall(r"^(\S+) imports Numba\. Mark it `kernels`\.$", done.stdout, re.M)
    assert named == [
        "test_some.py::test_here",
        "test_some.py::test_in_a_program_it_starts",
        "test_unmarked.py",
    ], done.stdout
    assert "4 passed" in done.stdout, f"expected no other test to be blamed\n{done.stdout}"


def test_quick_passes_when_no_test_imports_numba(project: Path) -> None:
    (project / "test_unmarked.py").unlink()
    done = run_pytest(project, "--quick", "-k", "without", xdist=True)
    assert (done.returncode, "1 passed" in done.stdout) == (0, True), done.stdout


def collected_ids(*options: str) -> set[str]:
    """Return the ids of the tests that these options run."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *options]
    done = subprocess.run(command, cwd=TESTS.parent, capture_output=True, text=True)
    assert done.returncode == 0, f"expected a collection without errors\n{done.stdout[-3000:]}"
    return {line for line in done.stdout.splitlines() if "::" in line}


def test_quick_and_rest_together_run_every_test_once() -> None:
    everything, quick, rest = collected_ids(), collected_ids("--quick"), collected_ids("--rest")
    assert not quick & rest, f"expected no test in both: {sorted(quick & rest)[:9]}"
    assert quick | rest == everything, f"expected every test in one of both: {sorted(everything - quick - rest)[:9]}"
