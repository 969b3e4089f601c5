"""Listening sockets: the server's own, and those passed by the operating system."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence

from diamonds.errors import DiamondsError
from diamonds.server.settings_file import parse_metrics_address

SYSTEMD_FIRST_FD = 3  # first descriptor of sockets passed by systemd
SEND_BUFFER_BYTES = 64 * 1024  # kept by the system for a client that does not read (the kernel doubles it)
BACKLOG = 4096
MAX_PORT = 65_535


def systemd_sockets(count: int = 1) -> list[socket.socket]:
    """Return the sockets on which systemd listens for this process (`sd_listen_fds`), if any.

    Connections wait in them between the end of one process and the start of the next, so none is refused.
    """
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
    """Return a bound socket. This happens early in start-up, so that a port in use is a one-line error."""
    listening = _new_socket(host)
    _set_options(listening)
    try:
        _bind(listening, host, port)
    except OSError as error:
        raise DiamondsError(
            f"{host}:{port} cannot be opened: {error.strerror}. Choose another port with --port."
        ) from None
    return listening


def listen_for_metrics(address: str, public: Sequence[socket.socket], worker: int = 0) -> socket.socket:
    """Return a socket for metrics. Each worker (from 0) gets the next port."""
    host, port = parse_metrics_address(address)
    port += worker if port else 0
    if port in {each.getsockname()[1] for each in public}:
        raise DiamondsError(f"Metrics need a port other than {port}, which players use.")
    listening = _new_socket(host)
    try:
        _bind(listening, host, port)
    except OSError as error:
        raise DiamondsError(
            f"{host}:{port} cannot be opened for metrics: {error.strerror}. Choose another address with --metrics-address."
        ) from None
    return listening


def _new_socket(host: str) -> socket.socket:
    # With an explicit protocol, asyncio turns off Nagle's algorithm, which costs 40 ms.
    listening = socket.socket(
        socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP
    )
    # On Windows, SO_REUSEADDR would let other processes bind the same port.
    exclusive_option = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
    listening.setsockopt(socket.SOL_SOCKET, exclusive_option, 1)
    return listening


def _set_options(listening: socket.socket) -> None:
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listening.setblocking(False)


def _bind(listening: socket.socket, host: str, port: int) -> None:
    try:
        if port > MAX_PORT:
            raise OSError(0, f"the highest port is {MAX_PORT}")
        listening.bind((host, port))
        listening.listen(BACKLOG)
        listening.setblocking(False)
    except OSError:
        listening.close()
        raise
