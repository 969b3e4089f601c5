"""People at a table who remember all that they were shown and told, and find out whatever was lost, doubled, or is otherwise for somebody."""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import json
import random
import time
from collections.abc import Callable
from threading import Event
from typing import Any, NamedTuple

from guests import Guest, Tap, first_legal, until
from together import Processes

from diamonds import records
from diamonds.server.table.clocks import WAY

BROKEN = (OSError, http.client.HTTPException, json.JSONDecodeError)
TAKE = 0.005  # seconds for which nothing is done between two looks
STUCK = 60  # seconds of a house that is all there, after which a game in which nobody is asked does not go on
LATE = 120.0  # seconds after which what has not come to somebody is not on its way


class Kind(NamedTuple):
    """What is played: by whom (those who are open come by a link), and by what clock."""

    game: str
    places: tuple[str, ...]
    clock: dict[str, int] | None = None


UNTIMED = (
    Kind("crystals", ("me", "open", "bot:simple")),
    Kind("fourteen", ("me", "bot:simple", "open")),
    Kind("mines", ("me", "open")),
)
TIMED = (
    Kind("crystals", ("me", "open", "open"), {"days": 1}),
    Kind("fourteen", ("me", "open", "open"), {"start": 30, "increment": 10}),
    Kind("mines", ("me", "open"), {"start": 20, "increment": 5}),
)


class Reader:
    """One reader of one table, who comes back whenever the stream ends, and knows up to where they were told."""

    def __init__(self, house: Processes, table: str, guest: Guest | None) -> None:
        self.house, self.table, self.guest = house, table, guest
        self.version = -1  # the newest that they know, by whatever reply
        self.faults: list[str] = []
        self.views: dict[int, str] = {}  # by n: what was shown, in short
        self.told: dict[int, list[Any]] = {}
        self.ends: dict[tuple[int, int, int], int] = {}  # by opening of the house, n and seat: when its time is up
        self.newest: Any = None
        self.tap: Tap | None = None
        self._read = self._closures = 0
        self._streamed = self._last = -1  # below which the stream shows nothing; its newest event

    def look(self) -> None:
        """Take note of what has come; come back if the stream has ended."""
        if self.tap is not None:
            ended = self.tap.ended  # before it is read: afterwards nothing more comes
            messages = self.tap.events[self._read :]
            for message in messages:
                self._note(json.loads(message))
                self._last = self._streamed
            self._read += len(messages)
            if not ended:
                return
            self.tap.close()
        self.tap, self._read, self._closures = None, 0, self.house.closures
        with contextlib.suppress(*BROKEN):
            headers = {} if self._last < 0 else {"Last-Event-ID": str(self._last)}
            self._streamed = self.version
            self.tap = (self.guest or Guest(self.house.port)).listen(self.table, **headers)

    def get(self) -> Any:
        """What they are shown, if they ask by themselves; ``None`` if nobody replies."""
        guest, known = self.guest or Guest(self.house.port), self.version
        guest.hang_up()
        with contextlib.suppress(*BROKEN):
            message = guest.get(f"/api/tables/{self.table}", None)
            if guest.status == 200:
                if message["version"] < known:
                    self.faults.append(f"back: version {known:x} was known, and a reply says {message['version']:x}")
                self.knows(message["version"])
                return message
            if guest.status != 503:
                self.faults.append(f"otherwise: a reply is {guest.status}: {message}")
        return None

    def knows(self, version: int) -> None:
        """They were told of a version: nothing they ask for from now on is older."""
        self.version = max(version, self.version)

    def _note(self, message: Any) -> None:
        n, version = message["n"], message["version"]
        if version < self._streamed:
            self.faults.append(f"back: version {self._streamed:x} was known, and a stream says {version:x}")
        self._streamed = max(version, self._streamed)
        self.knows(version)
        shown = json.dumps([message[part] for part in ("view", "ask", "result", "seat")], sort_keys=True)
        digest = hashlib.blake2b(shown.encode(), digest_size=8).hexdigest()
        if message["table"]["phase"] != "waiting" and self.views.setdefault(n, digest) != digest:
            self.faults.append(f"otherwise: at n = {n} two views were shown to the same reader")
        heard: dict[int, list[Any]] = {}
        for told in message["told"]:
            heard.setdefault(told["n"], []).append(told["event"])
        for at, events in heard.items():
            if self.told.setdefault(at, events) != events:
                self.faults.append(f"doubled: of n = {at} it was told {self.told[at]}, and then {events}")
        if message["clocks"]:
            self._note_clocks(message, [event for events in heard.values() for event in events])
        self.newest = message

    def _note_clocks(self, message: Any, events: list[Any]) -> None:
        """When somebody's time is up is the same whoever says so, and no flag falls before that."""
        told, before = message["clocks"], self.newest
        if before and before["clocks"] and self._closures == self.house.closures:
            for event in events:
                end = self.ends.get((self._closures, before["n"], event.get("seat", -1)))
                if event.get("event") == "timeout" and end is not None and told["now"] < end + WAY:
                    self.faults.append(f"clocks: a flag fell {end + WAY - told['now']} ms too early")
        for seat in told["runs"]:
            end, key = told["now"] + told["left"][seat], (self._closures, message["n"], seat)
            if told["left"][seat] and self._closures == self.house.closures and self.ends.setdefault(key, end) != end:
                self.faults.append(f"clocks: at n = {message['n']} one's time was up {end - self.ends[key]} ms later")

    def close(self) -> None:
        if self.tap is not None:
            self.tap.close()


class Party:
    """A table, those who play there, and everybody who watches."""

    def __init__(self, house: Processes, kind: Kind, rng: random.Random) -> None:
        self.house, self.kind, self.rng = house, kind, rng
        self.name = f"{kind.game}{' by the clock' if kind.clock else ''}"
        self.guests: dict[int, Guest] = {}
        self.readers: list[Reader] = []
        self.acknowledged: dict[str, tuple[int, str]] = {}  # by key: the n it led to, and the words
        self.unknown: dict[str, tuple[int, Any]] = {}  # by key: seat, body; no reply came
        self.said: list[str] = []  # what was taken of what they say to each other
        self.waited = 0.0  # the longest that nobody could answer
        self.in_vain = 0  # how often since then, a second apart, all of the house was there
        self.over = False
        self.faults: list[str] = []
        self._since = self._looked = time.monotonic()

    def sit_down(self) -> None:
        """Make the table, and come to it."""
        places = [*self.kind.places]
        maker = self._newcomer()
        again = {"key": f"make-{self.rng.randrange(1 << 60):x}", "clock": self.kind.clock}
        table = {"game": self.kind.game, "seats": len(places), "places": places, "takeover": 0, "talk": "all", **again}
        made = self._surely(maker, lambda: maker.post("/api/tables", table))
        self.id = made["id"]
        for seat, place in enumerate(places):
            if not place.startswith("bot"):
                guest = maker if place == "me" else self._newcomer()
                self.guests[seat] = guest
                body = {"nonce": "5eed", "seat": seat, "invite": made["invite"], "key": f"sit-{self.id}-{seat}"}
                self._surely(guest, lambda guest=guest, body=body: guest.post(f"/api/tables/{self.id}/sit", body))
        self.readers = [Reader(self.house, self.id, guest) for guest in self.guests.values()]
        self.readers += [Reader(self.house, self.id, None) for _ in range(2)]
        self._since = time.monotonic()

    def _newcomer(self) -> Guest:
        nobody = Guest(self.house.port)
        return Guest(self.house.port, self._surely(nobody, lambda: nobody.post("/api/token", {}))["token"])

    def _surely(self, guest: Guest, do: Callable[[], Any], *refused: int) -> Any:
        """Do something as often as it takes: processes die. What comes of it, once it is done, or ``refused``."""
        found: list[Any] = []

        def done() -> bool:
            with contextlib.suppress(*BROKEN):
                found.append(do())
                assert guest.status in (200, 201, 503, *refused), found[-1]
                return guest.status != 503
            guest.hang_up()
            return False

        until(done, "it is never done")
        return found[-1]

    def look(self) -> None:
        """Everybody takes note of what they are shown."""
        for reader in self.readers:
            reader.look()

    def act(self) -> None:
        """Somebody who is asked answers, by a line of their own or a new one, through whichever process that leads to."""
        self._settle()
        asked = [
            (seat, reader.newest) for seat, reader in zip(self.guests, self.readers, strict=False) if reader.newest
        ]
        asked = [(seat, message) for seat, message in asked if message["ask"]]
        self.over = any(reader.newest and reader.newest["result"] is not None for reader in self.readers)
        if not asked:
            self._wait()
            return
        self._since, self.in_vain = time.monotonic(), 0
        seat, message = self.rng.choice(asked)
        key = f"key-{self.rng.randrange(1 << 60):015x}"
        body = {"n": message["n"], "answers": [first_legal(message)], "key": key}
        self.unknown[key] = (seat, body)
        if self.rng.random() < 0.5:
            self.guests[seat].hang_up()
        self._settle()
        chance = self.rng.random()
        if chance < 0.05:
            self._say(self.guests[seat])
        elif chance < 0.1:
            self._rename(seat)
        elif chance < 0.4:
            self.rng.choice(self.readers).get()

    def _wait(self) -> None:
        """Nobody can answer. It counts where all of the house is there: on a busy machine that may be seldom, and is not the game's fault."""
        now = time.monotonic()
        self.waited = max(self.waited, now - self._since)
        if now - self._looked > 1:
            self._looked = now
            self.in_vain += self.house.all_there()

    def _settle(self) -> None:
        """Send what has got no reply (again), with its key: it plays once or is refused, never twice."""
        for key, (seat, body) in [*self.unknown.items()]:
            guest = self.guests[seat]
            try:
                reply = guest.post(f"/api/tables/{self.id}/answers", body)
            except BROKEN:
                guest.hang_up()
                continue
            if guest.status == 200:
                self.acknowledged[key] = (reply["n"], body["answers"][0])
                self._reader(seat).knows(reply["version"])
            elif guest.status == 503:
                continue
            else:
                assert guest.status in (403, 409), reply  # somebody was quicker; or they lost the seat on time
            del self.unknown[key]

    def _say(self, guest: Guest) -> None:
        """Somebody says something that nobody has said before, as often as it takes."""
        text = f"{self.rng.randrange(1 << 60):015x}"
        body = {"text": text, "key": f"say-{text}"}
        told = self._surely(guest, lambda: guest.post(f"/api/tables/{self.id}/chat", body), 403)
        if "error" not in told:
            self.said.append(text)

    def _rename(self, seat: int) -> None:
        """Somebody has another name, and whoever looks is shown it."""
        guest, name = self.guests[seat], f"N {self.rng.randrange(1 << 40):x}"
        self._surely(guest, lambda: guest.post("/api/me", {"name": name}))
        message = self.rng.choice(self.readers).get()
        place = message["table"]["places"][seat] if message else None
        if place and place["kind"] == "person" and place["name"] != name:
            self.faults.append(f"otherwise: somebody is called {name}, and shown as {place['name']}")

    def _reader(self, seat: int) -> Reader:
        return self.readers[[*self.guests].index(seat)]

    def check(self) -> list[str]:
        """What is missing or otherwise of all that was seen."""
        faults = self.faults + [fault for reader in self.readers for fault in reader.faults]
        rows = self.house.rows("SELECT n, text, idempotency_key FROM entries WHERE table_id = ? ORDER BY n", self.id)
        if [row[0] for row in rows] != list(range(len(rows))):
            faults.append("lost: the entries have gaps")
        by_key: dict[str, list[Any]] = {}
        for row in rows:
            by_key.setdefault(row[2], []).append(row)
        for key, (n, words) in self.acknowledged.items():
            found = by_key.get(key, [])
            if len(found) > 1:
                faults.append(f"doubled: answer {n} is stored {len(found)} times")
            elif not found or found[0][0] + 1 != n or found[0][1] != words:
                faults.append(f"lost: answer {n} ({words}) was acknowledged, and is not stored: {found}")
        seen = max((n for reader in self.readers for n in reader.views), default=0)
        if seen > len(rows):
            faults.append(f"lost: n = {seen} was shown, and only {len(rows)} entries are stored")
        first, *others = [reader for reader in self.readers if reader.guest is None]
        for other in others:
            wrong = [n for n in first.views.keys() & other.views.keys() if first.views[n] != other.views[n]]
            faults += [f"otherwise: at n = {n} two who watch were shown different views" for n in wrong]
            parted = [n for n in first.told.keys() & other.told.keys() if first.told[n] != other.told[n]]
            faults += [f"otherwise: of n = {n} two who watch were told different things" for n in parted]
        return [f"{fault} ({self.name}, {self.id})" for fault in faults]

    def what_is_late(self) -> list[str]:
        """What has not come to somebody of all that is stored by now."""
        self.look()
        self._settle()
        n = self.house.rows("SELECT count(*) FROM entries WHERE table_id = ?", self.id)[0][0]
        kept = [text for (text,) in self.house.rows("SELECT text FROM chat WHERE table_id = ?", self.id)]
        late = [
            f"otherwise: somebody sees n = {reader.newest and reader.newest['n']} of {n}"
            for reader in self.readers
            if reader.newest is None or reader.newest["n"] != n
        ]
        late += [f"stuck: nobody replies to {body}" for _, body in self.unknown.values()]
        late += [
            f"{'doubled' if text in kept else 'lost'}: what was said is kept {kept.count(text)} times"
            for text in self.said
            if kept.count(text) != 1
        ]
        return [f"{fault} ({self.name}, {self.id})" for fault in late]

    def play(self, enough: Event) -> list[str]:
        """Play to the end of the game, or until it is enough; returns what was wrong."""
        self.sit_down()
        try:
            while not (enough.is_set() or self.over or self.in_vain > STUCK):
                self.look()
                self.act()
                enough.wait(TAKE)
            end = time.monotonic() + LATE
            while (late := self.what_is_late()) and time.monotonic() < end:
                time.sleep(10 * TAKE)
            stuck = [f"stuck: nobody is asked for {self.waited:.0f} s ({self.name})"] * (self.in_vain > STUCK)
            return self.check() + late + stuck
        finally:
            for reader in self.readers:
                reader.close()
            for guest in self.guests.values():
                guest.hang_up()

    def verify(self) -> list[str]:
        """What is wrong with the record of a game that is over."""
        guest = next(iter(self.guests.values()))
        record = self._surely(guest, lambda: guest.get(f"/api/tables/{self.id}/record", None))
        guest.hang_up()
        for reader in self.readers * 3:
            reader.faults.clear()
            reader.get()
        faults = [fault for reader in self.readers for fault in reader.faults]
        match = records.read_record(json.dumps(record))  # it plays all of it again, and refuses what does not agree
        kept = self.house.rows("SELECT seat, text FROM entries WHERE table_id = ? ORDER BY n", self.id)
        if not match.over or record["entries"] != [f"{seat} {words}" for seat, words in kept]:
            faults.append("lost: the record is not what is stored")
        return [f"{fault} ({self.name}, {self.id})" for fault in faults]
