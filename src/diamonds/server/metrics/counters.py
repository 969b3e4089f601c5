"""Counters of an open server: a few additions per answer, without a library, whether or not anyone reads them.

They contain no person, table or card.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from typing import NamedTuple

BUCKETS_S = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class DurationHistogram:
    """A histogram of durations: counts by bucket (with the upper bounds `BUCKETS_S` and infinity), and the sum."""

    __slots__ = ("counts", "total_s")

    def __init__(self) -> None:
        self.counts = [0] * (len(BUCKETS_S) + 1)
        self.total_s = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(BUCKETS_S, seconds)] += 1
        self.total_s += seconds


class WriteCounters:
    """Counters of a store's writes. Its writing thread increments them, so a reader may be one commit behind."""

    __slots__ = ("changes", "commit_time", "connections", "failures")

    def __init__(self) -> None:
        self.commit_time = DurationHistogram()  # from a commit's first statement until it is durable
        self.changes = 0  # changes in these commits
        self.failures = 0  # failed commits
        self.connections = 0  # connections opened for writing: the first, and one after each loss

    def count_commit(self, changes: int, seconds: float) -> None:
        """Count a durable commit."""
        self.commit_time.add(seconds)
        self.changes += changes


MetricValue = int | float | DurationHistogram


class MetricFamily(NamedTuple):
    """A metric: name, help text, and values by labels. The value of a counter only increases."""

    name: str
    help: str
    labels: tuple[str, ...]
    values: dict[tuple[str, ...], MetricValue]
    is_counter: bool = False


class ServerCounters:
    """The counters of a server since it was opened. The durations of an answer's steps come first, in order."""

    def __init__(self) -> None:
        self.lock_wait = DurationHistogram()  # waiting for the table's lock
        self.rules = DurationHistogram()  # checking an answer and computing its result
        self.commit = DurationHistogram()  # until a change is durable, including changes other than answers
        self.fan_out = DurationHistogram()  # updating all streams and bots
        self.reply = DurationHistogram()  # the whole request with an answer
        self.answers: Counter[tuple[str, ...]] = Counter()  # by game, and by "person" or "bot"
        self.errors: Counter[tuple[str, ...]] = Counter()  # requests, by route and "4xx" or "5xx"
        self.refused_answers = 0  # requests with an answer that was refused
        self.pending_commits = 0  # changes given to the store and not yet durable
        self.bot_decisions: defaultdict[str, DurationHistogram] = defaultdict(DurationHistogram)  # by level
        self.pushes: Counter[tuple[str, ...]] = Counter()  # by outcome: delivered, retried, gone, rejected
        self.loop_delay = DurationHistogram()  # delay of the event loop
