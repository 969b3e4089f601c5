"""One table in memory: worked out from what is stored, and thrown away when no one looks.

What is stored is its header, its places, its chat and its log; its game follows from them (`game_state.py`). Who is here is of this
process alone (`presence.py`). Nothing here waits or writes; `tables/runtime.py` does.
"""

from __future__ import annotations

from typing import Any

import msgspec

from diamonds import records
from diamonds.game import find_game
from diamonds.server.people.names import disambiguate
from diamonds.server.storage.chat import ChatRecord
from diamonds.server.storage.interface import UNCHANGED
from diamonds.server.tables.core import clocks
from diamonds.server.tables.core.clocks import ClockState
from diamonds.server.tables.core.entry_log import EntryLog
from diamonds.server.tables.core.game_state import GameState
from diamonds.server.tables.core.presence import TablePresence, Viewer
from diamonds.server.tables.core.seating import Proposal, Seating, TableHeader, resolve_seat_names

MAX_ENTRIES = records.MAX_ENTRIES  # see `Table.version`


class Table:
    """A table: what is stored of it, the game that follows from that, and who is here."""

    __slots__ = (
        "_names_cache",
        "_people_seats_cache",
        "change_counter",
        "chat",
        "clocks",
        "game",
        "game_state",
        "header",
        "id",
        "info_cache",
        "log",
        "names",
        "presence",
        "revision",
        "seating",
        "update_cache",
    )  # fmt: skip

    def __init__(self, table_id: str, header: TableHeader, seating: Seating, revision: int) -> None:
        self.id = table_id
        self.header = header
        self.seating = seating
        self.revision = revision
        self.chat: list[ChatRecord] = []
        self.clocks = clocks.initial_state(header.time_control, header.seats) if header.time_control else None
        self.game = find_game(header.game)
        self.log = EntryLog(self.game)
        self.game_state = GameState(self.game, header, self.log)
        self.change_counter = 0  # grows with whatever is not an entry; part of `version`; see `registry.py`
        self.presence = TablePresence(header.seats)
        self.names: dict[str, str] = {}  # those that people chose
        # What readers have been told, as long as it is still true.
        self._names_cache: tuple[int, tuple[str, ...]] | None = None
        self._people_seats_cache: tuple[Seating, list[int]] | None = None
        self.update_cache: Any = None  # see `telling.UpdateCache`
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

        As JavaScript counts exactly to 2⁵³, a table takes `MAX_ENTRIES`, a few less than 2²¹; and ``change_counter`` stays below 2³²
        for a million starts of the server, or as many times 4,096 changes at one table.
        """
        return self.log.n << 32 | self.change_counter

    @property
    def phase(self) -> str:
        """Whether the game is ``waiting`` for players, ``playing`` or ``over``."""
        return self.game_state.phase

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.game_state.phase == "over"

    @property
    def people_seats(self) -> list[int]:
        """The seats that people have. Places are never changed, but others take their place: so they are looked at once."""
        cached, seating = self._people_seats_cache, self.seating
        if cached is None or cached[0] is not seating:
            people_seats = [seat for seat, holder in enumerate(seating.seats) if holder.kind == "person"]
            self._people_seats_cache = cached = (seating, people_seats)
        return cached[1]

    @property
    def host(self) -> str:
        """Who says what holds for all at the table: whoever made it, unless they have left it for long."""
        return self.seating.host or self.header.host

    @property
    def has_partners(self) -> bool:
        """Whether some of those who play are partners."""
        return len(set(self.game_state.team_of)) < self.header.seats

    @property
    def hints_allowed(self) -> bool:
        """Whether those who play may ask for hints: as the host said, else while one person plays against bots."""
        return len(self.people_seats) <= 1 if self.header.hints is None else self.header.hints

    def seat_of(self, person: str) -> int:
        """A person's seat, or −1."""
        if person:
            for seat, holder in enumerate(self.seating.seats):
                if holder.person == person and holder.kind == "person":
                    return seat
        return -1

    def has_played(self, person: str) -> bool:
        """Return whether a person has, or has had, a seat since the first deal. It follows from the entries."""
        return person in self.game_state.hand_seats or self.seat_of(person) >= 0

    def reserved_seat(self, person: str) -> int:
        """The seat that a person may take at any time, or −1: the one asked for with the table, or the one that was left."""
        if self.phase == "playing":
            seat = self.game_state.hand_seats.get(person, -1)
            return seat if seat >= 0 and self.seating.seats[seat].kind != "person" else -1
        for seat, holder in enumerate(self.seating.seats):
            if person and holder.person == person and holder.kind == "open":
                return seat
        return -1

    def viewer(self, person: str, blocked: frozenset[str] = frozenset()) -> Viewer:
        """What a person is told of this table besides what all are; they have ``blocked`` some, anywhere."""
        is_host = bool(person) and person == self.host
        is_proposer = self.proposal is not None and self.proposal.person == person
        return Viewer(
            self.seat_of(person), is_host, self.reserved_seat(person), is_proposer, blocked, self.has_played(person)
        )

    def refresh_viewers(self) -> None:
        """Seats have changed: whoever listens is told what their seat by now is told."""
        for stream in self.presence.streams:
            stream.viewer = self.viewer(stream.person, stream.viewer.blocked)

    @property
    def proposal(self) -> Proposal | None:
        """What waits for consent. The next entry ends a wish for a step back; the end of the game ends any."""
        proposal = self.seating.proposal
        if proposal is None or self.phase != "playing" or (proposal.kind == "undo" and proposal.n != self.n):
            return None
        if proposal.kind == "answer" and (
            self.game_state.question_since[proposal.seat] > proposal.n or proposal.seat not in self.people_seats
        ):
            return None
        return proposal

    def missing_voters(self, proposal: Proposal) -> list[int]:
        """The seats whose consent a wish lacks: people who were here when it was made or are now, and are not stood in for."""
        proposer = self.seat_of(proposal.person)
        excluded = {proposal.seat} if proposal.kind == "answer" else set()
        voters = (
            {*proposal.voters, *self.presence.connected_seats}
            - {proposer, *proposal.accepted}
            - excluded
            - self.presence.substituted
        )
        return [seat for seat in self.people_seats if seat in voters]

    def clear_update_cache(self) -> None:
        """Nobody listens any more: whoever comes next is written a message from nothing. That is a third of a table's memory."""
        self.update_cache, self.info_cache = None, {}

    def copy_seating(self) -> Seating:
        """The places, to be changed."""
        seating = self.seating
        return msgspec.structs.replace(
            seating,
            seats=[msgspec.structs.replace(holder) for holder in seating.seats],
            nonces=list(seating.nonces),
            proposal=self.proposal,
            initial_holders=list(seating.initial_holders),
        )

    def people(self) -> list[str]:
        """Everyone whose name may be said here: who has a seat, and who had one."""
        seated = [
            holder_id.removeprefix("person:") for holder_id in self.log.holder_ids if holder_id.startswith("person:")
        ]
        proposers = [self.proposal.person] if self.proposal else []
        return list(
            dict.fromkeys([*seated, *proposers, *(holder.person for holder in self.seating.seats if holder.person)])
        )

    def seat_change_entries(self, seating: Seating) -> tuple[tuple[int, str], ...]:
        """What the log says of new places: each seat that changes hands, and the words for it. Nothing before the first deal."""
        if self.phase == "waiting":
            return ()
        return tuple(
            (seat, f"seat {holder.kind}:{holder.level}" if holder.kind == "bot" else f"seat {holder.kind}")
            for seat, holder in enumerate(seating.seats)
            if self.log.holder_ids[self.game_state.holders[seat]] != holder.holder_id
        )

    def replace_with(self, other: Table) -> None:
        """Take over all that is stored from another copy of this table; who is here stays."""
        for name in Table.__slots__:
            if name != "presence":
                setattr(self, name, getattr(other, name))

    def undo_limits(self, seat: int) -> tuple[int | None, int | None]:
        """From which n on a seat may step back at will, and the n before its last answer; ``None`` where there is nothing.

        With clocks there is no stepping back. At will means: in a game of one person against bots, of which no other has ever seen a hand (docs/rulings.md). Of a game
        that is played on, what it has from the other one stays.
        """
        last = (
            self.game_state.last_answer_n[seat]
            if seat >= 0 and self.phase == "playing" and not self.header.time_control
            else None
        )
        if last is None:
            return None, None
        first = self.header.fork.n if self.header.fork else 0
        at_will = len(self.game_state.hand_seats) == 1 and last >= first and self.people_seats == [seat]
        return (first if at_will else None), last

    def clocks_after(
        self, seating: Seating, to_act: int, answered: int = -1, thinking_ms: int | None = None
    ) -> ClockState | None:
        """The clocks from now on, with these places and with these seats asked; a person may have ``answered``.

        ``spent`` is how long they say to have thought, in milliseconds.
        """
        control, clock_state, now = self.header.time_control, self.clocks, self.presence.now()
        if control is None or clock_state is None:
            return None
        for seat, (before, after) in enumerate(zip(self.seating.seats, seating.seats, strict=True)):
            if self.phase == "playing" and before.kind == "person" and after.kind != "person":
                clock_state = clocks.after_stand_up(control, clock_state, seat)
            elif after.kind == "person" and clocks.has_bit(clock_state.forfeited, seat):
                clock_state = clocks.after_return(control, clock_state, seat)
        compensation_ms = clocks.lag_compensation_ms(clock_state, answered, now, thinking_ms) if answered >= 0 else 0
        return clocks.after_entry(control, clock_state, now, clocked_seats(seating, to_act), answered, compensation_ms)

    def is_last_timeout(self, seat: int) -> bool:
        """Whether one more time-out loses the seat."""
        control, clock_state = self.header.time_control, self.clocks
        return (
            control is not None and clock_state is not None and clock_state.timeouts[seat] + 1 >= control.max_timeouts
        )

    def to_act_with(self, seating: Seating) -> int | None:
        """The seats that are asked with these places, as bits; ``None`` as long as the game does not begin, or if nobody wants to know."""
        if self.game_state.state is not None:
            return int(self.game_state.state["to_act"])
        if not seating.nonces or (self.clocks is None and not seating.has_several_people):
            return None
        begun = GameState(self.game, self.header, EntryLog(self.game))
        begun.begin(seating)
        assert begun.state is not None
        return int(begun.state["to_act"])

    def stored_to_act(self, to_act: int) -> int:
        """What is to be written down of who is asked (`TableChange.asked`), if from now on it is these seats, as bits.

        It is kept where several people play without a clock: clocks know it, and one person alone keeps nobody waiting.
        """
        if self.clocks is not None or self.game_state.state is None or len(self.people_seats) < 2:
            return UNCHANGED
        return UNCHANGED if to_act == int(self.game_state.state["to_act"]) else to_act

    def stored_to_act_with(self, seating: Seating, to_act: int | None) -> int:
        """The same, if others have the seats from now on; ``to_act_bits`` as `to_act_with` says it."""
        if self.clocks is not None or not seating.nonces:
            return UNCHANGED
        return to_act if to_act is not None and seating.has_several_people else 0

    def seat_names(self) -> tuple[str, ...]:
        """The name of whoever has each seat."""
        if self._names_cache is None or self._names_cache[0] != self.change_counter:
            self._names_cache = (self.change_counter, resolve_seat_names(self.seating, self.names))
        return self._names_cache[1]

    def name_at_table(self, person: str, name: str) -> str:
        """What someone of this name is called at this table: no two of its seats, and nobody beside them, are called alike."""
        seat, seated = self.seat_of(person), self.seat_names()
        return seated[seat] if seat >= 0 else disambiguate([*seated, name], range(len(seated)))[-1]


def clocked_seats(seating: Seating, to_act: int) -> int:
    """Of the seats that are asked, as bits, those that people have: bots have no clock."""
    return sum(1 << seat for seat, holder in enumerate(seating.seats) if holder.kind == "person" and to_act >> seat & 1)
