"""Bot speed of a table, and the fast-forward of a lone player."""

import contextlib
from collections.abc import Callable
from typing import Any

import apsw
import pytest

from diamonds.server.storage import schema
from diamonds.server.tables import bots
from diamonds.server.tables.bots import answer_time
from tests.server.support.client import Client, first_legal, wait_until
from tests.server.support.live_server import LiveServer, full_table


@pytest.fixture
def slow_bot_server(open_server: Callable[..., LiveServer], monkeypatch: pytest.MonkeyPatch) -> LiveServer:
    """A server whose bots answer immediately at a fast table or when fast-forwarded, and otherwise after an hour."""
    monkeypatch.setattr(bots, "BOT_DELAYS_S", {"quick": 0.0, "steady": 3600.0, "calm": 3600.0})
    monkeypatch.setattr(bots, "FAST_FORWARD_DELAY_S", 0.0)
    return open_server(bot_delay=None)


def table_waiting_for_bot(server: LiveServer, guest: Client, **more: Any) -> str:
    """Return a table of fourteen where a bot is to act and waits."""
    while True:
        id = guest.create_table(game="fourteen", seats=3, **more)
        if not guest.get_table(id)["open_question"]:
            table = server.app.tables.get(id)
            wait_until(lambda table=table: table.presence.bot_tasks, "expected a waiting bot")
            return id


def fast_forward(guest: Client, id: str, expect: int = 200) -> Any:
    return guest.post(f"/api/tables/{id}/fast-forward", {}, expect)


def test_bot_answer_is_given_at_a_multiple_of_the_bot_delay():
    assert answer_time(10.0, 10.0, 0.4) == pytest.approx(10.4), "expected an immediate answer to wait for the delay"
    assert answer_time(10.0, 10.39, 0.4) == pytest.approx(10.4)
    assert answer_time(10.0, 10.4, 0.4) == pytest.approx(10.4)
    assert answer_time(10.0, 10.41, 0.4) == pytest.approx(10.8), "expected a wait to the end of the next delay"
    assert answer_time(10.0, 10.7, 0.0) == 10.7


def test_bot_speed_is_set_by_the_host_and_survives_a_restart(open_server, tmp_path):
    server = open_server(tmp_path, bot_delay=(30, 30))
    maker, other = server.new_client(), server.new_client()
    id = maker.create_table_with(other, bot_speed="calm")
    assert other.get_table(id)["table"]["bot_speed"] == "calm"
    other.post(f"/api/tables/{id}/bot-speed", {"bot_speed": "quick"}, 403)
    maker.post(f"/api/tables/{id}/bot-speed", {"bot_speed": "hasty"}, 400)
    change = {"bot_speed": "quick", "idempotency_key": "pace-key-1"}
    done = maker.post(f"/api/tables/{id}/bot-speed", change, 200)
    assert other.get_table(id)["table"]["bot_speed"] == "quick"
    assert other.get_table(id)["n"] == 0, "expected a new bot speed to leave n unchanged"
    server.restart(maker, other)
    assert other.get_table(id)["table"]["bot_speed"] == "quick", "expected the bot speed after a restart"
    assert maker.post(f"/api/tables/{id}/bot-speed", change, 200) == done
    assert maker.get_table(maker.create_table(game="mines", seats=2))["table"]["bot_speed"] == "steady"


def test_host_setting_is_also_stored_in_a_column_of_its_name(open_server, tmp_path, monkeypatch):
    tables = schema.TABLES["tables"]
    column = schema.ColumnSchema("TEXT", default="'steady'")
    monkeypatch.setitem(schema.TABLES, "tables", tables._replace(columns={**tables.columns, "bot_speed": column}))
    maker = open_server(tmp_path).new_client()
    open_table = {"game": "mines", "seats": 2, "bot_speed": "calm", "seats_taken_by": ["open", "open"]}
    ids = [maker.post("/api/tables", open_table, 201)["id"] for _ in range(2)]
    maker.post(f"/api/tables/{ids[1]}/bot-speed", {"bot_speed": "quick"}, 200)
    with contextlib.closing(apsw.Connection(str(tmp_path / "diamonds.sqlite"), apsw.SQLITE_OPEN_READONLY)) as disk:
        assert dict(disk.execute("SELECT id, bot_speed FROM tables")) == dict(zip(ids, ("calm", "quick"), strict=True))


def test_new_bot_speed_applies_to_a_waiting_bot(slow_bot_server):
    guest = slow_bot_server.new_client()
    id = table_waiting_for_bot(slow_bot_server, guest)
    guest.post(f"/api/tables/{id}/bot-speed", {"bot_speed": "quick"}, 200)
    guest.wait_for_turn(id)


def test_fast_forward_ends_at_the_lone_players_next_question(slow_bot_server):
    guest = slow_bot_server.new_client()
    id = table_waiting_for_bot(slow_bot_server, guest)
    table = slow_bot_server.app.tables.get(id)
    fast_forward(guest, id)
    message = guest.wait_for_turn(id)
    fast_forward(guest, id)  # the player to act has nothing to fast-forward
    guest.answer(id, message["n"], first_legal(message))
    wait_until(lambda: table.presence.bot_tasks, "expected a waiting bot")
    assert guest.get_table(id)["n"] == message["n"] + 1
    assert not table.presence.fast_forward, "expected the fast-forward to have ended"
    fast_forward(guest, id)
    guest.wait_for_turn(id)


def test_fast_forward_needs_the_only_seated_person(slow_bot_server):
    guest, watcher = slow_bot_server.new_client(), slow_bot_server.new_client()
    id = table_waiting_for_bot(slow_bot_server, guest, private=False)
    table = slow_bot_server.app.tables.get(id)
    fast_forward(watcher, id, 403)
    Client(slow_bot_server.port).post(f"/api/tables/{id}/fast-forward", {}, 401)
    assert not table.presence.fast_forward
    waiting = guest.create_open_table()
    assert fast_forward(guest, waiting, 409)["error"].startswith("The game has not started")
    with_people, people = full_table(slow_bot_server, "mines", 2)
    for one in people:
        before = one.get_table(with_people)
        error = fast_forward(one, with_people, 409)
        assert error["error"] == "You can skip bot delays only if you play alone against bots."
        assert one.get_table(with_people) == before
    assert not slow_bot_server.app.tables.get(with_people).presence.fast_forward


def test_fast_forward_stops_when_a_second_person_sits_down(slow_bot_server):
    guest = slow_bot_server.new_client()
    id = table_waiting_for_bot(slow_bot_server, guest)
    table = slow_bot_server.app.tables.get(id)

    def somebody_comes() -> None:
        table.presence.fast_forward = True
        places = table.copy_seating()
        places.seats[1].kind, places.seats[1].person = "person", "somebody"
        table.seating = places
        slow_bot_server.app.tables.bots.schedule(table)

    slow_bot_server.call_on_loop(somebody_comes)
    assert not table.presence.fast_forward
    fast_forward(guest, id, 409)
