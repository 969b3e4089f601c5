"""The lobby's table list: public tables that strangers can join or watch, and each person's own tables."""

from collections.abc import Callable
from pathlib import Path

import pytest

from diamonds.server.tables import listing
from diamonds.server.tables.core import presence
from tests.server.support.client import Client, wait_until
from tests.server.support.live_server import LiveServer


def public_tables(guest: Client) -> list[str]:
    return [line["id"] for line in guest.get("/api/tables")["tables"]]


def own_table_ids(guest: Client) -> list[str]:
    return [line["id"] for line in guest.get("/api/tables")["your_tables"]]


@pytest.fixture
def server_and_people(
    open_server: Callable[..., LiveServer], tmp_path: Path
) -> tuple[LiveServer, Client, Client, Client]:
    """A server with slow bots, Ann, Ben, and a stranger."""
    server = open_server(tmp_path, bot_delay=(30, 30))
    return server, server.new_client(), server.new_client(), server.new_client()


def test_table_is_listed_while_a_seat_is_open_and_its_people_are_there(server_and_people, monkeypatch):
    _, ann, ben, stranger = server_and_people
    monkeypatch.setattr(presence, "RECENTLY_CONNECTED_S", 0.0)
    id = ann.create_open_table(private=False)
    assert public_tables(stranger) == [], "expected no table without people"
    stream = ann.open_stream(id)
    wait_until(lambda: public_tables(stranger) == [id], "expected the table while its host waits there")
    stream.close()
    wait_until(lambda: public_tables(stranger) == [], "expected no table after its people have left")
    assert own_table_ids(ann) == [id], "expected the table in its host's own list"
    stream = ann.open_stream(id)
    wait_until(lambda: public_tables(stranger) == [id], "expected the table once its host is back")
    ben.sit(id)
    assert public_tables(stranger) == [id], "expected two players' game for spectators"


def test_own_table_shows_whose_turn_it_is_after_a_restart_too(server_and_people):
    server, ann, ben, stranger = server_and_people

    def waiting() -> list[bool]:
        return [guest.get("/api/tables")["your_tables"][0]["your_turn"] for guest in (ann, ben)]

    id = ann.create_open_table(private=False)
    assert not ann.get("/api/tables")["your_tables"][0]["your_turn"], "expected no turn before the game begins"
    ben.sit(id, invite=ann.invite)
    first = ann.get_table(id)["open_question"] is not None
    assert waiting() == [first, not first], "expected the turn in the list"
    server.restart(ann, ben)
    assert waiting() == [first, not first], "expected the turn after a restart"
    ann.open_stream(id)
    wait_until(lambda: stranger.get("/api/tables")["tables"], "expected two players' game in the list")
    assert not stranger.get("/api/tables")["tables"][0]["your_turn"], "expected no turn for a stranger"


@pytest.mark.later
@pytest.mark.parametrize("clock", [None, {"days_per_move": 1}, {"initial_s": 600}], ids=["no clock", "days", "live"])
def test_own_table_list_has_turns_without_loading_the_games(server_and_people, clock):
    server, ann, ben, _ = server_and_people
    waits = {}
    for _ in range(20):
        id = ann.create_table_with(ben, time_control=clock)
        waits[id] = ann.get_table(id)["open_question"] is not None
    alone = ann.create_table(game="mines", seats=2, seats_taken_by=["me", "bot:simple"])
    server.restart(ann, ben)
    told = {line["id"]: line["your_turn"] for line in ann.get("/api/tables")["your_tables"]}
    assert told == waits | {alone: True}
    assert {line["id"]: line["your_turn"] for line in ben.get("/api/tables")["your_tables"]} == {
        id: not mine for id, mine in waits.items()
    }
    assert server.call_on_loop(lambda: [*server.app.tables.registry.all()]) == [], "expected no game to be loaded"


def test_table_is_unlisted_when_a_bot_takes_its_last_open_seat(server_and_people):
    _, ann, _, stranger = server_and_people
    id = ann.create_table(game="fourteen", seats=3, seats_taken_by=["me", "open", "bot:simple"], private=False)
    ann.open_stream(id)
    wait_until(lambda: public_tables(stranger) == [id], "expected the table with an open seat")
    ann.post(f"/api/tables/{id}/bot", {"seat": 1, "level": "simple"}, 200)
    assert ann.get_table(id)["table"]["phase"] == "playing"
    assert public_tables(stranger) == [], "expected no game against bots alone"
    assert own_table_ids(ann) == [id]


def test_table_with_only_reserved_seats_is_not_listed(server_and_people):
    _, ann, _, stranger = server_and_people
    made = ann.post(
        "/api/tables", {"game": "mines", "seats": 2, "private": False, "seats_taken_by": ["me", "bot:simple"]}, 201
    )
    ann.watch(made["id"])
    assert public_tables(stranger) == [], "expected no table whose free seat is reserved for its host"


def test_table_is_listed_after_a_restart_when_its_people_return(server_and_people):
    server, ann, _, stranger = server_and_people
    id = ann.create_open_table(private=False)
    assert public_tables(stranger) == [id], "expected a person who sat down before opening a stream to be present"
    server.restart(ann, stranger)
    assert public_tables(stranger) == []
    stranger.get_table(id)
    assert public_tables(stranger) == [], "expected a stranger's visit not to list an abandoned table"
    ann.open_stream(id)
    wait_until(lambda: public_tables(stranger) == [id], "expected the table once its host is back")


def test_table_waiting_for_a_day_is_removed_unless_somebody_is_present(server_and_people, monkeypatch):
    server, ann, _, _ = server_and_people
    id = ann.create_open_table()
    begun = ann.create_table(game="mines", seats=2)
    monkeypatch.setattr(listing, "ABANDONED_AFTER_S", 0.0)
    assert own_table_ids(ann) == [begun]
    server.restart(ann)
    assert own_table_ids(ann) == [begun]
    ann.open_stream(id)
    wait_until(lambda: own_table_ids(ann) == [begun, id], "expected the table while somebody waits there")
