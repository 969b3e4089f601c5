"""What reasons are made of: a weight, about what the thing is worth in points and negative for a drawback, and what is said."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from diamonds.cards import SUIT_LETTERS, suit_cards
from diamonds.words import Message

type_of_counts = np.ndarray[Any, np.dtype[np.float64]]
Reason = tuple[float, Message]


def percent(chance: float) -> int:
    """A chance, of a hundred."""
    return round(100 * chance)


def trick(chance: float, more: float, prize: str = "", **values: Any) -> Iterator[Reason]:
    """Whether the answer wins the trick on the table; ``prize`` says with what: ``-action``, ``-diamonds``."""
    if abs(more) < 0.2:
        return
    if chance >= 0.9:
        yield 2 * abs(more), Message(f"hint-wins{prize}", values)
    elif chance >= 0.6:
        yield 2 * abs(more), Message(f"hint-likely-wins{prize}", values)
    elif more > 0:
        yield 2 * abs(more), Message("hint-may-win", {"chance": percent(chance)})
    elif chance <= 0.1:
        yield 2 * more, Message("hint-leaves-trick")
    else:
        yield 2 * more, Message("hint-seldom-wins", {"chance": percent(chance)})


def emptied(hand: int, gone: int, ranks: int) -> Iterator[Reason]:
    """Suits of which nothing is left in hand."""
    for suit in range(4):
        held = hand & suit_cards(suit, ranks)
        if held and not held & ~gone and hand & ~gone:
            yield 0.5, Message("hint-void", {"suit": SUIT_LETTERS[suit]})
