"""Test lengths: short in `make test`, but long enough to notice a fault; longer on demand (`-m slow`)."""

from __future__ import annotations

from typing import Any

import pytest


def short_or_long(name: str, short: Any, long: Any) -> pytest.MarkDecorator:
    """Return a parameter with a short value for every run and a long value marked `slow`."""
    return pytest.mark.parametrize(name, [short, pytest.param(long, marks=pytest.mark.slow)], ids=["", "at length"])
