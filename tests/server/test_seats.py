"""Who learns which cards by sitting where, and who has a hand in the deals (R2, R3)."""

from __future__ import annotations

import json

import pytest
from guests import Guest, play_to_the_end

from diamonds.records import read_record

UNKNOWN = {"error": "There is no such table.", "message": None}


# Nonces


def test_r3_the_commitment_is_told_before_the_maker_sits_and_no_card_is_dealt_until_then(house):
    guest = house.guest()
    made = guest.post("/api/tables", {"game": "fourteen", "seats": 3}, 201)
    message = guest.look(made["id"])
    assert message["table"]["commitment"] == made["commitment"]
    assert (message["view"], message["table"]["phase"]) == (None, "waiting")
    assert message["table"]["kept"] == 0
    places = message["table"]["places"]
    assert [(place["kind"], place["kept"]) for place in places] == [("open", True), ("bot", False), ("bot", False)]
    refused = guest.post(f"/api/tables/{made['id']}/sit", {}, 400)
    assert "nonce" in refused["error"], "a nonce that the house makes up would let it choose the cards"
    guest.post(f"/api/tables/{made['id']}/sit", {"nonce": "c0ffee"}, 200)
    message = guest.look(made["id"])
    assert (message["seat"], message["table"]["kept"], message["table"]["phase"]) == (0, None, "playing")
    assert message["table"]["commitment"] == made["commitment"]


def test_r3_a_bot_adds_nothing_to_the_deal_for_the_house_seats_it_knowing_the_nonces_of_people(house):
    host, other = house.guest(), house.guest()
    id = host.post(
        "/api/tables", {"game": "fourteen", "seats": 4, "places": ["open", "me", "open", "bot:simple"]}, 201
    )["id"]
    host.post(f"/api/tables/{id}/sit", {"nonce": "aa"}, 200)
    invite = host.look(id)["table"]["invite"]
    other.post(f"/api/tables/{id}/sit", {"nonce": "", "invite": invite}, 200)
    host.post(f"/api/tables/{id}/bot", {"seat": 2, "level": "simple"}, 200)
    assert host.look(id)["table"]["phase"] == "playing"
    assert house.app.tables.get(id).places.nonces == ["", "aa", "", ""]


def test_r3_another_nonce_of_a_person_is_another_deal_under_the_same_commitment(house, monkeypatch):
    monkeypatch.setattr("diamonds.deals.new_secret", lambda: b"s" * 32)
    guest = house.guest()
    dealt = {}
    for nonce in ("", "00", "01"):
        made = guest.post("/api/tables", {"game": "fourteen", "seats": 3}, 201)
        guest.sit(made["id"], nonce=nonce)
        dealt[nonce] = (made["commitment"], json.dumps(guest.look(made["id"])["view"]["hand"][0]))
    assert len({commitment for commitment, _ in dealt.values()}) == 1
    assert len({hand for _, hand in dealt.values()}) == 3, "a person's nonce changes nothing about the deal"


def test_a_place_that_is_kept_is_taken_by_nobody_else(house):
    host, other = house.guest(), house.guest()
    id = host.post("/api/tables", {"game": "mines", "seats": 2, "places": ["me", "open"], "private": False}, 201)["id"]
    assert other.look(id)["table"]["kept"] is None
    other.post(f"/api/tables/{id}/sit", {"seat": 0, "nonce": ""}, 409)
    other.sit(id)
    assert other.look(id)["seat"] == 1
    third = house.guest().post(f"/api/tables/{id}/sit", {"nonce": ""}, 409)
    assert third["error"] == "All seats are taken."
    host.sit(id)
    assert host.look(id)["seat"] == 0


def test_who_sits_down_elsewhere_or_stands_up_before_the_deal_keeps_no_place(house):
    host, other = house.guest(), house.guest()
    body = {"game": "fourteen", "seats": 3, "places": ["me", "open", "open"], "private": False}
    id = host.post("/api/tables", body, 201)["id"]
    host.sit(id, seat=2)
    host.post(f"/api/tables/{id}/stand", {}, 200)
    assert not any(place["kept"] for place in host.look(id)["table"]["places"])
    for seat, guest in enumerate((other, house.guest(), house.guest())):
        guest.sit(id, seat=seat)


def test_both_posts_of_a_new_table_are_repeated_without_harm_whatever_happens_between_them(open_house, tmp_path):
    house = open_house(tmp_path)
    guest = house.guest()
    make = {"game": "mines", "seats": 2, "key": "the-key-of-make"}
    sit = {"nonce": "abcd", "key": "the-key-of-sit"}
    made = guest.post("/api/tables", make, 201)
    house.restart(guest)
    assert guest.post("/api/tables", make, 201) == made
    assert guest.look(made["id"])["table"]["kept"] == 0, "the place that was kept is gone after a restart"
    done = guest.post(f"/api/tables/{made['id']}/sit", sit, 200)
    assert guest.post(f"/api/tables/{made['id']}/sit", sit, 200) == done
    hand = guest.look(made["id"])["view"]["hand"][0]
    house.restart(guest)
    assert guest.post(f"/api/tables/{made['id']}/sit", sit, 200) == done
    assert guest.look(made["id"])["view"]["hand"][0] == hand


# Games that are played on


@pytest.fixture
def played_on(house):
    """A finished game between a guest and bots, and that guest's game played on from its beginning."""
    guest = house.guest()
    origin = guest.make(game="mines", seats=2)
    play_to_the_end(house, origin, guest)
    made = guest.post(f"/api/tables/{origin}/fork", {"n": 2, "seat": 1, "level": "random"}, 201)
    return house, guest, origin, made


def test_r3_a_game_that_is_played_on_says_so_at_the_table_in_its_record_and_when_it_is_verified(played_on):
    house, guest, origin, made = played_on
    commitment = guest.look(origin)["table"]["commitment"]
    mark = {"commitment": commitment, "n": 2}
    assert guest.look(made["id"])["table"]["fork"] == mark
    play_to_the_end(house, made["id"], guest)
    text = guest.send("GET", f"/api/tables/{made['id']}/record")[1]
    assert json.loads(text)["fork"] == mark
    assert "Its cards were known beforehand" in guest.get(f"/api/tables/{made['id']}/verify")["says"]
    assert "known beforehand" not in guest.get(f"/api/tables/{origin}/verify")["says"]
    assert "fork" not in guest.get(f"/api/tables/{origin}/record")
    assert read_record(text).fork == (commitment, 2)

    again = guest.post(f"/api/tables/{made['id']}/fork", {"n": 3, "seat": 0, "level": "random"}, 201)
    assert guest.look(again["id"])["table"]["fork"] == mark, "a game played on twice comes from the first one"
    back = guest.post(f"/api/tables/{made['id']}/fork", {"n": 1, "seat": 0, "level": "random"}, 201)
    assert guest.look(back["id"])["table"]["fork"] == {**mark, "n": 1}, "it shares one answer with the first one"


def test_r2_a_game_that_is_played_on_is_there_for_its_maker_alone(played_on):
    house, guest, _, made = played_on
    id = made["id"]
    assert made["invite"] == ""
    assert guest.look(id)["table"]["invite"] is None
    other, stranger = house.guest(), Guest(house.port)
    assert all(line["id"] != id for line in other.get("/api/tables")["tables"])
    for path in ("", "/stream", "/hint", "/review", "/record", "/verify", "/replay"):
        for who in (other, stranger):
            assert who.get(f"/api/tables/{id}{path}", 404) == UNKNOWN
    for path, body in [
        ("sit", {"invite": "", "nonce": ""}),
        ("sit", {"seat": 0, "nonce": ""}),
        ("stand", {}),
        ("bot", {"seat": 0, "level": None}),
        ("chat", {"text": "hello", "key": "chat-key-1"}),
        ("undo", {"n": 0, "to": 0, "key": "undo-key-1"}),
        ("fork", {"n": 0, "seat": 0, "level": "random"}),
        ("answers", {"n": 2, "answers": ["turn go"], "key": "answer-key-1"}),
    ]:
        assert other.post(f"/api/tables/{id}/{path}", body, 404) == UNKNOWN
    play_to_the_end(house, id, guest)
    for path in ("", "/record", "/replay"):
        assert other.get(f"/api/tables/{id}{path}", 404) == UNKNOWN


def test_r3_a_record_whose_mark_does_not_fit_its_deals_is_refused(played_on):
    house, guest, _, made = played_on
    play_to_the_end(house, made["id"], guest)
    record = guest.get(f"/api/tables/{made['id']}/record")
    for wrong in (
        {"commitment": "0" * 64, "n": 2},
        {"commitment": record["commitment"], "n": len(record["answers"]) + 1},
    ):
        with pytest.raises(Exception, match="fork"):
            read_record(json.dumps({**record, "fork": wrong}))
