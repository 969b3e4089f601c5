"""The lobby stream: every client receives the changes that concern it, and nothing private."""

import json

import pytest

from diamonds.server.http.rate_limits import UNLIMITED
from diamonds.server.lobby import public_table_list, streams
from diamonds.server.tables.core import presence
from tests.server.support.client import wait_until


@pytest.fixture(autouse=True)
def _no_update_delay(monkeypatch):
    monkeypatch.setattr(streams, "COALESCE_S", 0.0)


@pytest.mark.later
def test_lobby_feed_sends_only_the_changes_of_a_table(server, monkeypatch):
    ann, ben, eve = server.new_client(), server.new_client(), server.new_client()
    first = ann.create_table(
        private=False, game="fourteen", seats=3, seats_taken_by=["me", "open", "bot:simple"], options={"target": 20}
    )
    lobby = eve.open_lobby()
    line = lobby.wait_for(lambda: lobby.tables.get(first), "expected the open table")
    assert (line["game"], line["phase"]) == ("fourteen", "waiting")
    assert (line["bot_speed"], line["options"]["target"]) == ("steady", 20)
    assert [one["kind"] for one in line["seat_holders"]] == ["person", "open", "bot"]
    assert line["seat_holders"][2]["level"] == "simple", "expected only the kind and level of a bot"
    second = ben.create_open_table(private=False)
    lobby.wait_for(lambda: second in lobby.tables, "expected the second table")
    assert list(lobby.tables) == [first, second], "expected a new table at the end of the list"
    assert [one["id"] for one in lobby.events[-1]["upserted"]] == [second], "expected only the changed table"
    ben.sit(first)
    lobby.wait_for(lambda: lobby.tables[first]["phase"] == "playing", "expected the game to have begun")
    monkeypatch.setattr(presence, "RECENTLY_CONNECTED_S", 0.0)
    monkeypatch.setattr(streams, "SWEEP_INTERVAL_S", 0.01)
    lobby.wait_for(lambda: not lobby.tables, "expected abandoned tables to disappear")


def test_answers_alone_send_no_lobby_event(server):
    ann, ben, eve = server.new_client(), server.new_client(), server.new_client()
    id = ann.create_open_table(private=False)
    ben.sit(id)
    lobby = eve.open_lobby()
    lobby.wait_for(lambda: lobby.tables.get(id, {}).get("phase") == "playing", "expected the game in the lobby")
    told = len(lobby.events)
    for guest in (ann, ben):
        guest.finish_turn(id)
    other = eve.create_open_table(private=False)
    lobby.wait_for(lambda: other in lobby.tables, "expected the other table")
    assert all(id not in [line["id"] for line in news.get("upserted", [])] for news in lobby.events[told:])


def test_lobby_feed_hides_private_and_bot_tables_and_person_ids(server):
    ann, ben, eve = server.new_client(), server.new_client(), server.new_client()
    lobby = eve.open_lobby()
    hidden = [ann.create_open_table(), ann.create_table(game="mines", seats=2, private=False)]
    ann.open_stream(hidden[0])
    ben.sit(hidden[0], invite=server.app.tables.get(hidden[0]).header.invite)
    ben.post("/api/seek", {"games": ["fourteen"], "seats": [3], "bot_speeds": ["calm"]}, 200)
    shown = ann.create_open_table(private=False)
    lobby.wait_for(lambda: shown in lobby.tables, "expected the public table")
    raw = lobby.stream.received.decode()
    assert not any(id in raw for id in hidden), "expected no private table"
    table = server.app.tables.get(shown)
    secrets = [place.person for place in table.seating.seats if place.person]
    secrets += [table.header.invite, table.header.secret, table.game_state.secret.hex(), table.seating.seats[0].nonce]
    people = [server.run(server.app.identities.identify({"headers": [(b"authorization", g.headers["Authorization"].encode())]}))[0]
              for g in (ann, ben, eve)]  # fmt: skip
    for secret in [*secrets, *people]:
        assert secret not in raw, "expected no person id and no table secret"


def test_lobby_versions_grow_across_a_restart(open_server, tmp_path):
    server = open_server(tmp_path)
    ann, eve = server.new_client(), server.new_client()
    lobby = eve.open_lobby()
    for _ in range(3):
        id = ann.create_open_table(private=False)
        lobby.wait_for(lambda id=id: id in lobby.tables, "expected the table")
    versions = [news["version"] for news in lobby.events if "version" in news]
    server.restart(ann, eve)
    lobby = eve.open_lobby()
    versions += [news["version"] for news in lobby.events if "version" in news]
    assert versions == sorted(set(versions)), f"expected growing versions: {versions}"
    assert versions[-1] < 2**53, "expected versions that JavaScript can represent exactly"


def test_lobby_channel_covers_one_game_and_unknown_game_is_404(server):
    ann, eve = server.new_client(), server.new_client()
    lobby = eve.open_lobby("mines")
    other = ann.create_table(private=False, game="fourteen", seats=3, seats_taken_by=["me", "open", "open"])
    mine = ann.create_open_table(private=False)
    lobby.wait_for(lambda: mine in lobby.tables, "expected the table of the game")
    assert other not in lobby.tables
    assert eve.get("/api/lobby?game=whist", 404)["id"] == "game-unknown"


def test_lobby_feed_shows_some_of_thousands_of_tables_and_counts_the_rest(server, monkeypatch):
    monkeypatch.setitem(public_table_list.MAX_SHOWN, "waiting", 2)
    ann, eve = server.new_client(), server.new_client()
    ids = [ann.create_open_table(private=False) for _ in range(4)]
    lobby = eve.open_lobby()
    assert lobby.unlisted_count == 2, "expected the number of further tables"
    assert list(lobby.tables) == ids[:2], "expected the tables that have waited longest first"
    ann.post(f"/api/tables/{ids[0]}/bot", {"seat": 1, "level": "simple"}, 200)
    lobby.wait_for(lambda: list(lobby.tables) == ids[1:3], "expected the next table at the end of the list")
    assert lobby.unlisted_count == 1


def test_tables_of_one_address_do_not_fill_the_list(open_server, monkeypatch):
    monkeypatch.setitem(public_table_list.MAX_SHOWN, "waiting", 4)
    server = open_server(proxies=1)
    people = [server.new_client() for _ in range(3)]
    for k, person in enumerate(people):
        person.headers["X-Forwarded-For"] = f"192.0.2.{k // 2}"
    lobby = server.new_client().open_lobby()

    def wait_for_tables(*ids: str) -> None:
        lobby.wait_for(lambda: sorted(lobby.tables) == sorted(ids), f"expected {ids}")

    first = [people[k % 2].create_open_table(private=False) for k in range(5)]
    wait_for_tables(*first[:4])
    others = [people[2].create_open_table(private=False)]
    wait_for_tables(*first[:3], others[0])
    assert lobby.unlisted_count == 2
    others += [people[2].create_open_table(private=False) for _ in range(2)]
    wait_for_tables(*first[:3], others[0])


def test_slow_lobby_stream_is_sent_a_snapshot_without_a_queue(server):
    ann = server.new_client()
    sent: list[bytes] = []

    def read() -> streams.LobbyStream:
        async def send(event):
            sent.append(event["body"])

        reader = server.app.lobby.open_stream("", "", send)
        reader.on_open()
        reader.notify()
        return reader

    reader = server.call_on_loop(read)
    first = ann.create_open_table(private=False)
    wait_until(lambda: first.encode() in sent[-1], "expected the first event")
    assert b'"upserted"' in sent[-1]
    reader.pumping = True  # it accepts no further event
    told = len(sent)
    others = [ann.create_open_table(private=False), ann.create_open_table(private=False)]
    lobby = server.new_client().open_lobby()
    lobby.wait_for(lambda: set(others) <= lobby.tables.keys(), "expected the lobby to be written")
    assert len(sent) == told
    reader.pumping = False
    server.call_on_loop(reader.notify)
    whole = json.loads(sent[-1].partition(b"data: ")[2])
    assert [line["id"] for line in whole["tables"]] == [first, *others], "expected a snapshot for a slow client"
    server.call_on_loop(reader.on_close)


def test_lobby_streams_count_as_streams_429(open_server, tmp_path):
    server = open_server(limits=UNLIMITED._replace(streams_per_person=2))
    ann = server.new_client()
    lobbies = [ann.open_lobby(), ann.open_lobby()]
    assert ann.get("/api/lobby", 429)["id"] == "server-too-many-open"
    lobbies[0].stream.close()
    wait_until(lambda: server.app.asgi_routes.open_streams.count("address", "127.0.0.1") == 1, "expected one left")
    ann.open_lobby()


def test_closed_lobby_stream_leaves_nothing_behind(server):
    lobbies = [server.new_client().open_lobby() for _ in range(5)]
    lobby_service = server.app.lobby
    assert len(lobby_service.lobby_hub.visitors) == 5
    for lobby in lobbies:
        lobby.stream.close()
    wait_until(
        lambda: not lobby_service.lobby_hub.visitors and not any(lobby_service.lobby_hub.streams.values()),
        "expected no closed streams",
    )
