"""What never changes about a table."""

from __future__ import annotations

import msgspec

from diamonds.server.table.clocks import Control


class Fork(msgspec.Struct):
    """The game that a table plays on from: the commitment of its deals, and how many of its answers both share."""

    commitment: str
    n: int


class Header(msgspec.Struct):
    """What never changes about a table."""

    game: str
    seats: int
    options: dict[str, bool | int | str]
    secret: str
    invite: str
    host: str
    private: bool
    takeover: int
    created: float
    hints: bool | None = None  # allowed to all, to nobody, or to a person who is alone with bots
    version: int = 1  # of the game's rules
    clock: Control | None = None  # how much time there is; as much as one likes
    fork: Fork | None = None  # then its cards were known before, and it is for its maker alone
