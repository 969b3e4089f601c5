"""What a reader is told of clocks, and of who is waited for: the end of every message, for it alone is of the moment at which it is sent."""

from __future__ import annotations

from diamonds.cards import members
from diamonds.server.api.clocks import ClocksInfo, Nudged
from diamonds.server.api.encoding import encode
from diamonds.server.table import clocks
from diamonds.server.table.table import Table


def clocks_told(table: Table) -> bytes:
    """``clocks`` and ``nudges`` of a `Message`, and its closing brace."""
    known = table.clocks
    if known is None and not table.here.nudges:
        return b'"clocks":null,"nudges":[]}'
    nudges = _nudges(table) if table.here.nudges else b"[]"
    if known is None:
        return b'"clocks":null,"nudges":%b}' % nudges
    now, persons = table.here.now(), table.persons
    told = ClocksInfo(
        now,
        [clocks.left(known, seat, now) if seat in persons else None for seat in range(table.header.seats)],
        list(members(known.runs)),
        list(known.outs),
        list(members(known.lost)),
        known.paused,
    )
    return b'"clocks":%b,"nudges":%b}' % (encode(told), nudges)


def _nudges(table: Table) -> bytes:
    """Whoever is reminded of a question that is still open."""
    state, since = table.play.state, table.play.open_since
    to_act = 0 if state is None else int(state["to_act"])
    return encode(
        [Nudged(seat, by) for (by, seat), n in table.here.nudges.items() if to_act >> seat & 1 and since[seat] == n]
    )
