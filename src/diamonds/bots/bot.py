"""The interface of a bot: it gets a view and chooses an answer."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from diamonds import cards, views
from diamonds.game import Game


class BotView(NamedTuple):
    """The input of a bot: the game, its seat, and its view with everything that a perfect memory knows."""

    game: Game
    seat: int
    row: np.void

    @property
    def legal(self) -> int:
        """The legal answers as bits; the rules list them without hidden cards."""
        return int(self.game.rules.legal(self.row, self.seat))


class Bot(Protocol):
    """A player that chooses an answer, by number, to the open question of a view."""

    def choose(self, view: BotView, question: str, rng: np.random.Generator) -> int:
        """Return a legal answer: the same one for the same view and random numbers."""
        ...


def bot_view(game: Game, state: np.void, seat: int) -> BotView:
    """Return the input for a bot in this seat."""
    return BotView(game, seat, views.view(game, state, seat, perfect_recall=True))


class RandomBot:
    """A bot whose legal answers are all equally likely."""

    def choose(self, view: BotView, question: str, rng: np.random.Generator) -> int:
        """See `Bot`."""
        answers = list(cards.iter_bits(view.legal))
        return answers[int(rng.integers(len(answers)))]
