"""Why an answer in crystals is good: each reason is worth telling by what it is worth in points."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from diamonds.bots.knowing.crystals import playouts
from diamonds.bots.knowing.reasoning import Reason, emptied, percent, trick, type_of_counts
from diamonds.cards import CLUBS, DIAMONDS, HEARTS, SPADES, SUIT_LETTERS, bit
from diamonds.rules import crystals
from diamonds.words import Message


def reasons(
    row: np.void, seat: int, candidate: int, counts: type_of_counts, rival: int, more: type_of_counts
) -> Iterator[Reason]:
    """See `Knowledge.reasons`."""
    hand, question, own = int(row["hand"][seat]), int(row["question"]), crystals.team(row, seat)
    immediate, theirs = _at_once(row, seat, candidate), _at_once(row, seat, rival)
    if question == crystals.PLAY:
        suit, led = candidate // crystals.RANKS, int(row["led"])
        if led < 0 or suit == led:
            which = suit if led < 0 else led
            yield from trick(
                counts[playouts.THIS_TRICK],
                more[playouts.THIS_TRICK],
                "-action",
                suit=SUIT_LETTERS[which],
            )
        elif immediate >= 0:
            yield AT_ONCE[immediate]
        yield from emptied(hand, bit(candidate), crystals.RANKS)
    elif question == crystals.PASS:
        yield from emptied(hand, candidate, crystals.RANKS)
    elif question == crystals.VICTIM:
        scores = {
            other: crystals.score(row, other) for other in range(row["seats"]) if crystals.team(row, other) != own
        }
        if scores[candidate] == max(scores.values()):
            yield 0.5, Message("hint-takes-from-first")
    if row["tricks"][seat] == 0:
        chance, change = counts[playouts.NO_TRICK], more[playouts.NO_TRICK]
        if change >= 0.08:
            yield 4 * change, Message("hint-no-trick-in-reach", {"chance": percent(chance)})
        elif change <= -0.08:
            yield (
                4 * change,
                Message("hint-no-trick-given-up" if chance < 0.1 else "hint-no-trick-at-risk"),
            )
    # What comes later, beside the action taken at once. Each line: column, worth of one, ids for more and for fewer.
    later = (
        (playouts.OWN_C, CLUBS, 1.3, "hint-club-later", "hint-club-less"),
        (playouts.OWN_D, DIAMONDS, 2.0, "hint-suit-later", "hint-suit-less"),
        (playouts.OWN_H, HEARTS, 1.0, "hint-suit-later", "hint-suit-less"),
        (playouts.OWN_S, SPADES, 1.0, "hint-spade-later", "hint-spade-less"),
    )
    for column, suit, worth, gains, loses in later:
        change = more[column] - (immediate == suit) + (theirs == suit)
        if change >= 0.2:
            about = {"about": _about(counts[column] - (immediate == suit))}
            yield worth * change, Message(gains, {**_suit(suit), **about})
        elif change <= -0.35:
            yield 0.6 * worth * change, Message(loses, _suit(suit))
    if more[playouts.ROBBED] <= -0.15:
        yield -more[playouts.ROBBED], Message("hint-robbed-less")
    elif more[playouts.ROBBED] >= 0.15:
        yield -0.6 * more[playouts.ROBBED], Message("hint-robbed-more")
    for suit in range(4):
        change = more[playouts.MOST + suit]
        if change >= 0.12:
            yield (2.0 if suit == DIAMONDS else 1.0) * change, Message("hint-most", {"suit": SUIT_LETTERS[suit]})


def _at_once(row: np.void, seat: int, candidate: int) -> int:
    """C12: the suit whose action a card thrown on another suit takes at once, if a crystal can move; else −1."""
    suit, own = candidate // crystals.RANKS, crystals.team(row, seat)
    if row["question"] != crystals.PLAY or row["led"] < 0 or suit == row["led"]:
        return -1
    if suit == CLUBS:
        moves = _thief(row, own) if row["thief"] else crystals.victims(row, seat) != 0
    else:
        moves = row["showroom"][own] > 0 if suit == SPADES else row["supply"] > 0
    return suit if moves else -1


AT_ONCE = (
    (2.0, Message("hint-diamond-at-once")),
    (1.0, Message("hint-heart-at-once")),
    (1.0, Message("hint-spade-at-once")),
    (1.3, Message("hint-club-at-once")),
)


def _thief(row: np.void, own: int) -> bool:
    """C25: whether the thief's holder has something to take."""
    holder = crystals.team(row, row["thief_at"])
    return bool(holder != own and row["showroom"][holder] > 0)


def _about(number: float) -> int:
    """About how many: one at least."""
    return max(1, round(number)) if number >= 1.5 else 1


def _suit(suit: int) -> dict[str, str]:
    """The suit where it is said: ♦ and ♥ share their sentences."""
    return {"suit": SUIT_LETTERS[suit]} if suit in (DIAMONDS, HEARTS) else {}
