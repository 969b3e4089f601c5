"""Equivalent cards (no card in play lies between them), and hash keys of positions."""

import numpy as np

from diamonds.cards import bit, lowest, suit_cards


def cards_in_play_elsewhere(s, seat):
    """Return the cards in others' hands and on the table."""
    cards = 0
    for other in range(s["seats"]):
        if other != seat:
            cards |= s["hand"][other]
    for k in range(s["trick_size"]):
        cards |= bit(s["trick"][k])
    return cards


def equivalent_run(first, cards, between, ranks):
    """Return ``first`` and the cards above it in its suit, up to the next card of ``between``."""
    above = suit_cards(first // ranks, ranks) & ~(bit(first) - 1)
    stop = above & between
    return cards & above & (bit(lowest(stop)) - 1 if stop != 0 else -1)


def hash_mix(key, word):
    """Mix a word into a hash."""
    key = (key ^ np.uint64(word)) * np.uint64(0x9E3779B97F4A7C15)
    return key ^ key >> np.uint64(29)


def no_position_key(s):
    """Return 0: no position has a key."""
    return np.uint64(0)
