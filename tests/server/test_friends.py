"""Friends, challenges and blocks: mutual, told to nobody else, and the same answer whoever it is that is asked."""

from __future__ import annotations

from typing import Any

import pytest

from diamonds.server.http.app import AppConfig
from diamonds.server.http.rate_limits import UNLIMITED, PersonAndAddressRates, Rate
from diamonds.server.lobby import challenges, friends, seeks, streams
from tests.server.support.authenticator import BrowserClient
from tests.server.support.client import LobbyClient, StreamReader, wait_until

pytestmark = pytest.mark.later

MINES_FOR_TWO = {"game": "mines", "seats": 2}


@pytest.fixture(autouse=True)
def _no_delays(monkeypatch):
    monkeypatch.setattr(streams, "COALESCE_S", 0.0)
    monkeypatch.setattr(seeks, "MATCH_INTERVAL_S", 0.01)
    monkeypatch.setattr(friends, "ONLINE_DEBOUNCE_S", 0.0)


@pytest.fixture
def server_and_people(server):
    """A server, and Ann, Ben and Eve, who have accounts."""
    found = []
    for name in ("Ann", "Ben", "Eve"):
        found.append(BrowserClient(server.port))
        found[-1].create_account(name)
    return server, *found


def befriend(one: BrowserClient, other: BrowserClient, names: tuple[str, str]) -> None:
    one.post("/api/friends", {"name": names[1]}, 200)
    other.post("/api/friends", {"name": names[0]}, 200)


def wait_for_personal(guest: BrowserClient) -> LobbyClient:
    ear = LobbyClient(StreamReader(guest.port, "/api/lobby", {"Cookie": guest.headers["Cookie"]}))
    wait_until(lambda: ear.personal, "the lobby says nothing to somebody alone")
    return ear


def test_mutual_friends_see_presence_and_nothing_more(server_and_people):
    _, ann, ben, eve = server_and_people
    ears = [wait_for_personal(ann), wait_for_personal(ben), wait_for_personal(eve)]
    ann.post("/api/friends", {"name": "Ben"}, 200)
    ears[1].wait_for(lambda: ears[1].personal["friend_requests_in"] == ["Ann"], "who is asked does not hear of it")
    assert ears[0].personal["friends"] == [], "asking makes a friend"
    ben.post("/api/friends", {"name": "Ann"}, 200)
    for ear, name in zip(ears, ("Ben", "Ann"), strict=False):
        ear.wait_for(
            lambda ear=ear, name=name: ear.personal["friends"] == [{"name": name, "online": True}], "no friends"
        )
    ears[1].stream.close()
    ears[0].wait_for(lambda: not ears[0].personal["friends"][0]["online"], "a friend who has gone is here")
    again = wait_for_personal(ben)
    ears[0].wait_for(lambda: ears[0].personal["friends"][0]["online"], "a friend who is back is away")
    assert (ears[2].personal["friends"], ears[2].personal["friend_requests_in"]) == ([], []), (
        "others are told who is whose friend"
    )
    ben.post("/api/relationships", {"name": "Ann", "action": "part"}, 200)
    ears[0].wait_for(lambda: ears[0].personal["friends"] == [], "who parted is still a friend")
    again.wait_for(lambda: again.personal["friends"] == [], "who parts still has a friend")


def test_accepted_challenge_leads_both_to_a_table(server_and_people):
    _, ann, ben, eve = server_and_people
    ears = [wait_for_personal(ann), wait_for_personal(ben), wait_for_personal(eve)]
    id = ann.post("/api/challenges", {"name": "Ben", **MINES_FOR_TWO}, 200)["id"]
    asked = ears[1].wait_for(lambda: ears[1].personal["challenges_in"], "who is challenged does not hear of it")
    assert (asked[0]["id"], asked[0]["name"], asked[0]["game"]) == (id, "Ann", "mines")
    assert eve.post("/api/challenges/answer", {"id": id, "accept": True}, 404)["id"] == "server-no-challenge"
    ann.post("/api/challenges/answer", {"id": id, "accept": True}, 404)
    ben.post("/api/challenges/answer", {"id": id, "accept": True}, 200)
    tables = {ear.wait_for(lambda ear=ear: ear.personal["matched_table"], "they do not meet") for ear in ears[:2]}
    assert len(tables) == 1
    look = ann.get_table(tables.pop())["table"]
    assert look["private"], "strangers may watch"
    assert look["reserved_seat"] == 0
    assert ears[2].personal["matched_table"] is None
    ben.post("/api/challenges/answer", {"id": id, "accept": True}, 404)


def test_challenged_player_is_notified_at_their_table(server_and_people):
    _, ann, ben, eve = server_and_people
    table = ben.create_table(game="mines", seats=2)

    def listen(guest, path):
        return StreamReader(guest.port, path, {"Cookie": guest.headers["Cookie"]}, "turns")

    here, elsewhere = listen(ben, f"/api/tables/{table}/stream"), listen(eve, "/api/turns")
    wait_until(lambda: here.messages and elsewhere.messages, "nobody is told of anything")
    assert here.messages[-1]["challenges_in"] == [], "who is asked nothing is told of a challenge"
    id = ann.post("/api/challenges", {"name": "Ben", **MINES_FOR_TWO}, 200)["id"]
    wait_until(lambda: here.messages[-1]["challenges_in"], "who plays does not hear that somebody asks")
    (asked,) = here.messages[-1]["challenges_in"]
    assert (asked["id"], asked["name"], asked["game"]) == (id, "Ann", "mines"), asked
    assert asked["options"] == ben.get_table(table)["table"]["options"], "what was left to the server is not told"
    again = listen(ben, "/api/turns")
    wait_until(
        lambda: again.messages and again.messages[-1]["challenges_in"] == [asked], "a page opened later says nothing"
    )
    agreed = ben.post("/api/challenges/answer", {"id": id, "accept": True}, 200)
    assert ann.get_table(agreed["table"])["table"]["phase"] == "waiting", "who agrees is not told where the two play"
    wait_until(lambda: here.messages[-1]["challenges_in"] == [], "a challenge that was answered stands for ever")
    assert all(not told["challenges_in"] for told in elsewhere.messages), "somebody else hears who asks whom"
    id = ann.post("/api/challenges", {"name": "Ben", **MINES_FOR_TWO}, 200)["id"]
    assert ben.post("/api/challenges/answer", {"id": id, "accept": False}, 200) == {"table": None}


def test_challenge_ends_when_declined_cancelled_or_expired(server_and_people, monkeypatch):
    _, ann, ben, _ = server_and_people
    ears = [wait_for_personal(ann), wait_for_personal(ben)]
    for who in (ben, ann):
        id = ann.post("/api/challenges", {"name": "Ben", **MINES_FOR_TWO}, 200)["id"]
        ears[1].wait_for(lambda: ears[1].personal["challenges_in"], "who is challenged does not hear of it")
        who.post("/api/challenges/answer", {"id": id, "accept": False}, 200)
        for ear in ears:
            ear.wait_for(
                lambda ear=ear: not ear.personal["challenges_in"] and not ear.personal["challenge_out"],
                "it stands for ever",
            )
    monkeypatch.setattr(challenges, "CHALLENGE_LIFETIME_S", 0.0)
    id = ann.post("/api/challenges", {"name": "Ben", **MINES_FOR_TWO}, 200)["id"]
    ears[0].wait_for(lambda: not ears[0].personal["challenge_out"], "it stands for ever")
    ben.post("/api/challenges/answer", {"id": id, "accept": True}, 404)


def test_challenge_needs_presence_and_is_limited_and_ended_by_a_block(server_and_people, monkeypatch):
    server, ann, ben, eve = server_and_people
    standing = server.app.lobby.challenges

    def before(name: str) -> list[str]:
        found = server.run(server.app.lobby.friends.find_account(name))
        return server.call_on_loop(lambda: [one.name for one in standing.incoming(found)])

    eve.post("/api/challenges", {"name": "Ben", **MINES_FOR_TWO}, 200)
    assert before("Ben") == [], "who is away is asked, and would find it when they come"
    wait_for_personal(ben)
    eve.post("/api/challenges", {"name": "Ben", **MINES_FOR_TWO}, 200)
    ann.post("/api/challenges", {"name": "Ben", **MINES_FOR_TWO}, 200)
    assert sorted(before("Ben")) == ["Ann", "Eve"]
    table = eve.create_table(game="mines", seats=2)
    ben.post(f"/api/tables/{table}/block", {"seat": 0}, 200)
    assert before("Ben") == ["Ann"], "whoever is blocked asks still"
    monkeypatch.setattr(challenges, "MAX_INCOMING", 1)
    server.wait_for(
        server.app.lobby.change_relationship(server.run(server.app.lobby.friends.find_account("Ben")), "unblock", "Eve")
    )
    eve.post("/api/challenges", {"name": "Ben", **MINES_FOR_TWO}, 200)
    assert before("Ben") == ["Ann"], "more than so many stand before one person"


def test_replies_do_not_reveal_presence_or_blocks(server_and_people):
    server, ann, ben, eve = server_and_people
    ears = [wait_for_personal(ann), wait_for_personal(ben)]
    befriend(ben, eve, ("Ben", "Eve"))
    ben.post("/api/friends", {"name": "Ann"}, 200)
    ears[0].wait_for(lambda: ears[0].personal["friend_requests_in"] == ["Ben"], "who is asked does not hear of it")
    ann.post("/api/relationships", {"name": "Ben", "action": "block"}, 200)
    ears[0].wait_for(lambda: ears[0].personal["blocked"] == ["Ben"], "the block is not told")
    heard = len(ears[0].events)
    replies = []
    for name in ("Ann", "Eve", "Nobody At All"):  # one who blocks, one who is away, one who is not there
        befriended = ben.post("/api/friends", {"name": name}, 200)
        challenged = ben.post("/api/challenges", {"name": name, **MINES_FOR_TWO}, 200)
        standing = ears[1].wait_for(
            lambda name=name: (
                ears[1].personal["challenge_out"]
                and ears[1].personal["challenge_out"]["name"] == name
                and ears[1].personal["challenge_out"]
            ),
            "who challenges is not told that it stands",
        )
        changed = ben.post("/api/relationships", {"name": name, "action": "block"}) if name != "Eve" else None
        standing = {**standing, "id": "", "name": ""}
        replies.append((befriended, {**challenged, "id": ""}, standing, changed))
    assert replies[0][:3] == replies[1][:3] == replies[2][:3], "the replies tell who is there"
    assert replies[0][3] == replies[2][3], "a block tells who is there"
    assert len(ears[0].events) == heard, "who blocks hears of it"
    assert [one["name"] for one in ears[1].personal["friends"]] == ["Eve"]
    assert (
        server.store.accounts.relationships(server.run(server.app.lobby.friends.find_account("Ann"))).requests_in
        == frozenset()
    )


def test_blocked_person_is_not_seated_until_unblocked(server_and_people):
    _, ann, ben, _ = server_and_people
    ears = [wait_for_personal(ann), wait_for_personal(ben)]
    befriend(ann, ben, ("Ann", "Ben"))
    ann.post("/api/relationships", {"name": "Ben", "action": "block"}, 200)
    ears[0].wait_for(
        lambda: ears[0].personal["blocked"] == ["Ben"] and not ears[0].personal["friends"], "the block is not told"
    )
    ears[1].wait_for(lambda: not ears[1].personal["friends"], "who is blocked sees whether the other is here")
    assert ears[1].personal["blocked"] == []
    wanted = {"games": ["mines"], "seats": [2], "bot_speeds": ["steady"]}
    for guest in (ann, ben):
        guest.post("/api/seek", wanted, 200)
    other = BrowserClient(ann.port)
    third = wait_for_personal(other)
    other.post("/api/seek", wanted, 200)
    third.wait_for(lambda: third.personal["matched_table"], "the third one meets nobody")
    ears[0].wait_for(
        lambda: ears[0].personal["matched_table"] == third.personal["matched_table"],
        "who has waited longest was passed over",
    )
    assert ears[1].personal["matched_table"] is None, "they were seated at one table"
    ann.post("/api/relationships", {"name": "Ben", "action": "unblock"}, 200)
    ann.post("/api/seek", wanted, 200)
    ears[1].wait_for(lambda: ears[1].personal["matched_table"], "they are apart for ever")


def test_anyone_at_a_table_can_be_blocked_and_unblocked(
    server_and_people,
):
    _, ann, ben, _ = server_and_people
    guest = BrowserClient(ann.port)
    guest.post("/api/me", {"name": "Gus"}, 200)
    id = ann.create_table(game="fourteen", seats=3, seats_taken_by=["me", "open", "open"], private=False)
    ear = wait_for_personal(ann)
    theirs = wait_for_personal(guest)
    for other in (ben, guest):
        other.sit(id)
    for seat in (1, 2):
        ann.post(f"/api/tables/{id}/block", {"seat": seat}, 200)
    ear.wait_for(lambda: ear.personal["blocked"] == ["Ben", "Gus"], "who is blocked at a table is not")
    for wrong in (0, 3, 15):
        ann.post(f"/api/tables/{id}/block", {"seat": wrong}, 404)
    assert guest.post(f"/api/tables/{id}/block", {"seat": 0}, 403)["id"] == "account-guest"
    private = ben.create_table(game="mines", seats=2, seats_taken_by=["me", "bot:simple"])
    assert ann.post("/api/tables/nowhere/block", {"seat": 0}, 404)["id"] == "table-unknown"
    ann.post(f"/api/tables/{private}/block", {"seat": 1}, 404)
    wanted = {"games": ["mines"], "seats": [2], "bot_speeds": ["steady"]}
    guest.post("/api/seek", wanted, 200)
    ann.post("/api/seek", wanted, 200)
    ann.post("/api/relationships", {"name": "Gus", "action": "unblock"}, 200)
    ear.wait_for(lambda: ear.personal["blocked"] == ["Ben"], "a guest is blocked for ever")
    theirs.wait_for(lambda: theirs.personal["matched_table"], "who is blocked no more is kept apart")


def test_guests_and_other_sites_have_no_friends_and_requests_are_limited(open_server):
    server = open_server(
        setup=AppConfig((0, 0), UNLIMITED._replace(friends=PersonAndAddressRates(Rate(3, 0.001), Rate(9, 0.001))))
    )
    guest = BrowserClient(server.port)
    assert guest.post("/api/friends", {"name": "Ann"}, 403)["id"] == "account-guest"
    assert guest.post("/api/challenges", {"name": "Ann", **MINES_FOR_TWO}, 403)["id"] == "account-guest"
    guest.headers["Sec-Fetch-Site"] = "cross-site"
    asked: list[tuple[str, Any]] = [
        ("friends", {"name": "Ann"}),
        ("relationships", {"name": "Ann", "action": "block"}),
        ("challenges", {"name": "Ann", **MINES_FOR_TWO}),
        ("challenges/answer", {"id": "x", "accept": True}),
    ]
    for path, body in asked:
        assert guest.post(f"/api/{path}", body, 403)["id"] == "server-other-site"
    ann = BrowserClient(server.port)
    ann.create_account("Ann")
    for k in range(4):
        ann.post("/api/friends", {"name": f"Name {k}"})
    assert ann.status == 429, "names may be tried without end"


def test_relationships_are_exported_and_deleted_with_the_account(server_and_people):
    _, ann, ben, eve = server_and_people
    befriend(ann, ben, ("Ann", "Ben"))
    befriend(eve, ben, ("Eve", "Ben"))
    ben.post("/api/relationships", {"name": "Eve", "action": "block"}, 200)
    data = ben.get("/api/me/data")
    assert (data["friends"], data["blocked"]) == (["Ann"], ["Eve"])
    ann.post("/api/me/delete", {"name": "Ann"}, 200)
    assert ben.get("/api/me/data")["friends"] == [], "who was forgotten is still a friend"
