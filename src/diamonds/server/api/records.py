"""Messages about finished games and records: replays, score pads, verification, opened records."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from diamonds.server.api.tables import EventInfo, IdempotencyKey, MessageRef, TableInfo


class ImportRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/records/ID/import`: import the game of an opened record, if one person finished it against bots.

    It becomes a private table for you alone. Its cards and bots prove nothing to others, so it is marked as a game
    with known cards (`TableInfo.fork`), and is never rated or counted.
    """

    idempotency_key: IdempotencyKey | None = None


class ReplayStep(Struct):
    """The table after n answers, with all hands open.

    `events` has what happened since the previous answer, then the results of this one. Side events are `undo`
    (`seat`, `to`, `agreed`), `seat` (`seat`, `kind`, `level`), `by` (a bot of this `level` answered for the
    `seat`), `timeout` and `fork` (the game continues another one from here).
    """

    n: int
    answer: str | None
    view: dict[str, Any]
    events: list[EventInfo]


class DealResultInfo(Struct):
    """One deal on the score pad: its number from 1, and what the viewer may see of its end, as in a view."""

    deal: int
    view: dict[str, Any]


class ScorePadResponse(Struct):
    """`GET /api/tables/ID/score-pad`: the finished deals. Once the game is over, nothing in them is hidden."""

    lines: list[DealResultInfo]


class ReplayResponse(Struct):
    """`GET /api/tables/ID/replay`: every step of a finished game, all hands open.

    A record may end without a `result`.
    """

    table: TableInfo
    result: dict[str, Any] | None
    steps: list[ReplayStep]


class UnverifiedRecordInfo(Struct):
    """A record that cannot be replayed, as written. Only its form has been checked."""

    game: str
    title: str
    options: dict[str, str]
    players: list[str]
    seat_holders: list[str]
    entries: list[str]


class RecordVerificationResponse(Struct):
    """`POST /api/records`: an opened record. `ok` tells whether it was verified; `findings` explain the result.

    A verified record has a `replay`; otherwise `unverified` has its content. `id` identifies the record for its
    review, as long as the server keeps it; there is no table with this id.
    """

    id: str
    ok: bool
    findings: list[MessageRef]
    unverified: UnverifiedRecordInfo | None
    replay: ReplayResponse | None


class DealVerificationResponse(Struct):
    """`GET /api/tables/ID/verify`: whether the deals follow from the committed secret. `findings` are sentences."""

    ok: bool
    findings: list[MessageRef]
