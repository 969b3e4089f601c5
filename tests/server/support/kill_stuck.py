"""What does not end although it was told to: the tests do not wait for it for ever, and do not fail for it, but say so."""

from __future__ import annotations

import warnings

KILL_TIMEOUT_S = 120  # seconds after which it is killed


def warn_killed(what: str) -> None:
    """Say so, among the warnings at the end of the suite, whose warnings are errors otherwise."""
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn(f"{what} did not end, and was killed.", stacklevel=2)
