"""Games in progress and their records: only choices and secrets are stored, everything else is computed (R4).

A `RecordedGame` is a header, the entries so far, and the resulting state. A record is a played game as JSON;
`diamonds.record_reader` replays it and reports any difference. `docs/records.md` describes the format.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from diamonds import deals, fields
from diamonds.cards import MAX_PACKET_NUMBERS
from diamonds.decisions import AskedQuestion, question_key
from diamonds.entries import TIMEOUT, format_undo
from diamonds.events import EventLogArray, new_log
from diamonds.game import Game
from diamonds.i18n import DEFAULT_LANGUAGE, Message, translate

RECORD_FORMAT = "diamonds record 2"
# F12: 500 hands of fourteen with four players, each with 52 cards and 4 bids, make the longest game.
MAX_ANSWERS = 28_000
# A table's limit on all its entries. Undone answers, undos and seat changes count too.
MAX_ENTRIES = 2_000_000
MAX_NAME_CHARS = 40


class RecordForkOrigin(NamedTuple):
    """The origin of a forked game: the commitment of its deals, and the number of entries that the two games share."""

    commitment: str
    n: int

    @property
    def message(self) -> Message:
        """The message that describes the fork."""
        return Message("record-played-on", {"number": self.n})

    def __str__(self) -> str:
        return translate(*self.message, DEFAULT_LANGUAGE)


@dataclass
class RecordedGame:
    """A game in progress or finished.

    ``entries`` has a line for everything that happened, as in a record: ``0 play H7``, ``2 undo 12``, ``1 seat bot:5``.
    ``answers`` are the effective ones, as ``(seat, question, answer)``; ``entry_positions`` are their indices among the
    entries, and ``n`` is their number. ``checksums`` has one for each deal, taken right after it, undone deals
    included. ``seat_holders`` are the holders of the seats at the start (``person``, ``bot:5``; ``open`` where
    unknown). ``times`` are milliseconds since 1970, one per entry, or ``None`` without a clock. ``bots_version`` is
    that of the bots at the start; "" if unknown. Everything else is computed from the header and the entries.
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
    fork: RecordForkOrigin | None = None
    entries: list[str] = field(default_factory=list)
    entry_positions: list[int] = field(default_factory=list)
    seat_holders: list[str] = field(default_factory=list)
    times: list[int] | None = None
    bots_version: str = ""
    asked_question: AskedQuestion = field(init=False)

    def __post_init__(self) -> None:
        self.asked_question = AskedQuestion(self.state)

    @property
    def version(self) -> int:
        """The version of the rules of this game."""
        return self.game.version_of(self.state)

    @property
    def n(self) -> int:
        """The number of effective answers."""
        return len(self.answers)

    @property
    def over(self) -> bool:
        """True once the game has ended."""
        return bool(self.state["over"])

    @property
    def commitment(self) -> str:
        """The commitment to the secret, shown before play."""
        return deals.commit(self.secret)

    @property
    def cut(self) -> list[int]:
        """The card that each seat cut."""
        return deals.cut_cards(self.secret, self.nonces, self.seats, self.game.pack(self.state))

    def answer(self, seat: int, answer: object, question: str | None = None) -> list[EventLogArray]:
        """Check and apply an answer, and deal if a deal is due; return the events. A refused answer changes nothing."""
        asked = self.game.question(self.state)
        logs = self.apply_answer(seat, answer, question)
        canonical = canonical_answer(asked.answers, answer)
        self.answers.append((seat, asked.name, canonical))
        self.entry_positions.append(len(self.entries))
        self.append_entry(f"{seat} {asked.name} {canonical}")
        return logs

    def apply_answer(self, seat: int, answer: object, question: str | None = None) -> list[EventLogArray]:
        """Check and apply an answer to the state without an entry, and deal if a deal is due; return the events."""
        before, number = question_key(self.state), self.game.parse_answer(self.state, seat, question, answer)
        log = new_log()
        self.game.rules.step(self.state, seat, number, log)
        logs = [log, *self._deal()]
        self.asked_question.note_answer(before, seat, number, self.state)
        return logs

    def undo(self, seat: int, to: int) -> None:
        """Go back to the state after the first ``to`` entries. The undone entries remain in the list."""
        positions = effective_answers(self.entries, to)
        earlier = self._at_start()
        for position in positions:
            holder, question, answer = parse_answer_entry(self.entries[position])
            earlier.answer(holder, answer, question)
        self.state, self.asked_question = earlier.state, earlier.asked_question
        self.answers, self.entry_positions = earlier.answers, positions
        self.append_entry(f"{seat} {format_undo(to, False)}")

    def append_entry(self, line: str) -> None:
        """Append an entry, with a time if the others have one; times stay in order even if the clock is set back."""
        self.entries.append(line)
        if self.times is not None:
            self.times.append(max([time.time_ns() // 1_000_000, *self.times[-1:]]))

    def _deal(self) -> list[EventLogArray]:
        """Deal if a deal is due; return the events."""
        if not self.game.needs_deal(self.state):
            return []
        deck = deals.deck(self.secret, self.nonces, int(self.state["deals"]), self.game.pack(self.state))
        log = self.game.deal(self.state, deck)
        self.checksums.append(checksum(self.game, self.state))
        return [log]

    def at(self, n: int) -> RecordedGame:
        """Return the game as it was after its first ``n`` answers."""
        earlier = self._at_start()
        for seat, question, answer in self.answers[:n]:
            earlier.answer(seat, answer, question)
        return earlier

    def _at_start(self) -> RecordedGame:
        """Return the game as it was at the start."""
        new = start_game(self.game, self.seats, self.options, self.secret, self.nonces, self.players, self.version)
        new.fork, new.seat_holders, new.bots_version = self.fork, list(self.seat_holders), self.bots_version
        return new


def effective_answers(entries: Sequence[str], n: int) -> list[int]:
    """Return the positions of the entries that are effective answers after ``n`` entries, in order."""
    positions = []
    while n:
        n -= 1
        parts = entries[n].split(" ")
        if parts[1] == "undo":
            n = int(parts[2])
        elif parts[1] not in ("seat", TIMEOUT):
            positions.append(n)
    return positions[::-1]


def parse_answer_entry(line: str) -> tuple[int, str, str]:
    """Return the seat, question and answer of an entry that is an answer."""
    seat, question, answer, *_ = line.split(" ")
    return int(seat), question, answer


def canonical_answer(names: tuple[int | str, ...], answer: object) -> int | str:
    """Return an answer in the game's spelling: text "2" becomes the number 2."""
    return next(name for name in names if str(name) == str(answer))


def checksum(game: Game, state: np.void) -> str:
    """Return sixteen hexadecimal digits that are equal for equal deals; see `deal_text`."""
    return hashlib.sha256(deal_text(game, state).encode()).hexdigest()[:16]


def checksum_of(game: Game, deal: int, first_seat: int, packets: Sequence[int], scores: Sequence[int]) -> str:
    """Return the `checksum` of a deal, given the results of `deal_packets` and the scores."""
    return hashlib.sha256(_format_deal(game, deal, first_seat, packets, scores).encode()).hexdigest()[:16]


def deal_text(game: Game, state: np.void) -> str:
    """Return the text of a table right after a deal, independent of the state's fields.

    It has the number of the deal, the dealer or first player, the cards of each seat (in mines, of each pile, top card
    first), and the scores: ``deal 0; begins 2; H7 S4, D2 C9; scores 0 0``.
    """
    packets = [0] * MAX_PACKET_NUMBERS
    first_seat, size = game.rules.deal_packets(state, packets)
    scores = [int(game.rules.score(state, seat)) for seat in range(int(state["seats"]))]
    return _format_deal(game, int(state["deals"]) - 1, first_seat, packets[: int(size)], scores)


def _format_deal(game: Game, deal: int, first_seat: int, packets: Sequence[int], scores: Sequence[int]) -> str:
    texts: list[list[str]] = [[]]
    for card in packets:
        if card < 0:
            texts.append([])
        else:
            texts[-1].append(game.card_names[card])
    dealt = ", ".join(map(" ".join, texts[:-1]))
    return f"deal {deal}; begins {first_seat}; {dealt}; scores {' '.join(map(str, scores))}"


def start_game(
    game: Game,
    seats: int,
    options: Mapping[str, Any] | None = None,
    secret: bytes | None = None,
    nonces: Sequence[bytes] | None = None,
    players: Sequence[str] | None = None,
    version: int | None = None,
) -> RecordedGame:
    """Start a game: cut and deal.

    Without a secret, a new one is drawn; ``opening_logs`` gets the events of the first deal.

    ``version`` is given for an older version of the rules.
    """
    chosen = game.check_options(seats, options)
    secret = deals.new_secret() if secret is None else secret
    nonces = [b""] * seats if nonces is None else list(nonces)
    names = [f"Seat {seat}" for seat in range(seats)] if players is None else list(players)
    state = game.start(seats, chosen, deals.cut_cards(secret, nonces, seats, game.pack_for(seats, chosen)), version)
    played = RecordedGame(game, seats, chosen, secret, nonces, names, state, seat_holders=["open"] * seats)
    played.opening_logs = played._deal()
    played.asked_question = AskedQuestion(played.state)
    return played


def to_record(played: RecordedGame, reveal: bool | None = None, result: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return a played game as data. The secret is included once the game is over, or if ``reveal`` is true.

    ``result`` is the game's result, if it is already known.
    """
    reveals_secret = played.over if reveal is None else reveal
    fork_data = {"fork": played.fork._asdict()} if played.fork else {}
    return {
        "format": RECORD_FORMAT,
        "game": played.game.name,
        "rules_version": played.version,
        "seats": played.seats,
        "options": played.options,
        "players": played.players,
        "seated": played.seat_holders,
        **({"bots": played.bots_version} if played.bots_version else {}),
        "commitment": played.commitment,
        "secret": played.secret.hex() if reveals_secret else None,
        "nonces": [nonce.hex() for nonce in played.nonces],
        **fork_data,
        "checksums": played.checksums,
        "result": result or (played.game.result(played.state) if played.over else None),
        **({} if played.times is None else {"times": played.times}),
        "entries": played.entries,
    }


def write_record(played: RecordedGame, reveal: bool | None = None) -> str:
    """Return a played game as readable JSON: one line for each key of the header, ten entries per line."""
    data = to_record(played, reveal)
    entries = [json.dumps(entry) for entry in data.pop("entries")]
    lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in data.items()]
    rows = ["    " + ", ".join(entries[k : k + 10]) for k in range(0, len(entries), 10)]
    body = "[\n" + ",\n".join(rows) + "\n  ]" if rows else "[]"
    return "{\n" + ",\n".join([*lines, f'  "entries": {body}']) + "\n}\n"


def copy_game(played: RecordedGame) -> RecordedGame:
    """Return an independent game at the same point."""
    copied = RecordedGame(
        played.game,
        played.seats,
        played.options,
        played.secret,
        list(played.nonces),
        list(played.players),
        fields.copy_state(played.state),
        list(played.answers),
        list(played.checksums),
        played.opening_logs,
        played.fork,
        list(played.entries),
        list(played.entry_positions),
        list(played.seat_holders),
        None if played.times is None else list(played.times),
        played.bots_version,
    )
    copied.asked_question = played.asked_question.copy()
    return copied
