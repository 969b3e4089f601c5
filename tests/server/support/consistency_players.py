"""Players and spectators who record everything they receive, and report losses, repetitions and contradictions."""

import contextlib
import hashlib
import http.client
import json
import random
import time
from collections.abc import Callable
from threading import Event
from typing import Any, NamedTuple

from diamonds import record_reader
from diamonds.server.tables.core.clocks import MAX_LAG_COMPENSATION_MS
from tests.server.support.client import Client, StreamReader, first_legal, wait_until
from tests.server.support.server_group import ServerGroup

CONNECTION_ERRORS = (OSError, http.client.HTTPException, json.JSONDecodeError)
POLL_INTERVAL_S = 0.005  # between polls
STUCK_AFTER_S = 60  # the game counts as stuck after this long with the whole server up and no open question
DELIVERY_TIMEOUT_S = 120.0  # a message not received within this time counts as lost


class TableKind(NamedTuple):
    """Settings of a table: game, seats (people at ``open`` seats use the invite) and time control."""

    game: str
    places: tuple[str, ...]
    clock: dict[str, int] | None = None


UNTIMED_KINDS = (
    TableKind("crystals", ("me", "open", "bot:simple")),
    TableKind("fourteen", ("me", "bot:simple", "open")),
    TableKind("mines", ("me", "open")),
)
TIMED_KINDS = (
    TableKind("crystals", ("me", "open", "open"), {"days_per_move": 1}),
    TableKind("fourteen", ("me", "open", "open"), {"initial_s": 30, "increment_s": 10}),
    TableKind("mines", ("me", "open"), {"initial_s": 20, "increment_s": 5}),
)


class ConsistencyReader:
    """One reader of one table, which reconnects whenever the stream ends and records the newest version received."""

    def __init__(self, servers: ServerGroup, table: str, client: Client | None) -> None:
        self.servers, self.table, self.client = servers, table, client
        self.version = -1  # the newest version received in any reply
        self.violations: list[str] = []
        self.views: dict[int, str] = {}  # by n: digest of the view
        self.events: dict[int, list[Any]] = {}
        self.deadlines: dict[tuple[int, int, int], int] = {}  # by outage, n and seat: end of the seat's time
        self.newest: Any = None
        self.stream: StreamReader | None = None
        self._read = self._outages = 0
        self._streamed = self._last = -1  # lowest version that the stream may send; newest one received

    def poll(self) -> None:
        """Record the messages received, and reconnect if the stream has ended."""
        if self.stream is not None:
            ended = self.stream.is_ended  # read before the messages, because none follows a stream's end
            messages = self.stream.events[self._read :]
            for message in messages:
                self._note(json.loads(message))
                self._last = self._streamed
            self._read += len(messages)
            if not ended:
                return
            self.stream.close()
        self.stream, self._read, self._outages = None, 0, self.servers.full_outages
        with contextlib.suppress(*CONNECTION_ERRORS):
            headers = {} if self._last < 0 else {"Last-Event-ID": str(self._last)}
            self._streamed = self.version
            self.stream = (self.client or Client(self.servers.port)).open_stream(self.table, **headers)

    def get(self) -> Any:
        """Request the table and return its update, or ``None`` without a reply."""
        guest, known = self.client or Client(self.servers.port), self.version
        guest.disconnect()
        with contextlib.suppress(*CONNECTION_ERRORS):
            message = guest.get(f"/api/tables/{self.table}", None)
            if guest.status == 200:
                if message["version"] < known:
                    self.violations.append(
                        f"decreased: a reply has version {message['version']:x} after version {known:x}"
                    )
                self.note_version(message["version"])
                return message
            if guest.status != 503:
                self.violations.append(f"inconsistent: unexpected status {guest.status}: {message}")
        return None

    def note_version(self, version: int) -> None:
        """Record a version that a reply contained. No later reply may have an older one."""
        self.version = max(version, self.version)

    def _note(self, message: Any) -> None:
        n, version = message["n"], message["version"]
        if version < self._streamed:
            self.violations.append(f"decreased: the stream has version {version:x} after version {self._streamed:x}")
        self._streamed = max(version, self._streamed)
        self.note_version(version)
        shown = json.dumps([message[part] for part in ("view", "open_question", "result", "seat")], sort_keys=True)
        digest = hashlib.blake2b(shown.encode(), digest_size=8).hexdigest()
        if message["table"]["phase"] != "waiting" and self.views.setdefault(n, digest) != digest:
            self.violations.append(f"inconsistent: at n = {n} one reader got two views")
        heard: dict[int, list[Any]] = {}
        for told in message["events"]:
            heard.setdefault(told["n"], []).append(told["event"])
        for at, events in heard.items():
            if self.events.setdefault(at, events) != events:
                self.violations.append(f"repeated: n = {at} had the events {self.events[at]}, and then {events}")
        if message["clocks"]:
            self._note_clocks(message, [event for events in heard.values() for event in events])
        self.newest = message

    def _note_clocks(self, message: Any, events: list[Any]) -> None:
        """Check that all replies agree on the end of a seat's time, and that no timeout precedes it."""
        told, before = message["clocks"], self.newest
        if before and before["clocks"] and self._outages == self.servers.full_outages:
            for event in events:
                end = self.deadlines.get((self._outages, before["n"], event.get("seat", -1)))
                if event.get("event") == "timeout" and end is not None and told["now"] < end + MAX_LAG_COMPENSATION_MS:
                    self.violations.append(
                        f"clocks: a timeout came {end + MAX_LAG_COMPENSATION_MS - told['now']} ms too early"
                    )
        for seat in told["running"]:
            end, key = told["now"] + told["remaining_ms"][seat], (self._outages, message["n"], seat)
            if (
                told["remaining_ms"][seat]
                and self._outages == self.servers.full_outages
                and self.deadlines.setdefault(key, end) != end
            ):
                self.violations.append(
                    f"clocks: at n = {message['n']} a deadline moved by {end - self.deadlines[key]} ms"
                )

    def close(self) -> None:
        if self.stream is not None:
            self.stream.close()


class ConsistencyTable:
    """A table with its players and spectators."""

    def __init__(self, servers: ServerGroup, kind: TableKind, rng: random.Random) -> None:
        self.servers, self.kind, self.rng = servers, kind, rng
        self.name = f"{kind.game}{' by the clock' if kind.clock else ''}"
        self.clients: dict[int, Client] = {}
        self.readers: list[ConsistencyReader] = []
        self.acknowledged: dict[str, tuple[int, str]] = {}  # by key: the n it led to, and the text
        self.unknown: dict[str, tuple[int, Any]] = {}  # by key: seat and body of requests without a reply
        self.chat_sent: list[str] = []  # accepted chat messages
        self.longest_wait_s = 0.0  # longest time without an open question
        self.idle_checks = 0  # seconds of the current wait during which the whole server was up
        self.over = False
        self.violations: list[str] = []
        self._since = self._last_check = time.monotonic()

    def create(self) -> None:
        """Create the table and seat its players."""
        places = [*self.kind.places]
        maker = self._new_client()
        again = {"idempotency_key": f"make-{self.rng.randrange(1 << 60):x}", "time_control": self.kind.clock}
        table = {
            "game": self.kind.game, "seats": len(places), "seats_taken_by": places, "substitute_after_s": 0,
            "chat_mode": "all", **again,
        }  # fmt: skip
        made = self._retry(maker, lambda: maker.post("/api/tables", table))
        self.id = made["id"]
        for seat, place in enumerate(places):
            if not place.startswith("bot"):
                guest = maker if place == "me" else self._new_client()
                self.clients[seat] = guest
                body = {
                    "nonce": "5eed",
                    "seat": seat,
                    "invite": made["invite"],
                    "idempotency_key": f"sit-{self.id}-{seat}",
                }
                self._retry(guest, lambda guest=guest, body=body: guest.post(f"/api/tables/{self.id}/sit", body))
        self.readers = [ConsistencyReader(self.servers, self.id, guest) for guest in self.clients.values()]
        self.readers += [ConsistencyReader(self.servers, self.id, None) for _ in range(2)]
        self._since = time.monotonic()

    def _new_client(self) -> Client:
        nobody = Client(self.servers.port)
        return Client(self.servers.port, self._retry(nobody, lambda: nobody.post("/api/token", {}))["token"])

    def _retry(self, guest: Client, do: Callable[[], Any], *refused: int) -> Any:
        """Repeat a request until it succeeds or gets one of the ``refused`` statuses; return the reply."""
        found: list[Any] = []

        def done() -> bool:
            with contextlib.suppress(*CONNECTION_ERRORS):
                found.append(do())
                assert guest.status in (200, 201, 503, *refused), found[-1]
                return guest.status != 503
            guest.disconnect()
            return False

        wait_until(done, "expected a request to succeed or to be refused")
        return found[-1]

    def poll(self) -> None:
        """Let every reader record its messages."""
        for reader in self.readers:
            reader.poll()

    def take_action(self) -> None:
        """Let one seat to act answer, over its open connection or a new one, through any process."""
        self._resend_unanswered()
        asked = [
            (seat, reader.newest) for seat, reader in zip(self.clients, self.readers, strict=False) if reader.newest
        ]
        asked = [(seat, message) for seat, message in asked if message["open_question"]]
        self.over = any(reader.newest and reader.newest["result"] is not None for reader in self.readers)
        if not asked:
            self._wait()
            return
        self._since, self.idle_checks = time.monotonic(), 0
        seat, message = self.rng.choice(asked)
        key = f"key-{self.rng.randrange(1 << 60):015x}"
        body = {"n": message["n"], "answers": [first_legal(message)], "idempotency_key": key}
        self.unknown[key] = (seat, body)
        if self.rng.random() < 0.5:
            self.clients[seat].disconnect()
        self._resend_unanswered()
        chance = self.rng.random()
        if chance < 0.05:
            self._send_chat(self.clients[seat])
        elif chance < 0.1:
            self._rename(seat)
        elif chance < 0.4:
            self.rng.choice(self.readers).get()

    def _wait(self) -> None:
        """Count the time without an open question while the whole server is up.

        A busy machine delays questions, which is not the game's fault.
        """
        now = time.monotonic()
        self.longest_wait_s = max(self.longest_wait_s, now - self._since)
        if now - self._last_check > 1:
            self._last_check = now
            self.idle_checks += self.servers.is_complete()

    def _resend_unanswered(self) -> None:
        """Send every request without a reply again, with its key: it is played once or rejected, never played twice."""
        for key, (seat, body) in [*self.unknown.items()]:
            guest = self.clients[seat]
            try:
                reply = guest.post(f"/api/tables/{self.id}/answers", body)
            except CONNECTION_ERRORS:
                guest.disconnect()
                continue
            if guest.status == 200:
                self.acknowledged[key] = (reply["n"], body["answers"][0])
                self._reader(seat).note_version(reply["version"])
            elif guest.status == 503:
                continue
            else:
                assert guest.status in (403, 409), reply  # another answer came first, or the seat timed out
            del self.unknown[key]

    def _send_chat(self, guest: Client) -> None:
        """Send a unique chat message until it is accepted or refused."""
        text = f"{self.rng.randrange(1 << 60):015x}"
        body = {"text": text, "idempotency_key": f"say-{text}"}
        told = self._retry(guest, lambda: guest.post(f"/api/tables/{self.id}/chat", body), 403)
        if "error" not in told:
            self.chat_sent.append(text)

    def _rename(self, seat: int) -> None:
        """Rename a player and check that a reader sees the new name."""
        guest, name = self.clients[seat], f"N {self.rng.randrange(1 << 40):x}"
        self._retry(guest, lambda: guest.post("/api/me", {"name": name}))
        message = self.rng.choice(self.readers).get()
        place = message["table"]["seat_holders"][seat] if message else None
        if place and place["kind"] == "person" and place["name"] != name:
            self.violations.append(f"inconsistent: {name} is shown as {place['name']}")

    def _reader(self, seat: int) -> ConsistencyReader:
        return self.readers[[*self.clients].index(seat)]

    def check(self) -> list[str]:
        """Return everything that the readers saw but the store lacks or contradicts."""
        violations = self.violations + [fault for reader in self.readers for fault in reader.violations]
        rows = self.servers.rows("SELECT n, text, idempotency_key FROM entries WHERE table_id = ? ORDER BY n", self.id)
        if [row[0] for row in rows] != list(range(len(rows))):
            violations.append("lost: the entries have gaps")
        by_key: dict[str, list[Any]] = {}
        for row in rows:
            by_key.setdefault(row[2], []).append(row)
        for key, (n, words) in self.acknowledged.items():
            found = by_key.get(key, [])
            if len(found) > 1:
                violations.append(f"repeated: answer {n} is stored {len(found)} times")
            elif not found or found[0][0] + 1 != n or found[0][1] != words:
                violations.append(f"lost: answer {n} ({words}) was acknowledged but is not stored: {found}")
        seen = max((n for reader in self.readers for n in reader.views), default=0)
        if seen > len(rows):
            violations.append(f"lost: n = {seen} was shown, but only {len(rows)} entries are stored")
        first, *others = [reader for reader in self.readers if reader.client is None]
        for other in others:
            wrong = [n for n in first.views.keys() & other.views.keys() if first.views[n] != other.views[n]]
            violations += [f"inconsistent: at n = {n} two spectators got different views" for n in wrong]
            parted = [n for n in first.events.keys() & other.events.keys() if first.events[n] != other.events[n]]
            violations += [f"inconsistent: at n = {n} two spectators got different events" for n in parted]
        return [f"{fault} ({self.name}, {self.id})" for fault in violations]

    def undelivered(self) -> list[str]:
        """Return everything stored that a reader has not received yet."""
        self.poll()
        self._resend_unanswered()
        n = self.servers.rows("SELECT count(*) FROM entries WHERE table_id = ?", self.id)[0][0]
        stored = [text for (text,) in self.servers.rows("SELECT text FROM chat WHERE table_id = ?", self.id)]
        late = [
            f"lost: a reader is at n = {reader.newest and reader.newest['n']} of {n}"
            for reader in self.readers
            if reader.newest is None or reader.newest["n"] != n
        ]
        late += [f"stuck: no reply to {body}" for _, body in self.unknown.values()]
        late += [
            f"{'repeated' if text in stored else 'lost'}: a chat message is stored {stored.count(text)} times"
            for text in self.chat_sent
            if stored.count(text) != 1
        ]
        return [f"{fault} ({self.name}, {self.id})" for fault in late]

    def play(self, stop: Event) -> list[str]:
        """Play until the game ends, is stuck, or `stop` is set; return the violations."""
        self.create()
        try:
            while not (stop.is_set() or self.over or self.idle_checks > STUCK_AFTER_S):
                self.poll()
                self.take_action()
                stop.wait(POLL_INTERVAL_S)
            end = time.monotonic() + DELIVERY_TIMEOUT_S
            while (late := self.undelivered()) and time.monotonic() < end:
                time.sleep(10 * POLL_INTERVAL_S)
            stuck = [f"stuck: no open question for {self.longest_wait_s:.0f} s ({self.name})"] * (
                self.idle_checks > STUCK_AFTER_S
            )
            return self.check() + late + stuck
        finally:
            for reader in self.readers:
                reader.close()
            for guest in self.clients.values():
                guest.disconnect()

    def verify(self) -> list[str]:
        """Return the violations in the record of a finished game."""
        guest = next(iter(self.clients.values()))
        record = self._retry(guest, lambda: guest.get(f"/api/tables/{self.id}/record", None))
        guest.disconnect()
        for reader in self.readers * 3:
            reader.violations.clear()
            reader.get()
        violations = [fault for reader in self.readers for fault in reader.violations]
        # Loading replays the game and rejects contradictions.
        played = record_reader.load_record(json.dumps(record))
        stored = self.servers.rows("SELECT seat, text FROM entries WHERE table_id = ? ORDER BY n", self.id)
        if not played.over or record["entries"] != [f"{seat} {words}" for seat, words in stored]:
            violations.append("lost: the record differs from the stored entries")
        return [f"{fault} ({self.name}, {self.id})" for fault in violations]
