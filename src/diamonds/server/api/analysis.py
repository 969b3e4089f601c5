"""Messages about analysis: hints for an open question, and reviews of finished games."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from diamonds.server.api.tables import MessageRef


class PendingResponse(Struct):
    """What was asked for is still being made (202): ask again. ``total`` is 0 as long as it is not known.

    As long as the adviser is not ``ready``, what it thinks with is being compiled: the first time takes up to a minute.
    """

    done: int
    total: int
    ready: bool


class HintChoiceInfo(Struct):
    """One answer that a hint lists: by name (a set of cards to pass card by card), what it says, and why.

    ``gain`` is what it brings from now on (mines: the chance to win, of a hundred), ``gap`` how much less than the best,
    each with its standard error. ``tied`` says that the difference may be chance.
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
    """``GET /api/tables/ID/hint``: the best answers to the reader's question, open since n, the best first."""

    n: int
    seat: int
    question: str
    unit: Literal["points", "%"]
    choices: list[HintChoiceInfo]
    worlds: int
    text: MessageRef


class HindsightInfo(Struct):
    """What would have been best on the true cards, and by how much."""

    text: MessageRef
    cost: float
    cost_error: float


class JudgedDecisionInfo(Struct):
    """One decision of a seat, after n answers: what was answered, what was best as far as the seat could know, and the cost.

    ``answers`` names the answer given (a set of cards card by card), ``best_answers`` the best one, ``legal`` all there were;
    where it is marked, ``as_good_answers`` has others that are about as good as the best.
    ``points`` is the cost in points alone, ``skill`` how much better the answer was than that by rule of thumb, and
    ``value`` the margin that one promised. docs/review.md tells how they are measured.
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
    """One deal of an account: ``end = start + cards + luck + skill``; the best answers would have brought ``cost`` more."""

    start: float
    cards: float
    luck: float
    skill: float
    cost: float
    end: float


class ResultBreakdownInfo(Struct):
    """How a seat came to its result: ``result = start + cards + luck + skill``."""

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
    """``GET /api/tables/ID/review``: a finished game, judged. A decision is marked if its cost is at least ``material_difference`` and certain."""

    unit: Literal["points", "%"]
    material_difference: float
    worlds: int
    decisions: list[JudgedDecisionInfo]
    results: list[ResultBreakdownInfo]
    chances: list[WinChancesInfo]
