"""What bots know of each game, found by the game's name: the one place among bots where games are named.

A game that nobody has told bots about is played by `random` alone. To tell them: a folder beside this file that gives a
`GameAdapter` (`contract`), and a line in `GAMES`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from diamonds.bots.games.adapter import GameAdapter
from diamonds.errors import NotAllowedError
from diamonds.game import Game

ADAPTER_MODULES = {
    "crystals": "diamonds.bots.games.crystals",
    "fourteen": "diamonds.bots.games.fourteen",
    "mines": "diamonds.bots.games.mines",
}


def has_adapter(game: Game) -> bool:
    """Whether bots know more of a game than its rules."""
    return game.name in ADAPTER_MODULES


def adapter_for(game: Game) -> GameAdapter:
    """What is known of a game; `NotAllowedError` if nothing is."""
    if not has_adapter(game):
        raise NotAllowedError("bot-rules-alone", game=game.name)
    return _load_adapter(game.name)


@cache
def _load_adapter(name: str) -> GameAdapter:
    adapter: GameAdapter = import_module(ADAPTER_MODULES[name]).ADAPTER
    return adapter
