"""The log of a table: its entries, as numbers in memory; the store has them as text (`diamonds.entries`).

In memory an entry has 64 bits: its seat (8), the number of its question (8), and a value (48). The value of an answer
is its number and, in the bits above, the substitute. That of an undo is the n it returns to and, in the bits above,
whether others accepted. That of a seat change is the new holder. Holders are indexes into the table's list, because
names do not fit in an entry.
"""

from __future__ import annotations

import time
import zlib
from array import array
from collections.abc import Iterator
from functools import lru_cache

import msgspec
import numpy as np

from diamonds.entries import TIMEOUT as TIMEOUT_WORDS
from diamonds.entries import format_answer, format_undo
from diamonds.game import Game
from diamonds.server.tables.core.seating import holder_kind

UNDO = 255  # question number of an undo
SEAT_CHANGE = 254
TIMEOUT = 253
STATE_KEEPING = (SEAT_CHANGE, TIMEOUT)  # entries that leave the state unchanged

_VALUE = (1 << 48) - 1
_ANSWER = 8  # bits of an answer's number; the substitute is in the bits above
_AGREED = 1 << 47

# Kinds of rows that are not game events.
EV_UNDO = -1  # followed by the seat and the target n
EV_SEAT_CHANGE = -2  # followed by the seat, the old and the new holder
EV_TIMEOUT = -3  # followed by the seat


def answer_entry(seat: int, question: int, number: int, substitute: int = 0) -> int:
    return seat << 56 | question << 48 | substitute << _ANSWER | number


def undo_entry(seat: int, to: int, agreed: bool) -> int:
    return seat << 56 | UNDO << 48 | (_AGREED if agreed else 0) | to


def seat_change_entry(seat: int, holder: int) -> int:
    return seat << 56 | SEAT_CHANGE << 48 | holder


def timeout_entry(seat: int) -> int:
    return seat << 56 | TIMEOUT << 48


def seat_of(entry: int) -> int:
    """Return the seat that answered, undid or changed."""
    return entry >> 56


def question_of(entry: int) -> int:
    """Return the number of the question answered, or `UNDO`, `SEAT_CHANGE`, `TIMEOUT`."""
    return entry >> 48 & 255


def answer_of(entry: int) -> int:
    """Return the number of the answer."""
    return entry & (1 << _ANSWER) - 1


def substitute_of(entry: int) -> int:
    """Return the index of the substitute who answered; 0 for the holder of the seat."""
    return (entry & _VALUE) >> _ANSWER


def undone_to(entry: int) -> int:
    """Return the n that an undo returns to."""
    return entry & _VALUE & ~_AGREED


def was_agreed(entry: int) -> bool:
    """Return whether others accepted an undo."""
    return bool(entry & _AGREED)


def holder_of(entry: int) -> int:
    """Return the index of the new holder of a seat."""
    return entry & _VALUE


_rows_decoder = msgspec.msgpack.Decoder(list[tuple[int, ...]])
_row_lists_decoder = msgspec.msgpack.Decoder(list[list[tuple[int, ...]]])
_encode_rows = msgspec.msgpack.Encoder().encode
PACK_BLOCK = 64  # entries whose rows are compressed together once they are old
COMPACT_BLOCK = 1024  # block size after the end of the game


class CompactTimestamps:
    """Times in milliseconds since 1970, stored as offsets from the first."""

    __slots__ = ("_offsets", "_start")

    def __init__(self) -> None:
        self._start = 0
        # The type becomes "q" for offsets beyond 49 days or before the first (such as unknown times).
        self._offsets = array("I")

    def __len__(self) -> int:
        return len(self._offsets)

    def __getitem__(self, index: int) -> int:
        return self._start + self._offsets[index]

    def __iter__(self) -> Iterator[int]:
        return (self._start + offset for offset in self._offsets)

    def tolist(self) -> list[int]:
        """Return all times as a list."""
        return list(self)

    def copy(self) -> CompactTimestamps:
        """Return a copy that can be extended."""
        other = CompactTimestamps()
        other._start, other._offsets = self._start, self._offsets[:]
        return other

    def append(self, moment: int) -> None:
        if not self._offsets:
            self._start = moment
        offset = moment - self._start
        if offset >> 32 and self._offsets.typecode == "I":
            self._offsets = array("q", self._offsets)
        self._offsets.append(offset)


class EntryLog:
    """The entries of one table."""

    __slots__ = (
        "_compacted", "_entries", "_keys", "_last_rows", "_packed_rows", "_packed_until", "_row_bytes", "_row_ends",
        "_times", "game", "holder_ids", "n",
    )  # fmt: skip

    def __init__(self, game: Game) -> None:
        self.game = game
        self.n = 0
        self._entries = array("Q")
        self._times = CompactTimestamps()
        self._compacted: bytes | None = None  # compressed entries and times, once the game is over
        self._keys = array("I")  # lower half of the hash of each entry's idempotency key
        self.holder_ids: list[str] = [""]  # holders by index: `person:ID`, `bot:LEVEL`, `open`
        self._packed_rows: list[tuple[int, bytes]] = []  # compressed blocks of older rows, each with its first n
        self._packed_until = 0  # n of the first entry with uncompressed rows
        self._row_bytes = bytearray()  # the uncompressed rows
        self._row_ends = array("I")  # end of each entry's rows
        self._last_rows: list[tuple[int, ...]] | None = []  # rows of the last entry, which every update needs

    @property
    def entries(self) -> array[int]:
        """The entries. Read-only."""
        return self._entries if self._compacted is None else _decompress_entries(self._compacted)[0]

    @property
    def times(self) -> CompactTimestamps:
        """The time of each entry. Read-only."""
        return self._times if self._compacted is None else _decompress_entries(self._compacted)[1]

    def holder_index(self, holder_id: str) -> int:
        """Return the index of a holder, adding it if it is new."""
        if holder_id not in self.holder_ids:
            self.holder_ids.append(holder_id)
        return self.holder_ids.index(holder_id)

    def time_for_entry(self) -> int:
        """Return the time for a new entry in milliseconds, not before that of the last entry."""
        now = time.time_ns() // 1_000_000
        return max(now, self.times[-1]) if self.times else now

    def append(self, entry: int, at_ms: int, key_hash: int, events: list[tuple[int, ...]]) -> None:
        """Append an entry and its rows."""
        compacted = self._compacted
        if compacted is not None:
            entries, times = _decompress_entries(compacted)
            self._entries, self._times = entries[:], times.copy()
        self._entries.append(entry)
        self._times.append(at_ms)
        self.n += 1
        if compacted is None:
            self._keys.append(key_hash & 0xFFFFFFFF)
            self.append_events(events)
        else:
            self.append_events(events)
            self._compact_entries()

    def may_have_key(self, key_hash: int) -> bool:
        """Return whether an entry may have the idempotency key with this hash. Only `False` is certain."""
        return self._compacted is not None or key_hash & 0xFFFFFFFF in self._keys

    def compact(self) -> None:
        """Compress the whole log. After the end of the game, little of it is needed."""
        events = [self.events_at(n) for n in range(self.n + 1)]
        self._packed_rows = [
            (n, zlib.compress(_encode_rows(events[n : n + COMPACT_BLOCK])))
            for n in range(0, len(events), COMPACT_BLOCK)
        ]
        self._packed_until, self._row_bytes, self._row_ends = len(events), bytearray(), array("I")
        self._keys = array("I")
        self._compact_entries()

    def _compact_entries(self) -> None:
        """Compress entries and times."""
        self._compacted = _compress_entries(self._entries, self._times)
        self._entries, self._times, self._last_rows = array("Q"), CompactTimestamps(), None

    def _pack_oldest(self, count: int) -> None:
        """Compress the rows of the oldest entries into the content of a MessagePack list."""
        end = self._row_ends[count - 1]
        self._packed_rows.append(
            (self._packed_until, zlib.compress(b"\xdd" + count.to_bytes(4, "big") + self._row_bytes[:end]))
        )
        self._packed_until += count
        self._row_bytes = self._row_bytes[end:]
        self._row_ends = array("I", [each - end for each in self._row_ends[count:]])

    # Events

    def append_events(self, rows: list[tuple[int, ...]]) -> None:
        """Add the rows of the last entry, or of the first deal."""
        if len(self._row_ends) >= 2 * PACK_BLOCK:  # updates need the newest rows, so they stay uncompressed
            self._pack_oldest(PACK_BLOCK)
        self._last_rows = rows
        self._row_bytes += _encode_rows(rows)
        self._row_ends.append(len(self._row_bytes))

    def events_at(self, n: int) -> list[tuple[int, ...]]:
        """Return the rows of entry n (0: of the first deal)."""
        if n == self.n and self._last_rows is not None:
            return self._last_rows
        if n < self._packed_until:
            first, block = next(packed for packed in reversed(self._packed_rows) if packed[0] <= n)
            return _decompress_rows(block)[n - first]
        k = n - self._packed_until
        return _rows_decoder.decode(memoryview(self._row_bytes)[self._row_ends[k - 1] if k else 0 : self._row_ends[k]])

    # Effective answers

    def effective_answers(self, n: int | None = None) -> list[tuple[int, int]]:
        """Return the effective answers after `n` entries as pairs (number of entries before the answer, entry)."""
        return list(self._newest_answers(self.n if n is None else n))[::-1]

    def _newest_answers(self, n: int) -> Iterator[tuple[int, int]]:
        """Yield the effective answers after `n` entries as in `effective_answers`, but newest first."""
        while n:
            n -= 1
            entry = self.entries[n]
            kind = question_of(entry)
            if kind == UNDO:
                n = undone_to(entry)
            elif kind not in STATE_KEEPING:
                yield n, entry

    def canonical_n(self, n: int) -> int:
        """Return the lowest entry count with the same state as `n`.

        Undos return to earlier states, and seat changes keep the state.
        """
        while n:
            entry = self.entries[n - 1]
            kind = question_of(entry)
            if kind == UNDO:
                n = undone_to(entry)
            elif kind in STATE_KEEPING:
                n -= 1
            else:
                break
        return n

    def last_answer_of(self, seat: int, n: int) -> int | None:
        """Return the n just before the seat's last effective answer among the first `n` entries, or `None`."""
        return next((at for at, entry in self._newest_answers(n) if seat_of(entry) == seat), None)

    def entry_text(self, entry: int) -> str:
        """Return the text of an entry: `play H7`, `undo 12`, `seat open`."""
        kind = question_of(entry)
        if kind == UNDO:
            return format_undo(undone_to(entry), was_agreed(entry))
        if kind == TIMEOUT:
            return TIMEOUT_WORDS
        if kind == SEAT_CHANGE:
            return f"seat {holder_kind(self.holder_ids[holder_of(entry)])}"
        question = self.game.questions[kind]
        substitute = self.holder_ids[substitute_of(entry)].removeprefix("bot:")
        return format_answer(f"{question.name} {question.answers[answer_of(entry)]}", substitute)

    def question_name(self, entry: int) -> str:
        """Return the question that an entry answers; empty for other entries."""
        kind = question_of(entry)
        return "" if kind in (UNDO, *STATE_KEEPING) else self.game.questions[kind].name


@lru_cache(maxsize=16)
def _decompress_rows(block: bytes) -> list[list[tuple[int, ...]]]:
    """Return the rows of each entry in a block."""
    return _row_lists_decoder.decode(zlib.decompress(block))


def _compress_entries(entries: array[int], times: CompactTimestamps) -> bytes:
    """Compress entries and times: times as differences, all numbers split into byte planes, least significant first."""
    numbers = np.stack([np.array(entries, np.uint64).view(np.int64), np.diff(times.tolist(), prepend=0)])
    return zlib.compress(
        np.ascontiguousarray(numbers.astype("<i8").view(np.uint8).reshape(2, -1, 8).transpose(0, 2, 1)).tobytes()
    )


@lru_cache(maxsize=16)
def _decompress_entries(text: bytes) -> tuple[array[int], CompactTimestamps]:
    """Undo `_compress_entries`."""
    planes = np.frombuffer(zlib.decompress(text), np.uint8).reshape(2, 8, -1)
    numbers = np.ascontiguousarray(planes.transpose(0, 2, 1)).view("<i8").reshape(2, -1)
    times = CompactTimestamps()
    for at_ms in np.cumsum(numbers[1]).tolist():
        times.append(at_ms)
    return array("Q", numbers[0].view(np.uint64).tolist()), times
