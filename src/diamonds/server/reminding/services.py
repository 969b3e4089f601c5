"""Push services: to which hosts this house brings messages. Whoever subscribes says where to; so it is one of these, or nowhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from diamonds.game import Malformed

# Those of the browsers there are; with a point before it, a name stands for all below it.
KNOWN = (
    "fcm.googleapis.com",
    ".push.services.mozilla.com",
    ".notify.windows.com",
    ".push.apple.com",
)
_LABEL = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
_HOST = re.compile(rf"(?=.{{1,253}}$)({_LABEL}\.)+(?!\d+$){_LABEL}")
_NAME = re.compile(r"\.?[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*")
_PRINTED = re.compile(r"[!-~]+")  # `urlsplit` drops tabs and line breaks, and blanks at both ends
_TRIAL = re.compile(r"http://127\.0\.0\.1:\d{1,5}")  # a service on the same machine, to try it
_PATH = re.compile(r"/[!-~]*")


class Place(NamedTuple):
    """Where a message is brought."""

    origin: str
    secure: bool
    host: str
    port: int
    path: str


class Services:
    """The hosts that are known, and ``more`` that the house's keeper trusts: names, or ``.name`` with all below it; `ValueError` if one is neither."""

    def __init__(self, more: Sequence[str] = ()) -> None:
        for name in more:
            if not _NAME.fullmatch(name) and not _TRIAL.fullmatch(name):
                raise ValueError(f"{name!r} is no host")
        self._names = (*KNOWN, *more)

    def place(self, endpoint: str) -> Place:
        """Where an address leads: a name that is known, by HTTPS, at the usual port; `Malformed` if it does not."""
        if not _PRINTED.fullmatch(endpoint):
            raise Malformed("push-endpoint")
        try:
            parts = urlsplit(endpoint)
            port = parts.port
        except ValueError:
            raise Malformed("push-endpoint") from None
        host = (parts.hostname or "").lower()
        path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
        plain = "@" not in parts.netloc and not parts.fragment and _PATH.fullmatch(path)
        origin = f"{parts.scheme}://{parts.netloc}"
        if plain and origin in self._names and _TRIAL.fullmatch(origin):
            return Place(origin, False, host, port or 80, path)
        known = any(host == name or (name.startswith(".") and host.endswith(name)) for name in self._names)
        if not plain or parts.scheme != "https" or port not in (None, 443) or not known or not _HOST.fullmatch(host):
            raise Malformed("push-endpoint")
        return Place(f"https://{host}", True, host, 443, path)
