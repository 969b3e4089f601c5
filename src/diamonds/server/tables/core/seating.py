"""The stored data of a table other than its game: header, seats and the host's settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from diamonds.server.api.tables import BotSpeed, ChatMode
from diamonds.server.people.display_names import BOT_NAMES, disambiguate, guest_name
from diamonds.server.storage.schema import TABLES
from diamonds.server.tables.core.clocks import TimeControl

# The stored names of the fields, which never change.
_HEADER_KEYS = {"substitute_after_s": "takeover", "time_control": "clock", "bots_version": "bots"}
_HOLDER_KEYS = {"seated_order": "sat"}
_PROPOSAL_KEYS = {"undo_to": "to", "voters": "asked", "accepted": "agreed"}
_SEATS_AND_SETTINGS_KEYS = {
    "proposal": "wish",
    "initial_holders": "began",
    "bot_speed": "pace",
    "chat_mode": "talk",
    "rematch_table": "again",
    "no_show_action": "missing",
    "closed_reason": "closed",
}


MATCH_ENDED = "match-ended"  # `closed_reason` of a table whose match was ended early


class ForkOrigin(msgspec.Struct):
    """The origin of a fork: the commitment of its deals, and the number of answers it shares."""

    commitment: str
    n: int


class MatchTable(msgspec.Struct):
    """A table's duplicate match, the number of its deal there, from 0, and the number of deals."""

    id: str
    deal: int
    deals: int


class TableHeader(msgspec.Struct, rename=_HEADER_KEYS):
    """The part of a table that never changes."""

    game: str
    seats: int
    options: dict[str, bool | int | str]
    secret: str
    invite: str
    host: str
    private: bool
    substitute_after_s: int
    created: float
    hints: bool | None = None  # on, off, or (None) on only while one person plays alone with bots
    version: int = 1  # version of the game's rules
    time_control: TimeControl | None = None  # None for unlimited time
    bots_version: str = ""  # version of the bots when the game began; "" in older tables
    fork: ForkOrigin | None = None  # set for a fork, whose cards were known and which only its creator sees
    daily: str = ""  # set for a deal of the day, which nobody else sees until that day ends
    is_practice: bool = False  # set for a deal of an earlier day, which counts for nothing
    match: MatchTable | None = None  # set in a duplicate match, whose tables only their players see until it is over


class SeatHolder(msgspec.Struct, rename=_HOLDER_KEYS):
    """The holder of a seat, as stored. An open seat with a `person` is reserved for them.

    The hexadecimal nonce contributes to the deals (see `deals`).
    """

    kind: str = "open"
    person: str = ""
    level: str = ""
    nonce: str = ""
    seated_order: int = 0  # increases with each person who sits down, so the lowest has been here longest

    @property
    def holder_id(self) -> str:
        """The holder as text: `open`, `person:ID`, `bot:LEVEL`."""
        return {"open": "open", "person": f"person:{self.person}", "bot": f"bot:{self.level}"}[self.kind]


class Proposal(msgspec.Struct, rename=_PROPOSAL_KEYS):
    """A proposal that others vote on.

    Kinds: to undo answers (`undo`), to take a seat (`sit`), to change or remove a bot (`bot`), to pause (`pause`), or
    to let a bot answer for a person (`answer`). `seat` is the seat that undoes or changes. An undo leads back to
    `undo_to`; it can be accepted only while the game has `n` answers.
    """

    kind: str = "undo"
    person: str = ""  # the proposer
    seat: int = 0
    undo_to: int = 0
    level: str = ""  # the bot's level; empty for no bot
    n: int = 0
    id: int = 0
    voters: list[int] = []  # seats of people who were connected when it was made
    accepted: list[int] = []


class SeatsAndSettings(msgspec.Struct, rename=_SEATS_AND_SETTINGS_KEYS):
    """The part of a table that changes, other than its game.

    `nonces` and `initial_holders` are fixed at the first deal.

    A new field with a default needs no new schema. `rematch_table` is the id of the next game's table, `closed_reason`
    the moderators' reason for closing this one, or `MATCH_ENDED`. `no_show_action` determines what happens to reserved
    seats that nobody takes.
    """

    seats: list[SeatHolder]
    nonces: list[str] = []
    proposal: Proposal | None = None
    initial_holders: list[str] = []
    bot_speed: BotSpeed = "steady"
    chat_mode: ChatMode = "all"
    rematch_table: str = ""
    no_show_action: Literal["", "open", "bot"] = ""  # "" keeps them reserved
    closed_reason: str = ""
    host: str = ""  # the current host, unless it is the creator

    @property
    def moderators_reason(self) -> str:
        """The moderators' reason for closing the table; empty if they have not closed it."""
        return "" if self.closed_reason == MATCH_ENDED else self.closed_reason

    @property
    def is_full(self) -> bool:
        """Return whether all seats are taken, so that the game may start."""
        return all(holder.kind != "open" for holder in self.seats)

    @property
    def has_several_people(self) -> bool:
        """Return whether several people play here."""
        return sum(holder.kind == "person" for holder in self.seats) > 1

    def people(self) -> set[str]:
        """Return the people with a seat, with a reserved seat, or with an open proposal."""
        seated = {holder.person for holder in self.seats if holder.person}
        return seated | {self.proposal.person} if self.proposal else seated

    def fix_initial_holders(self) -> None:
        """Fix nonces and initial holders at the start of the game."""
        self.nonces = self.nonces or [holder.nonce for holder in self.seats]
        self.initial_holders = [holder.holder_id for holder in self.seats]


HOST_SETTINGS = ("bot_speed", "chat_mode")  # fields of `SeatsAndSettings` that everyone sees and the host may change


def host_settings(source: object) -> dict[str, Any]:
    """Return the host's settings in a seating or a request."""
    return {name: getattr(source, name) for name in HOST_SETTINGS if hasattr(source, name)}


def settings_columns(seating: SeatsAndSettings) -> dict[str, Any]:
    """Return the host's settings that are also columns of the table's row, because SQL selects by them.

    There are none at present. A column with the name of a setting is enough to store one.
    """
    columns = TABLES["tables"].columns
    return {name: value for name, value in host_settings(seating).items() if name in columns}


def resolve_seat_names(seating: SeatsAndSettings, names: Mapping[str, str]) -> tuple[str, ...]:
    """Return a distinct name for each seat, or an empty text if it is open. `names` are people's chosen names."""
    result, bot_seats = [], []
    for seat, holder in enumerate(seating.seats):
        if holder.kind == "bot":
            result.append(BOT_NAMES[seat])
            bot_seats.append(seat)
        else:
            result.append(person_name(holder.person, names) if holder.kind == "person" else "")
    return disambiguate(result, bot_seats)


def person_name(person: str, names: Mapping[str, str]) -> str:
    """Return a person's display name. `names` are people's chosen names."""
    return names.get(person) or guest_name(person)


def holder_kind(holder_id: str) -> str:
    """Return the holder without the person's id: `person`, `open`, `bot:5`."""
    return "person" if holder_id.startswith("person:") else holder_id
