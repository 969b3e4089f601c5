# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, no-check-untyped-defs
"""A race among candidates: all start in the same worlds, and worse ones drop out early.

The number of worlds doubles, and a candidate is dropped once it is further behind the best than chance explains, so
clear cases end early. All candidates share the random numbers of a world.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from diamonds.bots.games.adapter import HALVING_THRESHOLD
from diamonds.bots.search.compiled_adapter import CompiledAdapter
from diamonds.bots.search.world_sampling import deal_world
from diamonds.playout import PlayoutConfig, run_playout
from diamonds.rng import randbelow

MAX_PLAYOUT_ANSWERS = 600  # limit of one playout


class RolloutArguments(NamedTuple):
    """Settings of the playout after a candidate: see `SearchParams` and `GameAdapter.playout_styles`.

    The playout ends at turn ``end_turn``; −1 means no limit.
    """

    adapter: CompiledAdapter
    own_seat: int
    styles: Any
    own_random_permille: int
    other_random_permille: int
    end_turn: int


class RaceCandidates(NamedTuple):
    """The entrants: candidates with their plans, and the index of the default (−1 for none)."""

    candidates: Any
    plans: Any
    default_index: int


def is_playout_end(s, until):
    """Return whether a playout ends: with the round, hand or game, or at the horizon."""
    adapter, end_turn = until
    return s["to_act"] == 0 or (end_turn >= 0 and adapter.turns_played(s) >= end_turn)


def rollout(rows, candidate, settings, memory, observer, rng, playout_rng):
    """Answer in a world (the first row), and play out in the second row with the world's random numbers."""
    rows[1] = rows[0]
    playout_rng[0] = rng[0]
    if observer is None:
        settings.adapter.apply_candidate(rows[1], settings.own_seat, candidate, None)
    else:
        observer.event_log[0, 0] = 0
        settings.adapter.apply_candidate(rows[1], settings.own_seat, candidate, observer.event_log)
        observer.trick_open[0] = observer.observe(observer.event_log, rows[1], settings.own_seat, observer.counts, True)
    adapter, (own, others) = settings.adapter, settings.styles
    config = PlayoutConfig(
        adapter.rules,
        adapter.playout_answer,
        own,
        others,
        is_playout_end,
        (adapter, settings.end_turn),
        MAX_PLAYOUT_ANSWERS,
        settings.own_seat,
        settings.own_random_permille,
        adapter.random_permille(others, settings.other_random_permille),
    )
    run_playout(rows[1], config, memory, None, observer, playout_rng)


def run_race(view, own_seat, entrants, hidden, plans, max_worlds, params, memory, adapter, rng, mean, tried):
    """Write each entrant's mean value and number of worlds; return the index of the best.

    The index is −1 if the view fits no game in progress.
    """
    rows = np.empty(2, view.dtype)
    number = len(entrants.candidates)
    end_turn = adapter.turns_played(view[0]) + params.horizon if params.horizon != 0 else -1
    values, alive, playout_rng = np.zeros((max_worlds, number)), np.ones(number, np.bool_), np.zeros(1, np.uint64)
    left, done, best = number, 0, 0
    limit = min(max(4, params.initial_worlds * HALVING_THRESHOLD // max(number, HALVING_THRESHOLD)), max_worlds)
    prior = np.zeros(number)
    prior_worlds = params.prior_worlds
    if prior_worlds > 0 and not adapter.write_prior(view[0], own_seat, plans, entrants.candidates, memory, prior):
        prior_worlds = 0
    tried[:] = 0
    for k in range(number):
        mean[k] = prior_worlds * prior[k]
    while True:
        while done < limit:
            if not deal_world(rows, view, own_seat, hidden, adapter, rng):
                return -1
            adapter.clear_secret_choices(rows[0], own_seat)
            luck = randbelow(rng, 1 << 32)
            for k in range(number):
                if alive[k]:
                    settings = RolloutArguments(
                        adapter,
                        own_seat,
                        adapter.playout_styles(entrants.plans[k], luck * 1000 >> 32, luck),
                        params.own_random_permille,
                        params.other_random_permille,
                        end_turn,
                    )
                    rollout(rows, entrants.candidates[k], settings, memory, None, rng, playout_rng)
                    value = adapter.value(rows[1], own_seat, adapter.win_bonus)
                    values[done, k] = adapter.outlook(rows[1], own_seat, entrants.plans[k], memory, value)
                    mean[k] += values[done, k]
                    tried[k] += 1
            done += 1
        best = -1
        for k in range(number):
            if alive[k] and (best < 0 or mean[k] > mean[best]):
                best = k
        if done >= max_worlds:
            break
        left = drop_candidates(values, done, mean, prior_worlds, prior, alive, left, best, params)
        if left == 1:
            break
        limit = min(2 * done, max_worlds)
    default_index = entrants.default_index
    if (
        default_index >= 0
        and alive[default_index]
        and default_index != best
        and not is_behind(values, done, mean, prior_worlds, prior, default_index, best, params.default_std_errors, 0.0)
    ):
        best = default_index
    for k in range(number):
        mean[k] /= max(tried[k] + prior_worlds, 1)
    return best


def drop_candidates(values, done, mean, prior_worlds, prior, alive, left, best, params):
    """Drop candidates: the worse half of many, otherwise those clearly behind the best. Return how many are left."""
    for k in range(len(alive)):
        if alive[k] and k != best:
            if left > params.halving_threshold:
                better = 0
                for other in range(len(alive)):
                    if alive[other] and mean[other] > mean[k]:
                        better += 1
                if 2 * better >= left and better >= params.halving_threshold:
                    alive[k] = False
                    continue
            if is_behind(values, done, mean, prior_worlds, prior, k, best, params.drop_std_errors, params.drop_margin):
                alive[k] = False
    left = 0
    for k in range(len(alive)):
        if alive[k]:
            left += 1
    return left


def is_behind(values, done, mean, prior_worlds, prior, index, best, std_errors, margin):
    """Return whether a candidate is ``std_errors`` standard errors behind the best, world by world, plus ``margin``."""
    total, square = mean[best] - mean[index], 0.0
    distance = (total - prior_worlds * (prior[best] - prior[index])) / done
    for world in range(done):
        d = values[world, best] - values[world, index] - distance
        square += d * d
    distance = total / (done + prior_worlds) + margin
    return distance * distance * (done + prior_worlds) * (done - 1) >= std_errors * std_errors * square
