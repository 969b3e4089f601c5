"""Five levels of bots, from one that a beginner can beat to the best there is.

All levels look at the same thing, a view, and think in the same way (`diamonds.bots.thinking.search`), only less far and less
exactly, as people do. A lower level

* compares the answers in fewer *worlds*, so it overlooks what is rare;
* has a nearer *horizon* in mines, where a game is long: it plans so many turns ahead, and is blind to what the end will bring.
  Rounds of crystals and hands of fourteen are thought through to the end by all, however roughly;
* *slips*: it feels each answer's worth only up to an error, of a size that each game has for each level (`Knowledge.slips`).
  Close answers are confused often, distant ones seldom;
* has *tastes*, drawn once a game for each seat: it over-rates cards of some suits and under-rates others, and stays so;
* but has *bounds*: an answer that costs much more than a slip is never given.

A game may have a way of its own, in which all but the lowest think about it: mines has (`diamonds.bots.knowing.mines.digging`).

What they think with is compiled (`diamonds.bots.kernels`). A level that is asked before that is done waits for it: it never
plays otherwise than it does, so a game from a seed is the same game on any machine, on the first day and on the next.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from diamonds.bots import kernels, knowing
from diamonds.bots.bot import Bot, RandomBot, Seen
from diamonds.bots.knowing.contract import AS_IT_COMES, Effort
from diamonds.game import Game, Unknown
from diamonds.words import Message


class Level(NamedTuple):
    """What a level is called, and how it plays. The horizon is so many turns; 0 is the end."""

    name: str
    worlds: int
    horizon: int = 0
    own_way: bool = False  # as a game itself has it, where it has a way of its own (`diamonds.bots.knowing.contract`)


LEVELS = (
    Level("1", 6, horizon=16),
    Level("2", 12, own_way=True),
    Level("3", 30, own_way=True),
    Level("4", 60, own_way=True),
    Level("5", 600, own_way=True),
)
TASTE, BOUND = 0.5, 2.5  # how strong a taste is, and how much an answer may cost, in slips
BELOW = 1  # so many levels are below the rules of thumb (docs/lab.md)


class LevelBot:
    """A bot of one level, for all games and any number of tables at once: it remembers nothing."""

    def __init__(self, level: Level) -> None:
        self.level = level

    def choose(self, view: Seen, question: str, rng: np.random.Generator) -> int:
        """See `diamonds.bots.bot.Bot`."""
        kernels.load(view.game)
        from diamonds.bots.thinking import search

        seed = int(rng.integers(2**63))
        return search.think(view.game, view.row, view.seat, self.effort(view.game), seed)[1]

    def effort(self, game: Game) -> Effort:
        """How hard this level thinks about a game, and how far it slips."""
        level, known = self.level, knowing.of(game)
        slip = known.slips[LEVELS.index(level)]
        sure = slip == 0  # plays the last tricks out where all cards are known
        effort = known.effort(level.worlds, level.horizon, sure, level.own_way)
        return effort._replace(slip=slip, taste=TASTE * slip, bound=BOUND * slip)


class SimpleBot:
    """A sensible rule of thumb for every question (`Knowledge.choose`), decided from the own hand in microseconds."""

    def choose(self, view: Seen, question: str, rng: np.random.Generator) -> int:
        """See `Bot`."""
        return int(knowing.of(view.game).choose(view.row, view.seat, AS_IT_COMES))


BOTS: dict[str, Bot] = {
    "random": RandomBot(),
    **{level.name: LevelBot(level) for level in LEVELS[:BELOW]},
    "simple": SimpleBot(),
    **{level.name: LevelBot(level) for level in LEVELS[BELOW:]},
}


def find_bot(name: object) -> Bot:
    """The bot of this name, or `Unknown` with the names there are."""
    if not isinstance(name, str) or name not in BOTS:
        raise Unknown("bot-unknown", name=repr(name), bots=list(BOTS))
    return BOTS[name]


def find_able_bot(name: object, game: Game) -> Bot:
    """The bot of this name; `Unknown` if there is none, `Illegal` if it cannot play this game here, each with its name."""
    bot = find_bot(name)
    if not isinstance(bot, RandomBot):
        knowing.of(game)
    if isinstance(bot, LevelBot):
        kernels.require(Message("bot-cannot-play", {"name": name}))
    return bot


def quick_bot(game: Game) -> str:
    """The name of the best bot that plays a game at once: by rules of thumb, where any are known."""
    return "simple" if knowing.is_known(game) else "random"


def able() -> list[str]:
    """The names of the bots that can play here, weakest first."""
    return [name for name, bot in BOTS.items() if not (isinstance(bot, LevelBot) and kernels.missing())]
