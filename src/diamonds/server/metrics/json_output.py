"""Standard output and error as JSON only: each line that anything writes becomes a log entry.

Python's own lines go through `JsonLogStream`. Those of C code and child processes go through a pipe and a thread that
reads it.
"""

from __future__ import annotations

import atexit
import io
import logging
import os
import sys
import threading
from typing import Any, TextIO

from diamonds.server.metrics import logs

DRAIN_TIMEOUT_S = 0.5  # wait for the last lines of child processes

_installed: list[TextIO] = []  # the original streams, while they are replaced


class JsonLogStream(io.TextIOBase):
    """A stream that writes each line of text to `real` as a log entry."""

    def __init__(self, real: TextIO, formatter: logging.Formatter, level: int) -> None:
        self.real = real
        self._formatter, self._level = formatter, level
        self._lock = threading.Lock()
        self._rest = ""

    def write(self, text: str, /) -> int:
        """Write the complete lines, and keep the rest for the next call."""
        with self._lock:
            *lines, self._rest = (self._rest + text).split("\n")
            for line in filter(str.strip, lines):
                self.write_entry(line.rstrip(), self._level)
        return len(text)

    def write_entry(self, text: str, level: int, error: BaseException | None = None) -> None:
        """Write one entry, with the location of an error (`logs.safe_traceback`)."""
        exc_info = (type(error), error, error.__traceback__) if error else None
        record = logging.LogRecord("diamonds", level, "", 0, text, None, exc_info)
        self.real.write(f"{self._formatter.format(record)}\n")

    def flush(self) -> None:
        """Flush the real stream."""
        self.real.flush()

    def writable(self) -> bool:
        """Return True."""
        return True

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The encoding of the real stream."""
        return self.real.encoding


def install(process: int = 0) -> None:
    """Write only JSON until the process ends. Raise `ModuleNotFoundError` if structlog is missing."""
    if _installed:
        return
    formatter = logs.structured_formatter("json", process)
    sys.stdout.flush()
    sys.stderr.flush()
    for descriptor, level in ((1, logging.INFO), (2, logging.WARNING)):
        real = open(os.dup(descriptor), "w", encoding="utf-8", errors="backslashreplace", buffering=1)  # noqa: SIM115
        _installed.append(real)
        setattr(sys, "stdout" if descriptor == 1 else "stderr", JsonLogStream(real, formatter, level))
    lines, pipe = os.pipe()
    for descriptor in (1, 2):
        os.dup2(pipe, descriptor)
    os.close(pipe)
    pump = threading.Thread(target=_pump, args=(lines,), name="output", daemon=True)
    pump.start()
    atexit.register(_drain, pump)
    logging.raiseExceptions = False  # errors of logging itself could not be written either
    logging.captureWarnings(True)
    sys.excepthook = lambda _kind, error, _trace: _log_error("The program ended with an error.", error)
    threading.excepthook = lambda args: _log_error("A thread ended with an error.", args.exc_value)
    sys.unraisablehook = lambda args: _log_error("An error occurred where it could not be raised.", args.exc_value)


def child_output() -> dict[str, Any]:
    """Return the `subprocess.Popen` arguments for a child that writes JSON itself."""
    return {"stdout": _installed[0], "stderr": _installed[1]} if _installed else {}


def _log_error(message: str, error: BaseException | None) -> None:
    if isinstance(sys.stderr, JsonLogStream) and not isinstance(error, KeyboardInterrupt):
        sys.stderr.write_entry(message, logging.ERROR, error)


def _pump(lines: int) -> None:
    with open(lines, encoding="utf-8", errors="backslashreplace") as source:
        for line in source:
            sys.stderr.write(line if line.endswith("\n") else f"{line}\n")


def _drain(pump: threading.Thread) -> None:
    """Wait for the last output of child processes."""
    for descriptor, real in zip((1, 2), _installed, strict=True):
        os.dup2(real.fileno(), descriptor)
    pump.join(DRAIN_TIMEOUT_S)
