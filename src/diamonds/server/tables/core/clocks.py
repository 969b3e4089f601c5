"""The clocks of a table: how much time each seat has, whose clock runs, and when a flag falls.

Nothing here looks at a clock: the time, in milliseconds of the server (`clock.py`), is passed in. What is stored is how much
everyone had *at* the last thing that happened; what they have now follows from it.

- A clock runs as long as its seat is asked and a person has it: of everyone at once where all choose at the same time.
- *Live*, there is a time for the whole game, and an increment for each decision: one for a run of questions of the same person, when it
  is over. *Days* are given anew with every question.
- Live, of the time until an answer came up to `MAX_LAG_COMPENSATION_MS` is given back, as far as it went by on the way: see `lag_compensation_ms`. A flag falls so much
  later than a clock has run out, for the last answer is on its way that long.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from diamonds.server.api.tables import SuitLetter

MAX_LAG_COMPENSATION_MS = 500  # milliseconds at most that are given back for the way of one decision
REPEATED_TIMEOUT_MS = 10_000  # milliseconds that whoever ran out of time has at least for what is asked next
MAX_TIMEOUTS = (
    3  # so many times one's time may run out in a live game until the seat is lost; with days it is lost at once
)
DAY_MS = 86_400_000
DAYS_PER_MOVE = (1, 2, 3, 7)
MIN_INITIAL_S, MAX_INITIAL_S, MAX_INCREMENT_S = 10, 10_800, 300  # seconds


# The names by which the fields are stored; they never change.
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
    """How much time there is: ``start`` seconds for the game and ``increment`` for each decision, or ``days`` for each."""

    initial_s: int = 0
    increment_s: int = 0
    days_per_move: int = 0

    @property
    def initial_ms(self) -> int:
        """The milliseconds that everyone begins with."""
        return self.days_per_move * DAY_MS or self.initial_s * 1000

    @property
    def max_timeouts(self) -> int:
        """The time-out at which a seat is lost."""
        return 1 if self.days_per_move else MAX_TIMEOUTS


class PlannedAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer to the player's next question of this name in the current trick, if the trick asks for this suit; ``None``: for any."""

    question: str
    answer: str
    suit: SuitLetter | None = None


class SeatPlan(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one player has prepared. ``plays_forced``: the server gives the only answer that the hand allows."""

    plays_forced: bool = False
    answers: tuple[PlannedAnswer, ...] = ()


class Plans(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the players of a table have prepared, and the answer that comes next by itself: of which seat, and when after the clocks' time.

    ``key`` is what delays are drawn by, as hexadecimal.
    """

    key: str = ""
    seats: dict[int, SeatPlan] = {}
    due_seat: int = -1
    due_in_ms: int = 0


NO_PLANS = Plans()


class ClockState(msgspec.Struct, frozen=True, omit_defaults=True, rename=_STATE_KEYS):
    """All clocks of a table, as they were at a time. Seats are bits where there is one number for all."""

    remaining_ms: tuple[int, ...]  # milliseconds; below 0 where a flag is about to fall
    used_ms: tuple[int, ...]  # milliseconds since each seat was asked what it is asked now
    timeouts: tuple[int, ...]  # how often the time of each ran out, or a bot answered for one who got up
    to_act: int = 0  # the people whose answer is wanted
    in_overtime: int = 0  # those who are asked on after a time-out: what they have then is all they get
    forfeited: int = 0  # seats that were lost on time
    paused: bool = False
    at_ms: int = 0
    plans: Plans | None = None  # what players have prepared, told nobody else: `ClockStateInfo` leaves it out

    @property
    def running(self) -> int:
        """The seats whose clocks run."""
        return 0 if self.paused else self.to_act


def initial_state(control: TimeControl, seats: int) -> ClockState:
    """The clocks before the first question."""
    zeros = (0,) * seats
    return ClockState((control.initial_ms,) * seats, zeros, zeros)


def has_bit(bits: int, seat: int) -> int:
    """Whether a seat is among those, as 0 or 1."""
    return bits >> seat & 1


def remaining_ms(clocks: ClockState, seat: int, now: int) -> int:
    """The milliseconds that a seat has left."""
    return max(0, clocks.remaining_ms[seat] - has_bit(clocks.running, seat) * (now - clocks.at_ms))


def next_flag_ms(clocks: ClockState) -> int | None:
    """When the next flag falls; ``None`` if no clock runs."""
    flag_times = [clocks.remaining_ms[seat] for seat in _seats(clocks.running)]
    return clocks.at_ms + min(flag_times) + MAX_LAG_COMPENSATION_MS if flag_times else None


def next_due_ms(clocks: ClockState) -> int | None:
    """When the next flag falls, or before that an answer comes by itself; ``None`` if no clock runs."""
    flag_ms, plans = next_flag_ms(clocks), clocks.plans
    if flag_ms is None or plans is None or plans.due_seat < 0:
        return flag_ms
    return min(flag_ms, clocks.at_ms + plans.due_in_ms)


def flagged_seat(clocks: ClockState, now: int) -> int:
    """A seat whose flag has fallen, or −1: of several, that of the one who had the least."""
    by_remaining = sorted((clocks.remaining_ms[seat], seat) for seat in _seats(clocks.running))
    return (
        by_remaining[0][1]
        if by_remaining and clocks.at_ms + by_remaining[0][0] + MAX_LAG_COMPENSATION_MS <= now
        else -1
    )


def lag_compensation_ms(clocks: ClockState, seat: int, now: int, thinking_ms: int | None) -> int:
    """What is given back of the time until an answer came: what it took longer than its sender says to have been asked.

    Whoever says too little wins `MAX_LAG_COMPENSATION_MS` at most, and never more than went by.
    """
    if thinking_ms is None or not has_bit(clocks.running, seat):
        return 0
    return min(MAX_LAG_COMPENSATION_MS, max(0, clocks.used_ms[seat] + now - clocks.at_ms - thinking_ms))


def after_entry(
    control: TimeControl, clocks: ClockState, now: int, to_act: int, answered: int = -1, compensation_ms: int = 0
) -> ClockState:
    """The clocks after something that has happened: from now on these people are ``asked``; a person may have ``answered``."""
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
    """The clocks after a seat's time ran out and a bot answered for it, or has the seat: then it is not among those ``asked``."""
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
    """Somebody gets up and lets a bot answer: that counts as a time-out."""
    timeouts = list(clocks.timeouts)
    timeouts[seat] += 1
    forfeited = 1 << seat if timeouts[seat] >= control.max_timeouts else 0
    return msgspec.structs.replace(clocks, timeouts=tuple(timeouts), forfeited=clocks.forfeited | forfeited)


def after_return(control: TimeControl, clocks: ClockState, seat: int) -> ClockState:
    """The others have agreed that a seat which was lost goes to a person again, who begins with what one has after a time-out."""
    remaining, timeouts = list(clocks.remaining_ms), list(clocks.timeouts)
    remaining[seat], timeouts[seat] = max(remaining[seat], control.increment_s * 1000, REPEATED_TIMEOUT_MS), 0
    return msgspec.structs.replace(
        clocks, remaining_ms=tuple(remaining), timeouts=tuple(timeouts), forfeited=clocks.forfeited & ~(1 << seat)
    )


def _seats(bits: int) -> Iterator[int]:
    return (seat for seat in range(bits.bit_length()) if bits >> seat & 1)
