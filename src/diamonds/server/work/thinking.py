"""The processes that think for bots and for those who ask for advice: what they think with, and whose turn it is.

What levels think with is compiled when the house opens, in a process of low priority that does nothing else, or at the latest when
it is wanted. Thinking is done by a few processes, one piece of work each at a time; who gets the next one that is free is said in `turns.py`.
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
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from functools import partial
from typing import Any

from diamonds import machine
from diamonds.bots import kernels, knowing
from diamonds.game import GAMES, Game
from diamonds.server.work import modules
from diamonds.server.work.turns import Turns, Urgency
from diamonds.words import Message

log = logging.getLogger("diamonds")


def compiler(game: str, patient: bool) -> list[str]:
    """A command that compiles what bots need for a game, says so with an empty line, compiles what advisers need besides, and leaves
    all of it on disk; ``patient``: it makes way."""
    code = (
        f"from diamonds import machine; machine.make_way({10 if patient else 0}); from diamonds.bots import kernels; from diamonds.bots.thinking import judge, weigh; from diamonds.game import GAMES; "
        f"kernels.load(GAMES[{game!r}]); print(flush=True); weigh.warm(GAMES[{game!r}]); judge.warm(GAMES[{game!r}])"
    )
    return [sys.executable, "-c", code]


def _make_way(server: int) -> None:
    """In a process that thinks: the server, whose process id is given, comes first, and when it is gone, however and whenever it went,
    go too."""
    machine.make_way(5)

    def watch() -> None:
        while os.getppid() == server:
            time.sleep(2)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


class Thinking:
    """What thinks, for everybody in the house; ``sharers``: so many have the machine together."""

    def __init__(self, sharers: int = 1) -> None:
        self._workers = self._free = max(1, (machine.processors() - 1) // sharers)
        self._processes: ProcessPoolExecutor | None = None
        self._turns: Turns[asyncio.Future[None]] = Turns()
        self._ready: dict[str, asyncio.Future[None]] = {}
        self._ready_to_advise: dict[str, asyncio.Future[None]] = {}
        self._wanted: OrderedDict[Game, bool] = OrderedDict()  # still to be compiled, and whether nobody waits for it
        self._compiling: set[asyncio.Task[None]] = set()
        self._building: asyncio.Task[None] | None = None
        self._closing = False

    def close(self) -> None:
        """The server stops."""
        self._closing = True
        for compiling in self._all_tasks():
            compiling.cancel()

    async def ended(self) -> None:
        """Return when all processes are gone: what compiles has a session of its own, and would go on long after the server."""
        await asyncio.gather(*self._all_tasks(), return_exceptions=True)
        if (pool := self._processes) is not None:
            self._processes = None
            await asyncio.to_thread(_end, pool)
            del pool
            # A signal ends this process without finalizers, so the semaphores of the pool's queues go now, with the pool itself.
            gc.collect()

    def _all_tasks(self) -> list[asyncio.Task[None]]:
        return [*self._compiling, *([self._building] if self._building else [])]

    # What is thought with

    @property
    def compiling(self) -> bool:
        """Whether something that bots want is not compiled yet."""
        return not all(ready.done() for ready in self._ready.values())

    def open(self) -> None:
        """Get everything ready, in the order of the games; and at last what pages play by themselves with."""
        for game in filter(knowing.is_known, reversed(GAMES.values())):
            self.ready(game, patient=True)
        if modules.outdated():
            self._building = asyncio.get_running_loop().create_task(self._build_modules())

    def ready(self, game: Game, patient: bool = False) -> asyncio.Future[None]:
        """Done when bots can think about a game, or when it is clear that they cannot (`kernels.missing`).

        Games are compiled side by side, as many as there are processes to think; the one that was asked for last is next.
        ``patient``: it makes way to all else, for nobody waits for it.
        """
        loop = asyncio.get_running_loop()
        ready = self._ready.get(game.name)
        if ready is None:
            ready = self._ready[game.name] = loop.create_future()
            self._ready_to_advise[game.name] = loop.create_future()
            if kernels.missing():
                self._is_ready(game)
                return ready
            self._wanted[game] = patient
        if game in self._wanted:
            self._wanted[game] = patient
            self._wanted.move_to_end(game, last=False)
            self._compiling = {task for task in self._compiling if not task.done()}
            if len(self._compiling) < self._workers:
                self._compiling.add(loop.create_task(self._compile()))
        return ready

    def ready_to_advise(self, game: Game) -> asyncio.Future[None]:
        """Done when hints and reviews can be thought about besides, which is later: whoever plays comes first."""
        self.ready(game)
        return self._ready_to_advise[game.name]

    def _is_ready(self, game: Game, to_advise: bool = True) -> None:
        for ready in (self._ready[game.name], *([self._ready_to_advise[game.name]] if to_advise else [])):
            if not ready.done():
                ready.set_result(None)

    async def _compile(self) -> None:
        """Compile what is wanted, game by game."""
        while self._wanted:
            game, patient = self._wanted.popitem(last=False)
            trouble = await _run(compiler(game.name, patient), partial(self._is_ready, game, to_advise=False))
            if trouble:
                log.error("What the bots of %s think with cannot be compiled: %s", game.name, trouble)
                kernels.give_up(Message("bot-not-compiled"))
            self._is_ready(game)

    async def _build_modules(self) -> None:
        """Make what pages play by themselves with. Where that cannot be made, they play at the house."""
        await asyncio.wait(list(self._ready_to_advise.values()))
        if kernels.missing():
            return
        trouble = await _run(modules.builder(), lambda: None)
        if trouble:
            log.warning("What pages play by themselves with cannot be made: %s", trouble)

    # Thinking

    def waiting(self) -> dict[str, int]:
        """How many people's wishes wait for a process, by how urgent they are."""
        return self._turns.waiting()

    @property
    def busy(self) -> int:
        """How many processes think."""
        return self._workers - self._free

    @contextlib.asynccontextmanager
    async def turn(self, urgency: Urgency, person: str, most: int | None = None) -> AsyncIterator[None]:
        """Wait for one's turn, and have a process for oneself; `TooMany` if ``most`` wishes of this person wait already."""
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._turns.join(urgency, person, mine, most)
        try:
            self._serve()
            await mine
            yield
        finally:
            self._turns.leave(urgency, person, mine)
            if mine.done() and not mine.cancelled():
                self._free += 1
            self._serve()

    def _serve(self) -> None:
        """Let whoever is next begin, while a process is free."""
        while self._free and (next_one := self._turns.next()) is not None:
            if not next_one.done():  # it may just have given up waiting
                self._free -= 1
                next_one.set_result(None)

    async def work_out(self, work: Callable[..., Any], *given: Any) -> Any:
        """Work for a process that thinks. If that process dies, a new one does it, once."""
        if self._closing:
            raise asyncio.CancelledError
        loop, pool = asyncio.get_running_loop(), self._pool()
        try:
            return await loop.run_in_executor(pool, work, *given)
        except BrokenExecutor:
            if self._closing:
                raise asyncio.CancelledError from None
            log.warning("A process that thinks for the bots has ended; another takes its place.")
            if self._processes is pool:
                self._processes = None
        return await loop.run_in_executor(self._pool(), work, *given)

    def _pool(self) -> ProcessPoolExecutor:
        if self._processes is None:
            context = multiprocessing.get_context("spawn")
            self._processes = ProcessPoolExecutor(
                self._workers, context, initializer=_make_way, initargs=(os.getpid(),)
            )
        return self._processes


def _end(pool: ProcessPoolExecutor) -> None:
    """End a pool without waiting for what its processes work on."""
    for process in list((pool._processes or {}).values()):
        process.kill()
    pool.shutdown(wait=True, cancel_futures=True)


async def _run(command: list[str], said: Callable[[], None]) -> str:
    """Run a command to its end; returns the end of what it complained about, if it failed. ``said`` is called if it says a line."""
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        return str(error)

    async def hear(lines: asyncio.StreamReader) -> None:
        async for _ in lines:
            said()

    assert process.stdout is not None
    assert process.stderr is not None
    try:
        _, told, _ = await asyncio.gather(hear(process.stdout), process.stderr.read(), process.wait())
    except asyncio.CancelledError:
        with contextlib.suppress(ProcessLookupError):  # it has just ended
            process.kill()
        await process.wait()
        raise
    return told.decode(errors="replace")[-2000:] or f"it ended with {process.returncode}" if process.returncode else ""
