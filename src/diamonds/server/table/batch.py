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
from diamonds.events import new_log
from diamonds.fields import Question
from diamonds.game import Game, Illegal


def read(game: Game, state: np.void, seat: int, answers: Sequence[str]) -> list[int]:
    """The numbers of a seat's answers, each “play H7”, legal one after the other; else a `Refused`. Changes nothing."""
    named = [game.read_words(words) for words in answers]
    if len(named) == 1 and (number := _legal(game, state, seat, *named[0])) is not None:
        return [number]
    for question, answer in named[:-1]:
        if answer not in map(str, question.silent):
            raise _last(question, answer)
    seen = views.view(game, state, seat)
    numbers: list[int] = []
    for k, (question, answer) in enumerate(named):
        numbers.append(game.read_answer(seen, seat, question.name, answer))
        if k + 1 < len(named):
            game.rules.step(seen, seat, numbers[-1], new_log())
            if not int(seen["to_act"]) >> seat & 1 or game.question(seen).name != question.then:
                raise _last(question, answer)  # no more cards to pass, or nothing to dig: everyone can see that
    return numbers


def _legal(game: Game, state: np.void, seat: int, question: Question, answer: str) -> int | None:
    """The number of an answer that may be given; ``None`` if it may not. What is legal is the same in state and view."""
    asked = int(state["question"])
    if int(state["to_act"]) >> seat & 1 and game.questions[asked] is question:
        number = game.answers[asked][answer]
        if int(game.rules.legal(state, seat)) >> number & 1:
            return number
    return None


def _last(question: Question, answer: str) -> Illegal:
    return Illegal("table-answer-ends", given=f"{question.name} {answer}")
