"""Faults of a server with PostgreSQL or a data folder: kills, broken connections, full disks, clock jumps."""

import contextlib
import os
import random
import resource
import signal
import time

import psycopg

from tests.server.support.postgres_cluster import PostgresCluster
from tests.server.support.postgres_proxy import BEFORE_COMMIT, BEFORE_REPLY, PostgresProxy
from tests.server.support.server_group import ServerGroup

FAILPOINTS = ("before", "written", "committed", "delivering", "swapped", "published")
HOUR_MS = 3_600_000


class Faults:
    """The faults by name. Each method returns once the fault has happened and, if it is temporary, has ended."""

    def __init__(
        self,
        servers: ServerGroup,
        rng: random.Random,
        cluster: PostgresCluster | None = None,
        proxy: PostgresProxy | None = None,
    ) -> None:
        self.servers, self.rng, self.cluster, self.proxy = servers, rng, cluster, proxy
        self.counts: dict[str, int] = {}
        self._kills_at_failpoints = 0

    def inject(self, kind: str) -> None:
        self.counts[kind] = self.counts.get(kind, 0) + 1
        getattr(self, kind)()

    def _random_member(self) -> int:
        return self.rng.choice([*self.servers.pids])

    def kill(self) -> None:
        """Kill a process and start its successor with a failpoint, so that this dies around one of its next commits."""
        self._kills_at_failpoints += 1
        self.servers.kill(
            self._random_member(),
            f"{FAILPOINTS[self._kills_at_failpoints % len(FAILPOINTS)]}:{self.rng.randrange(1, 9)}",
        )

    def kill_at_random(self) -> None:
        """Kill a process at an arbitrary moment."""
        self.servers.kill(self._random_member())

    def terminate(self) -> None:
        """End a process gracefully, and start its successor at the same address."""
        self.servers.terminate(self._random_member())

    def kill_all(self) -> None:
        self.servers.kill_all()

    def freeze(self) -> None:
        """Stop a process for about as long as the others need to declare it dead. It resumes in its old role."""
        self.servers.freeze(self._random_member(), self.rng.uniform(0.5, 3) * self.servers.dead_after_s)

    def cut_off(self) -> None:
        """Cut a process off from the other members, although all of them can reach the database."""
        self.servers.cut_off(self._random_member(), self.rng.uniform(0.5, 8))

    def put_the_clock(self) -> None:
        """Set the wall clock forward or back."""
        ahead = self.servers.clock_offset
        ahead.set(self.rng.randrange(-48 * HOUR_MS, 48 * HOUR_MS), ahead.monotonic_ms)

    def let_time_pass(self) -> None:
        """Let enough time pass for live games to time out, sometimes more than a day.

        All members must be up first, so that none starts with different clocks.
        """
        with self.servers.stable_membership():
            ahead, more = self.servers.clock_offset, self.rng.choice((7_000, 7_000, 15_000, 26 * HOUR_MS))
            ahead.set(ahead.wall_ms + more, ahead.monotonic_ms + more)

    def fill_the_disk(self) -> None:
        """Fill the disk for a while: files cannot grow beyond a small size."""
        if self.cluster is None:
            pids = [*self.servers.pids.values()]
            for size in (self.rng.choice((4096, 65536)), resource.RLIM_INFINITY):
                for pid in pids:
                    with contextlib.suppress(ProcessLookupError):
                        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
                time.sleep(self.rng.uniform(0.1, 1.0))
            return
        self.cluster.limit_file_size(str(self.rng.choice((4096, 65536, 1 << 19))))
        time.sleep(self.rng.uniform(0.1, 1.0))
        self.cluster.limit_file_size("unlimited")
        self.cluster.restart_if_down()

    # Database

    def kill_the_database(self) -> None:
        """Crash PostgreSQL and restart it after a while."""
        self.cluster.stop()
        time.sleep(self.rng.uniform(0, 1))
        self.cluster.start()

    def kill_in_the_database(self) -> None:
        """Kill one PostgreSQL process; the server recovers by itself."""
        with contextlib.suppress(psycopg.Error, ProcessLookupError, IndexError):
            busy = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
            os.kill(self.rng.choice(self.cluster.query(busy))[0], signal.SIGKILL)

    def cut_the_lines(self) -> None:
        """Break all connections to the database."""
        self.proxy.cut_connections()

    def cut_before_a_commit(self) -> None:
        """Break a connection before a commit reaches the database."""
        self.proxy.cut_at = BEFORE_COMMIT

    def cut_after_a_commit(self) -> None:
        """Break a connection after a commit but before its reply."""
        self.proxy.cut_at = BEFORE_REPLY

    def slow_the_lines(self) -> None:
        """Slow all connections for a while."""
        self.proxy.delay_s = self.rng.uniform(0.005, 0.1)
        time.sleep(self.rng.uniform(0.5, 2))
        self.proxy.delay_s = 0.0

    def hold_the_lines(self) -> None:
        """Hold back all traffic for a while."""
        self.proxy.hold_traffic(True)
        time.sleep(self.rng.uniform(0.2, 4))
        self.proxy.hold_traffic(False)


SINGLE_SERVER_FAULTS = {
    "kill": 24,
    "kill_at_random": 24,
    "kill_all": 2,
    "put_the_clock": 2,
    "let_time_pass": 1,
    "fill_the_disk": 0.5,
}  # name: relative frequency
CLUSTER_FAULTS = {
    **SINGLE_SERVER_FAULTS, "freeze": 2, "cut_off": 1, "kill_the_database": 0.7, "kill_in_the_database": 0.7,
    "cut_the_lines": 2, "cut_before_a_commit": 2, "cut_after_a_commit": 3, "slow_the_lines": 0.7,
    "hold_the_lines": 0.7,
}  # fmt: skip
