# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, no-check-untyped-defs
"""The last tricks played out exactly: every line of play, once it is known where every card lies.

Between two teams this is minimax: each does what is best for its margin. Among more, every seat does what is best for its own
worth (max^n: Luckhardt and Irani 1986), and who is indifferent is taken to choose evenly among what is best. Every question on
the way is answered so, the victim of a ♣ and the second card of a trick too. It ends where a search ends, with the round, hand
or game, and with the same worth (`Knowledge.worth`).

A search uses it when a view leaves one world only: in the second half of a perfect game for two, where each knows the other's
hand, or for the last cards of players who have shown what they are out of. What is too large is left to the search; how large
is counted in cards and positions, never in seconds, so that the answer is the same on every machine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from diamonds import jit
from diamonds.bots import knowing
from diamonds.bots.knowing.contract import ASIDE, HOLDERS, SAME
from diamonds.bots.thinking import worlds
from diamonds.bots.thinking.mind import mind_of
from diamonds.cards import count, lowest
from diamonds.fields import SEATS
from diamonds.game import Game

DEEPEST = 120  # answers in a line of play; a longer one is given up
POSITIONS = 200_000  # looked at, at most
CARDS, CARDS_OF_MANY = 26, 14  # in play between two teams, and among more; with more cards it is not tried
PLACES = 17  # the table of positions met before has so many bits
AT_LEAST, AT_MOST, EXACTLY = 1, 2, 3  # what is known of the worth of a position met before

# Plain functions, for kernels: ``mind`` is what is known of the game


def minimax(rows, me, rival, winning, most, met, mind):
    """What the first row is worth to ``me`` when both teams play as well as can be; and how many positions that took.

    The worth is half the difference of both sides', so that what one gains the other loses (a shared victory is half of one).
    ``rows`` are room for a line of play, ``met`` is the table of positions met before: numbers, worths, and what they are. NaN
    when a line is longer, or ``most`` positions were not enough.
    """
    met_key, met_worth, met_as = met
    places = np.uint64(len(met_key) - 1)
    deep = len(rows)
    left, ours, keys = np.zeros(deep, np.int64), np.zeros(deep, np.bool_), np.zeros(deep, np.uint64)
    best, low, high, floor, ceiling = np.zeros(deep), np.zeros(deep), np.zeros(deep), np.zeros(deep), np.zeros(deep)
    low[0], high[0] = -np.inf, np.inf
    level, seen, value, fresh = 0, 0, 0.0, True
    while level >= 0:
        s = rows[level]
        if fresh:
            seen += 1
            if s["to_act"] == 0:
                value = (mind.worth(s, me, winning) - mind.worth(s, rival, winning)) / 2
                level, fresh = level - 1, False
                continue
            if seen >= most or level + 1 == deep:
                return np.nan, seen
            keys[level] = mind.key(s)
            at = keys[level] >> np.uint64(20) & places
            if keys[level] != 0 and met_key[at] == keys[level]:
                value, known = met_worth[at], met_as[at]
                enough = value >= high[level] if known == AT_LEAST else known == EXACTLY or value <= low[level]
                if enough:
                    level, fresh = level - 1, False
                    continue
            seat = lowest(s["to_act"])
            left[level] = mind.rules.legal(s, seat)
            ours[level] = mind.rules.team(s, seat) == mind.rules.team(s, me)
            best[level] = -np.inf if ours[level] else np.inf
            floor[level], ceiling[level] = low[level], high[level]
        elif ours[level]:
            best[level] = max(best[level], value)
            low[level] = max(low[level], value)
        else:
            best[level] = min(best[level], value)
            high[level] = min(high[level], value)
        if (
            left[level] == 0 or low[level] >= high[level]
        ):  # all is tried, or the other side will not let it come to this
            value = best[level]
            if keys[level] != 0:
                at = keys[level] >> np.uint64(20) & places
                met_key[at], met_worth[at] = keys[level], value
                met_as[at] = AT_LEAST if value >= ceiling[level] else AT_MOST if value <= floor[level] else EXACTLY
            level, fresh = level - 1, False
            continue
        seat = lowest(s["to_act"])
        kind = mind.kind(s, seat, left[level])
        left[level] &= ~kind
        rows[level + 1] = rows[level]
        mind.rules.step(rows[level + 1], seat, lowest(kind), None)
        low[level + 1], high[level + 1] = low[level], high[level]
        level, fresh = level + 1, True
    return value, seen


def each_for_itself(rows, winning, most, worths, mind):
    """Fill in what the first row is worth to each seat when every seat plays for itself; returns how many positions it took.

    ``rows`` are room for a line of play; 0 when a line is longer, or ``most`` positions were not enough.
    """
    deep, seats = len(rows), rows[0]["seats"]
    left, alike, tied = np.zeros(deep, np.int64), np.zeros(deep, np.int64), np.zeros(deep, np.int64)
    best, total = np.zeros(deep), np.zeros((deep, SEATS))
    level, seen, fresh = 0, 0, True
    while level >= 0:
        s = rows[level]
        if fresh:
            seen += 1
            if s["to_act"] == 0:
                for seat in range(seats):
                    worths[seat] = mind.worth(s, seat, winning)
                level, fresh = level - 1, False
                continue
            if seen >= most or level + 1 == deep:
                return 0
            left[level] = mind.rules.legal(s, lowest(s["to_act"]))
            best[level] = -np.inf
        else:
            own = worths[lowest(s["to_act"])]
            if own > best[level] + SAME:
                best[level], tied[level] = own, 0
                total[level] = 0.0
            if own >= best[level] - SAME:
                tied[level] += alike[level]
                for seat in range(seats):
                    total[level, seat] += alike[level] * worths[seat]
        if left[level] == 0:
            for seat in range(seats):
                worths[seat] = total[level, seat] / tied[level]
            level, fresh = level - 1, False
            continue
        seat = lowest(s["to_act"])
        kind = mind.kind(s, seat, left[level])
        left[level] &= ~kind
        alike[level] = count(kind)
        rows[level + 1] = rows[level]
        mind.rules.step(rows[level + 1], seat, lowest(kind), None)
        level, fresh = level + 1, True
    return seen


def rival_of(s, me, mind):
    """A seat of the other team where there are two; −1 where there are more."""
    rival = -1
    for seat in range(s["seats"]):
        if mind.rules.team(s, seat) != mind.rules.team(s, me):
            if rival >= 0 and mind.rules.team(s, seat) != mind.rules.team(s, rival):
                return -1
            rival = seat
    return rival


def unconstrained(sizes, banned):
    """How many holders of unseen cards could hold any suit."""
    free = 0
    for holder in range(HOLDERS):
        if sizes[holder] > 0 and banned[holder] == 0:
            free += 1
    return free


def orders(sizes, banned):
    """In how many orders the constrained draws of one sharing-out can be made."""
    number = 1.0
    for holder in range(HOLDERS):
        if banned[holder] != 0:
            for k in range(sizes[holder]):
                number *= k + 1
    return number


def solve_view(view, me, candidates, hidden, known, winning, most, mind, worth):
    """Fill in what each candidate is worth, and return how many positions it took.

    0 if more than one world is possible (with ``known`` the row is itself the world), if too many cards
    are in play or if ``most`` positions were not enough.
    """
    sizes, rival = hidden.sizes, rival_of(view[0], me, mind)
    cards = count(view[0]["hand"][me]) + (sizes[ASIDE] if mind.turned_up else 0)
    for seat in range(SEATS):
        cards += sizes[seat]
    if cards > (CARDS if rival >= 0 else CARDS_OF_MANY) or not mind.shown(view[0]):
        return 0
    rows = np.empty(DEEPEST + 1, view.dtype)
    rows[0] = view[0]
    if not known:
        if unconstrained(sizes, hidden.banned) > 1 or (mind.turned_up and sizes[ASIDE] > 1):
            return 0
        table, shape = hidden.table, hidden.table.shape
        if table[0, shape[1] - 1, shape[2] - 1, shape[3] - 1] > 1.5 * orders(sizes, hidden.banned):
            return 0
        nothing = np.zeros(1, np.uint64)  # of what is drawn, nothing matters any more
        worlds.share_out(hidden, mind.ranks, nothing)
        if not mind.fill(rows[0], me, hidden.hands, hidden.deck, nothing):
            return 0
    worths, seen = np.zeros(SEATS), 0
    places = 1 << min(PLACES, cards)
    met = (np.zeros(places, np.uint64), np.zeros(places), np.zeros(places, np.int8))
    for k in range(len(candidates)):
        rows[1] = rows[0]
        mind.rules.step(rows[1], me, candidates[k], None)
        if rival >= 0:
            worth[k], took = minimax(rows[1:], me, rival, winning, most - seen, met, mind)
            if np.isnan(worth[k]):
                return 0
        else:
            took = each_for_itself(rows[1:], winning, most - seen, worths, mind)
            worth[k] = worths[me]
            if took == 0:
                return 0
        seen += took
    return seen


compiled = jit.compiled_with(worlds, sys.modules[__name__])


@lru_cache(maxsize=8)
def solver(game: Game) -> Callable[..., int]:
    """The compiled solver of a game: ``solve(view, me, candidates, known, most, winning, worth)``; see `solve_view`."""
    mind = mind_of(game)

    @compiled
    def solve(view, me, candidates, known, most, winning, worth):
        hidden = worlds.hidden_from(view[0], me, mind, False)
        return solve_view(view, me, candidates, hidden, known, winning, most, mind, worth)

    return solve  # type: ignore[no-any-return]


def solve(
    game: Game,
    row: np.void,
    me: int,
    candidates: Sequence[int],
    known: bool = False,
    winning: float | None = None,
    most: int = POSITIONS,
) -> list[float] | None:
    """What each candidate is worth, exactly; ``None`` where more than one world is possible or it is too large.

    ``row`` is a view (`diamonds.bots.bot.see`), or with ``known`` a whole state. ``winning`` is what it counts beside the margin.
    """
    worth = np.zeros(len(candidates))
    winning = knowing.of(game).winning if winning is None else winning
    took = solver(game)(jit.as_rows(row), me, np.array(candidates, np.int64), known, most, winning, worth)
    return worth.tolist() if took else None
