"""The trained policy for playing cards in crystals: a card's value is a sum of table entries.

A search plays its own seat by this policy in playouts (`diamonds.bots.search.search`); the other seats follow rules of
thumb. Like those (`heuristics`) it looks at the player's hand, counts the cards played, knows nothing hidden, and is
plain Python on a row that `jit` compiles. The features have the same meaning for any number of seats: how many unseen
cards are higher, how many seats follow, who is void in the suit, and who has taken most of it.

The weights, in hundredths of a point, are in ``trained_policy.npy``, a row for each of `TABLE_KINDS`;
``trained_policy.md`` beside it says how they were made, and `diamonds.lab.train` trains them.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from diamonds.bots.games.adapter import NO_PLAN
from diamonds.bots.games.crystals import heuristics
from diamonds.cards import LONG_PACK_RANKS, bit, count, lowest, suit_cards
from diamonds.rules import crystals

WEIGHTS_FILE = Path(__file__).with_name("trained_policy.npy")
# Seats, and whether there are partners. Perfect games and games with the thief share weights.
TABLE_KINDS = ((2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (4, 1), (6, 1))

# Ways to play a card: leading, below the winning card, above it with seats to come, above it as last seat, on another
# suit.
MODE_LEAD, MODE_BELOW, MODE_ABOVE, MODE_SURE_WIN, MODE_DISCARD = 0, 1, 2, 3, 4
PLAY_MODES = 5 * 4  # combinations of a mode and a suit
PHASE_COUNT = 7  # by cards left in hand: 1, 2, 3, 4, 5–6, 7–8, more

# The first index of each table; `feature_indices` defines their features.
HIGHER_OFFSET = 0
LENGTH_OFFSET = HIGHER_OFFSET + PLAY_MODES * 8 * PHASE_COUNT * 2
MAJORITY_OFFSET = LENGTH_OFFSET + PLAY_MODES * 6 * 6 * 2
SHOWROOM_OFFSET = MAJORITY_OFFSET + PLAY_MODES * 7 * PHASE_COUNT
TO_COME_OFFSET = SHOWROOM_OFFSET + PLAY_MODES * 4 * PHASE_COUNT
HELD_OFFSET = TO_COME_OFFSET + PLAY_MODES * 8 * 4 * 2
VOID_RIVALS_OFFSET = HELD_OFFSET + PLAY_MODES * 5 * 5 * 2
DANGER_OFFSET = VOID_RIVALS_OFFSET + PLAY_MODES * 4 * 6 * 2
UNSEEN_OFFSET = DANGER_OFFSET + 5 * 8 * 5 * PHASE_COUNT
WEIGHT_COUNT = UNSEEN_OFFSET + PLAY_MODES * 6 * 6 * 4
FEATURE_TABLES = 9


def trained_answer(s, seat, weights):
    """Return an answer to any question: for cards by the weights, otherwise by rules of thumb."""
    if s["question"] != crystals.PLAY:
        return heuristics.heuristic_answer(s, seat, NO_PLAN)
    legal = crystals.playable(s, seat)
    if legal & (legal - 1) == 0:
        return lowest(legal)
    context = trick_context(s, seat)
    best, best_worth = lowest(legal), card_value(s, seat, lowest(legal), context, weights)
    left = legal & (legal - 1)
    while left != 0:
        card = lowest(left)
        left &= left - 1
        worth = card_value(s, seat, card, context, weights)
        if worth > best_worth:
            best, best_worth = card, worth
    return best


def card_value(s, seat, card, context, weights):
    """Return the value of playing a card, relative to the other cards in hand."""
    indices = feature_indices(s, seat, card, context)
    worth = weights[indices[0]]
    for k in range(1, FEATURE_TABLES):
        worth = worth + weights[indices[k]]
    return worth


def trick_context(s, seat):
    """Return the features common to all cards: the unseen cards, the winning card, the phase and so on.

    The second to last is the danger of taking a trick (C20): 0 for a seat that has a trick, else one more than the
    number of its cards that beat most of the unseen ones, at most 7.
    """
    hand, led = s["hand"][seat], s["led"]
    unseen = heuristics.unseen_cards(s, seat)
    own = crystals.team(s, seat)
    top, holder = -1, -1
    for k in range(s["trick_size"]):
        card = s["trick"][k]
        if card // LONG_PACK_RANKS == led and card > top:
            top, holder = card, crystals.whose_turn(s, k)
    partner = 1 if holder >= 0 and crystals.team(s, holder) == own else 0
    left = count(hand)
    phase = left - 1 if left <= 4 else 4 if left <= 6 else 5 if left <= 8 else 6
    danger = 0
    if s["tricks"][seat] == 0:
        rest = hand
        while rest != 0:
            card = lowest(rest)
            rest &= rest - 1
            a_suit = unseen & suit_cards(card // LONG_PACK_RANKS, LONG_PACK_RANKS)
            if count(a_suit & (bit(card) - 1)) > count(a_suit & ~((bit(card) << 1) - 1)):
                danger += 1
        danger = 1 + min(danger, 6)
    return hand, unseen, top, partner, phase, min(s["showroom"][own], 3), danger, own


def feature_indices(s, seat, card, context):
    """Return the indices of a card's weights."""
    hand, unseen, top, partner, phase, show, danger, own = context
    led, size = s["led"], s["trick_size"]
    suit = card // LONG_PACK_RANKS
    above = ~((bit(card) << 1) - 1)
    unseen_here = unseen & suit_cards(suit, LONG_PACK_RANKS)
    mine = hand & suit_cards(suit, LONG_PACK_RANKS)
    higher = count(unseen_here & above)
    trickless = 1 if danger > 0 else 0  # 1 while the seat has no trick

    to_come = 0  # seats that may still hold the suit
    mode = MODE_DISCARD
    if led < 0 or suit == led:
        for k in range(size + 1, crystals.trick_length(s)):
            other = crystals.whose_turn(s, k)
            if other != seat and s["void"][other] >> suit & 1 == 0:
                to_come += 1
        to_come = min(to_come, 3)
        mode = (
            MODE_LEAD
            if led < 0
            else MODE_BELOW
            if card < top
            else MODE_SURE_WIN
            if to_come == 0 or higher == 0
            else MODE_ABOVE
        )
    out, max_taken = 0, 0  # rivals void in the suit, and the most cards of it that a rival team has taken
    for other in range(s["seats"]):
        if crystals.team(s, other) != own:
            out += s["void"][other] >> suit & 1
            max_taken = max(max_taken, s["taken"][crystals.team(s, other), suit])
    ahead = max(-3, min(3, s["taken"][own, suit] - max_taken)) + 3

    number = count(unseen_here)
    unseen_band = (
        0 if number == 0 else 1 if number <= 2 else 2 if number <= 4 else 3 if number <= 6 else 4 if number <= 9 else 5
    )
    length = min(count(mine), 6) - 1
    suit_mode = mode * 4 + suit
    seven, five, four = min(higher, 7), min(higher, 5), min(higher, 4)
    beside = (min(size, 3) * 2 + partner) if mode == MODE_BELOW else to_come * 2 + trickless
    return (
        HIGHER_OFFSET + ((suit_mode * 8 + seven) * PHASE_COUNT + phase) * 2 + trickless,
        LENGTH_OFFSET + ((suit_mode * 6 + length) * 6 + unseen_band) * 2 + trickless,
        MAJORITY_OFFSET + (suit_mode * 7 + ahead) * PHASE_COUNT + phase,
        SHOWROOM_OFFSET + (suit_mode * 4 + show) * PHASE_COUNT + phase,
        TO_COME_OFFSET + (suit_mode * 8 + seven) * 8 + beside,
        HELD_OFFSET
        + ((suit_mode * 5 + min(count(mine & (bit(card) - 1)), 4)) * 5 + min(count(mine & above), 4)) * 2
        + trickless,
        VOID_RIVALS_OFFSET + ((suit_mode * 4 + min(out, 3)) * 6 + length) * 2 + trickless,
        DANGER_OFFSET + ((mode * 8 + danger) * 5 + four) * PHASE_COUNT + phase,
        UNSEEN_OFFSET + ((suit_mode * 6 + unseen_band) * 6 + five) * 4 + to_come,
    )


@lru_cache(maxsize=1)
def load_weights() -> np.ndarray[Any, np.dtype[np.int16]]:
    """Return the weights, a row for each of `TABLE_KINDS`."""
    return np.load(WEIGHTS_FILE)  # type: ignore[no-any-return]


def table_kind(s):
    """Return the row of the weights for this kind of table."""
    for k in range(len(TABLE_KINDS)):
        if TABLE_KINDS[k][0] == s["seats"] and TABLE_KINDS[k][1] == s["partnership"]:
            return k
    return -1
