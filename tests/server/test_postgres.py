"""The PostgreSQL store: outages, concurrent writers, and broken connections."""

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from diamonds.server.storage import schema, tables
from diamonds.server.storage.accounts import AccountChange
from diamonds.server.storage.commit_outcomes import DONE, StoreError, StoreUnavailableError
from diamonds.server.storage.open_store import create_store
from diamonds.server.storage.postgres_connection import PostgresConnection
from diamonds.server.storage.postgres_schema import migrate
from diamonds.server.storage.sqlite import SqliteStore
from diamonds.server.storage.table_data import TableChange
from tests.server import schema_versions
from tests.server.support.client import wait_until
from tests.server.support.live_server import SyncStore, startup_error
from tests.server.support.postgres_cluster import PostgresCluster
from tests.server.support.postgres_proxy import BEFORE_COMMIT, BEFORE_REPLY, DURING_COMMIT, PostgresProxy
from tests.server.support.stores import StoreFixture, commit_each
from tests.server.test_store import ANN_ACCOUNT, NEW_TABLE, stored_table

pytestmark = pytest.mark.later


def one_entry(n: int, **more: Any) -> TableChange:
    return TableChange(table="t", n=n, entries=((0, f"a {n}"),), at_ms=5, **more)


def stored_answers(store: SyncStore) -> list[str]:
    return [words for _, words, *_ in store.load("t").entries]


def open_error(place: StoreFixture, **more: Any) -> str:
    with pytest.raises(StoreError) as refusal:
        place.open(**more)
    return str(refusal.value)


# Rejected databases


def test_newer_schema_is_rejected_and_left_alone(store_fixture):
    store_fixture.open()
    store_fixture.close()
    newer = schema.VERSION + 1
    store_fixture.query(f"UPDATE meta SET value = {newer} WHERE key = 'schema'")
    assert "newer Diamonds" in open_error(store_fixture)
    assert store_fixture.query("SELECT value FROM meta WHERE key = 'schema'") == [(newer,)]


def test_older_schema_is_upgraded_once_by_concurrent_servers(store_fixture, monkeypatch):
    store_fixture.open()
    schema_versions.add_newer_schema(monkeypatch)
    stores = [type(store_fixture.open().async_store)(store_fixture.location) for _ in range(3)]

    async def together() -> None:
        await asyncio.gather(*(store.open() for store in stores))
        await asyncio.gather(*(store.close() for store in stores))

    store_fixture.loop.run(together())
    assert store_fixture.query("SELECT value FROM meta WHERE key = 'schema'") == [(schema.VERSION,)]
    assert store_fixture.query("SELECT count(colour) FROM display_names") == [(0,)]


@pytest.mark.parametrize("setting", ["fsync", "full_page_writes"])
def test_database_without_sync_is_rejected_at_startup(store_fixture, postgres_cluster, setting):
    store_fixture.query(f"ALTER SYSTEM SET {setting} = off")
    try:
        postgres_cluster.reload(setting, "off")
        assert f"has {setting} off: a power failure could lose what players have seen." in open_error(store_fixture)
    finally:
        store_fixture.query("ALTER SYSTEM RESET ALL")
        postgres_cluster.reload(setting, "on")
    store_fixture.open()


def test_database_that_confirms_before_sync_is_rejected(store_fixture):
    store_fixture.location = f"{store_fixture.location}&options=-c%20synchronous_commit%3Doff"
    assert "has synchronous_commit off" in open_error(store_fixture)


@pytest.mark.parametrize("address", [
    "postgresql://ann:hush-hush@/{database}?host={folder}-gone",
    "postgresql://ann:hush-hush@[half/of/an/address",
    "host={folder} user=nobody password=hush-hush dbname=none",
    "postgresql://ann@/none?password=hush-hush&nonsense=1",
    "hush-hush",
])  # fmt: skip
def test_database_address_is_shown_without_password(store_fixture, postgres_cluster, address):
    store_fixture.location = address.format(folder=postgres_cluster.folder, database="postgres")
    says = open_error(store_fixture)
    assert "hush" not in says
    assert "\n" not in says


# Concurrent writers


def test_closing_the_store_writes_everything_submitted(store_fixture):
    store = store_fixture.open().async_store

    async def last_words() -> Any:
        await store.commit(NEW_TABLE)
        last = asyncio.ensure_future(store.commit(one_entry(0)))
        await asyncio.sleep(0)
        await store.close()
        return await last

    assert store_fixture.loop.run(last_words()).kind == DONE


def test_idempotency_key_at_two_members_applies_once(store_fixture):
    one, other = store_fixture.open(), store_fixture.open()
    makes = [NEW_TABLE._replace(table=f"t{k}", reply=b"%d" % k) for k in range(10)]

    async def race() -> list[Any]:
        return await asyncio.gather(*((one, other)[k % 2].async_store.commit(make) for k, make in enumerate(makes)))

    outcomes = store_fixture.loop.run(race())
    assert [outcome.kind for outcome in outcomes].count(DONE) == 1
    assert len(one.summaries_of("ann", 99)) == 1


def test_merging_people_during_play_loses_nothing(store_fixture):
    one, other = store_fixture.open(), store_fixture.open()
    commit_each(one, stored_table("t"), ANN_ACCOUNT)

    async def race() -> list[Any]:
        plays = (other.async_store.commit(one_entry(n, person="cat")) for n in range(30))
        return await asyncio.gather(*plays, one.async_store.commit(AccountChange("ann", merged_guest="ben")))

    assert {outcome.kind for outcome in store_fixture.loop.run(race())} == {DONE}
    assert len(stored_answers(one)) == 30
    assert one.load("t").seating == b'["ann","ann"]'


# Outages


@pytest.fixture
def wire(store_fixture: StoreFixture, postgres_cluster: PostgresCluster) -> Iterator[PostgresProxy]:
    """The connections of stores to the database, which a test can cut."""
    proxy = PostgresProxy(postgres_cluster)
    store_fixture.location = proxy.database_url
    yield proxy
    store_fixture.close()
    proxy.close()


def commit_entries_cut_at(where: str, store: Any, wire: PostgresProxy) -> None:
    """Commit two entries while the connection is cut; both must be reported as done."""
    wire.cut_at = where
    assert [outcome.kind for outcome in commit_each(store, one_entry(0), one_entry(1))] == [DONE, DONE]
    assert wire.cut_at == "", "the connection was not cut, so the test shows nothing"


@pytest.mark.parametrize("where", [BEFORE_COMMIT, BEFORE_REPLY])
def test_unanswered_commit_outcome_is_determined(store_fixture, wire, where):
    store = store_fixture.open()
    commit_each(store, NEW_TABLE)
    commit_entries_cut_at(where, store, wire)
    assert stored_answers(store) == ["a 0", "a 1"]


def test_commit_under_way_on_a_cut_connection_is_awaited(store_fixture, wire, monkeypatch):
    execute, asked = PostgresConnection.execute, []

    def execute_and_let_it_arrive(self: PostgresConnection, sql: str, values: Any = ()) -> Any:
        if "pg_xact_status" in sql or (asked and sql.startswith("SELECT value FROM meta WHERE key")):
            asked.append(sql)
        if len(asked) == 2:
            wire.commit_arrives.set()
        return execute(self, sql, values)

    store = store_fixture.open()
    commit_each(store, NEW_TABLE)
    monkeypatch.setattr(PostgresConnection, "execute", execute_and_let_it_arrive)
    try:
        commit_entries_cut_at(DURING_COMMIT, store, wire)
    finally:
        wire.commit_arrives.set()
    assert "pg_xact_status" in asked[1], "expected a commit under way to be awaited"
    assert stored_answers(store) == ["a 0", "a 1"]


@pytest.mark.parametrize("number", ["another's", "nobody's"])
def test_commit_with_a_reused_number_after_a_crash_is_not_confused(store_fixture, wire, monkeypatch, number):
    [(theirs,)] = store_fixture.query("SELECT pg_current_xact_id()::text")  # this transaction is committed
    execute = PostgresConnection.execute

    def execute_as_after_a_crash(self: PostgresConnection, sql: str, values: Any = ()) -> Any:
        asked = {"another's": theirs, "nobody's": str(1 << 40)}[number]
        return execute(self, sql, (asked,) if "pg_xact_status" in sql else values)

    monkeypatch.setattr(PostgresConnection, "execute", execute_as_after_a_crash)
    store = store_fixture.open()
    commit_each(store, NEW_TABLE)
    commit_entries_cut_at(BEFORE_COMMIT, store, wire)
    assert stored_answers(store) == ["a 0", "a 1"], "expected the acknowledged entry"
    store_fixture.close()
    assert store_fixture.query("SELECT key FROM meta WHERE key LIKE 'commit %'") == [], "expected no leftover"


def test_reads_and_writes_wait_for_a_crashed_database(store_fixture, postgres_cluster):
    store = store_fixture.open(outage_timeout_s=300)
    commit_each(store, NEW_TABLE, one_entry(0))
    postgres_cluster.stop()

    async def away() -> list[Any]:
        waiting = [
            asyncio.ensure_future(task)
            for task in (store.async_store.commit(one_entry(1)), store.async_store.display_names(["ann"]))
        ]
        await asyncio.to_thread(postgres_cluster.start)
        return await asyncio.gather(*waiting)

    outcome, names = store_fixture.loop.run(away())
    assert (outcome.kind, names) == (DONE, {})
    assert stored_answers(store) == ["a 0", "a 1"]


def test_commit_timeout_reports_that_nothing_happened(store_fixture, postgres_cluster, capfd):
    store = store_fixture.open(outage_timeout_s=0)
    commit_each(store, NEW_TABLE)
    postgres_cluster.stop()
    try:
        for ask in (lambda: store.commit(one_entry(0)), lambda: store.load("t"), lambda: store.accounts.account("ann")):
            with pytest.raises(StoreUnavailableError):
                ask()
    finally:
        postgres_cluster.start()
    commit_each(store, one_entry(0))
    assert stored_answers(store) == ["a 0"]
    assert "Cannot write to" in capfd.readouterr().err


# Names and errors


def test_unreachable_database_at_startup_is_one_line_without_password(tmp_path):
    store = f"postgresql://ann:hush-hush@/none?host={tmp_path}"
    says = startup_error("--port", "0", "--data-dir", str(tmp_path), "--database", store)
    assert says.startswith("The store cannot be reached: postgresql://ann@")
    assert "hush" not in says


def test_store_option_selects_the_database(tmp_path):
    found, told = create_store("", None)
    assert (found.folder, told) == (None, "")
    found, told = create_store("", tmp_path)
    assert isinstance(found, SqliteStore)
    assert told == str(tmp_path)
    found, told = create_store("postgresql://ann:hush@db.example:5433/cards?sslmode=require", tmp_path)
    assert told == "postgresql://ann@db.example:5433/cards"


def test_version_counters_are_disjoint_when_members_reserve_together(postgres_cluster):
    store = postgres_cluster.empty_database()
    one, other = PostgresConnection(store, "one"), PostgresConnection(store, "other")
    migrate(one)
    found: list[int] = []

    def reserve() -> None:
        with other.transaction():
            found.append(tables.reserve_counters(other, 10))

    thread = threading.Thread(target=reserve)
    with one.transaction():
        first = tables.reserve_counters(one, 10)
        thread.start()
        waits = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'other' AND wait_event_type = 'Lock'"
        with psycopg.connect(store, autocommit=True) as looks:
            wait_until(lambda: looks.execute(waits).fetchone() == (1,), "expected the second one to wait")
    thread.join()
    one.close()
    other.close()
    assert found == [first + 10], "expected different counters"
