"""What a reader is told of a table's clocks: the end of every message, for it alone is of the moment at which it is sent."""

from __future__ import annotations

from diamonds.cards import members
from diamonds.server.api.clocks import ClocksInfo
from diamonds.server.api.encoding import encode
from diamonds.server.table import clocks
from diamonds.server.table.table import Table


def clocks_told(table: Table) -> bytes:
    """``clocks`` of a `Message`, and its closing brace."""
    known = table.clocks
    if known is None:
        return b'"clocks":null}'
    now, persons = table.here.now(), table.persons
    told = ClocksInfo(
        now,
        [clocks.left(known, seat, now) if seat in persons else None for seat in range(table.header.seats)],
        list(members(known.runs)),
        list(known.outs),
        list(members(known.lost)),
        known.paused,
    )
    return b'"clocks":%b}' % encode(told)
