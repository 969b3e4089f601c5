# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, no-check-untyped-defs
"""Weigh a few answers against each other in many worlds, and count along the way what each of them leads to.

The playouts are those of `diamonds.bots.thinking.race`: the same worlds, rules of thumb and noise. There the question is only which
answer is best; here it is by how much and why, for hints and reviews. So no answer is dropped, the worth is kept world by
world, and the playouts' events are heard: who wins the trick on the table, which crystals move, who ends without a trick.

`forecaster` plays whole games on, new deals included, and counts who wins them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from diamonds import jit, playout
from diamonds.bots import knowing
from diamonds.bots.knowing.contract import COLUMNS, Effort
from diamonds.bots.thinking import exact, race, search, worlds
from diamonds.bots.thinking.mind import mind_of
from diamonds.cards import lowest
from diamonds.chance import draw
from diamonds.events import LOG_ROWS, LOG_WIDTH
from diamonds.game import Game
from diamonds.playout import Ear, Playing, deck_of, game_over, play_on

LONGEST_GAME = 28_000  # answers: no game is longer (F12)

type_of_matrix = np.ndarray[Any, np.dtype[np.float64]]


class Weighed(NamedTuple):
    """What came of weighing: worth and points (without what winning is worth), a row a world; counts, a row a candidate."""

    worth: type_of_matrix
    points: type_of_matrix
    counts: type_of_matrix


# Plain functions, for kernels: ``mind`` is what is known of the game


def as_usual(s, seat, mind, numbers):
    """The usual answer by rules of thumb."""
    return mind.choose(s, seat, mind.usual)


def count_wins(s, rules, share, chances):
    """Add each seat's share of a victory; one of several teams is shared."""
    winners = 0
    for seat in range(s["seats"]):
        if rules.team(s, seat) == seat and rules.place(s, seat) == 0:
            winners += 1
    for seat in range(s["seats"]):
        if rules.place(s, seat) == 0:
            chances[seat] += share / winners


def weigh_all(view, me, effort, candidates, plan, numbers, known, bits, mind, worth, points, counts):
    """Try every candidate in as many worlds as ``worth`` has rows, and fill in what it came to; returns whether any world fits.

    ``points`` leave out what winning is worth; in a game that is measured by the chance to win both are hundredths of it, of which the
    half that all begin with is taken off. With ``known`` the row is no view but a whole state, and the only world.
    Where the last tricks can be played out, worth and points are those, the same in all worlds.
    """
    hidden, rng = worlds.hidden_from(view[0], me, mind, False), np.array([bits])
    rows, again = np.empty(2, view.dtype), np.zeros(1, np.uint64)
    log, unwon = np.zeros((LOG_ROWS, LOG_WIDTH), np.int64), np.zeros(1, np.bool_)
    most, number = worth.shape
    counts[:] = 0.0
    for done in range(most):
        if known:
            rows[0] = view[0]
        elif not worlds.deal_world(rows, view, me, hidden, mind, rng):
            return False
        mind.forget(rows[0], me)
        luck = draw(rng, 1000)
        for k in range(number):
            way = race.Way(mind, me, mind.manners(plan, luck), effort.own_noise, effort.noise, -1)
            race.try_out(rows, candidates[k], way, numbers, Ear(mind.hear, me, log, counts[k], unwon), rng, again)
            worth[done, k] = mind.worth(rows[1], me, mind.winning)
            points[done, k] = mind.worth(rows[1], me, 0.0)
    counts /= most
    sure, bare, solved = np.empty(number), np.empty(number), effort.exact
    for winning, found in ((mind.winning, sure), (0.0, bare)):
        if solved:
            took = exact.solve_view(view, me, candidates, hidden, False, winning, exact.POSITIONS, mind, found)
            solved = took != 0
    for done in range(most):
        for k in range(number):
            if solved:
                worth[done, k], points[done, k] = sure[k], bare[k]
            if mind.by_chance:
                worth[done, k] = points[done, k] = chance(worth[done, k], points[done, k], solved, mind.winning)
    return True


def chance(worth, margin, solved, winning):
    """A win is half a chance more, a loss half a chance less, whatever the margin."""
    return 50.0 * (round(worth) if solved else (worth - margin) / winning)


compiled = jit.compiled_with(playout, worlds, exact, race, sys.modules[__name__])


@lru_cache(maxsize=8)
def weigher(game: Game) -> Callable[..., bool]:
    """The compiled scales of a game: ``weigh(view, me, effort, candidates, plan, numbers, known, bits, worth, points, counts)``."""
    mind = mind_of(game)

    @compiled
    def weigh(view, me, effort: Effort, candidates, plan, numbers, known, bits, worth, points, counts):
        return weigh_all(view, me, effort, candidates, plan, numbers, known, bits, mind, worth, points, counts)

    return weigh  # type: ignore[no-any-return]


@lru_cache(maxsize=8)
def forecaster(game: Game) -> Callable[..., None]:
    """The compiled forecast of a game: ``forecast(state, games, noise, bits, chances)``.

    Plays a whole state on to the end of the game, so many times, all seats by rules of thumb with noise and new deals as they
    come, and fills in each seat's share of the wins; a victory of several teams is shared.
    """
    mind, longest = mind_of(game), LONGEST_GAME

    @compiled
    def forecast(state, games, noise, bits, chances):
        rows, rng = np.empty(1, state.dtype), np.array([bits])
        deck = deck_of(state[0], mind.rules, np.empty(60, np.int64))
        playing = Playing(mind.rules, as_usual, mind, mind, game_over, None, longest, -1, noise, noise)
        chances[:] = 0.0
        for _ in range(games):
            rows[0] = state[0]
            play_on(rows[0], playing, None, deck, None, rng)
            count_wins(rows[0], mind.rules, 1.0, chances)
        chances /= games

    return forecast  # type: ignore[no-any-return]


# From a view to what it weighs


def weigh(
    game: Game, v: np.void, me: int, candidates: list[int], plan: int, worlds: int, effort: Effort, known: bool, seed: int
) -> Weighed:  # fmt: skip
    """Weigh candidates in so many worlds, or with ``known`` in the row itself; the same for the same seed."""
    worth, counts = np.zeros((worlds, len(candidates))), np.zeros((len(candidates), COLUMNS))
    points = np.zeros_like(worth)
    fits = weigher(game)(
        jit.as_rows(v), me, effort, np.array(candidates, np.int64), plan, knowing.of(game).numbers(v), known,
        jit.new_rng(seed)[0], worth, points, counts,
    )  # fmt: skip
    if not fits:
        raise ValueError(f"This is no view of a game of {game.name} that goes on: nothing fits it.")
    return Weighed(worth, points, counts)


def forecast(game: Game, state: np.void, games: int, noise: int, seed: int) -> list[float]:
    """Each seat's chance to win a game from a state on."""
    chances = np.zeros(int(state["seats"]))
    forecaster(game)(jit.as_rows(state), games, noise, jit.new_rng(seed)[0], chances)
    return chances.tolist()


def warm(game: Game) -> None:
    """Compile both, or load them from disk: takes seconds the first time."""
    state, seat = search.any_position(game)
    weigh(game, state, seat, [lowest(int(game.rules.legal(state, seat)))], 0, 1, Effort(), True, 0)
    forecast(game, state, 1, 100, 0)
