"""Errors of requests to other members."""

from __future__ import annotations

from diamonds.server.storage.commit_outcomes import StoreUnavailableError

NOT_OWNER_STATUS = 421  # the reply of a member that does not own the resource
NOT_OWNER_HEADER = b"x-diamonds-moved"


class MemberUnreachableError(Exception):
    """The member was not reached, and the request had no effect."""


class OutcomeUnknownError(Exception):
    """The member was lost after the request was sent: its outcome is unknown."""


class NotOwnerError(StoreUnavailableError):
    """The member does not own the resource, and the request had no effect: the owner may answer it instead."""
