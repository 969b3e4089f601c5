"""What is good for one use and a short time: challenges that browsers are sent, and links to sign in by.

It is of this process alone: after a restart one asks anew. There is never more of it than a bound; who asks too much is
forgotten first that asked first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from diamonds.game import Refused

What = TypeVar("What")


class Once(Generic[What]):
    """Things that are kept for ``seconds``, at most ``most`` of them, and at most ``each`` of one owner, until they are taken."""

    def __init__(self, seconds: float, most: int, each: int) -> None:
        self.seconds, self.most, self.each = seconds, most, each
        self.clock: Callable[[], float] = time.monotonic
        self._kept: dict[Hashable, tuple[float, str, What]] = {}  # in the order in which they end
        self._owned: dict[str, list[Hashable]] = {}
        self._lent: dict[Hashable, str] = {}  # what is used just now, and whose it is

    def __len__(self) -> int:
        return len(self._kept)

    def put(self, key: Hashable, owner: str, what: What) -> None:
        """Keep something; what had the same key before is gone."""
        self._drop(key)
        now = self.clock()
        while self._kept and (len(self._kept) >= self.most or next(iter(self._kept.values()))[0] <= now):
            self._drop(next(iter(self._kept)))
        while len(self._owned.get(owner, ())) >= self.each:
            self._drop(self._owned[owner][0])
        self._kept[key] = (now + self.seconds, owner, what)
        self._owned.setdefault(owner, []).append(key)

    def look(self, key: Hashable) -> What | None:
        """What is kept under a key, if its time is not over."""
        kept = self._kept.get(key)
        return kept[2] if kept and kept[0] > self.clock() else None

    def take(self, key: Hashable) -> What | None:
        """The same, and from now on nobody has it."""
        found = self.look(key)
        self._drop(key)
        return found

    @contextmanager
    def used(self, key: Hashable) -> Iterator[What | None]:
        """Take it for as long as something is done with it; if that is refused, it is there again until its time is over."""
        kept = self._kept.get(key)
        found = self.take(key)
        if kept and found is not None:
            self._lent[key] = kept[1]
        try:
            yield found
        except Refused:
            if kept and key in self._lent:
                self._kept[key] = kept
                self._owned.setdefault(kept[1], []).append(key)
            raise
        finally:
            self._lent.pop(key, None)

    def forget(self, owner: str) -> None:
        """Nothing of an owner is kept any more."""
        for key in [*self._owned.get(owner, ())]:
            self._drop(key)
        self._lent = {key: whose for key, whose in self._lent.items() if whose != owner}

    def _drop(self, key: Hashable) -> None:
        kept = self._kept.pop(key, None)
        if kept:
            mine = self._owned[kept[1]]
            mine.remove(key)
            if not mine:
                del self._owned[kept[1]]
