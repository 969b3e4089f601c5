"""Whether what a house holds is whole: its file, by SQLite's own checks, and every stored game, played again by its rules."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Any

import apsw

from diamonds.server.store import copies
from diamonds.server.store.contract import Damaged
from diamonds.server.store.sqlite import SqliteStore
from diamonds.server.table.loading import load


def check(folder: Path, address: str = "") -> dict[str, Any]:
    """Look at one moment of a house, open or closed. It needs as much room again on the disk meanwhile.

    ``address`` is that of its PostgreSQL, if it is kept there; whose files are whole that server knows.
    """
    with copies.moment(folder, address) as copied:
        return _check(copied if address else folder, copied)


def check_backup(file: Path) -> dict[str, Any]:
    """Look at a backup, beside which there has to be room for what it holds."""
    with tempfile.TemporaryDirectory(prefix="check-", dir=file.parent) as made:
        copies.unpack(file, Path(made))
        return _check(Path(made), Path(made))


def _check(folder: Path, copied: Path) -> dict[str, Any]:
    """``folder`` is where the file itself is looked at, which a copy may have mended; ``copied`` is where games are."""
    with copies.reading(folder) as connection:
        faults: list[Any] = connection.execute("PRAGMA integrity_check(20)").fetchall()
    with copies.reading(copied) as connection:
        ids: list[Any] = connection.execute("SELECT id FROM tables ORDER BY created").fetchall()
        lost: list[Any] = connection.execute(
            "SELECT DISTINCT table_id FROM entries WHERE table_id NOT IN (SELECT id FROM tables)"
        ).fetchall()
    damaged = {id: "its entries are there, and it is not" for (id,) in lost}
    entries = asyncio.run(_play_again(copied, [id for (id,) in ids], damaged))
    told = [{"table": id, "why": why} for id, why in damaged.items()]
    return {
        "tables": len(ids),
        "entries": entries,
        "file": [fault for (fault,) in faults if fault != "ok"],
        "damaged": told,
    }


async def _play_again(folder: Path, ids: list[str], damaged: dict[str, str]) -> int:
    """Play all games of a house again. Returns how many entries they have; which are ``damaged``, and why, is added to those."""
    entries = 0
    store = SqliteStore(folder)
    try:
        await store.open()
        for id in ids:
            try:
                saved = await store.load(id)
                assert saved is not None
                load(id, saved)
                entries += len(saved.entries)
            except (Damaged, apsw.Error, ArithmeticError, LookupError, TypeError, ValueError) as error:
                damaged[id] = getattr(error, "why", "") or f"{type(error).__name__}: {error}"
    finally:
        await store.close()
    return entries
