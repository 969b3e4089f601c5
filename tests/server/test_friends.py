"""Friends, challenges and blocks: mutual, private, and with replies that do not depend on the other person."""

import pytest

from diamonds.server.lobby import challenges, friends
from diamonds.server.storage import relationships
from tests.server.support.authenticator import BrowserClient
from tests.server.support.client import LobbyClient, StreamReader, wait_until

pytestmark = [pytest.mark.later, pytest.mark.usefixtures("no_lobby_delays")]

MINES_FOR_TWO = {"game": "mines", "seats": 2}


@pytest.fixture
def server_and_people(server):
    """A server, with Ann, Ben and Eve, who have accounts on it."""
    return server, *(BrowserClient(server.port).with_account(name) for name in ("Ann", "Ben", "Eve"))


def befriend(one: BrowserClient, other: BrowserClient, names: tuple[str, str]) -> None:
    one.post("/api/friends", {"name": names[1]}, 200)
    other.post("/api/friends", {"name": names[0]}, 200)


def personal_lobby(guest: BrowserClient) -> LobbyClient:
    """Open the lobby and wait for its personal update."""
    lobby = guest.open_lobby()
    lobby.wait_for_personal()
    return lobby


def test_mutual_friends_see_presence_and_nothing_more(server_and_people):
    _, ann, ben, eve = server_and_people
    anns, bens, eves = personal_lobby(ann), personal_lobby(ben), personal_lobby(eve)
    ann.post("/api/friends", {"name": "Ben"}, 200)
    bens.wait_for_personal(friend_requests_in=["Ann"])
    assert anns.personal["friends"] == [], "expected no friendship before it is accepted"
    ben.post("/api/friends", {"name": "Ann"}, 200)
    anns.wait_for_personal(friends=[{"name": "Ben", "online": True}])
    bens.wait_for_personal(friends=[{"name": "Ann", "online": True}])
    bens.stream.close()
    anns.wait_for_personal(friends=[{"name": "Ben", "online": False}])
    again = personal_lobby(ben)
    anns.wait_for_personal(friends=[{"name": "Ben", "online": True}])
    assert (eves.personal["friends"], eves.personal["friend_requests_in"]) == ([], [])
    ben.post("/api/relationships", {"name": "Ann", "action": "part"}, 200)
    anns.wait_for_personal(friends=[])
    again.wait_for_personal(friends=[])


def test_accepted_challenge_leads_both_to_a_table(server_and_people):
    _, ann, ben, eve = server_and_people
    lobbies = [personal_lobby(ann), personal_lobby(ben), personal_lobby(eve)]
    id = ann.post("/api/challenges", {"name": "Ben", **MINES_FOR_TWO}, 200)["id"]
    asked = lobbies[1].wait_for(lambda: lobbies[1].personal["challenges_in"], "expected the challenge")
    assert (asked[0]["id"], asked[0]["name"], asked[0]["game"]) == (id, "Ann", "mines")
    assert eve.post("/api/challenges/answer", {"id": id, "accept": True}, 404)["id"] == "server-no-challenge"
    ann.post("/api/challenges/answer", {"id": id, "accept": True}, 404)
    ben.post("/api/challenges/answer", {"id": id, "accept": True}, 200)
    table = lobbies[0].wait_for_match()
    assert lobbies[1].wait_for_match() == table
    look = ann.get_table(table)["table"]
    assert look["private"], "expected a private table"
    assert look["reserved_seat"] == 0
    assert lobbies[2].personal["matched_table"] is None
    ben.post("/api/challenges/answer", {"id": id, "accept": True}, 404)


def test_challenged_player_is_notified_at_their_table(server_and_people):
    _, ann, ben, eve = server_and_people
    table = ben.create_table(game="mines", seats=2)

    def listen(guest, path):
        return StreamReader(guest.port, path, guest.headers, "turns")

    here, elsewhere = listen(ben, f"/api/tables/{table}/stream"), listen(eve, "/api/turns")
    wait_until(lambda: here.messages and elsewhere.messages, "expected a first message")
    assert here.messages[-1]["challenges_in"] == [], "expected no challenge for a person who was not challenged"
    id = ann.post("/api/challenges", {"name": "Ben", **MINES_FOR_TWO}, 200)["id"]
    wait_until(lambda: here.messages[-1]["challenges_in"], "expected the challenge at the table")
    (asked,) = here.messages[-1]["challenges_in"]
    assert (asked["id"], asked["name"], asked["game"]) == (id, "Ann", "mines"), asked
    assert asked["options"] == ben.get_table(table)["table"]["options"], "expected the default options to be filled in"
    again = listen(ben, "/api/turns")
    wait_until(lambda: again.messages and again.messages[-1]["challenges_in"] == [asked], "expected the challenge")
    agreed = ben.post("/api/challenges/answer", {"id": id, "accept": True}, 200)
    assert ann.get_table(agreed["table"])["table"]["phase"] == "waiting", "expected the table of both"
    wait_until(lambda: here.messages[-1]["challenges_in"] == [], "expected an answered challenge to disappear")
    assert all(not told["challenges_in"] for told in elsewhere.messages), "expected nobody else to see the challenge"
    id = ann.post("/api/challenges", {"name": "Ben", **MINES_FOR_TWO}, 200)["id"]
    assert ben.post("/api/challenges/answer", {"id": id, "accept": False}, 200) == {"table": None}


def test_challenge_ends_when_declined_cancelled_or_expired(server_and_people, monkeypatch):
    _, ann, ben, _ = server_and_people
    lobbies = [personal_lobby(ann), personal_lobby(ben)]
    for who in (ben, ann):
        id = ann.post("/api/challenges", {"name": "Ben", **MINES_FOR_TWO}, 200)["id"]
        lobbies[1].wait_for(lambda: lobbies[1].personal["challenges_in"], "expected the challenge")
        who.post("/api/challenges/answer", {"id": id, "accept": False}, 200)
        for lobby in lobbies:
            lobby.wait_for_personal(challenges_in=[], challenge_out=None)
    monkeypatch.setattr(challenges, "CHALLENGE_LIFETIME_S", 0.0)
    id = ann.post("/api/challenges", {"name": "Ben", **MINES_FOR_TWO}, 200)["id"]
    lobbies[0].wait_for_personal(challenge_out=None)
    ben.post("/api/challenges/answer", {"id": id, "accept": True}, 404)


def test_challenge_needs_presence_and_is_limited_and_ended_by_a_block(server_and_people, monkeypatch):
    server, ann, ben, eve = server_and_people
    standing = server.app.lobby.challenges

    def before(name: str) -> list[str]:
        found = server.person_by_name(name)
        return server.call_on_loop(lambda: [one.name for one in standing.incoming(found)])

    eve.post("/api/challenges", {"name": "Ben", **MINES_FOR_TWO}, 200)
    assert before("Ben") == [], "expected no challenge to wait for an absent person"
    personal_lobby(ben)
    eve.post("/api/challenges", {"name": "Ben", **MINES_FOR_TWO}, 200)
    ann.post("/api/challenges", {"name": "Ben", **MINES_FOR_TWO}, 200)
    assert sorted(before("Ben")) == ["Ann", "Eve"]
    table = eve.create_table(game="mines", seats=2)
    ben.post(f"/api/tables/{table}/block", {"seat": 0}, 200)
    assert before("Ben") == ["Ann"], "expected no challenge from a blocked person"
    monkeypatch.setattr(challenges, "MAX_FROM_STRANGERS", 1)
    ben.post("/api/relationships", {"name": "Eve", "action": "unblock"}, 200)
    eve.post("/api/challenges", {"name": "Ben", **MINES_FOR_TWO}, 200)
    assert before("Ben") == ["Ann"], "expected a limit on challenges of one person"


def test_replies_do_not_reveal_presence_or_blocks(server_and_people):
    server, ann, ben, eve = server_and_people
    lobbies = [personal_lobby(ann), personal_lobby(ben)]
    befriend(ben, eve, ("Ben", "Eve"))
    ben.post("/api/friends", {"name": "Ann"}, 200)
    lobbies[0].wait_for_personal(friend_requests_in=["Ben"])
    ann.post("/api/relationships", {"name": "Ben", "action": "block"}, 200)
    lobbies[0].wait_for_personal(blocked=["Ben"])
    heard = len(lobbies[0].events)
    replies = []
    for name in ("Ann", "Eve", "Nobody At All"):  # a person who blocks, an absent one, and an unknown one
        befriended = ben.post("/api/friends", {"name": name}, 200)
        challenged = ben.post("/api/challenges", {"name": name, **MINES_FOR_TWO}, 200)
        standing = lobbies[1].wait_for(
            lambda name=name: (out := lobbies[1].personal["challenge_out"]) and out["name"] == name and out,
            "expected the challenge to be shown as pending",
        )
        changed = ben.post("/api/relationships", {"name": name, "action": "block"}) if name != "Eve" else None
        standing = {**standing, "id": "", "name": ""}
        replies.append((befriended, {**challenged, "id": ""}, standing, changed))
    assert replies[0][:3] == replies[1][:3] == replies[2][:3], "expected one reply, present or not"
    assert replies[0][3] == replies[2][3], "expected the same updates whether or not there is a block"
    assert len(lobbies[0].events) == heard, "expected no challenge at the person who blocks"
    assert [one["name"] for one in lobbies[1].personal["friends"]] == ["Eve"]
    assert server.store.accounts.relationships(server.person_by_name("Ann")).requests_in == frozenset()


def test_every_friend_request_takes_the_same_time(server_and_people, monkeypatch):
    _, ann, ben, _ = server_and_people
    befriend(ann, ben, ("Ann", "Ben"))
    waits = []

    async def wait(at: float) -> None:
        waits.append(at)

    monkeypatch.setattr(friends, "sleep_until", wait)
    for name in ("Ben", "Eve", "Nobody"):
        ann.post("/api/friends", {"name": name}, 200)
    assert len(waits) == 3, "expected the reply at a time that does not depend on the name"


def test_challenger_can_be_blocked_and_strangers_leave_places_to_friends(server_and_people, monkeypatch):
    _, ann, ben, eve = server_and_people
    monkeypatch.setattr(challenges, "MAX_FROM_STRANGERS", 1)
    gus = BrowserClient(ann.port).with_account("Gus")
    befriend(ann, ben, ("Ann", "Ben"))
    lobby = personal_lobby(ann)

    def wait_for_challengers(*names: str) -> None:
        lobby.wait_for(
            lambda: [one["name"] for one in lobby.personal["challenges_in"]] == [*names], f"expected {names}"
        )

    eve.post("/api/challenges", {"name": "Ann", **MINES_FOR_TWO}, 200)
    gus.post("/api/challenges", {"name": "Ann", **MINES_FOR_TWO}, 200)
    ben.post("/api/challenges", {"name": "Ann", **MINES_FOR_TWO}, 200)
    wait_for_challengers("Eve", "Ben")
    ann.post("/api/relationships", {"name": "Gus", "action": "block"}, 404)
    ann.post("/api/relationships", {"name": "Eve", "action": "block"}, 200)
    wait_for_challengers("Ben")
    eve.post("/api/challenges", {"name": "Ann", **MINES_FOR_TWO}, 200)
    gus.post("/api/challenges", {"name": "Ann", **MINES_FOR_TWO}, 200)
    wait_for_challengers("Ben", "Gus")


def test_requests_of_strangers_do_not_prevent_own_requests(server_and_people, monkeypatch):
    server, ann, _, eve = server_and_people
    monkeypatch.setattr(relationships, "MAX_RELATIONSHIPS", 1)
    gus = BrowserClient(ann.port).with_account("Gus")

    def requests_to(name: str) -> int:
        return len(server.store.accounts.relationships(server.person_by_name(name)).requests_in)

    for stranger in (eve, gus):
        stranger.post("/api/friends", {"name": "Ann"}, 200)
    assert requests_to("Ann") == 1, "expected a limit of requests"
    ann.post("/api/friends", {"name": "Ben"}, 200)
    assert requests_to("Ben") == 1, "expected to ask in spite of the requests of others"
    ann.post("/api/friends", {"name": "Gus"}, 200)
    assert requests_to("Gus") == 0, "expected a limit of own requests"


def test_blocked_person_is_not_seated_until_unblocked(server_and_people):
    _, ann, ben, _ = server_and_people
    lobbies = [personal_lobby(ann), personal_lobby(ben)]
    befriend(ann, ben, ("Ann", "Ben"))
    ann.post("/api/relationships", {"name": "Ben", "action": "block"}, 200)
    lobbies[0].wait_for_personal(blocked=["Ben"], friends=[])
    lobbies[1].wait_for_personal(friends=[])
    assert lobbies[1].personal["blocked"] == []
    wanted = {"games": ["mines"], "seats": [2], "bot_speeds": ["steady"]}
    for guest in (ann, ben):
        guest.post("/api/seek", wanted, 200)
    other = BrowserClient(ann.port)
    third = personal_lobby(other)
    other.post("/api/seek", wanted, 200)
    table = third.wait_for_match()
    assert lobbies[0].wait_for_match() == table, "expected the person who waited longest to be matched"
    assert lobbies[1].personal["matched_table"] is None, "expected both at different tables"
    ann.post("/api/relationships", {"name": "Ben", "action": "unblock"}, 200)
    ann.post("/api/seek", wanted, 200)
    lobbies[1].wait_for_match()


def test_anyone_at_a_table_can_be_blocked_and_unblocked(server_and_people):
    _, ann, ben, _ = server_and_people
    guest = BrowserClient(ann.port)
    guest.post("/api/me", {"name": "Gus"}, 200)
    id = ann.create_table(game="fourteen", seats=3, seats_taken_by=["me", "open", "open"], private=False)
    lobby = personal_lobby(ann)
    theirs = personal_lobby(guest)
    for other in (ben, guest):
        other.sit(id)
    for seat in (1, 2):
        ann.post(f"/api/tables/{id}/block", {"seat": seat}, 200)
    lobby.wait_for_personal(blocked=["Ben", "Gus"])
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
    lobby.wait_for_personal(blocked=["Ben"])
    theirs.wait_for_match()


def test_guest_has_no_friends(server):
    guest = BrowserClient(server.port)
    assert guest.post("/api/friends", {"name": "Ann"}, 403)["id"] == "account-guest"
    assert guest.post("/api/challenges", {"name": "Ann", **MINES_FOR_TWO}, 403)["id"] == "account-guest"


def test_relationships_are_exported_and_deleted_with_the_account(server_and_people):
    _, ann, ben, eve = server_and_people
    befriend(ann, ben, ("Ann", "Ben"))
    befriend(eve, ben, ("Eve", "Ben"))
    ben.post("/api/relationships", {"name": "Eve", "action": "block"}, 200)
    data = ben.get("/api/me/data")
    assert (data["friends"], data["blocked"]) == (["Ann"], ["Eve"])
    ann.post("/api/me/delete", {"name": "Ann"}, 200)
    assert ben.get("/api/me/data")["friends"] == [], "expected no friendship with a deleted account"
