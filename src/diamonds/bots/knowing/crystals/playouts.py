"""Playouts of crystals, to the end of the round: how they go on, what they are worth, what is heard on the way."""

import numpy as np

from diamonds.bots.knowing.alike import cards_elsewhere, mixed, neighbours
from diamonds.bots.knowing.contract import AS_IT_COMES, TRAINED
from diamonds.bots.knowing.crystals import thumb, values
from diamonds.cards import LONG, bit, lowest
from diamonds.rules import crystals

# What is counted, a column each: the own seat takes the trick on the table; own actions by suit, crystals lost to ♣, a round
# without a trick; and the most cards taken of a suit (`MOST` + suit).
THIS_TRICK, OWN_D, OWN_H, OWN_S, OWN_C, ROBBED, NO_TRICK, MOST = 0, 1, 2, 3, 4, 5, 6, 7

PEERS = 500  # in so many of a thousand worlds the others, too, have been trained


def forget(s, me):
    """In playouts the others choose what to pass by themselves, whatever a world says they have chosen."""
    if s["question"] == crystals.PASS:
        for seat in range(s["seats"]):
            if seat != me:
                s["chosen"][seat] = 0
                s["to_act"] |= bit(seat)


def give(s, me, candidate, log):
    """Give a candidate's answer, or name all the cards of a set to pass: of those nothing is told."""
    if s["question"] == crystals.PASS:
        candidate &= ~s["chosen"][me]
        while candidate != 0:
            card = lowest(candidate)
            candidate &= candidate - 1
            crystals.step(s, me, card, None)
    else:
        crystals.step(s, me, candidate, log)


def manners(plan, luck):
    """The own seat goes by its plan; the others by rules of thumb, or in `PEERS` of a thousand worlds by what was trained, if it does so."""
    return plan, TRAINED if luck < PEERS and plan == TRAINED else AS_IT_COMES


def go_on(s, seat, plan, numbers):
    """What a seat answers in a playout: by a plan of the rules of thumb, or by the values trained."""
    return values.choose(s, seat, numbers) if plan == TRAINED else thumb.choose(s, seat, plan)


def clock(s):
    """How many tricks of the round are over."""
    return s["tricks"].sum()


def worth(s, me, winning):
    """The margin in points (C21), and something for winning where the game is over."""
    mine, others, rivals = crystals.score(s, me), 0, 0
    for seat in range(s["seats"]):
        if crystals.team(s, seat) != crystals.team(s, me):
            others += crystals.score(s, seat)
            rivals += 1
    value = mine - others / rivals
    if s["over"] != 0 and crystals.place(s, me) == 0:
        value += winning
    return value


def hear(log, s, me, counts, first):
    """Count what one answer has told; returns whether the trick on the table is still to be won."""
    team = crystals.team(s, me)
    for k in range(1, log[0, 0] + 1):
        what, seat = log[k, 0], log[k, 1]
        if what == crystals.T_TRICK:
            if first and seat == me:
                counts[THIS_TRICK] += 1
            first = False
        elif what == crystals.T_NO_TRICK:
            if seat == me:
                counts[NO_TRICK] += 1
        elif what >= crystals.T_DIAMOND and what <= crystals.T_CLUB:
            if crystals.team(s, seat) == team:
                counts[OWN_D + what - crystals.T_DIAMOND] += 1
            elif what == crystals.T_CLUB and crystals.team(s, log[k, 3]) == team:
                counts[ROBBED] += 1
        elif what == crystals.T_MOST and crystals.team(s, seat) == team:
            counts[MOST + log[k, 2]] += 1
    return first


def shown(s):
    """Whether nothing is chosen in secret: the cards to pass are."""
    return s["question"] == crystals.PLAY or s["question"] == crystals.VICTIM


def kind(s, seat, answers):
    """The lowest of some answers and those that amount to the same: cards of its suit up to the next that is in play elsewhere."""
    first = lowest(answers)
    if s["question"] != crystals.PLAY:
        return bit(first)
    return neighbours(first, answers, cards_elsewhere(s, seat), LONG)


def key(s):
    """A number for all that the rest of a round depends on where a trick is to be led; elsewhere 0, for no number.

    Two positions have the same number by chance about once in 10¹⁹ pairs.
    """
    if s["trick_size"] != 0 or s["question"] != crystals.PLAY:
        return np.uint64(0)
    found = mixed(mixed(np.uint64(s["leader"]), s["supply"]), s["thief_at"])
    for seat in range(s["seats"]):
        found = mixed(found, s["hand"][seat])
        found = mixed(found, s["vault"][seat] << 16 | s["showroom"][seat] << 1 | (s["tricks"][seat] != 0))
        taken = 0
        for suit in range(4):
            taken = taken << 8 | s["taken"][seat, suit]
        found = mixed(found, taken)
    return found
