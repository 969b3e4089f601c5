"""Prometheus metrics of this process: each family with its current values."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import diamonds
from diamonds.server.http.connection_limits import ConnectionLimiter
from diamonds.server.metrics.counters import DurationHistogram, MetricFamily, ServerCounters
from diamonds.server.notifications.turn_feed import TurnStream
from diamonds.server.storage import backup
from diamonds.server.storage.commit_outcomes import StoreUnavailableError
from diamonds.server.tables.service import TableService
from diamonds.server.tables.streams import TableStream

STREAM_KINDS = {TableStream: "table", TurnStream: "reminders"}  # all other streams belong to the lobby
STATUS_CLASSES = ("4xx", "5xx")
STORE_TIMEOUT_S = 1.0  # per database query
TABLE_PHASES = ("waiting", "playing", "over")


async def collect_metrics(
    tables: TableService, limiter: ConnectionLimiter, data_dir: Path | None, routes: Iterable[str]
) -> list[MetricFamily]:
    """Return all metric families. `routes` lists the routes whose error counters start at zero."""
    counters, workers = tables.counters, tables.workers
    steps = {"wait": counters.lock_wait, "rules": counters.rules, "commit": counters.commit, "send": counters.fan_out}
    stream_counts = Counter(STREAM_KINDS.get(type(stream), "lobby") for slot in tables.streams.slots for stream in slot)
    phases = Counter(table.phase for table in tables.registry.all())
    bot_durations: dict[tuple[str, ...], int | float | DurationHistogram] = {
        (level,): took for level, took in counters.bot_decisions.items()
    }
    metrics = [
        MetricFamily("diamonds_info", "Version of the program.", ("version",), {(diamonds.__version__,): 1}),
        MetricFamily("diamonds_answers", "Answers given.", ("game", "by"), {**counters.answers}, True),
        MetricFamily(
            "diamonds_answers_rejected",
            "Requests with an answer that was refused.",
            (),
            {(): counters.refused_answers},
            True,
        ),
        MetricFamily("diamonds_answer_seconds", "Duration of a request with an answer.", (), {(): counters.reply}),
        MetricFamily(
            "diamonds_step_seconds",
            "Duration of each step of an answer: waiting for the table, rules, commit, updates to the others.",
            ("step",),
            {(step,): took for step, took in steps.items()},
        ),
        MetricFamily(
            "diamonds_commits_pending", "Changes waiting to become durable.", (), {(): counters.pending_commits}
        ),
        MetricFamily(
            "diamonds_streams",
            "Open streams.",
            ("of",),
            {(of,): stream_counts[of] for of in ("table", "lobby", "reminders")},
        ),
        MetricFamily("diamonds_people", "People with a stream open.", (), {(): len(tables.streams.connected_people)}),
        MetricFamily("diamonds_connections", "Open connections.", (), {(): limiter.count}),
        MetricFamily("diamonds_connections_max", "Connection limit.", (), {(): limiter.max_connections}),
        MetricFamily(
            "diamonds_tables", "Tables in memory.", ("phase",), {(phase,): phases[phase] for phase in TABLE_PHASES}
        ),
        MetricFamily("diamonds_tables_damaged", "Tables found damaged.", (), {(): len(tables.registry.damaged_tables)}),
        MetricFamily(
            "diamonds_jobs_waiting",
            "People whose bots or advice wait for a worker process.",
            ("priority",),
            {(priority,): count for priority, count in workers.waiting().items()},
        ),
        MetricFamily("diamonds_workers_busy", "Busy worker processes.", (), {(): workers.busy}),
        MetricFamily("diamonds_event_loop_lag_seconds", "Delay of the event loop.", (), {(): counters.loop_delay}),
    ]
    metrics += _store_metrics(tables) + _process_metrics(tables) + [_error_metric(counters, limiter, routes)]
    # without the store, the other metrics are still reported
    with contextlib.suppress(TimeoutError, StoreUnavailableError):
        async with asyncio.timeout(STORE_TIMEOUT_S):
            waiting = await tables.store.moderation.open_report_count()
        metrics.append(MetricFamily("diamonds_reports_open", "Reports waiting for a moderator.", (), {(): waiting}))
    if bot_durations:
        metrics.append(
            MetricFamily(
                "diamonds_bot_seconds", "Duration of a bot's decision, including its wait.", ("level",), bot_durations
            )
        )
    if data_dir is not None:
        free = shutil.disk_usage(data_dir).free
        metrics.append(
            MetricFamily("diamonds_disk_free_bytes", "Free disk space in the data directory.", (), {(): free})
        )
        age = backup.backup_age_s(data_dir)
        if age is not None:
            metrics.append(
                MetricFamily(
                    "diamonds_backup_age_seconds", "Time since the last backup, or since the start.", (), {(): age}
                )
            )
    return metrics


def _error_metric(counters: ServerCounters, limiter: ConnectionLimiter, routes: Iterable[str]) -> MetricFamily:
    """Return the counters of failed requests.

    All series exist from the start; otherwise Prometheus would miss the first increase.
    """
    values: dict[tuple[str, ...], int | float | DurationHistogram] = {
        (route, status): counters.errors[route, status] for route in routes for status in STATUS_CLASSES
    }
    values |= {("connection", status): count for status, count in limiter.errors.items()}
    return MetricFamily("diamonds_http_errors", "Requests that failed.", ("route", "status"), values, True)


def _store_metrics(tables: TableService) -> list[MetricFamily]:
    """Return the metric families for database writes and push notifications."""
    written, pushes = tables.store.write_counters, tables.counters.pushes
    outcomes: dict[tuple[str, ...], int | float | DurationHistogram] = {
        (outcome,): pushes[outcome,] for outcome in ("delivered", "retried", "gone", "rejected")
    }
    return [
        MetricFamily(
            "diamonds_database_seconds", "Duration of a commit, until it is durable.", (), {(): written.commit_time}
        ),
        MetricFamily("diamonds_database_changes", "Changes in these commits.", (), {(): written.changes}, True),
        MetricFamily("diamonds_database_failures", "Failed commits.", (), {(): written.failures}, True),
        MetricFamily(
            "diamonds_database_connections", "Connections opened for writing.", (), {(): written.connections}, True
        ),
        MetricFamily("diamonds_push_messages", "Push notifications by outcome.", ("outcome",), outcomes, True),
    ]


def _process_metrics(tables: TableService) -> list[MetricFamily]:
    """Return the metric families for the cluster and the role of this process; a single process has every role."""
    cluster = tables.cluster
    return [
        MetricFamily(
            "diamonds_processes", "Members of the cluster.", (), {(): len(cluster.membership.alive) if cluster else 1}
        ),
        MetricFamily(
            "diamonds_lobby_owner",
            "Whether this process owns lobby, accounts and moderation.",
            (),
            {(): int(tables.has_lobby)},
        ),
        MetricFamily(
            "diamonds_tables_owned",
            "Tables that this process owns.",
            (),
            {(): len(cluster.ownership.owned) if cluster else len(tables.registry.all())},
        ),
        MetricFamily(
            "diamonds_clocks_running",
            "Tables whose clocks run in this process.",
            (),
            {(): len(tables.clocks.flag_timer)},
        ),
        MetricFamily(
            "diamonds_member",
            "Whether this process may write: its membership session in the database is open.",
            (),
            {(): int(cluster is None or cluster.membership.joined.is_set())},
        ),
    ]
