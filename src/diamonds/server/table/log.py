"""What happened at a table, one entry after the other, and what was told of it, in little room.

A table's *entries* are its answers, its undos and its changes of seats, in order (see `entries.py`); ``n`` counts them, so
``n`` only ever grows. The state after an ``undo to k`` is the state after the first ``k`` entries; that a seat changes hands, or that
somebody's time is up, leaves the state as it is.
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
from diamonds.entries import answer_words, undo_words
from diamonds.game import Game
from diamonds.server.table import entries as kinds
from diamonds.server.table.entries import SEAT, STILL, TIMEOUT, UNDO, answer_of, question_of, seat_of, undone_to
from diamonds.server.table.places import kind_of

_rows = msgspec.msgpack.Decoder(list[tuple[int, ...]])
_many_rows = msgspec.msgpack.Decoder(list[list[tuple[int, ...]]])
_pack = msgspec.msgpack.Encoder().encode
BLOCK = 64  # entries whose rows are packed together once they are no news any more,
REST = 1024  # and once the game is over


class Times:
    """Moments in milliseconds since 1970, kept by how long each is after the first."""

    __slots__ = ("_after", "_begin")

    def __init__(self) -> None:
        self._begin = 0
        self._after = array(
            "I"
        )  # or "q", where it is longer than 49 days, or before the first, as when that is not known

    def __len__(self) -> int:
        return len(self._after)

    def __getitem__(self, at: int) -> int:
        return self._begin + self._after[at]

    def __iter__(self) -> Iterator[int]:
        return (self._begin + after for after in self._after)

    def tolist(self) -> list[int]:
        """All of them."""
        return list(self)

    def copy(self) -> Times:
        """The same, to be gone on with."""
        other = Times()
        other._begin, other._after = self._begin, self._after[:]
        return other

    def append(self, moment: int) -> None:
        """One more."""
        if not self._after:
            self._begin = moment
        after = moment - self._begin
        if after >> 32 and self._after.typecode == "I":
            self._after = array("q", self._after)
        self._after.append(after)


class Log:
    """The entries of one table."""

    __slots__ = (
        "_at",
        "_ends",
        "_entries",
        "_from",
        "_keys",
        "_newest",
        "_packed",
        "_rest",
        "_told",
        "game",
        "n",
        "people",
    )

    def __init__(self, game: Game) -> None:
        self.game = game
        self.n = 0  # how many entries there are
        self._entries = array("Q")
        self._at = Times()
        self._rest: bytes | None = None  # once the game is over, both of them in little room
        self._keys = array("I")  # of each entry's POST, the lower half of its hash
        self.people: list[str] = [""]  # whom entries name, by number: ``person:ID``, ``bot:LEVEL``, ``open``
        self._packed: list[tuple[int, bytes]] = []  # rows told earlier: from an n on, those of each entry
        self._from = 0  # the n of the first entry of which the rows told are here as they are:
        self._told = bytearray()  # those rows,
        self._ends = array("I")  # and where those of each entry end
        self._newest: list[tuple[int, ...]] | None = []  # the rows told last, which all are told now

    @property
    def entries(self) -> array[int]:
        """What has happened, to be read only; see `entries.py`."""
        return self._entries if self._rest is None else _at_rest(self._rest)[0]

    @property
    def at(self) -> Times:
        """When each entry was made, to be read only."""
        return self._at if self._rest is None else _at_rest(self._rest)[1]

    def number_of(self, who: str) -> int:
        """The place of someone in ``people``, from now on."""
        if who not in self.people:
            self.people.append(who)
        return self.people.index(who)

    def time_for_entry(self) -> int:
        """The time of an entry made now, in milliseconds; a clock that was put back does not bring it before the last one."""
        now = time.time_ns() // 1_000_000
        return max(now, self.at[-1]) if self.at else now

    def append(self, entry: int, at: int, key: int, told: list[tuple[int, ...]]) -> None:
        """One more entry, and the rows that it tells."""
        rests = self._rest
        if rests is not None:
            entries, times = _at_rest(rests)
            self._entries, self._at = entries[:], times.copy()
        self._entries.append(entry)
        self._at.append(at)
        self.n += 1
        if rests is None:
            self._keys.append(key & 0xFFFFFFFF)
            self.tell(told)
        else:
            self.tell(told)
            self._lie_down()

    def may_know(self, key: int) -> bool:
        """Whether an entry may be of the POST whose key has this hash; if not, none is."""
        return self._rest is not None or key & 0xFFFFFFFF in self._keys

    def rest(self) -> None:
        """The game is over: nearly all that is asked for from now on is kept in little room, or in the store."""
        told = [self.told(n) for n in range(self.n + 1)]
        self._packed = [(n, zlib.compress(_pack(told[n : n + REST]))) for n in range(0, len(told), REST)]
        self._from, self._told, self._ends = len(told), bytearray(), array("I")
        self._keys = array("I")
        self._lie_down()

    def _lie_down(self) -> None:
        """Entries and times, in little room."""
        self._rest = _resting(self._entries, self._at)
        self._entries, self._at, self._newest = array("Q"), Times(), None

    def _pack(self, count: int) -> None:
        """The oldest so many of these rows, in little room: as the inside of a list of so many, by MessagePack."""
        end = self._ends[count - 1]
        self._packed.append((self._from, zlib.compress(b"\xdd" + count.to_bytes(4, "big") + self._told[:end])))
        self._from += count
        self._told = self._told[end:]
        self._ends = array("I", [each - end for each in self._ends[count:]])

    # What was told

    def tell(self, rows: list[tuple[int, ...]]) -> None:
        """What the last entry told; or the first deal, before there is any."""
        if len(self._ends) >= 2 * BLOCK:  # the newest of them are asked for with nearly every message
            self._pack(BLOCK)
        self._newest = rows
        self._told += _pack(rows)
        self._ends.append(len(self._told))

    def told(self, n: int) -> list[tuple[int, ...]]:
        """The rows told by entry n (0: by the first deal)."""
        if n == self.n and self._newest is not None:
            return self._newest
        if n < self._from:
            first, block = next(packed for packed in reversed(self._packed) if packed[0] <= n)
            return _unpacked(block)[n - first]
        k = n - self._from
        return _rows.decode(memoryview(self._told)[self._ends[k - 1] if k else 0 : self._ends[k]])

    # What stands

    def chain(self, n: int | None = None) -> list[tuple[int, int]]:
        """The answers that led to the state after ``n`` entries, as (n before it, entry); what was undone is left out."""
        at = self.n if n is None else n
        found = []
        while at:
            at -= 1
            entry = self.entries[at]
            kind = question_of(entry)
            if kind == UNDO:
                at = undone_to(entry)
            elif kind not in STILL:
                found.append((at, entry))
        return found[::-1]

    def moment(self, n: int) -> int:
        """The first n that had the state after ``n`` entries: an undo leads to an earlier moment, a change of seats to none."""
        while n:
            entry = self.entries[n - 1]
            kind = question_of(entry)
            if kind == UNDO:
                n = undone_to(entry)
            elif kind in STILL:
                n -= 1
            else:
                break
        return n

    def last_of(self, seat: int, n: int) -> int | None:
        """The n before the seat's last answer that stands after ``n`` entries, or ``None``."""
        at = n
        while at:
            at -= 1
            entry = self.entries[at]
            kind = question_of(entry)
            if kind == UNDO:
                at = undone_to(entry)
            elif kind not in STILL and seat_of(entry) == seat:
                return at
        return None

    # In words

    def words_of(self, entry: int) -> str:
        """An entry as it is stored and spelled: ``play H7``, ``undo 12``, ``seat open``."""
        kind = question_of(entry)
        if kind == UNDO:
            return undo_words(undone_to(entry), kinds.was_agreed(entry))
        if kind == TIMEOUT:
            return TIMEOUT_WORDS
        if kind == SEAT:
            return f"seat {kind_of(self.people[kinds.who_of(entry)])}"
        question = self.game.questions[kind]
        by = self.people[kinds.by_of(entry)].removeprefix("bot:")
        return answer_words(f"{question.name} {question.answers[answer_of(entry)]}", by)

    def words_of_question(self, entry: int) -> str:
        """The question that an entry answered; for any other entry, none."""
        kind = question_of(entry)
        return "" if kind in (UNDO, *STILL) else self.game.questions[kind].name


@lru_cache(maxsize=16)
def _unpacked(block: bytes) -> list[list[tuple[int, ...]]]:
    """The rows of each of these entries."""
    return _many_rows.decode(zlib.decompress(block))


def _resting(entries: array[int], times: Times) -> bytes:
    """Entries and times in little room: how long after the one before each was, and of all numbers first the lowest bytes, then the next."""
    numbers = np.stack([np.array(entries, np.uint64).view(np.int64), np.diff(times.tolist(), prepend=0)])
    return zlib.compress(
        np.ascontiguousarray(numbers.astype("<i8").view(np.uint8).reshape(2, -1, 8).transpose(0, 2, 1)).tobytes()
    )


@lru_cache(maxsize=16)
def _at_rest(text: bytes) -> tuple[array[int], Times]:
    """What `_resting` has put together."""
    planes = np.frombuffer(zlib.decompress(text), np.uint8).reshape(2, 8, -1)
    numbers = np.ascontiguousarray(planes.transpose(0, 2, 1)).view("<i8").reshape(2, -1)
    times = Times()
    for moment in np.cumsum(numbers[1]).tolist():
        times.append(moment)
    return array("Q", numbers[0].view(np.uint64).tolist()), times
