"""A table's log: answers, undos and seat changes in order, with their times, unchanged by a restart, and compact."""

import json
import random
import time
import tracemalloc
from typing import Any

import msgspec
import pytest

from diamonds import deals
from diamonds.entries import parse_entry
from diamonds.game import GAMES
from diamonds.server.storage.table_data import StoredTable
from diamonds.server.tables import archive
from diamonds.server.tables.core import entry_log
from diamonds.server.tables.core.batched_answers import parse_answers
from diamonds.server.tables.core.entry_log import COMPACT_BLOCK, PACK_BLOCK, CompactTimestamps, EntryLog
from diamonds.server.tables.core.loading import load_table
from diamonds.server.tables.core.log_replay import effective_game, state_at
from diamonds.server.tables.core.seating import SeatHolder, SeatsAndSettings, TableHeader
from diamonds.server.tables.core.table import Table
from tests.server.support.client import answer_next, event_text, first_legal, message_text, message_to_act, wait_until
from tests.server.support.live_server import full_table


def header(game: str = "fourteen", seats: int = 3) -> TableHeader:
    options = GAMES[game].check_options(seats, {})
    secret = deals.seeded_secret(7).hex()
    return TableHeader(game, seats, options, secret, "invitation", "host", True, 0, 0.0)


def stored_table(rows: list[tuple[int, str]], game: str = "fourteen", seats: int = 3) -> StoredTable:
    """Return a table of people as stored, with these entries."""
    places = SeatsAndSettings([SeatHolder("person", f"p{seat}", "", "") for seat in range(seats)], [""] * seats)
    as_json = msgspec.json.encode
    return StoredTable(
        as_json(header(game, seats)), as_json(places), 0, "playing", [(*row, "", "", 5) for row in rows], []
    )


def first_answer(table: Table) -> tuple[int, str]:
    """Return the first seat to act and its first legal answer."""
    ask = table.game.open_questions(table.game_state.state)[0]
    return ask.seat, f"{ask.question} {ask.legal[0]}"


def play_on(table: Table, count: int) -> list[tuple[int, str]]:
    given = []
    for _ in range(count):
        seat, words = first_answer(table)
        [step] = table.game_state.preview_steps(seat, parse_answers(table.game, table.game_state.state, seat, [words]))
        table.game_state.commit_step(step, table.log.time_for_entry())
        given.append((seat, words))
    return given


def state_bytes(table: Table) -> bytes:
    return bytes(table.game_state.state.tobytes())


def stored_entries(table: Table) -> list[tuple[int, str]]:
    return [(entry_log.seat_of(entry), table.log.entry_text(entry)) for entry in table.log.entries]


# Long games


@pytest.mark.later
def test_undo_beyond_entry_65535_is_stored_and_reloaded_exactly():
    many = [(0, "undo 0")] * 65_540
    table = load_table("t", stored_table(many))
    play_on(table, 3)
    there, shown = table.n, state_bytes(table)
    play_on(table, 2)
    seat = entry_log.seat_of(table.log.entries[-1])
    table.game_state.commit_undo(seat, there, state_at(table, there), False, 6)
    assert state_bytes(table) == shown, f"expected the state at {there} after the undo"
    assert [at for at, _ in table.log.effective_answers()] == [there - 3, there - 2, there - 1]
    assert state_at(table, table.n)[0].tobytes() == shown, "expected the same table when played again"
    assert stored_entries(table)[-1] == (seat, f"undo {there} agreed"), "expected the same table after a restart"


@pytest.mark.later
def test_record_has_every_entry_with_its_time_and_verifies():
    """There are more entries than the longest game has answers, because undos and seat changes also count."""
    table = load_table("t", stored_table([(0, "undo 0"), (1, "seat bot:5")] * 15_000))
    seat, words = first_answer(table)
    [step] = table.game_state.preview_steps(seat, parse_answers(table.game, table.game_state.state, seat, [words]))
    table.game_state.commit_step(step, table.log.time_for_entry(), substitute="simple")
    play_on(table, 1)
    table.game_state.commit_undo(2, table.n - 1, state_at(table, table.n - 1), True, table.log.time_for_entry())
    while not table.is_over:
        play_on(table, 1)
    data = json.loads(archive.record_text(table))
    assert data["entries"] == [f"{seat} {words}" for seat, words in stored_entries(table)], "expected every entry"
    assert data["entries"][30_000] == f"{seat} {words} by simple"
    assert data["entries"][30_002] == "2 undo 30001"
    assert data["times"] == table.log.times.tolist()
    assert data["seated"] == ["person"] * 3
    says = json.loads(archive.verification_json(table))
    assert says["ok"], message_text(says)
    assert f"all {int(table.game_state.state['deals'])} deals were fixed" in message_text(says)


def test_entry_round_trips_through_its_text():
    rng = random.Random(1)
    for _ in range(300):
        seat, to, by, agreed = rng.randrange(6), rng.getrandbits(46), rng.getrandbits(39), rng.random() < 0.5
        undo = entry_log.undo_entry(seat, to, agreed)
        assert (entry_log.seat_of(undo), entry_log.question_of(undo)) == (seat, entry_log.UNDO)
        assert (entry_log.undone_to(undo), entry_log.was_agreed(undo)) == (to, agreed)
        answer = entry_log.answer_entry(seat, 7, 59, by)
        assert (entry_log.seat_of(answer), entry_log.question_of(answer)) == (seat, 7)
        assert (entry_log.answer_of(answer), entry_log.substitute_of(answer)) == (59, by)
        change = entry_log.seat_change_entry(seat, to)
        assert (entry_log.seat_of(change), entry_log.question_of(change)) == (seat, entry_log.SEAT_CHANGE)
        assert entry_log.holder_of(change) == to


@pytest.mark.parametrize(
    "words", ["", "play", "undo", "undo x", "undo -1", "undo 01", "undo 1 2", "undo 1 agreed x", "seat", "seat king", "seat bot:", "timeout now and then", "a b c d e", "a b by "]
)  # fmt: skip
def test_malformed_entries_are_rejected(words):
    with pytest.raises(ValueError, match="is no entry"):
        parse_entry(words)


# Contents


def test_seats_are_logged_and_announced_when_cards_are_dealt(open_server, tmp_path):
    # Bots that think too long to answer during the test.
    server = open_server(tmp_path, bot_delay=(30, 30))
    host, ben, cleo = (server.new_client() for _ in range(3))
    for guest, name in ((host, "Ann"), (ben, "Ben"), (cleo, "Cleo")):
        guest.post("/api/me", {"name": name}, 200)
    id = host.create_table(game="fourteen", seats=3, seats_taken_by=["me", "open", "bot:random"], substitute_after_s=0)
    ben.sit(id, invite=host.invite)
    streams = [guest.open_stream(id) for guest in (host, cleo)]
    wait_until(lambda: all(stream.events for stream in streams), "expected the streams to open")
    assert host.get_table(id)["n"] == 0, "expected no entry of a person who sat down before the first deal"

    begun = host.get_table(id)["version"]
    assert ben.post(f"/api/tables/{id}/stand", {}, 200)["n"] == 1
    assert ben.sit(id, idempotency_key="ben-returns")["n"] == 2
    ben.post(f"/api/tables/{id}/stand", {}, 200)
    cleo.sit(id, seat=1, invite=host.invite)
    host.vote(id)
    host.post(f"/api/tables/{id}/bot", {"seat": 2, "level": "simple"}, 200)
    cleo.vote(id)

    def heard(guest: Any) -> list[tuple[Any, str]]:
        message = guest.get(f"/api/tables/{id}?after={begun}")
        return [
            (told["event"], event_text(message, told)) for told in message["events"] if told["event"]["event"] == "seat"
        ]

    first = [
        ({"event": "seat", "seat": 1, "kind": "open", "level": None}, "Ben stands up. A bot takes the seat."),
        ({"event": "seat", "seat": 1, "kind": "person", "level": None}, "Ben sits down."),
        ({"event": "seat", "seat": 1, "kind": "open", "level": None}, "Ben stands up. A bot takes the seat."),
        ({"event": "seat", "seat": 1, "kind": "person", "level": None}, "Cleo sits down."),
        ({"event": "seat", "seat": 2, "kind": "bot", "level": "simple"}, "A bot of level random stands up; a bot of level simple sits down."),
    ]  # fmt: skip
    assert heard(host) == first
    server.restart(host, ben, cleo)
    assert heard(host) == first, "expected the same events after a restart"
    assert ben.sit(id, idempotency_key="ben-returns")["n"] == 2, "expected the same reply to a repeated request"

    rows = server.store.load(id).entries
    words = ["seat open", "seat person", "seat open", "seat person", "seat bot:simple"]
    assert [(seat, said) for seat, said, *_ in rows] == list(zip([1, 1, 1, 1, 2], words, strict=True))
    times = [at for *_, at in rows]
    assert times == sorted(times), "expected times that do not decrease"
    assert abs(times[0] / 1000 - time.time()) < 3600, "expected times in milliseconds since 1970"


def test_seat_changes_keep_the_game_and_undo_keeps_the_seats():
    table = load_table("t", stored_table([]))
    play_on(table, 2)
    before, n = state_bytes(table), table.n
    asked, own = list(table.game_state.question_since), list(table.game_state.last_answer_n)
    table.game_state.commit_seat_change(1, "open", 5)
    table.game_state.commit_seat_change(1, "bot:simple", 5)
    assert state_bytes(table) == before, "expected a seat change to keep the game"
    assert table.n == n + 2
    assert table.game_state.question_since == asked, "expected an answer under way to stay valid"
    assert table.log.canonical_n(table.n) == table.log.canonical_n(n) == 2, "expected no view at a seat change"
    play_on(table, 2)
    assert [at for at, _ in table.log.effective_answers()] == [0, 1, 4, 5], "expected seat changes to be no answers"
    assert effective_game(table, table.log.effective_answers()).n == 4
    table.game_state.commit_undo(0, 3, state_at(table, 3), False, 6)
    assert state_bytes(table) == before
    assert table.log.holder_ids[table.game_state.holders[1]] == "bot:simple", "expected an undo to keep the seats"
    assert table.game_state.last_answer_n == own, "expected sitting down not to count as an own answer"
    again = load_table("t", stored_table(stored_entries(table)))
    assert (state_bytes(again), again.game_state.last_answer_n, again.game_state.question_since) == (
        before,
        table.game_state.last_answer_n,
        table.game_state.question_since,
    )


def test_undo_needs_consent_even_after_other_players_left(disk_server):
    """Without consent, one of two players could look ahead while the other is away, and undo before they return."""
    ann, ben = disk_server.new_client(), disk_server.new_client()
    id = ann.create_table_with(ben, substitute_after_s=0)
    while not all(ann.get_table(id)["view"]["turns"] > k for k in range(2)):
        answer_next((ann, ben), id)
    ben.post(f"/api/tables/{id}/stand", {}, 200)
    for _ in range(2):
        message = ann.get_table(id)
        assert message["undo_min"] is None
        assert message["undo_last"] is not None
        key = f"undo-key-{disk_server.port}-{message['version']}"
        undo = {"n": message["n"], "to": message["undo_last"], "idempotency_key": key}
        assert ann.post(f"/api/tables/{id}/undo", undo, 409)["id"] == "table-undo-own"
        disk_server.restart(ann, ben)


def test_answer_by_a_substitute_is_marked(disk_server):
    id, guests = full_table(disk_server, "fourteen", 3)
    message = message_to_act(guests, id)
    table, seat, words = disk_server.app.tables.get(id), message["seat"], first_legal(message)
    disk_server.wait_for(disk_server.app.tables.actions.play_answers(table, seat, 0, [words], substitute="simple"))
    assert [row[1] for row in disk_server.store.load(id).entries] == [f"{words} by simple"]
    later = message_to_act(guests, id)
    forged = f"{first_legal(later)} by simple"
    guests[later["seat"]].answer(id, 1, forged, expect=400)
    disk_server.restart(*guests)
    table = disk_server.wait_for(disk_server.app.tables.registry.find(id))
    assert table.log.entry_text(table.log.entries[0]) == f"{words} by simple", "expected the marks after a restart"
    assert effective_game(table, table.log.effective_answers()).answers[0][0] == seat


def test_log_marks_substitutes_but_not_seated_bots(server):
    ann, ben = server.new_client(), server.new_client()
    id = ann.create_table(game="fourteen", seats=3, seats_taken_by=["me", "open", "bot:simple"], substitute_after_s=1)
    ben.sit(id, invite=ann.invite)
    ben.post(f"/api/tables/{id}/stand", {}, 200)
    stream = ann.open_stream(id)
    table = server.app.tables.get(id)

    def both() -> Any:
        message = stream.newest
        if message and message["open_question"]:
            ann.answer(id, message["n"], first_legal(message), expect=None)
        given = {entry[0]: entry[1] for entry in stored_entries(table) if entry[1].startswith("play")}
        return given if {0, 1, 2} <= set(given) else None

    given = wait_until(both, "expected the bots to answer")
    assert given[1].endswith(" by simple"), "expected a mark on the substitute's answer"
    assert " by " not in given[0] + given[2], "expected no mark on the answer of a seated bot"


def test_entry_times_never_decrease_when_the_clock_is_set_back(monkeypatch):
    table = load_table("t", stored_table([]))
    now = 2_000_000_000_000_000_000
    monkeypatch.setattr(time, "time_ns", lambda: now)
    play_on(table, 1)
    now -= 3_600_000_000_000
    play_on(table, 1)
    assert list(table.log.times) == [2_000_000_000_000] * 2


def test_option_younger_than_the_table_has_its_default():
    stored = stored_table([])
    known = msgspec.json.decode(stored.header)
    older = {**known, "options": {name: value for name, value in known["options"].items() if name != "target"}}
    table = load_table("old-table", stored._replace(header=msgspec.json.encode(older)))
    assert table.header.options == known["options"], "expected the default of an option that the header does not name"


# Memory


DAY_MS = 24 * 3600 * 1000


def dealt_table(game: str, seats: int) -> Table:
    """Return a table of people after its first deal."""
    places = SeatsAndSettings([SeatHolder("person", f"p{seat}", "", "") for seat in range(seats)])
    places.fix_initial_holders()
    table = Table("table", header(game, seats), places, 0)
    table.game_state.begin(places)
    return table


@pytest.mark.parametrize(("game", "seats"), [("crystals", 4), ("fourteen", 3), ("mines", 2)])
def test_compact_log_sends_the_same_events(game, seats):
    table, rng = dealt_table(game, seats), random.Random(7)
    told, ends, keys = [table.log.events_at(0)], [], []
    while not table.is_over:
        state = table.game_state.state
        seat = rng.choice(table.game.to_act(state))
        number = table.game.parse_answer(state, seat, None, rng.choice(table.game.legal(state, seat)))
        [step] = table.game_state.preview_steps(seat, [number])
        keys.append(rng.getrandbits(64) - (1 << 63))
        table.game_state.commit_step(step, table.log.time_for_entry(), keys[-1])
        told.append(step.rows)
        ends += [] if step.deal_end is None else [step.deal_end.tobytes()]
        at = rng.randrange(len(told))
        assert len(table.log._row_ends) <= 2 * PACK_BLOCK, "expected old events to be packed"
        assert table.log.events_at(at) == told[at], f"expected the events of entry {at} of {table.n} to be unchanged"
        assert table.log.may_have_key(rng.choice(keys)), "expected a repeated request to be recognized"
    assert [table.log.events_at(n) for n in range(table.n + 1)] == told
    assert [end.tobytes() for end in table.game_state.deal_end_states()] == ends
    assert all(map(table.log.may_have_key, keys))


def test_table_continues_and_sends_events_after_its_game():
    log = EntryLog(GAMES["mines"])
    log.append_events([(1, 2)])
    over, later = COMPACT_BLOCK + PACK_BLOCK, COMPACT_BLOCK + 4 * PACK_BLOCK
    # Random entries of any seat, which use all of their bits.
    made = [(n << 56 | 254 << 48 | n) & (1 << 64) - 1 for n in range(later)]
    moments = [1_700_000_000_000 + n * DAY_MS // 9 for n in range(later)]
    for n in range(later):
        if n == over:
            log.compact()
        log.append(made[n], moments[n], n, [(n, n)])
        if n >= over:
            assert (log.n, log.entries[-1], log.times[-1]) == (n + 1, made[n], moments[n])
            assert log.events_at(n + 1) == [(n, n)], "expected the last event after the game"
    assert log.entries.tolist() == made
    assert log.times.tolist() == moments
    assert [log.events_at(n + 1) for n in range(later)] == [[(n, n)] for n in range(later)]
    assert log.events_at(0) == [(1, 2)]


def test_entry_times_are_exact_however_long_a_game_takes():
    moments = [0, 0, 1_700_000_000_000, 1_700_000_000_000 + 300 * DAY_MS]
    for first in (0, 2):
        times = CompactTimestamps()
        for moment in moments[first:]:
            times.append(moment)
        assert times.tolist() == [*times] == moments[first:]
        assert (times[-1], len(times)) == (moments[-1], len(moments) - first)
    back = CompactTimestamps()
    for moment in (500, 20, 900):
        back.append(moment)
    assert back.tolist() == [500, 20, 900], "expected exact times"


def test_entry_times_of_forty_days_take_four_bytes_each():
    times, count = CompactTimestamps(), 20_000
    tracemalloc.start()
    try:
        for k in range(count):
            times.append(1_700_000_000_000 + k * 40 * DAY_MS // count)
        size = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert 4 <= size / count < 5, f"expected four bytes and some room to grow, got {size / count}"
