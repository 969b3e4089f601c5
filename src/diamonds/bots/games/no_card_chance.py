"""Chances for rules of thumb, in thousandths: whole numbers, so that interpreted and compiled agree."""

import numpy as np

from diamonds.cards import LONG_PACK_RANKS

PERMILLE = 1000  # a certain chance


def _compute_no_card_permille(cards, share):
    """The chance that someone with this share of the unseen cards holds none of so many."""
    chance = PERMILLE
    for _ in range(cards):
        chance = chance * (PERMILLE - share) // PERMILLE
    return chance


# Playouts ask this more often than anything else, so the answers are kept: by cards (0–15) and share (0–1000), in few bytes.
NO_CARD_PERMILLE = np.array(
    [
        [_compute_no_card_permille(cards, share) for share in range(PERMILLE + 1)]
        for cards in range(LONG_PACK_RANKS + 1)
    ],
    np.int16,
)


def no_card_permille(cards, share):
    """The chance that someone with this share (in thousandths, 0–1000) of the unseen cards holds none of so many (0–15)."""
    return np.int64(NO_CARD_PERMILLE[cards, share])
