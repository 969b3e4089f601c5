"""Events and refusals of the rules: their kinds, and who may see each value.

A log is an ``int64`` table. Row 0 holds the number of events so far; each later row is one event: its kind, then its
values. A rules function writes with `emit`. Search and playouts pass ``None``, so the writing compiles away.
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
    """One value of an event kind. ``audience`` names the values with the seats that may see it; empty means everyone."""

    name: str
    kind: str
    audience: tuple[str, ...] = ()


class EventKind(NamedTuple):
    """A kind of event: its name and its values."""

    name: str
    values: tuple[EventField, ...]


class IllegalReason(NamedTuple):
    """A reason why an answer is not legal: its name, its rule, and the value that its message needs, if any."""

    name: str
    rule: str
    value: EventField | None = None


class EventExpiry(NamedTuple):
    """The rule that hides events older than the deal's last trick, unless the state's flag ``option`` is set.

    The other fields are kinds of event: a card is played, a trick is complete, a deal begins. Tables use them to find
    the oldest event that they may still show. A deal event ends the hiding: earlier events may be shown again.
    """

    option: str
    card_event: int
    trick_event: int
    deal_event: int


def new_log() -> EventLogArray:
    """Return an empty log with space for all events of one answer. Rows beyond the last event are undefined."""
    log = np.empty((MAX_LOG_ROWS, LOG_COLUMNS), np.int64)
    log[0] = 0
    return log


def emit(log, kind, a=-1, b=-1, c=-1, d=-1, e=-1):  # type: ignore[no-untyped-def]
    """Write one event, unless ``log`` is ``None``."""
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
    """Return a number in the form of views and JSON: a name, a list of names, a boolean, or ``None`` for −1."""
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
    """Return the events of a log as data, as a seat may see them.

    ``seat`` is −1 for a spectator, and ``None`` for the record of a finished game, which shows everything. Hidden
    values are ``None``.
    """
    return [event_for(row, kinds, ranks, seat) for row in log[1 : log[0, 0] + 1].tolist()]


def event_for(row: Sequence[int], kinds: tuple[EventKind, ...], ranks: int, seat: int | None) -> dict[str, Any]:
    """Return one row of a log as data; see `events_for`."""
    event = kinds[row[0]]
    numbers = {value.name: number for value, number in zip(event.values, row[1:], strict=False)}
    data: dict[str, Any] = {"event": event.name}
    for value in event.values:
        is_visible = seat is None or not value.audience or any(numbers[name] == seat for name in value.audience)
        data[value.name] = value_data(value.kind, numbers[value.name], ranks) if is_visible else None
    return data


def has_hidden_values(event: Mapping[str, Any], kinds: tuple[EventKind, ...]) -> bool:
    """Return whether an event hides one of its values from its viewer."""
    kind = next(k for k in kinds if k.name == event["event"])
    return any(value.audience and event[value.name] is None for value in kind.values)
