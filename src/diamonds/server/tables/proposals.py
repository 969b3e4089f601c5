"""Proposals that the others at a table vote on (undo, seats, bots, pauses, substitution), and idle players.

Everything here runs under the table's lock. A person alone with bots needs no consent.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Protocol

from diamonds.entries import format_answer, format_undo
from diamonds.errors import InvalidInputError, NotAllowedError
from diamonds.server.api import tables as messages
from diamonds.server.api.tables import NudgeRequest, PauseRequest, SubstituteRequest
from diamonds.server.background_tasks import BackgroundTasks
from diamonds.server.errors import StaleRequestError
from diamonds.server.storage.table_data import TableChange
from diamonds.server.tables.bots import BotService
from diamonds.server.tables.clock_service import ClockService
from diamonds.server.tables.core import seat_rules
from diamonds.server.tables.core.entry_log import seat_of
from diamonds.server.tables.core.log_replay import state_at
from diamonds.server.tables.core.outcomes import with_outcome
from diamonds.server.tables.core.seating import Proposal
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.operations import TableOperations


class ProposalDependencies(TableOperations, Protocol):
    """The part of `TableService` that proposals need."""

    idle_players: IdlePlayers


def _answer_positions(table: Table, seat: int, min_n: int) -> set[int]:
    """Return the positions, from `min_n` on, of a seat's effective answers."""
    return {
        table.log.canonical_n(n) for n, entry in table.log.effective_answers() if n >= min_n and seat_of(entry) == seat
    }


class Proposals:
    """Undos and proposals: how they are made, voted on and applied."""

    def __init__(self, tables: ProposalDependencies) -> None:
        self.tables = tables
        self._tasks = BackgroundTasks()

    async def undo(self, table: Table, body: messages.UndoRequest, change: TableChange) -> bytes:
        """Undo freely when alone with bots, otherwise propose an undo to the others."""
        person = change.person
        seat = self.tables.find_seat(table, person)
        table.check_cards_not_shared()
        if table.phase != "playing":
            raise NotAllowedError("table-nothing-to-undo")
        if table.clocks is not None:
            raise NotAllowedError("table-undo-clocks")
        if body.n != table.n:
            raise StaleRequestError("table-moved-on", await self.tables.current_update(table, body.n, person))
        positions = {table.log.canonical_n(n) for n, _ in table.log.effective_answers()}
        if body.to > table.n or table.log.canonical_n(body.to) not in positions:
            raise InvalidInputError("table-no-moment")
        others = [other for other in table.people_seats if other != seat and other not in table.presence.substituted]
        if others:
            proposal = Proposal("undo", person, seat, undo_to=body.to, voters=others)
            return await self.tables.commit_seating(table, seat_rules.propose(table, proposal), change)
        min_n, _ = table.undo_limits(seat)
        if min_n is None or table.log.canonical_n(body.to) not in _answer_positions(table, seat, min_n):
            raise NotAllowedError("table-undo-own")
        return await self._undo(table, seat, body.to, True, change)

    async def vote(self, table: Table, body: messages.ProposalVoteRequest, change: TableChange) -> bytes:
        """Vote on a proposal. The last acceptance applies it; any rejection, also by its proposer, ends it."""
        seating = seat_rules.vote(table, change.person, body)
        if seating.proposal is None or table.missing_voters(seating.proposal):
            return await self.tables.commit_seating(table, seating, change)
        return await self._apply(table, seating.proposal, change)

    async def _apply(self, table: Table, proposal: Proposal, change: TableChange) -> bytes:
        if proposal.kind == "undo":
            return await self._undo(table, proposal.seat, proposal.undo_to, False, change)
        if proposal.kind == "pause":
            return await self.tables.idle_players.pause_clocks(table, change)
        if proposal.kind == "answer":
            return await self.tables.idle_players.substitute_answer(table, proposal.seat, change)
        return await self.tables.commit_seating(table, seat_rules.apply_proposal(table, proposal), change)

    def recheck(self, table: Table) -> None:
        """Apply the proposal if everyone still here has accepted it, because a voter may have left."""
        proposal = table.proposal
        if proposal is not None and proposal.accepted and not table.missing_voters(proposal):
            self._tasks.start(self._resolve(table))

    async def _resolve(self, table: Table) -> None:
        async with self.tables.lock(table):
            proposal = table.proposal
            if proposal is not None and proposal.accepted and not table.missing_voters(proposal):
                with contextlib.suppress(StaleRequestError):  # accounts were merged in the meantime
                    await self._apply(table, proposal, TableChange(table=table.id, person=proposal.person))

    async def _undo(self, table: Table, seat: int, to: int, at_will: bool, change: TableChange) -> bytes:
        earlier = await asyncio.to_thread(state_at, table, to)
        after = table.n + 1
        reply = b'{"n":%d,"version":%d}' % (after, after << 32 | table.change_counter)
        entry, at_ms = (seat, format_undo(to, not at_will)), table.log.time_for_entry()
        columns = table.to_act_column(int(earlier[0]["to_act"]))
        earlier_reply = await self.tables.commit(
            table, change._replace(reply=reply, n=table.n, entries=(entry,), at_ms=at_ms, columns=columns)
        )
        if earlier_reply is not None:
            return earlier_reply
        table.game_state.commit_undo(seat, to, earlier, at_will, at_ms, hash((change.person, change.idempotency_key)))
        self.tables.touch(table)
        return reply


NUDGE_AFTER_MS = 15_000  # after the question
SUBSTITUTE_VOTE_AFTER_MS = 60_000  # if at least two people agree
SUBSTITUTE_ALONE_AFTER_MS = 180_000  # if one person decides alone


class IdlePlayerDependencies(TableOperations, Protocol):
    """The part of `TableService` that `IdlePlayers` needs."""

    bots: BotService
    clocks: ClockService


class IdlePlayers:
    """Idle players: nudges, pauses and substitution. Everything here runs under the table's lock."""

    def __init__(self, tables: IdlePlayerDependencies) -> None:
        self.tables = tables

    # Pauses

    async def pause(self, table: Table, seat: int, body: PauseRequest, change: TableChange) -> bytes:
        """Propose a pause to everyone else with a seat. Any player may resume the clocks."""
        clock_state = table.clocks
        if clock_state is None or table.phase != "playing":
            raise NotAllowedError("table-no-clocks")
        if body.on and table.header.match is not None:
            raise NotAllowedError("table-match-no-pause")
        if body.on == clock_state.paused:
            raise NotAllowedError("table-paused" if clock_state.paused else "table-not-paused")
        others = [other for other in table.people_seats if other != seat]
        if body.on and others:
            proposal = Proposal("pause", change.person, seat, voters=others)
            return await self.tables.commit_seating(table, seat_rules.propose(table, proposal), change)
        return await self.tables.commit_seating(table, table.copy_seating(), change, body.on)

    async def pause_clocks(self, table: Table, change: TableChange) -> bytes:
        """Pause the clocks, because everyone has agreed."""
        seating = table.copy_seating()
        seating.proposal = None
        return await self.tables.commit_seating(table, seating, change, True)

    # Idle players

    def nudge(self, table: Table, seat: int, body: NudgeRequest) -> None:
        """Remind a player that everyone is waiting: once per question, and only after a while."""
        idle_ms = self._idle_ms(table, seat, body.seat)
        if idle_ms < NUDGE_AFTER_MS:
            raise NotAllowedError("table-nudge-early", seconds=_seconds(NUDGE_AFTER_MS - idle_ms))
        last_nudge = table.presence.nudges.get((seat, body.seat))
        if last_nudge == table.game_state.question_since[body.seat]:
            raise NotAllowedError("table-nudged")
        table.presence.nudges[seat, body.seat] = table.game_state.question_since[body.seat]
        self.tables.touch(table, schedule_bots=False)

    async def propose_substitute(self, table: Table, seat: int, body: SubstituteRequest, change: TableChange) -> bytes:
        """Propose that a bot answers for an idle player at a table without clocks."""
        if table.clocks is not None:
            raise NotAllowedError("table-clocks-do")
        idle_ms = self._idle_ms(table, seat, body.seat)
        others = [other for other in table.people_seats if other not in (seat, body.seat)]
        min_idle_ms = SUBSTITUTE_VOTE_AFTER_MS if others else SUBSTITUTE_ALONE_AFTER_MS
        if idle_ms < min_idle_ms:
            raise NotAllowedError("table-substitute-early", seconds=_seconds(min_idle_ms - idle_ms))
        if not others:
            return await self.substitute_answer(table, body.seat, change)
        proposal = Proposal("answer", change.person, body.seat, voters=others)
        return await self.tables.commit_seating(table, seat_rules.propose(table, proposal), change)

    async def substitute_answer(self, table: Table, seat: int, change: TableChange) -> bytes:
        """Let a bot answer for a player. The entry names the bot's level."""
        level, numbers = await self.tables.bots.choose_substitute_answer(table, seat)
        steps = table.game_state.preview_steps(seat, numbers)
        at_ms, after = table.log.time_for_entry(), table.n + len(steps)
        reply = b'{"n":%d,"version":%d}' % (after, after << 32 | table.change_counter)
        change = change._replace(
            reply=reply,
            n=table.n,
            entries=tuple((seat, format_answer(table.log.entry_text(step.entry), level)) for step in steps),
            at_ms=at_ms,
            columns=table.to_act_column(int(steps[-1].state["to_act"])),
        )
        change = with_outcome(change, table, steps[-1].state)
        earlier_reply = await self.tables.commit(table, change)
        if earlier_reply is not None:
            return earlier_reply
        key_hash = hash((change.person, change.idempotency_key)) if change.idempotency_key else 0
        for step in steps:
            table.game_state.commit_step(step, at_ms, key_hash, level)
        self.tables.publish(table)
        return reply

    def track_questions(self, table: Table) -> None:
        """Record the time of new questions after a change at the table."""
        if table.game_state.state is None or table.is_over or len(table.people_seats) < 2:
            return
        to_act, asked_since = int(table.game_state.state["to_act"]), table.presence.asked_since
        for seat in table.people_seats:
            if not to_act >> seat & 1:
                asked_since.pop(seat, None)
            elif asked_since.get(seat, (-1, 0))[0] != table.game_state.question_since[seat]:
                asked_since[seat] = (table.game_state.question_since[seat], table.presence.now())

    def _idle_ms(self, table: Table, seat: int, other: int) -> int:
        """Return how long a player has been idle, in milliseconds. Raise `NotAllowedError` if they are not to act."""
        if table.phase != "playing" or table.game_state.state is None:
            raise NotAllowedError("game-over" if table.is_over else "table-not-begun")
        if not 0 <= other < table.header.seats:
            raise InvalidInputError("table-no-such-seat")
        if table.clocks is not None and table.clocks.paused:
            raise NotAllowedError("table-paused")
        is_to_act = int(table.game_state.state["to_act"]) >> other & 1
        if other == seat or not is_to_act or other not in table.people_seats:
            raise NotAllowedError("table-not-waited-for")
        self.track_questions(table)
        return table.presence.now() - table.presence.asked_since[other][1]


def _seconds(milliseconds: int) -> int:
    return -(-milliseconds // 1000)
