"""The sockets at which a server is reached: its own, and those that the system hands down."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence

from diamonds.game import Refused
from diamonds.server.order.settings import read_where

HANDED_DOWN = 3  # the first descriptor under which systemd hands sockets down
SEND_BUFFER = 64 * 1024  # bytes that the system keeps for a reader who takes nothing (it doubles them)
BACKLOG = 4096
MAX_PORT = 65_535


def handed_down(count: int = 1) -> list[socket.socket]:
    """Return the sockets at which the system listens for this process (`sd_listen_fds`), if it does. While one process ends and the next
    starts, connections wait there: nobody is refused."""
    pid, given = os.environ.pop("LISTEN_PID", ""), os.environ.pop("LISTEN_FDS", "")
    if pid != str(os.getpid()) or not given.isdecimal() or given == "0":
        return []
    if int(given) != count:
        raise Refused("server-handed-down", given=int(given), wanted=count)
    found = []
    for handle in range(HANDED_DOWN, HANDED_DOWN + count):
        listening = socket.socket(fileno=handle)
        listening.set_inheritable(False)
        _set_options(listening)
        found.append(listening)
    return found


def listen(host: str, port: int) -> socket.socket:
    """Return a bound socket, before anything else happens, so that a taken port is one sentence."""
    listening = _new_socket(host)
    _set_options(listening)
    try:
        _bind(listening, host, port)
    except OSError as error:
        raise Refused(f"{host}:{port} cannot be opened: {error.strerror}. Choose another with --port.") from None
    return listening


def listen_for_metrics(where: str, public: Sequence[socket.socket], worker: int = 0) -> socket.socket:
    """Return a socket for metrics. That of a worker (counted from 0) is as many ports after the first one's."""
    host, port = read_where(where)
    port += worker if port else 0
    if port in {each.getsockname()[1] for each in public}:
        raise Refused(f"Metrics have a port of their own, which is not {port}: people come to that one.")
    listening = _new_socket(host)
    try:
        _bind(listening, host, port)
    except OSError as error:
        raise Refused(
            f"{host}:{port} cannot be opened for metrics: {error.strerror}. Choose another with --metrics."
        ) from None
    return listening


def _new_socket(host: str) -> socket.socket:
    # The protocol is named, or asyncio leaves Nagle on: 40 ms.
    listening = socket.socket(
        socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP
    )
    alone = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)  # on Windows the latter lets others in
    listening.setsockopt(socket.SOL_SOCKET, alone, 1)
    return listening


def _set_options(listening: socket.socket) -> None:
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listening.setblocking(False)


def _bind(listening: socket.socket, host: str, port: int) -> None:
    try:
        if port > MAX_PORT:
            raise OSError(0, f"ports end at {MAX_PORT}")
        listening.bind((host, port))
        listening.listen(BACKLOG)
        listening.setblocking(False)
    except OSError:
        listening.close()
        raise
