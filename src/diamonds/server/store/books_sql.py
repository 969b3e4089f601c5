"""The books of the house in SQL; see `books`."""

from __future__ import annotations

import json
from typing import Any

from diamonds.server.store.books import (
    MOST_WAITING,
    Act,
    BooksChange,
    Finished,
    Invitation,
    Known,
    Report,
    Standing,
)
from diamonds.server.store.lines import Line
from diamonds.server.store.sql import Connection, Reader, rows_of

_REPORT = "SELECT id, person, target, table_id, reason, text, chat_excerpt, at, resolved FROM reports"
_ACT = "SELECT id, at, moderator, action, target, name, table_id, until_s, reason FROM moderation_actions"
# In one statement, for meanwhile another process may change it otherwise, or leave nothing of it.
_STANDS = """
INSERT INTO sanctions AS s VALUES (?, coalesce(?, ''), coalesce(?, 0), coalesce(?, 0), coalesce(?, ''))
ON CONFLICT (person) DO UPDATE SET warning = coalesce(?, s.warning), muted_until = coalesce(?, s.muted_until),
    banned_until = coalesce(?, s.banned_until),
    reason = coalesce(?, s.reason)
"""
_READ = "UPDATE sanctions SET warning = '' WHERE person = ? AND warning = ?"
_FINISHED = """
SELECT t.id, t.finished_at, (SELECT count(*) FROM entries e WHERE e.table_id = t.id),
    EXISTS (SELECT 1 FROM table_people m JOIN accounts a ON a.person = m.person WHERE m.table_id = t.id)
FROM tables t WHERE t.phase = 'over' AND t.finished_at < ? AND (t.finished_at, t.id) > (?, ?) ORDER BY t.finished_at, t.id LIMIT ?
"""


class SqlBooks:
    """See `Books`. `Readers` read them, for some of it takes long, and nobody is in a hurry."""

    def __init__(self, readers: Reader) -> None:
        self._readers = readers

    async def _rows(self, sql: str, *values: object) -> list[Any]:
        return await self._readers.read(rows_of, sql, values)

    async def standings(self) -> list[Standing]:
        """See `Books`."""
        rows = await self._rows("SELECT person, warning, muted_until, banned_until, reason FROM sanctions")
        return [Standing(*row) for row in rows]

    async def report(self, n: int) -> Report | None:
        """See `Books`."""
        rows = await self._rows(f"{_REPORT} WHERE id = ?", n)
        return _report(rows[0]) if rows else None

    async def reports(self, handled: bool, most: int) -> list[Report]:
        """See `Books`."""
        order = "DESC" if handled else "ASC"
        rows = await self._rows(f"{_REPORT} WHERE resolved = ? ORDER BY id {order} LIMIT ?", int(handled), most)
        return [_report(row) for row in rows]

    async def reports_by(self, person: str) -> list[Report]:
        """See `Books`."""
        rows = await self._rows(f"{_REPORT} WHERE person = ? AND person != '' ORDER BY id", person)
        return [_report(row) for row in rows]

    async def waiting(self) -> int:
        """See `Books`."""
        return int((await self._rows("SELECT count(*) FROM reports WHERE resolved = 0"))[0][0])

    async def act(self, n: int) -> Act | None:
        """See `Books`."""
        rows = await self._rows(f"{_ACT} WHERE id = ?", n)
        return Act(*rows[0]) if rows else None

    async def acts(self, most: int, before: int = 0) -> list[Act]:
        """See `Books`."""
        rows = await self._rows(f"{_ACT} WHERE id < ? ORDER BY id DESC LIMIT ?", before or 1 << 62, most)
        return [Act(*row) for row in rows]

    async def counts(self, person: str) -> dict[str, int]:
        """See `Books`."""
        rows = await self._rows(
            "SELECT action, count(*) FROM moderation_actions WHERE target = ? AND target != '' GROUP BY action", person
        )
        reports = await self._rows("SELECT count(*) FROM reports WHERE target = ?", person)
        return {**dict(rows), "report": reports[0][0]}

    async def people(self, part: str, most: int) -> list[Known]:
        """See `Books`."""
        rows = await self._rows(
            "SELECT a.person, p.name, a.created_day FROM accounts a JOIN display_names p ON p.id = a.person"
            " WHERE ? = '' OR replace(lower(p.name), lower(?), '') != lower(p.name) ORDER BY lower(p.name), p.name LIMIT ?",
            part,
            part,
            most,
        )
        return [Known(*row) for row in rows]

    async def invitation(self, code: str) -> Invitation | None:
        """See `Books`."""
        rows = await self._rows("SELECT code, name, until_s FROM invitations WHERE code = ?", code)
        return Invitation(*rows[0]) if rows else None

    async def finished(self, before: int, after: tuple[int, str], most: int) -> list[Finished]:
        """See `Books`."""
        return [
            Finished(table, over, entries, bool(accounts))
            for table, over, entries, accounts in await self._rows(_FINISHED, before, *after, most)
        ]


def _report(row: Any) -> Report:
    n, person, whom, table, reason, text, lines, at, handled = row
    return Report(n, person, whom, table, reason, text, _lines(lines), at, bool(handled))


def _lines(text: str) -> tuple[Line, ...]:
    return tuple(Line(*line) for line in json.loads(text))


def apply(connection: Connection, person: str, change: BooksChange) -> None:
    """Write a change; ``person`` is whom it concerns."""
    execute = connection.execute
    if change.standing:
        *others, read = change.standing
        execute(_READ, (person, read))
        execute(_STANDS, (person, *others, *others))
        execute("UPDATE sanctions SET reason = '' WHERE person = ? AND muted_until = 0 AND banned_until = 0", (person,))
        execute(
            "DELETE FROM sanctions WHERE person = ? AND warning = '' AND muted_until = 0 AND banned_until = 0",
            (person,),
        )
    if change.report and execute("SELECT count(*) FROM reports WHERE resolved = 0").get < MOST_WAITING:
        _, *told, lines, at, _ = change.report
        execute(
            "INSERT INTO reports (person, target, table_id, reason, text, chat_excerpt, at) VALUES (?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT DO NOTHING",
            (*told, json.dumps(lines), at),
        )
    if change.handled:
        execute("UPDATE reports SET resolved = 1 WHERE id = ?", (change.handled,))
    if change.reports_before:
        execute("DELETE FROM reports WHERE resolved = 1 AND at < ?", (change.reports_before,))
    if change.invitation:
        execute("DELETE FROM invitations WHERE until_s < ?", (change.act.at if change.act else 0,))
        execute("INSERT INTO invitations VALUES (?, ?, ?)", change.invitation)
    for look in change.taken_away:
        execute("INSERT INTO name_skeletons VALUES (?, '') ON CONFLICT DO NOTHING", (look,))
    for table in change.gone:
        for what in ("entries", "table_people", "chat"):
            execute(f"DELETE FROM {what} WHERE table_id = ?", (table,))
        execute("DELETE FROM tables WHERE id = ?", (table,))
    if change.act:
        execute(
            "INSERT INTO moderation_actions (at, moderator, action, target, name, table_id, until_s, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            change.act[1:],
        )


def use_invitation(connection: Connection, code: str) -> bool:
    """An invitation is used up; whether it was there."""
    connection.execute("DELETE FROM invitations WHERE code = ?", (code,))
    return connection.changes() > 0


def join(connection: Connection, guest: str, person: str) -> None:
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
    for n, lines in _told_by(connection, guest):
        kept = [line._replace(person=person) if line.person == guest else line for line in lines]
        execute("UPDATE reports SET chat_excerpt = ? WHERE id = ?", (json.dumps(kept), n))


def forget(connection: Connection, person: str) -> None:
    """Somebody is not known any more."""
    execute = connection.execute
    execute("DELETE FROM sanctions WHERE person = ?", (person,))
    execute("DELETE FROM reports WHERE target = ?", (person,))
    execute("UPDATE reports SET person = '' WHERE person = ?", (person,))
    for n, lines in _told_by(connection, person):
        kept = [line for line in lines if line.person != person]
        execute("UPDATE reports SET chat_excerpt = ? WHERE id = ?", (json.dumps(kept), n))
    execute("UPDATE moderation_actions SET target = '', name = '' WHERE target = ?", (person,))
    execute("UPDATE moderation_actions SET moderator = '' WHERE moderator = ?", (person,))


def _told_by(connection: Connection, person: str) -> list[tuple[int, tuple[Line, ...]]]:
    """The lines of the reports in which somebody says something."""
    rows: Any = connection.execute(
        "SELECT id, chat_excerpt FROM reports WHERE replace(chat_excerpt, ?1, '') != chat_excerpt",
        (json.dumps(person),),
    )
    return [(n, _lines(lines)) for n, lines in rows.fetchall()]
