"""Five levels of bots, from one that a beginner can beat to the strongest.

All levels see the same view and search in the same way (`diamonds.bots.search.search`), but lower ones search less far
and less accurately, like people. A lower level

* compares the answers in fewer *worlds*, so it overlooks rare cases;
* has a shorter *horizon* in mines, where a game is long: it looks only some turns ahead and does not see the end. All
  levels play out rounds of crystals and hands of fourteen to the end, if only roughly;
* *slips*: it judges each answer's value with an error, whose size each game sets for each level
  (`GameAdapter.level_error_sd`). Answers of similar value are confused often, others seldom;
* has *tastes*, drawn once a game for each seat: it overrates cards of some suits and underrates others throughout the
  game;
* but has *bounds*: it never gives an answer that costs much more than a slip.

A game may have its own search for all levels but the lowest; mines does (`diamonds.bots.games.mines.search_hooks`).

The search is compiled (`diamonds.bots.kernels`). A level waits for the compiler instead of playing differently, so a
seeded game is the same on every machine and every day.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from diamonds.bots import games, kernels, plugins
from diamonds.bots.bot import Bot, BotView, RandomBot, bot_view
from diamonds.bots.games.adapter import NO_PLAN, SearchParams
from diamonds.decisions import bot_bits
from diamonds.errors import InvalidInputError, NotFoundError
from diamonds.game import Game
from diamonds.i18n import Message
from diamonds.records import RecordedGame


class Level(NamedTuple):
    """The name and strength of a level. The horizon is a number of turns, for games that use one; 0 means none."""

    name: str
    worlds: int
    horizon: int = 0
    game_specific: bool = False  # uses the game's own search, if any (`diamonds.bots.games.adapter`)


LEVELS = (
    Level("1", 6, horizon=16),
    Level("2", 12, game_specific=True),
    Level("3", 30, game_specific=True),
    Level("4", 60, game_specific=True),
    Level("5", 600, game_specific=True),
)
SUIT_PREFERENCE_FACTOR = 0.5  # standard deviation of a bot's liking for a suit, relative to that of its slips
MAX_REGRET_FACTOR = 2.5  # maximum cost of an answer, relative to the standard deviation of slips
LEVELS_BELOW_SIMPLE = 1  # this many levels are weaker than `simple` (docs/lab.md)


class LevelBot:
    """A bot of one level, for all games. It keeps no memory, so one bot can play at any number of tables."""

    def __init__(self, level: Level) -> None:
        self.level = level

    def choose(self, view: BotView, question: str, rng: np.random.Generator) -> int:
        """See `diamonds.bots.bot.Bot`."""
        seed = int(rng.integers(2**63))
        return self.choose_with_bits(view, int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]))

    def choose_with_bits(self, view: BotView, bits: int) -> int:
        """Return the answer to the open question of a view, given 64 random bits."""
        kernels.load(view.game)
        from diamonds.bots.search import search

        return search.decide_with_bits(view.game, view.row, view.seat, self.search_params(view.game), bits)[1]

    def search_params(self, game: Game) -> SearchParams:
        """Return how hard this level searches in a game, and how large its errors are."""
        level, adapter = self.level, games.adapter_for(game)
        error_sd = adapter.level_error_sd[LEVELS.index(level)]
        is_error_free = error_sd == 0  # such a level solves the last tricks exactly where all cards are known
        params = adapter.search_params(level.worlds, level.horizon, is_error_free, level.game_specific)
        return params._replace(
            error_sd=error_sd,
            suit_preference_sd=SUIT_PREFERENCE_FACTOR * error_sd,
            max_regret=MAX_REGRET_FACTOR * error_sd,
        )


class HeuristicBot:
    """A bot that answers every question by a rule of thumb (`GameAdapter.heuristic_answer`), in microseconds."""

    def choose(self, view: BotView, question: str, rng: np.random.Generator) -> int:
        """See `Bot`."""
        return int(games.adapter_for(view.game).heuristic_answer(view.row, view.seat, NO_PLAN))


BOTS: dict[str, Bot] = {
    "random": RandomBot(),
    **{level.name: LevelBot(level) for level in LEVELS[:LEVELS_BELOW_SIMPLE]},
    "simple": HeuristicBot(),
    **{level.name: LevelBot(level) for level in LEVELS[LEVELS_BELOW_SIMPLE:]},
}


def find_bot(name: object) -> Bot:
    """Return the bot of this name: one of `BOTS`, or a plug-in bot, whose code is loaded (`diamonds.bots.plugins`).

    Raise `NotFoundError` or another `DiamondsError` otherwise. For names that players send, use `find_level`.
    """
    if isinstance(name, str):
        bot = BOTS.get(name) or plugins.find_plugin_bot(name)
        if bot is not None:
            if "=" in name:
                level_name(name)
            return bot
    raise NotFoundError("bot-unknown-anywhere", name=repr(name)[: plugins.MAX_NAME_CHARS], bots=list(BOTS))


def choose_with_bits(name: str, view: BotView, question: str, bits: int) -> int:
    """Return a bot's answer to the open question of a view, given 64 random bits: the same on servers and devices."""
    found = find_bot(name)
    if isinstance(found, LevelBot):
        return found.choose_with_bits(view, bits)
    return int(found.choose(view, question, np.random.default_rng(bits)))


def answer_in_game(name: str, played: RecordedGame, seat: int, n: int) -> int:
    """Return a bot's answer to the open question of a game, after ``n`` effective answers of the seat."""
    state = played.asked_question.state_for(played.game, seat)
    question = played.game.question(state).name
    return choose_with_bits(name, bot_view(played.game, state, seat), question, bot_bits(played.secret, seat, n))


def bots_version(game: Game) -> str:
    """Return the version of a game's bots, or "" for a game without any."""
    return games.adapter_for(game).bots_version if games.has_adapter(game) else ""


def find_available_bot(name: object, game: Game) -> Bot:
    """Return the bot of this name (`find_bot`). Raise `NotAllowedError` if it cannot play this game here."""
    return _check_available(find_bot(name), name, game)


def find_level(name: object, game: Game) -> Bot:
    """Return the bot of this name among those offered to players (`BOTS`). This never loads code.

    Raise `NotFoundError` if there is none, and `NotAllowedError` if it cannot play this game here.
    """
    if not isinstance(name, str) or name not in BOTS:
        raise NotFoundError("bot-unknown", name=repr(name)[: plugins.MAX_NAME_CHARS], bots=list(BOTS))
    return _check_available(BOTS[name], name, game)


def _check_available(bot: Bot, name: object, game: Game) -> Bot:
    if isinstance(bot, LevelBot | HeuristicBot):
        games.adapter_for(game)
    if isinstance(bot, LevelBot):
        kernels.require(Message("bot-cannot-play", {"name": str(name)}))
    return bot


def level_name(name: str) -> str:
    """Return the name of a bot for tables and records. Raise `InvalidInputError` if a plug-in bot has none."""
    if name in BOTS:
        return name
    level = plugins.PluginBot(name).level
    if level in BOTS:
        raise InvalidInputError("bot-level-taken", level=level, name=plugins.quote_name(name))
    return level


def offer_plugin(name: str) -> None:
    """Offer a plug-in bot to players beside the levels, without loading it.

    Only a server's operator can do this, when the server starts.
    """
    BOTS[level_name(name)] = plugins.PluginBot(name)


def fast_bot_name(game: Game) -> str:
    """Return the best bot that needs no loading to play a game: `simple` with an adapter, else `random`."""
    return "simple" if games.has_adapter(game) else "random"


def available_bots() -> list[str]:
    """Return the names of the bots that can play here, weakest first."""
    return [name for name, bot in BOTS.items() if not (isinstance(bot, LevelBot) and kernels.missing_reason())]
