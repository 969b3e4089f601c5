"""The trained policy of crystals uses only the player's hand and public counts, and training can be resumed."""

import numpy as np
import pytest

from diamonds import cards
from diamonds.bots import games
from diamonds.bots.bot import BotView, bot_view
from diamonds.bots.games import void_chances
from diamonds.bots.games.adapter import NO_PLAN, TRAINED_PLAN, SearchParams
from diamonds.bots.games.crystals import heuristics, trained_policy
from diamonds.errors import InvalidInputError
from diamonds.game import GAMES
from diamonds.lab import arena, train
from diamonds.rules import crystals
from tests.support.random_games import ONE_PER_KIND, new_random_game, play_random

pytestmark = pytest.mark.kernels

CRYSTALS = GAMES["crystals"]
ADAPTER = games.adapter_for(CRYSTALS)
CRYSTALS_CASES = [case for case in ONE_PER_KIND if case.values[0] == "crystals"]
FEATURE_TABLE_STARTS = (
    trained_policy.HIGHER_OFFSET, trained_policy.LENGTH_OFFSET, trained_policy.MAJORITY_OFFSET, trained_policy.SHOWROOM_OFFSET, trained_policy.TO_COME_OFFSET, trained_policy.HELD_OFFSET, trained_policy.VOID_RIVALS_OFFSET,
    trained_policy.DANGER_OFFSET, trained_policy.UNSEEN_OFFSET, trained_policy.WEIGHT_COUNT,
)  # fmt: skip


@pytest.mark.parametrize(("name", "seats", "options"), CRYSTALS_CASES)
def test_r2_trained_policy_plays_alike_on_view_and_state(name, seats, options):
    """The policy reads nothing hidden, answers legally, and looks up every card once in each table."""
    rng = np.random.default_rng(8)
    game_state = new_random_game(CRYSTALS, seats, options, rng)
    numbers = ADAPTER.weights_for(game_state)
    seen_in = [set() for _ in range(trained_policy.FEATURE_TABLES)]
    for _ in range(3):
        state = new_random_game(CRYSTALS, seats, options, rng)
        for seat in play_random(CRYSTALS, state, rng):
            view, legal = bot_view(CRYSTALS, state, seat).row, int(crystals.legal(state, seat))
            answer = int(trained_policy.trained_answer(view, seat, numbers))
            assert answer == trained_policy.trained_answer(state, seat, numbers)
            assert legal >> answer & 1, f"{answer} is not legal"
            if state["question"] == crystals.PLAY:
                around = trained_policy.trick_context(view, seat)
                for card in cards.iter_bits(legal):
                    for k, mark in enumerate(trained_policy.feature_indices(view, seat, card, around)):
                        assert FEATURE_TABLE_STARTS[k] <= mark < FEATURE_TABLE_STARTS[k + 1], f"table {k} is too big"
                        seen_in[k].add(int(mark))
            if rng.random() < 0.3:
                answer = int(rng.choice(list(cards.iter_bits(legal))))
            crystals.step(state, seat, answer, None)
    assert all(len(marks) > 20 for marks in seen_in), "a table is rarely used"


def test_trained_policy_takes_the_highest_sum_and_lowest_of_ties():
    rng = np.random.default_rng(3)
    state = new_random_game(CRYSTALS, 4, {}, rng)
    for seat in play_random(CRYSTALS, state, rng):
        legal = list(cards.iter_bits(int(crystals.legal(state, seat))))
        if state["question"] == crystals.PLAY and state["trick_size"] == 0 and len(legal) > 3:
            break  # a lead with cards of several suits
        crystals.step(state, seat, legal[0], None)
    nothing = np.zeros(trained_policy.WEIGHT_COUNT, np.int16)
    assert trained_policy.trained_answer(state, seat, nothing) == legal[0]
    around = trained_policy.trick_context(state, seat)
    of_each = [trained_policy.feature_indices(state, seat, card, around) for card in legal]
    for table in range(trained_policy.FEATURE_TABLES):
        for mark in {marks[table] for marks in of_each}:
            numbers = nothing.copy()
            numbers[mark] = 1
            first = next(card for card, marks in zip(legal, of_each, strict=True) if marks[table] == mark)
            assert trained_policy.trained_answer(state, seat, numbers) == first, f"entry {mark} is not added"


def test_there_are_numbers_for_every_table_of_crystals():
    numbers = trained_policy.load_weights()
    assert numbers.shape == (len(trained_policy.TABLE_KINDS), trained_policy.WEIGHT_COUNT)
    assert numbers.dtype == np.int16
    assert ((numbers != 0).mean(axis=1) > 0.2).all(), "a kind of table is untrained"
    assert np.abs(numbers).max() < 2000, "an entry of twenty points for one card"
    for _, seats, options in (case.values for case in CRYSTALS_CASES):
        row = new_random_game(CRYSTALS, seats, options, np.random.default_rng(1))
        assert np.array_equal(
            ADAPTER.weights_for(row),
            numbers[trained_policy.TABLE_KINDS.index((seats, int(options.get("partnership", False))))],
        )


def test_playouts_to_round_end_use_the_trained_policy_others_heuristics():
    rng = np.random.default_rng(3)
    state = new_random_game(CRYSTALS, 4, {}, rng)
    CRYSTALS.rules.deal(state, rng.permutation(CRYSTALS.pack(state)), None)
    state["question"] = crystals.PLAY
    assert ADAPTER.plans(state, 0, SearchParams()) == 1 << TRAINED_PLAN
    assert ADAPTER.plans(state, 0, SearchParams(horizon=2)) == 1 << NO_PLAN | 1 << heuristics.NO_TRICK_PLAN


def test_none_of_table_is_precomputed():
    """The probability that an opponent with a quarter of the cards holds none of three: ¾ · ¾ · ¾, rounded down each time."""
    assert void_chances.no_card_permille(3, 250) == 421
    assert void_chances.no_card_permille(0, 1000) == void_chances.PERMILLE
    assert void_chances.no_card_permille(15, 1000) == 0
    assert void_chances.NO_CARD_PERMILLE.shape == (16, 1001)


class TrainedBot:
    """A bot that plays by the trained policy alone."""

    def choose(self, view: BotView, question: str, rng: np.random.Generator) -> int:
        """See `Bot`."""
        numbers = ADAPTER.weights_for(view.row)
        return int(trained_policy.trained_answer(view.row, view.seat, numbers))


@pytest.mark.slow
def test_trained_policy_alone_beats_heuristics():
    match = arena.MatchSetup("crystals", ("trained", *["simple"] * 3), {}, 21)
    result, _ = arena.run_match(match, 16, processes=1, bots={"trained": TrainedBot()})
    margin = result.bot_result("trained").margin
    assert margin.mean > margin.plus_minus, f"a margin of {margin} is not clearly above 0"


@pytest.mark.slow
def test_training_resumes_and_is_reproducible_by_seed(tmp_path, monkeypatch):
    monkeypatch.setattr(train, "ROUNDS_PER_CHUNK", 200)
    monkeypatch.setattr(train, "TABLE_KINDS", kinds := ((3, 0), (2, 0)))
    whole, stopped, out = tmp_path / "once", tmp_path / "again", tmp_path / "weights.npy"
    train.train(whole, 600, 5, out=out)

    def stop(done: int, total: int) -> None:
        if done == 600:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train.train(stopped, 600, 5, progress=stop, out=out)
    first = [train.load_progress(stopped, kind) for kind in kinds]
    assert [int(one["rounds"]) for one in first] == [200, 400]
    assert np.abs(first[0]["numbers"]).max() > 0, "expected training to change the tables"
    train.train(stopped, 600, 5, out=out)
    for kind in kinds:
        once, again = train.load_progress(whole, kind), train.load_progress(stopped, kind)
        assert int(once["rounds"]) == 600
        assert all(np.array_equal(once[name], again[name]) for name in once)
        assert not np.array_equal(once["mean"], once["numbers"]), "expected the stored policy to be a mean"
    with pytest.raises(InvalidInputError, match="another seed"):
        train.train(whole, seed=6)


def test_training_tries_one_card_of_each_run():
    def hand(names: str) -> int:
        return sum(1 << CRYSTALS.card_names.index(name) for name in names.split())

    assert train.distinct_cards(hand("D14 D15 H1 H2 H4 S9 S10 S11 C15")) == hand("D14 H1 H4 S9 C15")
