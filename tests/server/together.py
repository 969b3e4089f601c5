"""A house that several processes keep, any of which may be killed at any moment; and people who remember all that they were shown."""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import json
import os
import random
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
from guests import Guest, Tap, first_legal, free_port, until
from witness import Zygote, alive

BROKEN = (OSError, http.client.HTTPException, json.JSONDecodeError)
TABLES = {
    "crystals": ["me", "open", "bot:simple"],
    "fourteen": ["me", "bot:simple", "open"],
    "mines": ["me", "open"],
}  # who sits at a table


class Processes:
    """So many processes at one port; ``lives``: seconds after which who is dead is known to be."""

    def __init__(self, zygote: Zygote, store: str, folder: Path, count: int = 2, lives: float = 0.8) -> None:
        self.zygote, self.store, self.folder, self.lives = zygote, store, folder, lives
        self.port = free_port()
        self.kills, self.pids = 0, dict[int, int]()
        self._turn, self._ended = threading.Lock(), threading.Event()
        for number in range(1, count + 1):
            self.pids[number] = self.start(number)
        self._nurse = threading.Thread(target=self._look_after, daemon=True)
        self._nurse.start()

    def _look_after(self) -> None:
        """Start again whoever has died."""
        while not self._ended.wait(0.01):
            with self._turn:
                for number, pid in [*self.pids.items()]:
                    if not alive(pid):
                        self.kills += 1
                        self.pids[number] = self.start(number)

    def all_there(self) -> bool:
        """Whether all that live have signed that they do, and nobody else has."""
        with contextlib.suppress(psycopg.Error), psycopg.connect(self.store, autocommit=True) as connection:
            told = f"SELECT count(*) FROM processes WHERE seen > clock_timestamp() - interval '{self.lives} seconds'"
            return connection.execute(told.encode()).fetchall() == [(len(self.pids),)]
        return False

    def start(self, number: int, failpoint: str = "") -> int:
        """One of them, which takes requests as soon as it is up."""
        more = {"store": self.store, "number": number, "lives": self.lives}
        return self.zygote.start(self.folder, self.port, failpoint, **more)

    def kill(self, number: int, failpoint: str = "") -> None:
        """Kill one, and start another in its place, which may die by itself."""
        with self._turn:
            pid = self.pids[number]
            if alive(pid):
                os.kill(pid, signal.SIGKILL)
            until(lambda: not alive(pid), "it survives")
            self.kills += 1
            self.pids[number] = self.start(number, failpoint)

    def close(self) -> None:
        """End all."""
        self._ended.set()
        self._nurse.join()
        for pid in self.pids.values():
            if alive(pid):
                os.kill(pid, signal.SIGKILL)
            until(lambda pid=pid: not alive(pid), "it survives")


class Reader:
    """One reader of one table, who comes back whenever the stream ends, and knows up to where they were told."""

    def __init__(self, port: int, table: str, guest: Guest | None) -> None:
        self.port, self.table, self.guest = port, table, guest
        self.version = -1
        self.faults: list[str] = []
        self.views: dict[int, str] = {}  # by n: what was shown, in short
        self.told: dict[int, list[Any]] = {}
        self.newest: Any = None
        self.tap: Tap | None = None
        self._read = 0

    def look(self) -> None:
        """Take note of what has come; come back if the stream has ended."""
        if self.tap is not None:
            messages = self.tap.messages
            for message in messages[self._read :]:
                self._note(message)
            self._read = len(messages)
            if not self.tap.ended:
                return
            self.tap.close()
        self.tap, self._read = None, 0
        with contextlib.suppress(*BROKEN):
            headers = {} if self.version < 0 else {"Last-Event-ID": str(self.version)}
            self.tap = (self.guest or Guest(self.port)).listen(self.table, **headers)

    def _note(self, message: Any) -> None:
        n, version = message["n"], message["version"]
        if version < self.version:
            self.faults.append(f"version {self.version:x} was followed by {version:x}")
        self.version = max(version, self.version)
        shown = json.dumps([message[part] for part in ("view", "ask", "result", "seat")], sort_keys=True)
        digest = hashlib.blake2b(shown.encode(), digest_size=8).hexdigest()
        if message["table"]["phase"] != "waiting" and self.views.setdefault(n, digest) != digest:
            self.faults.append(f"at n = {n} two views were shown to the same reader")
        heard: dict[int, list[Any]] = {}
        for told in message["told"]:
            heard.setdefault(told["n"], []).append(told["event"])
        for at, events in heard.items():
            if self.told.setdefault(at, events) != events:
                self.faults.append(f"of n = {at} it was told {self.told[at]}, and then {events}")
        self.newest = message

    def close(self) -> None:
        if self.tap is not None:
            self.tap.close()


class Party:
    """A table, those who play there, and everybody who watches."""

    def __init__(self, house: Processes, game: str, rng: random.Random) -> None:
        self.house, self.game, self.rng = house, game, rng
        places = TABLES[game]
        self.guests: dict[int, Guest] = {}
        maker = self._newcomer()
        again = {"key": f"make-{rng.randrange(1 << 60):x}"}
        made = self._surely(
            lambda: maker.post(
                "/api/tables", {"game": game, "seats": len(places), "places": places, "takeover": 0, **again}, 201
            )
        )
        self.id = made["id"]
        for seat, place in enumerate(places):
            if not place.startswith("bot"):
                guest = maker if place == "me" else self._newcomer()
                self.guests[seat] = guest
                body = {"nonce": "5eed", "seat": seat, "invite": made["invite"], "key": f"sit-{self.id}-{seat}"}
                self._surely(lambda guest=guest, body=body: guest.post(f"/api/tables/{self.id}/sit", body, 200))
        self.acknowledged: dict[str, tuple[int, str]] = {}  # by key: the n it led to, and the words
        self.unknown: dict[str, tuple[int, Any]] = {}  # by key: seat, body; no reply came
        self.readers = [Reader(house.port, self.id, guest) for guest in self.guests.values()]
        self.readers += [Reader(house.port, self.id, None) for _ in range(2)]
        self.waited = 0.0  # the longest that nobody could answer
        self._since = time.monotonic()
        self.refused = 0
        self.over = False

    def _newcomer(self) -> Guest:
        token = self._surely(lambda: Guest(self.house.port).post("/api/token", {}))["token"]
        return Guest(self.house.port, token)

    def _surely(self, do: Callable[[], Any]) -> Any:
        """Do something as often as it takes: processes die."""
        found: list[Any] = []

        def done() -> bool:
            with contextlib.suppress(*BROKEN, AssertionError):
                found.append(do())
                return "error" not in found[-1]
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
            self.waited = max(self.waited, time.monotonic() - self._since)
            return
        seat, message = self.rng.choice(asked)
        key = f"key-{self.rng.randrange(1 << 60):015x}"
        body = {"n": message["n"], "answers": [first_legal(message)], "key": key}
        self.unknown[key] = (seat, body)
        if self.rng.random() < 0.5:
            self.guests[seat].hang_up()
        self._settle()

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
                self._since = time.monotonic()
            elif guest.status == 503:
                continue
            else:
                assert guest.status == 409, reply
                self.refused += 1
            del self.unknown[key]

    def check(self, final: bool = False) -> list[str]:
        """What is missing or otherwise of all that was seen."""
        faults = [fault for reader in self.readers for fault in reader.faults]
        with psycopg.connect(self.house.store, autocommit=True) as connection:
            rows = connection.execute(
                "SELECT n, words, key FROM entries WHERE table_id = %s ORDER BY n", (self.id,)
            ).fetchall()
        if [row[0] for row in rows] != list(range(len(rows))):
            faults.append("the entries have gaps")
        for key, (n, words) in self.acknowledged.items():
            found = [row for row in rows if row[2] == key]
            if len(found) != 1 or found[0][0] + 1 != n or found[0][1] != words:
                faults.append(f"answer {n} was acknowledged, and is stored {len(found)} times")
        seen = max((n for reader in self.readers for n in reader.views), default=0)
        if seen > len(rows):
            faults.append(f"n = {seen} was shown, and only {len(rows)} entries are stored")
        first, *others = [reader for reader in self.readers if reader.guest is None]
        for other in others:
            wrong = [n for n in first.views.keys() & other.views.keys() if first.views[n] != other.views[n]]
            faults += [f"at n = {n} two who watch were shown different views" for n in wrong]
        if final:
            faults += [
                f"somebody still sees n = {reader.newest and reader.newest['n']} of {len(rows)}"
                for reader in self.readers
                if reader.newest is None or reader.newest["n"] != len(rows)
            ]
        return [f"{self.game}: {fault}" for fault in faults]

    def all_see_everything(self) -> bool:
        """Whether every reader has been shown what is stored by now."""
        self.look()
        self._settle()
        return not self.unknown and not self.check(final=True)

    def verify(self) -> list[str]:
        """What its record says of a game that is over."""
        told = self._surely(lambda: next(iter(self.guests.values())).get(f"/api/tables/{self.id}/verify"))
        return [] if told["ok"] else [f"{self.game}: {told}"]

    def close(self) -> None:
        for reader in self.readers:
            reader.close()
        for guest in self.guests.values():
            guest.hang_up()
