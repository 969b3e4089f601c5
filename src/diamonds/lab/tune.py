"""How the numbers of level 5 of mines were found: weights by playing against itself, beliefs by watching.

``python -m diamonds.lab.tune 100`` goes on from the weights that stand in `diamonds.bots.knowing.mines.weights` for so many generations and
writes what it found; what is better over fresh games, and only that, belongs there.

Weights: a separable CMA-ES (Ros and Hansen 2008) on the share of games won over duplicate deals, a generation of `LITTER`
players, all on the same deals, against `OPPONENTS` and the best so far. Beliefs: the factors under which hands held in games
of noisy players of several styles are most likely (stochastic gradient).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from diamonds import jit
from diamonds.bots.knowing.mines import likely, weights
from diamonds.cards import SHORT, count, lowest, suit_cards
from diamonds.chance import draw, pick, shuffle
from diamonds.game import GAMES
from diamonds.rules import mines

LITTER, PAIRS = 24, 600
OPPONENTS = (weights.PLAIN, weights.EAGER)
# How far to vary a weight at first, by the first word of its name; parts of sums that grow large are varied less.
REACH = {
    "pile": 12,
    "pass": 12,
    "spade": 12,
    "dig": 5,
    "grow": 12,
    "fight": 8,
    "attack": 0.2,
    "defend": 8,
    "conquer": 8,
    "give": 0.7,
}
LESS = ("free_left", "cut", "reach", "hand", "number", "diamonds", "dig", "rank")
NOISE, LOOKS = 60, 8  # random answers of those watched, in thousandths; how many of 100 answers are looked at
LOOKS_KEPT = 100_000


def begin(s, deck, rng):
    """A new game in a row that holds the start of one: cut and dealt."""
    for card in range(len(deck)):
        deck[card] = card
    shuffle(deck, len(deck), len(deck), rng)
    mines.start(s, (1, 2) if draw(rng, 2) == 0 else (2, 1))
    mines.deal(s, deck, None)


compiled = jit.compiled_with(weights, likely, sys.modules[__name__])


@lru_cache(maxsize=1)
def _duel() -> Any:
    @compiled
    def duel(start, one, other, pairs, rng, won):
        rows, deck = np.empty(2, start.dtype), np.empty(mines.PILES * mines.DEPTH, np.int64)
        dealt, s = rows[0], rows[1]
        for pair in range(pairs):
            rows[0] = start[0]
            begin(dealt, deck, rng)
            for seat in range(2):
                rows[1] = rows[0]
                while s["over"] == 0:
                    asked = lowest(s["to_act"])
                    mines.step(s, asked, weights.choose(s, asked, one if asked == seat else other), None)
                won[pair] += 0.25 if s["winner"] < 0 else 0.5 if s["winner"] == seat else 0.0

    return duel


def duel(one: np.void, other: np.void, pairs: int, seed: int) -> np.ndarray[Any, Any]:
    """Two styles against each other: of every pair of games, the cards the same and the seats exchanged, the share won by one."""
    won = np.zeros(pairs)
    _duel()(_start(), one, other, pairs, jit.new_rng(seed), won)
    return won


def _start() -> np.ndarray[Any, Any]:
    return jit.as_rows(GAMES[mines.NAME].start(2, {}, [0, 1]))


def as_numbers(style: np.void) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The weights of a style in a row."""
    return np.array(style.tolist(), np.float64)


def as_style(numbers: np.ndarray[Any, Any]) -> np.void:
    """And back."""
    return weights.style(**dict(zip(weights.WEIGHTS, numbers.tolist(), strict=True)))


class Reached(NamedTuple):
    """Where a search for weights has got to."""

    generation: int
    style: np.void
    spread: float


def tune(generations: int, seed: int, style: np.void = weights.TUNED, pairs: int = PAIRS) -> Iterator[Reached]:
    """Better weights, generation by generation."""
    rng, first = np.random.default_rng(seed), as_numbers(style)
    unit = np.array([REACH[name.split("_")[0]] * (0.35 if name.endswith(LESS) else 1.0) for name in weights.WEIGHTS])
    unit[[name.endswith("_best") for name in weights.WEIGHTS]] = 0.15  # times a sum of a few hundred
    n, half = len(first), LITTER // 2
    weight = np.log(half + 0.5) - np.log(np.arange(1, half + 1))
    weight /= weight.sum()
    effective = 1 / np.sum(weight**2)
    along, damp = (effective + 2) / (n + effective + 5), 1.0 + (effective + 2) / (n + effective + 5)
    slow = (4 + effective / n) / (n + 4 + 2 * effective / n)
    one = 2 / ((n + 1.3) ** 2 + effective) * (n + 2) / 3
    many = min(1 - one, 2 * (effective - 2 + 1 / effective) / ((n + 2) ** 2 + effective) * (n + 2) / 3)
    usual = np.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))
    mean, spread, path, drift, scale, champion = np.zeros(n), 0.4, np.zeros(n), np.zeros(n), np.ones(n), style
    for generation in range(1, generations + 1):
        deals = int(rng.integers(2**60))
        steps = rng.normal(size=(half, n))
        steps = np.concatenate([steps, -steps])
        players = [as_style(first + unit * (mean + spread * np.sqrt(scale) * step)) for step in steps]
        rivals = (*OPPONENTS, champion)
        won = [
            sum(duel(player, rival, pairs, deals + k).mean() for k, rival in enumerate(rivals)) for player in players
        ]
        best = steps[np.argsort(won)[::-1][:half]]
        moved = weight @ best
        mean = mean + spread * np.sqrt(scale) * moved
        path = (1 - along) * path + np.sqrt(along * (2 - along) * effective) * moved
        drift = (1 - slow) * drift + np.sqrt(slow * (2 - slow) * effective) * np.sqrt(scale) * moved
        scale = (1 - one - many) * scale + one * drift**2 + many * weight @ (scale * best**2)
        spread = float(np.clip(spread * np.exp(along / damp * (np.linalg.norm(path) / usual - 1)), 0.08, 0.8))
        found = as_style(first + unit * mean)
        if generation % 20 == 0:
            champion = found
        yield Reached(generation, found, spread)


@lru_cache(maxsize=1)
def _watch() -> Any:
    @compiled
    def watch(start, styles, games, rng, beliefs, rate, chances):
        rows, deck = np.empty(1, start.dtype), np.empty(mines.PILES * mines.DEPTH, np.int64)
        s = rows[0]
        ways, upto = np.empty((likely.LONGEST, 4), np.int64), np.empty(likely.LONGEST)
        there, expected, any_of = np.zeros(4, np.int64), np.zeros(4), np.zeros(4)
        looks = 0
        for _ in range(games):
            rows[0] = start[0]
            begin(s, deck, rng)
            mine, theirs = draw(rng, len(styles)), draw(rng, len(styles))
            while s["over"] == 0:
                me = lowest(s["to_act"])
                other = 1 - me
                if draw(rng, 1000) < NOISE:
                    answer = pick(mines.legal(s, me), rng)
                else:
                    answer = weights.choose(s, me, styles[mine if me == 0 else theirs])
                hidden = s["hand"][other] & ~s["known"][me]
                if hidden != 0 and draw(rng, 100) < LOOKS:
                    unseen = mines.pack(s) & ~(s["hand"][me] | s["discards"] | s["known"][me])
                    number = likely.hands(s, other, unseen, count(hidden), beliefs, ways, upto)
                    for suit in range(4):
                        there[suit] = count(hidden & suit_cards(suit, SHORT))
                    expected[:] = 0.0
                    any_of[:] = 0.0
                    before = 0.0
                    for k in range(number):
                        chance = (upto[k] - before) / upto[number - 1]
                        before = upto[k]
                        if ways[k, 0] == there[0] and ways[k, 1] == there[1] and ways[k, 2] == there[2]:
                            chances[looks % len(chances)] = chance
                            looks += 1
                        for suit in range(1, 4):
                            expected[suit] += chance * ways[k, suit]
                            any_of[suit] += chance if ways[k, suit] > 0 else 0.0
                    turn = 1 if s["turn"] == other else 0
                    for suit in range(1, 4):
                        factors = beliefs[turn, likely.usable(s, other, suit), suit - 1]
                        factors[0] *= 1.0 + 0.3 * rate * (there[suit] - expected[suit])
                        factors[1] *= 1.0 + rate * ((1.0 if there[suit] > 0 else 0.0) - any_of[suit])
                mines.step(s, me, answer, None)
        return looks

    return watch


def watch(
    styles: np.ndarray[Any, Any], games: int, seed: int, beliefs: np.ndarray[Any, Any], rate: float = 0.0
) -> float:
    """Watch games between these styles, and move the beliefs by so much at every look towards what is held.

    Returns the mean logarithm of the chance that the beliefs gave to the hand by suits that was held, of the last `LOOKS_KEPT` looks.
    """
    chances = np.zeros(LOOKS_KEPT)
    looks = _watch()(_start(), styles, games, jit.new_rng(seed), beliefs, rate, chances)
    return float(np.log(np.maximum(chances[:looks], 1e-12)).mean())


def believe(styles: np.ndarray[Any, Any], games: int, seed: int) -> np.ndarray[Any, Any]:
    """Beliefs from games between these styles."""
    beliefs = np.ones_like(likely.BELIEFS)
    for k, rate in enumerate((0.05, 0.03, 0.01, 0.003, 0.001)):
        watch(styles, games, seed + k, beliefs, rate)
    return beliefs


def main(generations: int) -> None:
    """Tune and watch, and write what was found."""
    found = Reached(0, weights.TUNED, 0.0)
    say = sys.stdout.write
    for found in tune(generations, 1):
        if found.generation % 10 == 0:
            shares = [duel(found.style, rival, 4000, 2).mean() for rival in (*OPPONENTS, weights.TUNED)]
            say(
                f"{found.generation}: wins {shares[0]:.1%} of plain, {shares[1]:.1%} of eager, {shares[2]:.1%} of the tuned player's games\n"
            )
    say(f"{dict(zip(weights.WEIGHTS, np.round(as_numbers(found.style), 2).tolist(), strict=True))}\n")
    say(f"{believe(np.array([found.style, *OPPONENTS]), 6000, 3).round(4).tolist()}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m diamonds.lab.tune", description="Tune the weights of mines.")
    parser.add_argument("generations", type=int, help="how many generations of styles to try; those that ship took 170")
    main(parser.parse_args().generations)
