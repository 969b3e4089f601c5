"""Moderation in the store: reports, sanctions, invitations and the audit log, as data, protocol and SQL.

What hosts have done is only ever added to. Times are seconds since 1970. People are kept by their identities, and told by what they are called
by then; of who is forgotten no name, no line and no report remains, and what was done to them was done to somebody.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple, Protocol

from diamonds.server.storage.chat import ChatRecord
from diamonds.server.storage.sql import SqlConnection, SqlReader, fetch_rows

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
    """What the server reads in them; see `Store` for what holds of every call."""

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


_SELECT_REPORTS = "SELECT id, person, target, table_id, reason, text, chat_excerpt, at, resolved FROM reports"
_SELECT_ACTIONS = "SELECT id, at, moderator, action, target, name, table_id, until_s, reason FROM moderation_actions"
# In one statement, for meanwhile another process may change it otherwise, or leave nothing of it.
_UPSERT_SANCTIONS = """
INSERT INTO sanctions AS s VALUES (?, coalesce(?, ''), coalesce(?, 0), coalesce(?, 0), coalesce(?, ''))
ON CONFLICT (person) DO UPDATE SET warning = coalesce(?, s.warning), muted_until = coalesce(?, s.muted_until),
    banned_until = coalesce(?, s.banned_until),
    reason = coalesce(?, s.reason)
"""
_ACKNOWLEDGE_WARNING = "UPDATE sanctions SET warning = '' WHERE person = ? AND warning = ?"
_SELECT_FINISHED = """
SELECT t.id, t.finished_at, (SELECT count(*) FROM entries e WHERE e.table_id = t.id),
    EXISTS (SELECT 1 FROM table_people m JOIN accounts a ON a.person = m.person WHERE m.table_id = t.id)
FROM tables t WHERE t.phase = 'over' AND t.finished_at < ? AND (t.finished_at, t.id) > (?, ?) ORDER BY t.finished_at, t.id LIMIT ?
"""


class SqlModerationStore:
    """See `ModerationStore`. ``readers`` read them, for some of it takes long, and nobody is in a hurry."""

    def __init__(self, readers: SqlReader) -> None:
        self._readers = readers

    async def _rows(self, sql: str, *values: object) -> list[Any]:
        return await self._readers.read(fetch_rows, sql, values)

    async def sanctions(self) -> list[Sanctions]:
        """See `ModerationStore`."""
        rows = await self._rows("SELECT person, warning, muted_until, banned_until, reason FROM sanctions")
        return [Sanctions(*row) for row in rows]

    async def report(self, report_id: int) -> Report | None:
        """See `ModerationStore`."""
        rows = await self._rows(f"{_SELECT_REPORTS} WHERE id = ?", report_id)
        return _report_from_row(rows[0]) if rows else None

    async def reports(self, resolved: bool, limit: int) -> list[Report]:
        """See `ModerationStore`."""
        order = "DESC" if resolved else "ASC"
        rows = await self._rows(
            f"{_SELECT_REPORTS} WHERE resolved = ? ORDER BY id {order} LIMIT ?", int(resolved), limit
        )
        return [_report_from_row(row) for row in rows]

    async def reports_by(self, person: str) -> list[Report]:
        """See `ModerationStore`."""
        rows = await self._rows(f"{_SELECT_REPORTS} WHERE person = ? AND person != '' ORDER BY id", person)
        return [_report_from_row(row) for row in rows]

    async def open_report_count(self) -> int:
        """See `ModerationStore`."""
        return int((await self._rows("SELECT count(*) FROM reports WHERE resolved = 0"))[0][0])

    async def action(self, action_id: int) -> ModerationAction | None:
        """See `ModerationStore`."""
        rows = await self._rows(f"{_SELECT_ACTIONS} WHERE id = ?", action_id)
        return ModerationAction(*rows[0]) if rows else None

    async def actions(self, limit: int, before: int = 0) -> list[ModerationAction]:
        """See `ModerationStore`."""
        rows = await self._rows(f"{_SELECT_ACTIONS} WHERE id < ? ORDER BY id DESC LIMIT ?", before or 1 << 62, limit)
        return [ModerationAction(*row) for row in rows]

    async def action_counts(self, person: str) -> dict[str, int]:
        """See `ModerationStore`."""
        rows = await self._rows(
            "SELECT action, count(*) FROM moderation_actions WHERE target = ? AND target != '' GROUP BY action", person
        )
        reports = await self._rows("SELECT count(*) FROM reports WHERE target = ?", person)
        return {**dict(rows), "report": reports[0][0]}

    async def find_accounts(self, text: str, limit: int) -> list[AccountListing]:
        """See `ModerationStore`."""
        rows = await self._rows(
            "SELECT a.person, p.name, a.created_day FROM accounts a JOIN display_names p ON p.id = a.person"
            " WHERE ? = '' OR replace(lower(p.name), lower(?), '') != lower(p.name) ORDER BY lower(p.name), p.name LIMIT ?",
            text,
            text,
            limit,
        )
        return [AccountListing(*row) for row in rows]

    async def invitation(self, code_hash: str) -> Invitation | None:
        """See `ModerationStore`."""
        rows = await self._rows("SELECT code, name, until_s FROM invitations WHERE code = ?", code_hash)
        return Invitation(*rows[0]) if rows else None

    async def finished_tables(self, before: int, after: tuple[int, str], limit: int) -> list[FinishedTable]:
        """See `ModerationStore`."""
        return [
            FinishedTable(table, finished_at, entry_count, bool(has_accounts))
            for table, finished_at, entry_count, has_accounts in await self._rows(
                _SELECT_FINISHED, before, *after, limit
            )
        ]


def _report_from_row(row: Any) -> Report:
    id, reporter, target, table, reason, text, chat_excerpt, at, resolved = row
    return Report(id, reporter, target, table, reason, text, _parse_chat_excerpt(chat_excerpt), at, bool(resolved))


def _parse_chat_excerpt(text: str) -> tuple[ChatRecord, ...]:
    return tuple(ChatRecord(*record) for record in json.loads(text))


def apply_moderation_change(connection: SqlConnection, person: str, change: ModerationChange) -> None:
    """Write a change; ``person`` is whom it concerns."""
    execute = connection.execute
    if change.sanctions:
        *others, acknowledged = change.sanctions
        execute(_ACKNOWLEDGE_WARNING, (person, acknowledged))
        execute(_UPSERT_SANCTIONS, (person, *others, *others))
        execute("UPDATE sanctions SET reason = '' WHERE person = ? AND muted_until = 0 AND banned_until = 0", (person,))
        execute(
            "DELETE FROM sanctions WHERE person = ? AND warning = '' AND muted_until = 0 AND banned_until = 0",
            (person,),
        )
    if change.report and execute("SELECT count(*) FROM reports WHERE resolved = 0").get < MAX_OPEN_REPORTS_STORED:
        _, *values, chat_excerpt, at, _ = change.report
        execute(
            "INSERT INTO reports (person, target, table_id, reason, text, chat_excerpt, at) VALUES (?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT DO NOTHING",
            (*values, json.dumps(chat_excerpt), at),
        )
    if change.resolved_report:
        execute("UPDATE reports SET resolved = 1 WHERE id = ?", (change.resolved_report,))
    if change.prune_reports_before:
        execute("DELETE FROM reports WHERE resolved = 1 AND at < ?", (change.prune_reports_before,))
    if change.invitation:
        execute("DELETE FROM invitations WHERE until_s < ?", (change.action.at if change.action else 0,))
        execute("INSERT INTO invitations VALUES (?, ?, ?)", change.invitation)
    for skeleton in change.forbidden_skeletons:
        execute("INSERT INTO name_skeletons VALUES (?, '') ON CONFLICT DO NOTHING", (skeleton,))
    for table in change.deleted_tables:
        for rows in ("entries", "table_people", "chat"):
            execute(f"DELETE FROM {rows} WHERE table_id = ?", (table,))
        execute("DELETE FROM tables WHERE id = ?", (table,))
    if change.action:
        execute(
            "INSERT INTO moderation_actions (at, moderator, action, target, name, table_id, until_s, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            change.action[1:],
        )


def use_invitation(connection: SqlConnection, code: str) -> bool:
    """An invitation is used up; whether it was there."""
    connection.execute("DELETE FROM invitations WHERE code = ?", (code,))
    return connection.changes() > 0


def merge_guest(connection: SqlConnection, guest: str, person: str) -> None:
    """A guest turns out to be somebody else, who stands as the worse of both."""
    execute = connection.execute
    execute(
        "INSERT INTO sanctions AS s SELECT ?, warning, muted_until, banned_until, reason FROM sanctions WHERE person = ?"
        " ON CONFLICT (person) DO UPDATE SET warning = coalesce(nullif(s.warning, ''), excluded.warning),"
        " reason = CASE WHEN excluded.banned_until > s.banned_until OR s.reason = '' THEN excluded.reason ELSE s.reason END,"
        " muted_until = CASE WHEN excluded.muted_until > s.muted_until THEN excluded.muted_until ELSE s.muted_until END,"
        " banned_until = CASE WHEN excluded.banned_until > s.banned_until THEN excluded.banned_until ELSE s.banned_until END",
        (person, guest),
    )
    execute("DELETE FROM sanctions WHERE person = ?", (guest,))
    for column in ("moderator", "target"):
        execute(f"UPDATE moderation_actions SET {column} = ? WHERE {column} = ?", (person, guest))
    for column, other in (("person", "target"), ("target", "person")):
        execute(
            f"UPDATE reports SET {column} = ?1 WHERE {column} = ?2 AND NOT EXISTS (SELECT 1 FROM reports o WHERE"
            f" o.{column} = ?1 AND o.{other} = reports.{other} AND o.table_id = reports.table_id AND o.person != '')",
            (person, guest),
        )
    execute("DELETE FROM reports WHERE person = ?1 OR target = ?1", (guest,))
    for report_id, records in _excerpts_with(connection, guest):
        remaining = [record._replace(person=person) if record.person == guest else record for record in records]
        execute("UPDATE reports SET chat_excerpt = ? WHERE id = ?", (json.dumps(remaining), report_id))


def delete_person(connection: SqlConnection, person: str) -> None:
    """Somebody is not known any more."""
    execute = connection.execute
    execute("DELETE FROM sanctions WHERE person = ?", (person,))
    execute("DELETE FROM reports WHERE target = ?", (person,))
    execute("UPDATE reports SET person = '' WHERE person = ?", (person,))
    for report_id, records in _excerpts_with(connection, person):
        remaining = [record for record in records if record.person != person]
        execute("UPDATE reports SET chat_excerpt = ? WHERE id = ?", (json.dumps(remaining), report_id))
    execute("UPDATE moderation_actions SET target = '', name = '' WHERE target = ?", (person,))
    execute("UPDATE moderation_actions SET moderator = '' WHERE moderator = ?", (person,))


def _excerpts_with(connection: SqlConnection, person: str) -> list[tuple[int, tuple[ChatRecord, ...]]]:
    """The lines of the reports in which somebody says something."""
    rows: Any = connection.execute(
        "SELECT id, chat_excerpt FROM reports WHERE replace(chat_excerpt, ?1, '') != chat_excerpt",
        (json.dumps(person),),
    )
    return [(report_id, _parse_chat_excerpt(chat_excerpt)) for report_id, chat_excerpt in rows.fetchall()]
