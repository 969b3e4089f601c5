"""SIGTERM ends a server and its processes and leaves nothing behind, whatever the server was doing."""

import os
import signal
import sys
from pathlib import Path

import pytest

from tests.server.support.client import WAIT_TIMEOUT_S, Client, wait_until
from tests.server.support.live_server import free_port
from tests.server.support.recording_players import is_alive
from tests.server.support.server_command import PATIENT_SERVER, children, read_line, start_process

pytestmark = pytest.mark.later

WORKER_MARK = "spawn_main"
COMPILER_MARK = "kernels.load"


def child_commands(pid: int) -> dict[int, str]:
    found = {}
    for child in children(pid):
        path = Path(f"/proc/{child}/cmdline")
        found[child] = path.read_bytes().decode() if path.exists() else ""
    return found


@pytest.mark.parametrize("doing", ["", WORKER_MARK, COMPILER_MARK])
def test_sigterm_ends_a_server_and_its_processes(tmp_path, doing):
    port = free_port()
    more = [] if doing == COMPILER_MARK else ["--no-warm-up"]
    caches = {"XDG_CACHE_HOME": str(tmp_path / "cache")} if doing == COMPILER_MARK else {}
    server = start_process(
        [sys.executable, "-c", PATIENT_SERVER, "--port", str(port), "--data-dir", str(tmp_path / "data"), *more,
         "--no-rate-limits", "--bot-delay", "0,0"],
        env={**os.environ, **caches},
    )  # fmt: skip
    try:
        assert "Diamonds is open" in read_line(server.stdout)
        guest = Client(port, Client(port).post("/api/token", {}, 200)["token"])
        if doing == WORKER_MARK:
            guest.create_table(game="crystals", seats=4, seats_taken_by=["bot:5"] * 4)
        wait_until(
            lambda: any(doing in line for line in child_commands(server.pid).values()) or not doing,
            "expected the server to be busy",
        )
        held = child_commands(server.pid)
        server.send_signal(signal.SIGTERM)
        _, says = server.communicate(timeout=WAIT_TIMEOUT_S)
    finally:
        server.kill()
        server.communicate()
    assert says == "", "expected nothing on stderr, such as leaked semaphores"
    for pid in held:
        wait_until(lambda pid=pid: not is_alive(pid), "expected no process to outlive the server")
