"""Errors of the server, in addition to those of the rules: identity, permission, rate limits, stale requests."""

from __future__ import annotations

from typing import Any

from diamonds.errors import DiamondsError, NotAllowedError


class UnauthenticatedError(DiamondsError):
    """The request carries no identity (401)."""


class ForbiddenError(DiamondsError):
    """The person may not do that (403)."""


class RateLimitedError(DiamondsError):
    """Too many requests (429). `retry_after_s` is the wait in seconds."""

    def __init__(self, id: str, retry_after_s: float, **values: Any) -> None:
        super().__init__(id, **values)
        self.retry_after_s = max(1, int(retry_after_s + 0.999))


class StaleRequestError(NotAllowedError):
    """The request is based on an outdated view (409). The current update is included."""

    def __init__(self, id: str, update: bytes, **values: Any) -> None:
        super().__init__(id, **values)
        self.update = update


class ConcurrentChangeError(StaleRequestError):
    """Another process was faster. This process has caught up, and the request can be repeated."""
