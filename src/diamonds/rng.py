"""Random numbers and cards, identical when interpreted and compiled.

``rng`` is the state, a ``uint64`` array of length one.
"""

import numpy as np

from diamonds import cards
from diamonds.cards import bit


def randbelow(rng, below):
    """Return a whole number from 0 to ``below − 1`` (SplitMix64; Steele, Lea and Flood 2014)."""
    rng[0] += np.uint64(0x9E3779B97F4A7C15)
    z = rng[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return np.int64(((z >> np.uint64(32)) * np.uint64(below)) >> np.uint64(32))


def random_bit(bits, rng):
    """Return one of the set bits, all equally likely, by halving the word six times without unpredictable branches."""
    rest, place = randbelow(rng, cards.count(bits)), 0
    for width in (32, 16, 8, 4, 2, 1):
        below = cards.count(bits >> place & (1 << width) - 1)
        above = rest >= below
        rest -= below if above else 0
        place += width if above else 0
    return place


def random_subset(cards, number, rng):
    """Return a random set of ``number`` of these cards; all such sets are equally likely."""
    chosen = 0
    for _ in range(number):
        card = random_bit(cards & ~chosen, rng)
        chosen |= bit(card)
    return chosen


def fill_deck(deck, cards_in_play):
    """Write a set of cards into a deck in ascending order; return their number."""
    size = 0
    while cards_in_play != 0:
        deck[size] = cards.lowest(cards_in_play)
        cards_in_play &= cards_in_play - 1
        size += 1
    return size


def shuffle(deck, size, needed, rng):
    """Shuffle the first ``needed`` places of a deck of ``size`` cards."""
    for k in range(needed):
        other = k + randbelow(rng, size - k)
        deck[k], deck[other] = deck[other], deck[k]
