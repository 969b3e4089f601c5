"""A table's log: answers, undos and changes of seats in one order, each with its time, and the same after a restart."""

from __future__ import annotations

import json
import random
import time
from typing import Any

import apsw
import msgspec
import pytest
import schemas
from guests import first_legal, full_table, in_words, opened, sentences, until

from diamonds import deals
from diamonds.entries import read_words
from diamonds.game import GAMES
from diamonds.server.store import schema
from diamonds.server.store.contract import Stored
from diamonds.server.store.lines import Line
from diamonds.server.store.sqlite import SqliteStore
from diamonds.server.table import batch, entries
from diamonds.server.table.header import Header
from diamonds.server.table.loading import load
from diamonds.server.table.places import Places, SeatHolder
from diamonds.server.table.replaying import match_of, state_at
from diamonds.server.table.table import Table
from diamonds.server.wire.app import Setup
from diamonds.server.wire.limits import OFF
from diamonds.server.work import history


def header(game: str = "fourteen", seats: int = 3) -> Header:
    options = GAMES[game].check_options(seats, {})
    secret = deals.seeded_secret(7).hex()
    return Header(game, seats, options, secret, "invitation", "host", True, 0, 0.0)


def saved(rows: list[tuple[int, str]], game: str = "fourteen", seats: int = 3) -> Stored:
    """A table of people as it is stored, with these entries."""
    places = Places([SeatHolder("person", f"p{seat}", "", "") for seat in range(seats)], [""] * seats)
    as_json = msgspec.json.encode
    return Stored(as_json(header(game, seats)), as_json(places), 0, "playing", [(s, w, "", "", 5) for s, w in rows], [])


def legal(table: Table) -> tuple[int, str]:
    """The first seat that is asked, and its first legal answer, spelled."""
    ask = table.game.asks(table.play.state)[0]
    return ask.seat, f"{ask.question} {ask.legal[0]}"


def play_on(table: Table, answers: int) -> list[tuple[int, str]]:
    """Let the table play; returns what was answered."""
    given = []
    for _ in range(answers):
        seat, words = legal(table)
        [step] = table.play.steps(seat, batch.read(table.game, table.play.state, seat, [words]))
        table.play.apply(step, table.log.time_for_entry())
        given.append((seat, words))
    return given


def state_of(table: Table) -> bytes:
    assert table.play.state is not None
    return bytes(table.play.state.tobytes())


def stored(table: Table) -> list[tuple[int, str]]:
    """A table's entries as they are stored."""
    return [(entries.seat_of(entry), table.log.words_of(entry)) for entry in table.log.entries]


# Long games


@pytest.mark.later
def test_an_undo_beyond_the_65535th_entry_leads_where_it_says_also_when_the_game_is_played_again():
    many = [(0, "undo 0")] * 65_540
    table = load("t", saved(many))
    play_on(table, 3)
    there, shown = table.n, state_of(table)
    play_on(table, 2)
    seat = entries.seat_of(table.log.entries[-1])
    table.play.step_back(seat, there, state_at(table, there), False, 6)
    assert state_of(table) == shown, f"the undo to {there} did not show what was there"
    assert [at for at, _ in table.log.chain()] == [there - 3, there - 2, there - 1], "the answers that stand are others"
    assert state_at(table, table.n).tobytes() == shown, "played again, the table is another"
    assert stored(table)[-1] == (seat, f"undo {there} agreed"), "after a restart the table would be another"


@pytest.mark.later
def test_the_record_of_a_table_has_all_its_entries_with_their_times_and_verifies_however_many():
    """More than the longest game has answers, for undos and changes of seats count as well."""
    table = load("t", saved([(0, "undo 0"), (1, "seat bot:5")] * 15_000))
    seat, words = legal(table)
    [step] = table.play.steps(seat, batch.read(table.game, table.play.state, seat, [words]))
    table.play.apply(step, table.log.time_for_entry(), by="simple")
    play_on(table, 1)
    table.play.step_back(2, table.n - 1, state_at(table, table.n - 1), True, table.log.time_for_entry())
    while not table.over:
        play_on(table, 1)
    data = json.loads(history.record(table))
    assert data["entries"] == [f"{seat} {words}" for seat, words in stored(table)], "the record tells another story"
    assert data["entries"][30_000] == f"{seat} {words} by simple"
    assert data["entries"][30_002] == "2 undo 30001"
    assert data["times"] == table.log.at.tolist()
    assert data["seated"] == ["person"] * 3
    says = json.loads(history.verdict(table))
    assert says["ok"], sentences(says)
    assert f"All {int(table.play.state['deals'])} deals follow" in sentences(says)


def test_every_entry_is_read_as_it_was_written():
    rng = random.Random(1)
    for _ in range(300):
        seat, to, by, agreed = rng.randrange(6), rng.getrandbits(46), rng.getrandbits(39), rng.random() < 0.5
        undo = entries.undo_entry(seat, to, agreed)
        assert (entries.seat_of(undo), entries.question_of(undo)) == (seat, entries.UNDO)
        assert (entries.undone_to(undo), entries.was_agreed(undo)) == (to, agreed)
        answer = entries.answer_entry(seat, 7, 59, by)
        assert (entries.seat_of(answer), entries.question_of(answer)) == (seat, 7)
        assert (entries.answer_of(answer), entries.by_of(answer)) == (59, by)
        change = entries.seat_entry(seat, to)
        assert (entries.seat_of(change), entries.question_of(change)) == (seat, entries.SEAT)
        assert entries.who_of(change) == to


@pytest.mark.parametrize(
    "words", ["", "play", "undo", "undo x", "undo -1", "undo 1 2", "undo 1 agreed x", "seat", "seat king", "a b c d e", "a b by "]
)  # fmt: skip
def test_words_that_are_no_entry_are_refused(words):
    with pytest.raises(ValueError, match="is no entry"):
        read_words(words)


# What is in it


def test_who_has_a_seat_is_in_the_log_once_cards_are_dealt_and_everybody_is_told(open_house, tmp_path):
    house = open_house(tmp_path, settings=Setup((30, 30), OFF))  # the bots think for so long that they do not matter
    host, ben, cleo = (house.guest() for _ in range(3))
    for guest, name in ((host, "Ann"), (ben, "Ben"), (cleo, "Cleo")):
        guest.post("/api/me", {"name": name}, 200)
    id = host.make(game="fourteen", seats=3, places=["me", "open", "bot:random"], takeover=0)
    ben.sit(id, invite=host.invite)
    taps = [guest.listen(id) for guest in (host, cleo)]
    until(lambda: all(tap.events for tap in taps), "the streams do not open")
    assert host.look(id)["n"] == 0, "who sat down before the first deal is in the log"

    begun = host.look(id)["version"]
    assert ben.post(f"/api/tables/{id}/stand", {}, 200)["n"] == 1
    assert ben.sit(id, key="ben-returns")["n"] == 2
    ben.post(f"/api/tables/{id}/stand", {}, 200)
    cleo.sit(id, seat=1, invite=host.invite)
    host.consent(id)
    host.post(f"/api/tables/{id}/bot", {"seat": 2, "level": "simple"}, 200)
    cleo.consent(id)

    def heard(guest: Any) -> list[tuple[Any, str]]:
        message = guest.get(f"/api/tables/{id}?after={begun}")
        return [
            (told["event"], in_words(message, told)) for told in message["told"] if told["event"]["event"] == "seat"
        ]

    first = [
        ({"event": "seat", "seat": 1, "kind": "open", "level": None}, "Ben stands up; a bot plays on."),
        ({"event": "seat", "seat": 1, "kind": "person", "level": None}, "Ben sits down."),
        ({"event": "seat", "seat": 1, "kind": "open", "level": None}, "Ben stands up; a bot plays on."),
        ({"event": "seat", "seat": 1, "kind": "person", "level": None}, "Cleo sits down."),
        (
            {"event": "seat", "seat": 2, "kind": "bot", "level": "simple"},
            "A bot of level random stands up; a bot of level simple sits down.",
        ),
    ]
    assert heard(host) == first
    house.restart(host, ben, cleo)
    assert heard(host) == first, "after a restart something else is told"
    assert ben.sit(id, key="ben-returns")["n"] == 2, "a request that was sent twice is not answered the same twice"

    rows = house.kept.load(id).entries
    words = ["seat open", "seat person", "seat open", "seat person", "seat bot:simple"]
    assert [(seat, said) for seat, said, *_ in rows] == list(zip([1, 1, 1, 1, 2], words, strict=True))
    times = [at for *_, at in rows]
    assert times == sorted(times), "a later entry has an earlier time"
    assert abs(times[0] / 1000 - time.time()) < 3600, "times are milliseconds since 1970"


def test_a_change_of_seats_leaves_the_game_as_it_is_and_an_undo_leaves_the_seats():
    table = load("t", saved([]))
    play_on(table, 2)
    before, n = state_of(table), table.n
    asked, own = list(table.play.open_since), list(table.play.last_own)
    table.play.reseat(1, "open", 5)
    table.play.reseat(1, "bot:simple", 5)
    assert state_of(table) == before, "the game changed with a seat"
    assert table.n == n + 2
    assert table.play.open_since == asked, "an answer that was on its way comes too late"
    assert table.log.moment(table.n) == table.log.moment(n) == 2, "a change of seats is no moment of the game"
    play_on(table, 2)
    assert [at for at, _ in table.log.chain()] == [0, 1, 4, 5], "a change of seats counts as an answer"
    assert match_of(table, table.log.chain()).n == 4
    table.play.step_back(0, 3, state_at(table, 3), False, 6)
    assert state_of(table) == before
    assert table.log.people[table.play.sitting[1]] == "bot:simple", "an undo gave the seat back"
    assert table.play.last_own == own, "sitting down counts as an answer of one's own"
    again = load("t", saved(stored(table)))
    assert (state_of(again), again.play.last_own, again.play.open_since) == (
        before,
        table.play.last_own,
        table.play.open_since,
    )


def test_who_has_played_with_others_takes_nothing_back_at_will_though_they_have_gone(open_house, tmp_path):
    """Else one of two looks ahead while the other is away, and steps back before they return."""
    house = open_house(tmp_path)
    ann, ben = house.guest(), house.guest()
    id = ann.make(game="mines", seats=2, places=["me", "open"], takeover=0)
    ben.sit(id, invite=ann.invite)
    while not all(ann.look(id)["view"]["turns"] > k for k in range(2)):
        message = next(m for g in (ann, ben) if (m := g.look(id))["ask"])
        (ann, ben)[message["seat"]].answer(id, message["n"], first_legal(message))
    ben.post(f"/api/tables/{id}/stand", {}, 200)
    for _ in range(2):
        message = ann.look(id)
        assert message["undo_to"] is None
        assert message["undo_step"] is not None
        undo = {"n": message["n"], "to": message["undo_step"], "key": f"undo-key-{house.port}-{message['version']}"}
        assert ann.post(f"/api/tables/{id}/undo", undo, 409)["id"] == "table-undo-own"
        house.restart(ann, ben)


def test_an_answer_that_a_bot_gave_for_someone_says_so(open_house, tmp_path):
    house = open_house(tmp_path)
    id, guests = full_table(house, "fourteen", 3)
    message = next(m for g in guests if (m := g.look(id))["ask"])
    table, seat, words = house.app.tables.get(id), message["seat"], first_legal(message)
    house.wait_for(house.app.tables.play(table, seat, 0, [words], by="simple"))
    assert [row[1] for row in house.kept.load(id).entries] == [f"{words} by simple"]
    later = next(m for g in guests if (m := g.look(id))["ask"])
    forged = f"{first_legal(later)} by simple"
    guests[later["seat"]].answer(id, 1, forged, expect=400)
    house.restart(*guests)
    table = house.wait_for(house.app.tables.shelf.find(id))
    assert table.log.words_of(table.log.entries[0]) == f"{words} by simple", (
        "after a restart it is not known who answered"
    )
    assert match_of(table, table.log.chain()).answers[0][0] == seat


def test_a_bot_that_stands_in_says_so_in_the_log_and_a_bot_with_a_seat_does_not(house):
    ann, ben = house.guest(), house.guest()
    id = ann.make(game="fourteen", seats=3, places=["me", "open", "bot:simple"], takeover=1)
    ben.sit(id, invite=ann.invite)
    ben.post(f"/api/tables/{id}/stand", {}, 200)
    tap = ann.listen(id)
    table = house.app.tables.get(id)

    def both() -> Any:
        message = tap.newest
        if message and message["ask"]:
            ann.answer(id, message["n"], first_legal(message), expect=None)
        given = {entry[0]: entry[1] for entry in stored(table) if entry[1].startswith("play")}
        return given if {0, 1, 2} <= set(given) else None

    given = until(both, "the bots did not play")
    assert given[1].endswith(" by simple"), "the stand-in's answer looks as if it were Ben's"
    assert " by " not in given[0] + given[2], "who has the seat is said to be stood in for"


def test_a_clock_that_is_put_back_does_not_turn_the_order_round(monkeypatch):
    table = load("t", saved([]))
    now = 2_000_000_000_000_000_000
    monkeypatch.setattr(time, "time_ns", lambda: now)
    play_on(table, 1)
    now -= 3_600_000_000_000
    play_on(table, 1)
    assert list(table.log.at) == [2_000_000_000_000] * 2


# What is kept of older houses


def test_a_file_of_schema_1_is_brought_up_to_date_and_its_game_goes_on(open_house, tmp_path):
    fresh = load("old-table", saved([]))
    rows = play_on(fresh, 4)
    rows += [(rows[-1][0], "undo 3 agreed")]
    old = apsw.Connection(str(tmp_path / "diamonds.sqlite"))
    with old:
        schemas.make_in_file(old, 1)
        old.execute("INSERT INTO meta VALUES ('boots', 4)")
        places = b'{"seats":[%b],"nonces":["","",""],"wish":null}' % b",".join(
            b'{"kind":"person","person":"p%d","level":"","nonce":""}' % seat for seat in range(3)
        )
        old.execute(
            "INSERT INTO tables VALUES ('old-table', ?, ?, 2, 'playing', 0, 1.5)",
            (msgspec.json.encode(header()), places),
        )
        for n, (seat, words) in enumerate(rows):
            key = ("p1", "first-key", b"body", b"reply") if n == 0 else ("", "", None, None)
            old.execute("INSERT INTO answers VALUES ('old-table', ?, ?, ?, ?, ?, ?, ?)", (n, seat, words, *key))
        old.execute("INSERT INTO chat VALUES ('old-table', 2.5, 'Ann', 'Hello')")
    old.close()

    house = open_house(tmp_path)
    table = house.wait_for(house.app.tables.shelf.find("old-table"))
    assert stored(table) == rows
    assert list(table.log.at) == [0] * 5, "when an old answer was given is not known"
    assert house.kept.recall("old-table", "p1", "first-key", b"body").reply == b"reply"
    assert table.people() == ["p0", "p1", "p2"]
    assert table.chat == [Line("Ann", "Hello", 2.5)]
    seat, words = legal(table)
    house.wait_for(house.app.tables.play(table, seat, 5, [words]))
    house.close()
    with opened(SqliteStore(tmp_path)) as again:
        assert again.real._write.pragma("user_version") == schema.VERSION
        found = again.load("old-table")
        assert found is not None
        assert found.entries[-1][:2] == (seat, words)
        assert found.entries[-1][4] > 1_600_000_000_000, "a new answer has no time"
    house.open()
