"""What the house refuses, besides what the rules refuse: people who may not, who have had enough for now, or who are behind."""

from __future__ import annotations

from typing import Any

from diamonds.game import Illegal, Refused


class Stranger(Refused):
    """The request does not say who it is from (401)."""


class Forbidden(Refused):
    """The person it is from may not do that (403)."""


class TooMany(Refused):
    """Enough for now (429); ``wait`` is the number of seconds until the next one."""

    def __init__(self, id: str, wait: float, **values: Any) -> None:
        super().__init__(id, **values)
        self.wait = max(1, int(wait + 0.999))


class Stale(Illegal):
    """The request rests on a view that is no longer current (409); the current message comes along."""

    def __init__(self, id: str, current: bytes, **values: Any) -> None:
        super().__init__(id, **values)
        self.current = current


class Beaten(Stale):
    """Another process was quicker; this one has caught up, and it can be judged anew."""
