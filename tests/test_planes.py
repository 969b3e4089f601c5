"""Planes for networks: they match the view, leak nothing, and have no constant columns."""

import copy
import hashlib
import pickle
import random

import numpy as np
import pytest

from diamonds import cards, views
from diamonds.envs import planes
from diamonds.envs.batch import Batch
from diamonds.envs.planes import CriticOnlyEncoder, PlaneEncoder
from diamonds.errors import InvalidInputError
from diamonds.game import GAMES, find_game
from diamonds.views import ViewMasks
from tests.support.env_variants import ENV_VARIANT_NAMES, ENV_VARIANTS
from tests.support.plugin_game import installed_plugin
from tests.support.random_games import CASES, ONE_PER_KIND
from tests.support.random_positions import Variant, all_variants, indistinguishable_state, random_positions

pytestmark = pytest.mark.kernels

# Stored weights belong to columns in this order, with these bounds. After a change, networks must be retrained.
COLUMN_HASHES = {"crystals": "290f3af2564a44dd", "fourteen": "1b7164fce5e4a225", "mines": "8e81daedb1ce5b61"}


def expected_columns(v: Variant, row: np.void, viewer: int, plane: planes.Plane) -> list[float]:
    """Return the values of a plane, read from a view by the plane's name."""
    name, *places = plane.name.replace("]", "").split("[")
    if name == "seat":
        return [float(int(member) == viewer) for member in plane.members]
    field = next(field for field in v.game.fields if field.name == name)

    def value_at(place: list[int]) -> int:
        if field.shape[:1] == (6,) and field.kind != "trick":
            owner = (viewer + (place[0] if place else 0)) % v.seats
            place = [int(v.game.rules.team(row, owner)) if field.per_team else owner, *place[1:]]
        return int(row[name][tuple(place)]) if place else int(row[name])

    selection = planes.SELECT_FIELDS[v.game.name](v.seats, v.options).get(name, planes.FieldSelection())
    if field.kind == "flag" or (
        field.kind == "number" and name not in ("question", "to_act") and not selection.members
    ):
        bound = 1 if field.kind == "flag" else selection.bound
        return [min(max(value_at([int(k) for k in member.split()]), 0) / bound, 1.0) for member in plane.members]
    value = value_at([int(each) for each in places])
    if name == "question":
        said = {v.game.questions[value].name}
    elif name == "to_act":
        said = {str((seat - viewer) % v.seats) for seat in cards.iter_bits(value)}
    elif value == -1:
        said = set()
    elif field.kind in ("cards", "card", "trick"):
        said = {v.game.card_names[card] for card in (cards.iter_bits(value) if field.kind == "cards" else [value])}
    elif field.kind in ("suits", "suit"):
        said = {"DHSC"[suit] for suit in (cards.iter_bits(value) if field.kind == "suits" else [value])}
    elif field.kind == "owners":
        said = {str(pile) for pile in cards.iter_bits(value)}
    else:
        said = {str((value - viewer) % v.seats if field.kind == "seat" else value)}
    return [float(member in said) for member in plane.members]


@pytest.mark.parametrize("v", ENV_VARIANTS, ids=ENV_VARIANT_NAMES)
def test_r2_planes_are_the_view_and_other_hidden_cards_change_nothing(v):
    game, rng, differed, exposed = v.game, random.Random(3), 0, 0
    view_masks = ViewMasks(game, game.empty_state(v.seats, v.options))
    encoder, bytes_encoder = (PlaneEncoder(game, v.seats, v.options, dtype) for dtype in planes.PLANE_DTYPES)
    critic = CriticOnlyEncoder(game, v.seats, v.options)
    assert critic.planes[: len(encoder.planes)] == encoder.planes
    assert len(set(critic.names)) == critic.size
    for match in random_positions(v, 3, 20):
        flat = np.frombuffer(match.state.tobytes(), np.int64)
        seen = np.stack([view_masks.view(flat, seat) for seat in range(v.seats)])
        found = encoder(seen)
        assert found.dtype == np.float32
        assert found.min() >= 0
        assert found.max() <= 1
        assert (bytes_encoder(seen) == np.floor(found * np.float32(255) + np.float32(0.5))).all()
        for seat in range(v.seats):
            row = views.view(game, match.state, seat, perfect_recall=True)
            for plane in encoder.planes:
                wanted = expected_columns(v, row, seat, plane)
                assert found[seat, plane.slice].tolist() == pytest.approx(wanted), f"{plane.name} of seat {seat}"
            assert encoder(seen[seat]).tobytes() == found[seat].tobytes(), "expected one to equal its row of many"
            if match.over:
                continue
            world = np.frombuffer(indistinguishable_state(game, match.state, seat, rng).tobytes(), np.int64)
            if world.tobytes() != flat.tobytes():
                differed += 1
                assert encoder(view_masks.view(world, seat)).tobytes() == found[seat].tobytes()
                both = critic(np.stack([np.append(seat, world), np.append(seat, flat)]))
                exposed += both[0].tobytes() != both[1].tobytes()
        assert encoder(view_masks.view(flat, -1))[encoder.plane("hand").slice].sum() == 0, "a spectator has no hand"
    assert differed > 10, "expected other worlds to compare"
    assert exposed > differed * 0.9, "expected the critic to see the hidden cards"


@pytest.mark.parametrize(("name", "seats", "options"), ONE_PER_KIND)
def test_every_column_of_the_planes_changes_during_play(name, seats, options):
    """Two kinds are constant, because only the seat to act observes: its `to_act`, and the highest card as `chosen`."""
    batch = Batch(name, seats, options, tables=1500, seed=1, planes="uint8", critic_only=True)
    low, high = (np.full(batch.critic_only_encoder.size, value, np.uint8) for value in (255, 0))
    for _ in range(300):
        batch.step(batch.random_answers())
        np.minimum(low, batch.critic_only_planes.min(axis=0), out=low)
        np.maximum(high, batch.critic_only_planes.max(axis=0), out=high)
    constant = {batch.critic_only_encoder.names[k] for k in np.flatnonzero(low == high)}
    top = batch.game.card_names[batch.game.pack_for(seats, options)[-1]]
    allowed = {f"chosen {top}", *(f"to_act {seat}" for seat in range(seats))}
    assert not constant - allowed, f"never changed: {sorted(constant - allowed)}"


def test_planes_of_a_batch_are_those_of_its_observations():
    batches = [Batch("fourteen", 3, {"scoring": "bid"}, tables=20, seed=2, planes=d) for d in planes.PLANE_DTYPES]
    for batch in [*batches, copy.deepcopy(batches[0]), pickle.loads(pickle.dumps(batches[1]))]:
        for _ in range(50):
            batch.step(batch.random_answers())
            assert batch.planes.dtype == batch.plane_encoder.dtype
            assert (batch.planes == batch.plane_encoder(batch.observations)).all()
        assert len(batch.critic_only_planes) == 0, "expected no hidden cards without a request for them"
    assert np.abs(batches[0].planes - batches[1].planes / 255).max() <= 0.5 / 255 + 1e-6
    with pytest.raises(InvalidInputError, match="planes must be float32 or uint8"):
        Batch("mines", planes="float64")  # type: ignore[arg-type]


def test_order_of_the_columns_is_frozen():
    found = {}
    for name in GAMES:
        encoders = [PlaneEncoder(v.game, v.seats, v.options) for v in all_variants(name)]
        layouts = [(encoder.names, encoder._table.number_scale.tolist()) for encoder in encoders]
        found[name] = hashlib.sha256(repr(layouts).encode()).hexdigest()[:16]
    assert found == COLUMN_HASHES


def test_every_case_has_an_encoder_without_empty_planes():
    for name, seats, options in CASES:
        encoder = PlaneEncoder(name, seats, options)
        assert all(plane.stop > plane.start and plane.description for plane in encoder.planes)
        assert encoder.planes[-1].stop == encoder.size == len(encoder.names)


def test_planes_of_a_plugin_game(tmp_path):
    with installed_plugin(tmp_path):
        game = find_game("highest")
        state = game.start(3, {}, [1, 2, 3])
        game.deal(state, list(range(52)))
        masks = ViewMasks(game, game.empty_state(3, {}))
        encoder = PlaneEncoder(game, 3)
        found = encoder(masks.view(np.frombuffer(state.tobytes(), np.int64), 2))
        assert np.flatnonzero(found[encoder.plane("hand").slice]).tolist() == [2, 5, 8]
        assert found[encoder.plane("leader").slice].tolist() == [1, 0, 0]
        assert found[encoder.plane("deals").slice] == pytest.approx(1 / 255)
