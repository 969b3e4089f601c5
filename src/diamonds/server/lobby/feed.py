"""The board in the lobby: which public tables can be joined or watched now, and each change of it, written once for all who read.

A *channel* is what one filter shows: all games, or one. Of thousands of tables it shows those that have been listed longest, so many that
wait and so many that are played, in the order in which they came to be listed: what is shown stays where it is until it goes.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from diamonds.server.api.codec import encode
from diamonds.server.api.lobby import ListedSeekInfo, LobbySeatInfo, LobbyTableInfo
from diamonds.server.api.summaries import LoadedTableSummary
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.core.table_info import time_control_info
from diamonds.server.tables.listing import is_listed

MAX_SHOWN = {"waiting": 40, "playing": 12}  # tables on a channel
MAX_SHOWN_SEEKS = 20  # of those who seek, the oldest


class LobbyPeople(NamedTuple):
    """Who is in the lobby, as a channel tells it: how many seek, how many are here, and the seeks that are shown, the oldest first."""

    seek_count: int = 0
    people_count: int = 0
    seeks: Sequence[ListedSeekInfo] = ()


class LobbyRow:
    """A table as it is written on the board, and what of the table it was written from."""

    __slots__ = ("game", "id", "phase", "signature", "text")

    def __init__(self, table: Table | LoadedTableSummary) -> None:
        if isinstance(table, Table):
            self.id, self.game, self.phase = table.id, table.header.game, table.phase
            self.text = encode(lobby_table_info(table))
        else:
            self.id, self.game, self.phase = table.summary.id, table.summary.game, table.summary.phase
            self.text = bytes(table.lobby_table)
        self.signature: tuple[int | bytes, str] = row_signature(table)


def row_signature(table: Table | LoadedTableSummary) -> tuple[int | bytes, str]:
    """What changes whenever a table's line does. Answers alone change nothing that is on it."""
    if isinstance(table, Table):
        return table.change_counter, table.phase
    return bytes(table.lobby_table), table.summary.phase


def lobby_table_info(table: Table) -> LobbyTableInfo:
    """A public table as the lobby shows it."""
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
        time_control_info(header),
        seat_infos,
        header.created,
    )


class TableListChannel:
    """What one filter shows. ``change`` leads from the version ``before`` to ``version``."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.base_version = self.version = 0
        self.change = b""
        self.rows: dict[str, dict[str, LobbyRow]] = {phase: {} for phase in MAX_SHOWN}
        self._shown: dict[str, LobbyRow] = {}
        self._counts = (0, 0, 0)  # hidden, seeking, here
        self._seeks = b"[]"
        self._snapshot: tuple[int, bytes] = (-1, b"")

    def flush(self, version: int, people: LobbyPeople) -> bool:
        """Write down what has changed since the last time; whether anything has."""
        shown: dict[str, LobbyRow] = {}
        for phase, limit in MAX_SHOWN.items():
            shown |= itertools.islice(self.rows[phase].items(), limit)
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
        """All that is shown, written once for everyone who comes while it is so."""
        if self._snapshot[0] != self.version:
            rows = b",".join(row.text for row in self._shown.values())
            self._snapshot = (self.version, self._event(b'"tables":[%b],"seeks":%b' % (rows, self._seeks)))
        return self._snapshot[1]

    def _event(self, body: bytes) -> bytes:
        values = (self.version, self.version, body, *self._counts)
        return b'id: %d\ndata: {"version":%d,%b,"hidden_count":%d,"seek_count":%d,"people_count":%d}\n\n' % values


class LobbyBoard:
    """All public tables that can be joined or watched. ``find`` gives a table in memory by its name; ``summaries`` are of those that other
    members have loaded."""

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
        """Versions begin here; before anybody reads."""
        self.version = first
        for channel in self.channels.values():
            channel.base_version = channel.version = first

    def mark_dirty(self, table: Table) -> None:
        """Something has happened at a table: it is looked at when the board is written next."""
        row = self.rows.get(table.id)
        if not table.header.private and (row is None or row.signature != row_signature(table)):
            self.dirty.add(table.id)

    def drop_empty(self) -> None:
        """Tables at which nobody looks may have been left for so long that they come off the board."""
        for id in self.rows:
            table = self.find_table(id)
            if id not in self.summaries and (table is None or not table.presence.has_viewers):
                self.dirty.add(id)

    def flush(self, people: LobbyPeople) -> list[TableListChannel]:
        """Write the board anew; the channels that have changed."""
        dirty, self.dirty = self.dirty, set()
        for id in sorted(dirty, key=self._created_at):
            self._update_row(id, self.find_table(id) or self.summaries.get(id))
        self.version += 1
        return [channel for channel in self.channels.values() if channel.flush(self.version, people)]

    def _created_at(self, id: str) -> float:
        table, summary = self.find_table(id), self.summaries.get(id)
        return table.header.created if table else summary.summary.created if summary else 0.0

    def _update_row(self, id: str, table: Table | LoadedTableSummary | None) -> None:
        """One table's line, where it was; at the end if it is new there, or plays by now; or none."""
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
            old.signature = row.signature
            self.rows[id] = old
            return
        for channel in self._channels_of(row):
            if old is not None and old.phase != row.phase:
                del channel.rows[old.phase][id]
            channel.rows[row.phase][id] = row

    def _channels_of(self, row: LobbyRow) -> Iterable[TableListChannel]:
        """Return the channels that show a row. A game that was added since the server opened is only on the channel of all games."""
        return [self.channels[game] for game in ("", row.game) if game in self.channels]
