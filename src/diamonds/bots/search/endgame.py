# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, no-check-untyped-defs
"""Exact endgames: every line of play, once the place of every card is known.

Between two teams this is minimax: each side maximizes its margin. With more teams, every seat maximizes its own value
(max^n: Luckhardt and Irani 1986), and a seat with several best answers is assumed to choose among them evenly. This
covers every question, the victim of a ♣ and the second card of a trick included. It ends where a search ends, with the
round, hand or game, and uses the same value (`GameAdapter.value`).

A search uses it when a view leaves a single world: in the second half of a perfect game for two, where each player
knows the other's hand, or for the last cards of players who have shown what they are out of. Larger positions are left
to the search. The limits count cards and positions, never seconds, so the answer is the same on every machine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from diamonds import jit
from diamonds.bots import games
from diamonds.bots.games.adapter import EQUAL_TOLERANCE, HOLDER_COUNT, SET_ASIDE
from diamonds.bots.search import world_sampling
from diamonds.bots.search.compiled_adapter import compiled_adapter
from diamonds.cards import count, lowest
from diamonds.fields import MAX_SEATS
from diamonds.game import Game

MAX_DEPTH = 120  # answers in a line of play; a longer one ends the attempt
MAX_POSITIONS = 200_000  # limit of visited positions
MAX_CARDS_TWO_TEAMS, MAX_CARDS_MANY_TEAMS = (26, 14)  # limits of cards in play, with two teams and with more
TABLE_BITS = 17  # the transposition table has 2**17 entries
LOWER_BOUND, UPPER_BOUND, EXACT_VALUE = 1, 2, 3  # kinds of values in the transposition table

# Plain functions, compiled into kernels; ``adapter`` is the game's `CompiledAdapter`.


def minimax(rows, own_seat, rival, win_bonus, max_positions, transpositions, adapter):
    """Return the value of the first row to ``own_seat`` if both teams play best, and the number of positions visited.

    The value is half the difference of both sides' values, so that one side's gain is the other's loss (a shared
    victory is half a win). ``rows`` have space for a line of play; ``transpositions`` is a table of keys, values and
    their kinds. The value is NaN if a line is too long or ``max_positions`` were not enough.
    """
    table_keys, table_values, table_bounds = transpositions
    index_mask = np.uint64(len(table_keys) - 1)
    depth = len(rows)
    left, is_own_turn, keys = np.zeros(depth, np.int64), np.zeros(depth, np.bool_), np.zeros(depth, np.uint64)
    best, low, high, floor, ceiling = (
        np.zeros(depth),
        np.zeros(depth),
        np.zeros(depth),
        np.zeros(depth),
        np.zeros(depth),
    )
    low[0], high[0] = -np.inf, np.inf
    level, visited, value, is_new = 0, 0, 0.0, True
    while level >= 0:
        s = rows[level]
        if is_new:
            visited += 1
            if s["to_act"] == 0:
                value = (adapter.value(s, own_seat, win_bonus) - adapter.value(s, rival, win_bonus)) / 2
                level, is_new = level - 1, False
                continue
            if visited >= max_positions or level + 1 == depth:
                return np.nan, visited
            keys[level] = adapter.position_key(s)
            slot = keys[level] >> np.uint64(20) & index_mask
            if keys[level] != 0 and table_keys[slot] == keys[level]:
                value, bound = table_values[slot], table_bounds[slot]
                is_cutoff = (
                    value >= high[level] if bound == LOWER_BOUND else bound == EXACT_VALUE or value <= low[level]
                )
                if is_cutoff:
                    level, is_new = level - 1, False
                    continue
            seat = lowest(s["to_act"])
            left[level] = adapter.rules.legal(s, seat)
            is_own_turn[level] = adapter.rules.team(s, seat) == adapter.rules.team(s, own_seat)
            best[level] = -np.inf if is_own_turn[level] else np.inf
            floor[level], ceiling[level] = low[level], high[level]
        elif is_own_turn[level]:
            best[level] = max(best[level], value)
            low[level] = max(low[level], value)
        else:
            best[level] = min(best[level], value)
            high[level] = min(high[level], value)
        # all answers have been tried, or the opponent avoids this position
        if left[level] == 0 or low[level] >= high[level]:
            value = best[level]
            if keys[level] != 0:
                slot = keys[level] >> np.uint64(20) & index_mask
                table_keys[slot], table_values[slot] = keys[level], value
                table_bounds[slot] = (
                    LOWER_BOUND if value >= ceiling[level] else UPPER_BOUND if value <= floor[level] else EXACT_VALUE
                )
            level, is_new = level - 1, False
            continue
        seat = lowest(s["to_act"])
        kind = adapter.equivalence_class(s, seat, left[level])
        left[level] &= ~kind
        rows[level + 1] = rows[level]
        adapter.rules.step(rows[level + 1], seat, lowest(kind), None)
        low[level + 1], high[level + 1] = low[level], high[level]
        level, is_new = level + 1, True
    return value, visited


def max_n(rows, win_bonus, max_positions, seat_values, adapter):
    """Write each seat's value of the first row if every seat plays for itself; return how many positions were visited.

    ``rows`` have space for a line of play. The result is 0 if a line is too long or ``max_positions`` were not enough.
    """
    depth, seats = len(rows), rows[0]["seats"]
    left, class_size, tie_weight = np.zeros(depth, np.int64), np.zeros(depth, np.int64), np.zeros(depth, np.int64)
    best, total = np.zeros(depth), np.zeros((depth, MAX_SEATS))
    level, visited, is_new = 0, 0, True
    while level >= 0:
        s = rows[level]
        if is_new:
            visited += 1
            if s["to_act"] == 0:
                for seat in range(seats):
                    seat_values[seat] = adapter.value(s, seat, win_bonus)
                level, is_new = level - 1, False
                continue
            if visited >= max_positions or level + 1 == depth:
                return 0
            left[level] = adapter.rules.legal(s, lowest(s["to_act"]))
            best[level] = -np.inf
        else:
            own = seat_values[lowest(s["to_act"])]
            if own > best[level] + EQUAL_TOLERANCE:
                best[level], tie_weight[level] = own, 0
                total[level] = 0.0
            if own >= best[level] - EQUAL_TOLERANCE:
                tie_weight[level] += class_size[level]
                for seat in range(seats):
                    total[level, seat] += class_size[level] * seat_values[seat]
        if left[level] == 0:
            for seat in range(seats):
                seat_values[seat] = total[level, seat] / tie_weight[level]
            level, is_new = level - 1, False
            continue
        seat = lowest(s["to_act"])
        kind = adapter.equivalence_class(s, seat, left[level])
        left[level] &= ~kind
        class_size[level] = count(kind)
        rows[level + 1] = rows[level]
        adapter.rules.step(rows[level + 1], seat, lowest(kind), None)
        level, is_new = level + 1, True
    return visited


def opposing_seat(s, own_seat, adapter):
    """Return a seat of the other team if there are two teams; −1 if there are more."""
    rival = -1
    for seat in range(s["seats"]):
        if adapter.rules.team(s, seat) != adapter.rules.team(s, own_seat):
            if rival >= 0 and adapter.rules.team(s, seat) != adapter.rules.team(s, rival):
                return -1
            rival = seat
    return rival


def count_free_holders(sizes, banned):
    """Return how many holders of unseen cards could hold any suit."""
    free = 0
    for holder in range(HOLDER_COUNT):
        if sizes[holder] > 0 and banned[holder] == 0:
            free += 1
    return free


def count_draw_orders(sizes, banned):
    """Return the number of possible orders of the constrained draws in one deal."""
    number = 1.0
    for holder in range(HOLDER_COUNT):
        if banned[holder] != 0:
            for k in range(sizes[holder]):
                number *= k + 1
    return number


def solve_view(view, own_seat, candidates, hidden, is_full_state, win_bonus, max_positions, adapter, values):
    """Write the value of each candidate, and return the number of positions visited.

    The number is 0 if several worlds are possible (with ``is_full_state`` the row itself is the world), if too many
    cards are in play, or if ``max_positions`` were not enough.
    """
    sizes, rival = hidden.sizes, opposing_seat(view[0], own_seat, adapter)
    cards = count(view[0]["hand"][own_seat]) + (sizes[SET_ASIDE] if adapter.has_draws else 0)
    for seat in range(MAX_SEATS):
        cards += sizes[seat]
    if cards > (MAX_CARDS_TWO_TEAMS if rival >= 0 else MAX_CARDS_MANY_TEAMS) or not adapter.has_no_secret_choice(
        view[0]
    ):
        return 0
    rows = np.empty(MAX_DEPTH + 1, view.dtype)
    rows[0] = view[0]
    if not is_full_state:
        if count_free_holders(sizes, hidden.banned) > 1 or (adapter.has_draws and sizes[SET_ASIDE] > 1):
            return 0
        table, shape = hidden.table, hidden.table.shape
        if table[0, shape[1] - 1, shape[2] - 1, shape[3] - 1] > 1.5 * count_draw_orders(sizes, hidden.banned):
            return 0
        unused_rng = np.zeros(1, np.uint64)  # only one world is left, so nothing is drawn
        world_sampling.deal_uniform(hidden, adapter.ranks, unused_rng)
        if not adapter.write_world(rows[0], own_seat, hidden.hands, hidden.deck, unused_rng):
            return 0
    seat_values, visited = np.zeros(MAX_SEATS), 0
    table_size = 1 << min(TABLE_BITS, cards)
    transpositions = (np.zeros(table_size, np.uint64), np.zeros(table_size), np.zeros(table_size, np.int8))
    for k in range(len(candidates)):
        rows[1] = rows[0]
        adapter.rules.step(rows[1], own_seat, candidates[k], None)
        if rival >= 0:
            values[k], positions = minimax(
                rows[1:], own_seat, rival, win_bonus, max_positions - visited, transpositions, adapter
            )
            if np.isnan(values[k]):
                return 0
        else:
            positions = max_n(rows[1:], win_bonus, max_positions - visited, seat_values, adapter)
            values[k] = seat_values[own_seat]
            if positions == 0:
                return 0
        visited += positions
    return visited


compiled = jit.compiled_for_modules(world_sampling, sys.modules[__name__])


@lru_cache(maxsize=8)
def compiled_solve(game: Game) -> Callable[..., int]:
    """Return the compiled solver of a game; see `solve_view`."""
    adapter = compiled_adapter(game)

    @compiled
    def solve_rows(view, own_seat, candidates, is_full_state, max_positions, win_bonus, values):
        hidden = world_sampling.hidden_cards_of(view[0], own_seat, adapter, False)
        return solve_view(view, own_seat, candidates, hidden, is_full_state, win_bonus, max_positions, adapter, values)

    return solve_rows  # type: ignore[no-any-return]


def solve(
    game: Game,
    row: np.void,
    own_seat: int,
    candidates: Sequence[int],
    is_full_state: bool = False,
    win_bonus: float | None = None,
    max_positions: int = MAX_POSITIONS,
) -> list[float] | None:
    """Return each candidate's exact value, or ``None`` with several possible worlds or too large a position.

    ``row`` is a view (`diamonds.bots.bot.bot_view`) or, with ``is_full_state``, a complete state. ``win_bonus`` is the
    value of winning in addition to the margin.
    """
    rows = jit.as_row_array(row)
    world_sampling.check_view(game, rows, own_seat)
    values = np.zeros(len(candidates))
    win_bonus = games.adapter_for(game).win_bonus if win_bonus is None else win_bonus
    positions = compiled_solve(game)(
        rows, own_seat, np.array(candidates, np.int64), is_full_state, max_positions, win_bonus, values
    )
    return values.tolist() if positions else None
