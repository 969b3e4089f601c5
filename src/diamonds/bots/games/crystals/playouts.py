"""Playouts of crystals to the end of the round: policy, value and event counts."""

import numpy as np

from diamonds.bots.games.adapter import NO_PLAN, TRAINED_PLAN
from diamonds.bots.games.crystals import heuristics, trained_policy
from diamonds.bots.games.equivalence import cards_in_play_elsewhere, equivalent_run, hash_mix
from diamonds.cards import LONG_PACK_RANKS, bit, lowest
from diamonds.rules import crystals

# Columns of counts: the trick on the table won; the player's actions by suit; crystals lost to ♣; rounds without a
# trick; most cards of a suit taken (`COL_MOST_OF_SUIT` + suit); the actions that others take by discarding on the
# trick on the table; and the winner of that trick (`COL_WINNER` + seat).
(
    COL_THIS_TRICK,
    COL_OWN_DIAMONDS,
    COL_OWN_HEARTS,
    COL_OWN_SPADES,
    COL_OWN_CLUBS,
    COL_CRYSTALS_LOST,
    COL_NO_TRICK,
    COL_MOST_OF_SUIT,
    COL_OTHERS_ACT,
    COL_WINNER,
) = 0, 1, 2, 3, 4, 5, 6, 7, 11, 12

TRAINED_OPPONENT_PERMILLE = 500  # in this share of worlds the others play by the trained policy as well


def clear_secret_choices(s, own_seat):
    """Clear the others' choice of cards to pass, so that playouts choose again."""
    if s["question"] == crystals.PASS:
        for seat in range(s["seats"]):
            if seat != own_seat:
                s["chosen"][seat] = 0
                s["to_act"] |= bit(seat)


def apply_candidate(s, own_seat, candidate, log):
    """Give a candidate's answer, or name all the cards of a set to pass; record no events."""
    if s["question"] == crystals.PASS:
        candidate &= ~s["chosen"][own_seat]
        while candidate != 0:
            card = lowest(candidate)
            candidate &= candidate - 1
            crystals.step(s, own_seat, card, None)
    else:
        crystals.step(s, own_seat, candidate, log)


def playout_styles(plan, style_draw, luck):
    """Return the player's plan and the others' plan.

    The others follow rules of thumb. If the player follows the trained policy, they do so too in half of the worlds.
    """
    return plan, TRAINED_PLAN if style_draw < TRAINED_OPPONENT_PERMILLE and plan == TRAINED_PLAN else NO_PLAN


def playout_answer(s, seat, plan, weights):
    """Return a seat's answer in a playout: by a rule-of-thumb plan, or by the trained policy."""
    return (
        trained_policy.trained_answer(s, seat, weights)
        if plan == TRAINED_PLAN
        else heuristics.heuristic_answer(s, seat, plan)
    )


def turns_played(s):
    """Return the number of finished tricks in the round."""
    return s["tricks"].sum()


def value(s, own_seat, win_bonus):
    """Return the margin in points (C21), plus the bonus if the game is won."""
    own_score, others, rivals = crystals.score(s, own_seat), 0, 0
    for seat in range(s["seats"]):
        if crystals.team(s, seat) != crystals.team(s, own_seat):
            others += crystals.score(s, seat)
            rivals += 1
    value = own_score - others / rivals
    if s["over"] != 0 and crystals.seats_ahead(s, own_seat) == 0:
        value += win_bonus
    return value


def count_events(log, s, own_seat, counts, trick_open):
    """Count the events of one answer; return whether the trick on the table is still undecided."""
    team = crystals.team(s, own_seat)
    for k in range(1, log[0, 0] + 1):
        kind, seat = log[k, 0], log[k, 1]
        if kind == crystals.EV_TRICK:
            if trick_open:
                counts[COL_WINNER + seat] += 1
                if seat == own_seat:
                    counts[COL_THIS_TRICK] += 1
            trick_open = False
        elif kind == crystals.EV_NO_TRICK:
            if seat == own_seat:
                counts[COL_NO_TRICK] += 1
        elif kind >= crystals.EV_DIAMOND and kind <= crystals.EV_CLUB:
            if crystals.team(s, seat) == team:
                counts[COL_OWN_DIAMONDS + kind - crystals.EV_DIAMOND] += 1
            else:
                if kind == crystals.EV_CLUB and crystals.team(s, log[k, 3]) == team:
                    counts[COL_CRYSTALS_LOST] += 1
                if trick_open:
                    counts[COL_OTHERS_ACT] += 1
        elif kind == crystals.EV_MOST and crystals.team(s, seat) == team:
            counts[COL_MOST_OF_SUIT + log[k, 2]] += 1
    return trick_open


def has_no_secret_choice(s):
    """Return whether the open question involves no secret choice; only passing involves one."""
    return s["question"] == crystals.PLAY or s["question"] == crystals.VICTIM


def equivalence_class(s, seat, answers):
    """Return the lowest answer and its equivalents: cards of its suit up to the next one in play elsewhere."""
    first = lowest(answers)
    if s["question"] != crystals.PLAY:
        return bit(first)
    return equivalent_run(first, answers, cards_in_play_elsewhere(s, seat), LONG_PACK_RANKS)


def position_key(s):
    """Return a hash of everything that the rest of a round depends on if the next card leads a trick, else 0.

    Two positions have the same hash by chance about once in 10¹⁹ pairs.
    """
    if s["trick_size"] != 0 or s["question"] != crystals.PLAY:
        return np.uint64(0)
    hashed = hash_mix(hash_mix(np.uint64(s["leader"]), s["supply"]), s["thief_at"])
    for seat in range(s["seats"]):
        hashed = hash_mix(hashed, s["hand"][seat])
        hashed = hash_mix(hashed, s["vault"][seat] << 16 | s["showroom"][seat] << 1 | (s["tricks"][seat] != 0))
        taken = 0
        for suit in range(4):
            taken = taken << 8 | s["taken"][seat, suit]
        hashed = hash_mix(hashed, taken)
    return hashed
