"""Playouts of fourteen, to the end of the hand: how they go on, what they are worth, what is heard on the way."""

from diamonds.bots.knowing.alike import cards_elsewhere, neighbours
from diamonds.bots.knowing.contract import AS_IT_COMES
from diamonds.bots.knowing.fourteen import thumb
from diamonds.cards import SHORT, bit, lowest
from diamonds.rules import fourteen

# What is counted, a column each: the own seat takes the trick on the table; ♦ won with it; ♦ taken in all; the bid kept.
THIS_TRICK, PRIZE, TAKEN, KEPT = 0, 1, 2, 3


def forget(s, me):
    """In playouts the others bid by themselves, whatever a world says they have written down."""
    if s["question"] == fourteen.BIDDING and s["bids_open"] == 0:
        for seat in range(s["seats"]):
            if seat != me:
                s["bid"][seat] = -1
                s["to_act"] |= bit(seat)


def give(s, me, candidate, log):
    """Give a candidate's answer."""
    fourteen.step(s, me, candidate, log)


def manners(plan, luck):
    """The own seat goes by its plan, the others as it comes, whoever sits there."""
    return plan, AS_IT_COMES


def go_on(s, seat, plan, numbers):
    """What a seat answers in a playout: by rules of thumb, for nothing was trained."""
    return thumb.choose(s, seat, plan)


def plans(v, me, effort):
    """There is one."""
    return effort.plans & -effort.plans


def card(v, candidate):
    """The card to play."""
    return candidate if v["question"] == fourteen.PLAY else -1


def clock(s):
    """How many tricks of the hand are over."""
    return s["tricks"].sum()


def worth(s, me, winning):
    """The margin in points (F8), a hand broken off as it stands; and something for winning where the game is over."""
    mine, others = s["totals"][me], 0
    broken_off = s["to_act"] != 0
    if broken_off:
        mine += fourteen.hand_points(s, me)
    for seat in range(s["seats"]):
        if seat != me:
            others += s["totals"][seat]
            if broken_off:
                others += fourteen.hand_points(s, seat)
    value = mine - others / (s["seats"] - 1)
    if s["over"] != 0 and fourteen.place(s, me) == 0:
        value += winning
    return value


def hear(log, s, me, counts, first):
    """Count what one answer has told; returns whether the trick on the table is still to be won."""
    for k in range(1, log[0, 0] + 1):
        what, seat = log[k, 0], log[k, 1]
        if what == fourteen.T_TRICK:
            if seat == me:
                counts[TAKEN] += log[k, 2]
                if first:
                    counts[THIS_TRICK] += 1
                    counts[PRIZE] += log[k, 2]
            first = False
        elif what == fourteen.T_SCORED and seat == me and s["scoring"] == fourteen.BID and log[k, 2] > 0:
            counts[KEPT] += 1
    return first


def shown(s):
    """Whether nothing is chosen in secret: bids may be."""
    return s["question"] == fourteen.PLAY


def kind(s, seat, answers):
    """As in crystals, cards up to the next of the suit that is in play elsewhere; but a card whose partner (F5) is in play is of a kind of its own."""
    first = lowest(answers)
    if s["question"] != fourteen.PLAY:
        return bit(first)
    elsewhere = cards_elsewhere(s, seat)
    in_play = elsewhere | s["hand"][seat]
    alike, left = 0, neighbours(first, answers, elsewhere, SHORT)
    while left != 0:
        card = lowest(left)
        left &= left - 1
        if fourteen.partners(card) & in_play & ~bit(card) == 0:
            alike |= bit(card)
        elif card == first:
            return bit(first)
    return alike
