"""A real server that SIGTERM stops: it ends its processes and leaves nothing behind, whatever it was doing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from guests import PATIENCE, Guest, free_port, until
from witness import alive

pytestmark = pytest.mark.later

THINKS = "spawn_main"
COMPILES = "kernels.load"


def processes_of(pid: int) -> dict[int, str]:
    """The command lines of a process's children."""
    found = {}
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split():
        path = Path(f"/proc/{child}/cmdline")
        found[int(child)] = path.read_bytes().decode() if path.exists() else ""
    return found


@pytest.mark.parametrize("doing", ["", THINKS, COMPILES])
def test_sigterm_ends_a_server_and_all_it_holds(tmp_path: Path, doing: str) -> None:
    port = free_port()
    more = [] if doing == COMPILES else ["--lazy"]
    caches = {"XDG_CACHE_HOME": str(tmp_path / "cache")} if doing == COMPILES else {}
    server = subprocess.Popen(
        [sys.executable, "-m", "diamonds.server", "--port", str(port), "--data", str(tmp_path / "data"), *more,
         "--no-limits", "--think", "0,0"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **caches},
    )  # fmt: skip
    try:
        assert server.stdout is not None
        assert "Diamonds is open" in server.stdout.readline()
        guest = Guest(port, Guest(port).post("/api/token", {}, 200)["token"])
        if doing == THINKS:
            guest.make(game="crystals", seats=4, places=["bot:5"] * 4)
        until(lambda: any(doing in line for line in processes_of(server.pid).values()) or not doing, "it does nothing")
        held = processes_of(server.pid)
        server.send_signal(signal.SIGTERM)
        _, says = server.communicate(timeout=PATIENCE)
    finally:
        server.kill()
        server.communicate()
    assert says == "", "expected nothing on stderr, such as leaked semaphores"
    for pid in held:
        until(lambda pid=pid: not alive(pid), "expected no process to outlive the server")
