"""The lobby tells strangers of what they can join or watch now, and everyone of their own tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from guests import Guest, House, until

from diamonds.server.house import lobby
from diamonds.server.table import presence
from diamonds.server.wire.app import Setup
from diamonds.server.wire.limits import OFF


def listed(guest: Guest) -> list[str]:
    """The tables that everyone is told of."""
    return [line["id"] for line in guest.get("/api/tables")["tables"]]


def mine(guest: Guest) -> list[str]:
    return [line["id"] for line in guest.get("/api/tables")["mine"]]


@pytest.fixture
def people(open_house: Callable[..., House], tmp_path: Path) -> tuple[House, Guest, Guest, Guest]:
    """A house where bots take their time, Ann, Ben, and a stranger."""
    house = open_house(tmp_path, settings=Setup((30, 30), OFF))
    return house, house.guest(), house.guest(), house.guest()


def test_a_table_is_listed_while_a_seat_is_open_and_its_people_are_there(people, monkeypatch):
    _, ann, ben, stranger = people
    monkeypatch.setattr(presence, "LATELY", 0.0)
    id = ann.make(game="mines", seats=2, places=["me", "open"], private=False)
    assert listed(stranger) == [], "a table is listed though nobody is there"
    tap = ann.listen(id)
    until(lambda: listed(stranger) == [id], "a table is not listed though its maker waits there")
    tap.close()
    until(lambda: listed(stranger) == [], "a table waits for ever though its people have gone")
    assert mine(ann) == [id], "its maker may still go back"
    tap = ann.listen(id)
    until(lambda: listed(stranger) == [id], "its maker is back, and nobody is told")
    ben.sit(id)
    assert listed(stranger) == [id], "two who play can be watched"


def test_of_an_unfinished_game_its_people_are_told_whether_it_waits_for_them_also_after_a_restart(people):
    house, ann, ben, stranger = people

    def waiting() -> list[bool]:
        return [guest.get("/api/tables")["mine"][0]["turn"] for guest in (ann, ben)]

    id = ann.make(game="mines", seats=2, places=["me", "open"], private=False)
    assert not ann.get("/api/tables")["mine"][0]["turn"], "a game that has not begun waits for nobody's answer"
    ben.sit(id, invite=ann.invite)
    first = ann.look(id)["ask"] is not None
    assert waiting() == [first, not first], "the list does not know whose turn it is"
    house.restart(ann, ben)
    assert waiting() == [first, not first], "after a restart the list has forgotten whose turn it is"
    ann.listen(id)
    until(lambda: stranger.get("/api/tables")["tables"], "two who play are not listed")
    assert not stranger.get("/api/tables")["tables"][0]["turn"], "a stranger is told that a game waits for them"


@pytest.mark.later
@pytest.mark.parametrize("clock", [None, {"days": 1}, {"start": 600}], ids=["no clock", "days", "live"])
def test_however_many_games_somebody_plays_the_list_knows_of_each_whether_it_waits_for_them(people, clock):
    house, ann, ben, _ = people
    waits = {}
    for _ in range(20):
        id = ann.make(game="mines", seats=2, places=["me", "open"], clock=clock)
        ben.sit(id, invite=ann.invite)
        waits[id] = ann.look(id)["ask"] is not None
    alone = ann.make(game="mines", seats=2, places=["me", "bot:simple"])
    house.restart(ann, ben)
    told = {line["id"]: line["turn"] for line in ann.get("/api/tables")["mine"]}
    assert told == waits | {alone: True}
    assert {line["id"]: line["turn"] for line in ben.get("/api/tables")["mine"]} == {
        id: not mine for id, mine in waits.items()
    }
    assert house.call(lambda: [*house.app.tables.shelf.all()]) == [], "games are loaded to tell whose turn it is"


def test_who_has_just_been_there_has_not_gone(people):
    _, ann, _, stranger = people
    id = ann.make(game="mines", seats=2, places=["me", "open"], private=False)
    assert listed(stranger) == [id], "who sits down and has not opened the stream yet counts as gone"


def test_a_table_that_was_listed_and_is_played_with_bots_alone_is_nobody_elses(people):
    _, ann, _, stranger = people
    id = ann.make(game="fourteen", seats=3, places=["me", "open", "bot:simple"], private=False)
    ann.listen(id)
    until(lambda: listed(stranger) == [id], "a table with an open seat is not listed")
    ann.post(f"/api/tables/{id}/bot", {"seat": 1, "level": "simple"}, 200)
    assert ann.look(id)["table"]["phase"] == "playing"
    assert listed(stranger) == [], "a game against bots alone is in strangers' lobbies"
    assert mine(ann) == [id]


def test_a_table_with_no_place_but_one_that_is_kept_is_not_listed(people):
    _, ann, _, stranger = people
    made = ann.post("/api/tables", {"game": "mines", "seats": 2, "private": False, "places": ["me", "bot:simple"]}, 201)
    tap = ann.listen(made["id"])
    until(lambda: tap.newest, "the stream does not open")
    assert listed(stranger) == [], "nobody can sit down at a table that waits for its maker alone"


def test_after_a_restart_a_table_is_listed_when_its_people_are_back(people):
    house, ann, _, stranger = people
    id = ann.make(game="mines", seats=2, places=["me", "open"], private=False)
    assert listed(stranger) == [id]
    house.restart(ann, stranger)
    assert listed(stranger) == []
    stranger.look(id)
    assert listed(stranger) == [], "who looks at a table that was left does not bring it back"
    ann.listen(id)
    until(lambda: listed(stranger) == [id], "its maker is back, and nobody is told")


def test_a_table_that_has_waited_for_a_day_is_forgotten_by_its_own_people_too_unless_they_are_there(
    people, monkeypatch
):
    house, ann, _, _ = people
    id = ann.make(game="mines", seats=2, places=["me", "open"])
    begun = ann.make(game="mines", seats=2)
    monkeypatch.setattr(lobby, "WAITS", 0.0)
    assert mine(ann) == [begun]
    house.restart(ann)
    assert mine(ann) == [begun]
    ann.listen(id)
    until(lambda: mine(ann) == [begun, id], "a table at which somebody waits is not listed")
