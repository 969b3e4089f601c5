"""Messages about moderation: the server itself, reports, and moderators' views and actions; see `tables`.

They contain nobody's identity and no hand. Times are seconds since 1970.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from diamonds.server.api.accounts import RegistrationMode
from diamonds.server.api.tables import ChatMessageInfo

ReportReason = Literal["rude", "cheating", "spoiling", "name", "other"]
ActionName = Literal["warn", "mute", "unmute", "ban", "unban", "rename", "close", "handle"]
AccountNameText = Annotated[str, Meta(min_length=1, max_length=40)]
ReasonText = Annotated[str, Meta(max_length=500)]
RowId = Annotated[int, Meta(ge=1, le=2**53)]

MAX_SANCTION_HOURS = 24 * 3660


class AboutResponse(Struct):
    """`GET /api/about`: about this server. `is_moderator` tells whether you are a moderator."""

    name: str
    address: str
    rules: str
    imprint: str
    registration: RegistrationMode
    is_moderator: bool


class ModerationNotice(Struct):
    """The data of a stream's `order` event.

    You are `warned` or `banned`, or the table is `closed`. `until` is the end of a ban.
    """

    kind: Literal["warned", "banned", "closed"]
    reason: str
    until: int = 0


class AcknowledgeRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/moderation/acknowledge`: confirm that you have read the `warning`, given by its text."""

    warning: ReasonText


class ReportRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/tables/ID/report`: report the person in a `seat`, or the author of a chat message (its `speaker`)."""

    reason: ReportReason
    text: ReasonText = ""
    seat: Annotated[int, Meta(ge=0, le=20)] | None = None
    speaker: Annotated[str, Meta(min_length=1, max_length=40)] | None = None


class SanctionsInfo(Struct):
    """Sanctions of a person: an unread warning, and when a mute and a ban end (0: none)."""

    warned: bool
    muted_until: int
    banned_until: int


class ReportInfo(Struct):
    """A report: reporter, person, table, and the last chat messages there."""

    id: int
    reporter: str
    name: str
    table: str
    reason: ReportReason
    text: str
    chat_excerpt: list[ChatMessageInfo]
    at: int
    resolved: bool
    sanctions: SanctionsInfo


class ReportsResponse(Struct):
    """`GET /api/moderation/reports`: open reports, oldest first, and the latest resolved ones.

    `waiting` is the number of all open reports.
    """

    waiting: int
    open: list[ReportInfo]
    resolved: list[ReportInfo]


class ModeratorAccountInfo(Struct):
    """An account as moderators see it, with the number of tables, reports and sanctions.

    `created_day` is a day since 1970.
    """

    name: str
    created_day: int
    tables: int
    reports: int
    warnings: int
    mutes: int
    bans: int
    sanctions: SanctionsInfo


class AccountsResponse(Struct):
    """`GET /api/moderation/accounts?name=`: some accounts whose names contain this text."""

    accounts: list[ModeratorAccountInfo]


class ModeratorTableInfo(Struct):
    """A waiting or playing table: the name at each seat (empty for an open one), and the number of spectators."""

    table: str
    game: str
    phase: Literal["waiting", "playing"]
    private: bool
    seat_names: list[str]
    spectators: int
    created: float


class ModeratorTablesResponse(Struct):
    """`GET /api/moderation/tables`: the newest tables with people."""

    tables: list[ModeratorTableInfo]


class ModerationActionInfo(Struct):
    """A moderation action. `moderator` is empty for the operator or a deleted person.

    `name` is the person's current name; `removed_name` is a name that was taken away.
    """

    id: int
    at: int
    moderator: str
    action: str
    name: str
    removed_name: str
    table: str
    until: int
    reason: str


class AuditLogResponse(Struct):
    """`GET /api/moderation/actions?before=`: the audit log, newest first."""

    actions: list[ModerationActionInfo]


class ModerationActionRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/moderation/actions`: take a moderation action.

    A mute or ban lasts for `hours`, or without end; the person sees the `reason`. Identify the person by account
    `name`, by `report_id`, by an earlier `action_id`, or by `table` and `seat`. `new_name` is for `rename`;
    without it the server chooses a name. The action `close` needs a `table`, the action `handle` a `report_id`.
    """

    action: ActionName
    reason: ReasonText = ""
    hours: Annotated[int, Meta(ge=1, le=MAX_SANCTION_HOURS)] | None = None
    new_name: AccountNameText | None = None
    name: AccountNameText | None = None
    report_id: RowId | None = None
    action_id: RowId | None = None
    table: Annotated[str, Meta(max_length=40)] | None = None
    seat: Annotated[int, Meta(ge=0, le=20)] | None = None


class InvitationRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/moderation/invitations`: create a code with which one guest can register, valid for some hours."""

    hours: Annotated[int, Meta(ge=1, le=24 * 366)] = 24 * 14


class InvitationResponse(Struct):
    """A new invitation code, which is stored only as a hash, and the end of its validity."""

    code: str
    until: int
