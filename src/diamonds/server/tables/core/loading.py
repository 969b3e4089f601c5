"""A table from what is stored of it: its entries are played again, and every one is checked.

This runs in a thread of its own, beside the event loop; so it lets go of the interpreter again and again, or everybody at
every other table would wait for a long game.
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
from diamonds.entries import AnswerEntry, SeatChangeEntry, TimeoutEntry, UndoEntry, parse_entry
from diamonds.errors import DiamondsError
from diamonds.game import find_game
from diamonds.server.api.codec import encode
from diamonds.server.storage.interface import StoredTable
from diamonds.server.storage.outcomes import DamagedTableError
from diamonds.server.tables.core.clocks import ClockState
from diamonds.server.tables.core.seating import Seating, TableHeader
from diamonds.server.tables.core.table import Table

YIELD_EVERY_S = 0.001  # seconds of playing without a pause
YIELD_S = 0.0002  # seconds of pause

Item = TypeVar("Item")
ParsedEntry = UndoEntry | SeatChangeEntry | TimeoutEntry | AnswerEntry

_header_decoder = msgspec.json.Decoder(TableHeader)
_seating_decoder = msgspec.json.Decoder(Seating)
_clock_decoder = msgspec.json.Decoder(ClockState)


def decode_header(text: bytes) -> TableHeader:
    """Return a table's header with all options; `DamagedTableError` if it is none."""
    header: TableHeader = _decode(_header_decoder, text)
    try:
        find_game(header.game).check_version(header.version)
        header.options = _complete_options(header.game, header.seats, encode(header.options))
    except DiamondsError as error:
        raise DamagedTableError(f"{error}") from None
    return header


def decode_seating(text: bytes, header: TableHeader) -> Seating:
    """Who has a table's seats; `DamagedTableError` if it does not say so for every seat."""
    seating: Seating = _decode(_seating_decoder, text)
    for holder in seating.seats:
        if holder.kind not in ("open", "person", "bot"):
            raise DamagedTableError(f"a seat is {holder.kind[:20]!r}")
    for subject, values in (
        ("seats", seating.seats),
        ("nonces", seating.nonces),
        ("beginnings", seating.initial_holders),
    ):
        if len(values) != header.seats and (values or subject == "seats"):
            raise DamagedTableError(f"there are {len(values)} {subject} for {header.seats} seats")
    for seat, nonce in enumerate(seating.nonces):
        if seating.seats[seat].nonce == nonce:
            seating.nonces[seat] = seating.seats[seat].nonce  # which is kept once
    return seating


@lru_cache(maxsize=1000)
def _complete_options(game: str, seats: int, options: bytes) -> dict[str, bool | int | str]:
    """Return the options with the defaults of those that are younger than the table. Tables share the result; nobody changes it."""
    return find_game(game).check_options(seats, msgspec.json.decode(options))


def decode_table_clocks(text: bytes, at_ms: int, seats: int) -> ClockState:
    """A table's clocks as they were at a time; `DamagedTableError` if there is not one for every seat."""
    clock_state = decode_clock_state(text, at_ms)
    if not len(clock_state.remaining_ms) == len(clock_state.used_ms) == len(clock_state.timeouts) == seats:
        raise DamagedTableError(f"there are {len(clock_state.remaining_ms)} clocks for {seats} seats")
    return clock_state


def decode_clock_state(text: bytes, at_ms: int) -> ClockState:
    """The same, whatever table they are of."""
    clock_state: ClockState = _decode(_clock_decoder, text)
    return msgspec.structs.replace(clock_state, at_ms=at_ms)


def _decode(decoder: msgspec.json.Decoder[Any], text: bytes) -> Any:
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DamagedTableError(f"{error}") from None


def load_table(table_id: str, stored: StoredTable) -> Table:
    """The table; `DamagedTableError` says what is wrong with what is stored."""
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
        raise DamagedTableError(f"no game begins: {error}") from error
    if stored.entries and table.game_state.state is None:
        raise DamagedTableError("there are entries, but the game has not begun")
    _replay_entries(table, stored)
    if table.phase != stored.phase:
        raise DamagedTableError(f"the game is {table.phase}, but the table says {stored.phase[:20]!r}")
    return table


def _replay_entries(table: Table, stored_table: StoredTable) -> None:
    """Every entry, in order."""
    entries = []
    for n, (_, text, *_) in enumerate(_cooperatively(stored_table.entries)):
        try:
            entries.append(parse_entry(text))
        except ValueError as error:
            raise DamagedTableError(f"entry {n}: {error}") from None
    undo_counts = Counter(entry.target for entry in entries if isinstance(entry, UndoEntry))
    saved_states: dict[int, np.void] = {}
    for n, (entry, stored) in enumerate(_cooperatively(zip(entries, stored_table.entries, strict=True))):
        if n in undo_counts:
            assert table.game_state.state is not None
            saved_states[n] = fields.copy_state(table.game_state.state)
        if isinstance(entry, UndoEntry):
            if entry.target not in saved_states:
                raise DamagedTableError(f"entry {n} goes back to {entry.target}")
            replay_entry(table, entry, stored, fields.copy_state(saved_states[entry.target]))
            undo_counts[entry.target] -= 1
            if not undo_counts[entry.target]:
                del saved_states[entry.target]
        else:
            replay_entry(table, entry, stored)


def replay_entry(
    table: Table, entry: ParsedEntry, stored: tuple[int, str, str, str, int], undo_state: np.void | None = None
) -> None:
    """One entry more, as it is stored; ``before`` is the state to which an undo leads. `DamagedTableError` if it is none."""
    seat, text, person, key, at_ms = stored
    n, state = table.n, table.game_state.state
    assert state is not None
    if not 0 <= seat < table.header.seats or at_ms < 0:
        raise DamagedTableError(f"entry {n} is of seat {seat}, at {at_ms}")
    key_hash = hash((person, key)) if key else 0
    if isinstance(entry, UndoEntry):
        assert undo_state is not None
        table.game_state.commit_undo(seat, entry.target, undo_state, not entry.agreed, at_ms, key_hash)
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
            raise DamagedTableError(f"entry {n}, {text[:40]!r} of seat {seat}: {error}") from None
        [step] = table.game_state.preview_steps(seat, [number])
        table.game_state.commit_step(step, at_ms, key_hash, entry.substitute_level)


def _cooperatively(items: Iterable[Item]) -> Iterator[Item]:
    """One after the other, with pauses in which the event loop gets its turn."""
    next_pause = time.perf_counter() + YIELD_EVERY_S
    for item in items:
        yield item
        if time.perf_counter() > next_pause:
            time.sleep(YIELD_S)
            next_pause = time.perf_counter() + YIELD_EVERY_S
