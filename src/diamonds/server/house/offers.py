"""What can be played in this house, and against whom."""

from __future__ import annotations

from functools import lru_cache

from diamonds import words
from diamonds.bots import kernels, knowing
from diamonds.bots.levels import BOTS, able
from diamonds.game import Game, all_games
from diamonds.server.api.messages import GameInfo, LevelInfo, OptionInfo
from diamonds.server.house.presets import presets


@lru_cache(maxsize=256)
def game_info(game: Game, language: str = words.FIRST) -> GameInfo:
    """What a form needs to know of a game, in the reader's language."""
    options = [
        OptionInfo(
            option.name,
            list(option.values),
            option.default,
            _called(language, option.name.replace("_", " "), game.name, "option", option.name, "title"),
            {
                value: _called(language, value.replace("_", " "), game.name, "option", option.name, value)
                for value in option.values
                if isinstance(value, str)
            },
            words.say(words.name(game.name, "option", option.name), language=language),
            option.rule,
            list(option.seats),
            {option.needs[0]: option.needs[1]} if option.needs else None,
            {option.default_by[0]: {str(key): each for key, each in option.default_by[1].items()}}
            if option.default_by
            else None,
        )
        for option in game.options
    ]
    says = _called(language, "", game.name, "says")
    title = words.say("game-title", {"game": game.name}, language)
    clocks = {str(seats): presets(game, seats) for seats in game.seats}
    return GameInfo(game.name, title, says, list(game.seats), game.usual_seats, options, clocks)


def _called(language: str, otherwise: str, *parts: str) -> str:
    """What the catalogue says under the id that ``parts`` make; of a game of another package it may know nothing."""
    id = words.name(*parts)
    return words.say(id, language=language) if words.known(id, language) else otherwise


def games(language: str = words.FIRST) -> list[GameInfo]:
    """All games."""
    return [game_info(game, language) for game in all_games()]


def levels(language: str = words.FIRST, anywhere: bool = False) -> list[LevelInfo]:
    """The strengths of bots that can play here, weakest first; or of all that there are ``anywhere``."""
    return [
        LevelInfo(
            name,
            words.say(words.name("bot", name, "title"), language=language),
            words.say(words.name("bot", name, "says"), language=language),
        )
        for name in (BOTS if anywhere else able())
    ]


def missing(language: str = words.FIRST) -> str:
    """Why there are no levels that think ahead; empty where they are."""
    return words.say(*kernels.cannot(), language) if kernels.missing() else ""


def get_ready() -> None:
    """Read now what else would be read when it is first wanted, while everyone waits: catalogues, and what bots know."""
    for language in words.languages():
        games(language)
        levels(language)
    for game in all_games():
        if knowing.is_known(game):
            knowing.of(game)
