"""Imported records: games finished elsewhere are replayed, verified and reviewed, and harmful uploads are limited."""

import asyncio
import http.client
import json
from contextlib import ExitStack
from pathlib import Path

import pytest

from diamonds import record_reader, records
from diamonds.game import GAMES, find_game
from diamonds.server.errors import RateLimitedError
from diamonds.server.http.asgi_helpers import MAX_RECORD_BYTES
from diamonds.server.http.connection_limits import NONE_MISSING
from diamonds.server.http.rate_limits import UNLIMITED, PersonAndAddressRates, RateLimit
from diamonds.server.tables import analysis, archive, opened_records, replay_plan
from diamonds.server.tables.opened_records import RecordUploadLimiter
from tests.server.support.client import Client, message_text, wait_until
from tests.server.support.live_server import finish_game

RECORDS_DIR = Path(__file__).parents[1] / "records"


def stored_record(game: str) -> str:
    """Return the first record of an earlier version, with undos, seat changes and more."""
    return (RECORDS_DIR / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()[0]


def altered_record(**keys: object) -> str:
    """Return a record of mines with a changed entry."""
    return json.dumps({**json.loads(stored_record("mines")), **keys})


def import_record(guest: Client, text: str | bytes, expect: int = 200):
    body = text if isinstance(text, bytes) else text.encode()
    status, raw = guest.send("POST", "/api/records", body)
    assert status == expect, f"{status}: {raw[:300]!r}"
    return json.loads(raw)


# Replays


def test_record_of_another_server_replays_alike(open_server, tmp_path):
    here, there = open_server(tmp_path / "here"), open_server(tmp_path / "there")
    host = here.new_client()
    id = host.create_table(game="crystals", seats=3, options={"rounds": 2})
    finish_game(here, id, host)
    replay = host.get(f"/api/tables/{id}/replay")
    text = host.send("GET", f"/api/tables/{id}/record")[1]
    opened = import_record(there.new_client(), text)
    assert opened["ok"]
    assert "all 2 deals were fixed before play" in message_text(opened)
    again = opened["replay"]
    assert again["steps"] == replay["steps"]
    assert again["result"] == replay["result"]
    same = ("game", "title", "seats", "options", "commitment", "fork", "phase")
    assert {key: again["table"][key] for key in same} == {key: replay["table"][key] for key in same}
    names = [[one["name"] for one in told["table"]["seat_holders"]] for told in (again, replay)]
    assert names[0] == names[1]
    assert there.new_client().get("/api/tables")["tables"] == [], "expected no table for an imported record"


def test_imported_game_is_private_and_unrated(server):
    """The game has the record's cards and entries, and counts as a fork because its cards were known.

    An idempotency key imports it once. Records of another server or of several people cannot be imported.
    """
    ann, ben = server.new_client(), server.new_client()
    text = finished_record()
    opened = import_record(ann, text)
    key_body = {"idempotency_key": "0" * 32}
    made = ann.post(f"/api/records/{opened['id']}/import", key_body)
    assert ann.post(f"/api/records/{opened['id']}/import", key_body) == made
    told = ann.get(f"/api/tables/{made['id']}")
    steps = opened["replay"]["steps"]
    assert told["table"]["fork"] == {"commitment": opened["replay"]["table"]["commitment"], "n": len(steps) - 1}
    assert (told["table"]["phase"], told["table"]["private"], told["table"]["invite"]) == ("over", True, None)
    assert [place["level"] for place in told["table"]["seat_holders"]] == ["simple", None, "simple"]
    assert told["result"] is not None
    assert [step["view"] for step in ann.get(f"/api/tables/{made['id']}/replay")["steps"]] == [
        step["view"] for step in steps
    ]
    assert [line["phase"] for line in ann.get("/api/tables")["your_tables"]] == ["over"]
    assert ben.get("/api/tables") == {"tables": [], "your_tables": []}
    ben.get(f"/api/tables/{made['id']}", expect=404)
    for other in (stored_record("mines"), json.dumps({**json.loads(text), "seated": ["person"] * 3})):
        opened = import_record(ann, other)
        error = ann.post(f"/api/records/{opened['id']}/import", {"idempotency_key": "1" * 32}, expect=409)
        assert error["id"] in {"record-not-importable", "hint-review-left"}


def finished_record() -> str:
    """Return the record of a finished short game of one person and two bots."""
    played = records.start_game(
        find_game("crystals"), 3, {"rounds": 1}, bytes(32), [b"", b"1", b""], ["Ada", "Ann", "Carl"]
    )
    played.seat_holders = ["bot:simple", "person", "bot:simple"]
    while not played.over:
        seat = played.game.to_act(played.state)[0]
        played.answer(seat, played.game.legal(played.state, seat)[0])
    return records.write_record(played)


@pytest.mark.parametrize("game", GAMES)
def test_replay_has_side_events_between_its_steps(server, game):
    opened = import_record(server.new_client(), stored_record(game))
    played = record_reader.load_record(stored_record(game))
    steps = opened["replay"]["steps"]
    assert len(steps) == played.n + 1
    told = [one["event"]["event"] for step in steps for one in step["events"]]
    for kind in ("undo", "seat", "timeout"):
        assert told.count(kind) == sum(line.split(" ")[1] == kind for line in played.entries), f"expected {kind}"
    assert told.count("by") == sum(played.entries[place].endswith("by simple") for place in played.entry_positions)
    assert opened["replay"]["result"]["scores"] == played.game.result(played.state)["scores"]


@pytest.mark.later
def test_replay_of_a_fork_marks_where_it_begins(server):
    host = server.new_client()
    id = host.create_table(game="mines", seats=2)
    finish_game(server, id, host)
    made = host.post(f"/api/tables/{id}/fork", {"n": 3, "seat": 0, "level": "simple"}, 201)
    finish_game(server, made["id"], host)
    text = host.send("GET", f"/api/tables/{made['id']}/record")[1]
    opened = import_record(server.new_client(), text)
    assert "continues another one after 3 answers" in message_text(opened)
    assert opened["replay"]["table"]["fork"]["n"] == 3
    [at] = [
        step["n"] for step in opened["replay"]["steps"] for one in step["events"] if one["event"]["event"] == "fork"
    ]
    assert at == 4, "expected the fork to begin after the entries that both games share"
    own = host.get(f"/api/tables/{made['id']}/replay")
    assert own["steps"] == opened["replay"]["steps"], "expected the same replay from the table itself"


def test_unfinished_game_is_replayed_as_far_as_it_goes(server):
    played = records.start_game(GAMES["fourteen"], 3, players=["Ann", "Ben", "Cleo"])
    seat = played.game.to_act(played.state)[0]
    played.answer(seat, played.game.legal(played.state, seat)[0])
    opened = import_record(server.new_client(), records.write_record(played, reveal=True))
    assert opened["ok"]
    assert "not over" in message_text(opened)
    assert opened["replay"]["result"] is None
    assert [step["n"] for step in opened["replay"]["steps"]] == [0, 1]
    assert server.new_client().get(f"/api/records/{opened['id']}/review", 409)["error"]


def test_record_under_earlier_rules_is_shown_as_written(server):
    opened = import_record(server.new_client(), altered_record(rules_version=99, options={"x\u202e": [1], "rounds": 3}))
    assert not opened["ok"]
    assert "version 99" in message_text(opened)
    assert opened["replay"] is None
    written = opened["unverified"]
    assert written["entries"] == json.loads(stored_record("mines"))["entries"]
    assert written["options"] == {"x?": "…", "rounds": "3"}
    assert written["title"]


def test_diverging_entry_of_a_record_is_named(server):
    entries = json.loads(stored_record("mines"))["entries"]
    place = next(n for n, line in enumerate(entries) if line.split(" ")[1] == "claim")
    wrong = [*entries[:place], entries[place].replace("claim", "grow"), *entries[place + 1 :]]
    opened = import_record(server.new_client(), altered_record(entries=wrong))
    assert not opened["ok"]
    assert f"Entry {place} " in message_text(opened)
    assert opened["unverified"]["entries"] == wrong
    sums = json.loads(stored_record("mines"))["checksums"]
    opened = import_record(server.new_client(), altered_record(checksums=["0" * 16, *sums[1:]]))
    assert "diverges at the start" in message_text(opened)


def test_record_without_secret_is_shown_as_unverified(server):
    opened = import_record(server.new_client(), altered_record(secret=None, result=None))
    assert "has no secret" in message_text(opened)
    assert opened["unverified"]["players"]


# Errors


@pytest.mark.parametrize("text", [
    b"", b"hello", b"[]", b"{}", b"3", b'{"format": "diamonds record 1"}', b"\xff\xfe{}", b"[" * 100_000, b"9" * 100_000,
    altered_record(game="chess").encode(), altered_record(game=None).encode(), altered_record(entries={}).encode(), altered_record(players=[1]).encode(),
])  # fmt: skip
def test_invalid_record_gets_one_error_message(server, text):
    said = import_record(server.new_client(), text, 400)["error"]
    assert said.endswith(".")
    assert "\n" not in said
    assert len(said) < 200


@pytest.mark.later
@pytest.mark.parametrize("text", [
    altered_record(players=["\ud800\x1b[2J", "\u202eevil"]), altered_record(entries=["0 turn \ud800"]), altered_record(entries=["\ud800 \udfff"]),
    altered_record(seated=["\ud800", "person"]), altered_record(options={"\ud800": "\ud800"}), altered_record(secret="\ud800"),
    altered_record(commitment="\ud800"), altered_record(rules_version=5, entries=["\ud800"], seated=["\ud800"], players=["\ud800"]),
    altered_record(rules_version=10**4000), altered_record(seats=10**4000), altered_record(options={"x": {"y": "\ud800"}}), altered_record(result={"\ud800": 1}),
    altered_record(fork={"commitment": "\ud800", "n": 10**30}), altered_record(times=[10**300]), altered_record(nonces=["\ud800", "zz"]),
])  # fmt: skip
def test_unwritable_characters_and_numbers_cause_no_server_error(guest, text):
    status, raw = guest.send("POST", "/api/records", text.encode())
    assert status in (200, 400), raw
    for sign in ("\ud800", "\x1b", "\u202e"):
        assert sign not in json.dumps(json.loads(raw), ensure_ascii=False), "expected no invisible character"


def test_reserved_name_in_a_record_is_marked_as_foreign(server):
    opened = import_record(server.new_client(), altered_record(players=["Zoe", "Z\u043ee"]))
    names = [one["name"] for one in opened["replay"]["table"]["seat_holders"]]
    assert names == ["Zoe", "Z\u043ee (2)"]


def test_too_large_record_gets_413_and_too_many_entries_an_error(guest, monkeypatch):
    padded = stored_record("mines").encode() + b" " * (MAX_RECORD_BYTES - len(stored_record("mines").encode()))
    assert import_record(guest, padded)["ok"], "expected a record of exactly the maximum size to be opened"
    assert "larger than 2,000,000 bytes" in import_record(guest, padded + b" ", 413)["error"]
    assert guest.post("/api/me", {"name": "x" * 20_000}, 413), "expected the usual size limit for other requests"
    many = altered_record(entries=["0 timeout"] * (opened_records.MAX_RECORD_ENTRIES + 1))
    assert "more than 42,000 entries" in import_record(guest, many, 400)["error"]


# Limits


def test_imports_are_limited_to_one_a_person_and_few_an_address():
    import_slots = RecordUploadLimiter()
    with ExitStack() as inside:
        inside.enter_context(import_slots.acquire("ann", "home"))
        with pytest.raises(RateLimitedError, match="still being opened"):
            inside.enter_context(import_slots.acquire("ann", "elsewhere"))
        for k in range(opened_records.MAX_PER_ADDRESS - 1):
            inside.enter_context(import_slots.acquire(f"guest {k}", "home"))
        with pytest.raises(RateLimitedError, match="Too many records"):
            inside.enter_context(import_slots.acquire("ben", "home"))
        for k in range(opened_records.MAX_OPEN_RECORDS - opened_records.MAX_PER_ADDRESS):
            inside.enter_context(import_slots.acquire(f"other {k}", f"there {k}"))
        with pytest.raises(RateLimitedError, match="Too many records"):
            inside.enter_context(import_slots.acquire("ben", "nowhere"))
    with import_slots.acquire("ann", "home"):
        pass


def test_connection_stays_open_after_a_complete_request_only(server):
    ann = server.new_client()
    slow, line = (http.client.HTTPConnection("127.0.0.1", server.port) for _ in range(2))
    for one, size in ((slow, "1000"), (line, "2")):
        one.putrequest("POST", "/api/records")
        for name, value in {**ann.headers, "Content-Type": "application/json", "Content-Length": size}.items():
            one.putheader(name, value)
        one.endheaders()
        if one is slow:  # this upload gets the only slot before the other one asks
            wait_until(lambda: ann.send("POST", "/api/records", b"{}")[0] == 429, "expected the slot taken")
    reply = line.getresponse()
    assert (reply.status, bool(reply.read())) == (429, True)
    port = line.sock.getsockname()[1]
    (door,) = (one for one in server.connections if one.client[1] == port)
    line.send(b"{}")
    wait_until(lambda: door.missing_part == NONE_MISSING, "expected the rest of the request to be accepted")
    server.call_on_loop(lambda: door.check_timeouts(door.loop.time()))
    line.request("GET", "/api/tables")
    assert line.getresponse().status == 200, "expected the connection to stay open between requests"
    line.close()
    slow.close()


@pytest.mark.later
def test_imported_bytes_are_limited_per_person_and_per_address(open_server, tmp_path):
    size = len(stored_record("mines")) + 4_000
    tight = UNLIMITED._replace(
        record_bytes=PersonAndAddressRates(RateLimit(2.5 * size, 1e-9), RateLimit(3.5 * size, 1e-9))
    )
    server = open_server(tmp_path, limits=tight)
    ann, ben = server.new_client(), server.new_client()
    for person, statuses in ((ann, [200, 200, 429]), (ben, [200, 429])):
        for status in statuses:
            assert person.send("POST", "/api/records", stored_record("mines").encode())[0] == status


def test_record_is_replayed_once_in_a_worker_with_bounded_cache(server, monkeypatch):
    guest, game_archive = server.new_client(), server.app.tables.archive
    asked = []
    work_out = server.app.tables.workers.run

    async def counted(work, *given):
        asked.append(work)
        return await work_out(work, *given)

    monkeypatch.setattr(server.app.tables.workers, "run", counted)
    monkeypatch.setattr(record_reader, "replay_entries", None)  # the server process itself replays no game
    first = import_record(guest, stored_record("fourteen"))
    assert import_record(server.new_client(), stored_record("fourteen")) == first
    assert asked.count(opened_records.read_foreign_record) == 1, "expected one replay of the record for all requests"
    for k in range(6):
        import_record(guest, stored_record("fourteen") + " " * k)
    monkeypatch.setattr(archive, "CACHE_BYTES", game_archive.cached_bytes // 3)
    import_record(guest, stored_record("mines"))
    packed_size = sum(len(part) for packed in game_archive.cached.values() for part in packed)
    assert game_archive.cached_bytes == packed_size <= archive.CACHE_BYTES
    assert server.app.tables.registry.all() == []
    gone = guest.get(f"/api/records/{first['id']}/review", 404)
    assert "Open it again" in gone["error"]


def test_long_record_is_replayed_in_chapters_that_let_bots_between(server, monkeypatch):
    whole = import_record(server.new_client(), stored_record("crystals"))
    monkeypatch.setattr(replay_plan, "ANSWERS_PER_CHUNK", 10)
    pool = server.app.tables.workers
    turns = []
    turn = pool.slot

    def noted(priority, person, most=None):
        turns.append(priority.name)
        return turn(priority, person, most)

    monkeypatch.setattr(pool, "slot", noted)
    parts = import_record(server.new_client(), stored_record("crystals") + " ")
    for part in ("steps", "result"):
        assert parts["replay"][part] == whole["replay"][part]
    answers = len(whole["replay"]["steps"]) - 1
    assert turns == ["REVIEW"] * (1 + -(-answers // 10)), "expected a long record to be replayed in several jobs"


@pytest.mark.kernels
def test_imported_record_is_reviewed_only_while_requested(server, monkeypatch):
    lines = (RECORDS_DIR / "mines.jsonl").read_text(encoding="utf-8").splitlines()
    guest, analysis_service = server.new_client(), server.app.tables.analysis
    opened = import_record(guest, json.dumps({**json.loads(min(lines, key=len)), "seated": ["person", "bot:5"]}))
    path = f"/api/records/{opened['id']}/review"
    monkeypatch.setattr(analysis, "ABANDON_AFTER_S", -1.0)
    assert "ready" in guest.get(path, 202)
    job = analysis_service.jobs[f"record {opened['id']}"]
    wait_until(lambda: job.task.done(), "expected a review to stop when nobody requests it any more")
    assert job.done < job.total
    assert not job.has_failed
    monkeypatch.setattr(analysis, "ABANDON_AFTER_S", 1e9)
    made = wait_until(lambda: (found := guest.get(path, None)).get("results") and found, "expected the review")
    assert made["unit"] == "%"
    assert max(one["n"] for one in made["chances"]) <= opened["replay"]["steps"][-1]["n"]
    assert list(analysis_service.reviews) == [f"record {opened['id']}"]
    assert guest.get("/api/records/" + "0" * 64 + "/review", 404)["error"]


def test_record_reviews_are_limited_and_leave_room_for_tables(server, monkeypatch):
    analysis_service = server.app.tables.analysis

    async def never(*_given):
        await asyncio.Event().wait()

    monkeypatch.setattr(analysis_service, "run_review", never)
    monkeypatch.setattr(analysis.hints, "require_analysis", lambda: None)
    monkeypatch.setattr(analysis_service, "is_ready", lambda game, use: True)

    def ask(id: str, person: str, address: str) -> bool:
        try:
            server.wait_for(analysis_service.review_of_record(id, GAMES["mines"], b"", person, address))
        except RateLimitedError:
            return False
        return True

    assert ask("a", "ann", "home")
    assert ask("a", "ann", "home"), "expected polling to count as the same review"
    assert not ask("b", "ann", "home")
    assert [ask(f"c{k}", f"guest {k}", "home") for k in range(4)] == [True] * 3 + [False]
    found = [ask(f"d{k}", f"other {k}", f"there {k}") for k in range(analysis.MAX_RECORD_REVIEWS)]
    assert sum(found) == analysis.MAX_RECORD_REVIEWS - 4
    assert analysis.MAX_RECORD_REVIEWS < analysis.MAX_CACHED, "expected room for reviews of games played here"
