"""Workers: several processes that serve, and a supervisor that binds their sockets, starts them and hands the sockets down.

A worker that dies or hangs is started again. SIGTERM ends all of them gracefully; SIGHUP replaces them one by one, each once the new one
takes requests, so that a new version of the program is served and nobody is turned away. All run the command by which the supervisor
was started; `mine` tells them that they are workers.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from diamonds.game import Refused
from diamonds.machine import has_terminal, say
from diamonds.server.watching import json_output

GIVEN = "DIAMONDS_WORKER"  # in the environment of each: its number, then descriptors: the socket, the line, the socket of its metrics
DO_NOT_WAIT = getattr(socket, "MSG_DONTWAIT", 0)  # Windows has none, and no workers
LAST = 5.0  # seconds after which those are killed who were told to end
SOON = 5.0  # seconds: who ends so soon after it was ready is not started again at once
PAUSE = 1.0  # seconds, then
LOOK = 0.5  # seconds after which it is looked at everyone, whatever happens
HEARTBEAT_INTERVAL_S = 1.0
MAX_SILENCE_S = 5.0  # then a worker that was ready hangs, and is killed
MAX_GAP_S = 1.0  # so much of the time between two looks counts as silence: the supervisor itself may have stood still
HEARTBEAT = b"1"  # the first one says that the worker takes requests


class Worker(NamedTuple):
    """What a worker is given. ``line`` ends when the supervisor does."""

    number: int
    listening: socket.socket
    line: socket.socket
    metrics: socket.socket | None = None

    def beat(self) -> None:
        """Tell the supervisor that this worker takes requests; from the first time on, every `HEARTBEAT_INTERVAL_S`."""
        with contextlib.suppress(OSError):  # the supervisor stands still and has not read the last ones, or has ended
            self.line.send(HEARTBEAT, DO_NOT_WAIT)


class Place(NamedTuple):
    """The sockets of one worker, whichever process that is."""

    listening: socket.socket
    metrics: socket.socket | None = None


def mine() -> Worker | None:
    """What this process was told, if it is one of several."""
    given = os.environ.pop(GIVEN, "")
    if not given:
        return None
    number, *handles = map(int, given.split(":"))
    for handle in handles:
        os.set_inheritable(handle, False)
    listening, line, *metrics = (socket.socket(fileno=handle) for handle in handles)
    listening.setblocking(False)
    return Worker(number, listening, line, metrics[0] if metrics else None)


def check(count: int, kept: str) -> None:
    """`Refused` if several processes cannot keep their games there."""
    if count > 1 and not kept:
        raise Refused(
            "Several processes keep their games in PostgreSQL: add --store postgresql://USER@HOST/DATABASE, or leave --workers away."
        )
    if count > 1 and os.name != "posix":
        raise Refused("Several processes need Linux or macOS: leave --workers away.")


class Child:
    """A worker process, as its supervisor sees it."""

    def __init__(self, number: int, place: Place) -> None:
        self.number = number
        self.ready_at = 0.0
        self.silence_s = 0.0  # since its last heartbeat
        self.told_at = 0.0  # when it was told to end
        self._looked_at = time.monotonic()
        self.line, theirs = socket.socketpair()
        self.line.setblocking(False)
        with theirs:
            handles = [each.fileno() for each in (place.listening, theirs, place.metrics) if each is not None]
            self.process = subprocess.Popen(
                sys.orig_argv,
                env={**os.environ, GIVEN: ":".join(map(str, (number, *handles)))},
                pass_fds=handles,
                **json_output.children(),
            )

    @property
    def ended(self) -> bool:
        """Whether it has."""
        return self.process.poll() is not None

    @property
    def hangs(self) -> bool:
        """Whether it was ready and has been silent for too long, or was told to end and has not."""
        late = self.told_at and time.monotonic() - self.told_at > LAST
        return not self.ended and bool(late or (self.ready_at and self.silence_s > MAX_SILENCE_S))

    def listen(self) -> None:
        """Read its heartbeats."""
        now = time.monotonic()
        self.silence_s += min(now - self._looked_at, MAX_GAP_S)
        self._looked_at = now
        try:
            if self.line.recv(4096):
                self.ready_at = self.ready_at or now
                self.silence_s = 0.0
        except OSError:  # it has nothing to say, or its line is closed
            pass

    def end(self) -> None:
        """Tell it to end."""
        self.told_at = time.monotonic()
        self.process.terminate()


class Supervisor:
    """Looks after a worker in each place. ``opened`` is called once all of them are ready."""

    def __init__(self, places: Sequence[Place], opened: Callable[[], None]) -> None:
        self.places, self.opened = places, opened
        self.children: dict[int, Child] = {}
        self.follower: Child | None = None  # it takes somebody's place once it is ready
        self.leaving: list[Child] = []  # whose place was taken
        self.to_follow: list[int] = []  # the numbers of those whose place is to be taken
        self.not_before: dict[int, float] = {}
        self.is_open = False
        self._heard: list[int] = []

    def run(self) -> int:
        """Until it is told to end, or nobody could begin; returns the exit status."""
        terminal = signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN and has_terminal()  # `nohup` ignores it
        with self._signals() as bell:
            for number in range(1, len(self.places) + 1):
                self.children[number] = self._start(number)
            while True:
                lines = [child.line for child in (*self.children.values(), *filter(None, [self.follower]))]
                select.select([bell, *(line for line in lines if line.fileno() >= 0)], [], [], LOOK)
                _drain(bell)
                heard, self._heard = self._heard, []
                if {signal.SIGTERM, signal.SIGINT} & {*heard}:
                    return self._end(0)
                if signal.SIGHUP in heard and terminal and not has_terminal():
                    return self._end(0)
                if signal.SIGHUP in heard and self.is_open:
                    self.to_follow = [*self.children]
                status = self._look()
                if status is not None:
                    return self._end(status)

    def _start(self, number: int) -> Child:
        return Child(number, self.places[number - 1])

    def _look(self) -> int | None:
        """See how everyone is; returns the exit status if there is no use in going on."""
        for child in [*self.children.values()]:
            child.listen()
            if child.hangs:
                say(f"Process {child.number} has not moved for {MAX_SILENCE_S:.0f} seconds, and is killed.")
                child.process.kill()
                child.process.wait()
            if child.ended and (status := self._start_again(child)) is not None:
                return status
        for child in self.leaving:
            if child.hangs:
                child.process.kill()
        self.leaving = [child for child in self.leaving if not child.ended]
        if not self.is_open and all(child.ready_at for child in self.children.values()):
            self.is_open = True
            self.opened()
        self._follow()
        return None

    def _start_again(self, child: Child) -> int | None:
        if not self.is_open:  # it has said why
            return child.process.returncode or 1
        now = time.monotonic()
        if child.number not in self.not_before:
            early = not child.ready_at or now - child.ready_at < SOON
            self.not_before[child.number] = now + PAUSE * early
            say(f"Process {child.number} has ended ({child.process.returncode}), and is started again.")
        if now >= self.not_before[child.number]:
            del self.not_before[child.number]
            child.line.close()
            self.children[child.number] = self._start(child.number)
        return None

    def _follow(self) -> None:
        """Put a new process in the place of an old one, if that is to be done."""
        if self.follower is None:
            if self.to_follow and not self.leaving:
                self.follower = self._start(self.to_follow[0])
            return
        self.follower.listen()
        if self.follower.ready_at:
            number = self.to_follow.pop(0)
            old, self.children[number], self.follower = self.children[number], self.follower, None
            self.leaving.append(old)
            old.end()
            old.line.close()
        elif self.follower.ended:
            say("The new process does not begin: the old ones stay.")
            self.follower, self.to_follow = None, []

    def _end(self, status: int) -> int:
        """All end; who does not, is killed."""
        everyone = [*self.children.values(), *self.leaving, *filter(None, [self.follower])]
        for child in everyone:
            if not child.ended:
                child.end()
        last = time.monotonic() + LAST
        for child in everyone:
            try:
                child.process.wait(max(0.0, last - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.process.kill()
                child.process.wait()
        return status

    @contextmanager
    def _signals(self) -> Iterator[socket.socket]:
        """What is told to this process is written down, and rings."""
        bell, ring = socket.socketpair()
        bell.setblocking(False)
        ring.setblocking(False)
        before = signal.set_wakeup_fd(ring.fileno())

        def hear(sig: int, _frame: Any) -> None:
            self._heard.append(sig)

        for sig in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(sig, hear)
        try:
            yield bell
        finally:
            signal.set_wakeup_fd(before)
            bell.close()
            ring.close()


def _drain(bell: socket.socket) -> None:
    try:
        while bell.recv(100):
            pass
    except BlockingIOError:
        pass
