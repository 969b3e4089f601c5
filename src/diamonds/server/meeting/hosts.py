"""Tables whose host does not come, or has left: after a while whoever has sat there longest, and is there, is the host.

Who was the host before is that no more: they come back as anybody would. Nobody is told who it was.
"""

from __future__ import annotations

import contextlib
import logging

from diamonds.game import Unknown
from diamonds.server.api.refusals import Stale
from diamonds.server.house.tables import Tables
from diamonds.server.meeting.due import Due
from diamonds.server.store.contract import Change, Damaged
from diamonds.server.table.table import Table

AWAY = 300_000  # milliseconds

log = logging.getLogger("diamonds")


class Hosts(Due):
    """At which tables somebody sits and no host is there."""

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables.clocks.now)
        self.tables = tables

    def note(self, table: Table) -> None:
        """Something has happened at a table: its host may have come or gone."""
        if _next(table) is None:
            self.due.pop(table.id, None)
        else:
            self.wait(table.id, AWAY)

    async def _end(self, id: str) -> None:
        try:
            table = await self.tables.shelf.find(id)
            async with self.tables.turn(table):
                person = _next(table)
                if person is not None and self.tables.in_memory(table):
                    places = table.copy_of_places()
                    places.host = person
                    with contextlib.suppress(Stale):  # somebody has merged accounts
                        await self.tables.commit_places(table, places, Change(table=id))
        except (Damaged, Unknown):
            pass  # nobody is there any more
        except Exception:
            log.exception("Table %s gets no other host.", id)


def _next(table: Table) -> str | None:
    """Who would be the host of a table that has none now; nobody where there is one, or nobody to be it."""
    if table.over or table.header.fork is not None or table.here.host_reads:
        return None
    here = table.here.seats
    seated = [place for seat, place in enumerate(table.places.seats) if place.kind == "person" and seat in here]
    return min(seated, key=lambda place: place.sat).person if seated else None
