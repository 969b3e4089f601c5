"""Several members serve as one server: a table's owner answers requests that arrive at any of them."""

from __future__ import annotations

from typing import Any

import pytest

from diamonds.server.http import moved_connections
from diamonds.server.http.app import AppConfig
from diamonds.server.http.rate_limits import UNLIMITED
from diamonds.server.settings_file import TomlSettings
from tests.server.support.client import (
    KEY_NUMBERS,
    Client,
    TurnFeedReader,
    first_legal,
    message_to_act,
    wait_until,
)
from tests.server.support.cluster import ClusterServer, owner_and_other, release_table, two_servers, via
from tests.server.support.live_server import seat_guests
from tests.server.test_moderation import create_account, moderate

pytestmark = pytest.mark.later


def seat_alternately(
    members: tuple[ClusterServer, ClusterServer], game: str = "fourteen", seats: int = 3, **more: Any
) -> tuple[str, list[Client]]:
    """Return a table whose players connect to the members in turn."""
    guests = [members[k % 2].new_client() for k in range(seats)]
    return seat_guests(guests, game, **more), guests


def client_to_act(guests: list[Client], id: str) -> tuple[Client, Any]:
    return next((guest, found) for guest in guests if (found := guest.get_table(id))["open_question"])


def answer(guests: list[Client], id: str) -> Any:
    """Let the client to act give its first legal answer."""
    guest, message = client_to_act(guests, id)
    return guest.answer(id, message["n"], first_legal(message))


def test_answers_at_either_member_are_seen_at_both(cluster_servers):
    id, guests = seat_alternately(cluster_servers)
    owners = [server for server in cluster_servers if server.owns(id)]
    assert len(owners) == 1, "expected one owner of a table"
    streams = [server.new_client().open_stream(id) for server in cluster_servers]
    for _ in range(6):
        message = message_to_act(guests, id)
        guest = guests[message["seat"]]
        version = guest.answer(id, message["n"], first_legal(message))["version"]
        for other in guests:
            assert other.get_table(id)["version"] >= version, "expected the newest state at each member"
    for stream in streams:
        wait_until(
            lambda stream=stream: stream.newest and stream.newest["n"] >= 6, "expected the answers on every stream"
        )


# Death of a member


def test_tables_of_a_dead_member_continue_with_bots_and_clocks(fake_clock, cluster_servers):
    one, other = cluster_servers
    guests = [other.new_client() for _ in range(2)]
    bots = guests[0].create_table(game="mines", seats=2, seats_taken_by=["me", "bot:simple"])
    timed = guests[0].create_table(
        game="mines", seats=2, seats_taken_by=["me", "open"], time_control={"days_per_move": 1}
    )
    guests[1].sit(timed, seat=1, invite=guests[0].invite)
    assert other.owns(bots)
    assert other.owns(timed)
    versions = {id: guests[0].get_table(id)["version"] for id in (bots, timed)}
    other.crash()
    wait_until(lambda: one.owns(timed) and one.owns(bots), "expected another member to own the dead member's tables")
    twins = [via(one, guest) for guest in guests]
    wait_until(lambda: twins[0].get_table(bots)["open_question"], "expected the bot to answer")
    assert twins[0].get_table(bots)["version"] >= versions[bots]
    answer(twins, timed)
    assert twins[0].get_table(timed)["version"] > versions[timed]
    n = twins[0].get_table(timed)["n"]
    fake_clock.advance(86_400_000 + 10_000, one)
    wait_until(lambda: twins[0].get_table(timed)["n"] > n, "expected the timeout at a dead member's table")


def test_clock_runs_at_a_table_that_was_handed_over(fake_clock, cluster_servers, monkeypatch):
    """Its new owner still takes the former one for the owner."""
    id, guests = seat_alternately(cluster_servers, game="mines", seats=2, time_control={"days_per_move": 1})
    former, new = owner_and_other(cluster_servers, id)
    routes = former.app.cluster_routes
    former.call_on_loop(lambda: routes.hand_over(id))
    twin = via(new, guests[0])
    monkeypatch.setattr(moved_connections, "MAX_ATTEMPTS", 0)  # as between machines
    n = twin.get_table(id)["n"]
    assert new.owns(id), "expected the former owner not to claim it again"
    fake_clock.advance(86_400_000 + 10_000, new)
    wait_until(lambda: twin.get_table(id)["n"] > n, "expected the timeout at the new owner")


def test_bot_to_act_continues_after_a_restart_of_the_cluster(fake_clock, cluster_servers):
    """Nobody opens the table. Nobody's clock runs, so no flag would ever wake it."""
    for server in cluster_servers:
        server.app.tables.bots.bot_delay = (3600.0, 3600.0)
    guest = cluster_servers[0].new_client()
    id = guest.create_table(
        game="mines", seats=2, seats_taken_by=["me", "bot:simple"], time_control={"days_per_move": 1}
    )
    while (message := guest.get_table(id))["open_question"]:
        guest.answer(id, message["n"], first_legal(message))
    for server in cluster_servers:
        server.close()
    for server in cluster_servers:
        server.open()

    def is_answered() -> bool:
        found = [server.app.tables.registry.get(id) for server in cluster_servers]
        return any(table is not None and table.n > message["n"] for table in found)

    wait_until(is_answered, "expected the bot to answer")


def test_a_dead_lobby_owner_is_replaced_and_people_find_each_other(cluster_servers):
    one, other = cluster_servers
    guest = other.new_client()
    one.crash()
    wait_until(lambda: other.cluster.owns_lobby, "expected another lobby owner")
    id = guest.create_table(game="mines", seats=2, seats_taken_by=["me", "open"], private=False, substitute_after_s=0)
    reader = other.new_client()
    stream = guest.open_stream(id)
    wait_until(lambda: stream.events, "expected a lobby event")
    lobby = reader.open_lobby()
    lobby.wait_for(lambda: id in lobby.tables, "expected the table in the lobby")
    guest.post("/api/me", {"name": "Zoe"}, 200)
    assert guest.get("/api/me")["name"] == "Zoe"


# Beyond single tables


def test_lobby_shows_tables_of_every_member(cluster_servers):
    lobbies = [server.new_client().open_lobby() for server in cluster_servers]
    for server in cluster_servers:
        guest = server.new_client()
        id = guest.create_table(
            game="mines", seats=2, seats_taken_by=["me", "open"], private=False, substitute_after_s=0
        )
        stream = guest.open_stream(id)
        assert server.owns(id)
        for lobby in lobbies:
            lobby.wait_for(lambda lobby=lobby, id=id: id in lobby.tables, "expected the table in the lobby")
        lists = [reader.new_client().get("/api/tables") for reader in cluster_servers]
        assert all(id in [line["id"] for line in found["tables"]] for found in lists)
        stream.close()


def test_turn_feed_covers_tables_of_every_member(cluster_servers):
    for server, elsewhere in (cluster_servers, cluster_servers[::-1]):
        guests = [server.new_client() for _ in range(2)]
        id = guests[0].create_table(
            game="mines", seats=2, seats_taken_by=["me", "open"], time_control={"days_per_move": 2}
        )
        guests[1].sit(id, seat=1, invite=guests[0].invite)
        assert server.owns(id)
        first, message = client_to_act(guests, id)
        hers, his = (TurnFeedReader(via(elsewhere, one)) for one in (first, guests[guests[0] is first]))
        hers.wait_for(id)
        his.wait_for()
        while message["open_question"]:
            first.answer(id, message["n"], first_legal(message))
            message = first.get_table(id)
        hers.wait_for()
        his.wait_for(id)


def test_new_name_is_used_by_every_member_before_the_reply(cluster_servers):
    for server, elsewhere in (cluster_servers, cluster_servers[::-1]):
        guest = server.new_client()
        id = guest.create_table(game="mines", seats=2, seats_taken_by=["me", "open"], substitute_after_s=0)
        twin = via(elsewhere, guest)
        twin.get_table(id)
        twin.post("/api/me", {"name": f"Ann {server.port}"}, 200)
        for reader in (guest, twin):
            assert reader.get_table(id)["table"]["seat_holders"][0]["name"] == f"Ann {server.port}"


def test_deleted_person_is_anonymous_at_every_table_before_the_reply(cluster_servers):
    one, other = cluster_servers
    people = [server.new_client() for server in cluster_servers]
    tables = []
    for guest, server in zip(people, cluster_servers, strict=True):
        guest.post("/api/me", {"name": f"Somebody {server.port}"}, 200)
        tables.append(guest.create_table(game="mines", seats=2, seats_taken_by=["me", "open"], substitute_after_s=0))
        assert server.owns(tables[-1])
    leaver = people[1]
    leaver.sit(tables[0], seat=1, invite=people[0].invite)
    name = leaver.get("/api/me")["name"]
    via(one, leaver).post("/api/me/delete", {"name": name}, 200)
    for server in cluster_servers:
        assert via(server, leaver).get("/api/me")["name"] != name, "expected no name of a deleted person"
        places = via(server, people[0]).get_table(tables[0])["table"]["seat_holders"]
        assert name not in [place["name"] for place in places], "expected no seat of a deleted person"
    assert other.member_number


def test_moderator_lists_and_closes_tables_of_every_member(postgres_cluster):
    settings = AppConfig((0, 0), UNLIMITED, server_config=TomlSettings(moderators=("Ann",)))
    with two_servers(postgres_cluster.empty_database(), settings) as members:
        ann = create_account(members[0], "Ann")
        made = {}
        for server in members:
            guest = server.new_client()
            id = guest.create_table(game="mines", seats=2, seats_taken_by=["me", "open"], substitute_after_s=0)
            made[id] = guest
            assert server.owns(id)

        def listed() -> set[str]:
            return {line["table"] for line in ann.get("/api/moderation/tables")["tables"]}

        wait_until(lambda: made.keys() <= listed(), "expected the table in the list")
        for id, guest in made.items():
            moderate(ann, action="close", table=id)
            for server in members:
                body = {"text": "hello", "idempotency_key": f"some-{next(KEY_NUMBERS):08d}"}
                assert via(server, guest).post(f"/api/tables/{id}/chat", body, 409)["id"] == "table-closed"


# Versions


@pytest.mark.parametrize("game", ["mines", "fourteen"])
def test_version_never_decreases_across_members(cluster_servers, postgres_cluster, game):
    id, guests = seat_alternately(cluster_servers, game=game, seats=2 if game == "mines" else 3)
    told: list[int] = []

    def look(guest: Client) -> None:
        for server in cluster_servers:
            told.append(via(server, guest).get_table(id)["version"])

    for turn in range(6):
        guest, message = client_to_act(guests, id)
        told.append(via(cluster_servers[turn % 2], guest).answer(id, message["n"], first_legal(message))["version"])
        look(guests[0])
        if turn % 2:
            release_table(cluster_servers, postgres_cluster, id)
            look(guests[1])
    assert told == sorted(told), "expected no smaller version"
