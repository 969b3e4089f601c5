# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, no-check-untyped-defs
"""Training of the network in `diamonds.bots.games.mines.policy_network`, by games against itself.

``python -m diamonds.lab.train_mines_network FILE`` plays and learns in one process, and writes the weights. Nothing is
searched: each sum is a logarithm of the odds of winning after that answer, as in TD-Gammon (Tesauro 1995). After a game
every answer of the network moves the odds of its position towards a target. For the last answer this is the result; for
an earlier one it is `TRACE` times the target of the next answer, plus `1 - TRACE` times the best odds at that answer.
Some answers are random. The target before a random answer is the best odds alone, so its consequences do not count.

In a quarter of the games one seat plays by weights (`weighted_policy`), so the network also meets other players. The
same seed gives the same weights on machines with the same processor and compiler.
"""

from __future__ import annotations

import argparse
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from diamonds import jit
from diamonds.bots.games.mines import policy_network, search_hooks, weighted_policy
from diamonds.bots.games.mines.policy_network import (
    ANSWER_ROW,
    ANSWER_SCALE,
    ANSWERS,
    BONUS_ROW,
    BONUSES,
    FEATURES,
    HIDDEN,
    INPUT_SCALE,
    PACKED,
    ROW_COUNT,
    SUM_SCALE,
)
from diamonds.cards import lowest
from diamonds.lab import tune
from diamonds.rng import randbelow, random_bit
from diamonds.rules import mines

GAMES = 2_500_000
GAMES_PER_STEP = 2000  # games between changes of the rate
FIRST_RATE, LAST_RATE = 0.004, 0.0001
TRACE = 0.85
RANDOM_PER_100_000 = 8000, 2000  # random answers of the network; each game has one of the two shares
STYLE_PERCENT, STYLE_RANDOM_PERMILLE = 25, 60  # games against weights, and the share of their random answers
MAX_DECISIONS = 700  # of one seat in one game
MAX_ANSWERS = 1200  # of one game


class FloatWeights(NamedTuple):
    """The weights during training: rows of inputs and of answers, and the bonuses."""

    inputs: Any
    answers: Any
    bonuses: Any


def first_weights(seed: int) -> FloatWeights:
    """Return small random weights."""
    rng = np.random.default_rng(seed)
    return FloatWeights(
        (0.15 * rng.normal(size=(ANSWER_ROW, HIDDEN))).astype(np.float32),
        (0.05 * rng.normal(size=(BONUS_ROW - ANSWER_ROW, HIDDEN))).astype(np.float32),
        np.zeros(BONUSES, np.float32),
    )


def packed_weights(weights: FloatWeights) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the weights as whole numbers, packed for `policy_network`."""
    used = np.abs(weights.answers).sum(axis=1, keepdims=True) > 0
    rows = np.concatenate([weights.inputs * INPUT_SCALE, weights.answers * used * ANSWER_SCALE])
    weight_bytes = (np.clip(np.rint(rows), -127, 127) + 128).astype(np.uint8)
    bonuses = np.zeros((ROW_COUNT - BONUS_ROW) * PACKED, np.int64)
    bonuses[:BONUSES] = np.rint(weights.bonuses * SUM_SCALE)
    return np.concatenate([weight_bytes.view("<i8").astype(np.int64), bonuses.reshape(-1, PACKED)])


# Plain functions, compiled into kernels


def float_units(rows, inputs, units):
    """Write the hidden units of these features."""
    for j in range(HIDDEN):
        units[j] = np.float32(0.0)
    for k in range(FEATURES):
        row = rows[k]
        for j in range(HIDDEN):
            units[j] += inputs[row, j]
    for j in range(HIDDEN):
        units[j] = max(units[j], np.float32(0.0))


def odds(units, row, bonus, answers, bonuses):
    """Return the chance of winning that the network sees in an answer with this row and this bonus (−1 for none)."""
    total = bonuses[row] + (bonuses[bonus] if bonus >= 0 else np.float32(0.0))
    for j in range(HIDDEN):
        total += units[j] * answers[row, j]
    return 1.0 / (1.0 + np.exp(-total))


def answer_place(s, seat, answer):
    """Return an answer's row, and the bonus of a pile's surroundings (−1 for none)."""
    question = s["question"]
    row = ANSWERS * question + policy_network.answer_row(s, seat, answer)
    return row, policy_network.surroundings(s, seat, answer) if policy_network.is_pile(question, answer) else -1


def learn_answer(inputs, answers, bonuses, rows, row, bonus, target, rate, units, slopes):
    """Move the network's odds of one answer towards a target."""
    float_units(rows, inputs, units)
    step = np.float32(rate * (target - odds(units, row, bonus, answers, bonuses)))
    for j in range(HIDDEN):
        slopes[j] = step * answers[row, j] if units[j] > 0 else np.float32(0.0)
        answers[row, j] += step * units[j]
    bonuses[row] += step
    if bonus >= 0:
        bonuses[bonus] += step
    for k in range(FEATURES):
        input_row = rows[k]
        for j in range(HIDDEN):
            inputs[input_row, j] += slopes[j]


def play_and_learn(start, inputs, answers, bonuses, styles, games, rate, rng):
    """Play games and learn from each."""
    states, deck = np.empty(1, start.dtype), np.empty(mines.PILES * mines.DEPTH, np.int64)
    s, decisions = states[0], np.zeros(2, np.int64)
    rows, places = np.empty((2, MAX_DECISIONS, FEATURES), np.int64), np.empty((2, MAX_DECISIONS, 2), np.int64)
    best_odds, was_random = np.empty((2, MAX_DECISIONS)), np.zeros((2, MAX_DECISIONS), np.bool_)
    units, slopes = np.empty(HIDDEN, np.float32), np.empty(HIDDEN, np.float32)
    for _ in range(games):
        states[0] = start[0]
        tune.start_game(s, deck, rng)
        decisions[:] = 0
        style_seat = randbelow(rng, 2) if randbelow(rng, 100) < STYLE_PERCENT else -1
        style = randbelow(rng, len(styles))
        random_share, given = RANDOM_PER_100_000[randbelow(rng, 2)], 0
        while s["over"] == 0 and given < MAX_ANSWERS:
            given += 1
            seat = lowest(s["to_act"])
            legal = mines.legal(s, seat)
            if seat == style_seat:
                if randbelow(rng, 1000) < STYLE_RANDOM_PERMILLE:
                    mines.step(s, seat, random_bit(legal, rng), None)
                else:
                    mines.step(s, seat, weighted_policy.weighted_answer(s, seat, styles[style]), None)
                continue
            left = weighted_policy.cheapest_and_dearest(s, legal)
            if left & (left - 1) == 0:
                mines.step(s, seat, lowest(left), None)
                continue
            n = min(decisions[seat], MAX_DECISIONS - 1)
            policy_network.write_features(s, seat, rows[seat, n])
            float_units(rows[seat, n], inputs, units)
            chosen, best = -1, -1.0
            at_random = random_bit(left, rng) if randbelow(rng, 100_000) < random_share else -1
            while left != 0:
                answer = lowest(left)
                left &= left - 1
                row, bonus = answer_place(s, seat, answer)
                chance = odds(units, row, bonus, answers, bonuses)
                if chance > best:
                    chosen, best = answer, chance
            best_odds[seat, n], was_random[seat, n] = best, at_random >= 0 and at_random != chosen
            if at_random >= 0:
                chosen = at_random
            places[seat, n] = answer_place(s, seat, chosen)
            decisions[seat] = n + 1
            mines.step(s, seat, chosen, None)
        for seat in range(2):
            target = 0.5 if s["winner"] < 0 else 1.0 if s["winner"] == seat else 0.0
            for n in range(decisions[seat] - 1, -1, -1):
                row, bonus = places[seat, n]
                learn_answer(inputs, answers, bonuses, rows[seat, n], row, bonus, target, rate, units, slopes)
                target = (
                    best_odds[seat, n] if was_random[seat, n] else TRACE * target + (1 - TRACE) * best_odds[seat, n]
                )


compiled = jit.compiled_for_modules(weighted_policy, policy_network, tune, sys.modules[__name__])


@lru_cache(maxsize=1)
def learning_kernel() -> Any:
    @compiled
    def learn(start, inputs, answers, bonuses, styles, games, rate, rng):
        play_and_learn(start, inputs, answers, bonuses, styles, games, rate, rng)

    return learn


def win_shares(
    packed: np.ndarray[Any, np.dtype[np.int64]], rival: np.void, pairs: int, seed: int
) -> np.ndarray[Any, Any]:
    """Return the share that the network wins against weights in each pair of games with the same cards."""
    return tune.win_shares(packed, rival, pairs, seed, policy_network.network_answer, policy_network.new_memory)


def train(games: int, seed: int, show: Any = None) -> FloatWeights:
    """Return trained weights; ``show(text)`` reports the progress."""
    weights, rng, start = first_weights(seed), jit.new_rng(seed), tune.start_rows()
    for done in range(0, games, GAMES_PER_STEP):
        rate = max(FIRST_RATE * (1 - done / games), LAST_RATE)
        learning_kernel()(start, *weights, search_hooks.OPPONENT_STYLES, min(GAMES_PER_STEP, games - done), rate, rng)
        if show and done % (50 * GAMES_PER_STEP) == 0:
            shares = [
                win_shares(packed_weights(weights), rival, 1000, 2).mean() for rival in search_hooks.OPPONENT_STYLES
            ]
            show(
                f"{done}: wins {shares[0]:.1%} against tuned, {shares[1]:.1%} against plain, {shares[2]:.1%} against aggressive weights\n"
            )
    return weights


def main(file: Path, games: int, seed: int) -> None:
    """Train, and write the weights."""
    np.save(file, packed_weights(train(games, seed, sys.stdout.write)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m diamonds.lab.train_mines_network", description="Train the network of mines."
    )
    parser.add_argument("file", type=Path, help="where to write the weights (.npy)")
    parser.add_argument("--games", type=int, default=GAMES, help="games to learn from (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    main(arguments.file, arguments.games, arguments.seed)
