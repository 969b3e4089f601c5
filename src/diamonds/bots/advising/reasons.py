"""Why an answer is good, from what the playouts after it led to and from what the own hand shows.

Each game has its own reasons (`Knowledge.reasons`); the heaviest few are told.
"""

from __future__ import annotations

import numpy as np

from diamonds.bots import knowing
from diamonds.bots.knowing.reasoning import type_of_counts
from diamonds.game import Game
from diamonds.words import Message

LEAST = 0.15  # weight below which a reason is not worth telling
MOST = 3  # reasons told


def reasons(
    game: Game, row: np.void, seat: int, candidate: int, counts: type_of_counts, rival: int, rivals: type_of_counts
) -> list[Message]:
    """The heaviest reasons for and against an answer, compared with its rival; after what is good, what is bad begins with “but”."""
    found = list(knowing.of(game).reasons(row, seat, candidate, counts, rival, counts - rivals))
    found = sorted((reason for reason in found if abs(reason[0]) >= LEAST), key=lambda reason: -abs(reason[0]))[:MOST]
    good = [why for weight, why in found if weight > 0]
    bad = [why for weight, why in found if weight < 0]
    return good + ([Message("hint-but", {"reason": bad[0]}), *bad[1:]] if good and bad else bad)
