"""How much one address and one person may ask for: token buckets in bounded memory."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import NamedTuple

from diamonds.game import Refused


class TooMany(Refused):
    """Enough for now (429); ``wait`` is the number of seconds until the next one."""

    def __init__(self, sentence: str, wait: float) -> None:
        super().__init__(sentence)
        self.wait = max(1, int(wait + 0.999))


class Rate(NamedTuple):
    """So many at once, and so many a second from then on."""

    burst: float
    second: float


class Limits(NamedTuple):
    """The house's limits. An address may hold several people (a school, a household), so it gets more than a person."""

    requests: Rate = Rate(600, 60)  # of any kind, by address
    answers: Rate = Rate(120, 20)  # by person
    tables: Rate = Rate(30, 0.2)  # by person
    tables_of_address: Rate = Rate(90, 0.5)
    guests: Rate = Rate(120, 1)  # new identities by address
    chat: Rate = Rate(10, 0.5)  # by person
    advice: Rate = Rate(60, 4)  # by person; asking whether a review is ready counts too
    streams: int = 24  # at once, by person
    streams_of_address: int = 240


_FREE = Rate(1e12, 1e12)
OFF = Limits(_FREE, _FREE, _FREE, _FREE, _FREE, _FREE, _FREE, streams=10**9, streams_of_address=10**9)

REMEMBERED = 20_000  # buckets; the least recently used are forgotten


class Buckets:
    """Token buckets, by kind and by whom."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def take(self, kind: str, whom: str, rate: Rate, what: str) -> None:
        """Take one, or refuse with how long to wait."""
        now = time.monotonic()
        key = (kind, whom)
        left, then = self._kept.pop(key, (rate.burst, now))
        left = min(rate.burst, left + (now - then) * rate.second)
        if left < 1:
            self._kept[key] = (left, now)
            raise TooMany(f"Too many {what} at once: wait a moment.", (1 - left) / rate.second)
        self._kept[key] = (left - 1, now)
        if len(self._kept) > REMEMBERED:
            self._kept.popitem(last=False)


class Counters:
    """How many of something each person and address has open."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], int] = {}

    def enter(self, kind: str, whom: str, most: int, what: str) -> None:
        """One more, or refuse."""
        count = self._open.get((kind, whom), 0)
        if count >= most:
            raise TooMany(f"Too many {what} are open: close some first.", 5)
        self._open[kind, whom] = count + 1

    def leave(self, kind: str, whom: str) -> None:
        """One fewer."""
        count = self._open[kind, whom] - 1
        if count:
            self._open[kind, whom] = count
        else:
            del self._open[kind, whom]
