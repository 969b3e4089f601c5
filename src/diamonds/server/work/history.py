"""What a finished game leaves: its record, its replay with all hands open, and the proof that its deals were fair.

A long game is played again for seconds, so that is the work of another process; what it leaves is kept,
for a finished game does not change. All is JSON.
"""

from __future__ import annotations

import asyncio
import zlib
from collections import OrderedDict
from collections.abc import AsyncIterator
from typing import Any

from diamonds import views
from diamonds.game import Illegal, Refused
from diamonds.records import read_record, write_record
from diamonds.server.api.encoding import encode, result_data, told_data
from diamonds.server.api.messages import Verdict
from diamonds.server.store.contract import Saved, Store
from diamonds.server.table.entries import seat_of
from diamonds.server.table.loading import load
from diamonds.server.table.table import Reader, Table
from diamonds.server.table.telling import info
from diamonds.server.work.thinking import Thinking
from diamonds.server.work.turns import Urgency

KEPT = 32_000_000  # bytes, packed
PIECE = 65_536  # bytes that are unpacked at a time

_UNTIL_OVER = {
    "record": "There is a record when the game is over: until then it would show hidden cards.",
    "replay": "There is a replay when the game is over: until then it would show hidden cards.",
    "verdict": "The secret is published when the game is over: until then it would show hidden cards.",
}

Key = tuple[str, str, tuple[str, ...]]


class Archive:
    """Works out what finished games leave, and keeps what was asked for last."""

    def __init__(self, store: Store, thinking: Thinking) -> None:
        self._store = store
        self._thinking = thinking
        self._kept: OrderedDict[Key, bytes] = OrderedDict()  # packed
        self._size = 0
        self._making: dict[Key, asyncio.Task[bytes]] = {}

    async def ask(self, what: str, table: Table, asker: str) -> AsyncIterator[bytes]:
        """A finished game's record, replay or verdict, in pieces; `Illegal` before it is over. ``asker`` waits for their turn."""
        if not table.over:
            raise Illegal(_UNTIL_OVER[what])
        key = (what, table.id, table.seat_names())
        packed = self._kept.get(key)
        if packed is None:
            task = self._making.get(key)
            if task is None:
                task = self._making[key] = asyncio.get_running_loop().create_task(self._make(key, table, asker))
                task.add_done_callback(lambda _: self._making.pop(key))
            packed = await asyncio.shield(task)  # others may wait for the same
        else:
            self._kept.move_to_end(key)
        return _pieces(b'{"table":%b,' % info(table, Reader()) if what == "replay" else b"", packed)

    async def _make(self, key: Key, table: Table, asker: str) -> bytes:
        """Work it out, when it is the asker's turn."""
        what, id, _ = key
        async with self._thinking.turn(Urgency.REVIEW, asker):
            saved = await asyncio.to_thread(self._store.load, id)
            packed: bytes = await self._thinking.work_out(work_out, what, id, saved, dict(table.names))
        if len(packed) <= KEPT:
            self._kept[key] = packed
            self._size += len(packed)
        while self._size > KEPT:
            _, old = self._kept.popitem(last=False)
            self._size -= len(old)
        return packed


async def _pieces(begins: bytes, packed: bytes) -> AsyncIterator[bytes]:
    """What was packed, after how it begins. Nobody else waits meanwhile, and who reads slowly holds one piece."""
    if begins:
        yield begins
    unpacking = zlib.decompressobj()
    while packed:
        yield unpacking.decompress(packed, PIECE)
        packed = unpacking.unconsumed_tail
        await asyncio.sleep(0)
    yield unpacking.flush()


def work_out(what: str, id: str, saved: Saved, names: dict[str, str]) -> bytes:
    """What a finished game leaves, packed: the work of another process, from what is stored."""
    table = load(id, saved)
    table.names = names
    made = {"record": record, "replay": replay, "verdict": verdict}[what](table)
    return zlib.compress(made, 1)


def record(table: Table) -> bytes:
    """The record of a finished game."""
    return write_record(table.whole_match()).encode()


def verdict(table: Table) -> bytes:
    """A `Verdict`: play the record again, and see whether every deal follows from the secret that was committed to."""
    try:
        match = read_record(record(table))
    except Refused as refusal:
        return encode(Verdict(False, str(refusal)))
    deals = int(match.state["deals"])
    follow = f"All {deals} deals follow" if deals > 1 else "The deal follows"
    says = f"{follow} from the secret committed to before play, and the answers lead to this result."
    return encode(Verdict(True, f"{says} {match.fork}" if match.fork else says))


def replay(table: Table) -> bytes:
    """Every step of a finished game: a `Replay` but for its beginning, the table, which still changes."""
    game = table.game
    chain = table.chain()
    names = table.seat_names()
    match = table.match([])

    def told(n: int, logs: list[Any]) -> list[dict[str, Any]]:
        rows = [tuple(row) for log in logs for row in log[1 : log[0, 0] + 1].tolist()]
        return [told_data(game, n, row, None, names) for row in rows]

    steps: list[dict[str, Any]] = [
        {"n": 0, "answer": None, "view": views.as_data(game, match.state), "told": told(0, match.opening)}
    ]
    for n, (_, entry) in enumerate(chain, 1):
        seat = seat_of(entry)
        question, answer, *_ = table.words_of(entry).split(" ")
        logs = match.answer(seat, answer, question)
        steps.append(
            {
                "n": n,
                "answer": f"{seat} {question} {answer}",
                "view": views.as_data(game, match.state),
                "told": told(n, logs),
            }
        )
    return b'"result":%b,"steps":%b}' % (encode(result_data(game, match.state)), encode(steps))
