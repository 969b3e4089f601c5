"""Why an answer is good, from what the playouts after it led to and from what the own hand shows.

Each function compares an answer with its rival and yields ``(weight, message)``; the heaviest few are told. A weight is about
what the thing is worth in points, and negative for a drawback.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from diamonds.bots.knowing.crystals import playouts as crystal_playouts
from diamonds.bots.knowing.fourteen import playouts as fourteen_playouts
from diamonds.bots.knowing.mines import playouts as mine_playouts
from diamonds.cards import CLUBS, DIAMONDS, HEARTS, SPADES, SUIT_LETTERS, bit, suit_cards
from diamonds.game import Game
from diamonds.rules import crystals, fourteen, mines
from diamonds.words import Message

LEAST = 0.15  # weight below which a reason is not worth telling
MOST = 3  # reasons told

type_of_counts = np.ndarray[Any, np.dtype[np.float64]]
Reason = tuple[float, Message]


def reasons(
    game: Game, row: np.void, seat: int, candidate: int, counts: type_of_counts, rival: int, rivals: type_of_counts
) -> list[Message]:
    """The heaviest reasons for and against an answer, compared with its rival; after what is good, what is bad begins with “but”."""
    found = list(GAMES[game.name](game, row, seat, candidate, counts, rival, counts - rivals))
    found = sorted((reason for reason in found if abs(reason[0]) >= LEAST), key=lambda reason: -abs(reason[0]))[:MOST]
    good = [why for weight, why in found if weight > 0]
    bad = [why for weight, why in found if weight < 0]
    return good + ([Message("hint-but", {"reason": bad[0]}), *bad[1:]] if good and bad else bad)


def _percent(chance: float) -> int:
    """A chance, of a hundred."""
    return round(100 * chance)


def _trick(chance: float, more: float, prize: str = "", **values: Any) -> Iterator[Reason]:
    """Whether the answer wins the trick on the table; ``prize`` says with what: ``-action``, ``-diamonds``."""
    if abs(more) < 0.2:
        return
    if chance >= 0.9:
        yield 2 * abs(more), Message(f"hint-wins{prize}", values)
    elif chance >= 0.6:
        yield 2 * abs(more), Message(f"hint-likely-wins{prize}", values)
    elif more > 0:
        yield 2 * abs(more), Message("hint-may-win", {"chance": _percent(chance)})
    elif chance <= 0.1:
        yield 2 * more, Message("hint-leaves-trick")
    else:
        yield 2 * more, Message("hint-seldom-wins", {"chance": _percent(chance)})


def _emptied(hand: int, gone: int, ranks: int) -> Iterator[Reason]:
    """Suits of which nothing is left in hand."""
    for suit in range(4):
        held = hand & suit_cards(suit, ranks)
        if held and not held & ~gone and hand & ~gone:
            yield 0.5, Message("hint-void", {"suit": SUIT_LETTERS[suit]})


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


def _crystals(game: Game, row: np.void, seat: int, candidate: int, counts: type_of_counts, rival: int, more: type_of_counts) -> Iterator[Reason]:  # fmt: skip
    hand, question, own = int(row["hand"][seat]), int(row["question"]), crystals.team(row, seat)
    immediate, theirs = _at_once(row, seat, candidate), _at_once(row, seat, rival)
    if question == crystals.PLAY:
        suit, led = candidate // game.ranks, int(row["led"])
        if led < 0 or suit == led:
            which = suit if led < 0 else led
            yield from _trick(
                counts[crystal_playouts.THIS_TRICK],
                more[crystal_playouts.THIS_TRICK],
                "-action",
                suit=SUIT_LETTERS[which],
            )
        elif immediate >= 0:
            yield AT_ONCE[immediate]
        yield from _emptied(hand, bit(candidate), game.ranks)
    elif question == crystals.PASS:
        yield from _emptied(hand, candidate, game.ranks)
    elif question == crystals.VICTIM:
        scores = {
            other: crystals.score(row, other) for other in range(row["seats"]) if crystals.team(row, other) != own
        }
        if scores[candidate] == max(scores.values()):
            yield 0.5, Message("hint-takes-from-first")
    if row["tricks"][seat] == 0:
        chance, change = counts[crystal_playouts.NO_TRICK], more[crystal_playouts.NO_TRICK]
        if change >= 0.08:
            yield 4 * change, Message("hint-no-trick-in-reach", {"chance": _percent(chance)})
        elif change <= -0.08:
            yield (
                4 * change,
                Message("hint-no-trick-given-up" if chance < 0.1 else "hint-no-trick-at-risk"),
            )
    # What comes later, beside the action taken at once. Each line: column, worth of one, ids for more and for fewer.
    later = (
        (crystal_playouts.OWN_C, CLUBS, 1.3, "hint-club-later", "hint-club-less"),
        (crystal_playouts.OWN_D, DIAMONDS, 2.0, "hint-suit-later", "hint-suit-less"),
        (crystal_playouts.OWN_H, HEARTS, 1.0, "hint-suit-later", "hint-suit-less"),
        (crystal_playouts.OWN_S, SPADES, 1.0, "hint-spade-later", "hint-spade-less"),
    )
    for column, suit, worth, gains, loses in later:
        change = more[column] - (immediate == suit) + (theirs == suit)
        if change >= 0.2:
            about = {"about": _about(counts[column] - (immediate == suit))}
            yield worth * change, Message(gains, {**_suit(suit), **about})
        elif change <= -0.35:
            yield 0.6 * worth * change, Message(loses, _suit(suit))
    if more[crystal_playouts.ROBBED] <= -0.15:
        yield -more[crystal_playouts.ROBBED], Message("hint-robbed-less")
    elif more[crystal_playouts.ROBBED] >= 0.15:
        yield -0.6 * more[crystal_playouts.ROBBED], Message("hint-robbed-more")
    for suit in range(4):
        change = more[crystal_playouts.MOST + suit]
        if change >= 0.12:
            yield (2.0 if suit == DIAMONDS else 1.0) * change, Message("hint-most", {"suit": SUIT_LETTERS[suit]})


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


def _fourteen(game: Game, row: np.void, seat: int, candidate: int, counts: type_of_counts, rival: int, more: type_of_counts) -> Iterator[Reason]:  # fmt: skip
    if row["question"] == fourteen.BIDDING:
        yield 1.0, Message("hint-bid-kept", {"chance": _percent(counts[fourteen_playouts.KEPT])})
        return
    hand, suit = int(row["hand"][seat]), candidate // game.ranks
    if row["trick_size"] > 0 and fourteen.making_fourteen(row) & bit(candidate):
        if suit != row["suit"]:
            yield 0.6, Message("hint-turns-suit", {"suit": SUIT_LETTERS[suit]})
        else:
            yield 0.3, Message("hint-keeps-suit")
    chance, prize = counts[fourteen_playouts.THIS_TRICK], counts[fourteen_playouts.PRIZE]
    won = prize / chance if chance > 0.05 else 0.0
    if won >= 0.75:
        yield from _trick(chance, more[fourteen_playouts.THIS_TRICK], "-diamonds", number=round(won))
    else:
        yield from _trick(chance, more[fourteen_playouts.THIS_TRICK])
    if row["scoring"] != fourteen.TRICKS:
        if suit == DIAMONDS and chance < 0.4:
            yield -0.4, Message("hint-gives-diamond")
        later = more[fourteen_playouts.TAKEN] - more[fourteen_playouts.PRIZE]
        if later >= 0.12:
            yield later, Message("hint-more-diamonds")
        elif later <= -0.2:
            yield 0.6 * later, Message("hint-fewer-diamonds")
    if row["scoring"] == fourteen.BID and abs(more[fourteen_playouts.KEPT]) >= 0.03:
        id = "hint-bid-more-often" if more[fourteen_playouts.KEPT] > 0 else "hint-bid-less-often"
        chance_kept = {"chance": _percent(counts[fourteen_playouts.KEPT])}
        yield 5 * abs(more[fourteen_playouts.KEPT]), Message(id, chance_kept)
    yield from _emptied(hand, bit(candidate), game.ranks)


def _mines(game: Game, row: np.void, seat: int, candidate: int, counts: type_of_counts, rival: int, more: type_of_counts) -> Iterator[Reason]:  # fmt: skip
    # Each line: column, least difference, weight of one, ids for more and for fewer.
    lines = (
        (mine_playouts.SEVEN, 0.03, 20.0, "hint-seven-more", "hint-seven-less"),
        (
            mine_playouts.THEIR_SEVEN,
            0.03,
            -20.0,
            "hint-their-seven-more",
            "hint-their-seven-less",
        ),
        (mine_playouts.BARRING, 0.03, 20.0, "hint-barring-more", "hint-barring-less"),
        (mine_playouts.BARRED, 0.03, -20.0, "hint-barred-more", "hint-barred-less"),
        (mine_playouts.CONQUERED, 0.15, 2.0, "hint-conquers-more", "hint-conquers-less"),
        (mine_playouts.LOST, 0.15, -2.0, "hint-loses-more", "hint-loses-less"),
        (mine_playouts.DUG, 0.5, 0.4, "hint-digs-more", "hint-digs-less"),
        (mine_playouts.GOT, 0.05, 4.0, "hint-raids-more", "hint-raids-less"),
        (mine_playouts.GAVE, 0.05, -4.0, "hint-gives-more", "hint-gives-less"),
    )
    for column, least, worth, gains, loses in lines:
        change = more[column]
        if abs(change) >= least:
            yield worth * change, Message(gains if change > 0 else loses)


GAMES: dict[str, Callable[..., Iterator[Reason]]] = {
    crystals.NAME: _crystals,
    fourteen.NAME: _fourteen,
    mines.NAME: _mines,
}
