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

_LEVEL_PATTERN = re.compile(r"[a-z0-9_-]{1,12}", re.ASCII)
_COUNT_PATTERN = re.compile(r"0|[1-9][0-9]{0,9}", re.ASCII)


class UndoEntry(NamedTuple):
    """Words that are an undo."""

    target: int
    agreed: bool


class SeatChangeEntry(NamedTuple):
    """Words that say who has a seat now: ``person``, ``open`` or ``bot:LEVEL``."""

    holder: str


class TimeoutEntry(NamedTuple):
    """Words that say that somebody's time was up. The game stays as it is."""


class AnswerEntry(NamedTuple):
    """Words that are an answer; ``by`` is the level of the bot that gave it for someone else, or ""."""

    question: str
    answer: str
    substitute_level: str


def parse_entry(text: str) -> UndoEntry | SeatChangeEntry | TimeoutEntry | AnswerEntry:
    """What an entry says; `ValueError` if the words are none."""
    parts = text.split(" ")
    match parts:
        case ["undo", to] | ["undo", to, "agreed"] if _COUNT_PATTERN.fullmatch(to):
            return UndoEntry(int(to), len(parts) == 3)
        case ["seat", holder] if is_seat_holder(holder):
            return SeatChangeEntry(holder)
        case ["timeout"]:
            return TimeoutEntry()
        case [question, answer] if question not in ("undo", "seat"):
            return AnswerEntry(question, answer, "")
        case [question, answer, "by", level] if question not in ("undo", "seat") and _LEVEL_PATTERN.fullmatch(level):
            return AnswerEntry(question, answer, level)
    raise ValueError(f"{text[:40]!r} is no entry")


def is_seat_holder(holder: str) -> bool:
    """Whether this says who has a seat: ``person``, ``open`` or ``bot:LEVEL``."""
    kind, _, level = holder.partition(":")
    return holder in ("person", "open") or (kind == "bot" and _LEVEL_PATTERN.fullmatch(level) is not None)


def format_answer(text: str, substitute_level: str) -> str:
    """An answer as it is written, with who gave it."""
    return f"{text} by {substitute_level}" if substitute_level else text


def format_undo(target: int, agreed: bool) -> str:
    """An undo as it is written."""
    return f"undo {target} agreed" if agreed else f"undo {target}"
