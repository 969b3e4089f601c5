"""What reasons are made of: a weight, about what the thing is worth in points and negative for a drawback, and what is said.

Which there can be is declared (`Because`), and what of them holds is noted in numbers: so the functions that find reasons run wherever
bots think. A row of notes has a weight, the number of the reason, and up to two values.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from diamonds.cards import suit_cards
from diamonds.events import Value
from diamonds.fields import NUMBER, SUIT

MOST_NOTED = 24  # reasons that can hold of one answer
NOTE = 4  # numbers in a note
VALUES = 2  # that a reason speaks of at most

type_of_counts = np.ndarray[Any, np.dtype[np.float64]]
type_of_notes = np.ndarray[Any, np.dtype[np.float64]]


class Because(NamedTuple):
    """A reason that there can be: the id of what is said, and the values that it speaks of."""

    id: str
    values: tuple[Value, ...] = ()


WHICH_SUIT, CHANCE = Value("suit", SUIT), Value("chance", NUMBER)

# What every trick game may say; a game's own reasons come after these.
OF_TRICKS = (
    Because("hint-may-win", (CHANCE,)),
    Because("hint-leaves-trick"),
    Because("hint-seldom-wins", (CHANCE,)),
    Because("hint-void", (WHICH_SUIT,)),
)
MAY_WIN, LEAVES, SELDOM, VOID = range(4)
OWN = len(OF_TRICKS)  # the number of a game's first own reason


def note(notes, noted, weight, reason, value, other):
    """One more reason; returns how many there are."""
    notes[noted, 0] = weight
    notes[noted, 1] = reason
    notes[noted, 2] = value
    notes[noted, 3] = other
    return noted + 1


def percent(chance):
    """A chance, of a hundred."""
    return round(100 * chance)


def trick(notes, noted, chance, more, wins, likely, value):
    """Whether the answer wins the trick on the table; ``wins`` and ``likely`` are the reasons that say with what, and ``value`` that."""
    if abs(more) < 0.2:
        return noted
    if chance >= 0.9:
        return note(notes, noted, 2 * abs(more), wins, value, 0)
    if chance >= 0.6:
        return note(notes, noted, 2 * abs(more), likely, value, 0)
    if more > 0:
        return note(notes, noted, 2 * abs(more), MAY_WIN, percent(chance), 0)
    if chance <= 0.1:
        return note(notes, noted, 2 * more, LEAVES, 0, 0)
    return note(notes, noted, 2 * more, SELDOM, percent(chance), 0)


def emptied(notes, noted, hand, gone, ranks):
    """Suits of which nothing is left in hand."""
    for suit in range(4):
        held = hand & suit_cards(suit, ranks)
        if held != 0 and held & ~gone == 0 and hand & ~gone != 0:
            noted = note(notes, noted, 0.5, VOID, suit, 0)
    return noted
