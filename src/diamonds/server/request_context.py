"""The address whose request is being handled, also in tasks that the request starts."""

from __future__ import annotations

from contextvars import ContextVar

requesting_address: ContextVar[str] = ContextVar("requesting_address", default="")  # empty for the server's own work
