"""Messages about clocks: what a table may have, how they stand, and what is asked about them."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

IdempotencyKey = Annotated[str, Meta(min_length=8, max_length=64, pattern="^[A-Za-z0-9_-]+$")]


class TimeControlInfo(Struct):
    """How much time there is: ``initial_s`` seconds for the game and ``increment_s`` more for each decision; or ``days_per_move`` days for each."""

    initial_s: Annotated[int, Meta(ge=0, le=10_800)] = 0
    increment_s: Annotated[int, Meta(ge=0, le=300)] = 0
    days_per_move: Annotated[int, Meta(ge=0, le=7)] = 0


class ClockStateInfo(Struct):
    """The clocks of a table, at the house's time ``now`` (in milliseconds since 1970).

    ``remaining_ms`` has each person's milliseconds; a seat that no person has, has no clock. Those of the seats in ``running`` run, and nothing but
    the time changes them. ``timeouts`` counts the time-outs of each seat, and the seats in ``forfeited`` were lost by them. When it is ``paused``,
    nobody answers.
    """

    now: int
    remaining_ms: list[int | None]
    running: list[int]
    timeouts: list[int]
    forfeited: list[int]
    paused: bool


class NudgeInfo(Struct):
    """Somebody whom all wait for is reminded of it, ``by`` another seat; until they have answered."""

    seat: int
    by: int


class PauseRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/tables/ID/pause``: ask that all clocks stand still, or let them go on."""

    on: bool
    idempotency_key: IdempotencyKey | None = None


class NudgeRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/tables/ID/nudge``: remind somebody that all wait for them."""

    seat: int


class SubstituteRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/tables/ID/let-answer``: ask the others that a bot answers for somebody who is silent."""

    seat: int
    idempotency_key: IdempotencyKey | None = None
