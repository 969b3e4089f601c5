# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, no-check-untyped-defs
"""A decision of a finished game judged, one compiled function a game: from what the seat saw, what it answered and random bits to numbers.

Each look has worlds and bits of its own, so that what looked best in the worlds that chose it is measured in others.

1. The search that plays the best level chooses from the view.
2. If that is not what was answered, both are weighed at a *glance*, and for *long* if that may have been a mistake.
3. What rules of thumb would have answered is weighed beside the answer given: what was promised, and how well was chosen.
4. *Hindsight*, where the answer is marked as a mistake: the best on the true cards, found in half of the playouts, measured in the others.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from diamonds import jit, playout
from diamonds.bots import knowing
from diamonds.bots.bot import see
from diamonds.bots.knowing.contract import AS_IT_COMES, COLUMNS, MOST_CANDIDATES, Effort, Looks
from diamonds.bots.thinking import exact, race, search, weigh, worlds
from diamonds.bots.thinking.mind import mind_of
from diamonds.cards import lowest
from diamonds.game import Game

SHORTLIST = 10  # of more sets to pass than that, the best by the search are looked at in hindsight
NOTHING_FITS, NO_CHOICE, FINE, MARKED = 0, 1, 2, 3  # what came of judging


class Verdict(NamedTuple):
    """A decision judged, in numbers (`diamonds.bots.advising.review.Decision`): candidates, and what they amount to.

    ``stands`` is the candidate that stands for the answer given. ``hindsight`` and ``regret`` are of marked decisions alone.
    """

    marked: bool
    best: int
    stands: int
    hindsight: int
    cost: float
    cost_error: float
    points: float
    value: float
    skill: float
    skill_error: float
    regret: float
    regret_error: float


# Plain functions, for kernels: ``mind`` is what is known of the game


def mean_and_error(values):
    """The mean of independent values and its standard error."""
    mean, square = 0.0, 0.0
    for k in range(len(values)):
        mean += values[k]
    mean /= len(values)
    for k in range(len(values)):
        square += (values[k] - mean) * (values[k] - mean)
    return mean, np.sqrt(square / (len(values) - 1)) / np.sqrt(len(values))


def ahead(values, k, other):
    """By how much one column is more than another, row by row."""
    found = np.empty(len(values))
    for row in range(len(values)):
        found[row] = values[row, k] - values[row, other]
    return found


def place_of(candidate, candidates):
    """The place of a candidate among others, or −1."""
    for k in range(len(candidates)):
        if candidates[k] == candidate:
            return k
    return -1


def on_scales(view, me, effort, candidates, plan, numbers, known, bits, most, mind, counts):
    """What candidates are worth in so many worlds: with winning, and in points alone (`weigh.weigh_all`); fills in what was counted."""
    worth, points = np.zeros((most, len(candidates))), np.zeros((most, len(candidates)))
    weigh.weigh_all(view, me, effort, candidates, plan, numbers, known, bits, mind, worth, points, counts)
    return worth, points


def shorten(candidates, worth, tried):
    """Bring the best of many candidates to the beginning; returns how many those are."""
    best, left = np.empty(SHORTLIST, np.int64), tried.copy()
    for place in range(SHORTLIST):
        most = 0
        for k in range(1, len(candidates)):
            if left[k] > left[most] or (left[k] == left[most] and worth[k] > worth[most]):
                most = k
        best[place], left[most] = candidates[most], -1
    for place in range(SHORTLIST):
        candidates[place] = best[place]
    return SHORTLIST


def look_at(view, truth, me, given, effort, looks, numbers, bits, mind, which, amounts, counts):
    """See the top of the file: ``given`` is the answer, or the set of cards passed, and each look has its own of the ``bits``.

    Fills in ``which`` candidates and ``amounts``, as `Verdict` has them, and what was counted after the best and after what was answered.
    """
    candidates, tried = np.empty(MOST_CANDIDATES, np.int64), np.empty(MOST_CANDIDATES, np.int64)
    worth = np.empty(MOST_CANDIDATES)
    number, best, _ = search.decide(view, me, effort, numbers, 0, bits[0], mind, candidates, worth, tried)
    if number == 1:
        return NO_CHOICE
    stands = mind.same_kind(view[0], candidates[:number], given)
    if best < 0 or place_of(stands, candidates[:number]) < 0:
        return NOTHING_FITS
    which[:], amounts[:], counts[:] = 0, 0.0, 0.0
    which[0], which[1] = candidates[best], stands
    pair, plan = which[:2].copy(), lowest(mind.plans(view[0], me, effort))
    if pair[0] != stands:
        for look in range(2):
            most = looks.glance if look == 0 else looks.long
            value, points = on_scales(view, me, effort, pair, plan, numbers, False, bits[1 + look], most, mind, counts)
            amounts[0], amounts[1] = mean_and_error(ahead(value, 0, 1))
            amounts[2] = mean_and_error(ahead(points, 0, 1))[0]
            if amounts[0] + 3 * amounts[1] < mind.material:
                break
    room = np.empty(1, view.dtype)
    room[0] = view[0]
    pair[0], pair[1] = mind.habit(room[0], me, AS_IT_COMES), given
    unheard = np.empty((MOST_CANDIDATES, COLUMNS))
    _, points = on_scales(view, me, effort, pair, AS_IT_COMES, numbers, False, bits[3], looks.glance, mind, unheard[:2])
    amounts[3] = mean_and_error(points[:, 0])[0]
    amounts[4], amounts[5] = mean_and_error(ahead(points, 1, 0))
    if amounts[0] < mind.material or amounts[0] < looks.certain * amounts[1]:
        return FINE
    if number > SHORTLIST and mind.sets(view[0]):
        number = shorten(candidates[:number], worth, tried)
        if place_of(stands, candidates[:number]) < 0:
            candidates[number] = stands
            number += 1
    most = looks.hindsight
    value, _ = on_scales(
        truth, me, effort, candidates[:number], plan, numbers, True, bits[4], most, mind, unheard[:number]
    )
    best, best_mean = 0, -np.inf
    for k in range(number):
        mean = mean_and_error(value[:, k])[0]
        if mean > best_mean:
            best, best_mean = k, mean
    which[2] = pair[0] = candidates[best]
    pair[1] = stands
    value, _ = on_scales(truth, me, effort, pair, plan, numbers, True, bits[5], most, mind, unheard[:2])
    amounts[6], amounts[7] = mean_and_error(ahead(value, 0, 1))
    return MARKED


compiled = jit.compiled_with(playout, worlds, exact, race, search, weigh, sys.modules[__name__])


@lru_cache(maxsize=8)
def judge_of(game: Game) -> Callable[..., int]:
    """The compiled judge of a game: ``judge(view, truth, me, given, effort, looks, numbers, bits, which, amounts, counts)``."""
    mind = mind_of(game)

    @compiled
    def judge(view, truth, me, given, effort: Effort, looks: Looks, numbers, bits, which, amounts, counts):
        return look_at(view, truth, me, given, effort, looks, numbers, bits, mind, which, amounts, counts)

    return judge  # type: ignore[no-any-return]


def judge(
    game: Game, v: np.void, truth: np.void, me: int, given: int, looks: Looks, seeds: Sequence[int]
) -> tuple[Verdict, np.ndarray[Any, Any]] | None:
    """A decision judged, and what was counted after the best answer and after the one given; ``None`` if there was no choice.

    The same for the same seeds: of the search, a glance, a long look, rules of thumb, and twice for hindsight.
    """
    bits = np.array([jit.new_rng(seed)[0] for seed in seeds])
    which, amounts, counts = np.zeros(3, np.int64), np.zeros(8), np.zeros((2, COLUMNS))
    numbers = knowing.of(game).numbers(v)
    came = judge_of(game)(
        jit.as_rows(v), jit.as_rows(truth), me, given, Effort(), looks, numbers, bits, which, amounts, counts
    )
    if came == NOTHING_FITS:
        raise ValueError(f"This is no decision in a game of {game.name}: nothing fits it, or it has no answer {given}.")
    return None if came == NO_CHOICE else (Verdict(came == MARKED, *which.tolist(), *amounts.tolist()), counts)


def warm(game: Game) -> None:
    """Compile it, or load it from disk: takes seconds the first time."""
    state, seat = search.any_position(game)
    view = see(game, state, seat).row
    judge(game, view, state, seat, search.candidates_of(game, view, seat)[0], Looks(2, 2, 2, 0.0), range(6))
