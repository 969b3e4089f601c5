# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, no-check-untyped-defs
"""Which reason for an answer, or against it, is told: in numbers, wherever bots think."""

import numpy as np

from diamonds.bots.games.reason_kinds import MAX_REASONS, MIN_REASON_WEIGHT, REASON_COLUMNS

FOR, AGAINST = 1, -1  # which reasons are wanted
SELECTED_COLUMNS = REASON_COLUMNS - 1  # numbers of the reason: which it is, and its two values


def select_reason(v, own_seat, candidate, counts, rival, rival_counts, side, write_reasons, selected):
    """The heaviest reason for or against an answer (``side``), compared with a rival: fills in its numbers; returns whether there is one.
    ``counts`` and ``rival_counts`` are what was heard after both; ``write_reasons`` finds all (`GameAdapter.write_reasons`)."""
    reason_rows = np.zeros((MAX_REASONS, REASON_COLUMNS))
    reason_count = write_reasons(v, own_seat, candidate, counts, rival, counts - rival_counts, reason_rows)
    heaviest, weight = -1, MIN_REASON_WEIGHT
    for k in range(reason_count):
        if side * reason_rows[k, 0] >= weight and (heaviest < 0 or side * reason_rows[k, 0] > weight):
            heaviest, weight = k, side * reason_rows[k, 0]
    if heaviest < 0:
        return False
    for part in range(SELECTED_COLUMNS):
        selected[part] = int(reason_rows[heaviest, part + 1])
    return True
