"""The server as players run it, but that every test is dealt the same cards each time.

``python house.py SOCKET`` imports everything once; each line of JSON that comes through this inherited socket, with a descriptor for what
it writes, then opens a house in a fork of this process, and is answered with its number: ``["FILE", "--port", ...]``.

``FILE`` says which test is running. What a test shows, it then shows in every run, and no rare deal fails it by chance;
``DIAMONDS_DEALS=7 make test`` deals other cards.

If there is a file beside it whose name ends in ``-time``, the clocks go by the milliseconds that it says, and stand still until it says more.

With ``DIAMONDS_LATE=300`` each reply, and each piece of news on a stream, comes up to so many milliseconds later, now more and now less:
whatever a test takes for granted of the order in which they come, then fails.
"""

from __future__ import annotations

import asyncio
import gc
import hashlib
import json
import os
import random
import signal
import socket
import sys
from collections import Counter
from pathlib import Path
from typing import Any

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


def be_late(most: int) -> None:
    """What the house sends comes later, by up to so many milliseconds."""
    from diamonds.server.wire.app import App

    at_once = App.__call__

    async def later(self: App, scope: Any, receive: Any, send: Any) -> None:
        async def send_later(message: Any) -> None:
            if message["type"].startswith("http.response") and (message.get("body") or "status" in message):
                await asyncio.sleep(random.random() ** 2 * most / 1000)
            await send(message)

        await at_once(self, scope, receive, send_later)

    App.__call__ = later  # type: ignore[method-assign]


def open_house(file: str, *more: str) -> None:
    """A house, until it is told to close."""
    from diamonds.server.main import main
    from diamonds.server.meeting import challenges, missing, seeks
    from diamonds.server.reminding import calls

    time = Path(file + "-time")
    if time.exists():
        go_by(time)
    deals.new_secret = Dealer(Path(file)).new_secret
    if most := int(os.environ.get("DIAMONDS_LATE", "0")):
        be_late(most)
    calls.DELAY, calls.LOOK_AGAIN = 0, 100  # milliseconds
    # Nobody loses their place, nor what they are asked or look for, because the machine is busy.
    missing.COME = 3_600_000
    challenges.STANDS = seeks.GRACE = seeks.MEET = 3600.0
    main(more)


def wait_for_orders(line: socket.socket) -> None:
    """Open a house for each line that comes, until nobody is there any more who could send one."""
    from diamonds.server.house import offers
    from diamonds.server.store.sqlite import SqliteStore
    from diamonds.server.wire.app import App

    App(SqliteStore(), b"k" * 32)  # what is worked out once need not be worked out in every house,
    offers.get_ready()  # nor be read
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those that have closed
    while True:
        asked, given, *_ = socket.recv_fds(line, 65536, 1)
        if not asked:
            return
        (writes,) = given
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.dup2(writes, 1)
            line.close()
            code = 1
            try:
                open_house(*json.loads(asked))
                code = 0
            finally:
                sys.stdout.flush()
                os._exit(code)
        os.close(writes)
        line.sendall(f"{child}\n".encode())


if __name__ == "__main__":  # for the processes that think read this file too
    wait_for_orders(socket.socket(fileno=int(sys.argv[1])))
