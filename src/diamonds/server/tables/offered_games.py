"""The games, bot levels and suggested time controls that the server offers.

A suggested time control grants a number of seconds per decision in a typical game, half of the total at the start. A
seek names its time control: none, a suggested one, or a day per move.
"""

from __future__ import annotations

from functools import lru_cache

from diamonds import i18n
from diamonds.bots import games, kernels
from diamonds.bots.levels import BOTS, available_bots
from diamonds.bots.plugins import PluginBot
from diamonds.game import Game, all_games
from diamonds.server.api.server_info import BotLevelInfo, GameInfo, GameOptionInfo
from diamonds.server.api.tables import TimeControlInfo

DEFAULT_DECISIONS = 50  # assumed for a game without a measured number
SECONDS_PER_DECISION = {"fast": 6, "normal": 12, "slow": 30}
INITIAL_STEP_S = 30  # initial times are rounded up to multiples of this


def suggested_time_controls(game: Game, seats: int) -> dict[str, TimeControlInfo]:
    """Return the suggested time controls of a game by name."""
    decisions = game.typical_decisions.get(seats, DEFAULT_DECISIONS)
    return {
        name: TimeControlInfo(-(-decisions * seconds // 2 // INITIAL_STEP_S) * INITIAL_STEP_S, seconds // 2)
        for name, seconds in SECONDS_PER_DECISION.items()
    }


def time_control_named(name: str, game: Game, seats: int) -> TimeControlInfo | None:
    """Return the time control that a `TimeControlName` means for a game; `None` for "none"."""
    return TimeControlInfo(days_per_move=1) if name == "day" else suggested_time_controls(game, seats).get(name)


@lru_cache(maxsize=256)
def game_info(game: Game, language: str = i18n.DEFAULT_LANGUAGE) -> GameInfo:
    """Return what a form needs to know about a game, in the reader's language."""
    options = [
        GameOptionInfo(
            option.name,
            list(option.values),
            option.default,
            _label(language, option.name.replace("_", " "), game.name, "option", option.name, "title"),
            {
                value: _label(language, value.replace("_", " "), game.name, "option", option.name, value)
                for value in option.values
                if isinstance(value, str)
            },
            i18n.translate(i18n.message_id(game.name, "option", option.name), language=language),
            option.rule,
            list(option.seats),
            {option.needs[0]: option.needs[1]} if option.needs else None,
            {option.default_from[0]: {str(key): each for key, each in option.default_from[1].items()}}
            if option.default_from
            else None,
        )
        for option in game.options
    ]
    description = _label(language, "", game.name, "says")
    title = i18n.translate("game-title", {"game": game.name}, language)
    clocks = {str(seats): suggested_time_controls(game, seats) for seats in game.seats}
    return GameInfo(game.name, title, description, list(game.seats), game.default_seats, options, clocks)


def _label(language: str, otherwise: str, *parts: str) -> str:
    """Return the catalog text with the id made of `parts`, or `otherwise`: games of other packages may have none."""
    id = i18n.message_id(*parts)
    return i18n.translate(id, language=language) if i18n.has_message(id, language) else otherwise


def game_infos(language: str = i18n.DEFAULT_LANGUAGE) -> list[GameInfo]:
    return [game_info(game, language) for game in all_games()]


def level_infos(language: str = i18n.DEFAULT_LANGUAGE, include_unavailable: bool = False) -> list[BotLevelInfo]:
    """Return the bot levels that can play here, weakest first; with `include_unavailable`, all that exist."""
    names = BOTS if include_unavailable else available_bots()
    return [_level_info(name, language) for name in names]


def _level_info(name: str, language: str) -> BotLevelInfo:
    if isinstance(BOTS[name], PluginBot):
        return BotLevelInfo(name, name, i18n.translate("bot-plugin-says", language=language), True)
    title, description = (
        i18n.translate(i18n.message_id("bot", name, part), language=language) for part in ("title", "says")
    )
    return BotLevelInfo(name, title, description)


def levels_unavailable_reason(language: str = i18n.DEFAULT_LANGUAGE) -> str:
    """Return why the searching levels are unavailable; empty if they are available."""
    return i18n.translate(*kernels.unavailable_message(), language) if kernels.missing_reason() else ""


def warm_up() -> None:
    """Load catalogs and game adapters at start-up, so that no request has to wait for them."""
    for language in i18n.languages():
        game_infos(language)
        level_infos(language)
    for game in all_games():
        if games.has_adapter(game):
            games.adapter_for(game)
