"""The lobby tells strangers of what they can join or watch now, and everyone of their own tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from diamonds.server.http.app import AppConfig
from diamonds.server.http.rate_limits import UNLIMITED
from diamonds.server.tables import listing
from diamonds.server.tables.core import presence
from tests.server.support.client import Client, wait_until
from tests.server.support.live_server import LiveServer


def public_tables(guest: Client) -> list[str]:
    """The tables that everyone is told of."""
    return [line["id"] for line in guest.get("/api/tables")["tables"]]


def own_table_ids(guest: Client) -> list[str]:
    return [line["id"] for line in guest.get("/api/tables")["your_tables"]]


@pytest.fixture
def server_and_people(
    open_server: Callable[..., LiveServer], tmp_path: Path
) -> tuple[LiveServer, Client, Client, Client]:
    """A server where bots take their time, Ann, Ben, and a stranger."""
    server = open_server(tmp_path, setup=AppConfig((30, 30), UNLIMITED))
    return server, server.new_client(), server.new_client(), server.new_client()


def test_a_table_is_listed_while_a_seat_is_open_and_its_people_are_there(server_and_people, monkeypatch):
    _, ann, ben, stranger = server_and_people
    monkeypatch.setattr(presence, "RECENTLY_CONNECTED_S", 0.0)
    id = ann.create_table(game="mines", seats=2, seats_taken_by=["me", "open"], private=False)
    assert public_tables(stranger) == [], "a table is listed though nobody is there"
    tap = ann.open_stream(id)
    wait_until(lambda: public_tables(stranger) == [id], "a table is not listed though its maker waits there")
    tap.close()
    wait_until(lambda: public_tables(stranger) == [], "a table waits for ever though its people have gone")
    assert own_table_ids(ann) == [id], "its maker may still go back"
    tap = ann.open_stream(id)
    wait_until(lambda: public_tables(stranger) == [id], "its maker is back, and nobody is told")
    ben.sit(id)
    assert public_tables(stranger) == [id], "two who play can be watched"


def test_own_table_says_whether_it_is_your_turn_after_a_restart_too(server_and_people):
    server, ann, ben, stranger = server_and_people

    def waiting() -> list[bool]:
        return [guest.get("/api/tables")["your_tables"][0]["your_turn"] for guest in (ann, ben)]

    id = ann.create_table(game="mines", seats=2, seats_taken_by=["me", "open"], private=False)
    assert not ann.get("/api/tables")["your_tables"][0]["your_turn"], (
        "a game that has not begun waits for nobody's answer"
    )
    ben.sit(id, invite=ann.invite)
    first = ann.get_table(id)["open_question"] is not None
    assert waiting() == [first, not first], "the list does not know whose turn it is"
    server.restart(ann, ben)
    assert waiting() == [first, not first], "after a restart the list has forgotten whose turn it is"
    ann.open_stream(id)
    wait_until(lambda: stranger.get("/api/tables")["tables"], "two who play are not listed")
    assert not stranger.get("/api/tables")["tables"][0]["your_turn"], "a stranger is told that a game waits for them"


@pytest.mark.later
@pytest.mark.parametrize("clock", [None, {"days_per_move": 1}, {"initial_s": 600}], ids=["no clock", "days", "live"])
def test_table_list_knows_whose_turn_it_is_at_any_number_of_tables(server_and_people, clock):
    server, ann, ben, _ = server_and_people
    waits = {}
    for _ in range(20):
        id = ann.create_table(game="mines", seats=2, seats_taken_by=["me", "open"], time_control=clock)
        ben.sit(id, invite=ann.invite)
        waits[id] = ann.get_table(id)["open_question"] is not None
    alone = ann.create_table(game="mines", seats=2, seats_taken_by=["me", "bot:simple"])
    server.restart(ann, ben)
    told = {line["id"]: line["your_turn"] for line in ann.get("/api/tables")["your_tables"]}
    assert told == waits | {alone: True}
    assert {line["id"]: line["your_turn"] for line in ben.get("/api/tables")["your_tables"]} == {
        id: not mine for id, mine in waits.items()
    }
    assert server.call_on_loop(lambda: [*server.app.tables.registry.all()]) == [], (
        "games are loaded to tell whose turn it is"
    )


def test_person_just_disconnected_counts_as_present(server_and_people):
    _, ann, _, stranger = server_and_people
    id = ann.create_table(game="mines", seats=2, seats_taken_by=["me", "open"], private=False)
    assert public_tables(stranger) == [id], "who sits down and has not opened the stream yet counts as gone"


def test_table_now_played_with_bots_alone_is_no_longer_listed(server_and_people):
    _, ann, _, stranger = server_and_people
    id = ann.create_table(game="fourteen", seats=3, seats_taken_by=["me", "open", "bot:simple"], private=False)
    ann.open_stream(id)
    wait_until(lambda: public_tables(stranger) == [id], "a table with an open seat is not listed")
    ann.post(f"/api/tables/{id}/bot", {"seat": 1, "level": "simple"}, 200)
    assert ann.get_table(id)["table"]["phase"] == "playing"
    assert public_tables(stranger) == [], "a game against bots alone is in strangers' lobbies"
    assert own_table_ids(ann) == [id]


def test_table_with_only_reserved_seats_is_not_listed(server_and_people):
    _, ann, _, stranger = server_and_people
    made = ann.post(
        "/api/tables", {"game": "mines", "seats": 2, "private": False, "seats_taken_by": ["me", "bot:simple"]}, 201
    )
    tap = ann.open_stream(made["id"])
    wait_until(lambda: tap.newest, "the stream does not open")
    assert public_tables(stranger) == [], "nobody can sit down at a table that waits for its maker alone"


def test_table_is_listed_after_a_restart_when_its_people_return(server_and_people):
    server, ann, _, stranger = server_and_people
    id = ann.create_table(game="mines", seats=2, seats_taken_by=["me", "open"], private=False)
    assert public_tables(stranger) == [id]
    server.restart(ann, stranger)
    assert public_tables(stranger) == []
    stranger.get_table(id)
    assert public_tables(stranger) == [], "who looks at a table that was left does not bring it back"
    ann.open_stream(id)
    wait_until(lambda: public_tables(stranger) == [id], "its maker is back, and nobody is told")


def test_table_waiting_for_a_day_is_removed_unless_somebody_is_present(server_and_people, monkeypatch):
    server, ann, _, _ = server_and_people
    id = ann.create_table(game="mines", seats=2, seats_taken_by=["me", "open"])
    begun = ann.create_table(game="mines", seats=2)
    monkeypatch.setattr(listing, "ABANDONED_AFTER_S", 0.0)
    assert own_table_ids(ann) == [begun]
    server.restart(ann)
    assert own_table_ids(ann) == [begun]
    ann.open_stream(id)
    wait_until(lambda: own_table_ids(ann) == [begun, id], "a table at which somebody waits is not listed")
