"""Worlds of crystals: the hidden cards of each seat, and how dealt cards are written into a row (C9, C10)."""

import numpy as np

from diamonds.bots.games.adapter import SET_ASIDE
from diamonds.cards import bit, count, highest, lowest
from diamonds.fields import MAX_SEATS
from diamonds.rng import randbelow, random_subset
from diamonds.rules import crystals


def hidden_cards(v, own_seat, sizes, banned):
    """Write the number of hidden cards of each holder; see `GameAdapter.hidden_cards`."""
    unseen = crystals.pack(v)
    sizes[:] = 0
    banned[:] = 0
    for seat in range(v["seats"]):
        unseen &= ~v["played"][seat]
        if seat != own_seat:
            sizes[seat] = crystals.hand_size(v) - count(v["played"][seat])
            banned[seat] = v["void"][seat]
    unseen &= ~v["hand"][own_seat]
    to = v["passes_to"][own_seat]
    pinned = v["given"][own_seat] & ~v["played"][to]
    sizes[to] -= count(pinned)
    unseen &= ~pinned
    sizes[SET_ASIDE] = count(unseen) - np.sum(sizes)
    return unseen


def write_world(s, own_seat, hands, deck, rng):
    """C9, C10: write hands, cards set aside, and the cards that others have chosen, given and received; return true."""
    seats = s["seats"]
    to = s["passes_to"][own_seat]
    hands[to] |= s["given"][own_seat] & ~s["played"][to]
    passing = s["question"] == crystals.PASS
    passed = s["question"] == crystals.PLAY or s["question"] == crystals.VICTIM
    s["aside"] = hands[SET_ASIDE]
    for seat in range(MAX_SEATS):
        if seat == own_seat:
            continue
        s["hand"][seat] = hands[seat] if seat < seats else 0
        s["chosen"][seat] = 0
        s["given"][seat] = 0
        s["received"][seat] = 0
        if passing and seat < seats:
            if s["to_act"] >> seat & 1:
                s["chosen"][seat] = named_pass_cards(hands[seat], s["passing"], rng)
            else:
                s["chosen"][seat] = random_subset(hands[seat], s["passing"], rng)
    if passed:
        for seat in range(seats):
            to = s["passes_to"][seat]
            if seat != own_seat:
                if to == own_seat:
                    s["given"][seat] = s["received"][own_seat]
                else:
                    s["given"][seat] = random_subset(s["hand"][to] | s["played"][to], s["passing"], rng)
            if to != own_seat:
                s["received"][to] = s["given"][seat]
    return True


def named_pass_cards(hand, passing, rng):
    """C9: return cards that a seat may have named so far in ascending order, with enough cards left above them."""
    size = count(hand)
    one_card_ways = size - passing + 1 if passing > 1 else 0  # possible choices of one card
    two_card_ways = (size - 1) * (size - 2) // 2 if passing > 2 else 0  # possible choices of two
    choice = randbelow(rng, 1 + one_card_ways + two_card_ways)
    if choice == 0:
        return 0
    if choice <= one_card_ways:
        for _ in range(choice - 1):
            hand &= hand - 1
        return bit(lowest(hand))
    return random_subset(hand ^ bit(highest(hand)), 2, rng)
