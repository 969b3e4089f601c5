# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, no-check-untyped-defs
"""Which reasons for and against an answer are told, and in which order: in numbers, wherever bots think."""

import numpy as np

from diamonds.bots.games.reason_kinds import MAX_REASONS, REASON_COLUMNS

MIN_REASON_WEIGHT = 0.15  # weight below which a reason is not worth telling
MAX_SELECTED_REASONS = 3  # reasons told
SELECTED_COLUMNS = REASON_COLUMNS  # numbers of each: which it is, its two values, and whether it begins with “but”


def select_reasons(v, own_seat, candidate, counts, rival, rival_counts, write_reasons, selected):
    """The heaviest reasons, compared with a rival: fills in what is good, then what is bad, whose first begins with “but” if anything
    is good; returns how many. ``counts`` and ``rivals`` are what was heard after both; ``reasons`` finds all (`GameAdapter.reasons`)."""
    reason_rows, left = np.zeros((MAX_REASONS, REASON_COLUMNS)), np.zeros(MAX_REASONS)
    reason_count = write_reasons(v, own_seat, candidate, counts, rival, counts - rival_counts, reason_rows)
    for k in range(reason_count):
        left[k] = abs(reason_rows[k, 0])
    heaviest, number = np.zeros(MAX_SELECTED_REASONS, np.int64), 0
    while number < MAX_SELECTED_REASONS:
        best = 0
        for k in range(1, reason_count):
            if left[k] > left[best]:
                best = k
        if left[best] < MIN_REASON_WEIGHT:
            break
        heaviest[number], left[best] = best, 0.0
        number += 1
    row = 0
    for sign in (1.0, -1.0):
        but = 1 if row > 0 else 0
        for k in range(number):
            index = heaviest[k]
            if sign * reason_rows[index, 0] > 0:
                for part in range(1, REASON_COLUMNS):
                    selected[row, part - 1] = int(reason_rows[index, part])
                selected[row, REASON_COLUMNS - 1] = but
                but = 0
                row += 1
    return number
