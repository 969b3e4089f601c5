"""Whether reviews are true: what a decision was said to cost, beside what it did cost; and what a far longer search says.

*Regression.* In self-play of a searching level, a decision is taken out at random. The review's own method predicts what an
alternative costs against the best answer, from the view of the seat. Then both are played on from the true cards by the same
bots with the same random numbers, and the margins at the end of the round are compared. The slope of realised on predicted
cost is 1 if predictions are right on average; below 1 they exaggerate. The unit is a pair of games played on; pairs come from
different deals, so they are independent.

*Agreement.* Decisions of a weak level are reviewed, and those that are marked are searched again in a hundred times as many
worlds, both to find the best answer and to measure the cost of the one given.

``python -m diamonds.lab.calibrate`` prints both for every game; docs/review.md says what it found.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any, NamedTuple

import numpy as np

from diamonds import __version__, deals, fields, records
from diamonds.bots import kernels, knowing
from diamonds.bots.advising import hints, review
from diamonds.bots.bot import see
from diamonds.bots.knowing.contract import Effort
from diamonds.bots.levels import find_bot
from diamonds.game import GAMES, Game

LONGER = 100  # times as many worlds


class Slope(NamedTuple):
    """Realised on predicted cost: least squares, with a standard error that allows for unequal spread; and both means."""

    pairs: int
    slope: float
    error: float
    intercept: float
    predicted: float
    realised: float


class Agreement(NamedTuple):
    """How many marked decisions a longer search calls mistakes too: worse for certain, and still material."""

    marked: int
    worse: int
    material: int
    mean_cost: float
    mean_longer: float


def regress(predicted: np.ndarray[Any, Any], realised: np.ndarray[Any, Any]) -> Slope:
    """Least squares with White's standard error."""
    x = predicted - predicted.mean()
    slope = float((x * realised).sum() / (x * x).sum())
    rest = realised - realised.mean() - slope * x
    error = float(np.sqrt((x * x * rest * rest).sum()) / (x * x).sum())
    return Slope(
        len(x), slope, error, float(realised.mean() - slope * predicted.mean()), float(predicted.mean()), float(realised.mean())
    )  # fmt: skip


def pairs(game: Game, number: int, seed: int, level: str) -> Slope:
    """Forced alternatives: predicted and realised cost of so many."""
    predicted: list[float] = []
    realised: list[float] = []
    k = 0
    while len(predicted) < number:
        k += 1
        found = _pair(game, np.random.default_rng([seed, k]), level)
        if found is not None:
            predicted.append(found[0])
            realised.append(found[1])
        _tell(f"{game.name}: {len(predicted)} of {number} pairs")
    return regress(np.array(predicted), np.array(realised))


def _pair(game: Game, rng: np.random.Generator, level: str) -> tuple[float, float] | None:
    """One decision of one deal, and what an alternative costs: as predicted, and as played on."""
    from diamonds.bots.thinking import search

    seats = game.usual_seats
    state = game.start(seats, {}, rng.permutation(game.pack_at(seats, {}))[:seats].tolist())
    game.rules.deal(state, rng.permutation(game.pack(state)), None)
    number = int(rng.integers(1, 40))
    for _ in range(number):
        seat = game.to_act(state)[0]
        if game.wants_cards(state) or state["over"]:
            return None
        game.rules.step(state, seat, _choose(game, state, seat, "simple", rng), None)
        if game.wants_cards(state) or state["over"]:
            return None
    seat = int(rng.choice(game.to_act(state)))
    row = see(game, state, seat).row
    question = game.question(row).name
    candidates = search.candidates_of(game, row, seat)
    if len(candidates) < 2 or (question == "pass" and row["chosen"][seat]):
        return None
    forced = int(rng.choice(candidates))
    scales = hints.shortlist(game, row, seat, 1, forced, int(rng.integers(2**40)), review.LOOKS.long)
    if scales is None or scales.candidates[0] == forced:
        return None
    ahead = float((scales.points[:, 0] - scales.points[:, 1]).mean())
    seed = int(rng.integers(2**40))
    margins = [_play_on(game, state, seat, candidate, level, seed) for candidate in scales.candidates]
    return ahead, margins[0] - margins[1]


def _play_on(game: Game, state: np.void, seat: int, candidate: int, level: str, seed: int) -> float:
    """The margin at the end of the round (mines: of the game) after a candidate, all seats played by a level."""
    state = fields.copy_state(state)
    rng = np.random.default_rng(seed)
    knowing.of(game).give(state, seat, candidate, None)
    while not game.wants_cards(state) and not state["over"]:
        other = game.to_act(state)[0]
        game.rules.step(state, other, _choose(game, state, other, level, rng), None)
    return review.margin(game, state, seat)


def _choose(game: Game, state: np.void, seat: int, level: str, rng: np.random.Generator) -> int:
    return find_bot(level).choose(see(game, state, seat), game.question(state).name, rng)


def agreement(game: Game, games: int, seed: int, level: str, most: int) -> Agreement:
    """Review games of a weak level, and look at what is marked with a hundred times as many worlds."""
    costs: list[float] = []
    longer: list[float] = []
    worse, material = 0, 0
    for k in range(games):
        match = records.start(game, game.usual_seats, {}, deals.seeded_secret(seed + k))
        rng = np.random.default_rng([seed, k])
        while not match.over:
            seat = game.to_act(match.state)[0]
            question = game.question(match.state)
            answer = _choose(game, match.state, seat, level, rng)
            match.answer(seat, question.answers[answer], question.name)
        for task in review.plan(match, [0]).tasks:
            decision = review.judge(task)
            if decision is None or not decision.marked or len(costs) == most:
                continue
            cost, error = search_longer(game, task)
            costs.append(decision.cost)
            longer.append(cost)
            worse += cost >= review.LOOKS.certain * error and cost > 0
            material += cost >= knowing.of(game).material / 2
            _tell(f"{game.name}: {len(costs)} marked decisions searched again")
        if len(costs) == most:
            break
    return Agreement(len(costs), int(worse), int(material), float(np.mean(costs)), float(np.mean(longer)))


def search_longer(game: Game, task: review.Task) -> tuple[float, float]:
    """The cost of a decision against the choice of a search with a hundred times the worlds, measured in as many."""
    from diamonds.bots.thinking import search

    row = np.frombuffer(bytearray(task.row), game.dtype)[0]
    pick = Effort(worlds=Effort().worlds * (LONGER if len(search.candidates_of(game, row, task.seat)) < 20 else 10))
    found = search.search(game, row, task.seat, pick, task.seed + 1001)
    best = found.candidates[found.best]
    given = knowing.of(game).same_kind(row, found.candidates, task.given)
    worlds = review.LOOKS.long * LONGER // 4  # in four parts, for memory
    parts = [hints.weigh(game, row, task.seat, [best, given], worlds, task.seed + 1003 + k) for k in range(4)]
    means = [part.difference(0, 1) for part in parts]
    return sum(mean for mean, _ in means) / 4, float(np.sqrt(sum(error**2 for _, error in means))) / 4


def _tell(words: str) -> None:
    """How far it is, on a line that is written over."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{words}\033[K")
        sys.stderr.flush()


def main(arguments: list[str] | None = None) -> None:
    """Calibrate, and print the findings as JSON lines."""
    parser = argparse.ArgumentParser(prog="python -m diamonds.lab.calibrate", description="Are reviews true?")
    parser.add_argument("--games", nargs="*", default=list(GAMES), choices=list(GAMES), help="which games")
    parser.add_argument("--pairs", type=int, default=1500, help="forced alternatives for the slope")
    parser.add_argument("--marked", type=int, default=60, help="marked decisions to search again")
    parser.add_argument("--level", default="4", help="who plays on after a forced alternative")
    parser.add_argument("--weak", default="2", help="whose decisions are reviewed")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    for name in given.games:
        game = GAMES[name]
        kernels.load(game)
        began = time.process_time()
        line: dict[str, Any] = {
            "game": name,
            "seats": game.usual_seats,
            "seed": given.seed,
            "unit": knowing.of(game).unit,
        }
        if given.pairs:
            line["slope"] = pairs(game, given.pairs, given.seed, given.level)._asdict()
        if given.marked:
            line["agreement"] = agreement(game, 1000, given.seed, given.weak, given.marked)._asdict()
        line |= {
            "version": __version__,
            "rules_version": game.version,
            "cpu_seconds": round(time.process_time() - began),
        }
        _tell("")
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
