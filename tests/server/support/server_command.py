"""Servers started by their command line: the command, the processes and their output."""

import select
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from tests.server.support.client import WAIT_TIMEOUT_S

# Runs the usual server with longer limits, so that it finishes open requests at shutdown even on a busy machine.
PATIENT_SERVER = """
from diamonds.server import main, uvicorn_server
from diamonds.server.cluster import supervisor

uvicorn_server.SHUTDOWN_GRACE_S = main.SHUTDOWN_DEADLINE_S = supervisor.KILL_TIMEOUT_S = 300
main.main()
"""


def server_command(data_dir: Path, port: int, *more: str, program: str = PATIENT_SERVER) -> list[str]:
    """Return the command that starts a server without delays or limits, or the given ``program`` instead."""
    start = ["-c", program]
    options = ["--port", str(port), "--data-dir", str(data_dir), "--bot-delay", "0", "--no-warm-up", "--no-rate-limits"]
    return [sys.executable, *start, *options, *more]


def start_process(
    command: list[str], env: Mapping[str, str] | None = None, start_new_session: bool = False
) -> subprocess.Popen[str]:
    """Start a command with its output piped."""
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=env, start_new_session=start_new_session)


def read_line(stream: IO[str] | None) -> str:
    """Return the next line of a process's output."""
    assert select.select([stream], [], [], WAIT_TIMEOUT_S)[0], "expected another line of output"
    return stream.readline()


def children(parent: int) -> list[int]:
    return [int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="utf-8").split()]
