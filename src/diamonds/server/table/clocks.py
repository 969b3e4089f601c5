"""The clocks of a table: how much time each seat has, whose clock runs, and when a flag falls.

Nothing here looks at a clock: the time, in milliseconds of the house (`house/hours.py`), is passed in. What is stored is how much
everyone had *at* the last thing that happened; what they have now follows from it.

- A clock runs as long as its seat is asked and a person has it: of everyone at once where all choose at the same time.
- *Live*, there is a time for the whole game, and an increment for each decision: one for a run of questions of the same person, when it
  is over. *Days* are given anew with every question.
- Live, of the time until an answer came up to `WAY` is given back, as far as it went by on the way: see `way`. A flag falls so much
  later than a clock has run out, for the last answer is on its way that long.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

WAY = 500  # milliseconds at most that are given back for the way of one decision
AGAIN = 10_000  # milliseconds that whoever ran out of time has at least for what is asked next
MOST_OUTS = (
    3  # so many times one's time may run out in a live game until the seat is lost; with days it is lost at once
)
DAY = 86_400_000
DAYS = (1, 2, 3, 7)
LEAST_START, MOST_START, MOST_INCREMENT = 10, 10_800, 300  # seconds


class Control(msgspec.Struct, frozen=True):
    """How much time there is: ``start`` seconds for the game and ``increment`` for each decision, or ``days`` for each."""

    start: int = 0
    increment: int = 0
    days: int = 0

    @property
    def first(self) -> int:
        """The milliseconds that everyone begins with."""
        return self.days * DAY or self.start * 1000

    @property
    def most_outs(self) -> int:
        """The time-out at which a seat is lost."""
        return 1 if self.days else MOST_OUTS


class Clocks(msgspec.Struct, frozen=True, omit_defaults=True):
    """All clocks of a table, as they were at a time. Seats are bits where there is one number for all."""

    left: tuple[int, ...]  # milliseconds; below 0 where a flag is about to fall
    used: tuple[int, ...]  # milliseconds since each seat was asked what it is asked now
    outs: tuple[int, ...]  # how often the time of each ran out, or a bot answered for one who got up
    asked: int = 0  # the people whose answer is wanted
    again: int = 0  # those who are asked on after a time-out: what they have then is all they get
    lost: int = 0  # seats that were lost on time
    paused: bool = False
    at: int = 0

    @property
    def runs(self) -> int:
        """The seats whose clocks run."""
        return 0 if self.paused else self.asked


def begin(control: Control, seats: int) -> Clocks:
    """The clocks before the first question."""
    nothing = (0,) * seats
    return Clocks((control.first,) * seats, nothing, nothing)


def has(bits: int, seat: int) -> int:
    """Whether a seat is among those, as 0 or 1."""
    return bits >> seat & 1


def left(clocks: Clocks, seat: int, now: int) -> int:
    """The milliseconds that a seat has left."""
    return max(0, clocks.left[seat] - has(clocks.runs, seat) * (now - clocks.at))


def due(clocks: Clocks) -> int | None:
    """When the next flag falls; ``None`` if no clock runs."""
    ends = [clocks.left[seat] for seat in _seats(clocks.runs)]
    return clocks.at + min(ends) + WAY if ends else None


def fallen(clocks: Clocks, now: int) -> int:
    """A seat whose flag has fallen, or −1: of several, that of the one who had the least."""
    ends = sorted((clocks.left[seat], seat) for seat in _seats(clocks.runs))
    return ends[0][1] if ends and clocks.at + ends[0][0] + WAY <= now else -1


def way(clocks: Clocks, seat: int, now: int, spent: int | None) -> int:
    """What is given back of the time until an answer came: what it took longer than its sender says to have been asked.

    Whoever says too little wins `WAY` at most, and never more than went by.
    """
    if spent is None or not has(clocks.runs, seat):
        return 0
    return min(WAY, max(0, clocks.used[seat] + now - clocks.at - spent))


def happened(control: Control, clocks: Clocks, now: int, asked: int, answered: int = -1, given_back: int = 0) -> Clocks:
    """The clocks after something that has happened: from now on these people are ``asked``; a person may have ``answered``."""
    gone = max(0, now - clocks.at)
    rest, used = list(clocks.left), list(clocks.used)
    for seat in _seats(clocks.runs):
        rest[seat] -= gone
        used[seat] += gone
    if answered >= 0:
        rest[answered] += given_back
        used[answered] = 0
        rest[answered] = max(0, rest[answered])
        if control.days:
            rest[answered] = control.first
        elif not has(asked, answered) and not has(clocks.again, answered):
            rest[answered] += control.increment * 1000
    for seat in _seats(asked & ~clocks.asked):
        used[seat] = 0
        if control.days:
            rest[seat] = control.first
    return msgspec.structs.replace(
        clocks, left=tuple(rest), used=tuple(used), asked=asked, again=clocks.again & asked, at=now
    )


def run_out(control: Control, clocks: Clocks, now: int, seat: int, asked: int) -> Clocks:
    """The clocks after a seat's time ran out and a bot answered for it, or has the seat: then it is not among those ``asked``."""
    after = happened(control, clocks, now, asked)
    rest, used, outs = list(after.left), list(after.used), list(after.outs)
    rest[seat] = control.first if control.days else max(control.increment * 1000, AGAIN)
    used[seat] = 0
    outs[seat] += 1
    mine = 1 << seat
    lost = mine if outs[seat] >= control.most_outs else 0
    return msgspec.structs.replace(
        after,
        left=tuple(rest),
        used=tuple(used),
        outs=tuple(outs),
        again=after.again | mine & asked,
        lost=after.lost | lost,
    )


def got_up(control: Control, clocks: Clocks, seat: int) -> Clocks:
    """Somebody gets up and lets a bot answer: that counts as a time-out."""
    outs = list(clocks.outs)
    outs[seat] += 1
    lost = 1 << seat if outs[seat] >= control.most_outs else 0
    return msgspec.structs.replace(clocks, outs=tuple(outs), lost=clocks.lost | lost)


def given_again(control: Control, clocks: Clocks, seat: int) -> Clocks:
    """The others have agreed that a seat which was lost goes to a person again, who begins with what one has after a time-out."""
    rest, outs = list(clocks.left), list(clocks.outs)
    rest[seat], outs[seat] = max(rest[seat], control.increment * 1000, AGAIN), 0
    return msgspec.structs.replace(clocks, left=tuple(rest), outs=tuple(outs), lost=clocks.lost & ~(1 << seat))


def _seats(bits: int) -> Iterator[int]:
    return (seat for seat in range(bits.bit_length()) if bits >> seat & 1)
