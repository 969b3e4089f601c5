"""Houses that open quickly: each is a fork of one process that has imported everything (`house.py`)."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

HOUSE = Path(__file__).with_name("house.py")
PATIENCE = 300  # seconds


class Forked:
    """A house that runs, as a `subprocess.Popen` that one has started; ``says`` is what it prints."""

    def __init__(self, pid: int, says: IO[str]) -> None:
        self.pid = pid
        self.says = says

    def runs(self) -> bool:
        """Whether it has not ended."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        return True

    def end(self, how: signal.Signals, seconds: float) -> None:
        """End it, and wait until it has ended."""
        if self.runs():
            os.kill(self.pid, how)
        over = time.monotonic() + seconds
        while self.runs():
            if time.monotonic() > over:
                raise TimeoutError("The house does not close.")
            time.sleep(0.005)
        self.says.close()


class Houses:
    """The process that houses are forks of, once there is one."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def open(self, *words: str) -> Forked:
        """A house, started with these words."""
        if self._process is None:
            self._line, theirs = socket.socketpair()
            self._line.settimeout(PATIENCE)
            command = [sys.executable, str(HOUSE), str(theirs.fileno())]
            self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stderr=subprocess.DEVNULL)
            theirs.close()
        reads, writes = os.pipe()
        socket.send_fds(self._line, [json.dumps(words).encode()], [writes])
        os.close(writes)
        says = os.fdopen(reads, encoding="utf-8")
        pid = self._line.recv(64)
        if not pid:
            says.close()
            raise ChildProcessError("No house can be opened.")
        return Forked(int(pid), says)

    def close(self) -> None:
        """End that process."""
        if self._process is not None:
            self._line.close()
            self._process.wait(PATIENCE)
            self._process = None


HOUSES = Houses()
