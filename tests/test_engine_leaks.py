"""R2 in the page's engine: a seat's view and events depend only on what that seat may know."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from diamonds.game import GAMES
from tests.support.random_positions import all_variants, indistinguishable_state, random_answer, random_positions
from tests.support.sample_sizes import short_or_long
from tests.test_engine import EngineRequests, engine, script
from tests.test_engine_search import row_as_text
from tests.test_views import card_moved_by

pytestmark = pytest.mark.kernels
__all__ = ["engine", "script"]


@short_or_long("stride", 29, 1)
@pytest.mark.parametrize("name", GAMES)
def test_r2_engine_view_and_events_equal_in_indistinguishable_states(
    name: str, stride: int, script: Path, engine: Path
) -> None:
    game, requests = GAMES[name], EngineRequests()
    told: list[str] = []
    for seed, variant in enumerate(all_variants(name)[::stride]):
        rng = random.Random(seed)
        for match in random_positions(variant, seed, 40):
            if match.over:
                continue
            actor, answer = random_answer(match, rng)
            question = game.question(match.state)
            number = game.answers[int(match.state["question"])][str(answer)]
            pinned = card_moved_by(game, match.state, question.name, number)
            for seat in range(-1, variant.seats):
                world = indistinguishable_state(game, match.state, seat, rng, pinned)
                opens = question.name == "bid" and match.state["bids"]  # the last sealed bid reveals all bids
                happens = (
                    seat != actor
                    and question.name != "pass"
                    and not opens
                    and game.rules.legal(world, actor) >> number & 1
                )
                step = {"actor": actor, "answer": number} if happens else {}
                for state in (match.state, world):
                    requests.add("sent", None, name=name, row=row_as_text(state), seat=seat, **step)
                told.append(f"{variant}, after {match.n} answers: seat {seat}, {question.name} {answer}")
    replies = requests.run(script, engine)
    different = 0
    for k, what in enumerate(told):
        one, other = replies[2 * k : 2 * k + 2]
        different += requests.lines[2 * k] != requests.lines[2 * k + 1]
        assert one["before"] == other["before"], f"{what}: the views of two indistinguishable worlds differ"
        if "after" in one and not (one["after"]["over"] or other["after"]["over"]):  # R6: the end reveals hidden cards
            assert one == other, f"{what}: the events of two indistinguishable worlds differ"
    assert different > len(told) / 2, "expected other worlds to compare"
