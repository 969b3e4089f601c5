"""Servers that die at any moment, with their database and connections: nothing seen is lost, and readers agree.

`soak` does the same for longer.
"""

import itertools
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.support.client import close_connections, wait_until
from tests.server.support.consistency_players import TIMED_KINDS, UNTIMED_KINDS
from tests.server.support.faults import FAILPOINTS, Faults
from tests.server.support.postgres_proxy import PostgresProxy
from tests.server.support.recording_players import Zygote
from tests.server.support.server_group import ServerGroup
from tests.server.support.soak import SoakResult, run_games

pytestmark = pytest.mark.later

KILL_COUNT = 5 * len(FAILPOINTS)
DATABASE_FAULTS = (
    "cut_after_a_commit", "cut_before_a_commit", "kill_in_the_database", "cut_the_lines", "kill_the_database",
)  # fmt: skip


@pytest.fixture
def open_group(zygote: Zygote, tmp_path: Path) -> Iterator[Callable[..., ServerGroup]]:
    """Return a function that opens a server, which is closed after the test."""
    opened: list[ServerGroup] = []

    def open_one(*given: Any, **more: Any) -> ServerGroup:
        opened.append(ServerGroup(zygote, tmp_path, *given, **more))
        wait_until(opened[-1].is_complete, "expected the server to open")
        return opened[-1]

    yield open_one
    close_connections()
    for server in opened:
        server.close()


def run_with_faults(
    server: ServerGroup, *troubles: str, kinds: Any = UNTIMED_KINDS[:1], cluster: Any = None, proxy: Any = None
) -> SoakResult:
    """Play while these faults happen one after the other; return the result."""
    at, left = Faults(server, random.Random(1), cluster, proxy), iter(troubles)
    return run_games(server, kinds, at, lambda: next(left, None), 1, server.is_complete)


def test_nothing_seen_is_lost_wherever_one_server_is_killed(open_group):
    found = run_with_faults(open_group(), *["kill"] * KILL_COUNT, kinds=UNTIMED_KINDS)
    assert found.violations == []
    assert found.kills >= KILL_COUNT
    assert found.answers > KILL_COUNT, "the test saw too little"


def test_restart_at_the_same_address_loses_nothing(open_group):
    found = run_with_faults(open_group(), *["terminate"] * 3)
    assert found.violations == []
    assert found.self_exits == 0, "expected the test to have started each successor"


def test_games_survive_kills_of_servers_and_database_faults(open_group, postgres_cluster):
    store = postgres_cluster.empty_database()
    proxy = PostgresProxy(postgres_cluster)
    try:
        server = open_group(store, 2, proxied_url=proxy.database_url)
        troubles = [*itertools.chain(*(("kill", each) for each in DATABASE_FAULTS)), "kill_at_random"]
        found = run_with_faults(
            server, *troubles, kinds=(*UNTIMED_KINDS[:2], TIMED_KINDS[2]), cluster=postgres_cluster, proxy=proxy
        )
        assert found.violations == []
        assert proxy.cut_count >= 2, "expected connections to break"
    finally:
        proxy.close()
