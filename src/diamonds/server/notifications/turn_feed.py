"""The turn feed: tables with several people where a connected person is to act, and challenges to them.

Clocks determine who is to act (`ClockState.to_act`); without clocks it is stored with each answer
(in the column `to_act`), so no game is replayed for it. The feed is read once when a person connects, and updated while
they are connected.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from diamonds.errors import NotFoundError
from diamonds.server.api import notifications as messages
from diamonds.server.api.codec import encode
from diamonds.server.api.lobby import ChallengeInfo
from diamonds.server.cluster.notices import TurnsChanged
from diamonds.server.lobby.challenges import Challenges
from diamonds.server.people.display_names import display_names
from diamonds.server.storage.commit_outcomes import DamagedTableError, StoreUnavailableError
from diamonds.server.storage.table_data import TableChange
from diamonds.server.tables.core import clocks
from diamonds.server.tables.core.clocks import ClockState
from diamonds.server.tables.core.loading import decode_clock_state, decode_header, decode_seating
from diamonds.server.tables.core.seating import SeatsAndSettings, TableHeader, resolve_seat_names
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.service import TableObserver, TableService
from diamonds.server.tables.streams import Send, SseConnection

MAX_TURNS = 100  # per update
REFRESH_INTERVAL_S = 30.0  # only used in a cluster

_turn_decoder = msgspec.json.Decoder(messages.TurnInfo | None)


def _turn_order(turn: messages.TurnInfo) -> tuple[bool, int, str]:
    """Return the sort key: earliest deadline first, turns without deadline last."""
    return turn.deadline_ms is None, turn.deadline_ms or 0, turn.table


class TurnStream(SseConnection):
    """A stream with only the turn feed, for a page that has no other stream."""

    __slots__ = ()

    async def next_frame(self) -> bytes:
        return b""


class PersonTurns:
    """One person's turns and challenges, sent on each of their streams."""

    __slots__ = ("_changes_while_reading", "challenges", "now", "streams", "tables", "version")

    def __init__(self, now: int, challenges: list[ChallengeInfo]) -> None:
        self.streams: list[SseConnection] = []
        self.now = now
        self.tables: dict[str, messages.TurnInfo] = {}
        self.challenges = challenges
        self.version = -1  # −1 until the turns have been read; nothing is sent before that
        self._changes_while_reading: dict[str, messages.TurnInfo | None] = {}  # changes since the read began

    def text(self) -> bytes:
        first = sorted(self.tables.values(), key=_turn_order)[:MAX_TURNS]
        return b"event: turns\ndata: %b\n\n" % encode(messages.TurnFeedUpdate(self.now, first, self.challenges))

    def start(self, turns: dict[str, messages.TurnInfo]) -> None:
        """Set the turns that were read; changes during the read take precedence."""
        changed = turns | self._changes_while_reading
        self.tables = {table: turn for table, turn in changed.items() if turn}
        self.version = 0
        self._notify()

    def set_turn(self, table: str, turn: messages.TurnInfo | None, now: int) -> None:
        """Set or clear the turn at one table."""
        if self.version < 0:
            self._changes_while_reading[table], self.now = turn, now
            return
        if self.tables.get(table) == turn:
            return
        if turn is None:
            del self.tables[table]
        else:
            self.tables[table] = turn
        self.now = now
        self._notify()

    def set_challenges(self, challenges: list[ChallengeInfo], now: int) -> None:
        """Replace the challenges."""
        if self.challenges != challenges:
            self.challenges, self.now = challenges, now
            self._notify()

    def _notify(self) -> None:
        if self.version < 0:
            return
        self.version += 1
        for stream in self.streams:
            stream.notify(b"a")


class TurnFeedHub(TableObserver):
    """The turn feeds of all connected people."""

    def __init__(self, tables: TableService, challenges: Challenges) -> None:
        self.tables = tables
        self.challenges = challenges
        self._people: dict[str, PersonTurns] = {}
        self._refresh_task: asyncio.Task[None] | None = None
        tables.observers.append(self)
        challenges.change_callbacks.append(self.on_challenge)

    def open(self, person: str, send: Send) -> TurnStream:
        """Return a stream for a page that has no other."""
        return TurnStream(person, send)

    async def add_stream(self, stream: SseConnection) -> None:
        person_turns = self._people.get(stream.person)
        is_first = person_turns is None
        if person_turns is None:
            person_turns = self._people[stream.person] = PersonTurns(
                self.tables.clocks.now(), self.challenges.incoming(stream.person)
            )
        person_turns.streams.append(stream)
        stream.person_updates = person_turns
        if not is_first:
            return
        try:
            person_turns.start(await self.turns_of(stream.person))
        except StoreUnavailableError:  # clients reconnect
            for other in person_turns.streams:
                other.close()

    def remove_stream(self, stream: SseConnection) -> None:
        person_turns = self._people.get(stream.person)
        if person_turns is None or stream.person_updates is not person_turns:
            return
        stream.person_updates = None
        person_turns.streams.remove(stream)
        if not person_turns.streams:
            del self._people[stream.person]

    async def turns_of(self, person: str) -> dict[str, messages.TurnInfo]:
        """Return a person's current turns from the store."""
        states = await self._turn_states(person)
        for table in [
            table
            for table, turn_state in states.items()
            if turn_state.to_act is None and turn_state.places.has_several_people
        ][:MAX_TURNS]:
            with contextlib.suppress(DamagedTableError, NotFoundError):
                states[table] = states[table]._replace(to_act=await self._store_to_act(table))
        people = {
            holder.person for turn_state in states.values() for holder in turn_state.places.seats if holder.person
        }
        people_names = await display_names(self.tables.store, people)
        turns = {
            table: turn_info(person, table, turn_state, resolve_seat_names(turn_state.places, people_names))
            for table, turn_state in states.items()
        }
        return {table: turn for table, turn in turns.items() if turn}

    async def correspondence_turns(self, person: str) -> dict[str, bool]:
        """Return a person's tables with days per move, each with whether they are to act there."""
        return {
            table: turn_state.seat_to_act(person) >= 0
            for table, turn_state in (await self._turn_states(person)).items()
            if turn_state.header.time_control is not None and turn_state.header.time_control.days_per_move
        }

    async def _turn_states(self, person: str) -> dict[str, TurnState]:
        """Return the tables where a person may be to act, without unreadable ones."""
        states = {}
        for stored in await self.tables.store.turn_states_of(person):
            with contextlib.suppress(DamagedTableError):
                header = decode_header(stored.header)
                clock_state = decode_clock_state(stored.clocks, stored.clocks_at_ms) if stored.clocks else None
                states[stored.table] = TurnState(
                    header,
                    decode_seating(stored.seating, header),
                    clock_state.running if clock_state else stored.to_act,
                    clock_state,
                )
        return states

    async def _store_to_act(self, table_id: str) -> int:
        """Compute and store who is to act at a table where that was never stored."""
        table = await self.tables.registry.find(table_id)
        async with self.tables.lock(table):
            to_act = to_act_bits(table)
            # This has no effect if another process has just stored it.
            await self.tables.store.commit(TableChange(table=table_id, n=table.n, columns={"to_act": to_act}))
        return to_act

    def people(self) -> list[str]:
        """Return the people with a turn feed."""
        return [*self._people]

    def on_challenge(self, person: str) -> None:
        """Update the challenges of a person."""
        person_turns = self._people.get(person)
        if person_turns is not None:
            person_turns.set_challenges(self.challenges.incoming(person), self.tables.clocks.now())

    # `TableObserver`

    def on_change(self, table: Table) -> None:
        """Update the turns of connected people at a table that has changed."""
        if not self._people and not self.tables.cluster:
            return
        people = table.people()
        # People at the table see their turns there. Others may be connected to another member.
        connected = {stream.person for stream in table.presence.streams} if self.tables.cluster else {*people}
        people = [person for person in people if person in self._people or person not in connected]
        if not people:
            return
        to_act = table.clocks.running if table.clocks else to_act_bits(table)
        turn_state = TurnState(table.header, table.seating, to_act, table.clocks)
        remote_turns: dict[str, msgspec.Raw] = {}
        for person in people:
            person_turns = self._people.get(person)
            if person_turns is not None:
                person_turns.set_turn(
                    table.id, turn_info(person, table.id, turn_state, table.seat_names()), self.tables.clocks.now()
                )
            else:
                text = encode(turn_info(person, table.id, turn_state, table.seat_names()))
                if table.presence.announced_turns.get(person, b"null") != text:
                    table.presence.announced_turns[person] = text
                    remote_turns[person] = msgspec.Raw(text)
        if remote_turns and self.tables.cluster:
            self.tables.cluster.publish(TurnsChanged(table.id, remote_turns))

    async def on_notice(self, _: int, notice: TurnsChanged) -> None:
        """Handle changed turns at another member's table."""
        for person, text in notice.turns.items():
            person_turns = self._people.get(person)
            if person_turns is not None:
                person_turns.set_turn(notice.table, _turn_decoder.decode(text), self.tables.clocks.now())

    async def _refresh(self) -> None:
        """Regularly read everyone's turns again, because notices of a member that died may be lost."""
        while True:
            await asyncio.sleep(REFRESH_INTERVAL_S)
            for person in self.people():
                with contextlib.suppress(StoreUnavailableError):
                    turns = await self.turns_of(person)
                    person_turns = self._people.get(person)
                    if person_turns is not None and person_turns.version >= 0:
                        for table in {*turns, *person_turns.tables}:
                            person_turns.set_turn(table, turns.get(table), self.tables.clocks.now())

    def start(self) -> None:
        """Start refreshing the turns of all people, which only a cluster needs."""
        self._refresh_task = asyncio.get_running_loop().create_task(self._refresh())

    def close(self) -> None:
        """Stop refreshing."""
        if self._refresh_task is not None:
            self._refresh_task.cancel()


class TurnState(NamedTuple):
    """The part of a table that determines turns.

    `to_act` are the seats to act, as bits: with clocks, those whose clocks run; `None` if unknown.
    """

    header: TableHeader
    places: SeatsAndSettings
    to_act: int | None
    clocks: ClockState | None

    def seat_to_act(self, person: str) -> int:
        """Return the seat in which a person is to act, or −1."""
        for seat, holder in enumerate(self.places.seats):
            if holder.kind == "person" and holder.person == person and clocks.has_bit(self.to_act or 0, seat):
                return -1 if self.places.closed_reason else seat
        return -1


def to_act_bits(table: Table) -> int:
    """Return the seats that are to act, as bits."""
    return 0 if table.game_state.state is None or table.is_over else int(table.game_state.state["to_act"])


def turn_info(person: str, table: str, turn_state: TurnState, seat_names: Sequence[str]) -> messages.TurnInfo | None:
    """Return a person's turn at a table; `None` if they are not to act, or play alone with bots outside a match."""
    seat = turn_state.seat_to_act(person)
    match = turn_state.header.match
    if seat < 0 or (not turn_state.places.has_several_people and match is None):
        return None
    others = [name for other, name in enumerate(seat_names) if name and other != seat]
    deadline_ms = turn_state.clocks.at_ms + turn_state.clocks.remaining_ms[seat] if turn_state.clocks else None
    days = turn_state.header.time_control.days_per_move if turn_state.header.time_control else 0
    return messages.TurnInfo(table, turn_state.header.game, others, deadline_ms, days, match.id if match else None)
