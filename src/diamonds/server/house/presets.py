"""Live clocks that are suggested, by game and seats: so many seconds for each decision that one has in a game, half of them at the start.

Who looks for others names a clock as people do: none, one of those, or a day for each decision.
"""

from __future__ import annotations

from diamonds.game import Game
from diamonds.server.api.clocks import Clock

UNKNOWN = 50  # decisions in a game that nobody has measured
SECONDS = {"fast": 6, "normal": 12, "slow": 30}  # for each decision
STEP = 30  # seconds, by which the times at the start differ


def presets(game: Game, seats: int) -> dict[str, Clock]:
    """The suggested clocks of a game, by name."""
    decisions = game.decisions.get(seats, UNKNOWN)
    return {name: Clock(-(-decisions * each // 2 // STEP) * STEP, each // 2) for name, each in SECONDS.items()}


def clock_called(name: str, game: Game, seats: int) -> Clock | None:
    """The clock of a name (`api.meeting.Timing`) at a table of this game; ``None`` is none."""
    return Clock(days=1) if name == "day" else presets(game, seats).get(name)
