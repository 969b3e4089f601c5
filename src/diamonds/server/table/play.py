"""The game at a table: the state that its entries lead to, who plays it, and since when each question is open.

All of it follows from the header and the log: played again, it is the same to the bit. Nothing here waits or writes.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from diamonds import deals, fields
from diamonds.events import new_log
from diamonds.game import Game
from diamonds.server.table import entries as kinds
from diamonds.server.table.entries import answer_of, question_of, seat_of
from diamonds.server.table.header import Header
from diamonds.server.table.log import Log
from diamonds.server.table.places import Places


class Step(NamedTuple):
    """What an answer leads to, before it is durable: the state, the entry, and what was told."""

    state: np.void
    entry: int
    rows: list[tuple[int, ...]]
    dealt: bool
    closed: np.void | None  # the state at the end of a deal, before the next; where the answer ended one


class Play:
    """The game at one table, as its log leads to it."""

    __slots__ = (
        "_all_ends",
        "_nonces",
        "dealt_at",
        "ends",
        "game",
        "header",
        "held",
        "last_own",
        "log",
        "open_since",
        "phase",
        "sitting",
        "state",
        "team_of",
    )  # fmt: skip

    def __init__(self, game: Game, header: Header, log: Log) -> None:
        self.game = game
        self.header = header
        self.log = log
        self._nonces: list[str] = []  # as its places have them
        self.phase = "waiting"
        self.state: np.void | None = None
        self.team_of: tuple[int, ...] = ()
        self.sitting: list[int] = []  # of each seat, who has it after all entries, as a place in ``log.people``
        self.held: dict[str, int] = {}  # the seat whose hand a person has seen: they take no other one
        self.dealt_at = 0
        self.ends: dict[int, bytes] = {}  # by n, the states at the end of the deals that stand, compressed;
        self._all_ends = b""  # once the game is over, all of them together, in less room
        self.last_own: list[int | None] = [None] * header.seats  # the n before each seat's last answer that stands
        self.open_since = [0] * header.seats  # the n at which each seat's open question was put

    @property
    def secret(self) -> bytes:
        """The house's part of what the deals follow from,"""
        return bytes.fromhex(self.header.secret)

    @property
    def nonces(self) -> list[bytes]:
        """and that of each seat, once the game has begun."""
        return [bytes.fromhex(nonce) for nonce in self._nonces]

    def ends_of_deals(self) -> list[np.void]:
        """The states in which the deals that stand have ended, in their order."""
        kept = [self._all_ends] if self._all_ends else self.ends.values()
        return [end for part in kept for end in np.frombuffer(zlib.decompress(part), self.game.dtype)]

    def begin(self, places: Places) -> None:
        """All seats are taken: cut and deal."""
        self._nonces = places.nonces
        if not places.began:  # a table of schema 1: who began is not known
            places.began = [place.who for place in places.seats]
        self.sitting = [self.log.number_of(who) for who in places.began]
        for seat, who in enumerate(places.began):
            self._hold(seat, who)
        seats = self.header.seats
        cut = deals.cut(self.secret, self.nonces, seats, self.game.pack_at(seats, self.header.options))
        state = self.game.start(seats, self.header.options, cut, self.header.version)
        self.state = state
        self.team_of = tuple(int(self.game.rules.team(state, seat)) for seat in range(seats))
        rows: list[tuple[int, ...]] = []
        self._deal(state, rows)
        self.log.tell(rows)
        self.phase = "playing"

    def _deal(self, state: np.void, rows: list[tuple[int, ...]]) -> bool:
        """Hand out cards if they are wanted; what it tells goes to ``rows``."""
        if state["to_act"] or state["over"]:
            return False
        deck = deals.deck(self.secret, self.nonces, int(state["deals"]), self.game.pack(state))
        rows += _log_rows(self.game.deal(state, deck))
        return True

    def steps(self, seat: int, numbers: Sequence[int]) -> list[Step]:
        """What answers that `batch.read` has let pass would lead to, one after the other. Changes nothing."""
        state, steps = self.state, []
        assert state is not None
        for number in numbers:
            steps.append(self._step(fields.copy_state(state), seat, number))
            state = steps[-1].state
        return steps

    def _step(self, state: np.void, seat: int, number: int) -> Step:
        """Apply a legal answer to a state of one's own."""
        asked = int(state["question"])
        log = new_log()
        self.game.rules.step(state, seat, number, log)
        rows = _log_rows(log)
        closed = fields.copy_state(state) if self.game.pad and not state["to_act"] else None
        dealt = self._deal(state, rows)
        return Step(state, kinds.answer_entry(seat, asked, number), rows, dealt, closed)

    def apply(self, step: Step, at: int, key: int = 0, by: str = "") -> None:
        """The step is durable: this is the state now. ``by`` is the level of the bot that answered for someone."""
        seat = seat_of(step.entry)
        before = self.state
        assert before is not None
        asked_before = (int(before["question"]), int(before["to_act"]))
        self.state = step.state
        self.last_own[seat] = self.log.n
        entry = step.entry
        if by:
            entry = kinds.answer_entry(seat, question_of(entry), answer_of(entry), self.log.number_of(f"bot:{by}"))
        self.log.append(entry, at, key, step.rows)
        n = self.log.n
        if step.closed is not None:
            self.ends[n] = packed(step.closed)
        if step.dealt:
            self.dealt_at = n
        same_question = int(step.state["question"]) == asked_before[0] and not step.dealt
        for other in range(self.header.seats):
            still_asked = same_question and other != seat and asked_before[1] >> other & 1
            if not still_asked:
                self.open_since[other] = n
        if step.state["over"]:
            self.phase = "over"
            self._all_ends = zlib.compress(b"".join(map(zlib.decompress, self.ends.values())))
            self.ends = {}
            self.log.rest()

    def step_back(self, seat: int, to: int, state: np.void, at_will: bool, at: int, key: int = 0) -> None:
        """The undo is durable: ``state``, that after ``to`` entries, is the state now."""
        self.state = state
        self.ends = {n: end for n, end in self.ends.items() if n <= to}
        self.last_own = [self.log.last_of(other, to) for other in range(self.header.seats)]
        self.log.append(kinds.undo_entry(seat, to, not at_will), at, key, [(kinds.TOLD_UNDO, seat, to)])
        n = self.log.n
        for other in range(self.header.seats):
            self.open_since[other] = n

    def reseat(self, seat: int, who: str, at: int, key: int = 0) -> None:
        """A seat has changed hands, durably: ``who`` is ``open``, ``person:ID`` or ``bot:LEVEL``. The game stays as it is."""
        before, now = self.sitting[seat], self.log.number_of(who)
        self.sitting[seat] = now
        self._hold(seat, who)
        self.log.append(kinds.seat_entry(seat, now), at, key, [(kinds.TOLD_SEAT, seat, before, now)])

    def time_out(self, seat: int, at: int) -> None:
        """A seat's time was up, durably. The game stays as it is."""
        self.log.append(kinds.timeout_entry(seat), at, 0, [(kinds.TOLD_TIMEOUT, seat)])

    def _hold(self, seat: int, who: str) -> None:
        """Whoever has a seat after the deal has seen its hand."""
        kind, _, person = who.partition(":")
        if kind == "person":
            self.held.setdefault(person, seat)


def packed(state: np.void) -> bytes:
    """A state in little room, as `Play.ends` has it."""
    return zlib.compress(state.tobytes())


def _log_rows(log: Any) -> list[tuple[int, ...]]:
    return [tuple(row) for row in log[1 : log[0, 0] + 1].tolist()]
