"""A PostgreSQL cluster for the tests. It opens no port and ends with the test process."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import warnings
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.server.support.client import wait_until
from tests.support import ensure_postgresql

# Starts the server, and stops it when standard input closes for any reason.
WATCHDOG_SCRIPT = '"$@" & server=$!; read -r _; kill -QUIT $server; wait $server'
STOP_TIMEOUT_S = 120  # then a server that does not stop is killed
MIN_FREE_BYTES = 1 << 29  # space for the connections of several processes
POSTGRES_SETTINGS = {
    "listen_addresses": "", "shared_buffers": "16MB", "max_connections": "40", "wal_level": "minimal",
    "max_wal_senders": "0", "autovacuum": "off", "jit": "off",
}  # fmt: skip


def postgres_programs() -> Path:
    """Return the folder of PostgreSQL's programs.

    Without them skip the test, or fail if ``DIAMONDS_REQUIRED_TOOLS`` names them.
    """
    folder = ensure_postgresql.find_programs()
    if folder is None:
        (pytest.fail if "postgresql" in os.environ.get("DIAMONDS_REQUIRED_TOOLS", "") else pytest.skip)(
            ensure_postgresql.MISSING_MESSAGE
        )
    return folder


def temp_parent_dir() -> str:
    """Return a folder in memory if there is enough space, because syncing is free there.

    A socket's path is limited to about 100 characters.
    """
    in_memory = Path("/dev/shm")
    return str(in_memory) if in_memory.is_dir() and shutil.disk_usage(in_memory).free > MIN_FREE_BYTES else "/tmp"


class PostgresCluster:
    """A PostgreSQL server whose data and socket are in its own folder. It syncs, as Diamonds requires."""

    def __init__(self) -> None:
        self._programs = postgres_programs()
        self.folder = Path(tempfile.mkdtemp(prefix="diamonds-pg-", dir=temp_parent_dir()))
        self._run_as: dict[str, Any] = {}
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            shutil.chown(self.folder, "postgres", "postgres")
            self._run_as = {"user": "postgres", "group": "postgres", "extra_groups": []}
        made = subprocess.run(
            [self._programs / "initdb", "-D", "data", "-U", "diamonds", "--auth=trust", "--encoding=UTF8",
             "--locale=C", "--no-sync", "--wal-segsize=1", "--no-instructions"],
            cwd=self.folder, capture_output=True, text=True, check=False, **self._run_as,
        )  # fmt: skip
        assert made.returncode == 0, f"initdb failed: {made.stdout}{made.stderr}"
        self.start()
        self.query(
            "REVOKE CONNECT ON DATABASE postgres FROM PUBLIC"
        )  # otherwise members warn that every user can connect

    def start(self) -> None:
        """Start the server and wait until it accepts connections."""
        settings = {**POSTGRES_SETTINGS, "unix_socket_directories": str(self.folder)}
        arguments = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._watchdog = subprocess.Popen(
                ["sh", "-c", WATCHDOG_SCRIPT, "sh", self._programs / "postgres", "-D", "data", *arguments],
                cwd=self.folder, stdin=subprocess.PIPE, stdout=log, stderr=log, process_group=0, **self._run_as,
            )  # fmt: skip
        wait_until(self._accepts_connections, "expected PostgreSQL to start")

    def _accepts_connections(self) -> bool:
        try:
            self.query("SELECT 1")
        except psycopg.OperationalError:
            assert self._watchdog.poll() is None, (self.folder / "log").read_text(encoding="utf-8")
            return False
        return True

    def stop(self) -> None:
        """Stop the server as a crash would: connections break and uncommitted changes are lost."""
        try:
            self._watchdog.communicate(timeout=STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            os.killpg(self._watchdog.pid, signal.SIGKILL)
            self._watchdog.communicate()
            with warnings.catch_warnings():
                warnings.simplefilter("always")  # this warning must not fail a test
                warnings.warn("PostgreSQL did not stop, and was killed.", stacklevel=2)

    def pids(self) -> list[int]:
        """Return the process ids of the running server."""
        pid_file = self.folder / "data" / "postmaster.pid"
        first = int(pid_file.read_text().split("\n", 1)[0]) if pid_file.exists() else 0
        children = Path(f"/proc/{first}/task/{first}/children")
        return [first, *map(int, children.read_text().split())] if children.exists() else []

    def limit_file_size(self, size: str) -> None:
        """Limit the size of the server's files, in bytes; ``unlimited`` lifts the limit."""
        for pid in self.pids():
            command = ["prlimit", f"--pid={pid}", f"--fsize={size}:"]
            subprocess.run(command, capture_output=True, check=False, **self._run_as)  # the process may have ended

    def restart_if_down(self) -> None:
        """Start the server again if it has ended or is ending, and wait until it accepts connections."""

        def is_up() -> bool:
            with contextlib.suppress(psycopg.OperationalError):
                return bool(self.query("SELECT 1"))
            return False

        wait_until(lambda: is_up() or not self.pids(), "expected PostgreSQL to be up or down")
        if not is_up():
            self.stop()
            self.start()

    def close(self) -> None:
        """Stop the server and delete its folder."""
        self.stop()
        shutil.rmtree(self.folder)

    def database_url(self) -> str:
        return f"postgresql://diamonds@/postgres?host={self.folder}"

    def query(self, sql: str) -> list[Any]:
        """Run a statement and return its rows."""
        with psycopg.connect(self.database_url(), autocommit=True) as connection:
            cursor = connection.execute(sql.encode())
            return cursor.fetchall() if cursor.description else []

    def reload(self, setting: str, value: str) -> None:
        """Change a setting and wait until the server has reloaded it."""
        self.query("SELECT pg_reload_conf()")
        wait_until(lambda: self.query(f"SHOW {setting}") == [(value,)], f"expected {setting} to become {value}")

    def empty_database(self) -> str:
        """Empty the database of the data of earlier tests, and return its URL."""
        self.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        return self.database_url()
