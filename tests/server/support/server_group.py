"""A server of one or several processes, any of which may be killed at any moment. Dead processes are restarted."""

import contextlib
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import psycopg

from tests.server.support.client import wait_until
from tests.server.support.live_server import free_port
from tests.server.support.recording_players import Zygote, is_alive

RESTART_DELAY_S = 0.5  # after a process exits with an error, for example because the database is unreachable


class ClockOffset:
    """The offsets of a server's wall clock and monotonic clock in milliseconds.

    The file also contains the process id of the member that is cut off from the others, or 0.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.wall_ms, self.monotonic_ms = path, 0, 0
        path.write_bytes(bytes(24))

    def set(self, wall_ms: int, monotonic_ms: int) -> None:
        """Set both offsets. The monotonic clock never goes back."""
        self.wall_ms, self.monotonic_ms = wall_ms, max(monotonic_ms, self.monotonic_ms)
        told = self.wall_ms.to_bytes(8, "little", signed=True) + self.monotonic_ms.to_bytes(8, "little", signed=True)
        self._write(0, told)

    def cut_off(self, pid: int) -> None:
        """Cut this member off from the others until another process id is set."""
        self._write(16, pid.to_bytes(8, "little"))

    def _write(self, at: int, data: bytes) -> None:
        with self.path.open("r+b") as file:
            file.seek(at)
            file.write(data)


def is_older(path: Path, other: Path) -> bool:
    """Return whether a file exists and was written before another one."""
    return path.exists() and path.stat().st_mtime_ns < other.stat().st_mtime_ns


class ServerGroup:
    """Processes on one port: ``count`` members of a cluster in PostgreSQL, or one process with its file in the folder.

    A silent member counts as dead after ``dead_after_s`` seconds. ``mistake`` is a failpoint of all processes.
    The processes reach the database by ``proxied_url``, or else by ``database_url``.
    """

    def __init__(
        self,
        zygote: Zygote,
        folder: Path,
        database_url: str = "",
        count: int = 1,
        dead_after_s: float = 0.8,
        mistake: str = "",
        proxied_url: str = "",
    ) -> None:
        self.zygote, self.database_url, self.folder, self.dead_after_s, self.mistake = (
            zygote, database_url, folder, dead_after_s, mistake,
        )  # fmt: skip
        self.proxied_url = proxied_url or database_url
        self.port = free_port()
        self.log, self.clock_offset = folder / "log", ClockOffset(folder / "ahead")
        self.killed, self.failpoint_deaths = (0, 0)  # killed by the test; killed by a failpoint
        self.self_exits, self.full_outages = 0, 0
        self._founders, self.double_founders = set[int](), list[str]()
        self.unexplained_deaths: list[str] = []  # deaths without an explanation
        self.pids, self._armed, self._not_before = dict[int, int](), set[int](), dict[int, float]()
        self._thread_local, self._connections = threading.local(), list[psycopg.Connection[Any]]()
        self._lock, self._ended = threading.RLock(), threading.Event()
        for number in range(1, count + 1):
            self._start(number)
        self._restarter = threading.Thread(target=self._restart_dead, daemon=True)
        self._restarter.start()

    def _restart_dead(self) -> None:
        while not self._ended.wait(0.01):
            self._check_founders()
            with self._lock:
                for number, pid in [*self.pids.items()]:
                    if is_alive(pid) or time.monotonic() < self._not_before.get(number, 0):
                        continue
                    if number in self._not_before:
                        del self._not_before[number]
                    elif self._exited_by_itself(pid):  # its error is in the log
                        self.self_exits += 1
                        self._not_before[number] = time.monotonic() + RESTART_DELAY_S
                        continue
                    elif number in self._armed:
                        self.failpoint_deaths += 1
                    else:
                        self.unexplained_deaths.append(f"crashed: process {number} died by itself")
                    self.full_outages += len(self.pids) == 1
                    self._start(number)

    def _check_founders(self) -> None:
        """Count an outage when a process finds no other member and opens the server: its clocks then stood still.

        It is a violation if another member had joined before. On a busy machine, others may join before this is called.
        """
        if not self.database_url:
            return
        for file in self.folder.glob("opened-*"):
            opener = int(file.name.partition("-")[2])
            if opener not in self._founders:
                self._founders.add(opener)
                self.full_outages += 1
                others = [pid for pid in self.pids.values() if pid != opener and is_alive(pid)]
                others = [pid for pid in others if is_older(self.folder / f"joined-{pid}", file)]
                if others:
                    self.double_founders.append(f"inconsistent: {opener} opened the server although {others} ran")

    @property
    def kills(self) -> int:
        return self.killed + self.failpoint_deaths

    def _exited_by_itself(self, pid: int) -> bool:
        """Return whether the process ended by itself instead of being killed."""
        return self.log.with_name(f"ended-{pid}").exists()

    def is_complete(self) -> bool:
        """Return whether every process serves requests with its own number, and one of them owns the lobby."""
        if not self.database_url:
            with socket.socket() as probe:
                return all(map(is_alive, self.pids.values())) and probe.connect_ex(("127.0.0.1", self.port)) == 0
        told = (
            "SELECT count(*), bool_or(EXISTS (SELECT 1 FROM cluster_resources WHERE owner = m.number)) FROM members m, pg_stat_get_activity(m.pid::int) AS a"
            " WHERE (extract(epoch FROM a.backend_start) * 1000000)::bigint::text = m.started"
        )
        with contextlib.suppress(psycopg.Error):
            return self._rows(told) == [(len(self.pids), True)]
        return False

    def rows(self, sql: str, *values: Any) -> list[Any]:
        """Query the store, after waiting until it is reachable."""

        def found() -> Any:
            with contextlib.suppress(psycopg.Error, apsw.BusyError):
                return [self._rows(sql, *values)]
            return None

        return wait_until(found, "expected the store to become reachable")[0]  # type: ignore[no-any-return]

    def _rows(self, sql: str, *values: Any) -> list[Any]:
        """Query the store once, over a connection of the calling thread."""
        if not self.database_url:
            path = str(self.folder / "diamonds.sqlite")
            with contextlib.closing(apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)) as disk:
                return [*disk.execute(sql, values)]
        if getattr(self._thread_local, "line", None) is None:
            self._thread_local.line = psycopg.connect(self.database_url, autocommit=True)
            self._connections.append(self._thread_local.line)
        try:
            return self._thread_local.line.execute(sql.replace("?", "%s"), values).fetchall()  # type: ignore[no-any-return]
        except psycopg.Error:
            self._thread_local.line.close()
            self._thread_local.line = None
            raise

    def _start(self, number: int, failpoint: str = "") -> None:
        """Start a process, which serves requests as soon as it is up."""
        more: dict[str, Any] = {"log": str(self.log), "clock": str(self.clock_offset.path)}
        if self.database_url:
            more |= {"store": self.proxied_url, "number": number, "lives": self.dead_after_s}
        self._armed.discard(number)
        if failpoint:
            self._armed.add(number)
        self.pids[number] = self.zygote.start(self.folder, self.port, failpoint or self.mistake, **more)

    def kill(self, number: int, failpoint: str = "") -> None:
        """Kill a process and start another in its place, with a failpoint if given."""
        with self._lock:
            self._kill(number)
            self.full_outages += len(self.pids) == 1
            self._start(number, "" if self.mistake else failpoint)  # a planted bug stays in every process

    def terminate(self, number: int) -> None:
        """End a process gracefully and start another in its place."""
        with self._lock:
            pid = self.pids[number]
            os.kill(pid, signal.SIGTERM)
            wait_until(lambda: not is_alive(pid), "expected the process to end")
            self.full_outages += len(self.pids) == 1
            self._start(number)

    def kill_all(self) -> None:
        """Kill all processes; the server is down for a moment."""
        with self._lock:
            for number in self.pids:
                self._kill(number)
            self.full_outages += not self.database_url
            for number in self.pids:
                self._start(number)

    def _kill(self, number: int) -> None:
        pid = self.pids[number]
        if is_alive(pid):
            os.kill(pid, signal.SIGKILL)
            wait_until(lambda: not is_alive(pid), "expected the process to die")
            self.killed += 1

    def freeze(self, number: int, seconds: float) -> None:
        """Suspend a process for a while; the process does not notice."""
        pid = self.pids[number]
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
            time.sleep(seconds)
            os.kill(pid, signal.SIGCONT)

    def cut_off(self, number: int, seconds: float) -> None:
        """Cut a process off from the other members for a while, but not from the database.

        Their messages arrive late.
        """
        self.clock_offset.cut_off(self.pids[number])
        time.sleep(seconds)
        self.clock_offset.cut_off(0)

    @contextlib.contextmanager
    def stable_membership(self) -> Iterator[None]:
        """Keep members from starting inside this context, because a new member takes over the clocks of others."""
        wait_until(self.is_complete, "expected all members to be up")
        with self._lock:
            yield

    def close(self) -> None:
        self._ended.set()
        self._restarter.join()
        for pid in self.pids.values():
            if is_alive(pid):
                os.kill(pid, signal.SIGKILL)
            wait_until(lambda pid=pid: not is_alive(pid), "expected the process to die")
        for line in self._connections:
            line.close()

    def violations(self) -> list[str]:
        """Return the errors that the processes have logged, and unexplained deaths."""
        log_text = self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""
        return (
            [f"written: {log_text[at : at + 3000]}" for at in [log_text.find("Traceback")] if at >= 0]
            + self.unexplained_deaths
            + self.double_founders
        )
