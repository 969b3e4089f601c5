"""Messages about moderation: the server itself, reports, and what moderators see and do; see `tables`.

Nobody's identity is in any of it, and no hand. Times are seconds since 1970.
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
    """``GET /api/about``: about this server. ``is_moderator``: you are a moderator, and get what moderators get."""

    name: str
    address: str
    rules: str
    imprint: str
    registration: RegistrationMode
    is_moderator: bool


class ModerationNotice(Struct):
    """What the event ``order`` of a stream says: you are ``warned`` or ``banned``, or the table is ``closed``; and why, and until when."""

    kind: Literal["warned", "banned", "closed"]
    reason: str
    until: int = 0


class AcknowledgeRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/moderation/acknowledge``: you have read the ``warning``, which is the text that you were told."""

    warning: ReasonText


class ReportRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/tables/ID/report``: tell the hosts of somebody: who has a ``seat``, or who said a line (``speaker``, as in the line)."""

    reason: ReportReason
    text: ReasonText = ""
    seat: Annotated[int, Meta(ge=0, le=20)] | None = None
    speaker: Annotated[str, Meta(min_length=1, max_length=40)] | None = None


class SanctionsInfo(Struct):
    """How somebody stands: until when they are muted or banned (0: they are not), and whether a warning waits to be read."""

    warned: bool
    muted_until: int
    banned_until: int


class ReportInfo(Struct):
    """A report: by whom, of whom, at which table, and what was said there last."""

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
    """``GET /api/moderation/reports``: those that wait, the oldest first, and the last ones that were handled. ``waiting`` counts all that wait."""

    waiting: int
    open: list[ReportInfo]
    resolved: list[ReportInfo]


class AccountInfo(Struct):
    """Somebody with an account, as hosts see them: ``created_day`` is a day since 1970; how many tables, and how often what was done."""

    name: str
    created_day: int
    tables: int
    reports: int
    warnings: int
    mutes: int
    bans: int
    sanctions: SanctionsInfo


class AccountsResponse(Struct):
    """``GET /api/moderation/accounts?name=``: accounts in whose names this occurs, a few of them."""

    accounts: list[AccountInfo]


class ModeratorTableInfo(Struct):
    """A table that is waiting or played now: who has its seats ("" where it is open), and how many watch."""

    table: str
    game: str
    phase: Literal["waiting", "playing"]
    private: bool
    seat_names: list[str]
    spectators: int
    created: float


class ModeratorTablesResponse(Struct):
    """``GET /api/moderation/tables``: the newest tables at which people are."""

    tables: list[ModeratorTableInfo]


class ActionInfo(Struct):
    """Something that was done: by which ``moderator`` ("" on the machine itself, or by somebody who is forgotten), to whom, until when, why.

    ``name`` is what they are called now; ``removed_name`` is the name that was taken away.
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
    """``GET /api/moderation/actions?before=``: what hosts have done, the last first."""

    actions: list[ActionInfo]


class ActionRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/moderation/actions``: do something about somebody, for so many ``hours`` if it has an end, and for a ``reason``, which they are told.

    Whom: an account of this ``name``, whom the report ``report_id`` is of, to whom the action ``action_id`` was done, or who has a ``seat`` at a ``table``. ``new_name`` is
    the new name, for ``rename``; without it the server chooses one. ``close`` is for a ``table``, ``handle`` for a report.
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
    """``POST /api/moderation/invitations``: a code by which one guest may become an account, once and for so many hours."""

    hours: Annotated[int, Meta(ge=1, le=24 * 366)] = 24 * 14


class InvitationResponse(Struct):
    """The code, which is kept nowhere, and until when it is good."""

    code: str
    until: int
