"""A replay viewed from one seat: the page hides views and events that the seat did not see."""

import json
import random
from pathlib import Path

import pytest

from diamonds import views
from diamonds.events import events_for
from diamonds.game import GAMES
from tests.support import node
from tests.support.random_positions import all_variants, random_answer, start_variant

SCRIPT = """
const { viewFrom, eventFrom } = await import(process.argv[1])
const seen = given.map(({ view, events, seat }) => [viewFrom(view, seat), events.map((event) => eventFrom({ event }, seat).event)])
console.log(JSON.stringify(seen))
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page's module as JavaScript."""
    return node.bundle("src/components/redactView.ts", tmp_path_factory.mktemp("seat") / "redactView.mjs")


@pytest.mark.parametrize("name", GAMES)
def test_replay_shows_a_seat_what_it_saw(name, script):
    """Positions of a random game of every variant, seen from the first and the last seat."""
    game, asked, wanted = GAMES[name], [], []
    for variant in all_variants(name)[::11]:
        played, rng = start_variant(variant, 1), random.Random(1)
        for _ in range(120):
            if played.over:
                break
            seat, answer = random_answer(played, rng)
            logs = played.answer(seat, answer)
            for viewer in (0, variant.seats - 1):
                told = [
                    [event for log in logs for event in events_for(log, game.rules.EVENTS, game.ranks, who)]
                    for who in (None, viewer)
                ]
                asked.append({"view": views.view_data(game, played.state), "events": told[0], "seat": viewer})
                wanted.append([views.view_data(game, views.view(game, played.state, viewer)), told[1]])
    (found,) = node.ask(SCRIPT, asked, script)
    for (view, events), (seen, heard) in zip(found, json.loads(json.dumps(wanted)), strict=True):
        assert {key: value for key, value in view.items() if seen[key] != value} == {}, "the page shows other values"
        assert events == heard
