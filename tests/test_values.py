"""What the cards of crystals are worth: own hand and public counts only, one number from each table, and training goes on where it was."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from diamonds import cards, jit
from diamonds.bots import knowing
from diamonds.bots.bot import see
from diamonds.bots.knowing import counting
from diamonds.bots.knowing.contract import AS_IT_COMES, TRAINED, Effort
from diamonds.bots.knowing.crystals import playouts, thumb, values
from diamonds.game import GAMES, Malformed
from diamonds.lab import train
from diamonds.rules import crystals
from random_games import ONE_OF_EACH_KIND, asked_in, new_game

pytestmark = pytest.mark.kernels

CRYSTALS = GAMES["crystals"]
OWN = [case for case in ONE_OF_EACH_KIND if case.values[0] == "crystals"]
BEGINNINGS = (
    values.HIGHER, values.LENGTH, values.MAJORITY, values.SHOW, values.TO_COME, values.HELD, values.OUT,
    values.DANGER, values.UNSEEN, values.NUMBERS,
)  # fmt: skip


@pytest.mark.parametrize(("name", "seats", "options"), OWN)
def test_r2_the_learned_policy_plays_alike_on_a_view_and_on_the_state_behind_it(
    name: str, seats: int, options: dict
) -> None:
    """It reads nothing hidden, its answers are legal, and every card is looked up once in each table."""
    rng = np.random.default_rng(8)
    game_state = new_game(CRYSTALS, seats, options, rng)
    numbers = knowing.of(GAMES["crystals"]).numbers(game_state)
    seen_in = [set() for _ in range(values.TABLES)]
    for _ in range(3):
        state = new_game(CRYSTALS, seats, options, rng)
        for seat in asked_in(CRYSTALS, state, rng):
            view, legal = see(CRYSTALS, state, seat).row, int(crystals.legal(state, seat))
            answer = int(values.choose(view, seat, numbers))
            assert answer == values.choose(state, seat, numbers)
            assert legal >> answer & 1, f"{answer} is not legal"
            if state["question"] == crystals.PLAY:
                around = values.look_around(view, seat)
                for card in cards.members(legal):
                    for k, mark in enumerate(values.marks_of(view, seat, card, around)):
                        assert BEGINNINGS[k] <= mark < BEGINNINGS[k + 1], f"table {k} is left: {mark}"
                        seen_in[k].add(int(mark))
            if rng.random() < 0.3:
                answer = int(rng.choice(list(cards.members(legal))))
            crystals.step(state, seat, answer, None)
    assert all(len(marks) > 20 for marks in seen_in), "a table is hardly used"


def test_the_learned_policy_takes_the_card_whose_numbers_add_up_to_most_and_the_lowest_of_equals() -> None:
    rng = np.random.default_rng(3)
    state = new_game(CRYSTALS, 4, {}, rng)
    for seat in asked_in(CRYSTALS, state, rng):
        legal = list(cards.members(int(crystals.legal(state, seat))))
        if state["question"] == crystals.PLAY and state["trick_size"] == 0 and len(legal) > 3:
            break  # a lead, with cards of several suits
        crystals.step(state, seat, legal[0], None)
    nothing = np.zeros(values.NUMBERS, np.int16)
    assert values.choose(state, seat, nothing) == legal[0]
    around = values.look_around(state, seat)
    of_each = [values.marks_of(state, seat, card, around) for card in legal]
    for table in range(values.TABLES):
        for mark in {marks[table] for marks in of_each}:
            numbers = nothing.copy()
            numbers[mark] = 1
            first = next(card for card, marks in zip(legal, of_each, strict=True) if marks[table] == mark)
            assert values.choose(state, seat, numbers) == first, f"number {mark} is not added"


def test_there_are_numbers_for_every_table_of_crystals() -> None:
    numbers = values.values()
    assert numbers.shape == (len(values.KINDS), values.NUMBERS)
    assert numbers.dtype == np.int16
    assert ((numbers != 0).mean(axis=1) > 0.2).all(), "a kind of table has not been trained"
    assert np.abs(numbers).max() < 2000, "twenty points for one card"
    for _, seats, options in (case.values for case in OWN):
        row = new_game(CRYSTALS, seats, options, np.random.default_rng(1))
        assert np.array_equal(
            knowing.of(GAMES["crystals"]).numbers(row),
            numbers[values.KINDS.index((seats, int(options.get("partnership", False))))],
        )


def test_who_thinks_to_the_end_of_the_round_follows_what_was_learned_and_who_does_not_goes_by_rules_of_thumb() -> None:
    rng = np.random.default_rng(3)
    state = new_game(CRYSTALS, 4, {}, rng)
    CRYSTALS.rules.deal(state, rng.permutation(CRYSTALS.pack(state)), None)
    state["question"] = crystals.PLAY
    assert knowing.of(CRYSTALS).plans(state, 0, Effort()) == 1 << TRAINED
    assert knowing.of(CRYSTALS).plans(state, 0, Effort(horizon=2)) == 1 << AS_IT_COMES | 1 << thumb.NO_TRICK


def test_none_of_is_kept_for_all_that_is_asked() -> None:
    """The chance that none of three cards is held by someone with a quarter of them: ¾ · ¾ · ¾, rounded down each time."""
    assert counting.none_of(3, 250) == 421
    assert counting.none_of(0, 1000) == counting.ALL
    assert counting.none_of(15, 1000) == 0
    assert counting.NONE_OF.shape == (16, 1001)


def margins_of(numbers: np.ndarray, blocks: int) -> list[float]:
    """The learned policy alone against rules of thumb: its margin in a game of four, the mean over its four seats."""
    rng = np.random.default_rng(21)
    margins = []
    for _ in range(blocks):
        first = new_game(CRYSTALS, 4, {}, rng)
        decks = [rng.permutation(CRYSTALS.pack(first)) for _ in range(4)]
        total = 0.0
        for me in range(4):
            state = jit.as_rows(first)[0]
            while not state["over"]:
                if CRYSTALS.wants_cards(state):
                    crystals.deal(state, decks[int(state["deals"])], None)
                    continue
                seat = CRYSTALS.to_act(state)[0]
                own = seat == me
                answer = values.choose(state, seat, numbers) if own else thumb.choose(state, seat, AS_IT_COMES)
                crystals.step(state, seat, int(answer), None)
            total += playouts.worth(state, me, 0.0)
        margins.append(total / 4)
    return margins


@pytest.mark.slow
def test_alone_the_learned_policy_beats_rules_of_thumb() -> None:
    margins = margins_of(values.values()[values.KINDS.index((4, 0))], 16)
    mean, error = np.mean(margins), np.std(margins, ddof=1) / len(margins) ** 0.5
    assert mean > 2 * error, f"{mean:+.2f} ± {error:.2f} is not clearly above 0"


@pytest.mark.slow
def test_training_goes_on_where_it_was_and_the_same_seed_trains_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(train, "CHUNK", 200)
    kind = (3, 0)
    for folder in ("once", "again"):
        (tmp_path / folder).mkdir()
    assert [train.go_on(tmp_path / "once", kind, 600, 5) for _ in range(3)] == [200, 400, 600]
    train.go_on(tmp_path / "again", kind, 600, 5)
    first = train.kept_so_far(tmp_path / "again", kind)
    assert int(first["rounds"]) == 200
    assert np.abs(first["numbers"]).max() > 0, "nothing was learned"
    for _ in range(2):
        train.go_on(tmp_path / "again", kind, 600, 5)
    once, again = train.kept_so_far(tmp_path / "once", kind), train.kept_so_far(tmp_path / "again", kind)
    assert all(np.array_equal(once[name], again[name]) for name in once)
    assert not np.array_equal(once["mean"], once["numbers"]), "what is kept is no mean"
    with pytest.raises(Malformed, match="another seed"):
        train.train(tmp_path / "once", seed=6)


def test_training_tries_one_of_each_run_of_neighbours() -> None:
    def hand(names: str) -> int:
        return sum(1 << CRYSTALS.names.index(name) for name in names.split())

    assert train.runs(hand("D14 D15 H1 H2 H4 S9 S10 S11 C15")) == hand("D14 H1 H4 S9 C15")
