"""Several processes at one address: one looks after the others; and several machines keep one house."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from guests import PATIENCE, Guest, free_port, hang_up, refusal, until
from witness import alive

from diamonds.server import workers
from diamonds.server.main import listen

pytestmark = pytest.mark.later

# As little of a server as a supervisor can look after: it says its number to whoever comes, and ends when it is told to or whoever
# began it is gone. One that is told `ends` does so before it takes requests. (Houses, begun anew again and again, would take long.)
SERVER = """
import select, signal, socket, sys
from diamonds.server import workers

worker, told = workers.mine(), []
if worker is None:
    with socket.create_server(("127.0.0.1", int(sys.argv[1]))) as listening:
        sys.exit(workers.Supervisor(listening, 2, lambda: print("open", flush=True)).run())
if "ends" in sys.argv:
    sys.exit(3)
signal.signal(signal.SIGTERM, lambda *_: told.append(1))
worker.is_ready()
while not told and worker.line not in select.select([worker.listening, worker.line], [], [], 0.05)[0]:
    try:
        line = worker.listening.accept()[0]
    except BlockingIOError:
        continue
    with line:
        line.sendall(b"%d" % worker.number)
"""


def supervised(port: int, *more: str) -> subprocess.Popen[str]:
    """Two processes of those, and one that looks after them."""
    command = [sys.executable, "-c", SERVER, str(port), *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def said(process: subprocess.Popen[str]) -> str:
    """Its first line."""
    assert process.stdout is not None
    assert select.select([process.stdout], [], [], PATIENCE)[0], "it says nothing"
    return process.stdout.readline()


def who_replies(port: int) -> str:
    """The number of whoever takes the next request."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as line:
        return line.recv(10).decode()


def children(parent: int) -> list[int]:
    """The processes that one has started."""
    return [int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="utf-8").split()]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="it reads /proc")
def test_who_dies_is_started_again_a_new_program_takes_over_without_a_gap_and_all_end_together():
    port = free_port()
    process = supervised(port)
    try:
        assert said(process) == "open\n"
        before = children(process.pid)
        assert len(before) == 2
        os.kill(before[0], signal.SIGKILL)
        until(lambda: len({*children(process.pid)} - {before[0]}) == 2, "who has died is not started again")
        until(lambda: {who_replies(port) for _ in range(8)} == {"1", "2"}, "not all take requests")
        old = {*children(process.pid)}
        process.send_signal(signal.SIGHUP)

        def new() -> bool:
            assert who_replies(port), "somebody is turned away"
            return not {*children(process.pid)} & old and len(children(process.pid)) == 2

        until(new, "no new processes are put in the place of the old ones")
        last = children(process.pid)
        process.terminate()
        _, says = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
        assert says in {f"Process {number} has ended (-9), and is started again.\n" for number in (1, 2)}
        assert not any(alive(pid) for pid in last)
    finally:
        process.kill()
        process.communicate()


def test_where_nobody_can_begin_all_end_with_the_status_of_who_could_not():
    process = supervised(free_port(), "ends")
    told, says = process.communicate(timeout=PATIENCE)
    assert (process.returncode, told, says) == (3, "", "")


def test_several_processes_need_a_store_that_they_can_share(tmp_path):
    says = refusal("--port", "0", "--data", str(tmp_path), "--workers", "2")
    assert says.startswith("Several processes keep their games in PostgreSQL: add --store"), says


@contextmanager
def serving(folder: Path, port: int, *more: str) -> Iterator[subprocess.Popen[str]]:
    """A house that is open meanwhile."""
    command = [sys.executable, "-m", "diamonds.server", "--port", str(port), "--data", str(folder), "--think", "0"]
    process = subprocess.Popen(
        [*command, "--lazy", "--no-limits", *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert "Diamonds is open" in (line := said(process))
        assert ("2 processes" in line) == ("--workers" in more)
        yield process
    finally:
        process.terminate()
        _, says = process.communicate(timeout=PATIENCE)
    assert says == ""


def test_who_forgets_to_say_where_other_machines_reach_it_is_told_so_and_starts_nothing(cluster, tmp_path, monkeypatch):
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
            assert says.startswith("Another machine keeps this house too"), says
            ours.setblocking(False)
            with pytest.raises(BlockingIOError):
                ours.recv(1)  # it says that it takes requests
        with serving(tmp_path / "other", other, "--store", store, "--inner", "127.0.0.3"):
            # What is no table's is handed on from one machine to the other; a busy one is silent at times.
            guest = Guest(other)
            token = until(lambda: guest.post("/api/token", {}).get("token"), "nobody is let in")
            until(lambda: "name" in Guest(other, token).get("/api/me", None), "nobody knows who has come")
            hang_up()
