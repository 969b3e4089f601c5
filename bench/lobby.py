"""Cost of the lobby's stream: memory per reader, and the time until a change reaches ten thousand readers.

The readers connect over loopback from another process to a separate server. The comparison is the same number of idle
table streams. Run by ``make bench ARGS=lobby``; ``--quick`` takes a tenth of the readers.
"""

from __future__ import annotations

import asyncio
import json
import resource
import sys
import time
import urllib.request

from server import BenchServer

READER_COUNT = 10_000


class LobbyStream(asyncio.Protocol):
    """One stream, with the time and content of its newest bytes."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.last_bytes = b""
        self.last_received_at = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Request the stream."""
        transport.write(f"GET {self.path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        """Store new bytes."""
        self.last_bytes = (self.last_bytes + data)[-2_000:]
        self.last_received_at = time.perf_counter()


def post_json(port: int, path: str, body: object, token: str = "") -> dict[str, str]:
    """Send a POST request; return the reply."""
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    asked = urllib.request.Request(f"http://127.0.0.1:{port}{path}", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(asked) as reply:
        found: dict[str, str] = json.load(reply)
    return found


async def open_streams(
    server: BenchServer, path: str, readers: int, first_bytes: bytes
) -> tuple[list[LobbyStream], float]:
    """Open streams of a path; return them, and the server's memory for each in bytes."""
    before = server.memory_bytes()
    loop = asyncio.get_running_loop()
    found: list[LobbyStream] = []
    for _ in range(0, readers, 100):
        made = [loop.create_connection(lambda: LobbyStream(path), "127.0.0.1", server.port) for _ in range(100)]
        found += [reader for _, reader in await asyncio.gather(*made)]
    while not all(first_bytes in reader.last_bytes for reader in found):
        await asyncio.sleep(0.05)
    return found, (server.memory_bytes() - before) / readers


async def measure(readers: int) -> None:
    """Run the benchmark."""
    bare = BenchServer(None)
    token = post_json(bare.port, "/api/token", {})["token"]
    table = post_json(bare.port, "/api/tables", {"game": "mines", "seats": 2, "seats_taken_by": ["me", "open"]}, token)[
        "id"
    ]
    path = f"/api/tables/{table}/stream"
    _, cost = await open_streams(bare, path, 500, b"data: ")  # warm-up
    _, bare_cost = await open_streams(bare, path, min(readers, 2_000), b"data: ")
    bare.kill()

    server = BenchServer(None)
    token = post_json(server.port, "/api/token", {})["token"]
    await open_streams(server, "/api/lobby", 500, b'"tables"')
    found, cost = await open_streams(server, "/api/lobby", readers, b'"tables"')
    print(f"{readers:,} readers: {cost / 1000:.1f} kB each; a table's stream costs {bare_cost / 1000:.1f} kB")
    times = []
    busy = server.cpu_s()
    for _ in range(3):
        begin = time.perf_counter()
        new = {"game": "mines", "seats": 2, "seats_taken_by": ["me", "open"], "private": False}
        id = (await asyncio.to_thread(post_json, server.port, "/api/tables", new, token))["id"]
        await asyncio.to_thread(post_json, server.port, f"/api/tables/{id}/sit", {"nonce": ""}, token)
        sat = time.perf_counter()
        while not all(id.encode() in reader.last_bytes for reader in found):
            await asyncio.sleep(0.005)
        times.append(
            (
                max(reader.last_received_at for reader in found) - begin,
                max(reader.last_received_at for reader in found) - sat,
            )
        )
    busy = (server.cpu_s() - busy) / len(times)
    told = ", ".join(f"{one:.2f} s ({since:.2f} s after the reply)" for one, since in times)
    print(f"a new table has reached all {readers:,} readers: {told}; the server was busy for {busy:.2f} s each")
    server.kill()


if __name__ == "__main__":
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    asyncio.run(measure(READER_COUNT // 10 if "--quick" in sys.argv else READER_COUNT))
