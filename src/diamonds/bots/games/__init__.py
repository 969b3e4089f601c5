"""Game adapters, found by the game's name. No other module of the bots names a game.

A game without an adapter is played by `random` only. An adapter is a module or package beside this file with a
`GameAdapter` (`adapter`), and an entry in `ADAPTER_MODULES`. A program may add one for a game of its own (`add_adapter`).
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
_added: dict[str, GameAdapter] = {}


def add_adapter(name: str, adapter: GameAdapter) -> None:
    """Let the bots play another game in this process, for example one from the lab."""
    _added[name] = adapter


def has_adapter(game: Game) -> bool:
    """Return whether a game has an adapter."""
    return game.name in ADAPTER_MODULES or game.name in _added


def adapter_for(game: Game) -> GameAdapter:
    """Return a game's adapter, or raise `NotAllowedError`."""
    if not has_adapter(game):
        raise NotAllowedError("bot-rules-alone", game=game.name)
    return _added.get(game.name) or _load_adapter(game.name)


@cache
def _load_adapter(name: str) -> GameAdapter:
    adapter: GameAdapter = import_module(ADAPTER_MODULES[name]).ADAPTER
    return adapter
