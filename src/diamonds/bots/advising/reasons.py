"""Why an answer is good, from what the playouts after it led to and from what the own hand shows.

Each game has its own reasons (`Knowledge.reasons`); the heaviest few are told.
"""

from __future__ import annotations

import numpy as np

from diamonds.bots import knowing
from diamonds.bots.knowing.contract import Knowledge
from diamonds.bots.knowing.reasoning import VALUES, type_of_counts
from diamonds.bots.thinking.because import MOST, TOLD, because
from diamonds.cards import SUIT_LETTERS
from diamonds.fields import SUIT
from diamonds.game import Game
from diamonds.words import Message


def reasons(
    game: Game, row: np.void, seat: int, candidate: int, counts: type_of_counts, rival: int, rivals: type_of_counts
) -> list[Message]:
    """The heaviest reasons for and against an answer, compared with its rival; after what is good, what is bad begins with “but”."""
    known, told = knowing.of(game), np.zeros((MOST, TOLD), np.int64)
    number = because(row, seat, candidate, counts, rival, rivals, known.reasons, told)
    return [_said(known, *map(int, line)) for line in told[:number]]


def _said(known: Knowledge, which: int, *values: int) -> Message:
    """A reason in words."""
    id, named = known.because[which]
    numbers = zip(named, values[:VALUES], strict=False)
    said = {value.name: SUIT_LETTERS[number] if value.kind == SUIT else number for value, number in numbers}
    return Message("hint-but", {"reason": Message(id, said)}) if values[VALUES] else Message(id, said)
