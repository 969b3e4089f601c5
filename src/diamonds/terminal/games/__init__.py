"""The faces of the games in a terminal, by name: the one place here where games are named."""

from __future__ import annotations

from diamonds.game import Game
from diamonds.terminal.games import crystals, fourteen, mines
from diamonds.terminal.games.display import GENERIC_DISPLAY, GameDisplay

DISPLAYS = {"crystals": crystals.DISPLAY, "fourteen": fourteen.DISPLAY, "mines": mines.DISPLAY}


def display_for(game: Game) -> GameDisplay:
    """A game's own face, or a plain one."""
    return DISPLAYS.get(game.name, GENERIC_DISPLAY)
