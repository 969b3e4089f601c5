"""Table summaries: this member's loaded tables, sent to the lobby owner whenever they change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from diamonds.server.api.codec import encode
from diamonds.server.api.moderation import ModeratorTableInfo
from diamonds.server.api.summaries import LoadedTableSummary
from diamonds.server.cluster.notices import SummariesChanged
from diamonds.server.lobby.public_table_list import lobby_table_info, row_signature
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.listing import is_listed, loaded_summary
from diamonds.server.tables.service import TableObserver, TableService

if TYPE_CHECKING:
    from diamonds.server.cluster.cluster import Cluster

COALESCE_S = 0.1
SWEEP_INTERVAL_S = 5.0  # how often tables are checked for removal from the list

_decode_summary = msgspec.json.Decoder(LoadedTableSummary).decode


def moderator_table_info(table: Table) -> ModeratorTableInfo | None:
    """Return a table as moderators see it; `None` if it is over, closed or without people."""
    if table.is_over or table.seating.closed_reason or not (table.presence.has_viewers or table.people_seats):
        return None
    named_holders = zip(table.seating.seats, table.seat_names(), strict=True)
    return ModeratorTableInfo(
        table.id,
        table.header.game,
        table.phase,  # type: ignore[arg-type]
        table.header.private,
        ["" if holder.kind == "open" else name for holder, name in named_holders],
        table.presence.spectators,
        table.header.created,
    )


def loaded_table_summary(table: Table) -> LoadedTableSummary:
    """Return the summary of a loaded table."""
    lobby = encode(lobby_table_info(table)) if is_listed(table) else b""
    return LoadedTableSummary(
        loaded_summary(table, ""),
        msgspec.Raw(lobby or b'""'),
        moderator_table_info(table),
        sorted(table.presence.connected_seats),
    )


class SummaryReporter(TableObserver):
    """A sender of summaries of this member's tables to the lobby owner."""

    def __init__(self, tables: TableService, cluster: Cluster) -> None:
        self.tables, self.cluster = tables, cluster
        self._dirty: set[str] = set()
        self._sent: dict[str, bytes] = {}
        self._signatures: dict[str, tuple[int | bytes, str]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._sweep_timer: asyncio.TimerHandle | None = None
        tables.observers.append(self)

    def open(self) -> None:
        """Regularly check for tables that everyone has left."""
        self._sweep_timer = asyncio.get_running_loop().call_later(SWEEP_INTERVAL_S, self._sweep)

    def close(self) -> None:
        """Stop all timers."""
        for timer in (self._timer, self._sweep_timer):
            if timer is not None:
                timer.cancel()

    def on_change(self, table: Table) -> None:
        """Report a changed summary. Answers alone do not change one."""
        if not self.cluster.owns_lobby and self._signatures.get(table.id) != (signature := row_signature(table)):
            self._signatures[table.id] = signature
            self.mark_dirty(table.id)

    def mark_dirty(self, id: str) -> None:
        """Check a table again soon."""
        self._dirty.add(id)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(COALESCE_S, self._send)

    def send_all(self) -> None:
        """Send all summaries to a new lobby owner."""
        self._sent = {table.id: encode(loaded_table_summary(table)) for table in self.tables.registry.all()}
        self._dirty.clear()
        self.cluster.notify_lobby_owner(
            SummariesChanged([msgspec.Raw(text) for text in self._sent.values()], is_complete=True)
        )

    def _sweep(self) -> None:
        self.open()
        if not self.cluster.owns_lobby:
            for table in self.tables.registry.all():
                if not table.presence.has_viewers:
                    self.mark_dirty(table.id)

    def _send(self) -> None:
        self._timer = None
        dirty, self._dirty = self._dirty, set()
        upserted, removed = [], []
        for id in dirty:
            table = self.tables.registry.get(id)
            text = encode(loaded_table_summary(table)) if table is not None else b""
            if text == self._sent.get(id, b""):
                continue
            if text:
                self._sent[id] = text
                upserted.append(msgspec.Raw(text))
            else:
                del self._sent[id]
                self._signatures.pop(id, None)
                removed.append(id)
        if upserted or removed:
            self.cluster.notify_lobby_owner(SummariesChanged(upserted, removed))


class RemoteSummaries:
    """Summaries of other members' tables, at the lobby owner. `on_change` is called with the ids of changed tables."""

    def __init__(self, summaries: dict[str, LoadedTableSummary], on_change: Callable[[set[str]], None]) -> None:
        self._summaries = summaries
        self._ids_by_member: dict[int, set[str]] = {}
        self._on_change = on_change

    async def receive(self, member: int, notice: SummariesChanged) -> None:
        ids = self._ids_by_member.setdefault(member, set())
        removed = (ids if notice.is_complete else {*notice.removed}) - set()
        touched = {*removed}
        for id in removed & ids:
            self._summaries.pop(id, None)
            ids.discard(id)
        for text in notice.summaries:
            summary = _decode_summary(text)
            self._summaries[summary.summary.id] = summary
            for others in self._ids_by_member.values():
                others.discard(summary.summary.id)
            ids.add(summary.summary.id)
            touched.add(summary.summary.id)
        self._on_change(touched)

    def drop_member(self, member: int) -> None:
        """Drop the summaries of a member that is gone."""
        ids = self._ids_by_member.pop(member, set())
        for id in ids:
            self._summaries.pop(id, None)
        self._on_change(ids)

    def clear(self) -> None:
        """Drop all summaries: this member no longer owns the lobby."""
        for member in [*self._ids_by_member]:
            self.drop_member(member)
