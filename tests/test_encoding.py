"""Encodings for agents: observations contain the view and nothing else."""

from __future__ import annotations

import random

import numpy as np
import pytest

from diamonds import views
from diamonds.envs import encoding
from diamonds.views import ViewMasks
from tests.support.env_variants import ENV_VARIANT_NAMES, ENV_VARIANTS
from tests.support.random_positions import Variant, indistinguishable_state, random_positions

pytestmark = pytest.mark.later


@pytest.mark.parametrize("v", ENV_VARIANTS, ids=ENV_VARIANT_NAMES)
def test_r2_observation_is_the_view_in_indistinguishable_states(v: Variant) -> None:
    game, rng, differed = v.game, random.Random(3), 0
    view_masks = ViewMasks(game, game.empty_state(v.seats, v.options))
    for match in random_positions(v, 3, 12):
        for seat in range(-1, v.seats):
            seen = view_masks.view(np.frombuffer(match.state.tobytes(), np.int64), seat)
            assert seen[0] == seat
            assert seen[1:].tobytes() == views.view(game, match.state, seat, perfect_recall=True).tobytes()
            assert encoding.row_of(game, seen).tobytes() == seen[1:].tobytes()
            if match.over or seat < 0:
                continue
            world = indistinguishable_state(game, match.state, seat, rng)
            again = view_masks.view(np.frombuffer(world.tobytes(), np.int64), seat)
            differed += world.tobytes() != match.state.tobytes()
            assert again.tobytes() == seen.tobytes(), (
                f"after {match.n} answers, hidden cards change seat {seat}'s observation"
            )
    assert differed > 10, "expected other worlds to compare"
