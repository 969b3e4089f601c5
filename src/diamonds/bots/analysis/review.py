"""Reviews of finished games: the cost of each decision, the chances over time, and the shares of luck and skill.

*Cost.* For every decision of a seat the search chooses the best answer from the seat's view; its lead over the answer
given is then measured in fresh worlds that had no part in the choice. A decision is *marked* only if its cost is
material (`GameAdapter.material_difference`) and certain (`JUDGE_PARAMS.mistake_std_errors`). This verdict uses only
what the player knew. Marked decisions also show *hindsight*: the best answer on the true cards, which nobody could have
known. A review names the answer that a hint recommends for the same view, with the hint's first reason, or with one of
its reasons that holds compared with the answer given if the search found the same answer. Only if the hint has no
reason, and calls the search's answer as good, does the review name the search's. The cost is always measured from the
search's.

*Luck and skill.* The yardstick is a player who decides by rules of thumb (`GameAdapter.heuristic_answer`, the policy of
the playouts). The change of the margin in a round is the sum of three parts: the expected result of such a player when
the cards were first seen;
*skill*, how much better or worse each answer was than that player's; and *luck*, the rest: the fall of the cards and
the others' play. Measured against the best answers instead, every decision would be a cost and luck would have to make
up for it, so costs are shown beside the account, not in it.

*Chances* are forecasts with all cards open, as a spectator who sees every hand might make them: from each moment the
game is played on many times, by rules of thumb, with new deals. They add up to one.

The work comes in small tasks, so that callers can show progress and do other things in between: `plan`, then `judge`
for each decision and `forecast` for each moment, then `assemble_review`. `review` does all of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from diamonds import records
from diamonds.bots import games
from diamonds.bots.analysis import hints
from diamonds.bots.bot import BotView, bot_view
from diamonds.bots.games.adapter import WIN_CHANCE, JudgeParams, ValueUnit
from diamonds.cards import bit
from diamonds.entries import AnswerEntry, parse_entry
from diamonds.errors import NotAllowedError
from diamonds.game import Game, find_game
from diamonds.i18n import Message

JUDGE_PARAMS = JudgeParams(quick_worlds=400, full_worlds=2000, true_deal_playouts=300, mistake_std_errors=2.5)
JUDGE_SEEDS = (0, 2, 3, 7, 4, 6)  # offsets from a task's seed, one for each judging step
FORECAST_RANDOM_PERMILLE = 100  # random answers in a forecast, per thousand


class DecisionTask(NamedTuple):
    """A decision to judge. ``row`` is the view of the seat, ``true_state`` the state behind it; both as bytes."""

    game: str
    n: int  # number of answers before this one
    seat: int
    deal: int
    candidate: int  # the answer given, or the set of cards passed
    row: bytes
    true_state: bytes
    seed: int


class ForecastTask(NamedTuple):
    """A moment to forecast from: after n answers, with the state as bytes."""

    game: str
    n: int
    state: bytes
    seed: int


class Hindsight(NamedTuple):
    """The best answer on the true cards, and the cost of the answer given compared with it."""

    text: Message
    cost: float
    cost_error: float


class JudgedDecision(NamedTuple):
    """A judged decision. Costs are in the review's unit; ``n`` is the number of answers before it.

    ``skill`` is how much better the answer was than the rule-of-thumb answer, ``value`` that answer's expected margin
    (mines: its chance to win). ``points``, ``skill`` and ``value`` leave out the win bonus. ``answers`` names the
    answer given, or all cards of a set, ``best_answers`` the best one, ``legal`` all legal ones; ``as_good_answers`` of
    a marked decision are others that a hint would call equal to the best.
    """

    n: int
    seat: int
    deal: int
    question: str
    answers: tuple[int | str, ...]
    best_answers: tuple[int | str, ...]
    legal: tuple[int | str, ...]
    as_good_answers: tuple[tuple[int | str, ...], ...]
    text: Message
    best: Message
    cost: float
    cost_error: float
    marked: bool
    reasons: tuple[Message, ...]
    hindsight: Hindsight | None
    points: float
    value: float
    skill: float
    skill_error: float


class DealBreakdown(NamedTuple):
    """One deal in the account of a seat: ``end = start + cards + luck + skill``. The best answers would have added ``cost``."""

    start: float
    cards: float
    luck: float
    skill: float
    cost: float
    end: float


class ResultBreakdown(NamedTuple):
    """The account of a seat's result: ``result = start + cards + luck + skill``, over all rounds; see `DealBreakdown`."""

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
    rounds: tuple[DealBreakdown, ...]


class WinChances(NamedTuple):
    """Each seat's chance of winning after n answers."""

    n: int
    chances: tuple[float, ...]


class ReviewPlan(NamedTuple):
    """The tasks of a review, and each seat's margin before the first deal and after each deal."""

    game: str
    seats: tuple[int, ...]
    decision_tasks: tuple[DecisionTask, ...]
    forecast_tasks: tuple[ForecastTask, ...]
    margins: tuple[tuple[float, ...], ...]  # by deal, then by seat; the first entry is the start


class Review(NamedTuple):
    """A whole review. ``worlds`` is the number of fresh worlds behind a marked decision."""

    unit: ValueUnit
    material_difference: float
    worlds: int
    decisions: tuple[JudgedDecision, ...]
    results: tuple[ResultBreakdown, ...]
    chances: tuple[WinChances, ...]


def review_key(played: records.RecordedGame) -> str:
    """Return the key of a game's review: the same for the same deals and answers."""
    parts = [
        played.game.name,
        played.seats,
        sorted(played.options.items()),
        played.secret,
        played.nonces,
        played.answers,
    ]
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def review(
    played: records.RecordedGame, seats: Sequence[int] | None = None, progress: Callable[[int, int], None] | None = None
) -> Review:
    """Review a finished game, for some seats or all. ``progress`` gets the number of finished tasks and of all tasks.

    Raise `NotAllowedError` if compiled playouts are not installed, or the game is not over.
    """
    review_plan = plan(played, seats)
    total, done = len(review_plan.decision_tasks) + len(review_plan.forecast_tasks), 0

    def step() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, total)

    decisions, chances = [], []
    for task in review_plan.decision_tasks:
        decisions.append(judge(task))
        step()
    for forecast_task in review_plan.forecast_tasks:
        chances.append(forecast(forecast_task))
        step()
    return assemble_review(review_plan, decisions, chances)


def plan(played: records.RecordedGame, seats: Sequence[int] | None = None) -> ReviewPlan:
    """Replay the game and list every decision and moment to examine.

    Answers by substitutes are not attributed to the absent person.
    """
    hints.require_analysis()
    if not played.over:
        raise NotAllowedError("hint-game-not-over")
    game = played.game
    reviewed_seats = tuple(range(played.seats)) if seats is None else tuple(seats)
    seed = int(review_key(played)[:12], 16)
    replayed = records.start_game(
        game, played.seats, played.options, played.secret, played.nonces, played.players, played.version
    )
    decision_tasks: list[DecisionTask] = []
    forecast_tasks = [ForecastTask(game.name, 0, replayed.state.tobytes(), seed)]
    margins = [tuple(margin(game, replayed.state, seat) for seat in range(played.seats))]
    adapter, started = games.adapter_for(game), 0  # seats that have named part of a set, as bits
    for n, (seat, question, answer) in enumerate(played.answers):
        state = replayed.state
        is_set = adapter.is_set(state)
        is_first = not is_set or not started >> seat & 1
        started = started | bit(seat) if is_set else 0
        entry = parse_entry(played.entries[played.entry_positions[n]].partition(" ")[2])
        by_person = isinstance(entry, AnswerEntry) and not entry.substitute_level
        if seat in reviewed_seats and by_person and is_first and len(game.legal(state, seat)) > 1:
            candidate = pass_set(played, n) if is_set else game.answers[int(state["question"])][str(answer)]
            row = bot_view(game, state, seat).row.tobytes()
            decision_tasks.append(
                DecisionTask(game.name, n, seat, int(state["deals"]), candidate, row, state.tobytes(), seed + 8 * n)
            )
        before = (int(state["deals"]), int(adapter.turns_played(state)))
        replayed.answer(seat, answer, question)
        after = (int(replayed.state["deals"]), int(adapter.turns_played(replayed.state)))
        if after != before or replayed.over:
            forecast_tasks.append(ForecastTask(game.name, n + 1, replayed.state.tobytes(), seed + 8 * n + 5))
        if after[0] != before[0] or replayed.over:
            margins.append(tuple(margin(game, replayed.state, seat) for seat in range(played.seats)))
    return ReviewPlan(game.name, reviewed_seats, tuple(decision_tasks), tuple(forecast_tasks), tuple(margins))


def pass_set(played: records.RecordedGame, n: int) -> int:
    """Return all cards of the set whose first card is answer n."""
    seat, first_question, _ = played.answers[n]
    cards = 0
    for other, question, answer in played.answers[n:]:
        if question != first_question:
            break
        cards |= bit(played.game.card_names.index(str(answer))) if other == seat else 0
    return cards


def margin(game: Game, state: np.void, seat: int) -> float:
    """Return a seat's points minus the mean of its rivals', or its chance to win if that is the unit: 50 until the end."""
    if games.adapter_for(game).unit != WIN_CHANCE:
        return hints.current_margin(game, state, seat)
    if not state["over"]:
        return 50.0
    winners = [other for other in range(int(state["seats"])) if game.rules.seats_ahead(state, other) == 0]
    return 100.0 / len(winners) if seat in winners else 0.0


def judge(task: DecisionTask) -> JudgedDecision | None:
    """Judge one decision; return ``None`` if all its answers are equivalent."""
    from diamonds.bots.search import judge

    game, seat = find_game(task.game), task.seat
    row, true_state = (np.frombuffer(bytearray(data), game.dtype)[0] for data in (task.row, task.true_state))
    judged = judge.judge(
        game, row, true_state, seat, task.candidate, JUDGE_PARAMS, [task.seed + offset for offset in JUDGE_SEEDS]
    )
    if judged is None:
        return None
    judgement, counts = judged
    question = game.question(row).name

    def names(candidate: int) -> tuple[int | str, ...]:
        return hints.candidate_names(game, row, seat, candidate)

    def text(answers: tuple[int | str, ...]) -> Message:
        return hints.answer_text(game, question, answers)

    as_good: list[tuple[int | str, ...]] = []
    reasons: list[Message] = []
    best, marked = names(judgement.best), judgement.marked
    if marked:
        from diamonds.bots.analysis import reason_text

        hint = hints.hint(BotView(game, seat, row))
        told = [choice.answers for k, choice in enumerate(hint.choices) if k == 0 or choice.tied]
        first = hint.choices[0]
        if first.answers != best and (first.reasons or best not in told):
            best, reasons = first.answers, list(first.reasons[:1])
        else:
            preferred = first.reasons if first.answers == best else ()
            reasons = reason_text.reason_and_contrast(
                game, row, seat, judgement.best, counts[0], task.candidate, counts[1], preferred
            )
        as_good = [answers for answers in told if answers not in (best, names(task.candidate))]
        marked = names(judgement.representative) not in told  # hints never recommend a mistake

    return JudgedDecision(
        n=task.n,
        seat=seat,
        deal=task.deal,
        question=question,
        answers=names(task.candidate),
        best_answers=best,
        legal=tuple(game.legal(row, seat)),
        as_good_answers=tuple(as_good) if marked else (),
        text=text(names(task.candidate)),
        best=text(best),
        cost=judgement.cost,
        cost_error=judgement.cost_error,
        marked=marked,
        reasons=tuple(reasons) if marked else (),
        hindsight=Hindsight(text(names(judgement.hindsight)), judgement.regret, judgement.regret_error)
        if marked
        else None,
        points=judgement.points,
        value=judgement.value + (50.0 if games.adapter_for(game).measures_win_chance else 0.0),
        skill=judgement.skill,
        skill_error=judgement.skill_error,
    )


def forecast(task: ForecastTask) -> WinChances:
    """Return each seat's chance to win from a moment."""
    from diamonds.bots.search import evaluate

    game = find_game(task.game)
    state = np.frombuffer(bytearray(task.state), game.dtype)[0]
    playouts = 1 if state["over"] else games.adapter_for(game).forecast_playouts
    return WinChances(task.n, tuple(evaluate.forecast(game, state, playouts, FORECAST_RANDOM_PERMILLE, task.seed)))


def assemble_review(
    review_plan: ReviewPlan, decisions: Sequence[JudgedDecision | None], chances: Sequence[WinChances]
) -> Review:
    """Assemble a review from the results of its tasks."""
    judged = tuple(decision for decision in decisions if decision is not None)
    game = find_game(review_plan.game)
    results = tuple(
        result_breakdown(review_plan, seat, [d for d in judged if d.seat == seat]) for seat in review_plan.seats
    )
    return Review(
        games.adapter_for(game).unit,
        games.adapter_for(game).material_difference,
        JUDGE_PARAMS.full_worlds,
        judged,
        results,
        tuple(chances),
    )


def result_breakdown(review_plan: ReviewPlan, seat: int, decisions: Sequence[JudgedDecision]) -> ResultBreakdown:
    """Return the account of a seat: its rounds and their sums."""
    rounds = []
    for deal in range(1, len(review_plan.margins)):
        start, end = review_plan.margins[deal - 1][seat], review_plan.margins[deal][seat]
        of_deal = [decision for decision in decisions if decision.deal == deal]
        skill = hints.ordered_sum([decision.skill for decision in of_deal])
        cards = of_deal[0].value - start if of_deal else 0.0
        cost = hints.ordered_sum([decision.points for decision in of_deal])
        rounds.append(DealBreakdown(start, cards, end - start - cards - skill, skill, cost, end))
    return ResultBreakdown(
        seat=seat,
        start=review_plan.margins[0][seat],
        cards=hints.ordered_sum([breakdown.cards for breakdown in rounds]),
        luck=hints.ordered_sum([breakdown.luck for breakdown in rounds]),
        skill=hints.ordered_sum([breakdown.skill for breakdown in rounds]),
        skill_error=float(
            np.sqrt(hints.ordered_sum([decision.skill_error * decision.skill_error for decision in decisions]))
        ),
        cost=hints.ordered_sum([breakdown.cost for breakdown in rounds]),
        result=review_plan.margins[-1][seat],
        decisions=len(decisions),
        marked=sum(decision.marked for decision in decisions),
        rounds=tuple(rounds),
    )
