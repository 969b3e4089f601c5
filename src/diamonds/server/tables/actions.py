"""Actions at a table: answer, undo, vote, sit, stand, set bots, chat.

Each one follows the same steps: check, commit, apply, publish, reply.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import TYPE_CHECKING, Protocol, TypeVar

import msgspec

from diamonds.entries import format_answer
from diamonds.errors import NotAllowedError
from diamonds.server.api import tables as messages
from diamonds.server.api.codec import encode
from diamonds.server.api.tables import NudgeRequest, PauseRequest, SubstituteRequest
from diamonds.server.cluster.errors import MemberUnreachableError
from diamonds.server.errors import StaleRequestError
from diamonds.server.metrics.counters import ServerCounters
from diamonds.server.people.sanctions import SanctionsCache, closed_notice
from diamonds.server.storage import failpoints
from diamonds.server.storage.commit_outcomes import StoreUnavailableError
from diamonds.server.storage.table_data import TableChange
from diamonds.server.tables.bots import BotService
from diamonds.server.tables.clock_service import ClockService, add_clock_state
from diamonds.server.tables.core import chat, plans, seat_rules
from diamonds.server.tables.core.batched_answers import parse_answers
from diamonds.server.tables.core.clocks import PlannedAnswer, SeatPlan
from diamonds.server.tables.core.outcomes import with_outcome
from diamonds.server.tables.core.seating import MATCH_ENDED, SeatsAndSettings
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.idempotency import HasIdempotencyKey, check_open, find_earlier_reply, request_hash, run_once
from diamonds.server.tables.proposals import ProposalDependencies, Proposals

if TYPE_CHECKING:
    from diamonds.server.cluster.cluster import Cluster

log = logging.getLogger("diamonds")

OWNER_ACTION_PATH = "/internal/order"  # internal route by which a member asks a table's owner to act
MAX_OWNER_TRIES, OWNER_DELAY_S = 30, 0.2


SeatRequest = TypeVar("SeatRequest", bound=HasIdempotencyKey)


class ActionDependencies(ProposalDependencies, Protocol):
    """The part of `TableService` that actions need."""

    cluster: Cluster | None
    bots: BotService
    clocks: ClockService
    proposals: Proposals
    sanctions: SanctionsCache
    counters: ServerCounters

    async def display_name(self, person: str) -> str: ...


def plan_response(plan: SeatPlan) -> messages.AnswerPlanResponse:
    """Return a plan as a response to its player."""
    answers = [messages.PlannedAnswerInfo(f"{one.question} {one.answer}", one.suit) for one in plan.answers]
    return messages.AnswerPlanResponse(plan.plays_forced, answers)


def _planned_answer(info: messages.PlannedAnswerInfo) -> PlannedAnswer:
    question, _, answer = info.answer.partition(" ")
    return PlannedAnswer(question, answer, info.suit)


class TableActions:
    """Actions of people and bots at the tables of one process."""

    def __init__(self, tables: ActionDependencies) -> None:
        self.tables = tables

    # Answers

    async def answer(self, table: Table, person: str, body: messages.AnswersRequest) -> bytes:
        """Play a person's answers, once per idempotency key. Return the reply, a `CommittedResponse`."""
        body_hash = request_hash(f"answers {table.id}", body)

        seat = self.tables.find_seat(table, person)
        return await self.play_answers(
            table, seat, body.n, body.answers, person, body.idempotency_key, body_hash, thinking_ms=body.thinking_ms
        )

    async def play_answers(
        self,
        table: Table,
        seat: int,
        n: int,
        answers: list[str],
        person: str = "",
        key: str = "",
        body_hash: bytes = b"",
        substitute: str = "",
        thinking_ms: int | None = None,
    ) -> bytes:
        """Play either all or none of a seat's answers, based on the view at `n`.

        `substitute` is the level of the bot that answers, if it is not the holder of the seat. `thinking_ms` is the
        thinking time that the client reports.
        """
        requested_at = perf_counter()
        async with self.tables.lock(table):
            started_at = perf_counter()
            key_hash = hash((person, key)) if key else 0
            if key and table.log.may_have_key(key_hash):
                reply = await find_earlier_reply(
                    self.tables.store,
                    TableChange(table=table.id, person=person, idempotency_key=key, request_hash=body_hash),
                )
                if reply is not None:
                    return reply
            check_open(table)
            state = table.game_state.state
            if state is None:
                raise NotAllowedError("table-not-begun")
            if table.clocks is not None and table.clocks.paused:
                raise NotAllowedError("table-paused")
            if not table.game_state.question_since[seat] <= n <= table.n and not table.is_over:
                raise StaleRequestError("table-moved-on", await self.tables.current_update(table, n, person))
            try:
                numbers = parse_answers(table.game, state, seat, answers)
            except NotAllowedError as error:
                text = error.message
                raise StaleRequestError(
                    text.id, await self.tables.current_update(table, n, person), **text.args
                ) from None
            steps = table.game_state.preview_steps(seat, numbers)
            answered_seat = seat if table.seating.seats[seat].kind == "person" and not substitute else -1
            clock_state = table.clocks_after(table.seating, int(steps[-1].state["to_act"]), answered_seat, thinking_ms)
            clock_state = plans.after_steps(table, seat, steps, clock_state)
            after = table.n + len(steps)
            reply = b'{"n":%d,"version":%d}' % (after, after << 32 | table.change_counter)
            change = TableChange(
                table=table.id,
                person=person,
                idempotency_key=key,
                request_hash=body_hash,
                reply=reply,
                n=table.n,
                entries=tuple((seat, format_answer(answer_text, substitute)) for answer_text in answers),
                at_ms=(at := table.log.time_for_entry()),
                columns=table.to_act_column(int(steps[-1].state["to_act"])),
            )
            change = with_outcome(change, table, steps[-1].state)
            self.tables.counters.lock_wait.add(started_at - requested_at)
            self.tables.counters.rules.add(perf_counter() - started_at)
            earlier_reply = await self.tables.commit(table, add_clock_state(change, clock_state))
            if earlier_reply is not None:
                return earlier_reply
            committed_at = perf_counter()
            for step in steps:
                table.game_state.commit_step(step, at, key_hash, substitute)
            self.tables.clocks.update_clocks(table, clock_state)
        failpoints.reach("swapped")
        self.tables.publish(table)
        failpoints.reach("published")
        self.tables.counters.fan_out.add(perf_counter() - committed_at)
        if log.isEnabledFor(logging.DEBUG):
            log.debug(
                "Answer played.", extra={"game": table.game.name, "seat": seat, "n": after, "by": substitute or "seat"}
            )
        if table.is_over and change.phase:
            log.info("Game finished.", extra={"game": table.game.name, "seats": table.header.seats, "n": after})
        self.tables.counters.answers[table.game.name, "person" if answered_seat >= 0 else "bot"] += len(steps)
        return reply

    # Plans

    async def plan(self, table: Table, person: str, body: messages.AnswerPlanRequest) -> bytes:
        """Set or cancel planned answers. Nobody else sees them, and the table's version stays the same.

        Return an `AnswerPlanResponse`.
        """
        async with self.tables.lock(table):
            check_open(table)
            seat, clock_state, state = self.tables.find_seat(table, person), table.clocks, table.game_state.state
            plans.check_days(table)
            assert clock_state is not None
            assert state is not None
            plan = plans.seat_plan(table, seat)
            if body.answers is not None:
                planned = [_planned_answer(one) for one in body.answers]
                plan = plans.with_answers(table, seat, planned)
            if body.plays_forced is not None:
                plan = msgspec.structs.replace(plan, plays_forced=body.plays_forced)
            clock_state = plans.with_seat_plan(clock_state, seat, plan)
            clock_state = plans.with_due_answer(table, state, clock_state)
            await self.tables.commit(table, add_clock_state(TableChange(table=table.id, person=person), clock_state))
            self.tables.clocks.update_clocks(table, clock_state)
        return encode(plan_response(plan))

    # Proposals

    async def undo(self, table: Table, person: str, body: messages.UndoRequest) -> bytes:
        """Undo freely when alone with bots, otherwise propose an undo to the others."""
        proposals = self.tables.proposals
        return await self._run_once("undo", table, person, body, lambda change: proposals.undo(table, body, change))

    async def vote(self, table: Table, person: str, body: messages.ProposalVoteRequest) -> bytes:
        """Vote on a proposal. The last acceptance applies it; any rejection, also by its proposer, ends it."""
        proposals = self.tables.proposals
        return await self._run_once("wish", table, person, body, lambda change: proposals.vote(table, body, change))

    # Idle players

    async def pause(self, table: Table, person: str, body: PauseRequest) -> bytes:
        """Propose to pause the clocks, or resume them."""

        async def pause_clocks(change: TableChange) -> bytes:
            return await self.tables.idle_players.pause(table, self.tables.find_seat(table, person), body, change)

        return await self._run_once("pause", table, person, body, pause_clocks)

    async def nudge(self, table: Table, person: str, body: NudgeRequest) -> bytes:
        """Remind a player that everyone is waiting for them."""

        async with self.tables.lock(table):
            self.tables.idle_players.nudge(table, self.tables.find_seat(table, person), body)
        return b'{"n":%d,"version":%d}' % (table.n, table.version)

    async def propose_substitute(self, table: Table, person: str, body: SubstituteRequest) -> bytes:
        """Propose that a bot answers for an idle player."""

        async def propose(change: TableChange) -> bytes:
            return await self.tables.idle_players.propose_substitute(
                table, self.tables.find_seat(table, person), body, change
            )

        return await self._run_once("let-answer", table, person, body, propose)

    # Seats

    async def sit(self, table: Table, person: str, body: messages.SitRequest) -> bytes:
        """Take a seat, or propose to take it."""
        return await self._change_seats(table, person, body, "sit", seat_rules.sit)

    async def stand(self, table: Table, person: str, body: messages.StandRequest) -> bytes:
        """Leave the seat."""
        return await self._change_seats(table, person, body, "stand", seat_rules.stand)

    async def set_bot(self, table: Table, person: str, body: messages.SetBotRequest) -> bytes:
        """Seat or remove a bot, or propose it."""
        table.check_cards_not_shared()
        return await self._change_seats(table, person, body, "bot", seat_rules.set_bot)

    async def change_settings(self, table: Table, person: str, body: HasIdempotencyKey) -> bytes:
        """Change the host's settings. A new bot speed applies immediately to waiting bots."""
        speed = table.seating.bot_speed
        reply = await self._change_seats(table, person, body, "settings", seat_rules.change_settings)
        if table.seating.bot_speed != speed:
            self.tables.bots.reschedule(table)
        return reply

    async def fast_forward(self, table: Table, person: str, _: messages.FastForwardRequest) -> bytes:
        """Skip bot delays until it is this lone player's turn. Return a `CommittedResponse`."""
        seat = self.tables.find_seat(table, person)
        if table.phase != "playing":
            raise NotAllowedError("game-over" if table.is_over else "table-not-begun")
        if table.people_seats != [seat]:
            raise NotAllowedError("table-fast-forward-alone")
        self.tables.bots.fast_forward(table, seat)
        return b'{"n":%d,"version":%d}' % (table.n, table.version)

    async def _change_seats(
        self,
        table: Table,
        person: str,
        body: SeatRequest,
        operation: str,
        decide: Callable[[Table, str, SeatRequest], SeatsAndSettings],
    ) -> bytes:
        async def change_seats(change: TableChange) -> bytes:
            return await self.tables.commit_seating(table, decide(table, person, body), change)

        return await self._run_once(operation, table, person, body, change_seats)

    def _run_once(
        self,
        operation: str,
        table: Table,
        person: str,
        body: HasIdempotencyKey,
        action: Callable[[TableChange], Awaitable[bytes]],
    ) -> Awaitable[bytes]:
        return run_once(self.tables, f"{operation} {table.id}", table, person, body, action)

    # Chat

    async def post_chat(self, table: Table, person: str, body: messages.ChatRequest) -> bytes:
        return await self._run_once("chat", table, person, body, lambda change: self.store_chat(table, body, change))

    async def store_chat(self, table: Table, body: messages.ChatRequest, change: TableChange) -> bytes:
        """Commit a chat message, and publish it. Return the reply."""
        self.tables.sanctions.check_not_muted(change.person)
        name = table.name_at_table(change.person, await self.tables.display_name(change.person))
        record = chat.chat_message(table, change.person, name, body, round(time.time(), 3))
        reply = b'{"n":%d,"version":%d}' % (table.n, table.n << 32 | table.change_counter + 1)
        earlier_reply = await self.tables.commit(table, change._replace(reply=reply, chat_record=record))
        if earlier_reply is not None:
            return earlier_reply
        table.chat = chat.newest_lines([*table.chat, record])
        self.tables.touch(table, schedule_bots=False)
        return reply

    # Tables that another member may own

    async def close_table(self, table_id: str, reason: str) -> None:
        """Close a table on behalf of a moderator, or because its match has ended (`MATCH_ENDED`). Its entries are kept.

        The moderator's reason is shown to everyone there.
        """
        if await self._forward_to_owner("shut", table_id, reason):
            return
        table = await self.tables.registry.find(table_id)
        async with self.tables.lock(table):
            if reason == MATCH_ENDED and (table.is_over or table.seating.closed_reason):
                return
            seating = table.copy_seating()
            seating.closed_reason, seating.proposal = reason, None
            await self.tables.commit_seating(table, seating, TableChange(table=table.id), paused=True)
        for stream in table.presence.streams:
            if notice := closed_notice(table.seating.moderators_reason):
                stream.send_notice(notice)

    async def vacate_seat(self, table_id: str, person: str) -> None:
        """Remove a person from their seat, because their account is about to be deleted."""
        if await self._forward_to_owner("stand_up", table_id, person):
            return
        await self.stand(await self.tables.find(table_id, person), person, messages.StandRequest())

    async def run_owner_action(self, action: str, table_id: str, argument: str) -> None:
        """Take an action at a table of this member, as another member requested; see `_forward_to_owner`."""
        await {"shut": self.close_table, "stand_up": self.vacate_seat}[action](table_id, argument)

    async def _forward_to_owner(self, action: str, table_id: str, argument: str) -> bool:
        """Ask the owner of a table to take an action; return whether the owner is another member."""
        if self.tables.cluster is None:
            return False
        for _ in range(MAX_OWNER_TRIES):
            owner = await self.tables.cluster.ownership.locate(table_id)
            if owner is None:
                return False
            try:
                await self.tables.cluster.forwarder.call(
                    owner, OWNER_ACTION_PATH, msgspec.json.encode((action, table_id, argument))
                )
            except MemberUnreachableError:
                self.tables.cluster.ownership.forget_location(table_id)
                await asyncio.sleep(OWNER_DELAY_S)
            else:
                return True
        raise StoreUnavailableError
