"""People who were to meet at a table and do not come: whoever has sat down does not wait for them for ever.

When the first of them has sat down, the others have half a minute. Then the places that are still kept are opened, or bots have them where
everyone would have had bots. What is to become of them is stored with the table; how long one has waited is not, so that after a restart
it counts from when somebody comes to the table. Nobody is told who did not come.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Sequence

from diamonds.game import Unknown
from diamonds.server.api.refusals import Stale
from diamonds.server.house.tables import Tables
from diamonds.server.meeting.due import Due
from diamonds.server.store.contract import Change, Damaged
from diamonds.server.table import seats
from diamonds.server.table.table import Table

COME = 30_000  # milliseconds

log = logging.getLogger("diamonds")


class Missing(Due):
    """Until when places are kept at which table. ``missed`` is called with whose places at which table are kept no more."""

    def __init__(self, tables: Tables, missed: Callable[[str, Sequence[str]], None]) -> None:
        super().__init__(tables.clocks.now)
        self.tables = tables
        self.missed = missed

    def note(self, table: Table) -> None:
        """Something has happened at a table: it may be that somebody waits there from now on."""
        if _is_waited_for(table):
            self.wait(table.id, COME)

    async def _end(self, id: str) -> None:
        try:
            table = await self.tables.shelf.find(id)
            async with self.tables.turn(table):
                if not _is_waited_for(table) or not self.tables.in_memory(table):
                    return
                people = [place.person for place in table.places.seats if place.kind == "open" and place.person]
                with contextlib.suppress(Stale):  # somebody has merged accounts
                    await self.tables.commit_places(table, seats.without_the_missing(table), Change(table=id))
            self.missed(id, people)
        except (Damaged, Unknown):
            pass  # nobody waits there any more
        except Exception:
            log.exception("Places at table %s are kept for people who do not come.", id)


def _is_waited_for(table: Table) -> bool:
    """Whether somebody sits and waits for people who were to come."""
    return table.phase == "waiting" and bool(table.places.missing and table.persons)
