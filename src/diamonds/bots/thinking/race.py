# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, no-check-untyped-defs
"""A race among candidates: all start in the same worlds, the worse ones drop out, and worlds are dealt where they matter.

The number of worlds doubles, and a candidate is dropped once it is behind the best by more than chance explains. What is
clear ends early. All candidates share the random numbers of a world.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from diamonds.bots.knowing.contract import FEW
from diamonds.bots.thinking.mind import Mind
from diamonds.bots.thinking.worlds import deal_world
from diamonds.chance import draw
from diamonds.playout import Playing, play_on

LONGEST = 600  # answers in one playout


class Way(NamedTuple):
    """How a playout goes on after a candidate: see `Effort` and `Knowledge.manners`. ``stop`` is when it ends, by the clock; −1 never."""

    mind: Mind
    me: int
    manners: Any
    own_noise: int
    noise: int
    stop: int


class Entry(NamedTuple):
    """Who runs: candidates with their plans, and the place of what is usual (−1 for none)."""

    candidates: Any
    plans: Any
    home: int


def ended(s, until):
    """Whether a playout ends: where the round, the hand or the game does, or where nobody looks any further."""
    mind, stop = until
    return s["to_act"] == 0 or (stop >= 0 and mind.clock(s) >= stop)


def try_out(rows, candidate, way, numbers, ear, rng, again):
    """Give a candidate in a world, the first row, and play on in the second, with the random numbers of the world."""
    rows[1] = rows[0]
    again[0] = rng[0]
    if ear is None:
        way.mind.give(rows[1], way.me, candidate, None)
    else:
        ear.told[0, 0] = 0
        way.mind.give(rows[1], way.me, candidate, ear.told)
        ear.unwon[0] = ear.hear(ear.told, rows[1], way.me, ear.counts, True)
    mind, (own, others) = way.mind, way.manners
    playing = Playing(
        mind.rules, mind.go_on, own, others, ended, (mind, way.stop), LONGEST, way.me, way.own_noise, way.noise
    )
    play_on(rows[1], playing, numbers, None, ear, again)


def run(view, me, entry, hidden, effort, numbers, mind, rng, mean, tried):
    """Fill in each entrant's mean worth and in how many worlds it ran; returns the place of the best.

    −1 if the view is of no game that goes on.
    """
    rows = np.empty(2, view.dtype)
    number, most = len(entry.candidates), effort.worlds
    stop = mind.clock(view[0]) + effort.horizon if effort.horizon != 0 else -1
    values, alive, again = np.zeros((most, number)), np.ones(number, np.bool_), np.zeros(1, np.uint64)
    left, done, best = number, 0, 0
    upto = min(max(4, effort.first * FEW // max(number, FEW)), most)
    mean[:] = 0.0
    tried[:] = 0
    while True:
        while done < upto:
            if not deal_world(rows, view, me, hidden, mind, rng):
                return -1
            mind.forget(rows[0], me)
            luck = draw(rng, 1000)
            for k in range(number):
                if alive[k]:
                    way = Way(mind, me, mind.manners(entry.plans[k], luck), effort.own_noise, effort.noise, stop)
                    try_out(rows, entry.candidates[k], way, numbers, None, rng, again)
                    values[done, k] = mind.worth(rows[1], me, mind.winning)
                    mean[k] += values[done, k]
                    tried[k] += 1
            done += 1
        best = -1
        for k in range(number):
            if alive[k] and (best < 0 or mean[k] > mean[best]):
                best = k
        if done >= most:
            break
        left = drop(values, done, mean, alive, left, best, effort)
        if left == 1:
            break
        upto = min(2 * done, most)
    home = entry.home
    if home >= 0 and alive[home] and home != best and not behind(values, done, mean, home, best, effort.gate, 0.0):
        best = home
    for k in range(number):
        mean[k] /= max(tried[k], 1)
    return best


def drop(values, done, mean, alive, left, best, effort):
    """Drop who is behind: half of many by their rank, the others when they are surely behind the best. Returns how many are left."""
    for k in range(len(alive)):
        if alive[k] and k != best:
            if left > effort.few:
                better = 0
                for other in range(len(alive)):
                    if alive[other] and mean[other] > mean[k]:
                        better += 1
                if 2 * better >= left and better >= effort.few:
                    alive[k] = False
                    continue
            if behind(values, done, mean, k, best, effort.doubt, effort.close):
                alive[k] = False
    left = 0
    for k in range(len(alive)):
        if alive[k]:
            left += 1
    return left


def behind(values, done, mean, one, best, doubt, close):
    """Whether one is so many standard errors behind the best, world by world, ``close`` being added to its distance."""
    distance, square = (mean[best] - mean[one]) / done, 0.0
    for world in range(done):
        d = values[world, best] - values[world, one] - distance
        square += d * d
    distance += close
    return distance * distance * done * (done - 1) >= doubt * doubt * square
