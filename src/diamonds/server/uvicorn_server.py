"""The uvicorn server: opens the application, watches its connections and shuts down in time."""

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
from diamonds.server.http.asgi_helpers import SECURITY_HEADERS
from diamonds.server.http.asgi_routes import retry_frame
from diamonds.server.http.connection_limits import TICKS_PER_S, LimitedHttpProtocol
from diamonds.server.http.internal_listener import InternalListener

log = logging.getLogger("diamonds")

HSTS_HEADER = ("strict-transport-security", "max-age=31536000")
# The version of the server's client, which tells an older client of a new one. The second name is the old one, read
# by clients opened before an upgrade.
CLIENT_VERSION_HEADERS = ("diamonds-client-version", "diamonds-page")
ALWAYS_SENT_HEADERS = {
    name.encode() for name in (*CLIENT_VERSION_HEADERS, *(name for name, _ in (*SECURITY_HEADERS, HSTS_HEADER)))
}
SHUTDOWN_GRACE_S = 3  # for requests in progress when the server closes
SHUTDOWN_DEADLINE_S = 4.5  # the process then ends, whatever it is waiting for
EXIT_TEMPFAIL = 75  # exit status in that case (EX_TEMPFAIL)


class DiamondsServer(uvicorn.Server):
    """Uvicorn, with an orderly end for streams, which would never end by themselves.

    At shutdown it accepts no requests, lets those in progress finish, and closes the store. After `exit_deadline_s` the
    process ends in any case: clients still waiting get no reply, and everything that was published is stored. `on_open`
    is called once the server is open.
    """

    def __init__(
        self,
        app: DiamondsApp,
        exit_deadline_s: float | None = None,
        on_open: Callable[[], None] = lambda: None,
        worker: several.InheritedSockets | None = None,
        internal_listener: InternalListener | None = None,
    ) -> None:
        config = uvicorn.Config(
            app,
            http=LimitedHttpProtocol,
            ws="none",
            lifespan="on",
            log_config=None,
            log_level="error",  # uvicorn would log a line for each invalid request
            access_log=False,
            server_header=False,
            headers=[
                *SECURITY_HEADERS,
                *((name, app.web_client.client_version) for name in CLIENT_VERSION_HEADERS),
                *([HSTS_HEADER] if app.config.secure else []),
            ],
            proxy_headers=False,  # `http.network_addresses.client_network` reads them if configured
            timeout_keep_alive=75,  # uvicorn's 5 s would close the connections of players who are thinking
            timeout_graceful_shutdown=SHUTDOWN_GRACE_S,
        )
        super().__init__(config)
        self.app = app
        self.exit_deadline_s = exit_deadline_s
        self.on_open = on_open
        self.worker = worker
        self.internal_listener = internal_listener  # for other members of a cluster

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """See uvicorn. Open the application first, so that its errors are raised; uvicorn would only print them."""
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

    def _send_heartbeat(self, loop: asyncio.AbstractEventLoop, worker: several.InheritedSockets) -> None:
        """Send heartbeats to the supervisor from now on."""
        worker.send_heartbeat()
        loop.call_later(several.HEARTBEAT_INTERVAL_S, self._send_heartbeat, loop, worker)

    def _on_parent_exit(self, loop: asyncio.AbstractEventLoop, parent_pipe: socket.socket) -> None:
        """Stop, because the supervisor is gone."""
        loop.remove_reader(parent_pipe)
        self.handle_exit(signal.SIGTERM, None)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Handle a signal to stop; see uvicorn."""
        self.app.readiness.shutting_down = True
        super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        """Run uvicorn's tick, and check a tenth of the connections.

        It is called ten times a second, so each connection is checked once a second.
        """
        now = asyncio.get_running_loop().time()
        for connection in [
            c for c in self.server_state.connections if cast(LimitedHttpProtocol, c).tick == counter % TICKS_PER_S
        ]:
            cast(LimitedHttpProtocol, connection).check_timeouts(now)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End streams and connections, and close the application; see uvicorn."""
        self.app.readiness.shutting_down = True
        if self.exit_deadline_s is not None:
            exit_timer = threading.Timer(self.exit_deadline_s, _force_exit)
            exit_timer.daemon = True
            exit_timer.start()
        log.info("The server is closing.", extra={"readers": sum(map(len, self.app.tables.streams.slots))})
        self.app.tables.streams.end_all(retry_frame)
        await super().shutdown(sockets)
        for connection in [*self.server_state.connections]:  # connections of members that arrived during shutdown
            cast(LimitedHttpProtocol, connection).transport.abort()
        await asyncio.sleep(0)


def _force_exit() -> None:
    """End the process even though a disk or a job has not finished. Everything that players saw is stored."""
    sys.stderr.write("Diamonds ends without waiting for unfinished work. Everything that players saw is stored.\n")
    sys.stderr.flush()
    os._exit(EXIT_TEMPFAIL)


def event_loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return uvicorn's choice of event loop."""
    return uvicorn.Config("", log_config=None).get_loop_factory()  # the default would configure logging
