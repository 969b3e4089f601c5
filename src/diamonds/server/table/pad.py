"""The score pad: what each deal has brought, read off the states in which deals ended, as far as its reader may see them."""

from __future__ import annotations

import numpy as np

from diamonds import views
from diamonds.game import Game
from diamonds.server.api import messages
from diamonds.server.table.table import Table


def pad(table: Table, seat: int) -> messages.Pad:
    """The deals that are over and stand, as this seat (−1: a spectator) may see them; once the game is over, everything.

    What was hidden when a deal ended is hidden on its line as well: others' vaults (C4), and cards taken where the table does
    not count them (C14).
    """
    game, teams, lines = table.game, list(table.play.team_of), []
    for state in table.play.ends_of_deals():
        seen = state if table.over else views.view(game, state, seat)
        lines.append(messages.PadLine(int(state["deals"]), _noted(game, seen, teams)))
    return messages.Pad(lines)


def _noted(game: Game, row: np.void, teams: list[int]) -> dict[str, object]:
    """What the game notes of a deal, as data."""
    flat: list[int] = np.frombuffer(row.tobytes(), np.int64).tolist()
    return {
        field.name: views.field_data(game, field, flat[start:stop], teams)
        for field, start, stop in views.places(game)
        if field.name in game.pad
    }
