"""Search: try every answer in many worlds, play each on with noisy rules of thumb, and take the best on average.

1. *Worlds* consistent with the view are dealt (`diamonds.bots.thinking.worlds`).
2. *Candidates*: the legal answers, one for each class of cards that amount to the same; a set of cards to pass is one
   candidate.
3. *Playouts*: in each world every candidate is followed by play to the end of the round (crystals), hand (fourteen) or game
   (mines). Every seat plays from its own hand, so nobody in a playout profits from seeing the world: by `simple`, or in
   crystals by what training has found about cards, the own seat always and the others in half of
   the worlds; who prepares for one kind of opponent alone loses to the other. A large share of the others' answers
   (``noise``) is drawn at random: who is too sure of what the others will do, is surprised by anyone who does not. All
   candidates share the random numbers of a world.
4. *Worlds where they matter*: the number of worlds doubles, and a candidate is dropped once it is behind the best by more
   than chance explains. What is clear ends early.

The worth of a playout is the margin: own points (or the team's) less the mean of the others', and where the game ends also
winning itself. Kernels are compiled by `jit` and run without the GIL.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import numpy as np

from diamonds import jit
from diamonds.bots import knowing
from diamonds.bots.bot import see
from diamonds.bots.knowing.contract import HOLDERS, SAME, TRAINED, Effort, Found
from diamonds.bots.thinking import exact, worlds
from diamonds.cards import lowest
from diamonds.chance import draw, pick
from diamonds.game import Game

FEW = 6  # candidates up to this many are only dropped for good reason; of more, the worse half goes at every step
PEERS = 500  # in so many of a thousand worlds the others, too, have been trained
LONGEST = 600  # answers in one playout

compiled = jit.compiled_with(worlds, sys.modules[__name__])


@lru_cache(maxsize=8)
def thinker(game: Game) -> Callable[..., int]:
    """The compiled search of a game.

    ``think(view, me, candidates, plans, numbers, first, most, own_noise, noise, (doubt, gate, winning, horizon), home, rng,
    mean, tried)`` fills in each candidate's mean worth and how many worlds it was tried in. ``home`` is the place of the usual answer, −1 for none.
    Returns the place of the best, or −1 if the view is of no game that goes on.
    """
    known, ranks = worlds.knowledge(game), game.ranks
    needs_of, fill_of, forget, give = known.needs, known.fill, known.forget, known.give
    worth_of, clock_of, own_of, choose_of, usual = known.worth, known.clock, known.own, known.choose, known.usual
    legal_of, step_of = game.rules.legal, game.rules.step

    @compiled
    def think(view, me, candidates, plans, numbers, first, most, own_noise, noise, sure, home, rng, mean, tried):
        doubt, gate, winning, horizon = sure
        stop = clock_of(view[0]) + horizon
        sizes, banned = np.zeros(HOLDERS, np.int64), np.zeros(HOLDERS, np.int64)
        order, hands, deck = np.zeros(60, np.int64), np.zeros(HOLDERS, np.int64), np.zeros(60, np.int64)
        unseen = needs_of(view[0], me, sizes, banned)
        draws = worlds.constrained_draws(sizes, banned, order)
        table = worlds.ways(unseen, ranks, order, draws, banned)
        rows = np.empty(2, view.dtype)
        world, s = rows[0], rows[1]
        number = len(candidates)
        values = np.zeros((most, number))
        alive = np.ones(number, np.bool_)
        again = np.zeros(1, np.uint64)
        left, done, upto, best = number, 0, min(first, most), 0
        mean[:] = 0.0
        tried[:] = 0
        while True:
            while done < upto:
                tries = 0
                while True:
                    rows[0] = view[0]
                    worlds.share_out(unseen, ranks, order, draws, banned, table, sizes, hands, deck, rng)
                    if fill_of(world, me, hands, deck, rng):
                        break
                    tries += 1
                    if tries == worlds.TRIES:
                        return -1
                forget(world, me)
                peers = draw(rng, 1000) < PEERS
                for k in range(number):
                    if not alive[k]:
                        continue
                    rows[1] = rows[0]
                    again[0] = rng[0]
                    give(s, me, candidates[k], None)
                    for _ in range(LONGEST):
                        if s["to_act"] == 0 or (horizon != 0 and clock_of(s) >= stop):
                            break
                        seat = lowest(s["to_act"])
                        if draw(again, 1000) < (own_noise if seat == me else noise):
                            answer = pick(legal_of(s, seat), again)
                        elif seat == me or (peers and plans[k] == TRAINED):
                            answer = own_of(s, seat, plans[k], numbers)
                        else:
                            answer = choose_of(s, seat, usual)
                        step_of(s, seat, answer, None)
                    worth = worth_of(s, me, winning)
                    values[done, k] = worth
                    mean[k] += worth
                    tried[k] += 1
                done += 1
            best = -1
            for k in range(number):
                if alive[k] and (best < 0 or mean[k] > mean[best]):
                    best = k
            if done >= most:
                break
            # Half of many go by their rank; the others when they are surely behind the best, world by world.
            for k in range(number):
                if alive[k] and k != best:
                    if left > FEW:
                        better = 0
                        for other in range(number):
                            if alive[other] and mean[other] > mean[k]:
                                better += 1
                        if 2 * better >= left and better >= FEW:
                            alive[k] = False
                            continue
                    behind = (mean[best] - mean[k]) / done
                    square = 0.0
                    for w in range(done):
                        d = values[w, best] - values[w, k] - behind
                        square += d * d
                    if behind * behind * done * (done - 1) >= doubt * doubt * square:
                        alive[k] = False
            left = 0
            for k in range(number):
                if alive[k]:
                    left += 1
            if left == 1:
                break
            upto = min(2 * done, most)
        if home >= 0 and alive[home] and home != best:
            ahead, square = (mean[best] - mean[home]) / done, 0.0
            for w in range(done):
                d = values[w, best] - values[w, home] - ahead
                square += d * d
            if ahead * ahead * done * (done - 1) < gate * gate * square:
                best = home
        for k in range(number):
            if tried[k] > 0:
                mean[k] /= tried[k]
        return best

    return think  # type: ignore[no-any-return]


# From a view to an answer


def candidates_of(game: Game, v: np.void, me: int) -> list[int]:
    """What a search compares (`Knowledge.candidates`)."""
    return knowing.of(game).candidates(v, me, int(game.rules.legal(v, me)))


def search(game: Game, v: np.void, me: int, effort: Effort, seed: int) -> Found:
    """Compare the candidates of a view (`diamonds.bots.bot.see`); the same for the same seed, wherever it runs.

    Where the view leaves a single world, and that can be played out, playouts only decide between equals.
    """
    candidates = candidates_of(game, v, me)
    worth = exact.solve(game, v, me, candidates) if effort.exact and len(candidates) > 1 else None
    if worth is None:
        return compare(game, v, me, candidates, effort, seed)
    equal = [candidate for candidate, w in zip(candidates, worth, strict=True) if w >= max(worth) - SAME]
    found = compare(game, v, me, equal, effort, seed)
    return Found(candidates, worth, [1] * len(candidates), candidates.index(equal[found.best]))


def own_search(game: Game, v: np.void, me: int, worlds: int, sure: bool, seed: int) -> Found | None:
    """What a game's own search finds (`Knowledge.own_search`); ``None`` if it has none."""
    search_of = knowing.of(game).own_search
    return search_of(v, me, worlds, sure, seed, partial(exact.solve, game)) if search_of is not None else None


def compare(game: Game, v: np.void, me: int, candidates: list[int], effort: Effort, seed: int) -> Found:
    """Compare some of a view's candidates in playouts."""
    if len(candidates) == 1:
        return Found(candidates, [0.0], [0], 0)
    known = knowing.of(game)
    pairs = [(candidate, plan) for candidate in candidates for plan in known.plans(v, me, effort)]
    number = len(pairs)
    mean, tried = np.zeros(number), np.zeros(number, np.int64)
    first = max(4, effort.first * FEW // max(number, FEW))
    habit = int(known.choose(v, me, known.usual))
    home = candidates.index(habit) * (number // len(candidates)) if habit in candidates else -1
    best = thinker(game)(
        jit.as_rows(v),
        me,
        np.array([candidate for candidate, _ in pairs], np.int64),
        np.array([plan for _, plan in pairs], np.int64),
        known.numbers(v),
        first,
        effort.worlds,
        effort.own_noise,
        effort.noise,
        (effort.doubt, effort.gate, known.winning, effort.horizon),
        home,
        jit.new_rng(seed),
        mean,
        tried,
    )
    if best < 0:
        raise ValueError(f"This is no view of a game of {game.name} that goes on: nothing fits it.")
    worth = [-np.inf] * len(candidates)
    many = [0] * len(candidates)
    for k, (candidate, _) in enumerate(pairs):
        at = candidates.index(candidate)
        if (tried[k], mean[k]) > (many[at], worth[at]):
            worth[at], many[at] = float(mean[k]), int(tried[k])
    return Found(candidates, worth, many, candidates.index(pairs[best][0]))


def answer_from(game: Game, v: np.void, me: int, candidate: int) -> int:
    """The answer to give now for a candidate: itself, or the next of a set."""
    return knowing.of(game).answers(v, me, candidate)[0]


def warm(game: Game) -> None:
    """Compile a game's search, or load it from disk: takes seconds the first time."""
    options: dict[str, Any] = {}
    rng = np.random.default_rng(0)
    state = jit.random_start(game, game.seats[0], options, rng)
    game.deal(state, rng.permutation(game.pack(state)).tolist())
    seat = game.to_act(state)[0]
    row = see(game, state, seat).row
    search(game, row, seat, Effort(worlds=2, first=2), 0)
    own_search(game, row, seat, 2, False, 0)
