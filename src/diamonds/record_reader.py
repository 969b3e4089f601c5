"""The reader of records, which checks a record's form, replays it, and reports the first difference."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from diamonds import deals, fields
from diamonds.decisions import AskedQuestion
from diamonds.entries import AnswerEntry, SeatChangeEntry, TimeoutEntry, UndoEntry, is_seat_holder, parse_entry
from diamonds.errors import DiamondsError, InvalidInputError, NotAllowedError
from diamonds.game import Game, find_game
from diamonds.i18n import Message
from diamonds.records import (
    MAX_ENTRIES,
    MAX_NAME_CHARS,
    RECORD_FORMAT,
    RecordedGame,
    RecordForkOrigin,
    canonical_answer,
    effective_answers,
    parse_answer_entry,
    start_game,
)

# An entry has at most 37 bytes, its time 15, a deal's checksum 20; every deal but the first needs at least two entries.
MAX_RECORD_BYTES = 64 * MAX_ENTRIES
TYPE_MESSAGES: dict[type, str] = {
    str: "record-kind-text", int: "record-kind-number", dict: "record-kind-object", list: "record-kind-list"
}  # fmt: skip


Entry: TypeAlias = UndoEntry | SeatChangeEntry | TimeoutEntry | AnswerEntry


class UnverifiedRecord(NamedTuple):
    """The contents of a record that was not replayed because this program does not know its rules."""

    game: Game
    version: int
    options: dict[str, Any]
    players: list[str]
    seat_holders: list[str]
    commitment: str
    entries: list[str]


def load_record(text: str | bytes, max_entries: int = MAX_ENTRIES) -> RecordedGame:
    """Replay a record. Raise a `DiamondsError` at the first place that is malformed, illegal or different.

    ``max_entries`` may lower the limit on its entries.
    """
    data = _parse_json(text)
    game = find_game(_require(data, "game", str))
    version = game.check_version(_require(data, "rules_version", int))
    seats = game.check_seats(_require(data, "seats", int))
    options = game.check_options(seats, _require(data, "options", dict))
    if data.get("secret") is None:
        raise NotAllowedError("record-no-secret")
    secret = _require_hex(data, "secret", deals.SECRET_BYTES, deals.SECRET_BYTES)
    nonces = _require_strings(data, "nonces", seats)
    played = start_game(
        game,
        seats,
        options,
        secret,
        [_require_hex({"nonces": nonce}, "nonces", 0, deals.MAX_NONCE_BYTES) for nonce in nonces],
        [name[:MAX_NAME_CHARS] for name in _require_strings(data, "players", seats)],
        version,
    )
    if played.commitment != _require(data, "commitment", str):
        raise NotAllowedError("record-other-secret")
    entries = _require_strings(data, "entries", max_length=max_entries)
    played.fork = _read_fork(data, played.commitment, len(entries))
    played.seat_holders = _read_seat_holders(data, seats)
    played.bots_version = _printable(_require(data, "bots", str)) if "bots" in data else ""
    replay_entries(played, entries, _require_strings(data, "checksums"))
    played.times = _read_times(data, len(entries))
    result = data.get("result")
    if played.over and result is not None and result != played.game.result(played.state):
        raise NotAllowedError("record-other-result")
    if not played.over and result is not None:
        raise NotAllowedError("record-early-result")
    return played


def load_unverified(text: str | bytes, max_entries: int = MAX_ENTRIES) -> UnverifiedRecord:
    """Return the contents of a record with any version of the rules; only its form is checked."""
    data = _parse_json(text)
    return UnverifiedRecord(
        find_game(_require(data, "game", str)),
        _require(data, "rules_version", int),
        _require(data, "options", dict),
        _require_strings(data, "players"),
        _require_strings(data, "seated"),
        _require(data, "commitment", str),
        _require_strings(data, "entries", max_length=max_entries),
    )


def _read_fork(data: Mapping[str, Any], commitment: str, entries: int) -> RecordForkOrigin | None:
    """Return the fork of a record, if any. Both games have the same deals, so their commitments must be equal."""
    if data.get("fork") is None:
        return None
    fork = _require(data, "fork", dict)
    result = RecordForkOrigin(_require(fork, "commitment", str), _require(fork, "n", int))
    if result.commitment != commitment or not 0 <= result.n <= entries:
        raise NotAllowedError("record-fork")
    return result


def _read_seat_holders(data: Mapping[str, Any], seats: int) -> list[str]:
    holders = _require_strings(data, "seated", seats)
    for seat, holder in enumerate(holders):
        if not is_seat_holder(holder):
            raise InvalidInputError("record-seated", number=seat)
    return holders


def _read_times(data: Mapping[str, Any], entries: int) -> list[int] | None:
    """Return the time of each entry, if the record has times."""
    if data.get("times") is None:
        return None
    times: list[int] = _require(data, "times", list)
    if len(times) != entries:
        raise InvalidInputError("record-times", entries=entries, times=len(times))
    before = 0
    for n, at in enumerate(times):
        if type(at) is not int or not before <= at < 1 << 53:
            raise InvalidInputError("record-time", n=str(n))
        before = at
    return times


def replay_entries(
    played: RecordedGame,
    entries: Sequence[str],
    checksums: Sequence[str] | None = None,
    before_entry: Callable[[int, int, Entry], None] | None = None,
) -> None:
    """Replay all entries from the start of a game; with ``checksums``, check every deal.

    ``before_entry`` is called with the number, the seat and the content of each entry. Raise a `DiamondsError` at the
    first entry that is malformed or impossible. A state is kept until the last undo
    that returns to it.
    """
    parsed = [_parse_entry_line(n, line, played.seats) for n, line in enumerate(entries)]
    undo_targets = Counter(entry.target for _, entry in parsed if isinstance(entry, UndoEntry))
    saved: dict[int, tuple[np.void, AskedQuestion]] = {}
    if checksums is not None:
        _check_deal(played.checksums, checksums)
    for n, (line, (seat, entry)) in enumerate(zip(entries, parsed, strict=True)):
        if n in undo_targets:
            saved[n] = fields.copy_state(played.state), played.asked_question.copy()
        if before_entry is not None:
            before_entry(n, seat, entry)
        if isinstance(entry, UndoEntry):
            if entry.target > n:
                raise NotAllowedError("record-undo-ahead", n=str(n), line=_printable(line))
            if played.over:
                raise NotAllowedError("record-undo-over", n=str(n), line=_printable(line))
            state, asked_question = saved[entry.target]
            played.state, played.asked_question = fields.copy_state(state), asked_question.copy()
            undo_targets[entry.target] -= 1
            if not undo_targets[entry.target]:
                del saved[entry.target]
        elif isinstance(entry, AnswerEntry):
            dealt = len(played.checksums)
            try:
                played.apply_answer(seat, entry.answer, entry.question)
            except DiamondsError as error:
                raise NotAllowedError(
                    "record-not-playable", n=str(n), line=_printable(line), why=error.message
                ) from None
            if len(played.checksums) > dealt and checksums is not None:
                _check_deal(played.checksums, checksums, f"{n} ({_printable(line)})")
        played.entries.append(line)
    if checksums is not None and len(checksums) > len(played.checksums):
        raise NotAllowedError("record-deals", number=len(checksums), led=len(played.checksums))
    played.entry_positions = effective_answers(played.entries, len(played.entries))
    for position in played.entry_positions:
        seat, question, answer = parse_answer_entry(played.entries[position])
        names = next(kind.answers for kind in played.game.questions if kind.name == question)
        played.answers.append((seat, question, canonical_answer(names, answer)))


def _parse_entry_line(
    n: int, line: str, seats: int
) -> tuple[int, UndoEntry | SeatChangeEntry | TimeoutEntry | AnswerEntry]:
    """Return the seat and the content of an entry."""
    seat, _, text = line.partition(" ")
    try:
        entry = parse_entry(text)
    except ValueError:
        seat = ""
    if not seat.isdecimal() or not seat.isascii() or len(seat) > 2:
        raise InvalidInputError("record-entry-form", n=str(n), line=repr(line[:40]))
    if int(seat) >= seats:
        raise InvalidInputError("record-entry-seat", n=str(n), line=_printable(line))
    return int(seat), entry


def _printable(line: str) -> str:
    """Return an entry, shortened and without control characters, for use in a sentence."""
    return "".join(c if c.isprintable() else "?" for c in line[:40])


def _check_deal(computed: Sequence[str], recorded: Sequence[str], entry: str = "") -> None:
    """Check the last deal against the record; ``entry`` is the entry after which it was dealt."""
    deal = len(computed) - 1
    if deal >= len(recorded):
        raise InvalidInputError("record-no-checksum", deal=deal)
    if computed[deal] != recorded[deal]:
        details = {"deal": deal, "ours": computed[deal], "theirs": repr(recorded[deal][:16])}
        if not entry:
            raise NotAllowedError("record-diverges-at-once", **details)
        raise NotAllowedError("record-diverges", **details, entry=entry)


def _parse_json(text: str | bytes) -> dict[str, Any]:
    """Parse JSON, or raise `InvalidInputError` if it is malformed or too large."""
    if len(text) > MAX_RECORD_BYTES:
        raise InvalidInputError("record-too-large", most=MAX_RECORD_BYTES)
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        if _is_playthrough(text):
            raise InvalidInputError("record-playthrough") from None
        raise InvalidInputError("record-not-json", line=str(error.lineno), column=str(error.colno)) from None
    except (UnicodeDecodeError, RecursionError, ValueError):
        raise InvalidInputError("record-not-readable") from None
    if not isinstance(data, dict):
        raise InvalidInputError("record-not-an-object")
    if data.get("format") != RECORD_FORMAT:
        raise InvalidInputError("record-format", given=RECORD_FORMAT)
    return data


def _is_playthrough(text: str | bytes) -> bool:
    """Return whether a text begins as the output of `diamonds playthrough` does."""
    first = text.partition("\n")[0] if isinstance(text, str) else text.partition(b"\n")[0]
    try:
        head = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(head, dict) and "format" not in head and {"game", "seats", "seed", "first"} <= head.keys()


def _require(data: Mapping[str, Any], key: str, kind: type) -> Any:
    if key not in data:
        raise InvalidInputError("record-lacks", given=key)
    if type(data[key]) is not kind:
        raise InvalidInputError("record-should-be", given=key, what=Message(TYPE_MESSAGES[kind]))
    if kind is int and abs(data[key]) >> 100:
        raise InvalidInputError("record-vast-number", given=key)
    return data[key]


def _require_strings(
    data: Mapping[str, Any], key: str, length: int | None = None, max_length: int = MAX_ENTRIES
) -> list[str]:
    values = _require(data, key, list)
    if length is not None and len(values) != length:
        raise InvalidInputError("record-length", given=key, number=length)
    if len(values) > max_length:
        raise InvalidInputError("record-too-long", given=key, most=max_length)
    for k, value in enumerate(values):
        if type(value) is not str:
            raise InvalidInputError("record-should-be-text", n=str(k), given=key)
    return values  # type: ignore[no-any-return]


def _require_hex(data: Mapping[str, Any], key: str, min_bytes: int, max_bytes: int) -> bytes:
    text = _require(data, key, str)
    try:
        value = bytes.fromhex(text)
    except ValueError:
        value = None
    if value is None or not min_bytes <= len(value) <= max_bytes or value.hex() != text:
        if min_bytes == max_bytes:
            raise InvalidInputError("record-hexadecimal", given=key, number=min_bytes)
        raise InvalidInputError("record-hexadecimal-range", given=key, few=min_bytes, many=max_bytes)
    return value
