"""The books of the house: reports, who is warned, muted or banned, invitations, and what its hosts have done.

What hosts have done is only ever added to. Times are seconds since 1970. People are kept by their identities, and told by what they are called
by then; of who is forgotten no name, no line and no report remains, and what was done to them was done to somebody.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from diamonds.server.storage.chat import ChatRecord

OPERATOR_ID = "!"  # who has done what was done on the machine itself
NOT_INVITED = "not invited"  # outcome of an account that was to be made with an invitation that is not good any more
MAX_OPEN_REPORTS_STORED = 2_000  # reports that wait to be handled


class Sanctions(NamedTuple):
    """How somebody stands: a ``warning`` that they have not read yet, and until when they are muted or banned; ``reason`` is for both."""

    person: str
    warning: str = ""
    muted_until: int = 0
    banned_until: int = 0
    reason: str = ""


class SanctionsChange(NamedTuple):
    """What is otherwise from now on in how somebody stands; ``None``: what it was by then, whoever has changed it meanwhile. ``read`` is a
    warning that they have read."""

    warning: str | None = None
    muted_until: int | None = None
    banned_until: int | None = None
    reason: str | None = None
    acknowledged_warning: str = ""


class Report(NamedTuple):
    """Somebody tells the hosts of somebody, with the lines that were said last at the table where it was."""

    id: int
    reporter: str  # who tells
    target: str
    table: str
    reason: str
    text: str
    chat_excerpt: tuple[ChatRecord, ...]
    at: int
    resolved: bool = False


class ModerationAction(NamedTuple):
    """Something that a host has done. ``name`` is the name that was taken away; where nobody is concerned ``whom`` is empty."""

    id: int
    at: int
    moderator: str  # who has done it; `OPERATOR_ID`; empty for somebody who is forgotten
    action: str
    target: str = ""
    name: str = ""
    table: str = ""
    until_s: int = 0
    reason: str = ""


class Invitation(NamedTuple):
    """What lets one guest become an account. ``code`` is a hash of what they type; with a ``name`` it is good for that one alone."""

    code_hash: str
    name: str
    until_s: int


class ModerationChange(NamedTuple):
    """What changes in the books, all or none, with whatever else its `AccountChange` changes; the ``n`` of a report and of an act is given by the store.

    A report that somebody has made before of the same person at the same table is not written again, nor one too many (`MAX_OPEN_REPORTS_STORED`).
    ``forbidden_skeletons`` is what a name looks like that nobody may have any more.
    """

    action: ModerationAction | None = None
    sanctions: SanctionsChange | None = None
    report: Report | None = None
    resolved_report: int = 0  # a report
    invitation: Invitation | None = None
    forbidden_skeletons: tuple[str, ...] = ()
    prune_reports_before: int = 0  # reports that were made before this time and are handled go
    deleted_tables: tuple[str, ...] = ()  # tables of which nothing is kept any more


class AccountListing(NamedTuple):
    """An account as hosts find it: ``since`` is a day."""

    person: str
    name: str
    created_day: int


class FinishedTable(NamedTuple):
    """A table whose game is over, since when, how many entries it has, and whether somebody with an account is among its people."""

    table: str
    finished_at: int
    entry_count: int
    has_accounts: bool


class ModerationStore(Protocol):
    """What the house reads in them; see `Store` for what holds of every call."""

    async def sanctions(self) -> list[Sanctions]:
        """Everybody of whom there is anything to say."""
        ...

    async def report(self, report_id: int) -> Report | None:
        """One report."""
        ...

    async def reports(self, resolved: bool, limit: int) -> list[Report]:
        """The newest reports that are handled, or the oldest of those that are not."""
        ...

    async def reports_by(self, person: str) -> list[Report]:
        """What somebody has told, the first first; of nobody (an empty string), nothing."""
        ...

    async def open_report_count(self) -> int:
        """How many reports wait to be handled."""
        ...

    async def action(self, action_id: int) -> ModerationAction | None:
        """One act."""
        ...

    async def actions(self, limit: int, before: int = 0) -> list[ModerationAction]:
        """What was done, the last first; ``before`` an act by its ``n``, if that is not 0."""
        ...

    async def action_counts(self, person: str) -> dict[str, int]:
        """How often what was done to somebody; and ``report``: how often they were reported."""
        ...

    async def find_accounts(self, text: str, limit: int) -> list[AccountListing]:
        """Accounts in whose names this occurs, whatever the case of its letters, by name."""
        ...

    async def invitation(self, code_hash: str) -> Invitation | None:
        """An invitation that nobody has used yet."""
        ...

    async def finished_tables(self, before: int, after: tuple[int, str], limit: int) -> list[FinishedTable]:
        """Tables whose games were over before a time (s), the first after the one named by its time and name; in that order, at most so many."""
        ...
