"""Records of games finished elsewhere that people open here: read, replayed, checked and kept for a short time.

A record may be malicious. So its size is limited before it is read, and only worker processes handle it.
"""

from __future__ import annotations

import contextlib
import zlib
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from diamonds.entries import SeatChangeEntry, parse_entry
from diamonds.errors import DiamondsError, InvalidInputError, NotAllowedError, NotFoundError
from diamonds.game import format_option
from diamonds.i18n import Message
from diamonds.record_reader import UnverifiedRecord, load_record, load_unverified
from diamonds.records import MAX_ANSWERS, RecordedGame
from diamonds.server.api.records import UnverifiedRecordInfo
from diamonds.server.api.tables import ForkInfo, MessageRef, SeatInfo, TableInfo
from diamonds.server.errors import RateLimitedError
from diamonds.server.people.display_names import disambiguate
from diamonds.server.people.invisible_characters import INVISIBLE_CODE_POINTS, normalize_line, strip_invisible
from diamonds.server.tables.core.seating import SeatsAndSettings, host_settings
from diamonds.server.tables.replay_plan import ReplayPlan
from diamonds.server.tables.replay_plan import replay_plan as plan_replay

# the longest game, with half of it undone; `diamonds replay` reads longer ones
MAX_RECORD_ENTRIES = MAX_ANSWERS * 3 // 2
MAX_OPEN_RECORDS = 32  # being opened, or waiting to be opened
MAX_PER_ADDRESS = 8
_MAX_SHOWN_CHARS = 60  # characters of an unplayable entry quoted in its error


class OpenedRecord(NamedTuple):
    """The result of reading a record.

    It has the findings and either the table and its replay, or the text of an unverified record.
    """

    is_verified: bool
    findings: list[MessageRef]
    table: TableInfo | None = None
    replay_plan: ReplayPlan | None = None
    unverified: UnverifiedRecordInfo | None = None


class RecordUploadLimiter:
    """Limits on records being opened: one per person, few per address, and a total."""

    def __init__(self) -> None:
        self._people: set[str] = set()
        self._addresses: Counter[str] = Counter()

    @contextlib.contextmanager
    def acquire(self, person: str, address: str) -> Iterator[None]:
        """Hold a slot for one record. Raise `RateLimitedError` if none is free."""
        if person in self._people:
            raise RateLimitedError("server-record-opening", 2)
        if self._addresses[address] >= MAX_PER_ADDRESS or len(self._people) >= MAX_OPEN_RECORDS:
            raise RateLimitedError("server-records-enough", 5)
        self._people.add(person)
        self._addresses[address] += 1
        try:
            yield
        finally:
            self._people.remove(person)
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]


def read_foreign_record(text: bytes, record_id: str) -> OpenedRecord:
    """Read and replay a record. This runs in a worker process. Raise `InvalidInputError` if the text is not a record.

    A record that cannot be replayed (other rules, no secret, or a difference) is returned unverified, with the reason.
    """
    try:
        unverified = load_unverified(text, MAX_RECORD_ENTRIES)
    except NotFoundError as error:
        raise InvalidInputError(error.message.id, **error.message.args) from None
    try:
        played = load_record(text, MAX_RECORD_ENTRIES)
    except DiamondsError as error:
        return OpenedRecord(False, [error.message], unverified=_unverified_info(unverified))
    names = _shown_names(played.players)
    return OpenedRecord(
        True, record_findings(played), _table_info(played, record_id, names), plan_replay(played, names)
    )


def match_and_people(text: bytes) -> tuple[RecordedGame, list[int]]:
    """Return the game of a record, with printable names, and the seats that people have held."""
    played = load_record(text, MAX_RECORD_ENTRIES)
    played.players = list(_shown_names(played.players))
    _, people_seats = _seat_history(played)
    return played, people_seats


class ImportableGame(NamedTuple):
    """A finished game of one person against bots that can be imported. `answers` are (seat, text)."""

    game: str
    version: int
    seats: int
    options: dict[str, Any]
    secret: str
    nonces: list[str]
    seat_holders: list[str]
    bots_version: str
    fork: ForkInfo
    answers: tuple[tuple[int, str], ...]


def read_importable_game(packed: bytes) -> ImportableGame:
    """Read a record to import its game. This runs in a worker process.

    Raise `NotAllowedError` unless it is a finished game of one person against bots.
    """
    played = load_record(zlib.decompress(packed), MAX_RECORD_ENTRIES)
    seat_holders, people_seats = _seat_history(played)
    is_solo = len(people_seats) == 1 and all(
        holder_id == "person" or holder_id.startswith("bot:") for holder_id in seat_holders
    )
    if not played.over or not is_solo or seat_holders[people_seats[0]] != "person":
        raise NotAllowedError("record-not-importable")
    origin = played.fork.commitment if played.fork else played.commitment
    answers = tuple((seat, f"{question} {answer}") for seat, question, answer in played.answers)
    return ImportableGame(
        played.game.name, played.version, played.seats, played.options, played.secret.hex(), [nonce.hex() for nonce in played.nonces],
        seat_holders, played.bots_version, ForkInfo(origin, played.n), answers,
    )  # fmt: skip


def record_findings(played: RecordedGame) -> list[MessageRef]:
    """Return messages on what replaying a record has shown: the fair deals and, of a fork, its origin."""
    deals = int(played.state["deals"])
    finding = Message("table-deals-fair" if played.over else "table-deals-fair-so-far", {"number": deals})
    return [finding, played.fork.message] if played.fork else [finding]


def _shown_names(players: list[str]) -> tuple[str, ...]:
    """Return printable and distinct player names."""
    return disambiguate([strip_invisible(normalize_line(name)).strip() for name in players], ())


def _seat_history(played: RecordedGame) -> tuple[list[str], list[int]]:
    """Return the last holder of each seat, and the seats that people have held at any time."""
    seat_holders = list(played.seat_holders)
    people_seats = {seat for seat, holder_id in enumerate(seat_holders) if holder_id == "person"}
    for entry_line in played.entries:
        seat, _, text = entry_line.partition(" ")
        entry = parse_entry(text)
        if isinstance(entry, SeatChangeEntry):
            seat_holders[int(seat)] = entry.holder
            if entry.holder == "person":
                people_seats.add(int(seat))
    return seat_holders, sorted(people_seats)


def _table_info(played: RecordedGame, record_id: str, names: tuple[str, ...]) -> TableInfo:
    """Return the table of a record, as far as the record describes it."""
    holders = []
    for seat, holder_id in enumerate(_seat_history(played)[0]):
        kind, _, level = holder_id.partition(":")
        holders.append(SeatInfo(seat, kind, names[seat], level or None, True, False, False, ""))  # type: ignore[arg-type]
    return TableInfo(
        id=record_id,
        game=played.game.name,
        title=played.game.title,
        seats=played.seats,
        options=played.options,
        seat_holders=holders,
        phase="over" if played.over else "playing",
        private=True,
        substitute_after_s=0,
        rematch_table=None,
        **host_settings(SeatsAndSettings([], chat_mode="none")),
        chat_disabled=False,
        former_player=False,
        time_control=None,
        hints=False,
        is_host=False,
        invite=None,
        reserved_seat=None,
        commitment=played.commitment,
        fork=None if played.fork is None else ForkInfo(*played.fork),
        daily=None,
        match=None,
        spectators=0,
        proposal=None,
        chat=[],
    )


def _unverified_info(record: UnverifiedRecord) -> UnverifiedRecordInfo:
    """Return the text of an unverified record, truncated and without invisible characters."""
    return UnverifiedRecordInfo(
        game=record.game.name,
        title=record.game.title,
        options={
            _printable(name): _printable(_option_text(value))
            for name, value in list(record.options.items())[:_MAX_SHOWN_CHARS]
        },
        players=[_printable(name) for name in record.players[:_MAX_SHOWN_CHARS]],
        seat_holders=[_printable(holder_id) for holder_id in record.seat_holders[:_MAX_SHOWN_CHARS]],
        entries=[_printable(line) for line in record.entries],
    )


def _option_text(value: Any) -> str:
    return format_option(value) if isinstance(value, bool | int | str) else "…"


def _printable(text: str) -> str:
    return "".join(
        c if c.isprintable() and ord(c) not in INVISIBLE_CODE_POINTS else "?" for c in text[:_MAX_SHOWN_CHARS]
    )
