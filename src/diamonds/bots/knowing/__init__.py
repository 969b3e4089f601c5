"""What bots know of each game, found by the game's name: the one place among bots where games are named.

A game that nobody has told bots about is played by `random` alone. To tell them: a folder beside this file that gives a
`Knowledge` (`contract`), and a line in `GAMES`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from diamonds.bots.knowing.contract import Knowledge
from diamonds.game import Game, Illegal

GAMES = {
    "crystals": "diamonds.bots.knowing.crystals",
    "fourteen": "diamonds.bots.knowing.fourteen",
    "mines": "diamonds.bots.knowing.mines",
}


def is_known(game: Game) -> bool:
    """Whether bots know more of a game than its rules."""
    return game.name in GAMES


def of(game: Game) -> Knowledge:
    """What is known of a game; `Illegal` if nothing is."""
    if not is_known(game):
        raise Illegal("bot-rules-alone", game=game.name)
    return _of(game.name)


@cache
def _of(name: str) -> Knowledge:
    found: Knowledge = import_module(GAMES[name]).KNOWLEDGE
    return found
