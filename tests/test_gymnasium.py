"""The Gymnasium environment of one seat: Gymnasium's checker passes, and bots in other seats get their own views."""

import random

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from diamonds import cards
from diamonds.bots.bot import BotView, bot_view
from diamonds.bots.levels import BOTS
from diamonds.envs import gymnasium as seat_module
from diamonds.envs.planes import OBSERVATION_KINDS, PlaneEncoder
from diamonds.errors import InvalidInputError
from diamonds.game import GAMES
from tests.support.env_variants import ENV_VARIANT_NAMES, ENV_VARIANTS

pytestmark = pytest.mark.kernels

SAME_STEP = {"autoreset_mode": AutoresetMode.SAME_STEP}


@pytest.mark.parametrize(
    ("v", "observation"),
    [(v, OBSERVATION_KINDS[k % 3]) for k, v in enumerate([*ENV_VARIANTS, *ENV_VARIANTS[-2:]])],
    ids=str,
)
def test_gymnasium_check_env(v, observation):
    given = {"seats": v.seats, "options": v.options, "observation": observation}
    env = gymnasium.make(f"diamonds/{v.game.name}-v1", render_mode="ansi", disable_env_checker=True, **given)
    check_env(env.unwrapped)


@pytest.mark.parametrize("observation", ["float32", "view"])
def test_gymnasium_stable_baselines_check_env(observation):
    checker = pytest.importorskip("stable_baselines3.common.env_checker", reason="the extra learn is not installed")
    for name in GAMES:
        checker.check_env(seat_module.DiamondsEnv(name, observation=observation), skip_render_check=False)


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_gymnasium_vectors_of_single_environments_agree(mode):
    count, names = 3, {"seats": 2, "seat": None, "bots": "simple", "reward": "margin"}
    vector = gymnasium.make_vec("diamonds/crystals-v1", count, mode, vector_kwargs=SAME_STEP, **names)
    singles = [seat_module.DiamondsEnv("crystals", **names) for _ in range(count)]
    found, infos = vector.reset(seed=5)
    seen = [env.reset(seed=5 + k) for k, env in enumerate(singles)]
    ended_games = 0
    while not ended_games:
        assert found.tobytes() == np.array([planes for planes, _ in seen]).tobytes()
        masks = np.array(list(infos["action_mask"]))
        assert masks.tolist() == [info["action_mask"].tolist() for _, info in seen]
        actions = masks.argmax(axis=1)
        found, rewards, terminated, _, infos = vector.step(actions)
        steps = [env.step(action) for env, action in zip(singles, actions, strict=True)]
        assert rewards.tolist() == [reward for _, reward, *_ in steps]
        assert terminated.tolist() == [over for _, _, over, *_ in steps]
        seen = [(planes, info) for planes, *_, info in steps]
        ended_games += int(terminated.sum())
    vector.close()


def test_gymnasium_observes_planes_from_its_own_seat_by_default():
    env, plain = (seat_module.DiamondsEnv("crystals", 4, seat=2, observation=kind) for kind in ("float32", "view"))
    found, view = env.reset(seed=3)[0], plain.reset(seed=3)[0]
    assert env.observation_space.dtype == found.dtype == np.float32
    assert found.tobytes() == PlaneEncoder("crystals", 4)(view).tobytes()
    assert seat_module.DiamondsEnv("crystals", observation="uint8").reset(seed=3)[0].dtype == np.uint8
    with pytest.raises(InvalidInputError, match="observation must be float32, uint8 or view"):
        seat_module.DiamondsEnv(observation="float64")  # type: ignore[arg-type]


class CheckingBot:
    """A random bot that checks its input."""

    def __init__(self) -> None:
        self.env: seat_module.DiamondsEnv | None = None
        self.seats: set[int] = set()

    def choose(self, view: BotView, question: str, rng: np.random.Generator) -> int:
        self.seats.add(view.seat)
        if self.env is not None:
            state = self.env.table.rows[0]
            assert question == view.game.question(state).name
            assert view.seat == view.game.to_act(state)[0]
            assert view.row.tobytes() == bot_view(view.game, state, view.seat).row.tobytes(), "expected its view only"
        return int(rng.choice(list(cards.iter_bits(view.legal))))


@pytest.mark.parametrize("v", ENV_VARIANTS, ids=ENV_VARIANT_NAMES)
def test_gymnasium_seat_gets_its_questions_and_bots_their_views(v):
    spy, rng, seat = CheckingBot(), random.Random(1), v.seats - 1
    env = seat_module.DiamondsEnv(v.game, v.seats, v.options, seat=seat, bots=spy, reward="score", observation="view")
    spy.env = env
    observation, info = env.reset(seed=3)
    rewards, over, own = [], False, 0
    while not over:
        state = env.table.rows[0]
        assert v.game.to_act(state)[0] == seat
        assert observation[1:].tobytes() == bot_view(v.game, state, seat).row.tobytes()
        assert env.observation_space.contains(observation)
        assert info["question"] == v.game.question(state).name
        legal = list(cards.iter_bits(v.game.rules.legal(state, seat)))
        assert info["action_mask"].nonzero()[0].tolist() == legal == env.action_masks().nonzero()[0].tolist()
        observation, reward, terminated, truncated, info = env.step(rng.choice(legal))
        rewards.append(reward)
        over, own = terminated or truncated, own + 1
    assert not truncated
    assert rewards[:-1] == [0.0] * (own - 1)
    assert rewards[-1] == v.game.result(env.table.rows[0])["scores"][seat]
    assert spy.seats == set(range(v.seats)) - {seat}
    assert observation[0] == seat
    assert observation[1:].tobytes() == bot_view(v.game, env.table.rows[0], seat).row.tobytes(), "expected the end"
    assert env.step(0)[2], "expected a finished game to stay finished"
    again = seat_module.DiamondsEnv(v.game, v.seats, v.options, seat=seat, bots=CheckingBot(), observation="view")
    assert again.reset(seed=3)[0].tobytes() == env.reset(seed=3)[0].tobytes()


def test_r1_gymnasium_refuses_an_illegal_action_with_a_reason():
    env = seat_module.DiamondsEnv("fourteen", 4, seat=2)
    observation, info = env.reset(seed=1)
    bad = next(a for a in range(52) if not info["action_mask"][a])
    again, reward, terminated, _, info = env.step(bad)
    assert info["refused"] == "That card is not in your hand."
    assert again.tobytes() == observation.tobytes()
    assert (reward, terminated) == (0.0, False)
    with pytest.raises(InvalidInputError, match="There is no seat 4 at this table"):
        seat_module.DiamondsEnv("fourteen", 4, seat=4)
    with pytest.raises(InvalidInputError, match="one for each of the 4 seats"):
        seat_module.DiamondsEnv("fourteen", 4, bots=["simple", "random"])


def test_gymnasium_draws_an_unset_seat_and_takes_a_bot_for_each_seat():
    env = seat_module.DiamondsEnv("mines", seat=None, bots=["random", BOTS["simple"]], observation="view")
    drawn = set()
    for seed in range(20):
        observation, _ = env.reset(seed=seed)
        drawn.add(int(observation[0]))
        assert observation[0] == env.seat
    assert drawn == {0, 1}
