"""What all tests share: `make accept` renews goldens on purpose, and random tests say their seed."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

GOLDEN = Path(__file__).parent / "golden"

settings.register_profile("house", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("house")


# A suite that a shell starts in the background inherits that Control-C is ignored, and with it would every program that is
# tested: theirs is to be heard.
signal.signal(signal.SIGINT, signal.default_int_handler)

os.environ["LC_ALL"] = "C.UTF-8"  # whatever is spoken where the tests run, the program is to speak English


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="write what is seen now as the goldens to come")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, Any], None]:
    """Compare with a file in tests/golden; text as it is, anything else as JSON."""

    def compare(name: str, now: Any) -> None:
        path = GOLDEN / name
        text = now if isinstance(now, str) else json.dumps(now, indent=1, ensure_ascii=False) + "\n"
        if request.config.getoption("--accept"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        assert path.exists(), f"There is no golden {name} yet: run `make accept`, and read the diff."
        was = path.read_text(encoding="utf-8")
        if was != text:
            lines = zip(was.splitlines(), text.splitlines(), strict=False)
            k, (old, new) = next(((k, pair) for k, pair in enumerate(lines, 1) if pair[0] != pair[1]), (0, ("", "")))
            pytest.fail(
                f"{name} differs from line {k} on:\n  was {old[:300]}\n  now {new[:300]}\nIf that is right: make accept"
            )

    return compare


class Typist(io.StringIO):
    """Standard input that types lines, then stops."""

    def __init__(self, lines: Iterator[str]) -> None:
        super().__init__()
        self.lines = lines

    def readline(self, size: int | None = -1, /) -> str:
        return next(self.lines, "")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for saved games."""
    monkeypatch.setenv("DIAMONDS_HOME", str(tmp_path / "games"))
    return tmp_path / "games"


@pytest.fixture
def run(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Run a command with lines typed; its exit code, output and errors."""
    from diamonds import cli  # only where it is wanted: the rules are tested without Typer too

    monkeypatch.setattr("diamonds.words._own", "en")  # and what is spoken is forgotten after the test

    def command(*arguments: str, typed: str | Iterator[str] = "") -> tuple[int, str, str]:
        lines = iter(typed.splitlines(keepends=True)) if isinstance(typed, str) else typed
        monkeypatch.setattr(sys, "stdin", Typist(lines))
        code = cli.main(list(arguments))
        out, err = capsys.readouterr()
        return code, out, err

    return command
