"""Chances for rules of thumb, in thousandths: whole numbers, so that interpreted and compiled agree."""

import numpy as np

from diamonds.cards import LONG

ALL = 1000  # a certain chance


def _none_of(cards, share):
    """The chance that someone with this share of the unseen cards holds none of so many."""
    chance = ALL
    for _ in range(cards):
        chance = chance * (ALL - share) // ALL
    return chance


# Playouts ask this more often than anything else, so the answers are kept: by cards (0–15) and share (0–1000), in few bytes.
NONE_OF = np.array([[_none_of(cards, share) for share in range(ALL + 1)] for cards in range(LONG + 1)], np.int16)


def none_of(cards, share):
    """The chance that someone with this share (in thousandths, 0–1000) of the unseen cards holds none of so many (0–15)."""
    return np.int64(NONE_OF[cards, share])
