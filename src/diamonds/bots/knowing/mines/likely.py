"""What the other player of mines is likely to hold: a hand by suits, from what people do with their cards.

♠ and ♥ are for spending, ♦ cannot be spent (M13), so cards that have been kept are rather ♦ and ♣, the more so the better the
chances were to spend the others. The chance of holding so many cards of each suit is taken to be that of an even deal times
factors: one for every card of a suit, and one for having any. They depend on whose turn it is and on whether the other could
use the suit now (`BELIEFS`, fitted to games of noisy players of several styles). All of it is products and sums, which are the same
on every machine; logarithms and powers are not, to the last digit.
"""

from math import comb

import numpy as np

from diamonds.cards import SHORT, count, suit_cards
from diamonds.rules import mines

LONGEST = 2400  # more than there are ways to make up a hand of 26 or fewer cards by suits
SUITS = 4

# For [whose turn: own, the other's][useless now, useful now][♥, ♠, ♣]: a card's factor, and that of having any.
# fmt: off
BELIEFS = np.array([
    [[[0.3166, 0.5886], [0.2039, 1.5068], [0.9512, 0.7483]], [[0.4360, 0.2101], [0.0863, 2.5857], [0.2209, 0.1864]]],
    [[[0.3606, 0.4630], [0.2541, 0.4317], [1.0000, 1.0000]], [[0.4317, 0.2393], [0.1142, 0.8025], [0.1703, 0.3679]]],
])
# fmt: on

# In how many ways so many cards can be chosen from so many: CHOOSE[from, chosen].
CHOOSE = np.array([[comb(n, k) for k in range(SHORT + 1)] for n in range(SHORT + 1)], np.float64)


def usable(s, other, suit):
    """Whether the other could use a suit now: ♥ to grow, ♠ to dig two, ♣ to fight (1 to 3)."""
    if suit == 1:
        return 1 if mines.claimable(s, other) != 0 else 0
    if suit == 2:
        return 1 if mines.cards_to_dig(s, other) >= 2 else 0
    return 1 if mines.attackable(s, other) != 0 else 0


def hands(row, other, unseen, size, beliefs, ways, upto):
    """List the hands by suits that ``size`` of the unseen cards can make up: ``ways[k]`` has how many of each suit.

    ``upto[k]`` adds up the chances of all up to the k-th, not yet divided by their sum. Returns how many there are.
    """
    turn = 1 if row["turn"] == other else 0
    there = np.empty(SUITS, np.int64)
    weight = np.ones((SUITS, SHORT + 1))  # what so many cards of a suit are weighed with
    for suit in range(SUITS):
        there[suit] = count(unseen & suit_cards(suit, SHORT))
        if suit > 0:
            factors = beliefs[turn, usable(row, other, suit), suit - 1]
            weight[suit, 1] = factors[0] * factors[1]
            for cards in range(2, SHORT + 1):
                weight[suit, cards] = weight[suit, cards - 1] * factors[0]
    number, total = 0, 0.0
    for d in range(min(there[0], size) + 1):
        for h in range(min(there[1], size - d) + 1):
            for s in range(max(0, size - d - h - there[3]), min(there[2], size - d - h) + 1):
                c = size - d - h - s
                chance = CHOOSE[there[0], d] * CHOOSE[there[1], h] * CHOOSE[there[2], s] * CHOOSE[there[3], c]
                total += chance * weight[1, h] * weight[2, s] * weight[3, c]
                ways[number, 0] = d
                ways[number, 1] = h
                ways[number, 2] = s
                ways[number, 3] = c
                upto[number] = total
                number += 1
    return number
