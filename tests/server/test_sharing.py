"""What processes that share a database tell each other: who is there, what is true of each, and what has changed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
from collections.abc import Iterator
from typing import Any

import pytest
from guests import PATIENCE, Apart, Asked, until
from stores import Place, commit
from test_store import ANN, NEW, played

from diamonds.server.store import postgres_sharing, sharing_sql
from diamonds.server.store.accounts import AccountChange
from diamonds.server.store.contract import CONFLICT, DONE, Change, Refusal
from diamonds.server.store.postgres_connection import Connection
from diamonds.server.store.sharing import LIVES, Changed, Rung, read_news
from diamonds.server.store.wakeups import CHANNEL

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


def rung(store: Asked) -> list[Rung] | None:
    """What a store hears of next."""
    return store._apart.run(asyncio.wait_for(store.real.sharing.elsewhere(), PATIENCE))  # type: ignore[no-any-return]


def heard(store: Asked) -> Changed | None:
    """The same, read; ``None``: it has to ask."""
    told = rung(store)
    return None if told is None or not all(each.words for each in told) else read_news([each.words for each in told])


def two(place: Place) -> tuple[Asked, Asked]:
    """Two stores at one database, which listen and know the house's keys."""
    one, other = place.open(alone=False), place.open(alone=False)
    assert heard(other) is heard(one) is None, "what was said before is not known"
    for store in (one, other):
        store.sharing.keys((b"k" * 32, b"p" * 32))
    return one, other


def stay(place: Place) -> None:
    """Whoever has signed counts as there for an hour from now on, however busy the machine is."""
    place.sql("UPDATE processes SET seen = clock_timestamp() + interval '1 hour'")


# What has changed


def test_who_changes_something_tells_the_other_processes_and_not_itself(place):
    one, other = two(place)
    commit(one, NEW._replace(changes=7))
    assert heard(other) == Changed({"t": (7, True)}, {}, set(), False)
    commit(other, played("u"), entry(0), entry(0), entry(1, changes=9))
    commit(one, played("v"))
    assert heard(other) == Changed({"v": (0, True)}, {}, set(), False), "who changed a table is told of it"
    told = heard(one)
    assert told is not None
    assert told.tables.keys() <= {"t", "u"}
    commit(one, ANN)
    until(lambda: "ann" in heard(other).people, "somebody is otherwise, and nobody looks")
    commit(one, AccountChange("ann", forget=True))
    assert heard(other) == Changed({}, {"ann": True}, set(), False), (
        "all tables of somebody are changed, and nobody looks"
    )


def test_what_was_not_heard_is_found_by_asking(place):
    one, other = two(place)
    since = other.sharing.news(0).since
    commit(one, NEW._replace(changes=7))
    commit(one, entry(0, changes=8))
    found = other.sharing.news(since)
    assert read_news([words for _, words in found.told]).tables == {"t": (8, True)}
    assert other.sharing.news(found.since).told == [], "what is known is told again"


def test_what_is_committed_while_one_asks_is_told_next_time(place):
    one, other = two(place)
    connection = Connection(str(place.at))
    with connection.transaction():  # it has begun, and has a number, before the other commits
        number = connection.execute("SELECT pg_current_xact_id()::text").get
        sharing_sql.tell(connection, "slow", number, "early:1", CHANNEL, "")
        commit(one, NEW)
        found = other.sharing.news(0)
        assert {word for _, words in found.told for word in words.split()} == {"t:0!"}
    later = other.sharing.news(found.since)
    connection.close()
    assert "early:1" in {words for _, words in later.told}, "what was under way is never told"


def test_who_has_lost_the_line_asks(place, cluster):
    one, _ = two(place)
    cluster.stop()
    cluster.start()
    assert heard(one) is None


def test_more_than_can_be_named_is_asked_for(place, monkeypatch):
    one, other = two(place)
    monkeypatch.setattr(postgres_sharing, "MOST", 100)
    commit(one, NEW._replace(table="t" * 100))
    assert heard(other) is None, "half of it is taken for all"


def test_of_a_table_that_is_known_only_what_is_new_is_read(place):
    store, _ = two(place)
    commit(store, NEW, entry(0), entry(1), entry(2))
    whole, rest = store.load("t"), store.sharing.since("t", 2)
    assert rest == whole._replace(entries=whole.entries[2:])
    assert store.sharing.since("nowhere", 0) is None


def test_an_answer_that_rests_on_seats_which_are_otherwise_by_now_is_not_written(place):
    one, other = two(place)
    commit(one, NEW, Change(table="t", person="ann", places=b"closed", revision=0, phase="playing"))
    [stale, good] = commit(other, entry(0, held=True, revision=0), entry(0, held=True, revision=1))
    assert (stale.what, good.what) == (CONFLICT, DONE)


def test_tables_that_others_may_look_for_are_found(place):
    store, _ = two(place)
    commit(store, NEW, NEW._replace(table="u", key="another-key"), Change(table="t", phase="over"))
    commit(store, NEW._replace(table="w", key="other-key", person="ben", members=("ben",), public=False))
    assert store.sharing.wanted(["t", "u", "w", "nowhere"], [], True) == {"u"}
    assert store.sharing.wanted(["t", "u", "w"], [], False) == set()
    assert store.sharing.wanted(["t", "w"], ["ben"], True) == {"w"}


def test_a_process_with_more_than_a_thousand_connections_hears_as_well(place):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.ExitStack() as stack:
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
        for _ in range(1100):
            stack.callback(os.close, os.open(os.devnull, os.O_RDONLY))
        one, other = two(place)
        commit(one, NEW._replace(changes=7))
        assert heard(other) == Changed({"t": (7, True)}, {}, set(), False)


# Who is there


def test_who_has_signed_is_there_until_it_is_silent_or_goes(place):
    one, other = two(place)
    now = one.sharing.enter("a", "door-a", 5_000)
    assert now == 5_000
    stay(place)
    assert other.sharing.enter("b", "door-b", 900_000) < 900_000, (
        "the house has one time, whatever a machine's clock says"
    )
    assert [(it.id, it.door) for it in other.sharing.sign("b", "door-b", 6_000)[1]] == [
        ("a", "door-a"),
        ("b", "door-b"),
    ]
    place.sql(f"UPDATE processes SET seen = clock_timestamp() - interval '{LIVES} seconds' WHERE id = 'a'")
    assert [it.id for it in other.sharing.sign("b", "door-b", 7_000)[1]] == ["b"]
    place.sql("UPDATE processes SET seen = clock_timestamp() + interval '1 hour' WHERE id = 'b'")
    assert [it.id for it in one.sharing.sign("a", "door-a", 7_000)[1]] == ["a", "b"], (
        "who was silent for a while is somebody else"
    )
    one.sharing.leave("a")
    assert [it.id for it in other.sharing.sign("b", "door-b", 8_000)[1]] == ["b"]


def test_what_somebody_says_is_told_and_goes_with_them(place):
    one, other = two(place)
    one.sharing.enter("a", "", 1)
    other.sharing.enter("b", "", 1)
    stay(place)
    one.sharing.say("a", {"t": b"[0]", "~ann": b"1"})
    other.sharing.say("b", {"t": b"[1]"})
    assert heard(other) == Changed({}, {}, {"t", "~ann"}, False)
    assert sorted(other.sharing.said(["t"])) == [("a", "t", b"[0]"), ("b", "t", b"[1]")]
    one.sharing.say("a", {"t": b""})
    one.sharing.say("nobody", {"t": b"[2]"})
    assert sorted(other.sharing.said(None)) == [("a", "~ann", b"1"), ("b", "t", b"[1]")]
    one.sharing.leave("a")
    assert other.sharing.said(None) == [("b", "t", b"[1]")]


def test_who_has_been_silent_for_long_is_let_go_of(place):
    one, _ = two(place)
    for process in "abc":
        one.sharing.enter(process, "", 1)
    place.sql("UPDATE processes SET seen = seen - interval '2 minutes' WHERE id IN ('a', 'b')")
    assert [it.id for it in one.sharing.sign("c", "", 2)[1]] == ["c"]
    assert place.sql("SELECT id FROM processes") == [("c",)], "the dead are never let go of"


@pytest.mark.parametrize("alone", [True, False])
def test_a_house_of_one_process_and_one_of_several_exclude_each_other(place, alone):
    place.open(alone=alone)
    with pytest.raises(Refusal, match="Another Diamonds is already serving"):
        place.open(alone=not alone)


# What goes along


def test_what_a_commit_adds_to_a_table_comes_along_as_it_is_stored(place):
    one, other = two(place)
    commit(one, NEW)
    assert heard(other) is not None
    commit(one, entry(0, person="ann", key="an-answer", held=True, changes=8))
    [told] = rung(other) or []
    assert [(it.table, it.n, it.revision, it.changes) for it in told.carried] == [("t", 0, 0, 8)]
    assert told.carried[0].entries == other.load("t").entries
    commit(one, Change(table="t", places=b"closed", revision=0, phase="playing"))
    [told] = rung(other) or []
    assert not told.carried, "what changes the seats has to be read"


def test_who_may_only_connect_to_the_database_rings_and_says_nothing(place):
    one, other = two(place)
    place.sql(f"NOTIFY {CHANNEL}, 'somebody 1 t:4000000000 @!ann'")
    assert heard(other) is heard(one) is None, "what anybody says is believed"
    place.sql(f"NOTIFY {CHANNEL}, 'x y z'")
    assert heard(other) is None
    commit(one, NEW._replace(changes=7))
    assert heard(other) == Changed({"t": (7, True)}, {}, set(), False), "who was lied to hears nothing any more"
