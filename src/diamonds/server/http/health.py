"""Readiness: whether this process can take requests, as proxies and supervisors ask."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import diamonds
from diamonds.errors import DiamondsError
from diamonds.server.api.health import BotReadiness, ReadinessResponse
from diamonds.server.http.connection import ConnectionLimiter
from diamonds.server.metrics.counters import DurationHistogram, MetricFamily, ServerCounters
from diamonds.server.notifications.turn_feed import TurnStream
from diamonds.server.storage import backup
from diamonds.server.storage.interface import ProbeChange
from diamonds.server.storage.outcomes import StoreUnavailableError
from diamonds.server.tables.runtime import TableRuntime
from diamonds.server.tables.streams import TableStream

CHECK_TIMEOUT_S = 2.0  # for store and bots to say something
PROBE_INTERVAL_S = 1.0  # between two probes of the store: each is a commit


class HealthState(NamedTuple):
    """State of store and bots at one moment."""

    store: bool
    bots: BotReadiness


class ReadinessCheck:
    """Probes store and bots at most once a second, for all who ask."""

    def __init__(self, tables: TableRuntime, worker_number: int = 1) -> None:
        self.tables = tables
        self.worker_number = worker_number
        self.shutting_down = False  # the server is closing
        self._probe_task: asyncio.Task[HealthState] | None = None  # the newest probe, and what came of it
        self._probed_at = 0.0
        self._store_probe: asyncio.Task[bool] | None = None  # a probe of the store that has not come to its end

    async def check(self) -> ReadinessResponse:
        """Return how store and bots are now, or were within the last second."""
        loop = asyncio.get_running_loop()
        if self._probe_task is None or (self._probe_task.done() and loop.time() - self._probed_at >= PROBE_INTERVAL_S):
            self._probed_at = loop.time()
            self._probe_task = loop.create_task(self._probe())
        store, bots = await asyncio.shield(self._probe_task)
        return ReadinessResponse(
            not self.shutting_down and store and bots != "silent", store, bots, self.shutting_down, self.worker_number
        )

    async def _probe(self) -> HealthState:
        return HealthState(*await asyncio.gather(self._probe_store(), self._probe_bots()))

    async def _probe_store(self) -> bool:
        """Return whether a real commit becomes durable in time. A store that is late is not asked again until it has replied."""
        if self._store_probe is None or self._store_probe.done():
            self._store_probe = asyncio.get_running_loop().create_task(self._commit_probe())
        done, _ = await asyncio.wait([self._store_probe], timeout=CHECK_TIMEOUT_S)
        if not done:
            return False
        return self._store_probe.result()

    async def _commit_probe(self) -> bool:
        try:
            await self.tables.store.commit(ProbeChange())
        except DiamondsError:
            return False
        return True

    async def _probe_bots(self) -> BotReadiness:
        try:
            async with asyncio.timeout(CHECK_TIMEOUT_S):
                return await self.tables.bots.readiness()
        except TimeoutError:
            return "silent"


STREAM_KINDS = {TableStream: "table", TurnStream: "reminders"}  # all others are of the lobby
STATUS_CLASSES = ("4xx", "5xx")
STORE_TIMEOUT_S = 1.0  # for what is asked of the store
TABLE_PHASES = ("waiting", "playing", "over")


async def collect_metrics(
    tables: TableRuntime, limiter: ConnectionLimiter, data_dir: Path | None, routes: Iterable[str]
) -> list[MetricFamily]:
    """All of them; of each route how many requests failed, none too."""
    counters, workers = tables.counters, tables.workers
    steps = {"wait": counters.lock_wait, "rules": counters.rules, "commit": counters.commit, "tell": counters.fan_out}
    stream_counts = Counter(STREAM_KINDS.get(type(stream), "lobby") for slot in tables.streams.slots for stream in slot)
    phases = Counter(table.phase for table in tables.registry.all())
    bot_durations: dict[tuple[str, ...], int | float | DurationHistogram] = {
        (level,): took for level, took in counters.bot_decisions.items()
    }
    metrics = [
        MetricFamily("diamonds_info", "The version of the program.", ("version",), {(diamonds.__version__,): 1}),
        MetricFamily("diamonds_answers", "Answers that were given.", ("game", "by"), {**counters.answers}, True),
        MetricFamily(
            "diamonds_answers_refused",
            "Requests with an answer that was not taken.",
            (),
            {(): counters.refused_answers},
            True,
        ),
        MetricFamily(
            "diamonds_answer_seconds", "A request with an answer, until it is replied to.", (), {(): counters.reply}
        ),
        MetricFamily(
            "diamonds_step_seconds",
            "Each step of an answer: waiting for one's turn at the table, rules, commit, telling the others.",
            ("step",),
            {(step,): took for step, took in steps.items()},
        ),
        MetricFamily(
            "diamonds_commits_underway", "Changes that wait to be durable.", (), {(): counters.pending_commits}
        ),
        MetricFamily(
            "diamonds_streams",
            "Open streams.",
            ("of",),
            {(of,): stream_counts[of] for of in ("table", "lobby", "reminders")},
        ),
        MetricFamily("diamonds_people", "People with a stream open.", (), {(): len(tables.streams.connected_people)}),
        MetricFamily("diamonds_connections", "Open connections.", (), {(): limiter.count}),
        MetricFamily(
            "diamonds_connections_most", "Connections that there is room for.", (), {(): limiter.max_connections}
        ),
        MetricFamily(
            "diamonds_tables", "Tables in memory.", ("phase",), {(phase,): phases[phase] for phase in TABLE_PHASES}
        ),
        MetricFamily("diamonds_tables_damaged", "Tables found damaged.", (), {(): len(tables.registry.damaged_tables)}),
        MetricFamily(
            "diamonds_thinking_waiting",
            "People whose bots or advice wait for a process.",
            ("urgency",),
            {(urgency,): count for urgency, count in workers.waiting().items()},
        ),
        MetricFamily("diamonds_thinking_busy", "Processes that think.", (), {(): workers.busy}),
        MetricFamily(
            "diamonds_loop_late_seconds", "How late the event loop comes to what is due.", (), {(): counters.loop_delay}
        ),
    ]
    metrics += _store_metrics(tables) + _process_metrics(tables) + [_error_metric(counters, limiter, routes)]
    with contextlib.suppress(TimeoutError, StoreUnavailableError):  # without its store a server still tells the rest
        async with asyncio.timeout(STORE_TIMEOUT_S):
            waiting = await tables.store.moderation.open_report_count()
        metrics.append(MetricFamily("diamonds_reports_open", "Reports that wait for a moderator.", (), {(): waiting}))
    if bot_durations:
        metrics.append(
            MetricFamily("diamonds_bot_seconds", "A bot's decision, its waiting included.", ("level",), bot_durations)
        )
    if data_dir is not None:
        free = shutil.disk_usage(data_dir).free
        metrics.append(
            MetricFamily("diamonds_disk_free_bytes", "Free disk space in the data directory.", (), {(): free})
        )
        age = backup.backup_age_s(data_dir)
        if age is not None:
            metrics.append(
                MetricFamily("diamonds_backup_age_seconds", "Since the last backup, or the start.", (), {(): age})
            )
    return metrics


def _error_metric(counters: ServerCounters, limiter: ConnectionLimiter, routes: Iterable[str]) -> MetricFamily:
    """Failed requests. Every series is there from the start, for Prometheus sees no increase where one begins."""
    values: dict[tuple[str, ...], int | float | DurationHistogram] = {
        (route, status): counters.errors[route, status] for route in routes for status in STATUS_CLASSES
    }
    values |= {("connection", status): count for status, count in limiter.errors.items()}
    return MetricFamily("diamonds_http_errors", "Requests that failed.", ("route", "status"), values, True)


def _store_metrics(tables: TableRuntime) -> list[MetricFamily]:
    """What the store has written, and what has been brought to people's devices."""
    written, pushes = tables.store.write_counters, tables.counters.pushes
    outcomes: dict[tuple[str, ...], int | float | DurationHistogram] = {
        (outcome,): pushes[outcome,] for outcome in ("brought", "again", "gone", "refused")
    }
    return [
        MetricFamily("diamonds_database_seconds", "A commit, until it is durable.", (), {(): written.commit_time}),
        MetricFamily("diamonds_database_changes", "Changes that these commits made.", (), {(): written.changes}, True),
        MetricFamily(
            "diamonds_database_failures", "Commits that did not come about.", (), {(): written.failures}, True
        ),
        MetricFamily(
            "diamonds_database_connections", "Connections made to write.", (), {(): written.connections}, True
        ),
        MetricFamily("diamonds_messages", "Messages to devices, by what became of them.", ("outcome",), outcomes, True),
    ]


def _process_metrics(tables: TableRuntime) -> list[MetricFamily]:
    """Return the families about the cluster and the role of this process; alone it does everything."""
    cluster = tables.cluster
    return [
        MetricFamily(
            "diamonds_processes",
            "Processes that serve together.",
            (),
            {(): len(cluster.membership.alive) if cluster else 1},
        ),
        MetricFamily(
            "diamonds_lobby_owner",
            "Whether this one has lobby, accounts and moderation.",
            (),
            {(): int(tables.has_lobby)},
        ),
        MetricFamily(
            "diamonds_tables_owned",
            "Tables that this process plays.",
            (),
            {(): len(cluster.ownership.owned) if cluster else len(tables.registry.all())},
        ),
        MetricFamily(
            "diamonds_clocks_running", "Tables whose next flag it knows.", (), {(): len(tables.clocks.flag_timer)}
        ),
        MetricFamily(
            "diamonds_member",
            "Whether this process may write: the database session that stands for its life is open.",
            (),
            {(): int(cluster is None or cluster.membership.joined.is_set())},
        ),
    ]
