"""Bots that have a seat, and bots that stand in for someone who is gone.

A bot is given a view (`bots.see`) and decides outside the event loop: quick ones in a thread, others in processes of their
own. Every answer takes a natural time that is drawn without looking at the cards, so its timing tells nothing. The random
numbers follow from the table's secret and n: the same game again is the same game.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import multiprocessing
import os
import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from diamonds import bots
from diamonds.game import Illegal, find_game
from diamonds.server.entries import seat_of
from diamonds.server.table import Table

if TYPE_CHECKING:
    from diamonds.server.tables import Tables

QUICK = ("random", "simple")  # decide in microseconds
STAND_IN = "simple"
log = logging.getLogger("diamonds")


def choose(game: str, row: bytes, seat: int, question: str, level: str, seed: bytes) -> int:
    """A bot's answer, by number: the work of a thread or of another process, from a view alone."""
    found = find_game(game)
    seen = bots.Seen(found, seat, np.frombuffer(row, found.dtype)[0])
    rng = np.random.default_rng(np.frombuffer(seed, np.uint32))
    return int(bots.find_bot(level).choose(seen, question, rng))


def _end_with_the_server() -> None:
    """In a worker process: when the server is gone, however it went, go too."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(2)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


class BotsAtTable:
    """Plays the seats that bots have or fill."""

    def __init__(self, tables: Tables, think: tuple[float, float]) -> None:
        self.tables = tables
        self.think = think
        self._threads = ThreadPoolExecutor(1, "bots")
        self._processes: ProcessPoolExecutor | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        """Stop thinking."""
        for task in self._tasks:
            task.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)
        if self._processes is not None:
            self._processes.shutdown(wait=False, cancel_futures=True)

    def look(self, table: Table) -> None:
        """See whether a bot is to play here, now or once someone has been gone for long enough."""
        if table.phase != "playing" or table.state is None:
            return
        due = self._see_who_is_gone(table)
        to_act = int(table.state["to_act"])
        for seat, place in enumerate(table.places.seats):
            if to_act >> seat & 1 and seat not in table.jobs and (place.kind == "bot" or seat in table.standing_in):
                level = place.level if place.kind == "bot" else STAND_IN
                task = asyncio.get_running_loop().create_task(self._play(table, seat, level))
                table.jobs[seat] = task
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
        if table.waker is not None:
            table.waker.cancel()
            table.waker = None
        if due is not None:
            table.waker = asyncio.get_running_loop().call_later(max(due, 0) + 0.01, self.look, table)

    def _see_who_is_gone(self, table: Table) -> float | None:
        """Who is stood in for: anyone gone for ``takeover`` seconds while someone else is here, so that nobody's game with
        bots is played without them. Returns the seconds until the next seat may have to be filled."""
        gone: set[int] = set()
        due = None
        here = {stream.seat for stream in table.streams}
        takeover, now = table.header.takeover, time.monotonic()
        if takeover and not here.isdisjoint(table.persons):
            for seat, place in enumerate(table.places.seats):
                if place.kind == "open":
                    gone.add(seat)
                elif place.kind == "person" and seat not in here:
                    left = table.seen[seat] + takeover - now
                    if left <= 0:
                        gone.add(seat)
                    elif due is None or left < due:
                        due = left
        if gone != table.standing_in:
            table.standing_in = frozenset(gone)
            self.tables.changed(table, look=False)
        return due

    async def _play(self, table: Table, seat: int, level: str) -> None:
        """One answer of one seat."""
        delay = 0.0
        try:
            state = table.state
            assert state is not None
            n = table.n
            question = table.game.question(state).name
            last = table.entries[-1] if n else 0
            carries_on = n > 0 and seat_of(last) == seat and table.words_of_question(last) == question == "pass"
            delay = 0.0 if carries_on else random.uniform(*self.think)
            began = time.monotonic()
            seed = hashlib.sha256(table.secret + b"bot" + n.to_bytes(4, "big") + bytes([seat])).digest()
            row = bots.see(table.game, state, seat).row.tobytes()
            given = (table.game.name, row, seat, question, level, seed)
            if level in QUICK:
                number = await asyncio.get_running_loop().run_in_executor(self._threads, choose, *given)
            else:
                number = await self.work_out(choose, *given)
            await asyncio.sleep(max(0.0, delay - (time.monotonic() - began)))
            still = table.places.seats[seat].kind == "bot" or seat in table.standing_in
            if still and table.open_since[seat] <= n and self.tables.in_memory(table):
                answer = table.game.question(state).answers[number]
                with contextlib.suppress(Illegal):  # someone was quicker: an undo, or the player came back and answered
                    by = "" if table.places.seats[seat].who == f"bot:{level}" else level
                    await self.tables.play(table, seat, n, [f"{question} {answer}"], by=by)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("The bot on seat %s of table %s could not play.", seat, table.id)
            await asyncio.sleep(5)
        finally:
            table.jobs.pop(seat, None)
        self.look(table)

    async def work_out(self, work: Callable[..., Any], *given: Any) -> Any:
        """Work for a process that thinks: bots' searches, hints, reviews. If that process dies, a new one does it, once."""
        loop, pool = asyncio.get_running_loop(), self._pool()
        try:
            return await loop.run_in_executor(pool, work, *given)
        except BrokenExecutor:
            log.warning("A process that thinks for the bots has ended; another takes its place.")
            if self._processes is pool:
                self._processes = None
        return await loop.run_in_executor(self._pool(), work, *given)

    def _pool(self) -> ProcessPoolExecutor:
        if self._processes is None:
            workers = max(1, (os.cpu_count() or 2) - 1)
            context = multiprocessing.get_context("spawn")
            self._processes = ProcessPoolExecutor(workers, context, initializer=_end_with_the_server)
        return self._processes
