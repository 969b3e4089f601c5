"""The games in PettingZoo: its checkers pass, and agents get their views and their rewards."""

import random
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pettingzoo as zoo
import pytest

from diamonds import cards
from diamonds.bots.bot import bot_view
from diamonds.bots.levels import BOTS
from diamonds.envs import pettingzoo
from diamonds.envs.planes import PlaneEncoder
from diamonds.errors import InvalidInputError, NotAllowedError
from diamonds.game import GAMES
from tests.support.env_variants import ENV_VARIANT_NAMES, ENV_VARIANTS, expected_rewards

pytestmark = pytest.mark.kernels

# PettingZoo expects plain arrays, though its own games with action masks use the same dictionaries.
plain_arrays = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array", "ignore:Observation space for each agent probably should be"
)


class LegalActions(pettingzoo.parallel_env):
    """An environment that replaces illegal actions, because PettingZoo's parallel seed test ignores masks."""

    def reset(self, seed=None, options=None):
        self.seen, infos = super().reset(seed, options)
        return self.seen, infos

    def step(self, actions):
        masks = {agent: seen["action_mask"] for agent, seen in self.seen.items()}
        self.seen, *rest = super().step({a: k if masks[a][k] else int(masks[a].argmax()) for a, k in actions.items()})
        return self.seen, *rest


@plain_arrays
@pytest.mark.parametrize("v", ENV_VARIANTS, ids=ENV_VARIANT_NAMES)
def test_pettingzoo_checkers_pass(v):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # its tests load one of its games in a deprecated way
        from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
    for bots in (None, {0: "simple"}):
        api_test(pettingzoo.env(v.game, v.seats, v.options, bots=bots), num_cycles=400)
        parallel_api_test(pettingzoo.parallel_env(v.game, v.seats, v.options, bots=bots), num_cycles=400)
    seed_test(lambda: pettingzoo.env(v.game, v.seats, v.options), num_cycles=150)
    parallel_seed_test(lambda: LegalActions(v.game, v.seats, v.options), num_cycles=150)


@pytest.mark.parametrize("v", ENV_VARIANTS, ids=ENV_VARIANT_NAMES)
def test_pettingzoo_parallel_agents_answer_simultaneously(v):
    env, rng = pettingzoo.parallel_env(v.game, v.seats, v.options, "margin", observation="view"), random.Random(2)
    found, _ = env.reset(seed=5)
    state, most, paid = env.table.rows[0], 0, dict[str, float]()
    while env.agents:
        to_act = v.game.to_act(state)
        most = max(most, len(to_act))
        for seat, agent in enumerate(env.possible_agents):
            expected = bot_view(v.game, state, seat).row.tobytes()
            assert found[agent]["observation"][1:].tobytes() == expected
            legal = v.game.rules.legal(state, seat) if seat in to_act else 0
            assert list(np.flatnonzero(found[agent]["action_mask"])) == list(cards.iter_bits(legal))
            assert env.observation_space(agent).contains(found[agent])
        actions = {
            agent: rng.choice(np.flatnonzero(one["action_mask"]).tolist() or [0]) for agent, one in found.items()
        }
        found, paid, ended, cut_off, _ = env.step(actions)
        if len(env.agents):
            assert not any([*paid.values(), *ended.values(), *cut_off.values()])
    assert all(ended.values())
    assert not any(one["action_mask"].any() for one in found.values())
    assert list(paid.values()) == pytest.approx(expected_rewards(v.game, state, "margin"))
    if v.game.name == "crystals":
        assert most == v.seats, "expected all seats to choose cards to pass in one step"


def test_pettingzoo_parallel_rejects_an_illegal_action_unchanged():
    env, turns = pettingzoo.parallel_env("crystals", 3), pettingzoo.raw_env("crystals", 3)
    env.reset(seed=1)
    turns.reset(seed=1)
    assert env.table.rows.tobytes() == turns.table.rows.tobytes(), "expected the same cards for the same seed"
    with pytest.raises(NotAllowedError, match=r"Pass one, two or three cards"):
        env.step(dict.fromkeys(env.agents, 0))
    found, *_ = env.step(dict.fromkeys(env.agents, 1))
    before = env.table.rows.tobytes()
    actions = {agent: int(one["action_mask"].argmax()) for agent, one in found.items()}
    with pytest.raises(NotAllowedError):
        env.step({**actions, "seat_2": actions["seat_1"]})
    with pytest.raises(NotAllowedError, match="has no answer with number -1"):
        env.step({"seat_0": actions["seat_0"]})
    assert env.table.rows.tobytes() == before, "expected no answer to be applied"
    env.step(actions)
    assert bin(int(env.table.rows[0]["to_act"])).count("1") == 1, "expected the passed cards to have moved"


def play_random(env: Any, rng: random.Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """Play random legal actions to the end; yield each agent with its observation."""
    while True:
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            return
        yield env.agent_selection, observation
        env.step(rng.choice(observation["action_mask"].nonzero()[0].tolist()))


@pytest.mark.parametrize("v", ENV_VARIANTS, ids=ENV_VARIANT_NAMES)
def test_pettingzoo_agents_see_their_view_and_are_paid_the_result(v):
    env, rng = pettingzoo.raw_env(v.game, v.seats, v.options, reward="margin", observation="view"), random.Random(2)
    env.reset(seed=5)
    for agent, observation in play_random(env, rng):
        state = env.table.rows[0]
        seat = v.game.to_act(state)[0]
        assert agent == f"seat_{seat}"
        assert observation["observation"][1:].tobytes() == bot_view(v.game, state, seat).row.tobytes()
        assert list(np.flatnonzero(observation["action_mask"])) == list(
            cards.iter_bits(v.game.rules.legal(state, seat))
        )
        assert env.observation_space(agent).contains(observation)
        for other in env.agents:
            if other != agent:
                idle = env.observe(other)
                number = int(other.split("_")[1])
                assert idle["observation"][1:].tobytes() == bot_view(v.game, state, number).row.tobytes()
                assert not idle["action_mask"].any(), "an agent that is not to act has legal actions"
    state, got = env.table.rows[0], {}
    while env.agents:
        got[env.agent_selection] = env.last()[1]
        env.step(None)
    assert [got[f"seat_{seat}"] for seat in range(v.seats)] == pytest.approx(expected_rewards(v.game, state, "margin"))


def test_pettingzoo_observes_planes_from_each_own_seat_by_default():
    env, plain = (pettingzoo.raw_env("fourteen", 3, observation=kind) for kind in ("float32", "view"))
    for each in (env, plain):
        each.reset(seed=4)
    encoder = PlaneEncoder("fourteen", 3)
    for agent in env.agents:
        found = env.observe(agent)
        assert env.observation_space(agent).contains(found)
        assert found["observation"].tobytes() == encoder(plain.observe(agent)["observation"]).tobytes()


def test_pettingzoo_rejects_an_illegal_action_by_rule_unchanged():
    env = pettingzoo.raw_env("crystals", 3)
    env.reset(seed=1)
    before = env.table.rows.tobytes()
    with pytest.raises(NotAllowedError, match=r"Pass one, two or three cards"):
        env.step(0)
    with pytest.raises(NotAllowedError, match="has no answer with number 59"):
        env.step(59)
    assert env.table.rows.tobytes() == before
    env.step(1)


def test_pettingzoo_games_are_registered_and_follow_from_the_seed():
    for name in GAMES:
        assert isinstance(zoo.make("parallel", f"diamonds/{name}-v1"), pettingzoo.parallel_env)
        env = zoo.make("aec", f"diamonds/{name}-v1", render_mode="ansi")
        assert str(env) == f"diamonds_{name}_v1"
        deals = []
        for seed in (1, 1, 2, None):
            env.reset(seed=seed)
            deals.append(env.unwrapped.table.rows.tobytes())
        assert deals[0] == deals[1]
        assert len(set(deals)) == 3
        assert "to_act" in env.render()
        assert "aside: None" in env.render() or name == "mines", "a spectator sees the cards set aside"
        env.close()


@pytest.mark.parametrize("name", ["crystals", "mines"])
def test_pettingzoo_bots_play_the_other_seats(name):
    """Simple bots answer as they do in an environment without bots, whose agents ask them."""
    game = GAMES[name]
    seats = game.default_seats
    bots = dict.fromkeys(range(1, seats, 2), "simple")
    env, parallel, twin = (
        make(game, seats, bots=named, reward="margin")
        for make, named in ((pettingzoo.raw_env, bots), (pettingzoo.parallel_env, bots), (pettingzoo.raw_env, None))
    )
    env.reset(seed=3)
    twin.reset(seed=3)
    found, _ = parallel.reset(seed=3)
    assert env.possible_agents == parallel.possible_agents == [f"seat_{seat}" for seat in range(0, seats, 2)]
    rewards: dict[str, float] = {}
    for agent in env.agent_iter():
        observation, reward, terminated, _, _ = env.last()
        rewards[agent] = rewards.get(agent, 0.0) + reward
        if terminated:
            env.step(None)
            continue
        while (seat := int(twin.table.seat[0])) in bots:
            view = bot_view(game, twin.table.rows[0], seat)
            twin.step(BOTS["simple"].choose(view, game.question(twin.table.rows[0]).name, np.random.default_rng(0)))
        assert twin.agent_selection == agent
        assert twin.table.rows.tobytes() == env.table.rows.tobytes()
        action = int(observation["action_mask"].argmax())
        env.step(action)
        twin.step(action)
    paid = dict.fromkeys(parallel.possible_agents, 0.0)
    while parallel.agents:
        assert any(seen["action_mask"].any() for seen in found.values()), "expected an agent to act"
        actions = {agent: int(found[agent]["action_mask"].argmax()) for agent in parallel.agents}
        found, given, *_ = parallel.step(actions)
        for agent, reward in given.items():
            paid[agent] += reward
    assert paid == rewards
    assert parallel.table.rows.tobytes() == env.table.rows.tobytes()
    with pytest.raises(InvalidInputError, match="some of the"):
        pettingzoo.raw_env(game, seats, bots=dict.fromkeys(range(seats), "simple"))
