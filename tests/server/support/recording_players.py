"""Servers in separate processes, started quickly."""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.server.support.client import wait_until

REPO_ROOT = str(Path(__file__).parents[3])


class Zygote:
    """A starter of servers, which forks a process that has already imported everything."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("fork_server.py"))],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, process_group=0,  # Ctrl-C is only for the tests
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), REPO_ROOT]))},
        )  # fmt: skip

    def start(self, data: Path, port: int, failpoint: str = "", **more: Any) -> int:
        """Start a server; return its process id once it accepts connections."""
        self.process.stdin.write(json.dumps({"data": str(data), "port": port, "failpoint": failpoint, **more}) + "\n")
        self.process.stdin.flush()
        pid = int(self.process.stdout.readline())

        def up() -> bool:
            if more:  # another member accepts connections on this port, so the caller has to wait for this one
                return True
            assert is_alive(pid), "the server ended before it was asked anything"
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", port)) == 0

        wait_until(up, "expected the server to start")
        return pid

    def close(self) -> None:
        """End the process and its group, which includes servers left over by a failed test."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for end in (self.process.stdin, self.process.stdout):
            end.close()


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
