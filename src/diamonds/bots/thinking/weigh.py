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
from diamonds.bots.knowing import learned, simple
from diamonds.bots.thinking import search, worlds
from diamonds.cards import DIAMONDS, SHORT, lowest
from diamonds.events import LOG_ROWS, LOG_WIDTH
from diamonds.game import Game
from diamonds.jit import draw, fill, pick, shuffle
from diamonds.rules import crystals, fourteen, mines

# What is counted, a column each
WIDTH = 11
THIS_TRICK = 0  # crystals and fourteen: the own seat takes the trick on the table
OWN_D, OWN_H, OWN_S, OWN_C, ROBBED, NO_TRICK, MOST = 1, 2, 3, 4, 5, 6, 7  # crystals; MOST + suit
PRIZE, TAKEN, KEPT = 1, 2, 3  # fourteen: ♦ won with this trick, ♦ taken in all, the bid kept
SEVEN, BARRING, BARRED, THEIR_SEVEN, DUG, CONQUERED, LOST, GOT, GAVE = 0, 1, 2, 3, 4, 5, 6, 7, 8  # mines
LONGEST_GAME = 28_000  # answers: no game is longer (F12)


def crystals_hear(log, s, me, counts, first):
    """Count what one answer has told; returns whether the trick on the table is still to be won."""
    own = crystals.team(s, me)
    for k in range(1, log[0, 0] + 1):
        kind, seat = log[k, 0], log[k, 1]
        if kind == crystals.T_TRICK:
            if first and seat == me:
                counts[THIS_TRICK] += 1
            first = False
        elif kind == crystals.T_NO_TRICK:
            if seat == me:
                counts[NO_TRICK] += 1
        elif kind >= crystals.T_DIAMOND and kind <= crystals.T_CLUB:
            if crystals.team(s, seat) == own:
                counts[OWN_D + kind - crystals.T_DIAMOND] += 1
            elif kind == crystals.T_CLUB and crystals.team(s, log[k, 3]) == own:
                counts[ROBBED] += 1
        elif kind == crystals.T_MOST and crystals.team(s, seat) == own:
            counts[MOST + log[k, 2]] += 1
    return first


def fourteen_hear(log, s, me, counts, first):
    """See `crystals_hear`."""
    for k in range(1, log[0, 0] + 1):
        kind, seat = log[k, 0], log[k, 1]
        if kind == fourteen.T_TRICK:
            if seat == me:
                counts[TAKEN] += log[k, 2]
                if first:
                    counts[THIS_TRICK] += 1
                    counts[PRIZE] += log[k, 2]
            first = False
        elif kind == fourteen.T_SCORED and seat == me and s["scoring"] == fourteen.BID and log[k, 2] > 0:
            counts[KEPT] += 1
    return first


def mines_hear(log, s, me, counts, first):
    """See `crystals_hear`; there are no tricks."""
    for k in range(1, log[0, 0] + 1):
        kind, seat = log[k, 0], log[k, 1]
        if kind == mines.T_DUG:
            if seat == me:
                counts[DUG] += 1
        elif kind == mines.T_CONQUERED:
            counts[CONQUERED if seat == me else LOST] += 1
        elif kind == mines.T_GAVE:
            if log[k, 3] // SHORT == DIAMONDS:
                counts[GAVE if seat == me else GOT] += 1
        elif kind == mines.T_SEVEN:
            counts[SEVEN if seat == me else THEIR_SEVEN] += 1
        elif kind == mines.T_BARRED:
            counts[BARRING if seat == me else BARRED] += 1
    return False


HEAR = {crystals.NAME: crystals_hear, fourteen.NAME: fourteen_hear, mines.NAME: mines_hear}

compiled = jit.compiled_with(simple, learned, worlds, search, sys.modules[__name__])


@lru_cache(maxsize=8)
def weigher(game: Game) -> Callable[..., bool]:
    """The compiled scales of a game.

    ``weigh(view, me, candidates, plan, numbers, known, own_noise, noise, winning, rng, worth, margin, counts)`` tries every
    candidate in as many worlds as ``worth`` has rows, and fills in its worth and its margin (without what winning is worth) world
    by world, and the means of what is counted. With ``known`` the row is no view but a whole state, and the only world.
    Returns false if the view is of no game that goes on.
    """
    needs_of, fill_of, ranks = worlds.NEEDS[game.name], worlds.FILL[game.name], game.ranks
    open_of, answer_of, worth_of = search.OPEN[game.name], search.ANSWER[game.name], search.WORTH[game.name]
    planned_of, usual, own_of = simple.PLANNED[game.name], search.USUAL[game.name], search.OWN[game.name]
    legal_of, step_of, hear_of = game.rules.legal, game.rules.step, HEAR[game.name]
    crystal_game = game.name == crystals.NAME
    pass_question = crystals.PASS
    longest, learned_plan, share_of_peers = search.LONGEST, search.LEARNED, search.PEERS

    @compiled
    def weigh(view, me, candidates, plan, numbers, known, own_noise, noise, winning, rng, worth, margin, counts):
        sizes, banned = np.zeros(worlds.HOLDERS, np.int64), np.zeros(worlds.HOLDERS, np.int64)
        order, hands, deck = np.zeros(60, np.int64), np.zeros(worlds.HOLDERS, np.int64), np.zeros(60, np.int64)
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
            open_of(world, me)
            peers = draw(rng, 1000) < share_of_peers
            for k in range(number):
                rows[1] = rows[0]
                again[0] = rng[0]
                first = True
                if crystal_game and s["question"] == pass_question:
                    answer_of(s, me, candidates[k])
                else:
                    log[0, 0] = 0
                    step_of(s, me, candidates[k], log)
                    first = hear_of(log, s, me, counts[k], first)
                for _ in range(longest):
                    if s["to_act"] == 0:
                        break
                    seat = lowest(s["to_act"])
                    if draw(again, 1000) < (own_noise if seat == me else noise):
                        answer = pick(legal_of(s, seat), again)
                    elif seat == me or (peers and plan == learned_plan):
                        answer = own_of(s, seat, plan, numbers)
                    else:
                        answer = planned_of(s, seat, usual)
                    log[0, 0] = 0
                    step_of(s, seat, answer, log)
                    first = hear_of(log, s, me, counts[k], first)
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
    planned_of, usual = simple.PLANNED[game.name], search.USUAL[game.name]
    longest = LONGEST_GAME

    @compiled
    def forecast(state, games, noise, rng, chances):
        rows = np.empty(1, state.dtype)
        deck = np.empty(60, np.int64)
        size = fill(deck, pack_of(state[0]))
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
                answer = pick(legal_of(s, seat), rng) if draw(rng, 1000) < noise else planned_of(s, seat, usual)
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
    worth, counts = np.zeros((1, 1)), np.zeros((1, WIDTH))
    weigher(game)(
        jit.as_rows(state), seat, answer, 0, search.numbers_for(game, state), True, 0, 100, 0.0, jit.new_rng(0), worth, worth.copy(), counts
    )  # fmt: skip
    forecaster(game)(jit.as_rows(state), 1, 100, jit.new_rng(0), np.zeros(6))
