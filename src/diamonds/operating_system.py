"""Differences between Linux, macOS and Windows: processors, open files, terminal, and machine identity."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import uuid
from pathlib import Path
from typing import Any

try:
    import resource as limits
except ImportError:  # Windows does not limit open files
    limits = None  # type: ignore[assignment]

resource: Any = limits

MAX_OPEN_FILES = 1 << 20  # upper limit for requests: some systems report “unlimited” but refuse more
MIN_OPEN_FILES = 10_240  # macOS grants this many when it reports “unlimited”


def cpu_count() -> int:
    """Return how many processors this process may use, at least one."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def machine_id() -> str:
    """Return an identifier of this machine or container.

    A loopback address reaches only processes with the same identifier.
    """
    try:
        identity = (
            Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii"),
            Path("/proc/self/ns/net").stat().st_ino,
        )
        return hashlib.blake2b(repr(identity).encode(), digest_size=6).hexdigest()
    except OSError:  # not on Linux
        return f"{uuid.getnode():012x}"


def log_to_operator(line: str) -> None:
    """Write a line for the operator to standard error; a full disk must not stop the program."""
    with contextlib.suppress(OSError):
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


def has_terminal() -> bool:
    """Return whether a terminal controls this process; false once its window has been closed."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | getattr(os, "O_NOCTTY", 0)))
    except OSError:
        return False
    return True


def lower_priority(nice_steps: int) -> None:
    """Lower the priority of this process by ``nice_steps``; do nothing except on Unix."""
    if hasattr(os, "nice"):
        os.nice(nice_steps)


def open_file_limit() -> int | None:
    """Return how many files and connections this process may have open; ``None`` if unlimited."""
    if resource is None:
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft


def raise_open_file_limit() -> None:
    """Raise the limit of open files as far as the system allows; never lower it."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for requested in (MAX_OPEN_FILES, MIN_OPEN_FILES):
        new_limit = requested if hard == resource.RLIM_INFINITY else min(requested, hard)
        if soft == resource.RLIM_INFINITY or soft >= new_limit:
            return
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (new_limit, hard))
        except (OSError, ValueError):  # more than the system allows one process
            continue
        return
