"""Browser tests that time out run a second time, and the summary says so; failed assertions do not run again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.later

SAMPLE_TESTS = """
import subprocess
import pytest
from playwright.sync_api import TimeoutError as OfPlaywright
from tests.browser import conftest
from tests.browser.conftest import RERUN_TIMEOUTS, wait_for

pytest_plugins = ["tests.browser.conftest", "tests.support.rerun_report"]
pytestmark = RERUN_TIMEOUTS
TRIED = set()

def first(what):
    return what not in TRIED and not TRIED.add(what)

def never():
    if first("a wait"):
        wait_for(lambda: False, "It never came.", seconds=0)

@pytest.mark.parametrize("error", [OfPlaywright("of Playwright"), TimeoutError("of Python"), subprocess.TimeoutExpired("a program", 60)], ids=str)
def test_late(error):
    if first(error):
        raise error

def test_a_wait_that_is_over():
    never()

@pytest.fixture
def own_server():
    if first("own server"):
        raise TimeoutError("The server did not start.")

def test_a_server_that_starts_late(own_server):
    pass

class Server:
    def __init__(self, data_dir):
        self.names = []

    def stop(self):
        pass

conftest.BrowserTestServer = Server

def test_a_name_that_is_taken_only_once(server):
    server.names.append("Ann")
    if first("name"):
        raise TimeoutError("She did not come.")
    assert server.names == ["Ann"], "It is tried again where her name is taken."

def test_late_again_and_again():
    raise TimeoutError("It never comes.")

def test_wrong():
    assert not first("wrong"), "It is wrong the first time."
"""


def test_timed_out_test_is_rerun_once_and_failed_assertion_is_not(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(SAMPLE_TESTS, encoding="utf-8")
    project = Path(__file__).parents[1] / "pyproject.toml"
    options = ["-p", "pytest_rerunfailures", "-p", "no:cacheprovider", "-c", str(project), "-q", str(tmp_path)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options],
        capture_output=True,
        text=True,
        env={**environment, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )
    assert "2 failed, 6 passed, 7 rerun" in done.stdout, done.stdout
    for name in ("test_late_again_and_again", "test_wrong"):
        assert f"FAILED test_some.py::{name}" in done.stdout, done.stdout
    for name in ("test_late[of Playwright]", "test_a_wait_that_is_over", "test_a_server_that_starts_late"):
        assert f"RERUN test_some.py::{name}" in done.stdout, f"The summary lacks the rerun of {name}."
    assert "RERUN test_some.py::test_wrong" not in done.stdout, "A failed assertion ran again."
    for why in ("of Python", "It never came.", "The server did not start."):
        assert f"TimeoutError: {why}" in done.stdout, (
            f"The summary lacks the place where the first run timed out: {why}"
        )
