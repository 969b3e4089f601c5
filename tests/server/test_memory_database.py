"""SQLite in memory: each store has one database, which its connections share."""

import asyncio

from diamonds.server.storage.commit_outcomes import CONFLICT, DONE
from diamonds.server.storage.sqlite import SqliteStore
from diamonds.server.storage.table_data import TableChange
from tests.server.support.live_server import opened_store, run_in_loop
from tests.server.support.stores import commit_each
from tests.server.test_store import NEW_TABLE


def test_memory_database_belongs_to_one_store_and_ends_with_it():
    with opened_store(SqliteStore()) as one, opened_store(SqliteStore()) as other:
        assert [outcome.kind for outcome in commit_each(one, NEW_TABLE)] == [DONE]
        assert one.load("t").header == b"h", "expected the reading threads to use the same database"
        assert [table.table for table in one.summaries_of("ann", 9)] == ["t"], "expected one database for both"
        assert other.load("t") is None
    again = SqliteStore()
    again.path = one.async_store.path
    with opened_store(again) as store:
        assert store.load("t") is None


def test_memory_database_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with opened_store(SqliteStore()) as store:
        commit_each(store, NEW_TABLE)
        assert not store.async_store.path.exists()
        assert [*tmp_path.iterdir()] == []


def test_memory_database_is_read_while_it_is_written():
    async def play() -> tuple[list[str], list[int]]:
        store = SqliteStore()
        await store.open()
        await store.commit(NEW_TABLE)
        entries = [TableChange(table="t", person="ann", n=n, entries=((0, f"a {n}"),), at_ms=5) for n in range(200)]
        writes = [asyncio.create_task(store.commit(entry)) for entry in (*entries, entries[0])]
        found = []
        while not all(write.done() for write in writes):
            loaded = await store.load("t")
            found += [len(loaded.entries), await store.last_entry_by("ann", "t") + 1]
        await store.close()
        return [write.result().kind for write in writes], found

    outcomes, found = run_in_loop(play())
    assert outcomes == [DONE] * 200 + [CONFLICT]
    assert found == sorted(found), "expected readers to see committed changes only"
