"""Automatic answers at tables with days per move: publicly forced ones and planned ones.

Only answers that everyone knows to be forced are given immediately (`views.is_publicly_forced`). Planned answers, and
the only answer that a hand allows, come after a delay that depends on nothing hidden: it is drawn from this player's
earlier delays at this table, which everyone has seen. The key of the draw belongs to the table and is never revealed,
not even in the record. So forced and planned answers take about as long as answers by hand.

Plans are part of the clock state, so they are stored in the same commit as the answer that uses them or the trick that
ends them. Only their player sees them: no version, revision or update changes with them.
"""

from __future__ import annotations

import hashlib
import math
import secrets
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np

from diamonds import views
from diamonds.cards import SUIT_LETTERS, iter_bits
from diamonds.errors import InvalidInputError, NotAllowedError
from diamonds.server.tables.core.clocks import NO_PLANS, ClockState, PlannedAnswer, Plans, SeatPlan
from diamonds.server.tables.core.entry_log import question_of, seat_of, substitute_of
from diamonds.server.tables.core.seating import SeatsAndSettings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from diamonds.server.tables.core.game_state import GameStep
    from diamonds.server.tables.core.table import Table

MAX_DELAYS = 16  # number of the player's latest delays to draw from
# Further delays to draw from, so that new players have some as well.
COMMON_DELAYS_MS = (20 * 60_000, 2 * 3_600_000, 6 * 3_600_000)
AT_ONCE_MS = 1000  # faster answers were forced in public and given automatically, so they say nothing about the player
DELAY_SPREAD = 0.4  # standard deviation of a drawn delay's logarithm, so that no delay repeats exactly
MAX_DELAY_SHARE = 0.75  # largest share of the time allowed for an answer


class AutomaticAnswer(NamedTuple):
    """An automatic answer as entry text, and its delay in milliseconds after the question."""

    seat: int
    text: str
    delay_ms: int


def check_days(table: Table) -> None:
    """Raise `NotAllowedError` if answers cannot be planned: outside the game, and without days per move."""
    if table.header.time_control is None or not table.header.time_control.days_per_move:
        raise NotAllowedError("table-plan-days")
    if table.phase != "playing":
        raise NotAllowedError("game-over" if table.is_over else "table-not-begun")


def with_answers(table: Table, seat: int, answers: Sequence[PlannedAnswer]) -> SeatPlan:
    """Return a seat's plan with these answers instead of its old ones. Raise an error if they are impossible."""
    state, game = table.game_state.state, table.game
    assert state is not None
    if answers and int(state["to_act"]) >> seat & 1:
        raise NotAllowedError("table-plan-asked")
    questions = {question.name: question for question in game.questions}
    for planned in answers:
        question = questions.get(planned.question)
        if not game.trick_field or question is None or question.is_sequential:
            raise InvalidInputError("table-plan-question")
        number = game.answers[game.questions.index(question)].get(planned.answer)
        is_card = planned.answer in game.card_names
        if number is None or (is_card and not int(state["hand"][seat]) >> number & 1):
            raise InvalidInputError("table-plan-answer")
    if len({(planned.question, planned.suit) for planned in answers}) < len(answers):
        raise InvalidInputError("table-plan-suit")
    return msgspec.structs.replace(seat_plan(table, seat), answers=tuple(answers))


def seat_plan(table: Table, seat: int) -> SeatPlan:
    """Return a seat's plan."""
    plans = table.clocks.plans if table.clocks else None
    return (plans or NO_PLANS).seats.get(seat, SeatPlan())


def with_seat_plan(clock_state: ClockState, seat: int, plan: SeatPlan) -> ClockState:
    plans = clock_state.plans or NO_PLANS
    seats = {other: kept for other, kept in plans.seats.items() if other != seat}
    if plan != SeatPlan():
        seats[seat] = plan
    return _replace(clock_state, msgspec.structs.replace(plans, key=plans.key or secrets.token_hex(16), seats=seats))


def after_steps(
    table: Table, seat: int, steps: Sequence[GameStep], clock_state: ClockState | None
) -> ClockState | None:
    """Return the clock state after a seat's answers: they end its planned answers, the end of a trick everyone's."""
    if not _counts_days(table) or clock_state is None:
        return clock_state
    before, has_ended = table.game_state.state, False
    for step in steps:
        has_ended = has_ended or step.has_dealt or _trick_size(table, step.state) < _trick_size(table, before)
        before = step.state
    plans = clock_state.plans
    if plans is not None:
        is_over = bool(steps[-1].state["over"])
        seats = {
            other: msgspec.structs.replace(plan, answers=()) if has_ended or other == seat else plan
            for other, plan in plans.seats.items()
            if not is_over and (plan.plays_forced or not (has_ended or other == seat))
        }
        clock_state = _replace(clock_state, msgspec.structs.replace(plans, seats=seats))
    return with_due_answer(table, steps[-1].state, clock_state, table.n + len(steps))


def after_seating(table: Table, seating: SeatsAndSettings, clock_state: ClockState | None) -> ClockState | None:
    """Return the clock state after seat changes, without the plans of former holders."""
    if not _counts_days(table) or clock_state is None or table.game_state.state is None:
        return clock_state
    plans = clock_state.plans
    if plans is not None:
        pairs = zip(table.seating.seats, seating.seats, strict=True)
        kept = [before.holder_id == now.holder_id and not seating.closed_reason for before, now in pairs]
        seats = {seat: plan for seat, plan in plans.seats.items() if kept[seat]}
        clock_state = _replace(clock_state, msgspec.structs.replace(plans, seats=seats))
    return with_due_answer(table, table.game_state.state, clock_state)


def with_due_answer(table: Table, state: np.void, clock_state: ClockState, asked_n: int | None = None) -> ClockState:
    """Return the clock state with the next automatic answer in this state.

    Its question was asked at `asked_n`, by default the table's `question_since`.
    """
    plans, due = clock_state.plans, list[AutomaticAnswer]()
    for seat in iter_bits(clock_state.to_act):
        n = table.game_state.question_since[seat] if asked_n is None else asked_n
        answer = _answer_of(table, state, seat, plans, n)
        if answer is not None:
            due.append(answer)
    if not due:
        unset = None if plans is None else msgspec.structs.replace(plans, due_seat=-1, due_in_ms=0)
        return clock_state if unset is None else _replace(clock_state, unset)
    first = min(due, key=lambda answer: answer.delay_ms - clock_state.used_ms[answer.seat])
    due_in_ms = max(0, first.delay_ms - clock_state.used_ms[first.seat])
    return _replace(clock_state, msgspec.structs.replace(plans or NO_PLANS, due_seat=first.seat, due_in_ms=due_in_ms))


def due_answer(table: Table, now: int) -> AutomaticAnswer | None:
    """Return the automatic answer that is due now."""
    clock_state, state = table.clocks, table.game_state.state
    plans = clock_state.plans if clock_state is not None else None
    if plans is None or clock_state is None or state is None or plans.due_seat < 0 or clock_state.paused:
        return None
    if clock_state.at_ms + plans.due_in_ms > now or not clock_state.to_act >> plans.due_seat & 1:
        return None
    return _answer_of(table, state, plans.due_seat, plans, table.n)


def _answer_of(table: Table, state: np.void, seat: int, plans: Plans | None, n: int) -> AutomaticAnswer | None:
    """Return a seat's automatic answer and its delay; `None` if its player has to answer."""
    game, question = table.game, table.game.question(state)
    if question.is_sequential:
        return None
    legal = int(game.rules.legal(state, seat))
    only = f"{question.name} {question.answers[legal.bit_length() - 1]}" if legal.bit_count() == 1 else ""
    if only and views.is_publicly_forced(game, state, seat):
        return AutomaticAnswer(seat, only, 0)
    plan = plans.seats.get(seat) if plans else None
    if plans is None or plan is None:
        return None
    planned = _planned_answer(table, state, question.name, legal, plan)
    text = planned or (only if plan.plays_forced else "")
    return AutomaticAnswer(seat, text, drawn_delay_ms(table, seat, plans.key, n)) if text else None


def _planned_answer(table: Table, state: np.void, question: str, legal: int, plan: SeatPlan) -> str:
    """Return the legal planned answer for the suit led, else for any suit; empty if there is none."""
    game = table.game
    suit = SUIT_LETTERS[int(state[game.suit_field])] if game.suit_field and int(state[game.suit_field]) >= 0 else None
    numbers = game.answers[int(state["question"])]
    for condition in (suit, None) if suit else (None,):
        for planned in plan.answers:
            if (planned.question, planned.suit) == (question, condition) and legal >> numbers[planned.answer] & 1:
                return f"{question} {planned.answer}"
    return ""


def drawn_delay_ms(table: Table, seat: int, key: str, n: int) -> int:
    """Return how long a seat appears to think. It depends only on public facts and the key, so it never changes."""
    control = table.header.time_control
    assert control is not None
    digest = hashlib.sha256(f"{key} {n} {seat}".encode()).digest()
    pick, first, second = (int.from_bytes(digest[k : k + 8], "big") / 2**64 for k in (0, 8, 16))
    delays = (*own_delays_ms(table, seat)[-MAX_DELAYS:], *COMMON_DELAYS_MS)
    normal = math.sqrt(-2 * math.log(1 - first)) * math.cos(2 * math.pi * second)  # Box–Muller transform
    delay_ms = delays[int(pick * len(delays))] * math.exp(DELAY_SPREAD * normal)
    return max(AT_ONCE_MS, int(min(delay_ms, MAX_DELAY_SHARE * control.initial_ms)))


def own_delays_ms(table: Table, seat: int) -> list[int]:
    """Return the delay of each of a seat's answers, except immediate ones and those of bots."""
    entries, times = table.log.entries, table.log.times
    return [
        times[k] - times[k - 1]
        for k in range(1, len(entries))
        if seat_of(entries[k]) == seat
        and question_of(entries[k]) < len(table.game.questions)
        and not substitute_of(entries[k])
        and times[k] - times[k - 1] >= AT_ONCE_MS
    ]


def _trick_size(table: Table, state: np.void | None) -> int:
    """Return the number of cards in the trick."""
    name = table.game.trick_field
    return int((state[name] >= 0).sum()) if name and state is not None else 0


def _counts_days(table: Table) -> bool:
    return table.header.time_control is not None and table.header.time_control.days_per_move > 0


def _replace(clock_state: ClockState, plans: Plans) -> ClockState:
    """Return the clock state with these plans, or with `None` if all plans are empty and nothing is due."""
    is_empty = not plans.seats and plans.due_seat < 0
    return msgspec.structs.replace(clock_state, plans=None if is_empty else plans)
