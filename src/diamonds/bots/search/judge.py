# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, no-check-untyped-defs
"""The judgement of a decision in a finished game: for each game a compiled function of view, answer and random bits.

Each step has its own worlds and bits, so an answer chosen for its value in some worlds is measured in others.

1. The search of the best level chooses an answer from the view.
2. If it differs from the answer given, both are compared in a few worlds, and in many if it may have been a mistake.
3. The rule-of-thumb answer is compared with the answer given; this yields the expected result and the skill of the
   choice.
4. *Hindsight*, where the answer is marked as a mistake: the best answer on the true cards, found in half of the
   playouts and measured in the others.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from diamonds import jit, playout
from diamonds.bots import games
from diamonds.bots.bot import bot_view
from diamonds.bots.games.adapter import COUNT_COLUMNS, MAX_CANDIDATES, NO_PLAN, JudgeParams, SearchParams
from diamonds.bots.search import candidate_race, endgame, evaluate, search, world_sampling
from diamonds.bots.search.compiled_adapter import judging_adapter
from diamonds.cards import lowest
from diamonds.game import Game

SHORTLIST_SIZE = 10  # from more sets of cards to pass, hindsight compares only those the search ranks best
NO_WORLD, ONLY_CHOICE, SOUND, MISTAKE = 0, 1, 2, 3  # results of judging


class Judgement(NamedTuple):
    """The judgement of a decision in numbers (`diamonds.bots.analysis.review.JudgedDecision`): candidates and amounts.

    ``representative`` is the candidate that represents the answer given. ``hindsight`` and ``regret`` are set only for
    marked decisions.
    """

    marked: bool
    best: int
    representative: int
    hindsight: int
    cost: float
    cost_error: float
    points: float
    value: float
    skill: float
    skill_error: float
    regret: float
    regret_error: float


# Plain functions, compiled into kernels; ``adapter`` is the game's `CompiledAdapter`.


def mean_and_error(values):
    """Return the mean of independent values and its standard error."""
    mean, square = 0.0, 0.0
    for k in range(len(values)):
        mean += values[k]
    mean /= len(values)
    for k in range(len(values)):
        square += (values[k] - mean) * (values[k] - mean)
    return mean, np.sqrt(square / (len(values) - 1)) / np.sqrt(len(values))


def column_differences(values, k, other):
    """Return the difference of two columns, row by row."""
    differences = np.empty(len(values))
    for row in range(len(values)):
        differences[row] = values[row, k] - values[row, other]
    return differences


def index_of(candidate, candidates):
    """Return the index of a candidate among others, or −1."""
    for k in range(len(candidates)):
        if candidates[k] == candidate:
            return k
    return -1


def evaluate_candidates(
    view, own_seat, params, candidates, plan, weights, is_full_state, bits, world_count, adapter, counts
):
    """Evaluate candidates in some worlds (`evaluate.evaluate_worlds`); return values and points, write counts."""
    values, points = np.zeros((world_count, len(candidates))), np.zeros((world_count, len(candidates)))
    evaluate.evaluate_worlds(
        view, own_seat, params, candidates, plan, weights, is_full_state, bits, adapter, values, points, counts
    )
    return values, points


def keep_best(candidates, values, tried):
    """Move the best of many candidates to the beginning; return their number."""
    best, left = np.empty(SHORTLIST_SIZE, np.int64), tried.copy()
    for index in range(SHORTLIST_SIZE):
        best_index = 0
        for k in range(1, len(candidates)):
            if left[k] > left[best_index] or (left[k] == left[best_index] and values[k] > values[best_index]):
                best_index = k
        best[index], left[best_index] = candidates[best_index], -1
    for index in range(SHORTLIST_SIZE):
        candidates[index] = best[index]
    return SHORTLIST_SIZE


def judge_rows(
    view, truth, own_seat, given_candidate, params, judge_params, weights, bits, adapter, picks, amounts, counts
):
    """Judge a decision as the module docstring describes, with separate ``bits`` for each step.

    ``given_candidate`` is the answer given, or the set of cards passed. The function writes the candidates (``picks``)
    and ``amounts`` of a `Judgement`, and the counts after the best answer and after the one given.
    """
    candidates, tried = np.empty(MAX_CANDIDATES, np.int64), np.empty(MAX_CANDIDATES, np.int64)
    values = np.empty(MAX_CANDIDATES)
    number, best, _ = search.decide(view, own_seat, params, weights, 0, bits[0], adapter, candidates, values, tried)
    if number == 1:
        return ONLY_CHOICE
    representative = adapter.representative(view[0], candidates[:number], given_candidate)
    if best < 0 or index_of(representative, candidates[:number]) < 0:
        return NO_WORLD
    picks[:], amounts[:], counts[:] = 0, 0.0, 0.0
    picks[0], picks[1] = candidates[best], representative
    pair, plan = picks[:2].copy(), lowest(adapter.plans(view[0], own_seat, params))
    if pair[0] != representative:
        for stage in range(2):
            world_count = judge_params.quick_worlds if stage == 0 else judge_params.full_worlds
            value, points = evaluate_candidates(
                view, own_seat, params, pair, plan, weights, False, bits[1 + stage], world_count, adapter, counts
            )
            amounts[0], amounts[1] = mean_and_error(column_differences(value, 0, 1))
            amounts[2] = mean_and_error(column_differences(points, 0, 1))[0]
            if amounts[0] + 3 * amounts[1] < adapter.material_difference:
                break
    scratch = np.empty(1, view.dtype)
    scratch[0] = view[0]
    pair[0], pair[1] = adapter.default_candidate(scratch[0], own_seat, NO_PLAN), given_candidate
    unused_counts = np.empty((MAX_CANDIDATES, COUNT_COLUMNS))
    _, points = evaluate_candidates(
        view,
        own_seat,
        params,
        pair,
        NO_PLAN,
        weights,
        False,
        bits[3],
        judge_params.quick_worlds,
        adapter,
        unused_counts[:2],
    )
    amounts[3] = mean_and_error(points[:, 0])[0]
    amounts[4], amounts[5] = mean_and_error(column_differences(points, 1, 0))
    if amounts[0] < adapter.material_difference or amounts[0] < judge_params.mistake_std_errors * amounts[1]:
        return SOUND
    if number > SHORTLIST_SIZE and adapter.is_set(view[0]):
        number = keep_best(candidates[:number], values, tried)
        if index_of(representative, candidates[:number]) < 0:
            candidates[number] = representative
            number += 1
    world_count = judge_params.true_deal_playouts
    value, _ = evaluate_candidates(
        truth,
        own_seat,
        params,
        candidates[:number],
        plan,
        weights,
        True,
        bits[4],
        world_count,
        adapter,
        unused_counts[:number],
    )
    best, best_mean = 0, -np.inf
    for k in range(number):
        mean = mean_and_error(value[:, k])[0]
        if mean > best_mean:
            best, best_mean = k, mean
    picks[2] = pair[0] = candidates[best]
    pair[1] = representative
    value, _ = evaluate_candidates(
        truth, own_seat, params, pair, plan, weights, True, bits[5], world_count, adapter, unused_counts[:2]
    )
    amounts[6], amounts[7] = mean_and_error(column_differences(value, 0, 1))
    return MISTAKE


compiled = jit.compiled_for_modules(
    playout, world_sampling, endgame, candidate_race, search, evaluate, sys.modules[__name__]
)


@lru_cache(maxsize=8)
def compiled_judge(game: Game) -> Callable[..., int]:
    """Return the compiled judge of a game; see `judge_rows`."""
    adapter = judging_adapter(game)

    @compiled
    def judge_kernel(
        view,
        truth,
        own_seat,
        given_candidate,
        params: SearchParams,
        judge_params: JudgeParams,
        weights,
        bits,
        picks,
        amounts,
        counts,
    ):
        return judge_rows(
            view, truth, own_seat, given_candidate, params, judge_params, weights, bits, adapter, picks, amounts, counts
        )

    return judge_kernel  # type: ignore[no-any-return]


def judge(
    game: Game,
    v: np.void,
    truth: np.void,
    own_seat: int,
    given_candidate: int,
    judge_params: JudgeParams,
    seeds: Sequence[int],
) -> tuple[Judgement, np.ndarray[Any, Any]] | None:
    """Judge a decision; return the judgement and the counts after the best and the given answer.

    Return ``None`` if there is no choice. ``seeds`` make it reproducible: one each for the search, the few worlds, the
    many worlds and the rules of thumb, and two for hindsight.
    """
    view_rows, truth_rows = jit.as_row_array(v), jit.as_row_array(truth)
    for rows in (view_rows, truth_rows):
        world_sampling.check_view(game, rows, own_seat)
    bits = np.array([jit.new_rng(seed)[0] for seed in seeds])
    picks, amounts, counts = np.zeros(3, np.int64), np.zeros(8), np.zeros((2, COUNT_COLUMNS))
    weights = games.adapter_for(game).weights_for(v)
    outcome = compiled_judge(game)(
        view_rows,
        truth_rows,
        own_seat,
        given_candidate,
        SearchParams(),
        judge_params,
        weights,
        bits,
        picks,
        amounts,
        counts,
    )
    if outcome == NO_WORLD:
        raise ValueError(
            f"The row is not a decision in a {game.name} game: no world fits it, or {given_candidate} is not a candidate."
        )
    return (
        None if outcome == ONLY_CHOICE else (Judgement(outcome == MISTAKE, *picks.tolist(), *amounts.tolist()), counts)
    )


def warm_up(game: Game) -> None:
    """Compile the kernel, or load it from disk in seconds."""
    state, seat = search.sample_position(game)
    view = bot_view(game, state, seat).row
    judge(game, view, state, seat, search.candidates_of(game, view, seat)[0], JudgeParams(2, 2, 2, 0.0), range(6))
