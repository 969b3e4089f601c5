"""Loading of tables, which replays the stored entries and checks each one.

Loading runs in a thread beside the event loop. It regularly releases the interpreter, because otherwise a long game
would delay all other tables.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, TypeVar

import msgspec
import numpy as np

from diamonds import fields
from diamonds.decisions import AskedQuestion
from diamonds.entries import AnswerEntry, SeatChangeEntry, TimeoutEntry, UndoEntry, parse_entry
from diamonds.errors import DiamondsError
from diamonds.game import find_game
from diamonds.server.api.codec import encode
from diamonds.server.storage.commit_outcomes import DamagedTableError
from diamonds.server.storage.table_data import StoredTable
from diamonds.server.tables.core.clocks import ClockState
from diamonds.server.tables.core.seating import SeatsAndSettings, TableHeader
from diamonds.server.tables.core.table import Table

YIELD_EVERY_S = 0.001
YIELD_S = 0.0002

Item = TypeVar("Item")
ParsedEntry = UndoEntry | SeatChangeEntry | TimeoutEntry | AnswerEntry

_header_decoder = msgspec.json.Decoder(TableHeader)
_seating_decoder = msgspec.json.Decoder(SeatsAndSettings)
_clock_decoder = msgspec.json.Decoder(ClockState)


def decode_header(text: bytes) -> TableHeader:
    """Return a table's header with all options. Raise `DamagedTableError` if it is invalid."""
    header: TableHeader = _decode(_header_decoder, text)
    try:
        find_game(header.game).check_version(header.version)
        header.options = _complete_options(header.game, header.seats, encode(header.options))
    except DiamondsError as error:
        raise DamagedTableError(f"{error}") from None
    return header


def decode_seating(text: bytes, header: TableHeader) -> SeatsAndSettings:
    """Return a table's seating. Raise `DamagedTableError` if it does not fit the header."""
    seating: SeatsAndSettings = _decode(_seating_decoder, text)
    for holder in seating.seats:
        if holder.kind not in ("open", "person", "bot"):
            raise DamagedTableError(f"unknown kind of seat holder: {holder.kind[:20]!r}")
    for subject, values in (
        ("seats", seating.seats),
        ("nonces", seating.nonces),
        ("initial holders", seating.initial_holders),
    ):
        if len(values) != header.seats and (values or subject == "seats"):
            raise DamagedTableError(f"expected {header.seats} {subject}, found {len(values)}")
    for seat, nonce in enumerate(seating.nonces):
        if seating.seats[seat].nonce == nonce:
            seating.nonces[seat] = seating.seats[seat].nonce  # so that they share one string in memory
    return seating


@lru_cache(maxsize=1000)
def _complete_options(game: str, seats: int, options: bytes) -> dict[str, bool | int | str]:
    """Return the options with defaults for those added after the table was created.

    The result is shared and must not be changed.
    """
    return find_game(game).check_options(seats, msgspec.json.decode(options))


def decode_table_clocks(text: bytes, at_ms: int, seats: int) -> ClockState:
    """Return a table's clocks at a time. Raise `DamagedTableError` unless every seat has one."""
    clock_state = decode_clock_state(text, at_ms)
    if not len(clock_state.remaining_ms) == len(clock_state.used_ms) == len(clock_state.timeouts) == seats:
        raise DamagedTableError(f"expected {seats} clocks, found {len(clock_state.remaining_ms)}")
    return clock_state


def decode_clock_state(text: bytes, at_ms: int) -> ClockState:
    """Return clocks at a time, for any number of seats."""
    clock_state: ClockState = _decode(_clock_decoder, text)
    return msgspec.structs.replace(clock_state, at_ms=at_ms)


def _decode(decoder: msgspec.json.Decoder[Any], text: bytes) -> Any:
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DamagedTableError(f"{error}") from None


def load_table(table_id: str, stored: StoredTable) -> Table:
    """Return a table from its stored data. Raise `DamagedTableError` with the reason if the data is invalid."""
    header = decode_header(stored.header)
    seating = decode_seating(stored.seating, header)
    try:
        table = Table(table_id, header, seating, stored.revision)
        table.chat = list(stored.chat)
        if stored.clocks and header.time_control:
            table.clocks = decode_table_clocks(stored.clocks, stored.clocks_at_ms, header.seats)
        if seating.nonces:
            table.game_state.begin(table.seating)
    except (DiamondsError, ValueError, KeyError, OverflowError) as error:
        raise DamagedTableError(f"the game cannot start: {error}") from error
    if stored.entries and table.game_state.state is None:
        raise DamagedTableError("there are entries, but the game has not started")
    _replay_entries(table, stored)
    if table.phase != stored.phase:
        raise DamagedTableError(f"the game is {table.phase!r}, but the stored phase is {stored.phase[:20]!r}")
    return table


def _replay_entries(table: Table, stored_table: StoredTable) -> None:
    """Replay all entries in order."""
    entries = []
    for n, (_, text, *_) in enumerate(_cooperatively(stored_table.entries)):
        try:
            entries.append(parse_entry(text))
        except ValueError as error:
            raise DamagedTableError(f"entry {n}: {error}") from None
    undo_counts = Counter(entry.target for entry in entries if isinstance(entry, UndoEntry))
    saved: dict[int, tuple[np.void, AskedQuestion]] = {}
    for n, (entry, stored) in enumerate(_cooperatively(zip(entries, stored_table.entries, strict=True))):
        if n in undo_counts:
            state, asked_question = table.game_state.state, table.game_state.asked_question
            assert state is not None
            assert asked_question is not None
            saved[n] = fields.copy_state(state), asked_question.copy()
        if isinstance(entry, UndoEntry):
            if entry.target not in saved:
                raise DamagedTableError(f"entry {n} undoes to {entry.target}, which is not before it")
            state, asked_question = saved[entry.target]
            replay_entry(table, entry, stored, (fields.copy_state(state), asked_question.copy()))
            undo_counts[entry.target] -= 1
            if not undo_counts[entry.target]:
                del saved[entry.target]
        else:
            replay_entry(table, entry, stored)


def replay_entry(
    table: Table,
    entry: ParsedEntry,
    stored: tuple[int, str, str, str, int],
    earlier: tuple[np.void, AskedQuestion] | None = None,
) -> None:
    """Replay one stored entry; `earlier` is the state, with its open question, to which an undo returns.

    Raise `DamagedTableError` if it is invalid.
    """
    seat, text, person, key, at_ms = stored
    n, state = table.n, table.game_state.state
    assert state is not None
    if not 0 <= seat < table.header.seats or at_ms < 0:
        raise DamagedTableError(f"entry {n} has seat {seat} and time {at_ms}")
    key_hash = hash((person, key)) if key else 0
    if isinstance(entry, UndoEntry):
        assert earlier is not None
        table.game_state.commit_undo(seat, entry.target, earlier, not entry.agreed, at_ms, key_hash)
    elif isinstance(entry, TimeoutEntry):
        table.game_state.commit_timeout(seat, at_ms)
    elif isinstance(entry, SeatChangeEntry):
        table.game_state.commit_seat_change(
            seat, f"person:{person}" if entry.holder == "person" else entry.holder, at_ms, key_hash
        )
    else:
        try:
            number = table.game.parse_answer(state, seat, entry.question, entry.answer)
        except DiamondsError as error:
            raise DamagedTableError(f"entry {n} ({text[:40]!r} of seat {seat}): {error}") from None
        [step] = table.game_state.preview_steps(seat, [number])
        table.game_state.commit_step(step, at_ms, key_hash, entry.substitute_level)


def _cooperatively(items: Iterable[Item]) -> Iterator[Item]:
    """Yield the items, with pauses that let the event loop run."""
    next_pause = time.perf_counter() + YIELD_EVERY_S
    for item in items:
        yield item
        if time.perf_counter() > next_pause:
            time.sleep(YIELD_S)
            next_pause = time.perf_counter() + YIELD_EVERY_S
