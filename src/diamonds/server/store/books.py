"""The books of the house: reports, who is warned, muted or banned, invitations, and what its hosts have done.

What hosts have done is only ever added to. Times are seconds since 1970. People are kept by their identities, and told by what they are called
by then; of who is forgotten no name, no line and no report remains, and what was done to them was done to somebody.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from diamonds.server.store.lines import Line

COMMAND = "!"  # who has done what was done on the machine itself
NOT_INVITED = "not invited"  # outcome of an account that was to be made with an invitation that is not good any more
MOST_WAITING = 2_000  # reports that wait to be handled


class Standing(NamedTuple):
    """How somebody stands: a ``warning`` that they have not read yet, and until when they are muted or banned; ``reason`` is for both."""

    person: str
    warning: str = ""
    muted: int = 0
    banned: int = 0
    reason: str = ""


class StandingChange(NamedTuple):
    """What is otherwise from now on in how somebody stands; ``None``: what it was by then, whoever has changed it meanwhile. ``read`` is a
    warning that they have read."""

    warning: str | None = None
    muted: int | None = None
    banned: int | None = None
    reason: str | None = None
    read: str = ""


class Report(NamedTuple):
    """Somebody tells the hosts of somebody, with the lines that were said last at the table where it was."""

    n: int
    person: str  # who tells
    whom: str
    table: str
    reason: str
    text: str
    lines: tuple[Line, ...]
    at: int
    handled: bool = False


class Act(NamedTuple):
    """Something that a host has done. ``name`` is the name that was taken away; where nobody is concerned ``whom`` is empty."""

    n: int
    at: int
    person: str  # who has done it; `COMMAND`; empty for somebody who is forgotten
    what: str
    whom: str = ""
    name: str = ""
    table: str = ""
    until: int = 0
    reason: str = ""


class Invitation(NamedTuple):
    """What lets one guest become an account. ``code`` is a hash of what they type; with a ``name`` it is good for that one alone."""

    code: str
    name: str
    until: int


class BooksChange(NamedTuple):
    """What changes in the books, all or none, with whatever else its `AccountChange` changes; the ``n`` of a report and of an act is given by the store.

    A report that somebody has made before of the same person at the same table is not written again, nor one too many (`MOST_WAITING`).
    ``taken_away`` is what a name looks like that nobody may have any more.
    """

    act: Act | None = None
    standing: StandingChange | None = None
    report: Report | None = None
    handled: int = 0  # a report
    invitation: Invitation | None = None
    taken_away: tuple[str, ...] = ()
    reports_before: int = 0  # reports that were made before this time and are handled go
    gone: tuple[str, ...] = ()  # tables of which nothing is kept any more


class Known(NamedTuple):
    """An account as hosts find it: ``since`` is a day."""

    person: str
    name: str
    since: int


class Finished(NamedTuple):
    """A table whose game is over, since when, how many entries it has, and whether somebody with an account is among its people."""

    table: str
    over: int
    entries: int
    accounts: bool


class Books(Protocol):
    """What the house reads in them; see `Store` for what holds of every call."""

    async def standings(self) -> list[Standing]:
        """Everybody of whom there is anything to say."""
        ...

    async def report(self, n: int) -> Report | None:
        """One report."""
        ...

    async def reports(self, handled: bool, most: int) -> list[Report]:
        """The newest reports that are handled, or the oldest of those that are not."""
        ...

    async def reports_by(self, person: str) -> list[Report]:
        """What somebody has told, the first first; of nobody (an empty string), nothing."""
        ...

    async def waiting(self) -> int:
        """How many reports wait to be handled."""
        ...

    async def act(self, n: int) -> Act | None:
        """One act."""
        ...

    async def acts(self, most: int, before: int = 0) -> list[Act]:
        """What was done, the last first; ``before`` an act by its ``n``, if that is not 0."""
        ...

    async def counts(self, person: str) -> dict[str, int]:
        """How often what was done to somebody; and ``report``: how often they were reported."""
        ...

    async def people(self, part: str, most: int) -> list[Known]:
        """Accounts in whose names this occurs, whatever the case of its letters, by name."""
        ...

    async def invitation(self, code: str) -> Invitation | None:
        """An invitation that nobody has used yet."""
        ...

    async def finished(self, before: int, after: tuple[int, str], most: int) -> list[Finished]:
        """Tables whose games were over before a time (s), the first after the one named by its time and name; in that order, at most so many."""
        ...
