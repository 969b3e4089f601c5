"""Messages about liveness and readiness, for proxies and monitoring; the web client uses none of them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

BotReadiness = Literal["ready", "compiling", "quick", "silent"]


class ReadinessResponse(Struct):
    """``GET /api/ready``: whether requests can be taken; 503 if not.

    ``store``: what is to be kept comes through. ``bots``: ``ready``; ``compiling`` what levels think with, while ``simple`` stands in;
    ``quick``, where no levels are offered; or ``silent``: they do not answer. ``shutting_down``: the server is closing. ``process``: the number of the worker that replies.
    """

    ready: bool
    store: bool
    bots: BotReadiness
    shutting_down: bool
    process: int = 1
