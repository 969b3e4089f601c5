"""Why an answer is good, from what the playouts after it led to and from what the own hand shows.

Each game has its own reasons (`GameAdapter.reasons`); the heaviest few are told.
"""

from __future__ import annotations

import numpy as np

from diamonds.bots import games
from diamonds.bots.games.adapter import GameAdapter
from diamonds.bots.games.reason_kinds import MAX_REASON_VALUES, CountArray
from diamonds.bots.search.reason_selection import MAX_SELECTED_REASONS, SELECTED_COLUMNS, select_reasons
from diamonds.cards import SUIT_LETTERS
from diamonds.fields import SUIT
from diamonds.game import Game
from diamonds.i18n import Message


def reason_messages(
    game: Game, row: np.void, seat: int, candidate: int, counts: CountArray, rival: int, rival_counts: CountArray
) -> list[Message]:
    """The heaviest reasons for and against an answer, compared with its rival; after what is good, what is bad begins with “but”."""
    adapter, selected = games.adapter_for(game), np.zeros((MAX_SELECTED_REASONS, SELECTED_COLUMNS), np.int64)
    number = select_reasons(row, seat, candidate, counts, rival, rival_counts, adapter.write_reasons, selected)
    return [_reason_message(adapter, *map(int, row_values)) for row_values in selected[:number]]


def _reason_message(adapter: GameAdapter, index: int, *values: int) -> Message:
    """A reason in words."""
    id, value_kinds = adapter.reason_kinds[index]
    numbers = zip(value_kinds, values[:MAX_REASON_VALUES], strict=False)
    arguments = {value.name: SUIT_LETTERS[number] if value.kind == SUIT else number for value, number in numbers}
    return (
        Message("hint-but", {"reason": Message(id, arguments)}) if values[MAX_REASON_VALUES] else Message(id, arguments)
    )
