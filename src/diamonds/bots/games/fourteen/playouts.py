"""Playouts of fourteen to the end of the hand: policy, value and event counts."""

import numpy as np

from diamonds.bots.games.adapter import NO_PLAN, TRAINED_PLAN
from diamonds.bots.games.equivalence import cards_in_play_elsewhere, equivalent_run
from diamonds.bots.games.fourteen import heuristics, policy_network
from diamonds.cards import DIAMONDS, SHORT_PACK_RANKS, bit, lowest
from diamonds.rules import fourteen

# Columns of counts: the trick on the table won, and the ♦ won with it; all ♦ taken; the bid kept;
# the player's own ♦ won by others; the last trick won; for each suit of the winning card, the ♦ won in later tricks
# (`COL_WON_LATER` + suit); the suit of the trick on the table changed by the next card, or by any later one; and the
# winner of that trick (`COL_WINNER` + seat).
COL_THIS_TRICK, COL_PRIZE, COL_TAKEN, COL_BID_KEPT, COL_LOST, COL_LAST_TRICK, COL_WON_LATER = 0, 1, 2, 3, 4, 5, 6
COL_TURNED_NEXT, COL_TURNED, COL_WINNER = 10, 11, 12

NETWORK_OPPONENT_PERMILLE = 500  # in this share of worlds the others play by the network as well
NETWORK_WORLDS_PERMILLE = 183  # share of the worlds that a search without the network tries in the same time
NETWORK_POINTS = 0.2  # head start in points of a card that the network plays e times as often
MAX_SUM_DIFFERENCE = 6 * policy_network.SUM_SCALE  # in the network's sums; larger differences are capped


def clear_secret_choices(s, own_seat):
    """Clear the others' sealed bids, so that playouts bid again."""
    if s["question"] == fourteen.BIDDING and s["bids_open"] == 0:
        for seat in range(s["seats"]):
            if seat != own_seat:
                s["bid"][seat] = -1
                s["to_act"] |= bit(seat)


def apply_candidate(s, own_seat, candidate, log):
    """Give a candidate's answer."""
    fourteen.step(s, own_seat, candidate, log)


def playout_styles(plan, style_draw, luck):
    """Return the player's style and the others': each is a plan and the ``luck`` of `policy_network.network_answer`.

    The others follow rules of thumb. If the player follows the network, they do so too in some worlds
    (`NETWORK_OPPONENT_PERMILLE`), and draw each card with the network's probability.
    """
    if plan == TRAINED_PLAN and style_draw < NETWORK_OPPONENT_PERMILLE:
        return (plan, -1), (TRAINED_PLAN, luck)
    return (plan, -1), (NO_PLAN, -1)


def random_permille(style, usual_permille):
    """Return the usual share of random answers; 0 where the others play by the network, which is random itself."""
    return 0 if style[0] == TRAINED_PLAN else usual_permille


def playout_answer(s, seat, style, memory):
    """Return a seat's answer in a playout: by rules of thumb, or by the network."""
    plan, luck = style
    if plan == TRAINED_PLAN:
        return policy_network.network_answer(s, seat, luck, memory)
    return heuristics.heuristic_answer(s, seat, plan)


def heuristic_playout_answer(s, seat, style, memory):
    """Return a seat's answer in a playout of a review: by rules of thumb."""
    return heuristics.heuristic_answer(s, seat, NO_PLAN)


def write_prior(v, own_seat, plans, candidates, memory, prior):
    """Write how many points each card is behind the network's best; return whether the network is used."""
    if plans != bit(TRAINED_PLAN) or v["question"] != fourteen.PLAY:
        return False
    policy_network.write_sums(v, own_seat, candidates, memory, prior)
    best = -np.inf
    for k in range(len(candidates)):
        best = max(best, prior[k])
    for k in range(len(candidates)):
        prior[k] = -min(best - prior[k], MAX_SUM_DIFFERENCE) * (NETWORK_POINTS / policy_network.SUM_SCALE)
    return True


def plans(v, own_seat, params):
    """Return the network as the only plan if it is wanted and used here, otherwise rules of thumb."""
    return bit(TRAINED_PLAN) if params.plans >> TRAINED_PLAN & 1 != 0 and uses_network(v) else bit(NO_PLAN)


def uses_network(v):
    """Return whether level 5 uses the network at this kind of table: where it proved stronger (docs/lab.md)."""
    return v["seats"] >= 3 and v["scoring"] == fourteen.POINTS and v["match"] == fourteen.LAST


def max_worlds(plans, params):
    """Return fewer worlds, rounded up, if the playouts use the slower network."""
    if plans == bit(TRAINED_PLAN):
        return (params.max_worlds * NETWORK_WORLDS_PERMILLE + 999) // 1000
    return params.max_worlds


def card_of(v, candidate):
    """Return the card to play."""
    return candidate if v["question"] == fourteen.PLAY else -1


def turns_played(s):
    """Return the number of finished tricks in the hand."""
    return s["tricks"].sum()


def value(s, own_seat, win_bonus):
    """Return the margin in points (F8), of an unfinished hand as it stands, plus the bonus if the game is won."""
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
        if kind == fourteen.EV_TURNED and trick_open and seat != own_seat:
            counts[COL_TURNED] += 1
            if seat == (own_seat + 1) % s["seats"]:
                counts[COL_TURNED_NEXT] += 1
        if kind == fourteen.EV_TRICK:
            if trick_open:
                counts[COL_WINNER + seat] += 1
            if seat == own_seat:
                counts[COL_TAKEN] += log[k, 2]
                if trick_open:
                    counts[COL_THIS_TRICK] += 1
                    counts[COL_PRIZE] += log[k, 2]
                else:
                    counts[COL_WON_LATER + own_card_of_last_trick(s, own_seat) // fourteen.RANKS] += log[k, 2]
                if s["hand"][own_seat] == 0:
                    counts[COL_LAST_TRICK] += 1
            elif own_card_of_last_trick(s, own_seat) // fourteen.RANKS == DIAMONDS:
                counts[COL_LOST] += 1
            trick_open = False
        elif kind == fourteen.EV_SCORED and seat == own_seat and s["scoring"] == fourteen.BID and log[k, 2] > 0:
            counts[COL_BID_KEPT] += 1
    return trick_open


def own_card_of_last_trick(s, own_seat):
    """Return the player's card of the previous trick."""
    return s["last_trick"][(own_seat - s["last_leader"]) % s["seats"]]


def has_no_secret_choice(s):
    """Return whether the open question involves no secret choice; only bidding may involve one."""
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
