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
import time
import zlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import numpy as np

from diamonds.bots import bot
from diamonds.bots.advising import hints, review
from diamonds.game import Game, Illegal, find_game
from diamonds.server.api import advice
from diamonds.server.api.encoding import encode
from diamonds.server.api.refusals import Forbidden, TooMany
from diamonds.server.store.contract import Store, Stored
from diamonds.server.table.loading import load
from diamonds.server.table.replaying import match_of
from diamonds.server.table.table import Table
from diamonds.server.work.elsewhere import match_and_people
from diamonds.server.work.thinking import Thinking
from diamonds.server.work.turns import MOST, Urgency

KEPT = 64  # reviews, and hints, that are remembered; and reviews that may be under way
UNDER_WAY = 4  # reviews of one person
OF_RECORDS = 16  # reviews of records from elsewhere; of these one a person, and as many as `UNDER_WAY` from one address
FORGOTTEN = 60.0  # seconds after which such a review is given up if nobody has asked how far it is
AT_ONCE = 8  # tasks of a review that are handed over together
Key = TypeVar("Key")
log = logging.getLogger("diamonds")


def work_out_hint(game: str, row: bytes, seat: int, seed: int) -> hints.Hint:
    """A hint, from a view alone: the work of another process."""
    found = find_game(game)
    return hints.hint(bot.Seen(found, seat, np.frombuffer(bytearray(row), found.dtype)[0]), seed)


def work_out_plan(id: str, saved: Stored, names: dict[str, str], seats: list[int] | None) -> tuple[str, review.Plan]:
    """What names a finished game, and what there is to judge in it: the work of another process, from what is stored."""
    table = load(id, saved)
    table.names = names
    match = match_of(table, table.log.chain())
    return review.key(match), review.plan(match, seats)


def work_out_plan_of_record(id: str, packed: bytes) -> tuple[str, review.Plan]:
    """The same for a record. It has names of its own, so it shares its review with no table."""
    match, people = match_and_people(zlib.decompress(packed))
    return f"record {id}", review.plan(match, people or None)


def work_out_tasks(
    tasks: list[review.Task], moments: list[review.Moment]
) -> tuple[list[review.Decision | None], list[review.Chances]]:
    """A part of a review: the work of another process."""
    return [review.judge(task) for task in tasks], [review.forecast(moment) for moment in moments]


class Job:
    """A review that is being made. ``total`` is 0 until it is known. ``address`` is only noted of who brings a record."""

    task: asyncio.Task[None]

    def __init__(self, person: str, address: str = "") -> None:
        self.person = person
        self.address = address
        self.asked = time.monotonic()  # when somebody last looked how far it is
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
        self._jobs: OrderedDict[str, Job] = OrderedDict()  # by table, or by record
        self._reviews: OrderedDict[str, bytes] = OrderedDict()  # by what names the game

    def close(self) -> None:
        """The server stops."""
        for job in self._jobs.values():
            job.task.cancel()

    def _ready(self, game: Game) -> bool:
        """Whether advice can be given by now; if not, what it takes is being compiled. `Illegal` where it cannot be."""
        hints.require()
        ready = self._thinking.ready_to_advise(game).done()
        hints.require()
        return ready

    async def hint(self, table: Table, person: str) -> bytes | advice.Underway:
        """A `Hint` for the open question of the person who asks, as JSON; or how far it is."""
        seat = table.seat_of(person)
        if seat < 0:
            raise Forbidden("hint-for-players")
        if not table.hints:
            raise Illegal("hint-none-here")
        state = table.play.state
        if state is None or table.over or not int(state["to_act"]) >> seat & 1:
            raise Illegal("hint-not-your-turn")
        # Where all answer at the same time, another's answer leaves the question as it was.
        n = table.play.open_since[seat]
        kept = self._hints.get((table.id, n, seat))
        if kept is not None:
            return kept
        if not self._ready(table.game):
            return advice.Underway(0, 0, False)
        seed = int.from_bytes(hashlib.sha256(f"hint {table.id} {n} {seat}".encode()).digest()[:7], "big")
        row = bot.see(table.game, state, seat).row.tobytes()
        async with self._thinking.turn(Urgency.PLAY, person, MOST):
            hint = await self._thinking.work_out(work_out_hint, table.game.name, row, seat, seed)
        text = encode(
            {"n": n, "seat": seat, **hint._asdict(), "choices": [choice._asdict() for choice in hint.choices]}
        )
        _keep(self._hints, (table.id, n, seat), text)
        return text

    async def review(self, table: Table, person: str) -> bytes | advice.Underway:
        """A finished game's `Review` as JSON; or how far it is. ``person`` is whoever asks, or a stranger's address."""
        if not table.over:
            raise Illegal("hint-review-not-over")

        async def plan() -> tuple[Any, ...]:
            saved = await self._store.load(table.id)
            return work_out_plan, table.id, saved, dict(table.names), table.persons or None

        return self._review(table.id, table.game, plan, Job(person))

    async def review_of_record(
        self, id: str, game: Game, packed: bytes, person: str, address: str
    ) -> bytes | advice.Underway:
        """The same for a record that somebody has opened; who then forgets it keeps nobody waiting."""

        async def plan() -> tuple[Any, ...]:
            return work_out_plan_of_record, id, packed

        return self._review(f"record {id}", game, plan, Job(person, address))

    def _review(
        self, name: str, game: Game, plan: Callable[[], Awaitable[tuple[Any, ...]]], new: Job
    ) -> bytes | advice.Underway:
        """What is there of a review; if nothing is, the ``new`` job begins. ``plan`` is how it is planned."""
        hints.require()
        job = self._jobs.get(name)
        if job is not None and job.trouble:
            del self._jobs[name]
            raise Illegal("hint-review-failed")
        made = self._reviews.get(job.key) if job is not None else None
        if job is not None and made is not None:
            self._reviews.move_to_end(job.key)
            return made
        if job is None or job.task.done():
            job = self._start(name, game, plan, new)
        job.asked = time.monotonic()
        return advice.Underway(job.done, job.total, self._ready(game))

    def _start(self, name: str, game: Game, plan: Callable[[], Awaitable[tuple[Any, ...]]], job: Job) -> Job:
        """Begin a review; `TooMany` while enough are under way."""
        under_way = [other for other in self._jobs.values() if not other.task.done()]
        enough = len(under_way) >= KEPT or sum(other.person == job.person for other in under_way) >= UNDER_WAY
        if job.address:  # records are had for nothing: they never take the last room from games that were played here
            same = [other for other in under_way if other.address]
            enough = enough or len(same) >= OF_RECORDS
            enough = enough or sum(other.address == job.address for other in same) >= UNDER_WAY
            enough = enough or any(other.person == job.person for other in same)
        if enough:
            raise TooMany("server-reviews-enough", 5)
        job.task = asyncio.get_running_loop().create_task(self._make(name, game, plan, job))
        self._jobs.pop(name, None)
        self._jobs[name] = job
        if len(self._jobs) > KEPT:
            del self._jobs[next(other for other, old in self._jobs.items() if old.task.done())]
        return job

    async def _make(self, name: str, game: Game, plan: Callable[[], Awaitable[tuple[Any, ...]]], job: Job) -> None:
        """Make a review, one small task at a time."""
        try:
            await asyncio.shield(self._thinking.ready_to_advise(game))
            hints.require()
            async with self._thinking.turn(Urgency.REVIEW, job.person):
                job.key, work = await self._thinking.work_out(*await plan())
            if job.key in self._reviews:
                return
            job.total = len(work.tasks) + len(work.moments)
            decisions: list[review.Decision | None] = []
            chances: list[review.Chances] = []
            while job.done < job.total:
                if job.address and time.monotonic() - job.asked > FORGOTTEN:
                    return
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
            log.exception("The game of %s could not be reviewed.", name)
            job.trouble = True


def _data(made: review.Review) -> advice.Review:
    """A review as its message."""
    return advice.Review(
        unit=made.unit,
        material=made.material,
        worlds=made.worlds,
        decisions=[
            advice.ReviewDecision(
                **{
                    **one._asdict(),
                    "because": list(one.because),
                    "hindsight": advice.Hindsight(*one.hindsight) if one.hindsight else None,
                }
            )
            for one in made.decisions
        ],
        accounts=[
            advice.ReviewAccount(**{**one._asdict(), "rounds": [advice.ReviewRound(*each) for each in one.rounds]})
            for one in made.accounts
        ],
        chances=[advice.ReviewChances(one.n, [round(chance, 4) for chance in one.chances]) for one in made.chances],
    )


def _keep(kept: OrderedDict[Key, bytes], key: Key, text: bytes) -> None:
    """Remember, and forget the oldest."""
    kept[key] = text
    while len(kept) > KEPT:
        kept.popitem(last=False)
