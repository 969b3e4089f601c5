"""Double DQN of Tianshou in the Gymnasium environment: crystals for two against `simple`.

    pip install tianshou        # beside the extras lab, envs and learn
    cd examples
    python tianshou_dqn.py --epochs 10      # trains, and writes tianshou_dqn.pt
    diamonds arena crystals tianshou_dqn:Trained simple --blocks 100

Tianshou expects the mask in the observation. The reward is the margin at the end, in tens of points.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from diamonds.bots.bot import BotView
from diamonds.envs import encoding
from diamonds.envs.gymnasium import DiamondsEnv
from diamonds.envs.planes import PlaneEncoder
from diamonds.game import GAMES

GAME, SEATS = "crystals", 2
ACTIONS = encoding.action_count(GAMES[GAME])
MODEL_FILE = Path(__file__).with_name("tianshou_dqn.pt")
HIDDEN = (128, 128)
POINTS_PER_REWARD = 10.0


class MaskInObservation(gymnasium.Wrapper[Any, int, Any, int]):
    """An environment whose observations are `{"obs": planes, "mask": legal actions}`."""

    def reset(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        planes, info = self.env.reset(**kwargs)
        return {"obs": planes, "mask": info["action_mask"] != 0}, {}

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        planes, reward, terminated, truncated, info = self.env.step(int(action))
        seen = {"obs": planes, "mask": info["action_mask"] != 0}
        return seen, float(reward) / POINTS_PER_REWARD, terminated, truncated, {}


def make_env() -> MaskInObservation:
    return MaskInObservation(DiamondsEnv(GAME, SEATS, seat=None, bots="simple", reward="margin"))


def network() -> Net:
    return Net(state_shape=PlaneEncoder(GAME, SEATS).size, action_shape=ACTIONS, hidden_sizes=HIDDEN)


class Trained:
    """A bot that plays by the trained network."""

    def __init__(self, file: Path = MODEL_FILE) -> None:
        self.network, self.encoder = network(), PlaneEncoder(GAME, SEATS)
        self.network.load_state_dict(torch.load(file, weights_only=True))

    def choose(self, view: BotView, question: str, rng: np.random.Generator) -> int:
        planes = self.encoder(np.append(view.seat, np.frombuffer(view.row.tobytes(), np.int64)))
        with torch.no_grad():
            values = self.network(planes[None])[0][0].numpy()
        return int(np.where(encoding.action_mask(view.game, view.legal), values, -np.inf).argmax())


def train(
    epochs: int, epoch_steps: int = 10_000, test_games: int = 100, tables: int = 16, seed: int = 1,
    file: Path = MODEL_FILE,
) -> None:  # fmt: skip
    """Train for some epochs; write the network. Tianshou's test reward is the margin in tens of points."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    envs, test_envs = (DummyVectorEnv([make_env] * tables) for _ in range(2))
    envs.seed(seed)
    test_envs.seed(seed + tables)
    model = network()
    policy = DiscreteQLearningPolicy(
        model=model, action_space=gymnasium.spaces.Discrete(ACTIONS), eps_training=0.1, eps_inference=0.0
    )
    algorithm = DQN(
        policy=policy, optim=AdamOptimizerFactory(lr=3e-4), gamma=1.0, n_step_return_horizon=10,
        target_update_freq=500,
    )  # fmt: skip
    collector = Collector(algorithm, envs, VectorReplayBuffer(100_000, tables), exploration_noise=True)
    collector.reset()
    collector.collect(n_step=50 * tables, random=False)
    algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=collector, test_collector=Collector(algorithm, test_envs), max_epochs=epochs,
            epoch_num_steps=epoch_steps, collection_step_num_env_steps=10 * tables, test_step_num_episodes=test_games,
            batch_size=256, update_step_num_gradient_steps_per_sample=0.1, show_progress=False,
        )
    )  # fmt: skip
    torch.save(model.state_dict(), file)
    print(f"Written: {file}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Train Tianshou's DQN for crystals against `simple`.")
    parser.add_argument("--epochs", type=int, default=10, help="of 10,000 decisions")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    train(given.epochs, seed=given.seed)
