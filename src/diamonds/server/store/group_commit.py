"""The thread that writes to a database. Changes that arrive together share a commit.

A change that could not be written has not happened, and whoever asked for it is told so once that is sure. The next one is tried as ever.
"""

from __future__ import annotations

import asyncio
import os
import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NoReturn, Protocol, TypeVar

from diamonds.machine import say
from diamonds.server.store import failpoints
from diamonds.server.store.contract import Unavailable
from diamonds.server.watching.tally import Written

MAX_BATCH_SIZE = 256  # changes in a commit; what one turn of the event loop asked for stays together
PRUNE_INTERVAL_S = 3600.0
RETRY_DELAY_S = 0.1
UNKNOWN_OUTCOME_TIMEOUT_S = 60.0  # then the process ends: it must not say what it does not know
COMMIT_FAILED = 74  # its exit status (EX_IOERR)

What = TypeVar("What")
Result = TypeVar("Result")


class Item(NamedTuple):
    """Something to write: ``work`` is called with a connection and ``what``, and ``future`` gets its result."""

    work: Callable[[Any, Any], Any]
    what: Any
    future: asyncio.Future[Any]


class Database(Protocol):
    """A database as its writing thread sees it."""

    name: str  # without a password
    patience_s: float  # for which an outage is waited out

    @property
    def outages(self) -> tuple[type[Exception], ...]:
        """The errors that are no fault of the changes."""
        ...

    def write_batch(self, batch: Sequence[Item], prune: bool) -> list[Any]:
        """Do a batch in order in one transaction, and return the results; ``prune`` what is too old in it, too.

        If it raises, nothing of the batch is written, now or after a power cut: an unknown outcome is found out first.
        """
        ...


class GroupCommitWriter:
    """The writing thread of one database, and what waits for it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._queue: queue.SimpleQueue[list[Item] | None] = queue.SimpleQueue()
        self._gathered: list[Item] = []  # what the event loop has asked for since the last `hand_over`
        self._thread: threading.Thread | None = None
        self._failing = False
        self.written = Written()

    def start(self) -> None:
        """Start the thread. Results are delivered on the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._pruned = time.monotonic()
        self._thread = threading.Thread(target=self._run, name="store", daemon=True)
        self._thread.start()

    async def stop(self) -> None:
        """Write what is waiting, and end the thread."""
        if self._thread is not None:
            self.hand_over()
            self._queue.put(None)
            await asyncio.to_thread(self._thread.join)

    async def submit(self, work: Callable[[Any, What], Result], what: What) -> Result:
        """Return the result of ``work(connection, what)`` once it is durable. The thread is woken once in a turn of the loop."""
        future: asyncio.Future[Result] = self._loop.create_future()
        if not self._gathered:
            self._loop.call_soon(self.hand_over)
        self._gathered.append(Item(work, what, future))
        return await future

    def hand_over(self) -> None:
        """Give the thread what has been gathered."""
        gathered, self._gathered = self._gathered, []
        if gathered:
            self._queue.put(gathered)

    def _run(self) -> None:
        while True:
            try:
                more = self._queue.get(timeout=PRUNE_INTERVAL_S)
            except queue.Empty:
                self._write([])
                continue
            batch: list[Item] = []
            while more is not None:
                batch += more
                if len(batch) >= MAX_BATCH_SIZE:
                    break
                try:
                    more = self._queue.get_nowait()
                except queue.Empty:
                    break
            if batch:
                results = self._write(batch)
                self._loop.call_soon_threadsafe(_deliver, batch, results)
            if more is None:
                return

    def _write(self, batch: list[Item]) -> list[Any]:
        """Return the result of each item, or `Unavailable`, and then nothing of it is kept."""
        end = time.monotonic() + self._database.patience_s
        failpoints.reach("before")
        while True:
            if failpoints.fails("unwritten"):
                return self._unwritten(batch, "a test wants it")
            began = time.monotonic()
            prune = began - self._pruned >= PRUNE_INTERVAL_S
            try:
                results = self._database.write_batch(batch, prune)
            except self._database.outages as error:
                self.written.failed += 1
                if time.monotonic() >= end:
                    return self._unwritten(batch, error)
                time.sleep(RETRY_DELAY_S)
            except Exception as error:
                self.written.failed += 1
                if len(batch) > 1:  # the others are not to suffer from what cannot be written
                    return [result for item in batch for result in self._write([item])]
                say(f"Something could not be written: {self._database.name}: {type(error).__name__}")
                return [Unavailable()] * len(batch)
            else:
                self._has_written(batch, began, prune)
                return results

    def _unwritten(self, batch: list[Item], why: object) -> list[Any]:
        if not self._failing:
            say(f"Nothing can be written to {self._database.name} just now ({why}), and whoever answers is told so.")
        self._failing = True
        return [Unavailable()] * len(batch)

    def _has_written(self, batch: list[Item], began: float, pruned: bool) -> None:
        if self._failing:
            say(f"{self._database.name} is written to again.")
        self._failing = False
        if pruned:
            self._pruned = began
        self.written.done(len(batch), time.monotonic() - began)
        failpoints.reach("committed")


def end_process(why: str) -> NoReturn:
    """End the process: only a start from what the database holds can tell what became of a commit."""
    say(f"Diamonds stops: {why}")
    os._exit(COMMIT_FAILED)


def _deliver(batch: list[Item], results: list[Any]) -> None:
    """Give the results to those who wait, on the event loop."""
    failpoints.reach("delivering")
    for item, result in zip(batch, results, strict=True):
        if item.future.done():
            continue
        if isinstance(result, Unavailable):
            item.future.set_exception(result)
        else:
            item.future.set_result(result)
