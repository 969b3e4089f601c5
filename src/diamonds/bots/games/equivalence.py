"""Cards that amount to the same because nothing lies between them, and positions known by a number."""

import numpy as np

from diamonds.cards import bit, lowest, suit_cards


def cards_in_play_elsewhere(s, seat):
    """The cards in others' hands and on the table."""
    cards = 0
    for other in range(s["seats"]):
        if other != seat:
            cards |= s["hand"][other]
    for k in range(s["trick_size"]):
        cards |= bit(s["trick"][k])
    return cards


def equivalent_run(first, cards, between, ranks):
    """The first of some cards, and those above it in its suit with none of ``between`` before them."""
    above = suit_cards(first // ranks, ranks) & ~(bit(first) - 1)
    stop = above & between
    return cards & above & (bit(lowest(stop)) - 1 if stop != 0 else -1)


def hash_mix(key, word):
    """Stir a word into a number."""
    key = (key ^ np.uint64(word)) * np.uint64(0x9E3779B97F4A7C15)
    return key ^ key >> np.uint64(29)


def no_position_key(s):
    """No positions are recognised."""
    return np.uint64(0)
