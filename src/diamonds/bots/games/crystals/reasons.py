"""Reasons for answers in crystals, weighted by their effect in points."""

from __future__ import annotations

from diamonds.bots.games.crystals import playouts
from diamonds.bots.games.reason_kinds import (
    CHANCE_VALUE,
    FIRST_GAME_REASON,
    SUIT_VALUE,
    TRICK_REASONS,
    ReasonKind,
    add_reason,
    add_trick_reasons,
    add_void_reasons,
    percent,
)
from diamonds.cards import CLUBS, DIAMONDS, HEARTS, SPADES, bit
from diamonds.events import EventField
from diamonds.fields import NUMBER
from diamonds.rules import crystals

COUNT_VALUE = EventField("about", NUMBER)

REASON_KINDS = (
    *TRICK_REASONS,
    ReasonKind("hint-wins-action", (SUIT_VALUE,)),
    ReasonKind("hint-likely-wins-action", (SUIT_VALUE,)),
    ReasonKind("hint-diamond-at-once"),  # one for each suit, from here on
    ReasonKind("hint-heart-at-once"),
    ReasonKind("hint-spade-at-once"),
    ReasonKind("hint-club-at-once"),
    ReasonKind("hint-takes-from-fullest"),
    ReasonKind("hint-no-trick-in-reach", (CHANCE_VALUE,)),
    ReasonKind("hint-no-trick-given-up"),
    ReasonKind("hint-no-trick-at-risk"),
    ReasonKind("hint-suit-later", (SUIT_VALUE, COUNT_VALUE)),  # ♦ and ♥ share their sentences
    ReasonKind("hint-suit-less", (SUIT_VALUE,)),
    ReasonKind("hint-spade-later", (COUNT_VALUE,)),
    ReasonKind("hint-spade-less"),
    ReasonKind("hint-club-later", (COUNT_VALUE,)),
    ReasonKind("hint-club-less"),
    ReasonKind("hint-robbed-less"),
    ReasonKind("hint-robbed-more"),
    ReasonKind("hint-most", (SUIT_VALUE,)),
)
(
    R_WINS, R_LIKELY_WINS, R_AT_ONCE, _, _, _, R_FROM_FULLEST, R_NO_TRICK, R_NO_TRICK_GIVEN_UP, R_NO_TRICK_AT_RISK, R_SUIT_LATER, R_SUIT_LESS, R_SPADE_LATER, R_SPADE_LESS,
    R_CLUB_LATER, R_CLUB_LESS, R_ROBBED_LESS, R_ROBBED_MORE, R_MOST_OF_SUIT,
) = range(FIRST_GAME_REASON, len(REASON_KINDS))  # fmt: skip

SUIT_ACTION_POINTS = (2.0, 1.0, 1.0, 1.3)  # of an action, by suit
OWN_ACTION_COLUMNS = (
    playouts.COL_OWN_DIAMONDS,
    playouts.COL_OWN_HEARTS,
    playouts.COL_OWN_SPADES,
    playouts.COL_OWN_CLUBS,
)  # by suit
LATER_REASONS = (R_SUIT_LATER, R_SUIT_LATER, R_SPADE_LATER, R_CLUB_LATER)
LESS_REASONS = (R_SUIT_LESS, R_SUIT_LESS, R_SPADE_LESS, R_CLUB_LESS)
REASON_SUIT_ORDER = (CLUBS, DIAMONDS, HEARTS, SPADES)


def write_reasons(v, own_seat, candidate, counts, rival, difference, reason_rows):
    """Write the reasons for an answer; see `GameAdapter.write_reasons`."""
    hand, question, reason_count = v["hand"][own_seat], v["question"], 0
    immediate, rival_immediate = immediate_action(v, own_seat, candidate), immediate_action(v, own_seat, rival)
    if question == crystals.PLAY:
        suit, led = candidate // crystals.RANKS, v["led"]
        if led < 0 or suit == led:
            win, by = counts[playouts.COL_THIS_TRICK], difference[playouts.COL_THIS_TRICK]
            reason_count = add_trick_reasons(
                reason_rows, reason_count, win, by, R_WINS, R_LIKELY_WINS, suit if led < 0 else led
            )
        elif immediate >= 0:
            reason_count = add_reason(
                reason_rows, reason_count, SUIT_ACTION_POINTS[immediate], R_AT_ONCE + immediate, 0, 0
            )
        reason_count = add_void_reasons(reason_rows, reason_count, hand, bit(candidate), crystals.RANKS)
    elif question == crystals.PASS:
        reason_count = add_void_reasons(reason_rows, reason_count, hand, candidate, crystals.RANKS)
    elif question == crystals.VICTIM and has_fullest_showroom(v, own_seat, candidate):
        reason_count = add_reason(reason_rows, reason_count, 0.5, R_FROM_FULLEST, 0, 0)
    if v["tricks"][own_seat] == 0:
        chance, change = counts[playouts.COL_NO_TRICK], difference[playouts.COL_NO_TRICK]
        if change >= 0.08:
            reason_count = add_reason(reason_rows, reason_count, 4 * change, R_NO_TRICK, percent(chance), 0)
        elif change <= -0.08:
            reason_count = add_reason(
                reason_rows, reason_count, 4 * change, R_NO_TRICK_GIVEN_UP if chance < 0.1 else R_NO_TRICK_AT_RISK, 0, 0
            )
    for suit in REASON_SUIT_ORDER:  # later actions, beyond the immediate one
        at_hand = 1 if immediate == suit else 0
        change = difference[OWN_ACTION_COLUMNS[suit]] - at_hand + (1 if rival_immediate == suit else 0)
        names_suit = LATER_REASONS[suit] == R_SUIT_LATER
        if change >= 0.2:
            how_many = rounded_count(counts[OWN_ACTION_COLUMNS[suit]] - at_hand)
            first, second = (suit, how_many) if names_suit else (how_many, 0)
            reason_count = add_reason(
                reason_rows, reason_count, SUIT_ACTION_POINTS[suit] * change, LATER_REASONS[suit], first, second
            )
        elif change <= -0.35:
            reason_count = add_reason(
                reason_rows,
                reason_count,
                0.6 * SUIT_ACTION_POINTS[suit] * change,
                LESS_REASONS[suit],
                suit if names_suit else 0,
                0,
            )
    robbed = difference[playouts.COL_CRYSTALS_LOST]
    if robbed <= -0.15:
        reason_count = add_reason(reason_rows, reason_count, -robbed, R_ROBBED_LESS, 0, 0)
    elif robbed >= 0.15:
        reason_count = add_reason(reason_rows, reason_count, -0.6 * robbed, R_ROBBED_MORE, 0, 0)
    for suit in range(4):
        change = difference[playouts.COL_MOST_OF_SUIT + suit]
        if change >= 0.12:
            reason_count = add_reason(
                reason_rows, reason_count, (2.0 if suit == DIAMONDS else 1.0) * change, R_MOST_OF_SUIT, suit, 0
            )
    return reason_count


def has_fullest_showroom(v, own_seat, victim):
    """Return whether no other team than the player's has more on show than the victim."""
    own, fuller = crystals.team(v, own_seat), 0
    for other in range(v["seats"]):
        team = crystals.team(v, other)
        if team != own and v["showroom"][team] > v["showroom"][victim]:
            fuller += 1
    return fuller == 0


def immediate_action(v, own_seat, candidate):
    """C12: return the suit whose action a card thrown on another suit takes immediately, if a crystal can move; else −1."""
    suit, own = candidate // crystals.RANKS, crystals.team(v, own_seat)
    if v["question"] != crystals.PLAY or v["led"] < 0 or suit == v["led"]:
        return -1
    if suit == CLUBS:
        moves = thief_can_take(v, own) if v["thief"] != 0 else crystals.victims(v, own_seat) != 0
    elif suit == SPADES:
        moves = v["showroom"][own] > 0
    else:
        moves = v["supply"] > 0
    return suit if moves else -1


def thief_can_take(v, own):
    """C25: return whether the thief's holder has something to take."""
    holder = crystals.team(v, v["thief_at"])
    return holder != own and v["showroom"][holder] > 0


def rounded_count(number):
    """Return a rounded number, at least one."""
    return round(number) if number >= 1.5 else 1
