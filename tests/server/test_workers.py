"""Servers with several workers on PostgreSQL, as operators start, update and stop them."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest
import schemas
from guests import PATIENCE, Guest, free_port, hang_up, refusal, until
from test_supervisor import children, said

from diamonds.server import workers
from diamonds.server.listening import listen
from diamonds.server.store import cluster_sql
from diamonds.server.store.postgres_connection import HOUSE, OPEN

pytestmark = pytest.mark.later
# What a server of a former schema does in its session while it serves.
SERVES = {
    6: f"SELECT pg_advisory_lock_shared({HOUSE}, {OPEN})",
    7: "INSERT INTO cluster_members (pid, started, sessions, address, machine, protocol, certificate, serving)"
    " SELECT pid, (extract(epoch FROM backend_start) * 1000000)::bigint, 'former', '', '', 1, '', 1 FROM pg_stat_activity"
    " WHERE pid = pg_backend_pid()",
}
OF_LINUX = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="it reads /proc")


def free_ports(count: int) -> int:
    """Return the first of so many neighbouring ports that are free."""
    while True:
        first = free_port()
        held = []
        try:
            for port in range(first, first + count):
                held.append(socket.create_server(("127.0.0.1", port)))
        except OSError:
            continue
        else:
            return first
        finally:
            for each in held:
                each.close()


def ask(port: int, path: str) -> tuple[int, str]:
    """Return status and body of a request on a connection of its own."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as line:
        line.request("GET", path)
        reply = line.getresponse()
        return reply.status, reply.read().decode()


def process_at(port: int) -> int:
    """Return the number of the worker that answers at a port."""
    number = Guest(port).get("/api/ready", None)["process"]
    hang_up()
    assert isinstance(number, int)
    return number


@contextmanager
def serving(folder: Path, port: int, *more: str, says: str = "") -> Iterator[subprocess.Popen[str]]:
    """A server that is open meanwhile, and says nothing but what is expected."""
    command = [sys.executable, "-m", "diamonds.server", "--port", str(port), "--data", str(folder), "--think", "0"]
    process = subprocess.Popen(
        [*command, "--lazy", "--no-limits", *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert "Diamonds is open" in (line := said(process))
        assert (" processes" in line) == ("--workers" in more)
        yield process
    finally:
        process.terminate()
        _, found = process.communicate(timeout=PATIENCE)
    assert found.count(says) == 1 if says else found == "", found


@OF_LINUX
def test_sighup_replaces_all_workers_that_tell_metrics(cluster, tmp_path):
    port, metrics = free_port(), free_ports(2)
    more = ("--workers", "2", "--store", cluster.empty_database(), "--metrics", str(metrics))
    with serving(tmp_path, port, *more) as process:
        guest = Guest(port)
        guest.post("/api/token", {})
        old = {*children(process.pid)}
        process.send_signal(signal.SIGHUP)

        def replaced() -> bool:
            assert ask(port, "/api/health")[0] == 200, "a request is refused"
            for k in range(2):
                status, text = ask(metrics + k, "/metrics")
                assert (status, "process_cpu_seconds_total" in text) == (200, True), "a scrape is refused"
            return not {*children(process.pid)} & old and len(children(process.pid)) == 2

        until(replaced, "the old workers stay")
        for k in range(2):
            until(lambda k=k: "diamonds_answers_total" in ask(metrics + k, "/metrics")[1], "a worker tells nothing")
        hang_up()


def listens_to(pid: int, port: int) -> bool:
    """Return whether a process has a listening socket at a port."""
    rows = [row.split() for row in Path("/proc/net/tcp").read_text(encoding="utf-8").splitlines()[1:]]
    inodes = {row[9] for row in rows if row[3] == "0A" and int(row[1].partition(":")[2], 16) == port}
    handles = Path(f"/proc/{pid}/fd").iterdir()
    return any(
        os.readlink(handle) in {f"socket:[{inode}]" for inode in inodes} for handle in handles if handle.exists()
    )


@OF_LINUX
def test_worker_that_hangs_is_killed_and_its_table_goes_on(cluster, tmp_path):
    port = free_ports(2)
    more = ("--workers", "2", "--store", cluster.empty_database(), "--port-each")
    with serving(tmp_path, port, *more, says="has not moved for 5 seconds, and is killed.") as process:
        assert [process_at(port), process_at(port + 1)] == [1, 2]
        guest = Guest(port + 1)
        token = guest.post("/api/token", {})["token"]
        id = Guest(port + 1, token).make(game="mines", seats=2, places=["me", "bot:simple"])
        version = Guest(port + 1, token).look(id)["version"]
        (hung,) = [pid for pid in children(process.pid) if listens_to(pid, port + 1)]
        os.kill(hung, signal.SIGSTOP)
        until(lambda: hung not in children(process.pid), "it hangs for ever")
        until(
            lambda: Guest(port, token).get(f"/api/tables/{id}", None).get("version", -1) >= version, "its table is away"
        )
        until(lambda: ask(port + 1, "/api/ready")[0] == 200, "no other worker takes its place")
        hang_up()


def test_port_each_gives_every_worker_a_port_of_its_own(cluster, tmp_path):
    port = free_ports(3)
    with serving(tmp_path, port, "--workers", "3", "--store", cluster.empty_database(), "--port-each") as process:
        assert [process_at(port + k) for k in range(3) for _ in range(4)] == [1] * 4 + [2] * 4 + [3] * 4
        assert process.poll() is None


def test_taken_port_of_any_worker_is_refused_in_one_sentence(cluster, tmp_path):
    port = free_ports(2)
    told = ("--port", str(port), "--data", str(tmp_path), "--workers", "2", "--store", cluster.address(), "--lazy")
    with socket.create_server(("127.0.0.1", port + 1)):
        assert refusal(*told, "--port-each").startswith(f"127.0.0.1:{port + 1} cannot be opened")
        says = refusal(*told, "--metrics", str(port + 1))
        assert says.startswith(f"127.0.0.1:{port + 1} cannot be opened for metrics")
        assert refusal(*told, "--metrics", str(port)).startswith(
            f"Metrics have a port of their own, which is not {port}"
        )


def test_server_of_another_protocol_is_refused_beside_a_running_one(cluster, tmp_path, monkeypatch):
    store = cluster.empty_database()
    with serving(tmp_path / "one", free_port(), "--store", store, "--inner", "127.0.0.2"):
        monkeypatch.setattr(cluster_sql, "PROTOCOL", cluster_sql.PROTOCOL + 1)
        other = ("--data", str(tmp_path / "other"), "--port", "0", "--store", store, "--lazy", "--inner", "127.0.0.3")
        says = refusal(*other)
        assert says.startswith("Processes of another version of Diamonds serve from this database"), says
        monkeypatch.undo()
        with serving(tmp_path / "other", free_port(), "--store", store, "--inner", "127.0.0.3"):
            pass


@pytest.mark.parametrize("version", [6, 7])
def test_server_is_refused_while_one_of_a_former_schema_serves(cluster, tmp_path, version):
    store = cluster.empty_database()
    with psycopg.connect(store, autocommit=True) as former:
        schemas.make_in_postgresql(former, version)
        former.execute(SERVES[version].encode())
        told = ("--data", str(tmp_path), "--port", "0", "--store", store, "--lazy", "--inner", "127.0.0.2")
        says = refusal(*told)
        assert says.startswith("An older Diamonds is still serving from postgresql://"), says
        assert says.count(".") <= 2
    with serving(tmp_path, free_port(), "--store", store):
        pass  # once it has ended, its games are brought forward


def test_server_warns_once_when_strangers_can_connect_to_its_database(cluster, tmp_path):
    store = cluster.empty_database()
    cluster.ask("GRANT CONNECT ON DATABASE postgres TO PUBLIC")
    try:
        says = "can connect to this database: run REVOKE CONNECT ON DATABASE postgres FROM PUBLIC.\n"
        with serving(tmp_path, free_port(), "--workers", "2", "--store", store, says=says):
            pass
    finally:
        cluster.ask("REVOKE CONNECT ON DATABASE postgres FROM PUBLIC")


def test_server_without_inner_address_is_refused_beside_another_machine(cluster, tmp_path, monkeypatch):
    store, first, other = cluster.empty_database(), free_port(), free_port()
    with serving(tmp_path / "one", first, "--workers", "2", "--store", store, "--inner", "127.0.0.2"):

        def taking_requests() -> set[int]:
            found = {Guest(first).get("/api/ready", None)["process"] for _ in range(8)}
            hang_up()
            return found

        until(lambda: taking_requests() == {1, 2}, "not all take requests")
        ours, theirs = socket.socketpair()
        with ours, theirs, listen("127.0.0.1", 0) as listening:  # a process of another machine
            monkeypatch.setattr(workers, "mine", lambda: workers.Worker(1, listening, theirs))
            says = refusal("--data", str(tmp_path / "other"), "--workers", "2", "--store", store, "--lazy")
            assert says.startswith("Another machine serves from this database"), says
            ours.setblocking(False)
            with pytest.raises(BlockingIOError):
                ours.recv(1)  # it says that it takes requests
        with serving(tmp_path / "other", other, "--store", store, "--inner", "127.0.0.3"):
            # What is no table's is handed on from one machine to the other; a busy one is silent at times.
            guest = Guest(other)
            token = until(lambda: guest.post("/api/token", {}).get("token"), "nobody is let in")
            until(lambda: "name" in Guest(other, token).get("/api/me", None), "nobody knows who has come")
            hang_up()
