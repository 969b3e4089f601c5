"""What can be played in this house, and against whom."""

from __future__ import annotations

from diamonds import words
from diamonds.bots import kernels
from diamonds.bots.levels import BOTS, able
from diamonds.game import Game, all_games
from diamonds.server.api.messages import GameInfo, LevelInfo, OptionInfo

_LEVELS = {
    "random": ("Random", "Plays any card that is allowed."),
    "simple": ("Simple", "Plays by a few sensible rules of thumb."),
}


def game_info(game: Game) -> GameInfo:
    """What a form needs to know of a game."""
    options = [
        OptionInfo(
            option.name,
            list(option.values),
            option.default,
            words.say(words.name(game.name, "option", option.name)),
            option.rule,
            list(option.seats),
            {option.needs[0]: option.needs[1]} if option.needs else None,
            {option.default_by[0]: {str(key): each for key, each in option.default_by[1].items()}}
            if option.default_by
            else None,
        )
        for option in game.options
    ]
    about = words.name(game.name, "says")
    says = words.say(about) if words.known(about) else ""
    return GameInfo(game.name, game.title, says, list(game.seats), game.usual_seats, options)


def games() -> list[GameInfo]:
    """All games."""
    return [game_info(game) for game in all_games()]


def levels() -> list[LevelInfo]:
    """The strengths of bots that can play here, weakest first."""
    found = []
    for name in able():
        bot = BOTS[name]
        title, says = _LEVELS.get(name, (f"Level {name}", "Thinks ahead; the higher the level, the further."))
        found.append(LevelInfo(name, getattr(bot, "title", title), getattr(bot, "says", says)))
    return found


def missing() -> str:
    """Why there are no levels that think ahead; empty where they are."""
    return f"The levels cannot play here: {kernels.missing()}." if kernels.missing() else ""
