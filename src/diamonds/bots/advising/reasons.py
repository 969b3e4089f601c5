"""Why an answer is good, in words, from what the playouts after it led to and from what the own hand shows.

Each function compares an answer with its rival and yields ``(weight, words)``; the heaviest few are told. A weight is about
what the thing is worth in points, and negative for a drawback.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from diamonds.bots.knowing.crystals import playouts as crystal_playouts
from diamonds.bots.knowing.fourteen import playouts as fourteen_playouts
from diamonds.bots.knowing.mines import playouts as mine_playouts
from diamonds.cards import CLUBS, DIAMONDS, HEARTS, SPADES, SUIT_SYMBOLS, bit, suit_cards
from diamonds.game import Game
from diamonds.rules import crystals, fourteen, mines

LEAST = 0.15  # weight below which a reason is not worth telling
MOST = 3  # reasons told

type_of_counts = np.ndarray[Any, np.dtype[np.float64]]
Reason = tuple[float, str]


def reasons(
    game: Game, row: np.void, seat: int, candidate: int, counts: type_of_counts, rival: int, rivals: type_of_counts
) -> list[str]:
    """The heaviest reasons for and against an answer, compared with its rival; after what is good, what is bad begins with “but”."""
    found = list(GAMES[game.name](game, row, seat, candidate, counts, rival, counts - rivals))
    found = sorted((reason for reason in found if abs(reason[0]) >= LEAST), key=lambda reason: -abs(reason[0]))[:MOST]
    good = [words for weight, words in found if weight > 0]
    bad = [words for weight, words in found if weight < 0]
    return good + ([f"but {bad[0]}", *bad[1:]] if good and bad else bad)


def _trick(chance: float, more: float, prize: str = "") -> Iterator[Reason]:
    """Whether the answer wins the trick on the table."""
    if abs(more) < 0.2:
        return
    if chance >= 0.9:
        yield 2 * abs(more), f"wins the trick{prize}"
    elif chance >= 0.6:
        yield 2 * abs(more), f"likely wins the trick{prize}"
    elif more > 0:
        yield 2 * abs(more), f"may win the trick ({chance:.0%})"
    elif chance <= 0.1:
        yield 2 * more, "leaves the trick to someone else"
    else:
        yield 2 * more, f"seldom wins the trick ({chance:.0%})"


def _emptied(hand: int, gone: int, ranks: int) -> Iterator[Reason]:
    """Suits of which nothing is left in hand."""
    for suit in range(4):
        held = hand & suit_cards(suit, ranks)
        if held and not held & ~gone and hand & ~gone:
            yield 0.5, f"leaves you void in {SUIT_SYMBOLS[suit]}"


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
    (2.0, "puts a crystal into your Vault at once"),
    (1.0, "puts a crystal into your Showroom at once"),
    (1.0, "makes a crystal of your Showroom safe at once"),
    (1.3, "steals a crystal at once"),
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
                f" and its {SUIT_SYMBOLS[which]} action",
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
            yield 0.5, "takes from whoever is ahead"
    if row["tricks"][seat] == 0:
        chance, change = counts[crystal_playouts.NO_TRICK], more[crystal_playouts.NO_TRICK]
        if change >= 0.08:
            yield 4 * change, f"keeps the reward for no trick in reach ({chance:.0%})"
        elif change <= -0.08:
            yield (
                4 * change,
                "gives up the reward for no trick" if chance < 0.1 else "puts the reward for no trick at risk",
            )
    # What comes later, beside the action taken at once. Each line: column, worth of one, words for more and for fewer.
    later = (
        (crystal_playouts.OWN_C, CLUBS, 1.3, "likely steals {}", "steals less later"),
        (crystal_playouts.OWN_D, DIAMONDS, 2.0, "takes {} ♦ later", "takes fewer ♦ actions later"),
        (crystal_playouts.OWN_H, HEARTS, 1.0, "takes {} ♥ later", "takes fewer ♥ actions later"),
        (crystal_playouts.OWN_S, SPADES, 1.0, "makes {} safe with ♠ later", "makes fewer crystals safe later"),
    )
    for column, suit, worth, gains, loses in later:
        change = more[column] - (immediate == suit) + (theirs == suit)
        if change >= 0.2:
            yield worth * change, gains.format(_some(counts[column] - (immediate == suit), suit))
        elif change <= -0.35:
            yield 0.6 * worth * change, loses
    if more[crystal_playouts.ROBBED] <= -0.15:
        yield -more[crystal_playouts.ROBBED], "loses fewer crystals to ♣"
    elif more[crystal_playouts.ROBBED] >= 0.15:
        yield -0.6 * more[crystal_playouts.ROBBED], "leaves more to be stolen"
    for suit in range(4):
        change = more[crystal_playouts.MOST + suit]
        if change >= 0.12:
            yield (2.0 if suit == DIAMONDS else 1.0) * change, f"helps to take the most {SUIT_SYMBOLS[suit]}"


def _thief(row: np.void, own: int) -> bool:
    """C25: whether the thief's holder has something to take."""
    holder = crystals.team(row, row["thief_at"])
    return bool(holder != own and row["showroom"][holder] > 0)


def _some(number: float, suit: int) -> str:
    """About how many, in words that fit before a suit's action."""
    if suit in (CLUBS, SPADES):
        return "one crystal" if number < 1.5 else f"about {number:.0f} crystals"
    return "one more" if number < 1.5 else f"about {number:.0f}"


def _fourteen(game: Game, row: np.void, seat: int, candidate: int, counts: type_of_counts, rival: int, more: type_of_counts) -> Iterator[Reason]:  # fmt: skip
    if row["question"] == fourteen.BIDDING:
        yield 1.0, f"kept in {counts[fourteen_playouts.KEPT]:.0%} of the worlds tried"
        return
    hand, suit = int(row["hand"][seat]), candidate // game.ranks
    if row["trick_size"] > 0 and fourteen.making_fourteen(row) & bit(candidate):
        if suit != row["suit"]:
            yield 0.6, f"makes fourteen and turns the suit to {SUIT_SYMBOLS[suit]}"
        else:
            yield 0.3, "makes fourteen and keeps the suit"
    chance, prize = counts[fourteen_playouts.THIS_TRICK], counts[fourteen_playouts.PRIZE]
    won = prize / chance if chance > 0.05 else 0.0
    yield from _trick(chance, more[fourteen_playouts.THIS_TRICK], f" with {won:.0f} ♦" if won >= 0.75 else "")
    if row["scoring"] != fourteen.TRICKS:
        if suit == DIAMONDS and chance < 0.4:
            yield -0.4, "may give a ♦ away"
        later = more[fourteen_playouts.TAKEN] - more[fourteen_playouts.PRIZE]
        if later >= 0.12:
            yield later, "takes more ♦ later"
        elif later <= -0.2:
            yield 0.6 * later, "takes fewer ♦ later"
    if row["scoring"] == fourteen.BID and abs(more[fourteen_playouts.KEPT]) >= 0.03:
        kept = counts[fourteen_playouts.KEPT]
        yield (
            5 * abs(more[fourteen_playouts.KEPT]),
            f"keeps your bid {'more' if more[fourteen_playouts.KEPT] > 0 else 'less'} often ({kept:.0%})",
        )
    yield from _emptied(hand, bit(candidate), game.ranks)


def _mines(game: Game, row: np.void, seat: int, candidate: int, counts: type_of_counts, rival: int, more: type_of_counts) -> Iterator[Reason]:  # fmt: skip
    # Each line: column, least difference, weight of one, words for more and for fewer.
    lines = (
        (mine_playouts.SEVEN, 0.03, 20.0, "reaches seven ♦ more often", "reaches seven ♦ less often"),
        (
            mine_playouts.THEIR_SEVEN,
            0.03,
            -20.0,
            "lets the other reach seven ♦ more often",
            "keeps the other from seven ♦",
        ),
        (mine_playouts.BARRING, 0.03, 20.0, "shuts the other out more often", "shuts the other out less often"),
        (mine_playouts.BARRED, 0.03, -20.0, "risks being shut out", "is shut out less often"),
        (mine_playouts.CONQUERED, 0.15, 2.0, "conquers more piles", "conquers fewer piles"),
        (mine_playouts.LOST, 0.15, -2.0, "loses more piles", "loses fewer piles"),
        (mine_playouts.DUG, 0.5, 0.4, "digs more cards", "digs fewer cards"),
        (mine_playouts.GOT, 0.05, 4.0, "raids more ♦", "raids fewer ♦"),
        (mine_playouts.GAVE, 0.05, -4.0, "gives up more ♦ to raids", "gives up fewer ♦ to raids"),
    )
    for column, least, worth, gains, loses in lines:
        change = more[column]
        if abs(change) >= least:
            yield worth * change, gains if change > 0 else loses


GAMES: dict[str, Callable[..., Iterator[Reason]]] = {
    crystals.NAME: _crystals,
    fourteen.NAME: _fourteen,
    mines.NAME: _mines,
}
