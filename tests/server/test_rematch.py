"""Rematches: the same people at one new table, each one seat further."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from diamonds import deals
from tests.server.support.client import Client, wait_until
from tests.server.support.live_server import LiveServer, full_table
from tests.server.support.match_players import play_table


def request_rematch(guest: Client, id: str, expect: int = 201, **body: Any) -> Any:
    return guest.post(f"/api/tables/{id}/rematch", body, expect)


@pytest.fixture
def finished_table(open_server: Callable[..., LiveServer], tmp_path: Path) -> tuple[LiveServer, str, list[Client]]:
    """A finished game of Ann, Ben and a bot at a private table."""
    server = open_server(tmp_path)
    ann, ben = server.new_client(), server.new_client()
    options = {"rounds": 1}
    id = ann.create_table(
        game="crystals", seats=3, seats_taken_by=["me", "open", "bot:random"], options=options, bot_speed="quick",
        chat_mode="phrases",
    )  # fmt: skip
    ben.sit(id, invite=ann.invite)
    play_table([ann, ben], id)
    return server, id, [ann, ben]


def seat_of(message: Any) -> int | None:
    seat: int | None = message["seat"]
    return seat


def test_rematch_makes_one_table_and_rotates_seats(finished_table):
    _, id, (ann, ben) = finished_table
    before = ben.get_table(id)["table"]
    assert before["rematch_table"] is None
    deals.new_secret()  # uses up the last game's secret, because a test's tables get the same cards each time
    made = request_rematch(ben, id)
    assert ann.get_table(id)["table"]["rematch_table"] == made["id"], "expected the rematch on the streams"
    assert request_rematch(ann, id)["id"] == made["id"], "expected one table for all requests"
    table = ben.get_table(made["id"])["table"]
    same = ("game", "seats", "options", "private", "substitute_after_s", "bot_speed", "chat_mode")
    assert {name: table[name] for name in same} == {name: before[name] for name in same}
    assert [(place["kind"], place["level"], place["reserved"]) for place in table["seat_holders"]] == [
        ("bot", "random", False), ("open", None, True), ("open", None, True),
    ]  # fmt: skip
    assert (table["is_host"], ann.get_table(made["id"])["table"]["is_host"]) == (True, False)
    assert made["commitment"] != before["commitment"], "expected other cards"
    ann.sit(made["id"])
    ben.sit(made["id"])
    assert (seat_of(ann.get_table(made["id"])), seat_of(ben.get_table(made["id"]))) == (1, 2)
    assert ann.get_table(made["id"])["table"]["phase"] == "playing"


@pytest.mark.later
def test_concurrent_rematch_requests_make_one_table(finished_table):
    server, id, guests = finished_table

    def press(guest: Client, number: int) -> str:
        return str(request_rematch(guest, id, idempotency_key=f"again-key-{number}")["id"])

    everyone = [*guests, *(Client(server.port, guest.headers["Authorization"][7:]) for guest in guests)]
    with ThreadPoolExecutor(4) as threads:
        found = [*threads.map(press, everyone, range(4))]
    assert len(set(found)) == 1
    mine = [line["id"] for line in guests[0].get("/api/tables")["your_tables"]]
    assert sorted(mine) == sorted([id, found[0]])


def test_repeated_or_interrupted_rematch_leads_to_the_same_table(finished_table, arm_failpoint):
    server, id, (ann, ben) = finished_table
    arm_failpoint("unwritten:2")  # the first commit names the next table, the second creates it
    request_rematch(ann, id, 503)
    server.restart(ann, ben)
    named = ben.get_table(id)["table"]["rematch_table"]
    made = request_rematch(ben, id, idempotency_key="again-and-again")
    assert made["id"] == named
    assert request_rematch(ben, id, idempotency_key="again-and-again") == made
    assert request_rematch(ann, id)["id"] == named
    server.restart(ann, ben)
    assert ann.get_table(id)["table"]["rematch_table"] == named
    assert ann.get_table(named)["table"]["reserved_seat"] == 1


@pytest.mark.later
def test_rematch_is_announced_only_to_its_people(finished_table):
    server, id, (ann, _) = finished_table
    stranger = server.new_client()
    request_rematch(stranger, id, 403)
    Client(server.port).post(f"/api/tables/{id}/rematch", {}, 401)
    before = stranger.get_table(id)
    made = request_rematch(ann, id)
    assert stranger.get_table(id)["table"] == before["table"], "expected no link for spectators of a private table"
    stranger.post(f"/api/tables/{made['id']}/sit", {"nonce": ""}, 403)
    assert stranger.get_table(made["id"])["table"]["reserved_seat"] is None
    unfinished = ann.create_table(game="mines", seats=2)
    request_rematch(ann, unfinished, 409)
    public, people = full_table(server, "mines", 2, private=False)
    play_table(people, public)
    assert stranger.get_table(public)["table"]["rematch_table"] is None
    following = request_rematch(people[0], public)["id"]
    assert stranger.get_table(public)["table"]["rematch_table"] == following, "expected a link for spectators"


@pytest.mark.later
def test_absent_person_keeps_the_rematch_seat_until_the_host_frees_it(finished_table):
    server, id, (ann, ben) = finished_table
    made = request_rematch(ann, id)
    ann.sit(made["id"])
    friend = server.new_client()
    invite = ann.get_table(made["id"])["table"]["invite"]
    friend.post(f"/api/tables/{made['id']}/sit", {"seat": 2, "nonce": "", "invite": invite}, 409)
    friend.post(f"/api/tables/{made['id']}/bot", {"seat": 2, "level": None}, 403)
    ann.post(f"/api/tables/{made['id']}/bot", {"seat": 2, "level": None}, 200)
    assert ben.get_table(made["id"])["table"]["reserved_seat"] is None, "expected a vacated seat not to be reserved"
    friend.sit(made["id"], seat=2, invite=invite)
    assert friend.get_table(made["id"])["table"]["phase"] == "playing"
    assert request_rematch(ben, id)["id"] == made["id"], "expected a late player at the rematch"
    assert seat_of(ben.get_table(made["id"])) is None

    play_table([ann, friend], made["id"])
    third = request_rematch(friend, made["id"])["id"]
    friend.sit(third)
    friend.post(
        f"/api/tables/{third}/bot", {"seat": ann.get_table(third)["table"]["reserved_seat"], "level": "random"}, 200
    )
    wait_until(lambda: friend.get_table(third)["table"]["phase"] == "playing", "expected a bot instead")


@pytest.mark.later
def test_seat_left_during_the_game_is_open_in_the_rematch(server):
    ann, ben = server.new_client(), server.new_client()
    id = ann.create_table_with(ben)
    ann.open_stream(id)
    wait_until(lambda: ann.get_table(id)["table"]["seat_holders"][0]["connected"], "expected Ann to sit down")
    ben.post(f"/api/tables/{id}/stand", {}, 200)
    play_table([ann], id)
    made = request_rematch(ann, id)
    assert [(place["kind"], place["reserved"]) for place in ann.get_table(made["id"])["table"]["seat_holders"]] == [
        ("open", False), ("open", True),
    ]  # fmt: skip
