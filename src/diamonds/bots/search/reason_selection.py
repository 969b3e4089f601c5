# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, no-check-untyped-defs
"""The reasons for or against an answer, in order of weight, compiled."""

import numpy as np

from diamonds.bots.games.reason_kinds import MAX_REASON_VALUES, MAX_REASONS, MIN_REASON_WEIGHT, REASON_COLUMNS

FOR, AGAINST = 1, -1  # reasons for an answer, or against it
CONTRAST = 2  # sentences about what is wrong with the rival
SELECTED_COLUMNS = 1 + MAX_REASON_VALUES  # number of the reason, and its values


def rank_reasons(v, own_seat, candidate, counts, rival, rival_counts, side, write_reasons, ranked):
    """Write all reasons of a kind (``side``) for an answer compared with a rival, heaviest first; return their number.

    ``counts`` and ``rival_counts`` are the events counted after both; ``write_reasons`` lists all reasons
    (`GameAdapter.write_reasons`). Each reason's numbers go to a row of ``ranked``.
    """
    reason_rows = np.zeros((MAX_REASONS, REASON_COLUMNS))
    reason_count = write_reasons(v, own_seat, candidate, counts, rival, counts - rival_counts, reason_rows)
    found, sign = 0, AGAINST if side == AGAINST else FOR
    for _ in range(reason_count):
        heaviest, weight = -1, MIN_REASON_WEIGHT
        for k in range(reason_count):
            if (reason_rows[k, REASON_COLUMNS - 1] != 0) != (side == CONTRAST):
                continue
            if sign * reason_rows[k, 0] >= weight and (heaviest < 0 or sign * reason_rows[k, 0] > weight):
                heaviest, weight = k, sign * reason_rows[k, 0]
        if heaviest < 0:
            break
        for part in range(SELECTED_COLUMNS):
            ranked[found, part] = int(reason_rows[heaviest, part + 1])
        reason_rows[heaviest, 0] = 0.0  # too light to be found again
        found += 1
    return found
