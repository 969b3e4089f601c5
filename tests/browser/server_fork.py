"""Fast-starting servers: each is a fork of a process that has imported everything (`server_process.py`)."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

SERVER_SCRIPT = Path(__file__).with_name("server_process.py")
WAIT_TIMEOUT_S = 300


class ForkedServer:
    """A running server, with the methods of `subprocess.Popen` that tests need."""

    def __init__(self, pid: int, stdout: IO[str]) -> None:
        self.pid = pid
        self.stdout = stdout

    def is_running(self) -> bool:
        """Return whether the server is still running."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        return True

    def stop(self, signal_number: signal.Signals, seconds: float) -> None:
        """Send a signal and wait for the end of the server."""
        if self.is_running():
            os.kill(self.pid, signal_number)
        over = time.monotonic() + seconds
        while self.is_running():
            if time.monotonic() > over:
                raise TimeoutError("The server did not stop in time.")
            time.sleep(0.005)
        self.stdout.close()


class ServerForks:
    """A process that forks servers. It starts on first use."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def fork(self, *arguments: str) -> ForkedServer:
        """Start a server with these arguments."""
        if self._process is None:
            self._control_socket, theirs = socket.socketpair()
            self._control_socket.settimeout(WAIT_TIMEOUT_S)
            command = [sys.executable, str(SERVER_SCRIPT), str(theirs.fileno())]
            self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stderr=subprocess.DEVNULL)
            theirs.close()
        reads, writes = os.pipe()
        socket.send_fds(self._control_socket, [json.dumps(arguments).encode()], [writes])
        os.close(writes)
        stdout = os.fdopen(reads, encoding="utf-8")
        pid = self._control_socket.recv(64)
        if not pid:
            stdout.close()
            raise ChildProcessError("No server could be started.")
        return ForkedServer(int(pid), stdout)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._control_socket.close()
            self._process.wait(WAIT_TIMEOUT_S)
            self._process = None


SERVER_FORKS = ServerForks()
