"""What the other player of mines is likely to hold: a hand by suits, from what people do with their cards.

♠ and ♥ are for spending, ♦ cannot be spent (M13), so cards that have been kept are rather ♦ and ♣, the more so the better the
chances were to spend the others. The chance of holding so many cards of each suit is taken to be that of an even deal times
factors: one for every card of a suit, and one for having any. They depend on whose turn it is and on whether the other could
use the suit now (`BELIEFS`, natural logarithms, fitted to games of noisy players of several styles).
"""

import numpy as np

from diamonds.cards import SHORT, count, suit_cards
from diamonds.rules import mines

LONGEST = 2400  # more than there are ways to make up a hand of 26 or fewer cards by suits
SUITS = 4

# For [whose turn: own, the other's][useless now, useful now][♥, ♠, ♣]: a card's factor, and that of having any.
# fmt: off
BELIEFS = np.array([
    [[[-1.15, -0.53], [-1.59,  0.41], [-0.05, -0.29]], [[-0.83, -1.56], [-2.45,  0.95], [-1.51, -1.68]]],
    [[[-1.02, -0.77], [-1.37, -0.84], [ 0.00,  0.00]], [[-0.84, -1.43], [-2.17, -0.22], [-1.77, -1.00]]],
])
# fmt: on

CHOOSE = np.zeros((SHORT + 1, SHORT + 1))  # logarithms of binomial coefficients
for _n in range(SHORT + 1):
    for _k in range(_n + 1):
        CHOOSE[_n, _k] = np.sum(np.log(np.arange(_n - _k + 1, _n + 1))) - np.sum(np.log(np.arange(1, _k + 1)))


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
    factors = np.empty((SUITS, 2))
    for suit in range(SUITS):
        there[suit] = count(unseen & suit_cards(suit, SHORT))
        if suit > 0:
            factors[suit] = beliefs[turn, usable(row, other, suit), suit - 1]
    number, top = 0, -np.inf
    for d in range(min(there[0], size) + 1):
        for h in range(min(there[1], size - d) + 1):
            for s in range(max(0, size - d - h - there[3]), min(there[2], size - d - h) + 1):
                c = size - d - h - s
                chance = CHOOSE[there[0], d] + CHOOSE[there[1], h] + CHOOSE[there[2], s] + CHOOSE[there[3], c]
                chance += h * factors[1, 0] + s * factors[2, 0] + c * factors[3, 0]
                chance += (factors[1, 1] if h > 0 else 0.0) + (factors[2, 1] if s > 0 else 0.0)
                chance += factors[3, 1] if c > 0 else 0.0
                ways[number, 0] = d
                ways[number, 1] = h
                ways[number, 2] = s
                ways[number, 3] = c
                upto[number] = chance
                number += 1
                top = max(top, chance)
    total = 0.0
    for k in range(number):
        total += np.exp(upto[k] - top)
        upto[k] = total
    return number
