"""Moderation: reports of people, and actions of moderators, for routes and command line.

People who are not moderators get the same reply as for an unknown path, so nobody learns who is one.
"""

from __future__ import annotations

import asyncio
import secrets

from diamonds.errors import InvalidInputError, NotAllowedError, NotFoundError
from diamonds.i18n import Message
from diamonds.server.accounts.registration import new_invitation
from diamonds.server.api import moderation as messages
from diamonds.server.errors import RateLimitedError
from diamonds.server.lobby.service import LobbyService
from diamonds.server.moderation.account_name_review import MAX_ACCOUNTS
from diamonds.server.moderation.queries import ModerationQueries
from diamonds.server.people.display_names import clean_account_name, clean_text, display_name, skeletons
from diamonds.server.people.invisible_characters import escape_invisible, has_invisible_chars, normalize_line
from diamonds.server.settings_file import TomlSettings
from diamonds.server.storage.accounts import NAME_TAKEN, AccountChange
from diamonds.server.storage.commit_outcomes import DONE
from diamonds.server.storage.moderation import ModerationAction, ModerationChange, Report, SanctionsChange
from diamonds.server.tables.core import chat
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.service import TableService

TIMED_ACTIONS = ("mute", "ban")  # actions with an end
LIFTING_ACTIONS = ("unmute", "unban")


class ModerationService:
    """Reports, and the actions of a server's moderators."""

    def __init__(self, tables: TableService, lobby: LobbyService, config: TomlSettings) -> None:
        self.tables, self.store, self.records = tables, tables.store, tables.store.moderation
        self.lobby = lobby
        self.config = config
        self.sanctions = tables.sanctions
        self.queries = ModerationQueries(tables)
        self.lock = asyncio.Lock()  # serializes actions

    async def about(self, person: str) -> messages.AboutResponse:
        """Return a person's view of this server, and whether they are a moderator."""
        config = self.config
        return messages.AboutResponse(
            config.name,
            config.public_url,
            config.rules,
            config.imprint,
            config.registration_policy.mode,
            await self.is_moderator(person),
        )

    async def is_moderator(self, person: str) -> bool:
        may_be_moderator = bool(person and self.config.moderators and await self.store.accounts.account(person))
        return may_be_moderator and await display_name(self.store, person) in self.config.moderators

    async def check_moderator(self, person: str) -> None:
        """Raise `NotFoundError` if a person is not a moderator."""
        if not await self.is_moderator(person):
            raise NotFoundError("server-nothing-here")

    # Reports

    async def report(self, person: str, table: Table, request: messages.ReportRequest) -> None:
        """Report a person at a table. Repeated reports count once, and the reported person is not notified."""
        if (request.seat is None) == (request.speaker is None):
            raise InvalidInputError("moderation-whom")
        lines = tuple(chat.visible_chat(table, person))
        by = chat.person_of_speaker(table.id, lines, request.speaker or "")
        target = _person_at_seat(table, request.seat) if request.seat is not None else by
        if not target:
            raise NotFoundError("moderation-nobody")
        if target == person:
            raise NotAllowedError("moderation-yourself")
        if not await self.records.has_room_for_report(person):
            raise RateLimitedError("server-too-many", 3600, what=Message("server-many-reports"))
        text = clean_text(request.text) if request.text.strip() else ""
        report = Report(0, person, target, table.id, request.reason, text, lines, int(self.sanctions.clock()))
        await self.store.commit(AccountChange(target, moderation=ModerationChange(report=report)))

    async def acknowledge(self, person: str, warning: str) -> None:
        """Mark a warning as read."""
        async with self.lock:  # so that it cannot undo a moderator's simultaneous action
            if self.sanctions.get(person).warning == warning:
                await self._commit(person, ModerationChange(sanctions=SanctionsChange(acknowledged_warning=warning)))

    # Actions

    async def act(self, moderator: str, request: messages.ModerationActionRequest) -> None:
        """Take and log an action. `moderator` may be `OPERATOR_ID`."""
        async with self.lock:
            if request.action == "close":
                await self._close_table(moderator, request)
            elif request.action == "handle":
                report = await self.records.report(request.report_id or 0)
                if report is None:
                    raise NotFoundError("moderation-no-report")
                action = self._new_action(moderator, request, target=report.target, table=report.table)
                await self._commit(report.target, ModerationChange(action=action, resolved_report=report.id))
            else:
                await self._act_on_person(moderator, await self._find_target(request), request)

    async def create_invitation(self, moderator: str, hours: int, name: str = "") -> messages.InvitationResponse:
        """Create an invitation to register; with a `name`, only for that name."""
        now = int(self.sanctions.clock())
        code, invitation = new_invitation(clean_account_name(name) if name else "", now + hours * 3600)
        action = ModerationAction(0, now, moderator, "invite", until_s=invitation.until_s)
        await self._commit("", ModerationChange(action=action, invitation=invitation))
        return messages.InvitationResponse(code, invitation.until_s)

    async def _act_on_person(self, moderator: str, target: str, request: messages.ModerationActionRequest) -> None:
        if target == moderator:
            raise NotAllowedError("moderation-yourself")
        if request.action == "rename":
            await self._force_rename(moderator, target, request)
            return
        reason, until = self._reason(request), 0
        if request.action in TIMED_ACTIONS:
            if request.hours is None:
                raise InvalidInputError("moderation-no-end")
            until = int(self.sanctions.clock()) + request.hours * 3600
        shown_reason = reason if request.action in TIMED_ACTIONS else None
        match request.action:
            case "mute" | "unmute":
                sanctions = SanctionsChange(muted_until=until, reason=shown_reason)
            case "ban" | "unban":
                sanctions = SanctionsChange(banned_until=until, reason=shown_reason)
            case _:
                sanctions = SanctionsChange(warning=reason)
        await self._commit(
            target,
            ModerationChange(
                action=self._new_action(moderator, request, target=target, until=until),
                sanctions=sanctions,
                resolved_report=request.report_id or 0,
            ),
        )
        if request.action == "ban":
            self.lobby.cancel_seek(target)
            self.lobby.challenges.cancel_all_of(target)
        for stream in self.tables.streams.streams_of(target):
            if request.action == "ban":
                stream.end(self.sanctions.notice(target))
            elif request.action == "warn":
                stream.send_notice(self.sanctions.notice(target))

    async def _force_rename(self, moderator: str, target: str, request: messages.ModerationActionRequest) -> None:
        """Rename a person, and forbid the old name and confusable ones."""
        # The stored name, even if it is not displayed because it would be refused today.
        old_name = (await self.store.display_names([target])).get(target, "")
        has_account = await self.store.accounts.account(target) is not None
        if not old_name:
            raise NotAllowedError("moderation-no-name")
        action = self._new_action(moderator, request, target=target, name=escape_invisible(old_name))
        # Skeletons ignore invisible characters, so they would also forbid the visible name, which is allowed.
        forbidden_skeletons = () if has_invisible_chars(normalize_line(old_name)) else skeletons(old_name)
        records = ModerationChange(
            action=action, forbidden_skeletons=forbidden_skeletons, resolved_report=request.report_id or 0
        )
        change = AccountChange(target, remove_name=not has_account, moderation=records)
        if has_account:
            name = (
                clean_account_name(request.new_name)
                if request.new_name
                else f"Player {secrets.randbelow(900_000) + 100_000}"
            )
            if self.config.registration_policy.is_reserved(name):
                raise NotAllowedError("account-name-taken")
            change = change._replace(name=name, skeletons=skeletons(name))
        outcome = await self.tables.commit_people(change)
        if outcome.kind != DONE:
            raise NotAllowedError("account-name-taken" if outcome.kind == NAME_TAKEN else "account-changed")
        await self.tables.withdraw_name(target)

    async def _close_table(self, moderator: str, request: messages.ModerationActionRequest) -> None:
        table = await self.tables.registry.find(request.table or "")
        if table.is_over or table.seating.closed_reason:
            raise NotAllowedError("moderation-is-over")
        reason, action = self._reason(request), self._new_action(moderator, request, table=table.id)
        await self._commit("", ModerationChange(action=action))  # first: no table closes without a log entry
        await self.tables.actions.close_table(table.id, reason)

    def _new_action(
        self,
        moderator: str,
        request: messages.ModerationActionRequest,
        target: str = "",
        table: str = "",
        until: int = 0,
        name: str = "",
    ) -> ModerationAction:
        reason = clean_text(request.reason) if request.reason.strip() else ""
        return ModerationAction(
            0, int(self.sanctions.clock()), moderator, request.action, target, name, table, until, reason
        )

    def _reason(self, request: messages.ModerationActionRequest) -> str:
        """Return the reason for an action, which is shown to the person."""
        if request.action in LIFTING_ACTIONS:
            return ""
        if not request.reason.strip():
            raise InvalidInputError("moderation-no-reason")
        return clean_text(request.reason)

    async def _find_target(self, request: messages.ModerationActionRequest) -> str:
        """Return the person an action concerns, found by name, report, logged action or seat."""
        person = ""
        if request.name is not None:
            person = await self.lobby.friends.find_account(request.name) or await self._find_account(request.name)
        elif request.report_id is not None:
            report = await self.records.report(request.report_id)
            person = report.target if report else ""
        elif request.action_id is not None:
            action = await self.records.action(request.action_id)
            person = action.target if action else ""
        elif request.table is not None and request.seat is not None:
            person = _person_at_seat(await self.tables.registry.find(request.table), request.seat)
        if not person:
            raise NotFoundError("moderation-nobody")
        return person

    async def _find_account(self, name: str) -> str:
        """Return the account with a name that is no longer shown; lists escape its invisible characters."""
        accounts = await self.records.find_accounts(name.partition("\\")[0], MAX_ACCOUNTS)
        return next(
            (account.person for account in accounts if name in (account.name, escape_invisible(account.name))), ""
        )

    async def _commit(self, person: str, change: ModerationChange) -> None:
        await self.tables.commit_people(AccountChange(person, moderation=change))
        await self.sanctions.refresh()


def _person_at_seat(table: Table, seat: int) -> str:
    """Return the person in a seat; empty if there is none."""
    places = table.seating.seats
    return places[seat].person if seat < len(places) and places[seat].kind == "person" else ""
