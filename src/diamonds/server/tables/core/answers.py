"""Several answers in one request: what is not committed tells nothing.

Whoever sends answers that are then refused must know no more than before: else the answers are tried without being given.
So a request is read in three steps, and only the last of them looks at what lies hidden:

1. By names alone: every answer is one that the game has, and each but the last is *silent* (`fields.Question`).
2. From the view of the seat: every answer is legal. What the seat cannot see is not there, so no refusal rests on it.
   (A single answer that is legal needs no view: there is nothing to refuse.)
3. From here on nothing is refused: the true state steps, and is committed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from diamonds import views
from diamonds.errors import NotAllowedError
from diamonds.events import new_log
from diamonds.fields import Question
from diamonds.game import Game


def parse_answers(game: Game, state: np.void, seat: int, answers: Sequence[str]) -> list[int]:
    """The numbers of a seat's answers, each “play H7”, legal one after the other; else a `DiamondsError`. Changes nothing."""
    parsed = [game.parse_answer_text(text) for text in answers]
    if len(parsed) == 1 and (number := _get_legal_answer(game, state, seat, *parsed[0])) is not None:
        return [number]
    for question, answer in parsed[:-1]:
        if answer not in map(str, question.silent):
            raise _answers_end_error(question, answer)
    view = views.view(game, state, seat)
    numbers: list[int] = []
    for k, (question, answer) in enumerate(parsed):
        numbers.append(game.parse_answer(view, seat, question.name, answer))
        if k + 1 < len(parsed):
            game.rules.step(view, seat, numbers[-1], new_log())
            if not int(view["to_act"]) >> seat & 1 or game.question(view).name != question.follow_up:
                raise _answers_end_error(
                    question, answer
                )  # no more cards to pass, or nothing to dig: everyone can see that
    return numbers


def _get_legal_answer(game: Game, state: np.void, seat: int, question: Question, answer: str) -> int | None:
    """The number of an answer that may be given; ``None`` if it may not. What is legal is the same in state and view."""
    question_number = int(state["question"])
    if int(state["to_act"]) >> seat & 1 and game.questions[question_number] is question:
        number = game.answers[question_number][answer]
        if int(game.rules.legal(state, seat)) >> number & 1:
            return number
    return None


def _answers_end_error(question: Question, answer: str) -> NotAllowedError:
    return NotAllowedError("table-answer-ends", given=f"{question.name} {answer}")
