"""How much a crowd leaves behind: people who look for each other, meet, sit down and go, table after table, through one server.

It is the very code of the server, without the network between: seeks are matched, tables are made and stored, seats are taken, cards dealt, and the streams
of all who sat there end. Prints memory, disk and what is kept in memory after each tenth, so that whatever grows with those who have gone is seen.
Run by ``make bench ARGS=crowd``: a hundred thousand people at as many tables; ``--quick`` is a twentieth of it.
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
from diamonds.server.tables.runtime import TableRuntime
from diamonds.server.tables.streams import TableStream

PERSON_COUNT = 100_000
CONCURRENT_PEOPLE = 400  # people in the server at the same time


async def ignore_message(message: dict[str, object]) -> None:
    """A connection that takes everything."""


def memory_bytes() -> float:
    """Megabytes that this process has now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


async def visit(tables: TableRuntime, lobby: LobbyService, person: str) -> str:
    """Somebody looks for another, sits down where they met, looks at the cards, and goes."""
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
    """Print it all."""
    # So that those who went long ago are as many as on a long day.
    registry.EVICT_AFTER_S, registry.FORGET_AFTER_S, seeks.MATCH_SHOWN_S, table_timeouts.NO_SHOW_AFTER_MS = (
        2.0,
        2.0,
        2.0,
        2_000,
    )
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder))
        await store.open()
        tables = TableRuntime(store)
        lobby = LobbyService(tables)
        await tables.open()
        lobby.open()
        begin = time.process_time()
        seen: set[str] = set()
        print("| people so far | tables | MB in memory | MB on disk | tables in memory | ms each |")
        print("| --- | --- | --- | --- | --- | --- |")
        for k in range(0, people, CONCURRENT_PEOPLE):
            names = [f"person{number:08}" for number in range(k, k + CONCURRENT_PEOPLE)]
            # Everyone meets somebody twice, so that there are as many tables as people.
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
            "met": len(lobby.seeks.matched),
            "missing": len(lobby.no_shows.due),
            "hosts": len(lobby.host_reassignment.due),
            "lines on the board": len(lobby.board.rows),
            "people here": len(tables.streams.connected_people),
            "flags": len(tables.clocks.flag_timer),
        }
        print("\nwhat is kept of them: " + ", ".join(f"{what} {number}" for what, number in left.items()))
        lobby.close()
        await tables.close()
        await store.close()


if __name__ == "__main__":
    asyncio.run(measure(PERSON_COUNT // 20 if "--quick" in sys.argv else PERSON_COUNT))
