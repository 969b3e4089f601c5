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

from diamonds.errors import DiamondsError
from diamonds.server.metrics import json_output
from diamonds.system import has_terminal, log_to_operator

WORKER_ENV = "DIAMONDS_WORKER"  # in the environment of each: its number, then descriptors: the socket, the line, the socket of its metrics
DO_NOT_WAIT = getattr(socket, "MSG_DONTWAIT", 0)  # Windows has none, and no workers
KILL_TIMEOUT_S = 5.0  # seconds after which those are killed who were told to end
EARLY_EXIT_S = 5.0  # seconds: who ends so soon after it was ready is not started again at once
RESTART_DELAY_S = 1.0  # seconds, then
POLL_INTERVAL_S = 0.5  # seconds after which it is looked at everyone, whatever happens
HEARTBEAT_INTERVAL_S = 1.0
MAX_SILENCE_S = 5.0  # then a worker that was ready hangs, and is killed
MAX_GAP_S = 1.0  # so much of the time between two looks counts as silence: the supervisor itself may have stood still
HEARTBEAT = b"1"  # the first one says that the worker takes requests


class WorkerConfig(NamedTuple):
    """The sockets of a worker. ``parent_pipe`` ends when the supervisor does."""

    number: int
    listen_socket: socket.socket
    parent_pipe: socket.socket
    metrics_socket: socket.socket | None = None

    def send_heartbeat(self) -> None:
        """Tell the supervisor that this worker takes requests; from the first time on, every `HEARTBEAT_INTERVAL_S`."""
        with contextlib.suppress(OSError):  # the supervisor stands still and has not read the last ones, or has ended
            self.parent_pipe.send(HEARTBEAT, DO_NOT_WAIT)


class WorkerSockets(NamedTuple):
    """The sockets of one worker, whichever process that is."""

    listen_socket: socket.socket
    metrics_socket: socket.socket | None = None


def worker_config() -> WorkerConfig | None:
    """What this process was told, if it is one of several."""
    passed = os.environ.pop(WORKER_ENV, "")
    if not passed:
        return None
    number, *fds = map(int, passed.split(":"))
    for fd in fds:
        os.set_inheritable(fd, False)
    listen_socket, parent_pipe, *metrics = (socket.socket(fileno=fd) for fd in fds)
    listen_socket.setblocking(False)
    return WorkerConfig(number, listen_socket, parent_pipe, metrics[0] if metrics else None)


def check_worker_support(count: int, database_url: str) -> None:
    """`DiamondsError` if several processes cannot keep their games there."""
    if count > 1 and not database_url:
        raise DiamondsError(
            "Several processes keep their games in PostgreSQL: add --database postgresql://USER@HOST/DATABASE, or leave --workers away."
        )
    if count > 1 and os.name != "posix":
        raise DiamondsError("Several processes need Linux or macOS: leave --workers away.")


class WorkerProcess:
    """A worker process, as its supervisor sees it."""

    def __init__(self, number: int, sockets: WorkerSockets) -> None:
        self.number = number
        self.ready_at = 0.0
        self.silence_s = 0.0  # since its last heartbeat
        self.terminated_at = 0.0  # when it was told to end
        self._checked_at = time.monotonic()
        self.pipe, child_end = socket.socketpair()
        self.pipe.setblocking(False)
        with child_end:
            fds = [
                each.fileno() for each in (sockets.listen_socket, child_end, sockets.metrics_socket) if each is not None
            ]
            self.process = subprocess.Popen(
                sys.orig_argv,
                env={**os.environ, WORKER_ENV: ":".join(map(str, (number, *fds)))},
                pass_fds=fds,
                **json_output.child_output(),
            )

    @property
    def has_ended(self) -> bool:
        """Whether it has."""
        return self.process.poll() is not None

    @property
    def is_hung(self) -> bool:
        """Whether it was ready and has been silent for too long, or was told to end and has not."""
        ends_late = self.terminated_at and time.monotonic() - self.terminated_at > KILL_TIMEOUT_S
        return not self.has_ended and bool(ends_late or (self.ready_at and self.silence_s > MAX_SILENCE_S))

    def read_heartbeats(self) -> None:
        """Read its heartbeats."""
        now = time.monotonic()
        self.silence_s += min(now - self._checked_at, MAX_GAP_S)
        self._checked_at = now
        try:
            if self.pipe.recv(4096):
                self.ready_at = self.ready_at or now
                self.silence_s = 0.0
        except OSError:  # it has nothing to say, or its line is closed
            pass

    def terminate(self) -> None:
        """Tell it to end."""
        self.terminated_at = time.monotonic()
        self.process.terminate()


class Supervisor:
    """Looks after a worker in each place. ``opened`` is called once all of them are ready."""

    def __init__(self, worker_sockets: Sequence[WorkerSockets], on_ready: Callable[[], None]) -> None:
        self.worker_sockets, self.on_ready = worker_sockets, on_ready
        self.workers: dict[int, WorkerProcess] = {}
        self.replacement: WorkerProcess | None = None  # it takes somebody's place once it is ready
        self.retiring: list[WorkerProcess] = []  # whose place was taken
        self.to_replace: list[int] = []  # the numbers of those whose place is to be taken
        self.not_before: dict[int, float] = {}
        self.is_open = False
        self._signals_received: list[int] = []

    def run(self) -> int:
        """Until it is told to end, or nobody could begin; returns the exit status."""
        terminal = signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN and has_terminal()  # `nohup` ignores it
        with self._receiving_signals() as wakeup:
            for number in range(1, len(self.worker_sockets) + 1):
                self.workers[number] = self._start(number)
            while True:
                pipes = [worker.pipe for worker in (*self.workers.values(), *filter(None, [self.replacement]))]
                select.select([wakeup, *(pipe for pipe in pipes if pipe.fileno() >= 0)], [], [], POLL_INTERVAL_S)
                _drain(wakeup)
                received, self._signals_received = self._signals_received, []
                if {signal.SIGTERM, signal.SIGINT} & {*received}:
                    return self._stop(0)
                if signal.SIGHUP in received and terminal and not has_terminal():
                    return self._stop(0)
                if signal.SIGHUP in received and self.is_open:
                    self.to_replace = [*self.workers]
                status = self._check_workers()
                if status is not None:
                    return self._stop(status)

    def _start(self, number: int) -> WorkerProcess:
        return WorkerProcess(number, self.worker_sockets[number - 1])

    def _check_workers(self) -> int | None:
        """See how everyone is; returns the exit status if there is no use in going on."""
        for worker in [*self.workers.values()]:
            worker.read_heartbeats()
            if worker.is_hung:
                log_to_operator(
                    f"Process {worker.number} has not moved for {MAX_SILENCE_S:.0f} seconds, and is killed."
                )
                worker.process.kill()
                worker.process.wait()
            if worker.has_ended and (status := self._restart(worker)) is not None:
                return status
        for worker in self.retiring:
            if worker.is_hung:
                worker.process.kill()
        self.retiring = [worker for worker in self.retiring if not worker.has_ended]
        if not self.is_open and all(worker.ready_at for worker in self.workers.values()):
            self.is_open = True
            self.on_ready()
        self._advance_replacement()
        return None

    def _restart(self, worker: WorkerProcess) -> int | None:
        if not self.is_open:  # it has said why
            return worker.process.returncode or 1
        now = time.monotonic()
        if worker.number not in self.not_before:
            early = not worker.ready_at or now - worker.ready_at < EARLY_EXIT_S
            self.not_before[worker.number] = now + RESTART_DELAY_S * early
            log_to_operator(f"Process {worker.number} has ended ({worker.process.returncode}), and is started again.")
        if now >= self.not_before[worker.number]:
            del self.not_before[worker.number]
            worker.pipe.close()
            self.workers[worker.number] = self._start(worker.number)
        return None

    def _advance_replacement(self) -> None:
        """Put a new process in the place of an old one, if that is to be done."""
        if self.replacement is None:
            if self.to_replace and not self.retiring:
                self.replacement = self._start(self.to_replace[0])
            return
        self.replacement.read_heartbeats()
        if self.replacement.ready_at:
            number = self.to_replace.pop(0)
            old, self.workers[number], self.replacement = self.workers[number], self.replacement, None
            self.retiring.append(old)
            old.terminate()
            old.pipe.close()
        elif self.replacement.has_ended:
            log_to_operator("The new process does not begin: the old ones stay.")
            self.replacement, self.to_replace = None, []

    def _stop(self, status: int) -> int:
        """All end; who does not, is killed."""
        workers = [*self.workers.values(), *self.retiring, *filter(None, [self.replacement])]
        for worker in workers:
            if not worker.has_ended:
                worker.terminate()
        deadline = time.monotonic() + KILL_TIMEOUT_S
        for worker in workers:
            try:
                worker.process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                worker.process.kill()
                worker.process.wait()
        return status

    @contextmanager
    def _receiving_signals(self) -> Iterator[socket.socket]:
        """What is told to this process is written down, and rings."""
        wakeup, wakeup_writer = socket.socketpair()
        wakeup.setblocking(False)
        wakeup_writer.setblocking(False)
        before = signal.set_wakeup_fd(wakeup_writer.fileno())

        def on_signal(sig: int, _frame: Any) -> None:
            self._signals_received.append(sig)

        for sig in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(sig, on_signal)
        try:
            yield wakeup
        finally:
            signal.set_wakeup_fd(before)
            wakeup.close()
            wakeup_writer.close()


def _drain(wakeup: socket.socket) -> None:
    try:
        while wakeup.recv(100):
            pass
    except BlockingIOError:
        pass
