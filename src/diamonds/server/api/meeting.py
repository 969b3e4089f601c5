"""How people find each other: what the lobby's stream says, and what is sent to be matched. See `messages` for what holds of all."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from diamonds.server.api.messages import Pace

GameName = Annotated[str, Meta(min_length=1, max_length=40)]


class LobbySeat(Struct):
    """A seat of a table in the lobby: ``open`` to whoever comes, ``kept`` for somebody, a ``bot`` of a level, or a ``person``'s."""

    kind: Literal["open", "kept", "bot", "person"]
    name: str
    level: str | None
    here: bool


class LobbyTable(Struct):
    """A public table that can be joined (``waiting``) or watched (``playing``) now."""

    id: str
    game: str
    options: dict[str, bool | int | str]
    phase: Literal["waiting", "playing"]
    pace: Pace
    places: list[LobbySeat]
    created: float


class SeekInfo(Struct):
    """What somebody would play, and with which ``bots_after`` how many seconds bots may have the other seats."""

    games: list[str]
    seats: list[int]
    paces: list[Pace]
    bots_after: int | None


class You(Struct):
    """What the lobby tells the reader alone: what they ``seek``, and at which table somebody has been found (``met``)."""

    seek: SeekInfo | None
    met: str | None


class LobbyNews(Struct, omit_defaults=True):
    """An event of ``GET /api/lobby``. Its SSE id is the ``version``.

    The first one, and the one for whoever has fallen behind, has all ``tables`` that are shown, in the order in which they came
    to be listed; forget all earlier ones. Any other has those that are ``gone``, and those that came or changed (``put``): what is new
    goes to the end. ``more`` is how many there are besides; ``seeking`` is how many people look for others now. ``you`` comes by itself.
    """

    version: int | None = None
    tables: list[LobbyTable] | None = None
    put: list[LobbyTable] | None = None
    gone: list[str] | None = None
    more: int | None = None
    seeking: int | None = None
    you: You | None = None


class NewSeek(Struct, forbid_unknown_fields=True):
    """``POST /api/seek``: play whichever of these games, numbers of seats and paces comes first; the ones you like best first.

    ``bots_after``: after so many seconds bots may have the seats for which nobody was found. It lasts as long as your lobby's stream, until you sit
    down somewhere, or until `/api/seek/end`; another one takes its place.
    """

    games: Annotated[list[GameName], Meta(min_length=1, max_length=16)]
    seats: Annotated[list[Annotated[int, Meta(ge=2, le=16)]], Meta(min_length=1, max_length=8)]
    paces: Annotated[list[Pace], Meta(min_length=1, max_length=8)]
    bots_after: Annotated[int, Meta(ge=0, le=3600)] | None = None


class NoSeek(Struct, forbid_unknown_fields=True):
    """``POST /api/seek/end``: look for nobody any more."""
