"""What happens to a table's game, one entry after the other, as numbers in memory; in words it is stored (`diamonds.entries`).

In memory an entry has 64 bits: its seat (8), the number of its question (8), and a value (48): of an answer its number, and
above that who gave it; of an undo the n it goes to, and above that whether it was agreed to; of a change of seats who has the
seat now. Who that is, is a place in a list that the table keeps: an entry has no room for a name.
"""

from __future__ import annotations

UNDO = 255  # the question of an entry that is an undo
SEAT = 254  # of one that says who has a seat now
TIMEOUT = 253  # and of one that says that somebody's time was up
STILL = (SEAT, TIMEOUT)  # those that leave the state as it is

_VALUE = (1 << 48) - 1
_ANSWER = 8  # bits of an answer's number; who gave it is above them
_AGREED = 1 << 47

# A row that was told and is none of the game's events begins with one of these.
TOLD_UNDO = -1  # then the seat, and the n gone back to
TOLD_SEAT = -2  # then the seat, who had it and who has it now
TOLD_TIMEOUT = -3  # then the seat


def answer_entry(seat: int, question: int, number: int, by: int = 0) -> int:
    """The entry of an answer."""
    return seat << 56 | question << 48 | by << _ANSWER | number


def undo_entry(seat: int, to: int, agreed: bool) -> int:
    """The entry of an undo."""
    return seat << 56 | UNDO << 48 | (_AGREED if agreed else 0) | to


def seat_entry(seat: int, who: int) -> int:
    """The entry of a change of seats."""
    return seat << 56 | SEAT << 48 | who


def timeout_entry(seat: int) -> int:
    """The entry of a time-out."""
    return seat << 56 | TIMEOUT << 48


def seat_of(entry: int) -> int:
    """Whose entry it is: who answered or stepped back, or the seat that changed."""
    return entry >> 56


def question_of(entry: int) -> int:
    """The number of the question answered, or `UNDO`, `SEAT`, `TIMEOUT`."""
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
