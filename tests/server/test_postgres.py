"""What only a store in PostgreSQL has to stand: a server that goes away, others who write at the same time, lines that are cut."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import pytest
import schemas
from guests import Apart, Asked
from stores import Place, commit, together
from test_store import ANN, NEW, played
from wire import FAR, LATE, NEAR, Wire

from diamonds.server.store import schema
from diamonds.server.store.accounts import AccountChange
from diamonds.server.store.contract import DONE, Change, Refusal, Unavailable
from diamonds.server.store.postgres_connection import Connection

pytestmark = pytest.mark.later


@pytest.fixture
def place(cluster: Any) -> Iterator[Place]:
    """An empty database."""
    with Apart() as apart:
        place = Place("postgresql", cluster.empty_database(), apart)
        yield place
        place.close()


def entry(n: int, **more: Any) -> Change:
    return Change(table="t", n=n, entries=((0, f"a {n}"),), at=5, **more)


def written(store: Asked) -> list[str]:
    return [words for _, words, *_ in store.load("t").entries]


def refused(place: Place, **more: Any) -> str:
    with pytest.raises(Refusal) as refusal:
        place.open(**more)
    return str(refusal.value)


# What is refused


def test_a_database_of_a_newer_schema_is_refused_and_left_alone(place):
    place.open()
    place.close()
    newer = schema.VERSION + 1
    place.sql(f"UPDATE meta SET value = {newer} WHERE key = 'schema'")
    assert "newer Diamonds" in refused(place)
    assert place.sql("SELECT value FROM meta WHERE key = 'schema'") == [(newer,)]


def test_an_older_schema_is_brought_forward_once_by_however_many_open_it(place, monkeypatch):
    place.open()
    schemas.add_a_newer_one(monkeypatch)
    stores = [type(place.open().real)(place.at) for _ in range(3)]

    async def together() -> None:
        await asyncio.gather(*(store.open() for store in stores))
        await asyncio.gather(*(store.close() for store in stores))

    place.apart.run(together())
    assert place.sql("SELECT value FROM meta WHERE key = 'schema'") == [(schema.VERSION,)]
    assert place.sql("SELECT count(colour) FROM display_names") == [(0,)]


@pytest.mark.parametrize("setting", ["fsync", "full_page_writes"])
def test_a_server_that_does_not_sync_is_refused_in_one_sentence(place, cluster, setting):
    place.sql(f"ALTER SYSTEM SET {setting} = off")
    try:
        cluster.reload(setting, "off")
        assert f"has {setting} off: a power cut would take back what was told." in refused(place)
    finally:
        place.sql("ALTER SYSTEM RESET ALL")
        cluster.reload(setting, "on")
    place.open()


def test_a_database_that_answers_before_it_has_synced_is_refused(place):
    place.at = f"{place.at}&options=-c%20synchronous_commit%3Doff"
    assert "has synchronous_commit off" in refused(place)


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ann:hush-hush@/{database}?host={folder}-gone",
        "postgresql://ann:hush-hush@[half/of/an/address",
        "host={folder} user=nobody password=hush-hush dbname=none",
        "postgresql://ann@/none?password=hush-hush&nonsense=1",
        "hush-hush",
    ],
)
def test_no_password_is_in_what_is_said_of_an_address(place, cluster, address):
    place.at = address.format(folder=cluster.folder, database="postgres")
    says = refused(place)
    assert "hush" not in says
    assert "\n" not in says


# Several who write


def test_a_store_that_is_closed_has_written_what_it_was_given(place):
    store = place.open().real

    async def last_words() -> Any:
        await store.commit(NEW)
        last = asyncio.ensure_future(store.commit(entry(0)))
        await asyncio.sleep(0)
        await store.close()
        return await last

    assert place.apart.run(last_words()).what == DONE


def test_a_key_that_comes_to_two_processes_at_once_happens_once(place):
    one, other = place.open(), place.open()
    makes = [NEW._replace(table=f"t{k}", reply=b"%d" % k) for k in range(10)]

    async def race() -> list[Any]:
        return await asyncio.gather(*((one, other)[k % 2].real.commit(make) for k, make in enumerate(makes)))

    outcomes = place.apart.run(race())
    assert [outcome.what for outcome in outcomes].count(DONE) == 1
    assert len(one.mine("ann", 99)) == 1


def test_who_joins_people_while_others_play_loses_nothing_of_either(place):
    one, other = place.open(), place.open()
    commit(one, played("t"), ANN)

    async def race() -> list[Any]:
        plays = (other.real.commit(entry(n, person="cat")) for n in range(30))
        return await asyncio.gather(*plays, one.real.commit(AccountChange("ann", joins="ben")))

    assert {outcome.what for outcome in place.apart.run(race())} == {DONE}
    assert len(written(one)) == 30
    assert one.load("t").places == b'["ann","ann"]'


# A server that goes away


@pytest.mark.parametrize("where", [NEAR, FAR])
def test_what_became_of_a_commit_that_was_not_answered_is_found_out(place, cluster, where):
    wire = Wire(cluster.folder)
    place.at = wire.address
    try:
        store = place.open()
        commit(store, NEW)
        wire.cut = where
        assert [outcome.what for outcome in commit(store, entry(0), entry(1))] == [DONE, DONE]
        assert wire.cut == "", "the line was not cut: the test sees too little"
        assert written(store) == ["a 0", "a 1"]
        place.close()
    finally:
        wire.close()


def test_a_commit_that_is_under_way_when_its_line_is_cut_is_waited_for(place, cluster, monkeypatch):
    wire, asked = Wire(cluster.folder), []
    execute = Connection.execute

    def execute_and_let_it_arrive(self: Connection, sql: str, values: Any = ()) -> Any:
        if "pg_xact_status" in sql or (asked and sql.startswith("SELECT value FROM meta WHERE key")):
            asked.append(sql)
        if len(asked) == 2:
            wire.arrives.set()
        return execute(self, sql, values)

    place.at = wire.address
    try:
        store = place.open()
        commit(store, NEW)
        monkeypatch.setattr(Connection, "execute", execute_and_let_it_arrive)
        wire.cut = LATE
        assert [outcome.what for outcome in commit(store, entry(0), entry(1))] == [DONE, DONE]
        assert wire.cut == "", "the line was not cut: the test sees too little"
        assert "pg_xact_status" in asked[1], "what is still under way is taken for lost"
        assert written(store) == ["a 0", "a 1"]
        place.close()
    finally:
        wire.arrives.set()
        wire.close()


@pytest.mark.parametrize("number", ["another's", "nobody's"])
def test_a_commit_is_not_taken_for_another_one_that_has_its_number_after_a_crash(place, cluster, monkeypatch, number):
    wire = Wire(cluster.folder)
    place.at = wire.address
    [(theirs,)] = place.sql("SELECT pg_current_xact_id()::text")  # it is committed
    execute = Connection.execute

    def execute_as_after_a_crash(self: Connection, sql: str, values: Any = ()) -> Any:
        asked = {"another's": theirs, "nobody's": str(1 << 40)}[number]
        return execute(self, sql, (asked,) if "pg_xact_status" in sql else values)

    monkeypatch.setattr(Connection, "execute", execute_as_after_a_crash)
    try:
        store = place.open()
        commit(store, NEW)
        wire.cut = NEAR
        assert [outcome.what for outcome in commit(store, entry(0), entry(1))] == [DONE, DONE]
        assert wire.cut == "", "the line was not cut: the test sees too little"
        assert written(store) == ["a 0", "a 1"], "what was told is not there"
        place.close()
        assert place.sql("SELECT key FROM meta WHERE key LIKE 'commit %'") == [], "who closes leaves something"
    finally:
        wire.close()


def test_a_server_that_crashes_is_waited_for_by_who_reads_and_who_writes(place, cluster):
    store = place.open(patience=300)
    commit(store, NEW, entry(0))
    cluster.stop()

    async def away() -> list[Any]:
        waiting = [asyncio.ensure_future(task) for task in (store.real.commit(entry(1)), store.real.names(["ann"]))]
        await asyncio.to_thread(cluster.start)
        return await asyncio.gather(*waiting)

    outcome, names = place.apart.run(away())
    assert (outcome.what, names) == (DONE, {})
    assert written(store) == ["a 0", "a 1"]


def test_who_waits_too_long_is_told_that_nothing_has_happened(place, cluster, capfd):
    store = place.open(patience=0)
    commit(store, NEW)
    cluster.stop()
    try:
        for ask in (lambda: store.commit(entry(0)), lambda: store.load("t"), lambda: store.accounts.account("ann")):
            with pytest.raises(Unavailable):
                ask()
    finally:
        cluster.start()
    commit(store, entry(0))
    assert written(store) == ["a 0"]
    assert "Nothing can be written" in capfd.readouterr().err


def test_what_cannot_be_written_harms_nobody_who_writes_at_the_same_time(place, capfd):
    store = place.open()
    commit(store, NEW, NEW._replace(table="u", key="another"))
    bad = entry(0)._replace(entries=((1 << 70, "a 0"),), table="u")

    first, wrong, last = together(store, entry(0), bad, entry(1))
    assert (first.what, last.what) == (DONE, DONE)
    assert isinstance(wrong, Unavailable)
    assert re.fullmatch(r"Something could not be written: [^\n]*\n", capfd.readouterr().err)
