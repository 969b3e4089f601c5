"""What the house tells of itself to whoever leads people to it; the page asks for none of it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

BotReadiness = Literal["ready", "compiling", "quick", "silent"]


class ReadinessResponse(Struct):
    """``GET /api/ready``: whether requests can be taken; 503 if not.

    ``store``: what is to be kept comes through. ``bots``: ``ready``; ``compiling`` what levels think with, while ``simple`` stands in;
    ``quick``, where no levels are offered; or ``silent``: they do not answer. ``shutting_down``: the house closes. ``process``: which of several says so.
    """

    ready: bool
    store: bool
    bots: BotReadiness
    shutting_down: bool
    process: int = 1
