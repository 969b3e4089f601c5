"""Messages about games over days: where it is your turn, and how you are reminded of it."""

from __future__ import annotations

from msgspec import Struct


class Turn(Struct):
    """A table with clocks at which it is your turn; ``until`` is when your time is up, by the house's clock (milliseconds since 1970)."""

    table: str
    game: str
    others: list[str]
    until: int


class Turns(Struct):
    """Where it is your turn, those tables first at which you have least time left; ``now`` is the house's time."""

    now: int
    turns: list[Turn]
