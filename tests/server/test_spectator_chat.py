"""Spectators' chat is closed during a game to everyone who has had a seat in it since the first deal."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from authenticator import Browser
from guests import KEYS, Guest, House, first_legal, full_table, until
from rooms import Room
from timepiece import Timepiece

from diamonds.server.house import codes
from diamonds.server.order.settings import HouseSettings
from diamonds.server.store.books import COMMAND
from diamonds.server.wire.app import Setup
from diamonds.server.wire.limits import OFF

pytestmark = pytest.mark.later

TIP = "dig left"


@pytest.fixture(autouse=True)
def _recovery_codes_are_cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codes, "COST", 4)


def say(guest: Guest, table: str, text: str, expect: int = 200) -> Any:
    return guest.post(f"/api/tables/{table}/chat", {"key": f"spectator-{next(KEYS):06d}", "text": text}, expect)


def stand(guest: Guest, table: str) -> None:
    guest.post(f"/api/tables/{table}/stand", {}, 200)


def lines(guest: Guest, table: str) -> list[str]:
    return [line["text"] or line["phrase"] for line in guest.look(table)["table"]["chat"]]


def is_former_player(guest: Guest, table: str) -> bool:
    told: bool = guest.look(table)["table"]["former_player"]
    return told


def play_out(guests: list[Guest], table: str) -> None:
    """Play the game to its end."""
    for _ in range(3_000):
        for guest in guests:
            message = guest.look(table)
            if message["table"]["phase"] == "over":
                return
            if message["ask"]:
                guest.answer(table, message["n"], first_legal(message))
    raise AssertionError("expected the game to end")


def browsers_at_a_table(house: House) -> tuple[str, Browser, Browser]:
    """A table of mines, and the two who play there, in browsers."""
    ann, ben = Browser(house.port), Browser(house.port)
    table = ann.make(game="mines", seats=2, places=["me", "open"], private=False, takeover=0)
    ben.sit(table)
    return table, ann, ben


def at_process(house: House, browser: Browser) -> Guest:
    """The person of a browser, whose requests come to another process."""
    found = Guest(house.port)
    found.headers = {**browser.headers, "Host": f"localhost:{house.port}"}
    return found


def test_spectator_chat_is_hidden_from_a_former_player(house: House) -> None:
    table, (ann, ben) = full_table(house, "mines", 2, private=False)
    dora = house.guest()
    say(dora, table, TIP)
    tap = ben.listen(table)
    stand(ben, table)
    say(dora, table, "now the king")
    assert lines(ben, table) == [], "a former player reads what spectators say"
    last = say(ann, table, "still there?")
    until(lambda: any(b"still there?" in event for event in tap.events), "the stream does not tell of a player's line")
    assert not any(TIP.encode() in event or b"the king" in event for event in tap.events), "the stream tells a tip"
    assert lines(ben, table) == ["still there?"], "a former player no longer reads what players say"
    assert (is_former_player(ben, table), is_former_player(dora, table)) == (True, False)
    ben.sit(table)
    assert not is_former_player(ben, table)
    assert lines(dora, table) == [TIP, "now the king", "still there?"], "a spectator reads less than before"
    play_out([ann, ben], table)
    assert lines(ben, table) == [TIP, "now the king", "still there?"], "after the game a player does not read all"
    assert last["n"] >= 0
    tap.close()


def test_spectator_chat_is_closed_to_lines_of_a_former_player(house: House) -> None:
    table, (ann, ben) = full_table(house, "mines", 2, private=False)
    dora = house.guest()
    stand(ben, table)
    assert say(ben, table, "I hold the queen", 409)["id"] == "table-chat-former-player"
    phrase = {"key": "spectator-phrase", "phrase": "nice"}
    assert ben.post(f"/api/tables/{table}/chat", phrase, 409)["id"] == "table-chat-former-player"
    assert lines(dora, table) == [], "spectators read what a former player says"
    ben.sit(table)
    play_out([ann, ben], table)
    say(ben, table, "well fought")
    assert lines(dora, table) == ["well fought"], "after the game a player may not talk"


def test_spectator_chat_stays_closed_to_a_former_player_after_restart(
    open_house: Callable[..., House], tmp_path: Path
) -> None:
    house = open_house(tmp_path)
    table, (ann, ben) = full_table(house, "mines", 2, private=False)
    dora = house.guest()
    say(dora, table, TIP)
    stand(ben, table)
    house.restart(ann, ben, dora)
    assert lines(ben, table) == [], "a restart lets a former player read what spectators say"
    say(ben, table, "hello", 409)
    assert lines(dora, table) == [TIP]


def test_spectator_chat_is_closed_to_who_lost_the_seat_on_time(timed_house: House, time: Timepiece) -> None:
    clock = {"start": 60, "increment": 5}
    table, guests = full_table(timed_house, "mines", 2, clock=clock, private=False)
    dora = timed_house.guest()
    say(dora, table, TIP)
    for _ in range(2):
        stand(guests[1], table)
        guests[1].sit(table)
    stand(guests[1], table)
    message = guests[1].look(table)
    assert (message["table"]["places"][1]["kind"], message["table"]["kept"]) == ("bot", 1), "expected a lost seat"
    assert lines(guests[1], table) == [], "who lost a seat on time reads what spectators say"
    say(guests[1], table, "hello", 409)
    eve, tap = timed_house.guest(), guests[0].listen(table)
    tap.wait_for(0)
    eve.post(f"/api/tables/{table}/sit", {"seat": 1}, 200)
    guests[0].consent(table)
    assert [is_former_player(one, table) for one in (guests[0], eve, guests[1], dora)] == [False, False, True, False]
    tap.close()


def test_spectator_chat_is_closed_to_the_account_a_former_player_becomes(house: House) -> None:
    table, _, ben = browsers_at_a_table(house)
    dora = house.guest()
    say(dora, table, TIP)
    stand(ben, table)
    ben.become("Ben")
    assert lines(ben, table) == [], "an account reads what its guest may not"
    other = Browser(house.port).with_keys_of(ben)
    other.sign_in()
    assert lines(other, table) == [], "a second browser of a former player reads what spectators say"
    say(other, table, "hello", 409)


def test_spectator_chat_closes_for_an_account_that_a_former_player_joins(house: House) -> None:
    table, _, ben = browsers_at_a_table(house)
    account, dora = Browser(house.port), house.guest()
    account.become("Kim")
    say(dora, table, TIP)
    assert lines(account, table) == [TIP], "a spectator with an account does not read what spectators say"
    stand(ben, table)
    tap = account.listen(table)
    tap.wait_for(0)
    ben.with_keys_of(account).sign_in()
    assert lines(ben, table) == lines(account, table) == [], "a merge lets a former player read what spectators say"
    say(dora, table, "now the king")
    say(account, table, "hello", 409)
    until(lambda: tap.messages[-1]["version"] >= dora.look(table)["version"], "the stream is behind")
    assert not any(b"the king" in event for event in tap.events), "an open stream goes on telling tips after a merge"
    tap.close()


def test_report_holds_no_spectator_lines_from_a_former_player(open_house: Callable[..., House]) -> None:
    settings = HouseSettings(name="Club Caro", hosts=("Ann",))
    house = open_house(settings=Setup((0, 0), OFF, house=settings))
    table, ann, ben = browsers_at_a_table(house)
    dora, code = house.guest(), house.wait_for(house.app.order.invite(COMMAND, 1, "Ann")).code
    say(dora, table, TIP)
    by = dora.look(table)["table"]["chat"][0]["by"]
    stand(ben, table)
    ben.post(f"/api/tables/{table}/report", {"seat": 0, "reason": "cheating"}, 200)
    refused = ben.post(f"/api/tables/{table}/report", {"by": by, "reason": "cheating"}, 404)
    assert refused["id"] == "order-nobody", "a report tells a former player that a spectator talks"
    [report] = house.wait_for(house.app.store.books.reports(False, 10))
    assert report.lines == (), "the report of a former player holds what spectators say"
    dora.post(f"/api/tables/{table}/report", {"seat": 0, "reason": "cheating"}, 200)
    asked = ann.post("/api/me/account/begin", {"name": "Ann", "invitation": code}, 200)
    ann.post("/api/me/account", {"passkey": ann.make_key(asked["options"])}, 201)
    for _ in range(2):  # at first with a seat, then without one
        told = json.dumps(ann.get("/api/order/reports"))
        assert TIP not in told, "a moderator who has played here reads what spectators say"
        if ann.look(table)["seat"] is not None:
            stand(ann, table)


def test_record_and_replay_wait_for_the_end_also_for_a_former_player(house: House) -> None:
    table, (_, ben) = full_table(house, "mines", 2, private=False)
    say(house.guest(), table, TIP)
    stand(ben, table)
    for path in ("replay", "record", "verify"):
        ben.get(f"/api/tables/{table}/{path}", 409)
        assert TIP.encode() not in ben.raw
    assert TIP.encode() not in ben.send("GET", "/api/me/data")[1]
    assert TIP.encode() not in ben.send("GET", "/api/tables")[1]


def test_spectator_chat_is_closed_to_a_former_player_at_every_process(rooms: tuple[Room, Room]) -> None:
    one, two = rooms
    table, _, ben = browsers_at_a_table(one)
    kim, dora = Browser(one.port), two.guest()
    kim.become("Kim")
    ben_there, kim_there = at_process(two, ben), at_process(two, kim)
    say(dora, table, TIP)
    assert lines(kim_there, table) == [TIP]
    stand(ben, table)
    until(lambda: is_former_player(ben_there, table), "the other process does not know who has had a seat")
    assert lines(ben_there, table) == [], "the other process tells a former player what spectators say"
    ben.with_keys_of(kim).sign_in()
    until(lambda: is_former_player(kim_there, table), "the other process does not hear of a merge")
    assert lines(kim_there, table) == lines(ben, table) == []
