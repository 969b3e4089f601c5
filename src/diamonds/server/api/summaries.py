"""Summaries of tables, by which the lobby owner lists tables that other members have loaded."""

from __future__ import annotations

from msgspec import Raw, Struct

from diamonds.server.api.moderation import ModeratorTableInfo
from diamonds.server.api.tables import TableSummary


class LoadedTableSummary(Struct, frozen=True):
    """What lists show of a loaded table. ``lobby_table`` is its `LobbyTableInfo` as JSON while strangers are told of it, else ``""``."""

    summary: TableSummary
    lobby_table: Raw
    moderator_table: ModeratorTableInfo | None
    connected_seats: list[int]  # the seats whose people look at the table

    @property
    def is_listed(self) -> bool:
        """Whether strangers are told of the table."""
        return bytes(self.lobby_table) != b'""'
