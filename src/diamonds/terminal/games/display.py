"""`GameDisplay`: everything needed to play a game in a terminal, with defaults for games without their own display."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rich.text import Text

from diamonds import i18n
from diamonds.fields import Question
from diamonds.game import Game, format_option
from diamonds.terminal.rendering import TableView, card_symbols, hand_rows, hand_sentences, title_line, wrapped


def legal_answers(view: TableView) -> list[int | str]:
    """Return the legal answers offered to the viewer."""
    return view.open_question.legal if view.open_question else []


def _explanation(game: Game, question: Question) -> str:
    return i18n.translate(i18n.message_id("terminal", "explain", game.name, question.name))


class GameDisplay(NamedTuple):
    """The display of one game. A `TableView` holds what the viewer may see."""

    draw: Callable[[TableView], list[Text]]
    """The picture of the table, line by line."""
    describe: Callable[[TableView], list[str]]
    """The table in words, one sentence per line, for screen readers."""
    final_scores: Callable[[TableView], list[str]]
    """The final scores and how they are made up."""
    answer_note: Callable[[TableView, int | str], str] = lambda view, answer: ""
    """The note on an answer in the list."""
    prompt: Callable[[TableView, str], str] = lambda view, text: text
    """The open question, made from its usual text."""
    offered_answers: Callable[[TableView], list[int | str]] = legal_answers
    """The answers on the list."""
    answers_needed: Callable[[TableView], int] = lambda view: 1
    """The number of answers in one line of input."""
    pile_questions: tuple[str, ...] = ()
    """Questions whose numbers are piles. Players count piles from 1, answers from 0."""
    explain: Callable[[Game, Question], str] = _explanation
    """The explanation of a question, with its rule."""
    moment: Callable[[TableView], str] = lambda view: ""
    """The current moment in a word or two: the round, the hand, the turn."""


# The generic display


def _field_sentences(view: TableView) -> list[str]:
    """Return everything that the viewer may see except hands, one sentence per field."""
    sentences = []
    for field in view.game.fields:
        value = view.data.get(field.name)
        if field.is_derived or field.name in ("hand", "to_act", "question") or value is None or value == []:
            continue
        sentences.append(f"{field.description[:1].upper()}{field.description[1:]}: {_value_text(view, value)}.")
    return sentences


def _value_text(view: TableView, value: object) -> str:
    if isinstance(value, bool):
        return format_option(value)
    if isinstance(value, list):
        if value and all(str(item) in view.game.card_names for item in value):
            return card_symbols(list(map(str, value)))
        return ", ".join("?" if item is None else _value_text(view, item) for item in value)
    return str(value)


def _draw_generic(view: TableView) -> list[Text]:
    rows = hand_rows(view) if _has_hands(view) else []
    return [title_line([view.game.title]), *wrapped(_field_sentences(view)), Text(), *rows]


def _describe_generic(view: TableView) -> list[str]:
    return [*_field_sentences(view), *(hand_sentences(view) if _has_hands(view) else [])]


def _has_hands(view: TableView) -> bool:
    return "hand" in view.data and (view.viewer is None or view.data["hand"][view.viewer] is not None)


def _generic_scores(view: TableView) -> list[str]:
    scores = [int(view.game.rules.score(view.row, seat)) for seat in range(len(view.seats))]
    return [
        i18n.translate("terminal-points", {"person": view.capitalized_name(seat), "points": scores[seat]})
        for seat in view.seats
    ]


def _question_text(game: Game, question: Question) -> str:
    return i18n.translate(*game.question_message(question))


GENERIC_DISPLAY = GameDisplay(_draw_generic, _describe_generic, _generic_scores, explain=_question_text)
