"""HTTP clients of a server, readers of its streams, and the helper that waits for a state."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import socket
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

from diamonds import i18n
from diamonds.game import GAMES

KEY_NUMBERS = itertools.count(1)
OPEN_CONNECTIONS: list[Any] = []  # closed after the test
WAIT_TIMEOUT_S = 300  # a limit for hangs, not a measure of speed; bench/ measures that


def close_connections() -> None:
    for connection in OPEN_CONNECTIONS:
        connection.close()
    OPEN_CONNECTIONS.clear()


def wait_until(condition: Callable[[], Any], message: str) -> Any:
    """Return the first truthy value of `condition`; fail with `message` after `WAIT_TIMEOUT_S`.

    The polling interval grows with the time waited, because polling takes CPU time from the server under test.
    """
    started = time.monotonic()
    while not (value := condition()):
        waited = time.monotonic() - started
        assert waited < WAIT_TIMEOUT_S, message
        time.sleep(min(max(waited / 8, 0.002), 0.05))
    return value


def event_text(message: dict[str, Any], event: dict[str, Any]) -> str:
    """Return the English text of an event as the recipient of the message reads it."""
    names = [place["name"] for place in message["table"]["seat_holders"]]
    text = event.get("text") or GAMES[message["table"]["game"]].event_message(event["event"])
    return i18n.capitalize_sentences(i18n.translate(*text, i18n.DEFAULT_LANGUAGE, names.__getitem__, message["seat"]))


def message_text(reply: dict[str, Any]) -> str:
    """Return the English text of the findings of a record or a proof."""
    return " ".join(i18n.translate(*says) for says in reply["findings"])


class Client:
    """An API client with one HTTP connection and, optionally, a token."""

    def __init__(self, port: int, token: str = "") -> None:
        self.port = port
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.status = 0
        self.reply_body = b""
        self.reply_headers: dict[str, str] = {}
        self._connection: http.client.HTTPConnection | None = None

    @property
    def local_address(self) -> tuple[str, int]:
        """The client's end of the open connection."""
        assert self._connection is not None
        return self._connection.sock.getsockname()  # type: ignore[no-any-return]

    def disconnect(self) -> None:
        """Close the connection. The next request opens another."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def send(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, bytes]:
        """Send a request, whose body is JSON unless ``headers`` say otherwise; return the status and the body."""
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT_TIMEOUT_S)
            OPEN_CONNECTIONS.append(self._connection)
        body_type = {} if body is None else {"Content-Type": "application/json"}
        self._connection.request(method, path, body, {**body_type, **self.headers, **(headers or {})})
        reply = self._connection.getresponse()
        self.status, self.reply_body = reply.status, reply.read()
        self.reply_headers = {name.lower(): value for name, value in reply.getheaders()}
        return self.status, self.reply_body

    def post(self, path: str, body: Any, expect: int | None = None) -> Any:
        """Send a POST request with a JSON body; return the decoded reply."""
        status, raw = self.send("POST", path, json.dumps(body).encode())
        assert expect in (None, status), f"{path} gave {status}, not {expect}: {raw[:300]!r}"
        return json.loads(raw)

    def get(self, path: str, expect: int | None = 200) -> Any:
        """Send a GET request; return the decoded reply."""
        status, raw = self.send("GET", path)
        assert expect in (None, status), f"{path} gave {status}, not {expect}: {raw[:300]!r}"
        return json.loads(raw)

    def create_table(self, **table: Any) -> str:
        """Create a table, take the seat reserved for its host, and return the table's id."""
        made = self.post("/api/tables", table, 201)
        self.invite = made["invite"]
        if "me" in table.get("seats_taken_by", ["me"]):
            self.sit(made["id"])
        return made["id"]

    def create_open_table(self, **table: Any) -> str:
        """Create a table of mines for two with an open seat."""
        return self.create_table(game="mines", seats=2, seats_taken_by=["me", "open"], **table)

    def create_table_with(self, other: Client, **table: Any) -> str:
        """Create a table of mines at which another client has the second seat."""
        id = self.create_open_table(**table)
        other.sit(id, seat=1, invite=self.invite)
        return id

    def get_table(self, table: str) -> Any:
        return self.get(f"/api/tables/{table}")

    def sit(self, table: str, **body: Any) -> Any:
        """Take a seat with a fixed nonce."""
        return self.post(f"/api/tables/{table}/sit", {"nonce": "5eed", **body}, 200)

    def vote(self, table: str, agree: bool = True, expect: int | None = 200) -> Any:
        proposal = self.get_table(table)["table"]["proposal"]
        body = {"proposal": proposal["id"], "accept": agree, "idempotency_key": f"wish-{next(KEY_NUMBERS):08d}"}
        return self.post(f"/api/tables/{table}/proposal", body, expect)

    def answer(self, table: str, n: int, *answers: str, key: str = "", expect: int | None = 200) -> Any:
        body = {"n": n, "answers": list(answers), "idempotency_key": key or f"key-{next(KEY_NUMBERS):08d}"}
        return self.post(f"/api/tables/{table}/answers", body, expect)

    def answer_first(self, table: str, **more: Any) -> Any:
        """Give the first legal answer; return the reply."""
        message = self.get_table(table)
        return self.answer(table, message["n"], first_legal(message), **more)

    def finish_turn(self, table: str) -> Any:
        """Give first legal answers until another seat is to act; return the last update."""
        while (message := self.get_table(table))["open_question"]:
            self.answer(table, message["n"], first_legal(message))
        return message

    def wait_for_turn(self, table: str) -> Any:
        """Wait until this client is to act; return the update."""
        return wait_until(lambda: (m := self.get_table(table))["open_question"] and m, "expected a question")

    def wait_for_turn_or_end(self, table: str) -> Any:
        """Wait until this client is to act or the game is over; return the update."""
        return wait_until(
            lambda: ((m := self.get_table(table))["open_question"] or m["table"]["phase"] == "over") and m,
            "expected a question or the end of the game",
        )

    def open_lobby(self, game: str = "") -> LobbyClient:
        """Open the lobby's stream and wait for its first event."""
        lobby = LobbyClient(StreamReader(self.port, f"/api/lobby?game={game}" if game else "/api/lobby", self.headers))
        wait_until(lambda: lobby.events, "expected a first event from the lobby")
        return lobby

    def open_stream(self, table: str, **headers: str) -> StreamReader:
        return StreamReader(self.port, f"/api/tables/{table}/stream", {**self.headers, **headers})

    def watch(self, table: str, **headers: str) -> StreamReader:
        """Open a table's stream and wait for its first message."""
        stream = self.open_stream(table, **headers)
        wait_until(lambda: stream.events, "expected a first message")
        return stream


class LobbyClient:
    """The lobby as one client sees it: the tables currently listed, and the client's personal updates."""

    def __init__(self, stream: StreamReader) -> None:
        self.stream = stream

    @property
    def events(self) -> list[Any]:
        """All events received so far."""
        return self.stream.messages

    @property
    def tables(self) -> dict[str, Any]:
        """The tables currently listed by id, in order."""
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
        """The number of tables beyond those listed."""
        return int(next(news["hidden_count"] for news in reversed(self.events) if "hidden_count" in news))

    @property
    def personal(self) -> Any:
        """The newest personal update, or ``None``."""
        return next((news["personal"] for news in reversed(self.events) if "personal" in news), None)

    def wait_for(self, condition: Callable[[], Any], message: str) -> Any:
        """Wait for a condition; on failure show every event received."""
        return wait_until(condition, f"{message}; events received: {self.events}")

    def wait_for_personal(self, **expected: Any) -> None:
        """Wait until the personal update has these values."""
        self.wait_for(lambda: self.personal and self.personal.items() >= expected.items(), f"expected {expected}")

    def wait_for_match(self) -> str:
        """Wait until a table is found for the person; return its id."""
        return str(self.wait_for(lambda: (self.personal or {}).get("matched_table"), "expected a table"))


class StreamReader:
    """A stream that a thread reads into ``received``.

    ``events`` has the data of the events with the given name, by default of those without a name.
    """

    def __init__(self, port: int, path: str, headers: dict[str, str], name: str = "") -> None:
        self.name = f"event: {name}".encode() if name else b""
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=WAIT_TIMEOUT_S)
        lines = [f"GET {path} HTTP/1.1", *(f"{n}: {v}" for n, v in {"Host": "localhost", **headers}.items())]
        try:
            self.socket.sendall("\r\n".join([*lines, "", ""]).encode())
        except OSError:  # the server was killed at this moment
            self.socket.close()
            raise
        OPEN_CONNECTIONS.append(self)
        self.received = b""
        self.events: list[bytes] = []  # data of each event received
        self.is_ended = self.is_complete = False  # complete means that the server has sent the last chunk
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
            pass  # closed by this client, or by a server that was killed; see `is_ended`
        self.is_ended = True

    def close(self) -> None:
        with contextlib.suppress(OSError):  # the server closed it first
            self.socket.shutdown(socket.SHUT_RDWR)  # closing alone does not wake the reading thread
        self.socket.close()

    @property
    def messages(self) -> list[Any]:
        """All messages received so far."""
        return [json.loads(event) for event in self.events]

    def wait_for(self, n: int) -> Any:
        """Wait for a message with this n or a later one."""

        def newest() -> Any:
            message = json.loads(self.events[-1]) if self.events else None
            return message if message is not None and message["n"] >= n else None

        return wait_until(newest, f"expected a message with n = {n}")

    @property
    def newest(self) -> Any:
        return json.loads(self.events[-1]) if self.events else None


def first_legal(message: Any) -> str:
    """Return the first legal answer to a message's question, as text."""
    return f"{message['open_question']['question']} {message['open_question']['legal'][0]}"


def client_to_act(guests: Iterable[Client], table: str) -> tuple[Client, Any]:
    """Return a client that is to act, and the update it receives."""
    return next((guest, message) for guest in guests if (message := guest.get_table(table))["open_question"])


def message_to_act(guests: Iterable[Client], table: str) -> Any:
    return client_to_act(guests, table)[1]


def answer_next(guests: Iterable[Client], table: str, **more: Any) -> Any:
    """Let a client that is to act give its first legal answer; return the reply."""
    guest, message = client_to_act(guests, table)
    return guest.answer(table, message["n"], first_legal(message), **more)


def post_chat(guest: Client, table: str, text: str = "", expect: int = 200, **body: str) -> Any:
    """Send a chat message, or a phrase."""
    body |= {"idempotency_key": f"chat-key-{next(KEY_NUMBERS):08d}"} | ({"text": text} if text else {})
    return guest.post(f"/api/tables/{table}/chat", body, expect)


def chat_texts(guest: Client, table: str) -> list[str]:
    """Return the chat messages and phrases that a guest receives."""
    return [line["text"] or line["phrase"] for line in guest.get_table(table)["table"]["chat"]]


class TurnFeedReader:
    """A reader of a guest's turn feed, as on a page without another stream."""

    def __init__(self, guest: Client) -> None:
        self.stream = StreamReader(guest.port, "/api/turns", guest.headers, "turns")

    @property
    def turns(self) -> list[Any]:
        """The newest turns received; ``[None]`` before the first event."""
        return self.stream.messages[-1]["turns"] if self.stream.messages else [None]

    def wait_until_gone(self, table: str) -> None:
        wait_until(lambda: all(turn["table"] != table for turn in self.turns), f"expected no turn at {table}")

    def wait_for(self, *tables: str) -> list[Any]:
        """Wait until the guest is to act at these tables, in this order."""
        wait_until(lambda: [turn and turn["table"] for turn in self.turns] == [*tables], f"expected turns at {tables}")
        return self.turns


def play_out(guests: list[Client], table: str) -> None:
    """Play a table to its end: every seat gives its first legal answer."""
    end = time.monotonic() + WAIT_TIMEOUT_S
    while time.monotonic() < end:
        is_anyone_to_act = False
        for guest in guests:
            message = guest.get_table(table)
            if message["table"]["phase"] == "over":
                return
            if message["open_question"]:
                is_anyone_to_act = True
                guest.answer(table, message["n"], first_legal(message))
        if not is_anyone_to_act:
            time.sleep(0.002)  # a bot is deciding, and requests would slow it down
    raise AssertionError("expected the game to end")
