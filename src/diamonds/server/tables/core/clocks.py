"""Clocks of a table: how much time each seat has, whose clock runs, and when a flag falls.

Nothing here reads the time, which is passed in as milliseconds of server time (`server_time.py`). The stored state is
how much time everyone had *at* the last event; the current values follow from it.

- A clock runs while its seat is to act and a person holds it. When all choose simultaneously, several run.
- A *live* time control has a time for the whole game, and an increment for each decision. A run of questions to the
  same person earns one increment, at its end. *Days per move* are granted with every question.
- In live games, up to `MAX_LAG_COMPENSATION_MS` of network time is credited per answer: see `lag_compensation_ms`. A
  flag falls that much later than the clock reaches zero, because the last answer may be on its way.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from diamonds.server.api.tables import SuitLetter

MAX_LAG_COMPENSATION_MS = 500  # network time credited per decision
REPEATED_TIMEOUT_MS = 10_000  # minimum time left for the next question after a timeout
MAX_TIMEOUTS = 3  # the third one forfeits the seat in a live game; with days per move, the first does
DAY_MS = 86_400_000
DAYS_PER_MOVE = (1, 2, 3, 7)
MIN_INITIAL_S = 10


# The stored names of the fields, which never change.
_CONTROL_KEYS = {"initial_s": "start", "increment_s": "increment", "days_per_move": "days"}
_STATE_KEYS = {
    "remaining_ms": "left",
    "used_ms": "used",
    "timeouts": "outs",
    "to_act": "asked",
    "in_overtime": "again",
    "forfeited": "lost",
    "at_ms": "at",
}


class TimeControl(msgspec.Struct, frozen=True, rename=_CONTROL_KEYS):
    """A time control: initial seconds for the game and an increment per decision, or days per move."""

    initial_s: int = 0
    increment_s: int = 0
    days_per_move: int = 0

    @property
    def initial_ms(self) -> int:
        """Everyone's initial time in milliseconds."""
        return self.days_per_move * DAY_MS or self.initial_s * 1000

    @property
    def max_timeouts(self) -> int:
        """The number of timeouts at which a seat is forfeited."""
        return 1 if self.days_per_move else MAX_TIMEOUTS


class PlannedAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """A planned answer to the player's next question of this name in the current trick.

    It is given if this suit is led; `None` means any suit.
    """

    question: str
    answer: str
    suit: SuitLetter | None = None


class SeatPlan(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything that one player has planned.

    With `plays_forced`, the server gives the only answer that the hand allows.
    """

    plays_forced: bool = False
    answers: tuple[PlannedAnswer, ...] = ()


class Plans(msgspec.Struct, frozen=True, omit_defaults=True):
    """All plans at a table, and the next automatic answer: its seat, and the delay relative to the clock state's time.

    `key` is the hexadecimal key from which delays are drawn.
    """

    key: str = ""
    seats: dict[int, SeatPlan] = {}
    due_seat: int = -1
    due_in_ms: int = 0


NO_PLANS = Plans()


class ClockState(msgspec.Struct, frozen=True, omit_defaults=True, rename=_STATE_KEYS):
    """All clocks of a table at one time. Where one number covers all seats, each seat is a bit."""

    remaining_ms: tuple[int, ...]  # negative if a flag is about to fall
    used_ms: tuple[int, ...]  # since the seat's current question was asked
    timeouts: tuple[int, ...]  # timeouts of each seat, including bots answering for someone who stood up
    to_act: int = 0  # people who are to act
    in_overtime: int = 0  # seats asked again after a timeout, which get only their remaining time
    forfeited: int = 0  # seats lost on time
    paused: bool = False
    at_ms: int = 0
    plans: Plans | None = None  # secret, so `ClockStateInfo` omits them

    @property
    def running(self) -> int:
        """The seats whose clocks run, as bits."""
        return 0 if self.paused else self.to_act


def initial_state(control: TimeControl, seats: int) -> ClockState:
    """Return the clock state before the first question."""
    zeros = (0,) * seats
    return ClockState((control.initial_ms,) * seats, zeros, zeros)


def has_bit(bits: int, seat: int) -> int:
    """Return whether a seat is in a set of bits, as 0 or 1."""
    return bits >> seat & 1


def remaining_ms(clocks: ClockState, seat: int, now: int) -> int:
    """Return the milliseconds that a seat has left."""
    return max(0, clocks.remaining_ms[seat] - has_bit(clocks.running, seat) * (now - clocks.at_ms))


def next_flag_ms(clocks: ClockState) -> int | None:
    """Return when the next flag falls; `None` if no clock runs."""
    flag_times = [clocks.remaining_ms[seat] for seat in _seats(clocks.running)]
    return clocks.at_ms + min(flag_times) + MAX_LAG_COMPENSATION_MS if flag_times else None


def next_due_ms(clocks: ClockState) -> int | None:
    """Return when the next flag falls or the next automatic answer is due; `None` if no clock runs."""
    flag_ms, plans = next_flag_ms(clocks), clocks.plans
    if flag_ms is None or plans is None or plans.due_seat < 0:
        return flag_ms
    return min(flag_ms, clocks.at_ms + plans.due_in_ms)


def flagged_seat(clocks: ClockState, now: int) -> int:
    """Return a seat whose flag has fallen (of several, the one with the least time), or −1."""
    by_remaining = sorted((clocks.remaining_ms[seat], seat) for seat in _seats(clocks.running))
    return (
        by_remaining[0][1]
        if by_remaining and clocks.at_ms + by_remaining[0][0] + MAX_LAG_COMPENSATION_MS <= now
        else -1
    )


def lag_compensation_ms(clocks: ClockState, seat: int, now: int, thinking_ms: int | None) -> int:
    """Return the time credited for an answer: the time it took minus the client's thinking time.

    A client that reports too little gains at most `MAX_LAG_COMPENSATION_MS`, and never more than the time elapsed.
    """
    if thinking_ms is None or not has_bit(clocks.running, seat):
        return 0
    return min(MAX_LAG_COMPENSATION_MS, max(0, clocks.used_ms[seat] + now - clocks.at_ms - thinking_ms))


def after_entry(
    control: TimeControl, clocks: ClockState, now: int, to_act: int, answered: int = -1, compensation_ms: int = 0
) -> ClockState:
    """Return the clock state after an entry.

    `to_act` are the people to act now, `answered` the person who answered, if any.
    """
    elapsed_ms = max(0, now - clocks.at_ms)
    remaining, used = list(clocks.remaining_ms), list(clocks.used_ms)
    for seat in _seats(clocks.running):
        remaining[seat] -= elapsed_ms
        used[seat] += elapsed_ms
    if answered >= 0:
        remaining[answered] += compensation_ms
        used[answered] = 0
        remaining[answered] = max(0, remaining[answered])
        if control.days_per_move:
            remaining[answered] = control.initial_ms
        elif not has_bit(to_act, answered) and not has_bit(clocks.in_overtime, answered):
            remaining[answered] += control.increment_s * 1000
    for seat in _seats(to_act & ~clocks.to_act):
        used[seat] = 0
        if control.days_per_move:
            remaining[seat] = control.initial_ms
    return msgspec.structs.replace(
        clocks,
        remaining_ms=tuple(remaining),
        used_ms=tuple(used),
        to_act=to_act,
        in_overtime=clocks.in_overtime & to_act,
        at_ms=now,
    )


def after_timeout(control: TimeControl, clocks: ClockState, now: int, seat: int, to_act: int) -> ClockState:
    """Return the clock state after a timeout: a bot answered for the seat, or holds it (then it is not in `to_act`)."""
    after = after_entry(control, clocks, now, to_act)
    remaining, used, timeouts = list(after.remaining_ms), list(after.used_ms), list(after.timeouts)
    remaining[seat] = (
        control.initial_ms if control.days_per_move else max(control.increment_s * 1000, REPEATED_TIMEOUT_MS)
    )
    used[seat] = 0
    timeouts[seat] += 1
    seat_bit = 1 << seat
    forfeited = seat_bit if timeouts[seat] >= control.max_timeouts else 0
    return msgspec.structs.replace(
        after,
        remaining_ms=tuple(remaining),
        used_ms=tuple(used),
        timeouts=tuple(timeouts),
        in_overtime=after.in_overtime | seat_bit & to_act,
        forfeited=after.forfeited | forfeited,
    )


def after_stand_up(control: TimeControl, clocks: ClockState, seat: int) -> ClockState:
    """Return the clock state after a person stood up and a bot substitutes for them, which counts as a timeout."""
    timeouts = list(clocks.timeouts)
    timeouts[seat] += 1
    forfeited = 1 << seat if timeouts[seat] >= control.max_timeouts else 0
    return msgspec.structs.replace(clocks, timeouts=tuple(timeouts), forfeited=clocks.forfeited | forfeited)


def after_return(control: TimeControl, clocks: ClockState, seat: int) -> ClockState:
    """Return the clock state after a forfeited seat went back to a person, with the time granted after a timeout."""
    remaining, timeouts = list(clocks.remaining_ms), list(clocks.timeouts)
    remaining[seat], timeouts[seat] = max(remaining[seat], control.increment_s * 1000, REPEATED_TIMEOUT_MS), 0
    return msgspec.structs.replace(
        clocks, remaining_ms=tuple(remaining), timeouts=tuple(timeouts), forfeited=clocks.forfeited & ~(1 << seat)
    )


def _seats(bits: int) -> Iterator[int]:
    return (seat for seat in range(bits.bit_length()) if bits >> seat & 1)
