"""A server clock that stands still until a test advances it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from diamonds.server import server_time
from diamonds.server.lobby.table_timeouts import TableTimeoutQueue
from diamonds.server.tables import clock_service
from tests.server.support.client import wait_until
from tests.server.support.live_server import LiveServer

START_MS = 1_700_000_000_000


class FakeClock:
    """A replacement for the system clock of a server, in milliseconds."""

    def __init__(self) -> None:
        self.wall_ms = START_MS
        self.monotonic_ms = 5_000

    def advance(self, milliseconds: int, server: LiveServer | None = None) -> None:
        """Advance the clock; if a server is given, wait until it has handled the timeouts due."""
        self.wall_ms += milliseconds
        self.monotonic_ms += milliseconds
        if server is not None:
            fire_flags(server)


def fire_flags(server: LiveServer) -> None:
    """Let the server handle the timeouts due, and wait until it has."""
    clocks = server.app.tables.clocks

    def done() -> bool:
        first = clocks.flag_timer.next_flag()
        return not clocks.tasks and (first is None or first[0] > clocks.now())

    server.call_on_loop(clocks.flag_timer.fire_due)
    wait_until(lambda: server.call_on_loop(done), "expected the due timeouts to be handled")


def fire_timeouts(server: LiveServer, timers: TableTimeoutQueue) -> None:
    """Let the server handle the table timers due, and wait until it has."""
    server.call_on_loop(timers.fire_due)
    wait_until(lambda: not server.call_on_loop(lambda: timers.tasks), "expected the due timers to be handled")


@contextmanager
def fake_time() -> Iterator[FakeClock]:
    """Yield a clock that the servers opened inside this context use."""
    fake_clock = FakeClock()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server_time, "wall_ms", lambda: fake_clock.wall_ms)
        patch.setattr(server_time, "monotonic_ms", lambda: fake_clock.monotonic_ms)
        patch.setattr(clock_service, "MAX_TIMER_S", 1e6)
        yield fake_clock


def get_clocks(guest: Any, table: str) -> Any:
    """Return the clocks of a table as a client sees them."""
    return guest.get_table(table)["clocks"]
