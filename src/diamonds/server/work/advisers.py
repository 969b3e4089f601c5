"""Hints at the table and reviews after it: worked out by the bots' processes, asked for again until they are there.

A hint is made from the asking seat's view, with random numbers that follow from the table's name, the n since which the
question is open and the seat: it is the same however often it is asked for, and knows nothing that the seat does not. A review is cut into small tasks, for
each of which it waits for its turn (`turns.py`): so bots need not wait for it, and several reviews go forward side by side. It is
kept in memory under what names the game, its deals and answers.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections import OrderedDict
from typing import TypeVar

import numpy as np

from diamonds.bots import bot
from diamonds.bots.advising import hints, review
from diamonds.game import Illegal, find_game
from diamonds.server.api import messages
from diamonds.server.api.encoding import encode
from diamonds.server.api.refusals import Forbidden, TooMany
from diamonds.server.store.contract import Saved, Store
from diamonds.server.table.loading import load
from diamonds.server.table.table import Table
from diamonds.server.work.thinking import Thinking
from diamonds.server.work.turns import MOST, Urgency

KEPT = 64  # reviews, and hints, that are remembered; and reviews that may be under way
UNDER_WAY = 4  # reviews of one person
AT_ONCE = 8  # tasks of a review that are handed over together
WARMING = "The adviser is getting ready: the first time takes up to a minute."
Key = TypeVar("Key")
log = logging.getLogger("diamonds")


def work_out_hint(game: str, row: bytes, seat: int, seed: int, names: tuple[str, ...]) -> hints.Hint:
    """A hint, from a view alone: the work of another process."""
    found = find_game(game)
    return hints.hint(bot.Seen(found, seat, np.frombuffer(bytearray(row), found.dtype)[0]), seed, names)


def work_out_plan(id: str, saved: Saved, names: dict[str, str], seats: list[int] | None) -> tuple[str, review.Plan]:
    """What names a finished game, and what there is to judge in it: the work of another process, from what is stored."""
    table = load(id, saved)
    table.names = names
    match = table.match(table.chain())
    return review.key(match), review.plan(match, seats)


def work_out_tasks(
    tasks: list[review.Task], moments: list[review.Moment]
) -> tuple[list[review.Decision | None], list[review.Chances]]:
    """A part of a review: the work of another process."""
    return [review.judge(task) for task in tasks], [review.forecast(moment) for moment in moments]


class Job:
    """A review that is being made. ``total`` is 0 until it is known."""

    task: asyncio.Task[None]

    def __init__(self, person: str) -> None:
        self.person = person
        self.done = 0
        self.total = 0
        self.key = ""
        self.trouble = False


class Advisers:
    """Answers to ``/hint`` and ``/review``."""

    def __init__(self, store: Store, thinking: Thinking) -> None:
        self._store = store
        self._thinking = thinking
        self._hints: OrderedDict[tuple[str, int, int], bytes] = OrderedDict()
        self._jobs: OrderedDict[str, Job] = OrderedDict()  # by table
        self._reviews: OrderedDict[str, bytes] = OrderedDict()  # by what names the game

    def close(self) -> None:
        """The server stops."""
        for job in self._jobs.values():
            job.task.cancel()

    def _ready(self, table: Table) -> bool:
        """Whether advice can be given by now; if not, what it takes is being compiled. `Illegal` where it cannot be."""
        hints.require()
        ready = self._thinking.ready(table.game).done()
        hints.require()
        return ready

    async def hint(self, table: Table, person: str) -> bytes | messages.Underway:
        """A `Hint` for the open question of who asks, as JSON; or how far it is."""
        seat = table.seat_of(person)
        if seat < 0:
            raise Forbidden("You have no seat at this table: hints are for those who play.")
        if not table.hints:
            raise Illegal(
                "There are no hints at this table: they are for games against bots, unless the host allows them."
            )
        state = table.state
        if state is None or table.over or not int(state["to_act"]) >> seat & 1:
            raise Illegal("A hint is given when it is your turn.")
        n = table.open_since[seat]  # where all answer at the same time, another's answer leaves the question as it was
        kept = self._hints.get((table.id, n, seat))
        if kept is not None:
            return kept
        if not self._ready(table):
            return messages.Underway(0, 0, WARMING)
        seed = int.from_bytes(hashlib.sha256(f"hint {table.id} {n} {seat}".encode()).digest()[:7], "big")
        row = bot.see(table.game, state, seat).row.tobytes()
        async with self._thinking.turn(Urgency.PLAY, person, MOST):
            given = (table.game.name, row, seat, seed, table.seat_names())
            hint = await self._thinking.work_out(work_out_hint, *given)
        text = encode(
            {"n": n, "seat": seat, **hint._asdict(), "choices": [choice._asdict() for choice in hint.choices]}
        )
        _keep(self._hints, (table.id, n, seat), text)
        return text

    async def review(self, table: Table, person: str) -> bytes | messages.Underway:
        """A finished game's `Review` as JSON; or how far it is. ``person`` is who asks, or a stranger's address."""
        hints.require()
        if not table.over:
            raise Illegal("There is a review when the game is over: until then it would show hidden cards.")
        job = self._jobs.get(table.id)
        if job is not None and job.trouble:
            del self._jobs[table.id]
            raise Illegal("The review could not be made; the reason has been written down.")
        made = self._reviews.get(job.key) if job is not None else None
        if job is not None and made is not None:
            self._reviews.move_to_end(job.key)
            return made
        if job is None or job.task.done():
            job = self._start(table, person)
        if not self._ready(table):
            return messages.Underway(0, 0, WARMING)
        return messages.Underway(job.done, job.total, "The game is being reviewed.")

    def _start(self, table: Table, person: str) -> Job:
        """Begin a review; `TooMany` while enough are under way."""
        under_way = [job for job in self._jobs.values() if not job.task.done()]
        if len(under_way) >= KEPT or sum(job.person == person for job in under_way) >= UNDER_WAY:
            raise TooMany("Enough games are being reviewed: wait until one is done.", 5)
        job = Job(person)
        job.task = asyncio.get_running_loop().create_task(self._make(table, job))
        self._jobs.pop(table.id, None)
        self._jobs[table.id] = job
        if len(self._jobs) > KEPT:
            del self._jobs[next(id for id, old in self._jobs.items() if old.task.done())]
        return job

    async def _make(self, table: Table, job: Job) -> None:
        """Make a review, one small task at a time."""
        try:
            await asyncio.shield(self._thinking.ready(table.game))
            hints.require()
            async with self._thinking.turn(Urgency.REVIEW, job.person):
                given = (table.id, self._store.load(table.id), dict(table.names), table.persons or None)
                job.key, work = await self._thinking.work_out(work_out_plan, *given)
            if job.key in self._reviews:
                return
            job.total = len(work.tasks) + len(work.moments)
            decisions: list[review.Decision | None] = []
            chances: list[review.Chances] = []
            while job.done < job.total:
                tasks = list(work.tasks[len(decisions) : len(decisions) + 1])
                moments = [] if tasks else list(work.moments[len(chances) : len(chances) + AT_ONCE])
                async with self._thinking.turn(Urgency.REVIEW, job.person):
                    judged, forecast = await self._thinking.work_out(work_out_tasks, tasks, moments)
                decisions += judged
                chances += forecast
                job.done = len(decisions) + len(chances)
            _keep(self._reviews, job.key, encode(_data(review.sum_up(work, decisions, chances))))
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("The game of table %s could not be reviewed.", table.id)
            job.trouble = True


def _data(made: review.Review) -> messages.Review:
    """A review as its message."""
    return messages.Review(
        unit=made.unit,
        material=made.material,
        worlds=made.worlds,
        decisions=[
            messages.ReviewDecision(
                **{
                    **one._asdict(),
                    "because": list(one.because),
                    "hindsight": messages.Hindsight(*one.hindsight) if one.hindsight else None,
                }
            )
            for one in made.decisions
        ],
        accounts=[
            messages.ReviewAccount(**{**one._asdict(), "rounds": [messages.ReviewRound(*each) for each in one.rounds]})
            for one in made.accounts
        ],
        chances=[messages.ReviewChances(one.n, [round(chance, 4) for chance in one.chances]) for one in made.chances],
    )


def _keep(kept: OrderedDict[Key, bytes], key: Key, text: bytes) -> None:
    """Remember, and forget the oldest."""
    kept[key] = text
    while len(kept) > KEPT:
        kept.popitem(last=False)
