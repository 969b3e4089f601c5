"""Messages about finished games and records: replays, score pads, verification, opened records."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from diamonds.server.api.tables import EventInfo, IdempotencyKey, MessageRef, TableInfo


class ImportRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/records/ID/import``: keep the game whose record was opened, if one person played it against bots and it is over.

    It becomes a table of one's own and for oneself alone. Its cards and bots prove nothing to others, so it is marked as a game whose
    cards were known (`TableInfo.fork`), and is never rated, placed or counted.
    """

    idempotency_key: IdempotencyKey | None = None


class ReplayStep(Struct):
    """The open table after n answers.

    ``events`` begins with what happened since the answer before, and goes on with what came of this one. Side events are ``undo`` (``seat``, ``to``,
    ``agreed``), ``seat`` (``seat``, ``kind``, ``level``), ``by`` (a bot of this ``level`` answered for the ``seat``), ``timeout``
    and ``fork`` (from here on the game was played on).
    """

    n: int
    answer: str | None
    view: dict[str, Any]
    events: list[EventInfo]


class ScorePadLine(Struct):
    """One deal on the score pad: the ``deal``, from 1, and of its end what the reader may see, as in a view."""

    deal: int
    view: dict[str, Any]


class ScorePadResponse(Struct):
    """``GET /api/tables/ID/score-pad``: what the deals that are over have brought; of a finished game, all of it."""

    lines: list[ScorePadLine]


class ReplayResponse(Struct):
    """``GET /api/tables/ID/replay``: every step of a finished game, all hands open. A record may stop before there is a ``result``."""

    table: TableInfo
    result: dict[str, Any] | None
    steps: list[ReplayStep]


class UnverifiedRecordInfo(Struct):
    """A record that cannot be played again, as it is written; nothing but its form has been checked."""

    game: str
    title: str
    options: dict[str, str]
    players: list[str]
    seat_holders: list[str]
    entries: list[str]


class OpenedRecordResponse(Struct):
    """``POST /api/records``: a record, opened. ``ok`` is whether it verifies, ``findings`` are sentences: what that means, or why it does not.

    If it verifies there is its ``replay``, else ``unverified`` has what is written in it. Its review goes by the ``id``, for as long as the
    server remembers the record; a ``table`` of that name there is none.
    """

    id: str
    ok: bool
    findings: list[MessageRef]
    unverified: UnverifiedRecordInfo | None
    replay: ReplayResponse | None


class DealVerificationResponse(Struct):
    """``GET /api/tables/ID/verify``: whether the deals follow from the committed secret. ``findings`` are sentences."""

    ok: bool
    findings: list[MessageRef]
