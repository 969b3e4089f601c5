"""One table in memory: computed from what is stored, and evicted when nobody views it.

Header, seating, chat and log are stored; the game follows from them (`game_state.py`). Presence exists only in this
process (`presence.py`). This module neither waits nor writes; `tables/service.py` does.
"""

from __future__ import annotations

from typing import Any

import msgspec

from diamonds import daily_deals, records
from diamonds.errors import NotAllowedError
from diamonds.game import find_game
from diamonds.server.people.display_names import disambiguate
from diamonds.server.storage.chat import ChatRecord
from diamonds.server.tables.core import clocks
from diamonds.server.tables.core.clocks import ClockState
from diamonds.server.tables.core.entry_log import EntryLog
from diamonds.server.tables.core.game_state import GameState
from diamonds.server.tables.core.presence import TablePresence, Viewer
from diamonds.server.tables.core.seating import Proposal, SeatsAndSettings, TableHeader, resolve_seat_names

MAX_ENTRIES = records.MAX_ENTRIES  # see `Table.version`


def is_withheld(header: TableHeader, is_match_over: bool) -> bool:
    """Return whether others may still play the same cards: the day has not ended, or the match is not over."""
    if header.match is not None:
        return not is_match_over
    return bool(header.daily) and header.daily >= daily_deals.current_day()


class Table:
    """A table: its stored data, the game that follows from it, and its presence."""

    __slots__ = (
        "_names_cache", "_people_seats_cache", "change_counter", "chat", "clocks", "game", "game_state", "header",
        "id", "info_cache", "is_match_over", "log", "names", "presence", "revision", "seating", "update_cache",
    )  # fmt: skip

    def __init__(self, table_id: str, header: TableHeader, seating: SeatsAndSettings, revision: int) -> None:
        self.id = table_id
        self.header = header
        self.seating = seating
        self.revision = revision
        self.chat: list[ChatRecord] = []
        self.clocks = clocks.initial_state(header.time_control, header.seats) if header.time_control else None
        self.game = find_game(header.game)
        self.log = EntryLog(self.game)
        self.game_state = GameState(self.game, header, self.log)
        self.is_match_over = False  # the table's match is known to be over
        self.change_counter = 0  # counts changes that are not entries; part of `version`; see `registry.py`
        self.presence = TablePresence(header.seats)
        self.names: dict[str, str] = {}  # names that people chose
        # Cached parts of table updates.
        self._names_cache: tuple[int, tuple[str, ...]] | None = None
        self._people_seats_cache: tuple[SeatsAndSettings, list[int]] | None = None
        self.update_cache: Any = None  # see `table_update.SharedUpdateParts`
        # See `table_info.table_info`.
        self.info_cache: dict[tuple[bool, int, bool, str, bool, bool, frozenset[str], int, str], bytes] = {}

    @property
    def n(self) -> int:
        """The number of entries."""
        return self.log.n

    @property
    def version(self) -> int:
        """The version, which increases with every change.

        Its upper part is n, so a version shows which entries a client knows. JavaScript integers are exact up to 2⁵³,
        so a table has at most `MAX_ENTRIES`, slightly less than 2²¹. `change_counter` stays below 2³² for a million
        starts of the server, or a million times 4,096 changes at one table.
        """
        return self.log.n << 32 | self.change_counter

    @property
    def phase(self) -> str:
        """The phase of the game: `waiting` for players, `playing` or `over`."""
        return self.game_state.phase

    @property
    def is_over(self) -> bool:
        """Return whether the game is over."""
        return self.game_state.phase == "over"

    @property
    def people_seats(self) -> list[int]:
        """The seats of people. Cached, because a seating is replaced but never modified."""
        cached, seating = self._people_seats_cache, self.seating
        if cached is None or cached[0] is not seating:
            people_seats = [seat for seat, holder in enumerate(seating.seats) if holder.kind == "person"]
            self._people_seats_cache = cached = (seating, people_seats)
        return cached[1]

    @property
    def host(self) -> str:
        """The person who controls the settings: the creator, or a later host if the creator was away for long."""
        return self.seating.host or self.header.host

    @property
    def has_partners(self) -> bool:
        """Return whether some players are partners."""
        return len(set(self.game_state.team_of)) < self.header.seats

    @property
    def hints_allowed(self) -> bool:
        """Return whether players may ask for hints: as the host decided, by default only a person alone with bots."""
        if self.has_shared_cards:
            return False
        return len(self.people_seats) <= 1 if self.header.hints is None else self.header.hints

    @property
    def has_shared_cards(self) -> bool:
        """Return whether others play the same cards: in a deal of the day, or at other tables of a duplicate match."""
        return bool(self.header.daily) or self.header.match is not None

    @property
    def is_withheld(self) -> bool:
        """Return whether others may still play the same cards: the day has not ended, or the match is not over."""
        return is_withheld(self.header, self.is_match_over)

    def is_hidden_from(self, person: str) -> bool:
        """Return whether a person may not see this table: someone else's fork, or cards that they may yet play."""
        if self.header.fork is not None:
            return person != self.header.host
        return self.is_withheld and not self.has_played(person)

    def check_not_withheld(self) -> None:
        """Raise `NotAllowedError` if others may still play the same cards."""
        if self.is_withheld:
            raise NotAllowedError("table-daily-withheld" if self.header.daily else "table-match-withheld")

    def check_cards_not_shared(self) -> None:
        """Raise `NotAllowedError` if others play the same cards, so that everyone has one attempt and no help."""
        if self.has_shared_cards:
            raise NotAllowedError("table-daily-once" if self.header.daily else "table-match-once")

    def seat_of(self, person: str) -> int:
        """Return a person's seat, or −1."""
        if person:
            for seat, holder in enumerate(self.seating.seats):
                if holder.person == person and holder.kind == "person":
                    return seat
        return -1

    def has_played(self, person: str) -> bool:
        """Return whether a person has, or has had, a seat since the first deal."""
        return person in self.game_state.hand_seats or self.seat_of(person) >= 0

    def reserved_seat(self, person: str) -> int:
        """Return the seat that a person may take at any time, or −1.

        It is the one reserved for them, or the one they left.
        """
        if self.phase == "playing":
            seat = self.game_state.hand_seats.get(person, -1)
            return seat if seat >= 0 and self.seating.seats[seat].kind != "person" else -1
        for seat, holder in enumerate(self.seating.seats):
            if person and holder.person == person and holder.kind == "open":
                return seat
        return -1

    def viewer(self, person: str, blocked: frozenset[str] = frozenset()) -> Viewer:
        """Return the viewer-specific part of this table for a person who has blocked some people."""
        is_host = bool(person) and person == self.host
        is_proposer = self.proposal is not None and self.proposal.person == person
        return Viewer(
            self.seat_of(person), is_host, self.reserved_seat(person), is_proposer, blocked, self.has_played(person)
        )

    def refresh_viewers(self) -> None:
        """Recompute the viewer of each stream after seat changes."""
        for stream in self.presence.streams:
            stream.viewer = self.viewer(stream.person, stream.viewer.blocked)

    @property
    def proposal(self) -> Proposal | None:
        """The open proposal. The next entry ends an undo proposal; the end of the game ends any proposal."""
        proposal = self.seating.proposal
        if proposal is None or self.phase != "playing" or (proposal.kind == "undo" and proposal.n != self.n):
            return None
        if proposal.kind == "answer" and (
            self.game_state.question_since[proposal.seat] > proposal.n or proposal.seat not in self.people_seats
        ):
            return None
        return proposal

    def missing_voters(self, proposal: Proposal) -> list[int]:
        """Return the seats that have yet to accept.

        They belong to people who are connected or were when the proposal was made, except substituted ones.
        """
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
        """Drop the cached updates when nobody is connected, because they take a third of a table's memory."""
        self.update_cache, self.info_cache = None, {}

    def copy_seating(self) -> SeatsAndSettings:
        """Return a copy of the seating that may be modified."""
        seating = self.seating
        return msgspec.structs.replace(
            seating,
            seats=[msgspec.structs.replace(holder) for holder in seating.seats],
            nonces=list(seating.nonces),
            proposal=self.proposal,
            initial_holders=list(seating.initial_holders),
        )

    def people(self) -> list[str]:
        """Return everyone whose name may appear here: current and former seat holders, and a proposer."""
        seated = [
            holder_id.removeprefix("person:") for holder_id in self.log.holder_ids if holder_id.startswith("person:")
        ]
        proposers = [self.proposal.person] if self.proposal else []
        return list(
            dict.fromkeys([*seated, *proposers, *(holder.person for holder in self.seating.seats if holder.person)])
        )

    def seat_change_entries(self, seating: SeatsAndSettings) -> tuple[tuple[int, str], ...]:
        """Return the log entries for a new seating, one for each seat that changes hands.

        There are none before the first deal.
        """
        if self.phase == "waiting":
            return ()
        return tuple(
            (seat, f"seat {holder.kind}:{holder.level}" if holder.kind == "bot" else f"seat {holder.kind}")
            for seat, holder in enumerate(seating.seats)
            if self.log.holder_ids[self.game_state.holders[seat]] != holder.holder_id
        )

    def replace_with(self, other: Table) -> None:
        """Replace all stored data with that of another copy of this table, but keep the presence."""
        for name in Table.__slots__:
            if name != "presence":
                setattr(self, name, getattr(other, name))

    def undo_limits(self, seat: int) -> tuple[int | None, int | None]:
        """Return the lowest n for an undo without consent, and the n before the seat's last answer; each may be `None`.

        Undos are off with clocks, and if others play the same cards. An undo needs no consent in a one-person game
        against bots if nobody else has ever seen a hand (docs/rulings.md). The answers that a fork took over cannot be
        undone.
        """
        last = (
            self.game_state.last_answer_n[seat]
            if seat >= 0 and self.phase == "playing" and not self.header.time_control and not self.has_shared_cards
            else None
        )
        if last is None:
            return None, None
        first = self.header.fork.n if self.header.fork else 0
        at_will = len(self.game_state.hand_seats) == 1 and last >= first and self.people_seats == [seat]
        return (first if at_will else None), last

    def clocks_after(
        self, seating: SeatsAndSettings, to_act: int, answered: int = -1, thinking_ms: int | None = None
    ) -> ClockState | None:
        """Return the clock state from now on, with this seating and these seats to act.

        `answered` is the seat that answered, if any. `thinking_ms` is the thinking time that their client
        reports.
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
        """Return whether one more timeout forfeits the seat."""
        control, clock_state = self.header.time_control, self.clocks
        return (
            control is not None and clock_state is not None and clock_state.timeouts[seat] + 1 >= control.max_timeouts
        )

    def to_act_with(self, seating: SeatsAndSettings) -> int | None:
        """Return the seats to act with this seating, as bits; `None` before the game, or if nothing depends on it."""
        if self.game_state.state is not None:
            return int(self.game_state.state["to_act"])
        if not seating.nonces or (self.clocks is None and not self._keeps_people_waiting(seating)):
            return None
        begun = GameState(self.game, self.header, EntryLog(self.game))
        begun.begin(seating)
        assert begun.state is not None
        return int(begun.state["to_act"])

    def to_act_column(self, to_act: int) -> dict[str, int]:
        """Return the column for these seats to act, as bits; nothing if its value stays the same.

        It is stored only if several people play without clocks: otherwise it is in the clocks, or the only person keeps
        nobody waiting.
        """
        if self.clocks is not None or self.game_state.state is None:
            return {}
        if len(self.people_seats) < 2 and self.header.match is None:
            return {}
        return {} if to_act == int(self.game_state.state["to_act"]) else {"to_act": to_act}

    def to_act_column_with(self, seating: SeatsAndSettings, to_act: int | None) -> dict[str, int]:
        """Return the column with the seats to act for a new seating; `to_act` is from `to_act_with`."""
        if self.clocks is not None or not seating.nonces:
            return {}
        return {"to_act": to_act if to_act is not None and self._keeps_people_waiting(seating) else 0}

    def _keeps_people_waiting(self, seating: SeatsAndSettings) -> bool:
        """Return whether a player keeps others waiting, here or in the match."""
        return seating.has_several_people or self.header.match is not None

    def seat_names(self) -> tuple[str, ...]:
        """Return the name at each seat."""
        if self._names_cache is None or self._names_cache[0] != self.change_counter:
            self._names_cache = (self.change_counter, resolve_seat_names(self.seating, self.names))
        return self._names_cache[1]

    def name_at_table(self, person: str, name: str) -> str:
        """Return a person's name at this table, distinct from the names at all seats."""
        seat, seated = self.seat_of(person), self.seat_names()
        return seated[seat] if seat >= 0 else disambiguate([*seated, name], range(len(seated)))[-1]


def clocked_seats(seating: SeatsAndSettings, to_act: int) -> int:
    """Return the seats to act, as bits, that are held by people. Bots have no clock."""
    return sum(1 << seat for seat, holder in enumerate(seating.seats) if holder.kind == "person" and to_act >> seat & 1)
