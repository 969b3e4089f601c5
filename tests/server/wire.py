"""A line to PostgreSQL that a test can cut where it hurts: just before a commit arrives, while it is under way, or just before its answer arrives."""

from __future__ import annotations

import contextlib
import select
import socket
import tempfile
import threading
from pathlib import Path

SOCKET = ".s.PGSQL.5432"
DONE = b"Z\0\0\0\5I"  # what the server says when it is ready, and nothing is open
NEAR, FAR, LATE = "before the commit arrives", "before its answer arrives", "while the commit is under way"


class Wire:
    """Passes everything on, both ways, but that it cuts the line at the next commit if ``cut`` says where."""

    def __init__(self, server: Path) -> None:
        self._server = server / SOCKET
        self._folder = tempfile.TemporaryDirectory(prefix="diamonds-wire-", dir="/tmp")
        self._door = socket.socket(socket.AF_UNIX)
        self._door.bind(f"{self._folder.name}/{SOCKET}")
        self._door.listen()
        self._lines: list[tuple[threading.Thread, socket.socket]] = []
        self._guard = threading.Thread(target=self._let_in)
        self._guard.start()
        self.cut = ""
        self.arrives = threading.Event()  # a commit that is late

    @property
    def address(self) -> str:
        """Where the database is found through it."""
        return f"postgresql://diamonds@/postgres?host={self._folder.name}"

    def _let_in(self) -> None:
        with contextlib.suppress(OSError):  # closed
            while True:
                client, _ = self._door.accept()
                line = threading.Thread(target=self._pass_on, args=(client,))
                self._lines.append((line, client))
                line.start()

    def _pass_on(self, client: socket.socket) -> None:
        deaf = False
        with contextlib.suppress(OSError), client, socket.socket(socket.AF_UNIX) as server:
            server.connect(str(self._server))
            while True:
                for end in select.select([client, server], [], [])[0]:
                    said = end.recv(1 << 20)
                    if end is client and self.cut and b"COMMIT" in said:
                        where, self.cut = self.cut, ""
                        if where == NEAR:
                            return
                        deaf = True
                        if where == LATE:
                            client.shutdown(socket.SHUT_RDWR)
                            self.arrives.wait()
                    if not said or (deaf and end is server and said.endswith(DONE)):
                        return
                    if end is client:
                        server.sendall(said)
                    elif not deaf:
                        client.sendall(said)

    def close(self) -> None:
        """Cut every line."""
        self._door.shutdown(socket.SHUT_RDWR)
        self._guard.join()
        self._door.close()
        for line, client in self._lines:
            with contextlib.suppress(OSError):  # it has ended
                client.shutdown(socket.SHUT_RDWR)
            line.join()
        self._folder.cleanup()
