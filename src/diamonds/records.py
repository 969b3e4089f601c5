"""A game as a file: what was chosen, the secrets behind the cards, and nothing that can be computed (R4).

A `Match` is a game being played: a header, the entries so far, and the state they lead to. A record is a match written
down as JSON; reading one plays it again and says where it diverges. `docs/records.md` describes the format.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from diamonds import deals, fields
from diamonds.cards import MAX_PACKET_NUMBERS
from diamonds.entries import (
    TIMEOUT,
    AnswerEntry,
    SeatChangeEntry,
    TimeoutEntry,
    UndoEntry,
    format_undo,
    is_seat_holder,
    parse_entry,
)
from diamonds.errors import DiamondsError, InvalidInputError, NotAllowedError
from diamonds.events import EventLogArray
from diamonds.game import Game, find_game
from diamonds.i18n import DEFAULT_LANGUAGE, Message, translate

RECORD_FORMAT = "diamonds record 2"
# F12: 500 hands of fourteen among four, each with 52 cards and 4 bids. So many answers stand in the longest game.
MAX_ANSWERS = 28_000
# Undos, what they left out and changes of seats count: as many as a table takes (see its `version`).
MAX_ENTRIES = 2_000_000
# An entry takes 37 bytes at most, its time 15, a deal's checksum 20; and to each deal belong two entries, or it is the first.
MAX_RECORD_BYTES = 64 * MAX_ENTRIES
MAX_NAME_CHARS = 40
TYPE_MESSAGES: dict[type, str] = {
    str: "record-kind-text", int: "record-kind-number", dict: "record-kind-object", list: "record-kind-list"
}  # fmt: skip


class Fork(NamedTuple):
    """The game that a match is played on from: the commitment of its deals, and how many of its answers both share."""

    commitment: str
    n: int

    @property
    def message(self) -> Message:
        """What that means."""
        return Message("record-played-on", {"number": self.n})

    def __str__(self) -> str:
        return translate(*self.message, DEFAULT_LANGUAGE)


class UnverifiedRecord(NamedTuple):
    """A record as it is written, not played again: all there is of one by rules that this program does not know."""

    game: Game
    version: int
    options: dict[str, Any]
    players: list[str]
    seat_holders: list[str]
    commitment: str
    entries: list[str]


@dataclass
class Match:
    """A game being played, or played.

    ``entries`` has a line for all that happened, as in a record: ``0 play H7``, ``2 undo 12``, ``1 seat bot:5``. ``answers``
    are those that stand, as ``(seat, question, answer)``, and ``places`` where each is among the entries; their number is
    ``n``. ``checksums`` has one for each deal, taken right after it, also where an undo has left it out. ``seated`` says who
    had each seat at the start (``person``, ``bot:5``; ``open`` where it is not known). ``times`` are milliseconds since 1970,
    one an entry, or ``None`` where no clock was looked at. Everything else is computed from the header and the entries.
    """

    game: Game
    seats: int
    options: dict[str, Any]
    secret: bytes
    nonces: list[bytes]
    players: list[str]
    state: np.void
    answers: list[tuple[int, str, int | str]] = field(default_factory=list)
    checksums: list[str] = field(default_factory=list)
    opening_logs: list[EventLogArray] = field(default_factory=list)
    fork: Fork | None = None
    entries: list[str] = field(default_factory=list)
    entry_positions: list[int] = field(default_factory=list)
    seat_holders: list[str] = field(default_factory=list)
    times: list[int] | None = None

    @property
    def version(self) -> int:
        """The version of the rules that it is played by."""
        return self.game.version_of(self.state)

    @property
    def n(self) -> int:
        """How many answers stand."""
        return len(self.answers)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state["over"])

    @property
    def commitment(self) -> str:
        """What binds the secret, and was shown before play."""
        return deals.commit(self.secret)

    @property
    def cut(self) -> list[int]:
        """The card that each seat cut."""
        return deals.cut_cards(self.secret, self.nonces, self.seats, self.game.pack(self.state))

    def answer(self, seat: int, answer: object, question: str | None = None) -> list[EventLogArray]:
        """Check and apply an answer, and deal if cards are wanted; returns what was told. A refused answer changes nothing."""
        open_question = self.game.question(self.state)
        log = self.game.apply_answer(self.state, seat, answer, question)
        canonical = _canonical_answer(open_question.answers, answer)
        self.answers.append((seat, open_question.name, canonical))
        self.entry_positions.append(len(self.entries))
        self._append_entry(f"{seat} {open_question.name} {canonical}")
        return [log, *self._deal()]

    def undo(self, seat: int, to: int) -> None:
        """A seat steps back to what the game was after the first ``to`` entries. What is left out stays among the entries."""
        positions = effective_answers(self.entries, to)
        earlier = self._at_start()
        for position in positions:
            holder, question, answer = _parse_answer_entry(self.entries[position])
            earlier.answer(holder, answer, question)
        self.state, self.answers, self.entry_positions = earlier.state, earlier.answers, positions
        self._append_entry(f"{seat} {format_undo(to, False)}")

    def _append_entry(self, line: str) -> None:
        """One entry more; it has a time if the others have one, and a clock that was put back does not turn the order round."""
        self.entries.append(line)
        if self.times is not None:
            self.times.append(max([time.time_ns() // 1_000_000, *self.times[-1:]]))

    def _deal(self) -> list[EventLogArray]:
        """Hand out cards if they are wanted."""
        if not self.game.needs_deal(self.state):
            return []
        deck = deals.deck(self.secret, self.nonces, int(self.state["deals"]), self.game.pack(self.state))
        log = self.game.deal(self.state, deck)
        self.checksums.append(checksum(self.game, self.state))
        return [log]

    def at(self, n: int) -> Match:
        """The same match as it was after its first ``n`` answers."""
        earlier = self._at_start()
        for seat, question, answer in self.answers[:n]:
            earlier.answer(seat, answer, question)
        return earlier

    def _at_start(self) -> Match:
        """The same match as it was at the start."""
        new = start_match(self.game, self.seats, self.options, self.secret, self.nonces, self.players, self.version)
        new.fork, new.seat_holders = self.fork, list(self.seat_holders)
        return new


def effective_answers(entries: Sequence[str], n: int) -> list[int]:
    """The places of the answers that led to the state after ``n`` entries, in order; what was undone is left out."""
    positions = []
    while n:
        n -= 1
        parts = entries[n].split(" ")
        if parts[1] == "undo":
            n = int(parts[2])
        elif parts[1] not in ("seat", TIMEOUT):
            positions.append(n)
    return positions[::-1]


def _parse_answer_entry(line: str) -> tuple[int, str, str]:
    """Seat, question and answer of an entry that is an answer."""
    seat, question, answer, *_ = line.split(" ")
    return int(seat), question, answer


def _canonical_answer(names: tuple[int | str, ...], answer: object) -> int | str:
    """An answer as the game spells it: the number 2, also if it came as text."""
    return next(name for name in names if str(name) == str(answer))


def checksum(game: Game, state: np.void) -> str:
    """Sixteen hexadecimal digits that two tables share at which a deal has come out alike; see `deal_text`."""
    return hashlib.sha256(deal_text(game, state).encode()).hexdigest()[:16]


def deal_text(game: Game, state: np.void) -> str:
    """How a table is right after a deal, in words that outlive every change of a state's fields.

    The number of the deal, who deals it or begins, what each seat was dealt (in mines: what lies in each pile, top card first),
    and the scores: ``deal 0; begins 2; H7 S4, D2 C9; scores 0 0``.
    """
    cards = [0] * MAX_PACKET_NUMBERS
    first_seat, size = game.rules.deal_packets(state, cards)
    packets: list[list[str]] = [[]]
    for card in cards[: int(size)]:
        if card < 0:
            packets.append([])
        else:
            packets[-1].append(game.card_names[card])
    dealt = ", ".join(map(" ".join, packets[:-1]))
    scores = " ".join(str(int(game.rules.score(state, seat))) for seat in range(int(state["seats"])))
    return f"deal {int(state['deals']) - 1}; begins {first_seat}; {dealt}; scores {scores}"


def start_match(
    game: Game,
    seats: int,
    options: Mapping[str, Any] | None = None,
    secret: bytes | None = None,
    nonces: Sequence[bytes] | None = None,
    players: Sequence[str] | None = None,
    version: int | None = None,
) -> Match:
    """A new match, cut and dealt. Without a secret, a new one is drawn; ``opening`` holds what the first deal told.

    ``version`` is that of the rules, if it is an older one.
    """
    chosen = game.check_options(seats, options)
    secret = deals.new_secret() if secret is None else secret
    nonces = [b""] * seats if nonces is None else list(nonces)
    names = [f"Seat {seat}" for seat in range(seats)] if players is None else list(players)
    state = game.start(seats, chosen, deals.cut_cards(secret, nonces, seats, game.pack_for(seats, chosen)), version)
    match = Match(game, seats, chosen, secret, nonces, names, state, seat_holders=["open"] * seats)
    match.opening_logs = match._deal()
    return match


def to_record(match: Match, reveal: bool | None = None) -> dict[str, Any]:
    """A match as data. The secret is shown once the game is over, or when ``reveal`` asks for it (a game kept to oneself)."""
    reveals_secret = match.over if reveal is None else reveal
    fork_data = {"fork": match.fork._asdict()} if match.fork else {}
    return {
        "format": RECORD_FORMAT,
        "game": match.game.name,
        "rules_version": match.version,
        "seats": match.seats,
        "options": match.options,
        "players": match.players,
        "seated": match.seat_holders,
        "commitment": match.commitment,
        "secret": match.secret.hex() if reveals_secret else None,
        "nonces": [nonce.hex() for nonce in match.nonces],
        **fork_data,
        "checksums": match.checksums,
        "result": match.game.result(match.state) if match.over else None,
        **({} if match.times is None else {"times": match.times}),
        "entries": match.entries,
    }


def write_record(match: Match, reveal: bool | None = None) -> str:
    """A match as JSON text that people can read: one line for each key of the header, ten entries a line."""
    data = to_record(match, reveal)
    entries = [json.dumps(entry) for entry in data.pop("entries")]
    lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in data.items()]
    rows = ["    " + ", ".join(entries[k : k + 10]) for k in range(0, len(entries), 10)]
    body = "[\n" + ",\n".join(rows) + "\n  ]" if rows else "[]"
    return "{\n" + ",\n".join([*lines, f'  "entries": {body}']) + "\n}\n"


def load_record(text: str | bytes, max_entries: int = MAX_ENTRIES) -> Match:
    """Play a record again; `DiamondsError` names the first place that is malformed, illegal, or comes out differently.

    ``most`` is how many entries it may have, if that is fewer than the longest record has.
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
    match = start_match(
        game,
        seats,
        options,
        secret,
        [_require_hex({"nonces": nonce}, "nonces", 0, deals.MAX_NONCE_BYTES) for nonce in nonces],
        [name[:MAX_NAME_CHARS] for name in _require_strings(data, "players", seats)],
        version,
    )
    if match.commitment != _require(data, "commitment", str):
        raise NotAllowedError("record-other-secret")
    entries = _require_strings(data, "entries", max_length=max_entries)
    match.fork = _read_fork(data, match.commitment, len(entries))
    match.seat_holders = _read_seat_holders(data, seats)
    replay_entries(match, entries, _require_strings(data, "checksums"))
    match.times = _read_times(data, len(entries))
    result = data.get("result")
    if match.over and result is not None and result != match.game.result(match.state):
        raise NotAllowedError("record-other-result")
    if not match.over and result is not None:
        raise NotAllowedError("record-early-result")
    return match


def load_unverified(text: str | bytes, max_entries: int = MAX_ENTRIES) -> UnverifiedRecord:
    """What a record says of itself, by whatever version of the rules; nothing but its form is checked."""
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


def _read_fork(data: Mapping[str, Any], commitment: str, entries: int) -> Fork | None:
    """What the record says of the game it is played on from: that has the same deals, so its commitment is the same."""
    if data.get("fork") is None:
        return None
    fork = _require(data, "fork", dict)
    result = Fork(_require(fork, "commitment", str), _require(fork, "n", int))
    if result.commitment != commitment or not 0 <= result.n <= entries:
        raise NotAllowedError("record-fork")
    return result


def _read_seat_holders(data: Mapping[str, Any], seats: int) -> list[str]:
    """Who had each seat at the start."""
    holders = _require_strings(data, "seated", seats)
    for seat, holder in enumerate(holders):
        if not is_seat_holder(holder):
            raise InvalidInputError("record-seated", number=seat)
    return holders


def _read_times(data: Mapping[str, Any], entries: int) -> list[int] | None:
    """When each entry was made, if the record says so."""
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


def replay_entries(match: Match, entries: Sequence[str], checksums: Sequence[str] | None = None) -> None:
    """From the start of a match, all that happened; with ``checksums``, every deal must come out as they say.

    `DiamondsError` names the first entry that is malformed or cannot be. What an undo goes back to is kept until the last that does.
    """
    parsed = [_parse_entry_line(n, line, match.seats) for n, line in enumerate(entries)]
    undo_targets = Counter(entry.target for _, entry in parsed if isinstance(entry, UndoEntry))
    saved_states: dict[int, np.void] = {}
    if checksums is not None:
        _check_deal(match.checksums, checksums)
    for n, (line, (seat, entry)) in enumerate(zip(entries, parsed, strict=True)):
        if n in undo_targets:
            saved_states[n] = fields.copy_state(match.state)
        if isinstance(entry, UndoEntry):
            if entry.target > n:
                raise NotAllowedError("record-undo-ahead", n=str(n), line=_printable(line))
            if match.over:
                raise NotAllowedError("record-undo-over", n=str(n), line=_printable(line))
            match.state = fields.copy_state(saved_states[entry.target])
            undo_targets[entry.target] -= 1
            if not undo_targets[entry.target]:
                del saved_states[entry.target]
        elif isinstance(entry, AnswerEntry):
            try:
                match.game.apply_answer(match.state, seat, entry.answer, entry.question)
            except DiamondsError as refusal:
                raise NotAllowedError(
                    "record-not-playable", n=str(n), line=_printable(line), why=refusal.message
                ) from None
            if match._deal() and checksums is not None:
                _check_deal(match.checksums, checksums, f"{n} ({_printable(line)})")
        match.entries.append(line)
    if checksums is not None and len(checksums) > len(match.checksums):
        raise NotAllowedError("record-deals", number=len(checksums), led=len(match.checksums))
    match.entry_positions = effective_answers(match.entries, len(match.entries))
    for position in match.entry_positions:
        seat, question, answer = _parse_answer_entry(match.entries[position])
        names = next(kind.answers for kind in match.game.questions if kind.name == question)
        match.answers.append((seat, question, _canonical_answer(names, answer)))


def _parse_entry_line(
    n: int, line: str, seats: int
) -> tuple[int, UndoEntry | SeatChangeEntry | TimeoutEntry | AnswerEntry]:
    """An entry of a record: its seat, and what happened."""
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
    """An entry, short and without control characters, so that it can stand in a sentence."""
    return "".join(c if c.isprintable() else "?" for c in line[:40])


def _check_deal(computed: Sequence[str], recorded: Sequence[str], entry: str = "") -> None:
    """Whether the last deal came out as the record says; ``entry`` is the one that led to it."""
    deal = len(computed) - 1
    if deal >= len(recorded):
        raise InvalidInputError("record-no-checksum", deal=deal)
    if computed[deal] != recorded[deal]:
        details = {"deal": deal, "ours": computed[deal], "theirs": repr(recorded[deal][:16])}
        if not entry:
            raise NotAllowedError("record-diverges-at-once", **details)
        raise NotAllowedError("record-diverges", **details, entry=entry)


def _parse_json(text: str | bytes) -> dict[str, Any]:
    """JSON, with every way of being broken turned into one sentence."""
    if len(text) > MAX_RECORD_BYTES:
        raise InvalidInputError("record-too-large", most=MAX_RECORD_BYTES)
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        if _is_playthrough(text):
            raise InvalidInputError("record-playthrough") from None
        raise InvalidInputError(
            "record-not-json", why=error.msg, line=str(error.lineno), column=str(error.colno)
        ) from None
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


def copy_match(match: Match) -> Match:
    """An independent match at the same point."""
    return Match(
        match.game,
        match.seats,
        match.options,
        match.secret,
        list(match.nonces),
        list(match.players),
        fields.copy_state(match.state),
        list(match.answers),
        list(match.checksums),
        match.opening_logs,
        match.fork,
        list(match.entries),
        list(match.entry_positions),
        list(match.seat_holders),
        None if match.times is None else list(match.times),
    )
