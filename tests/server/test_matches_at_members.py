"""Duplicate matches at several members of a cluster: tables have different owners, and members die."""

from __future__ import annotations

import pytest

from tests.server.support.client import Client, wait_until
from tests.server.support.cluster import ClusterServer, release_table, via
from tests.server.support.match_players import (
    get_match,
    own_table,
    play_deal,
    play_table,
    start_match,
    tables_of,
    wait_until_over,
)
from tests.server.support.postgres_cluster import PostgresCluster

pytestmark = pytest.mark.later


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
