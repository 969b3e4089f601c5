"""A PostgreSQL of the tests' own, which ends with them: no port is opened, and only who is on this machine reaches it."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.server.support import kill_stuck
from tests.server.support.client import wait_until
from tests.support import ensure_postgresql

# The server, and who ends it once nobody holds the other end of standard input any more, however that came about.
WATCHDOG_SCRIPT = '"$@" & server=$!; read -r _; kill -QUIT $server; wait $server'
MIN_FREE_BYTES = 1 << 29  # bytes, for the clusters of several processes
POSTGRES_SETTINGS = {
    "listen_addresses": "",
    "shared_buffers": "16MB",
    "max_connections": "40",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "autovacuum": "off",
    "jit": "off",
}


def postgres_programs() -> Path:
    """Where PostgreSQL's programs are. Without them a test is skipped, or fails where ``DIAMONDS_REQUIRED_TOOLS`` names them."""
    folder = ensure_postgresql.find_programs()
    if folder is None:
        (pytest.fail if "postgresql" in os.environ.get("DIAMONDS_REQUIRED_TOOLS", "") else pytest.skip)(
            ensure_postgresql.MISSING_MESSAGE
        )
    return folder


def temp_parent_dir() -> str:
    """Memory, if the machine has enough to lend, where to sync takes no time; the path of a socket may have a hundred letters."""
    in_memory = Path("/dev/shm")
    return str(in_memory) if in_memory.is_dir() and shutil.disk_usage(in_memory).free > MIN_FREE_BYTES else "/tmp"


class PostgresCluster:
    """One server, whose data and socket lie in a folder of its own. It syncs, as every server's has to."""

    def __init__(self) -> None:
        self._programs = postgres_programs()
        self.folder = Path(tempfile.mkdtemp(prefix="diamonds-pg-", dir=temp_parent_dir()))
        self._run_as: dict[str, Any] = {}
        if os.geteuid() == 0:  # as whom PostgreSQL does not run
            shutil.chown(self.folder, "postgres", "postgres")
            self._run_as = {"user": "postgres", "group": "postgres", "extra_groups": []}
        made = subprocess.run(
            [self._programs / "initdb", "-D", "data", "-U", "diamonds", "--auth=trust", "--encoding=UTF8",
             "--locale=C", "--no-sync", "--wal-segsize=1", "--no-instructions"],
            cwd=self.folder, capture_output=True, text=True, check=False, **self._run_as,
        )  # fmt: skip
        assert made.returncode == 0, f"No cluster could be made: {made.stdout}{made.stderr}"
        self.start()
        self.query("REVOKE CONNECT ON DATABASE postgres FROM PUBLIC")  # a server warns of it

    def start(self) -> None:
        """Start the server; done once it takes connections."""
        settings = {**POSTGRES_SETTINGS, "unix_socket_directories": str(self.folder)}
        arguments = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._watchdog = subprocess.Popen(
                ["sh", "-c", WATCHDOG_SCRIPT, "sh", self._programs / "postgres", "-D", "data", *arguments],
                cwd=self.folder, stdin=subprocess.PIPE, stdout=log, stderr=log, process_group=0, **self._run_as,
            )  # fmt: skip
        wait_until(self._accepts_connections, "PostgreSQL does not start")

    def _accepts_connections(self) -> bool:
        try:
            self.query("SELECT 1")
        except psycopg.OperationalError:
            assert self._watchdog.poll() is None, (self.folder / "log").read_text(encoding="utf-8")
            return False
        return True

    def stop(self) -> None:
        """End the server as a crash does: every connection is cut, and what was not committed is gone."""
        try:
            self._watchdog.communicate(timeout=kill_stuck.KILL_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            os.killpg(self._watchdog.pid, signal.SIGKILL)
            self._watchdog.communicate()
            kill_stuck.warn_killed("PostgreSQL")

    def pids(self) -> list[int]:
        """All processes of the server that is there."""
        pid_file = self.folder / "data" / "postmaster.pid"
        first = int(pid_file.read_text().split("\n", 1)[0]) if pid_file.exists() else 0
        children = Path(f"/proc/{first}/task/{first}/children")
        return [first, *map(int, children.read_text().split())] if children.exists() else []

    def limit_file_size(self, size: str) -> None:
        """No file of the server may grow beyond so many bytes, or ``unlimited``."""
        for pid in self.pids():
            command = ["prlimit", f"--pid={pid}", f"--fsize={size}:"]
            subprocess.run(command, capture_output=True, check=False, **self._run_as)  # it may be gone by now

    def restart_if_down(self) -> None:
        """If the server has ended, or is about to, start it again; done once it takes connections."""

        def is_up() -> bool:
            with contextlib.suppress(psycopg.OperationalError):
                return bool(self.query("SELECT 1"))
            return False

        wait_until(lambda: is_up() or not self.pids(), "PostgreSQL is neither there nor gone")
        if not is_up():
            self.stop()
            self.start()

    def close(self) -> None:
        """End it, and leave nothing."""
        self.stop()
        shutil.rmtree(self.folder)

    def database_url(self) -> str:
        """Where its database is."""
        return f"postgresql://diamonds@/postgres?host={self.folder}"

    def query(self, sql: str) -> list[Any]:
        """What the server answers."""
        with psycopg.connect(self.database_url(), autocommit=True) as connection:
            cursor = connection.execute(sql.encode())
            return cursor.fetchall() if cursor.description else []

    def reload(self, setting: str, value: str) -> None:
        """Have it read its settings anew, until this one is so."""
        self.query("SELECT pg_reload_conf()")
        wait_until(lambda: self.query(f"SHOW {setting}") == [(value,)], f"{setting} does not become {value}")

    def empty_database(self) -> str:
        """The address of a database in which nothing is: what another test has left is gone."""
        self.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        return self.database_url()
