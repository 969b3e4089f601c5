"""Reasons for and against answers: each has a message, and its effect in points as a weight, negative for a drawback.

The possible reasons are declared (`ReasonKind`), and the reasons that apply are written as numbers, so that kernels can
find them. A row has a weight, the number of the reason, up to two values, and whether it is a *contrast*: a separate
sentence about the rival, such as “♦15 can wait”. Contrasts are only for rivals that the player thinks of: the card
played, or the obvious one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from diamonds.cards import bit, count, highest, lowest, suit_cards
from diamonds.events import EventField
from diamonds.fields import CARD, MAX_SEATS, NUMBER, SEAT, SUIT

MIN_REASON_WEIGHT = 0.15  # reasons that weigh less are not shown
MAX_REASONS = 24  # reasons for one answer
REASON_COLUMNS = 5  # numbers in a row of reasons
MAX_REASON_VALUES = 2  # values in one reason's message

CountArray = np.ndarray[Any, np.dtype[np.float64]]


class ReasonKind(NamedTuple):
    """A possible reason: the id of its message, and the values of that message."""

    id: str
    values: tuple[EventField, ...] = ()


SUIT_VALUE, CHANCE_VALUE, CARD_VALUE = EventField("suit", SUIT), EventField("chance", NUMBER), EventField("card", CARD)
SEAT_VALUE = EventField("seat", SEAT)

# Reasons common to all trick games; a game's own reasons come after these. A card in a reason is the rival's.
TRICK_REASONS = (
    ReasonKind("hint-wins-more", (CARD_VALUE,)),
    ReasonKind("hint-seldom-wins", (CHANCE_VALUE,)),
    ReasonKind("hint-wins-less-often", (CHANCE_VALUE,)),
    ReasonKind("hint-highest-left", (SUIT_VALUE,)),
    ReasonKind("hint-saves", (CARD_VALUE,)),
    ReasonKind("hint-saves-highest", (CARD_VALUE, SUIT_VALUE)),
    ReasonKind("hint-saves-higher", (CARD_VALUE,)),
    ReasonKind("hint-spends-highest", (SUIT_VALUE,)),
    ReasonKind("hint-not-against", (CARD_VALUE, SEAT_VALUE)),
)
(
    R_WINS_MORE, R_SELDOM_WINS, R_WINS_LESS_OFTEN, R_HIGHEST_LEFT, R_SAVES, R_SAVES_HIGHEST, R_SAVES_HIGHER, R_SPENDS_HIGHEST,
    R_LOSES_TO,
) = range(len(TRICK_REASONS))  # fmt: skip
FIRST_GAME_REASON = len(TRICK_REASONS)  # number of the first game-specific reason
HIGH_RANKS = 5  # this many of the highest ranks are worth saving
LIKELY_WINNER_SHARE = 0.6  # a player who wins this share of the tricks is named


def add_reason(reason_rows, reason_count, weight, reason, value, other):
    """Append a reason; return the new number of reasons."""
    reason_rows[reason_count, 0] = weight
    reason_rows[reason_count, 1] = reason
    reason_rows[reason_count, 2] = value
    reason_rows[reason_count, 3] = other
    return reason_count + 1


def add_contrast(reason_rows, reason_count, weight, reason, value, other):
    """Append a reason that says what is wrong with the rival; return the new number of reasons."""
    reason_rows[reason_count, REASON_COLUMNS - 1] = 1.0
    return add_reason(reason_rows, reason_count, weight, reason, value, other)


def likely_winner(counts, difference, winner_column, own_seat):
    """Return the other player who likely wins the trick if the rival is played, or −1 if several may."""
    for seat in range(MAX_SEATS):
        share = counts[winner_column + seat] - difference[winner_column + seat]
        if seat != own_seat and share >= LIKELY_WINNER_SHARE:
            return seat
    return -1


def percent(chance):
    """Return a chance as a percentage."""
    return round(100 * chance)


def add_trick_reasons(reason_rows, reason_count, points, chance, difference, rival, wins, likely, value):
    """Append a reason about winning the trick on the table, worth ``points``, chosen by the chance of winning it.

    ``wins`` and ``likely`` are the reasons for high chances; ``value`` is their value.
    """
    weight = points * difference
    if difference >= 0.2 and chance >= 0.6:
        return add_reason(reason_rows, reason_count, weight, wins if chance >= 0.9 else likely, value, 0)
    if difference >= 0.08:
        return add_reason(reason_rows, reason_count, weight, R_WINS_MORE, rival, 0)
    if difference <= -0.2:
        reason = R_SELDOM_WINS if chance < 0.35 else R_WINS_LESS_OFTEN
        return add_reason(reason_rows, reason_count, weight, reason, percent(chance), 0)
    return reason_count


def is_highest_left(card, left, ranks):
    """Return whether a card is the highest of its suit among those left, unseen or in hand."""
    return left & suit_cards(card // ranks, ranks) & ~((bit(card) << 1) - 1) == 0


def add_saving_reasons(reason_rows, reason_count, candidate, rival, left, difference, ranks):
    """Append what the answer saves compared with the rival: the highest card left, a high one, or a higher one.

    Within a suit the reason weighs more if both cards win about equally often (``difference``).
    """
    is_same_suit, is_alike = candidate // ranks == rival // ranks, abs(difference) < 0.2
    if is_same_suit and rival <= candidate:
        return reason_count
    weight = (0.8 if is_alike else 0.5) if is_same_suit else 0.3
    if is_highest_left(rival, left, ranks):
        return add_reason(reason_rows, reason_count, weight + 0.1, R_SAVES_HIGHEST, rival, rival // ranks)
    if rival % ranks >= ranks - HIGH_RANKS:
        return add_reason(reason_rows, reason_count, weight, R_SAVES, rival, 0)
    if is_same_suit and is_alike:
        return add_reason(reason_rows, reason_count, 0.25, R_SAVES_HIGHER, rival, 0)
    return reason_count


def add_spending_reason(reason_rows, reason_count, candidate, rival, hand, difference, ranks):
    """Append the drawback of spending the highest card of a suit if it wins hardly more often than the rival."""
    higher = hand & suit_cards(candidate // ranks, ranks) & ~((bit(candidate) << 1) - 1)
    is_lower = candidate // ranks == rival // ranks and candidate <= rival
    if difference < 0.2 and candidate % ranks >= ranks - HIGH_RANKS and higher == 0 and not is_lower:
        return add_reason(reason_rows, reason_count, -0.3, R_SPENDS_HIGHEST, candidate // ranks, 0)
    return reason_count


def card_of_extreme_rank(cards, is_highest, ranks):
    """Return the card of the highest or lowest rank; in a tie the first suit, starting with ♦."""
    best = -1
    for suit in range(4):
        held = cards & suit_cards(suit, ranks)
        if held != 0:
            card = highest(held) if is_highest else lowest(held)
            ahead = card % ranks - best % ranks
            if best < 0 or (ahead > 0 if is_highest else ahead < 0):
                best = card
    return best


def emptied_suits(hand, leaving, ranks):
    """Return, as bits, the suits that an answer empties; none if it empties the whole hand."""
    suits = 0
    for suit in range(4):
        held = hand & suit_cards(suit, ranks)
        if held != 0 and held & ~leaving == 0 and hand & ~leaving != 0:
            suits |= bit(suit)
    return suits


def add_void_reasons(reason_rows, reason_count, hand, leaving, rival_leaving, ranks, weight, reason):
    """Append a reason for each suit that the answer empties, if the rival empties fewer."""
    suits = emptied_suits(hand, leaving, ranks)
    if count(suits) > count(emptied_suits(hand, rival_leaving, ranks)):
        for suit in range(4):
            if suits >> suit & 1:
                reason_count = add_reason(reason_rows, reason_count, weight, reason, suit, 0)
    return reason_count
