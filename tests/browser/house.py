"""The server as players run it, but that every test is dealt the same cards each time: ``python house.py FILE ...``.

``FILE`` says which test is running. What a test shows, it then shows in every run, and no rare deal fails it by chance;
``DIAMONDS_DEALS=7 make test`` deals other cards.

If there is a file beside it whose name ends in ``-time``, the clocks go by the milliseconds that it says, and stand still until it says more.
"""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from pathlib import Path

from diamonds import deals


class Dealer:
    """Secrets that follow from the name of a test, and from how many tables were made in it."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.made: Counter[str] = Counter()

    def new_secret(self) -> bytes:
        """See `deals.new_secret`."""
        test = self.file.read_text(encoding="utf-8")
        self.made[test] += 1
        return hashlib.sha256(f"{test}, table {self.made[test]}".encode()).digest()


def go_by(time: Path) -> None:
    """The clocks of the house go by this file; it looks often what it says."""
    from diamonds.server.house import flags, hours

    hours.wall = hours.steady = lambda: int(time.read_text(encoding="utf-8"))
    flags.PATIENCE = flags.BEAT = 0.05


if __name__ == "__main__":
    from diamonds.server.main import main  # here, for the processes that think read this file too
    from diamonds.server.meeting import missing
    from diamonds.server.reminding import calls

    time = Path(sys.argv[1] + "-time")
    if time.exists():
        go_by(time)
    deals.new_secret = Dealer(Path(sys.argv[1])).new_secret
    calls.DELAY, calls.LOOK_AGAIN = 0, 100  # milliseconds
    missing.COME = 3_600_000  # nobody loses their place because the machine is busy
    main(sys.argv[2:])
