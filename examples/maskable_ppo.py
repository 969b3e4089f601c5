"""MaskablePPO of sb3-contrib on a batch of tables: crystals for two against `simple`.

    pip install '.[lab,envs,learn]'
    cd examples
    python maskable_ppo.py --steps 1000000       # trains, and writes maskable_ppo.zip
    diamonds arena crystals maskable_ppo:Trained simple --blocks 200

`TableVecEnv` makes Stable-Baselines3's kind of vector environment from a `Batch`. The reward is the margin at the end.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv

from diamonds.bots.bot import BotView
from diamonds.envs import encoding
from diamonds.envs.batch import Batch
from diamonds.envs.planes import PlaneEncoder

GAME, SEATS = "crystals", 2
MODEL_FILE = Path(__file__).with_name("maskable_ppo.zip")
POINTS_PER_REWARD = 10.0


class TableVecEnv(VecEnv):
    """Many tables with one agent each; all step in one compiled call."""

    def __init__(self, tables: int = 256, seed: int = 1) -> None:
        self.batch = Batch(GAME, SEATS, tables=tables, seed=seed, reward="margin", opponents="simple", planes="float32")
        size, actions = self.batch.planes.shape[1], self.batch.mask.shape[1]
        self.render_mode, self.lengths = None, np.zeros(tables, np.int64)
        super().__init__(tables, spaces.Box(0.0, 1.0, (size,), np.float32), spaces.Discrete(actions))

    def reset(self) -> np.ndarray:
        return self.batch.planes.copy()

    def step_async(self, actions: np.ndarray) -> None:
        self.actions = actions.astype(np.int64)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        self.batch.step(self.actions)
        rewards, ended = (self.batch.agent_rewards / POINTS_PER_REWARD).astype(np.float32), self.batch.done > 0
        self.lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for table in np.flatnonzero(ended):  # for the averages that Stable-Baselines3 prints
            infos[table]["episode"] = {"r": float(rewards[table]), "l": int(self.lengths[table])}
        self.lengths[ended] = 0
        return self.batch.planes.copy(), rewards, ended, infos

    def close(self) -> None:
        pass

    def has_attr(self, attr_name: str) -> bool:
        return attr_name == "action_masks"

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        return list(self.batch.mask != 0)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self, attr_name)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise NotImplementedError

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * self.num_envs


class Trained:
    """A bot that plays by the trained model."""

    def __init__(self, file: Path = MODEL_FILE) -> None:
        self.model, self.encoder = MaskablePPO.load(file), PlaneEncoder(GAME, SEATS)

    def choose(self, view: BotView, question: str, rng: np.random.Generator) -> int:
        observation = self.encoder(np.append(view.seat, np.frombuffer(view.row.tobytes(), np.int64)))
        mask = encoding.action_mask(view.game, view.legal) != 0
        return int(self.model.predict(observation, action_masks=mask, deterministic=True)[0])


def train(steps: int, tables: int = 256, seed: int = 1, file: Path = MODEL_FILE) -> None:
    """Train for some decisions; write the model."""
    torch.set_num_threads(1)
    model = MaskablePPO(
        "MlpPolicy", TableVecEnv(tables, seed), n_steps=42, batch_size=42 * tables // 8, n_epochs=3, gamma=1.0,
        learning_rate=1e-3, ent_coef=0.01, policy_kwargs={"net_arch": [80, 80]}, seed=seed, verbose=1,
    )  # fmt: skip
    model.learn(steps, log_interval=5)
    model.save(file)
    print(f"Written: {file}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Train MaskablePPO for crystals against `simple`.")
    parser.add_argument("--steps", type=int, default=1_000_000, help="decisions")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    train(given.steps, seed=given.seed)
