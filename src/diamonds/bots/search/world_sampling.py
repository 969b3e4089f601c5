"""Worlds: full states consistent with a view, all equally likely.

A world is made from a view with everything that a perfect memory knows (`diamonds.bots.bot.bot_view`), never from the
true state. In games with tricks that row contains everything that past play proves:

* cards seen: the player's hand, every card played, and in crystals the cards given and received, which the receivers
  hold (C10);
* suits in which a seat has shown to be void (C12). In fourteen a card that makes fourteen proves nothing (F5), and the
  rules do not mark it. Hands only shrink, so what was proved stays true;
* who has finished choosing cards to pass (C9) or has written down a sealed bid (F10): the choice is drawn evenly from
  all possibilities.

Mines proves more (`diamonds.bots.games.mines.world_sampling`).

A game may also have beliefs, and deal the unseen cards by them (`GameAdapter.infer_beliefs`,
`GameAdapter.deal_by_beliefs`): mines does so for its best levels.

Like the rules these are plain functions on rows, compiled by `jit.register_module`. The game's adapter knows how many
cards each seat lacks and where they are written (`GameAdapter.hidden_cards`, `GameAdapter.write_world`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from diamonds import jit
from diamonds.bots.games.adapter import HOLDER_COUNT, SET_ASIDE
from diamonds.bots.search.compiled_adapter import compiled_adapter
from diamonds.cards import bit, count, suit_cards
from diamonds.fields import MAX_SEATS
from diamonds.game import Game
from diamonds.rng import fill_deck, randbelow, random_bit, shuffle

MAX_DEAL_ATTEMPTS = 1_000_000  # limit of attempts; the true cards are one consistent world, so it is never reached

# Uniform deals that respect known voids


def constrained_draws(sizes, banned, order):
    """List the draws of the holders with known voids, one entry per card; return their number."""
    draws = 0
    for holder in range(HOLDER_COUNT):
        if banned[holder] != 0:
            for _ in range(sizes[holder]):
                order[draws] = holder
                draws += 1
    return draws


def count_deals(unseen, ranks, order, draws, banned):
    """Return how many ways there are to make the constrained draws, for all numbers of cards left in each suit.

    ``table[d, a, b, c]`` is the number of ways to make the draws from the d-th on when a ♦, b ♥ and c ♠ are left; the
    number of ♣ follows from d. Every deal is counted equally often (once for each order within a hand), so drawing in
    proportion to these numbers is uniform. The floating-point numbers are accurate to a few parts in 10¹⁵.
    """
    total = count(unseen)
    max_d = count(unseen & suit_cards(0, ranks))
    max_h = count(unseen & suit_cards(1, ranks))
    max_s = count(unseen & suit_cards(2, ranks))
    max_c = count(unseen & suit_cards(3, ranks))
    table = np.zeros((draws + 1, max_d + 1, max_h + 1, max_s + 1))
    for k in range(draws, -1, -1):
        out = banned[order[k]] if k < draws else 0
        for a in range(max(0, max_d - k), max_d + 1):
            for b in range(max(0, max_h - k), max_h + 1):
                for c in range(max(0, max_s - k), max_s + 1):
                    d = total - k - a - b - c
                    if d < 0 or d > max_c:
                        continue
                    if k == draws:
                        table[k, a, b, c] = 1.0
                        continue
                    number = 0.0
                    if a > 0 and out & 1 == 0:
                        number += a * table[k + 1, a - 1, b, c]
                    if b > 0 and out & 2 == 0:
                        number += b * table[k + 1, a, b - 1, c]
                    if c > 0 and out & 4 == 0:
                        number += c * table[k + 1, a, b, c - 1]
                    if d > 0 and out & 8 == 0:
                        number += d * table[k + 1, a, b, c]
                    table[k, a, b, c] = number
    return table


def deal_uniform(hidden, ranks, rng):
    """Deal the unseen cards to their holders; all deals that respect the table are equally likely."""
    unseen, table, hands = hidden.unseen, hidden.table, hidden.hands
    hands[:] = 0
    a = count(unseen & suit_cards(0, ranks))
    b = count(unseen & suit_cards(1, ranks))
    c = count(unseen & suit_cards(2, ranks))
    d = count(unseen) - a - b - c
    for k in range(hidden.draws):
        holder = hidden.order[k]
        out = hidden.banned[holder]
        diamonds = a * table[k + 1, a - 1, b, c] if a > 0 and out & 1 == 0 else 0.0
        hearts = b * table[k + 1, a, b - 1, c] if b > 0 and out & 2 == 0 else 0.0
        spades = c * table[k + 1, a, b, c - 1] if c > 0 and out & 4 == 0 else 0.0
        clubs = d * table[k + 1, a, b, c] if d > 0 and out & 8 == 0 else 0.0
        target = (diamonds + hearts + spades + clubs) * randbelow(rng, 1 << 31) / (1 << 31)
        if target < diamonds:
            suit = 0
            a -= 1
        elif target < diamonds + hearts:
            suit = 1
            b -= 1
        elif target < diamonds + hearts + spades:
            suit = 2
            c -= 1
        else:
            suit = 3
            d -= 1
        card = random_bit(unseen & suit_cards(suit, ranks), rng)
        hands[holder] |= bit(card)
        unseen ^= bit(card)
    size = fill_deck(hidden.deck, unseen)
    needed = 0
    for seat in range(MAX_SEATS):
        if hidden.banned[seat] == 0:
            needed += hidden.sizes[seat]
    shuffle(hidden.deck, size, needed, rng)
    at_card = 0
    for seat in range(MAX_SEATS):
        if hidden.banned[seat] == 0:
            for _ in range(hidden.sizes[seat]):
                hands[seat] |= bit(hidden.deck[at_card])
                unseen ^= bit(hidden.deck[at_card])
                at_card += 1
    hands[SET_ASIDE] = unseen


# Dealing


class HiddenCards(NamedTuple):
    """The hidden cards of a seat, ready to be dealt.

    See `GameAdapter.hidden_cards`, `constrained_draws`, `count_deals` and `GameAdapter.infer_beliefs`. ``hands``
    and ``deck`` are scratch arrays for dealing.
    """

    unseen: int
    sizes: Any
    banned: Any
    order: Any
    draws: int
    table: Any
    beliefs: Any
    hands: Any
    deck: Any


def hidden_cards_of(v, own_seat, adapter, game_specific):
    """Return the hidden cards of a seat, including its game's beliefs if ``game_specific``."""
    sizes, banned, order = np.zeros(HOLDER_COUNT, np.int64), np.zeros(HOLDER_COUNT, np.int64), np.zeros(60, np.int64)
    unseen = adapter.hidden_cards(v, own_seat, sizes, banned)
    draws = constrained_draws(sizes, banned, order)
    table = count_deals(unseen, adapter.ranks, order, draws, banned)
    beliefs = adapter.infer_beliefs(v, own_seat, unseen, sizes, game_specific)
    hands, deck = np.zeros(HOLDER_COUNT, np.int64), np.zeros(60, np.int64)
    return HiddenCards(unseen, sizes, banned, order, draws, table, beliefs, hands, deck)


def deal_world(rows, view, own_seat, hidden, adapter, rng):
    """Turn the first row into a world; return whether one was found, as it always is for a game in progress."""
    for _ in range(MAX_DEAL_ATTEMPTS):
        rows[0] = view[0]
        if not adapter.deal_by_beliefs(hidden.unseen, own_seat, hidden.beliefs, hidden.hands, rng):
            deal_uniform(hidden, adapter.ranks, rng)
        if adapter.write_world(rows[0], own_seat, hidden.hands, hidden.deck, rng):
            return True
    return False


def can_deal(v, own_seat, has_aside, adapter):
    """Return whether the hidden cards can be dealt.

    By Hall's theorem they can if, for every set of suits, there are enough for the seats that hold no other suits.
    """
    sizes, banned = np.zeros(HOLDER_COUNT, np.int64), np.zeros(HOLDER_COUNT, np.int64)
    unseen = adapter.hidden_cards(v, own_seat, sizes, banned)
    # All cards are dealt or set aside, so this also counts the player's hand.
    if has_aside and sizes[SET_ASIDE] != count(adapter.rules.pack(v)) - adapter.rules.cards_dealt(v):
        return False
    for suits in range(16):
        available, needed = 0, 0
        for suit in range(4):
            if suits >> suit & 1:
                available += count(unseen & suit_cards(suit, adapter.ranks))
        for holder in range(HOLDER_COUNT):
            if sizes[holder] < 0:
                return False
            if ~banned[holder] & 15 & ~suits == 0:
                needed += sizes[holder]
        if needed > available:
            return False
    return True


compiled = jit.compiled_for_modules(sys.modules[__name__])


@lru_cache(maxsize=8)
def compiled_check(game: Game) -> Callable[..., bool]:
    """Return the compiled check of a game's views; see `can_deal`."""
    adapter, has_aside = compiled_adapter(game), "aside" in (game.dtype.names or ())

    @compiled
    def check(view, own_seat):
        return can_deal(view[0], own_seat, has_aside, adapter)

    return check  # type: ignore[no-any-return]


@lru_cache(maxsize=8)
def compiled_deal(game: Game) -> Callable[..., int]:
    """Return the compiled kernel that deals worlds of a game: ``deal(view, own_seat, rng, worlds)`` fills an array of rows.

    It returns the number of worlds: all of them, unless the row is not a view of a game in progress.
    """
    adapter = compiled_adapter(game)

    @compiled
    def deal(view, own_seat, rng, worlds):
        hidden = hidden_cards_of(view[0], own_seat, adapter, False)
        for k in range(len(worlds)):
            if not deal_world(worlds[k:], view, own_seat, hidden, adapter, rng):
                return k
        return len(worlds)

    return deal  # type: ignore[no-any-return]


def check_view(game: Game, view: np.ndarray[Any, Any], own_seat: int) -> None:
    """Raise `ValueError` unless the hidden cards of a view, or of a state, can be dealt.

    Kernels check no array bounds, so a row that no game leads to could crash the process.
    """
    if not (0 <= own_seat < int(view["seats"][0]) <= game.seats[-1] and compiled_check(game)(view, own_seat)):
        raise ValueError(f"The row is not a view of a {game.name} game in progress: its cards do not add up.")


def sample_worlds(game: Game, view: np.void, own_seat: int, number: int, seed: int) -> np.ndarray[Any, Any]:
    """Return independent, uniformly drawn worlds consistent with a seat's view (`diamonds.bots.bot.bot_view`)."""
    rows, worlds = jit.as_row_array(view), np.empty(number, game.dtype)
    check_view(game, rows, own_seat)
    if compiled_deal(game)(rows, own_seat, jit.new_rng(seed), worlds) < number:
        raise ValueError(f"The row is not a view of a {game.name} game in progress: no world fits it.")
    return worlds
