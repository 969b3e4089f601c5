"""Seats: the cards a person learns by taking one, and who contributes to the deals (R2, R3)."""

import asyncio
import json
from typing import Any

import pytest

from diamonds.record_reader import load_record
from diamonds.server.http import asgi_routes
from diamonds.server.tables.core import seat_rules
from tests.server.support.client import Client, StreamReader, event_text, message_text, wait_until
from tests.server.support.live_server import finish_game
from tests.server.test_table_actions import age_absence

UNKNOWN_TABLE = {"error": "There is no such table.", "id": "table-unknown", "args": {}, "update": None}


# Nonces


def test_r3_commitment_is_sent_before_the_host_sits_and_cards_are_dealt(guest):
    made = guest.post("/api/tables", {"game": "fourteen", "seats": 3}, 201)
    message = guest.get_table(made["id"])
    assert message["table"]["commitment"] == made["commitment"]
    assert (message["view"], message["table"]["phase"]) == (None, "waiting")
    assert message["table"]["reserved_seat"] == 0
    places = message["table"]["seat_holders"]
    assert [(place["kind"], place["reserved"]) for place in places] == [("open", True), ("bot", False), ("bot", False)]
    error = guest.post(f"/api/tables/{made['id']}/sit", {}, 400)
    assert "nonce" in error["error"], "expected no nonce of the server, which could choose the cards by it"
    guest.post(f"/api/tables/{made['id']}/sit", {"nonce": "c0ffee"}, 200)
    message = guest.get_table(made["id"])
    assert (message["seat"], message["table"]["reserved_seat"], message["table"]["phase"]) == (0, None, "playing")
    assert message["table"]["commitment"] == made["commitment"]


def test_sitting_down_during_stream_start_still_sends_the_hand(server, guest):
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

    server.run(server.app(scope, stay_for_a_message, take_slowly))
    assert [message["seat"] for message in told] == [0], "expected a seated player's view"


def test_r3_each_person_and_no_bot_adds_a_nonce_to_the_deal(server):
    host, other = server.new_client(), server.new_client()
    id = host.post(
        "/api/tables", {"game": "fourteen", "seats": 4, "seats_taken_by": ["open", "me", "open", "bot:simple"]}, 201
    )["id"]
    host.post(f"/api/tables/{id}/sit", {"nonce": "aa"}, 200)
    invite = host.get_table(id)["table"]["invite"]
    other.post(f"/api/tables/{id}/sit", {"nonce": "xyz", "invite": invite}, 400)
    other.post(f"/api/tables/{id}/sit", {"nonce": "bb", "invite": invite}, 200)
    host.post(f"/api/tables/{id}/bot", {"seat": 2, "level": "simple"}, 200)
    assert host.get_table(id)["table"]["phase"] == "playing"
    assert server.app.tables.get(id).seating.nonces == ["bb", "aa", "", ""]


def test_reserved_seat_is_taken_by_nobody_else(server):
    host, other = server.new_client(), server.new_client()
    id = host.post(
        "/api/tables", {"game": "mines", "seats": 2, "seats_taken_by": ["me", "open"], "private": False}, 201
    )["id"]
    assert other.get_table(id)["table"]["reserved_seat"] is None
    other.post(f"/api/tables/{id}/sit", {"seat": 0, "nonce": ""}, 409)
    other.sit(id)
    assert other.get_table(id)["seat"] == 1
    third = server.new_client().post(f"/api/tables/{id}/sit", {"nonce": ""}, 409)
    assert third["error"] == "All seats are taken."
    host.sit(id)
    assert host.get_table(id)["seat"] == 0


def test_sitting_elsewhere_or_standing_up_before_the_deal_frees_the_seat(server):
    host, other = server.new_client(), server.new_client()
    body = {"game": "fourteen", "seats": 3, "seats_taken_by": ["me", "open", "open"], "private": False}
    id = host.post("/api/tables", body, 201)["id"]
    host.sit(id, seat=2)
    host.post(f"/api/tables/{id}/stand", {}, 200)
    assert not any(place["reserved"] for place in host.get_table(id)["table"]["seat_holders"])
    for seat, guest in enumerate((other, server.new_client(), server.new_client())):
        guest.sit(id, seat=seat)


def test_repeated_create_and_sit_requests_are_harmless(disk_server):
    guest = disk_server.new_client()
    make = {"game": "mines", "seats": 2, "idempotency_key": "the-key-of-make"}
    sit = {"nonce": "abcd", "idempotency_key": "the-key-of-sit"}
    made = guest.post("/api/tables", make, 201)
    disk_server.restart(guest)
    assert guest.post("/api/tables", make, 201) == made
    assert guest.get_table(made["id"])["table"]["reserved_seat"] == 0, "expected the reserved seat after a restart"
    done = guest.post(f"/api/tables/{made['id']}/sit", sit, 200)
    assert guest.post(f"/api/tables/{made['id']}/sit", sit, 200) == done
    hand = guest.get_table(made["id"])["view"]["hand"][0]
    disk_server.restart(guest)
    assert guest.post(f"/api/tables/{made['id']}/sit", sit, 200) == done
    assert guest.get_table(made["id"])["view"]["hand"][0] == hand


# Forks


@pytest.fixture
def forked_table(server):
    """A finished game of a guest with bots, and a fork from its beginning by that guest."""
    guest = server.new_client()
    origin = guest.create_table(game="mines", seats=2)
    finish_game(server, origin, guest)
    made = guest.post(f"/api/tables/{origin}/fork", {"n": 2, "seat": 1, "level": "random"}, 201)
    return server, guest, origin, made


@pytest.mark.later
def test_r3_fork_is_marked_at_the_table_in_its_record_and_when_verified(forked_table):
    server, guest, origin, made = forked_table
    commitment = guest.get_table(origin)["table"]["commitment"]
    mark = {"commitment": commitment, "n": 2}
    assert guest.get_table(made["id"])["table"]["fork"] == mark
    finish_game(server, made["id"], guest)
    text = guest.send("GET", f"/api/tables/{made['id']}/record")[1]
    assert json.loads(text)["fork"] == mark
    assert "The cards were known" in message_text(guest.get(f"/api/tables/{made['id']}/verify"))
    assert "cards were known" not in message_text(guest.get(f"/api/tables/{origin}/verify"))
    assert "fork" not in guest.get(f"/api/tables/{origin}/record")
    assert load_record(text).fork == (commitment, 2)

    again = guest.post(f"/api/tables/{made['id']}/fork", {"n": 3, "seat": 0, "level": "random"}, 201)
    assert guest.get_table(again["id"])["table"]["fork"] == mark, "expected the origin to be the first game"
    back = guest.post(f"/api/tables/{made['id']}/fork", {"n": 1, "seat": 0, "level": "random"}, 201)
    assert guest.get_table(back["id"])["table"]["fork"] == {**mark, "n": 1}, "expected one shared answer"


def test_r2_fork_is_visible_to_its_host_alone(forked_table):
    server, guest, _, made = forked_table
    id = made["id"]
    assert made["invite"] == ""
    assert guest.get_table(id)["table"]["invite"] is None
    other, stranger = server.new_client(), Client(server.port)
    assert all(line["id"] != id for line in other.get("/api/tables")["tables"])
    for path in ("", "/stream", "/score-pad", "/hint", "/review", "/record", "/verify", "/replay"):
        for who in (other, stranger):
            assert who.get(f"/api/tables/{id}{path}", 404) == UNKNOWN_TABLE
    for path, body in [
        ("sit", {"invite": "", "nonce": ""}),
        ("sit", {"seat": 0, "nonce": ""}),
        ("stand", {}),
        ("bot", {"seat": 0, "level": None}),
        ("chat", {"text": "hello", "idempotency_key": "chat-key-1"}),
        ("undo", {"n": 0, "to": 0, "idempotency_key": "undo-key-1"}),
        ("fork", {"n": 0, "seat": 0, "level": "random"}),
        ("answers", {"n": 2, "answers": ["turn go"], "idempotency_key": "answer-key-1"}),
    ]:
        assert other.post(f"/api/tables/{id}/{path}", body, 404) == UNKNOWN_TABLE
    finish_game(server, id, guest)
    for path in ("", "/score-pad", "/record", "/replay"):
        assert other.get(f"/api/tables/{id}{path}", 404) == UNKNOWN_TABLE


@pytest.mark.later
def test_r3_record_whose_fork_mark_contradicts_its_deals_is_rejected(forked_table):
    server, guest, _, made = forked_table
    finish_game(server, made["id"], guest)
    record = guest.get(f"/api/tables/{made['id']}/record")
    for wrong in (
        {"commitment": "0" * 64, "n": 2},
        {"commitment": record["commitment"], "n": len(record["entries"]) + 1},
    ):
        with pytest.raises(Exception, match="fork"):
            load_record(json.dumps({**record, "fork": wrong}))


# Seats during a game


ALONE_MESSAGE = "Once the cards are dealt, a seat changes hands only if another player is here and agrees."


def seat_event_texts(guest: Client, id: str) -> list[str]:
    message = guest.get(f"/api/tables/{id}?after=0")
    return [event_text(message, told) for told in message["events"] if told["event"]["event"] == "seat"]


def proposal_facts(proposal: dict[str, Any]) -> tuple[str, str, int, str | None]:
    """Return kind, proposer, seat and level of a proposal."""
    return proposal["kind"], proposal["name"], proposal["seat"], proposal["level"]


def seat_kinds(guest: Client, id: str) -> list[str]:
    return [place["level"] or place["kind"] for place in guest.get_table(id)["table"]["seat_holders"]]


@pytest.fixture
def game_in_progress(open_server, tmp_path):
    """A game of fourteen with Ann as host, Vic and two bots. Ann's friend Eve has the invite."""
    # Bots that think too long to answer during the test.
    server = open_server(tmp_path, bot_delay=(30, 30))
    people = ann, vic, eve = [server.new_client() for _ in range(3)]
    for guest, name in zip(people, ("Ann", "Vic", "Eve"), strict=True):
        guest.post("/api/me", {"name": name}, 200)
    id = ann.create_table(
        game="fourteen", seats=4, seats_taken_by=["me", "open", "bot:random", "bot:simple"], substitute_after_s=3600
    )
    vic.sit(id, invite=ann.invite)
    eve.invite = ann.invite
    return server, id, ann, vic, eve


def open_table(id: str, *guests: Client) -> list[StreamReader]:
    """Open the streams of these people at the table; return them once each has sent an event."""
    streams = [guest.open_stream(id) for guest in guests]
    wait_until(lambda: all(stream_reader.events for stream_reader in streams), "expected the streams to open")
    return streams


def test_r2_replacing_a_bot_reveals_its_hand_to_nobody(game_in_progress):
    _, id, ann, vic, eve = game_in_progress
    open_table(id, ann, vic)

    ann.post(f"/api/tables/{id}/bot", {"seat": 2, "level": None}, 200)
    assert seat_kinds(vic, id) == ["person", "person", "random", "simple"], "expected a vote before a bot is removed"
    assert proposal_facts(vic.get_table(id)["table"]["proposal"]) == ("bot", "Ann", 2, None)
    vic.vote(id, False)
    eve.sit(id, seat=2, invite=ann.invite)
    assert eve.get_table(id)["seat"] is None, "expected a vote before a second identity takes a bot's seat"
    proposal = vic.get_table(id)["table"]["proposal"]
    assert proposal_facts(proposal) == ("sit", "Eve", 2, None)
    assert proposal["waiting_for"] == [0, 1]
    ann.vote(id)
    assert vic.get_table(id)["table"]["proposal"]["waiting_for"] == [1]
    eve.vote(id, expect=409)
    assert eve.get_table(id)["view"]["hand"][2] is None, "expected the bot's hand to be hidden until Vic has agreed"
    vic.vote(id, False)
    assert eve.get_table(id)["seat"] is None
    assert vic.get_table(id)["table"]["proposal"] is None

    ann.post(f"/api/tables/{id}/stand", {}, 200)
    error = ann.post(f"/api/tables/{id}/sit", {"seat": 2}, 409)
    assert "You have seen the hand of seat 1" in error["error"]
    ann.post(f"/api/tables/{id}/bot", {"seat": 2, "level": None}, 403)
    ann.post(f"/api/tables/{id}/bot", {"seat": 0, "level": "random"}, 403)
    ann.sit(id)
    assert ann.get_table(id)["seat"] == 0
    assert seat_event_texts(vic, id) == ["Ann stands up. A bot takes the seat.", "Ann sits down."]
    assert vic.get_table(id)["n"] == 2, "expected exactly the seat changes in the log"
    eve.post(f"/api/tables/{id}/bot", {"seat": 2, "level": None}, 403)


def test_person_asking_for_a_seat_has_a_distinct_name(game_in_progress):
    _, id, ann, vic, eve = game_in_progress
    open_table(id, ann, vic)
    for guest in (ann, vic, eve):
        guest.post("/api/me", {"name": "Zoe"}, 200)
    eve.sit(id, seat=2, invite=ann.invite)
    assert proposal_facts(ann.get_table(id)["table"]["proposal"]) == ("sit", "Zoe (3)", 2, None)


def test_r2_no_seat_changes_hands_without_another_player_present(game_in_progress):
    _, id, ann, vic, eve = game_in_progress
    open_table(id, ann, eve)
    assert ann.post(f"/api/tables/{id}/bot", {"seat": 2, "level": None}, 409)["error"] == ALONE_MESSAGE
    assert ann.post(f"/api/tables/{id}/bot", {"seat": 2, "level": "random"}, 409)["error"] == ALONE_MESSAGE
    vic.post(f"/api/tables/{id}/stand", {}, 200)
    assert ann.post(f"/api/tables/{id}/bot", {"seat": 1, "level": "random"}, 409)["error"] == ALONE_MESSAGE
    ann.post(f"/api/tables/{id}/stand", {}, 200)
    for seat in range(4):
        assert eve.post(f"/api/tables/{id}/sit", {"seat": seat, "invite": ann.invite}, 409)["error"] == ALONE_MESSAGE
    assert seat_kinds(eve, id) == ["open", "open", "random", "simple"]


def test_seat_proposal_passes_when_all_present_agree_after_a_restart_too(game_in_progress):
    server, id, ann, vic, eve = game_in_progress
    open_table(id, ann, vic)
    stranger = server.new_client()
    stranger.post(f"/api/tables/{id}/sit", {"seat": 2}, 403)
    eve.sit(id, invite=ann.invite, idempotency_key="eve-asks-1")
    proposal = eve.get_table(id)["table"]["proposal"]
    assert (proposal["kind"], proposal["name"], proposal["seat"], proposal["is_yours"]) == ("sit", "Eve", 2, True)
    assert not ann.get_table(id)["table"]["proposal"]["is_yours"]
    assert "already" in ann.post(f"/api/tables/{id}/bot", {"seat": 3, "level": "random"}, 409)["error"]
    vic.vote(id)
    before = [guest.get_table(id)["table"] for guest in (ann, vic, eve)]
    server.restart(ann, vic, eve)
    open_table(id, ann, vic)
    wait_until(
        lambda: all(place["connected"] for place in eve.get_table(id)["table"]["seat_holders"]),
        "expected Ann and Vic to return",
    )
    after = [guest.get_table(id)["table"] for guest in (ann, vic, eve)]
    for table in (*before, *after):
        del table["seat_holders"]
    assert after == before, "expected the proposal and its votes after a restart"

    asked = ann.get_table(id)["table"]["proposal"]["id"]
    yes = {"proposal": asked, "accept": True, "idempotency_key": "ann-says-yes"}
    done = ann.post(f"/api/tables/{id}/proposal", yes, 200)
    assert ann.post(f"/api/tables/{id}/proposal", yes, 200) == done, "expected a repeated vote to count once"
    message = eve.get_table(id)
    assert (message["seat"], message["n"], message["table"]["proposal"]) == (2, 1, None)
    assert message["view"]["hand"][2] is not None
    assert [line["id"] for line in eve.get("/api/tables")["your_tables"]] == [id]
    said = ["A bot of level random stands up; Eve sits down."]
    assert seat_event_texts(vic, id) == said
    server.restart(ann, vic, eve)
    assert eve.get_table(id)["seat"] == 2
    assert seat_event_texts(vic, id) == said, "expected Eve in the seat after the restart"
    assert ann.post(f"/api/tables/{id}/proposal", yes, 200) == done

    eve.post(f"/api/tables/{id}/stand", {}, 200)
    server.restart(ann, vic, eve)
    error = eve.post(f"/api/tables/{id}/sit", {"seat": 3, "invite": ann.invite}, 409)
    assert "You have seen the hand of seat 3" in error["error"], "expected the marks of seen hands after a restart"
    assert eve.get_table(id)["table"]["reserved_seat"] == 2
    eve.sit(id)
    assert eve.get_table(id)["seat"] == 2


def test_bot_change_needs_consent_and_can_be_withdrawn(game_in_progress):
    _, id, ann, vic, _ = game_in_progress
    open_table(id, ann, vic)
    vic.post(f"/api/tables/{id}/bot", {"seat": 3, "level": "random"}, 200)
    assert proposal_facts(ann.get_table(id)["table"]["proposal"]) == ("bot", "Vic", 3, "random")
    vic.vote(id, expect=409)
    vic.vote(id, False)
    assert ann.get_table(id)["table"]["proposal"] is None
    vic.post(f"/api/tables/{id}/bot", {"seat": 3, "level": None}, 200)
    ann.vote(id)
    assert seat_kinds(vic, id) == ["person", "person", "random", "open"]
    vic.post(f"/api/tables/{id}/bot", {"seat": 3, "level": "random"}, 200)
    message = ann.get_table(id)
    ann.vote(id)
    assert seat_kinds(vic, id) == ["person", "person", "random", "random"]
    assert seat_event_texts(ann, id) == [
        "A bot of level simple stands up. A bot takes the seat.",
        "A bot of level random sits down.",
    ]
    old = {"proposal": message["table"]["proposal"]["id"], "accept": True, "idempotency_key": "too-late-now"}
    assert ann.post(f"/api/tables/{id}/proposal", old, 409)["error"] == "That proposal is no longer open."
    vic.post(f"/api/tables/{id}/bot", {"seat": 2, "level": None}, 200)
    late = {**old, "idempotency_key": "too-late-again"}
    assert ann.post(f"/api/tables/{id}/proposal", late, 409)["error"] == "That proposal is no longer open."
    assert seat_kinds(vic, id)[2] == "random", "expected a vote to count for its own proposal only"


def test_strangers_cannot_ask_for_seats_again_and_again(fake_clock, open_server, tmp_path):
    server = open_server(tmp_path, bot_delay=(30, 30))
    ann, vic, eve, another = (server.new_client() for _ in range(4))
    id = ann.create_table(
        private=False, game="fourteen", seats=4, seats_taken_by=["me", "open", "bot:random", "bot:random"]
    )
    vic.sit(id)
    open_table(id, ann, vic)
    for _ in range(seat_rules.MAX_SEAT_REQUESTS):
        eve.sit(id, seat=2)
    proposal = ann.get_table(id)["table"]["proposal"]["id"]
    assert eve.post(f"/api/tables/{id}/sit", {"seat": 3}, 409)["id"] == "table-seat-asked"
    assert ann.get_table(id)["table"]["proposal"]["id"] == proposal, "expected a proposal that can be rejected"
    ann.vote(id, False)
    for stranger in (eve, another):
        refused = stranger.post(f"/api/tables/{id}/sit", {"seat": 2}, 409)
        assert (refused["id"], refused["args"]) == ("table-seat-asked", {"seconds": 60})
    vic.post(f"/api/tables/{id}/bot", {"seat": 2, "level": "simple"}, 200)
    ann.vote(id)
    fake_clock.advance(seat_rules.SEAT_REQUESTS_MS)
    another.sit(id, seat=2)
    ann.vote(id)
    vic.vote(id)
    assert another.get_table(id)["seat"] == 2
    eve.sit(id, seat=3)
    assert proposal_facts(ann.get_table(id)["table"]["proposal"])[2] == 3, "expected a request after an accepted one"


def test_uninvolved_person_cannot_vote(game_in_progress):
    _, id, ann, vic, eve = game_in_progress
    open_table(id, ann, eve)
    vic.post(f"/api/tables/{id}/stand", {}, 200)
    eve.sit(id, seat=2, invite=ann.invite)
    vic.sit(id)
    assert ann.get_table(id)["table"]["proposal"]["waiting_for"] == [0]
    for agree in (True, False):
        assert vic.vote(id, agree, expect=409)["id"] == "table-not-asked"
    assert proposal_facts(ann.get_table(id)["table"]["proposal"]) == ("sit", "Eve", 2, None)
    ann.vote(id)
    assert eve.get_table(id)["seat"] == 2


def test_seat_proposal_survives_answers_and_ends_with_its_seat_or_proposer(game_in_progress):
    server, id, ann, vic, eve = game_in_progress
    open_table(id, ann, vic)
    table = server.app.tables.get(id)
    vic.post(f"/api/tables/{id}/stand", {}, 200)
    eve.sit(id, seat=1, invite=ann.invite)
    assert proposal_facts(eve.get_table(id)["table"]["proposal"]) == ("sit", "Eve", 1, None)
    state = table.game.to_act(table.game_state.state)
    server.wait_for(server.app.tables.actions.play_answers(table, state[0], table.n, [first_answer(table)]))
    assert ann.get_table(id)["table"]["proposal"]["name"] == "Eve", "expected the proposal to survive an answer"
    vic.sit(id)
    assert ann.get_table(id)["table"]["proposal"] is None, "expected the proposal to end when Vic returned to the seat"
    ann.post(f"/api/tables/{id}/bot", {"seat": 2, "level": "simple"}, 200)
    ann.post(f"/api/tables/{id}/stand", {}, 200)
    assert vic.get_table(id)["table"]["proposal"] is None, "expected the proposal to end with its proposer's seat"


def first_answer(table) -> str:
    """Return a legal answer of the first seat to act."""
    state = table.game_state.state
    return f"{table.game.question(state).name} {table.game.legal(state, table.game.to_act(state)[0])[0]}"


def test_voter_who_leaves_is_not_counted(game_in_progress, monkeypatch):
    monkeypatch.setattr(asgi_routes, "PRESENCE_DEBOUNCE_S", 0.0)
    server, id, ann, vic, eve = game_in_progress
    third = server.new_client()
    streams = open_table(id, ann, vic)
    third.sit(id, seat=3, invite=ann.invite)
    ann.vote(id)
    vic.vote(id)
    streams += open_table(id, third)
    eve.sit(id, seat=2, invite=ann.invite)
    ann.vote(id)
    third.post(f"/api/tables/{id}/stand", {}, 200)
    assert vic.get_table(id)["table"]["proposal"]["waiting_for"] == [1]
    assert eve.get_table(id)["seat"] is None, "expected to wait for Vic, who is present"
    table = server.app.tables.get(id)
    streams[1].close()
    wait_until(lambda: not any(stream.seat == 1 for stream in table.presence.streams), "expected Vic to be absent")
    assert ann.get_table(id)["table"]["proposal"]["waiting_for"] == [1], "a short absence is no consent"
    age_absence(server, id, 1, 3601)
    wait_until(lambda: eve.get_table(id)["seat"] == 2, "expected not to wait for a person who has left")


def test_spectator_of_a_public_game_proposes_open_seats_before_bot_seats(server):
    ann, vic, eve = (server.new_client() for _ in range(3))
    id = ann.create_open_table(private=False)
    vic.sit(id)
    open_table(id, ann, vic)
    assert eve.post(f"/api/tables/{id}/sit", {}, 409)["error"] == "All seats are taken."
    assert eve.post(f"/api/tables/{id}/sit", {"seat": 0}, 409)["error"] == "That seat is taken."
    eve.post(f"/api/tables/{id}/sit", {"seat": 2}, 400)
    vic.post(f"/api/tables/{id}/stand", {}, 200)
    assert eve.post(f"/api/tables/{id}/sit", {}, 409)["error"] == "All seats are taken.", "reserved for Vic"
    eve.post(f"/api/tables/{id}/sit", {"seat": 1}, 200)
    ann.vote(id)
    assert eve.get_table(id)["seat"] == 1
    assert "given to someone else" in vic.post(f"/api/tables/{id}/sit", {}, 409)["error"]
    assert vic.get_table(id)["table"]["reserved_seat"] is None
