"""Play again: the same people, one new table, everyone one seat on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from guests import Guest, House, first_legal, full_table, until

from diamonds import deals
from diamonds.server.house.making import Making


def play(house: House, id: str, guests: list[Guest]) -> None:
    """People and bots play to the end."""
    table = house.app.tables.get(id)
    while not table.over:
        for guest in guests:
            message = guest.look(id)
            if message["ask"]:
                guest.answer(id, message["n"], first_legal(message), expect=None)


def again(guest: Guest, id: str, expect: int = 201, **body: Any) -> Any:
    return guest.post(f"/api/tables/{id}/again", body, expect)


@pytest.fixture
def over(open_house: Callable[..., House], tmp_path: Path) -> tuple[House, str, list[Guest]]:
    """A finished game of Ann, Ben and a bot, at a private table."""
    house = open_house(tmp_path)
    ann, ben = house.guest(), house.guest()
    options = {"rounds": 1}
    id = ann.make(game="crystals", seats=3, places=["me", "open", "bot:random"], options=options, pace="quick")
    ben.sit(id, invite=ann.invite)
    play(house, id, [ann, ben])
    return house, id, [ann, ben]


def seat(message: Any) -> int | None:
    seat: int | None = message["seat"]
    return seat


def test_the_first_press_makes_one_table_and_every_later_one_leads_to_it_with_each_person_one_seat_on(over):
    _, id, (ann, ben) = over
    before = ben.look(id)["table"]
    assert before["again"] is None
    deals.new_secret()  # that of the last game: a test's tables are dealt the same cards each time
    made = again(ben, id)
    assert ann.look(id)["table"]["again"] == made["id"], "who finished the game is not told of the next one"
    assert again(ann, id)["id"] == made["id"], "each press makes a table of its own"
    table = ben.look(made["id"])["table"]
    same = ("game", "seats", "options", "private", "takeover", "pace")
    assert {name: table[name] for name in same} == {name: before[name] for name in same}
    assert [(place["kind"], place["level"], place["kept"]) for place in table["places"]] == [
        ("bot", "random", False), ("open", None, True), ("open", None, True),
    ]  # fmt: skip
    assert (table["host"], ann.look(made["id"])["table"]["host"]) == (True, False)
    assert made["commitment"] != before["commitment"], "the cards are those of the last game"
    ann.sit(made["id"])
    ben.sit(made["id"])
    assert (seat(ann.look(made["id"])), seat(ben.look(made["id"]))) == (1, 2)
    assert ann.look(made["id"])["table"]["phase"] == "playing"


@pytest.mark.later
def test_presses_at_the_same_time_make_one_table(over):
    house, id, guests = over
    found: list[str] = []

    def press(guest: Guest, key: str) -> None:
        found.append(again(guest, id, key=key)["id"])

    everyone = [*guests, *(Guest(house.port, guest.headers["Authorization"][7:]) for guest in guests)]
    threads = [threading.Thread(target=press, args=(one, f"again-key-{k}")) for k, one in enumerate(everyone)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len(set(found)) == 1
    mine = [line["id"] for line in guests[0].get("/api/tables")["mine"]]
    assert sorted(mine) == sorted([id, found[0]])


def test_a_press_that_was_cut_short_or_sent_twice_leads_to_the_same_table(over, monkeypatch):
    house, id, (ann, ben) = over
    real = Making._create

    async def dies(*given: Any, **more: Any) -> bytes:
        raise RuntimeError("the power is cut")

    monkeypatch.setattr(Making, "_create", dies)
    again(ann, id, 500)
    monkeypatch.setattr(Making, "_create", real)
    house.restart(ann, ben)
    named = ben.look(id)["table"]["again"]
    made = again(ben, id, key="again-and-again")
    assert made["id"] == named
    assert again(ben, id, key="again-and-again") == made
    assert again(ann, id)["id"] == named
    house.restart(ann, ben)
    assert ann.look(id)["table"]["again"] == named
    assert ann.look(named)["table"]["kept"] == 1


@pytest.mark.later
def test_who_is_told_of_the_next_table_and_may_ask_for_it(over):
    house, id, (ann, _) = over
    stranger = house.guest()
    again(stranger, id, 403)
    Guest(house.port).post(f"/api/tables/{id}/again", {}, 401)
    before = stranger.look(id)
    made = again(ann, id)
    assert stranger.look(id)["table"] == before["table"], (
        "who watches a private table is told where its people have gone"
    )
    stranger.post(f"/api/tables/{made['id']}/sit", {"nonce": ""}, 403)
    assert stranger.look(made["id"])["table"]["kept"] is None
    unfinished = ann.make(game="mines", seats=2)
    again(ann, unfinished, 409)
    public, people = full_table(house, "mines", 2, private=False)
    play(house, public, people)
    assert stranger.look(public)["table"]["again"] is None
    following = again(people[0], public)["id"]
    assert stranger.look(public)["table"]["again"] == following, (
        "who watches a public table may watch the next game too"
    )


@pytest.mark.later
def test_who_does_not_come_keeps_the_place_until_the_maker_opens_it_or_gives_it_to_a_bot(over):
    house, id, (ann, ben) = over
    made = again(ann, id)
    ann.sit(made["id"])
    friend = house.guest()
    invite = ann.look(made["id"])["table"]["invite"]
    friend.post(f"/api/tables/{made['id']}/sit", {"seat": 2, "nonce": "", "invite": invite}, 409)
    friend.post(f"/api/tables/{made['id']}/bot", {"seat": 2, "level": None}, 403)
    ann.post(f"/api/tables/{made['id']}/bot", {"seat": 2, "level": None}, 200)
    assert ben.look(made["id"])["table"]["kept"] is None, "a place that was opened is kept still"
    friend.sit(made["id"], seat=2, invite=invite)
    assert friend.look(made["id"])["table"]["phase"] == "playing"
    assert again(ben, id)["id"] == made["id"], "who comes too late is led elsewhere"
    assert seat(ben.look(made["id"])) is None

    play(house, made["id"], [ann, friend])
    third = again(friend, made["id"])["id"]
    friend.sit(third)
    friend.post(f"/api/tables/{third}/bot", {"seat": ann.look(third)["table"]["kept"], "level": "random"}, 200)
    until(
        lambda: friend.look(third)["table"]["phase"] == "playing", "a bot does not take the place of who has not come"
    )


def test_alone_with_bots_the_next_game_begins_when_its_player_sits_down(house):
    guest = house.guest()
    id = guest.make(game="mines", seats=2, places=["me", "bot:random"])
    play(house, id, [guest])
    made = again(guest, id)
    guest.sit(made["id"])
    message = guest.look(made["id"])
    assert (message["seat"], message["table"]["phase"]) == (1, "playing")


@pytest.mark.later
def test_a_place_that_was_left_during_the_game_is_open_in_the_next(open_house):
    house = open_house()
    ann, ben = house.guest(), house.guest()
    id = ann.make(game="mines", seats=2, places=["me", "open"])
    ben.sit(id, invite=ann.invite)
    ann.listen(id)
    until(lambda: ann.look(id)["table"]["places"][0]["here"], "Ann does not come")
    ben.post(f"/api/tables/{id}/stand", {}, 200)
    play(house, id, [ann])
    made = again(ann, id)
    assert [(place["kind"], place["kept"]) for place in ann.look(made["id"])["table"]["places"]] == [
        ("open", False), ("open", True),
    ]  # fmt: skip
