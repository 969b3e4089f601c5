"""Failures of a request to another member."""

from __future__ import annotations

NOT_OWNER_STATUS = 421  # the status by which a member says that it does not own what it is asked for
NOT_OWNER_HEADER = b"x-diamonds-moved"


class MemberUnreachableError(Exception):
    """The member was not reached, and the request had no effect."""


class OutcomeUnknownError(Exception):
    """The member was lost after the request was sent: its outcome is unknown."""


class NotOwnerError(Exception):
    """The member does not own what was asked for."""
