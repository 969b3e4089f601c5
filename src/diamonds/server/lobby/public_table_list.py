"""The live lobby list: the public tables to join or watch and their changes, encoded once for all viewers.

A *channel* is what one filter shows: all games, or one. It shows a limited number of waiting and playing tables, the
longest listed first, so a row keeps its place until it disappears. If there are more, tables whose hosts share an
address get a quarter of the places until all others have one, so that nobody fills the list alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from diamonds.server.api.codec import encode
from diamonds.server.api.lobby import ListedSeekInfo, LobbySeatInfo, LobbyTableInfo
from diamonds.server.api.summaries import LoadedTableSummary
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.core.table_info import time_control_info
from diamonds.server.tables.listing import is_listed

MAX_SHOWN = {"waiting": 40, "playing": 12}  # tables per channel and phase
SHARE_OF_ADDRESS = 4  # an address gets a quarter of the places, and more only if others leave some
MAX_SHOWN_SEEKS = 20  # the oldest seeks


class LobbyPeople(NamedTuple):
    """People in the lobby: how many seek, how many are connected, and the seeks shown, oldest first."""

    seek_count: int = 0
    people_count: int = 0
    seeks: Sequence[ListedSeekInfo] = ()


class LobbyRow:
    """A table's encoded row in the list, with the table's signature when it was encoded."""

    __slots__ = ("address", "game", "id", "phase", "signature", "text")

    def __init__(self, table: Table | LoadedTableSummary) -> None:
        if isinstance(table, Table):
            self.id, self.game, self.phase = table.id, table.header.game, table.phase
            self.text = encode(lobby_table_info(table))
            self.address = table.presence.host_address
        else:
            self.id, self.game, self.phase = table.summary.id, table.summary.game, table.summary.phase
            self.text = bytes(table.lobby_table)
            self.address = ""  # known to its owner only
        self.signature: tuple[int | bytes, str] = row_signature(table)


def row_signature(table: Table | LoadedTableSummary) -> tuple[int | bytes, str]:
    """Return a signature that changes whenever a table's row might change. Answers alone do not change it."""
    if isinstance(table, Table):
        return table.change_counter, table.phase
    return bytes(table.lobby_table), table.summary.phase


def lobby_table_info(table: Table) -> LobbyTableInfo:
    """Return a public table as a lobby row."""
    names, connected = table.seat_names(), table.presence.connected_seats
    seat_infos = [
        LobbySeatInfo(
            "kept" if holder.kind == "open" and holder.person else holder.kind,  # type: ignore[arg-type]
            names[seat],
            holder.level or None,
            holder.kind == "bot" or (holder.kind == "person" and seat in connected),
        )
        for seat, holder in enumerate(table.seating.seats)
    ]
    header = table.header
    return LobbyTableInfo(
        table.id,
        header.game,
        header.options,
        table.phase,  # type: ignore[arg-type]
        table.seating.bot_speed,
        time_control_info(header.time_control),
        seat_infos,
        header.created,
    )


def _fair_selection(rows: dict[str, LobbyRow], limit: int) -> dict[str, LobbyRow]:
    """Return the first rows up to a limit; an address gets more rows than its share only if places are left."""
    if len(rows) <= limit:
        return rows
    counts: Counter[str] = Counter()
    first: list[str] = []
    others: list[str] = []
    for id, row in rows.items():
        counts[row.address] += 1
        is_within_share = not row.address or counts[row.address] <= limit // SHARE_OF_ADDRESS
        (first if is_within_share else others).append(id)
    chosen = {*first[:limit], *others[: max(0, limit - len(first))]}
    return {id: row for id, row in rows.items() if id in chosen}


class TableListChannel:
    """The list of tables of one game, and its last change: `change` turns `base_version` into `version`."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.base_version = self.version = 0
        self.change = b""
        self.rows: dict[str, dict[str, LobbyRow]] = {phase: {} for phase in MAX_SHOWN}
        self._shown: dict[str, LobbyRow] = {}
        self._counts = (0, 0, 0)  # numbers of tables hidden, of seeks, and of people connected
        self._seeks = b"[]"
        self._snapshot: tuple[int, bytes] = (-1, b"")

    def flush(self, version: int, people: LobbyPeople) -> bool:
        """Encode the changes since the last flush. Return whether there are any."""
        shown: dict[str, LobbyRow] = {}
        for phase, limit in MAX_SHOWN.items():
            shown |= _fair_selection(self.rows[phase], limit)
        hidden_count = sum(map(len, self.rows.values())) - len(shown)
        upserted = [row.text for id, row in shown.items() if self._shown.get(id) is not row]
        removed = [id for id in self._shown if id not in shown]
        counts = (hidden_count, people.seek_count, people.people_count)
        seeks = encode([seek for seek in people.seeks if not self.game or self.game in seek.games])
        if not upserted and not removed and (counts, seeks) == (self._counts, self._seeks):
            return False
        body = b'"upserted":[%b],"removed":%b' % (b",".join(upserted), encode(removed))
        if seeks != self._seeks:
            body += b',"seeks":' + seeks
        self._shown, self._counts, self._seeks = shown, counts, seeks
        self.base_version, self.version = self.version, version
        self.change = self._event(body)
        return True

    def snapshot(self) -> bytes:
        """Return the whole list, encoded once per version."""
        if self._snapshot[0] != self.version:
            rows = b",".join(row.text for row in self._shown.values())
            self._snapshot = (self.version, self._event(b'"tables":[%b],"seeks":%b' % (rows, self._seeks)))
        return self._snapshot[1]

    def _event(self, body: bytes) -> bytes:
        values = (self.version, self.version, body, *self._counts)
        return b'id: %d\ndata: {"version":%d,%b,"hidden_count":%d,"seek_count":%d,"people_count":%d}\n\n' % values


class PublicTableList:
    """All public tables to join or watch.

    `find_table` returns a loaded table; `summaries` are those of other members.
    """

    def __init__(
        self,
        games: Iterable[str],
        find_table: Callable[[str], Table | None],
        summaries: Mapping[str, LoadedTableSummary],
    ) -> None:
        self.find_table, self.summaries = find_table, summaries
        self.version = 0
        self.channels = {game: TableListChannel(game) for game in ("", *games)}
        self.dirty: set[str] = set()
        self.rows: dict[str, LobbyRow] = {}

    def start_versions(self, first: int) -> None:
        """Set the first version, before anyone reads."""
        self.version = first
        for channel in self.channels.values():
            channel.base_version = channel.version = first

    def mark_dirty(self, table: Table) -> None:
        """Check a changed table at the next flush."""
        row = self.rows.get(table.id)
        if not table.header.private and (row is None or row.signature != row_signature(table)):
            self.dirty.add(table.id)

    def drop_empty(self) -> None:
        """Check tables without viewers, which may have to leave the list."""
        for id in self.rows:
            table = self.find_table(id)
            if id not in self.summaries and (table is None or not table.presence.has_viewers):
                self.dirty.add(id)

    def flush(self, people: LobbyPeople) -> list[TableListChannel]:
        """Update the list, and return the channels that changed."""
        dirty, self.dirty = self.dirty, set()
        for id in sorted(dirty, key=self._created_at):
            self._update_row(id, self.find_table(id) or self.summaries.get(id))
        self.version += 1
        return [channel for channel in self.channels.values() if channel.flush(self.version, people)]

    def _created_at(self, id: str) -> float:
        table, summary = self.find_table(id), self.summaries.get(id)
        return table.header.created if table else summary.summary.created if summary else 0.0

    def _update_row(self, id: str, table: Table | LoadedTableSummary | None) -> None:
        """Update one table's row in place.

        A row that is new or changes phase goes to the end; the row of an unlisted table is removed.
        """
        old = self.rows.get(id)
        if table is None or not (is_listed(table) if isinstance(table, Table) else table.is_listed):
            if old is not None:
                del self.rows[id]
                for channel in self._channels_of(old):
                    del channel.rows[old.phase][id]
            return
        if old is not None and old.signature == row_signature(table):
            return
        row = self.rows[id] = LobbyRow(table)
        if old is not None and old.text == row.text:
            old.signature, old.address = row.signature, row.address
            self.rows[id] = old
            return
        for channel in self._channels_of(row):
            if old is not None and old.phase != row.phase:
                del channel.rows[old.phase][id]
            channel.rows[row.phase][id] = row

    def _channels_of(self, row: LobbyRow) -> Iterable[TableListChannel]:
        """Return the channels that show a row.

        A game added after the server opened appears only on the channel of all games.
        """
        return [self.channels[game] for game in ("", row.game) if game in self.channels]
