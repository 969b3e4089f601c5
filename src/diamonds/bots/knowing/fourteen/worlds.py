"""What a seat cannot see in fourteen: how many cards everyone misses, and how dealt cards are written into a row (F10)."""

import numpy as np

from diamonds.bots.knowing.contract import ASIDE
from diamonds.cards import count
from diamonds.chance import draw
from diamonds.fields import SEATS
from diamonds.rules import fourteen


def needs(v, me, sizes, banned):
    """See `contract.Knowledge.needs`."""
    unseen = fourteen.pack(v)
    sizes[:] = 0
    banned[:] = 0
    for seat in range(v["seats"]):
        unseen &= ~v["played"][seat]
        if seat != me:
            sizes[seat] = 4 * fourteen.RANKS // v["seats"] - count(v["played"][seat])
            banned[seat] = v["void"][seat]
    unseen &= ~v["hand"][me]
    sizes[ASIDE] = count(unseen) - np.sum(sizes)
    return unseen


def fill(s, me, hands, deck, rng):
    """Hands, what lies aside, and sealed bids (F10). Always succeeds."""
    s["aside"] = hands[ASIDE]
    sealed = s["scoring"] == fourteen.BID and s["bids_open"] == 0
    for seat in range(SEATS):
        if seat == me:
            continue
        s["hand"][seat] = hands[seat] if seat < s["seats"] else 0
        if sealed and seat < s["seats"] and s["to_act"] >> seat & 1 == 0:
            s["bid"][seat] = draw(rng, 14)
    return True
