"""The game at a table: the state after its entries, its players, and when each question was asked.

Everything follows from the header and the log; a replay gives the same bits. Nothing here waits or writes.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from diamonds import deals, fields
from diamonds.decisions import AskedQuestion, question_key
from diamonds.events import new_log
from diamonds.game import Game
from diamonds.server.tables.core import entry_log as kinds
from diamonds.server.tables.core.entry_log import EntryLog, answer_of, question_of, seat_of
from diamonds.server.tables.core.seating import SeatsAndSettings, TableHeader


class GameStep(NamedTuple):
    """The result of an answer before it is durable: state, entry and event rows."""

    state: np.void
    entry: int
    rows: list[tuple[int, ...]]
    has_dealt: bool
    deal_end: np.void | None  # the state at the end of a deal, if the answer ended one


class GameState:
    """The game at one table, as its log determines it."""

    __slots__ = (
        "_all_deal_ends", "_nonces", "asked_question", "deal_ends", "game", "hand_seats", "header", "holders",
        "last_answer_n", "last_deal_n", "log", "phase", "question_since", "state", "team_of",
    )  # fmt: skip

    def __init__(self, game: Game, header: TableHeader, log: EntryLog) -> None:
        self.game = game
        self.header = header
        self.log = log
        self.asked_question: AskedQuestion | None = None  # set once the game has begun
        self._nonces: list[str] = []  # the nonces of the seating
        self.phase = "waiting"
        self.state: np.void | None = None
        self.team_of: tuple[int, ...] = ()
        self.holders: list[int] = []  # for each seat, the index of its current holder in `log.holder_ids`
        # By person: the only seat they may take, because they have seen its hand.
        self.hand_seats: dict[str, int] = {}
        self.last_deal_n = 0
        self.deal_ends: dict[int, bytes] = {}  # compressed states at the end of the effective deals, by n
        self._all_deal_ends = b""  # all `deal_ends` in one block, once the game is over
        self.last_answer_n: list[int | None] = [None] * header.seats  # n before each seat's last effective answer
        self.question_since = [0] * header.seats  # n at which each seat's open question was asked

    @property
    def secret(self) -> bytes:
        """The table's secret, from which the deals follow together with the nonces."""
        return bytes.fromhex(self.header.secret)

    @property
    def nonces(self) -> list[bytes]:
        """The nonce of each seat, once the game has begun."""
        return [bytes.fromhex(nonce) for nonce in self._nonces]

    def deal_end_states(self) -> list[np.void]:
        """Return the states at the end of each effective deal, in order."""
        compressed = [self._all_deal_ends] if self._all_deal_ends else self.deal_ends.values()
        return [end for part in compressed for end in np.frombuffer(zlib.decompress(part), self.game.dtype)]

    def begin(self, seating: SeatsAndSettings) -> None:
        """Cut and deal, now that all seats are taken."""
        self._nonces = seating.nonces
        if not seating.initial_holders:  # tables of schema 1 have no initial holders
            seating.initial_holders = [holder.holder_id for holder in seating.seats]
        self.holders = [self.log.holder_index(holder_id) for holder_id in seating.initial_holders]
        for seat, holder_id in enumerate(seating.initial_holders):
            self._note_hand_seen(seat, holder_id)
        seats = self.header.seats
        cut = deals.cut_cards(self.secret, self.nonces, seats, self.game.pack_for(seats, self.header.options))
        state = self.game.start(seats, self.header.options, cut, self.header.version)
        self.state = state
        self.team_of = tuple(int(self.game.rules.team(state, seat)) for seat in range(seats))
        rows: list[tuple[int, ...]] = []
        self._deal(state, rows)
        self.asked_question = AskedQuestion(state)
        self.log.append_events(rows)
        self.phase = "playing"

    def _deal(self, state: np.void, rows: list[tuple[int, ...]]) -> bool:
        """Deal if the state needs cards, and append the events to `rows`. Return whether it did."""
        if state["to_act"] or state["over"]:
            return False
        deck = deals.deck(self.secret, self.nonces, int(state["deals"]), self.game.pack(state))
        rows += _log_rows(self.game.deal(state, deck))
        return True

    def preview_steps(self, seat: int, numbers: Sequence[int]) -> list[GameStep]:
        """Return the steps of answers that `parse_answers` has accepted, without changing anything."""
        state, steps = self.state, []
        assert state is not None
        for number in numbers:
            steps.append(self._preview_step(fields.copy_state(state), seat, number))
            state = steps[-1].state
        return steps

    def _preview_step(self, state: np.void, seat: int, number: int) -> GameStep:
        """Apply a legal answer to `state`, which the caller must no longer use."""
        question_number = int(state["question"])
        log = new_log()
        self.game.rules.step(state, seat, number, log)
        rows = _log_rows(log)
        deal_end = fields.copy_state(state) if self.game.score_pad_fields and not state["to_act"] else None
        has_dealt = self._deal(state, rows)
        return GameStep(state, kinds.answer_entry(seat, question_number, number), rows, has_dealt, deal_end)

    def commit_step(self, step: GameStep, at_ms: int, key_hash: int = 0, substitute: str = "") -> None:
        """Make a durable step the current state. `substitute` is the level of the bot that answered for a person."""
        seat = seat_of(step.entry)
        before = self.state
        assert before is not None
        key_before = question_key(before)
        self.state = step.state
        self.last_answer_n[seat] = self.log.n
        entry = step.entry
        if substitute:
            entry = kinds.answer_entry(
                seat, question_of(entry), answer_of(entry), self.log.holder_index(f"bot:{substitute}")
            )
        self.log.append(entry, at_ms, key_hash, step.rows)
        n = self.log.n
        if step.deal_end is not None:
            self.deal_ends[n] = compress_state(step.deal_end)
        if step.has_dealt:
            self.last_deal_n = n
        assert self.asked_question is not None
        self.asked_question.note_answer(key_before, seat, answer_of(step.entry), step.state)
        same_question = int(step.state["question"]) == key_before[0] and not step.has_dealt
        for other in range(self.header.seats):
            still_to_act = same_question and other != seat and key_before[2] >> other & 1
            if not still_to_act:
                self.question_since[other] = n
        if step.state["over"]:
            self.phase = "over"
            self._all_deal_ends = zlib.compress(b"".join(map(zlib.decompress, self.deal_ends.values())))
            self.deal_ends = {}
            self.log.compact()

    def commit_undo(
        self, seat: int, to: int, earlier: tuple[np.void, AskedQuestion], at_will: bool, at_ms: int, key_hash: int = 0
    ) -> None:
        """Return to the state and the open question after `to` entries, after a durable undo."""
        self.state, self.asked_question = earlier
        self.deal_ends = {n: end for n, end in self.deal_ends.items() if n <= to}
        self.last_deal_n = min(self.last_deal_n, max(self.deal_ends, default=0))
        self.last_answer_n = [self.log.last_answer_of(other, to) for other in range(self.header.seats)]
        self.log.append(kinds.undo_entry(seat, to, not at_will), at_ms, key_hash, [(kinds.EV_UNDO, seat, to)])
        n = self.log.n
        for other in range(self.header.seats):
            self.question_since[other] = n

    def commit_seat_change(self, seat: int, holder_id: str, at_ms: int, key_hash: int = 0) -> None:
        """Record a durable seat change; `holder_id` is `open`, `person:ID` or `bot:LEVEL`.

        The state stays unchanged.
        """
        before, now = self.holders[seat], self.log.holder_index(holder_id)
        self.holders[seat] = now
        self._note_hand_seen(seat, holder_id)
        self.log.append(
            kinds.seat_change_entry(seat, now), at_ms, key_hash, [(kinds.EV_SEAT_CHANGE, seat, before, now)]
        )

    def commit_timeout(self, seat: int, at_ms: int) -> None:
        """Record a durable timeout. The state stays unchanged."""
        self.log.append(kinds.timeout_entry(seat), at_ms, 0, [(kinds.EV_TIMEOUT, seat)])

    def _note_hand_seen(self, seat: int, holder_id: str) -> None:
        """Record that a person with a seat after the deal has seen its hand."""
        kind, _, person = holder_id.partition(":")
        if kind == "person":
            self.hand_seats.setdefault(person, seat)


def compress_state(state: np.void) -> bytes:
    """Compress a state for `GameState.deal_ends`."""
    return zlib.compress(state.tobytes())


def _log_rows(log: Any) -> list[tuple[int, ...]]:
    return [tuple(row) for row in log[1 : log[0, 0] + 1].tolist()]
