"""What happens in a game, one entry after the other, in words: at a table, in its store, and in records.

| words | what happened |
| --- | --- |
| ``play H7`` | the seat answered the open question |
| ``play H7 by simple`` | a bot of this level answered for whoever has the seat |
| ``undo 12``, ``undo 12 agreed`` | the game went back to what it was after 12 entries: at will, or with the others' consent |
| ``seat person``, ``seat open``, ``seat bot:5`` | the seat went to somebody, to nobody, to a bot of this level |
| ``timeout`` | the seat's time was up: what follows says who answered for it, or who has it now |
"""

from __future__ import annotations

import re
from typing import NamedTuple

TIMEOUT = "timeout"

_LEVEL = re.compile(r"[a-z0-9_-]{1,12}", re.ASCII)
_COUNT = re.compile(r"0|[1-9][0-9]{0,9}", re.ASCII)


class Undo(NamedTuple):
    """Words that are an undo."""

    to: int
    agreed: bool


class NewSeat(NamedTuple):
    """Words that say who has a seat now: ``person``, ``open`` or ``bot:LEVEL``."""

    who: str


class TimeOut(NamedTuple):
    """Words that say that somebody's time was up. The game stays as it is."""


class Answer(NamedTuple):
    """Words that are an answer; ``by`` is the level of the bot that gave it for someone else, or ""."""

    question: str
    answer: str
    by: str


def read_words(words: str) -> Undo | NewSeat | TimeOut | Answer:
    """What an entry says; `ValueError` if the words are none."""
    parts = words.split(" ")
    match parts:
        case ["undo", to] | ["undo", to, "agreed"] if _COUNT.fullmatch(to):
            return Undo(int(to), len(parts) == 3)
        case ["seat", who] if is_who(who):
            return NewSeat(who)
        case ["timeout"]:
            return TimeOut()
        case [question, answer] if question not in ("undo", "seat"):
            return Answer(question, answer, "")
        case [question, answer, "by", level] if question not in ("undo", "seat") and _LEVEL.fullmatch(level):
            return Answer(question, answer, level)
    raise ValueError(f"{words[:40]!r} is no entry")


def is_who(who: str) -> bool:
    """Whether this says who has a seat: ``person``, ``open`` or ``bot:LEVEL``."""
    kind, _, level = who.partition(":")
    return who in ("person", "open") or (kind == "bot" and _LEVEL.fullmatch(level) is not None)


def answer_words(words: str, by: str) -> str:
    """An answer as it is written, with who gave it."""
    return f"{words} by {by}" if by else words


def undo_words(to: int, agreed: bool) -> str:
    """An undo as it is written."""
    return f"undo {to} agreed" if agreed else f"undo {to}"
