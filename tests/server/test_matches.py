"""Duplicate matches: everyone plays the same cards once, and nothing tells anyone the cards of others before the end."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

import pytest

from diamonds import record_reader
from tests.server.support.client import Client, TurnFeedReader, first_legal, post_chat, wait_until
from tests.server.support.live_server import LiveServer

OPTIONS = {"fourteen": {"target": 5}, "crystals": {"rounds": 1}, "mines": {}}
READS = ("record", "replay", "verify", "review")


def create(organiser: Client, game: str = "fourteen", seats: int = 4, deals: int = 2, **more: Any) -> str:
    """Create a match with bots that draw their answers; return its id."""
    body = {"game": game, "seats": seats, "deals": deals, "options": OPTIONS[game], "level": "random", **more}
    id: str = organiser.post("/api/matches", body, 201)["id"]
    return id


def call(person: Client, id: str, action: str, expect: int = 200, **body: Any) -> Any:
    """Send a request about a match; return the reply."""
    return person.post(f"/api/matches/{id}/{action}", body, expect)


def start(people: Sequence[Client], game: str = "fourteen", seats: int = 4, **more: Any) -> str:
    """Start a match of these people, the first of whom organises it; return its id."""
    id = create(people[0], game, seats, **more)
    for person in people[1:]:
        call(person, id, "join")
    call(people[0], id, "start")
    return id


def seen(person: Client, id: str) -> Any:
    """Return a match as a person sees it."""
    return person.get(f"/api/matches/{id}")


def own_table(person: Client, id: str, deal: int) -> str:
    """Wait until a person's table with a deal is open; return its id."""

    def find() -> str:
        return next((table["table"] for table in seen(person, id)["your_tables"] if table["deal"] == deal), "")

    return str(wait_until(find, f"expected a table with deal {deal}"))


def tables_of(people: Sequence[Client], id: str, deal: int) -> dict[str, list[Client]]:
    """Return the people at each table of a deal."""
    found: dict[str, list[Client]] = {}
    for person in people:
        found.setdefault(own_table(person, id, deal), []).append(person)
    return found


def play(people: list[Client], table: str) -> None:
    """Play a table to its end, with the bots."""
    while True:
        message = people[0].get_table(table)
        if message["table"]["phase"] == "over":
            return
        for person in people:
            message = person.get_table(table)
            if message["open_question"]:
                person.answer(table, message["n"], first_legal(message), expect=None)


def play_deal(people: Sequence[Client], id: str, deal: int, without: Sequence[str] = ()) -> None:
    """Play all tables of a deal but some."""
    for table, seated in tables_of(people, id, deal).items():
        if table not in without:
            play(seated, table)


def wait_over(person: Client, id: str) -> Any:
    """Wait until a match is over; return it."""
    return wait_until(lambda: (found := seen(person, id))["phase"] == "over" and found, "expected the match to end")


def test_match_of_eight_people_shows_results_after_its_last_table(server: LiveServer) -> None:
    people = [server.new_client() for _ in range(8)]
    id = start(people, seats=4, deals=3)
    promised = seen(people[0], id)["commitments"]
    play_deal(people, id, 0)
    play_deal(people, id, 1)
    late = [*tables_of(people, id, 2).items()]
    assert len(late) >= 2
    for table, seated in late[2:]:
        play(seated, table)
    for table, seated in late[:2]:
        found = [seen(person, id) for person in (*people, server.new_client())]
        assert {one["phase"] for one in found} == {"playing"}
        assert [one["results"] for one in found] == [one["secrets"] for one in found] == [None] * 9
        play(seated, table)
    results = wait_over(people[0], id)
    assert [hashlib.sha256(bytes.fromhex(one)).hexdigest() for one in results["secrets"]] == promised
    for deal, found in enumerate(results["results"]["deals"]):
        assert sorted(one for table in found["tables"] for one in table["people"] if one is not None) == [*range(8)]
        for table in found["tables"]:
            record = people[0].get(f"/api/tables/{table['table']}/record")
            assert record["secret"] == results["secrets"][deal]
            assert record_reader.load_record(json.dumps(record).encode()).over
            assert people[0].get(f"/api/tables/{table['table']}/verify")["ok"]
            people[0].get(f"/api/tables/{table['table']}/replay")
            assert people[0].get_table(table["table"])["result"]["scores"] == table["points"]
        check_scores(found)
    standings = results["results"]["standings"]
    assert sorted(one["person"] for one in standings) == [*range(8)]
    assert [one["score"] for one in standings] == sorted((one["score"] for one in standings), reverse=True)
    assert abs(sum(one["score"] for one in standings)) < 1e-6
    assert seen(Client(server.port), id)["results"] == results["results"], "expected the results to be public"


def check_scores(deal: Any) -> None:
    """Check the scores of a deal against the definition."""
    for hand in deal["hands"]:
        seat = hand["seat"]
        held = {
            table["people"][seat]: table["points"][seat]
            for table in deal["tables"]
            if table["people"][seat] is not None and table["points"] is not None
        }
        assert {entry["person"]: entry["points"] for entry in hand["entries"]} == held
        for entry in hand["entries"]:
            others = [points for person, points in held.items() if person != entry["person"]]
            score = entry["points"] - sum(others) / len(others) if others else None
            assert entry["score"] == (pytest.approx(score) if others else None)


@pytest.mark.parametrize(
    ("game", "seats", "number"),
    [("mines", 2, 2), ("mines", 2, 3), ("fourteen", 3, 4), ("crystals", 4, 2), ("fourteen", 5, 7), ("crystals", 6, 7)],
)
def test_all_tables_of_a_deal_have_the_same_cards(server: LiveServer, game: str, seats: int, number: int) -> None:
    people = [server.new_client() for _ in range(number)]
    id = start(people, game, seats, deals=2)
    tables = tables_of(people, id, 0)
    assert len(tables) >= 2
    loaded = [server.app.tables.get(table) for table in tables]
    assert len({table.header.secret for table in loaded}) == 1
    assert {tuple(table.seating.nonces) for table in loaded} == {("",) * seats}
    kinds = [[holder.kind for holder in table.seating.seats].count("person") for table in loaded]
    assert sum(kinds) == number
    for table, seated in tables.items():
        play(seated, table)
    for person in people:
        assert own_table(person, id, 1) not in tables
    seconds = {server.app.tables.get(own_table(person, id, 1)).header.secret for person in people}
    assert len(seconds) == 1
    assert seconds != {loaded[0].header.secret}


def test_next_table_opens_when_all_its_people_are_free(server: LiveServer) -> None:
    people = [server.new_client() for _ in range(8)]
    id = start(people, deals=2)
    first, *others = [*tables_of(people, id, 0).items()]
    for table, seated in others:
        play(seated, table)
    opened = [seen(person, id)["your_tables"] for person in people]
    busy = {people.index(person) for person in first[1]}
    assert all(len(opened[person]) == 1 for person in busy)
    movement = json.loads(server.run(server.store.async_store.load_match(id)).movement)
    for seats in movement[1]:
        at_table = {person for person in seats if person >= 0}
        assert {len(opened[person]) for person in at_table} == {1 if at_table & busy else 2}
    play(first[1], first[0])
    for person in people:
        own_table(person, id, 1)


# Withheld


def test_nobody_else_sees_a_table_before_the_match_ends(server: LiveServer) -> None:
    people = [server.new_client() for _ in range(4)]
    id = start(people, seats=2 + 1, deals=1)
    tables = tables_of(people, id, 0)
    (table, seated), *rest = tables.items()
    stranger, other = server.new_client(), rest[0][1][0]
    lobby = other.open_lobby()
    feed = TurnFeedReader(other)
    feed.wait_for(rest[0][0])
    paths = ("", "/stream", *(f"/{part}" for part in READS), "/hint", "/score-pad", "/plan")
    bodies: dict[str, dict[str, Any]] = {
        "sit": {"nonce": "00"}, "stand": {}, "bot": {"seat": 0, "level": "random"}, "undo": {"n": 1, "to": 0},
        "fork": {"n": 0, "seat": 0, "level": "1"}, "rematch": {}, "chat": {"text": "hi"}, "fast-forward": {},
        "answers": {"n": 0, "answers": ["play D1"]}, "bot-speed": {"bot_speed": "quick"}, "nudge": {"seat": 0},
        "block": {"seat": 0}, "pause": {"on": True}, "substitute": {"seat": 0}, "proposal": {"proposal": 0, "accept": True},
        "plan": {"answers": []}, "chat-mode": {"chat_mode": "none"},
    }  # fmt: skip
    unkeyed = ("fast-forward", "nudge", "block", "plan")

    def check_hidden() -> None:
        for person in (stranger, other, Client(server.port)):
            for path in paths:
                assert person.send("GET", f"/api/tables/{table}{path}")[0] == 404, path
        for number, (part, body) in enumerate(bodies.items()):
            key = {} if part in unkeyed else {"idempotency_key": f"key-{number:08}"}
            for person in (stranger, other):
                person.post(f"/api/tables/{table}/{part}", {**body, **key}, 404)
        secret = server.app.tables.get(table).game_state.secret.hex()
        for person in (stranger, other):
            told = [person.get("/api/tables"), person.get("/api/matches"), seen(person, id), person.get("/api/me/data")]
            for text in (table, secret):
                assert text not in json.dumps([told, lobby.events, feed.stream.messages])

    check_hidden()
    play(seated, table)
    check_hidden()
    secret = server.app.tables.get(table).game_state.secret.hex()
    told = [
        seated[0].get_table(table),
        seen(seated[0], id),
        seated[0].get("/api/me/data"),
        seated[0].get("/api/tables"),
    ]
    assert secret not in json.dumps(told), "expected nothing for those who have finished"
    assert {entry["points"] for entry in seen(other, id)["your_tables"]} == {None}
    for later, others in rest:
        play(others, later)
    wait_over(other, id)
    assert other.get_table(table)["seat"] is None
    assert stranger.get(f"/api/tables/{table}/record")["secret"] == secret


def test_finished_table_is_withheld_from_its_players_until_the_match_ends(server: LiveServer) -> None:
    people = [server.new_client() for _ in range(4)]
    id = start(people, seats=3, deals=1)
    (table, seated), *rest = tables_of(people, id, 0).items()
    message = seated[0].get_table(table)["table"]
    assert (message["hints"], message["invite"], message["private"]) == (False, None, True)
    assert message["match"] == {"id": id, "deal": 0, "deals": 1, "withheld": True, "closed": False}
    play(seated, table)
    stream = seated[0].open_stream(table)
    wait_until(lambda: stream.newest, "expected an update")
    for part in READS:
        assert seated[0].get(f"/api/tables/{table}/{part}", 409)["id"] == "table-match-withheld"
    fork = {"n": 0, "seat": 0, "level": "random"}
    assert seated[0].post(f"/api/tables/{table}/fork", fork, 409)["id"] == "table-match-withheld"
    assert seated[0].post(f"/api/tables/{table}/rematch", {}, 409)["id"] == "table-match-once"
    assert seated[0].get_table(table)["table"]["chat_disabled"]
    assert post_chat(seated[0], table, "The queen is third.", 409)["id"] == "table-match-withheld"
    for other, others in rest:
        play(others, other)
    wait_over(people[0], id)
    wait_until(lambda: not stream.newest["table"]["match"]["withheld"], "expected an update at the end of the match")
    for part in ("record", "verify", "replay"):
        seated[0].get(f"/api/tables/{table}/{part}")
    assert seated[0].send("GET", f"/api/tables/{table}/review")[0] in (200, 202)
    assert seated[0].post(f"/api/tables/{table}/rematch", {}, 409)["id"] == "table-match-once"
    forked = seated[0].post(f"/api/tables/{table}/fork", fork, 201)["id"]
    assert seated[0].get_table(forked)["table"]["match"] is None
    post_chat(seated[0], table, "The queen was third.")


def test_player_gets_no_help_and_no_second_try(server: LiveServer) -> None:
    people = [server.new_client() for _ in range(6)]
    id = start(people, seats=3, deals=1)
    (table, seated), *_ = tables_of(people, id, 0).items()
    assert len(seated) == 3
    for _ in range(3):
        for person in seated:
            message = person.get_table(table)
            assert (message["undo_min"], message["undo_last"]) == (None, None)
            if message["open_question"]:
                assert person.get(f"/api/tables/{table}/hint", 409)["id"] == "hint-none-here"
                person.answer(table, message["n"], first_legal(message))
    for number, person in enumerate(seated):
        n = person.get_table(table)["n"]
        body = {"n": n, "to": 0, "idempotency_key": f"key-{number:08}"}
        assert person.post(f"/api/tables/{table}/undo", body, 409)["id"] == "table-match-once"
        for level in ("random", None):
            reply = person.post(f"/api/tables/{table}/bot", {"seat": (number + 1) % 3, "level": level}, 409)
            assert reply["id"] == "table-match-once"
    seated[0].post(f"/api/tables/{table}/stand", {}, 200)
    seated[1].post(f"/api/tables/{table}/sit", {}, 409)
    seated[0].sit(table)
