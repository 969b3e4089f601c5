"""Several answers in one request, checked so that a refusal reveals nothing.

Players must learn nothing from refused answers; otherwise they could probe without answering. So a request is checked
in three steps, and only the last uses hidden state:

1. By names alone: every answer belongs to the game, and each but the last is *silent* (`fields.Question`).
2. On the view of the seat: every answer is legal. The view holds nothing that the seat cannot see, so no refusal
   depends on it. (A single legal answer needs no view: nothing is refused.)
3. From here on nothing is refused: the true state advances and is committed.
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
    """Return the numbers of a seat's answers (such as “play H7”), each legal after the previous ones.

    Raise a `DiamondsError` if one is not.
    """
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
                # Everyone can see this: no cards are left to pass, or there is nothing to dig.
                raise _answers_end_error(question, answer)
    return numbers


def _get_legal_answer(game: Game, state: np.void, seat: int, question: Question, answer: str) -> int | None:
    """Return the number of an answer if it is legal, else `None`. State and view agree on what is legal."""
    question_number = int(state["question"])
    if int(state["to_act"]) >> seat & 1 and game.questions[question_number] is question:
        number = game.answers[question_number][answer]
        if int(game.rules.legal(state, seat)) >> number & 1:
            return number
    return None


def _answers_end_error(question: Question, answer: str) -> NotAllowedError:
    return NotAllowedError("table-answer-ends", given=f"{question.name} {answer}")
