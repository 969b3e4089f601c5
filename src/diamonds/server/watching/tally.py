"""What is counted while the house is open, whether anybody looks or not: a few additions an answer, and no library.

Nothing here knows who it was, at which table, or with which card.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict

BOUNDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)  # seconds


class Durations:
    """How long something took, each time: how often up to each of `BOUNDS` and beyond them, and all together."""

    __slots__ = ("counts", "seconds")

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.seconds = 0.0

    def add(self, seconds: float) -> None:
        """Once more."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds


class Written:
    """What a store has written. Its writing thread counts; whoever reads it meanwhile is one behind at most."""

    __slots__ = ("changes", "connections", "failed", "took")

    def __init__(self) -> None:
        self.took = Durations()  # each commit, from its first statement until it is durable
        self.changes = 0  # which these commits have made, together
        self.failed = 0  # commits that did not come about
        self.connections = 0  # that were made to write: one, unless the database was lost

    def done(self, changes: int, seconds: float) -> None:
        """One more commit is durable."""
        self.took.add(seconds)
        self.changes += changes


class Tally:
    """What one house has done since it was opened. The steps of an answer are in the order in which it takes them."""

    def __init__(self) -> None:
        self.turn = Durations()  # waiting for one's turn at the table
        self.rules = Durations()  # judging an answer, and what follows from it
        self.commit = Durations()  # until it is durable; changes that are no answers, too
        self.telling = Durations()  # handing it to every reader and bot
        self.reply = Durations()  # all of a request with an answer, from its head to the reply
        self.answers: Counter[tuple[str, ...]] = Counter()  # by game, and by "person" or "bot"
        self.errors: Counter[tuple[str, ...]] = Counter()  # requests, by route and "4xx" or "5xx"
        self.refused = 0  # requests with an answer that was not taken
        self.committing = 0  # changes that are on their way to the store
        self.thinking: defaultdict[str, Durations] = defaultdict(Durations)  # a bot's decisions, by level
        self.messages: Counter[tuple[str, ...]] = (
            Counter()
        )  # to people's devices: "brought", "again", "gone", "refused"
        self.late = Durations()  # by how much the event loop comes too late to what is due
