"""Worlds of fourteen: the hidden cards of each seat, and how dealt cards are written into a row (F10)."""

import numpy as np

from diamonds.bots.games.adapter import SET_ASIDE
from diamonds.cards import count
from diamonds.fields import MAX_SEATS
from diamonds.rng import randbelow
from diamonds.rules import fourteen


def hidden_cards(v, own_seat, sizes, banned):
    """Write the number of hidden cards of each holder; see `GameAdapter.hidden_cards`."""
    unseen = fourteen.pack(v)
    sizes[:] = 0
    banned[:] = 0
    for seat in range(v["seats"]):
        unseen &= ~v["played"][seat]
        if seat != own_seat:
            sizes[seat] = fourteen.cards_dealt(v) // v["seats"] - count(v["played"][seat])
            banned[seat] = v["void"][seat]
    unseen &= ~v["hand"][own_seat]
    sizes[SET_ASIDE] = count(unseen) - np.sum(sizes)
    return unseen


def write_world(s, own_seat, hands, deck, rng):
    """Write hands, cards set aside, and sealed bids (F10); return true, because every deal is possible."""
    s["aside"] = hands[SET_ASIDE]
    sealed = s["scoring"] == fourteen.BID and s["bids_open"] == 0
    for seat in range(MAX_SEATS):
        if seat == own_seat:
            continue
        s["hand"][seat] = hands[seat] if seat < s["seats"] else 0
        if sealed and seat < s["seats"] and s["to_act"] >> seat & 1 == 0:
            s["bid"][seat] = randbelow(rng, 14)
    return True
