"""The books of the house in the store that forgets; see `books`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from diamonds.server.store.accounts import Account
from diamonds.server.store.books import (
    MOST_WAITING,
    Act,
    BooksChange,
    Finished,
    Invitation,
    Known,
    Report,
    Standing,
    StandingChange,
)
from diamonds.server.store.contract import Stored


class MemoryBooks:
    """See `Books`. The tables, since when they are over, who has them among theirs, and the accounts are those of `accounts_memory`."""

    def __init__(
        self,
        tables: Mapping[str, Stored],
        over: Mapping[str, int],
        members: Mapping[str, Mapping[str, None]],
        names: Mapping[str, str],
        accounts: Mapping[str, Account],
    ) -> None:
        self._tables, self._over, self._members = tables, over, members
        self._names, self._accounts = names, accounts
        self._standings: dict[str, Standing] = {}
        self._reports: dict[int, Report] = {}
        self._acts: list[Act] = []
        self._invitations: dict[str, Invitation] = {}

    async def standings(self) -> list[Standing]:
        """See `Books`."""
        return [*self._standings.values()]

    async def report(self, n: int) -> Report | None:
        """See `Books`."""
        return self._reports.get(n)

    async def reports(self, handled: bool, most: int) -> list[Report]:
        """See `Books`."""
        found = [report for report in self._reports.values() if report.handled == handled]
        return (found[::-1] if handled else found)[:most]

    async def reports_by(self, person: str) -> list[Report]:
        """See `Books`."""
        return [report for report in self._reports.values() if person and report.person == person]

    async def waiting(self) -> int:
        """See `Books`."""
        return self._waiting()

    def _waiting(self) -> int:
        return sum(not report.handled for report in self._reports.values())

    async def act(self, n: int) -> Act | None:
        """See `Books`."""
        return next((act for act in self._acts if act.n == n), None)

    async def acts(self, most: int, before: int = 0) -> list[Act]:
        """See `Books`."""
        return [act for act in self._acts[::-1] if not before or act.n < before][:most]

    async def counts(self, person: str) -> dict[str, int]:
        """See `Books`."""
        done = Counter(act.what for act in self._acts if person and act.whom == person)
        return {**done, "report": sum(report.whom == person for report in self._reports.values())}

    async def people(self, part: str, most: int) -> list[Known]:
        """See `Books`."""
        found = [
            Known(person, self._names[person], account.since)
            for person, account in self._accounts.items()
            if part.lower() in self._names[person].lower()
        ]
        return sorted(found, key=lambda one: (one.name.lower(), one.name))[:most]

    async def invitation(self, code: str) -> Invitation | None:
        """See `Books`."""
        return self._invitations.get(code)

    async def finished(self, before: int, after: tuple[int, str], most: int) -> list[Finished]:
        """See `Books`."""
        old = sorted((over, table) for table, over in self._over.items() if over < before and (over, table) > after)
        return [
            Finished(
                table,
                over,
                len(self._tables[table].entries),
                any(table in mine and person in self._accounts for person, mine in self._members.items()),
            )
            for over, table in old[:most]
        ]

    # Changes

    def apply(self, person: str, change: BooksChange) -> None:
        """Write a change; ``person`` is whom it concerns."""
        if change.standing:
            stands = _changed(self._standings.pop(person, Standing(person)), change.standing)
            if any(stands[1:]):
                self._standings[person] = stands
        if change.report and self._waiting() < MOST_WAITING:
            new = change.report
            same = (new.person, new.whom, new.table)
            if not any((one.person, one.whom, one.table) == same for one in self._reports.values()):
                n = max(self._reports, default=0) + 1
                self._reports[n] = new._replace(n=n)
        if change.handled in self._reports:
            self._reports[change.handled] = self._reports[change.handled]._replace(handled=True)
        if change.reports_before:
            self._reports = {
                n: one for n, one in self._reports.items() if not one.handled or one.at >= change.reports_before
            }
        if change.invitation:
            now = change.act.at if change.act else 0
            self._invitations = {code: one for code, one in self._invitations.items() if one.until >= now}
            self._invitations[change.invitation.code] = change.invitation
        if change.act:
            self._acts.append(change.act._replace(n=len(self._acts) + 1))

    def use_invitation(self, code: str) -> bool:
        """An invitation is used up; whether it was there."""
        return self._invitations.pop(code, None) is not None

    def join(self, guest: str, person: str) -> None:
        """A guest turns out to be somebody else, who stands as the worse of both."""
        worse, known = self._standings.pop(guest, None), self._standings.get(person, Standing(person))
        if worse:
            reason = worse.reason if worse.banned > known.banned or not known.reason else known.reason
            warning = known.warning or worse.warning
            muted, banned = max(known.muted, worse.muted), max(known.banned, worse.banned)
            self._standings[person] = Standing(person, warning, muted, banned, reason)

        def renamed(who: str) -> str:
            return person if who == guest else who

        kept: dict[tuple[str, str, str], Report] = {}
        for one in self._reports.values():
            lines = tuple(line._replace(person=renamed(line.person)) for line in one.lines)
            one = one._replace(person=renamed(one.person), whom=renamed(one.whom), lines=lines)
            kept.setdefault((one.person, one.whom, one.table), one)
        self._reports = {one.n: one for one in kept.values()}
        self._acts = [act._replace(person=renamed(act.person), whom=renamed(act.whom)) for act in self._acts]

    def forget(self, person: str) -> None:
        """Somebody is not known any more."""
        self._standings.pop(person, None)
        self._reports = {
            n: one._replace(
                person="" if one.person == person else one.person,
                lines=tuple(line for line in one.lines if line.person != person),
            )
            for n, one in self._reports.items()
            if one.whom != person
        }
        self._acts = [
            act._replace(
                person="" if act.person == person else act.person,
                whom="" if act.whom == person else act.whom,
                name="" if act.whom == person else act.name,
            )
            for act in self._acts
        ]


def _changed(was: Standing, change: StandingChange) -> Standing:
    """How somebody stands from now on."""
    warning = ("" if was.warning == change.read else was.warning) if change.warning is None else change.warning
    muted, banned = (
        old if new is None else new for old, new in ((was.muted, change.muted), (was.banned, change.banned))
    )
    reason = was.reason if change.reason is None else change.reason
    return Standing(was.person, warning, muted, banned, reason if muted or banned else "")
