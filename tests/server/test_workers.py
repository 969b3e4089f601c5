"""Servers with several workers: their supervisor, and their start, update, failure and stop on PostgreSQL."""

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

from diamonds.server.cluster import supervisor
from diamonds.server.listening_sockets import listen
from diamonds.server.storage.postgres_connection import LOCK_NAMESPACE, SERVER_LOCK
from tests.server import schema_versions
from tests.server.support.client import WAIT_TIMEOUT_S, Client, close_connections, wait_until
from tests.server.support.live_server import free_port, startup_error
from tests.server.support.recording_players import is_alive
from tests.server.support.server_command import children, read_line, server_command, start_process

pytestmark = pytest.mark.later

# The supervisor of workers that are minimal programs instead of servers


# A minimal worker: it replies with its number, and ends when told to or when its supervisor is gone. With `ends` it
# exits before it accepts requests. Real servers would take too long to restart so often.
WORKER_PROGRAM = """
import select, signal, socket, sys
from diamonds.server.cluster import supervisor

worker, told = supervisor.inherited_sockets(), []
if worker is None:
    with socket.create_server(("127.0.0.1", int(sys.argv[1]))) as listening:
        sys.exit(supervisor.Supervisor([supervisor.WorkerSockets(listening)] * 2, lambda: print("open", flush=True)).run())
if "ends" in sys.argv:
    sys.exit(3)
signal.signal(signal.SIGTERM, lambda *_: told.append(1))
worker.send_heartbeat()
while not told and worker.parent_pipe not in select.select([worker.listen_socket, worker.parent_pipe], [], [], 0.05)[0]:
    worker.send_heartbeat()
    try:
        line = worker.listen_socket.accept()[0]
    except BlockingIOError:
        continue
    with line:
        line.sendall(b"%d" % worker.number)
"""


def start_supervisor(port: int, *more: str) -> subprocess.Popen[str]:
    """Start a supervisor with two workers that run `WORKER_PROGRAM`."""
    command = [sys.executable, "-c", WORKER_PROGRAM, str(port), *more]
    return start_process(command)


def replying_worker(port: int) -> str:
    """Return the number of the worker that takes the next request."""
    with socket.create_connection(("127.0.0.1", port), timeout=WAIT_TIMEOUT_S) as line:
        return line.recv(10).decode()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="it reads /proc")
def test_dead_worker_restarts_reload_leaves_no_gap_and_all_end_together():
    port = free_port()
    process = start_supervisor(port)
    try:
        assert read_line(process.stdout) == "open\n"
        before = children(process.pid)
        assert len(before) == 2
        os.kill(before[0], signal.SIGKILL)
        wait_until(lambda: len({*children(process.pid)} - {before[0]}) == 2, "expected a dead worker to be replaced")
        wait_until(lambda: {replying_worker(port) for _ in range(8)} == {"1", "2"}, "expected both workers")
        old = {*children(process.pid)}
        process.send_signal(signal.SIGHUP)

        def new() -> bool:
            assert replying_worker(port), "expected every request to be answered"
            return not {*children(process.pid)} & old and len(children(process.pid)) == 2

        wait_until(new, "expected new workers")
        last = children(process.pid)
        process.terminate()
        _, says = process.communicate(timeout=WAIT_TIMEOUT_S)
        assert process.returncode == 0
        assert says in {f"Process {number} ended (-9). Restarting it.\n" for number in (1, 2)}
        assert not any(is_alive(pid) for pid in last)
    finally:
        process.kill()
        process.communicate()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="it reads /proc")
def test_supervisor_kills_and_replaces_a_worker_that_hangs():
    process = start_supervisor(free_port())
    try:
        assert read_line(process.stdout) == "open\n"
        hung, other = children(process.pid)
        os.kill(hung, signal.SIGSTOP)
        wait_until(lambda: hung not in children(process.pid) and len(children(process.pid)) == 2, "the hanging one")
        assert other in children(process.pid), "expected the other worker to live"
        process.send_signal(signal.SIGHUP)
        os.kill(other, signal.SIGSTOP)  # a worker that was told to end is also replaced
        wait_until(lambda: other not in children(process.pid) and len(children(process.pid)) == 2, "the other one")
    finally:
        process.terminate()
        _, says = process.communicate(timeout=WAIT_TIMEOUT_S)
    assert " has not responded for 5 seconds. Killing it.\n" in says


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="it reads /proc")
def test_suspended_supervisor_kills_no_worker(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(supervisor.time, "monotonic", lambda: now[0])
    with socket.create_server(("127.0.0.1", 0)) as listening:
        monkeypatch.setattr(sys, "orig_argv", [sys.executable, "-c", "import sys; sys.stdin.read()"])
        child = supervisor.WorkerProcess(1, supervisor.WorkerSockets(listening))
    try:
        child.ready_at = 0.1
        now[0] = 3600.0  # as if the supervisor had been suspended for an hour
        child.read_heartbeats()
        assert not child.is_hung
        for _ in range(5):
            now[0] += 1.0
            child.read_heartbeats()
        assert child.is_hung, "expected the silence of workers to be measured"
    finally:
        child.process.kill()
        child.process.wait()
        child.pipe.close()


def test_dead_worker_is_restarted_once_others_have_had_time_to_take_over(monkeypatch):
    now, started = [100.0], []
    monkeypatch.setattr(supervisor.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(sys, "orig_argv", [sys.executable, "-c", ""])
    with socket.create_server(("127.0.0.1", 0)) as listening:
        owner = supervisor.Supervisor([supervisor.WorkerSockets(listening)], lambda: None)
        dead = owner.workers[1] = supervisor.WorkerProcess(1, owner.worker_sockets[0])
    dead.process.wait()
    monkeypatch.setattr(supervisor, "WorkerProcess", lambda number, sockets: started.append(number))
    owner.is_open, dead.ready_at = True, 1.0
    owner.check_workers()
    assert not started, "expected the processor to be left to the other workers"
    assert dead.pipe.fileno() == -1, "expected the main loop not to be woken by a dead worker"
    now[0] += supervisor.RESTART_DELAY_S
    owner.check_workers()
    assert started == [1]


def test_supervisor_exits_with_the_status_of_workers_that_cannot_start():
    process = start_supervisor(free_port(), "ends")
    told, says = process.communicate(timeout=WAIT_TIMEOUT_S)
    assert (process.returncode, told, says) == (3, "", "")


def test_several_workers_need_a_store_that_they_can_share(tmp_path):
    says = startup_error("--port", "0", "--data-dir", str(tmp_path), "--workers", "2")
    assert says.startswith("Several processes need PostgreSQL: add --database"), says


# Real servers


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


# On a busy machine a worker may get no time for two seconds. Another worker then ends its session, and it registers
# again.
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
                ours.recv(1)  # a process that accepts requests would have reported it here
        with run_server(tmp_path / "other", other, "--database", store, "--internal-address", "127.0.0.3"):
            # Requests that do not concern a table are forwarded between the machines. A busy machine may not reply, so
            # try again.
            guest = Client(other)
            token = wait_until(lambda: guest.post("/api/token", {}).get("token"), "expected an identity")
            wait_until(lambda: "name" in Client(other, token).get("/api/me", None), "expected every worker")
            close_connections()
