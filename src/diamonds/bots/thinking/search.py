# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, no-check-untyped-defs
"""A decision: from a view, a seat, an effort and 64 random bits to an answer, one compiled function a game.

1. *Worlds* consistent with the view are dealt (`diamonds.bots.thinking.worlds`).
2. *Candidates*: the legal answers, one for each class of cards that amount to the same; a set of cards to pass is one
   candidate (`Knowledge.candidates`).
3. *The last tricks* are played out where the view leaves a single world (`diamonds.bots.thinking.exact`). Then playouts only decide
   between equals.
4. *Playouts*: in each world every candidate is followed by play to the end of the round (crystals), hand (fourteen) or game
   (mines). Every seat plays from its own hand, so nobody in a playout profits from seeing the world: by `simple`, or in
   crystals by what training has found about cards, the own seat always and the others in half of
   the worlds; who prepares for one kind of opponent alone loses to the other. A large share of the others' answers
   (``noise``) is drawn at random: who is too sure of what the others will do, is surprised by anyone who does not.
5. *A race* (`diamonds.bots.thinking.race`): worlds are dealt where they matter, and what is clear ends early.
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
from diamonds.bots import knowing
from diamonds.bots.bot import see
from diamonds.bots.knowing.contract import MOST_CANDIDATES, SAME, Effort, Found
from diamonds.bots.thinking import exact, race, worlds
from diamonds.bots.thinking.mind import mind_of
from diamonds.cards import count, lowest
from diamonds.chance import draw
from diamonds.game import Game

# Errors as people make them: the normal distribution in 1,024 equal shares, in thousandths, so that they are the same on every machine.
NORMAL = np.array([round(1000 * NormalDist().inv_cdf((k + 0.5) / 1024)) for k in range(1024)]) / 1000

# Plain functions, for kernels: ``mind`` is what is known of the game


def best_of(worth, candidates, chosen, places):
    """Write down the candidates that are worth the most, and their places; returns how many there are."""
    most, number = -np.inf, 0
    for k in range(len(worth)):
        most = max(most, worth[k])
    for k in range(len(worth)):
        if worth[k] >= most - SAME:
            chosen[number], places[number] = candidates[k], k
            number += 1
    return number


def line_up(candidates, plans, habit):
    """Those who run: every candidate with every plan. At home is the usual answer, with the first plan."""
    number, manners, home = len(candidates), count(plans), -1
    runners, ways = np.empty(number * manners, np.int64), np.empty(number * manners, np.int64)
    for k in range(number):
        left = plans
        for j in range(manners):
            runners[k * manners + j], ways[k * manners + j] = candidates[k], lowest(left)
            left &= left - 1
        if candidates[k] == habit and home < 0:
            home = k * manners
    return race.Entry(runners, ways, home)


def best_plans(mean, times, manners):
    """Of every candidate's plans keep the best, in its place at the beginning: that which was tried longest."""
    for k in range(len(mean) // manners):
        best = k * manners
        for j in range(best + 1, (k + 1) * manners):
            if times[j] > times[best] or (times[j] == times[best] and mean[j] > mean[best]):
                best = j
        mean[k], times[k] = mean[best], times[best]


def feel(v, me, effort, mind, rng, candidates, worth, best):
    """The candidate that feels best: its worth as found, an error, and if all are cards the player's taste for their suits.

    Tastes are drawn once a game for each seat, from the public cut, and stay so.
    """
    tastes, to_taste = np.zeros(4), True
    for k in range(len(candidates)):
        to_taste = to_taste and mind.card(v, candidates[k]) >= 0
    if to_taste:
        mood = np.array([np.uint64(1 + me)])
        for seat in range(v["seats"]):
            draw(mood, 2)
            mood[0] ^= np.uint64(v["cut"][seat])
        for suit in range(4):
            tastes[suit] = effort.taste * NORMAL[draw(mood, len(NORMAL))]
    chosen, most = best, -np.inf
    for k in range(len(candidates)):
        felt = worth[k] + effort.slip * NORMAL[draw(rng, len(NORMAL))]
        if to_taste:
            felt += tastes[mind.card(v, candidates[k]) // mind.ranks]
        if worth[k] >= worth[best] - effort.bound and felt > most:
            chosen, most = k, felt
    return chosen


def decide(view, me, effort, numbers, given, bits, mind, candidates, worth, tried):
    """Find the best of the first ``given`` candidates, or if that is 0 of all that there are, which are filled in.

    So are each one's worth, and in how many worlds it was tried. Returns how many there are, the place of the best, −1 if the view is of
    no game that goes on, and the answer to give now. The arrays have room for `MOST_CANDIDATES`.
    """
    number, rng = given, np.array([bits])
    if given == 0:
        number = mind.candidates(view[0], me, mind.rules.legal(view[0], me), effort.own_way, candidates)
    worth[:number] = 0.0
    tried[:number] = 0
    if number == 1:
        return number, 0, lowest(mind.answers(view[0], me, candidates[0]))
    hidden, took = worlds.hidden_from(view[0], me, mind, effort.own_way), 0
    if effort.exact:
        took = exact.solve_view(
            view, me, candidates[:number], hidden, False, mind.winning, exact.POSITIONS, mind, worth
        )
        tried[:number] = 1
    if took == 0:  # then nothing is known yet, and all are equal
        worth[:number] = 0.0
    compared, places, best = np.empty(number, np.int64), np.empty(number, np.int64), 0
    left = best_of(worth[:number], candidates, compared, places)
    if left > 1:
        plans, habit = mind.plans(view[0], me, effort), -1
        if effort.gate > 0.0:
            habit = mind.go_on(view[0], me, mind.manners(lowest(plans), 0)[0], numbers)
        entry, manners = line_up(compared[:left], plans, habit), count(plans)
        mean, times = np.empty(left * manners), np.empty(left * manners, np.int64)
        best = race.run(view, me, entry, hidden, effort, numbers, mind, rng, mean, times)
        if best < 0:
            return number, -1, -1
        best_plans(mean, times, manners)
        best //= manners
        if took == 0:
            for k in range(number):
                worth[k], tried[k] = mean[k], times[k]
    chosen = best = places[best]
    if effort.slip > 0.0:
        chosen = feel(view[0], me, effort, mind, rng, candidates[:number], worth, best)
    return number, best, lowest(mind.answers(view[0], me, candidates[chosen]))


compiled = jit.compiled_with(playout, worlds, exact, race, sys.modules[__name__])


@lru_cache(maxsize=8)
def thinker(game: Game) -> Callable[..., tuple[int, int, int]]:
    """The compiled decision of a game: ``think(view, me, effort, numbers, given, bits, candidates, worth, tried)``; see `decide`."""
    mind = mind_of(game)

    @compiled
    def think(view, me, effort: Effort, numbers, given, bits, candidates, worth, tried):
        return decide(view, me, effort, numbers, given, bits, mind, candidates, worth, tried)

    return think  # type: ignore[no-any-return]


# From a view to an answer


def think(game: Game, v: np.void, me: int, effort: Effort, seed: int, among: Sequence[int] = ()) -> tuple[Found, int]:
    """What a decision finds, and the answer that it gives; ``among`` are the candidates, if not all are wanted."""
    candidates, worth = np.empty(MOST_CANDIDATES, np.int64), np.empty(MOST_CANDIDATES)
    tried = np.empty(MOST_CANDIDATES, np.int64)
    candidates[: len(among)] = among
    number, best, answer = thinker(game)(
        jit.as_rows(v), me, effort, knowing.of(game).numbers(v), len(among), jit.new_rng(seed)[0], candidates, worth, tried
    )  # fmt: skip
    if best < 0:
        raise ValueError(f"This is no view of a game of {game.name} that goes on: nothing fits it.")
    found = Found(candidates[:number].tolist(), worth[:number].tolist(), tried[:number].tolist(), int(best))
    return found, int(answer)


def search(game: Game, v: np.void, me: int, effort: Effort, seed: int) -> Found:
    """Compare the candidates of a view (`diamonds.bots.bot.see`); the same for the same seed, wherever it runs."""
    return think(game, v, me, effort, seed)[0]


def compare(game: Game, v: np.void, me: int, candidates: list[int], effort: Effort, seed: int) -> Found:
    """Compare some of a view's candidates in playouts."""
    return think(game, v, me, effort._replace(exact=False), seed, candidates)[0]


def candidates_of(game: Game, v: np.void, me: int, own_way: bool = False) -> list[int]:
    """What a search compares (`Knowledge.candidates`)."""
    found = np.empty(MOST_CANDIDATES, np.int64)
    number = knowing.of(game).candidates(v, me, int(game.rules.legal(v, me)), own_way, found)
    return found[:number].tolist()  # type: ignore[no-any-return]


def any_position(game: Game) -> tuple[np.void, int]:
    """A state in which something is asked, and a seat that is: what kernels are warmed with."""
    rng = np.random.default_rng(0)
    state = jit.random_start(game, game.seats[0], {}, rng)
    game.deal(state, rng.permutation(game.pack(state)).tolist())
    return state, game.to_act(state)[0]


def warm(game: Game) -> None:
    """Compile a game's search, or load it from disk: takes seconds the first time."""
    state, seat = any_position(game)
    search(game, see(game, state, seat).row, seat, Effort(worlds=2, first=2), 0)
