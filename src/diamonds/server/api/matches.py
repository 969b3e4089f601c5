"""Messages about duplicate matches. Deals, tables, seats and people are numbered from 0."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from diamonds.server.api.tables import BotSpeed, IdempotencyKey, TimeControlInfo


class CreateMatchRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/matches`: a match for at most `size` people, with this number of `deals`, and `seats` per table.

    Bots of a `level` fill the remaining seats, by default level 3 if it is available. You take part.
    """

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[int, Meta(ge=2, le=6)]
    options: dict[str, bool | int | str] = {}
    deals: Annotated[int, Meta(ge=1, le=24)] = 8
    size: Annotated[int, Meta(ge=2, le=24)] = 24
    level: Annotated[str, Meta(max_length=40)] | None = None
    bot_speed: BotSpeed = "steady"
    time_control: TimeControlInfo | None = None
    idempotency_key: IdempotencyKey | None = None


class MatchRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/matches/ID/…`: `join`, `leave`, `start` or `end`."""


class RemovePersonRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/matches/ID/remove`: remove the person with this number before the start. They cannot come back."""

    number: Annotated[int, Meta(ge=0, le=2**31 - 1)]


class MatchPersonInfo(Struct):
    """A person in a match, and how many deals they have finished. The name of a deleted person is empty."""

    number: int
    name: str
    is_organiser: bool
    finished: int


class MatchOwnTableInfo(Struct):
    """A table where you play in a match. `points` are yours, once the game is over."""

    deal: int
    table: str
    seat: int
    finished: bool
    points: int | None


class MatchStandingInfo(Struct):
    """A person's place, by the sum of the scores of the `scored` deals. `result` is the sum of all results."""

    person: int
    place: int
    score: float
    result: float
    scored: int


class MatchTableResult(Struct):
    """A table with the person in each seat (`null`: a bot) and the points of each seat; `null` if the game did not end."""

    table: str
    people: list[int | None]
    points: list[int] | None


class MatchHandEntry(Struct):
    """A person's result with a hand. `table` is an index of the deal's tables.

    `result` is the number compared: the `points`, or in a game for two only, 1 for a win and 0.5 for a draw. `score` is the
    difference from the mean result of the other people with the same hand, or of bots if there are none (`with_bots`). The
    score is `null` if no other table has finished.
    """

    person: int
    table: int
    result: float
    score: float | None
    with_bots: bool
    points: int


class MatchHandInfo(Struct):
    """The hand of a seat, with all people who held it and finished, best first."""

    seat: int
    entries: list[MatchHandEntry]


class MatchDealInfo(Struct):
    """A deal: its tables, and the hands that people held."""

    tables: list[MatchTableResult]
    hands: list[MatchHandInfo]


class MatchResults(Struct):
    """The results of a match: standings, best first, and every deal."""

    standings: list[MatchStandingInfo]
    deals: list[MatchDealInfo]


class MatchResponse(Struct):
    """A match as you may see it. The `commitments` are the SHA-256 of each deal's secret.

    `people` are in the order in which they joined; `you` is your number. `your_tables` are those opened so far, in order.
    `secrets` and `results` are set once the match is over, the latter if it was started. `ended_early` means that the
    organiser has ended it, or cancelled it before the start.
    """

    id: str
    game: str
    title: str
    seats: int
    options: dict[str, bool | int | str]
    deals: int
    size: int
    level: str
    bot_speed: BotSpeed
    time_control: TimeControlInfo | None
    created: float
    phase: Literal["open", "playing", "over"]
    ended_early: bool
    people: list[MatchPersonInfo]
    you: int | None
    is_organiser: bool
    commitments: list[str]
    secrets: list[str] | None
    your_tables: list[MatchOwnTableInfo]
    results: MatchResults | None


class MatchSummary(Struct):
    """A match in your list. `people` is the number of people, `your_table` the table where you play now."""

    id: str
    game: str
    title: str
    seats: int
    deals: int
    people: int
    size: int
    phase: Literal["open", "playing", "over"]
    created: float
    your_table: str | None


class MatchListResponse(Struct):
    """`GET /api/matches`: your matches, unfinished ones first, then the newest first."""

    matches: list[MatchSummary]
