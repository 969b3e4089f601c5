"""Prometheus metrics of this process: each family with its current values."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import diamonds
from diamonds.server.http.connection_limits import ConnectionLimiter
from diamonds.server.metrics.counters import MetricFamily, MetricValue, ServerCounters
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
    counters, workers, streams = tables.counters, tables.workers, tables.streams
    steps = {"wait": counters.lock_wait, "rules": counters.rules, "commit": counters.commit, "send": counters.fan_out}
    kinds = Counter(STREAM_KINDS.get(type(stream), "lobby") for slot in streams.slots for stream in slot)
    phases = Counter(table.phase for table in tables.registry.all())
    # fmt: off
    metrics = [
        MetricFamily("diamonds_info", "Version of the program.", ("version",), {(diamonds.__version__,): 1}),
        MetricFamily("diamonds_answers", "Answers given.", ("game", "by"), {**counters.answers}, True),
        _single("diamonds_answers_rejected", "Requests with an answer that was refused.", counters.refused_answers, True),
        _single("diamonds_answer_seconds", "Duration of a request with an answer.", counters.reply),
        _labelled("diamonds_step_seconds",
                  "Duration of each step of an answer: waiting for the table, rules, commit, updates to the others.", "step", steps),
        _single("diamonds_commits_pending", "Changes waiting to become durable.", counters.pending_commits),
        _labelled("diamonds_streams", "Open streams.", "of", {of: kinds[of] for of in ("table", "lobby", "reminders")}),
        _single("diamonds_people", "People with a stream open.", len(streams.connected_people)),
        _single("diamonds_connections", "Open connections.", limiter.count),
        _single("diamonds_connections_max", "Connection limit.", limiter.max_connections),
        _labelled("diamonds_tables", "Tables in memory.", "phase", {phase: phases[phase] for phase in TABLE_PHASES}),
        _single("diamonds_tables_damaged", "Tables found damaged.", len(tables.registry.damaged_tables)),
        _labelled("diamonds_jobs_waiting", "People whose bots or advice wait for a worker process.", "priority",
                  workers.waiting()),
        _single("diamonds_workers_busy", "Busy worker processes.", workers.busy),
        _single("diamonds_event_loop_lag_seconds", "Delay of the event loop.", counters.loop_delay),
        *_store_metrics(tables),
        *_process_metrics(tables),
        _error_metric(counters, limiter, routes),
    ]
    # If the store does not respond, the other metrics are still reported.
    with contextlib.suppress(TimeoutError, StoreUnavailableError):
        async with asyncio.timeout(STORE_TIMEOUT_S):
            waiting = await tables.store.moderation.open_report_count()
        metrics.append(_single("diamonds_reports_open", "Reports waiting for a moderator.", waiting))
    if counters.bot_decisions:
        metrics.append(_labelled("diamonds_bot_seconds", "Duration of a bot's decision, including its wait.", "level",
                                 counters.bot_decisions))
    if data_dir is not None:
        free = shutil.disk_usage(data_dir).free
        metrics.append(_single("diamonds_disk_free_bytes", "Free disk space in the data directory.", free))
        if (age := backup.backup_age_s(data_dir)) is not None:
            metrics.append(_single("diamonds_backup_age_seconds", "Time since the last backup, or since the start.", age))
    # fmt: on
    return metrics


def _single(name: str, help: str, value: MetricValue, is_counter: bool = False) -> MetricFamily:
    """Return a metric without labels."""
    return MetricFamily(name, help, (), {(): value}, is_counter)


def _labelled(
    name: str, help: str, label: str, values: Mapping[str, MetricValue], is_counter: bool = False
) -> MetricFamily:
    """Return a metric with a value for each value of a label."""
    return MetricFamily(name, help, (label,), {(each,): value for each, value in values.items()}, is_counter)


def _error_metric(counters: ServerCounters, limiter: ConnectionLimiter, routes: Iterable[str]) -> MetricFamily:
    """Return the counters of failed requests.

    All series exist from the start; otherwise Prometheus would miss the first increase.
    """
    values: dict[tuple[str, ...], MetricValue] = {
        (route, status): counters.errors[route, status] for route in routes for status in STATUS_CLASSES
    }
    values |= {("connection", status): count for status, count in limiter.errors.items()}
    return MetricFamily("diamonds_http_errors", "Requests that failed.", ("route", "status"), values, True)


def _store_metrics(tables: TableService) -> list[MetricFamily]:
    """Return the metric families for database writes and push notifications."""
    written, pushes = tables.store.write_counters, tables.counters.pushes
    outcomes = {outcome: pushes[outcome,] for outcome in ("delivered", "retried", "gone", "rejected")}
    return [
        _single("diamonds_database_seconds", "Duration of a commit, until it is durable.", written.commit_time),
        _single("diamonds_database_changes", "Changes in these commits.", written.changes, True),
        _single("diamonds_database_failures", "Failed commits.", written.failures, True),
        _single("diamonds_database_connections", "Connections opened for writing.", written.connections, True),
        _labelled("diamonds_push_messages", "Push notifications by outcome.", "outcome", outcomes, True),
    ]


def _process_metrics(tables: TableService) -> list[MetricFamily]:
    """Return the metric families for the cluster and the role of this process; a single process has every role."""
    cluster = tables.cluster
    members = len(cluster.membership.alive) if cluster else 1
    owned = len(cluster.ownership.owned) if cluster else len(tables.registry.all())
    may_write = int(cluster is None or cluster.membership.joined.is_set())
    # fmt: off
    return [
        _single("diamonds_processes", "Members of the cluster.", members),
        _single("diamonds_lobby_owner", "Whether this process owns lobby, accounts and moderation.", int(tables.has_lobby)),
        _single("diamonds_tables_owned", "Tables that this process owns.", owned),
        _single("diamonds_clocks_running", "Tables whose clocks run in this process.", len(tables.clocks.flag_timer)),
        _single("diamonds_member", "Whether this process may write: its membership session in the database is open.", may_write),
    ]
    # fmt: on
