"""Duplicate matches: everyone plays the same cards once, and nothing reveals the cards of others before the end."""

import asyncio
import hashlib
import json
from typing import Any

import pytest

from diamonds import record_reader
from diamonds.errors import NotFoundError
from diamonds.server.moderation import maintenance
from diamonds.server.moderation.maintenance import DAY_S, RetentionJob
from diamonds.server.tables import bots, matches
from diamonds.server.tables.matches import MatchService
from tests.server.support.authenticator import BrowserClient
from tests.server.support.client import Client, TurnFeedReader, first_legal, post_chat, wait_until
from tests.server.support.cluster import ClusterServer, release_table, via
from tests.server.support.live_server import evict_tables
from tests.server.support.match_players import (
    create_match,
    get_match,
    own_table,
    play_deal,
    play_table,
    post_to_match,
    start_match,
    tables_of,
    wait_until_over,
)
from tests.server.support.postgres_cluster import PostgresCluster
from tests.server.test_daily import READS, check_table_is_unknown, is_listed_as_withheld

pytestmark = pytest.mark.later


def test_match_of_eight_people_shows_results_after_its_last_table(server):
    people = [server.new_client() for _ in range(8)]
    id = start_match(people, seats=4, deals=3)
    promised = get_match(people[0], id)["commitments"]
    play_deal(people, id, 0)
    play_deal(people, id, 1)
    late = [*tables_of(people, id, 2).items()]
    assert len(late) >= 2
    for table, seated in late[2:]:
        play_table(seated, table)
    for table, seated in late[:2]:
        found = [get_match(person, id) for person in (*people, server.new_client())]
        assert {one["phase"] for one in found} == {"playing"}
        assert [one["results"] for one in found] == [one["secrets"] for one in found] == [None] * 9
        play_table(seated, table)
    results = wait_until_over(people[0], id)
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
    assert get_match(Client(server.port), id)["results"] == results["results"], "expected the results to be public"


def check_scores(deal: Any) -> None:
    """Check a deal's scores against their definition. People at several tables held each hand."""
    assert deal["hands"]
    for hand in deal["hands"]:
        seat = hand["seat"]
        held = {
            table["people"][seat]: table["points"][seat]
            for table in deal["tables"]
            if table["people"][seat] is not None and table["points"] is not None
        }
        assert {entry["person"]: entry["points"] for entry in hand["entries"]} == held
        assert len(held) > 1
        for entry in hand["entries"]:
            others = [points for person, points in held.items() if person != entry["person"]]
            assert entry["score"] == pytest.approx(entry["points"] - sum(others) / len(others))
            assert (entry["result"], entry["with_bots"]) == (entry["points"], False)


@pytest.mark.parametrize(
    ("game", "seats", "number"),
    [("mines", 2, 2), ("mines", 2, 3), ("fourteen", 3, 4), ("crystals", 4, 2), ("fourteen", 5, 7), ("crystals", 6, 7)],
)
def test_all_tables_of_a_deal_have_the_same_cards(server, game, seats, number):
    people = [server.new_client() for _ in range(number)]
    id = start_match(people, game, seats, deals=2)
    tables = tables_of(people, id, 0)
    assert len(tables) >= 2
    loaded = [server.app.tables.get(table) for table in tables]
    assert len({table.header.secret for table in loaded}) == 1
    assert {tuple(table.seating.nonces) for table in loaded} == {("",) * seats}
    kinds = [[holder.kind for holder in table.seating.seats].count("person") for table in loaded]
    assert sum(kinds) == number
    for table, seated in tables.items():
        play_table(seated, table)
    for person in people:
        assert own_table(person, id, 1) not in tables
    commitments = {person.get_table(own_table(person, id, 1))["table"]["commitment"] for person in people}
    assert commitments == {get_match(people[0], id)["commitments"][1]}


def test_next_table_opens_when_all_its_people_are_free(server):
    people = [server.new_client() for _ in range(8)]
    id = start_match(people, deals=2)
    first, *others = [*tables_of(people, id, 0).items()]
    for table, seated in others:
        play_table(seated, table)
    opened = [get_match(person, id)["your_tables"] for person in people]
    busy = {people.index(person) for person in first[1]}
    assert all(len(opened[person]) == 1 for person in busy)
    movement = json.loads(server.run(server.store.async_store.load_match(id)).movement)
    for seats in movement[1]:
        at_table = {person for person in seats if person >= 0}
        assert {len(opened[person]) for person in at_table} == {1 if at_table & busy else 2}
    play_table(first[1], first[0])
    for person in people:
        own_table(person, id, 1)


# Withheld


def test_nobody_else_sees_a_table_before_the_match_ends(server):
    people = [server.new_client() for _ in range(4)]
    id = start_match(people, seats=2 + 1, deals=1)
    tables = tables_of(people, id, 0)
    (table, seated), *rest = tables.items()
    stranger, other = server.new_client(), rest[0][1][0]
    lobby, feed = other.open_lobby(), TurnFeedReader(other)
    wait_until(lambda: feed.stream.messages, "expected the turns")

    def check_hidden() -> None:
        check_table_is_unknown(table, stranger, other, Client(server.port))
        secret = server.app.tables.get(table).game_state.secret.hex()
        for person in (stranger, other):
            told = [person.get(path) for path in ("/api/tables", "/api/matches", "/api/me/data")]
            told.append(get_match(person, id))
            for text in (table, secret):
                assert text not in json.dumps([told, lobby.events, feed.stream.messages])

    check_hidden()
    play_table(seated, table)
    check_hidden()
    secret = server.app.tables.get(table).game_state.secret.hex()
    told = [seated[0].get_table(table), get_match(seated[0], id)]
    told += [seated[0].get(path) for path in ("/api/me/data", "/api/tables")]
    assert secret not in json.dumps(told), "expected nothing for those who have finished"
    assert {entry["points"] for entry in get_match(other, id)["your_tables"]} == {None}
    for later, others in rest:
        play_table(others, later)
    wait_until_over(other, id)
    assert other.get_table(table)["seat"] is None
    assert stranger.get(f"/api/tables/{table}/record")["secret"] == secret


def test_finished_table_is_withheld_from_its_players_until_the_match_ends(server):
    people = [server.new_client() for _ in range(4)]
    id = start_match(people, seats=3, deals=1)
    (table, seated), *rest = tables_of(people, id, 0).items()
    message = seated[0].get_table(table)["table"]
    assert (message["hints"], message["invite"], message["private"]) == (False, None, True)
    assert message["match"] == {"id": id, "deal": 0, "deals": 1, "withheld": True, "closed": False}
    play_table(seated, table)
    stream = seated[0].watch(table)
    for part in READS:
        assert seated[0].get(f"/api/tables/{table}/{part}", 409)["id"] == "table-match-withheld"
    assert is_listed_as_withheld(seated[0], table)
    fork = {"n": 0, "seat": 0, "level": "random"}
    assert seated[0].post(f"/api/tables/{table}/fork", fork, 409)["id"] == "table-match-withheld"
    assert seated[0].post(f"/api/tables/{table}/rematch", {}, 409)["id"] == "table-match-once"
    assert seated[0].get_table(table)["table"]["chat_disabled"]
    assert post_chat(seated[0], table, "The queen is third.", 409)["id"] == "table-match-withheld"
    for other, others in rest:
        play_table(others, other)
    wait_until_over(people[0], id)
    wait_until(lambda: not stream.newest["table"]["match"]["withheld"], "expected an update at the end of the match")
    for part in ("record", "verify", "replay"):
        seated[0].get(f"/api/tables/{table}/{part}")
    assert not is_listed_as_withheld(seated[0], table)
    assert seated[0].send("GET", f"/api/tables/{table}/review")[0] in (200, 202)
    assert seated[0].post(f"/api/tables/{table}/rematch", {}, 409)["id"] == "table-match-once"
    forked = seated[0].post(f"/api/tables/{table}/fork", fork, 201)["id"]
    assert seated[0].get_table(forked)["table"]["match"] is None
    post_chat(seated[0], table, "The queen was third.")


def test_player_gets_no_help_and_no_second_try(server):
    people = [server.new_client() for _ in range(6)]
    id = start_match(people, seats=3, deals=1)
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


# Before the start


def test_people_join_by_the_link_until_the_organiser_starts(server):
    ann, ben, cem, dora = (server.new_client() for _ in range(4))
    ann.post("/api/me", {"name": "Ann"}, 200)
    id = create_match(ann, seats=4, size=3)
    found = get_match(Client(server.port), id)
    assert (found["phase"], found["you"], found["is_organiser"]) == ("open", None, False)
    assert found["secrets"] is found["results"] is None
    assert [one["name"] for one in found["people"]] == ["Ann"]
    assert post_to_match(ann, id, "start", 409)["id"] == "match-few-people"
    for _ in range(2):
        assert post_to_match(ben, id, "join")["you"] == 1
    assert len(get_match(ann, id)["people"]) == 2, "expected a second tab to change nothing"
    post_to_match(cem, id, "join")
    assert post_to_match(dora, id, "join", 409)["id"] == "match-full"
    for action, body in (("start", {}), ("end", {}), ("remove", {"number": 2})):
        assert post_to_match(ben, id, action, 403, **body)["id"] == "match-organiser-only"
    post_to_match(ben, id, "leave")
    post_to_match(ben, id, "leave")
    post_to_match(dora, id, "join")
    number = get_match(dora, id)["you"]
    for wrong in (0, 1, 9, 20_000):
        assert post_to_match(ann, id, "remove", 400, number=wrong)["id"] == "match-no-such-person"
    post_to_match(ann, id, "remove", number=number)
    assert post_to_match(dora, id, "join", 403)["id"] == "match-refused"
    assert [match["id"] for match in dora.get("/api/matches")["matches"]] == []
    post_to_match(ben, id, "join")
    post_to_match(ann, id, "start")
    post_to_match(ann, id, "start")
    assert [one["number"] for one in get_match(ann, id)["people"]] == [0, 1, 2]
    for person in (ann, ben):
        (match,) = person.get("/api/me/data")["matches"]
        assert (match["match"], match["made_by_you"]) == (id, person is ann)
        assert match["your_number"] == get_match(person, id)["you"]
    for person, action in ((dora, "join"), (ben, "leave")):
        assert post_to_match(person, id, action, 409)["id"] == "match-not-open"
    assert post_to_match(ann, id, "remove", 409, number=1)["id"] == "match-not-open"
    (listed,) = ben.get("/api/matches")["matches"]
    assert (listed["id"], listed["people"], listed["phase"]) == (id, 3, "playing")
    assert listed["your_table"] == own_table(ben, id, 0)
    assert Client(server.port).get("/api/matches")["matches"] == []
    assert ann.get("/api/matches/unknown", 404)["id"] == "match-unknown"


def test_bad_matches_are_refused(server):
    ann = server.new_client()
    good = {"game": "fourteen", "seats": 4, "level": "random"}
    for bad in (
        {"game": "bridge"}, {"seats": 7}, {"seats": 1}, {"deals": 0}, {"deals": 25}, {"size": 1}, {"size": 25}, {"level": "99"},
        {"options": {"target": -3}}, {"options": {"unknown": 1}}, {"time_control": {"initial_s": 1}}, {"colour": "green"},
    ):  # fmt: skip
        assert ann.send("POST", "/api/matches", json.dumps({**good, **bad}).encode())[0] in (400, 404), bad
    assert ann.get("/api/matches")["matches"] == []
    Client(server.port).post("/api/matches", good, 401)


def test_repeated_creation_makes_one_match_even_after_midnight(fake_clock, timed_server):
    ann, ben = timed_server.new_client(), timed_server.new_client()
    ids = [create_match(person, idempotency_key="key-00000001") for person in (ann, ann, ben)]
    fake_clock.wall_ms += DAY_S * 1000
    assert create_match(ann, idempotency_key="key-00000001") == ids[0] == ids[1] != ids[2]


def test_key_of_a_match_with_other_settings_is_rejected(fake_clock, timed_server):
    ann, request = timed_server.new_client(), {"game": "mines", "seats": 2, "idempotency_key": "key-00000001"}
    id = ann.post("/api/matches", request, 201)["id"]
    for _ in range(2):
        for other in ({"deals": 7}, {"size": 3}, {"options": {"defence": "ranked"}}, {"level": "random"}):
            assert ann.post("/api/matches", {**request, **other}, 409)["id"] == "server-key-used", other
        assert ann.post("/api/matches", request, 201)["id"] == id
        fake_clock.wall_ms += DAY_S * 1000


def test_match_whose_cards_were_published_cannot_be_made_again(fake_clock, timed_server):
    ann, tables = timed_server.new_client(), timed_server.app.tables
    id = create_match(ann, idempotency_key="key-00000001")
    ann.post(f"/api/matches/{id}/leave", {})
    now = tables.sanctions.clock()
    timed_server.wait_for(RetentionJob(tables, 1, 0, lambda: now + 2 * DAY_S).prune())
    ann.get(f"/api/matches/{id}", 404)
    fake_clock.wall_ms += 2 * DAY_S * 1000
    assert create_match(ann, idempotency_key="key-00000001") != id, "expected other cards"


def test_match_without_its_organiser_is_cancelled(server):
    ann, ben = server.new_client(), server.new_client()
    for action in ("leave", "end"):
        id = create_match(ann)
        post_to_match(ben, id, "join")
        post_to_match(ann, id, action)
        found = get_match(ben, id)
        assert (found["phase"], found["ended_early"], found["results"]) == ("over", True, None)
        assert post_to_match(ben, id, "join")["you"] == 1
        assert post_to_match(server.new_client(), id, "join", 409)["id"] == "match-not-open"
        post_to_match(ann, id, "start")
        assert get_match(ann, id)["your_tables"] == []


def test_matches_of_one_person_are_limited(server, monkeypatch):
    monkeypatch.setattr(matches, "MAX_UNFINISHED", 2)
    ann, ben = server.new_client(), server.new_client()
    ids = [create_match(ann) for _ in range(2)]
    third = create_match(ben)
    assert ann.post("/api/matches", {"game": "mines", "seats": 2}, 409)["id"] == "match-many"
    assert post_to_match(ann, third, "join", 409)["id"] == "match-many"
    post_to_match(ann, ids[0], "end")
    post_to_match(ann, third, "join")


def test_blocks_of_all_participants_keep_people_apart_unnoticed(server):
    ann, ben, cem = (BrowserClient(server.port).with_account(name) for name in ("Ann", "Ben", "Cem"))
    ann.post("/api/friends", {"name": "Ben"}, 200)
    ben.post("/api/friends", {"name": "Ann"}, 200)
    ann.post("/api/relationships", {"name": "Ben", "action": "block"}, 200)
    own, other = create_match(ann, "mines", 2), create_match(cem, "mines", 2)
    post_to_match(ann, other, "join")
    unknown = ben.get("/api/matches/unknown", 404)
    for id in (own, other):
        assert ben.get(f"/api/matches/{id}", 404) == unknown, "expected the reply for a match that does not exist"
        for action in ("join", "leave", "start", "end"):
            assert post_to_match(ben, id, action, 404) == unknown, action
        assert post_to_match(ben, id, "remove", 404, number=0) == unknown
    bens = create_match(ben, "mines", 2)
    assert post_to_match(ann, bens, "join", 403)["id"] == "match-with-blocked"
    post_to_match(ann, other, "leave")
    post_to_match(ben, other, "join")
    assert post_to_match(ann, other, "join", 403)["id"] == "match-with-blocked"
    assert get_match(ann, other)["you"] is None, "expected a person to see matches with people they have blocked"
    ann.post("/api/relationships", {"name": "Ben", "action": "unblock"}, 200)
    post_to_match(ann, other, "join")


# During the match


def test_tables_open_once_whatever_is_interrupted(disk_server, monkeypatch):
    people = [disk_server.new_client() for _ in range(4)]
    with monkeypatch.context() as patch:
        patch.setattr(MatchService, "open_tables", interrupted)
        id = create_match(people[0], seats=3, deals=2)
        for person in people[1:]:
            post_to_match(person, id, "join")
        post_to_match(people[0], id, "start", 500)
        assert get_match(people[0], id)["phase"] == "playing"
    disk_server.restart(*people)
    for deal in range(2):
        tables = tables_of(people, id, deal)
        with monkeypatch.context() as patch:
            patch.setattr(MatchService, "advance", interrupted)
            for table, seated in tables.items():
                play_table(seated, table)
        disk_server.restart(*people)
    assert len(wait_until_over(people[0], id)["results"]["deals"]) == 2
    counted = disk_server.run(disk_server.store.async_store.match_tables(id))
    assert len(counted) == 4

    async def advance_often() -> None:
        await asyncio.gather(*(disk_server.app.matches.advance(id) for _ in range(5)))

    disk_server.run(advance_often())
    assert disk_server.run(disk_server.store.async_store.match_tables(id)) == counted


async def interrupted(*_: Any) -> Any:
    """Fail as if the process had been killed before it did anything."""
    raise RuntimeError("killed")


def test_match_of_absent_people_ends_on_time(timed_server, fake_clock, monkeypatch):
    monkeypatch.setattr(bots, "PAUSE_UNWATCHED_S", -1.0)
    people = [timed_server.new_client() for _ in range(3)]
    id = start_match(people, "mines", 2, deals=2, time_control={"initial_s": 60, "increment_s": 1})

    def is_over() -> bool:
        fake_clock.advance(600_000, timed_server)
        return bool(get_match(people[0], id)["phase"] == "over")

    wait_until(is_over, "expected bots to finish the games of people who do not come")
    found = get_match(people[0], id)
    assert {one["scored"] for one in found["results"]["standings"]} <= {0, 1, 2}
    assert all(table["points"] for deal in found["results"]["deals"] for table in deal["tables"])
    assert not found["ended_early"]


def test_clocks_of_a_new_table_run_and_do_not_stop(timed_server, fake_clock):
    people = [timed_server.new_client() for _ in range(2)]
    id = start_match(people, "mines", 2, deals=1, time_control={"days_per_move": 1})
    table = own_table(people[0], id, 0)
    message = wait_until(
        lambda: (found := people[0].get_table(table))["clocks"]["running"] and found, "expected a running clock"
    )
    body = {"on": True, "idempotency_key": "key-00000001"}
    assert people[0].post(f"/api/tables/{table}/pause", body, 409)["id"] == "table-match-no-pause"
    fake_clock.advance(86_400_000 + 10_000, timed_server)
    wait_until(lambda: people[0].get_table(table)["n"] > message["n"], "expected a timeout")


def test_organiser_ends_a_match_and_games_in_play_do_not_count(server):
    people = [server.new_client() for _ in range(4)]
    id = start_match(people, seats=3, deals=2)
    (table, seated), (other, others) = tables_of(people, id, 0).items()
    play_table(seated, table)
    feed = TurnFeedReader(others[0])
    stream = others[0].watch(other)
    asked = wait_until(
        lambda: next((one for one in others if one.get_table(other)["open_question"]), None), "expected a question"
    )
    found = post_to_match(people[0], id, "end")
    assert (found["phase"], found["ended_early"]) == ("over", True)
    (deal, second) = found["results"]["deals"]
    assert {one["table"]: one["points"] is None for one in deal["tables"]} == {table: False, other: True}
    assert {one["points"] for one in second["tables"]} == {None}
    assert {one["person"] for hand in deal["hands"] for one in hand["entries"]} == {*map(people.index, seated)}
    message = wait_until(
        lambda: (found := asked.get_table(other))["table"]["match"]["closed"] and found, "expected a closed table"
    )
    assert message["open_question"] is None
    assert asked.answer(other, message["n"], "play D1", expect=409)["id"] == "table-match-ended"
    assert others[0].get(f"/api/tables/{other}/record", 409)["id"] == "table-record-not-over"
    feed.wait_for()
    assert not [event for event in stream.received.split(b"\n\n") if b"event: order" in event]
    people[0].get(f"/api/tables/{table}/record")


def test_match_continues_without_a_deleted_person(server):
    ann, ben, cem = (BrowserClient(server.port).with_account(name) for name in ("Ann", "Ben", "Cem"))
    id = start_match([ann, ben, cem], "mines", 2, deals=2)
    cancelled = create_match(ann, "mines", 2)
    post_to_match(ben, cancelled, "join")
    ann.post("/api/me/delete", {"name": "Ann"}, 200)
    assert get_match(ben, cancelled)["phase"] == "over"
    found = get_match(ben, id)
    assert [one["name"] for one in found["people"]] == ["", "Ben", "Cem"]
    assert not any(one["is_organiser"] for one in found["people"])
    for deal in range(2):
        play_deal([ben, cem], id, deal)
    assert {one["person"] for one in wait_until_over(ben, id)["results"]["standings"]} == {0, 1, 2}
    assert "Ann" not in json.dumps(get_match(ben, id))


def test_people_can_end_a_match_whose_organiser_was_deleted(server):
    ann, ben, cem = BrowserClient(server.port).with_account("Ann"), server.new_client(), server.new_client()
    id = start_match([ann, ben], "mines", 2, deals=2)
    ann.post("/api/me/delete", {"name": "Ann"}, 200)
    assert post_to_match(cem, id, "end", 403)["id"] == "match-organiser-only"
    assert post_to_match(ben, id, "end")["phase"] == "over"


def test_guest_who_signs_in_stays_in_the_match(server):
    phone, laptop = BrowserClient(server.port).with_account("Ann"), BrowserClient(server.port)
    ben = server.new_client()
    both = create_match(laptop, "mines", 2)
    post_to_match(phone, both, "join")
    id = start_match([laptop, ben], "mines", 2, deals=2)
    table = own_table(laptop, id, 0)
    laptop.with_passkeys_of(phone).sign_in()
    assert [one["name"] for one in get_match(phone, both)["people"]] == ["Ann"], "expected one place"
    found = get_match(phone, id)
    assert (found["you"], found["is_organiser"], found["people"][0]["name"]) == (0, True, "Ann")
    play_table([phone], table)
    play_table([ben], own_table(ben, id, 0))
    assert phone.get_table(own_table(phone, id, 1))["seat"] is not None


def test_guest_cannot_sign_in_as_someone_in_the_same_match(server):
    phone, laptop = BrowserClient(server.port).with_account("Ann"), BrowserClient(server.port)
    start_match([laptop, phone], "mines", 2, deals=1)
    assert laptop.with_passkeys_of(phone).sign_in(expect=409)["id"] == "account-both-sit"
    laptop.sign_in(bring_tables=False)


def test_match_goes_on_after_a_moderator_has_closed_a_table(server):
    people = [server.new_client() for _ in range(2)]
    id = start_match(people, "mines", 2, deals=2)
    closed = own_table(people[0], id, 0)
    server.run(server.app.tables.actions.close_table(closed, "Rude names"))
    play_table([people[1]], own_table(people[1], id, 0))
    play_deal(people, id, 1)
    found = wait_until_over(people[0], id)["results"]
    assert {one["scored"] for one in found["standings"]} == {1}


def test_turns_of_a_match_are_fed_even_alone_with_bots(server):
    ann, ben = server.new_client(), server.new_client()
    feed = TurnFeedReader(ann)
    wait_until(lambda: feed.turns == [], "expected no turns")
    id = start_match([ann, ben], "fourteen", 4, deals=4)
    begun_by_bots = 0
    for deal in range(4):
        table = own_table(ann, id, deal)
        (turn,) = feed.wait_for(table)
        assert (turn["match"], turn["table"]) == (id, table)
        begun_by_bots += ann.get_table(table)["n"] > 0
        feed.stream.close()
        wait_until(lambda: not server.app.turns.people(), "expected the turns to be forgotten")
        evict_tables(server, table)
        feed = TurnFeedReader(ann)
        feed.wait_for(table)
        play_table([ann], table)
        feed.wait_until_gone(table)
        play_table([ben], own_table(ben, id, deal))
    assert begun_by_bots, "expected bots to have the first turn in one of the seats"


def test_match_ends_when_the_last_person_who_plays_is_deleted(server):
    ann, ben = BrowserClient(server.port).with_account("Ann"), server.new_client()
    id = start_match([ann, ben], "mines", 2, deals=1)
    play_table([ben], own_table(ben, id, 0))
    assert get_match(ben, id)["phase"] == "playing"
    ann.post("/api/me/delete", {"name": "Ann"}, 200)
    assert [one["scored"] for one in wait_until_over(ben, id)["results"]["standings"]] == [0, 0]


def test_table_is_created_only_for_people_of_the_match(server):
    people = [server.new_client() for _ in range(2)]
    id = start_match(people, "mines", 2, deals=1)
    match = server.run(server.store.async_store.load_match(id))
    assert match is not None
    header, seating = server.app.matches.new_table(match, 0, (0, -1))
    seating.seats[0].person = header.host = "a guest who has signed in since"
    with pytest.raises(NotFoundError):
        server.run(server.app.tables.creator.create_for_match(header, seating, "elsewhere"))
    table = own_table(people[0], id, 0)
    n = people[0].get_table(table)["n"]
    server.run(server.app.tables.creator.create_for_match(header, seating, table))
    again = server.app.matches.new_table(match, 0, (0, -1))
    server.run(server.app.tables.creator.create_for_match(*again, table))
    assert people[0].get_table(table)["n"] == n, "expected the table to stay"


def test_matches_of_guests_are_pruned_with_their_games_and_not_before(server, monkeypatch):
    monkeypatch.setattr(maintenance, "BATCH_PAUSE_S", 0)
    people = [server.new_client() for _ in range(2)]
    id = start_match(people, "mines", 2, deals=1)
    tables = server.app.tables
    (first, seated), (second, others) = tables_of(people, id, 0).items()
    play_table(seated, first)
    now = tables.sanctions.clock()

    def prune() -> int:
        evict_tables(server, *(table for table in (first, second) if tables.registry.has(table)))
        return server.wait_for(RetentionJob(tables, 90, 0, lambda: now + 91 * DAY_S).prune())

    assert prune() == 0, "expected the games of a match to stay until it is over"
    play_table(others, second)
    wait_until_over(people[0], id)
    assert prune() == 2
    assert people[0].get(f"/api/matches/{id}", 404)["id"] == "match-unknown"


# At several members of a cluster: tables have different owners, and members die


def test_match_is_played_at_two_members_and_survives_the_lobbys_owner(cluster_servers):
    one, other = cluster_servers
    people = [cluster_servers[number % 2].new_client() for number in range(4)]
    id = start_match(people, seats=3, deals=3)
    play_deal(people, id, 0)
    late = [*tables_of(people, id, 1).items()]
    for table, seated in late[1:]:
        play_table(seated, table)
    assert {get_match(person, id)["results"] for person in people} == {None}
    table, seated = late[0]
    assert server_reads(other.new_client(), table) == {404}
    one.crash()
    wait_until(lambda: other.cluster.owns_lobby, "expected another owner of the lobby")
    wait_until(lambda: other.owns(table), "expected another owner of the table")
    people = [via(other, person) for person in people]
    play_table([via(other, person) for person in seated], table)
    play_deal(people, id, 2)
    found = wait_until_over(people[0], id)
    assert all(table["points"] for deal in found["results"]["deals"] for table in deal["tables"])
    assert people[0].get(f"/api/tables/{table}/verify")["ok"]


def server_reads(person: Client, table: str) -> set[int]:
    """Return the statuses of everything about a table that can be read."""
    return {person.send("GET", f"/api/tables/{table}{part}")[0] for part in ("", "/stream", "/record", "/replay")}


def move(table: str, servers: tuple[ClusterServer, ClusterServer], cluster: PostgresCluster, person: Client) -> None:
    """Let the second member own a table where the person is alone with bots."""
    owner, other = servers
    wait_until(lambda: via(owner, person).get_table(table)["open_question"], "expected the bots to answer")
    release_table(servers, cluster, table)
    via(other, person).get_table(table)
    assert other.owns(table)


def test_games_at_another_member_continue_and_end_a_match(cluster_servers, postgres_cluster):
    one, other = cluster_servers
    people = [other.new_client(), one.new_client()]
    id = start_match(people, "mines", 2, deals=2)
    for deal in range(2):
        tables = tables_of(people, id, deal)
        for table, seated in tables.items():
            move(table, cluster_servers, postgres_cluster, seated[0])
        first, second = tables
        stream = tables[first][0].open_stream(first)
        play_table(tables[first], first)
        wait_until(lambda stream=stream: stream.newest, "expected an update")
        assert stream.newest["table"]["match"]["withheld"]
        play_table(tables[second], second)
    wait_until_over(people[0], id)
    wait_until(lambda: not stream.newest["table"]["match"]["withheld"], "expected an update at the end of the match")


def test_finished_table_without_an_owner_is_withheld_at_every_member(cluster_servers, postgres_cluster):
    one, other = cluster_servers
    people = [one.new_client(), other.new_client()]
    id = start_match(people, "mines", 2, deals=1)
    (table, (player,)), (later, (last,)) = tables_of(people, id, 0).items()
    play_table([player], table)
    release_table(cluster_servers, postgres_cluster, table)
    for server in cluster_servers:
        assert server.new_client().send("GET", f"/api/tables/{table}")[0] == 404
        assert via(server, player).get(f"/api/tables/{table}/record", 409)["id"] == "table-match-withheld"
    play_table([last], later)
    wait_until_over(player, id)
    for server in cluster_servers:
        assert server.new_client().get_table(table)["table"]["match"]["withheld"] is False
        via(server, last).get(f"/api/tables/{table}/record")


@pytest.mark.parametrize("dies", ["owner of the lobby", "owner of the table"])
def test_end_of_a_game_is_not_lost_with_a_member(cluster_servers, postgres_cluster, monkeypatch, dies):
    one, other = cluster_servers
    people = [other.new_client(), one.new_client()]
    id = start_match(people, "mines", 2, deals=2)
    tables = tables_of(people, id, 0)
    for table, seated in tables.items():
        move(table, cluster_servers, postgres_cluster, seated[0])
    dead, alive = (one, other) if dies == "owner of the lobby" else (other, one)
    for step in ("on_change", "advance_soon"):
        monkeypatch.setattr(dead.app.matches, step, lambda *_: None)  # as if it had been killed before this step
    for table, seated in tables.items():
        play_table(seated, table)
    dead.crash()
    wait_until(lambda: alive.cluster.owns_lobby, "expected an owner of the lobby")
    for person in people:
        own_table(via(alive, person), id, 1)


def test_game_end_told_to_a_dead_lobby_owner_is_told_to_the_next(cluster_servers, postgres_cluster, monkeypatch):
    one, other = cluster_servers
    people = [other.new_client(), one.new_client()]
    id = start_match(people, "mines", 2, deals=2)
    tables = tables_of(people, id, 0)
    with monkeypatch.context() as patch:
        patch.setattr(other.cluster, "notify_lobby_owner", lambda notice: None)
        for table, seated in tables.items():
            move(table, cluster_servers, postgres_cluster, seated[0])
            play_table(seated, table)
    assert [table["deal"] for table in get_match(people[0], id)["your_tables"]] == [0]
    other.run(other.cluster.on_lobby_owner_change())
    own_table(people[0], id, 1)
