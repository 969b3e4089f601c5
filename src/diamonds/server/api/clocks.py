"""Messages about clocks: what a table may have, how they stand, and what is asked about them."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

IdempotencyKey = Annotated[str, Meta(min_length=8, max_length=64, pattern="^[A-Za-z0-9_-]+$")]


class TimeControlInfo(Struct):
    """How much time there is: ``start`` seconds for the game and an ``increment`` for each decision; or so many ``days`` for each."""

    start: Annotated[int, Meta(ge=0, le=10_800)] = 0
    increment: Annotated[int, Meta(ge=0, le=300)] = 0
    days: Annotated[int, Meta(ge=0, le=7)] = 0


class ClockStateInfo(Struct):
    """The clocks of a table, at the house's time ``now`` (in milliseconds since 1970).

    ``left`` has each person's milliseconds; a seat that no person has, has no clock. Those of the seats in ``runs`` run, and nothing but
    the time changes them. ``outs`` counts the time-outs of each seat, and those in ``lost`` were lost by them. When it is ``paused``,
    nobody answers.
    """

    now: int
    left: list[int | None]
    runs: list[int]
    outs: list[int]
    lost: list[int]
    paused: bool


class NudgeInfo(Struct):
    """Somebody whom all wait for is reminded of it, ``by`` another seat; until they have answered."""

    seat: int
    by: int


class PauseRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/tables/ID/pause``: ask that all clocks stand still, or let them go on."""

    on: bool
    key: IdempotencyKey | None = None


class NudgeRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/tables/ID/nudge``: remind somebody that all wait for them."""

    seat: int


class SubstituteRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/tables/ID/let-answer``: ask the others that a bot answers for somebody who is silent."""

    seat: int
    key: IdempotencyKey | None = None
