"""Whose turn it is to be thought for: people take turns, however much each of them wants. Knows no processes and no clock.

What is more urgent goes first: a bot's answer where somebody plays, and hints; then reviews; then tables at which nobody
sits. Among what is equally urgent people take turns, and each one's wishes are served in the order in which they came.
"""

from __future__ import annotations

from collections import OrderedDict
from enum import IntEnum
from typing import Generic, TypeVar

from diamonds.server.api.refusals import TooMany

MOST = 8  # wishes of one person that may wait before hints are refused
Wish = TypeVar("Wish")


class Urgency(IntEnum):
    """How urgent a wish is; the lowest goes first."""

    PLAY = 0
    REVIEW = 1
    PASTIME = 2


class Turns(Generic[Wish]):
    """Wishes that wait, by urgency and by person. A person without wishes is not remembered."""

    def __init__(self) -> None:
        self._waiting: tuple[OrderedDict[str, OrderedDict[Wish, None]], ...] = tuple(OrderedDict() for _ in Urgency)

    def waiting(self) -> dict[str, int]:
        """How many people wait, by how urgent it is."""
        return {urgency.name.lower(): len(self._waiting[urgency]) for urgency in Urgency}

    def join(self, urgency: Urgency, person: str, wish: Wish, most: int | None = None) -> None:
        """Wait behind one's own wishes; `TooMany` if ``most`` of them wait already."""
        waiting = self._waiting[urgency]
        if most is not None and len(waiting.get(person, ())) >= most:
            raise TooMany("server-thinking-enough", 2)
        waiting.setdefault(person, OrderedDict())[wish] = None

    def leave(self, urgency: Urgency, person: str, wish: Wish) -> None:
        """Wait no longer, if one did."""
        waiting = self._waiting[urgency]
        own = waiting.get(person)
        if own is not None:
            own.pop(wish, None)
            if not own:
                del waiting[person]

    def next(self) -> Wish | None:
        """Who is next, and waits no longer; its person is now behind all others. ``None`` if nobody waits."""
        for waiting in self._waiting:
            if waiting:
                person, own = waiting.popitem(last=False)
                wish, _ = own.popitem(last=False)
                if own:
                    waiting[person] = own
                return wish
        return None
