"""What the cards of crystals are worth: which one to play, by adding up a few numbers looked up in tables.

A search plays its own seat on by this policy (`diamonds.bots.thinking.search`); the other seats go by rules of thumb. Like those
(`thumb`) it looks at the own hand and counts what was played, knows nothing hidden, and is plain Python on a
row that `jit` compiles. What a card is looked up by are numbers that mean the same for any number of seats: how many unseen
cards are higher, how many follow, who is out of the suit, who has taken most of it.

The numbers themselves, hundredths of a point, are in ``values.npy``, a row for each of `KINDS`; ``values.md`` beside it says
how they were trained, and `diamonds.lab.train` trains them.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from diamonds.bots.knowing.contract import AS_IT_COMES
from diamonds.bots.knowing.crystals import thumb
from diamonds.cards import LONG, bit, count, lowest, suit_cards
from diamonds.rules import crystals

FILE = Path(__file__).with_name("values.npy")
# Numbers are kept for so many seats, with partners or without. Perfect games and the thief share them.
KINDS = ((2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (4, 1), (6, 1))

# How a card would be played: to lead, below the card that is winning, above it with others to come, above it for good, off suit.
LEAD, BELOW, ABOVE, SURE, THROWN = 0, 1, 2, 3, 4
MANNERS = 5 * 4  # each with each suit
PHASES = 7  # by cards left in hand: 1, 2, 3, 4, 5–6, 7–8, more

# Where each table begins: what it is looked up by is in `marks_of`.
HIGHER = 0
LENGTH = HIGHER + MANNERS * 8 * PHASES * 2
MAJORITY = LENGTH + MANNERS * 6 * 6 * 2
SHOW = MAJORITY + MANNERS * 7 * PHASES
TO_COME = SHOW + MANNERS * 4 * PHASES
HELD = TO_COME + MANNERS * 8 * 4 * 2
OUT = HELD + MANNERS * 5 * 5 * 2
DANGER = OUT + MANNERS * 4 * 6 * 2
UNSEEN = DANGER + 5 * 8 * 5 * PHASES
NUMBERS = UNSEEN + MANNERS * 6 * 6 * 4
TABLES = 9


def choose(s, seat, numbers):
    """An answer to any question of crystals: cards by the numbers, everything else by rules of thumb."""
    if s["question"] != crystals.PLAY:
        return thumb.choose(s, seat, AS_IT_COMES)
    legal = crystals.playable(s, seat)
    if legal & (legal - 1) == 0:
        return lowest(legal)
    around = look_around(s, seat)
    best, best_worth = lowest(legal), worth_of(s, seat, lowest(legal), around, numbers)
    left = legal & (legal - 1)
    while left != 0:
        card = lowest(left)
        left &= left - 1
        worth = worth_of(s, seat, card, around, numbers)
        if worth > best_worth:
            best, best_worth = card, worth
    return best


def worth_of(s, seat, card, around, numbers):
    """What a card is worth to play, against the others in hand."""
    marks = marks_of(s, seat, card, around)
    worth = numbers[marks[0]]
    for k in range(1, TABLES):
        worth = worth + numbers[marks[k]]
    return worth


def look_around(s, seat):
    """What is the same for all cards: the unseen cards, the winning card, the phase, and the danger of taking a trick (C20).

    The danger is 0 for who has a trick, else one more than the number of cards in hand that beat most of the unseen ones.
    """
    hand, led = s["hand"][seat], s["led"]
    unseen = thumb.unseen_by(s, seat)
    own = crystals.team(s, seat)
    top, holder = -1, -1
    for k in range(s["trick_size"]):
        card = s["trick"][k]
        if card // LONG == led and card > top:
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
            a_suit = unseen & suit_cards(card // LONG, LONG)
            if count(a_suit & (bit(card) - 1)) > count(a_suit & ~((bit(card) << 1) - 1)):
                danger += 1
        danger = 1 + min(danger, 6)
    return hand, unseen, top, partner, phase, min(s["showroom"][own], 3), danger, own


def marks_of(s, seat, card, around):
    """The places in the tables where a card's numbers are."""
    hand, unseen, top, partner, phase, show, danger, own = around
    led, size = s["led"], s["trick_size"]
    suit = card // LONG
    above = ~((bit(card) << 1) - 1)
    unseen_here = unseen & suit_cards(suit, LONG)
    mine = hand & suit_cards(suit, LONG)
    higher = count(unseen_here & above)
    without = 1 if danger > 0 else 0  # a trick, so far

    to_come = 0  # players who may still hold the suit
    how = THROWN
    if led < 0 or suit == led:
        for k in range(size + 1, crystals.trick_length(s)):
            other = crystals.whose_turn(s, k)
            if other != seat and s["void"][other] >> suit & 1 == 0:
                to_come += 1
        to_come = min(to_come, 3)
        how = LEAD if led < 0 else BELOW if card < top else SURE if to_come == 0 or higher == 0 else ABOVE
    out, most = 0, 0  # rivals out of the suit, and the most that one of them has taken of it
    for other in range(s["seats"]):
        if crystals.team(s, other) != own:
            out += s["void"][other] >> suit & 1
            most = max(most, s["taken"][crystals.team(s, other), suit])
    ahead = max(-3, min(3, s["taken"][own, suit] - most)) + 3

    number = count(unseen_here)
    many = (
        0 if number == 0 else 1 if number <= 2 else 2 if number <= 4 else 3 if number <= 6 else 4 if number <= 9 else 5
    )
    length = min(count(mine), 6) - 1
    manner = how * 4 + suit
    seven, five, four = min(higher, 7), min(higher, 5), min(higher, 4)
    beside = (min(size, 3) * 2 + partner) if how == BELOW else to_come * 2 + without
    return (
        HIGHER + ((manner * 8 + seven) * PHASES + phase) * 2 + without,
        LENGTH + ((manner * 6 + length) * 6 + many) * 2 + without,
        MAJORITY + (manner * 7 + ahead) * PHASES + phase,
        SHOW + (manner * 4 + show) * PHASES + phase,
        TO_COME + (manner * 8 + seven) * 8 + beside,
        HELD + ((manner * 5 + min(count(mine & (bit(card) - 1)), 4)) * 5 + min(count(mine & above), 4)) * 2 + without,
        OUT + ((manner * 4 + min(out, 3)) * 6 + length) * 2 + without,
        DANGER + ((how * 8 + danger) * 5 + four) * PHASES + phase,
        UNSEEN + ((manner * 6 + many) * 6 + five) * 4 + to_come,
    )


@lru_cache(maxsize=1)
def values() -> np.ndarray[Any, np.dtype[np.int16]]:
    """The numbers, a row for each of `KINDS`."""
    return np.load(FILE)  # type: ignore[no-any-return]


def table(s):
    """Which row of the numbers is for tables of crystals like this one."""
    for k in range(len(KINDS)):
        if KINDS[k][0] == s["seats"] and KINDS[k][1] == s["partnership"]:
            return k
    return -1
