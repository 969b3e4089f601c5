"""Players that are programs. A bot is given a view, never a state: it cannot see more than the person it replaces."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from diamonds import cards, views
from diamonds.bots import kernels, levels, simple
from diamonds.game import Game, Unknown


class Seen(NamedTuple):
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

    def choose(self, view: Seen, question: str, rng: np.random.Generator) -> int:
        """A legal answer; the same for the same view and the same random numbers."""
        ...


def see(game: Game, state: np.void, seat: int) -> Seen:
    """What a bot in this seat is given."""
    return Seen(game, seat, views.view(game, state, seat, memory=True))


class RandomBot:
    """Any legal answer, each as likely as another."""

    def choose(self, view: Seen, question: str, rng: np.random.Generator) -> int:
        """See `Bot`."""
        answers = list(cards.members(view.legal))
        return answers[int(rng.integers(len(answers)))]


class SimpleBot:
    """A sensible rule of thumb for every question (`bots/simple.py`), decided from the own hand in microseconds."""

    def choose(self, view: Seen, question: str, rng: np.random.Generator) -> int:
        """See `Bot`."""
        return int(simple.POLICIES[view.game.name](view.row, view.seat))


BOTS: dict[str, Bot] = {
    "random": RandomBot(),
    "simple": SimpleBot(),
    **{level.name: levels.LevelBot(level) for level in levels.LEVELS},
}


def find_bot(name: object) -> Bot:
    """The bot of this name, or `Unknown` with the names there are."""
    if not isinstance(name, str) or name not in BOTS:
        raise Unknown(f"There is no bot {name!r}; the bots are {', '.join(BOTS)}.")
    return BOTS[name]


def find_able_bot(name: object) -> Bot:
    """The bot of this name; `Unknown` if there is none, `Illegal` if it cannot play here, each with its name."""
    bot = find_bot(name)
    if isinstance(bot, levels.LevelBot):
        kernels.require(f"The bot {name} cannot play here")
    return bot


def able() -> list[str]:
    """The names of the bots that can play here, weakest first."""
    return [name for name, bot in BOTS.items() if not (isinstance(bot, levels.LevelBot) and kernels.missing())]
