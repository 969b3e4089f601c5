"""Tables as they are asked for, and as they are listed."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence

import msgspec

from diamonds import bots
from diamonds.game import Malformed, Refused, find_game
from diamonds.server import messages
from diamonds.server.message import places_of
from diamonds.server.store import Line
from diamonds.server.table import Header, Places, Seat, Table


def table_line(line: Line, names: Callable[[Sequence[str]], dict[str, str]], table: Table | None) -> messages.TableLine:
    """A table in a list; ``table`` is the same in memory, if it is there: it knows who is here."""
    head = msgspec.json.decode(line.header, type=Header)
    who = msgspec.json.decode(line.places, type=Places)
    return messages.TableLine(
        id=line.table,
        game=head.game,
        title=find_game(head.game).title,
        seats=head.seats,
        options=head.options,
        places=places_of(head, who, names([place.person for place in who.seats if place.person]), table),
        phase=line.phase,  # type: ignore[arg-type]
        created=line.created,
    )


def seat_as_asked(place: str, person: str) -> Seat:
    """A place as asked for in `NewTable`."""
    nonce = secrets.token_hex(16)
    if place == "me":
        return Seat("person", person, "", nonce)
    if place == "open":
        return Seat()
    kind, _, level = place.partition(":")
    if kind != "bot":
        raise Malformed("A place is “me”, “open”, or “bot:LEVEL”.")
    try:
        bots.find_bot(level)
    except Refused as refusal:
        raise Malformed(str(refusal)) from None
    return Seat("bot", "", level, nonce)
