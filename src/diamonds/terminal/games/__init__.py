"""The terminal displays of the games, by name."""

from __future__ import annotations

from diamonds.game import Game
from diamonds.terminal.games import crystals, fourteen, mines
from diamonds.terminal.games.display import GENERIC_DISPLAY, GameDisplay

DISPLAYS = {"crystals": crystals.DISPLAY, "fourteen": fourteen.DISPLAY, "mines": mines.DISPLAY}


def display_for(game: Game) -> GameDisplay:
    """Return a game's own display, or the generic one."""
    return DISPLAYS.get(game.name, GENERIC_DISPLAY)
