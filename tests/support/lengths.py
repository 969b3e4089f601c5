"""How long a test goes on: far enough in `make test` to notice what it guards, and at greater length on demand (`-m slow`)."""

from __future__ import annotations

from typing import Any

import pytest


def short_or_long(name: str, short: Any, long: Any) -> pytest.MarkDecorator:
    """A parameter with its usual value, and the one that it has at greater length."""
    return pytest.mark.parametrize(name, [short, pytest.param(long, marks=pytest.mark.slow)], ids=["", "at length"])
