"""Ports reserved for one test, so that no other process on this machine gets them."""

from __future__ import annotations

import socket


def reserve_port() -> socket.socket:
    """Return a socket that reserves a port until it is closed.

    The system gives the port to nobody else, even before the server starts or after it is killed. The server can still
    listen there, because it sets ``SO_REUSEADDR``.
    """
    reserved = socket.socket()
    reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    reserved.bind(("127.0.0.1", 0))
    return reserved
