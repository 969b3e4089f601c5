"""A PostgreSQL proxy that cuts the connection before a commit, during it, or before its reply."""

from __future__ import annotations

import contextlib
import select
import socket
import tempfile
import threading
from pathlib import Path

SOCKET_NAME = ".s.PGSQL.5432"
READY_FOR_QUERY = b"Z\0\0\0\5I"  # ReadyForQuery with status idle: no transaction is open
BEFORE_COMMIT, BEFORE_REPLY, DURING_COMMIT = (
    "before the commit arrives",
    "before its answer arrives",
    "while the commit is under way",
)


class CuttingProxy:
    """A proxy that forwards all traffic, and cuts the connection at the next commit if ``cut`` names a point."""

    def __init__(self, server: Path) -> None:
        self._server = server / SOCKET_NAME
        self._folder = tempfile.TemporaryDirectory(prefix="diamonds-wire-", dir="/tmp")
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(f"{self._folder.name}/{SOCKET_NAME}")
        self._listener.listen()
        self._connections: list[tuple[threading.Thread, socket.socket]] = []
        self._acceptor = threading.Thread(target=self._accept)
        self._acceptor.start()
        self.cut_at = ""
        self.commit_arrives = threading.Event()  # set when a delayed commit arrives

    @property
    def database_url(self) -> str:
        return f"postgresql://diamonds@/postgres?host={self._folder.name}"

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # the listener was closed
            while True:
                client, _ = self._listener.accept()
                line = threading.Thread(target=self._forward, args=(client,))
                self._connections.append((line, client))
                line.start()

    def _forward(self, client: socket.socket) -> None:
        drop_replies = False
        with contextlib.suppress(OSError), client, socket.socket(socket.AF_UNIX) as server:
            server.connect(str(self._server))
            while True:
                for end in select.select([client, server], [], [])[0]:
                    data = end.recv(1 << 20)
                    if end is client and self.cut_at and b"COMMIT" in data:
                        where, self.cut_at = self.cut_at, ""
                        if where == BEFORE_COMMIT:
                            return
                        drop_replies = True
                        if where == DURING_COMMIT:
                            client.shutdown(socket.SHUT_RDWR)
                            self.commit_arrives.wait()
                    if not data or (drop_replies and end is server and data.endswith(READY_FOR_QUERY)):
                        return
                    if end is client:
                        server.sendall(data)
                    elif not drop_replies:
                        client.sendall(data)

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._acceptor.join()
        self._listener.close()
        for line, client in self._connections:
            with contextlib.suppress(OSError):  # the server has closed it
                client.shutdown(socket.SHUT_RDWR)
            line.join()
        self._folder.cleanup()
