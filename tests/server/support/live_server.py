"""A server on a real port, in a thread of the test process, with direct access to its internals."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import inspect
import io
import logging
import random
import socket
import sys
import threading
import time
import traceback
import tracemalloc
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol

import pytest

from diamonds.server.http.app import AppConfig, DiamondsApp
from diamonds.server.http.rate_limits import UNLIMITED
from diamonds.server.listening_sockets import listen
from diamonds.server.main import EXIT_CANNOT_START, main
from diamonds.server.storage.postgres import PostgresStore
from diamonds.server.storage.sqlite import SqliteStore
from diamonds.server.tables import registry
from diamonds.server.uvicorn_server import DiamondsServer
from tests.server.support import shared_workers
from tests.server.support.client import OPEN_CONNECTIONS, WAIT_TIMEOUT_S, Client, wait_until
from tests.support.ports import reserve_port


def free_port() -> int:
    """Return a free port that stays reserved until the test ends.

    A server that was killed finds its port free again, and requests during the outage reach nobody else.
    """
    reserved = reserve_port()
    OPEN_CONNECTIONS.append(reserved)
    port: int = reserved.getsockname()[1]
    return port


class LoopThread:
    """An event loop in a separate thread, because Playwright occupies the main thread's loop."""

    def __enter__(self) -> LoopThread:
        self._thread, self._runner = ThreadPoolExecutor(1), asyncio.Runner()
        return self

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        return self._thread.submit(self._runner.run, coroutine).result()

    def __exit__(self, *error: object) -> None:
        self._thread.submit(self._runner.close).result()
        self._thread.shutdown()


class HasLoop(Protocol):
    """Protocol of objects that have an event loop."""

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        """Run a coroutine on that loop and return its result."""
        ...


class SyncStore:
    """A synchronous wrapper of a store or a part of it: each call returns when it is done."""

    def __init__(self, store: Any, loop: HasLoop) -> None:
        self.async_store, self.loop = store, loop

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.async_store, name)
        if not callable(found):
            return SyncStore(found, self.loop) if type(found).__module__.startswith("diamonds.") else found

        def call(*args: Any, **more: Any) -> Any:
            result = found(*args, **more)
            return self.loop.run(result) if inspect.isawaitable(result) else result

        return call


@contextlib.contextmanager
def opened_store(store: Any) -> Iterator[SyncStore]:
    with LoopThread() as loop:
        sync_store = SyncStore(store, loop)
        try:
            sync_store.open()
            yield sync_store
        finally:
            sync_store.close()


def run_in_loop(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run one coroutine on a separate loop and return its result; see `LoopThread`."""
    with LoopThread() as loop:
        return loop.run(coroutine)


class LiveServer:
    """The application behind uvicorn, in a thread. Without a folder or a database URL it stores nothing.

    Further arguments are fields of `AppConfig`. By default, bots answer at once and requests are not limited.
    """

    def __init__(self, data_dir: Path | None = None, /, *, database_url: str = "", **config: Any) -> None:
        self.data_dir, self.database_url = data_dir, database_url
        self.config = AppConfig(**{"bot_delay": (0, 0), "limits": UNLIMITED} | config)
        self.port = free_port()
        self.open()

    def open(self, *clients: Client) -> None:
        """Open the server (again). Clients lose their connections."""
        listening = listen("127.0.0.1", self.port)
        store = PostgresStore(self.database_url) if self.database_url else SqliteStore(self.data_dir)
        self.store = SyncStore(store, self)
        self._build(store)
        self.thread = threading.Thread(target=self._run, args=(listening,), daemon=True)
        self.thread.start()
        wait_until(lambda: self.uvicorn_server.started, "expected the server to start")
        for guest in clients:
            guest.disconnect()

    def _build(self, store: Any) -> None:
        self.app = DiamondsApp(store, b"k" * 32, self.config)
        self.uvicorn_server = DiamondsServer(self.app)

    def _run(self, listening: socket.socket) -> None:
        with listening, asyncio.Runner() as runner:
            self.loop = runner.get_loop()
            runner.run(self.app.store.open())
            runner.run(self.uvicorn_server.serve([listening]))

    @property
    def connections(self) -> list[Any]:
        """The server's side of every open connection."""
        return list(self.uvicorn_server.server_state.connections)

    def close(self) -> None:
        """Shut the server down gracefully."""
        self.uvicorn_server.should_exit = True
        self.thread.join(WAIT_TIMEOUT_S)
        assert not self.thread.is_alive(), f"expected the server to stop; it still runs:\n{self._running_code()}"
        shared_workers.return_routes(self.app.litestar_app)

    def _running_code(self) -> str:
        """Return the unfinished tasks of the server's loop, and where every thread is."""
        tasks = [repr(task) for task in asyncio.all_tasks(self.loop)]
        names = {thread.ident: thread.name for thread in threading.enumerate()}
        stacks = [
            f"{names.get(thread)}:\n{''.join(traceback.format_stack(frame))}"
            for thread, frame in sys._current_frames().items()
        ]
        return "\n".join(tasks + stacks)

    def restart(self, *clients: Client) -> None:
        """Close the server and open it again. Clients lose their connections."""
        self.close()
        self.open(*clients)

    def call_on_loop(self, function: Callable[[], Any]) -> Any:
        """Call a function on the server's event loop and return its result."""

        async def soon() -> Any:
            found = function()
            return await found if inspect.iscoroutine(found) else found

        return self.wait_for(soon())

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        """Run a coroutine on the server's event loop and return its result."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(WAIT_TIMEOUT_S)

    wait_for = run

    def person_by_name(self, name: str) -> str:
        return str(self.run(self.app.lobby.friends.find_account(name)))

    def new_client(self) -> Client:
        token = Client(self.port).post("/api/token", {}, 200)["token"]
        return Client(self.port, token)


def startup_error(*arguments: str) -> str:
    """Return the error of a server that cannot start: one line without a traceback."""
    handlers = list(logging.getLogger().handlers)
    stderr = io.StringIO()
    with pytest.raises(SystemExit) as exited, contextlib.redirect_stderr(stderr):
        main([*arguments])
    assert logging.getLogger().handlers == handlers, "expected nothing in the log beside the error"
    assert exited.value.code == EXIT_CANNOT_START, "expected the exit status of a server that cannot start"
    *warnings, why = stderr.getvalue().splitlines()
    assert all("Protect it with chmod 700" in line for line in warnings), "expected an error of one sentence"
    return why


def finish_game(server: LiveServer, id: str, guest: Client) -> None:
    """Play a game against bots to its end; the guest always gives the first legal answer."""
    table, seat = server.app.tables.get(id), guest.get_table(id)["seat"]

    def next_answer() -> tuple[int, str] | None:
        state = table.game_state.state
        if table.is_over or state is None or seat not in table.game.to_act(state):
            return None
        return table.n, f"{table.game.question(state).name} {table.game.legal(state, seat)[0]}"

    # `next_answer` runs in the server, because over HTTP, encoding the replies would take most of the time.
    while not table.is_over:
        if found := server.call_on_loop(next_answer):
            guest.answer(id, *found, expect=None)
        else:
            time.sleep(0.001)


def answer_randomly(server: LiveServer, id: str, guests: list[Client], rng: random.Random) -> None:
    """Give a random legal answer for a random seat that is to act."""
    table = server.app.tables.get(id)
    game, state = table.game, table.game_state.state
    seat = rng.choice(game.to_act(state))
    guests[seat].answer(id, table.n, f"{game.question(state).name} {rng.choice(game.legal(state, seat))}")


def full_table(server: LiveServer, game: str, seats: int, **more: Any) -> tuple[str, list[Client]]:
    """Create a table with a guest in every seat; the first is its host."""
    guests = [server.new_client() for _ in range(seats)]
    return seat_guests(guests, game, **more), guests


def seat_guests(guests: list[Client], game: str, **more: Any) -> str:
    seats = len(guests)
    id = guests[0].create_table(
        game=game, seats=seats, seats_taken_by=["me"] + ["open"] * (seats - 1), substitute_after_s=0, **more
    )
    for seat, guest in enumerate(guests[1:], 1):
        guest.sit(id, seat=seat, invite=guests[0].invite)
    return id


def evict_tables(server: LiveServer, *tables: str) -> None:
    """Evict tables from memory, once their streams are closed, as if nobody had viewed them for a minute."""
    found = [server.app.tables.get(id) for id in tables]
    wait_until(
        lambda: not any(table.presence.has_viewers or table.presence.presence_update_due for table in found),
        "expected the tables' streams to be closed",
    )

    def evict() -> None:
        for table in found:
            table.presence.last_access -= registry.EVICT_AFTER_S + 1
            table.presence.last_seen = [seen - registry.EVICT_AFTER_S - 1 for seen in table.presence.last_seen]
        server.app.tables.registry.evict_idle()

    server.call_on_loop(evict)
    assert not any(server.app.tables.registry.has(id) for id in tables), "expected the tables to be evicted"


def memory_growth(work: Callable[[int], None]) -> int:
    """Return by how many bytes the process grows when `work` runs again, after a first run has filled caches."""
    work(0)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        work(1)
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
