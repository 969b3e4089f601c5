"""Who has which seat of a table, and how its host has set it: what is stored of a table besides its game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from diamonds.server.api.tables import BotSpeed, ChatMode
from diamonds.server.people.names import BOT_NAMES, disambiguate, guest_name
from diamonds.server.tables.core.clocks import TimeControl

# The names by which the fields are stored; they never change.
_HEADER_KEYS = {"substitute_after_s": "takeover", "time_control": "clock"}
_HOLDER_KEYS = {"seated_order": "sat"}
_PROPOSAL_KEYS = {"undo_to": "to", "voters": "asked", "accepted": "agreed"}
_SEATING_KEYS = {
    "proposal": "wish",
    "initial_holders": "began",
    "bot_speed": "pace",
    "chat_mode": "talk",
    "rematch_table": "again",
    "no_show_action": "missing",
    "closed_reason": "closed",
}


class ForkOrigin(msgspec.Struct):
    """The game that a table plays on from: the commitment of its deals, and how many of its answers both share."""

    commitment: str
    n: int


class TableHeader(msgspec.Struct, rename=_HEADER_KEYS):
    """What never changes about a table."""

    game: str
    seats: int
    options: dict[str, bool | int | str]
    secret: str
    invite: str
    host: str
    private: bool
    substitute_after_s: int
    created: float
    hints: bool | None = None  # allowed to all, to nobody, or to a person who is alone with bots
    version: int = 1  # of the game's rules
    time_control: TimeControl | None = None  # how much time there is; as much as one likes
    fork: ForkOrigin | None = None  # then its cards were known before, and it is for its maker alone


class SeatHolder(msgspec.Struct, rename=_HOLDER_KEYS):
    """Who has a seat, as stored; an open one is kept for its ``person``, if it names one.

    The nonce is that of the deals (see `deals`), as hexadecimal.
    """

    kind: str = "open"
    person: str = ""
    level: str = ""
    nonce: str = ""
    seated_order: int = 0  # grows with who sits down at a table: whoever has less of it sat down earlier

    @property
    def holder_id(self) -> str:
        """Who has the seat, in one word: ``open``, ``person:ID``, ``bot:LEVEL``."""
        return {"open": "open", "person": f"person:{self.person}", "bot": f"bot:{self.level}"}[self.kind]


class Proposal(msgspec.Struct, rename=_PROPOSAL_KEYS):
    """What others have to agree to: a step back (``undo``), a seat (``sit``), another bot in a seat or none (``bot``).

    ``seat`` is whose step it is, or the seat that is to change. A step back to ``to`` can be agreed to at ``n`` alone.
    """

    kind: str = "undo"
    person: str = ""  # who asks
    seat: int = 0
    undo_to: int = 0
    level: str = ""  # of the bot; "": none
    n: int = 0
    id: int = 0
    voters: list[int] = []  # who was at the table then
    accepted: list[int] = []


class Seating(msgspec.Struct, rename=_SEATING_KEYS):
    """What changes about a table besides its game. ``nonces``, and ``began``, who had the seats, are fixed at the first deal.

    A field that is added with a default needs no new schema. ``rematch_table`` is the table at which its people play on when the game is over.
    ``closed_reason`` is why moderators have closed the table. ``no_show_action`` is what becomes of kept places whose people do not come.
    """

    seats: list[SeatHolder]
    nonces: list[str] = []
    proposal: Proposal | None = None
    initial_holders: list[str] = []
    bot_speed: BotSpeed = "steady"
    chat_mode: ChatMode = "all"
    rematch_table: str = ""
    no_show_action: Literal["", "open", "bot"] = ""  # "": they stay kept
    closed_reason: str = ""
    host: str = ""  # who is the host now, if that is not whoever made the table

    @property
    def is_full(self) -> bool:
        """Whether everyone is there, so that the game may begin."""
        return all(holder.kind != "open" for holder in self.seats)

    @property
    def has_several_people(self) -> bool:
        """Whether several people play here."""
        return sum(holder.kind == "person" for holder in self.seats) > 1

    def people(self) -> set[str]:
        """Who has a seat, for whom one is kept, and who asks for something."""
        seated = {holder.person for holder in self.seats if holder.person}
        return seated | {self.proposal.person} if self.proposal else seated

    def fix_initial_holders(self) -> None:
        """The game begins: what its deals follow from, and who plays, is written down."""
        self.nonces = self.nonces or [holder.nonce for holder in self.seats]
        self.initial_holders = [holder.holder_id for holder in self.seats]


HOST_SETTINGS = ("bot_speed", "chat_mode")  # fields of `Seating` that everyone sees and the host changes


def host_settings(source: object) -> dict[str, Any]:
    """Return the settings that a seating has, or that a request names."""
    return {name: getattr(source, name) for name in HOST_SETTINGS if hasattr(source, name)}


def resolve_seat_names(seating: Seating, names: Mapping[str, str]) -> tuple[str, ...]:
    """The name of whoever has each seat, no two alike, and of an open one none; ``names`` are those that people chose."""
    result, bot_seats = [], []
    for seat, holder in enumerate(seating.seats):
        if holder.kind == "bot":
            result.append(BOT_NAMES[seat])
            bot_seats.append(seat)
        else:
            result.append(person_name(holder.person, names) if holder.kind == "person" else "")
    return disambiguate(result, bot_seats)


def person_name(person: str, names: Mapping[str, str]) -> str:
    """What someone is called; ``names`` are those that people chose."""
    return names.get(person) or guest_name(person)


def holder_kind(holder_id: str) -> str:
    """Who has a seat, without saying which person: ``person``, ``open``, ``bot:5``."""
    return "person" if holder_id.startswith("person:") else holder_id
