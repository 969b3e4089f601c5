"""Supervisor and workers: several serving processes, started by one that binds their sockets.

The supervisor restarts a worker that dies or hangs. SIGTERM ends all of them gracefully. SIGHUP replaces them one by
one, each once its successor takes requests, so a new version is served without refusing anyone. Workers run the
supervisor's own command; `inherited_sockets` tells them that they are workers.
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
from diamonds.operating_system import has_terminal, log_to_operator
from diamonds.server.metrics import json_output

# Environment variable of each worker: its number, then the descriptors of its listening socket, pipe and metrics socket.
WORKER_ENV = "DIAMONDS_WORKER"
DO_NOT_WAIT = getattr(socket, "MSG_DONTWAIT", 0)  # missing on Windows, which has no workers
KILL_TIMEOUT_S = 5.0  # from SIGTERM to SIGKILL
RESTART_DELAY_S = 1.0  # other workers first need the processor to take over the ended worker's tables
POLL_INTERVAL_S = 0.5  # between checks of all workers
HEARTBEAT_INTERVAL_S = 1.0
MAX_SILENCE_S = 5.0  # then a worker that was ready counts as hung and is killed
MAX_GAP_S = 1.0  # longest silence counted per check: the supervisor itself may have been suspended
HEARTBEAT = b"1"  # the first one means that the worker takes requests


class InheritedSockets(NamedTuple):
    """The sockets of a worker. `parent_pipe` closes when the supervisor ends."""

    number: int
    listen_socket: socket.socket
    parent_pipe: socket.socket
    metrics_socket: socket.socket | None = None

    def send_heartbeat(self) -> None:
        """Tell the supervisor that this worker takes requests. This is called every `HEARTBEAT_INTERVAL_S`."""
        with contextlib.suppress(OSError):  # the supervisor has ended, or is suspended and the buffer is full
            self.parent_pipe.send(HEARTBEAT, DO_NOT_WAIT)


class WorkerSockets(NamedTuple):
    """The sockets of one worker, kept across restarts."""

    listen_socket: socket.socket
    metrics_socket: socket.socket | None = None


def inherited_sockets() -> InheritedSockets | None:
    """Return the number and sockets that the supervisor passed to this worker; `None` outside a worker."""
    passed = os.environ.pop(WORKER_ENV, "")
    if not passed:
        return None
    number, *fds = map(int, passed.split(":"))
    for fd in fds:
        os.set_inheritable(fd, False)
    listen_socket, parent_pipe, *metrics = (socket.socket(fileno=fd) for fd in fds)
    listen_socket.setblocking(False)
    return InheritedSockets(number, listen_socket, parent_pipe, metrics[0] if metrics else None)


def check_worker_support(count: int, database_url: str) -> None:
    """Raise `DiamondsError` if several processes are not possible here."""
    if count > 1 and not database_url:
        raise DiamondsError(
            "Several processes need PostgreSQL: add --database postgresql://USER@HOST/DATABASE, or omit --workers."
        )
    if count > 1 and os.name != "posix":
        raise DiamondsError("Several processes need Linux or macOS: omit --workers.")


class WorkerProcess:
    """A worker process, as its supervisor sees it."""

    def __init__(self, number: int, sockets: WorkerSockets) -> None:
        self.number = number
        self.ready_at = 0.0
        self.silence_s = 0.0  # since the last heartbeat
        self.terminated_at = 0.0  # time of SIGTERM, or 0
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
        """Return whether the process has ended."""
        return self.process.poll() is not None

    @property
    def is_hung(self) -> bool:
        """Return whether the worker was ready and has been silent for too long, or has ignored SIGTERM."""
        ends_late = self.terminated_at and time.monotonic() - self.terminated_at > KILL_TIMEOUT_S
        return not self.has_ended and bool(ends_late or (self.ready_at and self.silence_s > MAX_SILENCE_S))

    def read_heartbeats(self) -> None:
        """Read heartbeats, and measure the silence since the last one."""
        now = time.monotonic()
        self.silence_s += min(now - self._checked_at, MAX_GAP_S)
        self._checked_at = now
        with contextlib.suppress(OSError):  # no heartbeat yet, or the pipe is closed
            if self.pipe.recv(4096):
                self.ready_at = self.ready_at or now
                self.silence_s = 0.0

    def terminate(self) -> None:
        """Send SIGTERM."""
        self.terminated_at = time.monotonic()
        self.process.terminate()


class Supervisor:
    """A process that keeps every numbered worker running, and calls `on_ready` once all of them are ready."""

    def __init__(self, worker_sockets: Sequence[WorkerSockets], on_ready: Callable[[], None]) -> None:
        self.worker_sockets, self.on_ready = worker_sockets, on_ready
        self.workers: dict[int, WorkerProcess] = {}
        self.replacement: WorkerProcess | None = None  # takes over once it is ready
        self.retiring: list[WorkerProcess] = []  # replaced workers that are ending
        self.to_replace: list[int] = []  # numbers of workers still to be replaced
        self.not_before: dict[int, float] = {}
        self.is_open = False
        self._signals_received: list[int] = []

    def run(self) -> int:
        """Run until a signal, or until no worker can start. Return the exit status."""
        terminal = signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN and has_terminal()  # `nohup` ignores SIGHUP
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
                status = self.check_workers()
                if status is not None:
                    return self._stop(status)

    def _start(self, number: int) -> WorkerProcess:
        return WorkerProcess(number, self.worker_sockets[number - 1])

    def check_workers(self) -> int | None:
        """Check all workers. Return the exit status if continuing is pointless."""
        for worker in [*self.workers.values()]:
            worker.read_heartbeats()
            if worker.is_hung:
                log_to_operator(
                    f"Process {worker.number} has not responded for {MAX_SILENCE_S:.0f} seconds. Killing it."
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
        if not self.is_open:  # the worker has reported the reason
            return worker.process.returncode or 1
        now = time.monotonic()
        if worker.number not in self.not_before:
            self.not_before[worker.number] = now + RESTART_DELAY_S
            worker.pipe.close()  # otherwise it would keep waking the main loop
            log_to_operator(f"Process {worker.number} ended ({worker.process.returncode}). Restarting it.")
        if now >= self.not_before[worker.number]:
            del self.not_before[worker.number]
            self.workers[worker.number] = self._start(worker.number)
        return None

    def _advance_replacement(self) -> None:
        """Continue a replacement, or start the next one."""
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
            log_to_operator("The new process failed to start. The old ones stay.")
            self.replacement, self.to_replace = None, []

    def _stop(self, status: int) -> int:
        """Terminate all workers, and kill those that do not end in time."""
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
        """Record signals, and wake the main loop through a socket."""
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
    with contextlib.suppress(BlockingIOError):
        while wakeup.recv(100):
            pass
