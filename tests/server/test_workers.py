"""Servers with several workers on PostgreSQL: start, update, failure and stop."""

import http.client
import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest

from diamonds.server.cluster import supervisor
from diamonds.server.listening_sockets import listen
from diamonds.server.storage import cluster
from diamonds.server.storage.postgres_connection import LOCK_NAMESPACE, SERVER_LOCK
from tests.server import schema_versions
from tests.server.support.client import WAIT_TIMEOUT_S, Client, close_connections, wait_until
from tests.server.support.live_server import free_port, startup_error
from tests.server.support.server_command import children, read_line, server_command, start_process

pytestmark = pytest.mark.later
# The lock that a server with an earlier schema holds in its session.
SERVES = {
    6: f"SELECT pg_advisory_lock_shared({LOCK_NAMESPACE}, {SERVER_LOCK})",
    7: "INSERT INTO cluster_members (pid, started, sessions, address, machine, protocol, certificate, serving)"
    " SELECT pid, (extract(epoch FROM backend_start) * 1000000)::bigint, 'former', '', '', 1, '', 1 FROM pg_stat_activity"
    " WHERE pid = pg_backend_pid()",
}
LINUX_ONLY = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="it reads /proc")


def free_ports(count: int) -> int:
    """Return the first of ``count`` adjacent free ports."""
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


def server_options(folder: Path, port: str = "0") -> tuple[str, ...]:
    return ("--port", port, "--data-dir", str(folder), "--no-warm-up")


def get_once(port: int, path: str) -> tuple[int, str]:
    """Send a request on a new connection; return the status and body."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=WAIT_TIMEOUT_S)) as line:
        line.request("GET", path)
        reply = line.getresponse()
        return reply.status, reply.read().decode()


def worker_at(port: int) -> int:
    """Return the number of the worker that replies at a port."""
    number = Client(port).get("/api/ready", None)["process"]
    close_connections()
    assert isinstance(number, int)
    return number


# On a busy machine a worker may get no time for two seconds. Another then ends its session, and it goes on.
STARVED = ("Ended an unresponsive member.", "This member has lost its database session. Registering again.")


@contextmanager
def run_server(folder: Path, port: int, *more: str, says: str = "") -> Iterator[subprocess.Popen[str]]:
    """Run a server inside this context; assert that it logs only what is expected."""
    process = start_process(server_command(folder, port, *more))
    try:
        assert "Diamonds is open" in (line := read_line(process.stdout))
        assert (" processes" in line) == ("--workers" in more)
        yield process
    finally:
        process.terminate()
        _, logged = process.communicate(timeout=WAIT_TIMEOUT_S)
    found = "".join(line for line in logged.splitlines(True) if not line.rstrip().endswith(STARVED))
    assert found.count(says) == 1 if says else found == "", logged


@LINUX_ONLY
def test_sighup_replaces_all_workers_that_serve_metrics(postgres_cluster, tmp_path):
    port, metrics = free_port(), free_ports(2)
    more = ("--workers", "2", "--database", postgres_cluster.empty_database(), "--metrics-address", str(metrics))
    with run_server(tmp_path, port, *more) as process:
        guest = Client(port)
        guest.post("/api/token", {})
        old = {*children(process.pid)}
        process.send_signal(signal.SIGHUP)

        def replaced() -> bool:
            assert get_once(port, "/api/health")[0] == 200, "expected every request to be answered"
            for k in range(2):
                status, text = get_once(metrics + k, "/metrics")
                assert (status, "process_cpu_seconds_total" in text) == (200, True), "expected every scrape"
            return not {*children(process.pid)} & old and len(children(process.pid)) == 2

        wait_until(replaced, "expected new workers")
        for k in range(2):
            wait_until(
                lambda k=k: "diamonds_answers_total" in get_once(metrics + k, "/metrics")[1],
                "expected metrics of every worker",
            )
        close_connections()


def is_listening(pid: int, port: int) -> bool:
    rows = [row.split() for row in Path("/proc/net/tcp").read_text(encoding="utf-8").splitlines()[1:]]
    inodes = {row[9] for row in rows if row[3] == "0A" and int(row[1].partition(":")[2], 16) == port}
    handles = Path(f"/proc/{pid}/fd").iterdir()
    return any(
        os.readlink(handle) in {f"socket:[{inode}]" for inode in inodes} for handle in handles if handle.exists()
    )


@LINUX_ONLY
def test_hanging_worker_is_killed_and_its_table_continues(postgres_cluster, tmp_path):
    port = free_ports(2)
    more = ("--workers", "2", "--database", postgres_cluster.empty_database(), "--port-per-worker")
    with run_server(tmp_path, port, *more, says="has not responded for 5 seconds. Killing it.") as process:
        assert [worker_at(port), worker_at(port + 1)] == [1, 2]
        guest = Client(port + 1)
        token = guest.post("/api/token", {})["token"]
        id = Client(port + 1, token).create_table(game="mines", seats=2, seats_taken_by=["me", "bot:simple"])
        version = Client(port + 1, token).get_table(id)["version"]
        (hung,) = [pid for pid in children(process.pid) if is_listening(pid, port + 1)]
        os.kill(hung, signal.SIGSTOP)
        wait_until(lambda: hung not in children(process.pid), "expected the hanging worker to be killed")
        wait_until(
            lambda: Client(port, token).get(f"/api/tables/{id}", None).get("version", -1) >= version,
            "expected its table to be available",
        )
        wait_until(lambda: get_once(port + 1, "/api/ready")[0] == 200, "expected another worker in its place")
        close_connections()


def test_taken_port_of_any_worker_is_one_error_line(postgres_cluster, tmp_path):
    port = free_ports(2)
    database = postgres_cluster.database_url()
    told = (*server_options(tmp_path, str(port)), "--workers", "2", "--database", database)
    with socket.create_server(("127.0.0.1", port + 1)):
        assert startup_error(*told, "--port-per-worker").startswith(f"127.0.0.1:{port + 1} cannot be opened")
        says = startup_error(*told, "--metrics-address", str(port + 1))
        assert says.startswith(f"127.0.0.1:{port + 1} cannot be opened for metrics")
        assert startup_error(*told, "--metrics-address", str(port)).startswith(f"Metrics need a port other than {port}")


def test_server_of_another_protocol_is_rejected_beside_a_running_one(postgres_cluster, tmp_path, monkeypatch):
    store = postgres_cluster.empty_database()
    with run_server(tmp_path / "one", free_port(), "--database", store, "--internal-address", "127.0.0.2"):
        monkeypatch.setattr(cluster, "PROTOCOL", cluster.PROTOCOL + 1)
        place = ("--database", store, "--internal-address", "127.0.0.3")
        other = (*server_options(tmp_path / "other"), *place)
        says = startup_error(*other)
        assert says.startswith("Another version of Diamonds already uses this database"), says
        monkeypatch.undo()
        with run_server(tmp_path / "other", free_port(), "--database", store, "--internal-address", "127.0.0.3"):
            pass


@pytest.mark.parametrize("version", [6, 7])
def test_server_is_rejected_while_one_of_an_earlier_schema_serves(postgres_cluster, tmp_path, version):
    store = postgres_cluster.empty_database()
    with psycopg.connect(store, autocommit=True) as former:
        schema_versions.make_in_postgresql(former, version)
        former.execute(SERVES[version].encode())
        place = ("--database", store, "--internal-address", "127.0.0.2")
        told = (*server_options(tmp_path), *place)
        says = startup_error(*told)
        assert says.startswith("An older Diamonds is still serving from postgresql://"), says
        assert says.count(".") <= 2
    with run_server(tmp_path, free_port(), "--database", store):
        pass  # the upgrade follows when the earlier server has ended


def test_server_warns_once_when_strangers_can_reach_its_database(postgres_cluster, tmp_path):
    store = postgres_cluster.empty_database()
    postgres_cluster.query("GRANT CONNECT ON DATABASE postgres TO PUBLIC")
    try:
        says = "can connect to this database. Run REVOKE CONNECT ON DATABASE postgres FROM PUBLIC.\n"
        with run_server(tmp_path, free_port(), "--workers", "2", "--database", store, says=says):
            pass
    finally:
        postgres_cluster.query("REVOKE CONNECT ON DATABASE postgres FROM PUBLIC")


def test_server_without_internal_address_is_rejected_beside_others(postgres_cluster, tmp_path, monkeypatch):
    store, first, other = postgres_cluster.empty_database(), free_port(), free_port()
    with run_server(tmp_path / "one", first, "--workers", "2", "--database", store, "--internal-address", "127.0.0.2"):

        def taking_requests() -> set[int]:
            found = {Client(first).get("/api/ready", None)["process"] for _ in range(8)}
            close_connections()
            return found

        wait_until(lambda: taking_requests() == {1, 2}, "expected all workers to serve requests")
        ours, theirs = socket.socketpair()
        with ours, theirs, listen("127.0.0.1", 0) as listening:  # a process on another machine
            monkeypatch.setattr(
                supervisor, "inherited_sockets", lambda: supervisor.InheritedSockets(1, listening, theirs)
            )
            says = startup_error(
                "--data-dir", str(tmp_path / "other"), "--workers", "2", "--database", store, "--no-warm-up"
            )
            assert says.startswith("Another machine uses this database"), says
            ours.setblocking(False)
            with pytest.raises(BlockingIOError):
                ours.recv(1)  # it reports that it accepts requests
        with run_server(tmp_path / "other", other, "--database", store, "--internal-address", "127.0.0.3"):
            # Requests that do not concern a table are forwarded between the machines. A busy machine may not reply, so
            # try again.
            guest = Client(other)
            token = wait_until(lambda: guest.post("/api/token", {}).get("token"), "expected an identity")
            wait_until(lambda: "name" in Client(other, token).get("/api/me", None), "expected every worker")
            close_connections()
