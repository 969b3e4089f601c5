"""The opponent model of mines: the likely suits of the other player's hand, judging by the cards people tend to spend.

♠ and ♥ are for spending and ♦ cannot be spent (M13). So kept cards are more likely ♦ and ♣, especially if there were
many chances to spend the others. The probability of a suit distribution is that of an even deal times factors: one for
every card of a suit, and one for having any. They depend on whose turn it is and on whether the other player could use
the suit now (`SUIT_FACTORS`, fitted to games of noisy players of several styles). The model uses only products and sums
because, unlike logarithms and powers, they are the same to the last digit on every machine.
"""

from math import comb

import numpy as np

from diamonds.cards import SHORT_PACK_RANKS, count, suit_cards
from diamonds.rules import mines

MAX_SUIT_HANDS = 2400  # maximum number of suit distributions for a hand of up to 26 cards
SUIT_COUNT = 4

# By whose turn it is (the player's, the other's), whether the suit is useful now (no, yes) and suit (♥, ♠, ♣): the
# factor for each card, and the factor for having any.
# fmt: off
SUIT_FACTORS = np.array([
    [[[0.3166, 0.5886], [0.2039, 1.5068], [0.9512, 0.7483]], [[0.4360, 0.2101], [0.0863, 2.5857], [0.2209, 0.1864]]],
    [[[0.3606, 0.4630], [0.2541, 0.4317], [1.0000, 1.0000]], [[0.4317, 0.2393], [0.1142, 0.8025], [0.1703, 0.3679]]],
])
# fmt: on

# Binomial coefficients by number of cards and number chosen.
BINOMIALS = np.array(
    [[comb(n, k) for k in range(SHORT_PACK_RANKS + 1)] for n in range(SHORT_PACK_RANKS + 1)], np.float64
)


def can_use_suit(s, other, suit):
    """Return whether the other player could use a suit now: ♥ to grow, ♠ to dig twice, ♣ to fight (1 to 3)."""
    if suit == 1:
        return 1 if mines.claimable(s, other) != 0 else 0
    if suit == 2:
        return 1 if mines.cards_to_dig(s, other) >= 2 else 0
    return 1 if mines.attackable(s, other) != 0 else 0


def suit_hands(row, other, unseen, size, suit_factors, suit_counts, cumulative):
    """Write all suit distributions of a hand of ``size`` unseen cards to ``suit_counts``; return their number.

    ``cumulative[k]`` is the sum of the chances up to the k-th, not normalized.
    """
    turn = 1 if row["turn"] == other else 0
    available = np.empty(SUIT_COUNT, np.int64)
    weight = np.ones((SUIT_COUNT, SHORT_PACK_RANKS + 1))  # by suit and number of cards
    for suit in range(SUIT_COUNT):
        available[suit] = count(unseen & suit_cards(suit, SHORT_PACK_RANKS))
        if suit > 0:
            factors = suit_factors[turn, can_use_suit(row, other, suit), suit - 1]
            weight[suit, 1] = factors[0] * factors[1]
            for cards in range(2, SHORT_PACK_RANKS + 1):
                weight[suit, cards] = weight[suit, cards - 1] * factors[0]
    number, total = 0, 0.0
    for d in range(min(available[0], size) + 1):
        for h in range(min(available[1], size - d) + 1):
            for s in range(max(0, size - d - h - available[3]), min(available[2], size - d - h) + 1):
                c = size - d - h - s
                chance = (
                    BINOMIALS[available[0], d]
                    * BINOMIALS[available[1], h]
                    * BINOMIALS[available[2], s]
                    * BINOMIALS[available[3], c]
                )
                total += chance * weight[1, h] * weight[2, s] * weight[3, c]
                suit_counts[number, 0] = d
                suit_counts[number, 1] = h
                suit_counts[number, 2] = s
                suit_counts[number, 3] = c
                cumulative[number] = total
                number += 1
    return number
