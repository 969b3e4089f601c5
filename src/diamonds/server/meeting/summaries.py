"""Table summaries: this member's loaded tables as the lobby owner lists them, sent when they change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from diamonds.server.api.encoding import encode
from diamonds.server.api.order import HostTable
from diamonds.server.api.summaries import TableSummary
from diamonds.server.cluster.notices import TablesListed
from diamonds.server.house.lobby import is_listed, open_line
from diamonds.server.house.tables import Tables
from diamonds.server.meeting.board import lobby_table, mark_of
from diamonds.server.table.table import Table

if TYPE_CHECKING:
    from diamonds.server.cluster.cluster import Cluster

GATHER_S = 0.1
LOOK_INTERVAL_S = 5.0  # tables that were left come off the list

_decode = msgspec.json.Decoder(TableSummary).decode


def moderators_line(table: Table) -> HostTable | None:
    """A table as moderators see it; ``None`` if no person is there."""
    if table.over or table.places.closed or not (table.here.is_read or table.persons):
        return None
    places = zip(table.places.seats, table.seat_names(), strict=True)
    return HostTable(
        table.id,
        table.header.game,
        table.phase,  # type: ignore[arg-type]
        table.header.private,
        ["" if place.kind == "open" else name for place, name in places],
        table.here.watching,
        table.header.created,
    )


def summary_of(table: Table) -> TableSummary:
    """Return the summary of a loaded table."""
    lobby = encode(lobby_table(table)) if is_listed(table) else b""
    return TableSummary(
        open_line(table, ""), msgspec.Raw(lobby or b'""'), moderators_line(table), sorted(table.here.seats)
    )


class SummaryReporter:
    """Sends summaries of this member's tables to the lobby owner."""

    def __init__(self, tables: Tables, cluster: Cluster) -> None:
        self.tables, self.cluster = tables, cluster
        self._dirty: set[str] = set()
        self._sent: dict[str, bytes] = {}
        self._marks: dict[str, tuple[int | bytes, str]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._look: asyncio.TimerHandle | None = None
        tables.watchers.append(self)

    def open(self) -> None:
        """Look for tables that were left from now on."""
        self._look = asyncio.get_running_loop().call_later(LOOK_INTERVAL_S, self._look_round)

    def close(self) -> None:
        """The server stops."""
        for timer in (self._timer, self._look):
            if timer is not None:
                timer.cancel()

    def changed(self, table: Table) -> None:
        """See `Watcher`. An answer alone changes nothing that is in a summary."""
        mark = mark_of(table)
        if not self.cluster.has_lobby and self._marks.get(table.id) != mark:
            self._marks[table.id] = mark
            self.touch(table.id)

    def sat_down(self, people: Sequence[str]) -> None:
        """See `Watcher`."""

    def touch(self, id: str) -> None:
        """Look at a table again soon."""
        self._dirty.add(id)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(GATHER_S, self._send)

    def send_all(self) -> None:
        """The lobby has another owner: it is told of all tables."""
        self._sent = {table.id: encode(summary_of(table)) for table in self.tables.shelf.all()}
        self._dirty.clear()
        self.cluster.tell_lobby(TablesListed([msgspec.Raw(text) for text in self._sent.values()], whole=True))

    def _look_round(self) -> None:
        self.open()
        if not self.cluster.has_lobby:
            for table in self.tables.shelf.all():
                if not table.here.is_read:
                    self.touch(table.id)

    def _send(self) -> None:
        self._timer = None
        dirty, self._dirty = self._dirty, set()
        new, gone = [], []
        for id in dirty:
            table = self.tables.shelf.get(id)
            text = encode(summary_of(table)) if table is not None else b""
            if text == self._sent.get(id, b""):
                continue
            if text:
                self._sent[id] = text
                new.append(msgspec.Raw(text))
            else:
                del self._sent[id]
                self._marks.pop(id, None)
                gone.append(id)
        if new or gone:
            self.cluster.tell_lobby(TablesListed(new, gone))


class SummaryList:
    """Summaries of other members' tables, at the lobby owner. ``changed`` is told which tables' have changed."""

    def __init__(self, summaries: dict[str, TableSummary], changed: Callable[[set[str]], None]) -> None:
        self._summaries = summaries
        self._of: dict[int, set[str]] = {}
        self._changed = changed

    async def receive(self, member: int, notice: TablesListed) -> None:
        """See `TablesListed`."""
        mine = self._of.setdefault(member, set())
        gone = (mine if notice.whole else {*notice.gone}) - set()
        touched = {*gone}
        for id in gone & mine:
            self._summaries.pop(id, None)
            mine.discard(id)
        for text in notice.tables:
            found = _decode(text)
            self._summaries[found.line.id] = found
            for others in self._of.values():
                others.discard(found.line.id)
            mine.add(found.line.id)
            touched.add(found.line.id)
        self._changed(touched)

    def drop(self, member: int) -> None:
        """A member is gone."""
        gone = self._of.pop(member, set())
        for id in gone:
            self._summaries.pop(id, None)
        self._changed(gone)

    def clear(self) -> None:
        """This member no longer owns the lobby."""
        for member in [*self._of]:
            self.drop(member)
