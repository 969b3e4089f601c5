"""Ports that are a test's own for as long as it runs, whoever else looks for one on this machine."""

from __future__ import annotations

import socket


def reserve_port() -> socket.socket:
    """A socket that keeps a port until it is closed. Nobody else is given it, also while the server that is to listen there has not
    begun yet, or was killed; and a server that says ``SO_REUSEADDR``, as ours does, listens there nevertheless."""
    reserved = socket.socket()
    reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    reserved.bind(("127.0.0.1", 0))
    return reserved
