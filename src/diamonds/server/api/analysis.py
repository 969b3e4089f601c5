"""Messages about analysis: hints for an open question, and reviews of finished games."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from diamonds.server.api.tables import MessageRef


class PendingResponse(Struct):
    """The result is not ready yet (202): ask again. `total` is 0 until it is known.

    Until the analysis is `ready`, its kernels are being compiled, which takes up to a minute the first time.
    """

    done: int
    total: int
    ready: bool


class HintChoiceInfo(Struct):
    """One answer in a hint: its names (for a set of cards, each card), its text, and reasons.

    `gain` is the expected value from now on (mines: the chance to win in percent), `gap` the difference to the best
    answer, each with its standard error. `tied` means that the difference may be chance.
    """

    answers: list[int | str]
    text: MessageRef
    gain: float
    gain_error: float
    gap: float
    gap_error: float
    tied: bool
    reasons: list[MessageRef]


class HintResponse(Struct):
    """`GET /api/tables/ID/hint`: the best answers to your question, best first. `n` is when it was asked."""

    n: int
    seat: int
    question: str
    unit: Literal["points", "%"]
    choices: list[HintChoiceInfo]
    worlds: int
    text: MessageRef


class HindsightInfo(Struct):
    """The best answer given the true cards, and by how much it was better."""

    text: MessageRef
    cost: float
    cost_error: float


class JudgedDecisionInfo(Struct):
    """One decision of a seat, after n answers: the answer given, the best one by what the seat knew, and its cost.

    `answers` names the answer given (for a set of cards, each card), `best_answers` the best one, `legal` all legal
    ones; if the decision is marked, `as_good_answers` lists others about as good as the best. `points` is the cost
    in points alone, `skill` the gain over the heuristic answer, and `value` the expected margin of the latter.
    docs/review.md describes the measures.
    """

    n: int
    seat: int
    deal: int
    question: str
    answers: list[int | str]
    best_answers: list[int | str]
    legal: list[int | str]
    as_good_answers: list[list[int | str]]
    text: MessageRef
    best: MessageRef
    cost: float
    cost_error: float
    marked: bool
    reasons: list[MessageRef]
    hindsight: HindsightInfo | None
    points: float
    value: float
    skill: float
    skill_error: float


class DealBreakdownInfo(Struct):
    """One deal of a breakdown: `end = start + cards + luck + skill`. The best answers would have gained `cost` more."""

    start: float
    cards: float
    luck: float
    skill: float
    cost: float
    end: float


class ResultBreakdownInfo(Struct):
    """The composition of a seat's result: `result = start + cards + luck + skill`."""

    seat: int
    start: float
    cards: float
    luck: float
    skill: float
    skill_error: float
    cost: float
    result: float
    decisions: int
    marked: int
    rounds: list[DealBreakdownInfo]


class WinChancesInfo(Struct):
    """Each seat's chance to win after n answers, forecast with all cards open."""

    n: int
    chances: list[float]


class ReviewResponse(Struct):
    """`GET /api/tables/ID/review`: the review of a finished game.

    A decision is marked if its cost is significant and at least `material_difference`.
    """

    unit: Literal["points", "%"]
    material_difference: float
    worlds: int
    decisions: list[JudgedDecisionInfo]
    results: list[ResultBreakdownInfo]
    chances: list[WinChancesInfo]
