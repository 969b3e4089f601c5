"""What all tests share: `make accept` renews goldens on purpose, and random tests say their seed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

GOLDEN = Path(__file__).parent / "golden"

settings.register_profile("house", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("house")


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
