"""Bots that have a seat, and bots that stand in for someone who is gone.

A bot is given a view (`bot.see`) and decides outside the event loop: quick ones in a thread, others in processes that think
(`thinking.py`), when it is their turn. If for a while they cannot think, or it does not become their turn, `simple` gives that
one answer where people wait for it, and the table says so. Where nobody sits and nobody looks, bots pause.

Every answer is given on a beat (`pace.py`), or after a time drawn without looking at the cards, where the host has set one: its
timing tells nothing. The random numbers
follow from the table's secret and n: the same game again is the same game.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import random
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

import numpy as np

from diamonds.bots import bot, kernels, levels
from diamonds.game import Illegal, find_game
from diamonds.server.api.readiness import Bots
from diamonds.server.table.entries import seat_of
from diamonds.server.table.table import Table
from diamonds.server.watching.tally import Tally
from diamonds.server.work import pace
from diamonds.server.work.thinking import Thinking
from diamonds.server.work.turns import Urgency

QUICK = ("random", "simple")  # decide in microseconds
PATIENCE = 15.0  # seconds that people wait for a bot to begin to think
UNWATCHED = 60.0  # seconds after which bots pause where nobody sits and nobody looks
GETS_READY, STOOD_IN = "ready", "simple"  # at a bot's plate
log = logging.getLogger("diamonds")


def choose(level: str, game: str, row: bytes, seat: int, question: str, seed: bytes) -> int:
    """A bot's answer, by number: the work of a thread or of another process, from a view alone."""
    found = find_game(game)
    seen = bot.Seen(found, seat, np.frombuffer(row, found.dtype)[0])
    rng = np.random.default_rng(np.frombuffer(seed, np.uint32))
    return int(levels.find_bot(level).choose(seen, question, rng))


def _seed(table: Table, n: int, seat: int) -> bytes:
    """What the random numbers of one decision follow from."""
    return hashlib.sha256(table.play.secret + b"bot" + n.to_bytes(4, "big") + bytes([seat])).digest()


class Desk(Protocol):
    """What bots ask of whoever runs the tables."""

    def in_memory(self, table: Table) -> bool:
        """Whether this is the table in use (and not one that was dropped)."""
        ...

    def changed(self, table: Table, look: bool = True) -> None:
        """Something besides the game changed: tell every reader."""
        ...

    async def play(self, table: Table, seat: int, n: int, answers: list[str], *, by: str = "") -> bytes:
        """Answers of a seat that rest on the view at ``n``; ``by`` is the level that gives them for whoever has it."""
        ...


class BotsAtTable:
    """Plays the seats that bots have or fill."""

    def __init__(self, desk: Desk, thinking: Thinking, think: tuple[float, float] | None, tally: Tally) -> None:
        self.desk = desk
        self.thinking = thinking
        self.tally = tally
        self.think = think
        self._threads = ThreadPoolExecutor(1, "bots")
        self._tasks: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        """Stop thinking."""
        for task in self._tasks:
            task.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def readiness(self) -> Bots:
        """How bots are, once the thread in which quick ones decide has come to it: "ready"; "compiling" what levels think with, while
        quick ones stand in; or "quick", where no others are offered."""
        await asyncio.get_running_loop().run_in_executor(self._threads, int)
        return "quick" if kernels.missing() else "compiling" if self.thinking.compiling else "ready"

    def look(self, table: Table) -> None:
        """See whether a bot is to play here, now or once someone has been gone for long enough."""
        here = table.here
        if table.phase != "playing" or table.play.state is None or (table.clocks is not None and table.clocks.paused):
            return
        if table.places.closed:
            return
        if not table.persons and not here.is_read and time.monotonic() - here.touched > UNWATCHED:
            here.paused = True
            return
        due = self._see_who_is_gone(table)
        to_act = int(table.play.state["to_act"])
        if here.hurried and (len(table.persons) != 1 or to_act >> table.persons[0] & 1):
            here.hurried = False
        for seat, place in enumerate(table.places.seats):
            if to_act >> seat & 1 and seat not in here.bots and (place.kind == "bot" or seat in here.standing_in):
                level = place.level if place.kind == "bot" else levels.quick_bot(table.game)
                task = asyncio.get_running_loop().create_task(self._play(table, seat, level))
                here.bots[seat] = task
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
        if here.waker is not None:
            here.waker.cancel()
            here.waker = None
        if due is not None:
            here.waker = asyncio.get_running_loop().call_later(max(due, 0) + 0.01, self.look, table)

    def go_on(self, table: Table) -> None:
        """Somebody looks again at a table where bots have paused."""
        table.here.paused = False
        self.look(table)

    def hurry(self, table: Table, seat: int) -> None:
        """Bots make haste until this seat, that of the only person, is asked; if it is asked already, nothing changes."""
        state = table.play.state
        if state is not None and not int(state["to_act"]) >> seat & 1 and not table.here.hurried:
            table.here.hurried = True
            self.change_tempo(table)

    def change_tempo(self, table: Table) -> None:
        """Bots that wait for their beat have another one from now on."""
        if table.here.tempo is not None:
            table.here.tempo.set()
            table.here.tempo = None

    def _see_who_is_gone(self, table: Table) -> float | None:
        """Who is stood in for: anyone gone for ``takeover`` seconds while someone else is here, so that nobody's game with
        bots is played without them. Returns the seconds until the next seat may have to be filled."""
        gone: set[int] = set()
        due = None
        if table.clocks is not None:  # whoever has gone has a clock that runs; for whoever got up, a bot answers
            up = [seat for seat, place in enumerate(table.places.seats) if place.kind == "open"]
            self._stand_in_for(table, frozenset(up))
            return None
        takeover, now = table.header.takeover, time.monotonic()
        here = table.here.seats if takeover else set()
        if not here.isdisjoint(table.persons):
            for seat, place in enumerate(table.places.seats):
                if place.kind == "open":
                    gone.add(seat)
                elif place.kind == "person" and seat not in here:
                    left = table.here.seen[seat] + takeover - now
                    if left <= 0:
                        gone.add(seat)
                    elif due is None or left < due:
                        due = left
        self._stand_in_for(table, frozenset(gone))
        return due

    def _stand_in_for(self, table: Table, gone: frozenset[int]) -> None:
        if gone != table.here.standing_in:
            table.here.standing_in = gone
            self.desk.changed(table, look=False)

    async def _play(self, table: Table, seat: int, level: str) -> None:
        """One answer of one seat."""
        try:
            state = table.play.state
            assert state is not None
            n = table.n
            question = table.game.question(state)
            last = table.log.entries[-1] if n else 0
            again = n > 0 and seat_of(last) == seat and table.log.words_of_question(last) == question.name
            carries_on = again and question.one_by_one
            began = time.monotonic()
            drawn = random.uniform(*self.think) if self.think else None
            row = bot.see(table.game, state, seat).row.tobytes()
            given = (table.game.name, row, seat, question.name, _seed(table, n, seat))
            number, level = await self._decide(table, seat, level, given)
            self.tally.thinking[level].add(time.monotonic() - began)
            await self._wait_for_the_beat(table, began, drawn, carries_on)
            still = table.places.seats[seat].kind == "bot" or seat in table.here.standing_in
            if still and table.play.open_since[seat] <= n and self.desk.in_memory(table):
                answer = question.answers[number]
                with contextlib.suppress(Illegal):  # an undo, or the player came back and answered
                    by = "" if table.places.seats[seat].who == f"bot:{level}" else level
                    await self.desk.play(table, seat, n, [f"{question.name} {answer}"], by=by)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("The bot on seat %s of table %s could not play.", seat, table.id)
            await asyncio.sleep(5)
        finally:
            table.here.bots.pop(seat, None)
        self.look(table)

    async def answer_for(self, table: Table, seat: int) -> tuple[str, list[int]]:
        """What a quick bot answers for somebody, at once: its level, and the answers that make up one decision, by number."""
        level, state = levels.quick_bot(table.game), table.play.state
        assert state is not None
        question, numbers = table.game.question(state), list[int]()
        while True:
            n = table.n + len(numbers)
            given = (
                table.game.name,
                bot.see(table.game, state, seat).row.tobytes(),
                seat,
                question.name,
                _seed(table, n, seat),
            )
            numbers.append(await asyncio.get_running_loop().run_in_executor(self._threads, choose, level, *given))
            state = table.play.steps(seat, numbers)[-1].state
            asked = int(state["to_act"]) >> seat & 1 and table.game.question(state) is question
            if not (question.one_by_one and asked):
                return level, numbers

    async def _wait_for_the_beat(self, table: Table, asked: float, drawn: float | None, carries_on: bool) -> None:
        """Until an answer that has been found is given; ``drawn`` is how long it takes in a house that does not go by the pace.

        An answer that ``carries_on`` the last one, a second card to pass, is a part of it and takes no time of its own.
        """
        found, changed = time.monotonic(), True
        while changed:
            changed = False
            left = self._due(table, asked, found, drawn, carries_on) - time.monotonic()
            with contextlib.suppress(TimeoutError):
                if table.here.tempo is None:
                    table.here.tempo = asyncio.Event()
                async with asyncio.timeout(max(0.0, left)):
                    changed = await table.here.tempo.wait()
            found = time.monotonic()

    def _due(self, table: Table, asked: float, found: float, drawn: float | None, carries_on: bool) -> float:
        beat = pace.HURRIED if carries_on or table.here.hurried else pace.BEATS[table.places.pace]
        due = pace.next_beat(asked, found, beat)
        if drawn is None:
            return due
        own = asked + (0.0 if carries_on else drawn)
        return min(own, due) if table.here.hurried else own

    async def _decide(
        self, table: Table, seat: int, level: str, given: tuple[str, bytes, int, str, bytes]
    ) -> tuple[int, str]:
        """A bot's answer, by number, and whose it is: the level's, or a quick one's if it could not begin to think in time.

        Nobody is impatient at a table where nobody sits.
        """
        loop = asyncio.get_running_loop()
        while level not in QUICK and not kernels.missing():
            urgency = Urgency.PLAY if table.persons else Urgency.PASTIME
            try:
                async with asyncio.timeout(PATIENCE) as patience:
                    ready = self.thinking.ready(table.game)
                    if not ready.done():
                        self._note(table, seat, GETS_READY)
                        await asyncio.shield(ready)
                    if kernels.missing():
                        break
                    async with self.thinking.turn(urgency, table.header.host):
                        patience.reschedule(None)
                        self._note(table, seat, "")
                        return await self.thinking.work_out(choose, level, *given), level
            except TimeoutError:
                if table.persons:
                    break
        who = level if level in QUICK else levels.quick_bot(table.game)
        number = await loop.run_in_executor(self._threads, choose, who, *given)
        self._note(table, seat, "" if who == level else STOOD_IN)
        return number, who

    def _note(self, table: Table, seat: int, note: str) -> None:
        """Say at a bot's plate how it is about its thinking."""
        if table.here.notes.get(seat, "") != note:
            table.here.notes[seat] = note
            self.desk.changed(table, look=False)
