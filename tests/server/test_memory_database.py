"""SQLite without a folder: one database in memory for each store, which the store's connections share."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from guests import opened, run_apart
from stores import commit
from test_store import NEW

from diamonds.server.store.contract import CONFLICT, DONE, Change
from diamonds.server.store.sqlite import SqliteStore


def test_memory_database_is_one_stores_and_gone_when_it_closes() -> None:
    with opened(SqliteStore()) as one, opened(SqliteStore()) as other:
        assert [outcome.what for outcome in commit(one, NEW)] == [DONE]
        assert one.load("t").header == b"h", "a reading thread has another database"
        assert [table.table for table in one.mine("ann", 9)] == ["t"], "the event loop has another database"
        assert other.load("t") is None
    again = SqliteStore()
    again.path = one.real.path
    with opened(again) as store:
        assert store.load("t") is None


def test_memory_database_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with opened(SqliteStore()) as store:
        commit(store, NEW)
        assert not store.real.path.exists()
        assert [*tmp_path.iterdir()] == []


def test_memory_database_is_read_while_it_is_written() -> None:
    async def play() -> tuple[list[str], list[int]]:
        store = SqliteStore()
        await store.open()
        await store.commit(NEW)
        entries = [Change(table="t", person="ann", n=n, entries=((0, f"a {n}"),), at=5) for n in range(200)]
        writes = [asyncio.create_task(store.commit(entry)) for entry in (*entries, entries[0])]
        found = []
        while not all(write.done() for write in writes):
            loaded = await store.load("t")
            assert loaded is not None
            found += [len(loaded.entries), await store.answered("ann", "t") + 1]
        await store.close()
        return [write.result().what for write in writes], found

    outcomes, found = run_apart(play())
    assert outcomes == [DONE] * 200 + [CONFLICT]
    assert found == sorted(found), "a reader saw what was not committed"
