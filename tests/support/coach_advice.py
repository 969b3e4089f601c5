"""The coach's recommendations, compared with the hints for the same positions.

The positions come from coached games: the decisions of a newcomer (`NewcomerBot`) against bots of the lowest level. The
coach's tips run in Node as they do on the page, and each may declare a recommendation. Recommendations are evaluated in
the worlds of a hint.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from diamonds import cards, deals, records, views
from diamonds.bots import games
from diamonds.bots.analysis import hints
from diamonds.bots.bot import BotView, bot_view
from diamonds.bots.games.adapter import POINTS, WIN_CHANCE, SearchParams
from diamonds.bots.levels import find_bot
from diamonds.game import find_game
from tests.support import node

SEED = 71
WORLDS = 1000
# Largest accepted gap between a recommended answer and the best one, in the hint's unit.
MAX_GAP = {POINTS: 0.3, WIN_CHANCE: 3.0}
MAX_SETS = 2  # card sets evaluated per recommendation: those that the search ranks best
RANDOM_PERCENT = 25
DRIVER = node.REPO_ROOT / "tests" / "node" / "coach.mjs"


class CoachPosition(NamedTuple):
    """A newcomer's decision: the view and the update sent to the page."""

    view: BotView
    told: dict[str, Any]


class CoachLine(NamedTuple):
    """A tip shown in a position: its recommendation, if any, and the recommendation's gap to the best answer."""

    position: int
    name: str
    recommends: list[list[str]] | None
    gap: float | None


def coached_positions(name: str, number: int, seed: int = SEED) -> list[CoachPosition]:
    """Return decisions of a newcomer in the games offered on a first visit."""
    found: list[CoachPosition] = []
    for game_seed in range(seed, seed + number):
        for position in newcomer_decisions(name, game_seed):
            found.append(position)
            if len(found) == number:
                return found
    return found


def newcomer_decisions(name: str, seed: int) -> Iterator[CoachPosition]:
    """Yield the decisions of seat 0 in one game that have more than one choice."""
    game, rng = find_game(name), np.random.default_rng(seed)
    adapter, beginner, random_bot = games.adapter_for(game), find_bot("1"), find_bot("random")
    played = records.start_game(game, game.default_seats, {}, deals.seeded_secret(seed))
    begun = False  # whether some cards of a set have already been named
    while not played.over:
        seat = game.to_act(played.state)[0]
        view, question = bot_view(game, played.state, seat), game.question(played.state)
        legal = game.legal(played.state, seat)
        is_set = bool(adapter.is_set(played.state))
        if seat == 0 and len(legal) > 1 and not (is_set and begun):
            row = views.view(game, played.state, seat)
            data = views.view_data(game, row)
            yield CoachPosition(
                view,
                {
                    "view": data, "me": seat, "hand": data["hand"][seat], "question": question.name,
                    "legal": [str(answer) for answer in legal], "events": [],
                },
            )  # fmt: skip
        begun = is_set and seat == 0
        bot = random_bot if seat == 0 and rng.integers(100) < RANDOM_PERCENT else beginner
        chosen = bot.choose(view, question.name, rng)
        played.answer(seat, question.answers[chosen], question.name)


def coach_lines(name: str, positions: list[CoachPosition]) -> list[list[dict[str, Any]]]:
    """Return for each position the tips that the coach can show: name, sentence, recommendation."""
    return run_module(f"{name}/coach.ts", [position.told for position in positions])


def run_module(module: str, inputs: list[dict[str, Any]]) -> list[Any]:
    """Return the output of a client module for each input: the tips of a coach, or the direct effect of an answer."""
    web = node.REPO_ROOT / "web"
    bundler = web / "node_modules" / "rolldown" / "dist" / "index.mjs"
    done = node.run_node(
        DRIVER, bundler.as_uri(), f"src/games/{module}",
        stdin_text="".join(json.dumps(one) + "\n" for one in inputs), folder=web,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def check_advice(name: str, positions: list[CoachPosition]) -> list[CoachLine]:
    """Return every tip that can be shown, with the gap between its worst recommendation and the best answer."""
    found = []
    for k, (position, said) in enumerate(zip(positions, coach_lines(name, positions), strict=True)):
        recommended = {line["name"]: line["recommends"] for line in said if line["recommends"] is not None}
        gaps = recommendation_gaps(position.view, list(recommended.values()), SEED + k) if recommended else []
        by_name = dict(zip(recommended, gaps, strict=True))
        found += [CoachLine(k, line["name"], line["recommends"], by_name.get(line["name"])) for line in said]
    return found


def recommendation_gaps(view: BotView, recommendations: list[list[list[str]]], seed: int) -> list[float]:
    """Return how far the worst choice of each recommendation falls short of the best answer, in the hint's unit."""
    from diamonds.bots.search import search

    game, seat, row = view
    numbers = {str(name): number for name, number in game.answers[int(row["question"])].items()}
    result = search.search(game, row, seat, SearchParams(), seed)
    order = sorted(
        range(len(result.candidates)), key=lambda k: (k != result.best_index, -result.worlds[k], -result.values[k])
    )
    ranked = [result.candidates[k] for k in order]

    def candidates_for(choice: list[str]) -> list[int]:
        """Return the candidates that follow a choice: one for each answer, and the most promising card sets."""
        adapter = games.adapter_for(game)
        if not adapter.is_set(row):
            known = np.array(result.candidates)
            return [int(adapter.representative(row, known, numbers[answer])) for answer in choice]
        sets = [sum(cards.bit(numbers[card]) for card in answer.split()) for answer in choice]
        return [one for one in ranked if any(one & held == held for held in sets)][:MAX_SETS]

    recommended = [[candidates_for(choice) for choice in choices] for choices in recommendations]
    weighed = dict.fromkeys(ranked[: hints.SHORTLIST_SIZE])
    weighed |= dict.fromkeys(one for choices in recommended for choice in choices for one in choice)
    values = hints.evaluate_candidates(game, row, seat, list(weighed), WORLDS, seed + 2)
    means = {candidate: values.mean(k) for k, candidate in enumerate(weighed)}
    best = max(means.values())
    return [
        max((best - max(means[one] for one in choice) for choice in choices if choice), default=0.0)
        for choices in recommended
    ]


def contradictions(name: str, lines: list[CoachLine]) -> list[CoachLine]:
    """Return the tips that recommend an answer that a hint would reject."""
    unit = games.adapter_for(find_game(name)).unit
    return [line for line in lines if line.gap is not None and line.gap >= MAX_GAP[unit]]
