"""The store's contract, of SQLite and of the store that forgets alike: the same changes, the same outcomes, the same tables."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from diamonds.server.store.contract import CONFLICT, DONE, REPEATED, REUSED, Change
from diamonds.server.store.memory import MemoryStore
from diamonds.server.store.sqlite import SqliteStore

STORES = {"sqlite": SqliteStore, "memory": lambda folder: MemoryStore()}


@pytest.fixture(params=STORES)
def store(request: Any, tmp_path: Path) -> Any:
    found = STORES[request.param](tmp_path)
    with asyncio.Runner() as runner:  # one event loop, as in a house
        found.runner = runner
        yield found
    found.close()


def commit(store: Any, *changes: Change) -> list[Any]:
    """What became of the changes, one after the other."""

    async def one_by_one() -> list[Any]:
        return [await store.commit(change) for change in changes]

    return store.runner.run(one_by_one())  # type: ignore[no-any-return]


NEW = Change(
    table="t", person="ann", key="make-key", body=b"make", reply=b"made", header=b"h", public=True, created=1.0,
    places=b"p", members=("ann",), phase="playing",
)  # fmt: skip


def test_entries_keep_their_order_their_time_and_who_sent_them(store):
    first = Change(
        table="t", person="ann", key="k1", body=b"b1", reply=b"r1", n=0, entries=((0, "a 1"), (0, "a 2")), at=5
    )
    second = Change(table="t", n=2, entries=((1, "a 3 by simple"),), at=7, phase="over")
    assert [outcome.what for outcome in commit(store, NEW, first, second)] == [DONE] * 3
    saved = store.load("t")
    assert saved.entries == [
        (0, "a 1", "ann", "k1", 5),
        (0, "a 2", "ann", "", 5),
        (1, "a 3 by simple", "", "", 7),
    ]
    assert (saved.header, saved.places, saved.revision, saved.phase) == (b"h", b"p", 0, "over")
    assert store.load("another") is None


def test_of_two_who_write_the_same_n_one_wins_and_nothing_of_the_other_is_kept(store):
    one = Change(table="t", n=0, entries=((0, "a 1"),), at=5)
    other = one._replace(entries=((1, "a 2"),), places=b"other", revision=0, phase="over", members=("ben",))
    assert [outcome.what for outcome in commit(store, NEW, one, other)] == [DONE, DONE, CONFLICT]
    late = one._replace(n=2)
    assert commit(store, late)[0].what == CONFLICT, "an entry was written after one that is missing"
    saved = store.load("t")
    assert (len(saved.entries), saved.places, saved.phase) == (1, b"p", "playing")
    assert store.mine("ben", 9) == []


def test_new_places_and_their_entries_are_kept_together_or_not_at_all(store):
    seats = Change(table="t", n=0, entries=((1, "seat open"),), at=5, places=b"p2", revision=0, phase="playing")
    stale = seats._replace(n=1, places=b"p3", phase="over")
    assert [outcome.what for outcome in commit(store, NEW, seats, stale)] == [DONE, DONE, CONFLICT]
    saved = store.load("t")
    assert (saved.places, saved.revision, saved.phase, len(saved.entries)) == (b"p2", 1, "playing", 1)


def test_a_key_makes_a_change_happen_once(store):
    entry = Change(table="t", person="ann", key="entry-key", body=b"b", reply=b"r", n=0, entries=((0, "a 1"),), at=5)
    chat = Change(table="t", person="ann", key="chat-key", body=b"c", reply=b"said", chat=("Ann", "Hi", 2.0))
    commit(store, NEW, entry, chat)
    assert commit(store, chat)[0] == (REPEATED, b"said")
    assert commit(store, chat._replace(body=b"else"))[0].what == REUSED
    assert commit(store, NEW._replace(table="t2"))[0] == (REPEATED, b"made")
    assert store.load("t2") is None, "a repetition made another table"
    assert [line[1] for line in store.load("t").chat] == ["Hi"]

    assert store.recall("t", "ann", "entry-key", b"b") == (REPEATED, b"r")
    assert store.recall("t", "ann", "entry-key", b"else").what == REUSED
    assert store.recall("t", "ben", "entry-key", b"b") is None, "a key is its owner's"
    assert store.recall("t2", "ann", "entry-key", b"b") is None, "an entry's key is its table's"
    assert store.recall("", "ann", "make-key", b"make") == (REPEATED, b"made")


def test_ones_own_tables_are_found_the_last_one_first(store):
    tables = [NEW._replace(table=f"t{k}", key="", created=float(k), public=k != 1) for k in range(4)]
    commit(store, *tables, Change(table="t2", phase="over"), Change(table="t0", members=("ben",)))
    mine = store.mine("ann", 9)
    assert [line.table for line in mine] == ["t3", "t2", "t1", "t0"]
    assert [line.table for line in store.mine("ann", 1)] == ["t3"]
    assert [line.table for line in store.mine("ben", 9)] == ["t0"]
    assert (mine[0].header, mine[0].places, mine[0].phase, mine[0].created) == (b"h", b"p", "playing", 3.0)


def test_names_and_the_last_thirty_lines_of_talk_are_kept(store):
    lines = [Change(table="t", chat=("Ann", f"line {k}", float(k))) for k in range(40)]
    commit(store, NEW, *lines, Change(person="ann", name="Ann"), Change(person="ann", name="Anna"))
    assert store.names(["ann", "ben"]) == {"ann": "Anna"}
    assert store.load("t").chat == [("Ann", f"line {k}", float(k)) for k in range(10, 40)]
