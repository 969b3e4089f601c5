"""Group commit: one thread writes to a database, and changes that arrive together share a commit.

A change that could not be written has no effect, and its caller gets an error once that is certain. Later changes are
tried as usual.
"""

from __future__ import annotations

import asyncio
import os
import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NoReturn, Protocol, TypeVar

from diamonds.operating_system import log_to_operator
from diamonds.server.metrics.counters import WriteCounters
from diamonds.server.storage import failpoints
from diamonds.server.storage.commit_outcomes import StoreUnavailableError

MAX_BATCH_SIZE = 256  # changes per commit; those of one event loop iteration stay together
PRUNE_INTERVAL_S = 3600.0
RETRY_DELAY_S = 0.1
UNKNOWN_OUTCOME_TIMEOUT_S = 60.0  # then the process ends, because it must not report an unknown outcome
EXIT_IOERR = 74  # exit status (EX_IOERR)

ArgT = TypeVar("ArgT")
ResultT = TypeVar("ResultT")


class PendingWrite(NamedTuple):
    """A pending write: `work` is called with a connection and `argument`, and `future` gets the result."""

    work: Callable[[Any, Any], Any]
    argument: Any
    future: asyncio.Future[Any]


class WritableDatabase(Protocol):
    """A database, as seen by its writing thread."""

    name: str  # without a password
    outage_timeout_s: float  # an outage is waited out for this long

    @property
    def outage_errors(self) -> tuple[type[Exception], ...]:
        """The errors that the changes did not cause."""
        ...

    def write_batch(self, batch: Sequence[PendingWrite], prune: bool) -> list[Any]:
        """Write a batch in order, in one transaction, and return the results. With `prune`, also delete outdated rows.

        If it raises, none of the batch is written, even after a power failure: an unknown outcome is resolved first.
        """
        ...


class GroupCommitWriter:
    """The writing thread of a database, and its queue."""

    def __init__(self, database: WritableDatabase) -> None:
        self._database = database
        self._queue: queue.SimpleQueue[list[PendingWrite] | None] = queue.SimpleQueue()
        self._unsent: list[PendingWrite] = []  # submitted since the last `flush`
        self._thread: threading.Thread | None = None
        self._failing = False
        self.write_counters = WriteCounters()

    def start(self) -> None:
        """Start the thread. Results are delivered on the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._last_prune = time.monotonic()
        self._thread = threading.Thread(target=self._run, name="store", daemon=True)
        self._thread.start()

    async def stop(self) -> None:
        """Write what is queued, and end the thread."""
        if self._thread is not None:
            self.flush()
            self._queue.put(None)
            await asyncio.to_thread(self._thread.join)

    async def submit(self, work: Callable[[Any, ArgT], ResultT], argument: ArgT) -> ResultT:
        """Return the result of `work(connection, argument)` once it is durable.

        All writes of one loop iteration wake the thread once.
        """
        future: asyncio.Future[ResultT] = self._loop.create_future()
        if not self._unsent:
            self._loop.call_soon(self.flush)
        self._unsent.append(PendingWrite(work, argument, future))
        return await future

    def flush(self) -> None:
        """Pass the collected writes to the thread."""
        batch, self._unsent = self._unsent, []
        if batch:
            self._queue.put(batch)

    def _run(self) -> None:
        while True:
            try:
                received = self._queue.get(timeout=PRUNE_INTERVAL_S)
            except queue.Empty:
                self._write([])
                continue
            batch: list[PendingWrite] = []
            while received is not None:
                batch += received
                if len(batch) >= MAX_BATCH_SIZE:
                    break
                try:
                    received = self._queue.get_nowait()
                except queue.Empty:
                    break
            if batch:
                results = self._write(batch)
                self._loop.call_soon_threadsafe(_resolve, batch, results)
            if received is None:
                return

    def _write(self, batch: list[PendingWrite]) -> list[Any]:
        """Return the result of each item; `StoreUnavailableError` for those that were not written."""
        deadline = time.monotonic() + self._database.outage_timeout_s
        failpoints.reach("before")
        while True:
            if failpoints.should_fail("unwritten"):
                return self._fail_batch(batch, "failpoint")
            started_at = time.monotonic()
            prune = started_at - self._last_prune >= PRUNE_INTERVAL_S
            try:
                results = self._database.write_batch(batch, prune)
            except self._database.outage_errors as error:
                self.write_counters.failures += 1
                if time.monotonic() >= deadline:
                    return self._fail_batch(batch, error)
                time.sleep(RETRY_DELAY_S)
            except Exception as error:
                self.write_counters.failures += 1
                if len(batch) > 1:  # so that one change that cannot be written does not affect the others
                    return [result for item in batch for result in self._write([item])]
                log_to_operator(f"A change could not be written: {self._database.name}: {type(error).__name__}")
                return [StoreUnavailableError()] * len(batch)
            else:
                self._record_success(batch, started_at, prune)
                return results

    def _fail_batch(self, batch: list[PendingWrite], reason: object) -> list[Any]:
        if not self._failing:
            log_to_operator(f"Cannot write to {self._database.name} ({reason}). Requests fail until it works again.")
        self._failing = True
        return [StoreUnavailableError()] * len(batch)

    def _record_success(self, batch: list[PendingWrite], started_at: float, pruned: bool) -> None:
        if self._failing:
            log_to_operator(f"Writing to {self._database.name} works again.")
        self._failing = False
        if pruned:
            self._last_prune = started_at
        self.write_counters.count_commit(len(batch), time.monotonic() - started_at)
        failpoints.reach("committed")


def end_process(reason: str) -> NoReturn:
    """End the process: after a restart, the database shows the outcome of a commit."""
    log_to_operator(f"Diamonds stops: {reason}")
    os._exit(EXIT_IOERR)


def _resolve(batch: list[PendingWrite], results: list[Any]) -> None:
    """Deliver the results to the waiting callers, on the event loop."""
    failpoints.reach("delivering")
    for item, result in zip(batch, results, strict=True):
        if item.future.done():
            continue
        if isinstance(result, StoreUnavailableError):
            item.future.set_exception(result)
        else:
            item.future.set_result(result)
