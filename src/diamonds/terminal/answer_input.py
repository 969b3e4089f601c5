"""Parsing of typed answers: a card's name in any spelling, a list number, a word or its beginning."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from diamonds.cards import COURT_RANK_NAMES, SUIT_LETTERS, SUIT_SYMBOLS, card_symbol
from diamonds.errors import InvalidInputError
from diamonds.fields import Question
from diamonds.i18n import has_message, translate
from diamonds.terminal.arguments import sanitize

COMMANDS = {
    "?": "terminal-command-help",
    "hint": "terminal-command-hint",
    "rules": "terminal-command-rules",
    "last": "terminal-command-last",
    "show": "terminal-command-show",
    "undo": "terminal-command-undo",
    "review": "terminal-command-review",
    "quit": "terminal-command-quit",
}
ALIASES = {"help": "?", "h": "?", "q": "quit", "exit": "quit", "u": "undo", "table": "show"}

# Alternative symbols and names of suits.
SUIT_SPELLINGS = {**dict(zip(SUIT_SYMBOLS + "♢♡♤♧", SUIT_LETTERS * 2, strict=True)), "\ufe0f": "", "\ufe0e": ""}


class AnswerChoice(NamedTuple):
    """A legal answer on the list: the key to type, the answer, and its label."""

    key: str
    answer: int | str
    label: str


def answer_choices(
    question: Question, legal: Sequence[int | str], notes: Sequence[str], first_number: int = 0
) -> list[AnswerChoice]:
    """Return the legal answers with the keys to type, most of them numbers. ``first_number`` is the key of answer 0."""
    is_numeric = any(isinstance(answer, int) for answer in question.answers)
    choices = []
    for k, (answer, note) in enumerate(zip(legal, notes, strict=True)):
        text = str(answer)
        is_card = text[0] in SUIT_LETTERS
        label = card_symbol(text) if is_card else "" if isinstance(answer, int) else _answer_name(text)
        key = (
            str(answer + first_number)
            if isinstance(answer, int)
            else str(k + 1)
            if not is_numeric
            else text
            if is_card
            else ""
        )
        choices.append(AnswerChoice(key, answer, " ".join(filter(None, (label if label != key else "", note)))))
    return choices


def _answer_name(answer: str) -> str:
    """Return the translated name of an answer; answers of plugin games have only their own names."""
    id = f"answer-{answer}"
    return translate(id) if has_message(id) else answer


def parse_command(line: str) -> str | None:
    """Return the command in a line, if any."""
    word = line.strip().casefold()
    word = ALIASES.get(word, word)
    return word if word in COMMANDS else None


def parse_answers(
    line: str, question: Question, choices: Sequence[AnswerChoice], first_number: int = 0
) -> list[int | str]:
    """Return the answers in a line, in the order typed.

    They may be illegal. A word that matches no answer is returned unchanged, for the rules to refuse. A number that is
    not on the list raises `InvalidInputError`.
    """
    for symbol, letter in SUIT_SPELLINGS.items():
        line = line.replace(symbol, letter)
    line = re.sub(rf"\b([{SUIT_LETTERS}])\s+(?=\d|[AJQK]\b)", r"\1", line, flags=re.IGNORECASE)
    words = [word for word in re.split(r"[\s,;]+", line.strip()) if word]
    if len(words) > 1 and words[0].casefold() == question.name:  # “play H7”, as in a record
        words = words[1:]
    return [_parse_answer(word, question, choices, first_number) for word in words]


def _parse_answer(word: str, question: Question, choices: Sequence[AnswerChoice], first_number: int) -> int | str:
    names = {str(name).casefold(): name for name in question.answers}
    text = word.casefold()
    if text.isascii() and text.isdecimal():
        number = int(text) if len(text) < 4 else 999
        if any(isinstance(name, int) for name in question.answers):
            return names.get(str(number - first_number), word)
        if not 1 <= number <= len(choices):
            raise InvalidInputError("terminal-list", last=len(choices), typed=sanitize(word))
        return choices[number - 1].answer
    if text in names:
        return names[text]
    card = re.fullmatch(r"([dhsc])(.+)", text) or re.fullmatch(r"(.+)([dhsc])", text)
    if card:
        suit, rank = (card[1], card[2]) if card[1] in "dhsc" else (card[2], card[1])
        spellings = [suit + rank, *(suit + COURT_RANK_NAMES[n].casefold() for n in COURT_RANK_NAMES if str(n) == rank)]
        for spelling in spellings:
            if spelling in names:
                return names[spelling]
    matching = [choice.answer for choice in choices if _starts_with(choice, text)]
    return matching[0] if len(matching) == 1 else word


def _starts_with(choice: AnswerChoice, text: str) -> bool:
    """Return whether a word of the answer, or the name of the player behind a number, begins with this text."""
    names = [choice.label] if isinstance(choice.answer, int) else [choice.label, str(choice.answer)]
    return any(name.casefold().startswith(text) for name in names)
