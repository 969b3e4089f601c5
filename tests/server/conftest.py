"""A house for each test that asks for one."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from guests import House, hang_up

from diamonds import deals
from diamonds.server.work import thinking


class Dealer:
    """Secrets that follow from how many tables a test has made: its cards are the same each time, and no rare deal fails it by
    chance. ``DIAMONDS_DEALS=7 make test`` deals others."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """A test begins."""
        self._seeds = itertools.count(1000 * int(os.environ.get("DIAMONDS_DEALS", "0")))

    def new_secret(self) -> bytes:
        """See `deals.new_secret`."""
        return deals.seeded_secret(next(self._seeds))


DEALER = Dealer()


@pytest.fixture(scope="session", autouse=True)
def _cards_are_the_same_each_time() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deals, "new_secret", DEALER.new_secret)
        yield


def pytest_runtest_setup() -> None:
    DEALER.begin()  # for the tables that are made for several tests,


def pytest_runtest_call() -> None:
    DEALER.begin()  # and for a test's own, whether it was the first of them or not


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
