"""What is true of a table besides its game: who has which seat, what is asked, what was said."""

from __future__ import annotations

from collections.abc import Mapping

from diamonds import deals
from diamonds.server.api.encoding import encode
from diamonds.server.api.messages import Place, WishInfo
from diamonds.server.table.header import Header
from diamonds.server.table.places import Places, Wish, names_at, person_name
from diamonds.server.table.presence import Reader
from diamonds.server.table.table import Table
from diamonds.server.table.talking import hears_spectators, is_silent, lines_for


def info(table: Table, reader: Reader) -> bytes:
    """The `TableInfo` for a reader."""
    wish = table.wish
    # Where the people of a private table play on is not for those who only watch.
    again = table.places.again if reader.seat >= 0 or not table.header.private else ""
    asides = hears_spectators(table, reader.has_played)
    former_player = reader.seat < 0 and not asides
    # Most have blocked nobody, or nobody who has said something here: they read the same.
    unheard = reader.blocked and reader.blocked.intersection(line.person for line in table.chat)
    key = (
        reader.host,
        reader.kept,
        reader.asks,
        again,
        asides,
        former_player,
        unheard,
        table.changes,
        table.phase if wish is None else "asked",
    )
    cached = table.info_cache.get(key)
    if cached is not None:
        return cached
    header = table.header
    text = encode(
        {
            "id": table.id,
            "game": header.game,
            "title": table.game.title,
            "seats": header.seats,
            "options": header.options,
            "places": places_of(header, table.places, table.names, table),
            "phase": table.phase,
            "private": header.private,
            "takeover": header.takeover,
            "hints": table.hints,
            "pace": table.places.pace,
            "talk": table.places.talk,
            "silent": is_silent(table),
            "former_player": former_player,
            "clock": header.clock,
            "host": reader.host,
            "invite": header.invite if reader.host and header.fork is None else None,
            "kept": reader.kept if reader.kept >= 0 else None,
            "commitment": deals.commitment(table.play.secret),
            "fork": header.fork,
            "again": again or None,
            "watching": table.here.watching,
            "wish": _wish(table, wish, reader.asks) if wish else None,
            "chat": lines_for(table, asides, unheard),
        }
    )
    if len(table.info_cache) > 2:
        table.info_cache.clear()
    table.info_cache[key] = text
    return text


def _wish(table: Table, wish: Wish, mine: bool) -> WishInfo:
    """What someone asks for."""
    return WishInfo(
        wish.id,
        wish.kind,  # type: ignore[arg-type]
        table.called_here(wish.person, person_name(wish.person, table.names)),
        mine,
        wish.seat,
        wish.to if wish.kind == "undo" else None,
        wish.level or None,
        table.waiting(wish),
    )


def places_of(header: Header, places: Places, names: Mapping[str, str], table: Table | None = None) -> list[Place]:
    """Who has which seat. Without the table in memory nobody is known to be here."""
    here = table.here.seats if table else set()
    called = names_at(places, names)
    return [
        Place(
            seat,
            place.kind,  # type: ignore[arg-type]
            called[seat],
            place.level or None,
            place.kind == "bot" or (place.kind == "person" and seat in here),
            table is not None and seat in table.here.standing_in,
            place.kind == "open" and bool(place.person),
            table.here.notes.get(seat, "") if table is not None and place.kind == "bot" else "",  # type: ignore[arg-type]
        )
        for seat, place in enumerate(places.seats)
    ]
