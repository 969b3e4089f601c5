"""Reasons for and against answers: a weight, roughly the effect in points and negative for a drawback, and a message.

The possible reasons are declared (`ReasonKind`), and the reasons that apply are written as numbers, so that kernels can
find them. A row has a weight, the number of the reason, and up to two values.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from diamonds.cards import suit_cards
from diamonds.events import EventField
from diamonds.fields import NUMBER, SUIT

MIN_REASON_WEIGHT = 0.15  # reasons that weigh less are not shown
MAX_REASONS = 24  # reasons for one answer
REASON_COLUMNS = 4  # numbers in a row
MAX_REASON_VALUES = 2  # of one reason

CountArray = np.ndarray[Any, np.dtype[np.float64]]
type_of_notes = np.ndarray[Any, np.dtype[np.float64]]


class ReasonKind(NamedTuple):
    """A possible reason: the id of its message, and the values of that message."""

    id: str
    values: tuple[EventField, ...] = ()


SUIT_VALUE, CHANCE_VALUE = EventField("suit", SUIT), EventField("chance", NUMBER)

# Reasons of every trick game; a game's own reasons come after these.
TRICK_REASONS = (
    ReasonKind("hint-may-win", (CHANCE_VALUE,)),
    ReasonKind("hint-leaves-trick"),
    ReasonKind("hint-seldom-wins", (CHANCE_VALUE,)),
    ReasonKind("hint-wins-less-often", (CHANCE_VALUE,)),
    ReasonKind("hint-void", (SUIT_VALUE,)),
)
R_MAY_WIN, R_LEAVES_TRICK, R_SELDOM_WINS, R_WINS_LESS_OFTEN, R_VOID = range(5)
FIRST_GAME_REASON = len(TRICK_REASONS)  # the number of a game's first own reason


def add_reason(reason_rows, reason_count, weight, reason, value, other):
    """Append a reason; return the new number of reasons."""
    reason_rows[reason_count, 0] = weight
    reason_rows[reason_count, 1] = reason
    reason_rows[reason_count, 2] = value
    reason_rows[reason_count, 3] = other
    return reason_count + 1


def percent(chance):
    """Return a chance in percent."""
    return round(100 * chance)


def add_trick_reasons(reason_rows, reason_count, chance, difference, wins, likely, value):
    """Append a reason about winning the trick on the table, chosen by its chance.

    ``wins`` and ``likely`` are the reasons for high chances; ``value`` is their value.
    """
    if abs(difference) < 0.2:
        return reason_count
    if difference > 0:
        reason = wins if chance >= 0.9 else likely if chance >= 0.6 else R_MAY_WIN
        value = percent(chance) if reason == R_MAY_WIN else value
    else:
        reason = R_LEAVES_TRICK if chance <= 0.1 else R_SELDOM_WINS if chance < 0.35 else R_WINS_LESS_OFTEN
        value = 0 if reason == R_LEAVES_TRICK else percent(chance)
        if reason == R_LEAVES_TRICK:  # it counts for the answer if nothing else does
            reason_count = add_reason(reason_rows, reason_count, MIN_REASON_WEIGHT, reason, value, 0)
    return add_reason(reason_rows, reason_count, 2 * difference, reason, value, 0)


def add_void_reasons(reason_rows, reason_count, hand, leaving, ranks):
    """Append a reason for each suit that the answer leaves empty."""
    for suit in range(4):
        held = hand & suit_cards(suit, ranks)
        if held != 0 and held & ~leaving == 0 and hand & ~leaving != 0:
            reason_count = add_reason(reason_rows, reason_count, 0.5, R_VOID, suit, 0)
    return reason_count
