"""Why an answer in mines is good: each reason is worth telling by what it is worth in points."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from diamonds.bots.knowing.mines import playouts
from diamonds.bots.knowing.reasoning import Reason, type_of_counts
from diamonds.words import Message


def reasons(
    row: np.void, seat: int, candidate: int, counts: type_of_counts, rival: int, more: type_of_counts
) -> Iterator[Reason]:
    """See `Knowledge.reasons`."""
    # Each line: column, least difference, weight of one, ids for more and for fewer.
    lines = (
        (playouts.SEVEN, 0.03, 20.0, "hint-seven-more", "hint-seven-less"),
        (
            playouts.THEIR_SEVEN,
            0.03,
            -20.0,
            "hint-their-seven-more",
            "hint-their-seven-less",
        ),
        (playouts.BARRING, 0.03, 20.0, "hint-barring-more", "hint-barring-less"),
        (playouts.BARRED, 0.03, -20.0, "hint-barred-more", "hint-barred-less"),
        (playouts.CONQUERED, 0.15, 2.0, "hint-conquers-more", "hint-conquers-less"),
        (playouts.LOST, 0.15, -2.0, "hint-loses-more", "hint-loses-less"),
        (playouts.DUG, 0.5, 0.4, "hint-digs-more", "hint-digs-less"),
        (playouts.GOT, 0.05, 4.0, "hint-raids-more", "hint-raids-less"),
        (playouts.GAVE, 0.05, -4.0, "hint-gives-more", "hint-gives-less"),
    )
    for column, least, worth, gains, loses in lines:
        change = more[column]
        if abs(change) >= least:
            yield worth * change, Message(gains if change > 0 else loses)
