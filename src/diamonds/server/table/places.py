"""Who has which seat of a table, and what someone asks the others for."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from diamonds.server.table.names import BOT_NAMES, guest_name, tell_apart

STEADY = "steady"
PACES = ("quick", STEADY, "calm")
TALKS = ("all", "phrases", "none")
MISSING = ("open", "bot")


class SeatHolder(msgspec.Struct):
    """Who has a seat, as stored; an open one is kept for its ``person``, if it names one.

    The nonce is that of the deals (see `deals`), as hexadecimal.
    """

    kind: str = "open"
    person: str = ""
    level: str = ""
    nonce: str = ""
    sat: int = 0  # grows with who sits down at a table: whoever has less of it sat down earlier

    @property
    def who(self) -> str:
        """Who has the seat, in one word: ``open``, ``person:ID``, ``bot:LEVEL``."""
        return {"open": "open", "person": f"person:{self.person}", "bot": f"bot:{self.level}"}[self.kind]


class Wish(msgspec.Struct):
    """What others have to agree to: a step back (``undo``), a seat (``sit``), another bot in a seat or none (``bot``).

    ``seat`` is whose step it is, or the seat that is to change. A step back to ``to`` can be agreed to at ``n`` alone.
    """

    kind: str = "undo"
    person: str = ""  # who asks
    seat: int = 0
    to: int = 0
    level: str = ""  # of the bot; "": none
    n: int = 0
    id: int = 0
    asked: list[int] = []  # who was at the table then
    agreed: list[int] = []


class Places(msgspec.Struct):
    """What changes about a table besides its game. ``nonces``, and ``began``, who had the seats, are fixed at the first deal.

    ``pace`` is how fast its bots answer: one of `PACES`; ``talk`` what may be said: anything, ready phrases, nothing. ``again`` is the table at which its people play on when the game is over.
    ``closed`` is why hosts have closed the table. ``missing`` is what becomes of kept places whose people do not come: they stay kept (empty), or one of `MISSING`.
    """

    seats: list[SeatHolder]
    nonces: list[str] = []
    wish: Wish | None = None
    began: list[str] = []
    pace: str = STEADY
    talk: str = "all"
    again: str = ""
    missing: str = ""
    closed: str = ""
    host: str = ""  # who is the host now, if that is not whoever made the table

    @property
    def taken(self) -> bool:
        """Whether everyone is there, so that the game may begin."""
        return all(place.kind != "open" for place in self.seats)

    @property
    def together(self) -> bool:
        """Whether several people play here."""
        return sum(place.kind == "person" for place in self.seats) > 1

    def people(self) -> set[str]:
        """Who has a seat, for whom one is kept, and who asks for something."""
        seated = {place.person for place in self.seats if place.person}
        return seated | {self.wish.person} if self.wish else seated

    def fix(self) -> None:
        """The game begins: what its deals follow from, and who plays, is written down."""
        self.nonces = self.nonces or [place.nonce for place in self.seats]
        self.began = [place.who for place in self.seats]


def names_at(places: Places, names: Mapping[str, str]) -> tuple[str, ...]:
    """The name of whoever has each seat, no two alike, and of an open one none; ``names`` are those that people chose."""
    found, ours = [], []
    for seat, place in enumerate(places.seats):
        if place.kind == "bot":
            found.append(BOT_NAMES[seat])
            ours.append(seat)
        else:
            found.append(person_name(place.person, names) if place.kind == "person" else "")
    return tell_apart(found, ours)


def person_name(person: str, names: Mapping[str, str]) -> str:
    """What someone is called; ``names`` are those that people chose."""
    return names.get(person) or guest_name(person)


def kind_of(who: str) -> str:
    """Who has a seat, without saying which person: ``person``, ``open``, ``bot:5``."""
    return "person" if who.startswith("person:") else who
