"""What hosts are told: reports, people, tables, and what was done. Never an identity, an address, a hand or a secret."""

from __future__ import annotations

from collections.abc import Collection

from diamonds.server.api import order as messages
from diamonds.server.house.called import names
from diamonds.server.house.tables import Tables
from diamonds.server.meeting.summaries import moderators_line
from diamonds.server.store.books import Act, Known, Report
from diamonds.server.table import talking
from diamonds.server.table.glyphs import escape_hidden
from diamonds.server.table.names import guest_name

MOST_OPEN, MOST_HANDLED = 100, 20  # reports
MOST_FOUND = 30  # people
MOST_TABLES = 100
MOST_ACTS = 100
ALL = 1_000_000  # tables of one person


class Teller:
    """Reads what hosts ask for; ``reader`` is the host, who is told no more of a table at which they play than others there."""

    def __init__(self, tables: Tables) -> None:
        self.tables, self.store, self.books = tables, tables.store, tables.store.books
        self.standings = tables.standings

    async def reports(self, reader: str) -> messages.Reports:
        """Reports that wait, and the last ones that do not."""
        waiting = await self.books.waiting()
        found = [
            await self.books.reports(handled, most) for handled, most in ((False, MOST_OPEN), (True, MOST_HANDLED))
        ]
        called = await self._called({who for some in found for one in some for who in (one.person, one.whom)})
        plays = await self._playing(reader)
        return messages.Reports(waiting, *([self._report(one, called, plays) for one in some] for some in found))

    def _report(self, one: Report, called: dict[str, str], plays: set[str]) -> messages.ReportInfo:
        lines = talking.told([line for line in one.lines if not line.aside or one.table not in plays], one.table)
        return messages.ReportInfo(
            one.n,
            called[one.person],
            called[one.whom],
            one.table,
            one.reason,  # type: ignore[arg-type]
            one.text,
            lines,
            one.at,
            one.handled,
            self._standing(one.whom),
        )

    async def _playing(self, person: str) -> set[str]:
        """The tables with which somebody has to do whose games are not over: what spectators say there is not for them."""
        return {line.table for line in await self.store.mine(person, ALL) if line.phase != "over"}

    async def people(self, part: str) -> messages.FoundPeople:
        """Accounts in whose names something occurs."""
        found = await self.books.people(part, MOST_FOUND)
        return messages.FoundPeople([await self._person(one) for one in found])

    async def _person(self, one: Known) -> messages.PersonInfo:
        done = await self.books.counts(one.person)
        return messages.PersonInfo(
            escape_hidden(one.name),
            one.since,
            len(await self.store.accounts.tables_of(one.person)),
            done.get("report", 0),
            done.get("warn", 0),
            done.get("mute", 0),
            done.get("ban", 0),
            self._standing(one.person),
        )

    def _standing(self, person: str) -> messages.StandingInfo:
        known = self.standings.of(person)
        return messages.StandingInfo(bool(known.warning), known.muted, known.banned)

    def tables_now(self) -> messages.HostTables:
        """The newest tables at which people are."""
        here = [moderators_line(table) for table in self.tables.shelf.all()]
        elsewhere = [summary.moderators for summary in self.tables.summaries.values()]
        found = [line for line in (*here, *elsewhere) if line is not None]
        found.sort(key=lambda line: line.created, reverse=True)
        return messages.HostTables(found[:MOST_TABLES])

    async def acts(self, before: int) -> messages.Acts:
        """What was done, the last first."""
        found = await self.books.acts(MOST_ACTS, before)
        called = await self._called({who for one in found for who in (one.person, one.whom)})
        return messages.Acts([self._act(one, called) for one in found])

    def _act(self, one: Act, called: dict[str, str]) -> messages.ActInfo:
        by, whom = called[one.person], called[one.whom]
        return messages.ActInfo(one.n, one.at, by, one.what, whom, one.name, one.table, one.until, one.reason)

    async def _called(self, people: Collection[str]) -> dict[str, str]:
        """What people are called; who is nobody is called nothing."""
        chosen = await names(self.store, people)
        return {who: (chosen.get(who) or guest_name(who)) if len(who) > 1 else "" for who in people}
