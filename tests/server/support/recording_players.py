"""Servers in processes of their own, and players who record everything they have seen."""

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

from tests.server.support.client import Client, StreamReader, first_legal, wait_until

REPO_ROOT = str(Path(__file__).parents[3])


class Zygote:
    """A starter of servers, which forks a process that has imported everything."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("fork_server.py"))],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, process_group=0,  # Ctrl-C is for the tests alone
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), REPO_ROOT]))},
        )  # fmt: skip

    def start(self, data: Path, port: int, failpoint: str = "", **more: Any) -> int:
        """Start a server and return its process id once it accepts connections."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"data": str(data), "port": port, "failpoint": failpoint, **more}) + "\n")
        self.process.stdin.flush()
        pid = int(self.process.stdout.readline())

        def up() -> bool:
            if more:  # another member accepts connections on this port: the caller has to wait for this one
                return True
            assert is_alive(pid), "the server ended before it was asked anything"
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", port)) == 0

        wait_until(up, "expected the server to start")
        return pid

    def close(self) -> None:
        """End the process and its group, which has the servers left over by a failed test."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for end in (self.process.stdin, self.process.stdout):
            assert end is not None
            end.close()


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class Witness:
    """A player at one table who records everything seen in replies and streams."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.players = [Client(port, Client(port).post("/api/token", {})["token"]) for _ in range(3)]
        host = self.players[0]
        self.id = host.create_table(
            game="crystals", seats=3, seats_taken_by=["me", "open", "open"], substitute_after_s=0
        )
        for seat, guest in enumerate(self.players[1:], 1):
            guest.sit(self.id, seat=seat, invite=host.invite)
        self.acknowledged: dict[str, tuple[int, Any]] = {}  # key → the n it led to, body sent
        self.unknown: dict[str, tuple[int, Any]] = {}  # key → seat and body of requests without a reply
        self.seen_events: dict[int, list[Any]] = {}  # n → events received
        self.streams: list[StreamReader] = []

    def reconnect(self) -> None:
        """Reconnect after a restart."""
        self.record_streams()
        for tap in self.streams:
            tap.close()
        self.streams = []
        for guest in self.players:
            guest.disconnect()

    def open_streams(self) -> None:
        """Open a stream of the first seat, resuming after its last event, and one of a spectator."""
        last = {} if not self.seen_events else {"Last-Event-ID": str(max(self.seen_events) << 32)}
        self.streams = [self.players[0].open_stream(self.id, **last), Client(self.port).open_stream(self.id)]

    def record_streams(self) -> None:
        """Record the messages of the streams."""
        for message in self.streams[0].messages if self.streams else []:
            for event in message["events"]:
                events = self.seen_events.setdefault(event["n"], [])
                if event["event"] not in events:
                    events.append(event["event"])
            self.seen_events.setdefault(message["n"], [])
        for message in self.streams[1].messages if self.streams else []:
            self.seen_events.setdefault(message["n"], [])

    def play(self, pid: int, rng: random.Random, keys: Iterator[int], max_answers: int = 30) -> None:
        """Answer until the server dies."""
        for _ in range(max_answers):
            try:
                to_act = [(seat, guest.get_table(self.id)) for seat, guest in enumerate(self.players)]
                to_act = [(seat, message) for seat, message in to_act if message["open_question"]]
                if not to_act:
                    return
                seat, message = rng.choice(to_act)
                body = {
                    "n": message["n"],
                    "answers": [first_legal(message)],
                    "idempotency_key": f"key-{next(keys):08d}",
                }
                self.unknown[body["idempotency_key"]] = (seat, body)
                reply = self.players[seat].post(f"/api/tables/{self.id}/answers", body, 200)
                del self.unknown[body["idempotency_key"]]
                self.acknowledged[body["idempotency_key"]] = (reply["n"], body)
            except (OSError, http.client.HTTPException, json.JSONDecodeError):
                wait_until(lambda: not is_alive(pid), "expected the server to answer or die")
                return

    def check(self, folder: Path) -> list[str]:
        """Return what was seen and is missing from the disk."""
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
        if self.seen_events and max(self.seen_events) > len(rows):
            faults.append(f"n = {max(self.seen_events)} was shown, and only {len(rows)} answers are on disk")
        return faults

    def resend_unanswered(self) -> None:
        """Send every request without a reply again with its key, which plays once or is rejected, never twice."""
        for key, (seat, body) in list(self.unknown.items()):
            reply = self.players[seat].post(f"/api/tables/{self.id}/answers", body)
            if self.players[seat].status == 200:
                self.acknowledged[key] = (reply["n"], body)
            else:
                assert self.players[seat].status == 409
            del self.unknown[key]
