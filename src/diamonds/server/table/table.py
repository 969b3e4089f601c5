"""One table in memory: worked out from what is stored, and thrown away when no one looks.

A table's *entries* are its answers, its undos and its changes of seats, in order (see `entries.py`); ``n`` counts them, so
``n`` only ever grows. The state after an ``undo to k`` is the state after the first ``k`` entries; that a seat changes hands
leaves the state as it is. Nothing here waits or writes; `tables.py` does.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
import numpy as np

from diamonds import deals, fields, records
from diamonds.entries import answer_words, undo_words
from diamonds.events import new_log
from diamonds.fields import CARDS, OWNER
from diamonds.game import find_game
from diamonds.records import Match
from diamonds.server.table import entries as kinds
from diamonds.server.table.entries import SEAT, UNDO, answer_of, question_of, seat_of, undone_to
from diamonds.server.table.names import BOT_NAMES, guest_name, tell_apart

MOST_ENTRIES = records.MAX_ENTRIES  # see `Table.version`


class Seat(msgspec.Struct):
    """Who has a seat, as stored; an open one is kept for its ``person``, if it names one.

    The nonce is that of the deals (see `deals`), as hexadecimal.
    """

    kind: str = "open"
    person: str = ""
    level: str = ""
    nonce: str = ""

    @property
    def who(self) -> str:
        """Who has the seat, in one word: ``open``, ``person:ID``, ``bot:LEVEL``."""
        return {"open": "open", "person": f"person:{self.person}", "bot": f"bot:{self.level}"}[self.kind]


class Wish(msgspec.Struct):
    """What others have to agree to: a step back (``undo``), a seat (``sit``), another bot in a seat or none (``bot``).

    ``seat`` is whose step it is, or the seat that is to change. A step back to ``to`` can be agreed to at ``n`` alone.
    """

    kind: str = "undo"
    person: str = ""  # who asks
    seat: int = 0
    to: int = 0
    level: str = ""  # of the bot; "": none
    n: int = 0
    id: int = 0
    asked: list[int] = []  # who was at the table then
    agreed: list[int] = []


class Places(msgspec.Struct):
    """What changes about a table besides its game. ``nonces``, and ``began``, who had the seats, are fixed at the first deal."""

    seats: list[Seat]
    nonces: list[str] = []
    wish: Wish | None = None
    began: list[str] = []

    @property
    def taken(self) -> bool:
        """Whether everyone is there, so that the game may begin."""
        return all(place.kind != "open" for place in self.seats)

    def fix(self) -> None:
        """The game begins: what its deals follow from, and who plays, is written down."""
        self.nonces = self.nonces or [place.nonce for place in self.seats]
        self.began = [place.who for place in self.seats]


class Fork(msgspec.Struct):
    """The game that a table plays on from: the commitment of its deals, and how many of its answers both share."""

    commitment: str
    n: int


class Header(msgspec.Struct):
    """What never changes about a table."""

    game: str
    seats: int
    options: dict[str, bool | int | str]
    secret: str
    invite: str
    host: str
    private: bool
    takeover: int
    created: float
    hints: bool | None = None  # allowed to all, to nobody, or to who is alone with bots
    version: int = 1  # of the game's rules
    fork: Fork | None = None  # then its cards were known before, and it is for its maker alone


class Reader(NamedTuple):
    """What one reader is told besides what all are: by the seat, and by being the one who made the table."""

    seat: int = -1  # −1: a spectator
    host: bool = False
    kept: int = -1  # the seat that is kept for the reader
    asks: bool = False  # whether the wish that waits for consent is the reader's


class Step(NamedTuple):
    """What an answer leads to, before it is durable: the state, the entry, what was told, and who learned something."""

    state: np.void
    entry: int
    rows: list[tuple[int, ...]]
    dealt: bool
    learned: bool  # whether the answering seat was shown something new


_rows = msgspec.msgpack.Decoder(list[tuple[int, ...]])
_pack = msgspec.msgpack.Encoder().encode


class Table:
    """A table: its header, its places, its entries, and the state they lead to."""

    __slots__ = (
        "_ends",
        "_log",
        "_names_cache",
        "at",
        "changes",
        "chat",
        "dealt_at",
        "entries",
        "game",
        "header",
        "held",
        "id",
        "info_cache",
        "jobs",
        "keys",
        "last_own",
        "learned",
        "lock",
        "names",
        "nonces",
        "notes",
        "open_since",
        "paused",
        "phase",
        "places",
        "presence_due",
        "revision",
        "secret",
        "seen",
        "shared",
        "sitting",
        "standing_in",
        "state",
        "streams",
        "team_of",
        "touched",
        "waker",
        "who",
    )  # fmt: skip

    def __init__(self, id: str, header: Header, places: Places, revision: int) -> None:
        self.id = id
        self.header = header
        self.places = places
        self.revision = revision
        self.phase = "waiting"
        self.game = find_game(header.game)
        self.secret = bytes.fromhex(header.secret)
        self.nonces: list[bytes] = []
        self.state: np.void | None = None
        self.team_of: tuple[int, ...] = ()
        self.entries = array("Q")  # see `entries`
        self.at = array("Q")  # when each was made, in milliseconds since 1970; never less than the one before
        self.who: list[str] = [""]  # whom entries name, by number: ``person:ID``, ``bot:LEVEL``, ``open``
        self.held: dict[str, int] = {}  # the seat whose hand a person has seen: they take no other one
        self.sitting: list[int] = []  # of each seat, who has it after all entries, as a place in ``who``
        self.keys = array("q")  # of each entry's POST, hashed
        self._log = bytearray()
        self._ends = array("I")  # where the rows told up to each n end
        self.dealt_at = 0
        self.last_own: list[int | None] = [None] * header.seats  # the n before each seat's last answer that stands
        self.learned = [0] * header.seats  # the n at which each seat last learned something it could not know
        self.open_since = [0] * header.seats  # the n at which each seat's open question was put
        self.chat: list[tuple[str, str, float]] = []
        self.changes = 0  # grows with whatever is not an entry; part of `version`; see `shelf.py`
        # Of this process alone: who is here.
        now = time.monotonic()
        self.seen = [now] * header.seats
        self.touched = now
        self.standing_in: frozenset[int] = frozenset()
        self.names: dict[str, str] = {}
        self.streams: list[Any] = []
        self.jobs: dict[int, Any] = {}
        self.notes: dict[int, str] = {}  # how it is about a bot's thinking, if there is something to say
        self.waker: Any = None
        self.paused = False  # bots wait until somebody looks
        self.presence_due = False
        self.lock: Any = None
        self._names_cache: tuple[int, tuple[str, ...]] | None = None
        self.shared: Any = None  # see `message.Shared`
        self.info_cache: dict[tuple[bool, int, bool, int, str], bytes] = {}  # see `telling.info`

    @property
    def n(self) -> int:
        """How many entries there are."""
        return len(self.entries)

    @property
    def version(self) -> int:
        """Grows with everything that happens. Its upper part is n, so any version tells which entries its reader knows.

        As JavaScript counts exactly to 2⁵³, a table takes `MOST_ENTRIES`, a few less than 2²¹; and ``changes`` stays below 2³²
        for a million openings of the house, or as many times 4,096 changes at one table.
        """
        return len(self.entries) << 32 | self.changes

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == "over"

    @property
    def persons(self) -> list[int]:
        """The seats that people have."""
        return [seat for seat, place in enumerate(self.places.seats) if place.kind == "person"]

    @property
    def hints(self) -> bool:
        """Whether those who play may ask for hints: as the host said, else while one person plays against bots."""
        return len(self.persons) <= 1 if self.header.hints is None else self.header.hints

    def seat_of(self, person: str) -> int:
        """A person's seat, or −1."""
        if person:
            for seat, place in enumerate(self.places.seats):
                if place.person == person and place.kind == "person":
                    return seat
        return -1

    def kept_for(self, person: str) -> int:
        """The seat that a person may take at any time, or −1: the one asked for with the table, or the one that was left."""
        if self.phase == "playing":
            seat = self.held.get(person, -1)
            return seat if seat >= 0 and self.places.seats[seat].kind != "person" else -1
        for seat, place in enumerate(self.places.seats):
            if person and place.person == person and place.kind == "open":
                return seat
        return -1

    def reader(self, person: str) -> Reader:
        """What a person is told of this table besides what all are."""
        host = bool(person) and person == self.header.host
        asks = self.wish is not None and self.wish.person == person
        return Reader(self.seat_of(person), host, self.kept_for(person), asks)

    @property
    def wish(self) -> Wish | None:
        """What waits for consent. The next entry ends a wish for a step back; the end of the game ends any."""
        wish = self.places.wish
        if wish is None or self.phase != "playing" or (wish.kind == "undo" and wish.n != self.n):
            return None
        return wish

    def waiting(self, wish: Wish) -> list[int]:
        """The seats whose consent a wish lacks: people who were here when it was made or are now, and are not stood in for."""
        asker = self.seat_of(wish.person)
        count = {*wish.asked, *(stream.seat for stream in self.streams)} - {asker, *wish.agreed} - self.standing_in
        return [seat for seat in self.persons if seat in count]

    def copy_of_places(self) -> Places:
        """The places, to be changed."""
        places = self.places
        return Places(
            [msgspec.structs.replace(place) for place in places.seats],
            list(places.nonces),
            self.wish,
            list(places.began),
        )

    def people(self) -> list[str]:
        """Everyone whose name may be said here: who has a seat, and who had one."""
        sat = [who.removeprefix("person:") for who in self.who if who.startswith("person:")]
        asks = [self.wish.person] if self.wish else []
        return list(dict.fromkeys([*sat, *asks, *(place.person for place in self.places.seats if place.person)]))

    def number_of(self, who: str) -> int:
        """The place of someone in ``who``, from now on."""
        if who not in self.who:
            self.who.append(who)
        return self.who.index(who)

    def new_seats(self, places: Places) -> tuple[tuple[int, str], ...]:
        """What the log says of new places: each seat that changes hands, and the words for it. Nothing before the first deal."""
        if self.phase == "waiting":
            return ()
        return tuple(
            (seat, f"seat {place.kind}:{place.level}" if place.kind == "bot" else f"seat {place.kind}")
            for seat, place in enumerate(places.seats)
            if self.who[self.sitting[seat]] != place.who
        )

    def become(self, other: Table) -> None:
        """Take over all that is stored from another copy of this table; who is here stays."""
        here = {"streams", "jobs", "waker", "lock", "presence_due", "seen", "standing_in", "touched", "paused", "notes"}
        for name in Table.__slots__:
            if name not in here:
                setattr(self, name, getattr(other, name))

    # The game

    def begin(self) -> None:
        """All seats are taken: cut and deal."""
        self.nonces = [bytes.fromhex(nonce) for nonce in self.places.nonces]
        if not self.places.began:  # a table of schema 1: who began is not known
            self.places.began = [place.who for place in self.places.seats]
        self.sitting = [self.number_of(who) for who in self.places.began]
        for seat, who in enumerate(self.places.began):
            self._hold(seat, who)
        seats = self.header.seats
        cut = deals.cut(self.secret, self.nonces, seats, self.game.pack_at(seats, self.header.options))
        state = self.game.start(seats, self.header.options, cut, self.header.version)
        self.state = state
        self.team_of = tuple(int(self.game.rules.team(state, seat)) for seat in range(seats))
        rows: list[tuple[int, ...]] = []
        self._deal(state, rows)
        self._tell(rows)
        self.phase = "playing"

    def _deal(self, state: np.void, rows: list[tuple[int, ...]]) -> bool:
        """Hand out cards if they are wanted; what it tells goes to ``rows``."""
        if state["to_act"] or state["over"]:
            return False
        deck = deals.deck(self.secret, self.nonces, int(state["deals"]), self.game.pack(state))
        rows += _log_rows(self.game.deal(state, deck))
        return True

    def steps(self, seat: int, numbers: Sequence[int]) -> list[Step]:
        """What answers that `batch.read` has let pass would lead to, one after the other. Changes nothing."""
        state, steps = self.state, []
        assert state is not None
        for number in numbers:
            steps.append(self._step(fields.copy_state(state), seat, number))
            state = steps[-1].state
        return steps

    def _step(self, state: np.void, seat: int, number: int) -> Step:
        """Apply a legal answer to a state of one's own."""
        asked = int(state["question"])
        alone = self._alone(seat)  # others need consent to undo anyway
        before = self._shown(state, seat) if alone else 0
        log = new_log()
        self.game.rules.step(state, seat, number, log)
        rows = _log_rows(log)
        dealt = self._deal(state, rows)
        learned = dealt or not alone or bool(self._shown(state, seat) & ~before)
        return Step(state, kinds.answer_entry(seat, asked, number), rows, dealt, learned)

    def _alone(self, seat: int) -> bool:
        """Whether the seat belongs to a person and all others to none."""
        people = [other for other, who in enumerate(self.sitting) if self.who[who].startswith("person:")]
        return people == [seat]

    def _shown(self, state: np.void, seat: int) -> int:
        """Undo: the cards a seat has been shown, and what else of the hidden it can see now, as bits."""
        shown = 0
        for field in _own_cards(self.game.name):
            shown |= max(int(state[field][seat]), 0)
        for k, flag in enumerate(_openers(self.game.name)):
            shown |= int(state[flag]) << 64 * (k + 1)
        return shown

    def time_for_entry(self) -> int:
        """The time of an entry made now, in milliseconds; a clock that was put back does not bring it before the last one."""
        now = time.time_ns() // 1_000_000
        return max(now, self.at[-1]) if self.at else now

    def _append(self, entry: int, at: int, key: int) -> None:
        self.entries.append(entry)
        self.at.append(at)
        self.keys.append(key)

    def apply(self, step: Step, at: int, key: int = 0, by: str = "") -> None:
        """The step is durable: this is the state now. ``by`` is the level of the bot that answered for someone."""
        seat = seat_of(step.entry)
        before = self.state
        assert before is not None
        asked_before = (int(before["question"]), int(before["to_act"]))
        self.state = step.state
        self.last_own[seat] = len(self.entries)
        entry = step.entry
        if by:
            entry = kinds.answer_entry(seat, question_of(entry), answer_of(entry), self.number_of(f"bot:{by}"))
        self._append(entry, at, key)
        self._tell(step.rows)
        n = self.n
        if step.dealt:
            self.dealt_at = n
        for other in range(self.header.seats):
            if other != seat or step.learned:
                self.learned[other] = n
        same_question = int(step.state["question"]) == asked_before[0] and not step.dealt
        for other in range(self.header.seats):
            still_asked = same_question and other != seat and asked_before[1] >> other & 1
            if not still_asked:
                self.open_since[other] = n
        if step.state["over"]:
            self.phase = "over"

    def step_back(self, seat: int, to: int, state: np.void, at_will: bool, at: int, key: int = 0) -> None:
        """The undo is durable: ``state``, that after ``to`` entries, is the state now."""
        self.state = state
        self.last_own = [self._last_own(other, to) for other in range(self.header.seats)]
        self._append(kinds.undo_entry(seat, to, not at_will), at, key)
        self._tell([(kinds.TOLD_UNDO, seat, to)])
        n = self.n
        for other in range(self.header.seats):
            self.open_since[other] = n
            if not (at_will and other == seat):
                self.learned[other] = n

    def reseat(self, seat: int, who: str, at: int, key: int = 0) -> None:
        """Who has a seat has changed, durably: ``who`` is ``open``, ``person:ID`` or ``bot:LEVEL``. The game stays as it is.

        Who sits down sees the hand: what was answered before from this seat is not theirs to take back at will.
        """
        before, now = self.sitting[seat], self.number_of(who)
        self.sitting[seat] = now
        self._hold(seat, who)
        self._append(kinds.seat_entry(seat, now), at, key)
        self._tell([(kinds.TOLD_SEAT, seat, before, now)])
        self.learned[seat] = self.n

    def _hold(self, seat: int, who: str) -> None:
        """Whoever has a seat after the deal has seen its hand."""
        kind, _, person = who.partition(":")
        if kind == "person":
            self.held.setdefault(person, seat)

    def chain(self, n: int | None = None) -> list[tuple[int, int]]:
        """The answers that led to the state after ``n`` entries, as (n before it, entry); what was undone is left out."""
        at = self.n if n is None else n
        found = []
        while at:
            at -= 1
            entry = self.entries[at]
            kind = question_of(entry)
            if kind == UNDO:
                at = undone_to(entry)
            elif kind != SEAT:
                found.append((at, entry))
        return found[::-1]

    def moment(self, n: int) -> int:
        """The first n that had the state after ``n`` entries: an undo leads to an earlier moment, a change of seats to none."""
        while n:
            entry = self.entries[n - 1]
            kind = question_of(entry)
            if kind == UNDO:
                n = undone_to(entry)
            elif kind == SEAT:
                n -= 1
            else:
                break
        return n

    def state_at(self, n: int) -> np.void:
        """The state after ``n`` entries, played again from the start: milliseconds, so not on the event loop."""
        match = self.match(self.chain(n))
        return match.state

    def match(self, chain: Sequence[tuple[int, int]]) -> Match:
        """The game as a `Match` of these answers alone, for replays and reviews."""
        match = self._first_deal()
        for _, entry in chain:
            question = self.game.questions[question_of(entry)]
            match.answer(seat_of(entry), question.answers[answer_of(entry)], question.name)
        return match

    def whole_match(self) -> Match:
        """The game as a `Match` with all that happened, and when, for records."""
        match = self._first_deal()
        records.play_again(match, [f"{seat_of(entry)} {self.words_of(entry)}" for entry in self.entries])
        match.times = self.at.tolist()
        return match

    def _first_deal(self) -> Match:
        """The game as a `Match` before anything was answered."""
        header, names = self.header, list(self.seat_names())
        match = records.start(self.game, header.seats, header.options, self.secret, self.nonces, names, header.version)
        match.seated = [kind_of(who) for who in self.places.began]
        if header.fork is not None:
            match.fork = records.Fork(header.fork.commitment, header.fork.n)
        return match

    def words_of(self, entry: int) -> str:
        """An entry as it is stored and spelled: ``play H7``, ``undo 12``, ``seat open``."""
        kind = question_of(entry)
        if kind == UNDO:
            return undo_words(undone_to(entry), kinds.was_agreed(entry))
        if kind == SEAT:
            return f"seat {kind_of(self.who[kinds.who_of(entry)])}"
        question = self.game.questions[kind]
        by = self.who[kinds.by_of(entry)].removeprefix("bot:")
        return answer_words(f"{question.name} {question.answers[answer_of(entry)]}", by)

    def words_of_question(self, entry: int) -> str:
        """The question that an entry answered; for any other entry, none."""
        kind = question_of(entry)
        return "" if kind in (UNDO, SEAT) else self.game.questions[kind].name

    def _last_own(self, seat: int, n: int) -> int | None:
        """The n before the seat's last answer that stands after ``n`` entries, or ``None``."""
        at = n
        while at:
            at -= 1
            entry = self.entries[at]
            kind = question_of(entry)
            if kind == UNDO:
                at = undone_to(entry)
            elif kind != SEAT and seat_of(entry) == seat:
                return at
        return None

    def undo_limits(self, seat: int) -> tuple[int | None, int | None]:
        """How far back a seat may step at will, and the n before its last answer; ``None`` where there is nothing.

        At will means: alone with bots, and only over answers after which the seat has learned nothing (docs/rulings.md).
        """
        if seat < 0 or self.phase != "playing":
            return None, None
        last = self.last_own[seat]
        if last is None:
            return None, None
        learned = self.learned[seat]
        at_will = last >= learned and all(other == seat for other in self.persons)
        return (learned if at_will else None), last

    # What was told

    def _tell(self, rows: list[tuple[int, ...]]) -> None:
        self._log += _pack(rows)
        self._ends.append(len(self._log))

    def told(self, n: int) -> list[tuple[int, ...]]:
        """The rows told by entry n (0: by the first deal)."""
        return _rows.decode(memoryview(self._log)[self._ends[n - 1] if n else 0 : self._ends[n]])

    # Names

    def seat_names(self) -> tuple[str, ...]:
        """The name of whoever has each seat."""
        if self._names_cache is None or self._names_cache[0] != self.changes:
            self._names_cache = (self.changes, names_at(self.places, self.names))
        return self._names_cache[1]


def names_at(places: Places, names: Mapping[str, str]) -> tuple[str, ...]:
    """The name of whoever has each seat, no two alike; ``names`` are those that people chose."""
    found, ours = [], []
    for seat, place in enumerate(places.seats):
        if place.kind == "person":
            found.append(person_name(place.person, names))
        else:
            found.append(BOT_NAMES[seat] if place.kind == "bot" else f"Seat {seat + 1}")
            ours.append(seat)
    return tell_apart(found, ours)


def person_name(person: str, names: Mapping[str, str]) -> str:
    """What someone is called; ``names`` are those that people chose."""
    return names.get(person) or guest_name(person)


def kind_of(who: str) -> str:
    """Who has a seat, without saying which person: ``person``, ``open``, ``bot:5``."""
    return "person" if who.startswith("person:") else who


@lru_cache(maxsize=8)
def _own_cards(game: str) -> tuple[str, ...]:
    """The fields in which a seat sees cards of its own."""
    return tuple(field.name for field in find_game(game).fields if field.who == OWNER and field.kind == CARDS)


@lru_cache(maxsize=8)
def _openers(game: str) -> tuple[str, ...]:
    """The flags that open hidden fields; and in mines the count of turns, for that the game goes on tells something (R6)."""
    names = {field.once for field in find_game(game).fields if field.once}
    return tuple(sorted(names | ({"turns"} & set(find_game(game).dtype.names or ()))))


def _log_rows(log: Any) -> list[tuple[int, ...]]:
    return [tuple(row) for row in log[1 : log[0, 0] + 1].tolist()]
