"""The adapters for other frameworks: their examples run, and observations of the longest games stay within bounds."""

import doctest
import re
from pathlib import Path

import numpy as np
import pytest

from diamonds.envs import batch, gymnasium, openspiel, pettingzoo, planes
from diamonds.game import GAMES

pytestmark = pytest.mark.kernels

DOCS = Path(__file__).parents[1] / "docs"


@pytest.mark.parametrize("module", [batch, planes, pettingzoo, gymnasium, openspiel])
def test_example_at_the_head_of_an_adapter_runs(module):
    found = doctest.testmod(module)
    assert found.failed == 0
    assert found.attempted > 3


def test_examples_of_the_envs_page_run():
    examples = "\n".join(re.findall(r"```pycon\n(.*?)```", (DOCS / "envs.md").read_text(encoding="utf-8"), re.S))
    found = doctest.DocTestRunner().run(doctest.DocTestParser().get_doctest(examples, {}, "envs.md", None, None))
    assert found.failed == 0
    assert found.attempted > 20


@pytest.mark.parametrize(("game", "seats", "options", "deals"), [
    ("fourteen", 4, {"scoring": "bid", "target": 200}, 500),  # all bids are too high, so nobody ever scores (F12)
    ("fourteen", 3, {"target": 200}, 20),
    ("crystals", 6, {"rounds": 12}, 12),
    ("mines", 2, {}, 1),
])  # fmt: skip
def test_observation_space_contains_all_of_a_long_game(game, seats, options, deals):
    table, rng = batch.Batch(GAMES[game], seats, options, tables=1, seed=1, auto_reset=False), np.random.default_rng(1)
    envs = [gymnasium.DiamondsEnv(game, seats, options, observation=kind) for kind in planes.OBSERVATION_KINDS]
    most = 0
    while table.seat[0] >= 0:
        observation = table.observations[0].copy()
        most = max(most, int(table.rows[0]["deals"]))
        for env in envs:
            seen = observation if env.encoder is None else env.encoder(observation)
            assert env.observation_space.contains(seen), f"expected {seen} in {env.observation_space}"
        legal = np.flatnonzero(table.mask[0])
        bids = GAMES[game].question(table.rows[0]).name == "bid"
        table.step(np.array([legal[-1] if bids else rng.choice(legal)]))
    assert most >= deals, "expected a longer game"
