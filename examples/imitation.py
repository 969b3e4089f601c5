"""A linear policy that learns to imitate `simple` at crystals for four, and then plays: with NumPy alone, in ten seconds.

    pip install '.[lab,envs]'
    python examples/imitation.py

Put your own network in its place. It wins about 60 % of its games against three random players, and 15 % against three
`simple` ones.
"""

from __future__ import annotations

import numpy as np

from diamonds.bots.bot import BotView
from diamonds.bots.levels import BOTS
from diamonds.envs import encoding
from diamonds.envs.batch import Batch
from diamonds.envs.planes import PlaneEncoder
from diamonds.game import GAMES
from diamonds.lab import arena, arena_report

GAME, SEATS = GAMES["crystals"], 4
LEARNING_RATE = 0.02


class Network:
    """A bot that gives the answer with the highest score."""

    def __init__(self) -> None:
        self.encoder = PlaneEncoder(GAME, SEATS)
        self.weights = np.zeros((self.encoder.size, encoding.action_count(GAME)))

    def scores(self, observations: np.ndarray, mask: np.ndarray) -> np.ndarray:
        return np.where(mask, self.encoder(observations) @ self.weights, -np.inf)

    def choose(self, view: BotView, question: str, rng: np.random.Generator) -> int:
        observation = np.append(view.seat, np.frombuffer(view.row.tobytes(), np.int64))
        return int(self.scores(observation, encoding.action_mask(GAME, view.legal)).argmax())


def train(steps: int) -> Network:
    """Return a network that has seen the answers of `simple` at 256 tables."""
    network, rng = Network(), np.random.default_rng(1)
    batch = Batch(GAME, SEATS, tables=256, seed=1)
    for _ in range(steps):
        answers = []
        for seat, row in zip(batch.seat, batch.observations, strict=True):
            view = BotView(GAME, int(seat), encoding.row_of(GAME, row))
            question = GAME.questions[int(view.row["question"])].name
            answers.append(BOTS["simple"].choose(view, question, rng))
        chances = np.exp(network.scores(batch.observations, batch.mask))
        errors = chances / chances.sum(1, keepdims=True) - np.eye(chances.shape[1])[answers]
        network.weights -= LEARNING_RATE * network.encoder(batch.observations).T @ errors
        batch.step(np.array(answers))
    return network


def play(network: Network, blocks: int) -> arena.ArenaResult:
    """Return the result of a match against random players."""
    match = arena.MatchSetup("crystals", ("network", "random", "random", "random"))
    return arena.run_match(match, blocks=blocks, processes=1, bots={"network": network})[0]


if __name__ == "__main__":
    print(arena_report.result_text(play(train(400), 20)))
