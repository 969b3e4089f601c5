"""The games in other people's frameworks: their own checkers pass, nothing leaks, and it is the same game everywhere."""

from __future__ import annotations

import copy
import doctest
import pickle
import random
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo as zoo
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from open_spiel.python.algorithms import ismcts, mcts

from diamonds import cards, fields, records, views
from diamonds.bots import BOTS, Seen, see, worlds
from diamonds.envs import batch as batch_module
from diamonds.envs import encoding, openspiel, pettingzoo
from diamonds.envs import gymnasium as seat_module
from diamonds.envs.batch import CUT_OFF, OVER, Batch
from diamonds.fields import NOBODY, OWNER
from diamonds.game import GAMES, Game, Illegal, Malformed
from positions import Variant, all_variants, another_world, positions

DOCS = Path(__file__).parents[1] / "docs"


def variant(game: str, seats: int, **options: Any) -> Variant:
    return Variant(GAMES[game], seats, GAMES[game].check_options(seats, options))


SAMPLE = [
    variant("crystals", 4),
    variant("crystals", 2),
    variant("crystals", 3, perfect=True, thief=True),
    variant("crystals", 6, partnership=True, team_start=3),
    variant("fourteen", 4),
    variant("fourteen", 3, scoring="bid", bids="sealed", match="last_two"),
    variant("fourteen", 6, scoring="tricks"),
    variant("mines", 2),
    variant("mines", 2, defence="ranked"),
]
NAMES = [str(v) for v in SAMPLE]


def paid(game: Game, state: np.void, reward: str) -> list[float]:
    """What the end of a game is worth to each seat, worked out from `Game.result`."""
    result, seats = game.result(state), range(int(state["seats"]))
    if reward == "score":
        return [float(score) for score in result["scores"]]
    if reward == "win":
        pot = len(seats) / len(result["winners"])
        return [(pot if seat in result["winners"] else 0.0) - 1.0 for seat in seats]
    teams = views.as_data(game, state)["team"]
    return [
        result["scores"][seat] - float(np.mean([result["scores"][o] for o in seats if teams[o] != teams[seat]]))
        for seat in seats
    ]


# Observations


@pytest.mark.parametrize("v", SAMPLE, ids=NAMES)
def test_r2_an_observation_is_the_view_and_another_world_gives_the_same_one(v: Variant) -> None:
    game, rng, differed = v.game, random.Random(3), 0
    curtain = encoding.Curtain(game, encoding.blank(game, v.seats, v.options))
    features = encoding.Features(game, v.seats)
    for match in positions(v, 3, 12):
        for seat in range(-1, v.seats):
            seen = curtain.observe(np.frombuffer(match.state.tobytes(), np.int64), seat)
            assert seen[0] == seat
            assert seen[1:].tobytes() == views.view(game, match.state, seat, memory=True).tobytes()
            assert encoding.row_of(game, seen).tobytes() == seen[1:].tobytes()
            if match.over or seat < 0:
                continue
            world = another_world(game, match.state, seat, rng)
            again = curtain.observe(np.frombuffer(world.tobytes(), np.int64), seat)
            differed += world.tobytes() != match.state.tobytes()
            assert again.tobytes() == seen.tobytes(), f"after {match.n} answers seat {seat} sees what is hidden"
            assert features(again).tobytes() == features(seen).tobytes()
    assert differed > 10, "no other worlds were found, so nothing was tested"


@pytest.mark.parametrize("v", SAMPLE, ids=NAMES)
def test_features_say_what_the_view_says(v: Variant) -> None:
    """Read back from the names of the features that are 1, or from numbers, field by field."""
    game = v.game
    curtain = encoding.Curtain(game, encoding.blank(game, v.seats, v.options))
    features = encoding.Features(game, v.seats)
    assert len(set(features.names)) == features.size
    for match in positions(v, 5, 25):
        flat = np.frombuffer(match.state.tobytes(), np.int64)
        both = np.stack([curtain.observe(flat, seat) for seat in range(v.seats)])
        found = features(both)
        assert found.dtype == np.float32
        assert np.isfinite(found).all()
        for seat in range(v.seats):
            assert features(both[seat]).tobytes() == found[seat].tobytes(), "one by one is not as all at once"
            said = dict(zip(features.names, found[seat].tolist(), strict=True))
            row = views.view(game, match.state, seat, memory=True)
            assert [k for k in range(v.seats) if said[f"seat {k}"]] == [seat]
            asked = [q.name for q in game.questions if said[f"question {q.name}"]]
            assert asked == [game.question(match.state).name]
            assert [k for k in range(v.seats) if said[f"to_act {k}"]] == game.to_act(match.state)
            hand = [name for name in game.names if said[f"hand {name}"]]
            assert hand == [game.names[card] for card in cards.members(row["hand"][seat])]
            if game.name != "mines":
                trick = [name for k in range(6) for name in game.names if said[f"trick[{k}] {name}"]]
                assert trick == [game.names[card] for card in row["trick"] if card >= 0]
                for other in range(v.seats):
                    played = [name for name in game.names if said[f"played[{other}] {name}"]]
                    assert played == [game.names[card] for card in cards.members(row["played"][other])]
                    assert said[f"tricks[{other}]"] == row["tricks"][other]
            else:
                assert [said[f"left[{pile}]"] for pile in range(13)] == row["left"].tolist()
                owners = [[k for k in range(2) if said[f"owner[{pile}] {k}"]] for pile in range(13)]
                assert owners == [[o] if o >= 0 else [] for o in row["owner"].tolist()]
    outside = dict(zip(features.names, features(curtain.observe(flat, -1)).tolist(), strict=True))
    assert not [name for name, value in outside.items() if name.startswith(("hand ", "seat ")) and value]
    secret = [f.name for f in game.fields if f.who == NOBODY and not f.remembered]
    assert not [name for name in features.names if name.split()[0].split("[")[0] in secret]
    own = [f.name for f in game.fields if f.who == OWNER and not f.once]
    assert not [name for name in features.names if name.split("[")[0] in own and "[" in name], "room for others' hands"


# Thousands of tables


def given_deal(game: Game, state: np.void, dealt: np.void) -> list[int]:
    """A deck that makes of a state in which cards are wanted the dealt one (their order within a hand changes nothing)."""
    if game.name == "mines":
        return [int(card) for card in dealt["piles"].ravel()]
    seats, first = int(state["seats"]), int(dealt["dealer"]) + 1
    hands = [list(cards.members(dealt["hand"][(first + k) % seats])) for k in range(seats)]
    return [card for place in zip(*hands, strict=True) for card in place] + list(cards.members(dealt["aside"]))


@pytest.mark.parametrize("reward", encoding.REWARDS)
@pytest.mark.parametrize("v", SAMPLE, ids=NAMES)
def test_a_batch_plays_the_interpreted_game_step_by_step(v: Variant, reward: str) -> None:
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
            assert bool(twin["over"]) == (batch.done[k] == OVER)
            if twin["over"]:
                finished += 1
                expected = paid(game, twin, reward)
                cut = [int(card) for card in batch.rows[k]["cut"][: v.seats]]
                twin = twins[k] = game.start(v.seats, v.options, cut)
            if game.wants_cards(twin):
                rules.deal(twin, np.array(given_deal(game, twin, batch.rows[k]), np.int64), None)
            assert twin.tobytes() == batch.rows[k].tobytes(), f"table {k} is in another state than the interpreted game"
            np.testing.assert_allclose(batch.rewards[k], expected)
            seat = int(batch.seat[k])
            assert seat == game.to_act(twin)[0], "the lowest seat that owes an answer is asked"
            legal = int(rules.legal(twin, seat))
            assert batch.legal[k] == legal
            assert [a for a in range(batch.mask.shape[1]) if batch.mask[k, a]] == list(cards.members(legal))
            assert batch.observations[k, 0] == seat
            assert batch.observations[k, 1:].tobytes() == views.view(game, twin, seat, memory=True).tobytes()
        if finished > 4:
            return
    raise AssertionError("hardly a game came to its end")


def test_fields_name_the_observations_of_a_batch() -> None:
    batch = Batch("crystals", 3, tables=20, seed=1)
    for _ in range(60):
        batch.step(batch.random_answers())
    named = batch.fields
    assert named["seat"].tolist() == batch.seat.tolist()
    for k in range(20):
        row = views.view(batch.game, batch.rows[k], int(batch.seat[k]), memory=True)
        for field in batch.game.fields:
            assert np.array_equal(named[field.name][k], row[field.name])


def test_a_refused_answer_leaves_its_table_and_the_others_move_on() -> None:
    batch = Batch("fourteen", 4, tables=8, seed=2)
    for bad in (-1, 51 if not batch.mask[3, 51] else 50, 60, 63):
        before, answers = batch.rows[3].tobytes(), batch.random_answers().copy()
        answers[3] = bad
        if 0 <= bad < 52 and batch.mask[3, bad]:
            continue
        others = [row.tobytes() for row in batch.rows]
        with pytest.raises(Illegal, match="1 of 8 answers were not legal"):
            batch.step(answers)
        assert batch.rows[3].tobytes() == before
        assert all(batch.rows[k].tobytes() != others[k] for k in range(8) if k != 3)
    assert "F5" in batch.why_not(3, next(a for a in range(52) if not batch.mask[3, a]))
    with pytest.raises(Malformed, match="8 numbers"):
        batch.step(np.zeros(7, np.int64))
    with pytest.raises(Malformed, match="reward is win or margin or score"):
        Batch("mines", reward="glory")


def test_a_game_without_end_is_cut_off_and_paid_as_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fourteen by bids in which everyone always bids 13 scores nothing for ever (F10)."""
    monkeypatch.setattr(encoding, "MOST_ANSWERS", 500)
    for again in (True, False):
        batch = Batch("fourteen", 4, {"scoring": "bid"}, tables=3, seed=4, again=again)
        for number in range(1, 1001 if again else 501):
            answers = batch.random_answers().copy()
            answers[batch.fields["question"] == 0] = 13
            batch.step(answers)
            assert batch.done.tolist() == [CUT_OFF if number % 500 == 0 else 0] * 3, f"after {number} answers"
        assert (batch.rewards == 0).all(), "all are level, so no one wins a stake"
        assert ((batch.seat >= 0) == again).all()
        assert batch.mask.any() == again


def test_tables_that_do_not_begin_again_stay_as_they_ended_and_ignore_answers() -> None:
    batch = Batch("mines", tables=6, seed=9, again=False)
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


def test_a_seed_fixes_the_cards_and_every_card_and_beginner_is_as_likely_as_another() -> None:
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


def test_a_copy_of_a_batch_is_independent_of_it() -> None:
    batch = Batch("mines", tables=4, seed=1)
    for twin in (copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))):
        before = twin.rows.tobytes()
        for _ in range(5):
            batch.step(batch.random_answers())
        assert twin.rows.tobytes() == before
        twin.step(twin.random_answers())
        assert twin.rows.tobytes() != before
        assert twin.flat.tobytes() == twin.rows.tobytes()


# PettingZoo

# It wants plain arrays, though its own games with action masks have the same dictionaries.
plain_arrays = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array", "ignore:Observation space for each agent probably should be"
)


@plain_arrays
@pytest.mark.parametrize("v", SAMPLE, ids=NAMES)
def test_pettingzoo_api_test_and_seed_test(v: Variant) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # its tests load one of its own games in the old way
        from pettingzoo.test import api_test, seed_test
    api_test(pettingzoo.env(v.game, v.seats, v.options), num_cycles=400)
    seed_test(lambda: pettingzoo.env(v.game, v.seats, v.options), num_cycles=150)


def through(env: Any, rng: random.Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """Play random legal actions to the end of a game; yields the agent and what it sees before each."""
    while True:
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            return
        yield env.agent_selection, observation
        env.step(rng.choice(observation["action_mask"].nonzero()[0].tolist()))


@pytest.mark.parametrize("v", SAMPLE, ids=NAMES)
def test_pettingzoo_agents_see_their_view_and_are_paid_the_result(v: Variant) -> None:
    env, rng = pettingzoo.raw_env(v.game, v.seats, v.options, reward="margin"), random.Random(2)
    env.reset(seed=5)
    for agent, observation in through(env, rng):
        state = env.table.rows[0]
        seat = v.game.to_act(state)[0]
        assert agent == f"seat_{seat}"
        assert observation["observation"][1:].tobytes() == see(v.game, state, seat).row.tobytes()
        assert list(np.flatnonzero(observation["action_mask"])) == list(cards.members(v.game.rules.legal(state, seat)))
        assert env.observation_space(agent).contains(observation)
        for other in env.agents:
            if other != agent:
                idle = env.observe(other)
                number = int(other.split("_")[1])
                assert idle["observation"][1:].tobytes() == see(v.game, state, number).row.tobytes()
                assert not idle["action_mask"].any(), "someone who is not asked has actions"
    state, got = env.table.rows[0], {}
    while env.agents:
        got[env.agent_selection] = env.last()[1]
        env.step(None)
    assert [got[f"seat_{seat}"] for seat in range(v.seats)] == pytest.approx(paid(v.game, state, "margin"))


def test_pettingzoo_refuses_an_illegal_action_with_the_rule_and_changes_nothing() -> None:
    env = pettingzoo.raw_env("crystals", 3)
    env.reset(seed=1)
    before = env.table.rows.tobytes()
    with pytest.raises(Illegal, match=r"One, two or three cards are passed \(C8\)"):
        env.step(0)
    with pytest.raises(Illegal, match="59 is the number of no answer"):
        env.step(59)
    assert env.table.rows.tobytes() == before
    env.step(1)


def test_pettingzoo_games_are_registered_and_follow_from_the_seed() -> None:
    for name in GAMES:
        env = zoo.make("aec", f"diamonds/{name}-v1", render_mode="ansi")
        assert str(env) == f"diamonds_{name}_v1"
        deals = []
        for seed in (1, 1, 2, None):
            env.reset(seed=seed)
            deals.append(env.unwrapped.table.rows.tobytes())
        assert deals[0] == deals[1]
        assert len(set(deals)) == 3
        assert "to_act" in env.render()
        assert "aside: None" in env.render() or name == "mines", "a spectator is shown what lies aside"
        env.close()


# Gymnasium


@pytest.mark.parametrize("v", SAMPLE, ids=NAMES)
def test_gymnasium_check_env(v: Variant) -> None:
    env = gymnasium.make(
        f"diamonds/{v.game.name}-v1", seats=v.seats, options=v.options, render_mode="ansi", disable_env_checker=True
    )
    check_env(env.unwrapped)


class Spy:
    """A random bot that checks what it is given."""

    def __init__(self) -> None:
        self.env: seat_module.Seat | None = None
        self.seats: set[int] = set()

    def choose(self, view: Seen, question: str, rng: np.random.Generator) -> int:
        self.seats.add(view.seat)
        if self.env is not None:
            state = self.env.table.rows[0]
            assert question == view.game.question(state).name
            assert view.seat == view.game.to_act(state)[0]
            assert view.row.tobytes() == see(view.game, state, view.seat).row.tobytes(), "a bot is given too much"
        return int(rng.choice(list(cards.members(view.legal))))


@pytest.mark.parametrize("v", SAMPLE, ids=NAMES)
def test_a_gymnasium_seat_is_asked_its_own_questions_and_bots_get_their_views(v: Variant) -> None:
    spy, rng, seat = Spy(), random.Random(1), v.seats - 1
    env = seat_module.Seat(v.game, v.seats, v.options, seat=seat, bots=spy, reward="score")
    spy.env = env
    observation, info = env.reset(seed=3)
    rewards, over, own = [], False, 0
    while not over:
        state = env.table.rows[0]
        assert v.game.to_act(state)[0] == seat
        assert observation[1:].tobytes() == see(v.game, state, seat).row.tobytes()
        assert env.observation_space.contains(observation)
        assert info["question"] == v.game.question(state).name
        legal = list(cards.members(v.game.rules.legal(state, seat)))
        assert info["action_mask"].nonzero()[0].tolist() == legal == env.action_masks().nonzero()[0].tolist()
        observation, reward, terminated, truncated, info = env.step(rng.choice(legal))
        rewards.append(reward)
        over, own = terminated or truncated, own + 1
    assert not truncated
    assert rewards[:-1] == [0.0] * (own - 1)
    assert rewards[-1] == v.game.result(env.table.rows[0])["scores"][seat]
    assert spy.seats == set(range(v.seats)) - {seat}
    assert observation[0] == seat
    assert observation[1:].tobytes() == see(v.game, env.table.rows[0], seat).row.tobytes(), "the end, seen by another"
    assert env.step(0)[2], "a game that is over stays over"
    again = seat_module.Seat(v.game, v.seats, v.options, seat=seat, bots=Spy())
    assert again.reset(seed=3)[0].tobytes() == env.reset(seed=3)[0].tobytes()


def test_r1_gymnasium_refuses_an_illegal_action_with_the_rule() -> None:
    env = seat_module.Seat("fourteen", 4, seat=2)
    observation, info = env.reset(seed=1)
    bad = next(a for a in range(52) if not info["action_mask"][a])
    again, reward, terminated, _, info = env.step(bad)
    assert "F5" in info["refused"]
    assert again.tobytes() == observation.tobytes()
    assert (reward, terminated) == (0.0, False)
    with pytest.raises(Malformed, match="There is no seat 4 at a table for 4"):
        seat_module.Seat("fourteen", 4, seat=4)
    with pytest.raises(Malformed, match="one for each of the 4 seats"):
        seat_module.Seat("fourteen", 4, bots=["simple", "random"])


def test_gymnasium_draws_a_seat_when_none_is_fixed_and_takes_a_bot_for_each_seat() -> None:
    env = seat_module.Seat("mines", seat=None, bots=["random", BOTS["simple"]])
    drawn = set()
    for seed in range(20):
        observation, _ = env.reset(seed=seed)
        drawn.add(int(observation[0]))
        assert observation[0] == env.seat
    assert drawn == {0, 1}


# OpenSpiel


def load(v: Variant, reward: str = "win") -> Any:
    return pyspiel.load_game(f"diamonds_{v.game.name}", {"players": v.seats, "reward": reward, **given(v)})


def given(v: Variant) -> dict[str, Any]:
    """The options that are not what OpenSpiel is told they are by default."""
    usual = {option.name: 0 if option.default_by else option.default for option in v.game.options}
    told = {k: value for k, value in v.options.items() if value != usual[k]}
    if v.game.name == "crystals" and v.seats != 2:
        del told["two_cards"]  # on by default where it applies, and off elsewhere
    return told


def chance(state: Any, rng: random.Random) -> int:
    outcomes = state.chance_outcomes()
    return int(rng.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0])


def walk(game: Any, rng: random.Random, until: Any = lambda state: False) -> Any:
    """Random actions up to the end, or to where ``until`` holds."""
    state = game.new_initial_state()
    while not state.is_terminal() and not until(state):
        state.apply_action(chance(state, rng) if state.is_chance_node() else rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("v", SAMPLE, ids=NAMES)
def test_openspiel_random_sim_test(v: Variant, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(load(v), num_sims=1, serialize=True, verbose=False)
    capfd.readouterr()


@pytest.mark.parametrize("reward", encoding.REWARDS)
@pytest.mark.parametrize("v", SAMPLE, ids=NAMES)
def test_an_openspiel_history_played_by_the_interpreted_game_gives_the_same_state_and_result(
    v: Variant, reward: str
) -> None:
    game, spiel = v.game, load(v, reward)
    assert spiel.num_distinct_actions() == max(len(q.answers) for q in game.questions)
    state = walk(spiel, random.Random(7))
    history = iter(state.history())
    mine = game.start(v.seats, v.options, [next(history) for _ in range(v.seats)])
    for action in history:
        if game.wants_cards(mine):
            dealt = [action, *(next(history) for _ in range(int(game.rules.dealt(mine)) - 1))]
            rest = [card for card in game.pack(mine) if card not in dealt]
            game.deal(mine, dealt + rest)
        else:
            game.rules.step(mine, game.to_act(mine)[0], action, None)
    assert mine["over"]
    assert mine.tobytes() == state.row().tobytes()
    assert state.returns() == pytest.approx(paid(game, mine, reward))
    assert state.rewards() == state.returns()
    low, high = spiel.min_utility(), spiel.max_utility()
    assert all(low <= each <= high for each in state.returns())
    if reward != "score":
        assert sum(state.returns()) == pytest.approx(0)


@pytest.mark.parametrize("v", SAMPLE, ids=NAMES)
def test_openspiel_information_states_recall_everything_and_agree_with_sampled_worlds(v: Variant) -> None:
    """What OpenSpiel's C++ games are held to: for every seat, a resampled state cannot be told from the true one."""
    spiel, rng, before = load(v), random.Random(4), [""] * v.seats
    state, checked, differed = spiel.new_initial_state(), 0, 0
    while not state.is_terminal() and checked < 60:
        if state.is_chance_node():
            state.apply_action(chance(state, rng))
            continue
        for seat in range(v.seats):
            told = state.information_state_string(seat)
            assert told.startswith(before[seat]), "a seat has forgotten something"
            before[seat] = told
        if rng.random() < 0.25:
            actor, after = state.current_player(), set()
            for action in state.legal_actions():
                child = state.clone()
                child.apply_action(action)
                after.add(child.information_state_string(actor))
            assert len(after) == len(state.legal_actions()), "a seat does not remember what it answered"
            for seat in range(v.seats):
                checked += 1
                other = state.resample_from_infostate(seat, rng.random)
                assert other.information_state_string(seat) == before[seat]
                assert other.observation_string(seat) == state.observation_string(seat)
                assert other.observation_tensor(seat) == state.observation_tensor(seat)
                assert other.current_player() == state.current_player()
                assert not other.is_terminal()
                if seat == state.current_player():
                    assert other.legal_actions() == state.legal_actions()
                differed += other.row().tobytes() != state.row().tobytes()
                end = other.clone()
                while not end.is_terminal():  # it can be played to its end
                    end.apply_action(chance(end, rng) if end.is_chance_node() else rng.choice(end.legal_actions()))
                assert end.returns() == pytest.approx(paid(v.game, end.row(), "win"))
        state.apply_action(rng.choice(state.legal_actions()))
    assert checked >= 20
    assert differed > checked // 2, "worlds are the truth too often: nothing was tested"


@pytest.mark.parametrize("name", ["crystals", "fourteen"])
def test_openspiel_information_states_hold_what_a_seat_was_dealt(name: str) -> None:
    spiel, rng = pyspiel.load_game(f"diamonds_{name}"), random.Random(2)
    state = spiel.new_initial_state()
    for card in (3, 20, 11, 40):
        state.apply_action(card)
    told: dict[tuple[int, str], int] = {}
    for _ in range(40):
        dealt = state.clone()
        while dealt.is_chance_node():
            dealt.apply_action(chance(dealt, rng))
        for seat in range(4):
            hand = int(dealt.row()["hand"][seat])
            assert told.setdefault((seat, dealt.information_state_string(seat)), hand) == hand
    assert len(told) == 160


def test_openspiel_worlds_are_those_of_our_own_dealer_and_follow_from_the_information_state_alone() -> None:
    for name, game in GAMES.items():
        rng = random.Random(5)
        spiel = pyspiel.load_game(f"diamonds_{name}")
        state = walk(spiel, rng, lambda s: s.move_number() > 90 and not s.is_chance_node())
        me = state.current_player()
        ours = worlds.sample(game, see(game, state.row(), me).row, me, 1, int(0.375 * 2**53))[0]
        world = state.resample_from_infostate(me, lambda: 0.375)
        assert world.row().tobytes() == ours.tobytes()
        for _ in range(5):  # from a state that only looks the same to me, the same worlds are dealt
            disguised = state.resample_from_infostate(me, rng.random)
            again = disguised.resample_from_infostate(me, lambda: 0.375)
            assert again.row().tobytes() == world.row().tobytes()
            for seat in range(spiel.num_players()):
                assert again.information_state_string(seat) == world.information_state_string(seat), (
                    "another seat's memory comes from the truth, not from the world"
                )
        with pytest.raises(ValueError, match="not while cards are drawn"):
            spiel.new_initial_state().resample_from_infostate(0, rng.random)


def exchanged(state: Any, spiel: Any, me: int, rng: random.Random) -> Any | None:
    """The same game up to here with two cards exchanged that a seat has never seen, or ``None`` if the rules forbid it.

    The cards are dealt the other way round in the last deal, passed on the other way round by other seats, and sealed bids
    of others are any. Everything else is repeated.
    """
    game: Game = spiel.game
    row = state.row()
    hidden = {c for seat in range(int(row["seats"])) if seat != me for c in cards.members(row["hand"][seat])}
    if game.name == "mines":
        hidden -= set(cards.members(row["known"][me]))
        hidden |= {int(card) for card in row["piles"].ravel() if card >= 0}
    else:
        hidden |= set(cards.members(row["aside"]))
        if game.name == "crystals":
            hidden -= set(cards.members(row["given"][me]))
    if len(hidden) < 2:
        return None
    one, two = rng.sample(sorted(hidden), 2)
    swap = {one: two, two: one}
    sealed = game.name == "fourteen" and row["bids"] and row["scoring"] == 1 and not row["bids_open"]
    other = spiel.new_initial_state()
    history = state.full_history()
    chances = [k for k, item in enumerate(history) if item.player == pyspiel.PlayerId.CHANCE]
    last_deal = next(
        k for k in reversed(chances) if k == 0 or k - 1 not in chances or k == spiel.num_players()
    )  # where the last run of chance begins, the cut left aside
    for k, item in enumerate(history):
        action = item.action
        if k >= last_deal:
            if other.is_chance_node() != (item.player == pyspiel.PlayerId.CHANCE) or other.is_terminal():
                return None
            if other.is_chance_node():
                action = swap.get(action, action)
            elif item.player != me:
                question = game.question(other.row()).name
                if question == "pass":
                    action = swap.get(action, action)
                elif question == "bid" and sealed:
                    action = rng.randrange(14)
            if not other.is_chance_node() and (
                other.current_player() != item.player or action not in other.legal_actions()
            ):
                return None
        other.apply_action(action)
    return other


@pytest.mark.parametrize("v", SAMPLE, ids=NAMES)
def test_r2_openspiel_information_states_leak_nothing(v: Variant) -> None:
    """Whole games are played again with cards exchanged that a seat has not seen: to that seat they are the same game."""
    spiel, rng, compared, differed = load(v), random.Random(9), 0, 0
    for _ in range(60):
        turns = rng.randrange(3, 40)
        count = [0]

        def enough(state: Any, turns: int = turns, count: list[int] = count) -> bool:
            count[0] += not state.is_chance_node()
            return count[0] > turns and not state.is_chance_node()

        state = walk(spiel, rng, enough)
        if state.is_terminal():
            continue
        for me in range(v.seats):
            other = exchanged(state, spiel, me, rng)
            if other is None or other.is_terminal() or other.is_chance_node():
                continue
            compared += 1
            differed += other.row().tobytes() != state.row().tobytes()
            assert other.information_state_string(me) == state.information_state_string(me)
            assert other.observation_string(me) == state.observation_string(me)
            assert other.observation_tensor(me) == state.observation_tensor(me)
            if state.current_player() == me:
                assert other.legal_actions() == state.legal_actions()
    assert compared >= 30
    assert differed >= 30, "the games played again hardly differ: nothing was tested"


@pytest.mark.parametrize("name", GAMES)
def test_openspiel_ismcts_plays_and_a_sealed_choice_is_unknown_to_its_tree(name: str) -> None:
    spiel, rng = pyspiel.load_game(f"diamonds_{name}"), random.Random(1)
    state = walk(spiel, rng, lambda s: s.move_number() > 70 and not s.is_chance_node() and len(s.legal_actions()) > 1)
    bot = ismcts.ISMCTSBot(
        spiel,
        mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
        uct_c=2.0,
        max_simulations=12,
        random_state=np.random.RandomState(2),
    )
    assert bot.step(state) in state.legal_actions()


def test_openspiel_observers_show_a_seat_or_a_spectator_and_nothing_else() -> None:
    spiel = pyspiel.load_game("diamonds_crystals")
    state = walk(spiel, random.Random(1), lambda s: s.move_number() > 60 and not s.is_chance_node())
    alone, none, every = (getattr(pyspiel.PrivateInfoType, kind) for kind in ("SINGLE_PLAYER", "NONE", "ALL_PLAYERS"))

    def observer(recall: bool, private: Any, public: bool = True) -> Any:
        return spiel.make_py_observer(pyspiel.IIGObservationType(public, recall, private))

    assert observer(True, alone).string_from(state, 2) == state.information_state_string(2)
    assert observer(False, alone).string_from(state, 2) == state.observation_string(2)
    spectator = observer(False, none)
    assert spectator.string_from(state, 0) == spectator.string_from(state, 3)
    spectator.set_from(state, 0)
    names = spiel.features.names
    assert not [name for name, value in zip(names, spectator.tensor, strict=True) if name[:5] == "hand " and value]
    assert "my hand" not in observer(True, none).string_from(state, 1)
    with pytest.raises(ValueError, match="one seat alone"):
        observer(False, every)
    with pytest.raises(ValueError, match="one seat alone"):
        observer(False, alone, public=False)
    with pytest.raises(ValueError, match="no tensor"):
        observer(True, alone).set_from(state, 0)
    with pytest.raises(ValueError, match="no parameters"):
        spiel.make_py_observer(None, {"colour": 1})


def test_openspiel_parameters_are_the_options_with_their_defaults() -> None:
    assert pyspiel.load_game("diamonds_crystals(players=2)").options["two_cards"] is True
    assert pyspiel.load_game("diamonds_crystals(players=2,two_cards=False)").options["two_cards"] is False
    assert pyspiel.load_game("diamonds_fourteen(scoring=bid)").options["target"] == 30
    assert pyspiel.load_game("diamonds_fourteen(scoring=bid,target=40)").options["target"] == 40
    assert pyspiel.load_game("diamonds_mines").num_players() == 2
    with pytest.raises(Exception, match=r"partnership is for 4 or 6 players \(C23\)"):
        pyspiel.load_game("diamonds_crystals(players=5,partnership=True)")
    state = pyspiel.load_game("diamonds_crystals").new_initial_state()
    assert state.action_to_string(pyspiel.PlayerId.CHANCE, 3) == "cut D4"
    state = walk(state.get_game(), random.Random(1), lambda s: not s.is_chance_node())
    assert state.action_to_string(state.current_player(), 2) == "count 2"


def test_openspiel_cuts_a_game_off_where_a_record_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    assert encoding.MOST_ANSWERS == records.MAX_ANSWERS == pyspiel.load_game("diamonds_mines").max_game_length()
    monkeypatch.setattr(encoding, "MOST_ANSWERS", 30)
    state = walk(pyspiel.load_game("diamonds_fourteen"), random.Random(1))
    assert len([item for item in state.full_history() if item.player >= 0]) == 30
    assert state.returns() == pytest.approx(paid(GAMES["fourteen"], state.row(), "win"))


def test_openspiel_lets_the_program_end() -> None:
    """It keeps what it was given until after Python has shut down, and crashed on a function."""
    code = (
        "import pyspiel, diamonds.envs.openspiel\n"
        "game = pyspiel.load_game('diamonds_mines')\n"
        "state = game.new_initial_state()\n"
        "state.observation_tensor(0); state.information_state_string(0); state.clone()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# The documentation


@pytest.mark.parametrize("module", [batch_module, pettingzoo, seat_module, openspiel])
def test_the_example_at_the_head_of_an_adapter_runs(module: Any) -> None:
    found = doctest.testmod(module)
    assert found.failed == 0
    assert found.attempted > 3


def test_the_examples_of_the_environments_page_run() -> None:
    found = doctest.testfile(str(DOCS / "envs.md"), module_relative=False)
    assert found.failed == 0
    assert found.attempted > 20


def test_importing_diamonds_loads_none_of_the_frameworks() -> None:
    code = (
        "import sys, diamonds, diamonds.envs, diamonds.records, diamonds.bots\n"
        "print(sorted({'numba', 'gymnasium', 'pettingzoo', 'pyspiel'} & set(sys.modules)))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_all_variants_make_an_environment() -> None:
    for v in all_variants():
        batch = Batch(v.game, v.seats, v.options, tables=4, seed=1)
        for _ in range(60):
            batch.step(batch.random_answers())
        assert fields.copy_state(batch.rows[0])["seats"] == v.seats
