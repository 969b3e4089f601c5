"""What the machine allows, asked in a way that every system understands: Linux, macOS and Windows."""

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
except ImportError:  # Windows counts no open files
    limits = None  # type: ignore[assignment]

resource: Any = limits

MAX_OPEN_FILES = 1 << 20  # asked for at most: some systems say “as many as you like” and then refuse it
MIN_OPEN_FILES = 10_240  # what macOS gives where it says that


def cpu_count() -> int:
    """How many processors this process may use, at least one."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def machine_id() -> str:
    """What tells this machine from others that run now, and a container from its neighbours: who has another name is not reached at an
    address that means this machine."""
    try:
        identity = (
            Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii"),
            Path("/proc/self/ns/net").stat().st_ino,
        )
        return hashlib.blake2b(repr(identity).encode(), digest_size=6).hexdigest()
    except OSError:  # it is not Linux
        return f"{uuid.getnode():012x}"


def log_to_operator(line: str) -> None:
    """Tell whoever looks after this program. What they read may lie on the very disk that is full: then it goes on without that."""
    with contextlib.suppress(OSError):
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


def has_terminal() -> bool:
    """Return whether a terminal controls this process; one whose window was closed does not any more."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | getattr(os, "O_NOCTTY", 0)))
    except OSError:
        return False
    return True


def lower_priority(nice_steps: int) -> None:
    """From now on others come first, by so many steps of Unix's ``nice``; elsewhere nothing happens."""
    if hasattr(os, "nice"):
        os.nice(nice_steps)


def open_file_limit() -> int | None:
    """How many files and connections this process may have open; ``None`` if as many as it likes."""
    if resource is None:
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft


def raise_open_file_limit() -> None:
    """Have as many files open as the system gives; what is allowed already is never taken back."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for requested in (MAX_OPEN_FILES, MIN_OPEN_FILES):
        new_limit = requested if hard == resource.RLIM_INFINITY else min(requested, hard)
        if soft == resource.RLIM_INFINITY or soft >= new_limit:
            return
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (new_limit, hard))
        except (OSError, ValueError):  # more than the system ever gives to one process
            continue
        return
