"""The sockets at which a server is reached: its own, and those that the system hands down."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence

from diamonds.errors import DiamondsError
from diamonds.server.config import parse_metrics_address

SYSTEMD_FIRST_FD = 3  # the first descriptor under which systemd hands sockets down
SEND_BUFFER_BYTES = 64 * 1024  # bytes that the system keeps for a reader who takes nothing (it doubles them)
BACKLOG = 4096
MAX_PORT = 65_535


def systemd_sockets(count: int = 1) -> list[socket.socket]:
    """Return the sockets at which the system listens for this process (`sd_listen_fds`), if it does. While one process ends and the next
    starts, connections wait there: nobody is refused."""
    pid, fd_count = os.environ.pop("LISTEN_PID", ""), os.environ.pop("LISTEN_FDS", "")
    if pid != str(os.getpid()) or not fd_count.isdecimal() or fd_count == "0":
        return []
    if int(fd_count) != count:
        raise DiamondsError("server-handed-down", given=int(fd_count), wanted=count)
    sockets = []
    for fd in range(SYSTEMD_FIRST_FD, SYSTEMD_FIRST_FD + count):
        listening = socket.socket(fileno=fd)
        listening.set_inheritable(False)
        _set_options(listening)
        sockets.append(listening)
    return sockets


def listen(host: str, port: int) -> socket.socket:
    """Return a bound socket, before anything else happens, so that a taken port is one sentence."""
    listening = _new_socket(host)
    _set_options(listening)
    try:
        _bind(listening, host, port)
    except OSError as error:
        raise DiamondsError(f"{host}:{port} cannot be opened: {error.strerror}. Choose another with --port.") from None
    return listening


def listen_for_metrics(address: str, public: Sequence[socket.socket], worker: int = 0) -> socket.socket:
    """Return a socket for metrics. That of a worker (counted from 0) is as many ports after the first one's."""
    host, port = parse_metrics_address(address)
    port += worker if port else 0
    if port in {each.getsockname()[1] for each in public}:
        raise DiamondsError(f"Metrics have a port of their own, which is not {port}: people come to that one.")
    listening = _new_socket(host)
    try:
        _bind(listening, host, port)
    except OSError as error:
        raise DiamondsError(
            f"{host}:{port} cannot be opened for metrics: {error.strerror}. Choose another with --metrics-address."
        ) from None
    return listening


def _new_socket(host: str) -> socket.socket:
    # The protocol is named, or asyncio leaves Nagle on: 40 ms.
    listening = socket.socket(
        socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP
    )
    exclusive_option = getattr(
        socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR
    )  # on Windows the latter lets others in
    listening.setsockopt(socket.SOL_SOCKET, exclusive_option, 1)
    return listening


def _set_options(listening: socket.socket) -> None:
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
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
