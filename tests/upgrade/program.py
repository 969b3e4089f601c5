"""The program's commands and servers, as an operator uses them.

Only this module has names of commands and options; names of routes and JSON keys are in `user.py` and
`observations.py`.
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.server.support.client import WAIT_TIMEOUT_S

CLOCK_DIR = Path(__file__).parent / "clock"
SETTINGS_FILE = "server.toml"  # the settings file of a data folder


def environment(clock_at_s: float = 0.0) -> dict[str, str]:
    """Return the environment of a program whose clock shows the Unix time `at`; 0 leaves the clock unchanged."""
    offset = clock_at_s - time.time() if clock_at_s else 0.0
    path = os.pathsep.join(filter(None, [str(CLOCK_DIR), os.environ.get("PYTHONPATH", "")]))
    return {**os.environ, "PYTHONPATH": path, "UPGRADE_CLOCK": str(offset), "LC_ALL": "C.UTF-8"}


# Commands


def run_command(*arguments: str | Path, clock_at_s: float = 0.0) -> str:
    """Run a `diamonds` command; return its output."""
    command = [str(Path(sys.executable).with_name("diamonds")), *map(str, arguments)]
    result = subprocess.run(
        command, capture_output=True, text=True, timeout=WAIT_TIMEOUT_S, env=environment(clock_at_s), check=False
    )
    assert result.returncode == 0, f"diamonds {' '.join(command[1:])}: {result.stdout}{result.stderr}"
    return result.stdout


def check(folder: Path) -> Any:
    """Check a data folder by replaying every stored game; return the findings."""
    report = json.loads(run_command("admin", "check", "--json", "--data-dir", folder))
    return {key: report[key] for key in ("tables", "entries", "file", "damaged")}


def back_up(folder: Path, archive: Path) -> None:
    """Write a backup of a data folder."""
    run_command("admin", "backup", archive, "--data-dir", folder)


def restore(archive: Path, folder: Path) -> None:
    run_command("admin", "restore", archive, "--data-dir", folder)


def transfer(source: str | Path, target: str | Path) -> None:
    """Copy everything from a data folder to a database, or back."""
    run_command("admin", "transfer", source, target)


def moderate(folder: Path, *words: str) -> Any:
    """Run a moderation command of the operator; return its reply."""
    return json.loads(run_command("admin", *words, "--json", "--data-dir", folder))


# A server


class UpgradeServer:
    """A server in a separate process, whose clock shows `at` when it starts. `database` replaces the SQLite file."""

    def __init__(
        self, data_dir: Path, clock_at_s: float = 0.0, database: str = "", options: tuple[str, ...] = ()
    ) -> None:
        store_options = ["--database", database] if database else []
        arguments = [
            "--port", "0", "--data-dir", str(data_dir), "--bot-delay", "0", "--no-warm-up", "--no-rate-limits",
            *store_options, *options,
        ]  # fmt: skip
        self.data_dir = data_dir
        self._process = subprocess.Popen(
            [sys.executable, "-m", "diamonds.server", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(clock_at_s),
        )  # fmt: skip
        self.errors: list[str] = []
        self._reader = threading.Thread(target=self._read_errors, daemon=True)
        self._reader.start()
        self.startup_line = self._process.stdout.readline()
        found = re.search(r"http://[^/ ]*:(\d+)/", self.startup_line)
        if found is None:
            self.stop()
            raise AssertionError(f"The server did not start: {self.startup_line}{''.join(self.errors)}")
        self.port = int(found[1])

    @property
    def address(self) -> str:
        """The origin of its web client."""
        return f"http://localhost:{self.port}"

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        self.errors.extend(self._process.stderr)

    def stop(self) -> None:
        """Stop the server and wait until it has ended."""
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(WAIT_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise
        self._reader.join()
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()


@contextlib.contextmanager
def serve_data_dir(data_dir: Path, clock_at_s: float = 0.0, database: str = "") -> Iterator[UpgradeServer]:
    server = UpgradeServer(data_dir, clock_at_s, database)
    try:
        yield server
    finally:
        server.stop()
