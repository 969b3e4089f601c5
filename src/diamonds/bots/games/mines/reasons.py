"""Why an answer in mines is good: each reason is worth telling by what it is worth in points."""

from __future__ import annotations

from diamonds.bots.games.mines import playouts
from diamonds.bots.games.reason_kinds import ReasonKind, add_reason

# What is counted: each line a column, the least difference, what one is worth.
COUNT_REASONS = (
    (playouts.COL_OWN_SEVEN, 0.03, 20.0),
    (playouts.COL_OPPONENT_SEVEN, 0.03, -20.0),
    (playouts.COL_OPPONENT_BARRED, 0.03, 20.0),
    (playouts.COL_OWN_BARRED, 0.03, -20.0),
    (playouts.COL_PILES_CONQUERED, 0.15, 2.0),
    (playouts.COL_PILES_LOST, 0.15, -2.0),
    (playouts.COL_CARDS_DUG, 0.5, 0.4),
    (playouts.COL_DIAMONDS_RAIDED, 0.05, 4.0),
    (playouts.COL_DIAMONDS_GIVEN, 0.05, -4.0),
)

# Of each line the reason where there is more of it, and that where there is less.
REASON_KINDS = (
    ReasonKind("hint-seven-more"), ReasonKind("hint-seven-less"),
    ReasonKind("hint-their-seven-more"), ReasonKind("hint-their-seven-less"),
    ReasonKind("hint-barring-more"), ReasonKind("hint-barring-less"),
    ReasonKind("hint-barred-more"), ReasonKind("hint-barred-less"),
    ReasonKind("hint-conquers-more"), ReasonKind("hint-conquers-less"),
    ReasonKind("hint-loses-more"), ReasonKind("hint-loses-less"),
    ReasonKind("hint-digs-more"), ReasonKind("hint-digs-less"),
    ReasonKind("hint-raids-more"), ReasonKind("hint-raids-less"),
    ReasonKind("hint-gives-more"), ReasonKind("hint-gives-less"),
)  # fmt: skip


def write_reasons(v, own_seat, candidate, counts, rival, difference, reason_rows):
    """See `GameAdapter.reasons`."""
    reason_count = 0
    for index, (column, min_difference, worth) in enumerate(COUNT_REASONS):
        change = difference[column]
        if abs(change) >= min_difference:
            reason_count = add_reason(
                reason_rows, reason_count, worth * change, 2 * index + (0 if change > 0 else 1), 0, 0
            )
    return reason_count
