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

from diamonds.entries import NewSeat, read_words
from diamonds.game import Illegal, Malformed, Refused, Unknown, show_option
from diamonds.records import MAX_ANSWERS, Match, Written, read_record, read_unplayed
from diamonds.server.api.messages import ForkInfo, Place, Says, TableInfo, WrittenInfo
from diamonds.server.api.refusals import TooMany
from diamonds.server.table.glyphs import HIDDEN, spell, visible_part
from diamonds.server.table.names import tell_apart
from diamonds.server.work import retelling
from diamonds.words import Message

MOST_ENTRIES = (
    MAX_ANSWERS * 3 // 2
)  # the longest game, and half as much again that was taken back; `diamonds replay` reads longer ones
AT_ONCE = 32  # records that are sent, read or waiting, in all
OF_ADDRESS = 8
_SHOWN = 60  # characters of an entry that cannot be played


class Opened(NamedTuple):
    """What comes of a record: whether it verifies, and what is to be said of that; its table and its story, or only what it says."""

    ok: bool
    says: list[Says]
    table: TableInfo | None = None
    story: retelling.Story | None = None
    written: WrittenInfo | None = None


class Doorstep:
    """Who is having a record opened: one a person, few at one address, and not too many in all."""

    def __init__(self) -> None:
        self._people: set[str] = set()
        self._addresses: Counter[str] = Counter()

    @contextlib.contextmanager
    def place(self, person: str, address: str) -> Iterator[None]:
        """A place for one record, or `TooMany`."""
        if person in self._people:
            raise TooMany("server-record-opening", 2)
        if self._addresses[address] >= OF_ADDRESS or len(self._people) >= AT_ONCE:
            raise TooMany("server-records-enough", 5)
        self._people.add(person)
        self._addresses[address] += 1
        try:
            yield
        finally:
            self._people.remove(person)
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]


def open_record(text: bytes, id: str) -> Opened:
    """Read a record and play it again: the work of another process. `Malformed` if it is none.

    One that cannot be played again, for its rules are of another day, its secret is not told, or it diverges, is left as it is
    written; why is said.
    """
    try:
        written = read_unplayed(text, MOST_ENTRIES)
    except Unknown as refusal:
        raise Malformed(refusal.message.id, **refusal.message.values) from None
    try:
        match = read_record(text, MOST_ENTRIES)
    except Refused as refusal:
        return Opened(False, [refusal.message], written=_written(written))
    names = _names(match.players)
    return Opened(True, verdict(match), _table(match, id, names), retelling.story(match, names))


def match_and_people(text: bytes) -> tuple[Match, list[int]]:
    """The game of a record, with names that can be shown, and the seats that people had."""
    match = read_record(text, MOST_ENTRIES)
    match.players = list(_names(match.players))
    _, people = _seats(match)
    return match, people


class Brought(NamedTuple):
    """A finished game of one person against bots, in what it takes to keep it: ``seated`` as in a record, ``answers`` as (seat, words)."""

    game: str
    version: int
    seats: int
    options: dict[str, Any]
    secret: str
    nonces: list[str]
    seated: list[str]
    fork: ForkInfo
    answers: tuple[tuple[int, str], ...]


def bring(packed: bytes) -> Brought:
    """Read a record to keep its game: the work of another process. `Illegal` if it is none that one person finished against bots."""
    match = read_record(zlib.decompress(packed), MOST_ENTRIES)
    seated, people = _seats(match)
    alone = len(people) == 1 and all(who == "person" or who.startswith("bot:") for who in seated)
    if not match.over or not alone or seated[people[0]] != "person":
        raise Illegal("record-keeps-own")
    origin = match.fork.commitment if match.fork else match.commitment
    answers = tuple((seat, f"{question} {answer}") for seat, question, answer in match.answers)
    return Brought(
        match.game.name, match.version, match.seats, match.options, match.secret.hex(), [nonce.hex() for nonce in match.nonces],
        seated, ForkInfo(origin, match.n), answers,
    )  # fmt: skip


def verdict(match: Match) -> list[Says]:
    """What has been shown to be true of a record that could be played again."""
    deals = int(match.state["deals"])
    fair = Message("table-deals-fair" if match.over else "table-deals-fair-so-far", {"number": deals})
    return [fair, match.fork.message] if match.fork else [fair]


def _names(players: list[str]) -> tuple[str, ...]:
    """The players' names, fit to be shown, and no two alike."""
    return tell_apart([visible_part(spell(name)).strip() for name in players], ())


def _seats(match: Match) -> tuple[list[str], list[int]]:
    """Who had each seat at last, and the seats that people had at some time."""
    seated, people = list(match.seated), {seat for seat, who in enumerate(match.seated) if who == "person"}
    for line in match.entries:
        seat, _, words = line.partition(" ")
        entry = read_words(words)
        if isinstance(entry, NewSeat):
            seated[int(seat)] = entry.who
            if entry.who == "person":
                people.add(int(seat))
    return seated, sorted(people)


def _table(match: Match, id: str, names: tuple[str, ...]) -> TableInfo:
    """The table that a record is of, as far as a record says."""
    places = []
    for seat, who in enumerate(_seats(match)[0]):
        kind, _, level = who.partition(":")
        places.append(Place(seat, kind, names[seat], level or None, True, False, False, ""))  # type: ignore[arg-type]
    return TableInfo(
        id=id,
        game=match.game.name,
        title=match.game.title,
        seats=match.seats,
        options=match.options,
        places=places,
        phase="over" if match.over else "playing",
        private=True,
        takeover=0,
        again=None,
        pace="steady",
        talk="none",
        silent=False,
        former_player=False,
        clock=None,
        hints=False,
        host=False,
        invite=None,
        kept=None,
        commitment=match.commitment,
        fork=None if match.fork is None else ForkInfo(*match.fork),
        watching=0,
        wish=None,
        chat=[],
    )


def _written(record: Written) -> WrittenInfo:
    """What a record says, short and without signs that cannot be seen."""
    return WrittenInfo(
        game=record.game.name,
        title=record.game.title,
        options={_clean(name): _clean(_value(value)) for name, value in list(record.options.items())[:_SHOWN]},
        players=[_clean(name) for name in record.players[:_SHOWN]],
        seated=[_clean(who) for who in record.seated[:_SHOWN]],
        entries=[_clean(line) for line in record.entries],
    )


def _value(value: Any) -> str:
    return show_option(value) if isinstance(value, bool | int | str) else "…"


def _clean(text: str) -> str:
    return "".join(c if c.isprintable() and ord(c) not in HIDDEN else "?" for c in text[:_SHOWN])
