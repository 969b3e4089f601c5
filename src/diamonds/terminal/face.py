"""What a game gives so that it can be played in a terminal, and the plain face of a game that gives nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rich.text import Text

from diamonds import words
from diamonds.fields import Question
from diamonds.game import Game, show_option
from diamonds.terminal.parts import Look, hand_rows, hand_sentences, named, remarks, title


def _no_remark(look: Look, answer: int | str) -> str:
    return ""


def _as_it_is(look: Look, says: str) -> str:
    return says


def legal(look: Look) -> list[int | str]:
    """The legal answers, as the own seat is offered them."""
    return look.ask.legal if look.ask else []


def _one(look: Look) -> int:
    return 1


def _explained(game: Game, question: Question) -> str:
    return words.say(words.name("terminal", "explain", game.name, question.name))


class Face(NamedTuple):
    """How one game looks and what it says. A `Look` is what the own seat may see."""

    draw: Callable[[Look], list[Text]]
    """The picture of the table, line by line."""
    tell: Callable[[Look], list[str]]
    """The same in words, a sentence a line, for screens that are read aloud."""
    count_out: Callable[[Look], list[str]]
    """How the scores come about, when the game is over."""
    remark: Callable[[Look, int | str], str] = _no_remark
    """What stands behind an answer on the list."""
    prompt: Callable[[Look, str], str] = _as_it_is
    """The open question; what it says in every game is given."""
    offered: Callable[[Look], list[int | str]] = legal
    """The answers on the list."""
    wanted: Callable[[Look], int] = _one
    """How many answers one line should give."""
    explain: Callable[[Game, Question], str] = _explained
    """What a question means, with its rule."""


# A game without a face of its own


def _fields(look: Look) -> list[str]:
    """Everything that the seat may see, hands excepted, a field a sentence."""
    told = []
    for field in look.game.fields:
        value = look.data.get(field.name)
        if field.derived or field.name in ("hand", "to_act", "question") or value is None or value == []:
            continue
        told.append(f"{field.meaning[:1].upper()}{field.meaning[1:]}: {_value(look, value)}.")
    return told


def _value(look: Look, value: object) -> str:
    if isinstance(value, bool):
        return show_option(value)
    if isinstance(value, list):
        if value and all(str(one) in look.game.names for one in value):
            return named(list(map(str, value)))
        return ", ".join("?" if one is None else _value(look, one) for one in value)
    return str(value)


def _draw(look: Look) -> list[Text]:
    rows = hand_rows(look) if _has_hands(look) else []
    return [title([look.game.title]), *remarks(_fields(look)), Text(), *rows]


def _tell(look: Look) -> list[str]:
    return [*_fields(look), *(hand_sentences(look) if _has_hands(look) else [])]


def _has_hands(look: Look) -> bool:
    return "hand" in look.data and (look.me is None or look.data["hand"][look.me] is not None)


def _count_out(look: Look) -> list[str]:
    scores = [int(look.game.rules.score(look.row, seat)) for seat in range(len(look.seats))]
    return [words.say("terminal-points", {"person": look.subject(seat), "points": scores[seat]}) for seat in look.seats]


def _asked(game: Game, question: Question) -> str:
    return words.say(*game.asks_for(question))


PLAIN = Face(_draw, _tell, _count_out, explain=_asked)
