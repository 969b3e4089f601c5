"""A line of the chat, as it is kept."""

from __future__ import annotations

from typing import NamedTuple


class Line(NamedTuple):
    """Something said at a table: a sentence, or one of the ready phrases by its id; ``aside`` is what spectators say among themselves.

    ``name`` is what the speaker was called there, ``at`` the time in seconds since 1970. ``person`` is not told to anyone; of
    the oldest lines it is not known.
    """

    name: str
    text: str
    at: float
    person: str = ""
    phrase: bool = False
    aside: bool = False


def line_of(name: str, text: str, at: float, person: str, phrase: int, aside: int) -> Line:
    """A line from its row."""
    return Line(name, text, at, person, bool(phrase), bool(aside))
