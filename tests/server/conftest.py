"""A house for each test that asks for one."""

from __future__ import annotations

import asyncio
import itertools
import os
import time as clock
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import kept
import pytest
import uvicorn.server
from cluster import Cluster
from guests import House, hang_up
from rooms import Room, two_rooms
from timepiece import Timepiece, standing
from witness import Zygote

from diamonds import cli, deals
from diamonds.server.meeting import challenges, missing, seeks
from diamonds.server.store import accounts


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


# Not of the session: tests of other rooms that come after these are about secrets as they are made.
@pytest.fixture(scope="module", autouse=True)
def _cards_are_the_same_each_time() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deals, "new_secret", DEALER.new_secret)
        yield


def pytest_runtest_setup() -> None:
    DEALER.begin()  # for the tables that are made for several tests,


def pytest_runtest_call() -> None:
    DEALER.begin()  # and for a test's own, whether it was the first of them or not


@pytest.fixture(scope="session", autouse=True)
def _houses_leave_to_the_next_what_takes_long_to_make() -> Iterator[None]:
    with kept.keeping():
        yield


@pytest.fixture(scope="session", autouse=True)
def _nobody_loses_their_place_because_the_machine_is_busy() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(missing, "COME", 600_000)
        patch.setattr(challenges, "STANDS", 3600.0)
        patch.setattr(seeks, "GRACE", 3600.0)
        patch.setattr(seeks, "MEET", 3600.0)
        yield


class Hurried:
    """`asyncio` to uvicorn, which sleeps a tenth of a second before it looks whether it is to stop, and another one before it does:
    in tests a twentieth of that, for hundreds of houses close."""

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    def sleep(self, seconds: float) -> Any:
        return asyncio.sleep(seconds / 20)


@pytest.fixture(scope="session", autouse=True)
def _houses_stop_as_soon_as_they_are_told() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(uvicorn.server, "asyncio", Hurried())
        yield


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


@pytest.fixture(scope="session")
def zygote() -> Iterator[Zygote]:
    """Starts servers that are processes of their own."""
    found = Zygote()
    yield found
    found.close()


@pytest.fixture
def time() -> Iterator[Timepiece]:
    """The clock by which houses go that are opened after it."""
    with standing() as timepiece:
        yield timepiece


@pytest.fixture
def one_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """For stores, midnight does not come between what a test does and what it then looks for."""
    now = clock.time()
    monkeypatch.setattr(accounts, "time", SimpleNamespace(time=lambda: now))


@pytest.fixture
def timed_house(time: Timepiece, open_house: Callable[..., House]) -> House:
    """A house that keeps nothing, where no time goes by until a test says so."""
    return open_house()


@pytest.fixture
def house(open_house: Callable[..., House]) -> House:
    """A house that keeps nothing."""
    return open_house()


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL server, whose one database a test begins by emptying."""
    found = Cluster()
    yield found
    found.close()


@pytest.fixture
def database(cluster: Cluster) -> str:
    """The address of an empty database."""
    return cluster.empty_database()


@pytest.fixture
def rooms(cluster: Cluster) -> Iterator[tuple[Room, Room]]:
    """Two processes that keep one house; the first is where people find each other."""
    with two_rooms(cluster.empty_database()) as found:
        yield found


@pytest.fixture
def run(capsys: Any) -> Callable[..., str]:
    """Run a command of ``diamonds house``; its lines, or its one sentence."""

    def run_it(*words: str | Path, expect: int = 0) -> str:
        code = cli.main(["house", *map(str, words)])
        out, err = capsys.readouterr()
        assert code == expect, f"{words} ended with {code}: {err}"
        assert len(err.splitlines()) == (expect == 2), err
        return err if expect == 2 else out

    return run_it
