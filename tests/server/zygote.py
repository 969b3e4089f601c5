"""Starts servers quickly: everything is imported once, and each server is a fork of this process.

Reads lines of JSON: ``{"data": FOLDER, "port": PORT, "failpoint": SETTING}``; answers each with the new server's process id.
"""

from __future__ import annotations

import json
import os
import signal
import sys

from diamonds.server import main as server
from diamonds.server.house import offers
from diamonds.server.main import serve
from diamonds.server.store import failpoints
from diamonds.server.store.memory import MemoryStore
from diamonds.server.wire.app import App
from diamonds.server.wire.limits import OFF


def main() -> None:
    App(MemoryStore(), b"k" * 32)  # what is worked out once need not be worked out in every child,
    offers.get_ready()  # nor be read
    server.GRACE = server.LAST = 300  # however busy the machine is, what is under way is finished
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who are killed
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            failpoints.arm(asked["failpoint"])
            try:
                serve(port=asked["port"], data=asked["data"], think=(0, 0), limits=OFF, announce=False, get_ready=False)
            finally:
                os._exit(1)
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()


main()
