"""The admin socket: requests on the same machine from users who can read the data directory.

An open server listens at `admin.sock` in its data directory; a request and its reply are one line of JSON each. If the
server is closed, the client opens the store itself for the duration of the request, so the two never write
simultaneously.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

import diamonds
from diamonds.errors import DiamondsError, NotAllowedError
from diamonds.server.api.codec import encode
from diamonds.server.api.moderation import ModerationActionRequest
from diamonds.server.lobby.service import LobbyService
from diamonds.server.moderation.account_name_review import review_names
from diamonds.server.moderation.maintenance import RetentionJob
from diamonds.server.moderation.service import ModerationService
from diamonds.server.settings_file import find_config
from diamonds.server.storage import backup
from diamonds.server.storage.moderation import OPERATOR_ID
from diamonds.server.storage.open_store import create_store, database_url
from diamonds.server.tables.service import TableService

ADMIN_SOCKET_NAME = "admin.sock"
MAX_REQUEST_BYTES = 20_000
REQUEST_TIMEOUT_S = 10.0  # for receiving a request
MAX_SOCKET_PATH_BYTES = 90  # systems limit it to about 100 bytes


class AdminRequest(Struct, forbid_unknown_fields=True):
    """An admin request.

    Most kinds are queries (`names`: account names that would be refused today). `do` takes an `action`, `invite`
    creates an invitation, `prune` applies the retention.
    """

    kind: Literal["reports", "people", "tables", "acts", "do", "invite", "status", "prune", "names"]
    name: str = ""
    before: int = 0
    hours: int = 24 * 14
    action: ModerationActionRequest | None = None


_request_decoder = msgspec.json.Decoder(AdminRequest)


class NoServerError(DiamondsError):
    """The folder has no server's data."""


class AdminSocket:
    """The admin socket of an open server."""

    def __init__(self, handle_request: Callable[[bytes], Awaitable[bytes]], folder: Path) -> None:
        self._handle_request = handle_request
        self.folder = folder
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """Start listening. The folder is locked, so any existing socket was left by a killed server.

        Where Python has no Unix sockets (Windows), requests work only while the server is closed.
        """
        if not hasattr(socket, "AF_UNIX"):
            return
        (self.folder / ADMIN_SOCKET_NAME).unlink(missing_ok=True)
        listening = socket.socket(socket.AF_UNIX)
        os.fchmod(listening.fileno(), 0o600)
        with _socket_path(self.folder) as address:
            listening.bind(address)
        self._server = await asyncio.start_unix_server(self._serve, sock=listening, limit=MAX_REQUEST_BYTES)

    def close(self) -> None:
        """Stop listening."""
        if self._server is not None:
            self._server.close()
            (self.folder / ADMIN_SOCKET_NAME).unlink(missing_ok=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # The client may be too slow, send too much, or disconnect.
        with contextlib.suppress(TimeoutError, ValueError, ConnectionError):
            async with asyncio.timeout(REQUEST_TIMEOUT_S):
                line = await reader.readline()
            try:
                response = await self._handle_request(line)
            except DiamondsError as error:
                response = encode({"error": [error.message.id, error.message.args]})
            writer.write(response + b"\n")
            await writer.drain()
        writer.close()


async def handle_request(moderation: ModerationService, line: bytes) -> bytes:
    """Return the reply to a request: `{"result": …}`, or `{"error": [id, values]}` with the error."""
    try:
        request = _request_decoder.decode(line)
        return encode({"result": await _dispatch(moderation, request)})
    except msgspec.DecodeError as error:
        return encode({"error": ["server-unreadable", {"why": str(error)}]})
    except DiamondsError as error:
        return encode({"error": [error.message.id, error.message.args]})


async def _dispatch(moderation: ModerationService, request: AdminRequest) -> Any:
    match request.kind:
        case "reports":
            return await moderation.queries.reports(OPERATOR_ID)
        case "people":
            return await moderation.queries.find_accounts(request.name)
        case "tables":
            return moderation.queries.open_tables()
        case "acts":
            return await moderation.queries.audit_log(request.before)
        case "status":
            return _live_status(moderation)
        case "prune":
            days, reports = moderation.config.guest_game_retention_days, moderation.config.report_retention_days
            if not days and not reports:
                raise NotAllowedError("moderation-no-retention")
            return {"removed": await RetentionJob(moderation.tables, days, reports).prune()}
        case "names":
            return {"names": await review_names(moderation.store)}
        case "invite":
            return await moderation.create_invitation(OPERATOR_ID, request.hours, request.name)
    if request.action is not None:
        await moderation.act(OPERATOR_ID, request.action)
    return {"done": True}


def _live_status(moderation: ModerationService) -> dict[str, Any]:
    """Return the version of an open server, and its numbers of people, streams and tables."""
    streams, registry = moderation.tables.streams, moderation.tables.registry
    return {
        "version": diamonds.__version__,
        "people": len(streams.connected_people),
        "streams": sum(map(len, streams.slots)),
        "tables": len(registry.all()),
        "damaged": len(registry.damaged_tables),
    }


def server_status(folder: Path) -> dict[str, Any]:
    """Return the sizes of a server's data and, if it is open, its live status. A closed server stays closed."""
    counts = backup.count_contents(folder, database_url())
    line = _send_to_open_server(folder, encode(AdminRequest("status")) + b"\n")
    live: dict[str, Any] = json.loads(line).get("result", {}) if line else {}
    return {"open": bool(line), **live, **counts}


def send_request(folder: Path, config_path: Path | None, request: AdminRequest) -> Any:
    """Return the reply of a server, open or closed. Raise `DiamondsError` if the request is refused."""
    line = encode(request) + b"\n"
    reply = _send_to_open_server(folder, line) or asyncio.run(_handle_offline(folder, config_path, line))
    response = json.loads(reply)
    if "error" in response:
        id, values = response["error"]
        raise DiamondsError(id, **values)
    return response["result"]


def _send_to_open_server(folder: Path, line: bytes) -> bytes:
    """Return the reply of an open server; empty if the server is closed."""
    if not hasattr(socket, "AF_UNIX") or not folder.is_dir():
        return b""
    with socket.socket(socket.AF_UNIX) as connection, _socket_path(folder) as address:
        try:
            connection.connect(address)
        except (FileNotFoundError, ConnectionRefusedError):
            return b""
        connection.sendall(line)
        with connection.makefile("rb") as reply:
            return reply.readline() or encode({"error": ["server-closing", {}]})


async def _handle_offline(folder: Path, config_path: Path | None, line: bytes) -> bytes:
    url = database_url()
    if not url and not (folder / "diamonds.sqlite").is_file():
        raise NoServerError("server-no-data", folder=str(folder))
    config = find_config(folder, config_path)
    store, _ = create_store(url, folder)
    tables = TableService(store)
    lobby = LobbyService(tables)
    try:
        await store.open()
        await tables.open()
        return await handle_request(ModerationService(tables, lobby, config), line)
    finally:
        lobby.close()
        await tables.close()
        await store.close()


@contextlib.contextmanager
def _socket_path(folder: Path) -> Iterator[str]:
    """Yield a sufficiently short path of the socket."""
    path = str(folder / ADMIN_SOCKET_NAME)
    if len(os.fsencode(path)) <= MAX_SOCKET_PATH_BYTES or not Path("/proc/self/fd").is_dir():
        yield path
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{handle}/{ADMIN_SOCKET_NAME}"
    finally:
        os.close(handle)
