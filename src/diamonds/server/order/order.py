"""Order in the house: what people tell its hosts, and what hosts do. What the routes of order talk to, and the command line.

Whoever is no host is told what is told of an address that leads nowhere: nobody learns here who is one.
"""

from __future__ import annotations

import asyncio
import secrets

from diamonds.game import Illegal, Malformed, Unknown
from diamonds.server.api import order as messages
from diamonds.server.api.refusals import TooMany
from diamonds.server.house.called import name_of
from diamonds.server.house.invitations import new_invitation
from diamonds.server.house.tables import Tables
from diamonds.server.meeting.meeting import Meeting
from diamonds.server.order.name_review import ACCOUNTS_MAX
from diamonds.server.order.settings import HouseSettings
from diamonds.server.order.telling import Teller
from diamonds.server.store.accounts import TAKEN, AccountChange
from diamonds.server.store.books import MOST_WAITING, Act, BooksChange, Report, StandingChange
from diamonds.server.store.contract import DONE
from diamonds.server.table import talking
from diamonds.server.table.glyphs import escape_hidden, hides_something, spell
from diamonds.server.table.names import clean_text, looks, own_name
from diamonds.server.table.table import Table
from diamonds.words import Message

ENDS = ("mute", "ban")  # what has an end
LIFTS = ("unmute", "unban")


class Order:
    """The hosts of one house, and what reaches them."""

    def __init__(self, tables: Tables, meeting: Meeting, settings: HouseSettings) -> None:
        self.tables, self.store, self.books = tables, tables.store, tables.store.books
        self.meeting = meeting
        self.settings = settings
        self.standings = tables.standings
        self.teller = Teller(tables)
        self._turn = asyncio.Lock()  # acts are done one after the other

    async def about(self, person: str) -> messages.About:
        """Whose house this is, and whether somebody is one of its hosts."""
        told = self.settings
        return messages.About(
            told.name, told.address, told.rules, told.imprint, told.entry.who, await self.is_host(person)
        )

    async def is_host(self, person: str) -> bool:
        """Whether somebody is a host of the house."""
        known = bool(person and self.settings.hosts and await self.store.accounts.account(person))
        return known and await name_of(self.store, person) in self.settings.hosts

    async def check_host(self, person: str) -> None:
        """`Unknown` for whoever is no host."""
        if not await self.is_host(person):
            raise Unknown("server-nothing-here")

    # What people tell hosts

    async def report(self, person: str, table: Table, asked: messages.NewReport) -> None:
        """Somebody tells the hosts of somebody at a table; once, and who is told of does not hear of it."""
        if (asked.seat is None) == (asked.by is None):
            raise Malformed("order-whom")
        lines = tuple(talking.lines_heard(table, person))
        by = talking.said_by(table.id, lines, asked.by or "")
        whom = _at_seat(table, asked.seat) if asked.seat is not None else by
        if not whom:
            raise Unknown("order-nobody")
        if whom == person:
            raise Illegal("order-yourself")
        if await self.books.waiting() >= MOST_WAITING:
            raise TooMany("server-too-many", 3600, what=Message("server-many-reports"))
        text = clean_text(asked.text) if asked.text.strip() else ""
        report = Report(0, person, whom, table.id, asked.reason, text, lines, int(self.standings.clock()))
        await self.store.commit(AccountChange(whom, books=BooksChange(report=report)))

    async def acknowledge(self, person: str, warning: str) -> None:
        """Somebody has read a warning."""
        async with self._turn:  # what a host does meanwhile is not undone by it
            if self.standings.of(person).warning == warning:
                await self._write(person, BooksChange(standing=StandingChange(read=warning)))

    # What hosts do

    async def do(self, host: str, asked: messages.Do) -> None:
        """A host does something, which is written down with it. ``host`` may be `COMMAND`."""
        async with self._turn:
            if asked.what == "close":
                await self._close(host, asked)
            elif asked.what == "handle":
                report = await self.books.report(asked.report or 0)
                if report is None:
                    raise Unknown("order-no-report")
                act = self._act(host, asked, whom=report.whom, table=report.table)
                await self._write(report.whom, BooksChange(act=act, handled=report.n))
            else:
                await self._do_to(host, await self._whom(asked), asked)

    async def invite(self, host: str, hours: int, name: str = "") -> messages.Invited:
        """A code by which one guest may become an account; with a ``name``, of that name alone."""
        now = int(self.standings.clock())
        code, invitation = new_invitation(own_name(name) if name else "", now + hours * 3600)
        act = Act(0, now, host, "invite", until=invitation.until)
        await self._write("", BooksChange(act=act, invitation=invitation))
        return messages.Invited(code, invitation.until)

    async def _do_to(self, host: str, whom: str, asked: messages.Do) -> None:
        if whom == host:
            raise Illegal("order-yourself")
        if asked.what == "rename":
            await self._take_name(host, whom, asked)
            return
        reason, until = self._reason(asked), 0
        if asked.what in ENDS:
            if asked.hours is None:
                raise Malformed("order-no-end")
            until = int(self.standings.clock()) + asked.hours * 3600
        told = reason if asked.what in ENDS else None
        match asked.what:
            case "mute" | "unmute":
                standing = StandingChange(muted=until, reason=told)
            case "ban" | "unban":
                standing = StandingChange(banned=until, reason=told)
            case _:
                standing = StandingChange(warning=reason)
        await self._write(
            whom,
            BooksChange(
                act=self._act(host, asked, whom=whom, until=until), standing=standing, handled=asked.report or 0
            ),
        )
        if asked.what == "ban":
            self.meeting.end_seek(whom)
            self.meeting.challenges.end(whom)
        for stream in self.tables.hub.of(whom):
            if asked.what == "ban":
                stream.end(self.standings.notice(whom))
            elif asked.what == "warn":
                stream.tell(self.standings.notice(whom))

    async def _take_name(self, host: str, whom: str, asked: messages.Do) -> None:
        """Somebody is called something else, and nobody is called so any more, or nearly so."""
        taken = (await self.store.names([whom])).get(whom, "")  # which is not shown if it would be refused today
        has_account = await self.store.accounts.account(whom) is not None
        if not taken:
            raise Illegal("order-no-name")
        act = self._act(host, asked, whom=whom, name=escape_hidden(taken))
        gone = () if hides_something(spell(taken)) else looks(taken)  # what it looks like is a good name
        books = BooksChange(act=act, taken_away=gone, handled=asked.report or 0)
        change = AccountChange(whom, no_name=not has_account, books=books)
        if has_account:
            name = own_name(asked.called) if asked.called else f"Player {secrets.randbelow(900_000) + 100_000}"
            if self.settings.entry.keeps(name):
                raise Illegal("account-name-taken")
            change = change._replace(name=name, looks=looks(name))
        outcome = await self.tables.commit_people(change)
        if outcome.what != DONE:
            raise Illegal("account-name-taken" if outcome.what == TAKEN else "account-changed")
        await self.tables.take_name(whom)

    async def _close(self, host: str, asked: messages.Do) -> None:
        table = await self.tables.shelf.find(asked.table or "")
        if table.over or table.places.closed:
            raise Illegal("order-is-over")
        await self.tables.shut(table.id, self._reason(asked))
        await self._write("", BooksChange(act=self._act(host, asked, table=table.id)))

    def _act(
        self, host: str, asked: messages.Do, whom: str = "", table: str = "", until: int = 0, name: str = ""
    ) -> Act:
        reason = clean_text(asked.reason) if asked.reason.strip() else ""
        return Act(0, int(self.standings.clock()), host, asked.what, whom, name, table, until, reason)

    def _reason(self, asked: messages.Do) -> str:
        """Why something is done: whoever it is done to is told."""
        if asked.what in LIFTS:
            return ""
        if not asked.reason.strip():
            raise Malformed("order-no-reason")
        return clean_text(asked.reason)

    async def _whom(self, asked: messages.Do) -> str:
        """Whom a host means: by a name, a report, something that was done, or a seat."""
        found = ""
        if asked.name is not None:
            found = await self.meeting.friends.named(asked.name) or await self._named(asked.name)
        elif asked.report is not None:
            report = await self.books.report(asked.report)
            found = report.whom if report else ""
        elif asked.act is not None:
            act = await self.books.act(asked.act)
            found = act.whom if act else ""
        elif asked.table is not None and asked.seat is not None:
            found = _at_seat(await self.tables.shelf.find(asked.table), asked.seat)
        if not found:
            raise Unknown("order-nobody")
        return found

    async def _named(self, name: str) -> str:
        """Return the account of a name that is not shown any more, spelled as it is stored or as lists have it."""
        known = await self.books.people(name.partition("\\")[0], ACCOUNTS_MAX)
        return next((one.person for one in known if name in (one.name, escape_hidden(one.name))), "")

    async def _write(self, person: str, change: BooksChange) -> None:
        await self.tables.commit_people(AccountChange(person, books=change))
        await self.standings.read()


def _at_seat(table: Table, seat: int) -> str:
    """Who has a seat; empty if no person has."""
    places = table.places.seats
    return places[seat].person if seat < len(places) and places[seat].kind == "person" else ""
