"""A short name for all cards that a hint calls about equal, as on the page (`web/src/table/equalSet.ts`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from diamonds import i18n
from diamonds.bots.analysis import hints
from diamonds.bots.games.adapter import POINTS
from diamonds.cards import SUIT_LETTERS, SUIT_SYMBOLS, card_symbol

MAX_WORSE = 2  # up to this many worse cards are named instead
Rank = Callable[[str], int]


class RankSet(NamedTuple):
    """The kind of a set of low or high ranks, and the last of them."""

    kind: str
    rank: str


def equal_cards_sentence(hint: hints.Hint, legal: Sequence[int | str], card_names: Sequence[str]) -> str:
    """Return a sentence that names the equal cards by what distinguishes them from the worse; empty if nothing does."""
    if hint.unit != POINTS or hint.question != hints.PLAY:
        return ""
    ranks = len(card_names) // len(SUIT_LETTERS)
    good, bad = compared_cards(hint, [str(card) for card in legal], card_names)
    if len(good) < 2 or not bad:
        return ""

    def rank(card: str) -> int:
        return card_names.index(card) % ranks

    def sentence(kind: str, suit: str = "", worse: Sequence[str] = (), last: str = "") -> str:
        values = {
            "is": kind,
            "why": "told",
            "rank": last,
            "suit": SUIT_SYMBOLS[SUIT_LETTERS.index(suit)] if suit else "",
            "worse": i18n.join_list([card_symbol(card) for card in worse], "and"),
        }
        # `translate` would quote the words that select a variant.
        message = "page-hint-equal-ranks" if last else "page-hint-equal"
        return i18n.format_cached(i18n.current_language(), message, tuple(values.items()))

    for suit in SUIT_LETTERS:
        if len(bad) > 1 and all((card[0] == suit) == (card in bad) for card in (*good, *bad)):
            return sentence("without", suit)
    if len(bad) <= MAX_WORSE and len(bad) < len(good):
        return sentence("nearly", worse=bad)
    for suit in SUIT_LETTERS:
        if all((card[0] == suit) == (card in good) for card in (*good, *bad)):
            return sentence("suit", suit)
    if found := rank_set(good, bad, rank):
        return sentence(found.kind, last=found.rank)
    for suit in SUIT_LETTERS:
        others = [card for card in bad if card[0] != suit]
        is_apart = 0 < len(others) < len(bad) and not any(card[0] == suit for card in good)
        if is_apart and (found := rank_set(good, others, rank)):
            return sentence(f"{found.kind}-without", suit, last=found.rank)
    return ""


def rank_set(good: Sequence[str], bad: Sequence[str], rank: Rank) -> RankSet | None:
    """Return the name of a set of low or high ranks, unless the worse cards overlap it."""
    lowest, highest = min(good, key=rank), max(good, key=rank)
    if rank(highest) < min(map(rank, bad)):
        return RankSet("low", highest[1:])
    return RankSet("high", lowest[1:]) if rank(lowest) > max(map(rank, bad)) else None


def compared_cards(hint: hints.Hint, legal: Sequence[str], card_names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the legal cards that are about as good as the best, and the others.

    A hint names only the lowest of equivalent cards. Both lists are empty if a card has no equivalent.
    """
    is_good = {str(choice.answers[0]): k == 0 or choice.tied for k, choice in enumerate(hint.choices)}
    good: list[str] = []
    bad: list[str] = []
    for card in legal:
        lower = [name for name in is_good if name[0] == card[0] and card_names.index(name) <= card_names.index(card)]
        if not lower:
            return [], []
        (good if is_good[max(lower, key=card_names.index)] else bad).append(card)
    return good, bad
