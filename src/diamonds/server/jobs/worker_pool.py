"""Worker processes for bots, hints and reviews, and the builds they need: kernels and the client's Wasm modules.

A wheel contains the Wasm modules. In a source checkout `make wasm` builds them; otherwise the server does, once its
kernels are compiled.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import multiprocessing
import os
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from diamonds import operating_system
from diamonds.bots import games, kernels
from diamonds.game import GAMES, Game
from diamonds.i18n import Message
from diamonds.server.jobs.fair_queue import FairQueue, Priority
from diamonds.server.jobs.plugin_process import PluginProcess, kill_pool
from diamonds.server.request_context import requesting_address

PACKAGE = Path(__file__).parents[2]
FOLDER = PACKAGE / "server" / "engine"
MANIFEST = "manifest.json"
EXCLUDED_PACKAGES = ("server", "cli", "terminal")  # packages that the Wasm modules do not depend on
KernelUse = Literal["bots", "hints", "reviews"]


def wasm_is_outdated(folder: Path = FOLDER, package: Path = PACKAGE) -> bool:
    """Return whether modules are missing, or older than the sources of a checkout."""
    manifest = folder / MANIFEST
    if not manifest.is_file():
        return True
    if not (package.parents[1] / "pyproject.toml").is_file():
        return False
    built_at = manifest.stat().st_mtime
    sources = (path for path in package.rglob("*.py") if path.relative_to(package).parts[0] not in EXCLUDED_PACKAGES)
    return any(path.stat().st_mtime > built_at for path in sources)


def wasm_build_command(folder: Path = FOLDER) -> list[str]:
    """Return a command that builds the modules with low priority."""
    code = f"from diamonds import operating_system; from diamonds.wasm import subprocess_build; operating_system.lower_priority(10); subprocess_build.build_in_subprocess({str(folder)!r})"
    return [sys.executable, "-c", code]


log = logging.getLogger("diamonds")


def compile_command(game: str, for_reviews: bool, low_priority: bool) -> list[str]:
    """Return a command that compiles a game's kernels to disk.

    It compiles the kernels of the bots, prints an empty line, and then compiles those of hints. With `for_reviews` it
    compiles those of reviews instead. With `low_priority` it yields to other processes.
    """
    code = f"from diamonds import operating_system; operating_system.lower_priority({10 if low_priority else 0}); from diamonds.bots import kernels; from diamonds.bots.search import evaluate, judge; from diamonds.game import GAMES; game = GAMES[{game!r}]; "
    code += (
        "evaluate.warm_up_forecast(game); judge.warm_up(game)"
        if for_reviews
        else "kernels.load(game); print(flush=True); evaluate.warm_up(game)"
    )
    return [sys.executable, "-c", code]


def _worker_init(server_pid: int) -> None:
    """Set up a worker process: low priority, and exit when the server process is gone for any reason."""
    operating_system.lower_priority(5)

    def exit_with_server() -> None:
        while os.getppid() == server_pid:
            time.sleep(2)
        os._exit(0)

    threading.Thread(target=exit_with_server, daemon=True).start()


class Compilation(NamedTuple):
    """A compilation of a game's kernels: those of reviews, or those of bots and hints."""

    game: Game
    for_reviews: bool


class WorkerPool:
    """The worker processes of a server. `process_count` server processes share the machine."""

    def __init__(self, process_count: int = 1) -> None:
        self._worker_count = self.free_workers = max(1, (operating_system.cpu_count() - 1) // process_count)
        self._executor: ProcessPoolExecutor | None = None
        self.queue: FairQueue[asyncio.Future[None]] = FairQueue()
        self.plugins = PluginProcess(_worker_init)
        self._ready_futures: dict[tuple[str, KernelUse], asyncio.Future[None]] = {}
        # Compilations to do, with the number of the latest request for each; 0 if nobody has requested it.
        self._compile_queue: dict[Compilation, int] = {}
        self._request_count = 0
        self._compile_tasks: dict[asyncio.Task[None], bool] = {}  # `True` if somebody has requested it
        self._wasm_task: asyncio.Task[None] | None = None
        self._is_closing = False

    def close(self) -> None:
        """Cancel all compilations."""
        self._is_closing = True
        for compiling in self._all_tasks():
            compiling.cancel()

    async def wait_closed(self) -> None:
        """Wait until all processes have ended. Compilers run in separate sessions and would outlive the server."""
        await asyncio.gather(*self._all_tasks(), return_exceptions=True)
        await self.plugins.close()
        if (pool := self._executor) is not None:
            self._executor = None
            await asyncio.to_thread(kill_pool, pool)
            del pool
            # A signal ends this process without finalizers, so collect the pool's semaphores now.
            gc.collect()

    def _all_tasks(self) -> list[asyncio.Task[None]]:
        return [*self._compile_tasks, *([self._wasm_task] if self._wasm_task else [])]

    # Compiling

    @property
    def is_compiling(self) -> bool:
        """Return whether some kernels for bots are still being compiled."""
        return not all(ready.done() for (_, use), ready in self._ready_futures.items() if use == "bots")

    def open(self) -> None:
        """Compile the kernels of all games, reviews last, then build the Wasm modules if they are outdated."""
        for game in filter(games.has_adapter, GAMES.values()):
            self._enqueue(game)
        self._start_compilations()
        if wasm_is_outdated():
            self._wasm_task = asyncio.get_running_loop().create_task(self._build_wasm())

    def when_ready(self, game: Game, use: KernelUse = "bots") -> asyncio.Future[None]:
        """Return a future that completes when kernels are ready, or never will be (`kernels.missing_reason`).

        At most one compilation per worker runs at a time. The one requested last is next, and it does not wait for
        those that nobody has requested.
        """
        self._enqueue(game)
        self._request(Compilation(game, use == "reviews"))
        return self._ready_futures[game.name, use]

    def expect(self, game: Game) -> None:
        """Compile a game's kernels for bots and hints next if they are waiting for their turn."""
        self._request(Compilation(game, False))

    def _enqueue(self, game: Game) -> None:
        """Enqueue the compilations of a game, once."""
        if (game.name, "bots") in self._ready_futures:
            return
        loop = asyncio.get_running_loop()
        self._ready_futures |= {(game.name, use): loop.create_future() for use in get_args(KernelUse)}
        if kernels.missing_reason():
            self._mark_ready(game, *get_args(KernelUse))
        else:
            self._compile_queue |= {Compilation(game, False): 0, Compilation(game, True): 0}

    def _request(self, compilation: Compilation) -> None:
        """Make a compilation the next one if it is waiting for its turn."""
        if compilation in self._compile_queue:
            self._request_count += 1
            self._compile_queue[compilation] = self._request_count
            self._start_compilations()

    def _mark_ready(self, game: Game, *uses: KernelUse) -> None:
        for use in uses:
            if not (ready := self._ready_futures[game.name, use]).done():
                ready.set_result(None)

    def _start_compilations(self) -> None:
        """Start the next compilations: those requested last, then those of bots and hints, then those of reviews."""
        while self._compile_queue and not self._is_closing:
            compilation = min(self._compile_queue, key=lambda one: (-self._compile_queue[one], one.for_reviews))
            is_requested = self._compile_queue[compilation] > 0
            running = self._compile_tasks.values()
            if len(running) >= self._worker_count and (not is_requested or any(running)):
                return
            del self._compile_queue[compilation]
            task = asyncio.get_running_loop().create_task(self._compile(compilation, not is_requested))
            self._compile_tasks[task] = is_requested
            task.add_done_callback(self._end_compilation)

    def _end_compilation(self, task: asyncio.Task[None]) -> None:
        del self._compile_tasks[task]
        self._start_compilations()

    async def _compile(self, compilation: Compilation, low_priority: bool) -> None:
        game, for_reviews = compilation
        error = await run_command(
            compile_command(game.name, for_reviews, low_priority), lambda: self._mark_ready(game, "bots")
        )
        if error:
            log.error("Failed to compile the kernels of %s: %s", game.name, error)
            kernels.disable(Message("bot-not-compiled"))
        self._mark_ready(game, *(("reviews",) if for_reviews else ("bots", "hints")))

    async def _build_wasm(self) -> None:
        """Build the Wasm modules. Without them, web clients play only on the server."""
        await asyncio.wait(list(self._ready_futures.values()))
        if kernels.missing_reason():
            return
        error = await run_command(wasm_build_command(), lambda: None)
        if error:
            log.warning("Failed to build the Wasm modules: %s", error)

    # Jobs

    def waiting(self) -> dict[str, int]:
        """Return the number of waiting people by priority."""
        return self.queue.waiting()

    @property
    def busy(self) -> int:
        """The number of busy workers."""
        return self._worker_count - self.free_workers

    @contextlib.asynccontextmanager
    async def slot(
        self, priority: Priority, person: str, max_waiting: int | None = None, address: str | None = None
    ) -> AsyncIterator[None]:
        """Wait for a turn and hold a worker. Raise `RateLimitedError` if this person has `max_waiting` jobs waiting.

        The turn counts for `address`, by default the requesting address.
        """
        item: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        address = requesting_address.get() if address is None else address
        self.queue.push(priority, person, item, max_waiting, address)
        try:
            self._dispatch()
            await item
            yield
        finally:
            self.queue.cancel(priority, person, item, address)
            if item.done() and not item.cancelled():
                self.free_workers += 1
            self._dispatch()

    def _dispatch(self) -> None:
        """Start the next jobs while workers are free."""
        while self.free_workers and (item := self.queue.pop()) is not None:
            if not item.done():  # it may have been cancelled while waiting
                self.free_workers -= 1
                item.set_result(None)

    async def run(self, function: Callable[..., Any], *args: Any) -> Any:
        """Run a function in a worker process. If the process dies, run it once more in a new one."""
        if self._is_closing:
            raise asyncio.CancelledError
        loop, pool = asyncio.get_running_loop(), self._get_executor()
        try:
            return await loop.run_in_executor(pool, function, *args)
        except BrokenExecutor:
            if self._is_closing:
                raise asyncio.CancelledError from None
            log.warning("A worker process has ended. Starting another.")
            if self._executor is pool:
                self._executor = None
        return await loop.run_in_executor(self._get_executor(), function, *args)

    def _get_executor(self) -> ProcessPoolExecutor:
        if self._executor is None:
            context = multiprocessing.get_context("spawn")
            self._executor = ProcessPoolExecutor(
                self._worker_count, context, initializer=_worker_init, initargs=(os.getpid(),)
            )
        return self._executor


async def run_command(command: list[str], on_line: Callable[[], None]) -> str:
    """Run a command to completion.

    Return the end of its error output if it failed. `on_line` is called for each line of output.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )
    except OSError as error:
        return str(error)

    async def read_lines(lines: asyncio.StreamReader) -> None:
        async for _ in lines:
            on_line()

    assert process.stdout is not None
    assert process.stderr is not None
    try:
        _, stderr, _ = await asyncio.gather(read_lines(process.stdout), process.stderr.read(), process.wait())
    except asyncio.CancelledError:
        with contextlib.suppress(ProcessLookupError):  # the process has just ended
            process.kill()
        await process.wait()
        raise
    return stderr.decode(errors="replace")[-2000:] or f"exit status {process.returncode}" if process.returncode else ""
