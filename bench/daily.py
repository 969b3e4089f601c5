"""The deals of the day after many people have played them: the time until their pages are ready.

The games are stored directly, with answers as long as those of a real game. Run by ``make bench ARGS=daily``.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from diamonds import daily_deals
from diamonds.daily_deals import DAILY_GAMES, PLAYER_SEAT
from diamonds.game import GAMES
from diamonds.server.api.codec import encode
from diamonds.server.storage.sqlite import SqliteStore
from diamonds.server.storage.table_data import TableChange
from diamonds.server.tables.core.daily import deal_key
from diamonds.server.tables.daily import DailyDeals
from diamonds.server.tables.service import TableService

BUDGET_MS = 300  # for 1,000 people
OWN_ANSWERS, OTHER_ANSWERS = 14, 40
DAY, NEXT_DAY = "2026-03-01", "2026-03-02"


async def fill(store: SqliteStore, people: int, rng: random.Random) -> None:
    """Store a finished game of every person with every deal."""
    cards = GAMES["fourteen"].card_names
    for game in DAILY_GAMES:
        for number in range(people):
            entries = [(PLAYER_SEAT, f"play {rng.choice(cards)}") for _ in range(OWN_ANSWERS)]
            entries += [(1, "play D1")] * OTHER_ANSWERS
            change = TableChange(
                f"{game}-{number}", f"person {number}", header=b"{}", seating=b"{}", people=(f"person {number}",), phase="over",
                entries=tuple(entries), columns={"public": 0, "created": 0.0, "daily": deal_key(DAY, game)},
            )  # fmt: skip
            await store.commit(change)
            result = {"daily_place": rng.randint(1, 4), "daily_points": rng.randint(0, 40)}
            await store.commit(TableChange(change.table, columns=result))


async def measure(name: str, ask: Callable[[int], Awaitable[object]]) -> None:
    """Print how long a page takes, the first time and later, with its CPU time and size."""
    times, cpu_times, size = [], [], 0
    for number in range(20):
        began, cpu_began = time.perf_counter(), time.process_time()
        size = len(encode(await ask(number)))
        times.append(1000 * (time.perf_counter() - began))
        cpu_times.append(1000 * (time.process_time() - cpu_began))
    later, cpu_later = statistics.median(times[1:]), statistics.median(cpu_times[1:])
    print(
        f"{name:26} first {times[0]:5.0f} ms ({cpu_times[0]:.0f} ms CPU), then {later:4.0f} ms ({cpu_later:.1f} ms CPU), {size:,} bytes"
    )


async def run(people: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder))
        await store.open()
        began = time.perf_counter()
        await fill(store, people, random.Random(1))
        print(f"{people:,} people, {people * len(DAILY_GAMES):,} games stored in {time.perf_counter() - began:.0f} s")
        tables = TableService(store)
        daily = DailyDeals(tables, bytes(32))
        daily_deals.current_day = lambda: DAY
        await measure("today, finished", lambda number: daily.today(f"person {number}"))
        daily_deals.current_day = lambda: NEXT_DAY
        await measure("a day later, all answers", lambda number: daily.past(DAY, "fourteen", ""))
        print(f"budget: {BUDGET_MS} ms for 1,000 people")
        await store.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--people", type=int, default=1000)
    asyncio.run(run(parser.parse_args().people))
