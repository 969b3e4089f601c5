"""Play again: the same people, one new table, everyone one seat on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from diamonds import deals
from diamonds.server.tables.creation import TableCreator
from tests.server.support.client import Client, LiveServer, first_legal, full_table, wait_until


def finish_with_bots(server: LiveServer, id: str, guests: list[Client]) -> None:
    """People and bots play to the end."""
    table = server.app.tables.get(id)
    while not table.is_over:
        for guest in guests:
            message = guest.get_table(id)
            if message["ask"]:
                guest.answer(id, message["n"], first_legal(message), expect=None)


def request_rematch(guest: Client, id: str, expect: int = 201, **body: Any) -> Any:
    return guest.post(f"/api/tables/{id}/again", body, expect)


@pytest.fixture
def finished_table(open_server: Callable[..., LiveServer], tmp_path: Path) -> tuple[LiveServer, str, list[Client]]:
    """A finished game of Ann, Ben and a bot, at a private table."""
    server = open_server(tmp_path)
    ann, ben = server.new_client(), server.new_client()
    options = {"rounds": 1}
    id = ann.create_table(game="crystals", seats=3, places=["me", "open", "bot:random"], options=options, pace="quick")
    ben.sit(id, invite=ann.invite)
    finish_with_bots(server, id, [ann, ben])
    return server, id, [ann, ben]


def seat_of(message: Any) -> int | None:
    seat: int | None = message["seat"]
    return seat


def test_the_first_press_makes_one_table_and_every_later_one_leads_to_it_with_each_person_one_seat_on(finished_table):
    _, id, (ann, ben) = finished_table
    before = ben.get_table(id)["table"]
    assert before["again"] is None
    deals.new_secret()  # that of the last game: a test's tables are dealt the same cards each time
    made = request_rematch(ben, id)
    assert ann.get_table(id)["table"]["again"] == made["id"], "who finished the game is not told of the next one"
    assert request_rematch(ann, id)["id"] == made["id"], "each press makes a table of its own"
    table = ben.get_table(made["id"])["table"]
    same = ("game", "seats", "options", "private", "takeover", "pace")
    assert {name: table[name] for name in same} == {name: before[name] for name in same}
    assert [(place["kind"], place["level"], place["kept"]) for place in table["places"]] == [
        ("bot", "random", False), ("open", None, True), ("open", None, True),
    ]  # fmt: skip
    assert (table["host"], ann.get_table(made["id"])["table"]["host"]) == (True, False)
    assert made["commitment"] != before["commitment"], "the cards are those of the last game"
    ann.sit(made["id"])
    ben.sit(made["id"])
    assert (seat_of(ann.get_table(made["id"])), seat_of(ben.get_table(made["id"]))) == (1, 2)
    assert ann.get_table(made["id"])["table"]["phase"] == "playing"


@pytest.mark.later
def test_presses_at_the_same_time_make_one_table(finished_table):
    server, id, guests = finished_table
    found: list[str] = []

    def press(guest: Client, key: str) -> None:
        found.append(request_rematch(guest, id, key=key)["id"])

    everyone = [*guests, *(Client(server.port, guest.headers["Authorization"][7:]) for guest in guests)]
    threads = [threading.Thread(target=press, args=(one, f"again-key-{k}")) for k, one in enumerate(everyone)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len(set(found)) == 1
    mine = [line["id"] for line in guests[0].get("/api/tables")["mine"]]
    assert sorted(mine) == sorted([id, found[0]])


def test_a_press_that_was_cut_short_or_sent_twice_leads_to_the_same_table(finished_table, monkeypatch):
    server, id, (ann, ben) = finished_table
    real = TableCreator._commit_new_table

    async def dies(*given: Any, **more: Any) -> bytes:
        raise RuntimeError("the power is cut")

    monkeypatch.setattr(TableCreator, "_commit_new_table", dies)
    request_rematch(ann, id, 500)
    monkeypatch.setattr(TableCreator, "_commit_new_table", real)
    server.restart(ann, ben)
    named = ben.get_table(id)["table"]["again"]
    made = request_rematch(ben, id, key="again-and-again")
    assert made["id"] == named
    assert request_rematch(ben, id, key="again-and-again") == made
    assert request_rematch(ann, id)["id"] == named
    server.restart(ann, ben)
    assert ann.get_table(id)["table"]["again"] == named
    assert ann.get_table(named)["table"]["kept"] == 1


@pytest.mark.later
def test_who_is_told_of_the_next_table_and_may_ask_for_it(finished_table):
    server, id, (ann, _) = finished_table
    stranger = server.new_client()
    request_rematch(stranger, id, 403)
    Client(server.port).post(f"/api/tables/{id}/again", {}, 401)
    before = stranger.get_table(id)
    made = request_rematch(ann, id)
    assert stranger.get_table(id)["table"] == before["table"], (
        "who watches a private table is told where its people have gone"
    )
    stranger.post(f"/api/tables/{made['id']}/sit", {"nonce": ""}, 403)
    assert stranger.get_table(made["id"])["table"]["kept"] is None
    unfinished = ann.create_table(game="mines", seats=2)
    request_rematch(ann, unfinished, 409)
    public, people = full_table(server, "mines", 2, private=False)
    finish_with_bots(server, public, people)
    assert stranger.get_table(public)["table"]["again"] is None
    following = request_rematch(people[0], public)["id"]
    assert stranger.get_table(public)["table"]["again"] == following, (
        "who watches a public table may watch the next game too"
    )


@pytest.mark.later
def test_who_does_not_come_keeps_the_place_until_the_maker_opens_it_or_gives_it_to_a_bot(finished_table):
    server, id, (ann, ben) = finished_table
    made = request_rematch(ann, id)
    ann.sit(made["id"])
    friend = server.new_client()
    invite = ann.get_table(made["id"])["table"]["invite"]
    friend.post(f"/api/tables/{made['id']}/sit", {"seat": 2, "nonce": "", "invite": invite}, 409)
    friend.post(f"/api/tables/{made['id']}/bot", {"seat": 2, "level": None}, 403)
    ann.post(f"/api/tables/{made['id']}/bot", {"seat": 2, "level": None}, 200)
    assert ben.get_table(made["id"])["table"]["kept"] is None, "a place that was opened is kept still"
    friend.sit(made["id"], seat=2, invite=invite)
    assert friend.get_table(made["id"])["table"]["phase"] == "playing"
    assert request_rematch(ben, id)["id"] == made["id"], "who comes too late is led elsewhere"
    assert seat_of(ben.get_table(made["id"])) is None

    finish_with_bots(server, made["id"], [ann, friend])
    third = request_rematch(friend, made["id"])["id"]
    friend.sit(third)
    friend.post(f"/api/tables/{third}/bot", {"seat": ann.get_table(third)["table"]["kept"], "level": "random"}, 200)
    wait_until(
        lambda: friend.get_table(third)["table"]["phase"] == "playing",
        "a bot does not take the place of who has not come",
    )


def test_alone_with_bots_the_next_game_begins_when_its_player_sits_down(server):
    guest = server.new_client()
    id = guest.create_table(game="mines", seats=2, places=["me", "bot:random"])
    finish_with_bots(server, id, [guest])
    made = request_rematch(guest, id)
    guest.sit(made["id"])
    message = guest.get_table(made["id"])
    assert (message["seat"], message["table"]["phase"]) == (1, "playing")


@pytest.mark.later
def test_a_place_that_was_left_during_the_game_is_open_in_the_next(open_server):
    server = open_server()
    ann, ben = server.new_client(), server.new_client()
    id = ann.create_table(game="mines", seats=2, places=["me", "open"])
    ben.sit(id, invite=ann.invite)
    ann.open_stream(id)
    wait_until(lambda: ann.get_table(id)["table"]["places"][0]["here"], "Ann does not come")
    ben.post(f"/api/tables/{id}/stand", {}, 200)
    finish_with_bots(server, id, [ann])
    made = request_rematch(ann, id)
    assert [(place["kind"], place["kept"]) for place in ann.get_table(made["id"])["table"]["places"]] == [
        ("open", False), ("open", True),
    ]  # fmt: skip
