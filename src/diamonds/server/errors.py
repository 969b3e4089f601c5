"""Errors of the server, besides those of the rules: no identity, no permission, a rate limit, a stale request."""

from __future__ import annotations

from typing import Any

from diamonds.errors import DiamondsError, NotAllowedError


class UnauthenticatedError(DiamondsError):
    """The request does not say who it is from (401)."""


class ForbiddenError(DiamondsError):
    """The person it is from may not do that (403)."""


class RateLimitedError(DiamondsError):
    """Enough for now (429); ``wait`` is the number of seconds until the next one."""

    def __init__(self, id: str, retry_after_s: float, **values: Any) -> None:
        super().__init__(id, **values)
        self.retry_after_s = max(1, int(retry_after_s + 0.999))


class StaleRequestError(NotAllowedError):
    """The request rests on a view that is no longer current (409); the current message comes along."""

    def __init__(self, id: str, update: bytes, **values: Any) -> None:
        super().__init__(id, **values)
        self.update = update


class ConcurrentChangeError(StaleRequestError):
    """Another process was quicker; this one has caught up, and it can be judged anew."""
