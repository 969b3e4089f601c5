"""Fixtures and options for all tests: goldens, saved games, commands, and what `make quick` leaves out."""

from __future__ import annotations

import faulthandler
import gc
import io
import json
import os
import re
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import settings

GOLDEN = Path(__file__).parent / "golden"

pytest_plugins = ["tests.support.rerun_report"]

settings.register_profile("standard", deadline=None, derandomize=True, print_blob=True, max_examples=40)
settings.register_profile("quick", settings.get_profile("standard"), max_examples=25)
settings.register_profile("long", settings.get_profile("standard"), max_examples=500)
settings.load_profile("standard")


# A shell that starts the suite in the background makes it ignore Control-C, and every program under test would inherit
# that.
signal.signal(signal.SIGINT, signal.default_int_handler)

os.environ["LC_ALL"] = "C.UTF-8"  # messages are English wherever the tests run


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-goldens", action="store_true", help="write what is seen now as the goldens to come")
    parser.addoption("--quick", action="store_true", help="rules, views, records and server; importing Numba fails")
    parser.addoption("--rest", action="store_true", help="every test that --quick leaves out")


# `make quick` and its complement: each test runs in exactly one of `--quick` and `--rest`. A file marked as a whole
# with `pytestmark = pytest.mark.kernels` (or `later`) is not even imported by `--quick`. A stub replaces Numba and
# notes who imports it, in this process and in every process that it starts.

QUICK_MARKERS = "not slow and not browser and not kernels and not later"
REST_MARKERS = "not slow and (browser or kernels or later)"
SKIPPED_FILE = re.compile(r"^pytestmark = pytest\.mark\.(kernels|later)$", re.MULTILINE)
NO_NUMBA_DIR, BROWSER_TESTS_DIR = Path(__file__).parent / "support" / "no_numba", Path(__file__).parent / "browser"


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--rest"):
        config.option.markexpr = REST_MARKERS
    if not config.getoption("--quick"):
        return
    config.option.markexpr = QUICK_MARKERS
    settings.load_profile("quick")
    if not is_xdist_worker(config):  # workers inherit the path of the notes
        handle, os.environ["DIAMONDS_QUICK"] = tempfile.mkstemp(prefix="diamonds-quick-")
        os.close(handle)
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(NO_NUMBA_DIR), os.environ.get("PYTHONPATH")]))
    sys.path.insert(0, str(NO_NUMBA_DIR))


def is_xdist_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Freeze loaded modules after collection, so that the garbage collector skips them.

    It then rarely runs for a test's few objects.
    """
    gc.disable()
    yield
    gc.freeze()
    gc.set_threshold(20_000)
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    os.environ["DIAMONDS_COLLECTING"] = collector.nodeid
    try:
        return (yield)
    finally:
        del os.environ["DIAMONDS_COLLECTING"]


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("slow"):
        faulthandler.cancel_dump_traceback_later()  # slow tests may take longer than others


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    if not config.getoption("--quick"):
        return None
    if collection_path.is_dir():
        return collection_path in (NO_NUMBA_DIR, BROWSER_TESTS_DIR) or None
    if collection_path.suffix != ".py":
        return None
    return SKIPPED_FILE.search(collection_path.read_text(encoding="utf-8")) is not None or None


# The notes are read once, at the end, because a program started by one test may import Numba during the next.


def numba_imports(config: pytest.Config) -> list[str]:
    """Return the tests and modules that imported Numba although `--quick` runs them."""
    if not config.getoption("--quick") or is_xdist_worker(config):
        return []
    return sorted(set(Path(os.environ["DIAMONDS_QUICK"]).read_text(encoding="utf-8").splitlines()))


def pytest_sessionfinish(session: pytest.Session) -> None:
    if numba_imports(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if names := numba_imports(terminalreporter.config):
        terminalreporter.section("Numba in `make quick`", red=True)
        for name in names:
            terminalreporter.line(f"{name} imports Numba. Mark it `kernels`.", red=True)


def pytest_unconfigure(config: pytest.Config) -> None:
    if config.getoption("--quick") and not is_xdist_worker(config):
        Path(os.environ.pop("DIAMONDS_QUICK")).unlink()


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, Any], None]:
    """Return a function that compares text, or data as JSON, with a file in tests/golden."""

    def compare(name: str, value: Any) -> None:
        path = GOLDEN / name
        text = value if isinstance(value, str) else json.dumps(value, indent=1, ensure_ascii=False) + "\n"
        if request.config.getoption("--update-goldens"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        assert path.exists(), f"The golden {name} is missing. Run `make update-goldens` and read the diff."
        before = path.read_text(encoding="utf-8")
        if before != text:
            lines = zip(before.splitlines(), text.splitlines(), strict=False)
            k, (old, new) = next(((k, pair) for k, pair in enumerate(lines, 1) if pair[0] != pair[1]), (0, ("", "")))
            pytest.fail(
                f"{name} differs from line {k} on:\n  was {old[:300]}\n  now {new[:300]}\nIf the new output is right, run `make update-goldens`."
            )

    return compare


class Typist(io.StringIO):
    """A standard input that provides typed lines and then stops."""

    def __init__(self, lines: Iterator[str]) -> None:
        super().__init__()
        self.lines = lines

    def readline(self, size: int | None = -1, /) -> str:
        return next(self.lines, "")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Set an empty folder for saved games and return it."""
    monkeypatch.setenv("DIAMONDS_HOME", str(tmp_path / "games"))
    return tmp_path / "games"


@pytest.fixture(scope="session")
def engine() -> Path:
    """Return the folder with every game's Wasm modules, which the server serves."""
    from tests.support import artifacts

    return artifacts.built_modules()


@pytest.fixture
def pseudo_locale(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Put every message of every language in ⟦brackets⟧."""
    from diamonds import i18n
    from tests.support.pseudo_locale import pseudo_catalog

    marked = pseudo_catalog()
    i18n.format_cached.cache_clear()
    monkeypatch.setattr(i18n, "find_catalog", lambda language: marked)
    yield
    i18n.format_cached.cache_clear()


class CommandLine(NamedTuple):
    """Runs commands of `diamonds` with typed lines; returns exit code, output and errors."""

    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]

    def __call__(self, *arguments: str, typed: str | Iterator[str] = "") -> tuple[int, str, str]:
        from diamonds import cli  # imported late: the rules are tested without Typer too

        lines = iter(typed.splitlines(keepends=True)) if isinstance(typed, str) else typed
        self.monkeypatch.setattr(sys, "stdin", Typist(lines))
        code = cli.main(list(arguments))
        return code, *self.capsys.readouterr()

    def output(self, *arguments: str, typed: str | Iterator[str] = "") -> str:
        """Return the output of a command that must succeed without an error line."""
        code, out, err = self(*arguments, typed=typed)
        assert (code, err) == (0, ""), f"expected {arguments} to succeed"
        return out

    def error(self, *arguments: str, typed: str | Iterator[str] = "") -> str:
        """Return the error of a command that must be rejected."""
        code, _, err = self(*arguments, typed=typed)
        assert code == 2, f"expected {arguments} to be rejected"
        return err


@pytest.fixture
def run_cli(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[CommandLine]:
    from diamonds import i18n

    yield CommandLine(monkeypatch, capsys)
    i18n.set_language(i18n.DEFAULT_LANGUAGE)  # the language that the command chose ends with the test
