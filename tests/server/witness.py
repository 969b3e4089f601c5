"""Servers that are processes of their own, and somebody who plays there and remembers everything that was seen."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
from guests import Guest, Tap, first_legal, until

TESTS = str(Path(__file__).parents[1])


class Zygote:
    """Starts servers by forking one that has imported everything."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("zygote.py"))],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, process_group=0,  # Ctrl-C is for us
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), TESTS]))},
        )  # fmt: skip

    def start(self, data: Path, port: int, failpoint: str = "", **more: Any) -> int:
        """A server's process id, once it takes connections."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"data": str(data), "port": port, "failpoint": failpoint, **more}) + "\n")
        self.process.stdin.flush()
        pid = int(self.process.stdout.readline())

        def up() -> bool:
            if more:  # others take connections, and whether this one does shows
                return True
            assert alive(pid), "the server ended before it was asked anything"
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", port)) == 0

        until(up, "the server did not start")
        return pid

    def close(self) -> None:
        """End it, and whatever servers a test that failed has left: they are of its process group."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for end in (self.process.stdin, self.process.stdout):
            assert end is not None
            end.close()


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class Witness:
    """Plays at one table and remembers everything it has seen: by answers that were acknowledged, and by streams."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.players = [Guest(port, Guest(port).post("/api/token", {})["token"]) for _ in range(3)]
        maker = self.players[0]
        self.id = maker.make(game="crystals", seats=3, places=["me", "open", "open"], takeover=0)
        for seat, guest in enumerate(self.players[1:], 1):
            guest.sit(self.id, seat=seat, invite=maker.invite)
        self.acknowledged: dict[str, tuple[int, Any]] = {}  # key → n it led to, the body sent
        self.unknown: dict[str, tuple[int, Any]] = {}  # key → seat, body: no reply came
        self.seen: dict[int, list[Any]] = {}  # n → what was told
        self.taps: list[Tap] = []

    def reconnect(self) -> None:
        """After a restart: new connections."""
        self.note()
        for tap in self.taps:
            tap.close()
        self.taps = []
        for guest in self.players:
            guest.hang_up()

    def listen(self) -> None:
        """A stream of the first seat, resumed, and one of a spectator."""
        last = {} if not self.seen else {"Last-Event-ID": str(max(self.seen) << 32)}
        self.taps = [self.players[0].listen(self.id, **last), Guest(self.port).listen(self.id)]

    def note(self) -> None:
        """What the streams have shown."""
        for message in self.taps[0].messages if self.taps else []:
            for told in message["told"]:
                events = self.seen.setdefault(told["n"], [])
                if told["event"] not in events:
                    events.append(told["event"])
            self.seen.setdefault(message["n"], [])
        for message in self.taps[1].messages if self.taps else []:
            self.seen.setdefault(message["n"], [])

    def play(self, pid: int, rng: random.Random, keys: Iterator[int], most: int = 30) -> None:
        """Answer until the server dies."""
        for _ in range(most):
            try:
                asked = [(seat, guest.look(self.id)) for seat, guest in enumerate(self.players)]
                asked = [(seat, message) for seat, message in asked if message["ask"]]
                if not asked:
                    return
                seat, message = rng.choice(asked)
                body = {"n": message["n"], "answers": [first_legal(message)], "key": f"key-{next(keys):08d}"}
                self.unknown[body["key"]] = (seat, body)
                reply = self.players[seat].post(f"/api/tables/{self.id}/answers", body, 200)
                del self.unknown[body["key"]]
                self.acknowledged[body["key"]] = (reply["n"], body)
            except (OSError, http.client.HTTPException, json.JSONDecodeError):
                until(lambda: not alive(pid), "the server neither answers nor dies")
                return

    def check(self, folder: Path) -> list[str]:
        """What is missing from the disk of all that was seen."""
        faults = []
        with contextlib.closing(apsw.Connection(str(folder / "diamonds.sqlite"))) as disk:
            rows: list[Any] = disk.execute(
                "SELECT n, text, idempotency_key FROM entries WHERE table_id = ? ORDER BY n", (self.id,)
            ).fetchall()
            if disk.pragma("integrity_check") != "ok":
                faults.append("the file is damaged")
        if [row[0] for row in rows] != list(range(len(rows))):
            faults.append("the answers have gaps")
        by_key: dict[str, list[Any]] = {}
        for row in rows:
            by_key.setdefault(row[2], []).append(row)
        for key, (n, body) in self.acknowledged.items():
            found = by_key.get(key, [])
            if len(found) != 1 or found[0][0] + 1 != n or found[0][1] != body["answers"][0]:
                faults.append(f"answer {n} was acknowledged, and is on disk {len(found)} times")
        if self.seen and max(self.seen) > len(rows):
            faults.append(f"n = {max(self.seen)} was shown, and only {len(rows)} answers are on disk")
        return faults

    def settle(self) -> None:
        """Send again whatever got no reply, with its key: it plays once or is refused, never twice."""
        for key, (seat, body) in list(self.unknown.items()):
            reply = self.players[seat].post(f"/api/tables/{self.id}/answers", body)
            if self.players[seat].status == 200:
                self.acknowledged[key] = (reply["n"], body)
            else:
                assert self.players[seat].status == 409
            del self.unknown[key]
