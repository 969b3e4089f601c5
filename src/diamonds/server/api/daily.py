"""Messages about the deals of the day."""

from __future__ import annotations

from msgspec import Struct


class DailyResultInfo(Struct):
    """The place and the points of a game."""

    place: int
    points: int


class DailyResultCount(Struct):
    """The number of people who have reached a result."""

    place: int
    points: int
    number: int


class DailyDealInfo(Struct):
    """A deal of today. `commitment` is the SHA-256 of its secret, `next_commitment` that of tomorrow's.

    `table` is the table where you play it. `result` is set once you have finished; then `results` has the number of
    people for each result, best first. `level` is the level of all bots.
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


class PracticeGameInfo(Struct):
    """Your practice game with a deal of an earlier day. It counts neither for the results of others nor for the streak."""

    table: str
    finished: bool
    result: DailyResultInfo | None


class PastDayInfo(Struct):
    """A deal in the archive. `players` is the number of people who finished it on its day.

    `table`, `finished` and `result` are those of your own game on that day.
    """

    day: str
    players: int
    table: str | None
    finished: bool
    result: DailyResultInfo | None
    practice: PracticeGameInfo | None


class PastDaysResponse(Struct):
    """`GET /api/days?game=GAME&month=2026-11`: a month of a game's past deals, the last day first.

    Without `month`, the month is that of `last_day`. The archive has all days from `first_day` to `last_day`, which was
    yesterday; `last_day` is `null` on the first day.
    """

    game: str
    seats: int
    month: str
    first_day: str
    last_day: str | None
    days: list[PastDayInfo]


class TodayResponse(Struct):
    """The deals of the `day`, a date in UTC that ends at `ends_at` (seconds since 1970).

    `streak` is the number of days in a row on which you have finished a deal. `past` has your newest games of earlier
    days.
    """

    day: str
    ends_at: int
    deals: list[DailyDealInfo]
    streak: int
    past: list[DailyGameInfo]


class DailyAnswerCount(Struct):
    """The number of people who have given an answer."""

    answer: str
    number: int


class DailyDecisionInfo(Struct):
    """A decision and the answers of everyone who reached it, the most frequent first.

    It answers `question` for the `index`-th time, counted from 0. `yours` is your answer, if you reached the decision.
    """

    question: str
    index: int
    yours: str | None
    answers: list[DailyAnswerCount]


class PastDealResponse(Struct):
    """A deal of an earlier day, with its secret.

    The cards follow from the secret and empty nonces. `decisions` are those of your finished game on that day, in
    order; else those of your finished practice game; else those that most people reached. `table`, `finished` and
    `result` are those of your own game on that day.
    """

    day: str
    game: str
    seats: int
    options: dict[str, int]
    level: str
    commitment: str
    secret: str
    table: str | None
    finished: bool
    practice: PracticeGameInfo | None
    result: DailyResultInfo | None
    results: list[DailyResultCount]
    decisions: list[DailyDecisionInfo]
