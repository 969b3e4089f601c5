"""Failures of a request to another member."""

from __future__ import annotations

MOVED = 421  # the status by which a member says that it does not own what it is asked for
MOVED_HEADER = b"x-diamonds-moved"


class UnreachableError(Exception):
    """The member was not reached, and the request had no effect."""


class LostError(Exception):
    """The member was lost after the request was sent: its outcome is unknown."""


class MovedError(Exception):
    """The member does not own what was asked for."""
