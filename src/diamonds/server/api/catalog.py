"""Messages about the server: what can be played, who the caller is, names and tokens."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from diamonds.server.api.tables import TimeControlInfo


class OptionInfo(Struct):
    """One option of a game, as data for a form. ``seats`` empty means any; ``needs`` names another option's value.

    ``title`` is what players call it, ``value_labels`` what they call those of its values that are words. ``default_from`` has defaults by another option's value, or by the number of ``seats``.
    """

    name: str
    values: list[bool | int | str]
    default: bool | int | str
    title: str
    value_labels: dict[str, str]
    description: str
    rule: str
    seats: list[int]
    needs: dict[str, bool | str] | None
    default_by: dict[str, dict[str, int]] | None


class GameInfo(Struct):
    """One of the three games. ``time_controls`` are suggested for live games, by the number of seats and by name (``fast``, ``normal``, ``slow``)."""

    name: str
    title: str
    description: str
    seats: list[int]
    default_seats: int
    options: list[OptionInfo]
    time_controls: dict[str, dict[str, TimeControlInfo]]


class LevelInfo(Struct):
    """A strength of bots that can be sat at a table."""

    level: str
    title: str
    description: str


class ServerResponse(Struct):
    """``GET /api/server``: what can be played here, and who you are.

    ``levels`` are those that can play here; ``levels_unavailable`` is a sentence that says why others cannot, or empty. ``server_name`` is what the server
    is called if it says anything of itself (``/api/about``), and else empty.
    """

    games: list[GameInfo]
    levels: list[LevelInfo]
    levels_unavailable: str
    display_name: str
    version: str
    server_name: str


class RenameRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/me``: change your display name."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]


class TokenResponse(Struct):
    """``POST /api/token``: an identity for a program: send it as ``Authorization: Bearer …``."""

    token: str
    name: str
