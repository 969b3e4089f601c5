"""A house for each test that asks for one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from guests import House, hang_up

from diamonds.server.work import thinking


class Kept(ProcessPoolExecutor):
    """Processes that think for one house after the other: to start them is more work than most tests give them."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """A house closes; the next one will want them."""

    def end(self) -> None:
        """The last house has closed."""
        super().shutdown(cancel_futures=True)


@pytest.fixture(scope="session", autouse=True)
def _processes_are_kept() -> Iterator[None]:
    kept: list[Kept] = []

    def start(*given: Any, **named: Any) -> Kept:
        if not kept or kept[-1]._broken:  # type: ignore[attr-defined]
            kept.append(Kept(*given, **named))
        return kept[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(thinking, "ProcessPoolExecutor", start)
        yield
    for processes in kept:
        processes.end()


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
