"""Who learns which cards by sitting where, and who has a hand in the deals (R2, R3)."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from guests import Guest, Tap, in_words, play_to_the_end, sentences, until

from diamonds.records import read_record
from diamonds.server.wire import live
from diamonds.server.wire.app import Setup
from diamonds.server.wire.limits import OFF

UNKNOWN = {"error": "There is no such table.", "id": "table-unknown", "values": {}, "message": None}


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


def test_who_sits_down_while_a_stream_is_on_its_way_to_them_is_told_of_their_hand(house):
    guest = house.guest()
    id = guest.post("/api/tables", {"game": "fourteen", "seats": 3}, 201)["id"]
    told: list[dict[str, Any]] = []
    scope = {
        "type": "http",
        "method": "GET",
        "path": f"/api/tables/{id}/stream",
        "query_string": b"",
        "headers": [(b"host", b"localhost"), (b"authorization", guest.headers["Authorization"].encode())],
        "client": ("127.0.0.1", 1),
    }

    async def take_slowly(event: dict[str, Any]) -> None:
        if event["type"] == "http.response.start":
            await asyncio.to_thread(guest.sit, id)
        elif b"data: " in event["body"]:
            told.append(json.loads(event["body"].partition(b"data: ")[2].splitlines()[0]))

    async def stay_for_a_message() -> dict[str, str]:
        while not told:
            await asyncio.sleep(0)
        return {"type": "http.disconnect"}

    house.run(house.app(scope, stay_for_a_message, take_slowly))
    assert [message["seat"] for message in told] == [0], "Who plays is told what a spectator is told."


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


@pytest.mark.later
def test_r3_a_game_that_is_played_on_says_so_at_the_table_in_its_record_and_when_it_is_verified(played_on):
    house, guest, origin, made = played_on
    commitment = guest.look(origin)["table"]["commitment"]
    mark = {"commitment": commitment, "n": 2}
    assert guest.look(made["id"])["table"]["fork"] == mark
    play_to_the_end(house, made["id"], guest)
    text = guest.send("GET", f"/api/tables/{made['id']}/record")[1]
    assert json.loads(text)["fork"] == mark
    assert "Its cards were known beforehand" in sentences(guest.get(f"/api/tables/{made['id']}/verify"))
    assert "known beforehand" not in sentences(guest.get(f"/api/tables/{origin}/verify"))
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
    for path in ("", "/stream", "/pad", "/hint", "/review", "/record", "/verify", "/replay"):
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
    for path in ("", "/pad", "/record", "/replay"):
        assert other.get(f"/api/tables/{id}{path}", 404) == UNKNOWN


@pytest.mark.later
def test_r3_a_record_whose_mark_does_not_fit_its_deals_is_refused(played_on):
    house, guest, _, made = played_on
    play_to_the_end(house, made["id"], guest)
    record = guest.get(f"/api/tables/{made['id']}/record")
    for wrong in (
        {"commitment": "0" * 64, "n": 2},
        {"commitment": record["commitment"], "n": len(record["entries"]) + 1},
    ):
        with pytest.raises(Exception, match="fork"):
            read_record(json.dumps({**record, "fork": wrong}))


# Seats in a game that is being played


ALONE = "Once cards are dealt seats change hands only if someone else who plays is here and agrees."


def told(guest: Guest, id: str) -> list[str]:
    """What everyone was told of changes of seats, in words."""
    message = guest.get(f"/api/tables/{id}?after=0")
    return [in_words(message, told) for told in message["told"] if told["event"]["event"] == "seat"]


def asks(wish: dict[str, Any]) -> tuple[str, str, int, str | None]:
    """What someone asks for: what, who, of which seat, and a bot of which level."""
    return wish["kind"], wish["name"], wish["seat"], wish["level"]


def kinds(guest: Guest, id: str) -> list[str]:
    return [place["level"] or place["kind"] for place in guest.look(id)["table"]["places"]]


@pytest.fixture
def game(open_house, tmp_path):
    """A game of fourteen: Ann made it, Vic plays in good faith, two bots; Ann's friend Eve has the invitation."""
    house = open_house(tmp_path, settings=Setup((30, 30), OFF))  # the bots think for so long that they do not matter
    people = ann, vic, eve = [house.guest() for _ in range(3)]
    for guest, name in zip(people, ("Ann", "Vic", "Eve"), strict=True):
        guest.post("/api/me", {"name": name}, 200)
    id = ann.make(game="fourteen", seats=4, places=["me", "open", "bot:random", "bot:simple"], takeover=3600)
    vic.sit(id, invite=ann.invite)
    eve.invite = ann.invite
    return house, id, ann, vic, eve


def come(id: str, *guests: Guest) -> list[Tap]:
    """They open the table, and their streams."""
    taps = [guest.listen(id) for guest in guests]
    until(lambda: all(tap.events for tap in taps), "the streams do not open")
    return taps


def test_r2_nobody_reads_a_bots_hand_by_sending_it_away_and_sitting_in_its_seat(game):
    _, id, ann, vic, eve = game
    come(id, ann, vic)

    ann.post(f"/api/tables/{id}/bot", {"seat": 2, "level": None}, 200)
    assert kinds(vic, id) == ["person", "person", "random", "simple"], "a bot was sent away and nobody was asked"
    assert asks(vic.look(id)["table"]["wish"]) == ("bot", "Ann", 2, None)
    vic.consent(id, False)
    eve.sit(id, seat=2, invite=ann.invite)
    assert eve.look(id)["seat"] is None, "a second identity sits in a bot's seat and nobody was asked"
    wish = vic.look(id)["table"]["wish"]
    assert asks(wish) == ("sit", "Eve", 2, None)
    assert wish["waiting"] == [0, 1]
    ann.consent(id)
    assert vic.look(id)["table"]["wish"]["waiting"] == [1]
    eve.consent(id, expect=409)
    assert eve.look(id)["view"]["hand"][2] is None, "Eve reads the bot's hand though Vic has not agreed"
    vic.consent(id, False)
    assert eve.look(id)["seat"] is None
    assert vic.look(id)["table"]["wish"] is None

    ann.post(f"/api/tables/{id}/stand", {}, 200)
    refused = ann.post(f"/api/tables/{id}/sit", {"seat": 2}, 409)
    assert "You have seen the hand of seat 1" in refused["error"]
    ann.post(f"/api/tables/{id}/bot", {"seat": 2, "level": None}, 403)
    ann.post(f"/api/tables/{id}/bot", {"seat": 0, "level": "random"}, 403)
    ann.sit(id)
    assert ann.look(id)["seat"] == 0
    assert told(vic, id) == ["Ann stands up; a bot plays on.", "Ann sits down."]
    assert vic.look(id)["n"] == 2, "only what happened is in the log"
    eve.post(f"/api/tables/{id}/bot", {"seat": 2, "level": None}, 403)


def test_who_asks_for_a_seat_is_called_like_nobody_who_has_one(game):
    _, id, ann, vic, eve = game
    come(id, ann, vic)
    for guest in (ann, vic, eve):
        guest.post("/api/me", {"name": "Zoe"}, 200)
    eve.sit(id, seat=2, invite=ann.invite)
    assert asks(ann.look(id)["table"]["wish"]) == ("sit", "Zoe (3)", 2, None)


def test_r2_while_nobody_else_who_plays_is_here_no_seat_changes_hands(game):
    _, id, ann, vic, eve = game
    come(id, ann, eve)
    assert ann.post(f"/api/tables/{id}/bot", {"seat": 2, "level": None}, 409)["error"] == ALONE
    assert ann.post(f"/api/tables/{id}/bot", {"seat": 2, "level": "random"}, 409)["error"] == ALONE
    vic.post(f"/api/tables/{id}/stand", {}, 200)
    assert ann.post(f"/api/tables/{id}/bot", {"seat": 1, "level": "random"}, 409)["error"] == ALONE
    ann.post(f"/api/tables/{id}/stand", {}, 200)
    for seat in range(4):
        assert eve.post(f"/api/tables/{id}/sit", {"seat": seat, "invite": ann.invite}, 409)["error"] == ALONE
    assert kinds(eve, id) == ["open", "open", "random", "simple"]


def test_a_seat_goes_to_who_asks_once_everyone_else_here_has_agreed_and_a_restart_forgets_nothing(game):
    house, id, ann, vic, eve = game
    come(id, ann, vic)
    stranger = house.guest()
    stranger.post(f"/api/tables/{id}/sit", {"seat": 2}, 403)
    eve.sit(id, invite=ann.invite, key="eve-asks-1")
    wish = eve.look(id)["table"]["wish"]
    assert (wish["kind"], wish["name"], wish["seat"], wish["mine"]) == ("sit", "Eve", 2, True)
    assert not ann.look(id)["table"]["wish"]["mine"]
    assert "already" in ann.post(f"/api/tables/{id}/bot", {"seat": 3, "level": "random"}, 409)["error"]
    vic.consent(id)
    before = [guest.look(id)["table"] for guest in (ann, vic, eve)]
    house.restart(ann, vic, eve)
    come(id, ann, vic)
    until(lambda: all(place["here"] for place in eve.look(id)["table"]["places"]), "Ann and Vic do not come back")
    after = [guest.look(id)["table"] for guest in (ann, vic, eve)]
    for table in (*before, *after):
        del table["places"]
    assert after == before, "a restart forgot who asked, or who agreed"

    asked = ann.look(id)["table"]["wish"]["id"]
    yes = {"wish": asked, "agree": True, "key": "ann-says-yes"}
    done = ann.post(f"/api/tables/{id}/wish", yes, 200)
    assert ann.post(f"/api/tables/{id}/wish", yes, 200) == done, "a consent that was sent twice counts twice"
    message = eve.look(id)
    assert (message["seat"], message["n"], message["table"]["wish"]) == (2, 1, None)
    assert message["view"]["hand"][2] is not None
    assert [line["id"] for line in eve.get("/api/tables")["mine"]] == [id]
    said = ["A bot of level random stands up; Eve sits down."]
    assert told(vic, id) == said
    house.restart(ann, vic, eve)
    assert eve.look(id)["seat"] == 2
    assert told(vic, id) == said, "after a restart somebody else sat down"
    assert ann.post(f"/api/tables/{id}/wish", yes, 200) == done

    eve.post(f"/api/tables/{id}/stand", {}, 200)
    house.restart(ann, vic, eve)
    refused = eve.post(f"/api/tables/{id}/sit", {"seat": 3, "invite": ann.invite}, 409)
    assert "You have seen the hand of seat 3" in refused["error"], "after a restart nobody knows who has seen what"
    assert eve.look(id)["table"]["kept"] == 2
    eve.sit(id)
    assert eve.look(id)["seat"] == 2


def test_a_bot_changes_with_the_others_consent_and_who_asks_may_withdraw(game):
    _, id, ann, vic, _ = game
    come(id, ann, vic)
    vic.post(f"/api/tables/{id}/bot", {"seat": 3, "level": "random"}, 200)
    assert asks(ann.look(id)["table"]["wish"]) == ("bot", "Vic", 3, "random")
    vic.consent(id, expect=409)
    vic.consent(id, False)
    assert ann.look(id)["table"]["wish"] is None
    vic.post(f"/api/tables/{id}/bot", {"seat": 3, "level": None}, 200)
    ann.consent(id)
    assert kinds(vic, id) == ["person", "person", "random", "open"]
    vic.post(f"/api/tables/{id}/bot", {"seat": 3, "level": "random"}, 200)
    message = ann.look(id)
    ann.consent(id)
    assert kinds(vic, id) == ["person", "person", "random", "random"]
    assert told(ann, id) == ["A bot of level simple stands up; a bot plays on.", "A bot of level random sits down."]
    old = {"wish": message["table"]["wish"]["id"], "agree": True, "key": "too-late-now"}
    assert ann.post(f"/api/tables/{id}/wish", old, 409)["error"] == "Nobody asks for that any more."
    vic.post(f"/api/tables/{id}/bot", {"seat": 2, "level": None}, 200)
    late = {**old, "key": "too-late-again"}
    assert ann.post(f"/api/tables/{id}/wish", late, 409)["error"] == "Nobody asks for that any more."
    assert kinds(vic, id)[2] == "random", "a consent to one wish was taken for another's"


def test_who_was_not_asked_neither_agrees_nor_refuses(game):
    _, id, ann, vic, eve = game
    come(id, ann, eve)
    vic.post(f"/api/tables/{id}/stand", {}, 200)
    eve.sit(id, seat=2, invite=ann.invite)
    vic.sit(id)
    assert ann.look(id)["table"]["wish"]["waiting"] == [0]
    for agree in (True, False):
        assert vic.consent(id, agree, expect=409)["id"] == "table-not-asked"
    assert asks(ann.look(id)["table"]["wish"]) == ("sit", "Eve", 2, None)
    ann.consent(id)
    assert eve.look(id)["seat"] == 2


def test_a_wish_for_a_seat_outlives_answers_and_ends_when_its_seat_is_taken_or_who_asks_for_a_bot_gets_up(game):
    house, id, ann, vic, eve = game
    come(id, ann, vic)
    table = house.app.tables.get(id)
    vic.post(f"/api/tables/{id}/stand", {}, 200)
    eve.sit(id, seat=1, invite=ann.invite)
    assert asks(eve.look(id)["table"]["wish"]) == ("sit", "Eve", 1, None)
    state = table.game.to_act(table.play.state)
    house.wait_for(house.app.tables.play(table, state[0], table.n, [legal(table)]))
    assert ann.look(id)["table"]["wish"]["name"] == "Eve", "an answer ended a wish for a seat"
    vic.sit(id)
    assert ann.look(id)["table"]["wish"] is None, "Eve still asks for a seat to which Vic has returned"
    ann.post(f"/api/tables/{id}/bot", {"seat": 2, "level": "simple"}, 200)
    ann.post(f"/api/tables/{id}/stand", {}, 200)
    assert vic.look(id)["table"]["wish"] is None, "who asked for another bot does not play any more"


def legal(table) -> str:
    """A legal answer of whoever is asked first."""
    state = table.play.state
    return f"{table.game.question(state).name} {table.game.legal(state, table.game.to_act(state)[0])[0]}"


def test_who_leaves_while_the_others_are_asked_counts_no_more(game, monkeypatch):
    monkeypatch.setattr(live, "PRESENCE", 0.0)
    house, id, ann, vic, eve = game
    third = house.guest()
    taps = come(id, ann, vic)
    third.sit(id, seat=3, invite=ann.invite)
    ann.consent(id)
    vic.consent(id)
    taps += come(id, third)
    eve.sit(id, seat=2, invite=ann.invite)
    ann.consent(id)
    third.post(f"/api/tables/{id}/stand", {}, 200)
    assert vic.look(id)["table"]["wish"]["waiting"] == [1]
    assert eve.look(id)["seat"] is None, "Vic is here and was not waited for"
    table = house.app.tables.get(id)
    taps[1].close()
    until(lambda: not any(stream.seat == 1 for stream in table.here.streams), "nobody notices that Vic has gone")
    assert ann.look(id)["table"]["wish"]["waiting"] == [1], "a moment without a connection is no consent"

    def later() -> None:
        table.here.seen[1] -= 3601
        house.app.tables.bots.look(table)

    house.call(later)
    until(lambda: eve.look(id)["seat"] == 2, "who has left is still waited for")


def test_who_watches_a_public_game_asks_for_an_open_seat_first_and_then_for_a_bots(house):
    ann, vic, eve = (house.guest() for _ in range(3))
    id = ann.make(game="mines", seats=2, places=["me", "open"], private=False)
    vic.sit(id)
    come(id, ann, vic)
    assert eve.post(f"/api/tables/{id}/sit", {}, 409)["error"] == "All seats are taken."
    assert eve.post(f"/api/tables/{id}/sit", {"seat": 0}, 409)["error"] == "That seat is taken."
    eve.post(f"/api/tables/{id}/sit", {"seat": 2}, 400)
    vic.post(f"/api/tables/{id}/stand", {}, 200)
    assert eve.post(f"/api/tables/{id}/sit", {}, 409)["error"] == "All seats are taken.", "Vic's seat is kept for Vic"
    eve.post(f"/api/tables/{id}/sit", {"seat": 1}, 200)
    ann.consent(id)
    assert eve.look(id)["seat"] == 1
    assert "given to someone else" in vic.post(f"/api/tables/{id}/sit", {}, 409)["error"]
    assert vic.look(id)["table"]["kept"] is None
