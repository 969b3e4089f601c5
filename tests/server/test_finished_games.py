"""Finished games, which no member owns: any member reads them from the database."""

from __future__ import annotations

import pytest

from tests.server.support.client import wait_until
from tests.server.support.cluster import via
from tests.server.support.live_server import evict_tables, finish_game

pytestmark = pytest.mark.later


def test_finished_game_without_owner_shows_no_older_version(cluster_servers):
    one, other = cluster_servers
    guest = one.new_client()
    id = guest.create_table(game="mines", seats=2, seats_taken_by=["me", "bot:simple"])
    owner = one if one.owns(id) else other
    finish_game(owner, id, via(owner, guest))
    known = guest.get_table(id)["version"]
    evict_tables(owner, id)
    wait_until(lambda: not owner.owns(id), "expected the table to be released")
    for server in cluster_servers:
        message = via(server, guest).get_table(id)
        assert message["result"] is not None
        assert message["version"] >= known, "expected no smaller version"
        known = message["version"]
    assert not any(server.owns(id) for server in cluster_servers), "expected reading to claim nothing"
