"""What a finished game leaves: its record, its replay with all hands open, and the proof that its deals were fair. And what a
record leaves that somebody brings from elsewhere.

A long game is played again for seconds, so that is the work of another process; what it leaves is kept,
for a finished game does not change. All is JSON.
"""

from __future__ import annotations

import asyncio
import hashlib
import zlib
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

from diamonds.game import Game, Illegal, Refused, Unknown, find_game
from diamonds.records import read_record, write_record
from diamonds.server.api.encoding import encode
from diamonds.server.api.messages import Verdict
from diamonds.server.store.contract import Store, Stored
from diamonds.server.table.info import info
from diamonds.server.table.loading import load
from diamonds.server.table.presence import Reader
from diamonds.server.table.replaying import whole_match
from diamonds.server.table.table import Table
from diamonds.server.work import elsewhere
from diamonds.server.work.elsewhere import Opened, open_record
from diamonds.server.work.retelling import Story, story, tell
from diamonds.server.work.thinking import Thinking
from diamonds.server.work.turns import Urgency

KEPT = 32_000_000  # bytes, packed
PIECE = 65_536  # bytes that are unpacked at a time

_UNTIL_OVER = {
    "record": "table-record-not-over",
    "replay": "table-replay-not-over",
    "verdict": "table-secret-not-over",
}

Key = tuple[str, str, tuple[str, ...]]
Packed = tuple[bytes, ...]


class Archive:
    """Works out what finished games leave, and keeps what was asked for last."""

    def __init__(self, store: Store, thinking: Thinking) -> None:
        self._store = store
        self._thinking = thinking
        self._kept: OrderedDict[Key, Packed] = OrderedDict()
        self._size = 0
        self._making: dict[Key, asyncio.Task[Packed]] = {}

    async def ask(
        self, what: str, table: Table, asker: str, blocked: frozenset[str] = frozenset()
    ) -> AsyncIterator[bytes]:
        """A finished game's record, replay or verdict, in pieces; `Illegal` before it is over. ``asker`` waits for their turn.

        What those have said whom the reader has ``blocked`` is left out of a replay.
        """
        if not table.over:
            raise Illegal(_UNTIL_OVER[what])
        packed = await self._find((what, table.id, table.seat_names()), lambda: self._leave(what, table, asker))
        return _pieces(b'{"table":%b,' % info(table, Reader(blocked=blocked)) if what == "replay" else b"", packed)

    async def open(self, text: bytes, asker: str) -> AsyncIterator[bytes]:
        """What there is to show of a record, in pieces: an `Opened`. `Malformed` if it is none. It is kept for a while."""
        id = hashlib.sha256(text).hexdigest()
        *told, _game, _text = await self._find(("opened", id, ()), lambda: self._open(text, id, asker))
        return _pieces(b"", tuple(told))

    def opened(self, id: str) -> tuple[Game, bytes]:
        """The game and the packed text of a record that was opened not long ago and verified, for its review."""
        *_, game, text = self._kept.get(("opened", id, ()), (b"", b""))
        if not game:
            raise Unknown("server-record-gone")
        if not text:
            raise Illegal("hint-review-left")
        self._kept.move_to_end(("opened", id, ()))
        return find_game(game.decode()), text

    async def bring(self, id: str, asker: str) -> elsewhere.Brought:
        """What it takes to keep the game of a record that was opened not long ago; see `elsewhere.bring`."""
        _, packed = self.opened(id)
        async with self._thinking.turn(Urgency.REVIEW, asker):
            brought: elsewhere.Brought = await self._thinking.work_out(elsewhere.bring, packed)
        return brought

    async def _find(self, key: Key, make: Callable[[], Coroutine[Any, Any, Packed]]) -> Packed:
        """What is kept, or else made, once for all who wait for it."""
        packed = self._kept.get(key)
        if packed is not None:
            self._kept.move_to_end(key)
            return packed
        task = self._making.get(key)
        if task is None:
            task = self._making[key] = asyncio.get_running_loop().create_task(make())
            task.add_done_callback(lambda _: self._making.pop(key))
        packed = await asyncio.shield(task)
        self._keep(key, packed)
        return packed

    def _keep(self, key: Key, packed: Packed) -> None:
        """Remember, and forget the oldest."""
        size = sum(map(len, packed))
        if key in self._kept or size > KEPT:
            return
        self._kept[key] = packed
        self._size += size
        while self._size > KEPT:
            _, old = self._kept.popitem(last=False)
            self._size -= sum(map(len, old))

    async def _leave(self, what: str, table: Table, asker: str) -> Packed:
        """Work out what a finished game leaves, when it is the asker's turn."""
        async with self._thinking.turn(Urgency.REVIEW, asker):
            saved = await self._store.load(table.id)
            made = await self._thinking.work_out(work_out, what, table.id, saved, dict(table.names))
        if isinstance(made, Story):
            return (zlib.compress(b'"steps":[', 1), *await self._tell(made, asker), zlib.compress(b"}", 1))
        return (made,)

    async def _open(self, text: bytes, id: str, asker: str) -> Packed:
        """Work out what there is to show of a record, when it is the asker's turn; and last, for its review, its game and text."""
        async with self._thinking.turn(Urgency.REVIEW, asker):
            opened: Opened = await self._thinking.work_out(open_record, text, id)
        head = b'{"id":%b,"ok":%b,"says":%b,"written":%b,"replay":' % tuple(
            map(encode, (id, opened.ok, opened.says, opened.written))
        )
        if opened.story is None:
            return (zlib.compress(head + b"null}", 1), b"", b"")
        begins = head + b'{"table":%b,"steps":[' % encode(opened.table)
        told = await self._tell(opened.story, asker)
        over = opened.table is not None and opened.table.phase == "over"
        kept = zlib.compress(text, 1) if over else b""
        return (zlib.compress(begins, 1), *told, zlib.compress(b"}}", 1), opened.story.game.encode(), kept)

    async def _tell(self, story: Story, asker: str) -> Packed:
        """All steps of a story, packed, chapter by chapter, each when it is the asker's turn; and after them the result."""
        told, state = [], b""
        for first, chapter in story.chapters():
            async with self._thinking.turn(Urgency.REVIEW, asker):
                packed, state = await self._thinking.work_out(tell, chapter, first, state)
            told.append(packed)
        return tuple(told)


async def _pieces(begins: bytes, packed: Packed) -> AsyncIterator[bytes]:
    """What was packed, after how it begins. Nobody else waits meanwhile, and a slow reader holds one piece."""
    if begins:
        yield begins
    for part in packed:
        unpacking = zlib.decompressobj()
        while part:
            yield unpacking.decompress(part, PIECE)
            part = unpacking.unconsumed_tail
            await asyncio.sleep(0)
        yield unpacking.flush()


def work_out(what: str, id: str, saved: Stored, names: dict[str, str]) -> bytes | Story:
    """What a finished game leaves, packed, or the story to be told of it: the work of another process, from what is stored."""
    table = load(id, saved)
    table.names = names
    if what == "replay":
        return story(whole_match(table), table.seat_names())
    return zlib.compress({"record": record, "verdict": verdict}[what](table), 1)


def record(table: Table) -> bytes:
    """The record of a finished game."""
    return write_record(whole_match(table)).encode()


def verdict(table: Table) -> bytes:
    """A `Verdict`: play the record again, and see whether every deal follows from the secret that was committed to."""
    try:
        match = read_record(record(table))
    except Refused as refusal:
        return encode(Verdict(False, [refusal.message]))
    return encode(Verdict(True, elsewhere.verdict(match)))
