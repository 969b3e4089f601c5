"""The contract of stores. SQLite and PostgreSQL answer the same changes with the same outcomes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import psycopg
import pytest
from guests import Apart
from stores import Place, commit, together

from diamonds.server.store import failpoints, tables_sql
from diamonds.server.store.accounts import APART, TAKEN, Account, AccountChange, Code, Device, Passkey, today
from diamonds.server.store.books import (
    NOT_INVITED,
    Act,
    BooksChange,
    Finished,
    Invitation,
    Known,
    Report,
    Standing,
    StandingChange,
)
from diamonds.server.store.circles import Circle, CircleChange
from diamonds.server.store.contract import AS_BEFORE, CONFLICT, DONE, REPEATED, REUSED, Change, Unavailable
from diamonds.server.store.lines import Line
from diamonds.server.store.pushes import Call, PushChange, Quiet, Subscription
from diamonds.server.store.sqlite import migrate

pytestmark = pytest.mark.usefixtures("one_day")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.later)])
def place(request: Any, tmp_path: Path) -> Iterator[Place]:
    """Where something is kept."""
    at = request.getfixturevalue("cluster").empty_database() if request.param == "postgresql" else tmp_path
    with Apart() as apart:  # one event loop, as in a house
        place = Place(request.param, at, apart)
        yield place
        place.close()


@pytest.fixture
def store(place: Place) -> Any:
    """An open store of each kind."""
    return place.open()


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


def test_an_answer_costs_sqlite_as_much_in_a_long_game_as_in_a_short_one(tmp_path):
    """Counted in steps of its machine, which are the same wherever it runs."""
    connection = apsw.Connection(":memory:")
    migrate(connection, tmp_path)
    assert tables_sql.applied(connection, NEW, {}).what == DONE
    steps = 0

    def count() -> bool:
        nonlocal steps
        steps += 1
        return False

    taken = []
    connection.set_progress_handler(count, 1)
    for n in range(1_000):
        steps = 0
        answer = Change(table="t", person="ann", key=f"answer-{n}", reply=b"done", n=n, entries=((0, "play H7"),))
        assert tables_sql.applied(connection, answer, {}).what == DONE
        taken.append(steps)
    assert max(taken) <= 2 * min(taken), f"{min(taken)} steps at first, {max(taken)} in the end"


def test_of_two_who_write_the_same_n_one_wins_and_nothing_of_the_other_is_kept(store):
    one = Change(table="t", n=0, entries=((0, "a 1"),), at=5)
    other = one._replace(entries=((1, "a 2"),), places=b"other", revision=0, phase="over", members=("ben",))
    assert [outcome.what for outcome in commit(store, NEW, one, other)] == [DONE, DONE, CONFLICT]
    late = one._replace(n=2)
    assert commit(store, late)[0].what == CONFLICT, "an entry was written after one that is missing"
    saved = store.load("t")
    assert (len(saved.entries), saved.places, saved.phase) == (1, b"p", "playing")
    assert store.mine("ben", 9) == []


def test_of_many_who_write_at_the_same_time_each_entry_has_one_and_all_others_are_told(store):
    commit(store, NEW)
    writes = [Change(table="t", n=k // 4, entries=((k % 4, f"a {k}"),), at=5) for k in range(80)]
    outcomes = [outcome.what for outcome in together(store, *writes)]
    won = [change.entries[0] for change, what in zip(writes, outcomes, strict=True) if what == DONE]
    assert {*outcomes} == {DONE, CONFLICT}
    assert [(seat, words) for seat, words, *_ in store.load("t").entries] == won
    assert len(won) == 20


def test_a_key_that_comes_many_times_at_once_happens_once(store):
    makes = [NEW._replace(table=f"t{k}", reply=b"made %d" % k) for k in range(9)]
    first, *others = together(store, *makes)
    assert first.what == DONE
    assert others == [(REPEATED, b"made 0")] * 8
    assert [line.table for line in store.mine("ann", 99)] == ["t0"]


def test_what_could_not_be_written_has_not_happened_and_what_comes_next_is_written(store, monkeypatch):
    commit(store, NEW)
    one = Change(table="t", person="ann", key="k", body=b"b", reply=b"r", n=0, entries=((0, "a 1"),), at=5)
    monkeypatch.setattr(failpoints, "_name", "unwritten")
    monkeypatch.setattr(failpoints, "_left", 1)
    with pytest.raises(Unavailable):
        store.commit(one)
    assert store.recall("t", "ann", "k", b"b") is None, "a key is known of what has not happened"
    assert store.load("t").entries == []
    assert what(commit(store, one, one)) == [DONE, CONFLICT]
    assert store.recall("t", "ann", "k", b"b") == (REPEATED, b"r")
    assert store.load("t").entries == [(0, "a 1", "ann", "k", 5)]


def test_what_nobody_has_made_is_not_found_however_it_is_spelt(store):
    commit(store, NEW)
    for odd in ("", "T", "t ", "\0", "t\0", "’; DROP TABLE tables; --", "x" * 10_000):
        assert store.load(odd) is None
        assert store.mine(odd, 9) == []
        assert store.answered(odd, odd) == -1
        assert store.recall(odd, odd, odd, b"") is None
        assert store.accounts.account(odd) is None
        assert store.pushes.of(odd) == []
    assert store.names([]) == store.accounts.whose([]) == {}
    assert store.load("t").phase == "playing"


def test_numbers_that_were_reserved_are_never_given_again(place):
    first = place.open().reserve(100)
    place.close()
    assert place.open().reserve(5) >= first + 100


def test_new_places_and_their_entries_are_kept_together_or_not_at_all(store):
    seats = Change(table="t", n=0, entries=((1, "seat open"),), at=5, places=b"p2", revision=0, phase="playing")
    stale = seats._replace(n=1, places=b"p3", phase="over")
    assert [outcome.what for outcome in commit(store, NEW, seats, stale)] == [DONE, DONE, CONFLICT]
    saved = store.load("t")
    assert (saved.places, saved.revision, saved.phase, len(saved.entries)) == (b"p2", 1, "playing", 1)


def test_a_key_makes_a_change_happen_once(store):
    entry = Change(table="t", person="ann", key="entry-key", body=b"b", reply=b"r", n=0, entries=((0, "a 1"),), at=5)
    chat = Change(table="t", person="ann", key="chat-key", body=b"c", reply=b"said", line=Line("Ann", "Hi", 2.0, "ann"))
    commit(store, NEW, entry, chat)
    assert commit(store, chat)[0] == (REPEATED, b"said")
    assert commit(store, chat._replace(body=b"else"))[0].what == REUSED
    assert commit(store, NEW._replace(table="t2"))[0] == (REPEATED, b"made")
    assert store.load("t2") is None, "a repetition made another table"
    assert [line.text for line in store.load("t").chat] == ["Hi"]

    assert store.recall("t", "ann", "entry-key", b"b") == (REPEATED, b"r")
    assert store.recall("t", "ann", "entry-key", b"else").what == REUSED
    assert store.recall("t", "ben", "entry-key", b"b") is None, "a key is its owner's"
    assert store.recall("t2", "ann", "entry-key", b"b") is None, "an entry's key is its table's"
    assert store.recall("", "ann", "make-key", b"make") == (REPEATED, b"made")
    assert store.recall("", "ben", "make-key", b"make") is None, "a key is its owner's, of no table too"
    assert commit(store, Change(person="ben", key="make-key", body=b"make", reply=b"ben's"))[0].what == DONE


def test_ones_own_tables_are_found_the_last_one_first(store):
    tables = [NEW._replace(table=f"t{k}", key="", created=float(k), public=k != 1) for k in range(4)]
    commit(store, *tables, Change(table="t2", phase="over"), Change(table="t0", members=("ben",)))
    mine = store.mine("ann", 9)
    assert [line.table for line in mine] == ["t3", "t2", "t1", "t0"]
    assert [line.table for line in store.mine("ann", 1)] == ["t3"]
    assert [line.table for line in store.mine("ben", 9)] == ["t0"]
    assert (mine[0].header, mine[0].places, mine[0].phase, mine[0].created) == (b"h", b"p", "playing", 3.0)


def test_names_and_the_last_thirty_lines_of_talk_are_kept(store):
    lines = [
        Change(table="t", line=Line("Ann", f"line {k}", float(k), phrase=k % 2 == 0, aside=k > 30)) for k in range(40)
    ]
    commit(store, NEW, *lines, AccountChange("ann", name="Ann"), AccountChange("ann", name="Anna"))
    assert store.names(["ann", "ben"]) == {"ann": "Anna"}
    assert store.load("t").chat == [Line("Ann", f"line {k}", float(k), "", k % 2 == 0, k > 30) for k in range(10, 40)]


# People

ANN = AccountChange(
    "ann", handle=b"handle", name="Ann", looks=("ann", "Ann"), code=Code("CODE", b"proof"),
    passkey=Passkey(b"key", "ann", b"public", 3, "Laptop", 7), device=Device("~laptop", "ann", "mark", "Laptop", 7, 7),
)  # fmt: skip


def what(outcomes: list[Any]) -> list[str]:
    return [outcome.what for outcome in outcomes]


def test_an_account_is_found_by_all_its_ways_in(store):
    assert what(commit(store, ANN)) == [DONE]
    known = store.accounts
    assert known.account("ann") == Account("ann", b"handle", today(), True)
    assert known.account("ben") is None
    assert known.whose(["ann", "ben"]) == {"ann": "ann"}
    assert known.code("CODE") == ("ann", b"proof")
    assert known.code("ELSE") is None
    assert known.passkeys("ann") == [known.passkey(b"key")] == [ANN.passkey]
    assert known.devices("ann") == [known.device("~laptop")] == [ANN.device]
    assert store.names(["ann"]) == {"ann": "Ann"}


def test_nothing_of_what_belongs_to_another_account_is_written(store):
    commit(store, ANN)
    ben = AccountChange("ben", handle=b"ben", name="Ben", looks=("ben",))
    assert what(commit(store, ben._replace(looks=("ben", "Ann")), ANN, ben._replace(passkey=ANN.passkey))) == [
        TAKEN, CONFLICT, CONFLICT,
    ]  # fmt: skip
    assert store.accounts.account("ben") is None
    assert store.accounts.whose(["ben"]) == {}
    assert store.names(["ben"]) == {}
    late = AccountChange("ben", device=ANN.device._replace(id="~ben", person="ben"))
    gone = AccountChange("ann", used=(b"gone", 4), device=ANN.device._replace(id="~other"))
    assert what(commit(store, late, gone)) == [CONFLICT, CONFLICT], "a device signed in to what is not there"
    former = AccountChange("ann", by_code="FORMER", device=ANN.device._replace(id="~other"))
    theirs = AccountChange("ben", by_code="CODE", device=ANN.device._replace(id="~ben", person="ben"))
    assert what(commit(store, former, theirs)) == [CONFLICT, CONFLICT], (
        "a code opens that is not theirs, or not any more"
    )
    assert [device.id for device in store.accounts.devices("ann")] == ["~laptop"]
    assert store.accounts.devices("ben") == []


def test_what_changes_about_an_account_is_kept_and_the_rest_stays(store):
    commit(store, ANN)
    more = Passkey(b"more", "ann", b"public", 0, "", 9)
    phone = Device("~phone", "ann", "m2", "Phone", 8, 9)
    commit(
        store,
        AccountChange("ann", name="Anna", looks=("anna",)),
        AccountChange("ann", code=Code("NEW", b"p2"), passkey=more, used=(b"key", 5)),
        AccountChange("ann", device=phone, no_devices=("~laptop",)),
        AccountChange("ben", no_passkey=b"more", no_devices=("~phone",)),
        AccountChange("", seen="~phone"),
        AccountChange("", seen="~gone"),
    )
    known = store.accounts
    assert known.whose(["ann", "Ann", "anna"]) == {"anna": "ann"}
    assert (known.code("CODE"), known.code("NEW")) == (None, ("ann", b"p2"))
    assert known.passkeys("ann") == [ANN.passkey._replace(uses=5), more]
    assert known.devices("ann") == [phone._replace(seen=today())]
    commit(store, AccountChange("ann", no_passkey=b"key"))
    assert known.passkeys("ann") == [more]


def played(table: str, phase: str = "over", **more: Any) -> Change:
    """A table of ann's and ben's."""
    return NEW._replace(
        table=table,
        key="",
        header=b'{"host":"ann"}',
        places=b'["ann","ben"]',
        members=("ann", "ben"),
        phase=phase,
        **more,
    )


def test_a_guest_who_joins_an_account_leaves_it_everything_and_is_nobody(store):
    entry = Change(table="t", person="ben", key="k", body=b"b", reply=b"r", n=0, entries=((1, "a 1"),), at=5)
    chat = Change(table="t", person="ben", key="chat", body=b"c", line=Line("Ben", "Hi", 2.0, "ben"))
    name = AccountChange("ben", name="Ben", looks=("ben",))
    commit(
        store, played("t"), entry, chat, name, ANN, Change(table="t", person="cat", line=Line("Cat", "Ho", 3.0, "cat"))
    )
    assert what(commit(store, AccountChange("ann", joins="ben"))) == [DONE]
    saved = store.load("t")
    assert (saved.places, saved.revision) == (b'["ann","ann"]', 1)
    assert saved.entries == [(1, "a 1", "ann", "k", 5)]
    assert store.accounts.tables_of("ann") == ["t"]
    assert store.accounts.tables_of("ben") == []
    assert store.mine("ben", 9) == []
    assert store.names(["ann", "ben"]) == {"ann": "Ann"}
    [part] = store.accounts.parts("ann", ["t"])
    assert (part.entries, part.lines) == ([(0, 1, "a 1", 5)], [Line("Ben", "Hi", 2.0, "ann")])
    assert store.accounts.talked_at("ann") == ["t"]
    assert store.recall("", "ben", "chat", b"c") is None


def test_two_who_have_had_seats_at_a_table_that_is_not_over_are_not_joined(store):
    commit(store, played("t", "playing"), ANN)
    assert what(commit(store, AccountChange("ann", joins="ben"))) == [APART]
    left = Change(
        table="t", n=0, person="ben", entries=((1, "seat open"),), at=5, places=b'["ann","open"]', phase="playing"
    )
    assert what(commit(store, left, AccountChange("ann", joins="ben"))) == [DONE, APART]
    assert store.load("t").entries[0][2] == "ben"
    assert what(commit(store, Change(table="t", phase="over"), AccountChange("ann", joins="ben"))) == [DONE, DONE]


def test_who_made_a_table_and_never_sat_there_may_be_joined(store):
    made = played("t", "waiting")._replace(person="ann", places=b'["ben",""]')
    assert what(commit(store, made, ANN, AccountChange("ann", joins="ben"))) == [DONE] * 3
    assert store.load("t").places == b'["ann",""]'


def test_of_who_is_forgotten_each_table_keeps_another_nobody(store):
    old = Change(table="t", line=Line("Ann (2)", "Old", 1.0))  # of a time in which it was not kept whose it was
    lines = [
        Change(table=table, person=who, line=Line(name, text, 2.0, who))
        for table, who, name, text in (
            ("t", "ann", "Ann", "Mine"), ("t", "ben", "Ben", "Ann, hello"), ("u", "ann", "Ann (2)", "Mine too"),
            ("u", "", "Ann", "Another Ann's"),
        )
    ]  # fmt: skip
    entry = Change(table="t", person="ann", n=0, entries=((0, "a 1"),), at=5)
    other = NEW._replace(table="u", key="", members=("ben",))
    commit(store, played("t"), played("v"), other, old, entry, *lines, ANN)
    assert what(commit(store, AccountChange("ann", forget=True, called="Ann"))) == [DONE]
    saved, second = store.load("t"), store.load("v")
    nobody = saved.places.split(b'"')[1]
    assert nobody not in (b"ann", second.places.split(b'"')[1]), "two tables tell that one person was at both"
    assert saved.header == b'{"host":"%b"}' % nobody
    assert saved.entries == [(0, "a 1", nobody.decode(), "", 5)]
    assert [line.text for line in saved.chat] == ["Ann, hello"]
    assert [line.text for line in store.load("u").chat] == ["Another Ann's"]
    known = store.accounts
    assert (known.account("ann"), known.code("CODE"), known.passkey(b"key"), known.device("~laptop")) == (None,) * 4
    assert known.whose(["ann", "Ann"]) == {}
    assert store.names(["ann"]) == {}
    assert store.mine("ann", 9) == []
    assert sorted(known.tables_of("ben")) == ["t", "u", "v"]


def test_devices_that_nobody_has_used_for_as_long_as_cookies_last_are_signed_out(place):
    old = ANN.device._replace(seen=today() - 401)
    new = old._replace(id="~new", seen=today() - 399)
    commit(place.open(), ANN._replace(device=old), AccountChange("ann", device=new))
    place.close()
    assert [device.id for device in place.open().accounts.devices("ann")] == ["~new"]


# Friends


def test_the_people_around_somebody_are_kept_with_both_and_go_with_who_is_forgotten(store):
    def do(person: str, what: str, other: str) -> list[Circle]:
        commit(store, AccountChange(person, circle=CircleChange(person, what, other)))
        return [store.accounts.circle(one) for one in "abg"]

    do("a", "ask", "b")
    friends = do("b", "ask", "a")
    assert (friends[0].friends, friends[1].friends) == ({"b"}, {"a"})
    assert do("a", "ask", "a") == friends, "somebody is a friend of themselves"
    do("b", "block", "g")
    assert do("g", "ask", "b")[2].asked == frozenset(), "who is blocked asks"
    commit(store, AccountChange("c", joins="g"))
    assert store.accounts.circle("b").blocked == {"c"}, "who signs in leaves a block behind"
    assert store.accounts.circle("g") == Circle(), "something is kept of nobody"
    do("b", "unblock", "c")
    do("c", "ask", "b")
    ann, ben, _ = do("a", "block", "b")
    assert (ann.blocked, ben.blocked_by, ben.friends, ben.asks) == ({"b"}, {"a"}, frozenset(), {"c"})
    commit(store, AccountChange("c", forget=True))
    assert store.accounts.circle("b").asks == frozenset()
    assert store.accounts.circle("c") == Circle(), "something is kept of who is forgotten"


def test_who_is_two_peoples_friend_and_turns_out_to_be_one_is_one_friend(store):
    for person, other in (("ann", "ben"), ("gus", "ben"), ("ann", "gus")):
        commit(
            store,
            *(
                AccountChange(one, circle=CircleChange(one, "ask", two))
                for one, two in ((person, other), (other, person))
            ),
        )
    commit(store, AccountChange("ann", joins="gus"))
    assert store.accounts.circle("ben").friends == {"ann"}
    assert store.accounts.circle("ann").friends == {"ben"}, "somebody is a friend of themselves"


# The books

REPORT = Report(
    0, "ben", "ann", "t", "rude", "see", (Line("Ann", "Fool", 2.0, "ann"), Line("Ben", "Oh", 3.0, "ben")), 7
)


def booked(person: str = "", **change: Any) -> AccountChange:
    return AccountChange(person, books=BooksChange(**change))


def test_reports_are_kept_once_with_their_lines_and_are_handled(store):
    more = REPORT._replace(whom="cat")
    assert what(commit(store, booked(report=REPORT), booked(report=REPORT), booked(report=more))) == [DONE] * 3
    books = store.books
    assert books.reports(False, 9) == [REPORT._replace(n=1), more._replace(n=books.reports(False, 9)[1].n)]
    assert (books.report(1).lines, books.report(99)) == (REPORT.lines, None)
    assert (books.waiting(), books.counts("ann")) == (2, {"report": 1})
    assert [one.whom for one in books.reports_by("ben")] == ["ann", "cat"]
    assert books.reports_by("") == books.reports_by("ann") == []
    commit(store, booked(handled=1))
    assert ([one.n for one in books.reports(True, 9)], books.waiting()) == ([1], 1)
    commit(store, booked(report=REPORT))
    assert books.waiting() == 1, "what was handled is reported anew"


def test_what_was_done_is_kept_in_its_order_and_counted(store):
    acts = [Act(0, 10 + k, "host", kind, "ann", "", "t", 99, "why") for k, kind in enumerate(("warn", "ban", "ban"))]
    commit(store, *(booked("ann", act=act) for act in acts))
    books = store.books
    assert books.acts(9) == [act._replace(n=3 - k) for k, act in enumerate(acts[::-1])]
    assert [act.n for act in books.acts(1, before=3)] == [2]
    assert (books.act(1), books.act(9)) == (acts[0]._replace(n=1), None)
    assert books.counts("ann") == {"warn": 1, "ban": 2, "report": 0}


def test_how_somebody_stands_is_kept_until_there_is_nothing_to_say(store):
    def stands(**change: Any) -> Any:
        commit(store, booked("ann", standing=StandingChange(**change)), booked("ben", standing=StandingChange(muted=0)))
        return [one[1:] for one in store.books.standings()]

    assert stands(warning="Mind", muted=5, banned=6, reason="why") == [("Mind", 5, 6, "why")]
    assert stands(banned=7, reason="more") == [("Mind", 5, 7, "more")], "What nobody has changed is otherwise."
    assert stands(read="Hush") == [("Mind", 5, 7, "more")], "A newer warning is taken for read."
    assert stands(read="Mind") == [("", 5, 7, "more")]
    assert stands(muted=0) == [("", 0, 7, "more")]
    assert stands(banned=0, warning="Mind") == [("Mind", 0, 0, "")]
    assert stands(read="Mind") == []


def test_a_guest_who_joins_an_account_brings_along_how_they_stand(store):
    guest = StandingChange("Mind", 9, 2, "his")
    commit(
        store,
        ANN,
        booked("ben", standing=guest, act=Act(0, 1, "host", "mute", "ben")),
        booked(report=REPORT._replace(person="cat", whom="ben")),
    )
    commit(store, booked("ann", standing=StandingChange("", 1, 6, "hers")), AccountChange("ann", joins="ben"))
    assert store.books.standings() == [Standing("ann", "Mind", 9, 6, "hers")]
    assert (store.books.counts("ann"), store.books.counts("ben")) == ({"mute": 1, "report": 1}, {"report": 0})
    assert [line.person for line in store.books.report(1).lines] == ["ann", "ann"]


def test_of_who_is_forgotten_nothing_is_in_the_books_but_that_something_was_done(store):
    act = Act(0, 1, "ben", "rename", "ann", "Ann", "", 0, "why")
    other = REPORT._replace(person="ann", whom="cat")
    commit(
        store,
        ANN,
        booked("ann", act=act, standing=StandingChange("Mind")),
        booked(report=REPORT),
        booked(report=other),
    )
    commit(store, AccountChange("ann", forget=True, called="Ann"), AccountChange("ben", forget=True, called="Ben"))
    books = store.books
    assert books.standings() == []
    assert books.reports(False, 9) == [other._replace(n=books.reports(False, 9)[0].n, person="", lines=())]
    assert books.acts(9) == [act._replace(n=1, person="", whom="", name="")]


def test_an_invitation_makes_one_account_and_no_other(store):
    invited = Invitation("hash", "", 9)
    commit(store, booked(invitation=invited))
    assert store.books.invitation("hash") == invited
    changes = [
        ANN._replace(invitation="else"),
        ANN._replace(invitation="hash"),
        AccountChange("ben", handle=b"ben", invitation="hash"),
    ]
    assert what(commit(store, *changes)) == [NOT_INVITED, DONE, NOT_INVITED]
    assert (store.books.invitation("hash"), store.accounts.account("ben")) == (None, None)
    old, new = (Invitation(code, "", until) for code, until in (("old", 5), ("new", 9)))
    commit(store, booked(invitation=old), booked(invitation=new, act=Act(0, 6, "host", "invite")))
    assert (store.books.invitation("old"), store.books.invitation("new")) == (None, new)


def test_a_name_that_is_taken_away_is_for_nobody_and_a_guest_may_have_none(store):
    taken = AccountChange("ann", name="Anna", looks=("anna",), books=BooksChange(taken_away=("ann", "Ann")))
    assert what(commit(store, ANN, taken)) == [DONE, DONE]
    assert store.accounts.whose(["ann", "anna"]) == {"ann": "", "anna": "ann"}
    assert what(commit(store, AccountChange("ann", name="Ann", looks=("ann",)))) == [TAKEN]
    commit(store, AccountChange("ben", name="Ben"), AccountChange("ben", no_name=True))
    assert store.names(["ann", "ben"]) == {"ann": "Anna"}


def test_accounts_are_found_by_a_part_of_their_names_and_guests_are_not(store):
    ben = AccountChange("ben", handle=b"ben", name="Hannes", looks=("hannes",))
    commit(store, ANN, ben, AccountChange("cat", name="Hanna"))
    assert store.books.people("ANN", 9) == [Known("ann", "Ann", today()), Known("ben", "Hannes", today())]
    assert [one.name for one in store.books.people("ann", 1)] == ["Ann"]
    assert [one.name for one in store.books.people("", 9)] == ["Ann", "Hannes"], "the whole list is not to be had"


def test_finished_tables_are_found_in_the_order_in_which_they_ended_and_let_go_of_whole(store):
    entry = Change(
        table="t1", person="ben", key="k", body=b"b", reply=b"r", n=0, entries=((1, "a 1"),), at=5, phase="over"
    )
    chat = Change(table="t1", line=Line("Ben", "Hi", 2.0, "ben"))
    new = [NEW._replace(table=f"t{k}", key="", person="ben", members=("ben",)) for k in range(3)]
    commit(store, *new, NEW._replace(table="t3", key=""), entry, chat, ANN)
    commit(store, Change(table="t3", phase="over"))
    found = store.books.finished(1 << 40, (0, ""), 9)
    assert [(one.table, one.entries, one.accounts) for one in found] == [("t1", 1, False), ("t3", 0, True)]
    assert all(abs(one.over - found[0].over) < 1000 and isinstance(one, Finished) for one in found)
    assert store.books.finished(found[0].over, (0, ""), 9) == []
    assert store.books.finished(1 << 40, (found[1].over, "t3"), 9) == []
    commit(store, booked(gone=("t1",)))
    assert store.load("t1") is None
    assert store.mine("ben", 9)
    assert "t1" not in store.accounts.tables_of("ben")
    assert store.accounts.talked_at("ben") == []
    assert store.load("t0") is not None


def test_what_was_done_cannot_be_changed_or_taken_out(place):
    store = place.open()
    commit(store, booked("ann", act=Act(0, 1, "host", "ban", "ann", until=9, reason="why")))
    for change in (
        "DELETE FROM moderation_actions",
        "UPDATE moderation_actions SET reason = 'else'",
        "UPDATE moderation_actions SET until_s = 0",
    ):
        with pytest.raises((apsw.ConstraintError, psycopg.Error), match="rows of moderation_actions are never changed"):
            place.sql(change)
    assert store.books.acts(9)[0].reason == "why"


PHONE = Subscription("phone", "ann", "~1", "https://push.example/1", b"k" * 65, b"a" * 16, "A phone", "de", today())
LAPTOP = PHONE._replace(id="laptop", browser="~2", endpoint="https://push.example/2", language="en")


def test_what_takes_messages_is_known_by_its_address_and_goes_with_its_browser(store):
    commit(store, PushChange(put=PHONE), PushChange(put=LAPTOP), PushChange(quiet=("ann", Quiet(0, 60, "UTC"))))
    again = PHONE._replace(id="another", language="en")
    commit(store, PushChange(put=again))
    assert store.pushes.of("ann") == [PHONE._replace(language="en"), LAPTOP], "The same address is the same browser."
    assert store.pushes.quiet("ann") == Quiet(0, 60, "UTC")
    commit(store, PushChange(put=PHONE._replace(id="bens", person="ben")))
    assert store.pushes.of("ann") == [LAPTOP], "Who subscribes there now has it."
    account = AccountChange("ann", handle=b"h", device=Device("~9", "ann", "m", "", today(), today()))
    commit(store, account, AccountChange("ann", device=Device("~2", "ann", "n", "", today(), today())))
    assert store.pushes.of("ann") == [LAPTOP]
    commit(store, AccountChange("ann", no_devices=("~2",)))
    assert store.pushes.of("ann") == [], "A browser where nobody is signed in takes no messages."
    commit(store, AccountChange("ben", forget=True))
    assert store.pushes.people() == []


def test_messages_are_due_until_they_are_sent_and_go_with_what_takes_them(store):
    first, second = Call("phone", "t", -1, 50), Call("laptop", "t", -1, 20)
    commit(store, PushChange(put=PHONE), PushChange(put=LAPTOP, calls=(second,)), PushChange(calls=(first,)))
    assert store.pushes.next_due() == 20
    assert store.pushes.due(50, 9) == [second, first]
    assert store.pushes.due(49, 9) == [second]
    commit(store, PushChange(calls=(second._replace(due=0, tries=1), Call("nobody", "t", -1, 1))))
    assert store.pushes.due(99, 9) == [first], "What was sent is due no more, and nothing is for whom there is not."
    assert {*store.pushes.calls("ann")} == {first, second._replace(due=0, tries=1)}
    commit(store, PushChange(done=(("laptop", "t"),), remove=("phone",)))
    assert store.pushes.calls("ann") == []
    assert store.pushes.next_due() is None


def test_of_a_persons_tables_those_that_are_played_and_their_last_answer_are_found(store):
    timed = NEW._replace(table="timed", key="key-timed", clocks=b"c", clock_at=7)
    entries = Change(table="timed", person="ann", n=0, entries=((0, "a 1"), (1, "a 2")))
    others = Change(table="timed", person="ben", n=2, entries=((1, "a 3"),))
    commit(store, NEW, timed, entries, others)
    assert [(one.table, one.clocks, one.clock_at) for one in store.playing("ann")] == [
        ("timed", b"c", 7),
        ("t", b"", 0),
    ]
    assert store.playing("ben") == []
    assert (store.answered("ann", "timed"), store.answered("ben", "timed")) == (1, 2)
    assert (store.answered("eve", "timed"), store.answered("ann", "another")) == (-1, -1)
    commit(store, Change(table="timed", phase="over"))
    assert [one.table for one in store.playing("ann")] == ["t"]


def test_who_is_asked_is_kept_with_the_answer_that_it_follows_from_and_with_no_other(store):
    def asked() -> list[int | None]:
        return [one.asked for one in store.playing("ann")]

    commit(store, NEW)
    assert asked() == [None], "nobody has said who is asked"
    one = Change(table="t", n=0, entries=((0, "a 1"),), at=5, asked=0b10)
    assert what(commit(store, one, one._replace(asked=0b100))) == [DONE, CONFLICT]
    assert asked() == [0b10]
    assert what(commit(store, Change(table="t", n=0, asked=0b1))) == [CONFLICT], "it rests on a game that has gone on"
    commit(store, one._replace(n=1, asked=AS_BEFORE))
    assert asked() == [0b10]
    assert what(commit(store, Change(table="t", n=2, asked=0))) == [DONE]
    assert asked() == [], "where nobody is asked there is nothing to look at"
    commit(store, Change(table="t", n=2, asked=0b1), booked(gone=("t",)), NEW._replace(key="anew"))
    assert asked() == [None], "of a table that was let go of something is kept"
