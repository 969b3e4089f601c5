"""Deal what a seat cannot see: worlds, that is full states consistent with a view, each as likely as any other.

A world is made from a view with all that a perfect memory knows (`diamonds.bots.bot.see`), never from the true state. What is
used of the past is what stands in that row, and it is all that the past proves in crystals and fourteen:

* cards seen: the own hand, every card played, and (crystals) the cards given and received, which are where they went (C10);
* suits that a seat has shown to be out of (C12). In fourteen a card that makes fourteen proves nothing (F5), and the rules
  do not mark it. Hands only shrink, so what was proved stays true;
* who has finished choosing what to pass (C9) or has written down a sealed bid (F10): what they chose is drawn evenly from
  what they could have chosen.

In mines the row shows hand sizes, discards, and the cards that were handed over. R6 adds that the game goes on, and only what
follows from the row as it stands is used:

* nobody holds seven ♦: the seventh ends the game at once (M10);
* seven ♦ were not impossible for the seat on turn at the end of the last turn (M11). Its hand and reach together change in no
  way that matters until it discards a ♣, so the row is judged as it stands up to the questions of growing;
* nor for the other seat, whose reach a new marker may have cut since: so the row is judged as long as nothing has been
  marked, drawn or discarded in this turn. Where M11 is judged on what both players know, hidden cards play no part in it.

Like the rules these are plain functions on rows, compiled by `jit.compile_with`; numbers drawn come from `jit.draw`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from diamonds import jit
from diamonds.cards import CLUBS, bit, count, highest, lowest, suit_cards
from diamonds.fields import SEATS
from diamonds.game import GAMES, Game
from diamonds.jit import draw, fill, pick, shuffle
from diamonds.rules import crystals, fourteen, mines

ASIDE = SEATS  # the holder, after the seats, of what no hand holds
HOLDERS = SEATS + 1
TRIES = 1_000_000  # to find a world of mines in which the game goes on; the truth is one, so this is never reached

# How many cards everyone misses


def crystals_needs(v, me, sizes, banned):
    """Fill in how many unseen cards each holder has, and which suits not, as bits; returns the unseen cards that are anywhere."""
    unseen = crystals.pack(v)
    sizes[:] = 0
    banned[:] = 0
    for seat in range(v["seats"]):
        unseen &= ~v["played"][seat]
        if seat != me:
            sizes[seat] = crystals.hand_size(v) - count(v["played"][seat])
            banned[seat] = v["void"][seat]
    unseen &= ~v["hand"][me]
    to = v["passes_to"][me]
    pinned = v["given"][me] & ~v["played"][to]
    sizes[to] -= count(pinned)
    unseen &= ~pinned
    sizes[ASIDE] = count(unseen) - np.sum(sizes)
    return unseen


def fourteen_needs(v, me, sizes, banned):
    """As `crystals_needs`."""
    unseen = fourteen.pack(v)
    sizes[:] = 0
    banned[:] = 0
    for seat in range(v["seats"]):
        unseen &= ~v["played"][seat]
        if seat != me:
            sizes[seat] = 4 * fourteen.RANKS // v["seats"] - count(v["played"][seat])
            banned[seat] = v["void"][seat]
    unseen &= ~v["hand"][me]
    sizes[ASIDE] = count(unseen) - np.sum(sizes)
    return unseen


def mines_needs(v, me, sizes, banned):
    """As `crystals_needs`; what no hand holds lies in the piles."""
    unseen = mines.pack(v) & ~(v["hand"][me] | v["discards"] | v["known"][me])
    sizes[:] = 0
    banned[:] = 0
    sizes[1 - me] = v["hand_size"][1 - me] - count(v["known"][me])
    sizes[ASIDE] = count(unseen) - sizes[1 - me]
    return unseen


# Sharing out, evenly among all ways that respect the suits which holders are out of


def constrained_draws(sizes, banned, order):
    """List the draws of the holders who are out of a suit, one entry a card; returns how many."""
    draws = 0
    for holder in range(HOLDERS):
        if banned[holder] != 0:
            for _ in range(sizes[holder]):
                order[draws] = holder
                draws += 1
    return draws


def ways(unseen, ranks, order, draws, banned):
    """Count the ways to make the constrained draws, card after card, from so many cards of each suit.

    ``table[d, a, b, c]`` is the number of ways to make the draws from the d-th on when a ♦, b ♥ and c ♠ are left; how many ♣
    follows from d. Every sharing-out is counted equally often (once for each order within a hand), so that drawing in
    proportion is drawing evenly. As floating-point numbers they are off by some parts in 10¹⁵.
    """
    total = count(unseen)
    most_d = count(unseen & suit_cards(0, ranks))
    most_h = count(unseen & suit_cards(1, ranks))
    most_s = count(unseen & suit_cards(2, ranks))
    most_c = count(unseen & suit_cards(3, ranks))
    table = np.zeros((draws + 1, most_d + 1, most_h + 1, most_s + 1))
    for k in range(draws, -1, -1):
        out = banned[order[k]] if k < draws else 0
        for a in range(max(0, most_d - k), most_d + 1):
            for b in range(max(0, most_h - k), most_h + 1):
                for c in range(max(0, most_s - k), most_s + 1):
                    d = total - k - a - b - c
                    if d < 0 or d > most_c:
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


def share_out(unseen, ranks, order, draws, banned, table, sizes, hands, deck, rng):
    """Deal the unseen cards to their holders, each way that respects the table equally likely."""
    hands[:] = 0
    a = count(unseen & suit_cards(0, ranks))
    b = count(unseen & suit_cards(1, ranks))
    c = count(unseen & suit_cards(2, ranks))
    d = count(unseen) - a - b - c
    for k in range(draws):
        holder = order[k]
        out = banned[holder]
        diamonds = a * table[k + 1, a - 1, b, c] if a > 0 and out & 1 == 0 else 0.0
        hearts = b * table[k + 1, a, b - 1, c] if b > 0 and out & 2 == 0 else 0.0
        spades = c * table[k + 1, a, b, c - 1] if c > 0 and out & 4 == 0 else 0.0
        clubs = d * table[k + 1, a, b, c] if d > 0 and out & 8 == 0 else 0.0
        at = (diamonds + hearts + spades + clubs) * draw(rng, 1 << 31) / (1 << 31)
        if at < diamonds:
            suit = 0
            a -= 1
        elif at < diamonds + hearts:
            suit = 1
            b -= 1
        elif at < diamonds + hearts + spades:
            suit = 2
            c -= 1
        else:
            suit = 3
            d -= 1
        card = pick(unseen & suit_cards(suit, ranks), rng)
        hands[holder] |= bit(card)
        unseen ^= bit(card)
    size = fill(deck, unseen)
    needed = 0
    for seat in range(SEATS):
        if banned[seat] == 0:
            needed += sizes[seat]
    shuffle(deck, size, needed, rng)
    at_card = 0
    for seat in range(SEATS):
        if banned[seat] == 0:
            for _ in range(sizes[seat]):
                hands[seat] |= bit(deck[at_card])
                unseen ^= bit(deck[at_card])
                at_card += 1
    hands[ASIDE] = unseen


def some_of(cards, number, rng):
    """So many of some cards, each choice equally likely."""
    chosen = 0
    for _ in range(number):
        card = pick(cards & ~chosen, rng)
        chosen |= bit(card)
    return chosen


# Writing what was dealt into a row


def crystals_fill(s, me, hands, deck, rng):
    """C9, C10: hands, what lies aside, and what others have chosen, given and received. Always succeeds."""
    seats = s["seats"]
    to = s["passes_to"][me]
    hands[to] |= s["given"][me] & ~s["played"][to]
    passing = s["question"] == crystals.PASS
    passed = s["question"] == crystals.PLAY or s["question"] == crystals.VICTIM
    s["aside"] = hands[ASIDE]
    for seat in range(SEATS):
        if seat == me:
            continue
        s["hand"][seat] = hands[seat] if seat < seats else 0
        s["chosen"][seat] = 0
        s["given"][seat] = 0
        s["received"][seat] = 0
        if passing and seat < seats:
            if s["to_act"] >> seat & 1:
                s["chosen"][seat] = chosen_so_far(hands[seat], s["passing"], rng)
            else:
                s["chosen"][seat] = some_of(hands[seat], s["passing"], rng)
    if passed:
        for seat in range(seats):
            to = s["passes_to"][seat]
            if seat != me:
                if to == me:
                    s["given"][seat] = s["received"][me]
                else:
                    s["given"][seat] = some_of(s["hand"][to] | s["played"][to], s["passing"], rng)
            if to != me:
                s["received"][to] = s["given"][seat]
    return True


def chosen_so_far(hand, passing, rng):
    """C9: the cards that someone who is still choosing may have named, in ascending order, enough being left above them."""
    size = count(hand)
    one = size - passing + 1 if passing > 1 else 0  # ways to have named one card
    two = (size - 1) * (size - 2) // 2 if passing > 2 else 0  # ways to have named two
    at = draw(rng, 1 + one + two)
    if at == 0:
        return 0
    if at <= one:
        for _ in range(at - 1):
            hand &= hand - 1
        return bit(lowest(hand))
    return some_of(hand ^ bit(highest(hand)), 2, rng)


def fourteen_fill(s, me, hands, deck, rng):
    """Hands, what lies aside, and sealed bids (F10). Always succeeds."""
    s["aside"] = hands[ASIDE]
    sealed = s["scoring"] == fourteen.BID and s["bids_open"] == 0
    for seat in range(SEATS):
        if seat == me:
            continue
        s["hand"][seat] = hands[seat] if seat < s["seats"] else 0
        if sealed and seat < s["seats"] and s["to_act"] >> seat & 1 == 0:
            s["bid"][seat] = draw(rng, 14)
    return True


def mines_fill(s, me, hands, deck, rng):
    """The opponent's hand and the piles; returns whether the game would go on (see above)."""
    other = 1 - me
    for seat in range(SEATS):
        if seat != me:
            s["hand"][seat] = 0
    s["hand"][other] = hands[other] | s["known"][me]
    bury(s, hands[ASIDE], deck, rng)
    return mines_goes_on(s)


def bury(s, cards, deck, rng):
    """Lay these cards into the piles of mines, in any order; those that have been drawn leave their places empty."""
    size = fill(deck, cards)
    shuffle(deck, size, size, rng)
    at = 0
    for pile in range(mines.PILES):
        s["inside"][pile] = 0
        for k in range(mines.DEPTH - s["left"][pile]):
            s["piles"][pile, k] = -1
        for k in range(mines.DEPTH - s["left"][pile], mines.DEPTH):
            s["piles"][pile, k] = deck[at]
            s["inside"][pile] |= bit(deck[at])
            at += 1


def mines_goes_on(s):
    """R6: whether the game would not have ended before, as far as this row shows it.

    And M8: who has named a pile to fight for holds a ♣.
    """
    turn, question = s["turn"], s["question"]
    if question == mines.FIGHT_CARD and s["hand"][turn] & suit_cards(CLUBS, mines.RANKS) == 0:
        return False
    if mines.diamonds(s, 0) >= mines.TO_WIN or mines.diamonds(s, 1) >= mines.TO_WIN:
        return False
    if s["impossible"] == mines.BY_WHAT_IS_SEEN:
        return True
    if question <= mines.GROW_PILE and mines.barred(s, turn):
        return False
    return s["busy"] != 0 or not mines.barred(s, 1 - turn)


NEEDS = {crystals.NAME: crystals_needs, fourteen.NAME: fourteen_needs, mines.NAME: mines_needs}
FILL = {crystals.NAME: crystals_fill, fourteen.NAME: fourteen_fill, mines.NAME: mines_fill}

compiled = jit.compiled_with(sys.modules[__name__])


@lru_cache(maxsize=8)
def dealer(game: Game) -> Callable[..., int]:
    """The compiled kernel that deals worlds of a game: ``deal(view, me, rng, worlds)`` fills an array of rows.

    Returns how many were dealt: all of them, unless the row is no view of a game that goes on.
    """
    needs_of, fill_of, ranks = NEEDS[game.name], FILL[game.name], game.ranks

    @compiled
    def deal(view, me, rng, worlds):
        sizes, banned = np.zeros(HOLDERS, np.int64), np.zeros(HOLDERS, np.int64)
        order, hands, deck = np.zeros(60, np.int64), np.zeros(HOLDERS, np.int64), np.zeros(60, np.int64)
        unseen = needs_of(view[0], me, sizes, banned)
        draws = constrained_draws(sizes, banned, order)
        table = ways(unseen, ranks, order, draws, banned)
        for k in range(len(worlds)):
            tries = 0
            while True:
                worlds[k] = view[0]
                share_out(unseen, ranks, order, draws, banned, table, sizes, hands, deck, rng)
                if fill_of(worlds[k], me, hands, deck, rng):
                    break
                tries += 1
                if tries == TRIES:
                    return k
        return len(worlds)

    return deal  # type: ignore[no-any-return]


def sample(game: Game, view: np.void, me: int, number: int, seed: int) -> np.ndarray[Any, Any]:
    """So many worlds consistent with a seat's view (`diamonds.bots.bot.see`), each drawn evenly and apart from the others."""
    worlds = np.empty(number, game.dtype)
    if dealer(game)(jit.as_rows(view), me, jit.new_rng(seed), worlds) < number:
        raise ValueError(f"This is no view of a game of {game.name} that goes on: nothing fits it.")
    return worlds


assert set(NEEDS) == set(FILL) == set(GAMES)
