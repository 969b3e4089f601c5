"""``--log-format json``: every line that a server writes, from start to end, is JSON."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.server.support.client import WAIT_TIMEOUT_S, Client, close_connections, wait_until
from tests.server.support.live_server import free_port
from tests.server.support.server_command import children, read_line, server_command, start_process

pytestmark = pytest.mark.later

# A server in which a request for a special path causes every kind of output that can fail.
NOISY_SERVER = """
import os, subprocess, sys, threading, warnings
from diamonds.server import main
from diamonds.server.http.app import DiamondsApp

class Fails:
    def __del__(self):
        raise ValueError("H7 left behind")

def fail():
    raise ValueError("H7 in a thread")

really = DiamondsApp._http

async def http(self, scope, receive, send):
    if scope["path"] == "/api/fail":
        warnings.warn("H8 is deprecated\\n in two lines")
        os.write(2, b"C code says something\\n")
        os.write(1, b"C code says more\\n")
        print("printed")
        print("printed in", end=" ")
        print("two parts", file=sys.stdout)
        subprocess.run([sys.executable, "-c", "raise ValueError('a child failed')"])
        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
        Fails()
        raise ValueError("H7 in a request")
    await really(self, scope, receive, send)

DiamondsApp._http = http
main.main()
"""
FAILING_STARTS = "import diamonds.server.main as main\nmain.listen = lambda *_: 1 / 0\nmain.main()"


def log_entries(text: str) -> list[dict[str, Any]]:
    """Return the log entries in a text. Every line must be a JSON object with an event and a level."""
    found = []
    for line in text.splitlines():
        found.append(json.loads(line))
        assert {"event", "level", "timestamp"} <= found[-1].keys(), line
    return found


@contextmanager
def serve_json_logs(folder: Path, port: int, *more: str) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """Run a server that logs JSON; yield a list that contains its output once it has ended."""
    written: list[str] = []
    process = start_process(server_command(folder, port, "--log-format", "json", *more, program=NOISY_SERVER))
    try:
        written.append(read_line(process.stdout))
        assert "Diamonds is open" in json.loads(written[0])["event"]
        yield process, written
    finally:
        close_connections()
        process.terminate()
        written += process.communicate(timeout=WAIT_TIMEOUT_S)


def test_json_log_is_the_whole_output_of_a_server(tmp_path):
    port = free_port()
    tmp_path.chmod(0o755)
    with serve_json_logs(tmp_path, port) as (process, written):
        Client(port).send("GET", "/api/fail")
        Client(port).get("/api/health", 200)
        process.send_signal(signal.SIGHUP)
        with socket.create_connection(("127.0.0.1", port)) as line:
            line.sendall(b"no request\r\n\r\n")
            line.recv(100)
    found = log_entries("".join(written))
    events = [entry["event"] for entry in found]
    for event in (
        f"Other users can read {tmp_path}. Protect it with chmod 700.", "The server is open.", "printed",
        "printed in two parts", "C code says something", "C code says more", "ValueError: a child failed",
        "A thread ended with an error.", "An error occurred where it could not be raised.",
        "Exception in ASGI application", "The settings are unchanged (server.toml).", "The server is closed.",
    ):  # fmt: skip
        assert any(event in one for one in events), f"expected the event {event!r}"
    assert any("H8 is deprecated\n in two lines" in event for event in events), "expected a warning on one line"
    assert "H7" not in "".join(written), "expected no text of an exception"
    failed = [entry for entry in found if "failed" in entry]
    assert {entry["failed"][0] for entry in failed} == {"ValueError"}
    assert len(failed) == 3


@pytest.mark.parametrize("said_in", ["the command", "the settings"])
def test_json_log_has_the_reason_why_a_server_does_not_start(tmp_path, said_in):
    more = ["--log-format", "json"] if said_in == "the command" else []
    (tmp_path / "server.toml").write_text('log_format = "json"\nname = "Club"', encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            server_command(tmp_path, port, *more, program=NOISY_SERVER), capture_output=True, text=True, check=False
        )
        words = ["serve", "--port", str(port), "--data-dir", str(tmp_path), *more]
        cli = subprocess.run([sys.executable, "-m", "diamonds", *words], capture_output=True, text=True, check=False)
    assert (done.returncode, cli.returncode) == (2, 2)
    for one in (done, cli):
        (entry,) = log_entries(one.stdout + one.stderr)
        assert "cannot be opened" in entry["event"]
    crashed = subprocess.run(
        server_command(tmp_path, 0, *more, program=FAILING_STARTS), capture_output=True, text=True, check=False
    )
    (entry,) = log_entries(crashed.stdout + crashed.stderr)
    assert entry["event"] == "The program ended with an error."
    assert entry["failed"][0] == "ZeroDivisionError"


def test_json_log_is_the_whole_output_of_several_processes(tmp_path, database_url):
    port = free_port()
    with serve_json_logs(tmp_path, port, "--database", database_url, "--workers", "2") as (process, written):
        first, *_ = children(process.pid)
        os.kill(first, signal.SIGKILL)
        wait_until(lambda: len({*children(process.pid)} - {first}) == 2, "expected the process to start again")

        def taking_requests() -> set[int]:
            found = {Client(port).get("/api/ready", None).get("process") for _ in range(8)}
            close_connections()
            return found

        wait_until(lambda: taking_requests() == {1, 2}, "expected all processes to serve requests")
        failing = Client(port)
        wait_until(lambda: failing.send("GET", "/api/fail")[0] == 500, "expected a process to fail")
    found = log_entries("".join(written))
    events = [entry["event"] for entry in found]
    for event in ("ended (-9). Restarting it.", "C code says something", "A thread ended with an error."):
        assert any(event in one for one in events), f"expected the event {event!r}"
    assert {entry["process"] for entry in found if entry["event"] == "The server is closed."} == {1, 2}
