"""The stored outcome of a game that has just ended."""

from __future__ import annotations

import msgspec
import numpy as np

from diamonds.server.api.codec import encode
from diamonds.server.storage.table_data import TableChange
from diamonds.server.tables.core.daily import daily_result
from diamonds.server.tables.core.table import Table


class MatchOutcome(msgspec.Struct):
    """The outcome at a table of a duplicate match: the points of each seat, and the winning seats."""

    scores: list[int]
    winners: list[int]


def with_outcome(change: TableChange, table: Table, state: np.void) -> TableChange:
    """Return a change with the outcome of the game, if this state ends it."""
    if not state["over"]:
        return change
    columns = dict(change.columns)
    if table.header.match is not None:
        result = table.game.result(state)
        columns["match_outcome"] = encode(MatchOutcome(result["scores"], result["winners"])).decode()
    if (placing := daily_result(table, state)) is not None:
        columns["daily_place"], columns["daily_points"] = placing
    return change._replace(phase="over", columns=columns)
