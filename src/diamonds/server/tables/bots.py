"""Bots at tables: when they answer, and for whom.

A bot answers at the first multiple of the table's bot delay, counted from the question, after it has decided. So the
time reveals nothing about its hand: neither whether it had a choice (R5), nor how long it thought, if less than one
delay.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import random
import time
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor

import numpy as np

from diamonds.bots import bot, kernels, levels
from diamonds.bots.plugins import PluginBot
from diamonds.decisions import bot_bits
from diamonds.errors import DiamondsError, NotAllowedError
from diamonds.events import new_log
from diamonds.game import find_game
from diamonds.server.api.readiness import BotReadiness
from diamonds.server.api.tables import BotSpeed
from diamonds.server.background_tasks import BackgroundTasks
from diamonds.server.jobs.fair_queue import Priority
from diamonds.server.jobs.worker_pool import WorkerPool
from diamonds.server.metrics.counters import ServerCounters
from diamonds.server.tables.core.entry_log import seat_of
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.operations import TableOperations

BOT_DELAYS_S: dict[BotSpeed, float] = {"quick": 0.4, "steady": 0.8, "calm": 1.8}
FAST_FORWARD_DELAY_S = 0.1  # almost all levels have decided by then


def answer_time(asked_at: float, found_at: float, delay_s: float) -> float:
    """Return when to give an answer found at `found_at`; without a delay, immediately. All are seconds on one clock."""
    if delay_s <= 0:
        return found_at
    return asked_at + max(1, math.ceil(round((found_at - asked_at) / delay_s, 9))) * delay_s


INSTANT_BOTS = ("random", "simple")  # these decide in microseconds
MAX_START_WAIT_S = 15.0  # longest wait of people for a bot to start thinking
PAUSE_UNWATCHED_S = 60.0  # bots pause at tables without people or viewers
STATUS_PREPARING, STATUS_SUBSTITUTED = "ready", "simple"  # statuses shown at a bot's seat
log = logging.getLogger("diamonds")


def is_searching_level(level: str) -> bool:
    """Return whether this is a level that searches. A table may also have a bot that this server no longer offers."""
    return isinstance(levels.BOTS.get(level), levels.LevelBot)


def choose_answer(level: str, game: str, row: bytes, seat: int, question: str, bits: int) -> int:
    """Return the number of a bot's answer, chosen from a view alone. This runs in a thread or a worker process."""
    found_game = find_game(game)
    view = bot.BotView(found_game, seat, np.frombuffer(row, found_game.dtype)[0])
    return levels.choose_with_bits(level, view, question, bits)


def bot_input(table: Table, seat: int, numbers: Sequence[int] = ()) -> tuple[str, bytes, int, str, int]:
    """Return the input of a bot's decision, after further answers of the seat (`numbers`).

    It is the game, the view, the seat, the question and the random bits.
    """
    game_state = table.game_state
    assert game_state.asked_question is not None
    state = game_state.asked_question.state_for(table.game, seat)
    for number in numbers:
        table.game.rules.step(state, seat, number, new_log())
    row = bot.bot_view(table.game, state, seat).row.tobytes()
    n = len(numbers) + sum(seat_of(entry) == seat for _, entry in table.log.effective_answers(table.n))
    return table.game.name, row, seat, table.game.question(state).name, bot_bits(game_state.secret, seat, n)


class BotService:
    """A service that plays the seats of bots and of absent people."""

    def __init__(
        self,
        tables: TableOperations,
        workers: WorkerPool,
        bot_delay: tuple[float, float] | None,
        counters: ServerCounters,
    ) -> None:
        self.tables = tables
        self.workers = workers
        self.counters = counters
        self.bot_delay = bot_delay
        self.threads = ThreadPoolExecutor(1, "bots")  # where the fast bots decide
        self._tasks = BackgroundTasks()

    def close(self) -> None:
        """Cancel all decisions."""
        self._tasks.cancel()
        self.threads.shutdown(wait=False, cancel_futures=True)

    async def readiness(self) -> BotReadiness:
        """Return the state of the bots, once the thread of the fast bots has responded.

        It is "ready", "compiling" while fast bots substitute for levels that are being compiled, or "quick" if there
        are only fast bots.
        """
        await asyncio.get_running_loop().run_in_executor(self.threads, int)
        return "quick" if kernels.missing_reason() else "compiling" if self.workers.is_compiling else "ready"

    def schedule(self, table: Table) -> None:
        """Start the bots that are to act at a table, and schedule the next substitution of an absent person."""
        presence = table.presence
        if (
            table.phase != "playing"
            or table.game_state.state is None
            or (table.clocks is not None and table.clocks.paused)
        ):
            return
        if table.seating.closed_reason:
            return
        if (
            not table.people_seats
            and table.header.match is None  # a match must end, because others are waiting
            and not presence.has_viewers
            and time.monotonic() - presence.last_access > PAUSE_UNWATCHED_S
        ):
            presence.bots_paused = True
            return
        if table.people_seats:
            self.workers.expect(table.game)
        due = self._check_absent(table)
        to_act = int(table.game_state.state["to_act"])
        if presence.fast_forward and (len(table.people_seats) != 1 or to_act >> table.people_seats[0] & 1):
            presence.fast_forward = False
        for seat, holder in enumerate(table.seating.seats):
            if (
                to_act >> seat & 1
                and seat not in presence.bot_tasks
                and (holder.kind == "bot" or seat in presence.substituted)
            ):
                level = holder.level if holder.kind == "bot" else levels.fast_bot_name(table.game)
                presence.bot_tasks[seat] = self._tasks.start(self._play_answer(table, seat, level))
        if presence.substitute_timer is not None:
            presence.substitute_timer.cancel()
            presence.substitute_timer = None
        if due is not None:
            presence.substitute_timer = asyncio.get_running_loop().call_later(max(due, 0) + 0.01, self.schedule, table)

    def resume(self, table: Table) -> None:
        """Resume the bots of a table that is viewed again."""
        table.presence.bots_paused = False
        self.schedule(table)

    def fast_forward(self, table: Table, seat: int) -> None:
        """Skip bot delays until the seat of the only person is to act. Do nothing if it already is."""
        state = table.game_state.state
        if state is not None and not int(state["to_act"]) >> seat & 1 and not table.presence.fast_forward:
            table.presence.fast_forward = True
            self.reschedule(table)

    def reschedule(self, table: Table) -> None:
        """Recompute the delay of waiting bots."""
        if table.presence.bot_timing_changed is not None:
            table.presence.bot_timing_changed.set()
            table.presence.bot_timing_changed = None

    def _check_absent(self, table: Table) -> float | None:
        """Update which seats are substituted, and return the seconds until the next seat may have to be.

        A person is substituted after `substitute_after_s` seconds of absence, but only while someone else is present,
        so no game against bots continues without its player.
        """
        absent: set[int] = set()
        due_s = None
        if table.clocks is not None:  # an absent person's clock runs; bots only substitute for people who stood up
            open_seats = [seat for seat, holder in enumerate(table.seating.seats) if holder.kind == "open"]
            self._substitute(table, frozenset(open_seats))
            return None
        substitute_after_s, now = table.header.substitute_after_s, time.monotonic()
        connected = table.presence.connected_seats if substitute_after_s else set()
        if not connected.isdisjoint(table.people_seats):
            for seat, holder in enumerate(table.seating.seats):
                if holder.kind == "open":
                    absent.add(seat)
                elif holder.kind == "person" and seat not in connected:
                    left_s = table.presence.last_seen[seat] + substitute_after_s - now
                    if left_s <= 0:
                        absent.add(seat)
                    elif due_s is None or left_s < due_s:
                        due_s = left_s
        self._substitute(table, frozenset(absent))
        return due_s

    def _substitute(self, table: Table, absent: frozenset[int]) -> None:
        if absent != table.presence.substituted:
            table.presence.substituted = absent
            self.tables.touch(table, schedule_bots=False)

    async def _play_answer(self, table: Table, seat: int, level: str) -> None:
        """Decide and play one answer of one seat."""
        try:
            state = table.game_state.state
            assert state is not None
            n = table.n
            question = table.game.question(state)
            last = table.log.entries[-1] if n else 0
            answered_before = n > 0 and seat_of(last) == seat and table.log.question_name(last) == question.name
            continues_answer = answered_before and question.is_sequential
            asked_at = time.monotonic()
            drawn_delay_s = random.uniform(*self.bot_delay) if self.bot_delay else None
            number, level = await self._decide(table, seat, level, bot_input(table, seat))
            self.counters.bot_decisions[level].add(time.monotonic() - asked_at)
            await self._wait_until_due(table, asked_at, drawn_delay_s, continues_answer)
            still_plays = table.seating.seats[seat].kind == "bot" or seat in table.presence.substituted
            if still_plays and table.game_state.question_since[seat] <= n and self.tables.is_current(table):
                answer = question.answers[number]
                with contextlib.suppress(NotAllowedError):  # there was an undo, or the player is back and has answered
                    substitute = "" if table.seating.seats[seat].holder_id == f"bot:{level}" else level
                    await self.tables.actions.play_answers(
                        table, seat, n, [f"{question.name} {answer}"], substitute=substitute
                    )
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("The bot in seat %s of table %s failed.", seat, table.id)
            await asyncio.sleep(5)
        finally:
            table.presence.bot_tasks.pop(seat, None)
        self.schedule(table)

    async def choose_substitute_answer(self, table: Table, seat: int) -> tuple[str, list[int]]:
        """Choose a fast bot's answers for a person, immediately.

        Return the bot's level, and the numbers of the answers that make up one decision.
        """
        level, state = levels.fast_bot_name(table.game), table.game_state.state
        assert state is not None
        question, numbers = table.game.question(state), list[int]()
        while True:
            args = bot_input(table, seat, numbers)
            numbers.append(await asyncio.get_running_loop().run_in_executor(self.threads, choose_answer, level, *args))
            state = table.game_state.preview_steps(seat, numbers)[-1].state
            is_to_act = int(state["to_act"]) >> seat & 1 and table.game.question(state) is question
            if not (question.is_sequential and is_to_act):
                return level, numbers

    async def _wait_until_due(
        self, table: Table, asked_at: float, drawn_delay_s: float | None, continues_answer: bool
    ) -> None:
        """Wait until an answer is due. `drawn_delay_s` is the delay drawn on a server with `--bot-delay`.

        An answer that continues the previous one (such as a second card to pass) is part of it and has no delay of its
        own.
        """
        found_at, has_changed = time.monotonic(), True
        while has_changed:
            has_changed = False
            left_s = self._due_at(table, asked_at, found_at, drawn_delay_s, continues_answer) - time.monotonic()
            with contextlib.suppress(TimeoutError):
                if table.presence.bot_timing_changed is None:
                    table.presence.bot_timing_changed = asyncio.Event()
                async with asyncio.timeout(max(0.0, left_s)):
                    has_changed = await table.presence.bot_timing_changed.wait()
            found_at = time.monotonic()

    def _due_at(
        self, table: Table, asked_at: float, found_at: float, drawn_delay_s: float | None, continues_answer: bool
    ) -> float:
        delay_s = (
            FAST_FORWARD_DELAY_S
            if continues_answer or table.presence.fast_forward
            else BOT_DELAYS_S[table.seating.bot_speed]
        )
        due_at = answer_time(asked_at, found_at, delay_s)
        if drawn_delay_s is None:
            return due_at
        own_due_at = asked_at + (0.0 if continues_answer else drawn_delay_s)
        return min(own_due_at, due_at) if table.presence.fast_forward else own_due_at

    async def _decide(
        self, table: Table, seat: int, level: str, args: tuple[str, bytes, int, str, int]
    ) -> tuple[int, str]:
        """Return the number of a bot's answer, and its level.

        A fast bot decides if the level could not start in time, except at tables without people.
        """
        loop = asyncio.get_running_loop()
        plugin = levels.BOTS.get(level)
        if isinstance(plugin, PluginBot):
            number = await self._decide_plugin(plugin.name, args)
            self._set_status(table, seat, "" if number is not None else STATUS_SUBSTITUTED)
            if number is not None:
                return number, level
        while is_searching_level(level) and not kernels.missing_reason():
            priority = Priority.LIVE if table.people_seats else Priority.UNWATCHED
            try:
                async with asyncio.timeout(MAX_START_WAIT_S) as start_timeout:
                    ready = self.workers.when_ready(table.game)
                    if not ready.done():
                        self._set_status(table, seat, STATUS_PREPARING)
                        await asyncio.shield(ready)
                    if kernels.missing_reason():
                        break
                    async with self.workers.slot(priority, table.header.host, address=table.presence.host_address):
                        start_timeout.reschedule(None)
                        self._set_status(table, seat, "")
                        return await self.workers.run(choose_answer, level, *args), level
            except TimeoutError:
                if table.people_seats:
                    break
        answering_level = level if level in INSTANT_BOTS else levels.fast_bot_name(table.game)
        number = await loop.run_in_executor(self.threads, choose_answer, answering_level, *args)
        self._set_status(table, seat, "" if answering_level == level else STATUS_SUBSTITUTED)
        return number, answering_level

    async def _decide_plugin(self, name: str, args: tuple[str, bytes, int, str, int]) -> int | None:
        """Return the number of a plug-in bot's answer; `None` if it has failed, which is logged."""
        try:
            return int(await self.workers.plugins.run(choose_answer, name, *args))
        except TimeoutError:
            log.error("The bot %s took too long for the question “%s”. A fast bot answers instead.", name, args[3])
        except BrokenExecutor:
            log.error("The bot %s has ended its process. A fast bot answers instead.", name)
        except DiamondsError as error:
            log.error("%s A fast bot answers instead.", error)
        return None

    def _set_status(self, table: Table, seat: int, status: str) -> None:
        """Show the status of a bot at its seat."""
        if table.presence.bot_status.get(seat, "") != status:
            table.presence.bot_status[seat] = status
            self.tables.touch(table, schedule_bots=False)
