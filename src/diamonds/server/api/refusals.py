"""What the house refuses, besides what the rules refuse: people who may not, and people who have had enough for now."""

from __future__ import annotations

from typing import Any

from diamonds.game import Refused


class Stranger(Refused):
    """The request does not say who it is from (401)."""


class Forbidden(Refused):
    """The person it is from may not do that (403)."""


class TooMany(Refused):
    """Enough for now (429); ``wait`` is the number of seconds until the next one."""

    def __init__(self, id: str, wait: float, **values: Any) -> None:
        super().__init__(id, **values)
        self.wait = max(1, int(wait + 0.999))
