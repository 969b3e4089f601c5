"""Playouts of fourteen, to the end of the hand: their policy, their value, and the events counted."""

from diamonds.bots.games.adapter import NO_PLAN
from diamonds.bots.games.equivalence import cards_in_play_elsewhere, equivalent_run
from diamonds.bots.games.fourteen import heuristics
from diamonds.cards import SHORT_PACK_RANKS, bit, lowest
from diamonds.rules import fourteen

# Columns of counts: the trick on the table won; ♦ won with it; ♦ taken in all; the bid kept.
COL_THIS_TRICK, COL_PRIZE, COL_TAKEN, COL_BID_KEPT = 0, 1, 2, 3


def clear_secret_choices(s, own_seat):
    """Let the others bid in playouts, whatever they have written down in a world."""
    if s["question"] == fourteen.BIDDING and s["bids_open"] == 0:
        for seat in range(s["seats"]):
            if seat != own_seat:
                s["bid"][seat] = -1
                s["to_act"] |= bit(seat)


def apply_candidate(s, own_seat, candidate, log):
    """Give a candidate's answer."""
    fourteen.step(s, own_seat, candidate, log)


def playout_styles(plan, style_draw):
    """Return the player's plan and no plan for the others."""
    return plan, NO_PLAN


def playout_answer(s, seat, plan, weights):
    """Return a seat's answer in a playout, by rules of thumb; there are no trained weights."""
    return heuristics.heuristic_answer(s, seat, plan)


def plans(v, own_seat, params):
    """Return the only plan."""
    return params.plans & -params.plans


def card_of(v, candidate):
    """Return the card to play."""
    return candidate if v["question"] == fourteen.PLAY else -1


def turns_played(s):
    """Return the number of finished tricks in the hand."""
    return s["tricks"].sum()


def value(s, own_seat, win_bonus):
    """Return the margin in points (F8), of an unfinished hand as it stands, plus the bonus for winning where the game is over."""
    own_score, others = s["totals"][own_seat], 0
    broken_off = s["to_act"] != 0
    if broken_off:
        own_score += fourteen.hand_points(s, own_seat)
    for seat in range(s["seats"]):
        if seat != own_seat:
            others += s["totals"][seat]
            if broken_off:
                others += fourteen.hand_points(s, seat)
    value = own_score - others / (s["seats"] - 1)
    if s["over"] != 0 and fourteen.seats_ahead(s, own_seat) == 0:
        value += win_bonus
    return value


def count_events(log, s, own_seat, counts, trick_open):
    """Count the events of one answer; return whether the trick on the table is still undecided."""
    for k in range(1, log[0, 0] + 1):
        kind, seat = log[k, 0], log[k, 1]
        if kind == fourteen.EV_TRICK:
            if seat == own_seat:
                counts[COL_TAKEN] += log[k, 2]
                if trick_open:
                    counts[COL_THIS_TRICK] += 1
                    counts[COL_PRIZE] += log[k, 2]
            trick_open = False
        elif kind == fourteen.EV_SCORED and seat == own_seat and s["scoring"] == fourteen.BID and log[k, 2] > 0:
            counts[COL_BID_KEPT] += 1
    return trick_open


def has_no_secret_choice(s):
    """Return whether the open question involves no secret choices, as bidding may."""
    return s["question"] == fourteen.PLAY


def equivalence_class(s, seat, answers):
    """Return the lowest answer and those equivalent to it.

    As in crystals, these are the cards of its suit up to the next that is in play elsewhere; but a card whose partner
    (F5) is in play is equivalent to no other.
    """
    first = lowest(answers)
    if s["question"] != fourteen.PLAY:
        return bit(first)
    elsewhere = cards_in_play_elsewhere(s, seat)
    in_play = elsewhere | s["hand"][seat]
    equivalent, left = 0, equivalent_run(first, answers, elsewhere, SHORT_PACK_RANKS)
    while left != 0:
        card = lowest(left)
        left &= left - 1
        if fourteen.partners(card) & in_play & ~bit(card) == 0:
            equivalent |= bit(card)
        elif card == first:
            return bit(first)
    return equivalent
