"""A clock for houses of the tests: it stands still until it is set, and no test waits for time to go by."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from guests import House, until

from diamonds.server.house import flags, hours

BEGINNING = 1_700_000_000_000


class Timepiece:
    """The machine's clock, as houses see it; in milliseconds."""

    def __init__(self) -> None:
        self.wall = BEGINNING
        self.steady = 5_000

    def pass_by(self, milliseconds: int, house: House | None = None) -> None:
        """So much time goes by; a house that is open looks which flags have fallen, and is done with that."""
        self.wall += milliseconds
        self.steady += milliseconds
        if house is not None:
            look(house)


def look(house: House) -> None:
    """Let fall what is due, and wait until it has."""
    clocks = house.app.tables.clocks

    def done() -> bool:
        first = clocks.flags._first()
        return not clocks._tasks and (first is None or first[0] > clocks.now())

    house.call(clocks.flags.look)
    until(lambda: house.call(done), "the flags do not fall")


@contextmanager
def standing() -> Iterator[Timepiece]:
    """Houses that are opened here go by this clock."""
    timepiece = Timepiece()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hours, "wall", lambda: timepiece.wall)
        patch.setattr(hours, "steady", lambda: timepiece.steady)
        patch.setattr(flags, "PATIENCE", 1e6)
        yield timepiece


def clocks_at(guest: Any, table: str) -> Any:
    """What somebody is told of the clocks."""
    return guest.look(table)["clocks"]
