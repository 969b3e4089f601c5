"""How a game declares its state: one line a field, with who may see it beside it.

A state is one flat row: a NumPy structured scalar in which every field is an ``int64`` or an array of them. (Small
integers wrap differently interpreted and compiled; ``int64`` does not.) A view is a row of the same shape in which
whatever the viewer may not see reads −1. `views.py` derives it from the declarations below and from nothing else.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

MAX_SEATS = 6  # the most seats of any game: every array over seats has this length, whatever the table's size

# What a field's numbers mean, and so how they are written for people and for JSON. −1 always reads as "none".
NUMBER = "number"
FLAG = "flag"
SEAT = "seat"
SUIT = "suit"
SUITS = "suits"  # bits
CARD = "card"
CARDS = "cards"  # bits
TRICK = "trick"  # cards in the order they were played, −1 where none is yet
PILE_OWNERS = (
    "owners"  # an array over seats, each seat's places as bits; reads as a list: for each place, the seat that has it
)

# Who may see a field. An OWNER or TEAM field is an array over seats: each seat sees its own entry, or its team's.
PUBLIC = "public"
OWNER = "owner"
TEAM = "team"
NOBODY = "nobody"
PLAYERS = "players"  # every seat, and no spectator


class Field(NamedTuple):
    """One line of a state.

    ``once`` names a flag field: while that flag is set, the field is open to everyone. ``remembered`` marks what the
    table does not show although all that ever happened to it was public, so that a player with a perfect memory knows
    it: bots are given it, browsers are not (C4, C14). ``per_team`` marks an array over seats in which a team's entry
    is its lowest seat's. ``places`` is how many places an OWNERS field shares out. ``derived`` marks what follows from other
    fields and is kept for speed alone: nobody is told it.
    """

    name: str
    kind: str
    visibility: str
    description: str
    shape: tuple[int, ...] = ()
    revealed_by: str = ""
    perfect_recall: bool = False
    per_team: bool = False
    pile_count: int = 0
    is_derived: bool = False


# Every game's row begins with these, so that whoever drives a game needs to know nothing else about it.
COMMON_FIELDS = (
    Field("seats", NUMBER, PUBLIC, "how many play"),
    Field(
        "to_act", NUMBER, PUBLIC, "the seats that owe an answer, as bits; 0 when cards are wanted or the game is over"
    ),
    Field("question", NUMBER, PUBLIC, "which question they owe it to: its place in the game's list of questions"),
    Field("deals", NUMBER, PUBLIC, "deals so far"),
    Field("over", FLAG, PUBLIC, "whether the game has ended"),
)


def seat_to_left(seat, k, seats):  # type: ignore[no-untyped-def]
    """The seat ``k`` places to the left (0 ≤ k ≤ seats): clockwise, seat 0 after the last. Cheaper than a remainder."""
    seat += k
    return seat - seats if seat >= seats else seat


def state_dtype(fields: tuple[Field, ...]) -> np.dtype[np.void]:
    """The row's dtype: the declared fields in order, each ``int64``."""
    return np.dtype([(f.name, np.int64, f.shape) for f in fields])


def new_state(dtype: np.dtype[np.void]) -> np.void:
    """A row of zeros."""
    return np.zeros(1, dtype)[0]  # type: ignore[no-any-return]


def copy_state(state: np.void) -> np.void:
    """An independent copy. (`copy` of a row of an array would share its memory.)"""
    return np.frombuffer(bytearray(state.tobytes()), state.dtype)[0]  # type: ignore[no-any-return]


class Question(NamedTuple):
    """Something a game asks a seat. ``answers[k]`` is the name of answer *k*: a number, or a word.

    A *silent* answer deals, shows, opens and ends nothing, wherever the hidden cards lie, and the same seat is asked
    ``then`` next. Only a silent answer may be followed by another in one request; where in doubt, an answer is not silent.
    """

    name: str
    answers: tuple[int | str, ...]
    silent: tuple[int | str, ...] = ()
    follow_up: str = ""

    @property
    def is_sequential(self) -> bool:
        """Whether a set is named, one of it after the other."""
        return self.follow_up == self.name


class Option(NamedTuple):
    """A choice made with the table, as data: forms and help are written from it.

    ``values[0]`` is what the option is wherever it does not apply: at seat counts outside ``seats``. ``needs`` names
    another option and the value without which this one stays at its default. ``default_from`` lets another option's
    value choose the default, or the number of ``"seats"``.
    """

    name: str
    values: tuple[bool | int | str, ...] | range
    default: bool | int | str
    rule: str
    seats: tuple[int, ...] = ()
    needs: tuple[str, bool | str] | None = None
    default_from: tuple[str, dict[str | int, int]] | None = None
