"""What a seat cannot see in crystals: how many cards everyone misses, and how dealt cards are written into a row (C9, C10)."""

import numpy as np

from diamonds.bots.knowing.contract import ASIDE
from diamonds.cards import bit, count, highest, lowest
from diamonds.chance import draw, some_of
from diamonds.fields import SEATS
from diamonds.rules import crystals


def needs(v, me, sizes, banned):
    """See `contract.Knowledge.needs`."""
    unseen = crystals.pack(v)
    sizes[:] = 0
    banned[:] = 0
    for seat in range(v["seats"]):
        unseen &= ~v["played"][seat]
        if seat != me:
            sizes[seat] = crystals.hand_size(v) - count(v["played"][seat])
            banned[seat] = v["void"][seat]
    unseen &= ~v["hand"][me]
    to = v["passes_to"][me]
    pinned = v["given"][me] & ~v["played"][to]
    sizes[to] -= count(pinned)
    unseen &= ~pinned
    sizes[ASIDE] = count(unseen) - np.sum(sizes)
    return unseen


def fill(s, me, hands, deck, rng):
    """C9, C10: hands, what lies aside, and what others have chosen, given and received. Always succeeds."""
    seats = s["seats"]
    to = s["passes_to"][me]
    hands[to] |= s["given"][me] & ~s["played"][to]
    passing = s["question"] == crystals.PASS
    passed = s["question"] == crystals.PLAY or s["question"] == crystals.VICTIM
    s["aside"] = hands[ASIDE]
    for seat in range(SEATS):
        if seat == me:
            continue
        s["hand"][seat] = hands[seat] if seat < seats else 0
        s["chosen"][seat] = 0
        s["given"][seat] = 0
        s["received"][seat] = 0
        if passing and seat < seats:
            if s["to_act"] >> seat & 1:
                s["chosen"][seat] = chosen_so_far(hands[seat], s["passing"], rng)
            else:
                s["chosen"][seat] = some_of(hands[seat], s["passing"], rng)
    if passed:
        for seat in range(seats):
            to = s["passes_to"][seat]
            if seat != me:
                if to == me:
                    s["given"][seat] = s["received"][me]
                else:
                    s["given"][seat] = some_of(s["hand"][to] | s["played"][to], s["passing"], rng)
            if to != me:
                s["received"][to] = s["given"][seat]
    return True


def chosen_so_far(hand, passing, rng):
    """C9: the cards that someone who is still choosing may have named, in ascending order, enough being left above them."""
    size = count(hand)
    one = size - passing + 1 if passing > 1 else 0  # ways to have named one card
    two = (size - 1) * (size - 2) // 2 if passing > 2 else 0  # ways to have named two
    at = draw(rng, 1 + one + two)
    if at == 0:
        return 0
    if at <= one:
        for _ in range(at - 1):
            hand &= hand - 1
        return bit(lowest(hand))
    return some_of(hand ^ bit(highest(hand)), 2, rng)
