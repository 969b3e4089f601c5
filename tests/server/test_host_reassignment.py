"""Host reassignment: the person present who has been seated longest replaces a host who stays away."""

import pytest

from diamonds.server.lobby import table_timeouts
from tests.server.support.client import Client, wait_until
from tests.server.support.fake_clock import FakeClock, fire_timeouts
from tests.server.support.live_server import LiveServer

TABLE_OPTIONS = {"game": "fourteen", "seats": 4, "seats_taken_by": ["open", "open", "open", "open"], "private": False}


def advance(server: LiveServer, time: FakeClock, milliseconds: int) -> None:
    """Advance the clock and wait until the server has looked for absent hosts."""
    time.advance(milliseconds)
    fire_timeouts(server, server.app.lobby.host_reassignment)


def wait_until_due(server: LiveServer, table: str, whether: bool) -> None:
    wait_until(lambda: (table in server.app.lobby.host_reassignment.due) == whether, "expected presence to count")


def is_host(guest: Client, table: str) -> bool:
    return bool(guest.get_table(table)["table"]["is_host"])


@pytest.mark.later
def test_longest_seated_present_person_becomes_host(fake_clock, open_server, tmp_path):
    server = open_server(tmp_path)
    maker, first, second, third = (server.new_client() for _ in range(4))
    table = maker.post("/api/tables", TABLE_OPTIONS)["id"]
    maker_is_here = maker.open_stream(table)
    for guest, seat in ((first, 3), (second, 1), (third, 0)):
        guest.sit(table, seat=seat)
    streams = [guest.open_stream(table) for guest in (second, third)]
    wait_until(lambda: len(server.app.tables.get(table).presence.streams) == 3, "expected open streams")
    advance(server, fake_clock, 2 * table_timeouts.HOST_ABSENT_MS)
    assert is_host(maker, table), "expected the host to stay while present"
    maker_is_here.close()
    wait_until_due(server, table, True)
    advance(server, fake_clock, table_timeouts.HOST_ABSENT_MS - 1)
    assert not is_host(second, table), "expected the host to stay at first"
    back = maker.open_stream(table)
    wait_until_due(server, table, False)
    back.close()
    wait_until_due(server, table, True)
    advance(server, fake_clock, table_timeouts.HOST_ABSENT_MS - 1)
    assert is_host(maker, table), "expected a host's return to restart the delay"
    advance(server, fake_clock, 1)
    assert [is_host(one, table) for one in (maker, first, second, third)] == [False, False, True, False]
    assert "invite" in second.get_table(table)["table"]
    maker.post(f"/api/tables/{table}/bot", {"seat": 2, "level": "simple"}, 403)
    second.post(f"/api/tables/{table}/bot", {"seat": 2, "level": "simple"}, 200)
    server.restart(maker, first, second, third)
    assert is_host(second, table), "expected the same host after a restart"
    for stream in streams:
        stream.close()
