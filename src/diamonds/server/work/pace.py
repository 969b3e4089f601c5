"""The pace of a table: on which beat its bots answer.

A bot gives its answer on the first beat after it has found it, counted from when it was asked. So the time that passes tells
nothing of what it holds: neither how long it thought, as long as that is less than a beat, nor whether it had a choice (R5).
"""

from __future__ import annotations

import math

from diamonds.server.table.places import PACES

BEATS = dict(zip(PACES, (0.4, 0.8, 1.8), strict=True))  # seconds
HURRIED = 0.1  # seconds, once the only person has asked to be next: nearly every level has answered by then


def next_beat(asked: float, found: float, beat: float) -> float:
    """When an answer is given that was found at this time: all in seconds of one clock. Without a beat it is given at once."""
    if beat <= 0:
        return found
    return asked + max(1, math.ceil(round((found - asked) / beat, 9))) * beat
