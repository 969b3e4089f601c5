"""Memory left behind by people who come and go: each is matched, sits down and leaves, all at one server.

This runs the server's code without the network: seeks are matched, tables are created and stored, seats are taken,
cards are dealt, and all streams end. Memory, disk use and tables in memory are printed after each tenth, to reveal
anything that grows with the people who have left. Run by ``make bench ARGS=crowd``, with a hundred thousand people and
as many tables, or a twentieth of them with ``--quick``.
"""

from __future__ import annotations

import asyncio
import gc
import resource
import sys
import tempfile
import time
from pathlib import Path

from diamonds.server.api.lobby import SeekRequest
from diamonds.server.api.tables import SitRequest
from diamonds.server.lobby import seeks, streams, table_timeouts
from diamonds.server.lobby.service import LobbyService
from diamonds.server.storage.sqlite import SqliteStore
from diamonds.server.tables import registry
from diamonds.server.tables.service import TableService
from diamonds.server.tables.streams import TableStream

PERSON_COUNT = 100_000
CONCURRENT_PEOPLE = 400


async def ignore_message(message: dict[str, object]) -> None:
    """Accept and drop a message."""


def memory_bytes() -> float:
    """Return the memory of this process in megabytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


async def visit(tables: TableService, lobby: LobbyService, person: str) -> str:
    """Seek an opponent, sit down at the new table, look at the cards, and leave; return the table's id."""
    await lobby.seek(person, SeekRequest(["mines"], [2], ["steady"]))
    while person not in lobby.seeks.matched:
        await asyncio.sleep(0.01)
    id = lobby.seeks.matched[person]
    table = await tables.find(id, person)
    stream = TableStream(table, person, None, ignore_message)
    slot = tables.streams.add(stream)
    await tables.actions.sit(table, person, SitRequest(nonce="ab", idempotency_key=f"sits-{id}"))
    while table.phase == "waiting":
        await asyncio.sleep(0.01)
    stream.notify()
    tables.streams.remove(stream, slot)
    tables.touch(table)
    return id


async def measure(people: int) -> None:
    """Let the people come and go, and print the table."""
    # Short timeouts, so that as many people have left for good as after a long day.
    registry.EVICT_AFTER_S, registry.FORGET_AFTER_S, seeks.MATCH_SHOWN_S, table_timeouts.NO_SHOW_AFTER_MS = (
        2.0,
        2.0,
        2.0,
        2_000,
    )
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder))
        await store.open()
        tables = TableService(store)
        lobby = LobbyService(tables)
        await tables.open()
        lobby.open()
        begin = time.process_time()
        seen: set[str] = set()
        print("| people so far | tables | MB in memory | MB on disk | tables in memory | ms each |")
        print("| --- | --- | --- | --- | --- | --- |")
        for k in range(0, people, CONCURRENT_PEOPLE):
            names = [f"person{number:08}" for number in range(k, k + CONCURRENT_PEOPLE)]
            # Everyone is matched twice, in pairs, so there are as many tables as people.
            for _ in range(2):
                seen.update(await asyncio.gather(*(visit(tables, lobby, name) for name in names)))
            if (k // CONCURRENT_PEOPLE) % max(
                1, people // CONCURRENT_PEOPLE // 10
            ) == 0 or k + CONCURRENT_PEOPLE >= people:
                await asyncio.sleep(2 * registry.FORGET_AFTER_S)
                gc.collect()
                disk = sum(file.stat().st_size for file in Path(folder).iterdir()) / 1e6
                each = 1000 * (time.process_time() - begin) / (k + CONCURRENT_PEOPLE)
                kept = len(tables.registry.all())
                print(
                    f"| {k + CONCURRENT_PEOPLE:,} | {len(seen):,} | {memory_bytes():.0f} | {disk:.0f} | {kept:,} | {each:.1f} |",
                    flush=True,
                )
        await asyncio.sleep(2 * streams.SWEEP_INTERVAL_S)
        left = {
            "seeks": len(lobby.seeks),
            "matches": len(lobby.seeks.matched),
            "no-shows": len(lobby.no_shows.due),
            "hosts": len(lobby.host_reassignment.due),
            "lobby rows": len(lobby.board.rows),
            "connected people": len(tables.streams.connected_people),
            "flags": len(tables.clocks.flag_timer),
        }
        print("\nleft in memory: " + ", ".join(f"{what} {number}" for what, number in left.items()))
        lobby.close()
        await tables.close()
        await store.close()


if __name__ == "__main__":
    asyncio.run(measure(PERSON_COUNT // 20 if "--quick" in sys.argv else PERSON_COUNT))
