"""Version counters: members that reserve them concurrently get different ones."""

import threading

import psycopg
import pytest

from diamonds.server.storage import tables
from diamonds.server.storage.postgres_connection import PostgresConnection
from diamonds.server.storage.postgres_schema import migrate
from tests.server.support.client import wait_until

pytestmark = pytest.mark.later


def test_version_counters_are_disjoint_when_members_reserve_together(postgres_cluster):
    store = postgres_cluster.empty_database()
    one, other = PostgresConnection(store, "one"), PostgresConnection(store, "other")
    migrate(one)
    found: list[int] = []

    def reserve() -> None:
        with other.transaction():
            found.append(tables.reserve_counters(other, 10))

    thread = threading.Thread(target=reserve)
    with one.transaction():
        first = tables.reserve_counters(one, 10)
        thread.start()
        waits = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'other' AND wait_event_type = 'Lock'"
        with psycopg.connect(store, autocommit=True) as looks:
            wait_until(lambda: looks.execute(waits).fetchone() == (1,), "expected the second one to wait")
    thread.join()
    one.close()
    other.close()
    assert found == [first + 10], "expected different counters"
