"""Proximal policy optimization (Schulman et al. 2017) on a batch of tables: crystals for two against `simple`.

    pip install '.[lab,envs,learn]'
    cd examples
    python ppo.py --cpu-minutes 5     # trains, and writes ppo.npz
    diamonds arena crystals ppo:Network simple --blocks 200

The reward of a decision is the change of the margin, in tens of points, until the next decision, so its sum over a game
is the final margin. `Network` plays with NumPy alone.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from diamonds.bots.bot import BotView
from diamonds.envs import encoding
from diamonds.envs.batch import Batch
from diamonds.envs.planes import PlaneEncoder

GAME, SEATS = "crystals", 2
WEIGHTS_FILE = Path(__file__).with_name("ppo.npz")
HIDDEN = 80
TABLES, STEPS = 256, 42  # tables, and decisions at each between two updates; a game has about 42
EPOCHS, MINIBATCH = 3, 1024
LEARNING_RATE, CLIP, ENTROPY, LAMBDA = 1e-3, 0.2, 0.01, 0.95
POINTS_PER_REWARD = 10.0


class Network:
    """A bot that plays by trained weights."""

    def __init__(self, file: Path = WEIGHTS_FILE) -> None:
        with np.load(file) as weights:
            self.layers = [(weights[f"w{k}"].astype(np.float32), weights[f"b{k}"]) for k in range(3)]
        self.encoder = PlaneEncoder(GAME, SEATS)

    def choose(self, view: BotView, question: str, rng: np.random.Generator) -> int:
        observation = np.append(view.seat, np.frombuffer(view.row.tobytes(), np.int64))
        x = self.encoder(observation)
        for weights, biases in self.layers[:-1]:
            x = np.maximum(weights @ x + biases, 0.0)
        weights, biases = self.layers[-1]
        scores = weights @ x + biases
        return int(np.where(encoding.action_mask(view.game, view.legal), scores[:-1], -np.inf).argmax())


def margins(batch: Batch) -> np.ndarray:
    """Return the points that each table's agent is ahead by, as it sees them (C21)."""
    points = 2 * batch.fields["vault"][:, :SEATS] + batch.fields["showroom"][:, :SEATS]
    own = points[np.arange(batch.tables), batch.agent_seats]
    return 2 * own - points.sum(axis=1)


def train(cpu_seconds: float, seed: int = 1, file: Path = WEIGHTS_FILE) -> None:
    """Train for some seconds of CPU time; write the weights at every report."""
    import torch
    from torch import nn

    torch.manual_seed(seed)
    torch.set_num_threads(1)
    batch = Batch(GAME, SEATS, tables=TABLES, seed=seed, reward="margin", opponents="simple", planes="float32")
    actions = batch.mask.shape[1]
    network = nn.Sequential(
        nn.Linear(batch.planes.shape[1], HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU(),
        nn.Linear(HIDDEN, actions + 1),  # the last output is the value
    )  # fmt: skip
    with torch.no_grad():
        network[-1].weight.mul_(0.1)
    optimizer = torch.optim.Adam(network.parameters(), LEARNING_RATE, eps=1e-5)

    def evaluate(planes: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the logarithm of each action's chance, and the value."""
        out = network(planes)
        return torch.log_softmax(out[:, :-1].masked_fill(~masks, -1e9), dim=1), out[:, -1]

    def observed() -> tuple[torch.Tensor, torch.Tensor]:
        return torch.from_numpy(batch.planes.copy()), torch.from_numpy(batch.mask != 0)

    def save() -> None:
        linear = [layer for layer in network if isinstance(layer, nn.Linear)]
        weights = {f"w{k}": layer.weight.detach().numpy().astype(np.float16) for k, layer in enumerate(linear)}
        np.savez_compressed(file, **weights, **{f"b{k}": layer.bias.detach().numpy() for k, layer in enumerate(linear)})

    planes, masks = observed()
    started, games, wins, decisions, report_at = time.process_time(), 0, 0, 0, 0.0
    while (spent := time.process_time() - started) < cpu_seconds:
        for group in optimizer.param_groups:
            group["lr"] = LEARNING_RATE * max(0.05, 1 - spent / cpu_seconds)
        kept, rewards, ends, values = [], [], [], []
        for _ in range(STEPS):
            with torch.no_grad():
                logs, value = evaluate(planes, masks)
                chosen = torch.multinomial(logs.exp(), 1)[:, 0]
                kept.append((planes, masks, chosen, logs.gather(1, chosen[:, None])[:, 0]))
            before = margins(batch)
            batch.step(chosen.numpy())
            ended = batch.done > 0
            rewards.append((np.where(ended, batch.agent_rewards, margins(batch)) - before) / POINTS_PER_REWARD)
            ends.append(ended.astype(np.float32))
            values.append(value.numpy())
            games, wins = games + int(ended.sum()), wins + int((batch.agent_rewards[ended] > 0).sum())
            planes, masks = observed()
        with torch.no_grad():
            values.append(evaluate(planes, masks)[1].numpy())
        advantages, ahead = np.zeros((STEPS, TABLES), np.float32), np.zeros(TABLES, np.float32)
        for k in reversed(range(STEPS)):
            error = rewards[k] + (1 - ends[k]) * values[k + 1] - values[k]
            advantages[k] = ahead = error + (1 - ends[k]) * LAMBDA * ahead
        targets = torch.from_numpy((advantages + np.array(values[:-1])).ravel())
        gains = torch.from_numpy(advantages.ravel())
        gains = (gains - gains.mean()) / (gains.std() + 1e-8)
        all_planes, all_masks, all_chosen, all_logs = (torch.cat(column) for column in zip(*kept, strict=True))
        for _ in range(EPOCHS):
            for part in torch.randperm(len(all_chosen)).split(MINIBATCH):
                logs, value = evaluate(all_planes[part], all_masks[part])
                ratio = (logs.gather(1, all_chosen[part, None])[:, 0] - all_logs[part]).exp()
                gain = torch.minimum(ratio * gains[part], ratio.clamp(1 - CLIP, 1 + CLIP) * gains[part]).mean()
                entropy = -(logs.exp() * logs.clamp(min=-1e8)).sum(dim=1).mean()
                loss = -gain + 0.5 * (value - targets[part]).square().mean() - ENTROPY * entropy
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(network.parameters(), 0.5)
                optimizer.step()
        decisions += STEPS * TABLES
        if spent >= report_at:
            share = f"{wins / games:.1%}" if games else "–"
            print(f"{spent:5.0f} s CPU  {decisions:9,} decisions  wins {share} of the last {games} games", flush=True)
            games, wins, report_at = 0, 0, spent + max(5.0, cpu_seconds / 20)
            save()
    save()
    print(f"Written: {file}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Train a network for crystals against `simple`.")
    parser.add_argument("--cpu-minutes", type=float, default=5.0, help="CPU time, of all cores together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=WEIGHTS_FILE)
    given = parser.parse_args()
    train(60 * given.cpu_minutes, given.seed, given.out)
