"""Seeks: two people with compatible seeks get one table; seeks end when they should, and are limited."""

import pytest

from diamonds.server.lobby import seeks, streams
from tests.server.support.client import Client, wait_until

pytestmark = [pytest.mark.later, pytest.mark.usefixtures("no_lobby_delays")]

MINES_SEEK = {"games": ["mines"], "seats": [2], "bot_speeds": ["steady"]}


def listed_seeks(lobby) -> list[dict[str, object]]:
    """Return the seeks in the newest event that has any."""
    return next((news["seeks"] for news in reversed(lobby.events) if "seeks" in news), [])


def test_listed_seek_has_a_name_and_the_wanted_game_only(server):
    ann, eve = server.new_client(), server.new_client()
    ann.post("/api/me", {"name": "Listed Ann"}, 200)
    lobbies = [guest.open_lobby() for guest in (ann, eve)]
    post_seek(ann, bots_after_s=600)
    lobbies[1].wait_for(lambda: listed_seeks(lobbies[1]), "expected the seek")
    (seek,) = listed_seeks(lobbies[1])
    first = seek.pop("id")
    assert seek == {
        "name": "Listed Ann", "games": ["mines"], "seats": [2], "bot_speeds": ["steady"], "time_controls": ["none"],
    }, "expected exactly these fields"  # fmt: skip
    post_seek(ann, seats=[2])
    lobbies[1].wait_for(lambda: listed_seeks(lobbies[1])[0]["id"] != first, "expected a new id for a second seek")
    ann.post("/api/seek/end", {}, 200)
    lobbies[1].wait_for(lambda: not listed_seeks(lobbies[1]), "expected an ended seek to disappear")
    late = server.new_client().open_lobby()
    late.wait_for(lambda: late.events and late.events[0].get("seeks") == [], "expected all seeks in the first event")


def test_people_are_counted_but_not_named(server, monkeypatch):
    monkeypatch.setattr(streams, "SWEEP_INTERVAL_S", 0.05)
    lobbies = [server.new_client().open_lobby() for _ in range(3)]
    lobbies[0].wait_for(lambda: any(news.get("people_count") == 3 for news in lobbies[0].events), "expected 3 people")


def post_seek(guest: Client, **more) -> None:
    guest.post("/api/seek", {**MINES_SEEK, **more}, 200)


def test_two_seekers_get_one_table_and_play_once_both_sit(server):
    ann, ben, eve = server.new_client(), server.new_client(), server.new_client()
    lobbies = [guest.open_lobby() for guest in (ann, ben, eve)]
    post_seek(ann, games=["mines", "fourteen"], seats=[2, 3])
    lobbies[0].wait_for_personal(seek={
        "games": ["mines", "fourteen"], "seats": [2, 3], "bot_speeds": ["steady"], "time_controls": ["none"],
        "bots_after_s": None,
    })  # fmt: skip
    lobbies[2].wait_for(lambda: any(news.get("seek_count") == 1 for news in lobbies[2].events), "expected the seek")
    post_seek(ben)
    (table,) = {lobby.wait_for_match() for lobby in lobbies[:2]}
    look = ann.get_table(table)["table"]
    assert look["reserved_seat"] == 0, "expected the host's seat for the person who waited longest"
    assert not look["private"]
    assert eve.get_table(table)["table"]["reserved_seat"] is None
    assert [one["reserved"] for one in look["seat_holders"]] == [True, True]
    for guest in (ann, ben):
        guest.sit(table)
    assert ann.get_table(table)["table"]["phase"] == "playing"
    lobbies[0].wait_for_personal(seek=None, matched_table=None)
    assert lobbies[2].personal["matched_table"] is None, "expected a match to be private"
    raw = lobbies[2].stream.received
    assert b'"bots_after_s"' not in raw, "expected a listed seek and nothing more"


def test_seekers_with_equal_time_control_meet_and_the_lobby_shows_it(server):
    ann, ben, eve = server.new_client(), server.new_client(), server.new_client()
    lobbies = [guest.open_lobby() for guest in (ann, ben, eve)]
    post_seek(ann, time_controls=["fast", "day"])
    post_seek(eve, time_controls=["none"])
    post_seek(ben, time_controls=["slow", "day"])
    id = lobbies[0].wait_for_match()
    assert lobbies[2].personal["matched_table"] is None, "expected no match of an untimed seek with a timed one"
    day = {"initial_s": 0, "increment_s": 0, "days_per_move": 1}
    assert ann.get_table(id)["table"]["time_control"] == day, "expected the time control that both want"
    made = eve.create_open_table(private=False, time_control=day)
    line = lobbies[2].wait_for(lambda: lobbies[2].tables.get(made), "expected the table in the lobby")
    assert line["time_control"] == day, "expected the table's time control in the lobby"
    post_seek(eve, time_controls=["none"])
    post_seek(ann, time_controls=["fast"], games=["fourteen"], seats=[3], bots_after_s=0)
    table = lobbies[0].wait_for(lambda: (met := lobbies[0].personal["matched_table"]) != id and met, "expected a table")
    offered = {game["name"]: game for game in ann.get("/api/server")["games"]}["fourteen"]["time_controls"]["3"]["fast"]
    assert ann.get_table(table)["table"]["time_control"] == offered, "expected the fast time control of new tables"


def test_seek_deadline_fills_seats_with_bots(server):
    ann = server.new_client()
    lobby = ann.open_lobby()
    post_seek(ann, games=["crystals"], seats=[4], bots_after_s=0)
    id = lobby.wait_for_match()
    ann.sit(id)
    found = ann.get_table(id)["table"]
    assert [place["kind"] for place in found["seat_holders"]] == ["person", "bot", "bot", "bot"]
    assert found["phase"] == "playing"


def test_seek_ends_by_cancelling_sitting_or_leaving_and_survives_a_reload(server, monkeypatch):
    ann, ben = server.new_client(), server.new_client()
    kept = server.app.lobby.seeks
    lobby = ann.open_lobby()
    post_seek(ann)
    post_seek(ann, games=["fourteen"], seats=[2, 3])
    assert len(kept) == 1, "expected one seek a person"
    ann.post("/api/seek/end", {}, 200)
    assert len(kept) == 0
    post_seek(ann)
    ann.create_table(game="mines", seats=2)
    assert len(kept) == 0, "expected the seek to end after sitting down elsewhere"
    post_seek(ann)
    monkeypatch.setattr(seeks, "DISCONNECT_GRACE_S", 0.05)
    again = ann.open_lobby()
    lobby.stream.close()
    everything = server.app.lobby.board.channels[""]
    wait_until(lambda: len(server.app.lobby.lobby_hub.streams[everything]) == 1, "one stream's end")
    assert len(kept) == 1, "expected the seek to last while another page is open"
    again.stream.close()
    wait_until(lambda: len(kept) == 0, "expected the seek to end when its person has left")
    post_seek(ben)
    wait_until(lambda: len(kept) == 0, "expected the seek to end when its person never opened the lobby")


def test_impossible_seek_gets_one_error_message(server):
    ann = server.new_client()
    for wrong, id in (
        ({"games": ["whist"]}, "game-unknown"),
        ({"seats": [9]}, "server-seek-nothing"),
        ({"bot_speeds": ["slow"]}, "server-unreadable"),
        ({"time_controls": ["hourglass"]}, "server-unreadable"),
        ({"time_controls": []}, "server-unreadable"),
        ({"games": []}, "server-unreadable"),
        ({"bots_after_s": -1}, "server-unreadable"),
        ({"seats": [2] * 9}, "server-unreadable"),
    ):
        error = ann.post("/api/seek", {**MINES_SEEK, **wrong})
        assert error["id"] == id, f"{wrong} got {error}"
        assert ann.status in (400, 404)


def test_number_of_all_seeks_is_limited(server, monkeypatch):
    monkeypatch.setattr(seeks, "MAX_SEEKS", 0)
    assert server.new_client().post("/api/seek", MINES_SEEK, 429)["id"] == "server-too-many"
