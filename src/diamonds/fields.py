"""The declaration of a game's state: one line per field, with its visibility.

A state is one flat row: a NumPy structured scalar in which every field is an ``int64`` or an array of them. (Smaller
integers wrap differently when compiled.) A view is a row of the same shape in which everything hidden from the viewer
is −1. `views.py` derives it from these declarations alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

MAX_SEATS = 6  # length of every array over seats, whatever the table's size

# The meaning of a field's numbers, which decides their form in text and JSON. −1 always means "none".
NUMBER = "number"
FLAG = "flag"
SEAT = "seat"
SUIT = "suit"
SUITS = "suits"  # bits
CARD = "card"
CARDS = "cards"  # bits
TRICK = "trick"  # cards in the order they were played, then −1
PILE_OWNERS = "owners"  # an array over seats of each seat's piles as bits; in JSON, a list with the owner of each pile

# Visibility of a field. An OWNER or TEAM field is an array over seats: each seat sees its own entry, or its team's.
PUBLIC = "public"
OWNER = "owner"
TEAM = "team"
NOBODY = "nobody"
PLAYERS = "players"  # every seat, but no spectator


class Field(NamedTuple):
    """One line of a state.

    ``revealed_by`` names a flag field: while that flag is set, everyone sees the field. ``perfect_recall`` marks a
    field that the table does not show although it follows from public events. A player with a perfect memory knows it:
    bots see it, browsers do not (C4, C14). ``per_team`` marks an array over seats in which a team's entry is that of
    its lowest seat. ``pile_count`` is the number of piles of a PILE_OWNERS field. ``is_derived`` marks a field that
    follows from others, exists only for speed, and is in no view.
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


# Every game's row begins with these fields, so that generic code works with any game.
COMMON_FIELDS = (
    Field("seats", NUMBER, PUBLIC, "the number of players"),
    Field("to_act", NUMBER, PUBLIC, "the seats that owe an answer, as bits; 0 when a deal is due or the game is over"),
    Field("question", NUMBER, PUBLIC, "the open question, as its index in the game's list of questions"),
    Field("deals", NUMBER, PUBLIC, "deals so far"),
    Field("over", FLAG, PUBLIC, "whether the game has ended"),
)


def seat_to_left(seat, k, seats):  # type: ignore[no-untyped-def]
    """Return the seat ``k`` places to the left (0 ≤ k ≤ seats). Left is clockwise; seat 0 follows the last."""
    seat += k
    return seat - seats if seat >= seats else seat


def state_dtype(fields: tuple[Field, ...]) -> np.dtype[np.void]:
    """Return the dtype of a row: the declared fields in order, each ``int64``."""
    return np.dtype([(f.name, np.int64, f.shape) for f in fields])


def new_state(dtype: np.dtype[np.void]) -> np.void:
    """Return a row of zeros."""
    return np.zeros(1, dtype)[0]  # type: ignore[no-any-return]


def copy_state(state: np.void) -> np.void:
    """Return an independent copy. The `copy` of a row in an array would share its memory."""
    return np.frombuffer(bytearray(state.tobytes()), state.dtype)[0]  # type: ignore[no-any-return]


class Question(NamedTuple):
    """A question to a seat. ``answers[k]`` is the name of answer *k*: a number or a word.

    A *silent* answer deals, shows, opens and ends nothing, whatever the hidden cards are, and the same seat is asked
    ``follow_up`` next. Only a silent answer may be followed by another in one request; when in doubt, an answer is not
    silent.
    """

    name: str
    answers: tuple[int | str, ...]
    silent: tuple[int | str, ...] = ()
    follow_up: str = ""

    @property
    def is_sequential(self) -> bool:
        """True if the question asks for a set, one element at a time."""
        return self.follow_up == self.name


class Option(NamedTuple):
    """A choice made when a table is created, as data for forms and help.

    ``values[0]`` applies at seat counts outside ``seats``, which do not have the option. ``needs`` names another option
    and the value without which this one stays at its default. ``default_from`` names another option, or ``"seats"``,
    whose value decides the default.
    """

    name: str
    values: tuple[bool | int | str, ...] | range
    default: bool | int | str
    rule: str
    seats: tuple[int, ...] = ()
    needs: tuple[str, bool | str] | None = None
    default_from: tuple[str, dict[str | int, int]] | None = None
