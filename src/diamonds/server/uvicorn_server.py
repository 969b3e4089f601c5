"""The uvicorn server: it opens the application, watches its connections and shuts down in time."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import cast

import uvicorn

from diamonds.server.cluster import supervisor as several
from diamonds.server.http.app import DiamondsApp
from diamonds.server.http.asgi import SECURITY_HEADERS
from diamonds.server.http.connection import TICKS_PER_S, HttpConnection
from diamonds.server.http.hot_routes import retry_frame
from diamonds.server.http.internal_listener import InternalListener

log = logging.getLogger("diamonds")

HSTS_HEADER = ("strict-transport-security", "max-age=31536000")
# The version of the server's client: an older client learns of it by any reply. The second name is the earlier one, which clients
# opened before an upgrade read.
CLIENT_VERSION_HEADERS = ("diamonds-client-version", "diamonds-page")
ALWAYS_SENT_HEADERS = {
    name.encode() for name in (*CLIENT_VERSION_HEADERS, *(name for name, _ in (*SECURITY_HEADERS, HSTS_HEADER)))
}
SHUTDOWN_GRACE_S = 3  # seconds for requests that are under way when the server closes
SHUTDOWN_DEADLINE_S = 4.5  # seconds after which the process ends, whatever it still waits for
EXIT_TEMPFAIL = 75  # its exit status then (EX_TEMPFAIL)


class DiamondsServer(uvicorn.Server):
    """Uvicorn, which before it stops tells the readers to come back, for streams would never end by themselves.

    It takes no more requests, lets those that are under way finish and be written, and closes the store. ``exit_deadline_s``: seconds after
    which the process ends without having done all that; whoever waits for a reply then was told nothing, and what was told is written.
    ``opened`` is called once the server is open.
    """

    def __init__(
        self,
        app: DiamondsApp,
        exit_deadline_s: float | None = None,
        on_open: Callable[[], None] = lambda: None,
        worker: several.WorkerConfig | None = None,
        internal_listener: InternalListener | None = None,
    ) -> None:
        config = uvicorn.Config(
            app,
            http=HttpConnection,
            ws="none",
            lifespan="on",
            log_config=None,
            log_level="error",  # of each request that is none it would write a line
            access_log=False,
            server_header=False,
            headers=[
                *SECURITY_HEADERS,
                *((name, app.web_client.client_version) for name in CLIENT_VERSION_HEADERS),
                *([HSTS_HEADER] if app.config.secure else []),
            ],
            proxy_headers=False,  # `http.client_network` reads them, if told to
            timeout_keep_alive=75,  # uvicorn's 5 s would close the line of everyone who thinks before they play
            timeout_graceful_shutdown=SHUTDOWN_GRACE_S,
        )
        super().__init__(config)
        self.app = app
        self.exit_deadline_s = exit_deadline_s
        self.on_open = on_open
        self.worker = worker
        self.internal_listener = internal_listener  # at which other members of a cluster reach it

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """See uvicorn. The app opens first: what keeps it from opening is raised, where uvicorn would print a traceback."""
        await self.app.open()
        await super().startup(sockets)
        if self.started:
            if self.internal_listener is not None:
                await self.internal_listener.serve(self)
            self.on_open()
            if self.worker is not None:
                loop = asyncio.get_running_loop()
                loop.add_reader(self.worker.parent_pipe, self._on_parent_exit, loop, self.worker.parent_pipe)
                self._send_heartbeat(loop, self.worker)

    def _send_heartbeat(self, loop: asyncio.AbstractEventLoop, worker: several.WorkerConfig) -> None:
        """Tell the supervisor that this process takes requests, from now on."""
        worker.send_heartbeat()
        loop.call_later(several.HEARTBEAT_INTERVAL_S, self._send_heartbeat, loop, worker)

    def _on_parent_exit(self, loop: asyncio.AbstractEventLoop, parent_pipe: socket.socket) -> None:
        """Whoever started this process is gone."""
        loop.remove_reader(parent_pipe)
        self.handle_exit(signal.SIGTERM, None)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """See uvicorn: a signal to stop."""
        self.app.readiness.shutting_down = True
        super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        """See uvicorn: called ten times a second. Each connection has its turn once in a second, not all at a time."""
        now = asyncio.get_running_loop().time()
        for connection in [
            c for c in self.server_state.connections if cast(HttpConnection, c).tick == counter % TICKS_PER_S
        ]:
            cast(HttpConnection, connection).check_timeouts(now)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """See uvicorn."""
        self.app.readiness.shutting_down = True
        if self.exit_deadline_s is not None:
            exit_timer = threading.Timer(self.exit_deadline_s, _force_exit)
            exit_timer.daemon = True
            exit_timer.start()
        log.info("The server closes.", extra={"readers": sum(map(len, self.app.tables.streams.slots))})
        self.app.tables.streams.end_all(retry_frame)
        await super().shutdown(sockets)
        for connection in [*self.server_state.connections]:  # of members that came while the others were closed
            cast(HttpConnection, connection).transport.abort()
        await asyncio.sleep(0)


def _force_exit() -> None:
    """Something does not come to its end: a disk, a thought. What anyone has seen is safe."""
    sys.stderr.write("Diamonds ends without waiting any longer for what is not done. What was seen is safe.\n")
    sys.stderr.flush()
    os._exit(EXIT_TEMPFAIL)


def event_loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """What makes the event loop: uvicorn's choice."""
    return uvicorn.Config("", log_config=None).get_loop_factory()  # by default it would log in its own way
