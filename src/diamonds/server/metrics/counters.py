"""Counters of an open server, whether anybody reads them or not: a few additions for each answer, and no library.

Nothing here knows who it was, at which table, or with which card.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from typing import NamedTuple

BUCKETS_S = (
    0.0001,
    0.00025,
    0.0005,
    0.001,
    0.0025,
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.25,
    0.5,
    1.0,
    2.5,
    10.0,
)  # seconds


class DurationHistogram:
    """How long something took, each time: how often up to each of `BUCKETS_S` and beyond them, and all together."""

    __slots__ = ("counts", "total_s")

    def __init__(self) -> None:
        self.counts = [0] * (len(BUCKETS_S) + 1)
        self.total_s = 0.0

    def add(self, seconds: float) -> None:
        """Once more."""
        self.counts[bisect_left(BUCKETS_S, seconds)] += 1
        self.total_s += seconds


class WriteCounters:
    """What a store has written. Its writing thread counts; whoever reads it meanwhile is one behind at most."""

    __slots__ = ("changes", "commit_time", "connections", "failures")

    def __init__(self) -> None:
        self.commit_time = DurationHistogram()  # each commit, from its first statement until it is durable
        self.changes = 0  # which these commits have made, together
        self.failures = 0  # commits that did not come about
        self.connections = 0  # that were made to write: one, unless the database was lost

    def count_commit(self, changes: int, seconds: float) -> None:
        """One more commit is durable."""
        self.commit_time.add(seconds)
        self.changes += changes


class MetricFamily(NamedTuple):
    """A metric: its name, a line of help and its values by labels. The value of a counter only grows."""

    name: str
    help: str
    labels: tuple[str, ...]
    values: dict[tuple[str, ...], int | float | DurationHistogram]
    is_counter: bool = False


class ServerCounters:
    """The counters of a server since it was opened. The steps of an answer are in the order in which it takes them."""

    def __init__(self) -> None:
        self.lock_wait = DurationHistogram()  # waiting for one's turn at the table
        self.rules = DurationHistogram()  # judging an answer, and what follows from it
        self.commit = DurationHistogram()  # until it is durable; changes that are no answers, too
        self.fan_out = DurationHistogram()  # handing it to every reader and bot
        self.reply = DurationHistogram()  # all of a request with an answer, from its head to the reply
        self.answers: Counter[tuple[str, ...]] = Counter()  # by game, and by "person" or "bot"
        self.errors: Counter[tuple[str, ...]] = Counter()  # requests, by route and "4xx" or "5xx"
        self.refused_answers = 0  # requests with an answer that was not taken
        self.pending_commits = 0  # changes that are on their way to the store
        self.bot_decisions: defaultdict[str, DurationHistogram] = defaultdict(
            DurationHistogram
        )  # a bot's decisions, by level
        self.pushes: Counter[tuple[str, ...]] = Counter()  # to people's devices: "brought", "again", "gone", "refused"
        self.loop_delay = DurationHistogram()  # by how much the event loop comes too late to what is due
