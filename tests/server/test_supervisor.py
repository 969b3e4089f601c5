"""The supervisor of several workers, which here are minimal programs instead of servers."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from diamonds.server.cluster import supervisor
from tests.server.support.client import WAIT_TIMEOUT_S, wait_until
from tests.server.support.live_server import free_port, startup_error
from tests.server.support.recording_players import is_alive
from tests.server.support.server_command import children, read_line, start_process

pytestmark = pytest.mark.later

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
