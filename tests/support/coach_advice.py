"""The advice of coach, lessons and reviews, compared with the hints for the same positions.

The positions come from every kind of game (`random_games.CASES`), played by bots of different levels. Seat 0 is a
newcomer, who answers at random every fourth time. The coach's tips run in Node as they do on the page, and each may
declare a recommendation. Other sentences are only text, so `GENERAL_ADVICE` lists what they recommend. Recommendations
are evaluated as a hint evaluates answers. Gaps beyond the limit are measured again in more worlds.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import chain, zip_longest
from typing import Any, NamedTuple

import numpy as np

from diamonds import cards, deals, records, views
from diamonds.bots import games
from diamonds.bots.analysis import hints, review
from diamonds.bots.bot import BotView, bot_view
from diamonds.bots.games.adapter import POINTS, WIN_CHANCE
from diamonds.bots.levels import find_bot
from diamonds.game import find_game
from diamonds.server.api.codec import encode
from diamonds.server.tables import analysis
from tests.support import node, random_games

SEED = 71
WORLDS = 1000
RECHECK_WORLDS = 10 * WORLDS  # for gaps beyond the limit: the best answer looks better in the worlds that chose it
# Largest accepted gap between a recommended answer and the best one, in the hint's unit.
MAX_GAP = {POINTS: 0.3, WIN_CHANCE: 3.0}
MAX_SETS = 2  # card sets evaluated per recommendation: those that the search ranks best
BOTS = ("random", "1", "2", "4")
RANDOM_PERCENT = 25  # random answers of the newcomer
MAX_PER_GAME = 12  # positions from one game
DRIVER = node.REPO_ROOT / "tests" / "node" / "coach.mjs"

Choices = list[list[str]]


class CoachPosition(NamedTuple):
    """A newcomer's decision: the view, the update sent to the page, the true state, and the kind of game."""

    view: BotView
    told: dict[str, Any]
    state: np.void
    kind: str


class AdviceLine(NamedTuple):
    """A sentence shown in a position: its recommendation, if any, and its gap to the best answer with the error."""

    position: int
    name: str
    recommends: Choices | None
    gap: float = 0.0
    gap_error: float = 0.0


def coached_positions(name: str, number: int, seed: int = SEED, first_game: int = 0) -> list[CoachPosition]:
    """Return a newcomer's decisions: a few of each game, with as many different questions as possible."""
    cases = [case for case in random_games.CASES if case[0] == name]
    found: list[CoachPosition] = []
    for k in range(first_game, first_game + number):
        rng = np.random.default_rng([seed, k])
        by_question = defaultdict(list)
        for position in newcomer_decisions(*cases[k % len(cases)], seed + k, rng):
            by_question[position.told["question"]].append(position)
        shuffled = [[positions[at] for at in rng.permutation(len(positions))] for positions in by_question.values()]
        mixed = [position for position in chain.from_iterable(zip_longest(*shuffled)) if position]
        found += mixed[: min(MAX_PER_GAME, number - len(found))]
        if len(found) == number:
            break
    return found


def newcomer_decisions(
    name: str, seats: int, options: dict[str, Any], seed: int, rng: np.random.Generator
) -> Iterator[CoachPosition]:
    """Yield the decisions of seat 0 in one game that have more than one choice."""
    game = find_game(name)
    adapter, random_bot = games.adapter_for(game), find_bot("random")
    levels = [str(rng.choice(BOTS)) for _ in range(seats)]
    bots = [find_bot(level) for level in levels]
    kind = f"{name}, {seats} players {options or ''}, bots {' '.join(levels)}"
    played = records.start_game(game, seats, options, deals.seeded_secret(seed))
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
                played.state.copy(),
                kind,
            )  # fmt: skip
        begun = is_set and seat == 0
        bot = random_bot if seat == 0 and rng.integers(100) < RANDOM_PERCENT else bots[seat]
        chosen = bot.choose(view, question.name, rng)
        played.answer(seat, question.answers[chosen], question.name)


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


def coach_lines(name: str, positions: list[CoachPosition]) -> list[list[dict[str, Any]]]:
    """Return for each position the tips that the coach can show: name, sentence, recommendation."""
    return run_module(f"{name}/coach.ts", [position.told for position in positions])


# The advice of other sentences, by message. Each function returns the choices that the sentence recommends in a
# position, or none if it does not apply.


def without(suit: str, legal: list[str]) -> Choices:
    """Return the answers other than cards of a suit, where there are both."""
    others = [answer for answer in legal if answer[0] != suit]
    return [others] if 0 < len(others) < len(legal) else []


def lowest_thrown(suit: str) -> Callable[[dict[str, Any]], Choices]:
    """Recommend the lowest card of a suit to a player of crystals who cannot follow suit, if it is played at all."""

    def recommend(told: dict[str, Any]) -> Choices:
        led, legal = told["view"]["led"], told["legal"]
        ranks = sorted(int(card[1:]) for card in legal if card[0] == suit)
        if told["question"] != "play" or not led or len(ranks) < 2 or any(card[0] == led for card in legal):
            return []
        return [[card for card in legal if card[0] != suit or int(card[1:]) == ranks[0]]]

    return recommend


def diamonds_led_late(told: dict[str, Any]) -> Choices:
    """Recommend another suit as a lead in the first half of a hand of fourteen."""
    view = told["view"]
    is_early = 2 * sum(view["tricks"]) < 52 // view["seats"]
    leads = told["question"] == "play" and not view["trick"] and view["scoring"] != 2
    return without("D", told["legal"]) if leads and is_early else []


def diamonds_kept(told: dict[str, Any]) -> Choices:
    return without("D", told["legal"]) if told["question"] == "give" else []


GENERAL_ADVICE: dict[str, dict[str, Callable[[dict[str, Any]], Choices]]] = {
    "crystals": {
        "page-lesson-crystals-void-wrong": lowest_thrown("D"),
        "page-lesson-crystals-rob": lowest_thrown("C"),
    },
    "fourteen": {
        "page-lesson-fourteen-late-right": diamonds_led_late,
    },
    "mines": {
        "page-mines-ask-give": diamonds_kept,
        "page-mines-dig-first": lambda told: (
            [[a for a in told["legal"] if a != "skip"]] if told["question"] == "dig" else []
        ),
    },
}


def check_advice(name: str, positions: list[CoachPosition]) -> list[AdviceLine]:
    """Return every sentence that can be shown, with the gap between its worst recommendation and the best answer."""
    found = []
    shows_hints = (node.REPO_ROOT / "web" / "src" / "games" / name / "directEffect.ts").exists()
    for k, position in enumerate(positions if shows_hints else []):
        if position.told["question"] == "play":
            continue  # there, no tip with a recommendation reads the hint
        hint = hints.hint(position.view, SEED + k)
        position.told["hint"] = json.loads(encode(analysis.hint_response(0, position.view.seat, hint)))
    for k, (position, said) in enumerate(zip(positions, coach_lines(name, positions), strict=True)):
        advice = [(f"coach {tip['name']}", tip["recommends"]) for tip in said]
        advice += [(id, recommend(position.told)) for id, recommend in GENERAL_ADVICE[name].items()]
        ranked = ranked_candidates(position.view, SEED + k)
        advice.append(("review", reviewed_as_better(position, ranked[-1], SEED + k)))
        gaps = recommendation_gaps(position.view, ranked, [recommends or [] for _, recommends in advice], SEED + k)
        found += [AdviceLine(k, *one, *gap) for one, gap in zip(advice, gaps, strict=True)]
    return found


def ranked_candidates(view: BotView, seed: int) -> list[int]:
    """Return the candidates of a hint's search, best first."""
    from diamonds.bots.search import search

    game, seat, row = view
    result = search.search(game, row, seat, games.adapter_for(game).hint_params, seed)
    order = sorted(
        range(len(result.candidates)), key=lambda k: (k != result.best_index, -result.worlds[k], -result.values[k])
    )
    return [result.candidates[k] for k in order]


def reviewed_as_better(position: CoachPosition, given: int, seed: int) -> Choices:
    """Return the answer that a review calls better than the given one; empty unless the review finds a mistake."""
    game, seat, row = position.view
    judged = review.judge(
        review.DecisionTask(game.name, 0, seat, 1, given, row.tobytes(), position.state.tobytes(), seed)
    )
    if judged is None or not judged.marked:
        return []
    return [[" ".join(map(str, judged.best_answers))]]


def recommendation_gaps(
    view: BotView, ranked: list[int], recommendations: list[Choices], seed: int
) -> list[tuple[float, float]]:
    """Return how far the worst choice of each recommendation falls short of the best answer, with the standard error.

    Both are in the hint's unit. Every answer is evaluated; of sets of cards, a hint's shortlist and the recommended ones.
    """
    game, seat, row = view
    adapter = games.adapter_for(game)
    numbers = {str(name): number for name, number in game.answers[int(row["question"])].items()}
    is_set, known = adapter.is_set(row), np.array(sorted(ranked))
    shortlist = ranked[: hints.MAX_EVALUATED[adapter.unit]] if is_set else ranked

    def candidates_for(choice: list[str]) -> list[int]:
        """Return the candidates that follow a choice: one for each answer, and the most promising card sets."""
        if not is_set:
            return [int(adapter.representative(row, known, numbers[answer])) for answer in choice]
        sets = [sum(cards.bit(numbers[card]) for card in answer.split()) for answer in choice]
        promising = [[one for one in ranked if one & held == held][:MAX_SETS] for held in sets]
        return [
            *chain.from_iterable(promising),
            *(one for one in shortlist if any(one & held == held for held in sets)),
        ]

    recommended = [[candidates_for(choice) for choice in choices if choice] for choices in recommendations]
    candidates = list(
        dict.fromkeys([*shortlist, *(one for choices in recommended for choice in choices for one in choice)])
    )
    values = hints.evaluate_candidates(game, row, seat, candidates, WORLDS, seed + 2, adapter.hint_params)
    best = max(range(len(candidates)), key=values.mean)

    def gap(choices: list[list[int]]) -> tuple[float, float]:
        worst = max(
            (min(values.difference(best, candidates.index(one)) for one in choice) for choice in choices),
            default=(0.0, 0.0),
        )
        if worst[0] < MAX_GAP[adapter.unit]:
            return worst
        named = [one for choice in choices for one in choice]
        again = hints.evaluate_candidates(
            game, row, seat, [candidates[best], *named], RECHECK_WORLDS, seed + 4, adapter.hint_params
        )
        return max(min(again.difference(0, named.index(one) + 1) for one in choice) for choice in choices)

    return [gap(choices) for choices in recommended]


def contradictions(name: str, lines: list[AdviceLine]) -> list[AdviceLine]:
    """Return the sentences that recommend an answer that a hint would reject, the worst first."""
    unit = games.adapter_for(find_game(name)).unit
    return sorted((line for line in lines if line.gap >= MAX_GAP[unit]), key=lambda line: -line.gap)
