"""Timeouts of people: a matched person who does not sit down loses the seat, and an absent host the table."""

from typing import Any

import pytest

from diamonds.server.lobby import table_timeouts
from tests.server.support.authenticator import BrowserClient
from tests.server.support.client import Client, wait_until
from tests.server.support.fake_clock import FakeClock, fire_timeouts
from tests.server.support.live_server import LiveServer
from tests.server.test_friends import befriend, personal_lobby

ONE_MS = 1

pytestmark = pytest.mark.usefixtures("no_lobby_delays")


def matched_table(server: LiveServer, bots_after: tuple[float | None, ...], seats: int = 2) -> tuple[str, list[Client]]:
    """Return a table created by matchmaking, and its people."""
    guests = [server.new_client() for _ in bots_after]
    lobbies = [guest.open_lobby() for guest in guests]
    for guest, after in zip(guests, bots_after, strict=True):
        wanted = {"games": ["crystals"], "seats": [seats], "bot_speeds": ["steady"], "bots_after_s": after}
        guest.post("/api/seek", wanted, 200)
    (table,) = {lobby.wait_for_match() for lobby in lobbies}
    return table, guests


def advance(server: LiveServer, time: FakeClock, table: str, milliseconds: int) -> None:
    """Advance the clock and wait until the server has looked for no-shows."""
    kept = server.app.lobby.no_shows
    wait_until(lambda: table in kept.due, "expected the no-show timer to be set")
    time.advance(milliseconds)
    fire_timeouts(server, kept)


def seats_of(guest: Client, table: str) -> list[Any]:
    return [(place["kind"], place["reserved"]) for place in guest.get_table(table)["table"]["seat_holders"]]


def test_no_shows_seat_opens_after_half_a_minute(fake_clock, server):
    table, (ann, ben) = matched_table(server, (None, 0))
    eve = server.new_client()
    lobbies = [ben.open_lobby(), eve.open_lobby()]
    ann.sit(table)
    ann.open_stream(table)
    advance(server, fake_clock, table, table_timeouts.NO_SHOW_AFTER_MS - ONE_MS)
    assert seats_of(ann, table) == [("person", False), ("open", True)], "expected the seat to be reserved at first"
    assert table not in lobbies[1].tables, "expected no listing without an open seat"
    advance(server, fake_clock, table, ONE_MS)
    assert seats_of(ann, table) == [("person", False), ("open", False)], "expected the seat to become open"
    lobbies[1].wait_for(lambda: table in lobbies[1].tables, "expected the open seat in the lobby")
    lobbies[0].wait_for_personal(matched_table=None)
    assert ben.get_table(table)["table"]["reserved_seat"] is None
    eve.sit(table)
    assert eve.get_table(table)["table"]["phase"] == "playing"


def test_bot_takes_the_no_shows_seat_where_all_accepted_bots(fake_clock, server):
    table, guests = matched_table(server, (60, 120, 180), seats=3)
    for guest in guests[:2]:
        guest.sit(table)
    advance(server, fake_clock, table, table_timeouts.NO_SHOW_AFTER_MS)
    look = guests[0].get_table(table)["table"]
    assert [place["kind"] for place in look["seat_holders"]] == ["person", "person", "bot"]
    assert look["phase"] == "playing"


def test_timely_person_keeps_the_seat_and_empty_table_waits_for_nobody(fake_clock, server):
    table, (ann, ben) = matched_table(server, (60, 60))
    ann.sit(table)
    ann.post(f"/api/tables/{table}/stand", {"idempotency_key": "stand-key-1"}, 200)
    advance(server, fake_clock, table, table_timeouts.NO_SHOW_AFTER_MS)
    assert seats_of(ben, table) == [("open", False), ("open", True)], "expected no game among bots"
    ben.sit(table)
    ann.sit(table)
    advance(server, fake_clock, table, table_timeouts.NO_SHOW_AFTER_MS)
    assert seats_of(ben, table) == [("person", False)] * 2


def test_no_show_timeout_restarts_when_somebody_arrives_after_a_restart(fake_clock, disk_server):
    table, (ann, ben) = matched_table(disk_server, (None, None))
    ann.sit(table)
    disk_server.restart(ann, ben)
    fake_clock.advance(10 * table_timeouts.NO_SHOW_AFTER_MS)
    ann.open_stream(table)
    advance(disk_server, fake_clock, table, table_timeouts.NO_SHOW_AFTER_MS - ONE_MS)
    assert ben.get_table(table)["table"]["reserved_seat"] == 1, "expected a new timeout after the server was down"
    advance(disk_server, fake_clock, table, ONE_MS)
    assert seats_of(ann, table) == [("person", False), ("open", False)], "expected an open seat after a restart"


def test_no_show_of_a_challenge_loses_the_seat_too(fake_clock, server):
    ann, ben = (BrowserClient(server.port).with_account(name) for name in ("Ann", "Ben"))
    befriend(ann, ben, ("Ann", "Ben"))
    lobby, _ = personal_lobby(ann), personal_lobby(ben)
    id = ann.post("/api/challenges", {"name": "Ben", "game": "mines", "seats": 2}, 200)["id"]
    ben.post("/api/challenges/answer", {"id": id, "accept": True}, 200)
    table = lobby.wait_for_match()
    ann.sit(table)
    advance(server, fake_clock, table, table_timeouts.NO_SHOW_AFTER_MS)
    assert seats_of(ann, table) == [("person", False), ("open", False)]
    assert "Ben" not in str(ann.get_table(table)["table"]), "expected no name of the no-show"


# Absent hosts


TABLE_OPTIONS = {"game": "fourteen", "seats": 4, "seats_taken_by": ["open", "open", "open", "open"], "private": False}


def advance_hosts(server: LiveServer, time: FakeClock, milliseconds: int) -> None:
    """Advance the clock and wait until the server has looked for absent hosts."""
    time.advance(milliseconds)
    fire_timeouts(server, server.app.lobby.host_reassignment)


def wait_until_due(server: LiveServer, table: str, whether: bool) -> None:
    wait_until(lambda: (table in server.app.lobby.host_reassignment.due) == whether, "expected presence to count")


def is_host(guest: Client, table: str) -> bool:
    return bool(guest.get_table(table)["table"]["is_host"])


@pytest.mark.later
def test_longest_seated_present_person_becomes_host(fake_clock, disk_server):
    maker, first, second, third = (disk_server.new_client() for _ in range(4))
    table = maker.post("/api/tables", TABLE_OPTIONS)["id"]
    maker_is_here = maker.open_stream(table)
    for guest, seat in ((first, 3), (second, 1), (third, 0)):
        guest.sit(table, seat=seat)
    streams = [guest.open_stream(table) for guest in (second, third)]
    wait_until(lambda: len(disk_server.app.tables.get(table).presence.streams) == 3, "expected open streams")
    advance_hosts(disk_server, fake_clock, 2 * table_timeouts.HOST_ABSENT_MS)
    assert is_host(maker, table), "expected the host to stay while present"
    maker_is_here.close()
    wait_until_due(disk_server, table, True)
    advance_hosts(disk_server, fake_clock, table_timeouts.HOST_ABSENT_MS - 1)
    assert not is_host(second, table), "expected the host to stay at first"
    back = maker.open_stream(table)
    wait_until_due(disk_server, table, False)
    back.close()
    wait_until_due(disk_server, table, True)
    advance_hosts(disk_server, fake_clock, table_timeouts.HOST_ABSENT_MS - 1)
    assert is_host(maker, table), "expected a host's return to restart the delay"
    advance_hosts(disk_server, fake_clock, 1)
    assert [is_host(one, table) for one in (maker, first, second, third)] == [False, False, True, False]
    assert "invite" in second.get_table(table)["table"]
    maker.post(f"/api/tables/{table}/bot", {"seat": 2, "level": "simple"}, 403)
    second.post(f"/api/tables/{table}/bot", {"seat": 2, "level": "simple"}, 200)
    disk_server.restart(maker, first, second, third)
    assert is_host(second, table), "expected the same host after a restart"
    for stream in streams:
        stream.close()
