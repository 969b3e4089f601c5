"""A table in memory is brought up to what is stored of it by now, because another process has written there: by what was carried here, if
that goes on from what is known; else only what is new is read."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from diamonds.entries import Answer, TimeOut, Undo, read_words
from diamonds.game import Unknown
from diamonds.server.house.called import lines_of, names
from diamonds.server.house.shelf import Shelf
from diamonds.server.store.contract import Damaged, Sharing, Stored
from diamonds.server.store.lines import Line
from diamonds.server.store.sharing import Carried
from diamonds.server.table.loading import Entry, play_entry, read_clocks, read_places
from diamonds.server.table.replaying import state_at
from diamonds.server.table.table import Table


def take(table: Table, carried: Sequence[Carried]) -> bool:
    """Take over what was carried here, in a table's turn; whether all of it is known now. If not, it is to be read: some is missing before
    it, the seats are others, or where it leads has to be worked out."""
    for one in carried:
        if one.n + len(one.entries) > table.n and not _goes_on(table, one):
            return False
        table.changes = max(table.changes, one.changes - 1)
    return True


def _goes_on(table: Table, one: Carried) -> bool:
    """Take over what goes on from what is known."""
    if table.play.state is None or (one.n, one.revision) != (table.n, table.revision):
        return False
    try:
        for stored in one.entries:
            entry = read_words(stored[1])
            if not isinstance(entry, Answer | TimeOut):
                return False
            play_entry(table, entry, stored)
        if one.clocks:
            table.clocks = read_clocks(one.clocks, one.clock_at, table.header.seats)
    except (Damaged, ValueError):  # this copy is not what others have played on
        return False
    return True


async def catch_up(sharing: Sharing, shelf: Shelf, table: Table) -> bool:
    """Take over what is new at a table, in its turn; returns whether anything is. `Unknown` if nothing is kept of it any more."""
    saved = await sharing.since(table.id, table.n)
    if saved is None:
        raise Unknown("table-unknown")
    clocks = read_clocks(saved.clocks, saved.clock_at, table.header.seats) if saved.clocks else table.clocks
    talked = _mark(saved.chat) != _mark(table.chat)
    if not saved.entries and saved.revision == table.revision and clocks == table.clocks and not talked:
        return False
    try:
        read = [read_words(words) for _, words, *_ in saved.entries]
        if any(isinstance(entry, Undo) for entry in read[1:]):
            await shelf.load_anew(table)
        else:
            await _take_over(shelf, table, saved, read, talked)
    except (Damaged, ValueError):  # this copy is not what others have played on
        await shelf.load_anew(table)
    table.clocks = clocks
    return True


async def _take_over(shelf: Shelf, table: Table, saved: Stored, read: list[Entry], talked: bool) -> None:
    """First all that has to be waited for, then everything at once."""
    before = None
    if read and isinstance(read[0], Undo):
        before = await asyncio.to_thread(state_at, table, read[0].to)
    moved = saved.revision != table.revision
    places = read_places(saved.places, table.header) if moved else table.places
    chat = await lines_of(shelf.store, saved.chat) if talked else table.chat
    called: dict[str, str] = {}
    if moved and not places.people() <= set(table.people()):
        with shelf.renamed() as since:
            called = {**await names(shelf.store, places.people()), **since}
    table.names, table.chat = {**table.names, **called}, chat
    table.places, table.revision = places, saved.revision
    if table.play.state is None and places.nonces:
        table.play.begin(places)
    for entry, stored in zip(read, saved.entries, strict=True):
        play_entry(table, entry, stored, before)


def _mark(chat: list[Line]) -> list[tuple[float, str, str]]:
    """What tells lines apart, whatever those are called by now who have said them."""
    return [(line.at, line.person, line.text) for line in chat]
