# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, no-check-untyped-defs
"""Selection of the reason to show for or against an answer, compiled."""

import numpy as np

from diamonds.bots.games.reason_kinds import MAX_REASON_VALUES, MAX_REASONS, MIN_REASON_WEIGHT, REASON_COLUMNS

FOR, AGAINST = 1, -1  # reasons for an answer, or against it
CONTRAST = 2  # sentences about what is wrong with the rival
SELECTED_COLUMNS = 1 + MAX_REASON_VALUES  # number of the reason, and its values


def select_reason(v, own_seat, candidate, counts, rival, rival_counts, side, write_reasons, selected):
    """Select the heaviest reason of a kind (``side``) for an answer compared with a rival; return whether there is one.

    ``counts`` and ``rival_counts`` are the events counted after both; ``write_reasons`` lists all reasons
    (`GameAdapter.write_reasons`). The reason's numbers go to ``selected``.
    """
    reason_rows = np.zeros((MAX_REASONS, REASON_COLUMNS))
    reason_count = write_reasons(v, own_seat, candidate, counts, rival, counts - rival_counts, reason_rows)
    heaviest, weight, sign = -1, MIN_REASON_WEIGHT, AGAINST if side == AGAINST else FOR
    for k in range(reason_count):
        if (reason_rows[k, REASON_COLUMNS - 1] != 0) != (side == CONTRAST):
            continue
        if sign * reason_rows[k, 0] >= weight and (heaviest < 0 or sign * reason_rows[k, 0] > weight):
            heaviest, weight = k, sign * reason_rows[k, 0]
    if heaviest < 0:
        return False
    for part in range(SELECTED_COLUMNS):
        selected[part] = int(reason_rows[heaviest, part + 1])
    return True
