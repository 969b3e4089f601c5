"""What happened at a table, one entry after the other, and what was told of it, in little room.

A table's *entries* are its answers, its undos and its changes of seats, in order (see `entries.py`); ``n`` counts them, so
``n`` only ever grows. The state after an ``undo to k`` is the state after the first ``k`` entries; that a seat changes hands, or that
somebody's time is up, leaves the state as it is.
"""

from __future__ import annotations

import time
from array import array

import msgspec

from diamonds.entries import TIMEOUT as TIMEOUT_WORDS
from diamonds.entries import answer_words, undo_words
from diamonds.game import Game
from diamonds.server.table import entries as kinds
from diamonds.server.table.entries import SEAT, STILL, TIMEOUT, UNDO, answer_of, question_of, seat_of, undone_to
from diamonds.server.table.places import kind_of

_rows = msgspec.msgpack.Decoder(list[tuple[int, ...]])
_pack = msgspec.msgpack.Encoder().encode


class Log:
    """The entries of one table."""

    __slots__ = ("_ends", "_newest", "_told", "at", "entries", "game", "keys", "people")

    def __init__(self, game: Game) -> None:
        self.game = game
        self.entries = array("Q")  # see `entries.py`
        self.at = array("Q")  # when each was made, in milliseconds since 1970; never less than the one before
        self.keys = array("q")  # of each entry's POST, hashed
        self.people: list[str] = [""]  # whom entries name, by number: ``person:ID``, ``bot:LEVEL``, ``open``
        self._told = bytearray()
        self._ends = array("I")  # where the rows told up to each n end
        self._newest: list[tuple[int, ...]] = []  # the rows told last, which all are told now

    @property
    def n(self) -> int:
        """How many entries there are."""
        return len(self.entries)

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
        self.entries.append(entry)
        self.at.append(at)
        self.keys.append(key)
        self.tell(told)

    # What was told

    def tell(self, rows: list[tuple[int, ...]]) -> None:
        """What the last entry told; or the first deal, before there is any."""
        self._newest = rows
        self._told += _pack(rows)
        self._ends.append(len(self._told))

    def told(self, n: int) -> list[tuple[int, ...]]:
        """The rows told by entry n (0: by the first deal)."""
        if n == len(self.entries):
            return self._newest
        return _rows.decode(memoryview(self._told)[self._ends[n - 1] if n else 0 : self._ends[n]])

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
