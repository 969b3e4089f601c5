"""Starts servers quickly: everything is imported once, and each server is a fork of this process.

Reads lines of JSON: ``{"data": FOLDER, "port": PORT, "failpoint": SETTING}``; answers each with the new server's process id. With a
``store`` it is one of the processes that keep a house together in PostgreSQL: all of a port have one socket, as if one had started them.
``clock`` names a file that says how far its machine's clocks are ahead, and ``log`` one for what it writes to its host; beside that one
each leaves a file ``ended-PID`` that was not killed.
"""

from __future__ import annotations

import asyncio
import gc
import json
import mmap
import os
import signal
import socket
import sys
import traceback
from pathlib import Path
from typing import Any

import kept
import mistakes

from diamonds.game import Refused
from diamonds.server import main as server
from diamonds.server import workers
from diamonds.server.cluster import cluster, forwarding, membership
from diamonds.server.house import flags, hours, offers
from diamonds.server.listening import listen
from diamonds.server.main import serve
from diamonds.server.store import failpoints
from diamonds.server.store.sqlite import SqliteStore
from diamonds.server.wire import app, cluster_routes
from diamonds.server.wire.limits import OFF

SOCKETS: dict[int, socket.socket] = {}  # by port, of those who keep a house together
LINES: list[socket.socket] = []  # to them, as long as this process lives


def hasten(lives: float) -> None:
    """Who is dead is known to be so after so many seconds."""
    membership.POLL_INTERVAL_S = lives / 3
    cluster.HANDOVER_AFTER_S, cluster.HANDOVER_REQUESTS, cluster.HANDOVER_INTERVAL_S = 0.0, 3, 1.0


def set_ahead(path: str) -> None:
    """The machine's clock is so many milliseconds ahead of what it says, and the time since its start; the third number of eight bytes is
    the process that is cut off from other members."""
    with open(path, "r+b") as file:
        ahead = mmap.mmap(file.fileno(), 24)
    wall, steady = hours.wall, hours.steady
    hours.wall = lambda: wall() + int.from_bytes(ahead[:8], "little", signed=True)
    hours.steady = lambda: steady() + int.from_bytes(ahead[8:], "little", signed=True)
    flags.PATIENCE = 0.25  # seconds after which it is looked again: time may have gone by meanwhile
    own = os.getpid().to_bytes(8, "little")
    request, route = forwarding.Forwarder._request, cluster_routes.ClusterRoutes.route

    async def arrival() -> None:
        while ahead[16:] == own:
            await asyncio.sleep(0.02)

    async def late_request(*given: Any) -> Any:
        await arrival()
        return await request(*given)

    async def late_route(self: Any, scope: Any, *given: Any) -> Any:
        if any(name == forwarding.MARK for name, _ in scope["headers"]):
            await arrival()
        return await route(self, scope, *given)

    forwarding.Forwarder._request = late_request
    cluster_routes.ClusterRoutes.route = late_route


def tell_of_joins(folder: Path) -> None:
    """Leave a file ``joined-PID`` once this process is a member, and ``opened-PID`` before that if it found no other."""
    join = cluster.Cluster.join

    async def joined(self: Any) -> Any:
        now = await join(self)
        for name in ("opened", "joined")[now is not None :]:
            (folder / f"{name}-{os.getpid()}").touch()
        return now

    cluster.Cluster.join = joined  # type: ignore[method-assign]


def write_to(path: str) -> None:
    """What this process writes to its host is found there."""
    file = os.open(path, os.O_APPEND | os.O_CREAT | os.O_WRONLY, 0o600)
    os.dup2(file, 2)
    os.close(file)


def is_heard(line: socket.socket) -> bool:
    """Whether somebody lives at the other end."""
    try:
        return line.recv(1 << 16, socket.MSG_DONTWAIT) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def hand_down(port: int, number: int) -> None:
    """What one of several processes is told by whoever starts it."""
    if port not in SOCKETS:
        SOCKETS[port] = listen("127.0.0.1", port)
    LINES[:] = [*filter(is_heard, LINES)]
    ours, theirs = socket.socketpair()
    LINES.append(ours)
    os.environ[workers.GIVEN] = f"{number}:{os.dup(SOCKETS[port].fileno())}:{theirs.detach()}"


def main() -> None:
    app.make_routes = kept.routes_for
    kept.give_back(
        app.App(SqliteStore(), b"k" * 32).rest
    )  # what is worked out once need not be worked out in every child,
    offers.get_ready()  # nor be read,
    gc.collect()
    gc.freeze()  # nor copied because it is looked through
    server.GRACE = server.LAST = 300  # however busy the machine is, what is under way is finished
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who are killed
    for line in sys.stdin:
        asked = json.loads(line)
        store = asked.get("store", "")
        if store:
            hand_down(asked["port"], asked["number"])
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            if asked["failpoint"] in mistakes.PLANTED:
                mistakes.PLANTED[asked["failpoint"]]()
            else:
                failpoints.arm(asked["failpoint"])
            if "log" in asked:
                write_to(asked["log"])
            if "clock" in asked:
                set_ahead(asked["clock"])
            if store:
                hasten(asked["lives"])
                tell_of_joins(Path(asked["log"]).parent)
            try:
                serve(
                    port=asked["port"], data=asked["data"], think=(0, 0), limits=OFF, announce=False, get_ready=False,
                    kept=store, workers=2 if store else 1,
                )  # fmt: skip
            except Refused as refusal:
                sys.stderr.write(f"{refusal}\n")
            except BaseException:
                traceback.print_exc()
            finally:
                if "log" in asked:  # however full the disk is, there is room for a name
                    Path(asked["log"]).with_name(f"ended-{os.getpid()}").touch()
                sys.stderr.flush()
                os._exit(1)
        if store:
            for given in os.environ.pop(workers.GIVEN).split(":")[1:]:
                os.close(int(given))
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()


if (
    __name__ == "__main__"
):  # and not in the processes that think for a house, which begin by what their parents began by
    main()
