"""Summaries of loaded tables, from which the lobby owner lists the tables of other members."""

from __future__ import annotations

from msgspec import Raw, Struct

from diamonds.server.api.moderation import ModeratorTableInfo
from diamonds.server.api.tables import TableSummary


class LoadedTableSummary(Struct, frozen=True):
    """A loaded table in lists.

    `lobby_table` is its `LobbyTableInfo` as JSON while it is listed for everyone, else `""`.
    """

    summary: TableSummary
    lobby_table: Raw
    moderator_table: ModeratorTableInfo | None
    connected_seats: list[int]

    @property
    def is_listed(self) -> bool:
        """Return whether the table is listed for everyone."""
        return bytes(self.lobby_table) != b'""'
