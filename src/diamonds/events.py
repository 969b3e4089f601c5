"""What rules tell: the kinds of event, who may hear each part, and how it sounds in words.

A log is an ``int64`` table. Row 0 holds the number of events so far; each later row is one event: its kind, then its
values. A rules function writes with `tell`; search and playouts pass ``None`` and the writing compiles away.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from diamonds import cards
from diamonds.fields import CARD, CARDS, FLAG, SEAT, SUIT

LOG_ROWS, LOG_WIDTH = 64, 6

_BEGINNING = re.compile(r"(^[♦♥♠♣] |^|[.!] )([a-z])")

type_of_log = np.ndarray[Any, np.dtype[np.int64]]


class Value(NamedTuple):
    """One value of an event: its name, its kind, and — when not everyone hears it — which of the event's seats do."""

    name: str
    kind: str
    to: tuple[str, ...] = ()


class Event(NamedTuple):
    """A kind of event: ``{name}`` in its words is a value; ``[play|plays]`` picks the first form for "you"."""

    name: str
    values: tuple[Value, ...]
    words: str
    hidden_words: str = ""  # for who may not hear the hidden value


class Fading(NamedTuple):
    """What is told only once while a flag of the state is not set: all that is older than the last trick of the deal.

    Named by kinds of event: that a card was laid, that a trick is complete, that a deal begins, with which everything before
    it may be told again.
    """

    unless: str
    card: int
    trick: int
    deal: int


def new_log() -> type_of_log:
    """An empty log, with room for all that one answer can cause. Rows beyond the last event hold nothing of meaning."""
    log = np.empty((LOG_ROWS, LOG_WIDTH), np.int64)
    log[0] = 0
    return log


def tell(log, kind, a=-1, b=-1, c=-1, d=-1, e=-1):  # type: ignore[no-untyped-def]
    """Write one event, unless no one listens (``log is None``)."""
    if log is not None:
        log[0, 0] += 1
        row = log[log[0, 0]]
        row[0] = kind
        row[1] = a
        row[2] = b
        row[3] = c
        row[4] = d
        row[5] = e


def write_value(kind: str, value: int, ranks: int) -> Any:
    """A number as people and JSON want it: a name, a list of names, a boolean, or ``None`` for −1."""
    if kind == CARDS:
        return None if value == -1 else [cards.card_name(c, ranks) for c in cards.members(value)]
    if value == -1:
        return None
    if kind == CARD:
        return cards.card_name(value, ranks)
    if kind == SUIT:
        return cards.SUIT_LETTERS[value]
    return bool(value) if kind == FLAG else value


def hear(log: type_of_log, kinds: tuple[Event, ...], ranks: int, seat: int | None) -> list[dict[str, Any]]:
    """The events of a log as data, as heard by a seat.

    ``seat`` is a seat, −1 for a spectator, or ``None`` for a record of the finished game, which hears everything.
    What may not be heard is ``None``.
    """
    return [hear_row(row, kinds, ranks, seat) for row in log[1 : log[0, 0] + 1].tolist()]


def hear_row(row: Sequence[int], kinds: tuple[Event, ...], ranks: int, seat: int | None) -> dict[str, Any]:
    """One row of a log as data, as heard by a seat; see `hear`."""
    event = kinds[row[0]]
    raw = {value.name: number for value, number in zip(event.values, row[1:], strict=False)}
    data: dict[str, Any] = {"event": event.name}
    for value in event.values:
        heard = seat is None or not value.to or any(raw[name] == seat for name in value.to)
        data[value.name] = write_value(value.kind, raw[value.name], ranks) if heard else None
    return data


@lru_cache(maxsize=512)
def _parts(template: str, mine: bool) -> tuple[str, ...]:
    """A template with its forms chosen, cut into texts and, at the odd places, names of values."""
    chosen = re.sub(r"\[([^|\]]*)\|([^\]]*)\]", lambda m: m[1] if mine else m[2], template)
    return tuple(re.split(r"\{(\w+)\}", chosen))


def say(event: dict[str, Any], kinds: tuple[Event, ...], who: Callable[[int], str], me: int | None = None) -> str:
    """One heard event in words. ``who`` names a seat; ``me`` is called "you"."""
    kind = next(k for k in kinds if k.name == event["event"])
    hidden = any(v.to and event[v.name] is None for v in kind.values)
    template = kind.hidden_words if hidden else kind.words
    speaker = next((event[v.name] for v in kind.values if v.kind == SEAT), None)
    mine = speaker is not None and speaker == me

    def value_words(name: str) -> str:
        value = next(v for v in kind.values if v.name == name)
        content = event[value.name]
        if content is None:
            return "nothing"
        if value.kind == SEAT:
            return "you" if content == me else who(content)
        if value.kind == CARD:
            return cards.card_symbol(content)
        if value.kind == CARDS:
            return " ".join(map(cards.card_symbol, content)) or "nothing"
        if value.kind == SUIT:
            return cards.SUIT_SYMBOLS[cards.SUIT_LETTERS.index(content)]
        return str(content)

    parts = _parts(template, mine)
    return capitals("".join(value_words(part) if k % 2 else part for k, part in enumerate(parts)))


def capitals(sentence: str) -> str:
    """With a capital letter where a sentence begins, a suit's symbol before it or not."""
    return _BEGINNING.sub(lambda m: m[1] + m[2].upper(), sentence)
