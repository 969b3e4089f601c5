"""What a bot is: it is given a view, and chooses an answer."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from diamonds import cards, views
from diamonds.game import Game


class BotView(NamedTuple):
    """What a bot is given: the game, its own seat, and the row it may see, with all a perfect memory knows."""

    game: Game
    seat: int
    row: np.void

    @property
    def legal(self) -> int:
        """The legal answers as bits. (They follow from the view: the rules need nothing hidden to list them.)"""
        return int(self.game.rules.legal(self.row, self.seat))


class Bot(Protocol):
    """Chooses an answer, by number, to the question open in a view."""

    def choose(self, view: BotView, question: str, rng: np.random.Generator) -> int:
        """A legal answer; the same for the same view and the same random numbers."""
        ...


def bot_view(game: Game, state: np.void, seat: int) -> BotView:
    """What a bot in this seat is given."""
    return BotView(game, seat, views.view(game, state, seat, perfect_recall=True))


class RandomBot:
    """Any legal answer, each as likely as another."""

    def choose(self, view: BotView, question: str, rng: np.random.Generator) -> int:
        """See `Bot`."""
        answers = list(cards.iter_bits(view.legal))
        return answers[int(rng.integers(len(answers)))]
