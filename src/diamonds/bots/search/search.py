# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, no-check-untyped-defs
"""A decision: from a view, a seat, an effort and 64 random bits to an answer, one compiled function a game.

1. *Worlds* consistent with the view are dealt (`diamonds.bots.search.worlds`).
2. *Candidates*: the legal answers, one for each class of cards that amount to the same; a set of cards to pass is one
   candidate (`GameAdapter.candidates`).
3. *The last tricks* are played out where the view leaves a single world (`diamonds.bots.search.endgame`). Then playouts only decide
   between equals.
4. *Playouts*: in each world every candidate is followed by play to the end of the round (crystals), hand (fourteen) or game
   (mines). Every seat plays from its own hand, so nobody in a playout profits from seeing the world: by `simple`, or in
   crystals by what training has found about cards, the own seat always and the others in half of
   the worlds; who prepares for one kind of opponent alone loses to the other. A large share of the others' answers
   (``noise``) is drawn at random: who is too sure of what the others will do, is surprised by anyone who does not.
5. *A race* (`diamonds.bots.search.race`): worlds are dealt where they matter, and what is clear ends early.
6. *Slips*: a player who is not perfect feels each worth up to an error, and has tastes.

The worth of a playout is the margin: own points (or the team's) less the mean of the others', and where the game ends also
winning itself. The same view, effort and bits give the same answer wherever this runs, interpreted or compiled. Kernels run without
the GIL.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from diamonds import jit, playout
from diamonds.bots import games
from diamonds.bots.bot import bot_view
from diamonds.bots.games.adapter import EQUAL_TOLERANCE, MAX_CANDIDATES, SearchParams, SearchResult
from diamonds.bots.search import endgame, race, worlds
from diamonds.bots.search.compiled_adapter import compiled_adapter
from diamonds.cards import count, lowest
from diamonds.game import Game
from diamonds.rng import randbelow

# Errors as people make them: the normal distribution in 1,024 equal shares, in thousandths, so that they are the same on every machine.
NORMAL_QUANTILES = np.array([round(1000 * NormalDist().inv_cdf((k + 0.5) / 1024)) for k in range(1024)]) / 1000

# Plain functions, for kernels: ``mind`` is what is known of the game


def argmax_all(values, candidates, best_candidates, indices):
    """Write down the candidates that are worth the most, and their places; returns how many there are."""
    max_value, number = -np.inf, 0
    for k in range(len(values)):
        max_value = max(max_value, values[k])
    for k in range(len(values)):
        if values[k] >= max_value - EQUAL_TOLERANCE:
            best_candidates[number], indices[number] = candidates[k], k
            number += 1
    return number


def pair_candidates_with_plans(candidates, plans, default_candidate):
    """Those who run: every candidate with every plan. At home is the usual answer, with the first plan."""
    number, plan_count, default_index = len(candidates), count(plans), -1
    entrant_candidates, entrant_plans = np.empty(number * plan_count, np.int64), np.empty(number * plan_count, np.int64)
    for k in range(number):
        left = plans
        for j in range(plan_count):
            entrant_candidates[k * plan_count + j], entrant_plans[k * plan_count + j] = candidates[k], lowest(left)
            left &= left - 1
        if candidates[k] == default_candidate and default_index < 0:
            default_index = k * plan_count
    return race.Entrants(entrant_candidates, entrant_plans, default_index)


def keep_best_plans(mean, times, plan_count):
    """Of every candidate's plans keep the best, in its place at the beginning: that which was tried longest."""
    for k in range(len(mean) // plan_count):
        best = k * plan_count
        for j in range(best + 1, (k + 1) * plan_count):
            if times[j] > times[best] or (times[j] == times[best] and mean[j] > mean[best]):
                best = j
        mean[k], times[k] = mean[best], times[best]


def noisy_best(v, own_seat, params, adapter, rng, candidates, values, best):
    """The candidate that feels best: its worth as found, an error, and if all are cards the player's taste for their suits.

    Tastes are drawn once a game for each seat, from the public cut, and stay so.
    """
    preferences, has_preferences = np.zeros(4), True
    for k in range(len(candidates)):
        has_preferences = has_preferences and adapter.card_of(v, candidates[k]) >= 0
    if has_preferences:
        preference_rng = np.array([np.uint64(1 + own_seat)])
        for seat in range(v["seats"]):
            randbelow(preference_rng, 2)
            preference_rng[0] ^= np.uint64(v["cut"][seat])
        for suit in range(4):
            preferences[suit] = (
                params.suit_preference_sd * NORMAL_QUANTILES[randbelow(preference_rng, len(NORMAL_QUANTILES))]
            )
    chosen, best_value = best, -np.inf
    for k in range(len(candidates)):
        noisy_value = values[k] + params.error_sd * NORMAL_QUANTILES[randbelow(rng, len(NORMAL_QUANTILES))]
        if has_preferences:
            noisy_value += preferences[adapter.card_of(v, candidates[k]) // adapter.ranks]
        if values[k] >= values[best] - params.max_regret and noisy_value > best_value:
            chosen, best_value = k, noisy_value
    return chosen


def decide(view, own_seat, params, weights, given_count, bits, adapter, candidates, values, tried):
    """Find the best of the first ``given`` candidates, or if that is 0 of all that there are, which are filled in.

    So are each one's worth, and in how many worlds it was tried. Returns how many there are, the place of the best, −1 if the view is of
    no game that goes on, and the answer to give now. The arrays have room for `MAX_CANDIDATES`.
    """
    number, rng = given_count, np.array([bits])
    if given_count == 0:
        number = adapter.candidates(
            view[0], own_seat, adapter.rules.legal(view[0], own_seat), params.game_specific, candidates
        )
    values[:number] = 0.0
    tried[:number] = 0
    if number == 1:
        return number, 0, lowest(adapter.answers_of(view[0], own_seat, candidates[0]))
    hidden, positions = worlds.hidden_cards_of(view[0], own_seat, adapter, params.game_specific), 0
    if params.solve_endgame:
        positions = endgame.solve_view(
            view,
            own_seat,
            candidates[:number],
            hidden,
            False,
            adapter.win_bonus,
            endgame.MAX_POSITIONS,
            adapter,
            values,
        )
        tried[:number] = 1
    if positions == 0:  # then nothing is known yet, and all are equal
        values[:number] = 0.0
    compared, indices, best = np.empty(number, np.int64), np.empty(number, np.int64), 0
    left = argmax_all(values[:number], candidates, compared, indices)
    if left > 1:
        plans, default_candidate = adapter.plans(view[0], own_seat, params), -1
        if params.default_std_errors > 0.0:
            default_candidate = adapter.playout_answer(
                view[0], own_seat, adapter.playout_styles(lowest(plans), 0)[0], weights
            )
        entrants, plan_count = pair_candidates_with_plans(compared[:left], plans, default_candidate), count(plans)
        mean, times = np.empty(left * plan_count), np.empty(left * plan_count, np.int64)
        best = race.run_race(view, own_seat, entrants, hidden, params, weights, adapter, rng, mean, times)
        if best < 0:
            return number, -1, -1
        keep_best_plans(mean, times, plan_count)
        best //= plan_count
        if positions == 0:
            for k in range(number):
                values[k], tried[k] = mean[k], times[k]
    chosen = best = indices[best]
    if params.error_sd > 0.0:
        chosen = noisy_best(view[0], own_seat, params, adapter, rng, candidates[:number], values, best)
    return number, best, lowest(adapter.answers_of(view[0], own_seat, candidates[chosen]))


compiled = jit.compiled_for_modules(playout, worlds, endgame, race, sys.modules[__name__])


@lru_cache(maxsize=8)
def compiled_decide(game: Game) -> Callable[..., tuple[int, int, int]]:
    """The compiled decision of a game: ``think(view, me, effort, numbers, given, bits, candidates, worth, tried)``; see `decide`."""
    adapter = compiled_adapter(game)

    @compiled
    def decide_rows(view, own_seat, params: SearchParams, weights, given_count, bits, candidates, values, tried):
        return decide(view, own_seat, params, weights, given_count, bits, adapter, candidates, values, tried)

    return decide_rows  # type: ignore[no-any-return]


# From a view to an answer


def decide_view(
    game: Game, v: np.void, own_seat: int, params: SearchParams, seed: int, among: Sequence[int] = ()
) -> tuple[SearchResult, int]:
    """What a decision finds, and the answer that it gives; ``among`` are the candidates, if not all are wanted."""
    candidates, values = np.empty(MAX_CANDIDATES, np.int64), np.empty(MAX_CANDIDATES)
    tried = np.empty(MAX_CANDIDATES, np.int64)
    candidates[: len(among)] = among
    number, best, answer = compiled_decide(game)(
        jit.as_row_array(v), own_seat, params, games.adapter_for(game).weights_for(v), len(among), jit.new_rng(seed)[0], candidates, values, tried
    )  # fmt: skip
    if best < 0:
        raise ValueError(f"This is no view of a game of {game.name} that goes on: nothing fits it.")
    result = SearchResult(candidates[:number].tolist(), values[:number].tolist(), tried[:number].tolist(), int(best))
    return result, int(answer)


def search(game: Game, v: np.void, own_seat: int, params: SearchParams, seed: int) -> SearchResult:
    """Compare the candidates of a view (`diamonds.bots.bot.bot_view`); the same for the same seed, wherever it runs."""
    return decide_view(game, v, own_seat, params, seed)[0]


def compare_candidates(
    game: Game, v: np.void, own_seat: int, candidates: list[int], params: SearchParams, seed: int
) -> SearchResult:
    """Compare some of a view's candidates in playouts."""
    return decide_view(game, v, own_seat, params._replace(solve_endgame=False), seed, candidates)[0]


def candidates_of(game: Game, v: np.void, own_seat: int, game_specific: bool = False) -> list[int]:
    """What a search compares (`GameAdapter.candidates`)."""
    out = np.empty(MAX_CANDIDATES, np.int64)
    number = games.adapter_for(game).candidates(v, own_seat, int(game.rules.legal(v, own_seat)), game_specific, out)
    return out[:number].tolist()  # type: ignore[no-any-return]


def sample_position(game: Game) -> tuple[np.void, int]:
    """A state in which something is asked, and a seat that is: what kernels are warmed with."""
    rng = np.random.default_rng(0)
    state = jit.random_start(game, game.seats[0], {}, rng)
    game.deal(state, rng.permutation(game.pack(state)).tolist())
    return state, game.to_act(state)[0]


def warm_up(game: Game) -> None:
    """Compile a game's search, or load it from disk: takes seconds the first time."""
    state, seat = sample_position(game)
    search(game, bot_view(game, state, seat).row, seat, SearchParams(max_worlds=2, initial_worlds=2), 0)
