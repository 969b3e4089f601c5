"""Processes that do not end after they were asked to: tests kill them and warn instead of waiting or failing."""

from __future__ import annotations

import warnings

KILL_TIMEOUT_S = 120  # until the process is killed


def warn_killed(what: str) -> None:
    """Warn that a process was killed. This warning alone does not count as an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn(f"{what} did not end, and was killed.", stacklevel=2)
