"""A proxy between a server and PostgreSQL that can delay, hold or cut their connections."""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any

from tests.server.support.postgres_cluster import PostgresCluster

COMMIT = b"COMMIT"
READY_FOR_QUERY = b"Z\0\0\0\5I"  # ReadyForQuery with status idle: no transaction is open
BEFORE_COMMIT = "before the commit arrives"
BEFORE_REPLY = "before its answer arrives"
DURING_COMMIT = "while the commit is under way"


class PostgresProxy:
    """A proxy that forwards all traffic, and cuts the next connection that commits if ``cut_at`` names a point."""

    def __init__(self, cluster: PostgresCluster) -> None:
        self._path = str(cluster.folder / ".s.PGSQL.5432")
        self.delay_s = 0.0  # seconds of delay for all traffic
        self.cut_at, self.cut_count = "", 0
        self.commit_arrives = threading.Event()  # set when a delayed commit arrives
        self._transports: set[asyncio.Transport] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._flowing = asyncio.Event()
        self._server = self._run(self._open())
        self.database_url = f"postgresql://diamonds@127.0.0.1:{self._server.sockets[0].getsockname()[1]}/postgres"

    def _run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    async def _open(self) -> asyncio.Server:
        self._flowing.set()
        return await asyncio.start_server(self._connected, "127.0.0.1", 0)

    async def _connected(self, requests: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        try:
            replies, server = await asyncio.open_unix_connection(self._path)
        except OSError:
            client.transport.abort()
            return
        drops_replies = asyncio.Event()

        async def forward_requests() -> None:
            while data := await requests.read(1 << 16):
                await self._wait()
                if self.cut_at and COMMIT in data:
                    where, self.cut_at = self.cut_at, ""
                    self.cut_count += 1
                    if where == BEFORE_COMMIT:
                        return
                    drops_replies.set()
                    if where == DURING_COMMIT:
                        client.transport.abort()
                        await asyncio.to_thread(self.commit_arrives.wait)
                server.write(data)
                await server.drain()

        async def forward_replies() -> None:
            while data := await replies.read(1 << 16):
                await self._wait()
                if not drops_replies.is_set():
                    client.write(data)
                    await client.drain()
                elif data.endswith(READY_FOR_QUERY):
                    return

        ends = {client.transport, server.transport}
        self._transports |= ends
        tasks = [asyncio.create_task(forward_requests()), asyncio.create_task(forward_replies())]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for end in ends:
            end.abort()
        self._transports -= ends

    async def _wait(self) -> None:
        if self.delay_s:
            await asyncio.sleep(self.delay_s)
        await self._flowing.wait()

    def cut_connections(self) -> None:
        """Break all connections, but accept new ones."""

        async def cut() -> None:
            self.cut_count += len(self._transports) // 2
            for line in self._transports:
                line.abort()

        self._run(cut())

    def hold_traffic(self, on: bool) -> None:
        """Set whether traffic is held back while the connections stay open."""

        async def hold() -> None:
            (self._flowing.clear if on else self._flowing.set)()

        self._run(hold())

    def close(self) -> None:
        """Break all connections, and accept no more."""

        async def close() -> None:
            self._server.close()
            for line in self._transports:
                line.abort()
            await asyncio.sleep(0)

        self._run(close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
