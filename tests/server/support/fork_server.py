"""Starts servers quickly: imports everything once, then forks itself for each server.

Reads one JSON object per line, ``{"data": FOLDER, "port": PORT, "failpoint": SETTING}``, and answers each with the new
server's process id. With a ``store`` the process becomes a cluster member in PostgreSQL; all members on a port share
one listening socket, as if one supervisor had started them. ``clock`` names a file with the offsets of the machine's
clocks, ``log`` a file for standard error. A process that ends without being killed leaves a file ``ended-PID`` beside
the log.
"""

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

from diamonds.errors import DiamondsError
from diamonds.server import main as server
from diamonds.server import server_time, uvicorn_server
from diamonds.server.cluster import cluster, forwarding, membership, supervisor
from diamonds.server.http import app, cluster_routes, moved_connections
from diamonds.server.http.rate_limits import UNLIMITED
from diamonds.server.listening_sockets import listen
from diamonds.server.main import ServerOptions, serve
from diamonds.server.storage import failpoints
from diamonds.server.storage.sqlite import SqliteStore
from diamonds.server.tables import clock_service, offered_games
from tests.server.support import shared_workers

LISTEN_SOCKETS: dict[int, socket.socket] = {}  # by port, of cluster members
# This end of the pipes to the members. It is open as long as this process lives.
PARENT_PIPES: list[socket.socket] = []


def speed_up_failover(dead_after_s: float) -> None:
    """Shorten the time after which a silent member counts as dead."""
    membership.POLL_INTERVAL_S = dead_after_s / 3
    cluster.HANDOVER_AFTER_S, cluster.HANDOVER_REQUESTS, cluster.HANDOVER_INTERVAL_S = 0.0, 3, 1.0


def shift_clocks(path: str) -> None:
    """Shift the wall clock and the monotonic clock by the offsets in the file.

    Its third 8-byte number is the process id of the member that is cut off from the others.
    """
    with open(path, "r+b") as file:
        ahead = mmap.mmap(file.fileno(), 24)
    wall, steady = server_time.wall_ms, server_time.monotonic_ms
    server_time.wall_ms = lambda: wall() + int.from_bytes(ahead[:8], "little", signed=True)
    server_time.monotonic_ms = lambda: steady() + int.from_bytes(ahead[8:], "little", signed=True)
    clock_service.MAX_TIMER_S = 0.25  # seconds between checks of the offsets, which may change at any time
    own = os.getpid().to_bytes(8, "little")
    request, route = forwarding.RequestForwarder.request, cluster_routes.ClusterRoutes.route
    move = moved_connections.ConnectionMover.move

    async def arrival() -> None:
        while ahead[16:] == own:
            await asyncio.sleep(0.02)

    async def late_request(*given: Any) -> Any:
        await arrival()
        return await request(*given)

    async def late_route(self: Any, scope: Any, *given: Any) -> Any:
        if any(name == forwarding.MEMBER_TOKEN_HEADER for name, _ in scope["headers"]):
            await arrival()
        return await route(self, scope, *given)

    async def move_if_connected(*given: Any) -> bool:
        return ahead[16:] == bytes(8) and await move(*given)

    forwarding.RequestForwarder.request = late_request
    moved_connections.ConnectionMover.move = move_if_connected  # type: ignore[method-assign]
    cluster_routes.ClusterRoutes.route = late_route


def report_joins(folder: Path) -> None:
    """Write a file ``joined-PID`` once this process is a member, after ``opened-PID`` if it found no other member."""
    join = cluster.Cluster.join

    async def joined(self: Any) -> Any:
        now = await join(self)
        for name in ("opened", "joined")[now is not None :]:
            (folder / f"{name}-{os.getpid()}").touch()
        return now

    cluster.Cluster.join = joined  # type: ignore[method-assign]


def redirect_stderr(path: str) -> None:
    """Redirect standard error of this process to a file."""
    file = os.open(path, os.O_APPEND | os.O_CREAT | os.O_WRONLY, 0o600)
    os.dup2(file, 2)
    os.close(file)


def is_peer_alive(pipe: socket.socket) -> bool:
    """Return whether the other end of the pipe is open."""
    try:
        return pipe.recv(1 << 16, socket.MSG_DONTWAIT) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def pass_listen_socket(port: int, number: int) -> None:
    """Pass a member its listening socket and number, as the supervisor does."""
    if port not in LISTEN_SOCKETS:
        LISTEN_SOCKETS[port] = listen("127.0.0.1", port)
    PARENT_PIPES[:] = [*filter(is_peer_alive, PARENT_PIPES)]
    ours, theirs = socket.socketpair()
    PARENT_PIPES.append(ours)
    os.environ[supervisor.WORKER_ENV] = f"{number}:{os.dup(LISTEN_SOCKETS[port].fileno())}:{theirs.detach()}"


def main() -> None:
    app.build_litestar_app = shared_workers.routes_for
    # Routes and catalogs are prepared once here, not in every child.
    shared_workers.return_routes(app.DiamondsApp(SqliteStore(), b"k" * 32).litestar_app)
    offered_games.warm_up()
    gc.collect()
    gc.freeze()  # keeps the garbage collector from touching, and so copying, shared pages
    # Requests in progress are finished, however busy the machine is.
    uvicorn_server.SHUTDOWN_GRACE_S = server.SHUTDOWN_DEADLINE_S = 300
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # reap killed children automatically
    for line in sys.stdin:
        request = json.loads(line)
        store = request.get("store", "")
        if store:
            pass_listen_socket(request["port"], request["number"])
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            failpoints.arm(request["failpoint"])
            if "log" in request:
                redirect_stderr(request["log"])
            if "clock" in request:
                shift_clocks(request["clock"])
            if store:
                speed_up_failover(request["lives"])
                report_joins(Path(request["log"]).parent)
            try:
                serve(ServerOptions(
                    port=request["port"], data_dir=request["data"], bot_delay=(0, 0), limits=UNLIMITED, announce=False, warm_up=False,
                    database=store, workers=2 if store else 1,
                ))  # fmt: skip
            except DiamondsError as refusal:
                sys.stderr.write(f"{refusal}\n")
            except BaseException:
                traceback.print_exc()
            finally:
                if "log" in request:  # created empty, so it needs no space on a full disk
                    Path(request["log"]).with_name(f"ended-{os.getpid()}").touch()
                sys.stderr.flush()
                os._exit(1)
        if store:
            for given in os.environ.pop(supervisor.WORKER_ENV).split(":")[1:]:
                os.close(int(given))
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()


if __name__ == "__main__":  # not in worker processes, which import this module again
    main()
