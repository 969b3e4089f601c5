"""What rules tell: the kinds of event, and who may hear each part; and what they refuse.

A log is an ``int64`` table. Row 0 holds the number of events so far; each later row is one event: its kind, then its
values. A rules function writes with `tell`; search and playouts pass ``None`` and the writing compiles away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from diamonds import cards
from diamonds.fields import CARD, CARDS, FLAG, SUIT

MAX_LOG_ROWS, LOG_COLUMNS = 64, 6

EventLogArray = np.ndarray[Any, np.dtype[np.int64]]


class EventField(NamedTuple):
    """The declaration of one value of an event kind: its name, its kind, and — when not everyone hears it — which of the event's seats do."""

    name: str
    kind: str
    audience: tuple[str, ...] = ()


class EventKind(NamedTuple):
    """A kind of event: its name, and the values that come with it."""

    name: str
    values: tuple[EventField, ...]


class IllegalReason(NamedTuple):
    """A reason for which an answer is not legal: its name, the rule that says so, and the value it speaks of, if any."""

    name: str
    rule: str
    value: EventField | None = None


class EventExpiry(NamedTuple):
    """What is told only once while a flag of the state is not set: all that is older than the last trick of the deal.

    Named by kinds of event: that a card was laid, that a trick is complete, that a deal begins, with which everything before
    it may be told again.
    """

    option: str
    card_event: int
    trick_event: int
    deal_event: int


def new_log() -> EventLogArray:
    """An empty log, with room for all that one answer can cause. Rows beyond the last event hold nothing of meaning."""
    log = np.empty((MAX_LOG_ROWS, LOG_COLUMNS), np.int64)
    log[0] = 0
    return log


def emit(log, kind, a=-1, b=-1, c=-1, d=-1, e=-1):  # type: ignore[no-untyped-def]
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


def value_data(kind: str, value: int, ranks: int) -> Any:
    """A number as people and JSON want it: a name, a list of names, a boolean, or ``None`` for −1."""
    if kind == CARDS:
        return None if value == -1 else [cards.card_name(c, ranks) for c in cards.iter_bits(value)]
    if value == -1:
        return None
    if kind == CARD:
        return cards.card_name(value, ranks)
    if kind == SUIT:
        return cards.SUIT_LETTERS[value]
    return bool(value) if kind == FLAG else value


def events_for(log: EventLogArray, kinds: tuple[EventKind, ...], ranks: int, seat: int | None) -> list[dict[str, Any]]:
    """The events of a log as data, as heard by a seat.

    ``seat`` is a seat, −1 for a spectator, or ``None`` for a record of the finished game, which hears everything.
    What may not be heard is ``None``.
    """
    return [event_for(row, kinds, ranks, seat) for row in log[1 : log[0, 0] + 1].tolist()]


def event_for(row: Sequence[int], kinds: tuple[EventKind, ...], ranks: int, seat: int | None) -> dict[str, Any]:
    """One row of a log as data, as heard by a seat; see `hear`."""
    event = kinds[row[0]]
    numbers = {value.name: number for value, number in zip(event.values, row[1:], strict=False)}
    data: dict[str, Any] = {"event": event.name}
    for value in event.values:
        is_visible = seat is None or not value.audience or any(numbers[name] == seat for name in value.audience)
        data[value.name] = value_data(value.kind, numbers[value.name], ranks) if is_visible else None
    return data


def has_hidden_values(event: Mapping[str, Any], kinds: tuple[EventKind, ...]) -> bool:
    """Whether something of a heard event was kept from who hears it."""
    kind = next(k for k in kinds if k.name == event["event"])
    return any(value.audience and event[value.name] is None for value in kind.values)
