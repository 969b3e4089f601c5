"""Reasons for answers in mines, weighted by their effect in percent of the chance to win."""

from __future__ import annotations

from diamonds.bots.games.mines import playouts
from diamonds.bots.games.reason_kinds import ReasonKind, add_reason

# Each line: a column of counts, the least difference to mention, and the value of one.
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

# For each line, a reason for more and a reason for less.
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
    """Write the reasons for an answer; see `GameAdapter.write_reasons`."""
    reason_count = 0
    for index, (column, min_difference, worth) in enumerate(COUNT_REASONS):
        change = difference[column]
        if abs(change) >= min_difference:
            reason_count = add_reason(
                reason_rows, reason_count, worth * change, 2 * index + (0 if change > 0 else 1), 0, 0
            )
    return reason_count
