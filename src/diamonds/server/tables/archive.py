"""The archive of finished games: records, replays and verifications, computed by workers and cached compressed."""

from __future__ import annotations

import asyncio
import hashlib
import zlib
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

from diamonds.errors import DiamondsError, NotAllowedError, NotFoundError
from diamonds.game import Game, find_game
from diamonds.record_reader import load_record
from diamonds.records import write_record
from diamonds.server.api.codec import encode
from diamonds.server.api.records import DealVerificationResponse
from diamonds.server.jobs.fair_queue import Priority
from diamonds.server.jobs.worker_pool import WorkerPool
from diamonds.server.storage.store import Store
from diamonds.server.storage.table_data import StoredTable
from diamonds.server.tables import opened_records
from diamonds.server.tables.core.loading import load_table
from diamonds.server.tables.core.log_replay import full_game
from diamonds.server.tables.core.presence import Viewer
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.core.table_info import table_info
from diamonds.server.tables.opened_records import OpenedRecord, read_foreign_record
from diamonds.server.tables.replay_plan import ReplayPlan, render_chunk, replay_plan

CACHE_BYTES = 32_000_000  # compressed
CHUNK_BYTES = 65_536  # decompressed in one step

_NOT_OVER_MESSAGES = {
    "record": "table-record-not-over",
    "replay": "table-replay-not-over",
    "verdict": "table-secret-not-over",
}

CacheKey = tuple[str, str, tuple[str, ...]]
PackedParts = tuple[bytes, ...]


class GameArchive:
    """The records, replays and verifications of finished games, with a cache of the most recent ones."""

    def __init__(self, store: Store, workers: WorkerPool) -> None:
        self._store = store
        self._workers = workers
        self.cached: OrderedDict[CacheKey, PackedParts] = OrderedDict()  # least recently used first
        self.cached_bytes = 0  # compressed size of all cached parts
        self._computing: dict[CacheKey, asyncio.Task[PackedParts]] = {}

    async def get(
        self, part: str, table: Table, person: str, blocked: frozenset[str] = frozenset()
    ) -> AsyncIterator[bytes]:
        """Return a finished game's record, replay or verification in chunks.

        Raise `NotAllowedError` before the game is over. The computation waits in the fair queue as `person`. A replay
        omits chat messages of `blocked` people.
        """
        if not table.is_over:
            raise NotAllowedError(_NOT_OVER_MESSAGES[part])
        table.check_not_withheld()
        packed = await self._get_or_compute(
            (part, table.id, table.seat_names()), lambda: self._compute(part, table, person)
        )
        return _stream(
            b'{"table":%b,' % table_info(table, Viewer(blocked=blocked)) if part == "replay" else b"", packed
        )

    async def open_record(self, text: bytes, person: str) -> AsyncIterator[bytes]:
        """Check an opened record, cache it, and return a `RecordVerificationResponse` in chunks.

        Raise `InvalidInputError` if the text is not a record.
        """
        record_id = hashlib.sha256(text).hexdigest()
        *packed, _game, _text = await self._get_or_compute(
            ("opened", record_id, ()), lambda: self._compute_opened(text, record_id, person)
        )
        return _stream(b"", tuple(packed))

    def find_opened(self, record_id: str) -> tuple[Game, bytes]:
        """Return the game and compressed text of a recently opened, verified record, for its review."""
        *_, game, text = self.cached.get(("opened", record_id, ()), (b"", b""))
        if not game:
            raise NotFoundError("server-record-gone")
        if not text:
            raise NotAllowedError("hint-review-left")
        self.cached.move_to_end(("opened", record_id, ()))
        return find_game(game.decode()), text

    async def find_importable(self, record_id: str, person: str) -> opened_records.ImportableGame:
        """Return a recently opened record as a game to import; see `opened_records.read_importable_game`."""
        _, packed = self.find_opened(record_id)
        async with self._workers.slot(Priority.REVIEW, person):
            imported: opened_records.ImportableGame = await self._workers.run(
                opened_records.read_importable_game, packed
            )
        return imported

    async def _get_or_compute(
        self, key: CacheKey, compute: Callable[[], Coroutine[Any, Any, PackedParts]]
    ) -> PackedParts:
        """Return a cached result, or compute it once for everyone who is waiting for it."""
        packed = self.cached.get(key)
        if packed is not None:
            self.cached.move_to_end(key)
            return packed
        task = self._computing.get(key)
        if task is None:
            task = self._computing[key] = asyncio.get_running_loop().create_task(compute())
            task.add_done_callback(lambda _: self._computing.pop(key))
        packed = await asyncio.shield(task)
        self._cache(key, packed)
        return packed

    def _cache(self, key: CacheKey, packed: PackedParts) -> None:
        """Store a result, and drop the oldest ones beyond `CACHE_BYTES`."""
        size = sum(map(len, packed))
        if key in self.cached or size > CACHE_BYTES:
            return
        self.cached[key] = packed
        self.cached_bytes += size
        while self.cached_bytes > CACHE_BYTES:
            _, old = self.cached.popitem(last=False)
            self.cached_bytes -= sum(map(len, old))

    async def _compute(self, part: str, table: Table, person: str) -> PackedParts:
        """Compute a record, replay or verification when it is this person's turn."""
        async with self._workers.slot(Priority.REVIEW, person):
            stored = await self._store.load(table.id)
            result = await self._workers.run(compute_archive, part, table.id, stored, dict(table.names))
        if isinstance(result, ReplayPlan):
            return (zlib.compress(b'"steps":[', 1), *await self._render(result, person), zlib.compress(b"}", 1))
        return (result,)

    async def _compute_opened(self, text: bytes, record_id: str, person: str) -> PackedParts:
        """Check a record when it is this person's turn. The last two parts are the game and text, for a review."""
        async with self._workers.slot(Priority.REVIEW, person):
            opened: OpenedRecord = await self._workers.run(read_foreign_record, text, record_id)
        head = b'{"id":%b,"ok":%b,"findings":%b,"unverified":%b,"replay":' % tuple(
            map(encode, (record_id, opened.is_verified, opened.findings, opened.unverified))
        )
        if opened.replay_plan is None:
            return (zlib.compress(head + b"null}", 1), b"", b"")
        prefix = head + b'{"table":%b,"steps":[' % encode(opened.table)
        chunks = await self._render(opened.replay_plan, person)
        over = opened.table is not None and opened.table.phase == "over"
        packed_text = zlib.compress(text, 1) if over else b""
        return (
            zlib.compress(prefix, 1),
            *chunks,
            zlib.compress(b"}}", 1),
            opened.replay_plan.game.encode(),
            packed_text,
        )

    async def _render(self, plan: ReplayPlan, person: str) -> PackedParts:
        """Render the steps of a replay chunk by chunk, each when it is this person's turn."""
        chunks, state = [], b""
        for first, chunk in plan.chunks():
            async with self._workers.slot(Priority.REVIEW, person):
                packed, state = await self._workers.run(render_chunk, chunk, first, state)
            chunks.append(packed)
        return tuple(chunks)


async def _stream(prefix: bytes, packed: PackedParts) -> AsyncIterator[bytes]:
    """Yield the decompressed parts after the prefix.

    The event loop stays free, and a slow reader holds only one chunk in memory.
    """
    if prefix:
        yield prefix
    for part in packed:
        unpacking = zlib.decompressobj()
        while part:
            yield unpacking.decompress(part, CHUNK_BYTES)
            part = unpacking.unconsumed_tail
            await asyncio.sleep(0)
        yield unpacking.flush()


def compute_archive(part: str, table_id: str, stored: StoredTable, names: dict[str, str]) -> bytes | ReplayPlan:
    """Return the compressed result, or the plan of a replay. This runs in a worker process, from the stored table."""
    table = load_table(table_id, stored)
    table.names = names
    if part == "replay":
        return replay_plan(full_game(table), table.seat_names())
    return zlib.compress({"record": record_text, "verdict": verification_json}[part](table), 1)


def record_text(table: Table) -> bytes:
    """Return the record of a finished game."""
    return write_record(full_game(table)).encode()


def verification_json(table: Table) -> bytes:
    """Replay the record, check every deal against the committed secret, and return a `DealVerificationResponse`."""
    try:
        played = load_record(record_text(table))
    except DiamondsError as error:
        return encode(DealVerificationResponse(False, [error.message]))
    return encode(DealVerificationResponse(True, opened_records.record_findings(played)))
