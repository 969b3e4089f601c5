"""Messages about readiness, for proxies and monitoring; the web client uses none of them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

BotReadiness = Literal["ready", "compiling", "quick", "silent"]


class ReadinessResponse(Struct):
    """`GET /api/ready`: whether the server takes requests; 503 if not.

    `store`: commits succeed. `bots`: `ready`; `compiling`, while fast bots substitute for the levels; `quick`, if
    there are no levels; or `silent`, if they do not respond. `shutting_down`: the server is closing. `process`: the
    number of the worker that replies.
    """

    ready: bool
    store: bool
    bots: BotReadiness
    shutting_down: bool
    process: int = 1
