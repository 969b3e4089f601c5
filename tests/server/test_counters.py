"""Version counters: members reserve them at the same moment, and none is given to two."""

from __future__ import annotations

import threading
from typing import Any

import psycopg
import pytest
from guests import until

from diamonds.server.store import tables_sql
from diamonds.server.store.postgres_connection import Connection
from diamonds.server.store.postgres_schema import migrate

pytestmark = pytest.mark.later


def test_counters_are_reserved_once_when_two_members_reserve_together(cluster: Any) -> None:
    store = cluster.empty_database()
    one, other = Connection(store, "one"), Connection(store, "other")
    migrate(one)
    found: list[int] = []

    def reserve() -> None:
        with other.transaction():
            found.append(tables_sql.reserve(other, 10))

    thread = threading.Thread(target=reserve)
    with one.transaction():
        first = tables_sql.reserve(one, 10)
        thread.start()
        waits = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'other' AND wait_event_type = 'Lock'"
        with psycopg.connect(store, autocommit=True) as looks:
            until(lambda: looks.execute(waits).fetchone() == (1,), "the second does not wait for the first")
    thread.join()
    one.close()
    other.close()
    assert found == [first + 10], "both have the same counters"
