"""A house that is open on a real port in a thread of the tests, and guests who visit it over HTTP."""

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

import kept
import pytest

from diamonds import words
from diamonds.game import GAMES
from diamonds.server.house import shelf
from diamonds.server.listening import listen
from diamonds.server.main import REFUSED, Server, main
from diamonds.server.store.postgres import PostgresStore
from diamonds.server.store.sqlite import SqliteStore
from diamonds.server.wire.app import App, Setup
from diamonds.server.wire.limits import OFF
from ports import reserve

KEYS = itertools.count(1)
OPENED: list[Any] = []  # connections, to be closed after the test
PATIENCE = 300  # seconds after which a test gives up waiting: how fast the house is, is measured in bench/, not here


def free_port() -> int:
    """A port of the test's own until it is over: a server that was killed finds it free again, and who knocks while it is down does
    not get through to somebody else."""
    kept = reserve()
    OPENED.append(kept)
    port: int = kept.getsockname()[1]
    return port


def hang_up() -> None:
    """Close all connections of a test."""
    for connection in OPENED:
        connection.close()
    OPENED.clear()


class Apart:
    """An event loop in a thread of its own: where a browser is open, this thread's is Playwright's."""

    def __enter__(self) -> Apart:
        self._thread, self._runner = ThreadPoolExecutor(1), asyncio.Runner()
        return self

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        """What comes of a coroutine."""
        return self._thread.submit(self._runner.run, coroutine).result()

    def __exit__(self, *error: object) -> None:
        self._thread.submit(self._runner.close).result()
        self._thread.shutdown()


class Runs(Protocol):
    """Whatever has an event loop."""

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        """What comes of a coroutine there."""
        ...


class Asked:
    """A store, or a part of one, whose calls come back when they are done."""

    def __init__(self, store: Any, apart: Runs) -> None:
        self.real, self._apart = store, apart

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.real, name)
        if not callable(found):
            return Asked(found, self._apart) if type(found).__module__.startswith("diamonds.") else found

        def call(*args: Any, **more: Any) -> Any:
            result = found(*args, **more)
            return self._apart.run(result) if inspect.isawaitable(result) else result

        return call


@contextlib.contextmanager
def opened(store: Any) -> Iterator[Asked]:
    """A store that is open for as long as a test asks it something."""
    with Apart() as apart:
        found = Asked(store, apart)
        try:
            found.open()
            yield found
        finally:
            found.close()


def run_apart(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """What comes of one coroutine, on a loop of its own; see `Apart`."""
    with Apart() as apart:
        return apart.run(coroutine)


class House:
    """The application behind uvicorn, in a thread. Without a folder, or the ``address`` of a PostgreSQL, it keeps nothing."""

    def __init__(
        self, folder: Path | None = None, settings: Setup | None = None, key: bytes = b"k" * 32, address: str = ""
    ) -> None:
        self.folder, self.key, self.address = folder, key, address
        self.settings = settings or Setup((0, 0), OFF)
        self.port = free_port()
        self.open()

    def open(self) -> None:
        """Open the house (again)."""
        listening = listen("127.0.0.1", self.port)
        store = PostgresStore(self.address) if self.address else SqliteStore(self.folder)
        self.kept = Asked(store, self)
        self.app = App(store, self.key, self.settings)
        self._server = Server(self.app)
        self.thread = threading.Thread(target=self._run, args=(listening,), daemon=True)
        self.thread.start()
        until(lambda: self._server.started, "the server did not start")

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
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive(), "the server does not stop"
        kept.give_back(self.app.rest)

    def restart(self, *guests: Guest) -> None:
        """Close it and open it again; the guests' connections are gone."""
        self.close()
        self.open()
        for guest in guests:
            guest.hang_up()

    def call(self, function: Callable[[], Any]) -> Any:
        """Run something on the server's own event loop."""

        async def soon() -> Any:
            found = function()
            return await found if inspect.iscoroutine(found) else found

        return self.wait_for(soon())

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        """What comes of a coroutine on the server's own event loop."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(PATIENCE)

    wait_for = run

    def guest(self) -> Guest:
        """Somebody new, with a token."""
        token = Guest(self.port).post("/api/token", {}, 200)["token"]
        return Guest(self.port, token)


def until(true: Callable[[], Any], otherwise: str) -> Any:
    """Wait for something to be true, and return it. It is looked at often at first, and more seldom the longer it takes: whoever looks
    keeps from work what is waited for."""
    begun = time.monotonic()
    while not (value := true()):
        waited = time.monotonic() - begun
        assert waited < PATIENCE, otherwise
        time.sleep(min(max(waited / 8, 0.002), 0.05))
    return value


def refusal(*arguments: str) -> str:
    """Why a house does not open: one line, and no traceback."""
    handlers = list(logging.getLogger().handlers)
    told = io.StringIO()
    with pytest.raises(SystemExit) as ended, contextlib.redirect_stderr(told):
        main([*arguments])
    assert logging.getLogger().handlers == handlers, "it goes on logging"
    assert ended.value.code == REFUSED, "expected the exit status of a server that cannot start"
    *warnings, why = told.getvalue().splitlines()
    assert all("close it with chmod 700" in line for line in warnings), "expected one sentence that says why"
    return why


def in_words(message: dict[str, Any], told: dict[str, Any]) -> str:
    """What a `Told` of a message says to its reader."""
    names = [place["name"] for place in message["table"]["places"]]
    says = told.get("says") or GAMES[message["table"]["game"]].told(told["event"])
    return words.capitals(words.say(*says, words.FIRST, names.__getitem__, message["seat"]))


def sentences(found: dict[str, Any]) -> str:
    """What is said of a record or a proof."""
    return " ".join(words.say(*says) for says in found["says"])


class Guest:
    """Someone who talks to the house."""

    def __init__(self, port: int, token: str = "") -> None:
        self.port = port
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.status = 0
        self.raw = b""
        self.reply_headers: dict[str, str] = {}
        self._line: http.client.HTTPConnection | None = None

    def hang_up(self) -> None:
        """Close the connection; the next request opens another."""
        if self._line is not None:
            self._line.close()
            self._line = None

    def send(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, bytes]:
        """One request as it is; the status and the bytes of the reply."""
        if self._line is None:
            self._line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
            OPENED.append(self._line)
        self._line.request(method, path, body, {**self.headers, **(headers or {})})
        reply = self._line.getresponse()
        self.status, self.raw = reply.status, reply.read()
        self.reply_headers = {name.lower(): value for name, value in reply.getheaders()}
        return self.status, self.raw

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

    def make(self, **table: Any) -> str:
        """A new table's id; the seat that is kept for its maker is taken."""
        made = self.post("/api/tables", table, 201)
        self.invite = made["invite"]
        if "me" in table.get("places", ["me"]):
            self.sit(made["id"])
        return made["id"]

    def look(self, table: str) -> Any:
        """The current message."""
        return self.get(f"/api/tables/{table}")

    def sit(self, table: str, **body: Any) -> Any:
        """Take a seat, with a nonce."""
        return self.post(f"/api/tables/{table}/sit", {"nonce": "5eed", **body}, 200)

    def consent(self, table: str, agree: bool = True, expect: int | None = 200) -> Any:
        """Answer what somebody asks of the table."""
        wish = self.look(table)["table"]["wish"]
        body = {"wish": wish["id"], "agree": agree, "key": f"wish-{next(KEYS):08d}"}
        return self.post(f"/api/tables/{table}/wish", body, expect)

    def answer(self, table: str, n: int, *answers: str, key: str = "", expect: int | None = 200) -> Any:
        """Answer the open question."""
        body = {"n": n, "answers": list(answers), "key": key or f"key-{next(KEYS):08d}"}
        return self.post(f"/api/tables/{table}/answers", body, expect)

    def lobby(self, game: str = "") -> Ear:
        """Open the lobby's stream."""
        ear = Ear(Tap(self.port, f"/api/lobby?game={game}" if game else "/api/lobby", self.headers))
        until(lambda: ear.news, "the lobby says nothing")
        return ear

    def listen(self, table: str, **headers: str) -> Tap:
        """Open the table's stream."""
        return Tap(self.port, f"/api/tables/{table}/stream", {**self.headers, **headers})


class Ear:
    """What somebody hears in the lobby: the tables as they are shown by now, and their own news."""

    def __init__(self, tap: Tap) -> None:
        self.tap = tap

    @property
    def news(self) -> list[Any]:
        """Every event so far."""
        return self.tap.messages

    @property
    def tables(self) -> dict[str, Any]:
        """The tables that are shown, in their order."""
        shown: dict[str, Any] = {}
        for news in self.news:
            if "tables" in news:
                shown = {}
            for line in [*news.get("tables", []), *news.get("put", [])]:
                shown[line["id"]] = line
            for id in news.get("gone", []):
                del shown[id]
        return shown

    @property
    def more(self) -> int:
        """How many tables there are besides."""
        return int(next(news["more"] for news in reversed(self.news) if "more" in news))

    @property
    def you(self) -> Any:
        """What was told to them alone, last."""
        return next((news["you"] for news in reversed(self.news) if "you" in news), None)

    def wait_for(self, true: Callable[[], Any], otherwise: str) -> Any:
        """Wait for something to be heard."""
        return until(true, f"{otherwise}; what was heard: {self.news}")


class Tap:
    """A stream, read byte by byte into ``raw`` by a thread. ``events`` are those of a name, or as most have it of none."""

    def __init__(self, port: int, path: str, headers: dict[str, str], name: str = "") -> None:
        self.name = f"event: {name}".encode() if name else b""
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        lines = [
            f"GET {path} HTTP/1.1",
            *(f"{n}: {v}" for n, v in {"Host": "localhost", **headers}.items()),
        ]
        try:
            self.socket.sendall("\r\n".join([*lines, "", ""]).encode())
        except OSError:  # a server that is killed just now
            self.socket.close()
            raise
        OPENED.append(self)
        self.raw = b""
        self.events: list[bytes] = []  # the data of every event so far
        self.ended = self.whole = False  # whole: the server said that this is all
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        chunks, body, headed = b"", b"", False
        try:
            while data := self.socket.recv(65536):
                self.raw += data
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
                    self.whole = self.whole or int(size, 16) == 0
                    body += rest[: int(size, 16)]
                    chunks = rest[int(size, 16) + 2 :]
                while (end := body.find(b"\n\n")) >= 0:
                    lines, body = body[:end].split(b"\n"), body[end + 2 :]
                    if next((line for line in lines if line.startswith(b"event: ")), b"") == self.name:
                        self.events += [line[6:] for line in lines if line.startswith(b"data: ")]
                if self.whole:
                    break
        except OSError:
            pass  # closed, by us or by a server that was killed: `ended` says so
        self.ended = True

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

        return until(newest, f"no message came for n = {n}")

    @property
    def newest(self) -> Any:
        """The newest message, or ``None``."""
        return json.loads(self.events[-1]) if self.events else None


def first_legal(message: Any) -> str:
    """The first legal answer of a message's question, spelled."""
    return f"{message['ask']['question']} {message['ask']['legal'][0]}"


def play_to_the_end(house: House, id: str, guest: Guest) -> None:
    """The guest gives the first legal answer until the game is over; the others are bots."""
    table, seat = house.app.tables.get(id), guest.look(id)["seat"]

    def asked() -> tuple[int, str] | None:
        state = table.play.state
        if table.over or state is None or seat not in table.game.to_act(state):
            return None
        return table.n, f"{table.game.question(state).name} {table.game.legal(state, seat)[0]}"

    while not table.over:
        if found := house.call(asked):  # at the house itself, for to be told each time over a line is most of the work
            guest.answer(id, *found, expect=None)
        else:
            time.sleep(0.001)


def full_table(house: House, game: str, seats: int, **more: Any) -> tuple[str, list[Guest]]:
    """A table at which guests have all seats; the first of them made it."""
    guests = [house.guest() for _ in range(seats)]
    id = guests[0].make(game=game, seats=seats, places=["me"] + ["open"] * (seats - 1), takeover=0, **more)
    for seat, guest in enumerate(guests[1:], 1):
        guest.sit(id, seat=seat, invite=guests[0].invite)
    return id, guests


def put_to_sleep(house: House, *tables: str) -> None:
    """As if nobody had looked at these tables for a minute: once nobody reads there any more, nothing is left of them in memory."""
    found = [house.app.tables.get(id) for id in tables]
    until(lambda: not any(table.here.is_read or table.here.tell_due for table in found), "somebody reads there")

    def sleep() -> None:
        for table in found:
            table.here.touched -= shelf.SLEEP + 1
            table.here.seen = [seen - shelf.SLEEP - 1 for seen in table.here.seen]
        house.app.tables.shelf._sweep()

    house.call(sleep)
    assert not any(house.app.tables.shelf.has(id) for id in tables), "a table is awake at which nobody looks"


def grown(work: Callable[[int], None]) -> int:
    """By how many bytes memory grows, the house's with ours, beyond what the first time costs."""
    work(0)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        work(1)
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
