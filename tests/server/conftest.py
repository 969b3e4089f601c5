"""A house for each test that asks for one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from guests import House, hang_up


@pytest.fixture
def open_house() -> Iterator[Callable[..., House]]:
    """Opens houses, and closes them after the test."""
    opened: list[House] = []

    def open_one(folder: Path | None = None, **more: Any) -> House:
        opened.append(House(folder, **more))
        return opened[-1]

    yield open_one
    for house in opened:
        house.close()
    hang_up()


@pytest.fixture
def house(open_house: Callable[..., House]) -> House:
    """A house that keeps nothing."""
    return open_house()
