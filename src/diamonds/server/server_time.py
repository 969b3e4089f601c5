"""The server's time, which clocks use: milliseconds since 1970 that never decrease.

It starts from the machine's clock and continues with a monotonic one. A member that joins others adopts their time,
whatever its machine's clock says. While clocks run, the time is stored every second or minute; database outages and
steps of the machine's clock have no effect.

While the server is closed, its tables' clocks stand still: the time between the last heartbeat and the opening is added
to their clock states (`Store.resume_clocks`).
"""

from __future__ import annotations

import time

MAX_PROCESS_SKEW_MS = 250  # largest tolerated difference between a server's processes


def wall_ms() -> int:
    """Return the machine's time in milliseconds since 1970. It can be set forward or back."""
    return time.time_ns() // 1_000_000


def monotonic_ms() -> int:
    """Return a monotonic time in milliseconds, with an arbitrary origin."""
    return time.monotonic_ns() // 1_000_000


class ServerClock:
    """A clock that shows the server's time."""

    def __init__(self) -> None:
        self._offset_ms = 0

    def open(self, now_ms: int) -> None:
        """Start the clock at a server time."""
        self._offset_ms = now_ms - monotonic_ms()

    def advance_to(self, time_ms: int) -> bool:
        """Advance to a later server time after this machine was suspended; return whether it was later."""
        ahead_ms = time_ms - self.now()
        if ahead_ms > MAX_PROCESS_SKEW_MS:
            self._offset_ms += ahead_ms
        return ahead_ms > MAX_PROCESS_SKEW_MS

    def now(self) -> int:
        """Return the server's time in milliseconds."""
        return self._offset_ms + monotonic_ms()


def today() -> int:
    """Return the number of days since 1970."""
    return int(time.time() // 86400)
