"""Hints and reviews, computed by worker processes. Clients ask again until they are ready.

A hint is made from the view of the asking seat. Its random numbers depend only on the table id, the n at which the
question was asked, and the seat. So repeated requests give the same hint, which uses only what the seat knows. A review
is split into small tasks, each of which waits in the fair queue (`fair_queue.py`), so bots do not wait for reviews, and
several reviews progress in parallel. Reviews are cached under a key of the game, its deals and its answers.
"""

from __future__ import annotations

import asyncio
import logging
import time
import zlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import numpy as np

from diamonds.bots import bot
from diamonds.bots.analysis import hints, review
from diamonds.errors import NotAllowedError
from diamonds.game import Game, find_game
from diamonds.server.api import analysis
from diamonds.server.api.codec import encode
from diamonds.server.errors import ForbiddenError, RateLimitedError
from diamonds.server.jobs.fair_queue import MAX_WAITING_PER_PERSON, Priority
from diamonds.server.jobs.worker_pool import KernelUse, WorkerPool
from diamonds.server.request_context import requesting_address
from diamonds.server.storage.store import Store
from diamonds.server.storage.table_data import StoredTable
from diamonds.server.tables.core.loading import load_table
from diamonds.server.tables.core.log_replay import effective_game
from diamonds.server.tables.core.table import Table
from diamonds.server.tables.opened_records import match_and_people

MAX_CACHED = 64  # reviews, and as many hints; also the limit of running reviews
MAX_REVIEWS_PER_PERSON = 4  # running simultaneously
MAX_REVIEWS_PER_ADDRESS = 32  # running simultaneously, so that places remain for others
# Limit of running reviews of opened records. Each person may have one, and each address `MAX_REVIEWS_PER_PERSON`.
MAX_RECORD_REVIEWS = 16
ABANDON_AFTER_S = 60.0  # a review of an opened record stops if nobody asks for its progress for this long
TASKS_PER_BATCH = 8  # forecasts of a review sent to a worker together
Key = TypeVar("Key")
log = logging.getLogger("diamonds")


def compute_hint(game: str, row: bytes, seat: int) -> hints.Hint:
    """Compute a hint from a view alone. This runs in a worker process."""
    found_game = find_game(game)
    return hints.hint(bot.BotView(found_game, seat, np.frombuffer(bytearray(row), found_game.dtype)[0]))


def compute_review_plan(
    table_id: str, stored: StoredTable, names: dict[str, str], seats: list[int] | None
) -> tuple[str, review.ReviewPlan]:
    """Return a finished game's key and review plan. This runs in a worker process, from the stored table."""
    table = load_table(table_id, stored)
    table.names = names
    played = effective_game(table, table.log.effective_answers())
    return review.review_key(played), review.plan(played, seats)


def compute_record_review_plan(record_id: str, packed: bytes) -> tuple[str, review.ReviewPlan]:
    """Return an opened record's key and review plan. A record contains names, so it shares its review with no table."""
    played, people = match_and_people(zlib.decompress(packed))
    return f"record {record_id}", review.plan(played, people or None)


def compute_review_tasks(
    tasks: list[review.DecisionTask], moments: list[review.ForecastTask]
) -> tuple[list[review.JudgedDecision | None], list[review.WinChances]]:
    """Compute part of a review. This runs in a worker process."""
    return [review.judge(task) for task in tasks], [review.forecast(moment) for moment in moments]


class ReviewJob:
    """A review in progress. `total` is 0 until it is known. `address` is set only for opened records."""

    task: asyncio.Task[None]

    def __init__(self, person: str, address: str = "") -> None:
        self.person = person
        self.address = address
        self.last_polled = time.monotonic()  # last time that a client asked for the progress
        self.done = 0
        self.total = 0
        self.key = ""
        self.has_failed = False
        self.requested_from = requesting_address.get()


class AnalysisService:
    """A service that computes hints and reviews."""

    def __init__(self, store: Store, workers: WorkerPool) -> None:
        self._store = store
        self._workers = workers
        self._hints: OrderedDict[tuple[str, int, int], bytes] = OrderedDict()
        self.jobs: OrderedDict[str, ReviewJob] = OrderedDict()  # by table or record
        self.reviews: OrderedDict[str, bytes] = OrderedDict()  # by the key of the game

    def close(self) -> None:
        """Cancel all jobs."""
        for job in self.jobs.values():
            job.task.cancel()

    def is_ready(self, game: Game, use: KernelUse) -> bool:
        """Return whether hints or reviews are available now; if not, start compiling.

        Raise `NotAllowedError` if they never will be.
        """
        hints.require_analysis()
        is_ready = self._workers.when_ready(game, use).done()
        hints.require_analysis()
        return is_ready

    async def hint(self, table: Table, person: str) -> bytes | analysis.PendingResponse:
        """Return a `HintResponse` for the person's open question as JSON, or the progress."""
        seat = table.seat_of(person)
        if seat < 0:
            raise ForbiddenError("hint-for-players")
        if not table.hints_allowed:
            raise NotAllowedError("hint-none-here")
        state = table.game_state.state
        if state is None or table.is_over or not int(state["to_act"]) >> seat & 1:
            raise NotAllowedError("hint-not-your-turn")
        # If several seats answer simultaneously, answers from other seats leave this one's question open.
        n = table.game_state.question_since[seat]
        cached = self._hints.get((table.id, n, seat))
        if cached is not None:
            return cached
        if not self.is_ready(table.game, "hints"):
            return analysis.PendingResponse(0, 0, False)
        row = bot.bot_view(table.game, state, seat).row.tobytes()
        async with self._workers.slot(Priority.LIVE, person, MAX_WAITING_PER_PERSON):
            hint = await self._workers.run(compute_hint, table.game.name, row, seat)
        text = encode(hint_response(n, seat, hint))
        _cache(self._hints, (table.id, n, seat), text)
        return text

    async def review(self, table: Table, person: str) -> bytes | analysis.PendingResponse:
        """Return a finished game's `ReviewResponse` as JSON, or the progress.

        `person` is the person who asks, or a stranger's address.
        """
        if not table.is_over:
            raise NotAllowedError("hint-review-not-over")
        table.check_not_withheld()

        async def plan_job() -> tuple[Any, ...]:
            stored = await self._store.load(table.id)
            return compute_review_plan, table.id, stored, dict(table.names), table.people_seats or None

        return self._review(table.id, table.game, plan_job, ReviewJob(person))

    async def review_of_record(
        self, record_id: str, game: Game, packed: bytes, person: str, address: str
    ) -> bytes | analysis.PendingResponse:
        """Return the review of an opened record, or the progress. The review stops if nobody asks for the progress."""

        async def plan_job() -> tuple[Any, ...]:
            return compute_record_review_plan, record_id, packed

        return self._review(f"record {record_id}", game, plan_job, ReviewJob(person, address))

    def _review(
        self, name: str, game: Game, plan_job: Callable[[], Awaitable[tuple[Any, ...]]], new: ReviewJob
    ) -> bytes | analysis.PendingResponse:
        """Return a review or its progress. If neither exists, start the job `new`, planned by `plan_job`."""
        hints.require_analysis()
        job = self.jobs.get(name)
        if job is not None and job.has_failed:
            del self.jobs[name]
            raise NotAllowedError("hint-review-failed")
        review_json = self.reviews.get(job.key) if job is not None else None
        if job is not None and review_json is not None:
            self.reviews.move_to_end(job.key)
            return review_json
        if job is None or job.task.done():
            job = self._start_job(name, game, plan_job, new)
        job.last_polled = time.monotonic()
        return analysis.PendingResponse(job.done, job.total, self.is_ready(game, "reviews"))

    def _start_job(
        self, name: str, game: Game, plan_job: Callable[[], Awaitable[tuple[Any, ...]]], job: ReviewJob
    ) -> ReviewJob:
        """Start a review. Raise `RateLimitedError` while too many are running."""
        under_way = [other for other in self.jobs.values() if not other.task.done()]
        is_full = (
            len(under_way) >= MAX_CACHED
            or sum(other.person == job.person for other in under_way) >= MAX_REVIEWS_PER_PERSON
            or sum(other.requested_from == job.requested_from for other in under_way) >= MAX_REVIEWS_PER_ADDRESS
        )
        if job.address:  # reviews of uploaded records never take the last slots from games played here
            same = [other for other in under_way if other.address]
            is_full = is_full or len(same) >= MAX_RECORD_REVIEWS
            is_full = is_full or sum(other.address == job.address for other in same) >= MAX_REVIEWS_PER_PERSON
            is_full = is_full or any(other.person == job.person for other in same)
        if is_full:
            raise RateLimitedError("server-reviews-enough", 5)
        job.task = asyncio.get_running_loop().create_task(self.run_review(name, game, plan_job, job))
        self.jobs.pop(name, None)
        self.jobs[name] = job
        if len(self.jobs) > MAX_CACHED:
            del self.jobs[next(other for other, old in self.jobs.items() if old.task.done())]
        return job

    async def run_review(
        self, name: str, game: Game, plan_job: Callable[[], Awaitable[tuple[Any, ...]]], job: ReviewJob
    ) -> None:
        """Compute a review in small tasks."""
        try:
            await asyncio.shield(self._workers.when_ready(game, "reviews"))
            hints.require_analysis()
            async with self._workers.slot(Priority.REVIEW, job.person):
                job.key, plan = await self._workers.run(*await plan_job())
            if job.key in self.reviews:
                return
            job.total = len(plan.decision_tasks) + len(plan.forecast_tasks)
            decisions: list[review.JudgedDecision | None] = []
            chances: list[review.WinChances] = []
            while job.done < job.total:
                if job.address and time.monotonic() - job.last_polled > ABANDON_AFTER_S:
                    return
                tasks = list(plan.decision_tasks[len(decisions) : len(decisions) + 1])
                moments = [] if tasks else list(plan.forecast_tasks[len(chances) : len(chances) + TASKS_PER_BATCH])
                async with self._workers.slot(Priority.REVIEW, job.person):
                    judged, forecast = await self._workers.run(compute_review_tasks, tasks, moments)
                decisions += judged
                chances += forecast
                job.done = len(decisions) + len(chances)
            _cache(self.reviews, job.key, encode(review_response(review.assemble_review(plan, decisions, chances))))
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("Review of %s failed.", name)
            job.has_failed = True


def hint_response(n: int, seat: int, hint: hints.Hint) -> analysis.HintResponse:
    choices = [analysis.HintChoiceInfo(**choice._asdict()) for choice in hint.choices]
    return analysis.HintResponse(
        n=n, seat=seat, question=hint.question, unit=hint.unit, choices=choices, worlds=hint.worlds, text=hint.text
    )


def review_response(result: review.Review) -> analysis.ReviewResponse:
    return analysis.ReviewResponse(
        unit=result.unit,
        material_difference=result.material_difference,
        worlds=result.worlds,
        decisions=[
            analysis.JudgedDecisionInfo(
                **{**part._asdict(), "hindsight": part.hindsight and analysis.HindsightInfo(*part.hindsight)}
            )
            for part in result.decisions
        ],
        results=[
            analysis.ResultBreakdownInfo(
                **{**part._asdict(), "rounds": [analysis.DealBreakdownInfo(*deal) for deal in part.rounds]}
            )
            for part in result.results
        ],
        chances=[
            analysis.WinChancesInfo(part.n, [round(chance, 4) for chance in part.chances]) for part in result.chances
        ],
    )


def _cache(cached: OrderedDict[Key, bytes], key: Key, text: bytes) -> None:
    """Store a result, and drop the oldest ones beyond `MAX_CACHED`."""
    cached[key] = text
    while len(cached) > MAX_CACHED:
        cached.popitem(last=False)
