"""The interface through which the services of tables use `TableService`, which is made of them."""

from __future__ import annotations

import asyncio
from typing import Protocol

from diamonds.server.storage.store import Store
from diamonds.server.storage.table_data import TableChange
from diamonds.server.tables.core.seating import SeatsAndSettings
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.registry import TableRegistry


class AnswerPlayer(Protocol):
    """The part of `TableActions` that bots and clocks need."""

    async def play_answers(
        self, table: Table, seat: int, n: int, answers: list[str], person: str = "", *, substitute: str = ""
    ) -> bytes: ...


class TableOperations(Protocol):
    """The part of `TableService` that more than one of its services needs. Its methods are described there."""

    store: Store
    registry: TableRegistry

    @property
    def actions(self) -> AnswerPlayer: ...

    def is_current(self, table: Table) -> bool: ...

    def lock(self, table: Table) -> asyncio.Lock: ...

    def touch(self, table: Table, schedule_bots: bool = True) -> None: ...

    def publish(self, table: Table, schedule_bots: bool = True) -> None: ...

    def find_seat(self, table: Table, person: str) -> int: ...

    async def find(self, table_id: str, person: str) -> Table: ...

    async def current_update(self, table: Table, last_n: int | None, person: str) -> bytes: ...

    async def commit(self, table: Table | None, change: TableChange) -> bytes | None: ...

    async def commit_seating(
        self, table: Table, seating: SeatsAndSettings, change: TableChange, paused: bool | None = None
    ) -> bytes: ...
