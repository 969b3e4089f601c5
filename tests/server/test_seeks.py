"""Two strangers who would play the same are seated at one table; what they look for ends when it should, and is bounded."""

from __future__ import annotations

import pytest
from guests import Guest, until

from diamonds.server.meeting import hall, seeks
from diamonds.server.wire.app import Setup
from diamonds.server.wire.limits import OFF, Rate, Share

pytestmark = pytest.mark.later

DUEL = {"games": ["mines"], "seats": [2], "paces": ["steady"]}


@pytest.fixture(autouse=True)
def _nobody_waits_for_the_clock(monkeypatch):
    monkeypatch.setattr(hall, "GATHER", 0.0)
    monkeypatch.setattr(seeks, "LOOK", 0.01)


def idle(ear) -> bool:
    """Whether somebody is told that they look for nobody, and have met nobody."""
    return ear.you["seek"] is None and ear.you["met"] is None


def look_for(guest: Guest, **more) -> None:
    guest.post("/api/seek", {**DUEL, **more}, 200)


def test_two_strangers_are_told_of_one_table_and_play_as_soon_as_both_have_sat_down(house):
    ann, ben, eve = house.guest(), house.guest(), house.guest()
    ears = [guest.lobby() for guest in (ann, ben, eve)]
    look_for(ann, games=["mines", "fourteen"], seats=[2, 3])
    ears[0].wait_for(lambda: (ears[0].you or {}).get("seek"), "who seeks is not told that they do")
    assert ears[0].you["seek"] == {
        "games": ["mines", "fourteen"],
        "seats": [2, 3],
        "paces": ["steady"],
        "clocks": ["none"],
        "bots_after": None,
    }
    ears[2].wait_for(lambda: any(news.get("seeking") == 1 for news in ears[2].news), "nobody hears that somebody seeks")
    look_for(ben)
    tables = [ear.wait_for(lambda ear=ear: (ear.you or {}).get("met"), "they did not meet") for ear in ears[:2]]
    assert tables[0] == tables[1]
    look = ann.look(tables[0])["table"]
    assert look["kept"] == 0, "no place is kept for who has waited longest"
    assert not look["private"]
    assert eve.look(tables[0])["table"]["kept"] is None
    assert [one["kept"] for one in look["places"]] == [True, True]
    for guest in (ann, ben):
        guest.sit(tables[0])
    assert ann.look(tables[0])["table"]["phase"] == "playing"
    ears[0].wait_for(lambda: idle(ears[0]), "who has sat down is sent there again")
    assert idle(ears[2]), "a stranger is told whom others met"
    raw = ears[2].tap.raw
    assert b'"games"' not in raw, "what somebody looks for is told to others"


def test_who_would_play_by_the_same_clock_meets_at_a_table_that_has_it_and_the_lobby_says_so(house):
    ann, ben, eve = house.guest(), house.guest(), house.guest()
    ears = [guest.lobby() for guest in (ann, ben, eve)]
    look_for(ann, clocks=["fast", "day"])
    look_for(eve, clocks=["none"])
    look_for(ben, clocks=["slow", "day"])
    id = ears[0].wait_for(lambda: (ears[0].you or {}).get("met"), "they did not meet")
    assert ears[2].you["met"] is None, "somebody who would play without a clock was seated at one"
    day = {"start": 0, "increment": 0, "days": 1}
    assert ann.look(id)["table"]["clock"] == day, "the table has not the clock on which they agree"
    made = eve.make(game="mines", seats=2, places=["me", "open"], private=False, clock=day)
    line = ears[2].wait_for(lambda: ears[2].tables.get(made), "a table is not listed")
    assert line["clock"] == day, "the list does not say by which clock a table plays"
    look_for(eve, clocks=["none"])
    look_for(ann, clocks=["fast"], games=["fourteen"], seats=[3], bots_after=0)
    table = ears[0].wait_for(lambda: (met := ears[0].you["met"]) != id and met, "no table was made")
    offered = {game["name"]: game for game in ann.get("/api/house")["games"]}["fourteen"]["clocks"]["3"]["fast"]
    assert ann.look(table)["table"]["clock"] == offered, "fast is something else than for who makes a table"


def test_when_their_time_is_up_bots_have_the_other_seats(house):
    ann = house.guest()
    ear = ann.lobby()
    look_for(ann, games=["crystals"], seats=[4], bots_after=0)
    id = ear.wait_for(lambda: (ear.you or {}).get("met"), "no table was made")
    ann.sit(id)
    found = ann.look(id)["table"]
    assert [place["kind"] for place in found["places"]] == ["person", "bot", "bot", "bot"]
    assert found["phase"] == "playing"


def test_a_seek_ends_with_a_word_by_sitting_down_and_when_its_person_has_gone_and_not_when_they_are_back(
    house, monkeypatch
):
    ann, ben = house.guest(), house.guest()
    kept = house.app.meeting.seeks
    ear = ann.lobby()
    look_for(ann)
    look_for(ann, games=["fourteen"], seats=[2, 3])
    assert len(kept) == 1, "somebody has two seeks"
    ann.post("/api/seek/end", {}, 200)
    assert len(kept) == 0
    look_for(ann)
    ann.make(game="mines", seats=2)
    assert len(kept) == 0, "who has sat down elsewhere is still looked for"
    look_for(ann)
    monkeypatch.setattr(seeks, "GRACE", 0.05)
    again = ann.lobby()
    ear.tap.close()
    until(lambda: len(house.app.meeting.hall.readers[again_channel(house)]) == 1, "the first page is not gone")
    assert len(kept) == 1, "the seek ends though another page of its person is open"
    again.tap.close()
    until(lambda: len(kept) == 0, "the seek of somebody who has gone lasts")
    look_for(ben)
    until(lambda: len(kept) == 0, "a seek lasts whose person has never listened")


def again_channel(house):
    return house.app.meeting.board.channels[""]


def test_what_cannot_be_played_is_refused_in_a_sentence(house):
    ann = house.guest()
    for wrong, id in (
        ({"games": ["whist"]}, "game-unknown"),
        ({"seats": [9]}, "server-seek-nothing"),
        ({"paces": ["slow"]}, "server-unreadable"),
        ({"clocks": ["hourglass"]}, "server-unreadable"),
        ({"clocks": []}, "server-unreadable"),
        ({"games": []}, "server-unreadable"),
        ({"bots_after": -1}, "server-unreadable"),
        ({"seats": [2] * 9}, "server-unreadable"),
    ):
        refused = ann.post("/api/seek", {**DUEL, **wrong})
        assert refused["id"] == id, f"{wrong} was answered {refused}"
        assert ann.status in (400, 404)


def test_ten_thousand_seeks_from_one_address_are_429_and_leave_a_bounded_amount_behind(open_house, monkeypatch):
    rates = OFF._replace(seeks=Share(Rate(20, 0.001), Rate(50, 0.001)))
    house = open_house(settings=Setup((0, 0), rates))
    names = [house.guest() for _ in range(40)]
    statuses = []
    for k in range(10_000 // 20):
        names[k % 40].post("/api/seek", {**DUEL, "games": ["crystals"], "seats": [6]})
        statuses.append(names[k % 40].status)
    assert statuses.count(200) == 50, "an address may seek without end"
    assert set(statuses[60:]) == {429}
    assert len(house.app.meeting.seeks) <= 50
    monkeypatch.setattr(seeks, "MOST", 0)
    other = open_house()
    refused = other.guest().post("/api/seek", DUEL, 429)
    assert refused["id"] == "server-too-many", "the house takes seeks without end"


def test_no_other_site_seeks_with_a_visitors_cookie(house):
    from authenticator import Browser

    ann = Browser(house.port)
    ann.headers["Sec-Fetch-Site"] = "cross-site"
    for path in ("/api/seek", "/api/seek/end"):
        assert ann.post(path, DUEL if path == "/api/seek" else {}, 403)["id"] == "server-other-site"
    assert Guest(house.port).post("/api/seek", DUEL, 401)["id"] == "server-who-are-you"
