"""Messages about the server: games, bot levels, the caller's name, and tokens."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from diamonds.server.api.tables import TimeControlInfo


class GameOptionInfo(Struct):
    """One option of a game, as data for a form. Empty `seats` means any; `needs` requires a value of another option.

    `title` and `value_labels` are the texts for players, the latter for values that are words. `default_by` has
    defaults by the value of another option, or by the number of `seats`.
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
    """A game. `time_controls` are suggestions for live games, by seat count and name (`fast`, `normal`, `slow`)."""

    name: str
    title: str
    description: str
    seats: list[int]
    default_seats: int
    options: list[GameOptionInfo]
    time_controls: dict[str, dict[str, TimeControlInfo]]


class BotLevelInfo(Struct):
    """A level of bots, or a plug-in bot of this server."""

    level: str
    title: str
    description: str
    plugin: bool = False


class ServerResponse(Struct):
    """`GET /api/server`: the games and bot levels here, and your name.

    `levels` can play here; `levels_unavailable` explains why the other levels cannot, and is empty if all can.
    `server_name` is empty unless the server has an about page (`/api/about`).
    """

    games: list[GameInfo]
    levels: list[BotLevelInfo]
    levels_unavailable: str
    display_name: str
    version: str
    server_name: str


class RenameRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/me`: change your display name."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]


class EmptyRequest(Struct, forbid_unknown_fields=True):
    """A request without fields: `{}`."""


class TokenResponse(Struct):
    """`POST /api/token`: an identity for a program, which sends it as `Authorization: Bearer …`."""

    token: str
    name: str
