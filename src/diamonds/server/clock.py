"""The server's time, by which clocks run: milliseconds since 1970 that never go back.

It begins with the machine's clock and goes on by a clock that nobody sets. A member that joins others takes their time, whatever its
machine says. While clocks run, the time is stored once a second; outages of the database and steps of a machine's clock change nothing.

While the server is closed it stands still for the clocks of its tables: what lies between the last sign of life and the opening is
added to when each was last looked at (`Store.resume_clocks`).
"""

from __future__ import annotations

import time

MAX_PROCESS_SKEW_MS = 250  # milliseconds by which the processes of a server may be apart


def wall_ms() -> int:
    """The time by the machine's clock, which may be put forward or back, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def monotonic_ms() -> int:
    """Milliseconds that only ever go on, from no moment in particular."""
    return time.monotonic_ns() // 1_000_000


class ServerClock:
    """The time of this server since it was opened."""

    def __init__(self) -> None:
        self._offset_ms = 0

    def open(self, now_ms: int) -> None:
        """Start the clock at a time of the server."""
        self._offset_ms = now_ms - monotonic_ms()

    def advance_to(self, time_ms: int) -> bool:
        """Go on from there if it is later than now, for this process's machine was asleep and others were not; returns whether it is."""
        ahead_ms = time_ms - self.now()
        if ahead_ms > MAX_PROCESS_SKEW_MS:
            self._offset_ms += ahead_ms
        return ahead_ms > MAX_PROCESS_SKEW_MS

    def now(self) -> int:
        """The server's time."""
        return self._offset_ms + monotonic_ms()


def today() -> int:
    """The day, as the number of days since 1970."""
    return int(time.time() // 86400)
