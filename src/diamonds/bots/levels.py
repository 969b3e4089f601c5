"""Five levels of bots, from one that a beginner can beat to the best there is.

All levels look at the same thing, a view, and think in the same way (`diamonds.bots.thinking.search`), only less far and less
exactly, as people do. A lower level

* compares the answers in fewer *worlds*, so it overlooks what is rare;
* has a nearer *horizon*: it plans so many tricks (in mines: turns) ahead, and is blind to what the end of the round will
  bring. What to pass and to promise is thought through to the end by all, however roughly;
* is *careless*: it feels each answer's worth only up to an error, in points. Close answers are confused often, distant
  ones seldom;
* has *tastes*, drawn once a game for each seat: it over-rates cards of some suits and under-rates others, and stays so;
* but has *bounds*: an answer that costs more than so many points is never given, however careless the player.

Mines has more to learn than the others: its two best levels think in a way of their own (`diamonds.bots.knowing.mining`).

What they think with is compiled (`diamonds.bots.kernels`). A level that is asked before that is done waits for it: it never
plays otherwise than it does, so a game from a seed is the same game on any machine, on the first day and on the next.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from diamonds.bots import kernels
from diamonds.bots.bot import Bot, RandomBot, Seen
from diamonds.bots.knowing import simple
from diamonds.game import Game, Unknown
from diamonds.rules import mines

if TYPE_CHECKING:
    from diamonds.bots.thinking.search import Found


# Errors as people make them: the normal distribution in 1,024 equal shares, in thousandths, so that they are the same on every machine.
NORMAL = np.array([round(1000 * NormalDist().inv_cdf((k + 0.5) / 1024)) for k in range(1024)]) / 1000


def errors(rng: np.random.Generator, size: float, number: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """So many errors of this size (one standard deviation)."""
    found: np.ndarray[tuple[int], np.dtype[np.float64]] = size * NORMAL[rng.integers(len(NORMAL), size=number)]
    return found


class Level(NamedTuple):
    """What a level is called, how it is described, and how it plays.

    Errors and bounds are in points (mines: in wins × 10). The horizon is so many tricks, in mines so many turns; 0 is the
    end of the round or game.
    """

    name: str
    title: str
    says: str
    worlds: int
    carelessness: float
    taste: float
    bound: float
    horizon: int = 0
    turns: int = 0
    mining: bool = False  # plays mines by what practice and hunches say (`diamonds.bots.knowing.mining`)


# fmt: off
LEVELS = (
    Level("1", "Beginner", "Wants this trick, has favourite suits, and often picks the second-best card.", 6, 2.0, 1.2, 5.0, 1, 4),
    Level("2", "Casual", "Looks a trick ahead, with moods, and slips when it is close.", 12, 1.2, 0.6, 3.0, 2, 16),
    Level("3", "Regular", "Plays for the whole round, and slips now and then.", 16, 0.7, 0.35, 2.0),
    Level("4", "Expert", "Thinks each card through and hardly slips.", 60, 0.15, 0.1, 1.0, mining=True),
    Level("5", "Master", "The best there is here: thinks until it is sure.", 600, 0.0, 0.0, 0.0, mining=True),
)
# fmt: on


class LevelBot:
    """A bot of one level, for all games and any number of tables at once: it remembers nothing."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.title, self.says = level.title, level.says

    def choose(self, view: Seen, question: str, rng: np.random.Generator) -> int:
        """See `diamonds.bots.bot.Bot`."""
        game, level = view.game, self.level
        seed = int(rng.integers(2**63))
        kernels.load(game)
        from diamonds.bots.thinking import search

        found = self._think(view, question, seed)
        best = found.best
        if level.carelessness and len(found.candidates) > 1:
            best = self._feel(game, view, question, found.candidates, found.worth, found.best, rng)
        return search.answer_from(game, view.row, view.seat, found.candidates[best])

    def _think(self, view: Seen, question: str, seed: int) -> Found:
        """What this level's search finds."""
        from diamonds.bots.knowing import mining
        from diamonds.bots.thinking import search

        game, level = view.game, self.level
        sure = not level.carelessness  # plays the last tricks out where all cards are known
        if game.name != mines.NAME:
            horizon = 0 if question in ("count", "pass", "bid") else level.horizon
            effort = search.Effort(worlds=level.worlds, horizon=horizon, exact=sure)
        elif level.mining:
            digging = mining.Effort() if sure else mining.Effort(worlds=3 * level.worlds, first=16)
            return mining.search(view.row, view.seat, digging, seed)
        else:  # one game hangs on what lies in a few piles: more worlds, and more doubt
            effort = search.Effort(worlds=3 * level.worlds, noise=100, gate=2.0, horizon=level.turns, exact=False)
        return search.search(game, view.row, view.seat, effort, seed)

    def _feel(
        self,
        game: Game,
        view: Seen,
        question: str,
        candidates: list[int],
        worth: list[float],
        best: int,
        rng: np.random.Generator,
    ) -> int:
        """The candidate that feels best: its worth as found, the player's tastes, and an error."""
        level = self.level
        scale = 0.1 if game.name == mines.NAME else 1.0
        felt = np.array(worth) + errors(rng, level.carelessness * scale, len(worth))
        if question in ("play", "pass", "give"):
            tastes = errors(np.random.default_rng([view.seat, *view.row["cut"].tolist()]), level.taste * scale, 4)
            suits = [
                (candidate.bit_length() - 1 if question == "pass" else candidate) // game.ranks
                for candidate in candidates
            ]
            felt += tastes[suits]
        felt[np.array(worth) < worth[best] - level.bound * scale] = -np.inf
        return int(np.argmax(felt))


class SimpleBot:
    """A sensible rule of thumb for every question (`bots/knowing/simple.py`), decided from the own hand in microseconds."""

    def choose(self, view: Seen, question: str, rng: np.random.Generator) -> int:
        """See `Bot`."""
        return int(simple.POLICIES[view.game.name](view.row, view.seat))


BOTS: dict[str, Bot] = {
    "random": RandomBot(),
    "simple": SimpleBot(),
    **{level.name: LevelBot(level) for level in LEVELS},
}


def find_bot(name: object) -> Bot:
    """The bot of this name, or `Unknown` with the names there are."""
    if not isinstance(name, str) or name not in BOTS:
        raise Unknown("bot-unknown", name=repr(name), bots=list(BOTS))
    return BOTS[name]


def find_able_bot(name: object) -> Bot:
    """The bot of this name; `Unknown` if there is none, `Illegal` if it cannot play here, each with its name."""
    bot = find_bot(name)
    if isinstance(bot, LevelBot):
        kernels.require(f"The bot {name} cannot play here")
    return bot


def able() -> list[str]:
    """The names of the bots that can play here, weakest first."""
    return [name for name, bot in BOTS.items() if not (isinstance(bot, LevelBot) and kernels.missing())]
