"""Batches of tables play the same games as the interpreted rules, table by table."""

import copy
import pickle

import numpy as np
import pytest

from diamonds import cards, fields, views
from diamonds.envs import encoding
from diamonds.envs.batch import DONE_OVER, DONE_TRUNCATED, Batch
from diamonds.envs.encoding import REWARDS
from diamonds.errors import InvalidInputError, NotAllowedError
from diamonds.game import Game
from tests.support.env_variants import ENV_VARIANT_NAMES, ENV_VARIANTS, expected_rewards
from tests.support.random_positions import all_variants

pytestmark = pytest.mark.kernels


def deck_for_deal(game: Game, state: np.void, dealt: np.void) -> list[int]:
    """Return a deck that leads from a state that needs cards to the dealt state, up to the order within hands."""
    if game.name == "mines":
        return [int(card) for card in dealt["piles"].ravel()]
    seats, first = int(state["seats"]), int(dealt["dealer"]) + 1
    hands = [list(cards.iter_bits(dealt["hand"][(first + k) % seats])) for k in range(seats)]
    return [card for place in zip(*hands, strict=True) for card in place] + list(cards.iter_bits(dealt["aside"]))


@pytest.mark.parametrize(
    ("v", "reward"),
    [  # each variant with one kind of reward, or with both in slow tests
        pytest.param(v, reward, id=f"{name}-{reward}", marks=() if (k + j) % len(REWARDS) == 0 else pytest.mark.slow)
        for k, (name, v) in enumerate(zip(ENV_VARIANT_NAMES, ENV_VARIANTS, strict=True))
        for j, reward in enumerate(REWARDS)
    ],
)
def test_batch_plays_the_interpreted_game_step_by_step(v, reward):
    game, rules, tables = v.game, v.game.rules, 5
    batch = Batch(game, v.seats, v.options, tables=tables, reward=reward, seed=11)
    twins = [row.copy() for row in batch.rows]
    finished = 0
    for _ in range(2500):
        answers = batch.random_answers().copy()
        asked = batch.seat.copy()
        batch.step(answers)
        for k in range(tables):
            twin = twins[k]
            rules.step(twin, int(asked[k]), int(answers[k]), None)
            expected = [0.0] * v.seats
            assert bool(twin["over"]) == (batch.done[k] == DONE_OVER)
            if twin["over"]:
                finished += 1
                expected = expected_rewards(game, twin, reward)
                cut = [int(card) for card in batch.rows[k]["cut"][: v.seats]]
                assert set(cut) <= set(game.pack(twin)), "a card was cut that is not in play (C6)"
                twin = twins[k] = game.start(v.seats, v.options, cut)
            if game.needs_deal(twin):
                rules.deal(twin, np.array(deck_for_deal(game, twin, batch.rows[k]), np.int64), None)
            assert twin.tobytes() == batch.rows[k].tobytes(), f"table {k} differs from the interpreted game"
            np.testing.assert_allclose(batch.rewards[k], expected)
            seat = int(batch.seat[k])
            assert seat == game.to_act(twin)[0], "expected the lowest seat to act"
            legal = int(rules.legal(twin, seat))
            assert batch.legal[k] == legal
            assert [a for a in range(batch.mask.shape[1]) if batch.mask[k, a]] == list(cards.iter_bits(legal))
            assert batch.observations[k, 0] == seat
            assert batch.observations[k, 1:].tobytes() == views.view(game, twin, seat, perfect_recall=True).tobytes()
        if finished > 4:
            return
    raise AssertionError("expected several games to end")


def test_fields_name_the_observations_of_a_batch():
    batch = Batch("crystals", 3, tables=20, seed=1)
    for _ in range(60):
        batch.step(batch.random_answers())
    named = batch.fields
    assert named["seat"].tolist() == batch.seat.tolist()
    for k in range(20):
        row = views.view(batch.game, batch.rows[k], int(batch.seat[k]), perfect_recall=True)
        for field in batch.game.fields:
            assert np.array_equal(named[field.name][k], row[field.name])


def test_illegal_answer_stops_its_table_only():
    batch = Batch("fourteen", 4, tables=8, seed=2)
    for bad in (-1, 51 if not batch.mask[3, 51] else 50, 60, 63):
        before, answers = batch.rows[3].tobytes(), batch.random_answers().copy()
        answers[3] = bad
        if 0 <= bad < 52 and batch.mask[3, bad]:
            continue
        others = [row.tobytes() for row in batch.rows]
        with pytest.raises(NotAllowedError, match="1 of 8 answers were illegal"):
            batch.step(answers)
        assert batch.rows[3].tobytes() == before
        assert all(batch.rows[k].tobytes() != others[k] for k in range(8) if k != 3)
    illegal = next(a for a in range(52) if not batch.mask[3, a])
    assert batch.illegal_error(3, illegal).message.args["rule"] == "F5"
    with pytest.raises(InvalidInputError, match="8 numbers"):
        batch.step(np.zeros(7, np.int64))
    with pytest.raises(InvalidInputError, match="reward must be win, margin or score"):
        Batch("mines", reward="glory")


def test_endless_game_is_truncated_and_paid_as_it_stands(monkeypatch):
    """Fourteen by bids in which everyone always bids 13 never scores (F10)."""
    monkeypatch.setattr(encoding, "MAX_ANSWERS", 500)
    for again in (True, False):
        batch = Batch("fourteen", 4, {"scoring": "bid"}, tables=3, seed=4, auto_reset=again)
        for number in range(1, 1001 if again else 501):
            answers = batch.random_answers().copy()
            answers[batch.fields["question"] == 0] = 13
            batch.step(answers)
            assert batch.done.tolist() == [DONE_TRUNCATED if number % 500 == 0 else 0] * 3, f"after {number} answers"
        assert (batch.rewards == 0).all(), "expected no stake with equal scores"
        assert ((batch.seat >= 0) == again).all()
        assert batch.mask.any() == again


def test_finished_tables_without_autoreset_ignore_answers():
    batch = Batch("mines", tables=6, seed=9, auto_reset=False)
    ends: dict[int, bytes] = {}
    while len(ends) < 6:
        batch.step(batch.random_answers())
        for k in np.flatnonzero(batch.done).tolist():
            ends[k] = batch.rows[k].tobytes()
            assert sorted(batch.rewards[k].tolist()) in ([-1.0, 1.0], [0.0, 0.0])
    batch.step(batch.random_answers())
    assert {k: batch.rows[k].tobytes() for k in range(6)} == ends
    assert not batch.mask.any()
    assert not batch.done.any()
    assert (batch.rewards == 0).all()


def test_seed_fixes_the_cards_and_deals_are_uniform():
    one, same, other = (Batch("crystals", 4, tables=3000, seed=seed) for seed in (5, 5, 6))
    assert one.rows.tobytes() == same.rows.tobytes() != other.rows.tobytes()
    one.reset(6)
    assert one.rows.tobytes() == other.rows.tobytes()
    dealers = np.bincount(one.rows["dealer"], minlength=4)
    assert abs(dealers - 750).max() < 5 * np.sqrt(750 * 0.75), f"dealers {dealers}"
    for seat in range(4):
        held = np.array([(one.rows["hand"][:, seat] >> card & 1).sum() for card in range(60)])
        assert abs(held - 500).max() < 5 * np.sqrt(500 * 5 / 6), f"seat {seat} is dealt some cards more often: {held}"
    pairs = (one.rows["hand"][:, 0] >> 7 & 1) & (one.rows["hand"][:, 0] >> 8 & 1)
    assert abs(pairs.sum() - 3000 * 10 * 9 / (60 * 59)) < 5 * np.sqrt(76), "neighbours in the pack stay together"


def test_copy_of_a_batch_is_independent_of_it():
    batch = Batch("mines", tables=4, seed=1)
    for twin in (copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))):
        before = twin.rows.tobytes()
        for _ in range(5):
            batch.step(batch.random_answers())
        assert twin.rows.tobytes() == before
        twin.step(twin.random_answers())
        assert twin.rows.tobytes() != before
        assert twin.flat.tobytes() == twin.rows.tobytes()


def test_all_variants_make_an_environment():
    for v in all_variants():
        batch = Batch(v.game, v.seats, v.options, tables=4, seed=1)
        for _ in range(60):
            batch.step(batch.random_answers())
        assert fields.copy_state(batch.rows[0])["seats"] == v.seats
