"""Maintenance: retention, and checks of the data by SQLite and by replaying every stored game."""

from __future__ import annotations

import asyncio
import logging
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw

from diamonds.server.storage import backup
from diamonds.server.storage.accounts import AccountChange
from diamonds.server.storage.commit_outcomes import DamagedTableError
from diamonds.server.storage.moderation import FinishedTableSummary, ModerationChange
from diamonds.server.storage.sqlite import SqliteStore
from diamonds.server.tables.core.loading import load_table
from diamonds.server.tables.service import TableService


def check_integrity(folder: Path, database_url: str = "") -> dict[str, Any]:
    """Check a snapshot of a server, open or closed. The snapshot temporarily needs as much disk space again.

    `database_url` is the address of the server's PostgreSQL, if any; PostgreSQL checks its own files.
    """
    with backup.snapshot(folder, database_url) as snapshot:
        return _check_snapshot(snapshot if database_url else folder, snapshot)


def check_backup(file: Path) -> dict[str, Any]:
    """Check a backup. Its unpacked content needs disk space beside it."""
    with tempfile.TemporaryDirectory(prefix="check-", dir=file.parent) as unpacked:
        backup.unpack(file, Path(unpacked))
        return _check_snapshot(Path(unpacked), Path(unpacked))


def _check_snapshot(folder: Path, snapshot: Path) -> dict[str, Any]:
    """Check the database file in `folder`, which copying might repair, and the games in `snapshot`."""
    with backup.open_for_reading(folder) as connection:
        faults: list[Any] = connection.execute("PRAGMA integrity_check(20)").fetchall()
    with backup.open_for_reading(snapshot) as connection:
        ids: list[Any] = connection.execute("SELECT id FROM tables ORDER BY created").fetchall()
        orphans: list[Any] = connection.execute(
            "SELECT DISTINCT table_id FROM entries WHERE table_id NOT IN (SELECT id FROM tables)"
        ).fetchall()
    damaged = {id: "there are entries without a table" for (id,) in orphans}
    entries = asyncio.run(_replay_all(snapshot, [id for (id,) in ids], damaged))
    damaged_tables = [{"table": id, "why": why} for id, why in damaged.items()]
    return {
        "tables": len(ids),
        "entries": entries,
        "file": [fault for (fault,) in faults if fault != "ok"],
        "damaged": damaged_tables,
    }


async def _replay_all(folder: Path, ids: list[str], damaged: dict[str, str]) -> int:
    """Replay all games of a server; return the number of their entries. Damaged games are added to `damaged`."""
    entries = 0
    store = SqliteStore(folder)
    try:
        await store.open()
        for id in ids:
            try:
                saved = await store.load(id)
                assert saved is not None
                load_table(id, saved)
                entries += len(saved.entries)
            except (DamagedTableError, apsw.Error, ArithmeticError, LookupError, TypeError, ValueError) as error:
                damaged[id] = getattr(error, "detail", "") or f"{type(error).__name__}: {error}"
    finally:
        await store.close()
    return entries


RETENTION_INTERVAL_S = 3600.0  # time between prunings
BATCH_PAUSE_S = 0.05  # pause after each batch, so that others can write
TABLES_PER_BATCH = 20  # tables read per batch
MAX_ENTRIES_PER_BATCH = 5_000  # entries deleted per batch; a larger table is a separate batch
DAY_S = 86_400

log = logging.getLogger("diamonds")


class RetentionJob:
    """A job that deletes guests' games `game_days` after their end and reports `report_days` after they are resolved.

    0 means never.
    """

    def __init__(
        self, tables: TableService, game_days: int, report_days: int = 0, clock: Callable[[], float] = time.time
    ) -> None:
        self.tables, self.store, self.records = tables, tables.store, tables.store.moderation
        self.game_days, self.report_days = game_days, report_days
        self.clock = clock
        self._task: asyncio.Task[None] | None = None

    @property
    def is_running(self) -> bool:
        """Return whether the job was started."""
        return self._task is not None

    def set_periods(self, game_days: int, report_days: int) -> None:
        """Set the retention periods, in days."""
        self.game_days, self.report_days = game_days, report_days
        self.open()

    def open(self) -> None:
        """Start the job, if anything is ever to be deleted."""
        if self._task is None and (self.game_days or self.report_days):
            self._task = asyncio.get_running_loop().create_task(self._run())

    def close(self) -> None:
        """Stop the job."""
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        while True:
            try:
                if self.tables.has_lobby:
                    await self.prune()
            except Exception:
                log.exception("Failed to delete old guest games or reports.")
            await asyncio.sleep(RETENTION_INTERVAL_S)

    async def prune(self) -> int:
        """Delete everything that is due; return the number of deleted tables."""
        if self.report_days:
            due = ModerationChange(prune_reports_before=int(self.clock()) - self.report_days * DAY_S)
            await self.store.commit(AccountChange("", moderation=due))
        return await self._prune_games() if self.game_days else 0

    async def _prune_games(self) -> int:
        before = int(self.clock()) - self.game_days * DAY_S
        await self.store.commit(AccountChange("", moderation=ModerationChange(prune_matches_before=before)))
        after, pruned = (0, ""), 0
        while finished := await self.records.finished_tables(before, after, TABLES_PER_BATCH):
            after = finished[-1].finished_at, finished[-1].table
            for batch in deletion_batches([table_info for table_info in finished if not table_info.has_accounts]):
                tables = tuple(table for table in batch if not self.tables.registry.has(table))
                await self.store.commit(AccountChange("", moderation=ModerationChange(deleted_tables=tables)))
                pruned += len(tables)
                await asyncio.sleep(BATCH_PAUSE_S)
        return pruned


def deletion_batches(due: list[FinishedTableSummary]) -> list[tuple[str, ...]]:
    """Group tables into batches small enough to delete quickly."""
    batches: list[list[str]] = []
    room = 0
    for table in due:
        if table.entry_count > room:
            batches.append([])
            room = MAX_ENTRIES_PER_BATCH
        batches[-1].append(table.table)
        room -= table.entry_count
    return [tuple(batch) for batch in batches]
