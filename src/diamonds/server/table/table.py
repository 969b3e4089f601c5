"""One table in memory: worked out from what is stored, and thrown away when no one looks.

What is stored is its header, its places, its chat and its log; its game follows from them (`play.py`). Who is here is of this
process alone (`presence.py`). Nothing here waits or writes; `house/tables.py` does.
"""

from __future__ import annotations

from typing import Any

import msgspec

from diamonds import records
from diamonds.game import find_game
from diamonds.server.store.contract import AS_BEFORE
from diamonds.server.store.lines import Line
from diamonds.server.table import clocks
from diamonds.server.table.clocks import Clocks
from diamonds.server.table.header import Header
from diamonds.server.table.log import Log
from diamonds.server.table.names import tell_apart
from diamonds.server.table.places import Places, Wish, names_at
from diamonds.server.table.play import Play
from diamonds.server.table.presence import Presence, Reader

MOST_ENTRIES = records.MAX_ENTRIES  # see `Table.version`


class Table:
    """A table: what is stored of it, the game that follows from that, and who is here."""

    __slots__ = (
        "_names_cache",
        "_persons_at",
        "changes",
        "chat",
        "clocks",
        "game",
        "header",
        "here",
        "id",
        "info_cache",
        "log",
        "names",
        "places",
        "play",
        "revision",
        "shared",
    )  # fmt: skip

    def __init__(self, id: str, header: Header, places: Places, revision: int) -> None:
        self.id = id
        self.header = header
        self.places = places
        self.revision = revision
        self.chat: list[Line] = []
        self.clocks = clocks.begin(header.clock, header.seats) if header.clock else None
        self.game = find_game(header.game)
        self.log = Log(self.game)
        self.play = Play(self.game, header, self.log)
        self.changes = 0  # grows with whatever is not an entry; part of `version`; see `shelf.py`
        self.here = Presence(header.seats)
        self.names: dict[str, str] = {}  # those that people chose
        # What readers have been told, as long as it is still true.
        self._names_cache: tuple[int, tuple[str, ...]] | None = None
        self._persons_at: tuple[Places, list[int]] | None = None
        self.shared: Any = None  # see `telling.Shared`
        self.info_cache: dict[
            tuple[bool, int, bool, str, bool, bool, frozenset[str], int, str], bytes
        ] = {}  # see `info.info`

    @property
    def n(self) -> int:
        """How many entries there are."""
        return self.log.n

    @property
    def version(self) -> int:
        """Grows with everything that happens. Its upper part is n, so any version tells which entries its reader knows.

        As JavaScript counts exactly to 2⁵³, a table takes `MOST_ENTRIES`, a few less than 2²¹; and ``changes`` stays below 2³²
        for a million openings of the house, or as many times 4,096 changes at one table.
        """
        return self.log.n << 32 | self.changes

    @property
    def phase(self) -> str:
        """Whether the game is ``waiting`` for players, ``playing`` or ``over``."""
        return self.play.phase

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.play.phase == "over"

    @property
    def persons(self) -> list[int]:
        """The seats that people have. Places are never changed, but others take their place: so they are looked at once."""
        known, places = self._persons_at, self.places
        if known is None or known[0] is not places:
            found = [seat for seat, place in enumerate(places.seats) if place.kind == "person"]
            self._persons_at = known = (places, found)
        return known[1]

    @property
    def host(self) -> str:
        """Who says what holds for all at the table: whoever made it, unless they have left it for long."""
        return self.places.host or self.header.host

    @property
    def partners(self) -> bool:
        """Whether some of those who play are partners."""
        return len(set(self.play.team_of)) < self.header.seats

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

    def has_played(self, person: str) -> bool:
        """Return whether a person has, or has had, a seat since the first deal. It follows from the entries."""
        return person in self.play.held or self.seat_of(person) >= 0

    def kept_for(self, person: str) -> int:
        """The seat that a person may take at any time, or −1: the one asked for with the table, or the one that was left."""
        if self.phase == "playing":
            seat = self.play.held.get(person, -1)
            return seat if seat >= 0 and self.places.seats[seat].kind != "person" else -1
        for seat, place in enumerate(self.places.seats):
            if person and place.person == person and place.kind == "open":
                return seat
        return -1

    def reader(self, person: str, blocked: frozenset[str] = frozenset()) -> Reader:
        """What a person is told of this table besides what all are; they have ``blocked`` some, anywhere."""
        host = bool(person) and person == self.host
        asks = self.wish is not None and self.wish.person == person
        return Reader(self.seat_of(person), host, self.kept_for(person), asks, blocked, self.has_played(person))

    def look_round(self) -> None:
        """Seats have changed: whoever listens is told what their seat by now is told."""
        for stream in self.here.streams:
            stream.reader = self.reader(stream.person, stream.reader.blocked)

    @property
    def wish(self) -> Wish | None:
        """What waits for consent. The next entry ends a wish for a step back; the end of the game ends any."""
        wish = self.places.wish
        if wish is None or self.phase != "playing" or (wish.kind == "undo" and wish.n != self.n):
            return None
        if wish.kind == "answer" and (self.play.open_since[wish.seat] > wish.n or wish.seat not in self.persons):
            return None
        return wish

    def waiting(self, wish: Wish) -> list[int]:
        """The seats whose consent a wish lacks: people who were here when it was made or are now, and are not stood in for."""
        asker = self.seat_of(wish.person)
        silent = {wish.seat} if wish.kind == "answer" else set()
        count = {*wish.asked, *self.here.seats} - {asker, *wish.agreed} - silent - self.here.standing_in
        return [seat for seat in self.persons if seat in count]

    def forget_what_was_told(self) -> None:
        """Nobody listens any more: whoever comes next is written a message from nothing. That is a third of a table's memory."""
        self.shared, self.info_cache = None, {}

    def copy_of_places(self) -> Places:
        """The places, to be changed."""
        places = self.places
        return msgspec.structs.replace(
            places,
            seats=[msgspec.structs.replace(place) for place in places.seats],
            nonces=list(places.nonces),
            wish=self.wish,
            began=list(places.began),
        )

    def people(self) -> list[str]:
        """Everyone whose name may be said here: who has a seat, and who had one."""
        sat = [who.removeprefix("person:") for who in self.log.people if who.startswith("person:")]
        asks = [self.wish.person] if self.wish else []
        return list(dict.fromkeys([*sat, *asks, *(place.person for place in self.places.seats if place.person)]))

    def new_seats(self, places: Places) -> tuple[tuple[int, str], ...]:
        """What the log says of new places: each seat that changes hands, and the words for it. Nothing before the first deal."""
        if self.phase == "waiting":
            return ()
        return tuple(
            (seat, f"seat {place.kind}:{place.level}" if place.kind == "bot" else f"seat {place.kind}")
            for seat, place in enumerate(places.seats)
            if self.log.people[self.play.sitting[seat]] != place.who
        )

    def become(self, other: Table) -> None:
        """Take over all that is stored from another copy of this table; who is here stays."""
        for name in Table.__slots__:
            if name != "here":
                setattr(self, name, getattr(other, name))

    def undo_limits(self, seat: int) -> tuple[int | None, int | None]:
        """From which n on a seat may step back at will, and the n before its last answer; ``None`` where there is nothing.

        With clocks there is no stepping back. At will means: in a game of one person against bots, of which no other has ever seen a hand (docs/rulings.md). Of a game
        that is played on, what it has from the other one stays.
        """
        last = self.play.last_own[seat] if seat >= 0 and self.phase == "playing" and not self.header.clock else None
        if last is None:
            return None, None
        first = self.header.fork.n if self.header.fork else 0
        at_will = len(self.play.held) == 1 and last >= first and self.persons == [seat]
        return (first if at_will else None), last

    def clocks_after(self, places: Places, to_act: int, answered: int = -1, spent: int | None = None) -> Clocks | None:
        """The clocks from now on, with these places and with these seats asked; a person may have ``answered``.

        ``spent`` is how long they say to have thought, in milliseconds.
        """
        control, known, now = self.header.clock, self.clocks, self.here.now()
        if control is None or known is None:
            return None
        for seat, (before, after) in enumerate(zip(self.places.seats, places.seats, strict=True)):
            if self.phase == "playing" and before.kind == "person" and after.kind != "person":
                known = clocks.got_up(control, known, seat)
            elif after.kind == "person" and clocks.has(known.lost, seat):
                known = clocks.given_again(control, known, seat)
        given_back = clocks.way(known, answered, now, spent) if answered >= 0 else 0
        return clocks.happened(control, known, now, timed(places, to_act), answered, given_back)

    def is_last_out(self, seat: int) -> bool:
        """Whether one more time-out loses the seat."""
        control, known = self.header.clock, self.clocks
        return control is not None and known is not None and known.outs[seat] + 1 >= control.most_outs

    def to_act_after(self, places: Places) -> int | None:
        """The seats that are asked with these places, as bits; ``None`` as long as the game does not begin, or if nobody wants to know."""
        if self.play.state is not None:
            return int(self.play.state["to_act"])
        if not places.nonces or (self.clocks is None and not places.together):
            return None
        begun = Play(self.game, self.header, Log(self.game))
        begun.begin(places)
        assert begun.state is not None
        return int(begun.state["to_act"])

    def asked_from(self, to_act: int) -> int:
        """What is to be written down of who is asked (`Change.asked`), if from now on it is these seats, as bits.

        It is kept where several people play without a clock: clocks know it, and one person alone keeps nobody waiting.
        """
        if self.clocks is not None or self.play.state is None or len(self.persons) < 2:
            return AS_BEFORE
        return AS_BEFORE if to_act == int(self.play.state["to_act"]) else to_act

    def asked_with(self, places: Places, to_act: int | None) -> int:
        """The same, if others have the seats from now on; ``to_act`` as `to_act_after` says it."""
        if self.clocks is not None or not places.nonces:
            return AS_BEFORE
        return to_act if to_act is not None and places.together else 0

    def seat_names(self) -> tuple[str, ...]:
        """The name of whoever has each seat."""
        if self._names_cache is None or self._names_cache[0] != self.changes:
            self._names_cache = (self.changes, names_at(self.places, self.names))
        return self._names_cache[1]

    def called_here(self, person: str, name: str) -> str:
        """What someone of this name is called at this table: no two of its seats, and nobody beside them, are called alike."""
        seat, seated = self.seat_of(person), self.seat_names()
        return seated[seat] if seat >= 0 else tell_apart([*seated, name], range(len(seated)))[-1]


def timed(places: Places, to_act: int) -> int:
    """Of the seats that are asked, as bits, those that people have: bots have no clock."""
    return sum(1 << seat for seat, place in enumerate(places.seats) if place.kind == "person" and to_act >> seat & 1)
