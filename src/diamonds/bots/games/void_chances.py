"""Chances for rules of thumb, in thousandths: whole numbers, which are the same interpreted and compiled."""

import numpy as np

from diamonds.cards import LONG_PACK_RANKS

PERMILLE = 1000  # certainty


def _compute_no_card_permille(cards, share):
    """Return the chance that a holder of this share of the unseen cards has none of a set of cards."""
    chance = PERMILLE
    for _ in range(cards):
        chance = chance * (PERMILLE - share) // PERMILLE
    return chance


# Playouts need this more often than anything else, so it is a table, by number of cards (0–15) and share (0–1000).
NO_CARD_PERMILLE = np.array(
    [
        [_compute_no_card_permille(cards, share) for share in range(PERMILLE + 1)]
        for cards in range(LONG_PACK_RANKS + 1)
    ],
    np.int16,
)


def no_card_permille(cards, share):
    """Return the chance that a holder of this share (0–1000) of the unseen cards has none of a set of cards (0–15)."""
    return np.int64(NO_CARD_PERMILLE[cards, share])
