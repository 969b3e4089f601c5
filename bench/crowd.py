"""How much a crowd leaves behind: people who look for each other, meet, sit down and go, table after table, through one house.

It is the very code of the house, without the network between: seeks are matched, tables are made and stored, seats are taken, cards dealt, and the streams
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

from diamonds.server.api.meeting import NewSeek
from diamonds.server.api.messages import Sit
from diamonds.server.house import shelf
from diamonds.server.house.hub import Stream
from diamonds.server.house.tables import Tables
from diamonds.server.meeting import hall, missing, seeks
from diamonds.server.meeting.meeting import Meeting
from diamonds.server.store.sqlite import SqliteStore

PEOPLE = 100_000
AT_ONCE = 400  # people in the house at the same time


async def deaf(message: dict[str, object]) -> None:
    """A connection that takes everything."""


def memory() -> float:
    """Megabytes that this process has now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


async def visit(tables: Tables, meeting: Meeting, person: str) -> str:
    """Somebody looks for another, sits down where they met, looks at the cards, and goes."""
    await meeting.seek(person, NewSeek(["mines"], [2], ["steady"]))
    while person not in meeting.seeks.met:
        await asyncio.sleep(0.01)
    id = meeting.seeks.met[person]
    table = await tables.find(id, person)
    stream = Stream(table, person, None, deaf)
    slot = tables.hub.add(stream)
    await tables.sit(table, person, Sit(nonce="ab", key=f"sits-{id}"))
    while table.phase == "waiting":
        await asyncio.sleep(0.01)
    stream.wake()
    tables.hub.remove(stream, slot)
    tables.changed(table)
    return id


async def measure(people: int) -> None:
    """Print it all."""
    # So that those who went long ago are as many as on a long day.
    shelf.SLEEP, shelf.IDLE, seeks.MEET, missing.COME = 2.0, 2.0, 2.0, 2_000
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder))
        await store.open()
        tables = Tables(store)
        meeting = Meeting(tables)
        await tables.open()
        meeting.open()
        begin = time.process_time()
        seen: set[str] = set()
        print("| people so far | tables | MB in memory | MB on disk | tables in memory | ms each |")
        print("| --- | --- | --- | --- | --- | --- |")
        for k in range(0, people, AT_ONCE):
            names = [f"person{number:08}" for number in range(k, k + AT_ONCE)]
            # Everyone meets somebody twice, so that there are as many tables as people.
            for _ in range(2):
                seen.update(await asyncio.gather(*(visit(tables, meeting, name) for name in names)))
            if (k // AT_ONCE) % max(1, people // AT_ONCE // 10) == 0 or k + AT_ONCE >= people:
                await asyncio.sleep(2 * shelf.IDLE)
                gc.collect()
                disk = sum(file.stat().st_size for file in Path(folder).iterdir()) / 1e6
                each = 1000 * (time.process_time() - begin) / (k + AT_ONCE)
                kept = len(tables.shelf.all())
                print(
                    f"| {k + AT_ONCE:,} | {len(seen):,} | {memory():.0f} | {disk:.0f} | {kept:,} | {each:.1f} |",
                    flush=True,
                )
        await asyncio.sleep(2 * hall.LOOK)
        left = {
            "seeks": len(meeting.seeks),
            "met": len(meeting.seeks.met),
            "missing": len(meeting.missing.due),
            "hosts": len(meeting.hosts.due),
            "lines on the board": len(meeting.board.lines),
            "people here": len(tables.hub.here),
            "flags": len(tables.clocks.flags),
        }
        print("\nwhat is kept of them: " + ", ".join(f"{what} {number}" for what, number in left.items()))
        meeting.close()
        await tables.close()
        await store.close()


if __name__ == "__main__":
    asyncio.run(measure(PEOPLE // 20 if "--quick" in sys.argv else PEOPLE))
