"""The office of the house: what is asked of it on the machine itself, by who may read its data folder.

A house that is open listens at ``house.sock`` in its folder, one line of JSON for a request and one for the reply; of one that is closed
whoever asks opens the store for as long. So both never write at the same time.
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
from diamonds.game import Illegal, Refused
from diamonds.server.api.encoding import encode
from diamonds.server.api.order import Do
from diamonds.server.house.tables import Tables
from diamonds.server.meeting.meeting import Meeting
from diamonds.server.order.name_review import review_names
from diamonds.server.order.order import Order
from diamonds.server.order.retention import Retention
from diamonds.server.order.settings import settings_of
from diamonds.server.store import copies
from diamonds.server.store.books import COMMAND
from diamonds.server.store.where import elsewhere, store_of

SOCKET = "house.sock"
MOST = 20_000  # bytes of a request
SECONDS = 10.0  # for a request to come
LONGEST = 90  # bytes of a socket's path, which systems bound at a hundred or so


class Asked(Struct, forbid_unknown_fields=True):
    """What is asked: to be told something (``names``: of accounts that would be refused today), to ``do`` something, to ``invite`` somebody, or to ``prune``."""

    what: Literal["reports", "people", "tables", "acts", "do", "invite", "status", "prune", "names"]
    name: str = ""
    before: int = 0
    hours: int = 24 * 14
    do: Do | None = None


_asked = msgspec.json.Decoder(Asked)


class NoHouse(Refused):
    """There is no house in this folder."""


class Office:
    """Listens in the folder of a house that is open."""

    def __init__(self, answer: Callable[[bytes], Awaitable[bytes]], folder: Path) -> None:
        self._answer = answer
        self.folder = folder
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """The house opens. A socket that is there is of one that was killed: the folder is ours alone. Where Python knows no such
        sockets (Windows), a house is asked while it is closed."""
        if not hasattr(socket, "AF_UNIX"):
            return
        (self.folder / SOCKET).unlink(missing_ok=True)
        listening = socket.socket(socket.AF_UNIX)
        os.fchmod(listening.fileno(), 0o600)
        with _address(self.folder) as address:
            listening.bind(address)
        self._server = await asyncio.start_unix_server(self._serve, sock=listening, limit=MOST)

    def close(self) -> None:
        """The house closes."""
        if self._server is not None:
            self._server.close()
            (self.folder / SOCKET).unlink(missing_ok=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(TimeoutError, ValueError, ConnectionError):  # whoever asks has gone, or says too much
            async with asyncio.timeout(SECONDS):
                line = await reader.readline()
            try:
                told = await self._answer(line)
            except Refused as refusal:
                told = encode({"refused": [refusal.message.id, refusal.message.values]})
            writer.write(told + b"\n")
            await writer.drain()
        writer.close()


async def answer(order: Order, line: bytes) -> bytes:
    """What is told of a request, or why it cannot be done: ``{"told": …}`` or ``{"refused": [id, values]}``."""
    try:
        asked = _asked.decode(line)
        return encode({"told": await _told(order, asked)})
    except msgspec.DecodeError as error:
        return encode({"refused": ["server-unreadable", {"why": str(error)}]})
    except Refused as refusal:
        return encode({"refused": [refusal.message.id, refusal.message.values]})


async def _told(order: Order, asked: Asked) -> Any:
    match asked.what:
        case "reports":
            return await order.teller.reports(COMMAND)
        case "people":
            return await order.teller.people(asked.name)
        case "tables":
            return order.teller.tables_now()
        case "acts":
            return await order.teller.acts(asked.before)
        case "status":
            return _now(order)
        case "prune":
            days, reports = order.settings.keep_guests_games_days, order.settings.keep_reports_days
            if not days and not reports:
                raise Illegal("order-kept-for-ever")
            return {"gone": await Retention(order.tables, days, reports).sweep()}
        case "names":
            return {"names": await review_names(order.store)}
        case "invite":
            return await order.invite(COMMAND, asked.hours, asked.name)
    if asked.do is not None:
        await order.do(COMMAND, asked.do)
    return {"done": True}


def _now(order: Order) -> dict[str, Any]:
    """Who is in a house that is open."""
    hub, shelf = order.tables.hub, order.tables.shelf
    return {
        "version": diamonds.__version__,
        "people": len(hub.here),
        "streams": sum(map(len, hub.slots)),
        "tables": len(shelf.all()),
        "damaged": len(shelf.damaged),
    }


def status(folder: Path) -> dict[str, Any]:
    """How a house is: how much it holds, and who is there if it is open; of one that is closed nothing is opened."""
    held = copies.counts(folder, elsewhere())
    line = _ask_open(folder, encode(Asked("status")) + b"\n")
    now: dict[str, Any] = json.loads(line).get("told", {}) if line else {}
    return {"open": bool(line), **now, **held}


def ask(folder: Path, settings: Path | None, asked: Asked) -> Any:
    """What a house says, open or closed; `Refused` with its sentence if it does not."""
    line = encode(asked) + b"\n"
    reply = _ask_open(folder, line) or asyncio.run(_ask_closed(folder, settings, line))
    found = json.loads(reply)
    if "refused" in found:
        id, values = found["refused"]
        raise Refused(id, **values)
    return found["told"]


def _ask_open(folder: Path, line: bytes) -> bytes:
    """What a house says that is open; empty if none is."""
    if not hasattr(socket, "AF_UNIX") or not folder.is_dir():
        return b""
    with socket.socket(socket.AF_UNIX) as connection, _address(folder) as address:
        try:
            connection.connect(address)
        except (FileNotFoundError, ConnectionRefusedError):
            return b""
        connection.sendall(line)
        with connection.makefile("rb") as reply:
            return reply.readline() or encode({"refused": ["server-closing", {}]})


async def _ask_closed(folder: Path, settings: Path | None, line: bytes) -> bytes:
    address = elsewhere()
    if not address and not (folder / "diamonds.sqlite").is_file():
        raise NoHouse("order-no-house", folder=str(folder))
    house = settings_of(folder, settings)
    store, _ = store_of(address, folder)
    tables = Tables(store)
    meeting = Meeting(tables)
    try:
        await store.open()
        await tables.open()
        return await answer(Order(tables, meeting, house), line)
    finally:
        meeting.close()
        await tables.close()
        await store.close()


@contextlib.contextmanager
def _address(folder: Path) -> Iterator[str]:
    """Where the socket is, by a path that is short enough."""
    path = str(folder / SOCKET)
    if len(os.fsencode(path)) <= LONGEST or not Path("/proc/self/fd").is_dir():
        yield path
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{handle}/{SOCKET}"
    finally:
        os.close(handle)
