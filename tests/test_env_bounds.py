"""Observations and features of the longest games stay within the bounds given to frameworks."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

import diamonds.envs.gymnasium as seat_module
from diamonds.envs import encoding
from diamonds.envs.batch import Batch
from diamonds.game import GAMES

pytestmark = pytest.mark.kernels


@pytest.mark.parametrize(
    ("game", "seats", "options", "deals"),
    [
        (
            "fourteen",
            4,
            {"scoring": "bid", "target": 200},
            500,
        ),  # all bids are too high, so no one ever scores (F12)
        ("fourteen", 3, {"target": 200}, 20),
        ("crystals", 6, {"rounds": 12}, 12),
        ("mines", 2, {}, 1),
    ],
)
def test_observation_space_contains_all_of_a_long_game(game: str, seats: int, options: Any, deals: int) -> None:
    table, rng = Batch(GAMES[game], seats, options, tables=1, seed=1, auto_reset=False), np.random.default_rng(1)
    space = seat_module.DiamondsEnv(game, seats, options).observation_space
    features = encoding.FeatureEncoder(GAMES[game], seats)
    box = gymnasium.spaces.Box(features.low, features.high)
    most = 0
    while table.seat[0] >= 0:
        observation = table.observations[0].copy()
        most = max(most, int(table.rows[0]["deals"]))
        assert space.contains(observation), f"expected {observation} in {space}"
        values = features(observation)
        outside = np.flatnonzero((values < box.low) | (values > box.high))
        assert box.contains(values), f"expected {[(features.names[k], values[k]) for k in outside]} in the bounds"
        legal = np.flatnonzero(table.mask[0])
        bids = GAMES[game].question(table.rows[0]).name == "bid"
        table.step(np.array([legal[-1] if bids else rng.choice(legal)]))
    assert most >= deals, "expected a longer game"
