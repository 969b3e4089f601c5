"""Queries of moderators about reports, people, tables and the audit log.

Results never contain an identity, an address, a hand or a secret.
"""

from __future__ import annotations

from collections.abc import Collection

from diamonds.server.api import moderation as messages
from diamonds.server.lobby.summaries import moderator_table_info
from diamonds.server.people.display_names import display_names, guest_name
from diamonds.server.people.invisible_characters import escape_invisible
from diamonds.server.storage.moderation import AccountListing, ModerationAction, Report
from diamonds.server.tables.core import chat
from diamonds.server.tables.service import TableService

MAX_OPEN_REPORTS, MAX_RESOLVED_REPORTS = 100, 20
MAX_ACCOUNTS_FOUND = 30
MAX_TABLES = 100
MAX_LOG_ENTRIES = 100
MAX_TABLES_OF_PERSON = 1_000_000


class ModerationQueries:
    """Queries of moderators. At tables where they play, moderators see no more than other players."""

    def __init__(self, tables: TableService) -> None:
        self.tables, self.store, self.records = tables, tables.store, tables.store.moderation
        self.sanctions = tables.sanctions

    async def reports(self, moderator: str) -> messages.ReportsResponse:
        """Return the open reports, and the latest resolved ones."""
        waiting = await self.records.open_report_count()
        groups = [
            await self.records.reports(resolved, limit)
            for resolved, limit in ((False, MAX_OPEN_REPORTS), (True, MAX_RESOLVED_REPORTS))
        ]
        names_by_person = await self._names_of(
            {person for group in groups for report in group for person in (report.reporter, report.target)}
        )
        own_tables = await self._unfinished_tables(moderator)
        return messages.ReportsResponse(
            waiting, *([self._report_info(report, names_by_person, own_tables) for report in group] for group in groups)
        )

    def _report_info(
        self, report: Report, names_by_person: dict[str, str], own_tables: set[str]
    ) -> messages.ReportInfo:
        lines = chat.chat_infos(
            [
                chat_line
                for chat_line in report.chat_excerpt
                if not chat_line.spectators_only or report.table not in own_tables
            ],
            report.table,
        )
        return messages.ReportInfo(
            report.id,
            names_by_person[report.reporter],
            names_by_person[report.target],
            report.table,
            report.reason,  # type: ignore[arg-type]
            report.text,
            lines,
            report.at,
            report.resolved,
            self._sanctions_info(report.target),
        )

    async def _unfinished_tables(self, person: str) -> set[str]:
        """Return the unfinished tables of a person, who may not see the spectator chat there."""
        return {
            summary.table
            for summary in await self.store.summaries_of(person, MAX_TABLES_OF_PERSON)
            if summary.phase != "over"
        }

    async def find_accounts(self, part: str) -> messages.AccountsResponse:
        """Return the accounts whose names contain a text."""
        accounts = await self.records.find_accounts(part, MAX_ACCOUNTS_FOUND)
        return messages.AccountsResponse([await self._account_info(account) for account in accounts])

    async def _account_info(self, account: AccountListing) -> messages.ModeratorAccountInfo:
        counts = await self.records.action_counts(account.person)
        return messages.ModeratorAccountInfo(
            escape_invisible(account.name),
            account.created_day,
            len(await self.store.accounts.tables_of(account.person)),
            counts.get("report", 0),
            counts.get("warn", 0),
            counts.get("mute", 0),
            counts.get("ban", 0),
            self._sanctions_info(account.person),
        )

    def _sanctions_info(self, person: str) -> messages.SanctionsInfo:
        sanctions = self.sanctions.get(person)
        return messages.SanctionsInfo(bool(sanctions.warning), sanctions.muted_until, sanctions.banned_until)

    def open_tables(self) -> messages.ModeratorTablesResponse:
        """Return the newest tables with people."""
        own = [moderator_table_info(table) for table in self.tables.registry.all()]
        remote = [summary.moderator_table for summary in self.tables.remote_summaries.values()]
        listed = [table_info for table_info in (*own, *remote) if table_info is not None]
        listed.sort(key=lambda table_info: table_info.created, reverse=True)
        return messages.ModeratorTablesResponse(listed[:MAX_TABLES])

    async def audit_log(self, before: int) -> messages.AuditLogResponse:
        """Return the audit log, newest first."""
        actions = await self.records.actions(MAX_LOG_ENTRIES, before)
        names_by_person = await self._names_of(
            {person for action in actions for person in (action.moderator, action.target)}
        )
        return messages.AuditLogResponse([self._action_info(action, names_by_person) for action in actions])

    def _action_info(self, action: ModerationAction, names_by_person: dict[str, str]) -> messages.ModerationActionInfo:
        moderator, target = names_by_person[action.moderator], names_by_person[action.target]
        return messages.ModerationActionInfo(
            action.id,
            action.at,
            moderator,
            action.action,
            target,
            action.name,
            action.table,
            action.until_s,
            action.reason,
        )

    async def _names_of(self, people: Collection[str]) -> dict[str, str]:
        """Return display names by person; empty for the operator and for an action without a person."""
        chosen_names = await display_names(self.store, people)
        return {
            person: (chosen_names.get(person) or guest_name(person)) if len(person) > 1 else "" for person in people
        }
