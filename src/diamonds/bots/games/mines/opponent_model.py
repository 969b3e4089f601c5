"""What the other player of mines is likely to hold: a hand by suits, from what people do with their cards.

♠ and ♥ are for spending, ♦ cannot be spent (M13), so cards that have been kept are rather ♦ and ♣, the more so the better the
chances were to spend the others. The chance of holding so many cards of each suit is taken to be that of an even deal times
factors: one for every card of a suit, and one for having any. They depend on whose turn it is and on whether the other could
use the suit now (`SUIT_FACTORS`, fitted to games of noisy players of several styles). All of it is products and sums, which are the same
on every machine; logarithms and powers are not, to the last digit.
"""

from math import comb

import numpy as np

from diamonds.cards import SHORT_PACK_RANKS, count, suit_cards
from diamonds.rules import mines

MAX_SUIT_HANDS = 2400  # more than there are ways to make up a hand of 26 or fewer cards by suits
SUIT_COUNT = 4

# For [whose turn: own, the other's][useless now, useful now][♥, ♠, ♣]: a card's factor, and that of having any.
# fmt: off
SUIT_FACTORS = np.array([
    [[[0.3166, 0.5886], [0.2039, 1.5068], [0.9512, 0.7483]], [[0.4360, 0.2101], [0.0863, 2.5857], [0.2209, 0.1864]]],
    [[[0.3606, 0.4630], [0.2541, 0.4317], [1.0000, 1.0000]], [[0.4317, 0.2393], [0.1142, 0.8025], [0.1703, 0.3679]]],
])
# fmt: on

# In how many ways so many cards can be chosen from so many: CHOOSE[from, chosen].
BINOMIALS = np.array(
    [[comb(n, k) for k in range(SHORT_PACK_RANKS + 1)] for n in range(SHORT_PACK_RANKS + 1)], np.float64
)


def can_use_suit(s, other, suit):
    """Whether the other could use a suit now: ♥ to grow, ♠ to dig two, ♣ to fight (1 to 3)."""
    if suit == 1:
        return 1 if mines.claimable(s, other) != 0 else 0
    if suit == 2:
        return 1 if mines.cards_to_dig(s, other) >= 2 else 0
    return 1 if mines.attackable(s, other) != 0 else 0


def suit_hands(row, other, unseen, size, suit_factors, suit_counts, cumulative):
    """List the hands by suits that ``size`` of the unseen cards can make up: ``ways[k]`` has how many of each suit.

    ``upto[k]`` adds up the chances of all up to the k-th, not yet divided by their sum. Returns how many there are.
    """
    turn = 1 if row["turn"] == other else 0
    available = np.empty(SUIT_COUNT, np.int64)
    weight = np.ones((SUIT_COUNT, SHORT_PACK_RANKS + 1))  # what so many cards of a suit are weighed with
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
