# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, no-check-untyped-defs
"""Weigh a few answers against each other in many worlds, and count along the way what each of them leads to.

The playouts are those of `diamonds.bots.thinking.search`: the same worlds, rules of thumb and noise. There the question is only which
answer is best; here it is by how much and why, for hints and reviews. So no answer is dropped, the worth is kept world by
world, and the playouts' events are heard: who wins the trick on the table, which crystals move, who ends without a trick.

`chances` plays whole games on, new deals included, and counts who wins them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from diamonds import jit
from diamonds.bots import knowing
from diamonds.bots.knowing.contract import COLUMNS, HOLDERS, TRAINED
from diamonds.bots.thinking import search, worlds
from diamonds.cards import lowest
from diamonds.chance import draw, lay_out, pick, shuffle
from diamonds.events import LOG_ROWS, LOG_WIDTH
from diamonds.game import Game

LONGEST_GAME = 28_000  # answers: no game is longer (F12)


compiled = jit.compiled_with(worlds, search, sys.modules[__name__])


@lru_cache(maxsize=8)
def weigher(game: Game) -> Callable[..., bool]:
    """The compiled scales of a game.

    ``weigh(view, me, candidates, plan, numbers, known, own_noise, noise, winning, rng, worth, margin, counts)`` tries every
    candidate in as many worlds as ``worth`` has rows, and fills in its worth and its margin (without what winning is worth) world
    by world, and the means of what is counted. With ``known`` the row is no view but a whole state, and the only world.
    Returns false if the view is of no game that goes on.
    """
    knows, ranks = worlds.knowledge(game), game.ranks
    needs_of, fill_of, forget, give = knows.needs, knows.fill, knows.forget, knows.give
    worth_of, own_of, choose_of, usual, hear = knows.worth, knows.own, knows.choose, knows.usual, knows.hear
    legal_of, step_of = game.rules.legal, game.rules.step
    longest, share_of_peers = search.LONGEST, search.PEERS

    @compiled
    def weigh(view, me, candidates, plan, numbers, known, own_noise, noise, winning, rng, worth, margin, counts):
        sizes, banned = np.zeros(HOLDERS, np.int64), np.zeros(HOLDERS, np.int64)
        order, hands, deck = np.zeros(60, np.int64), np.zeros(HOLDERS, np.int64), np.zeros(60, np.int64)
        unseen = needs_of(view[0], me, sizes, banned)
        if known:
            sizes[:] = 0
            banned[:] = 0
        draws = worlds.constrained_draws(sizes, banned, order)
        table = worlds.ways(unseen, ranks, order, draws, banned)
        rows = np.empty(2, view.dtype)
        world, s = rows[0], rows[1]
        log = np.zeros((LOG_ROWS, LOG_WIDTH), np.int64)
        again = np.zeros(1, np.uint64)
        most, number = worth.shape
        counts[:] = 0.0
        for done in range(most):
            tries = 0
            while True:
                rows[0] = view[0]
                if known:
                    break
                worlds.share_out(unseen, ranks, order, draws, banned, table, sizes, hands, deck, rng)
                if fill_of(world, me, hands, deck, rng):
                    break
                tries += 1
                if tries == worlds.TRIES:
                    return False
            forget(world, me)
            peers = draw(rng, 1000) < share_of_peers
            for k in range(number):
                rows[1] = rows[0]
                again[0] = rng[0]
                log[0, 0] = 0
                give(s, me, candidates[k], log)
                first = hear(log, s, me, counts[k], True)
                for _ in range(longest):
                    if s["to_act"] == 0:
                        break
                    seat = lowest(s["to_act"])
                    if draw(again, 1000) < (own_noise if seat == me else noise):
                        answer = pick(legal_of(s, seat), again)
                    elif seat == me or (peers and plan == TRAINED):
                        answer = own_of(s, seat, plan, numbers)
                    else:
                        answer = choose_of(s, seat, usual)
                    log[0, 0] = 0
                    step_of(s, seat, answer, log)
                    first = hear(log, s, me, counts[k], first)
                worth[done, k] = worth_of(s, me, winning)
                margin[done, k] = worth_of(s, me, 0.0)
        counts /= most
        return True

    return weigh  # type: ignore[no-any-return]


@lru_cache(maxsize=8)
def forecaster(game: Game) -> Callable[..., None]:
    """The compiled forecast of a game: ``forecast(state, games, noise, rng, chances)``.

    Plays a whole state on to the end of the game, so many times, all seats by rules of thumb with noise and new deals as they
    come, and fills in each seat's share of the wins; a victory of several teams is shared.
    """
    rules = game.rules
    legal_of, step_of, deal_of, pack_of, dealt_of = rules.legal, rules.step, rules.deal, rules.pack, rules.dealt
    place_of, team_of = rules.place, rules.team
    knows = worlds.knowledge(game)
    choose_of, usual = knows.choose, knows.usual
    longest = LONGEST_GAME

    @compiled
    def forecast(state, games, noise, rng, chances):
        rows = np.empty(1, state.dtype)
        deck = np.empty(60, np.int64)
        size = lay_out(deck, pack_of(state[0]))
        s = rows[0]
        chances[:] = 0.0
        for _ in range(games):
            rows[0] = state[0]
            for _ in range(longest):
                if s["over"] != 0:
                    break
                if s["to_act"] == 0:
                    shuffle(deck, size, dealt_of(s), rng)
                    deal_of(s, deck, None)
                seat = lowest(s["to_act"])
                answer = pick(legal_of(s, seat), rng) if draw(rng, 1000) < noise else choose_of(s, seat, usual)
                step_of(s, seat, answer, None)
            winners = 0
            for seat in range(s["seats"]):
                if team_of(s, seat) == seat and place_of(s, seat) == 0:
                    winners += 1
            for seat in range(s["seats"]):
                if place_of(s, seat) == 0:
                    chances[seat] += 1.0 / winners
        chances /= games

    return forecast  # type: ignore[no-any-return]


def warm(game: Game) -> None:
    """Compile both, or load them from disk: takes seconds the first time."""
    rng = np.random.default_rng(0)
    state = jit.random_start(game, game.seats[0], {}, rng)
    game.deal(state, rng.permutation(game.pack(state)).tolist())
    seat = game.to_act(state)[0]
    answer = np.array([lowest(int(game.rules.legal(state, seat)))], np.int64)
    worth, counts = np.zeros((1, 1)), np.zeros((1, COLUMNS))
    weigher(game)(
        jit.as_rows(state), seat, answer, 0, knowing.of(game).numbers(state), True, 0, 100, 0.0, jit.new_rng(0), worth, worth.copy(), counts
    )  # fmt: skip
    forecaster(game)(jit.as_rows(state), 1, 100, jit.new_rng(0), np.zeros(6))
