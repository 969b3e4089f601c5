"""A matched person who never comes: whoever sits at the table does not wait for them for ever, and nobody learns who it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from authenticator import Browser
from guests import Guest, House, until
from test_friends import befriend, hear
from timepiece import Timepiece

from diamonds.server.house import codes
from diamonds.server.meeting import hall, missing, seeks

ONE_MORE = 1  # millisecond


@pytest.fixture(autouse=True)
def _nobody_waits_for_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codes, "COST", 4)
    monkeypatch.setattr(hall, "GATHER", 0.0)
    monkeypatch.setattr(seeks, "LOOK", 0.01)


def met(house: House, bots_after: tuple[float | None, ...], seats: int = 2) -> tuple[str, list[Guest]]:
    """A table at which strangers were to meet, and they."""
    guests = [house.guest() for _ in bots_after]
    ears = [guest.lobby() for guest in guests]
    for guest, after in zip(guests, bots_after, strict=True):
        wanted = {"games": ["crystals"], "seats": [seats], "paces": ["steady"], "bots_after": after}
        guest.post("/api/seek", wanted, 200)
    tables = {ear.wait_for(lambda ear=ear: (ear.you or {}).get("met"), "they do not meet") for ear in ears}
    assert len(tables) == 1
    return tables.pop(), guests


def pass_by(house: House, time: Timepiece, table: str, milliseconds: int) -> None:
    """So much time goes by, and the house has looked who is missing."""
    kept = house.app.meeting.missing
    until(lambda: table in kept.due, "nobody is waited for")
    time.pass_by(milliseconds)
    house.call(kept.look)
    until(lambda: not house.call(lambda: kept._tasks), "the house is never done")


def places(guest: Guest, table: str) -> list[Any]:
    return [(place["kind"], place["kept"]) for place in guest.look(table)["table"]["places"]]


def test_the_place_of_who_does_not_come_in_half_a_minute_is_open_to_everyone(
    time: Timepiece, open_house: Callable[..., House]
) -> None:
    house = open_house()
    table, (ann, ben) = met(house, (None, 0))
    eve = house.guest()
    ears = [ben.lobby(), eve.lobby()]
    ann.sit(table)
    ann.listen(table)
    pass_by(house, time, table, missing.COME - ONE_MORE)
    assert places(ann, table) == [("person", False), ("open", True)], "the place was opened too early"
    assert table not in ears[1].tables, "a table is listed where there is no place"
    pass_by(house, time, table, ONE_MORE)
    assert places(ann, table) == [("person", False), ("open", False)], "one waits for ever"
    ears[1].wait_for(lambda: table in ears[1].tables, "the open place is not listed")
    ears[0].wait_for(lambda: ears[0].you["met"] is None, "who did not come is still sent there")
    assert ben.look(table)["table"]["kept"] is None
    eve.sit(table)
    assert eve.look(table)["table"]["phase"] == "playing"


def test_a_bot_has_the_place_where_everyone_would_have_had_bots(
    time: Timepiece, open_house: Callable[..., House]
) -> None:
    house = open_house()
    table, guests = met(house, (60, 120, 180), seats=3)
    for guest in guests[:2]:
        guest.sit(table)
    pass_by(house, time, table, missing.COME)
    look = guests[0].look(table)["table"]
    assert [place["kind"] for place in look["places"]] == ["person", "person", "bot"]
    assert look["phase"] == "playing"


def test_who_has_come_in_time_keeps_their_place_and_nobody_waits_where_nobody_sits(
    time: Timepiece, open_house: Callable[..., House]
) -> None:
    house = open_house()
    table, (ann, ben) = met(house, (60, 60))
    ann.sit(table)
    ann.post(f"/api/tables/{table}/stand", {"key": "stand-key-1"}, 200)
    pass_by(house, time, table, missing.COME)
    assert places(ben, table) == [("open", False), ("open", True)], "bots play with each other"
    ben.sit(table)
    ann.sit(table)
    pass_by(house, time, table, missing.COME)
    assert places(ben, table) == [("person", False)] * 2


def test_after_a_restart_it_counts_from_when_somebody_comes_to_the_table(
    time: Timepiece, open_house: Callable[..., House], tmp_path: Path
) -> None:
    house = open_house(tmp_path)
    table, (ann, ben) = met(house, (None, None))
    ann.sit(table)
    house.restart(ann, ben)
    time.pass_by(10 * missing.COME)
    ann.listen(table)
    pass_by(house, time, table, missing.COME - ONE_MORE)
    assert ben.look(table)["table"]["kept"] == 1, "who is late by the house's own fault has lost their place"
    pass_by(house, time, table, ONE_MORE)
    assert places(ann, table) == [("person", False), ("open", False)], "after a restart one waits for ever"


def test_a_challenge_of_somebody_who_does_not_come_keeps_no_place_either(
    time: Timepiece, open_house: Callable[..., House]
) -> None:
    house = open_house()
    ann, ben = Browser(house.port), Browser(house.port)
    ann.become("Ann")
    ben.become("Ben")
    befriend(ann, ben, ("Ann", "Ben"))
    ear, _ = hear(ann), hear(ben)
    id = ann.post("/api/challenges", {"name": "Ben", "game": "mines", "seats": 2}, 200)["id"]
    ben.post("/api/challenges/answer", {"id": id, "agree": True}, 200)
    table = ear.wait_for(lambda: ear.you["met"], "they do not meet")
    ann.sit(table)
    pass_by(house, time, table, missing.COME)
    look = ann.look(table)["table"]
    assert [(place["kind"], place["kept"]) for place in look["places"]] == [("person", False), ("open", False)]
    assert "Ben" not in str(look), "it is told who did not come"
