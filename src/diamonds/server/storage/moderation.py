"""Moderation in the store: data, queries and changes of reports, sanctions, invitations and the audit log.

The audit log is append-only. Times are seconds since 1970. People are stored by identity and shown by current name.
Deleting a person removes their name, their chat and the reports about them. Their own reports and the log entries stay,
but no longer name them.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from diamonds.server.storage import matches
from diamonds.server.storage.chat import ChatRecord
from diamonds.server.storage.sql import SqlConnection, SqlQueries

OPERATOR_ID = "!"  # the moderator for actions taken on the machine itself
NOT_INVITED = "not invited"  # outcome of a registration whose invitation is no longer valid
# Limits of open reports. Further ones are not stored.
MAX_OPEN_REPORTS_STORED = 2_000
MAX_OPEN_REPORTS_OF_GUESTS = 1_500  # of all guests together, so that people with an account can still report
MAX_OPEN_REPORTS_EACH = 20


class Sanctions(NamedTuple):
    """A person's sanctions: an unread `warning`, and the ends of mute and ban, which share a `reason`."""

    person: str
    warning: str = ""
    muted_until: int = 0
    banned_until: int = 0
    reason: str = ""


class SanctionsChange(NamedTuple):
    """A change of sanctions; `None` keeps the current value. `acknowledged_warning` is a warning that was read."""

    warning: str | None = None
    muted_until: int | None = None
    banned_until: int | None = None
    reason: str | None = None
    acknowledged_warning: str = ""


class Report(NamedTuple):
    """A report about a person, with the last chat messages at the table."""

    id: int
    reporter: str
    target: str
    table: str
    reason: str
    text: str
    chat_excerpt: tuple[ChatRecord, ...]
    at: int
    resolved: bool = False


class ModerationAction(NamedTuple):
    """A moderation action. `name` is a name that was removed; `target` is empty if no person is concerned."""

    id: int
    at: int
    moderator: str  # `OPERATOR_ID` for the operator; empty for a deleted person
    action: str
    target: str = ""
    name: str = ""
    table: str = ""
    until_s: int = 0
    reason: str = ""


class Invitation(NamedTuple):
    """An invitation to register. `code_hash` is the hash of its code; with a `name`, it is valid only for that name."""

    code_hash: str
    name: str
    until_s: int


class ModerationChange(NamedTuple):
    """A change of moderation data, committed with its `AccountChange`.

    The store assigns the ids of reports and actions. A repeated report of the same person at the same table is not
    stored, nor is one without room (`has_room_for_report`). `forbidden_skeletons` are the skeletons of a name that nobody
    may have any more.
    """

    action: ModerationAction | None = None
    sanctions: SanctionsChange | None = None
    report: Report | None = None
    resolved_report: int = 0  # the report's id
    invitation: Invitation | None = None
    forbidden_skeletons: tuple[str, ...] = ()
    prune_reports_before: int = 0  # delete reports that were resolved before this time
    deleted_tables: tuple[str, ...] = ()  # ids of tables to delete
    prune_matches_before: int = 0  # delete matches of guests that ended before this time


class AccountListing(NamedTuple):
    """An account in moderators' lists. `created_day` is a day since 1970."""

    person: str
    name: str
    created_day: int


class FinishedTableSummary(NamedTuple):
    """A finished table: when it ended, its number of entries, and whether anyone there has an account."""

    table: str
    finished_at: int
    entry_count: int
    has_accounts: bool


_SELECT_REPORTS = "SELECT id, person, target, table_id, reason, text, chat_excerpt, at, resolved FROM reports"
_SELECT_ACTIONS = "SELECT id, at, moderator, action, target, name, table_id, until_s, reason FROM moderation_actions"
# A single statement, because other processes may change the row concurrently.
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
FROM tables t WHERE t.phase = 'over' AND t.finished_at < ? AND (t.finished_at, t.id) > (?, ?)
    AND (t.match_id = '' OR t.match_id NOT IN (SELECT id FROM matches WHERE phase != 'over')) ORDER BY t.finished_at, t.id LIMIT ?
"""


class ModerationStore(SqlQueries):
    """The store's moderation queries. All run in reader threads, because some are slow and none is urgent."""

    async def sanctions(self) -> list[Sanctions]:
        """Return the sanctions of everyone who has any."""
        rows = await self.read_rows("SELECT person, warning, muted_until, banned_until, reason FROM sanctions")
        return [Sanctions(*row) for row in rows]

    async def report(self, report_id: int) -> Report | None:
        rows = await self.read_rows(f"{_SELECT_REPORTS} WHERE id = ?", report_id)
        return _report_from_row(rows[0]) if rows else None

    async def reports(self, resolved: bool, limit: int) -> list[Report]:
        """Return the newest resolved reports, or the oldest open ones."""
        order = "DESC" if resolved else "ASC"
        rows = await self.read_rows(
            f"{_SELECT_REPORTS} WHERE resolved = ? ORDER BY id {order} LIMIT ?", int(resolved), limit
        )
        return [_report_from_row(row) for row in rows]

    async def reports_by(self, person: str) -> list[Report]:
        """Return a person's reports, oldest first; none for an empty string."""
        rows = await self.read_rows(f"{_SELECT_REPORTS} WHERE person = ? AND person != '' ORDER BY id", person)
        return [_report_from_row(row) for row in rows]

    async def open_report_count(self) -> int:
        """Return the number of open reports."""
        return int((await self.read_rows("SELECT count(*) FROM reports WHERE resolved = 0"))[0][0])

    async def has_room_for_report(self, reporter: str) -> bool:
        """Return whether another open report by this person would be stored."""
        return await self.readers.read(has_room_for_report, reporter)

    async def action(self, action_id: int) -> ModerationAction | None:
        rows = await self.read_rows(f"{_SELECT_ACTIONS} WHERE id = ?", action_id)
        return ModerationAction(*rows[0]) if rows else None

    async def actions(self, limit: int, before: int = 0) -> list[ModerationAction]:
        """Return moderation actions, newest first; with `before`, only those with a smaller id."""
        rows = await self.read_rows(
            f"{_SELECT_ACTIONS} WHERE id < ? ORDER BY id DESC LIMIT ?", before or 1 << 62, limit
        )
        return [ModerationAction(*row) for row in rows]

    async def action_counts(self, person: str) -> dict[str, int]:
        """Return how often each action was taken against a person and, as `report`, how often they were reported."""
        rows = await self.read_rows(
            "SELECT action, count(*) FROM moderation_actions WHERE target = ? AND target != '' GROUP BY action", person
        )
        reports = await self.read_rows("SELECT count(*) FROM reports WHERE target = ?", person)
        return {**dict(rows), "report": reports[0][0]}

    async def find_accounts(self, text: str, limit: int) -> list[AccountListing]:
        """Return accounts whose names contain a text, ignoring case, sorted by name."""
        rows = await self.read_rows(
            "SELECT a.person, p.name, a.created_day FROM accounts a JOIN display_names p ON p.id = a.person"
            " WHERE ? = '' OR replace(lower(p.name), lower(?), '') != lower(p.name) ORDER BY lower(p.name), p.name LIMIT ?",
            text,
            text,
            limit,
        )
        return [AccountListing(*row) for row in rows]

    async def invitation(self, code_hash: str) -> Invitation | None:
        """Return an unused invitation."""
        rows = await self.read_rows("SELECT code, name, until_s FROM invitations WHERE code = ?", code_hash)
        return Invitation(*rows[0]) if rows else None

    async def finished_tables(self, before: int, after: tuple[int, str], limit: int) -> list[FinishedTableSummary]:
        """Return tables that ended before a time (s), in order of end and id, after the pair `after`."""
        return [
            FinishedTableSummary(table, finished_at, entry_count, bool(has_accounts))
            for table, finished_at, entry_count, has_accounts in await self.read_rows(
                _SELECT_FINISHED, before, *after, limit
            )
        ]


def _report_from_row(row: Any) -> Report:
    id, reporter, target, table, reason, text, chat_excerpt, at, resolved = row
    return Report(id, reporter, target, table, reason, text, _parse_chat_excerpt(chat_excerpt), at, bool(resolved))


def _parse_chat_excerpt(text: str) -> tuple[ChatRecord, ...]:
    return tuple(ChatRecord(*record) for record in json.loads(text))


def apply_moderation_change(connection: SqlConnection, person: str, change: ModerationChange) -> None:
    """Write a change that concerns `person`."""
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
    if change.report and has_room_for_report(connection, change.report.reporter):
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
    if change.prune_matches_before:
        matches.prune_finished(connection, change.prune_matches_before)
    for table in change.deleted_tables:
        for rows in ("entries", "table_people", "chat"):
            execute(f"DELETE FROM {rows} WHERE table_id = ?", (table,))
        execute("DELETE FROM tables WHERE id = ?", (table,))
    if change.action:
        execute(
            "INSERT INTO moderation_actions (at, moderator, action, target, name, table_id, until_s, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            change.action[1:],
        )


def has_room_for_report(connection: SqlConnection, reporter: str) -> bool:
    """Return whether another open report by this person would be stored.

    Neither one person nor all guests together can take every place.
    """
    row: Any = connection.execute(
        "SELECT count(*), count(CASE WHEN r.person = ?1 THEN 1 END), count(CASE WHEN a.person IS NULL THEN 1 END),"
        " (SELECT count(*) FROM accounts WHERE person = ?1)"
        " FROM reports r LEFT JOIN accounts a ON a.person = r.person WHERE r.resolved = 0",
        (reporter,),
    ).fetchone()
    total, own, guests, has_account = row
    has_guest_room = bool(has_account) or guests < MAX_OPEN_REPORTS_OF_GUESTS
    return bool(total < MAX_OPEN_REPORTS_STORED and own < MAX_OPEN_REPORTS_EACH and has_guest_room)


def use_invitation(connection: SqlConnection, code: str) -> bool:
    """Use up an invitation. Return whether it existed."""
    connection.execute("DELETE FROM invitations WHERE code = ?", (code,))
    return connection.changes() > 0


def merge_guest(connection: SqlConnection, guest: str, person: str) -> None:
    """Merge a guest's moderation data into a person's; the stricter sanctions apply."""
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
    """Delete a person's moderation data."""
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
    """Return the chat excerpts of the reports that quote a person."""
    rows: Any = connection.execute(
        "SELECT id, chat_excerpt FROM reports WHERE replace(chat_excerpt, ?1, '') != chat_excerpt",
        (json.dumps(person),),
    )
    return [(report_id, _parse_chat_excerpt(chat_excerpt)) for report_id, chat_excerpt in rows.fetchall()]
