"""Messages of the deals of the day."""

from __future__ import annotations

from msgspec import Struct


class DailyResultInfo(Struct):
    """The place and the points of a game."""

    place: int
    points: int


class DailyResultCount(Struct):
    """How many people have reached a result."""

    place: int
    points: int
    number: int


class DailyDealInfo(Struct):
    """A deal of today. `commitment` is the SHA-256 of its secret, `next_commitment` that of tomorrow's.

    `table` is the table where you play it. `result` is set once you have finished; then `results` counts the results of
    all who have, best first. `level` is the level of all bots.
    """

    game: str
    seats: int
    options: dict[str, int]
    level: str
    commitment: str
    next_commitment: str
    table: str | None
    finished: bool
    result: DailyResultInfo | None
    results: list[DailyResultCount]


class DailyGameInfo(Struct):
    """Your game with a deal of an earlier day. `result` is `null` if it did not end on its day."""

    day: str
    game: str
    table: str
    finished: bool
    result: DailyResultInfo | None


class TodayResponse(Struct):
    """The deals of the day, a date in UTC that ends at `ends_at` (seconds since 1970).

    `streak` is the number of days in a row on which you have finished a deal. `past` has your newest games of earlier
    days.
    """

    day: str
    ends_at: int
    deals: list[DailyDealInfo]
    streak: int
    past: list[DailyGameInfo]


class DailyAnswerCount(Struct):
    """How many people have given an answer."""

    answer: str
    number: int


class DailyDecisionInfo(Struct):
    """A decision: the `index`-th answer to a question, from 0, by all who came to it. The most frequent answers come first.

    `yours` is your answer, if you came to it.
    """

    question: str
    index: int
    yours: str | None
    answers: list[DailyAnswerCount]


class PastDealResponse(Struct):
    """A deal of an earlier day, with its secret.

    The cards follow from the secret and empty nonces. `decisions` are yours, in order, or else those that most people
    came to.
    """

    day: str
    game: str
    seats: int
    options: dict[str, int]
    level: str
    commitment: str
    secret: str
    table: str | None
    result: DailyResultInfo | None
    results: list[DailyResultCount]
    decisions: list[DailyDecisionInfo]
