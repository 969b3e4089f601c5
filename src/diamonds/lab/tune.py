"""Tuning of mines: weights by self-play, and the opponent model by observation.

``python -m diamonds.lab.tune 100`` continues from the weights in `diamonds.bots.games.mines.weighted_policy` for 100
generations and prints the result; copy it there only if it is better over fresh games.

Weights: a separable CMA-ES (Ros and Hansen 2008) on the share of games won over duplicate deals. A generation has
`POPULATION` players, who all play the same deals against `OPPONENTS` and the best player so far. Opponent model: the
factors that make the hands held in games of noisy players of several styles most likely (stochastic gradient).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from diamonds import jit
from diamonds.bots.games import adapter_defaults
from diamonds.bots.games.mines import hand_beliefs, weighted_policy
from diamonds.cards import SHORT_PACK_RANKS, count, lowest, suit_cards
from diamonds.game import GAMES
from diamonds.rng import randbelow, random_bit, shuffle
from diamonds.rules import mines

POPULATION, GAME_PAIRS = 24, 600
OPPONENTS = (weighted_policy.PLAIN_WEIGHTS, weighted_policy.AGGRESSIVE_WEIGHTS)
# Initial standard deviation of a weight, by the first word of its name; smaller for features with large sums.
INITIAL_SPREAD = {
    "pile": 12, "pass": 12, "spade": 12, "dig": 5, "grow": 12, "fight": 8, "attack": 0.2, "defend": 8, "conquer": 8,
    "give": 0.7,
}  # fmt: skip
DAMPED_WEIGHTS = ("free_left", "cut", "reach", "hand", "number", "diamonds", "dig", "rank")
RANDOM_PERMILLE, OBSERVED_PERCENT = 60, 8  # random answers per thousand; observed answers per hundred
MAX_OBSERVATIONS = 100_000


def start_game(s, deck, rng):
    """Cut and deal a game in a row that holds an undealt game."""
    for card in range(len(deck)):
        deck[card] = card
    shuffle(deck, len(deck), len(deck), rng)
    mines.start(s, (1, 2) if randbelow(rng, 2) == 0 else (2, 1))
    mines.deal(s, deck, None)


compiled = jit.compiled_for_modules(adapter_defaults, weighted_policy, hand_beliefs, sys.modules[__name__])


@lru_cache(maxsize=2)
def duel_kernel(answer_of: Callable[..., Any], new_memory: Callable[..., Any]) -> Any:
    @compiled
    def duel(start, player, rival, pairs, rng, shares):
        rows, deck = np.empty(2, start.dtype), np.empty(mines.PILES * mines.DEPTH, np.int64)
        dealt, s, memory = rows[0], rows[1], new_memory(player)
        for pair in range(pairs):
            rows[0] = start[0]
            start_game(dealt, deck, rng)
            for seat in range(2):
                rows[1] = rows[0]
                while s["over"] == 0:
                    to_act = lowest(s["to_act"])
                    if to_act == seat:
                        mines.step(s, to_act, answer_of(s, to_act, memory), None)
                    else:
                        mines.step(s, to_act, weighted_policy.weighted_answer(s, to_act, rival), None)
                shares[pair] += 0.25 if s["winner"] < 0 else 0.5 if s["winner"] == seat else 0.0

    return duel


def win_shares(
    player: Any,
    rival: np.void,
    pairs: int,
    seed: int,
    answer_of: Callable[..., Any] = weighted_policy.weighted_answer,
    new_memory: Callable[..., Any] = adapter_defaults.no_memory,
) -> np.ndarray[Any, Any]:
    """Return the share that a player wins against weights in each pair of games, with the same cards and seats exchanged.

    ``player`` are weights of the same policy or, with ``answer_of`` and ``new_memory``, of another one, which answers
    by ``answer_of(s, seat, new_memory(player))``.
    """
    shares = np.zeros(pairs)
    duel_kernel(answer_of, new_memory)(start_rows(), player, rival, pairs, jit.new_rng(seed), shares)
    return shares


def start_rows() -> np.ndarray[Any, Any]:
    """Return an undealt game as an array of one row."""
    return jit.as_row_array(GAMES[mines.NAME].start(2, {}, [0, 1]))


def weights_of(style: np.void) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the weights of a style as an array."""
    return np.array(style.tolist(), np.float64)


def style_of(values: np.ndarray[Any, Any]) -> np.void:
    """Return the style with these weights."""
    return weighted_policy.weight_vector(**dict(zip(weighted_policy.TUNED_BY_NAME, values.tolist(), strict=True)))


class TuneProgress(NamedTuple):
    """The progress of the search for weights."""

    generation: int
    style: np.void
    spread: float


def tune(
    generations: int, seed: int, style: np.void = weighted_policy.TUNED_WEIGHTS, pairs: int = GAME_PAIRS
) -> Iterator[TuneProgress]:
    """Yield better weights, one generation at a time."""
    rng, start = np.random.default_rng(seed), weights_of(style)
    unit = np.array(
        [
            INITIAL_SPREAD[name.split("_")[0]] * (0.35 if name.endswith(DAMPED_WEIGHTS) else 1.0)
            for name in weighted_policy.TUNED_BY_NAME
        ]
    )
    # these weights multiply sums of a few hundred
    unit[[name.endswith("_best") for name in weighted_policy.TUNED_BY_NAME]] = 0.15
    n, half = len(start), POPULATION // 2
    weight = np.log(half + 0.5) - np.log(np.arange(1, half + 1))
    weight /= weight.sum()
    effective = 1 / np.sum(weight**2)
    path_rate, damping = (effective + 2) / (n + effective + 5), 1.0 + (effective + 2) / (n + effective + 5)
    drift_rate = (4 + effective / n) / (n + 4 + 2 * effective / n)
    rank_one_rate = 2 / ((n + 1.3) ** 2 + effective) * (n + 2) / 3
    rank_mu_rate = min(
        1 - rank_one_rate, 2 * (effective - 2 + 1 / effective) / ((n + 2) ** 2 + effective) * (n + 2) / 3
    )
    expected_length = np.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))
    mean, spread, path, drift, scale, champion = np.zeros(n), 0.4, np.zeros(n), np.zeros(n), np.ones(n), style
    for generation in range(1, generations + 1):
        deals = int(rng.integers(2**60))
        steps = rng.normal(size=(half, n))
        steps = np.concatenate([steps, -steps])
        players = [style_of(start + unit * (mean + spread * np.sqrt(scale) * step)) for step in steps]
        rivals = (*OPPONENTS, champion)
        scores = [
            sum(win_shares(player, rival, pairs, deals + k).mean() for k, rival in enumerate(rivals))
            for player in players
        ]
        best_steps = steps[np.argsort(scores)[::-1][:half]]
        step_mean = weight @ best_steps
        mean = mean + spread * np.sqrt(scale) * step_mean
        path = (1 - path_rate) * path + np.sqrt(path_rate * (2 - path_rate) * effective) * step_mean
        drift = (1 - drift_rate) * drift + np.sqrt(drift_rate * (2 - drift_rate) * effective) * np.sqrt(
            scale
        ) * step_mean
        scale = (
            (1 - rank_one_rate - rank_mu_rate) * scale
            + rank_one_rate * drift**2
            + rank_mu_rate * weight @ (scale * best_steps**2)
        )
        spread = float(
            np.clip(spread * np.exp(path_rate / damping * (np.linalg.norm(path) / expected_length - 1)), 0.08, 0.8)
        )
        new_style = style_of(start + unit * mean)
        if generation % 20 == 0:
            champion = new_style
        yield TuneProgress(generation, new_style, spread)


@lru_cache(maxsize=1)
def observe_kernel() -> Any:
    @compiled
    def watch(start, styles, games, rng, beliefs, rate, chances):
        rows, deck = np.empty(1, start.dtype), np.empty(mines.PILES * mines.DEPTH, np.int64)
        s = rows[0]
        ways, cumulative = (np.empty((hand_beliefs.MAX_SUIT_HANDS, 4), np.int64), np.empty(hand_beliefs.MAX_SUIT_HANDS))
        held, expected, has_any = np.zeros(4, np.int64), np.zeros(4), np.zeros(4)
        observations = 0
        for _ in range(games):
            rows[0] = start[0]
            start_game(s, deck, rng)
            own_style, other_style = randbelow(rng, len(styles)), randbelow(rng, len(styles))
            while s["over"] == 0:
                seat = lowest(s["to_act"])
                other = 1 - seat
                if randbelow(rng, 1000) < RANDOM_PERMILLE:
                    answer = random_bit(mines.legal(s, seat), rng)
                else:
                    answer = weighted_policy.weighted_answer(s, seat, styles[own_style if seat == 0 else other_style])
                hidden = s["hand"][other] & ~s["known"][seat]
                if hidden != 0 and randbelow(rng, 100) < OBSERVED_PERCENT:
                    unseen = mines.pack(s) & ~(s["hand"][seat] | s["discards"] | s["known"][seat])
                    hand_count = hand_beliefs.suit_hands(s, other, unseen, count(hidden), beliefs, ways, cumulative)
                    for suit in range(4):
                        held[suit] = count(hidden & suit_cards(suit, SHORT_PACK_RANKS))
                    expected[:] = 0.0
                    has_any[:] = 0.0
                    previous = 0.0
                    for k in range(hand_count):
                        chance = (cumulative[k] - previous) / cumulative[hand_count - 1]
                        previous = cumulative[k]
                        if ways[k, 0] == held[0] and ways[k, 1] == held[1] and ways[k, 2] == held[2]:
                            chances[observations % len(chances)] = chance
                            observations += 1
                        for suit in range(1, 4):
                            expected[suit] += chance * ways[k, suit]
                            has_any[suit] += chance if ways[k, suit] > 0 else 0.0
                    turn = 1 if s["turn"] == other else 0
                    for suit in range(1, 4):
                        factors = beliefs[turn, hand_beliefs.can_use_suit(s, other, suit), suit - 1]
                        factors[0] *= 1.0 + 0.3 * rate * (held[suit] - expected[suit])
                        factors[1] *= 1.0 + rate * ((1.0 if held[suit] > 0 else 0.0) - has_any[suit])
                mines.step(s, seat, answer, None)
        return observations

    return watch


def observe_games(
    styles: np.ndarray[Any, Any], games: int, seed: int, beliefs: np.ndarray[Any, Any], rate: float = 0.0
) -> float:
    """Watch games between these styles; after every observation move the beliefs towards the hands held, by ``rate``.

    Return the mean log-likelihood of the hands held, by suits, over the last `MAX_OBSERVATIONS` observations.
    """
    chances = np.zeros(MAX_OBSERVATIONS)
    observations = observe_kernel()(start_rows(), styles, games, jit.new_rng(seed), beliefs, rate, chances)
    return float(np.log(np.maximum(chances[:observations], 1e-12)).mean())


def fit_beliefs(styles: np.ndarray[Any, Any], games: int, seed: int) -> np.ndarray[Any, Any]:
    """Return beliefs fitted to games between these styles."""
    beliefs = np.ones_like(hand_beliefs.SUIT_FACTORS)
    for k, rate in enumerate((0.05, 0.03, 0.01, 0.003, 0.001)):
        observe_games(styles, games, seed + k, beliefs, rate)
    return beliefs


def main(generations: int) -> None:
    """Tune the weights, fit the opponent model, and print the results."""
    state = TuneProgress(0, weighted_policy.TUNED_WEIGHTS, 0.0)
    write = sys.stdout.write
    for state in tune(generations, 1):
        if state.generation % 10 == 0:
            shares = [
                win_shares(state.style, rival, 4000, 2).mean() for rival in (*OPPONENTS, weighted_policy.TUNED_WEIGHTS)
            ]
            write(
                f"{state.generation}: wins {shares[0]:.1%} of plain, {shares[1]:.1%} of aggressive, {shares[2]:.1%} of the tuned player's games\n"
            )
    write(f"{dict(zip(weighted_policy.TUNED_BY_NAME, np.round(weights_of(state.style), 2).tolist(), strict=True))}\n")
    write(f"{fit_beliefs(np.array([state.style, *OPPONENTS]), 6000, 3).round(4).tolist()}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m diamonds.lab.tune", description="Tune the weights of mines.")
    parser.add_argument("generations", type=int, help="generations of styles to try; the shipped weights took 170")
    main(parser.parse_args().generations)
