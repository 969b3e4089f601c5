"""A server that is open on a real port in a thread of the tests, and guests who visit it over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import http.client
import inspect
import io
import itertools
import json
import logging
import socket
import threading
import time
import tracemalloc
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol

import pytest

from diamonds import i18n
from diamonds.game import GAMES
from diamonds.server.http.app import AppConfig, DiamondsApp
from diamonds.server.http.rate_limits import UNLIMITED
from diamonds.server.main import EXIT_CANNOT_START, main
from diamonds.server.sockets import listen
from diamonds.server.storage.postgres import PostgresStore
from diamonds.server.storage.sqlite import SqliteStore
from diamonds.server.tables import registry
from diamonds.server.uvicorn_server import DiamondsServer
from tests.server.support import shared_workers
from tests.support.ports import reserve_port

KEY_NUMBERS = itertools.count(1)
OPEN_CONNECTIONS: list[Any] = []  # connections, to be closed after the test
WAIT_TIMEOUT_S = (
    300  # seconds after which a test gives up waiting: how fast the server is, is measured in bench/, not here
)


def free_port() -> int:
    """A port of the test's own until it is over: a server that was killed finds it free again, and who knocks while it is down does
    not get through to somebody else."""
    reserved = reserve_port()
    OPEN_CONNECTIONS.append(reserved)
    port: int = reserved.getsockname()[1]
    return port


def close_connections() -> None:
    """Close all connections of a test."""
    for connection in OPEN_CONNECTIONS:
        connection.close()
    OPEN_CONNECTIONS.clear()


class LoopThread:
    """An event loop in a thread of its own: where a browser is open, this thread's is Playwright's."""

    def __enter__(self) -> LoopThread:
        self._thread, self._runner = ThreadPoolExecutor(1), asyncio.Runner()
        return self

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        """What comes of a coroutine."""
        return self._thread.submit(self._runner.run, coroutine).result()

    def __exit__(self, *error: object) -> None:
        self._thread.submit(self._runner.close).result()
        self._thread.shutdown()


class HasLoop(Protocol):
    """Whatever has an event loop."""

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        """What comes of a coroutine there."""
        ...


class SyncStore:
    """A store, or a part of one, whose calls come back when they are done."""

    def __init__(self, store: Any, loop: HasLoop) -> None:
        self.async_store, self._loop = store, loop

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.async_store, name)
        if not callable(found):
            return SyncStore(found, self._loop) if type(found).__module__.startswith("diamonds.") else found

        def call(*args: Any, **more: Any) -> Any:
            result = found(*args, **more)
            return self._loop.run(result) if inspect.isawaitable(result) else result

        return call


@contextlib.contextmanager
def opened_store(store: Any) -> Iterator[SyncStore]:
    """A store that is open for as long as a test asks it something."""
    with LoopThread() as loop:
        sync_store = SyncStore(store, loop)
        try:
            sync_store.open()
            yield sync_store
        finally:
            sync_store.close()


def run_in_loop(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """What comes of one coroutine, on a loop of its own; see `LoopThread`."""
    with LoopThread() as loop:
        return loop.run(coroutine)


class LiveServer:
    """The application behind uvicorn, in a thread. Without a folder, or the ``address`` of a PostgreSQL, it keeps nothing."""

    def __init__(
        self,
        data_dir: Path | None = None,
        setup: AppConfig | None = None,
        secret_key: bytes = b"k" * 32,
        database_url: str = "",
    ) -> None:
        self.data_dir, self.secret_key, self.database_url = data_dir, secret_key, database_url
        self.setup = setup or AppConfig((0, 0), UNLIMITED)
        self.port = free_port()
        self.open()

    def open(self) -> None:
        """Open the server (again)."""
        listening = listen("127.0.0.1", self.port)
        store = PostgresStore(self.database_url) if self.database_url else SqliteStore(self.data_dir)
        self.store = SyncStore(store, self)
        self.app = DiamondsApp(store, self.secret_key, self.setup)
        self._server = DiamondsServer(self.app)
        self.thread = threading.Thread(target=self._run, args=(listening,), daemon=True)
        self.thread.start()
        wait_until(lambda: self._server.started, "the server did not start")

    def _run(self, listening: socket.socket) -> None:
        with listening, asyncio.Runner() as runner:
            self._loop = runner.get_loop()
            runner.run(self.app.store.open())
            runner.run(self._server.serve([listening]))

    @property
    def connections(self) -> list[Any]:
        """The server's side of every line that is open."""
        return list(self._server.server_state.connections)

    def close(self) -> None:
        """Close it politely."""
        self._server.should_exit = True
        self.thread.join(WAIT_TIMEOUT_S)
        assert not self.thread.is_alive(), "the server does not stop"
        shared_workers.return_routes(self.app.litestar_app)

    def restart(self, *clients: Client) -> None:
        """Close it and open it again; the guests' connections are gone."""
        self.close()
        self.open()
        for guest in clients:
            guest.disconnect()

    def call_on_loop(self, function: Callable[[], Any]) -> Any:
        """Run something on the server's own event loop."""

        async def soon() -> Any:
            found = function()
            return await found if inspect.iscoroutine(found) else found

        return self.wait_for(soon())

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        """What comes of a coroutine on the server's own event loop."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(WAIT_TIMEOUT_S)

    wait_for = run

    def new_client(self) -> Client:
        """Somebody new, with a token."""
        token = Client(self.port).post("/api/token", {}, 200)["token"]
        return Client(self.port, token)


def wait_until(condition: Callable[[], Any], message: str) -> Any:
    """Wait for something to be true, and return it. It is looked at often at first, and more seldom the longer it takes: whoever looks
    keeps from work what is waited for."""
    started = time.monotonic()
    while not (value := condition()):
        waited = time.monotonic() - started
        assert waited < WAIT_TIMEOUT_S, message
        time.sleep(min(max(waited / 8, 0.002), 0.05))
    return value


def startup_error(*arguments: str) -> str:
    """Why a server does not open: one line, and no traceback."""
    handlers = list(logging.getLogger().handlers)
    stderr = io.StringIO()
    with pytest.raises(SystemExit) as exited, contextlib.redirect_stderr(stderr):
        main([*arguments])
    assert logging.getLogger().handlers == handlers, "it goes on logging"
    assert exited.value.code == EXIT_CANNOT_START, "expected the exit status of a server that cannot start"
    *warnings, why = stderr.getvalue().splitlines()
    assert all("close it with chmod 700" in line for line in warnings), "expected one sentence that says why"
    return why


def event_text(message: dict[str, Any], event: dict[str, Any]) -> str:
    """What a `Told` of a message says to its reader."""
    names = [place["name"] for place in message["table"]["seat_holders"]]
    text = event.get("text") or GAMES[message["table"]["game"]].event_message(event["event"])
    return i18n.capitalize_sentences(i18n.translate(*text, i18n.DEFAULT_LANGUAGE, names.__getitem__, message["seat"]))


def message_text(reply: dict[str, Any]) -> str:
    """What is said of a record or a proof."""
    return " ".join(i18n.translate(*says) for says in reply["findings"])


class Client:
    """Someone who talks to the server."""

    def __init__(self, port: int, token: str = "") -> None:
        self.port = port
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.status = 0
        self.reply_body = b""
        self.reply_headers: dict[str, str] = {}
        self._connection: http.client.HTTPConnection | None = None

    def disconnect(self) -> None:
        """Close the connection; the next request opens another."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def send(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, bytes]:
        """One request as it is; the status and the bytes of the reply."""
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT_TIMEOUT_S)
            OPEN_CONNECTIONS.append(self._connection)
        self._connection.request(method, path, body, {**self.headers, **(headers or {})})
        reply = self._connection.getresponse()
        self.status, self.reply_body = reply.status, reply.read()
        self.reply_headers = {name.lower(): value for name, value in reply.getheaders()}
        return self.status, self.reply_body

    def post(self, path: str, body: Any, expect: int | None = None) -> Any:
        """A POST of JSON, and its reply."""
        status, raw = self.send("POST", path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        assert expect in (None, status), f"{path} gave {status}, not {expect}: {raw[:300]!r}"
        return json.loads(raw)

    def get(self, path: str, expect: int | None = 200) -> Any:
        """A GET, and its reply."""
        status, raw = self.send("GET", path)
        assert expect in (None, status), f"{path} gave {status}, not {expect}: {raw[:300]!r}"
        return json.loads(raw)

    def create_table(self, **table: Any) -> str:
        """A new table's id; the seat that is kept for its maker is taken."""
        made = self.post("/api/tables", table, 201)
        self.invite = made["invite"]
        if "me" in table.get("seats_taken_by", ["me"]):
            self.sit(made["id"])
        return made["id"]

    def get_table(self, table: str) -> Any:
        """The current message."""
        return self.get(f"/api/tables/{table}")

    def sit(self, table: str, **body: Any) -> Any:
        """Take a seat, with a nonce."""
        return self.post(f"/api/tables/{table}/sit", {"nonce": "5eed", **body}, 200)

    def vote(self, table: str, agree: bool = True, expect: int | None = 200) -> Any:
        """Answer what somebody asks of the table."""
        proposal = self.get_table(table)["table"]["proposal"]
        body = {"proposal": proposal["id"], "accept": agree, "idempotency_key": f"wish-{next(KEY_NUMBERS):08d}"}
        return self.post(f"/api/tables/{table}/proposal", body, expect)

    def answer(self, table: str, n: int, *answers: str, key: str = "", expect: int | None = 200) -> Any:
        """Answer the open question."""
        body = {"n": n, "answers": list(answers), "idempotency_key": key or f"key-{next(KEY_NUMBERS):08d}"}
        return self.post(f"/api/tables/{table}/answers", body, expect)

    def open_lobby(self, game: str = "") -> LobbyClient:
        """Open the lobby's stream."""
        lobby = LobbyClient(StreamReader(self.port, f"/api/lobby?game={game}" if game else "/api/lobby", self.headers))
        wait_until(lambda: lobby.events, "the lobby says nothing")
        return lobby

    def open_stream(self, table: str, **headers: str) -> StreamReader:
        """Open the table's stream."""
        return StreamReader(self.port, f"/api/tables/{table}/stream", {**self.headers, **headers})


class LobbyClient:
    """What somebody hears in the lobby: the tables as they are shown by now, and their own news."""

    def __init__(self, stream: StreamReader) -> None:
        self.stream = stream

    @property
    def events(self) -> list[Any]:
        """Every event so far."""
        return self.stream.messages

    @property
    def tables(self) -> dict[str, Any]:
        """The tables that are shown, in their order."""
        shown: dict[str, Any] = {}
        for event in self.events:
            if "tables" in event:
                shown = {}
            for summary in [*event.get("tables", []), *event.get("upserted", [])]:
                shown[summary["id"]] = summary
            for table_id in event.get("removed", []):
                del shown[table_id]
        return shown

    @property
    def unlisted_count(self) -> int:
        """How many tables there are besides."""
        return int(next(news["hidden_count"] for news in reversed(self.events) if "hidden_count" in news))

    @property
    def personal(self) -> Any:
        """What was told to them alone, last."""
        return next((news["personal"] for news in reversed(self.events) if "personal" in news), None)

    def wait_for(self, condition: Callable[[], Any], message: str) -> Any:
        """Wait for something to be heard."""
        return wait_until(condition, f"{message}; what was heard: {self.events}")


class StreamReader:
    """A stream, read byte by byte into ``raw`` by a thread. ``events`` are those of a name, or as most have it of none."""

    def __init__(self, port: int, path: str, headers: dict[str, str], name: str = "") -> None:
        self.name = f"event: {name}".encode() if name else b""
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=WAIT_TIMEOUT_S)
        lines = [
            f"GET {path} HTTP/1.1",
            *(f"{n}: {v}" for n, v in {"Host": "localhost", **headers}.items()),
        ]
        try:
            self.socket.sendall("\r\n".join([*lines, "", ""]).encode())
        except OSError:  # a server that is killed just now
            self.socket.close()
            raise
        OPEN_CONNECTIONS.append(self)
        self.received = b""
        self.events: list[bytes] = []  # the data of every event so far
        self.is_ended = self.is_complete = False  # whole: the server said that this is all
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        chunks, body, headed = b"", b"", False
        try:
            while data := self.socket.recv(65536):
                self.received += data
                chunks += data
                if not headed:
                    head, headed, chunks = chunks.partition(b"\r\n\r\n")
                    if not headed:
                        chunks = head
                        continue
                while True:
                    size, found, rest = chunks.partition(b"\r\n")
                    if not found or len(rest) < int(size, 16) + 2:
                        break
                    self.is_complete = self.is_complete or int(size, 16) == 0
                    body += rest[: int(size, 16)]
                    chunks = rest[int(size, 16) + 2 :]
                while (end := body.find(b"\n\n")) >= 0:
                    lines, body = body[:end].split(b"\n"), body[end + 2 :]
                    if next((line for line in lines if line.startswith(b"event: ")), b"") == self.name:
                        self.events += [line[6:] for line in lines if line.startswith(b"data: ")]
                if self.is_complete:
                    break
        except OSError:
            pass  # closed, by us or by a server that was killed: `ended` says so
        self.is_ended = True

    def close(self) -> None:
        """Stop listening."""
        with contextlib.suppress(OSError):  # the server was quicker
            self.socket.shutdown(socket.SHUT_RDWR)  # closing alone does not wake who reads
        self.socket.close()

    @property
    def messages(self) -> list[Any]:
        """Every message so far."""
        return [json.loads(event) for event in self.events]

    def wait_for(self, n: int) -> Any:
        """Wait for the message of this n, or a later one."""

        def newest() -> Any:
            message = json.loads(self.events[-1]) if self.events else None
            return message if message is not None and message["n"] >= n else None

        return wait_until(newest, f"no message came for n = {n}")

    @property
    def newest(self) -> Any:
        """The newest message, or ``None``."""
        return json.loads(self.events[-1]) if self.events else None


def first_legal(message: Any) -> str:
    """The first legal answer of a message's question, spelled."""
    return f"{message['open_question']['question']} {message['open_question']['legal'][0]}"


def play_out(guests: list[Client], table: str) -> None:
    """Let everyone at a table give the first legal answer until the game is over."""
    for _ in range(3_000):
        for guest in guests:
            message = guest.get_table(table)
            if message["table"]["phase"] == "over":
                return
            if message["open_question"]:
                guest.answer(table, message["n"], first_legal(message))
    raise AssertionError("expected the game to end")


def finish_game(server: LiveServer, id: str, guest: Client) -> None:
    """The guest gives the first legal answer until the game is over; the others are bots."""
    table, seat = server.app.tables.get(id), guest.get_table(id)["seat"]

    def next_answer() -> tuple[int, str] | None:
        state = table.game_state.state
        if table.is_over or state is None or seat not in table.game.to_act(state):
            return None
        return table.n, f"{table.game.question(state).name} {table.game.legal(state, seat)[0]}"

    while not table.is_over:
        if found := server.call_on_loop(
            next_answer
        ):  # at the server itself, for to be told each time over a line is most of the work
            guest.answer(id, *found, expect=None)
        else:
            time.sleep(0.001)


def full_table(server: LiveServer, game: str, seats: int, **more: Any) -> tuple[str, list[Client]]:
    """A table at which guests have all seats; the first of them made it."""
    guests = [server.new_client() for _ in range(seats)]
    id = guests[0].create_table(
        game=game, seats=seats, seats_taken_by=["me"] + ["open"] * (seats - 1), substitute_after_s=0, **more
    )
    for seat, guest in enumerate(guests[1:], 1):
        guest.sit(id, seat=seat, invite=guests[0].invite)
    return id, guests


def evict_tables(server: LiveServer, *tables: str) -> None:
    """As if nobody had looked at these tables for a minute: once nobody reads there any more, nothing is left of them in memory."""
    found = [server.app.tables.get(id) for id in tables]
    wait_until(
        lambda: not any(table.presence.has_viewers or table.presence.presence_update_due for table in found),
        "somebody reads there",
    )

    def evict() -> None:
        for table in found:
            table.presence.last_access -= registry.EVICT_AFTER_S + 1
            table.presence.last_seen = [seen - registry.EVICT_AFTER_S - 1 for seen in table.presence.last_seen]
        server.app.tables.registry._evict_idle()

    server.call_on_loop(evict)
    assert not any(server.app.tables.registry.has(id) for id in tables), "a table is awake at which nobody looks"


def memory_growth(work: Callable[[int], None]) -> int:
    """By how many bytes memory grows, the server's with ours, beyond what the first time costs."""
    work(0)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        work(1)
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
