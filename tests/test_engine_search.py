"""Bots, hints and reviews of the page's engine equal the server's to the last digit."""

import itertools
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from diamonds import deals, i18n, jit, records
from diamonds.bots import games
from diamonds.bots.analysis import hints, reason_text, review
from diamonds.bots.bot import BotView, bot_view
from diamonds.bots.games.adapter import COUNT_COLUMNS, NO_PLAN, POINTS, WIN_CHANCE
from diamonds.bots.levels import BOTS, LEVELS
from diamonds.bots.search import search
from diamonds.bots.search.reason_selection import AGAINST, CONTRAST, FOR
from diamonds.game import GAMES
from diamonds.i18n import Message
from tests.support.random_positions import all_variants, random_answer, start_variant
from tests.support.sample_sizes import short_or_long
from tests.test_engine import EngineRequests, script

pytestmark = pytest.mark.kernels
__all__ = ["script"]

SEARCH_LEVELS = tuple(level.name for level in LEVELS)
# Fields of hints and reviews that have other names in the engine, because its package publishes them.
ENGINE_KEYS = {"text": "says", "gap": "behind", "gap_error": "behind_error", "reasons": "because"}
ALL_LEVELS_EVERY = 8  # one position in this many is searched by all levels, the others only by fast ones


def engine_fields(named: NamedTuple) -> dict[str, Any]:
    return {ENGINE_KEYS.get(name, name): value for name, value in named._asdict().items()}


def row_as_text(row: np.void) -> list[str]:
    """Return a row as text, because JavaScript numbers cannot hold every integer."""
    return [str(number) for number in np.frombuffer(row.tobytes(), np.int64).tolist()]


def passing_positions(name: str) -> Iterator[tuple[BotView, int]]:
    """Yield positions of crystals with more sets to pass than a hint evaluates; in the second, one is a whole suit."""
    if name == "crystals":
        game, is_whole = GAMES[name], False
        for secret in itertools.count(3):
            played = records.start_game(game, 4, {}, deals.seeded_secret(secret))
            played.answer(game.to_act(played.state)[0], 3)
            seat = game.to_act(played.state)[0]
            if (hints.obvious_answer(game, played.state, seat) is not None) == is_whole:
                yield bot_view(game, played.state, seat), 1
                if is_whole:
                    return
                is_whole = True


def positions_with_choice(name: str, number: int) -> Iterator[tuple[BotView, int]]:
    """Yield positions with a choice and a seed, from games of all variants in turn."""
    variants, found = all_variants(name), 0
    for seed in range(number):
        variant = variants[(7 * seed) % len(variants)]
        rng, played = random.Random(seed), start_variant(variant, seed)
        left = 2
        while not played.over and left and found < number:
            seat, answer = random_answer(played, rng)
            if rng.random() < 0.07 and len(variant.game.legal(played.state, seat)) > 1:
                yield bot_view(variant.game, played.state, seat), 1000 * seed + left
                left, found = left - 1, found + 1
            played.answer(seat, answer)


@short_or_long("number", 32, 2_000)
@pytest.mark.parametrize("name", GAMES)
def test_engine_levels_answer_as_natively(name, number, script, engine):
    requests = EngineRequests()
    for k, (view, seed) in enumerate(positions_with_choice(name, number)):
        levels = SEARCH_LEVELS if number > 100 or k % ALL_LEVELS_EVERY == 0 else SEARCH_LEVELS[:2]
        wanted = []
        for level in levels:
            effort = BOTS[level].search_params(view.game)  # type: ignore[attr-defined]
            found, answer = search.decide_view(view.game, view.row, view.seat, effort, seed)
            wanted.append(
                {"candidates": [str(candidate) for candidate in found.candidates], "worth": found.values,
                 "tried": found.worlds, "best": found.best_index, "answer": answer}
            )  # fmt: skip
        simple = int(games.adapter_for(view.game).heuristic_answer(view.row, view.seat, NO_PLAN))
        requests.add(
            "think", {"simple": simple, "levels": wanted},
            name=name, row=row_as_text(view.row), seat=view.seat, levels=levels, bits=str(jit.new_rng(seed)[0]),
        )  # fmt: skip
    assert len(requests.lines) == number
    requests.run(script, engine)


@short_or_long("number", 2, 300)
@pytest.mark.parametrize("name", GAMES)
def test_engine_hint_equals_the_native_one(name, number, script, engine):
    requests = EngineRequests()
    catalogue = Path(i18n.__file__).with_name("en.ftl").read_text(encoding="utf-8")
    known = re.findall(r"^(hint-answer-[\w-]+) =", catalogue, re.MULTILINE)
    for view, seed in (*positions_with_choice(name, number), *passing_positions(name)):
        hint = hints.hint(view, seed)
        wanted = json.loads(
            json.dumps(engine_fields(hint) | {"choices": [engine_fields(choice) for choice in hint.choices]})
        )
        requests.add("hint", wanted, name=name, row=row_as_text(view.row), seat=view.seat, seed=str(seed), known=known)
    requests.run(script, engine)


@short_or_long("number", 60, 3_000)
@pytest.mark.parametrize("name", GAMES)
def test_engine_reasons_equal_the_native_ones(name, number, script, engine):
    requests, said = EngineRequests(), set()
    rng = np.random.default_rng(5)
    for view, _ in positions_with_choice(name, number):
        candidates = search.candidates_of(view.game, view.row, view.seat)
        if len(candidates) < 2:
            continue
        candidate, rival = map(int, rng.choice(candidates, 2, replace=False))
        counts, rivals = (np.round(rng.random(COUNT_COLUMNS) * rng.integers(1, 4), 3) for _ in range(2))
        side = int(rng.choice([AGAINST, FOR, CONTRAST]))
        found = reason_text.reason_messages(view.game, view.row, view.seat, candidate, counts, rival, rivals, side)
        said |= {why.id for why in found}
        requests.add(
            "because", json.loads(json.dumps(found)), name=name, row=row_as_text(view.row), seat=view.seat, candidate=str(candidate),
            counts=counts.tolist(), rival=str(rival), rivals=rivals.tolist(), side=side,
        )  # fmt: skip
    assert len(said) > 5, f"expected more kinds of reasons than {said}"
    requests.run(script, engine)


def test_engine_judgement_text_equals_the_native_one(script, engine):
    """The margins of the best answer include halfway cases of rounding."""
    requests = EngineRequests()
    for unit in (POINTS, WIN_CHANCE):
        for behind in ([0.0], [0.0, 0.25], [0.0, 0.75], [0.0, 0.35], [0.0, 2.5], [0.0, 3.5], [0.0, 1.04, 7.0]):
            for tied in ([False] * len(behind), [each > 0 for each in behind]):
                says = [Message("hint-cards", {"cards": [f"D{k + 2}"]}) for k in range(len(behind))]
                choices = [
                    hints.HintChoice((), word, 0.0, 0.0, each, 0.0, same, ())
                    for word, each, same in zip(says, behind, tied, strict=True)
                ]
                wanted = json.loads(json.dumps(hints.hint_summary(tuple(choices), unit)))
                requests.add("verdict", wanted, behind=behind, tied=tied, unit=unit)
    requests.run(script, engine)


def finished_variant(name: str, seed: int) -> records.RecordedGame:
    """Return a short random game, finished, in which a bot sometimes answered for a player."""
    variant = [each for each in all_variants(name) if each.seats == each.game.default_seats][seed]
    short = {"rounds": 1} if name == "crystals" else {"target": 5} if name == "fourteen" else {}
    variant = variant._replace(options={**variant.options, **short})
    rng, played = random.Random(seed), start_variant(variant, seed)
    while not played.over:
        seat, answer = random_answer(played, rng)
        played.answer(seat, answer)
        if rng.random() < 0.1:
            played.entries[-1] += " by simple"
    return played


# Every decision of the game is planned, but only some decisions and moments are evaluated (all in slow tests).
@short_or_long("number", 2, None)
@pytest.mark.parametrize("name", GAMES)
def test_engine_review_equals_the_native_one(name, number, script, engine):
    played = finished_variant(name, 1)
    game, work = played.game, review.plan(played)
    seed = work.forecast_tasks[0].seed
    rng = random.Random(3)
    some = sorted(rng.sample(range(len(work.decision_tasks)), number or len(work.decision_tasks)))
    moments = sorted(rng.sample(range(len(work.forecast_tasks)), number or len(work.forecast_tasks)))
    again, steps = records.start_game(game, played.seats, played.options, played.secret, played.nonces), []
    for n, (seat, question, answer) in enumerate(played.answers):
        given = game.answers[int(again.state["question"])][str(answer)]
        by = played.entries[played.entry_positions[n]].endswith(" by simple")
        steps.append({"row": row_as_text(again.state), "seat": seat, "answer": given, "by": by})
        again.answer(seat, answer, question)
    requests = EngineRequests()
    requests.add(
        "review", None, name=name, steps=steps, end=row_as_text(again.state), seats=list(work.seats), seed=str(seed),
        decisions=some, moments=moments,
    )  # fmt: skip
    (replies,) = requests.run(script, engine)
    plan = replies["plan"]
    assert plan["seats"] == list(work.seats)
    assert plan["margins"] == [list(each) for each in work.margins]
    for found, moment in zip(plan["moments"], work.forecast_tasks, strict=True):
        row = row_as_text(np.frombuffer(moment.state, game.dtype)[0])
        assert (found["n"], found["seed"], found["row"]) == (moment.n, str(moment.seed), row)
    for found, task in zip(plan["tasks"], work.decision_tasks, strict=True):
        assert (found["n"], found["seat"], found["deal"]) == task[1:4]
        assert (found["given"], found["seed"]) == (str(task.candidate), str(task.seed))
        rows = [row_as_text(np.frombuffer(bytearray(row), game.dtype)[0]) for row in (task.row, task.true_state)]
        assert [found["view"], found["truth"]] == rows
    judged = [review.judge(work.decision_tasks[k]) for k in some]
    for found, decision in zip(replies["judged"], judged, strict=True):
        assert found == (None if decision is None else decision_numbers(played, decision, found))
    assert replies["chances"] == [
        {"n": found.n, "chances": list(found.chances)}
        for found in (review.forecast(work.forecast_tasks[k]) for k in moments)
    ]
    decisions = [decision for decision in judged if decision is not None]
    accounts = [
        review.result_breakdown(work, seat, [one for one in decisions if one.seat == seat]) for seat in work.seats
    ]
    assert replies["accounts"] == [
        {**one._asdict(), "rounds": [each._asdict() for each in one.rounds]} for one in accounts
    ]


def decision_numbers(
    played: records.RecordedGame, decision: review.JudgedDecision, found: dict[str, Any]
) -> dict[str, Any]:
    """Return a decision of the server's review with answer names instead of texts."""

    def names(says: Any, theirs: list[Any]) -> list[Any]:
        assert hints.answer_text(played.game, decision.question, theirs) == says
        return theirs

    others = ("says", "answers", "best_answers", "as_good_answers")
    wanted = {key: value for key, value in engine_fields(decision).items() if key not in others}
    hindsight = decision.hindsight
    reasons = json.loads(json.dumps(decision.reasons))
    if reasons[:1] != found["because"][:1]:  # the native one asks for a hint and prefers its reason
        assert reasons[0] in found["holding"]
    wanted |= {
        "because": found["because"][:1] + reasons[1:],
        "holding": found["holding"],
        "given": list(decision.answers),
        "stands": found["stands"],
        "best": list(decision.best_answers),
        "legal": list(decision.legal),
        "hindsight": hindsight
        and {
            "best": names(hindsight.text, found["hindsight"]["best"]),
            "cost": hindsight.cost,
            "cost_error": hindsight.cost_error,
        },
    }
    return wanted


def test_engine_seed_bits_equal_the_native_ones(script, engine):
    seeds = [0, 1, 2**32 - 1, 2**32, 2**48 + 13, 2**56 - 1, 2**63 - 1, 2**100 + 7]
    requests = EngineRequests()
    requests.add("bits", [str(jit.new_rng(seed)[0]) for seed in seeds], seeds=[str(seed) for seed in seeds])
    requests.run(script, engine)
