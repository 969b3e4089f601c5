"""Encodings for agents: observations contain the view and nothing else, and features match the view."""

from __future__ import annotations

import random

import numpy as np
import pytest

from diamonds import cards, views
from diamonds.envs import encoding
from diamonds.fields import NOBODY, OWNER
from diamonds.views import ViewMasks
from tests.support.env_variants import ENV_VARIANT_NAMES, ENV_VARIANTS
from tests.support.random_positions import Variant, indistinguishable_state, random_positions

pytestmark = pytest.mark.later


@pytest.mark.parametrize("v", ENV_VARIANTS, ids=ENV_VARIANT_NAMES)
def test_r2_observation_is_the_view_in_indistinguishable_states(v: Variant) -> None:
    game, rng, differed = v.game, random.Random(3), 0
    view_masks = ViewMasks(game, game.empty_state(v.seats, v.options))
    features = encoding.FeatureEncoder(game, v.seats)
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
            assert features(again).tobytes() == features(seen).tobytes()
    assert differed > 10, "expected other worlds to compare"


@pytest.mark.parametrize("v", ENV_VARIANTS, ids=ENV_VARIANT_NAMES)
def test_features_match_the_view(v: Variant) -> None:
    """Read the view back, field by field, from the names of the features that are 1 and from the numbers."""
    game = v.game
    view_masks = ViewMasks(game, game.empty_state(v.seats, v.options))
    features = encoding.FeatureEncoder(game, v.seats)
    assert len(set(features.names)) == features.size
    for match in random_positions(v, 5, 25):
        flat = np.frombuffer(match.state.tobytes(), np.int64)
        both = np.stack([view_masks.view(flat, seat) for seat in range(v.seats)])
        found = features(both)
        assert found.dtype == np.float32
        assert np.isfinite(found).all()
        for seat in range(v.seats):
            assert features(both[seat]).tobytes() == found[seat].tobytes(), (
                "expected a single encoding to equal its row of the batch"
            )
            said = dict(zip(features.names, found[seat].tolist(), strict=True))
            row = views.view(game, match.state, seat, perfect_recall=True)
            assert [k for k in range(v.seats) if said[f"seat {k}"]] == [seat]
            asked = [q.name for q in game.questions if said[f"question {q.name}"]]
            assert asked == [game.question(match.state).name]
            assert [k for k in range(v.seats) if said[f"to_act {k}"]] == game.to_act(match.state)
            hand = [name for name in game.card_names if said[f"hand {name}"]]
            assert hand == [game.card_names[card] for card in cards.iter_bits(row["hand"][seat])]
            if game.name != "mines":
                trick = [name for k in range(6) for name in game.card_names if said[f"trick[{k}] {name}"]]
                assert trick == [game.card_names[card] for card in row["trick"] if card >= 0]
                for other in range(v.seats):
                    played = [name for name in game.card_names if said[f"played[{other}] {name}"]]
                    assert played == [game.card_names[card] for card in cards.iter_bits(row["played"][other])]
                    assert said[f"tricks[{other}]"] == row["tricks"][other]
            else:
                assert [said[f"left[{pile}]"] for pile in range(13)] == row["left"].tolist()
                owners = [[k for k in range(2) if said[f"owner[{pile}] {k}"]] for pile in range(13)]
                assert owners == [[] if o is None else [o] for o in views.view_data(game, row)["owner"]]
    outside = dict(zip(features.names, features(view_masks.view(flat, -1)).tolist(), strict=True))
    assert not [name for name, value in outside.items() if name.startswith(("hand ", "seat ")) and value]
    secret = [f.name for f in game.fields if f.visibility == NOBODY and not f.perfect_recall]
    assert not [name for name in features.names if name.split()[0].split("[")[0] in secret]
    own = [f.name for f in game.fields if f.visibility == OWNER and not f.revealed_by]
    assert not [name for name in features.names if name.split("[")[0] in own and "[" in name], (
        "the features have entries for other hands"
    )
