"""Entries: everything that happens in a game, one line of text each, at a table, in storage and in records.

| entry | meaning |
| --- | --- |
| ``play H7`` | the seat answered the open question |
| ``play H7 by simple`` | a bot of this level answered for the player of this seat |
| ``undo 12``, ``undo 12 agreed`` | the game went back to its state after 12 entries: at will, or with the others'
consent |
| ``seat person``, ``seat open``, ``seat bot:5`` | a person took the seat, it became free, or a bot of this level took
it |
| ``timeout`` | the seat's time was up; the next entries show who answered for it, or who took it over |
"""

from __future__ import annotations

import re
from typing import NamedTuple

TIMEOUT = "timeout"

_LEVEL_PATTERN = re.compile(r"[a-z0-9_-]{1,12}", re.ASCII)
_COUNT_PATTERN = re.compile(r"0|[1-9][0-9]{0,9}", re.ASCII)


class UndoEntry(NamedTuple):
    """An undo."""

    target: int
    agreed: bool


class SeatChangeEntry(NamedTuple):
    """A change of a seat's holder: ``person``, ``open`` or ``bot:LEVEL``."""

    holder: str


class TimeoutEntry(NamedTuple):
    """The end of a seat's time. It does not change the game."""


class AnswerEntry(NamedTuple):
    """An answer. ``substitute_level`` is the level of the bot that gave it for a person, or ""."""

    question: str
    answer: str
    substitute_level: str


def parse_entry(text: str) -> UndoEntry | SeatChangeEntry | TimeoutEntry | AnswerEntry:
    """Parse the text of an entry, or raise `ValueError`."""
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
    """Return whether a text names the holder of a seat: ``person``, ``open`` or ``bot:LEVEL``."""
    kind, _, level = holder.partition(":")
    return holder in ("person", "open") or (kind == "bot" and _LEVEL_PATTERN.fullmatch(level) is not None)


def format_answer(text: str, substitute_level: str) -> str:
    """Return the text of an answer, with the level of the bot that gave it for a person."""
    return f"{text} by {substitute_level}" if substitute_level else text


def format_undo(target: int, agreed: bool) -> str:
    """Return the text of an undo."""
    return f"undo {target} agreed" if agreed else f"undo {target}"
