# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, no-check-untyped-defs
"""Evaluation: compares a few answers in many worlds and counts the events after each.

The playouts are those of `diamonds.bots.search.candidate_race`, with the same worlds, rules of thumb and random
answers. A race only finds the best answer; hints and reviews also need to know by how much and why. So no answer is
dropped, values are kept for each world, and the playouts' events are counted: who wins the trick on the table, which
crystals move, who ends without a trick.

`forecast` plays on to the end of the game, new deals included, and counts who wins.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from diamonds import jit, playout
from diamonds.bots import games
from diamonds.bots.games.adapter import COUNT_COLUMNS, SearchParams
from diamonds.bots.search import candidate_race, endgame, search, world_sampling
from diamonds.bots.search.compiled_adapter import compiled_adapter
from diamonds.cards import lowest
from diamonds.events import LOG_COLUMNS, MAX_LOG_ROWS
from diamonds.game import Game
from diamonds.playout import PlayoutConfig, PlayoutObserver, deck_of, is_over, run_playout
from diamonds.rng import randbelow

MAX_GAME_ANSWERS = 28_000  # no game is longer (F12)

FloatMatrix = np.ndarray[Any, np.dtype[np.float64]]


class WorldSamples(NamedTuple):
    """Evaluated candidates: values and points (without the win bonus) per world, counts per candidate."""

    values: FloatMatrix
    points: FloatMatrix
    counts: FloatMatrix


# Plain functions, compiled into kernels; ``adapter`` is the game's `CompiledAdapter`.


def default_answer(s, seat, adapter, weights):
    """Return the usual rule-of-thumb answer."""
    return adapter.heuristic_answer(s, seat, adapter.default_plan)


def add_win_shares(s, rules, share, chances):
    """Add each seat's share of a victory, which several teams may share."""
    winners = 0
    for seat in range(s["seats"]):
        if rules.team(s, seat) == seat and rules.seats_ahead(s, seat) == 0:
            winners += 1
    for seat in range(s["seats"]):
        if rules.seats_ahead(s, seat) == 0:
            chances[seat] += share / winners


def evaluate_worlds(
    view, own_seat, params, candidates, plan, weights, is_full_state, bits, adapter, values, points, counts
):
    """Try every candidate in as many worlds as ``values`` has rows; return whether any world fits.

    ``points`` leave out the win bonus. Where the unit is the chance to win, both are percentage points relative to 50.
    With ``is_full_state`` the row is a whole state, not a view, and the only world. If the last tricks can be solved,
    values and points are exact and the same in all worlds.
    """
    hidden, rng = world_sampling.hidden_cards_of(view[0], own_seat, adapter, False), np.array([bits])
    rows, playout_rng = np.empty(2, view.dtype), np.zeros(1, np.uint64)
    log, trick_open = np.zeros((MAX_LOG_ROWS, LOG_COLUMNS), np.int64), np.zeros(1, np.bool_)
    world_count, number = values.shape
    memory = adapter.playout_memory(weights)
    counts[:] = 0.0
    for done in range(world_count):
        if is_full_state:
            rows[0] = view[0]
        elif not world_sampling.deal_world(rows, view, own_seat, hidden, adapter, rng):
            return False
        adapter.clear_secret_choices(rows[0], own_seat)
        luck = randbelow(rng, 1 << 32)
        for k in range(number):
            settings = candidate_race.RolloutArguments(
                adapter,
                own_seat,
                adapter.playout_styles(plan, luck * 1000 >> 32, luck),
                params.own_random_permille,
                params.other_random_permille,
                -1,
            )
            candidate_race.rollout(
                rows,
                candidates[k],
                settings,
                memory,
                PlayoutObserver(adapter.count_events, own_seat, log, counts[k], trick_open),
                rng,
                playout_rng,
            )
            values[done, k] = adapter.value(rows[1], own_seat, adapter.win_bonus)
            points[done, k] = adapter.value(rows[1], own_seat, 0.0)
    counts /= world_count
    exact_values, exact_points, is_solved = np.empty(number), np.empty(number), params.solve_endgame
    for win_bonus, out in ((adapter.win_bonus, exact_values), (0.0, exact_points)):
        if is_solved:
            positions = endgame.solve_view(
                view, own_seat, candidates, hidden, False, win_bonus, endgame.MAX_POSITIONS, adapter, out
            )
            is_solved = positions != 0
    for done in range(world_count):
        for k in range(number):
            if is_solved:
                values[done, k], points[done, k] = exact_values[k], exact_points[k]
            if adapter.measures_win_chance:
                values[done, k] = points[done, k] = win_chance(
                    values[done, k], points[done, k], is_solved, adapter.win_bonus
                )
    return True


def win_chance(value, margin, is_solved, win_bonus):
    """Return a chance to win in percentage points relative to 50: +50 for a win, −50 for a loss."""
    return 50.0 * (round(value) if is_solved else (value - margin) / win_bonus)


compiled = jit.compiled_for_modules(playout, world_sampling, endgame, candidate_race, sys.modules[__name__])


@lru_cache(maxsize=8)
def compiled_evaluate(game: Game) -> Callable[..., bool]:
    """Return the compiled evaluation of a game; see `evaluate_worlds`."""
    adapter = compiled_adapter(game)

    @compiled
    def evaluate_rows(
        view, own_seat, params: SearchParams, candidates, plan, weights, is_full_state, bits, values, points, counts
    ):
        return evaluate_worlds(
            view, own_seat, params, candidates, plan, weights, is_full_state, bits, adapter, values, points, counts
        )

    return evaluate_rows  # type: ignore[no-any-return]


@lru_cache(maxsize=8)
def compiled_forecast(game: Game) -> Callable[..., None]:
    """Return the compiled forecast of a game: ``forecast(state, playouts, random_permille, bits, chances)``.

    It plays a complete state to the end of the game, with new deals. All seats follow rules of thumb with some random
    answers. Each seat's share of the wins is written; several winning teams share a victory.
    """
    adapter, max_answers = compiled_adapter(game), MAX_GAME_ANSWERS

    @compiled
    def forecast_rows(state, playouts, random_permille, bits, chances):
        rows, rng = np.empty(1, state.dtype), np.array([bits])
        deck = deck_of(state[0], adapter.rules, np.empty(60, np.int64))
        config = PlayoutConfig(
            adapter.rules,
            default_answer,
            adapter,
            adapter,
            is_over,
            None,
            max_answers,
            -1,
            random_permille,
            random_permille,
        )
        chances[:] = 0.0
        for _ in range(playouts):
            rows[0] = state[0]
            run_playout(rows[0], config, None, deck, None, rng)
            add_win_shares(rows[0], adapter.rules, 1.0, chances)
        chances /= playouts

    return forecast_rows  # type: ignore[no-any-return]


# From a view to its evaluation


def evaluate(
    game: Game, v: np.void, own_seat: int, candidates: list[int], plan: int, worlds: int, params: SearchParams, is_full_state: bool, seed: int
) -> WorldSamples:  # fmt: skip
    """Evaluate candidates in a number of worlds, or with ``is_full_state`` in the row itself; reproducible by seed."""
    view = jit.as_row_array(v)
    world_sampling.check_view(game, view, own_seat)
    values, counts = np.zeros((worlds, len(candidates))), np.zeros((len(candidates), COUNT_COLUMNS))
    points = np.zeros_like(values)
    has_world = compiled_evaluate(game)(
        view, own_seat, params, np.array(candidates, np.int64), plan, games.adapter_for(game).weights_for(v), is_full_state,
        jit.new_rng(seed)[0], values, points, counts,
    )  # fmt: skip
    if not has_world:
        raise ValueError(f"The row is not a view of a {game.name} game in progress: no world fits it.")
    return WorldSamples(values, points, counts)


def forecast(game: Game, state: np.void, playouts: int, random_permille: int, seed: int) -> list[float]:
    """Return each seat's chance to win a game from a state."""
    chances = np.zeros(int(state["seats"]))
    compiled_forecast(game)(jit.as_row_array(state), playouts, random_permille, jit.new_rng(seed)[0], chances)
    return chances.tolist()


def warm_up(game: Game) -> None:
    """Compile the evaluation, or load it from disk in seconds."""
    state, seat = search.sample_position(game)
    evaluate(game, state, seat, [lowest(int(game.rules.legal(state, seat)))], 0, 1, SearchParams(), True, 0)


def warm_up_forecast(game: Game) -> None:
    """Compile the forecast, or load it from disk in seconds."""
    forecast(game, search.sample_position(game)[0], 1, 100, 0)
