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
import reluctant
from guests import until

import postgresql

# The server, and who ends it once nobody holds the other end of standard input any more, however that came about.
WATCHED = '"$@" & server=$!; read -r _; kill -QUIT $server; wait $server'
ROOM = 1 << 29  # bytes, for the clusters of several processes
SETTINGS = {
    "listen_addresses": "",
    "shared_buffers": "16MB",
    "max_connections": "40",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "autovacuum": "off",
    "jit": "off",
}


def programs() -> Path:
    """Where PostgreSQL's programs are. Without them a test is skipped, or fails where ``DIAMONDS_NEEDS`` names them."""
    found = postgresql.find()
    if found is None:
        (pytest.fail if "postgresql" in os.environ.get("DIAMONDS_NEEDS", "") else pytest.skip)(postgresql.MISSING)
    return found


def roomy() -> str:
    """Memory, if the machine has enough to lend, where to sync takes no time; the path of a socket may have a hundred letters."""
    in_memory = Path("/dev/shm")
    return str(in_memory) if in_memory.is_dir() and shutil.disk_usage(in_memory).free > ROOM else "/tmp"


class Cluster:
    """One server, whose data and socket lie in a folder of its own. It syncs, as every house's has to."""

    def __init__(self) -> None:
        self._programs = programs()
        self.folder = Path(tempfile.mkdtemp(prefix="diamonds-pg-", dir=roomy()))
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:  # as whom PostgreSQL does not run
            shutil.chown(self.folder, "postgres", "postgres")
            self._as = {"user": "postgres", "group": "postgres", "extra_groups": []}
        made = subprocess.run(
            [self._programs / "initdb", "-D", "data", "-U", "diamonds", "--auth=trust", "--encoding=UTF8",
             "--locale=C", "--no-sync", "--wal-segsize=1", "--no-instructions"],
            cwd=self.folder, capture_output=True, text=True, check=False, **self._as,
        )  # fmt: skip
        assert made.returncode == 0, f"No cluster could be made: {made.stdout}{made.stderr}"
        self.start()
        self.ask("REVOKE CONNECT ON DATABASE postgres FROM PUBLIC")  # a server warns of it

    def start(self) -> None:
        """Start the server; done once it takes connections."""
        settings = {**SETTINGS, "unix_socket_directories": str(self.folder)}
        given = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._watch = subprocess.Popen(
                ["sh", "-c", WATCHED, "sh", self._programs / "postgres", "-D", "data", *given],
                cwd=self.folder, stdin=subprocess.PIPE, stdout=log, stderr=log, process_group=0, **self._as,
            )  # fmt: skip
        until(self._takes_connections, "PostgreSQL does not start")

    def _takes_connections(self) -> bool:
        try:
            self.ask("SELECT 1")
        except psycopg.OperationalError:
            assert self._watch.poll() is None, (self.folder / "log").read_text(encoding="utf-8")
            return False
        return True

    def stop(self) -> None:
        """End the server as a crash does: every connection is cut, and what was not committed is gone."""
        try:
            self._watch.communicate(timeout=reluctant.PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(self._watch.pid, signal.SIGKILL)
            self._watch.communicate()
            reluctant.killed("PostgreSQL")

    def pids(self) -> list[int]:
        """All processes of the server that is there."""
        told = self.folder / "data" / "postmaster.pid"
        first = int(told.read_text().split("\n", 1)[0]) if told.exists() else 0
        children = Path(f"/proc/{first}/task/{first}/children")
        return [first, *map(int, children.read_text().split())] if children.exists() else []

    def limit_files(self, size: str) -> None:
        """No file of the server may grow beyond so many bytes, or ``unlimited``."""
        for pid in self.pids():
            command = ["prlimit", f"--pid={pid}", f"--fsize={size}:"]
            subprocess.run(command, capture_output=True, check=False, **self._as)  # it may be gone by now

    def start_again(self) -> None:
        """If the server has ended, or is about to, start it again; done once it takes connections."""

        def there() -> bool:
            with contextlib.suppress(psycopg.OperationalError):
                return bool(self.ask("SELECT 1"))
            return False

        until(lambda: there() or not self.pids(), "PostgreSQL is neither there nor gone")
        if not there():
            self.stop()
            self.start()

    def close(self) -> None:
        """End it, and leave nothing."""
        self.stop()
        shutil.rmtree(self.folder)

    def address(self) -> str:
        """Where its database is."""
        return f"postgresql://diamonds@/postgres?host={self.folder}"

    def ask(self, sql: str) -> list[Any]:
        """What the server answers."""
        with psycopg.connect(self.address(), autocommit=True) as connection:
            asked = connection.execute(sql.encode())
            return asked.fetchall() if asked.description else []

    def reload(self, setting: str, value: str) -> None:
        """Have it read its settings anew, until this one is so."""
        self.ask("SELECT pg_reload_conf()")
        until(lambda: self.ask(f"SHOW {setting}") == [(value,)], f"{setting} does not become {value}")

    def empty_database(self) -> str:
        """The address of a database in which nothing is: what another test has left is gone."""
        self.ask("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        return self.address()
