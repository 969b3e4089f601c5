"""The accuracy of reviews: predicted and realised costs of decisions, and the verdict of a much longer search.

*Regression.* In self-play of a searching level, a decision is picked at random. The review's own method predicts the
cost of an alternative against the best answer, from the seat's view. Then the same bots play on after both answers from
the true cards with the same random numbers, and the margins at the end of the round are compared. The slope of realised
on predicted cost is 1 if predictions are right on average; below 1 they exaggerate. The unit is a pair of continued
games; pairs come from different deals, so they are independent.

*Agreement.* Decisions of a weak level are reviewed. The marked ones are searched again in a hundred times as many
worlds, both to find the best answer and to measure the cost of the given one.

``python -m diamonds.lab.review_accuracy`` prints both for every game; docs/review.md has the results.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any, NamedTuple

import numpy as np

from diamonds import __version__, deals, fields, records
from diamonds.bots import games, kernels
from diamonds.bots.analysis import hints, review
from diamonds.bots.bot import bot_view
from diamonds.bots.games.adapter import SearchParams
from diamonds.bots.levels import find_bot
from diamonds.game import GAMES, Game

LONG_SEARCH_FACTOR = 100  # factor for the number of worlds


class RegressionFit(NamedTuple):
    """Least-squares fit of realised on predicted cost, with a heteroscedasticity-robust standard error and both means."""

    pairs: int
    slope: float
    error: float
    intercept: float
    predicted: float
    realised: float


class MistakeAgreement(NamedTuple):
    """The marked decisions that a longer search also calls mistakes: still certainly worse and material."""

    marked: int
    worse: int
    material: int
    mean_cost: float
    mean_longer: float


def regress(predicted: np.ndarray[Any, Any], realised: np.ndarray[Any, Any]) -> RegressionFit:
    """Return the least-squares fit with White's standard error."""
    x = predicted - predicted.mean()
    slope = float((x * realised).sum() / (x * x).sum())
    residuals = realised - realised.mean() - slope * x
    error = float(np.sqrt((x * x * residuals * residuals).sum()) / (x * x).sum())
    return RegressionFit(
        len(x), slope, error, float(realised.mean() - slope * predicted.mean()), float(predicted.mean()), float(realised.mean())
    )  # fmt: skip


def cost_pairs(game: Game, number: int, seed: int, level: str) -> RegressionFit:
    """Return the fit of realised on predicted costs for a number of alternatives."""
    predicted: list[float] = []
    realised: list[float] = []
    k = 0
    while len(predicted) < number:
        k += 1
        pair = cost_pair(game, np.random.default_rng([seed, k]), level)
        if pair is not None:
            predicted.append(pair[0])
            realised.append(pair[1])
        _show_progress(f"{game.name}: {len(predicted)} of {number} pairs")
    return regress(np.array(predicted), np.array(realised))


def cost_pair(game: Game, rng: np.random.Generator, level: str) -> tuple[float, float] | None:
    """Return the predicted and the realised cost of an alternative in one decision of one deal, if there is one."""
    from diamonds.bots.search import search

    seats = game.default_seats
    state = game.start(seats, {}, rng.permutation(game.pack_for(seats, {}))[:seats].tolist())
    game.rules.deal(state, rng.permutation(game.pack(state)), None)
    number = int(rng.integers(1, 40))
    for _ in range(number):
        seat = game.to_act(state)[0]
        if game.needs_deal(state) or state["over"]:
            return None
        game.rules.step(state, seat, _choose(game, state, seat, "simple", rng), None)
        if game.needs_deal(state) or state["over"]:
            return None
    seat = int(rng.choice(game.to_act(state)))
    row = bot_view(game, state, seat).row
    question = game.question(row).name
    candidates = search.candidates_of(game, row, seat)
    if len(candidates) < 2 or (question == "pass" and row["chosen"][seat]):
        return None
    forced = int(rng.choice(candidates))
    evaluation = hints.evaluate_shortlist(
        game, row, seat, 1, forced, int(rng.integers(2**40)), review.JUDGE_PARAMS.full_worlds
    )
    if evaluation is None or evaluation.candidates[0] == forced:
        return None
    predicted = float((evaluation.points[:, 0] - evaluation.points[:, 1]).mean())
    seed = int(rng.integers(2**40))
    margins = [play_out(game, state, seat, candidate, level, seed) for candidate in evaluation.candidates]
    return predicted, margins[0] - margins[1]


def play_out(game: Game, state: np.void, seat: int, candidate: int, level: str, seed: int) -> float:
    """Return the margin at the end of the round (mines: of the game) after a candidate, with all seats played by a level."""
    state = fields.copy_state(state)
    rng = np.random.default_rng(seed)
    games.adapter_for(game).apply_candidate(state, seat, candidate, None)
    while not game.needs_deal(state) and not state["over"]:
        other = game.to_act(state)[0]
        game.rules.step(state, other, _choose(game, state, other, level, rng), None)
    return review.margin(game, state, seat)


def _choose(game: Game, state: np.void, seat: int, level: str, rng: np.random.Generator) -> int:
    return find_bot(level).choose(bot_view(game, state, seat), game.question(state).name, rng)


def mistake_agreement(game: Game, game_count: int, seed: int, level: str, max_marked: int) -> MistakeAgreement:
    """Review games of a weak level, and search marked decisions again in a hundred times as many worlds."""
    costs: list[float] = []
    longer: list[float] = []
    worse, material = 0, 0
    for k in range(game_count):
        played = records.start_game(game, game.default_seats, {}, deals.seeded_secret(seed + k))
        rng = np.random.default_rng([seed, k])
        while not played.over:
            seat = game.to_act(played.state)[0]
            question = game.question(played.state)
            answer = _choose(game, played.state, seat, level, rng)
            played.answer(seat, question.answers[answer], question.name)
        for task in review.plan(played, [0]).decision_tasks:
            decision = review.judge(task)
            if decision is None or not decision.marked or len(costs) == max_marked:
                continue
            cost, error = search_longer(game, task)
            costs.append(decision.cost)
            longer.append(cost)
            worse += cost >= review.JUDGE_PARAMS.mistake_std_errors * error and cost > 0
            material += cost >= games.adapter_for(game).material_difference / 2
            _show_progress(f"{game.name}: {len(costs)} marked decisions searched again")
        if len(costs) == max_marked:
            break
    return MistakeAgreement(len(costs), int(worse), int(material), float(np.mean(costs)), float(np.mean(longer)))


def search_longer(game: Game, task: review.DecisionTask) -> tuple[float, float]:
    """Return the cost of a decision against the choice of a search with a hundred times as many worlds.

    The cost is measured in the same number of worlds.
    """
    from diamonds.bots.search import search

    row = np.frombuffer(bytearray(task.row), game.dtype)[0]
    search_params = SearchParams(
        max_worlds=SearchParams().max_worlds
        * (LONG_SEARCH_FACTOR if len(search.candidates_of(game, row, task.seat)) < 20 else 10)
    )
    result = search.search(game, row, task.seat, search_params, task.seed + 1001)
    best = result.candidates[result.best_index]
    answer = games.adapter_for(game).representative(row, result.candidates, task.candidate)
    worlds = review.JUDGE_PARAMS.full_worlds * LONG_SEARCH_FACTOR // 4  # in four parts, to limit memory
    parts = [
        hints.evaluate_candidates(game, row, task.seat, [best, answer], worlds, task.seed + 1003 + k) for k in range(4)
    ]
    means = [part.difference(0, 1) for part in parts]
    return sum(mean for mean, _ in means) / 4, float(np.sqrt(sum(error**2 for _, error in means))) / 4


def _show_progress(text: str) -> None:
    """Show progress on a line that is overwritten."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{text}\033[K")
        sys.stderr.flush()


def main(arguments: list[str] | None = None) -> None:
    """Measure the accuracy, and print the results as JSON lines."""
    parser = argparse.ArgumentParser(prog="python -m diamonds.lab.review_accuracy", description="Are reviews true?")
    parser.add_argument("--games", nargs="*", default=list(GAMES), choices=list(GAMES), help="which games")
    parser.add_argument("--pairs", type=int, default=1500, help="forced alternatives for the slope")
    parser.add_argument("--marked", type=int, default=60, help="marked decisions to search again")
    parser.add_argument("--level", default="4", help="who plays on after a forced alternative")
    parser.add_argument("--weak", default="2", help="whose decisions are reviewed")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    for name in options.games:
        game = GAMES[name]
        kernels.load(game)
        started = time.process_time()
        line: dict[str, Any] = {
            "game": name,
            "seats": game.default_seats,
            "seed": options.seed,
            "unit": games.adapter_for(game).unit,
        }
        if options.pairs:
            line["slope"] = cost_pairs(game, options.pairs, options.seed, options.level)._asdict()
        if options.marked:
            line["agreement"] = mistake_agreement(game, 1000, options.seed, options.weak, options.marked)._asdict()
        line |= {
            "version": __version__,
            "rules_version": game.version,
            "cpu_seconds": round(time.process_time() - started),
        }
        _show_progress("")
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
