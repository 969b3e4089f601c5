"""Live clocks that are suggested, by game and seats: so many seconds for each decision that one has in a game, half of them at the start."""

from __future__ import annotations

from diamonds.server.api.clocks import Clock

# Decisions of one person in a game by the usual rules, a run of questions being one: measured in games among bots of level `simple`.
DECISIONS: dict[str, dict[int, int]] = {
    "crystals": {2: 42, 3: 65, 4: 43, 5: 54, 6: 66},
    "fourteen": {3: 115, 4: 115, 5: 115, 6: 115},
    "mines": {2: 20},
}
OTHERS = 50  # in a game that nobody has measured
SECONDS = {"fast": 6, "normal": 12, "slow": 30}  # for each decision
STEP = 30  # seconds, by which the times at the start differ


def presets(game: str, seats: int) -> dict[str, Clock]:
    """The suggested clocks of a game, by name."""
    decisions = DECISIONS.get(game, {}).get(seats, OTHERS)
    return {name: Clock(-(-decisions * each // 2 // STEP) * STEP, each // 2) for name, each in SECONDS.items()}
