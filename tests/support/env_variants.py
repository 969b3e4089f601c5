"""Short variants for tests of the adapters to other frameworks, with the expected rewards."""

from __future__ import annotations

from typing import Any

import numpy as np

from diamonds import views
from diamonds.game import GAMES, Game
from tests.support.random_positions import Variant


def make_variant(game: str, seats: int, **options: Any) -> Variant:
    return Variant(GAMES[game], seats, GAMES[game].check_options(seats, options))


ENV_VARIANTS = [
    make_variant("crystals", 4, rounds=2), make_variant("crystals", 2),
    make_variant("crystals", 3, perfect=True, thief=True, rounds=3),
    make_variant("crystals", 6, partnership=True, team_start=3, rounds=2), make_variant("fourteen", 4, target=10),
    make_variant("fourteen", 3, scoring="bid", bids="sealed", match="last_two", target=10),
    make_variant("fourteen", 6, scoring="tricks", target=10), make_variant("mines", 2),
    make_variant("mines", 2, defence="ranked"),
]  # fmt: skip
ENV_VARIANT_NAMES = [str(v) for v in ENV_VARIANTS]


def expected_rewards(game: Game, state: np.void, reward: str) -> list[float]:
    """Return the reward of each seat at the end of a game, derived from `Game.result`."""
    result, seats = game.result(state), range(int(state["seats"]))
    if reward == "score":
        return [float(score) for score in result["scores"]]
    if reward == "win":
        pot = len(seats) / len(result["winners"])
        return [(pot if seat in result["winners"] else 0.0) - 1.0 for seat in seats]
    teams = views.view_data(game, state)["team"]
    return [
        result["scores"][seat] - float(np.mean([result["scores"][o] for o in seats if teams[o] != teams[seat]]))
        for seat in seats
    ]
