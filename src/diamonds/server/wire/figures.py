"""The figures of a house at this moment: what its tally has counted, and what there is just now. No figure is of one person or table."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import diamonds
from diamonds.server.house.hub import Stream
from diamonds.server.house.tables import Tables
from diamonds.server.reminding.turns import Reader as TurnsReader
from diamonds.server.store import copies
from diamonds.server.store.contract import Unavailable
from diamonds.server.watching.exporter import Figure
from diamonds.server.watching.tally import Durations, Tally
from diamonds.server.wire.door import Doorkeeper

STREAMS = {Stream: "table", TurnsReader: "reminders"}  # all others are of the lobby
STATUS_CLASSES = ("4xx", "5xx")
STORE_TIMEOUT_S = 1.0  # for what is asked of the store
PHASES = ("waiting", "playing", "over")


async def figures(tables: Tables, keeper: Doorkeeper, folder: Path | None, routes: Iterable[str]) -> list[Figure]:
    """All of them; of each route how many requests failed, none too."""
    tally, thinking = tables.tally, tables.thinking
    steps = {"wait": tally.turn, "rules": tally.rules, "commit": tally.commit, "tell": tally.telling}
    lines = Counter(STREAMS.get(type(line), "lobby") for slot in tables.hub.slots for line in slot)
    phases = Counter(table.phase for table in tables.shelf.all())
    levels: dict[tuple[str, ...], int | float | Durations] = {(level,): took for level, took in tally.thinking.items()}
    found = [
        Figure("diamonds_info", "The version of the program.", ("version",), {(diamonds.__version__,): 1}),
        Figure("diamonds_answers", "Answers that were given.", ("game", "by"), {**tally.answers}, True),
        Figure(
            "diamonds_answers_refused", "Requests with an answer that was not taken.", (), {(): tally.refused}, True
        ),
        Figure("diamonds_answer_seconds", "A request with an answer, until it is replied to.", (), {(): tally.reply}),
        Figure(
            "diamonds_step_seconds",
            "Each step of an answer: waiting for one's turn at the table, rules, commit, telling the others.",
            ("step",),
            {(step,): took for step, took in steps.items()},
        ),
        Figure("diamonds_commits_underway", "Changes that wait to be durable.", (), {(): tally.committing}),
        Figure(
            "diamonds_streams", "Open streams.", ("of",), {(of,): lines[of] for of in ("table", "lobby", "reminders")}
        ),
        Figure("diamonds_people", "People with a stream open.", (), {(): len(tables.hub.here)}),
        Figure("diamonds_connections", "Open connections.", (), {(): keeper.count}),
        Figure("diamonds_connections_most", "Connections that there is room for.", (), {(): keeper.most}),
        Figure("diamonds_tables", "Tables in memory.", ("phase",), {(phase,): phases[phase] for phase in PHASES}),
        Figure("diamonds_tables_damaged", "Tables found damaged.", (), {(): len(tables.shelf.damaged)}),
        Figure(
            "diamonds_thinking_waiting",
            "People whose bots or advice wait for a process.",
            ("urgency",),
            {(urgency,): count for urgency, count in thinking.waiting().items()},
        ),
        Figure("diamonds_thinking_busy", "Processes that think.", (), {(): thinking.busy}),
        Figure("diamonds_loop_late_seconds", "How late the event loop comes to what is due.", (), {(): tally.late}),
    ]
    found += _of_store(tables) + _of_processes(tables) + [_errors(tally, keeper, routes)]
    with contextlib.suppress(TimeoutError, Unavailable):  # without its store a server still tells the rest
        async with asyncio.timeout(STORE_TIMEOUT_S):
            waiting = await tables.store.books.waiting()
        found.append(Figure("diamonds_reports_open", "Reports that wait for a moderator.", (), {(): waiting}))
    if levels:
        found.append(Figure("diamonds_bot_seconds", "A bot's decision, its waiting included.", ("level",), levels))
    if folder is not None:
        free = shutil.disk_usage(folder).free
        found.append(Figure("diamonds_disk_free_bytes", "Room left where the house keeps its data.", (), {(): free}))
        age = copies.backup_age_s(folder)
        if age is not None:
            found.append(Figure("diamonds_backup_age_seconds", "Since the last backup, or the start.", (), {(): age}))
    return found


def _errors(tally: Tally, keeper: Doorkeeper, routes: Iterable[str]) -> Figure:
    """Failed requests. Every series is there from the start, for Prometheus sees no increase where one begins."""
    values: dict[tuple[str, ...], int | float | Durations] = {
        (route, status): tally.errors[route, status] for route in routes for status in STATUS_CLASSES
    }
    values |= {("connection", status): count for status, count in keeper.errors.items()}
    return Figure("diamonds_http_errors", "Requests that failed.", ("route", "status"), values, True)


def _of_store(tables: Tables) -> list[Figure]:
    """What the store has written, and what has been brought to people's devices."""
    written, messages = tables.store.written, tables.tally.messages
    outcomes: dict[tuple[str, ...], int | float | Durations] = {
        (outcome,): messages[outcome,] for outcome in ("brought", "again", "gone", "refused")
    }
    return [
        Figure("diamonds_database_seconds", "A commit, until it is durable.", (), {(): written.took}),
        Figure("diamonds_database_changes", "Changes that these commits made.", (), {(): written.changes}, True),
        Figure("diamonds_database_failures", "Commits that did not come about.", (), {(): written.failed}, True),
        Figure("diamonds_database_connections", "Connections made to write.", (), {(): written.connections}, True),
        Figure("diamonds_messages", "Messages to devices, by what became of them.", ("outcome",), outcomes, True),
    ]


def _of_processes(tables: Tables) -> list[Figure]:
    """Who keeps the house, and what is this process's to do; alone it does everything."""
    cluster = tables.cluster
    return [
        Figure(
            "diamonds_processes",
            "Processes that keep this house.",
            (),
            {(): len(cluster.membership.alive) if cluster else 1},
        ),
        Figure(
            "diamonds_lobby_owner",
            "Whether this one has lobby, accounts and moderation.",
            (),
            {(): int(tables.has_lobby)},
        ),
        Figure(
            "diamonds_tables_owned",
            "Tables that this process plays.",
            (),
            {(): len(cluster.ownership.owned) if cluster else len(tables.shelf.all())},
        ),
        Figure("diamonds_clocks_running", "Tables whose next flag it knows.", (), {(): len(tables.clocks.flags)}),
        Figure(
            "diamonds_member",
            "Whether this process may write: the database session that stands for its life is open.",
            (),
            {(): int(cluster is None or cluster.membership.joined.is_set())},
        ),
    ]
