# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, no-check-untyped-defs
"""Which reasons for and against an answer are told, and in which order: in numbers, wherever bots think."""

import numpy as np

from diamonds.bots.knowing.reasoning import MOST_NOTED, NOTE

LEAST = 0.15  # weight below which a reason is not worth telling
MOST = 3  # reasons told
TOLD = NOTE  # numbers of each: which it is, its two values, and whether it begins with “but”


def because(v, me, candidate, counts, rival, rivals, reasons, told):
    """The heaviest reasons, compared with a rival: fills in what is good, then what is bad, whose first begins with “but” if anything
    is good; returns how many. ``counts`` and ``rivals`` are what was heard after both; ``reasons`` finds all (`Knowledge.reasons`)."""
    notes, left = np.zeros((MOST_NOTED, NOTE)), np.zeros(MOST_NOTED)
    noted = reasons(v, me, candidate, counts, rival, counts - rivals, notes)
    for k in range(noted):
        left[k] = abs(notes[k, 0])
    heaviest, number = np.zeros(MOST, np.int64), 0
    while number < MOST:
        best = 0
        for k in range(1, noted):
            if left[k] > left[best]:
                best = k
        if left[best] < LEAST:
            break
        heaviest[number], left[best] = best, 0.0
        number += 1
    place = 0
    for sign in (1.0, -1.0):
        but = 1 if place > 0 else 0
        for k in range(number):
            which = heaviest[k]
            if sign * notes[which, 0] > 0:
                for part in range(1, NOTE):
                    told[place, part - 1] = int(notes[which, part])
                told[place, NOTE - 1] = but
                but = 0
                place += 1
    return number
