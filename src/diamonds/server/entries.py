"""What happens to a table's game, one entry after the other: as a number in memory, as words in the store.

| words in the store | what happened |
| --- | --- |
| ``play H7`` | the seat answered the open question |
| ``play H7 by simple`` | a bot of this level answered for whoever has the seat |
| ``undo 12``, ``undo 12 agreed`` | the game went back to what it was after 12 entries: at will, or with the others' consent |
| ``seat person``, ``seat open``, ``seat bot:5`` | the seat went to somebody, to nobody, to a bot of this level |

In memory an entry has 64 bits: its seat (8), the number of its question (8), and a value (48): of an answer its number, and
above that who gave it; of an undo the n it goes to, and above that whether it was agreed to; of a change of seats who has the
seat now. Who that is, is a place in a list that the table keeps: an entry has no room for a name.
"""

from __future__ import annotations

from typing import NamedTuple

UNDO = 255  # the question of an entry that is an undo
SEAT = 254  # and of one that says who has a seat now

_VALUE = (1 << 48) - 1
_ANSWER = 8  # bits of an answer's number; who gave it is above them
_AGREED = 1 << 47

# A row that was told and is none of the game's events begins with one of these.
TOLD_UNDO = -1  # then the seat, and the n gone back to
TOLD_SEAT = -2  # then the seat, who had it and who has it now


class Undo(NamedTuple):
    """Words that are an undo."""

    to: int
    agreed: bool


class NewSeat(NamedTuple):
    """Words that say who has a seat now: ``person``, ``open`` or ``bot:LEVEL``."""

    who: str


class Answer(NamedTuple):
    """Words that are an answer; ``by`` is the level of the bot that gave it for someone else, or ""."""

    question: str
    answer: str
    by: str


def read_words(words: str) -> Undo | NewSeat | Answer:
    """What stored words say; `ValueError` if they are none."""
    parts = words.split(" ")
    match parts:
        case ["undo", to] | ["undo", to, "agreed"] if to.isascii() and to.isdecimal():
            return Undo(int(to), len(parts) == 3)
        case ["seat", who] if who in ("person", "open") or who.startswith("bot:"):
            return NewSeat(who)
        case [question, answer] if question not in ("undo", "seat"):
            return Answer(question, answer, "")
        case [question, answer, "by", level] if question not in ("undo", "seat") and level:
            return Answer(question, answer, level)
    raise ValueError(f"{words[:40]!r} is no entry")


def answer_words(words: str, by: str) -> str:
    """An answer as it is stored, with who gave it."""
    return f"{words} by {by}" if by else words


def undo_words(to: int, agreed: bool) -> str:
    """An undo as it is stored."""
    return f"undo {to} agreed" if agreed else f"undo {to}"


def answer_entry(seat: int, question: int, number: int, by: int = 0) -> int:
    """The entry of an answer."""
    return seat << 56 | question << 48 | by << _ANSWER | number


def undo_entry(seat: int, to: int, agreed: bool) -> int:
    """The entry of an undo."""
    return seat << 56 | UNDO << 48 | (_AGREED if agreed else 0) | to


def seat_entry(seat: int, who: int) -> int:
    """The entry of a change of seats."""
    return seat << 56 | SEAT << 48 | who


def seat_of(entry: int) -> int:
    """Whose entry it is: who answered or stepped back, or the seat that changed."""
    return entry >> 56


def question_of(entry: int) -> int:
    """The number of the question answered, or `UNDO`, or `SEAT`."""
    return entry >> 48 & 255


def answer_of(entry: int) -> int:
    """The number of the answer."""
    return entry & (1 << _ANSWER) - 1


def by_of(entry: int) -> int:
    """Who gave the answer, as a place in the table's list; 0: whoever has the seat."""
    return (entry & _VALUE) >> _ANSWER


def undone_to(entry: int) -> int:
    """The n that an undo goes to."""
    return entry & _VALUE & ~_AGREED


def was_agreed(entry: int) -> bool:
    """Whether others agreed to an undo."""
    return bool(entry & _AGREED)


def who_of(entry: int) -> int:
    """Who has the seat now, as a place in the table's list."""
    return entry & _VALUE
