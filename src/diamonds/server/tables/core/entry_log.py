"""What happens to a table's game, one entry after the other, as numbers in memory; in words it is stored (`diamonds.entries`).

In memory an entry has 64 bits: its seat (8), the number of its question (8), and a value (48): of an answer its number, and
above that who gave it; of an undo the n it goes to, and above that whether it was agreed to; of a change of seats who has the
seat now. Who that is, is a place in a list that the table keeps: an entry has no room for a name.
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

UNDO = 255  # the question of an entry that is an undo
SEAT_CHANGE = 254  # of one that says who has a seat now
TIMEOUT = 253  # and of one that says that somebody's time was up
STATE_KEEPING = (SEAT_CHANGE, TIMEOUT)  # those that leave the state as it is

_VALUE = (1 << 48) - 1
_ANSWER = 8  # bits of an answer's number; who gave it is above them
_AGREED = 1 << 47

# A row that was told and is none of the game's events begins with one of these.
EV_UNDO = -1  # then the seat, and the n gone back to
EV_SEAT_CHANGE = -2  # then the seat, who had it and who has it now
EV_TIMEOUT = -3  # then the seat


def answer_entry(seat: int, question: int, number: int, substitute: int = 0) -> int:
    """The entry of an answer."""
    return seat << 56 | question << 48 | substitute << _ANSWER | number


def undo_entry(seat: int, to: int, agreed: bool) -> int:
    """The entry of an undo."""
    return seat << 56 | UNDO << 48 | (_AGREED if agreed else 0) | to


def seat_change_entry(seat: int, holder: int) -> int:
    """The entry of a change of seats."""
    return seat << 56 | SEAT_CHANGE << 48 | holder


def timeout_entry(seat: int) -> int:
    """The entry of a time-out."""
    return seat << 56 | TIMEOUT << 48


def seat_of(entry: int) -> int:
    """Whose entry it is: who answered or stepped back, or the seat that changed."""
    return entry >> 56


def question_of(entry: int) -> int:
    """The number of the question answered, or `UNDO`, `SEAT`, `TIMEOUT`."""
    return entry >> 48 & 255


def answer_of(entry: int) -> int:
    """The number of the answer."""
    return entry & (1 << _ANSWER) - 1


def substitute_of(entry: int) -> int:
    """Who gave the answer, as a place in the table's list; 0: whoever has the seat."""
    return (entry & _VALUE) >> _ANSWER


def undone_to(entry: int) -> int:
    """The n that an undo goes to."""
    return entry & _VALUE & ~_AGREED


def was_agreed(entry: int) -> bool:
    """Whether others agreed to an undo."""
    return bool(entry & _AGREED)


def holder_of(entry: int) -> int:
    """Who has the seat now, as a place in the table's list."""
    return entry & _VALUE


_rows_decoder = msgspec.msgpack.Decoder(list[tuple[int, ...]])
_row_lists_decoder = msgspec.msgpack.Decoder(list[list[tuple[int, ...]]])
_encode_rows = msgspec.msgpack.Encoder().encode
PACK_BLOCK = 64  # entries whose rows are packed together once they are no news any more,
COMPACT_BLOCK = 1024  # and once the game is over


class TimeList:
    """Moments in milliseconds since 1970, kept by how long each is after the first."""

    __slots__ = ("_offsets", "_start")

    def __init__(self) -> None:
        self._start = 0
        self._offsets = array(
            "I"
        )  # or "q", where it is longer than 49 days, or before the first, as when that is not known

    def __len__(self) -> int:
        return len(self._offsets)

    def __getitem__(self, index: int) -> int:
        return self._start + self._offsets[index]

    def __iter__(self) -> Iterator[int]:
        return (self._start + offset for offset in self._offsets)

    def tolist(self) -> list[int]:
        """All of them."""
        return list(self)

    def copy(self) -> TimeList:
        """The same, to be gone on with."""
        other = TimeList()
        other._start, other._offsets = self._start, self._offsets[:]
        return other

    def append(self, moment: int) -> None:
        """One more."""
        if not self._offsets:
            self._start = moment
        offset = moment - self._start
        if offset >> 32 and self._offsets.typecode == "I":
            self._offsets = array("q", self._offsets)
        self._offsets.append(offset)


class EntryLog:
    """The entries of one table."""

    __slots__ = (
        "_compacted",
        "_entries",
        "_keys",
        "_last_rows",
        "_packed_rows",
        "_packed_until",
        "_row_bytes",
        "_row_ends",
        "_times",
        "game",
        "holder_ids",
        "n",
    )

    def __init__(self, game: Game) -> None:
        self.game = game
        self.n = 0  # how many entries there are
        self._entries = array("Q")
        self._times = TimeList()
        self._compacted: bytes | None = None  # once the game is over, both of them in little room
        self._keys = array("I")  # of each entry's POST, the lower half of its hash
        self.holder_ids: list[str] = [""]  # whom entries name, by number: ``person:ID``, ``bot:LEVEL``, ``open``
        self._packed_rows: list[tuple[int, bytes]] = []  # rows told earlier: from an n on, those of each entry
        self._packed_until = 0  # the n of the first entry of which the rows told are here as they are:
        self._row_bytes = bytearray()  # those rows,
        self._row_ends = array("I")  # and where those of each entry end
        self._last_rows: list[tuple[int, ...]] | None = []  # the rows told last, which all are told now

    @property
    def entries(self) -> array[int]:
        """What has happened, to be read only; see `entries.py`."""
        return self._entries if self._compacted is None else _decompress_entries(self._compacted)[0]

    @property
    def times(self) -> TimeList:
        """When each entry was made, to be read only."""
        return self._times if self._compacted is None else _decompress_entries(self._compacted)[1]

    def holder_index(self, holder_id: str) -> int:
        """The place of someone in ``people``, from now on."""
        if holder_id not in self.holder_ids:
            self.holder_ids.append(holder_id)
        return self.holder_ids.index(holder_id)

    def time_for_entry(self) -> int:
        """The time of an entry made now, in milliseconds; a clock that was put back does not bring it before the last one."""
        now = time.time_ns() // 1_000_000
        return max(now, self.times[-1]) if self.times else now

    def append(self, entry: int, at_ms: int, key_hash: int, events: list[tuple[int, ...]]) -> None:
        """One more entry, and the rows that it tells."""
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
        """Whether an entry may be of the POST whose key has this hash; if not, none is."""
        return self._compacted is not None or key_hash & 0xFFFFFFFF in self._keys

    def compact(self) -> None:
        """The game is over: nearly all that is asked for from now on is kept in little room, or in the store."""
        events = [self.events_at(n) for n in range(self.n + 1)]
        self._packed_rows = [
            (n, zlib.compress(_encode_rows(events[n : n + COMPACT_BLOCK])))
            for n in range(0, len(events), COMPACT_BLOCK)
        ]
        self._packed_until, self._row_bytes, self._row_ends = len(events), bytearray(), array("I")
        self._keys = array("I")
        self._compact_entries()

    def _compact_entries(self) -> None:
        """Entries and times, in little room."""
        self._compacted = _compress_entries(self._entries, self._times)
        self._entries, self._times, self._last_rows = array("Q"), TimeList(), None

    def _pack_oldest(self, count: int) -> None:
        """The oldest so many of these rows, in little room: as the inside of a list of so many, by MessagePack."""
        end = self._row_ends[count - 1]
        self._packed_rows.append(
            (self._packed_until, zlib.compress(b"\xdd" + count.to_bytes(4, "big") + self._row_bytes[:end]))
        )
        self._packed_until += count
        self._row_bytes = self._row_bytes[end:]
        self._row_ends = array("I", [each - end for each in self._row_ends[count:]])

    # What was told

    def append_events(self, rows: list[tuple[int, ...]]) -> None:
        """What the last entry told; or the first deal, before there is any."""
        if len(self._row_ends) >= 2 * PACK_BLOCK:  # the newest of them are asked for with nearly every message
            self._pack_oldest(PACK_BLOCK)
        self._last_rows = rows
        self._row_bytes += _encode_rows(rows)
        self._row_ends.append(len(self._row_bytes))

    def events_at(self, n: int) -> list[tuple[int, ...]]:
        """The rows told by entry n (0: by the first deal)."""
        if n == self.n and self._last_rows is not None:
            return self._last_rows
        if n < self._packed_until:
            first, block = next(packed for packed in reversed(self._packed_rows) if packed[0] <= n)
            return _decompress_rows(block)[n - first]
        k = n - self._packed_until
        return _rows_decoder.decode(memoryview(self._row_bytes)[self._row_ends[k - 1] if k else 0 : self._row_ends[k]])

    # What stands

    def effective_answers(self, n: int | None = None) -> list[tuple[int, int]]:
        """The answers that led to the state after ``n`` entries, as (n before it, entry); what was undone is left out."""
        at = self.n if n is None else n
        answers = []
        while at:
            at -= 1
            entry = self.entries[at]
            kind = question_of(entry)
            if kind == UNDO:
                at = undone_to(entry)
            elif kind not in STATE_KEEPING:
                answers.append((at, entry))
        return answers[::-1]

    def canonical_n(self, n: int) -> int:
        """The first n that had the state after ``n`` entries: an undo leads to an earlier moment, a change of seats to none."""
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
        """The n before the seat's last answer that stands after ``n`` entries, or ``None``."""
        at = n
        while at:
            at -= 1
            entry = self.entries[at]
            kind = question_of(entry)
            if kind == UNDO:
                at = undone_to(entry)
            elif kind not in STATE_KEEPING and seat_of(entry) == seat:
                return at
        return None

    # In words

    def entry_text(self, entry: int) -> str:
        """An entry as it is stored and spelled: ``play H7``, ``undo 12``, ``seat open``."""
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
        """The question that an entry answered; for any other entry, none."""
        kind = question_of(entry)
        return "" if kind in (UNDO, *STATE_KEEPING) else self.game.questions[kind].name


@lru_cache(maxsize=16)
def _decompress_rows(block: bytes) -> list[list[tuple[int, ...]]]:
    """The rows of each of these entries."""
    return _row_lists_decoder.decode(zlib.decompress(block))


def _compress_entries(entries: array[int], times: TimeList) -> bytes:
    """Entries and times in little room: how long after the one before each was, and of all numbers first the lowest bytes, then the next."""
    numbers = np.stack([np.array(entries, np.uint64).view(np.int64), np.diff(times.tolist(), prepend=0)])
    return zlib.compress(
        np.ascontiguousarray(numbers.astype("<i8").view(np.uint8).reshape(2, -1, 8).transpose(0, 2, 1)).tobytes()
    )


@lru_cache(maxsize=16)
def _decompress_entries(text: bytes) -> tuple[array[int], TimeList]:
    """What `_compress_entries` has put together."""
    planes = np.frombuffer(zlib.decompress(text), np.uint8).reshape(2, 8, -1)
    numbers = np.ascontiguousarray(planes.transpose(0, 2, 1)).view("<i8").reshape(2, -1)
    times = TimeList()
    for at_ms in np.cumsum(numbers[1]).tolist():
        times.append(at_ms)
    return array("Q", numbers[0].view(np.uint64).tolist()), times
