# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, no-check-untyped-defs
"""The search: for each game a compiled function from view, seat, parameters and 64 random bits to an answer.

1. *Worlds* consistent with the view are dealt (`diamonds.bots.search.world_sampling`).
2. *Candidates* are the legal answers, one for each class of equivalent cards; a set of cards to pass is one candidate
   (`GameAdapter.candidates`).
3. *The last tricks* are solved exactly where the view leaves a single world (`diamonds.bots.search.endgame`). Playouts
   then only decide between equals.
4. *Playouts*: in each world every candidate is followed by play to the end of the round (crystals), hand (fourteen) or
   game (mines). Every seat plays from its own hand, so no playout profits from seeing the world. Seats play like
   `simple`. In crystals, and at level 5 of fourteen, the searching seat plays by trained weights, and so do the others
   in half of the worlds, because a search prepared for only one kind of opponent loses to others. A large share of the
   others' answers (``other_random_permille``) is random, so that the search does not rely on expected play.
5. *A race* drops worse candidates early (`diamonds.bots.search.candidate_race`). A network's opinion of a card counts
   like results from a number of worlds.
6. *Slips*: a weaker level sees each value with an error, and has tastes.

The value of a playout is the margin: the player's (or team's) points less the mean of the others', plus a bonus for
winning where the game ends. The same view, parameters and bits give the same answer on every machine, interpreted or
compiled. Kernels run without the GIL.
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
from diamonds.bots.search import candidate_race, endgame, world_sampling
from diamonds.bots.search.compiled_adapter import compiled_adapter
from diamonds.cards import count, lowest
from diamonds.game import Game
from diamonds.rng import randbelow

# Human-like errors: the normal distribution in 1,024 equal shares, rounded to thousandths so that they are the same on
# every machine.
NORMAL_QUANTILES = np.array([round(1000 * NormalDist().inv_cdf((k + 0.5) / 1024)) for k in range(1024)]) / 1000

# Plain functions, compiled into kernels; ``adapter`` is the game's `CompiledAdapter`.


def argmax_all(values, candidates, best_candidates, indices):
    """Write the candidates with the highest value and their indices; return their number."""
    max_value, number = -np.inf, 0
    for k in range(len(values)):
        max_value = max(max_value, values[k])
    for k in range(len(values)):
        if values[k] >= max_value - EQUAL_TOLERANCE:
            best_candidates[number], indices[number] = candidates[k], k
            number += 1
    return number


def pair_candidates_with_plans(candidates, plans, default_candidate):
    """Return the entrants of a race: every candidate with every plan. The default is the usual answer with the first plan."""
    number, plan_count, default_index = len(candidates), count(plans), -1
    entrant_candidates, entrant_plans = np.empty(number * plan_count, np.int64), np.empty(number * plan_count, np.int64)
    for k in range(number):
        left = plans
        for j in range(plan_count):
            entrant_candidates[k * plan_count + j], entrant_plans[k * plan_count + j] = candidates[k], lowest(left)
            left &= left - 1
        if candidates[k] == default_candidate and default_index < 0:
            default_index = k * plan_count
    return candidate_race.RaceCandidates(entrant_candidates, entrant_plans, default_index)


def keep_best_plans(mean, times, plan_count):
    """Move the best plan of each candidate, the one tried in most worlds, to the beginning."""
    for k in range(len(mean) // plan_count):
        best = k * plan_count
        for j in range(best + 1, (k + 1) * plan_count):
            if times[j] > times[best] or (times[j] == times[best] and mean[j] > mean[best]):
                best = j
        mean[k], times[k] = mean[best], times[best]


def noisy_best(v, own_seat, params, adapter, rng, candidates, values, best):
    """Return the index of the candidate that seems best to a player with errors and, for cards, tastes for suits.

    Tastes are drawn once per game for each seat, from the public cut, and never change.
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
    """Find the best of the first ``given_count`` candidates, or if that is 0, write all candidates and find the best.

    Write each candidate's value and number of worlds. Return the number of candidates, the index of the best (−1 if the
    view fits no game in progress), and the answer to give now. The arrays have space for `MAX_CANDIDATES`.
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
    hidden, positions = world_sampling.hidden_cards_of(view[0], own_seat, adapter, params.game_specific), 0
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
    if positions == 0:  # no values are known yet, so all candidates are equal
        values[:number] = 0.0
    compared, indices, best = np.empty(number, np.int64), np.empty(number, np.int64), 0
    left = argmax_all(values[:number], candidates, compared, indices)
    if left > 1:
        memory = adapter.playout_memory(weights)
        plans, default_candidate = adapter.plans(view[0], own_seat, params), -1
        if params.default_std_errors > 0.0:
            default_candidate = adapter.playout_answer(
                view[0], own_seat, adapter.playout_styles(lowest(plans), 0, 0)[0], memory
            )
        entrants, plan_count = pair_candidates_with_plans(compared[:left], plans, default_candidate), count(plans)
        mean, times = np.empty(left * plan_count), np.empty(left * plan_count, np.int64)
        best = candidate_race.run_race(
            view,
            own_seat,
            entrants,
            hidden,
            plans,
            adapter.max_worlds(plans, params),
            params,
            memory,
            adapter,
            rng,
            mean,
            times,
        )
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


compiled = jit.compiled_for_modules(playout, world_sampling, endgame, candidate_race, sys.modules[__name__])


@lru_cache(maxsize=8)
def compiled_decide(game: Game) -> Callable[..., tuple[int, int, int]]:
    """Return the compiled search of a game; see `decide`."""
    adapter = compiled_adapter(game)

    @compiled
    def decide_rows(view, own_seat, params: SearchParams, weights, given_count, bits, candidates, values, tried):
        return decide(view, own_seat, params, weights, given_count, bits, adapter, candidates, values, tried)

    return decide_rows  # type: ignore[no-any-return]


# From a view to an answer


def decide_view(
    game: Game, v: np.void, own_seat: int, params: SearchParams, seed: int, among: Sequence[int] = ()
) -> tuple[SearchResult, int]:
    """Return the result of a search with a seed, and its answer; ``among`` limits the candidates."""
    return decide_with_bits(game, v, own_seat, params, int(jit.new_rng(seed)[0]), among)


def decide_with_bits(
    game: Game, v: np.void, own_seat: int, params: SearchParams, bits: int, among: Sequence[int] = ()
) -> tuple[SearchResult, int]:
    """Return the result of a search with 64 random bits, and its answer; ``among`` limits the candidates."""
    view = jit.as_row_array(v)
    world_sampling.check_view(game, view, own_seat)
    candidates, values = np.empty(MAX_CANDIDATES, np.int64), np.empty(MAX_CANDIDATES)
    tried = np.empty(MAX_CANDIDATES, np.int64)
    candidates[: len(among)] = among
    number, best, answer = compiled_decide(game)(
        view, own_seat, params, games.adapter_for(game).weights_for(v), len(among), np.uint64(bits), candidates, values, tried
    )  # fmt: skip
    if best < 0:
        raise ValueError(f"The row is not a view of a {game.name} game in progress: no world fits it.")
    result = SearchResult(candidates[:number].tolist(), values[:number].tolist(), tried[:number].tolist(), int(best))
    return result, int(answer)


def search(game: Game, v: np.void, own_seat: int, params: SearchParams, seed: int) -> SearchResult:
    """Compare the candidates of a view (`diamonds.bots.bot.bot_view`); reproducible by seed on every machine."""
    return decide_view(game, v, own_seat, params, seed)[0]


def compare_candidates(
    game: Game, v: np.void, own_seat: int, candidates: list[int], params: SearchParams, seed: int
) -> SearchResult:
    """Compare some of a view's candidates in playouts."""
    return decide_view(game, v, own_seat, params._replace(solve_endgame=False), seed, candidates)[0]


def candidates_of(game: Game, v: np.void, own_seat: int, game_specific: bool = False) -> list[int]:
    """Return the candidates of a view (`GameAdapter.candidates`)."""
    out = np.empty(MAX_CANDIDATES, np.int64)
    number = games.adapter_for(game).candidates(v, own_seat, int(game.rules.legal(v, own_seat)), game_specific, out)
    return out[:number].tolist()  # type: ignore[no-any-return]


def sample_position(game: Game) -> tuple[np.void, int]:
    """Return a state with an open question, and a seat that must answer, for warming up kernels."""
    rng = np.random.default_rng(0)
    state = jit.random_start(game, game.seats[0], {}, rng)
    game.deal(state, rng.permutation(game.pack(state)).tolist())
    return state, game.to_act(state)[0]


def warm_up(game: Game) -> None:
    """Compile a game's search, or load it from disk in seconds."""
    state, seat = sample_position(game)
    search(game, bot_view(game, state, seat).row, seat, SearchParams(max_worlds=2, initial_worlds=2), 0)
