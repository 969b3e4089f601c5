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
from diamonds.entries import Answer, NewSeat, TimeOut, Undo, read_words
from diamonds.game import Refused, find_game
from diamonds.server.api.encoding import encode
from diamonds.server.store.contract import Damaged, Stored
from diamonds.server.table.clocks import Clocks
from diamonds.server.table.header import Header
from diamonds.server.table.places import MISSING, PACES, TALKS, Places
from diamonds.server.table.table import Table

AT_ONCE = 0.001  # seconds of playing without a pause
PAUSE = 0.0002  # seconds of pause

Item = TypeVar("Item")
Entry = Undo | NewSeat | TimeOut | Answer

_header = msgspec.json.Decoder(Header)
_places = msgspec.json.Decoder(Places)
_clocks = msgspec.json.Decoder(Clocks)


def read_header(text: bytes) -> Header:
    """A table's header; `Damaged` if it is none."""
    header: Header = _read(_header, text)
    header.options = _as_others_have_them(encode(header.options))
    try:
        game = find_game(header.game)
        game.check_seats(header.seats)
        game.check_version(header.version)
    except Refused as refusal:
        raise Damaged(f"{refusal}") from None
    return header


def read_places(text: bytes, header: Header) -> Places:
    """Who has a table's seats; `Damaged` if it does not say so for every seat."""
    places: Places = _read(_places, text)
    for place in places.seats:
        if place.kind not in ("open", "person", "bot"):
            raise Damaged(f"a seat is {place.kind[:20]!r}")
    if places.pace not in PACES:
        raise Damaged(f"its pace is {places.pace[:20]!r}")
    if places.talk not in TALKS:
        raise Damaged(f"its talk is {places.talk[:20]!r}")
    if places.missing not in ("", *MISSING):
        raise Damaged(f"its missing people are {places.missing[:20]!r}")
    for what, known in (("seats", places.seats), ("nonces", places.nonces), ("beginnings", places.began)):
        if len(known) != header.seats and (known or what == "seats"):
            raise Damaged(f"there are {len(known)} {what} for {header.seats} seats")
    for seat, nonce in enumerate(places.nonces):
        if places.seats[seat].nonce == nonce:
            places.nonces[seat] = places.seats[seat].nonce  # which is kept once
    return places


@lru_cache(maxsize=1000)
def _as_others_have_them(options: bytes) -> dict[str, bool | int | str]:
    """Options; those that many tables have are kept once for all of these, and nobody changes them."""
    return msgspec.json.decode(options, type=dict[str, bool | int | str])


def read_clocks(text: bytes, at: int, seats: int) -> Clocks:
    """A table's clocks as they were at a time; `Damaged` if there is not one for every seat."""
    clocks = decode_clocks(text, at)
    if not len(clocks.left) == len(clocks.used) == len(clocks.outs) == seats:
        raise Damaged(f"there are {len(clocks.left)} clocks for {seats} seats")
    return clocks


def decode_clocks(text: bytes, at: int) -> Clocks:
    """The same, whatever table they are of."""
    clocks: Clocks = _read(_clocks, text)
    return msgspec.structs.replace(clocks, at=at)


def _read(decoder: msgspec.json.Decoder[Any], text: bytes) -> Any:
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Damaged(f"{error}") from None


def load(id: str, saved: Stored) -> Table:
    """The table; `Damaged` says what is wrong with what is stored."""
    header = read_header(saved.header)
    places = read_places(saved.places, header)
    try:
        table = Table(id, header, places, saved.revision)
        table.chat = list(saved.chat)
        if saved.clocks and header.clock:
            table.clocks = read_clocks(saved.clocks, saved.clock_at, header.seats)
        if places.nonces:
            table.play.begin(table.places)
    except (Refused, ValueError, KeyError, OverflowError) as error:
        raise Damaged(f"no game begins: {error}") from error
    if saved.entries and table.play.state is None:
        raise Damaged("there are entries, but the game has not begun")
    _play_again(table, saved)
    if table.phase != saved.phase:
        raise Damaged(f"the game is {table.phase}, but the table says {saved.phase[:20]!r}")
    return table


def _play_again(table: Table, saved: Stored) -> None:
    """Every entry, in order."""
    read = []
    for n, (_, words, *_) in enumerate(_unhurried(saved.entries)):
        try:
            read.append(read_words(words))
        except ValueError as error:
            raise Damaged(f"entry {n}: {error}") from None
    wanted = Counter(entry.to for entry in read if isinstance(entry, Undo))
    kept: dict[int, np.void] = {}
    for n, (entry, stored) in enumerate(_unhurried(zip(read, saved.entries, strict=True))):
        if n in wanted:
            assert table.play.state is not None
            kept[n] = fields.copy_state(table.play.state)
        if isinstance(entry, Undo):
            if entry.to not in kept:
                raise Damaged(f"entry {n} goes back to {entry.to}")
            play_entry(table, entry, stored, fields.copy_state(kept[entry.to]))
            wanted[entry.to] -= 1
            if not wanted[entry.to]:
                del kept[entry.to]
        else:
            play_entry(table, entry, stored)


def play_entry(
    table: Table, entry: Entry, stored: tuple[int, str, str, str, int], before: np.void | None = None
) -> None:
    """One entry more, as it is stored; ``before`` is the state to which an undo leads. `Damaged` if it is none."""
    seat, words, person, key, at = stored
    n, state = table.n, table.play.state
    assert state is not None
    if not 0 <= seat < table.header.seats or at < 0:
        raise Damaged(f"entry {n} is of seat {seat}, at {at}")
    mark = hash((person, key)) if key else 0
    if isinstance(entry, Undo):
        assert before is not None
        table.play.step_back(seat, entry.to, before, not entry.agreed, at, mark)
    elif isinstance(entry, TimeOut):
        table.play.time_out(seat, at)
    elif isinstance(entry, NewSeat):
        table.play.reseat(seat, f"person:{person}" if entry.who == "person" else entry.who, at, mark)
    else:
        try:
            number = table.game.read_answer(state, seat, entry.question, entry.answer)
        except Refused as refusal:
            raise Damaged(f"entry {n}, {words[:40]!r} of seat {seat}: {refusal}") from None
        [step] = table.play.steps(seat, [number])
        table.play.apply(step, at, mark, entry.by)


def _unhurried(items: Iterable[Item]) -> Iterator[Item]:
    """One after the other, with pauses in which the event loop gets its turn."""
    rest = time.perf_counter() + AT_ONCE
    for item in items:
        yield item
        if time.perf_counter() > rest:
            time.sleep(PAUSE)
            rest = time.perf_counter() + AT_ONCE
