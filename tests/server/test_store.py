"""The contract of stores: SQLite and PostgreSQL respond to the same changes with the same outcomes."""

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import psycopg
import pytest

from diamonds.server.server_time import today
from diamonds.server.storage import tables
from diamonds.server.storage.accounts import (
    NAME_TAKEN,
    SAME_TABLE,
    Account,
    AccountChange,
    Device,
    Passkey,
    RecoveryCodeRecord,
)
from diamonds.server.storage.chat import ChatRecord
from diamonds.server.storage.commit_outcomes import CONFLICT, DONE, REPEATED, REUSED, StoreUnavailableError
from diamonds.server.storage.moderation import (
    NOT_INVITED,
    AccountListing,
    Invitation,
    ModerationAction,
    ModerationChange,
    Report,
    Sanctions,
    SanctionsChange,
)
from diamonds.server.storage.push import PendingPush, PushChange, PushSubscription, QuietHours
from diamonds.server.storage.relationships import RelationshipChange, Relationships
from diamonds.server.storage.sqlite import migrate
from diamonds.server.storage.table_data import TableChange
from tests.server.support.live_server import LoopThread, SyncStore
from tests.server.support.stores import StoreFixture, commit_concurrently, commit_each

pytestmark = pytest.mark.usefixtures("frozen_day")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.later)])
def store_fixture(request: Any, tmp_path: Path) -> Iterator[StoreFixture]:
    """A place for stores of each kind."""
    at = request.getfixturevalue("postgres_cluster").empty_database() if request.param == "postgresql" else tmp_path
    with LoopThread() as apart:  # one event loop, as in a server
        place = StoreFixture(request.param, at, apart)
        yield place
        place.close()


@pytest.fixture
def store(store_fixture: StoreFixture) -> Any:
    return store_fixture.open()


def commit_kinds(store: SyncStore, *changes: Any) -> list[str]:
    """Commit changes one after the other; return the kinds of their outcomes."""
    return [outcome.kind for outcome in commit_each(store, *changes)]


NEW_TABLE = TableChange(
    table="t", person="ann", idempotency_key="make-key", request_hash=b"make", reply=b"made", header=b"h",
    columns={"public": 1, "created": 1.0}, seating=b"p", people=("ann",), phase="playing",
)  # fmt: skip
ENTRY = TableChange(
    table="t", person="ann", idempotency_key="k", request_hash=b"b", reply=b"r", n=0, entries=((0, "a 1"),), at_ms=5
)
BENS_ENTRY = ENTRY._replace(person="ben", entries=((1, "a 1"),))
BENS_CHAT = TableChange(
    table="t", person="ben", idempotency_key="chat", request_hash=b"c", chat_record=ChatRecord("Ben", "Hi", 2.0, "ben")
)


def test_entries_keep_order_time_and_sender(store):
    first = ENTRY._replace(entries=((0, "a 1"), (0, "a 2")))
    second = TableChange(table="t", n=2, entries=((1, "a 3 by simple"),), at_ms=7, phase="over")
    assert commit_kinds(store, NEW_TABLE, first, second) == [DONE] * 3
    saved = store.load("t")
    assert saved.entries == [(0, "a 1", "ann", "k", 5), (0, "a 2", "ann", "", 5), (1, "a 3 by simple", "", "", 7)]
    assert (saved.header, saved.seating, saved.revision, saved.phase) == (b"h", b"p", 0, "over")
    assert store.load("another") is None


def test_sqlite_answer_costs_as_much_in_a_long_game_as_in_a_short_one(tmp_path):
    """The cost is counted in steps of SQLite's virtual machine, which do not depend on the computer."""
    connection = apsw.Connection(":memory:")
    migrate(connection, tmp_path)
    assert tables.apply_change(connection, NEW_TABLE, {}).kind == DONE
    steps = 0

    def count() -> bool:
        nonlocal steps
        steps += 1
        return False

    taken = []
    connection.set_progress_handler(count, 1)
    for n in range(1_000):
        steps = 0
        answer = TableChange(
            table="t", person="ann", idempotency_key=f"answer-{n}", reply=b"done", n=n, entries=((0, "play H7"),)
        )
        assert tables.apply_change(connection, answer, {}).kind == DONE
        taken.append(steps)
    assert max(taken) <= 2 * min(taken), f"expected equal costs: {min(taken)} steps at first, {max(taken)} at the end"


def test_concurrent_writes_of_one_n_have_one_winner(store):
    one = TableChange(table="t", n=0, entries=((0, "a 1"),), at_ms=5, seating=b"p2", revision=0)
    other = one._replace(entries=((1, "a 2"),), seating=b"other", phase="over", people=("ben",))
    stale = TableChange(table="t", n=1, entries=((1, "seat open"),), at_ms=5, seating=b"p3", revision=0, phase="over")
    assert commit_kinds(store, NEW_TABLE, one, other, stale) == [DONE, DONE, CONFLICT, CONFLICT]
    late = one._replace(n=2)
    assert commit_each(store, late)[0].kind == CONFLICT, "expected no entry after a gap"
    saved = store.load("t")
    assert (len(saved.entries), saved.seating, saved.revision, saved.phase) == (1, b"p2", 1, "playing")
    assert store.summaries_of("ben", 9) == []


def test_many_concurrent_writes_give_each_n_one_winner(store):
    commit_each(store, NEW_TABLE)
    writes = [TableChange(table="t", n=k // 4, entries=((k % 4, f"a {k}"),), at_ms=5) for k in range(80)]
    outcomes = [outcome.kind for outcome in commit_concurrently(store, *writes)]
    won = [change.entries[0] for change, what in zip(writes, outcomes, strict=True) if what == DONE]
    assert {*outcomes} == {DONE, CONFLICT}
    assert [(seat, words) for seat, words, *_ in store.load("t").entries] == won
    assert len(won) == 20


def test_idempotency_key_sent_many_times_applies_once(store):
    makes = [NEW_TABLE._replace(table=f"t{k}", reply=b"made %d" % k) for k in range(9)]
    first, *others = commit_concurrently(store, *makes)
    assert first.kind == DONE
    assert others == [(REPEATED, b"made 0")] * 8
    assert [line.table for line in store.summaries_of("ann", 99)] == ["t0"]


def test_failed_commit_does_not_affect_concurrent_commits(store, capfd):
    commit_each(store, NEW_TABLE, NEW_TABLE._replace(table="u", idempotency_key="another"))
    good = [TableChange(table="t", n=n, entries=((0, f"a {n}"),), at_ms=5) for n in range(2)]
    bad = good[0]._replace(table="u", entries=((1 << 70, "a 0"),))
    first, wrong, last = commit_concurrently(store, good[0], bad, good[1])
    assert (first.kind, last.kind) == (DONE, DONE)
    assert isinstance(wrong, StoreUnavailableError)
    assert [words for _, words, *_ in store.load("t").entries] == ["a 0", "a 1"]
    assert re.fullmatch(r"A change could not be written: [^\n]*\n", capfd.readouterr().err)


def test_unknown_id_is_not_found_in_any_spelling(store):
    commit_each(store, NEW_TABLE)
    for odd in ("", "T", "t ", "\0", "t\0", "’; DROP TABLE tables; --", "x" * 10_000):
        assert store.load(odd) is None
        assert store.summaries_of(odd, 9) == []
        assert store.last_entry_by(odd, odd) == -1
        assert store.get_earlier_outcome(odd, odd, odd, b"") is None
        assert store.accounts.account(odd) is None
        assert store.push.subscriptions_of(odd) == []
    assert store.display_names([]) == store.accounts.skeleton_holders([]) == {}
    assert store.load("t").phase == "playing"


def test_reserved_versions_are_never_reused(store_fixture):
    first = store_fixture.open().reserve_counters(100)
    store_fixture.close()
    assert store_fixture.open().reserve_counters(5) >= first + 100


def test_idempotency_key_applies_a_change_once(store):
    chat = BENS_CHAT._replace(person="ann", reply=b"said")
    commit_each(store, NEW_TABLE, ENTRY._replace(idempotency_key="entry-key"), chat)
    assert commit_each(store, chat)[0] == (REPEATED, b"said")
    assert commit_each(store, chat._replace(request_hash=b"else"))[0].kind == REUSED
    assert commit_each(store, NEW_TABLE._replace(table="t2"))[0] == (REPEATED, b"made")
    assert store.load("t2") is None, "expected one table from a repeated request"
    assert [line.text for line in store.load("t").chat] == ["Hi"]

    assert store.get_earlier_outcome("t", "ann", "entry-key", b"b") == (REPEATED, b"r")
    assert store.get_earlier_outcome("t", "ann", "entry-key", b"else").kind == REUSED
    assert store.get_earlier_outcome("t", "ben", "entry-key", b"b") is None, "expected keys of each person"
    assert store.get_earlier_outcome("t2", "ann", "entry-key", b"b") is None, "expected keys of each table"
    assert store.get_earlier_outcome("", "ann", "make-key", b"make") == (REPEATED, b"made")
    assert store.get_earlier_outcome("", "ben", "make-key", b"make") is None, "expected keys of each person"
    bens = TableChange(person="ben", idempotency_key="make-key", request_hash=b"make", reply=b"ben's")
    assert commit_kinds(store, bens) == [DONE]


def test_own_tables_are_listed_newest_first(store):
    tables = [
        NEW_TABLE._replace(table=f"t{k}", idempotency_key="", columns={"public": int(k != 1), "created": float(k)})
        for k in range(4)
    ]
    commit_each(store, *tables, TableChange(table="t2", phase="over"), TableChange(table="t0", people=("ben",)))
    mine = store.summaries_of("ann", 9)
    assert [line.table for line in mine] == ["t3", "t2", "t1", "t0"]
    assert [line.table for line in store.summaries_of("ann", 1)] == ["t3"]
    assert [line.table for line in store.summaries_of("ben", 9)] == ["t0"]
    assert (mine[0].header, mine[0].seating, mine[0].phase, mine[0].created) == (b"h", b"p", "playing", 3.0)


def test_names_and_last_thirty_chat_lines_of_each_kind_are_stored(store):
    said = [ChatRecord("Ann", f"line {k}", float(k), "", k % 2 == 0, k > 30) for k in range(40)]
    lines = [TableChange(table="t", chat_record=line) for line in said]
    commit_each(store, NEW_TABLE, *lines, AccountChange("ann", name="Ann"), AccountChange("ann", name="Anna"))
    assert store.display_names(["ann", "ben"]) == {"ann": "Anna"}
    assert store.load("t").chat == said[1:]


# People

ANN_ACCOUNT = AccountChange(
    "ann", handle=b"handle", name="Ann", skeletons=("ann", "Ann"), recovery_code=RecoveryCodeRecord("CODE", b"proof"),
    passkey=Passkey(b"key", "ann", b"public", 3, "Laptop", 7), device=Device("~laptop", "ann", "mark", "Laptop", 7, 7),
)  # fmt: skip


def test_account_is_found_by_every_way_to_sign_in(store):
    assert commit_kinds(store, ANN_ACCOUNT) == [DONE]
    known = store.accounts
    assert known.account("ann") == Account("ann", b"handle", today(), True)
    assert known.account("ben") is None
    assert known.skeleton_holders(["ann", "ben"]) == {"ann": "ann"}
    assert known.recovery_code("CODE") == ("ann", b"proof")
    assert known.recovery_code("ELSE") is None
    assert known.passkeys("ann") == [known.passkey(b"key")] == [ANN_ACCOUNT.passkey]
    assert known.devices("ann") == [known.device("~laptop")] == [ANN_ACCOUNT.device]
    assert store.display_names(["ann"]) == {"ann": "Ann"}


def test_account_change_cannot_write_what_another_account_has(store):
    commit_each(store, ANN_ACCOUNT)
    ben = AccountChange("ben", handle=b"ben", name="Ben", skeletons=("ben",))
    assert commit_kinds(store, ben._replace(skeletons=("ben", "Ann")), ANN_ACCOUNT, ben._replace(passkey=ANN_ACCOUNT.passkey)) == [
        NAME_TAKEN, CONFLICT, CONFLICT,
    ]  # fmt: skip
    assert store.accounts.account("ben") is None
    assert store.accounts.skeleton_holders(["ben"]) == {}
    assert store.display_names(["ben"]) == {}
    late = AccountChange("ben", device=ANN_ACCOUNT.device._replace(id="~ben", person="ben"))
    gone = AccountChange("ann", used_passkey=(b"gone", 4), device=ANN_ACCOUNT.device._replace(id="~other"))
    assert commit_kinds(store, late, gone) == [CONFLICT, CONFLICT], "expected no such account"
    former = AccountChange("ann", used_recovery_lookup="FORMER", device=ANN_ACCOUNT.device._replace(id="~other"))
    theirs = AccountChange(
        "ben", used_recovery_lookup="CODE", device=ANN_ACCOUNT.device._replace(id="~ben", person="ben")
    )
    assert commit_kinds(store, former, theirs) == [CONFLICT, CONFLICT], "expected no such code"
    assert [device.id for device in store.accounts.devices("ann")] == ["~laptop"]
    assert store.accounts.devices("ben") == []


def test_account_change_keeps_the_other_fields(store):
    commit_each(store, ANN_ACCOUNT)
    more = Passkey(b"more", "ann", b"public", 0, "", 9)
    phone = Device("~phone", "ann", "m2", "Phone", 8, 9)
    commit_each(
        store,
        AccountChange("ann", name="Anna", skeletons=("anna",)),
        AccountChange("ann", recovery_code=RecoveryCodeRecord("NEW", b"p2"), passkey=more, used_passkey=(b"key", 5)),
        AccountChange("ann", device=phone, remove_devices=("~laptop",)),
        AccountChange("ben", remove_passkey=b"more", remove_devices=("~phone",)),
        AccountChange("", seen_device="~phone"),
        AccountChange("", seen_device="~gone"),
    )
    known = store.accounts
    assert known.skeleton_holders(["ann", "Ann", "anna"]) == {"anna": "ann"}
    assert (known.recovery_code("CODE"), known.recovery_code("NEW")) == (None, ("ann", b"p2"))
    assert known.passkeys("ann") == [ANN_ACCOUNT.passkey._replace(sign_count=5), more]
    assert known.devices("ann") == [phone._replace(last_seen_day=today())]
    commit_each(store, AccountChange("ann", remove_passkey=b"key"))
    assert known.passkeys("ann") == [more]


def stored_table(table: str, phase: str = "over", **more: Any) -> TableChange:
    """Return the change that stores a table of ann and ben."""
    return NEW_TABLE._replace(
        table=table, idempotency_key="", header=b'{"host":"ann"}', seating=b'["ann","ben"]',
        people=("ann", "ben"), phase=phase, **more,
    )  # fmt: skip


def test_guest_merged_into_an_account_leaves_everything_to_it(store):
    entry, chat = BENS_ENTRY, BENS_CHAT
    name = AccountChange("ben", name="Ben", skeletons=("ben",))
    commit_each(
        store, stored_table("t"), entry, chat, name, ANN_ACCOUNT,
        TableChange(table="t", person="cat", chat_record=ChatRecord("Cat", "Ho", 3.0, "cat")),
    )  # fmt: skip
    assert commit_kinds(store, AccountChange("ann", merged_guest="ben")) == [DONE]
    saved = store.load("t")
    assert (saved.seating, saved.revision) == (b'["ann","ann"]', 1)
    assert saved.entries == [(1, "a 1", "ann", "k", 5)]
    assert store.accounts.tables_of("ann") == ["t"]
    assert store.accounts.tables_of("ben") == []
    assert store.summaries_of("ben", 9) == []
    assert store.display_names(["ann", "ben"]) == {"ann": "Ann"}
    [part] = store.accounts.exports("ann", ["t"])
    assert (part.entries, part.chat) == ([(0, 1, "a 1", 5)], [ChatRecord("Ben", "Hi", 2.0, "ann")])
    assert store.accounts.tables_chatted_at("ann") == ["t"]
    assert store.get_earlier_outcome("", "ben", "chat", b"c") is None


def test_people_with_seats_at_one_unfinished_table_are_not_merged(store):
    merge = AccountChange("ann", merged_guest="ben")
    assert commit_kinds(store, stored_table("t", "playing"), ANN_ACCOUNT, merge) == [DONE, DONE, SAME_TABLE]
    left = TableChange(
        table="t", n=0, person="ben", entries=((1, "seat open"),), at_ms=5, seating=b'["ann","open"]', phase="playing"
    )
    assert commit_kinds(store, left, merge) == [DONE, SAME_TABLE]
    assert store.load("t").entries[0][2] == "ben"
    assert commit_kinds(store, TableChange(table="t", phase="over"), merge) == [DONE, DONE]


def test_host_who_never_sat_may_be_merged(store):
    made = stored_table("t", "waiting")._replace(person="ann", seating=b'["ben",""]')
    assert commit_kinds(store, made, ANN_ACCOUNT, AccountChange("ann", merged_guest="ben")) == [DONE] * 3
    assert store.load("t").seating == b'["ann",""]'


def test_deleted_person_gets_a_different_placeholder_at_each_table(store):
    # a message stored by a version without person ids
    old = TableChange(table="t", chat_record=ChatRecord("Ann (2)", "Old", 1.0))
    lines = [
        TableChange(table=table, person=who, chat_record=ChatRecord(name, text, 2.0, who))
        for table, who, name, text in (
            ("t", "ann", "Ann", "Mine"), ("t", "ben", "Ben", "Ann, hello"), ("u", "ann", "Ann (2)", "Mine too"),
            ("u", "", "Ann", "Another Ann's"),
        )
    ]  # fmt: skip
    entry = TableChange(table="t", person="ann", n=0, entries=((0, "a 1"),), at_ms=5)
    other = NEW_TABLE._replace(table="u", idempotency_key="", people=("ben",))
    commit_each(store, stored_table("t"), stored_table("v"), other, old, entry, *lines, ANN_ACCOUNT)
    assert commit_kinds(store, AccountChange("ann", delete_person=True, current_name="Ann")) == [DONE]
    saved, second = store.load("t"), store.load("v")
    nobody = saved.seating.split(b'"')[1]
    assert nobody not in (b"ann", second.seating.split(b'"')[1]), "expected unlinkable placeholders"
    assert saved.header == b'{"host":"%b"}' % nobody
    assert saved.entries == [(0, "a 1", nobody.decode(), "", 5)]
    assert [line.text for line in saved.chat] == ["Ann, hello"]
    assert [line.text for line in store.load("u").chat] == ["Another Ann's"]
    known = store.accounts
    ways_in = (known.account("ann"), known.recovery_code("CODE"), known.passkey(b"key"), known.device("~laptop"))
    assert ways_in == (None,) * 4
    assert known.skeleton_holders(["ann", "Ann"]) == {}
    assert store.display_names(["ann"]) == {}
    assert store.summaries_of("ann", 9) == []
    assert sorted(known.tables_of("ben")) == ["t", "u", "v"]


def test_unused_devices_are_signed_out_after_the_cookie_lifetime(store_fixture):
    old = ANN_ACCOUNT.device._replace(last_seen_day=today() - 401)
    new = old._replace(id="~new", last_seen_day=today() - 399)
    commit_each(store_fixture.open(), ANN_ACCOUNT._replace(device=old), AccountChange("ann", device=new))
    store_fixture.close()
    assert [device.id for device in store_fixture.open().accounts.devices("ann")] == ["~new"]


# Relationships


def test_relationships_are_stored_for_both_and_deleted_with_one(store):
    def do(person: str, what: str, other: str) -> list[Relationships]:
        commit_each(store, AccountChange(person, relationship=RelationshipChange(person, what, other)))
        return [store.accounts.relationships(one) for one in "abg"]

    do("a", "ask", "b")
    friends = do("b", "ask", "a")
    assert (friends[0].friends, friends[1].friends) == ({"b"}, {"a"})
    assert do("a", "ask", "a") == friends, "expected no friendship with oneself"
    do("b", "block", "g")
    assert do("g", "ask", "b")[2].requests_out == frozenset(), "expected no request by a blocked person"
    commit_each(store, AccountChange("c", merged_guest="g"))
    assert store.accounts.relationships("b").blocked == {"c"}, "expected the block to survive a merge"
    assert store.accounts.relationships("g") == Relationships(), "expected nothing about an unknown person"
    do("b", "unblock", "c")
    do("c", "ask", "b")
    ann, ben, _ = do("a", "block", "b")
    assert (ann.blocked, ben.blocked_by, ben.friends, ben.requests_in) == ({"b"}, {"a"}, frozenset(), {"c"})
    commit_each(store, AccountChange("c", delete_person=True))
    assert store.accounts.relationships("b").requests_in == frozenset()
    assert store.accounts.relationships("c") == Relationships(), "expected nothing about a deleted person"


def test_friend_of_two_merged_people_is_one_friend(store):
    for pair in (("ann", "ben"), ("gus", "ben"), ("ann", "gus")):
        for one, two in (pair, pair[::-1]):
            commit_each(store, AccountChange(one, relationship=RelationshipChange(one, "ask", two)))
    commit_each(store, AccountChange("ann", merged_guest="gus"))
    assert store.accounts.relationships("ben").friends == {"ann"}
    assert store.accounts.relationships("ann").friends == {"ben"}, "expected no friendship with oneself"


# Moderation

REPORT_OF_ANN = Report(
    0, "ben", "ann", "t", "rude", "see", (ChatRecord("Ann", "Fool", 2.0, "ann"), ChatRecord("Ben", "Oh", 3.0, "ben")), 7
)


def moderation_change(person: str = "", **change: Any) -> AccountChange:
    return AccountChange(person, moderation=ModerationChange(**change))


def test_report_is_stored_once_with_its_messages_and_handled(store):
    more = REPORT_OF_ANN._replace(target="cat")
    reports = [moderation_change(report=report) for report in (REPORT_OF_ANN, REPORT_OF_ANN, more)]
    assert commit_kinds(store, *reports) == [DONE] * 3
    moderation = store.moderation
    first, second = moderation.reports(False, 9)
    assert (first, second) == (REPORT_OF_ANN._replace(id=1), more._replace(id=second.id))
    assert (moderation.report(1).chat_excerpt, moderation.report(99)) == (REPORT_OF_ANN.chat_excerpt, None)
    assert (moderation.open_report_count(), moderation.action_counts("ann")) == (2, {"report": 1})
    assert [one.target for one in moderation.reports_by("ben")] == ["ann", "cat"]
    assert moderation.reports_by("") == moderation.reports_by("ann") == []
    commit_each(store, moderation_change(resolved_report=1))
    assert ([one.id for one in moderation.reports(True, 9)], moderation.open_report_count()) == ([1], 1)
    commit_each(store, moderation_change(report=REPORT_OF_ANN))
    assert moderation.open_report_count() == 1, "expected no second report after the first was handled"


def test_audit_log_is_stored_in_order_and_counted(store):
    warn = ModerationAction(0, 10, "host", "warn", "ann", "", "t", 99, "why")
    acts = [warn, warn._replace(at=11, action="ban"), warn._replace(at=12, action="ban")]
    commit_each(store, *(moderation_change("ann", action=act) for act in acts))
    moderation = store.moderation
    assert moderation.actions(9) == [act._replace(id=3 - k) for k, act in enumerate(acts[::-1])]
    assert [act.id for act in moderation.actions(1, before=3)] == [2]
    assert (moderation.action(1), moderation.action(9)) == (acts[0]._replace(id=1), None)
    assert moderation.action_counts("ann") == {"warn": 1, "ban": 2, "report": 0}


def test_sanctions_are_stored_until_they_are_empty(store):
    def stands(**change: Any) -> Any:
        commit_each(store, moderation_change("ann", sanctions=SanctionsChange(**change)))
        return [one[1:] for one in store.moderation.sanctions()]

    commit_each(store, moderation_change("ben", sanctions=SanctionsChange(muted_until=0)))
    assert stands(warning="Mind", muted_until=5, banned_until=6, reason="why") == [("Mind", 5, 6, "why")]
    assert stands(banned_until=7, reason="more") == [("Mind", 5, 7, "more")], "expected unchanged sanctions"
    assert stands(acknowledged_warning="Hush") == [("Mind", 5, 7, "more")], "expected a newer warning to stay unread"
    assert stands(acknowledged_warning="Mind") == [("", 5, 7, "more")]
    assert stands(muted_until=0) == [("", 0, 7, "more")]
    assert stands(banned_until=0, warning="Mind") == [("Mind", 0, 0, "")]
    assert stands(acknowledged_warning="Mind") == []


def test_guest_merged_into_an_account_brings_its_sanctions(store):
    guest = SanctionsChange("Mind", 9, 2, "his")
    commit_each(
        store,
        ANN_ACCOUNT,
        moderation_change("ben", sanctions=guest, action=ModerationAction(0, 1, "host", "mute", "ben")),
        moderation_change(report=REPORT_OF_ANN._replace(reporter="cat", target="ben")),
    )
    commit_each(store, moderation_change("ann", sanctions=SanctionsChange("", 1, 6, "hers")))
    commit_each(store, AccountChange("ann", merged_guest="ben"))
    assert store.moderation.sanctions() == [Sanctions("ann", "Mind", 9, 6, "hers")]
    assert store.moderation.action_counts("ann") == {"mute": 1, "report": 1}
    assert store.moderation.action_counts("ben") == {"report": 0}
    assert [line.person for line in store.moderation.report(1).chat_excerpt] == ["ann", "ann"]


def test_deleted_person_leaves_only_anonymous_audit_entries(store):
    act = ModerationAction(0, 1, "ben", "rename", "ann", "Ann", "", 0, "why")
    other = REPORT_OF_ANN._replace(reporter="ann", target="cat")
    commit_each(
        store, ANN_ACCOUNT, moderation_change("ann", action=act, sanctions=SanctionsChange("Mind")),
        moderation_change(report=REPORT_OF_ANN), moderation_change(report=other),
    )  # fmt: skip
    for person, name in (("ann", "Ann"), ("ben", "Ben")):
        commit_each(store, AccountChange(person, delete_person=True, current_name=name))
    moderation = store.moderation
    assert moderation.sanctions() == []
    [report] = moderation.reports(False, 9)
    assert report == other._replace(id=report.id, reporter="", chat_excerpt=())
    assert moderation.actions(9) == [act._replace(id=1, moderator="", target="", name="")]


def test_invitation_creates_one_account_only(store):
    invited = Invitation("hash", "", 9)
    commit_each(store, moderation_change(invitation=invited))
    assert store.moderation.invitation("hash") == invited
    changes = [
        ANN_ACCOUNT._replace(invitation="else"),
        ANN_ACCOUNT._replace(invitation="hash"),
        AccountChange("ben", handle=b"ben", invitation="hash"),
    ]
    assert commit_kinds(store, *changes) == [NOT_INVITED, DONE, NOT_INVITED]
    assert (store.moderation.invitation("hash"), store.accounts.account("ben")) == (None, None)
    new, action = Invitation("new", "", 9), ModerationAction(0, 6, "host", "invite")
    commit_each(store, moderation_change(invitation=Invitation("old", "", 5)))
    commit_each(store, moderation_change(invitation=new, action=action))
    assert (store.moderation.invitation("old"), store.moderation.invitation("new")) == (None, new)


def test_removed_name_is_reserved_and_a_guest_may_have_none(store):
    forbidden = ModerationChange(forbidden_skeletons=("ann", "Ann"))
    taken = AccountChange("ann", name="Anna", skeletons=("anna",), moderation=forbidden)
    assert commit_kinds(store, ANN_ACCOUNT, taken) == [DONE, DONE]
    assert store.accounts.skeleton_holders(["ann", "anna"]) == {"ann": "", "anna": "ann"}
    assert commit_kinds(store, AccountChange("ann", name="Ann", skeletons=("ann",))) == [NAME_TAKEN]
    commit_each(store, AccountChange("ben", name="Ben"), AccountChange("ben", remove_name=True))
    assert store.display_names(["ann", "ben"]) == {"ann": "Anna"}


def test_accounts_are_found_by_a_part_of_their_names_and_guests_are_not(store):
    ben = AccountChange("ben", handle=b"ben", name="Hannes", skeletons=("hannes",))
    commit_each(store, ANN_ACCOUNT, ben, AccountChange("cat", name="Hanna"))
    found = [AccountListing("ann", "Ann", today()), AccountListing("ben", "Hannes", today())]
    assert store.moderation.find_accounts("ANN", 9) == found
    assert [one.name for one in store.moderation.find_accounts("ann", 1)] == ["Ann"]
    assert [one.name for one in store.moderation.find_accounts("", 9)] == ["Ann", "Hannes"], "expected a bounded list"


def test_finished_tables_are_pruned_whole_in_the_order_they_ended(store):
    entry, chat = BENS_ENTRY._replace(table="t1", phase="over"), BENS_CHAT._replace(table="t1")
    new = [NEW_TABLE._replace(table=f"t{k}", idempotency_key="", person="ben", people=("ben",)) for k in range(3)]
    commit_each(store, *new, NEW_TABLE._replace(table="t3", idempotency_key=""), entry, chat, ANN_ACCOUNT)
    commit_each(store, TableChange(table="t3", phase="over"))
    found = store.moderation.finished_tables(1 << 40, (0, ""), 9)
    assert [(one.table, one.entry_count, one.has_accounts) for one in found] == [("t1", 1, False), ("t3", 0, True)]
    assert abs(found[1].finished_at - found[0].finished_at) < 1000
    assert store.moderation.finished_tables(found[0].finished_at, (0, ""), 9) == []
    assert store.moderation.finished_tables(1 << 40, (found[1].finished_at, "t3"), 9) == []
    commit_each(store, moderation_change(deleted_tables=("t1",)))
    assert store.load("t1") is None
    assert store.summaries_of("ben", 9)
    assert "t1" not in store.accounts.tables_of("ben")
    assert store.accounts.tables_chatted_at("ben") == []
    assert store.load("t0") is not None


def test_table_of_an_imported_game_ended_when_it_was_created(store):
    now_s = int(time.time())
    commit_each(store, NEW_TABLE._replace(phase="over"))
    [found] = store.moderation.finished_tables(1 << 40, (0, ""), 9)
    assert found.finished_at >= now_s, "expected its retention to begin now"


def test_new_table_conflicts_with_an_existing_one(store):
    other = NEW_TABLE._replace(idempotency_key="other-key", header=b"other", phase="over")
    assert commit_kinds(store, NEW_TABLE, other) == [DONE, CONFLICT]
    saved = store.load("t")
    assert (saved.header, saved.phase) == (b"h", "playing")


def test_audit_log_is_append_only(store_fixture):
    store = store_fixture.open()
    ban = ModerationAction(0, 1, "host", "ban", "ann", until_s=9, reason="why")
    commit_each(store, moderation_change("ann", action=ban))
    for change in (
        "DELETE FROM moderation_actions",
        "UPDATE moderation_actions SET reason = 'else'",
        "UPDATE moderation_actions SET until_s = 0",
    ):
        with pytest.raises((apsw.ConstraintError, psycopg.Error), match="rows of moderation_actions are never changed"):
            store_fixture.query(change)
    assert store.moderation.actions(9)[0].reason == "why"


PHONE_SUBSCRIPTION = PushSubscription(
    "phone", "ann", "~1", "https://push.example/1", b"k" * 65, b"a" * 16, "A phone", "de", today()
)
LAPTOP_SUBSCRIPTION = PHONE_SUBSCRIPTION._replace(
    id="laptop", browser="~2", endpoint="https://push.example/2", language="en"
)


def test_push_subscription_is_found_by_address_and_goes_with_its_browser(store):
    commit_each(
        store,
        PushChange(subscription=PHONE_SUBSCRIPTION),
        PushChange(subscription=LAPTOP_SUBSCRIPTION),
        PushChange(quiet_hours=("ann", QuietHours(0, 60, "UTC"))),
    )
    again = PHONE_SUBSCRIPTION._replace(id="another", language="en")
    commit_each(store, PushChange(subscription=again))
    assert store.push.subscriptions_of("ann") == [PHONE_SUBSCRIPTION._replace(language="en"), LAPTOP_SUBSCRIPTION], (
        "expected one subscription for one endpoint"
    )
    assert store.push.quiet_hours("ann") == QuietHours(0, 60, "UTC")
    commit_each(store, PushChange(subscription=PHONE_SUBSCRIPTION._replace(id="bens", person="ben")))
    assert store.push.subscriptions_of("ann") == [LAPTOP_SUBSCRIPTION], "expected the last subscriber's"
    account = AccountChange("ann", handle=b"h", device=Device("~9", "ann", "m", "", today(), today()))
    commit_each(store, account, AccountChange("ann", device=Device("~2", "ann", "n", "", today(), today())))
    assert store.push.subscriptions_of("ann") == [LAPTOP_SUBSCRIPTION]
    commit_each(store, AccountChange("ann", remove_devices=("~2",)))
    assert store.push.subscriptions_of("ann") == [], "expected no subscription of a browser where nobody is signed in"
    commit_each(store, AccountChange("ben", delete_person=True))
    assert store.push.subscribers() == []


def test_notifications_are_due_until_sent_and_go_with_their_subscription(store):
    first, second = PendingPush("phone", "t", -1, 50), PendingPush("laptop", "t", -1, 20)
    commit_each(
        store,
        PushChange(subscription=PHONE_SUBSCRIPTION),
        PushChange(subscription=LAPTOP_SUBSCRIPTION, pending=(second,)),
        PushChange(pending=(first,)),
    )
    assert store.push.next_due_ms() == 20
    assert store.push.due(50, 9) == [second, first]
    assert store.push.due(49, 9) == [second]
    commit_each(store, PushChange(pending=(second._replace(due_ms=0, attempts=1), PendingPush("nobody", "t", -1, 1))))
    assert store.push.due(99, 9) == [first], "expected no notification that was sent and none without a subscription"
    assert {*store.push.pending_of("ann")} == {first, second._replace(due_ms=0, attempts=1)}
    commit_each(store, PushChange(cancelled=(("laptop", "t"),), removed_subscriptions=("phone",)))
    assert store.push.pending_of("ann") == []
    assert store.push.next_due_ms() is None


def test_running_tables_of_a_person_are_found_with_their_last_answer(store):
    timed = NEW_TABLE._replace(
        table="timed", idempotency_key="key-timed", columns=NEW_TABLE.columns | {"clocks": b"c", "clocks_at_ms": 7}
    )
    entries = TableChange(table="timed", person="ann", n=0, entries=((0, "a 1"), (1, "a 2")))
    others = TableChange(table="timed", person="ben", n=2, entries=((1, "a 3"),))
    commit_each(store, NEW_TABLE, timed, entries, others)
    found = [(one.table, one.clocks, one.clocks_at_ms) for one in store.turn_states_of("ann")]
    assert found == [("timed", b"c", 7), ("t", b"", 0)]
    assert store.turn_states_of("ben") == []
    assert (store.last_entry_by("ann", "timed"), store.last_entry_by("ben", "timed")) == (1, 2)
    assert (store.last_entry_by("eve", "timed"), store.last_entry_by("ann", "another")) == (-1, -1)
    commit_each(store, TableChange(table="timed", phase="over"))
    assert [one.table for one in store.turn_states_of("ann")] == ["t"]


def test_seats_to_act_are_stored_only_with_their_answer(store):
    def asked() -> list[int | None]:
        return [one.to_act for one in store.turn_states_of("ann")]

    commit_each(store, NEW_TABLE)
    assert asked() == [None], "expected no seats to act before they are stored"
    one = TableChange(table="t", n=0, entries=((0, "a 1"),), at_ms=5, columns={"to_act": 0b10})
    assert commit_kinds(store, one, one._replace(columns={"to_act": 0b100})) == [DONE, CONFLICT]
    assert asked() == [0b10]
    assert commit_kinds(store, TableChange(table="t", n=0, columns={"to_act": 0b1})) == [CONFLICT], "n is outdated"
    commit_each(store, one._replace(n=1, columns={}))
    assert asked() == [0b10]
    assert commit_kinds(store, TableChange(table="t", n=2, columns={"to_act": 0})) == [DONE]
    assert asked() == [], "expected no table without a seat to act"
    commit_each(store, TableChange(table="t", n=2, columns={"to_act": 0b1}), moderation_change(deleted_tables=("t",)))
    commit_each(store, NEW_TABLE._replace(idempotency_key="anew"))
    assert asked() == [None], "expected nothing of a pruned table"
