"""Five levels of bots, from one that a beginner can beat to the best there is.

All levels look at the same thing, a view, and think in the same way (`diamonds.bots.search.search`), only less far and less
exactly, as people do. A lower level

* compares the answers in fewer *worlds*, so it overlooks what is rare;
* has a nearer *horizon* in mines, where a game is long: it plans so many turns ahead, and is blind to what the end will bring.
  Rounds of crystals and hands of fourteen are thought through to the end by all, however roughly;
* *slips*: it feels each answer's worth only up to an error, of a size that each game has for each level (`GameAdapter.slips`).
  Close answers are confused often, distant ones seldom;
* has *tastes*, drawn once a game for each seat: it over-rates cards of some suits and under-rates others, and stays so;
* but has *bounds*: an answer that costs much more than a slip is never given.

A game may have a way of its own, in which all but the lowest think about it: mines has (`diamonds.bots.games.mines.search_hooks`).

What they think with is compiled (`diamonds.bots.kernels`). A level that is asked before that is done waits for it: it never
plays otherwise than it does, so a game from a seed is the same game on any machine, on the first day and on the next.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from diamonds.bots import games, kernels
from diamonds.bots.bot import Bot, BotView, RandomBot
from diamonds.bots.games.adapter import NO_PLAN, SearchParams
from diamonds.errors import NotFoundError
from diamonds.game import Game
from diamonds.i18n import Message


class Level(NamedTuple):
    """What a level is called, and how it plays. The horizon is so many turns; 0 is the end."""

    name: str
    worlds: int
    horizon: int = 0
    game_specific: bool = (
        False  # as a game itself has it, where it has a way of its own (`diamonds.bots.games.adapter`)
    )


LEVELS = (
    Level("1", 6, horizon=16),
    Level("2", 12, game_specific=True),
    Level("3", 30, game_specific=True),
    Level("4", 60, game_specific=True),
    Level("5", 600, game_specific=True),
)
SUIT_PREFERENCE_FACTOR, MAX_REGRET_FACTOR = 0.5, 2.5  # how strong a taste is, and how much an answer may cost, in slips
LEVELS_BELOW_SIMPLE = 1  # so many levels are below the rules of thumb (docs/measurements.md)


class LevelBot:
    """A bot of one level, for all games and any number of tables at once: it remembers nothing."""

    def __init__(self, level: Level) -> None:
        self.level = level

    def choose(self, view: BotView, question: str, rng: np.random.Generator) -> int:
        """See `diamonds.bots.bot.Bot`."""
        kernels.load(view.game)
        from diamonds.bots.search import search

        seed = int(rng.integers(2**63))
        return search.decide_view(view.game, view.row, view.seat, self.search_params(view.game), seed)[1]

    def search_params(self, game: Game) -> SearchParams:
        """How hard this level thinks about a game, and how far it slips."""
        level, adapter = self.level, games.adapter_for(game)
        error_sd = adapter.level_error_sd[LEVELS.index(level)]
        is_error_free = error_sd == 0  # plays the last tricks out where all cards are known
        params = adapter.search_params(level.worlds, level.horizon, is_error_free, level.game_specific)
        return params._replace(
            error_sd=error_sd,
            suit_preference_sd=SUIT_PREFERENCE_FACTOR * error_sd,
            max_regret=MAX_REGRET_FACTOR * error_sd,
        )


class SimpleBot:
    """A sensible rule of thumb for every question (`GameAdapter.choose`), decided from the own hand in microseconds."""

    def choose(self, view: BotView, question: str, rng: np.random.Generator) -> int:
        """See `Bot`."""
        return int(games.adapter_for(view.game).heuristic_answer(view.row, view.seat, NO_PLAN))


BOTS: dict[str, Bot] = {
    "random": RandomBot(),
    **{level.name: LevelBot(level) for level in LEVELS[:LEVELS_BELOW_SIMPLE]},
    "simple": SimpleBot(),
    **{level.name: LevelBot(level) for level in LEVELS[LEVELS_BELOW_SIMPLE:]},
}


def find_bot(name: object) -> Bot:
    """The bot of this name, or `NotFoundError` with the names there are."""
    if not isinstance(name, str) or name not in BOTS:
        raise NotFoundError("bot-unknown", name=repr(name), bots=list(BOTS))
    return BOTS[name]


def find_available_bot(name: object, game: Game) -> Bot:
    """The bot of this name; `NotFoundError` if there is none, `NotAllowedError` if it cannot play this game here, each with its name."""
    bot = find_bot(name)
    if not isinstance(bot, RandomBot):
        games.adapter_for(game)
    if isinstance(bot, LevelBot):
        kernels.require(Message("bot-cannot-play", {"name": name}))
    return bot


def fast_bot_name(game: Game) -> str:
    """The name of the best bot that plays a game at once: by rules of thumb, where any are known."""
    return "simple" if games.has_adapter(game) else "random"


def available_bots() -> list[str]:
    """The names of the bots that can play here, weakest first."""
    return [name for name, bot in BOTS.items() if not (isinstance(bot, LevelBot) and kernels.missing_reason())]
