"""Opponents in a batch see only their own views, as at a single table; Gymnasium can step such a batch."""

from typing import Any

import gymnasium
import numpy as np
import pytest

import diamonds.envs.gymnasium
from diamonds.bots.bot import BotView
from diamonds.bots.levels import choose_with_bits
from diamonds.cards import lowest
from diamonds.envs import encoding
from diamonds.envs.batch import Batch, random_bits, self_play_answers
from diamonds.envs.planes import PlaneEncoder
from diamonds.errors import InvalidInputError, NotAllowedError, NotFoundError

pytestmark = pytest.mark.kernels

VARIANTS: list[tuple[str, int, dict[str, Any]]] = [
    ("crystals", 4, {"rounds": 1}),
    ("fourteen", 3, {"scoring": "bid", "bids": "sealed", "target": 5}),
    ("mines", 2, {}),
]


@pytest.mark.parametrize(("name", "seats", "options"), VARIANTS, ids=[name for name, _, _ in VARIANTS])
@pytest.mark.parametrize("bot", ["simple", "1", "3", pytest.param("5", marks=pytest.mark.slow)])
def test_opponents_answer_as_the_bot_does_by_their_views(name, seats, options, bot):
    """A batch without opponents plays the same games if bots answer, by the random bits of each table."""
    threads = 2 if bot == "3" else 1
    batch = Batch(name, seats, options, tables=6, seed=3, opponents=bot, reward="margin", threads=threads)
    rngs = [np.array([state]) for state in np.random.SeedSequence([3, 1]).generate_state(6, np.uint64)]
    twin = Batch(name, seats, options, tables=6, seed=3, reward="margin")
    assert batch.agent_seats.tolist() == [k % seats for k in range(6)]
    games = 0

    def let_bots_answer() -> tuple[np.ndarray, np.ndarray]:
        rewards, done = twin.rewards.copy(), twin.done.copy()
        while (waiting := twin.seat != batch.agent_seats).any():
            answers = np.full(6, -1)
            for k in np.flatnonzero(waiting):
                view = BotView(twin.game, int(twin.seat[k]), encoding.row_of(twin.game, twin.observations[k]))
                question = twin.game.questions[int(view.row["question"])].name
                bits = random_bits(rngs[k]) if bot != "simple" else 0
                answers[k] = choose_with_bits(bot, view, question, bits)
            if waiting.all():
                twin.step(answers)
            else:  # tables that wait for an agent reject −1 and do not change
                with pytest.raises(NotAllowedError):
                    twin.step(answers)
            rewards += twin.rewards
            done |= twin.done
        return rewards, done

    let_bots_answer()
    for _ in range(60 if bot == "simple" else 12):
        assert batch.rows.tobytes() == twin.rows.tobytes()
        assert batch.observations.tobytes() == twin.observations.tobytes()
        assert (batch.seat == batch.agent_seats).all()
        answers = batch.random_answers().copy()
        batch.step(answers)
        twin.step(answers)
        rewards, done = let_bots_answer()
        assert (batch.done == done).all()
        assert batch.rewards == pytest.approx(rewards)
        assert batch.agent_rewards.tolist() == [batch.rewards[k, k % seats] for k in range(6)]
        games += int((done > 0).sum())
    assert games > 3 or bot != "simple", "expected more games to end"


def lowest_if_fair(v, seat, legal, rng):  # type: ignore[no-untyped-def]
    """Answer illegally if another hand is visible."""
    for other in range(v["seats"]):
        if other != seat and v["hand"][other] != -1:
            return -1
    return lowest(legal)


def cheating(v, seat, legal, rng):  # type: ignore[no-untyped-def]
    return 61


def test_r2_compiled_policy_gets_a_view_and_must_answer_legally():
    batch = Batch("fourteen", 4, tables=8, seed=1, opponents=lowest_if_fair, agent_seat=2)
    for _ in range(80):
        batch.step(batch.random_answers())
        assert (batch.seat == 2).all()
    with pytest.raises(NotAllowedError, match="An opponent gave an illegal answer"):
        Batch("fourteen", 4, tables=2, opponents=cheating)
    with pytest.raises(InvalidInputError, match="opponents must be a bot, its name or a function"):
        Batch("fourteen", 4, opponents=5)  # type: ignore[arg-type]
    with pytest.raises(NotFoundError, match="no bot"):
        Batch("fourteen", 4, opponents="6")
    with pytest.raises(InvalidInputError, match="There is no seat 4"):
        Batch("fourteen", 4, opponents="random", agent_seat=4)


def test_self_play_gives_each_policy_the_planes_of_its_seats():
    batch = Batch("fourteen", 3, tables=30, seed=5, planes="uint8")
    assigned = np.random.default_rng(1).integers(2, size=(30, 3))
    for _ in range(40):
        asked: list[tuple[int, bytes]] = []

        def lowest_card(planes: np.ndarray, mask: np.ndarray, asked: list = asked) -> np.ndarray:
            asked += [(0, row.tobytes()) for row in planes]
            return mask.argmax(axis=1)

        def highest_card(planes: np.ndarray, mask: np.ndarray, asked: list = asked) -> np.ndarray:
            asked += [(1, row.tobytes()) for row in planes]
            return 51 - mask[:, ::-1].argmax(axis=1)

        answers = self_play_answers(batch, [lowest_card, highest_card], assigned)
        owners = [int(assigned[k, batch.seat[k]]) for k in range(30)]
        assert sorted(asked) == sorted((owner, batch.planes[k].tobytes()) for k, owner in enumerate(owners))
        for k, owner in enumerate(owners):
            legal = np.flatnonzero(batch.mask[k])
            assert answers[k] == legal[-1 if owner else 0]
        batch.step(answers)


class Lowest:
    """A bot that gives the lowest legal answer."""

    def choose(self, view: BotView, question: str, rng: np.random.Generator) -> int:
        """See `diamonds.bots.bot.Bot`."""
        return lowest(view.legal)


def test_gymnasium_make_vec_takes_levels_and_bots_of_your_own():
    def games(bots: object, threads: int) -> list[bytes]:
        env = gymnasium.make_vec("diamonds/fourteen-v1", num_envs=6, bots=bots, seat=None, threads=threads)
        _, infos = env.reset(seed=4)
        found = []
        for _ in range(15):
            *seen, infos = env.step(infos["action_mask"].argmax(axis=1))
            found.append(b"".join(np.asarray(each).tobytes() for each in seen))
        return found

    assert games("1", 1) == games("1", 3) != games("simple", 1)
    assert games(Lowest(), 2) == games(lowest_if_fair, 1)


@pytest.mark.parametrize("observation", ["float32", "view"])
def test_gymnasium_make_vec_steps_a_batch(observation):
    env = gymnasium.make_vec(
        "diamonds/mines-v1", num_envs=40, bots="random", seat=None, reward="win", observation=observation
    )
    assert isinstance(env.unwrapped, diamonds.envs.gymnasium.DiamondsVectorEnv)
    found, infos = env.reset(seed=4)
    again, _ = env.reset(seed=4)
    assert found.tobytes() == again.tobytes()
    rng, ended_games, paid = np.random.default_rng(2), 0, 0.0
    encoder = PlaneEncoder("mines", 2)
    for _ in range(150):
        assert found.shape == env.observation_space.shape
        assert found.dtype == env.observation_space.dtype
        assert env.observation_space.contains(found)
        mask = infos["action_mask"]
        actions = np.array([rng.choice(np.flatnonzero(row)) for row in mask])
        found, rewards, terminated, truncated, infos = env.step(actions)
        assert not truncated.any()
        assert (rewards[~terminated] == 0).all()
        if terminated.any():
            assert (infos["_final_obs"] == terminated).all()
            for k in np.flatnonzero(terminated):
                last = infos["final_obs"][k]
                assert env.single_observation_space.contains(last)
                if observation == "float32":
                    assert last[encoder.plane("to_act").slice].sum() == 0, "expected the end of the finished game"
            ended_games += int(terminated.sum())
            paid += float(np.abs(rewards).sum())
    assert ended_games > 40
    assert paid > 0
    with pytest.raises(NotAllowedError, match="40 of 40 answers were illegal"):
        env.step(np.full(40, 60))
    env.close()
