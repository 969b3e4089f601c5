"""Eviction: a table that was evicted and reloaded behaves as if it had stayed in memory."""

import random
import re
from typing import Any

import pytest

from tests.server.support.client import Client, first_legal, wait_until
from tests.server.support.fake_clock import get_clocks
from tests.server.support.live_server import evict_tables, full_table

LIVE_CLOCK = {"initial_s": 60, "increment_s": 5}
DAYS_CLOCK = {"days_per_move": 3}
SECOND_MS, MINUTE_MS, DAY_MS = 1_000, 60_000, 86_400_000


def play(guests: list[Client], id: str, answers: int, rng: random.Random) -> None:
    """Let the seats to act give at most this number of random answers."""
    for _ in range(answers):
        to_act = guests[0].get_table(id)["view"]["to_act"]
        if not to_act:
            return
        message = guests[to_act[0]].get_table(id)
        words = f"{message['open_question']['question']} {rng.choice(message['open_question']['legal'])}"
        guests[to_act[0]].answer(id, message["n"], words)


def all_updates(readers: list[Client], id: str) -> list[Any]:
    """Return what each reader gets: a first update, the updates since the first deal, and the score pad."""
    told = []
    for reader in readers:
        for path in ("", "?after=0"):
            message = reader.get(f"/api/tables/{id}{path}")
            told.append({name: value for name, value in message.items() if name != "version"})
        told.append(reader.send("GET", f"/api/tables/{id}/score-pad"))
    return told


@pytest.mark.parametrize(("game", "seats", "more"), [
    pytest.param("crystals", 4, {}, marks=pytest.mark.later),
    ("crystals", 4, {"options": {"partnership": True, "memory_aid": False}, "time_control": LIVE_CLOCK}),
    ("fourteen", 3, {"time_control": DAYS_CLOCK}),
    ("mines", 2, {"time_control": LIVE_CLOCK}),
])  # fmt: skip
def test_evicted_table_reloads_unchanged_for_everyone(fake_clock, open_server, tmp_path, game, seats, more):
    server, rng = open_server(tmp_path), random.Random(game)
    id, guests = full_table(server, game, seats, **more)
    readers = [*guests, Client(server.port)]
    fake_clock.advance(7 * SECOND_MS)
    for answers in (0, 30, 3):
        play(guests, id, answers, rng)
        if answers == 30 and not more:
            last = guests[0].get_table(id)
            guests[0].post(
                f"/api/tables/{id}/undo", {"n": last["n"], "to": last["n"] - 2, "idempotency_key": "back-0001"}
            )
        before, version = all_updates(readers, id), guests[0].get_table(id)["version"]
        evict_tables(server, id)
        assert all_updates(readers, id) == before, f"expected the same updates after {answers} answers and evictions"
        assert guests[0].get_table(id)["version"] >= version, "expected no smaller version"


@pytest.mark.later
def test_evicted_finished_game_reloads_with_record_and_events(disk_server):
    id, guests = full_table(disk_server, "mines", 2)
    play(guests, id, 1_000, random.Random(5))
    assert guests[0].get_table(id)["table"]["phase"] == "over"
    readers = [*guests, Client(disk_server.port)]
    kept = [all_updates(readers, id), *(guests[0].get(f"/api/tables/{id}/{what}") for what in ("record", "replay"))]
    evict_tables(disk_server, id)
    again = [all_updates(readers, id), *(guests[0].get(f"/api/tables/{id}/{what}") for what in ("record", "replay"))]
    assert again == kept


def test_returning_viewer_receives_only_new_events(open_server, tmp_path):
    server, rng = open_server(tmp_path), random.Random(3)
    id, guests = full_table(server, "crystals", 3)
    play(guests, id, 15, rng)
    stream = guests[0].open_stream(id)
    n = stream.wait_for(15)["n"]
    stream.close()
    last = max(int(found) for found in re.findall(rb"id: (\d+)", stream.received))
    evict_tables(server, id)
    quiet = guests[0].open_stream(id, **{"Last-Event-ID": str(last)})
    message = quiet.wait_for(n)
    assert message["version"] >= last, "expected no smaller version"
    assert message["events"] == [], "expected no repeated event"
    quiet.close()
    evict_tables(server, id)
    play(guests, id, 4, rng)
    evict_tables(server, id)
    stream = guests[0].open_stream(id, **{"Last-Event-ID": str(last)})
    message = stream.wait_for(n + 4)
    assert message["version"] > last
    assert {told["n"] for told in message["events"]} == set(range(n + 1, n + 5)), "expected exactly the events missed"
    play(guests, id, 1, rng)
    assert stream.wait_for(n + 5)["version"] > message["version"]
    stream.close()
    for garbage in ("-1", "x", "9" * 30, str(2**52)):
        whole = guests[0].open_stream(id, **{"Last-Event-ID": garbage})
        whole.wait_for(n + 5)
        assert whole.messages[0]["events"][0]["n"] == 0, "expected all events for an unknown Last-Event-ID"


def test_timeout_happens_at_an_evicted_table(fake_clock, disk_server):
    live, guests = full_table(disk_server, "mines", 2, time_control=LIVE_CLOCK)
    days, others = full_table(disk_server, "mines", 2, time_control=DAYS_CLOCK)
    [seat] = guests[0].get_table(live)["view"]["to_act"]
    [lost] = others[0].get_table(days)["view"]["to_act"]
    evict_tables(disk_server, live, days)
    fake_clock.advance(2 * MINUTE_MS, disk_server)
    assert get_clocks(guests[0], live)["timeouts"][seat] == 1, "expected the clock to run while the table is evicted"
    assert get_clocks(others[0], days)["remaining_ms"][lost] == 3 * DAY_MS - 2 * MINUTE_MS
    evict_tables(disk_server, days)
    fake_clock.advance(3 * DAY_MS, disk_server)
    assert others[0].get_table(days)["table"]["seat_holders"][lost]["kind"] == "bot", "expected the timeout after days"


def test_nudges_and_idle_times_survive_eviction(fake_clock, disk_server):
    id, guests = full_table(disk_server, "mines", 2)
    [seat] = guests[0].get_table(id)["view"]["to_act"]
    waits = guests[1 - seat]
    fake_clock.advance(MINUTE_MS)
    waits.post(f"/api/tables/{id}/nudge", {"seat": seat}, 200)
    evict_tables(disk_server, id)
    assert guests[seat].get_table(id)["nudges"] == [{"seat": seat, "by": 1 - seat}], "expected the nudge to survive"
    assert waits.post(f"/api/tables/{id}/nudge", {"seat": seat}, 409)["id"] == "table-nudged"
    evict_tables(disk_server, id)
    fake_clock.advance(2 * MINUTE_MS)
    waits.post(f"/api/tables/{id}/substitute", {"seat": seat}, 200)  # only after three minutes of silence
    assert guests[0].get_table(id)["n"] > 0


def test_watched_table_stays_loaded_and_idle_one_is_evicted(disk_server):
    id, guests = full_table(disk_server, "mines", 2)
    registry = disk_server.app.tables.registry
    table = disk_server.app.tables.get(id)
    disk_server.call_on_loop(registry.evict_idle)
    assert registry.get(id) is table, "expected a table that was just used to stay loaded"
    stream = guests[0].open_stream(id)
    wait_until(lambda: table.presence.has_viewers, "expected a stream")

    def an_hour_later() -> None:
        table.presence.last_access -= 3_600
        table.presence.last_seen = [seen - 3_600 for seen in table.presence.last_seen]
        registry.evict_idle()

    disk_server.call_on_loop(an_hour_later)
    assert registry.get(id) is table, "expected a watched table to stay loaded"
    stream.close()
    evict_tables(disk_server, id)
    assert list(registry.evicted) == [id]
    here = registry.evicted[id]
    here.last_access, here.last_seen = here.last_access - 10_000, [seen - 10_000 for seen in here.last_seen]
    disk_server.call_on_loop(registry.evict_idle)
    assert not registry.evicted
    message = next(message for guest in guests if (message := guest.get_table(id))["open_question"])
    guests[message["seat"]].answer(id, message["n"], first_legal(message))
