"""The faces of the games in a terminal, by name: the one place here where games are named."""

from __future__ import annotations

from diamonds.game import Game
from diamonds.terminal import crystals, fourteen, mines
from diamonds.terminal.face import PLAIN, Face

FACES = {"crystals": crystals.FACE, "fourteen": fourteen.FACE, "mines": mines.FACE}


def face_of(game: Game) -> Face:
    """A game's own face, or a plain one."""
    return FACES.get(game.name, PLAIN)
