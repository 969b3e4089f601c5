"""Records of games finished elsewhere, as people open them here: read, played again and checked, and kept by nobody for long.

Whoever sends a record may have written it to do harm. So it has bounds of its own, long before it is read, and all that is made of
it is the work of other processes.
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
from diamonds.records import MAX_ANSWERS, PlayedGame
from diamonds.server.api.records import UnverifiedRecordInfo
from diamonds.server.api.tables import ForkInfo, MessageRef, SeatInfo, TableInfo
from diamonds.server.errors import RateLimitedError
from diamonds.server.people.invisible_characters import INVISIBLE_CODE_POINTS, normalize_line, strip_invisible
from diamonds.server.people.names import disambiguate
from diamonds.server.tables.core.seating import Seating, host_settings
from diamonds.server.tables.replay_plan import ReplayPlan
from diamonds.server.tables.replay_plan import replay_plan as plan_replay

MAX_RECORD_ENTRIES = (
    MAX_ANSWERS * 3 // 2
)  # the longest game, and half as much again that was taken back; `diamonds replay` reads longer ones
MAX_OPEN_RECORDS = 32  # records that are sent, read or waiting, in all
MAX_PER_ADDRESS = 8
_MAX_SHOWN_CHARS = 60  # characters of an entry that cannot be played


class OpenedRecord(NamedTuple):
    """What comes of a record: whether it verifies, and what is to be said of that; its table and its story, or only what it says."""

    is_verified: bool
    findings: list[MessageRef]
    table: TableInfo | None = None
    replay_plan: ReplayPlan | None = None
    unverified: UnverifiedRecordInfo | None = None


class ImportSlots:
    """Who is having a record opened: one a person, few at one address, and not too many in all."""

    def __init__(self) -> None:
        self._people: set[str] = set()
        self._addresses: Counter[str] = Counter()

    @contextlib.contextmanager
    def acquire(self, person: str, address: str) -> Iterator[None]:
        """A place for one record, or `RateLimitedError`."""
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
    """Read a record and play it again: the work of another process. `InvalidInputError` if it is none.

    One that cannot be played again, for its rules are of another day, its secret is not told, or it diverges, is left as it is
    written; why is said.
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


def match_and_people(text: bytes) -> tuple[PlayedGame, list[int]]:
    """The game of a record, with names that can be shown, and the seats that people had."""
    played = load_record(text, MAX_RECORD_ENTRIES)
    played.players = list(_shown_names(played.players))
    _, people_seats = _seat_history(played)
    return played, people_seats


class ImportableGame(NamedTuple):
    """A finished game of one person against bots that may be imported, in what it takes to keep it: ``seated`` as in a record, ``answers`` as (seat, words)."""

    game: str
    version: int
    seats: int
    options: dict[str, Any]
    secret: str
    nonces: list[str]
    seat_holders: list[str]
    fork: ForkInfo
    answers: tuple[tuple[int, str], ...]


def read_importable_game(packed: bytes) -> ImportableGame:
    """Read a record to keep its game: the work of another process. `NotAllowedError` if it is none that one person finished against bots."""
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
        seat_holders, ForkInfo(origin, played.n), answers,
    )  # fmt: skip


def record_findings(played: PlayedGame) -> list[MessageRef]:
    """What has been shown to be true of a record that could be played again."""
    deals = int(played.state["deals"])
    finding = Message("table-deals-fair" if played.over else "table-deals-fair-so-far", {"number": deals})
    return [finding, played.fork.message] if played.fork else [finding]


def _shown_names(players: list[str]) -> tuple[str, ...]:
    """The players' names, fit to be shown, and no two alike."""
    return disambiguate([strip_invisible(normalize_line(name)).strip() for name in players], ())


def _seat_history(played: PlayedGame) -> tuple[list[str], list[int]]:
    """Who had each seat at last, and the seats that people had at some time."""
    seat_holders, people_seats = (
        list(played.seat_holders),
        {seat for seat, holder_id in enumerate(played.seat_holders) if holder_id == "person"},
    )
    for entry_line in played.entries:
        seat, _, text = entry_line.partition(" ")
        entry = parse_entry(text)
        if isinstance(entry, SeatChangeEntry):
            seat_holders[int(seat)] = entry.holder
            if entry.holder == "person":
                people_seats.add(int(seat))
    return seat_holders, sorted(people_seats)


def _table_info(played: PlayedGame, record_id: str, names: tuple[str, ...]) -> TableInfo:
    """The table that a record is of, as far as a record says."""
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
        **host_settings(Seating([], chat_mode="none")),
        chat_disabled=False,
        former_player=False,
        time_control=None,
        hints=False,
        is_host=False,
        invite=None,
        reserved_seat=None,
        commitment=played.commitment,
        fork=None if played.fork is None else ForkInfo(*played.fork),
        spectators=0,
        proposal=None,
        chat=[],
    )


def _unverified_info(record: UnverifiedRecord) -> UnverifiedRecordInfo:
    """What a record says, short and without signs that cannot be seen."""
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
