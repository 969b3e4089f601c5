"""Summaries of tables, by which the lobby owner lists tables that other members have loaded."""

from __future__ import annotations

from msgspec import Raw, Struct

from diamonds.server.api.messages import TableLine
from diamonds.server.api.order import HostTable


class TableSummary(Struct, frozen=True):
    """What lists show of a loaded table. ``lobby`` is its `LobbyTable` as JSON while strangers are told of it, else ``""``."""

    line: TableLine
    lobby: Raw
    moderators: HostTable | None
    here: list[int]  # the seats whose people look at the table

    @property
    def listed(self) -> bool:
        """Whether strangers are told of the table."""
        return bytes(self.lobby) != b'""'
