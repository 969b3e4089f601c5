"""A table has a pace, by which its bots answer; who plays alone against them may hurry them on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from diamonds.server.http.app import AppConfig
from diamonds.server.http.rate_limits import UNLIMITED
from diamonds.server.tables import bots
from diamonds.server.tables.bots import answer_time
from tests.server.support.client import Client, first_legal, wait_until
from tests.server.support.live_server import LiveServer, full_table

BOT_SPEED_SETUP = AppConfig(None, UNLIMITED)


@pytest.fixture
def slow_bot_server(open_server: Callable[..., LiveServer], monkeypatch: pytest.MonkeyPatch) -> LiveServer:
    """A server where bots answer at once at a quick table and when hurried, and at others not for an hour."""
    monkeypatch.setattr(bots, "BOT_DELAYS_S", {"quick": 0.0, "steady": 3600.0, "calm": 3600.0})
    monkeypatch.setattr(bots, "FAST_FORWARD_DELAY_S", 0.0)
    return open_server(setup=BOT_SPEED_SETUP)


def table_waiting_for_bot(server: LiveServer, guest: Client, **more: Any) -> str:
    """A table of fourteen at which a bot is asked and lets everybody wait."""
    while True:
        id = guest.create_table(game="fourteen", seats=3, **more)
        if not guest.get_table(id)["open_question"]:
            table = server.app.tables.get(id)
            wait_until(lambda table=table: table.presence.bot_tasks, "no bot is about to answer")
            return id


def fast_forward(guest: Client, id: str, expect: int = 200) -> Any:
    return guest.post(f"/api/tables/{id}/fast-forward", {}, expect)


def test_an_answer_is_given_on_the_first_beat_after_it_was_found() -> None:
    assert answer_time(10.0, 10.0, 0.4) == pytest.approx(10.4), "what is found at once waits for a beat as well"
    assert answer_time(10.0, 10.39, 0.4) == pytest.approx(10.4)
    assert answer_time(10.0, 10.4, 0.4) == pytest.approx(10.4)
    assert answer_time(10.0, 10.41, 0.4) == pytest.approx(10.8), (
        "what is found later is given on a beat, not when it is found"
    )
    assert answer_time(10.0, 10.7, 0.0) == 10.7


def test_bot_speed_is_set_by_the_host_and_survives_a_restart(
    open_server: Callable[..., LiveServer], tmp_path: Path
) -> None:
    server = open_server(tmp_path, setup=AppConfig((30, 30), UNLIMITED))
    maker, other = server.new_client(), server.new_client()
    id = maker.create_table(game="mines", seats=2, seats_taken_by=["me", "open"], bot_speed="calm")
    other.sit(id, invite=maker.invite)
    assert other.get_table(id)["table"]["bot_speed"] == "calm"
    other.post(f"/api/tables/{id}/bot-speed", {"bot_speed": "quick"}, 403)
    maker.post(f"/api/tables/{id}/bot-speed", {"bot_speed": "hasty"}, 400)
    change = {"bot_speed": "quick", "idempotency_key": "pace-key-1"}
    done = maker.post(f"/api/tables/{id}/bot-speed", change, 200)
    assert other.get_table(id)["table"]["bot_speed"] == "quick"
    assert other.get_table(id)["n"] == 0, "a pace is no move"
    server.restart(maker, other)
    assert other.get_table(id)["table"]["bot_speed"] == "quick", "a restart forgot the pace"
    assert maker.post(f"/api/tables/{id}/bot-speed", change, 200) == done
    assert maker.get_table(maker.create_table(game="mines", seats=2))["table"]["bot_speed"] == "steady"


def test_new_bot_speed_applies_to_a_waiting_bot(slow_bot_server: LiveServer) -> None:
    guest = slow_bot_server.new_client()
    id = table_waiting_for_bot(slow_bot_server, guest)
    guest.post(f"/api/tables/{id}/bot-speed", {"bot_speed": "quick"}, 200)
    wait_until(lambda: guest.get_table(id)["open_question"], "a bot still goes by the old pace")


def test_fast_forward_ends_at_the_lone_players_next_question(
    slow_bot_server: LiveServer,
) -> None:
    guest = slow_bot_server.new_client()
    id = table_waiting_for_bot(slow_bot_server, guest)
    table = slow_bot_server.app.tables.get(id)
    fast_forward(guest, id)
    message = wait_until(lambda: (m := guest.get_table(id))["open_question"] and m, "the bots do not hurry")
    fast_forward(guest, id)  # who is asked has nothing to hurry
    guest.answer(id, message["n"], first_legal(message))
    wait_until(lambda: table.presence.bot_tasks, "no bot is about to answer")
    assert guest.get_table(id)["n"] == message["n"] + 1
    assert not table.presence.fast_forward, "bots are hurried that nobody has hurried"
    fast_forward(guest, id)
    wait_until(lambda: guest.get_table(id)["open_question"], "the bots do not hurry a second time")


def test_fast_forward_needs_the_only_seated_person(slow_bot_server: LiveServer) -> None:
    guest, watcher = slow_bot_server.new_client(), slow_bot_server.new_client()
    id = table_waiting_for_bot(slow_bot_server, guest, private=False)
    table = slow_bot_server.app.tables.get(id)
    fast_forward(watcher, id, 403)
    Client(slow_bot_server.port).post(f"/api/tables/{id}/fast-forward", {}, 401)
    assert not table.presence.fast_forward
    waiting = guest.create_table(game="mines", seats=2, seats_taken_by=["me", "open"])
    assert fast_forward(guest, waiting, 409)["error"].startswith("The game has not started")
    with_people, people = full_table(slow_bot_server, "mines", 2)
    for one in people:
        before = one.get_table(with_people)
        refused = fast_forward(one, with_people, 409)
        assert refused["error"] == "You can skip bot delays only if you play alone against bots."
        assert one.get_table(with_people) == before
    assert not slow_bot_server.app.tables.get(with_people).presence.fast_forward


def test_fast_forward_stops_when_a_second_person_sits_down(slow_bot_server: LiveServer) -> None:
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
