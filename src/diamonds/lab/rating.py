"""Ratings of a pool of bots from their orders of finish (Plackett–Luce), with intervals over blocks.

400 points are odds of ten to one of finishing ahead, and a pool's mean is 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

FinishOrder = tuple[tuple[str, ...], tuple[int, ...]]  # the bots of a game, and for each the number that did better
MAX_ITERATIONS = 2000  # limit for the minorization algorithm
CONVERGENCE = 1e-6  # the iteration stops when no strength changes by a larger fraction
BOOTSTRAP_SAMPLES = 200  # samples of blocks per interval


class Rating(NamedTuple):
    """A rating and half the width of its 95 % interval."""

    points: float
    plus_minus: float

    def __str__(self) -> str:
        return f"{self.points:+.0f} ± {self.plus_minus:.0f}"


class PlackettLuceStages:
    """Every game as stages; at each, one of the remaining players finishes next.

    A tie counts, to first order, as all possible orders of the tied players: each is drawn from all who remain.
    """

    def __init__(self, finishes: Sequence[FinishOrder]) -> None:
        self.names = sorted({name for field, _ in finishes for name in field})
        number = {name: k for k, name in enumerate(self.names)}
        finishers, remaining, self.starts = [], [], [0]
        for field, betters in finishes:
            for name, better in zip(field, betters, strict=True):
                rest = [
                    number[other] for other, other_better in zip(field, betters, strict=True) if other_better >= better
                ]
                if len(rest) > 1:
                    finishers.append(number[name])
                    remaining.append(np.bincount(rest, minlength=len(self.names)))
            self.starts.append(len(finishers))
        self.finishers = np.array(finishers, np.int64)
        self.remaining = np.array(remaining, float).reshape(-1, len(self.names))

    def fit(self, times: np.ndarray, start: np.ndarray | float = 0.0) -> np.ndarray:
        """Return the most likely ratings if the k-th finish was seen ``times[k]`` times (minorization; Hunter 2004)."""
        weight = np.repeat(times, np.diff(self.starts)).astype(float)
        # A thousandth of a win for every bot keeps the rating of a bot without wins finite.
        wins = np.bincount(self.finishers, weight, len(self.names)) + 1e-3
        strength = 10 ** (start / 400) * np.ones(len(self.names))
        for _ in range(MAX_ITERATIONS):
            before = strength
            strength = wins / ((weight / (self.remaining @ strength)) @ self.remaining + 1e-3)
            strength /= np.exp(np.log(strength).mean())
            if np.all(np.abs(strength - before) <= CONVERGENCE * before):
                break
        return 400 * np.log10(strength)


def ratings(matches: Sequence[Sequence[Sequence[FinishOrder]]]) -> dict[str, Rating]:
    """Return every bot's rating in these matches; a match is a list of blocks, each with the finishes of its games.

    The interval comes from resampling each match's blocks with replacement, because games within a block are not
    independent.
    """
    kinds = Counter(finish for match in matches for block in match for finish in block)
    if not kinds:
        return {}
    stages, number = PlackettLuceStages(list(kinds)), {finish: k for k, finish in enumerate(kinds)}
    counted = [
        np.array([np.bincount([number[f] for f in block], minlength=len(kinds)) for block in match])
        for match in matches
        if match
    ]
    best = stages.fit(sum(blocks.sum(0) for blocks in counted))
    rng = np.random.default_rng(0)
    drawn = []
    for _ in range(BOOTSTRAP_SAMPLES):
        times = sum(rng.multinomial(len(blocks), np.full(len(blocks), 1 / len(blocks))) @ blocks for blocks in counted)
        drawn.append(stages.fit(times, best))
    spread = 1.96 * np.std(drawn, axis=0)
    return {
        name: Rating(float(points), float(wide)) for name, points, wide in zip(stages.names, best, spread, strict=True)
    }
