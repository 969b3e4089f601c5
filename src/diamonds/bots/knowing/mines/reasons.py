"""Why an answer in mines is good: each reason is worth telling by what it is worth in points."""

from __future__ import annotations

from diamonds.bots.knowing.mines import playouts
from diamonds.bots.knowing.reasoning import Because, note

# What is counted: each line a column, the least difference, what one is worth.
COUNTED = (
    (playouts.SEVEN, 0.03, 20.0),
    (playouts.THEIR_SEVEN, 0.03, -20.0),
    (playouts.BARRING, 0.03, 20.0),
    (playouts.BARRED, 0.03, -20.0),
    (playouts.CONQUERED, 0.15, 2.0),
    (playouts.LOST, 0.15, -2.0),
    (playouts.DUG, 0.5, 0.4),
    (playouts.GOT, 0.05, 4.0),
    (playouts.GAVE, 0.05, -4.0),
)

# Of each line the reason where there is more of it, and that where there is less.
BECAUSE = (
    Because("hint-seven-more"), Because("hint-seven-less"),
    Because("hint-their-seven-more"), Because("hint-their-seven-less"),
    Because("hint-barring-more"), Because("hint-barring-less"),
    Because("hint-barred-more"), Because("hint-barred-less"),
    Because("hint-conquers-more"), Because("hint-conquers-less"),
    Because("hint-loses-more"), Because("hint-loses-less"),
    Because("hint-digs-more"), Because("hint-digs-less"),
    Because("hint-raids-more"), Because("hint-raids-less"),
    Because("hint-gives-more"), Because("hint-gives-less"),
)  # fmt: skip


def reasons(v, me, candidate, counts, rival, more, notes):
    """See `Knowledge.reasons`."""
    noted = 0
    for line, (column, least, worth) in enumerate(COUNTED):
        change = more[column]
        if abs(change) >= least:
            noted = note(notes, noted, worth * change, 2 * line + (0 if change > 0 else 1), 0, 0)
    return noted
