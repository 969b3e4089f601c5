"""Views and events as JSON, quickly: what was written once is remembered, field by field and row by row.

A view's JSON is that of `views.as_data`, byte for byte (a test compares them): each field is written by
`views.field_data` and kept under the bytes it was written from, so a field that did not change, or that four seats see
alike, is written once.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
import numpy as np

from diamonds import views
from diamonds.cards import members
from diamonds.events import hear_row, say
from diamonds.fields import CARDS, PUBLIC, SEAT, SEATS
from diamonds.game import Game

KEEP = 1000  # fragments of one field that are remembered before it starts anew

encode = msgspec.json.Encoder().encode


class Public(NamedTuple):
    """What a spectator sees: the row, each field as JSON, and these joined: odd pieces are what seats see otherwise."""

    row: np.ndarray[Any, np.dtype[np.int64]]
    parts: list[bytes]
    pieces: list[bytes]


@lru_cache(maxsize=20_000)
def _cards_json(game: Game, cards: int) -> bytes:
    """A set of cards as JSON."""
    return b"null" if cards == -1 else encode([game.names[card] for card in members(cards)])


class ViewWriter:
    """Writes the views of all tables of one game with the same seats and teams."""

    def __init__(self, game: Game, teams: tuple[int, ...]) -> None:
        self.game = game
        self.teams = list(teams)
        self.places = [(field, start * 8, stop * 8) for field, start, stop in views.places(game)]
        self.memory: list[dict[bytes, bytes]] = [{} for _ in self.places]
        self.questions: dict[bytes, bytes] = {}
        self.private = [
            (k, start, stop) for k, (field, start, stop) in enumerate(self.places) if field.who != PUBLIC
        ]  # the others are alike for every reader
        sizes = [(stop - start) // 8 for _, start, stop in self.places]
        self.field_at = np.repeat(np.arange(len(sizes)), sizes)  # by place in the flat row
        self.tail = b'"team":' + encode(self.teams) + b"}"

    def public(self, state: np.void, before: Public | None = None) -> Public:
        """A spectator's view in pieces, for `write`. ``before`` is that of an earlier state: most of it is still true."""
        row = np.frombuffer(views.view(self.game, state, views.SPECTATOR).tobytes(), np.int64)
        raw = row.tobytes()
        if before is None:
            parts = [b""] * len(self.places)
            changed: Iterable[int] = range(len(self.places))
        else:
            parts = before.parts.copy()
            changed = set(self.field_at[np.flatnonzero(row != before.row)].tolist())
        for k in changed:
            _, start, stop = self.places[k]
            part = raw[start:stop]
            parts[k] = self.memory[k].get(part) or self._field(k, part)
        parts[2] = self._question(raw)
        pieces: list[bytes] = []
        begin = 0
        for k, _, _ in self.private:
            pieces += (b"".join(parts[begin:k]), parts[k])
            begin = k + 1
        pieces[0] = b"{" + pieces[0]
        pieces.append(b"".join(parts[begin:]) + self.tail)
        return Public(row, parts, pieces)

    def write(self, state: np.void, seat: int, public: Public) -> bytes:
        """The view of a seat (−1: a spectator) as a JSON object. ``public`` is that of the same state."""
        if seat < 0:
            return b"".join(public.pieces)
        raw = views.view(self.game, state, seat).tobytes()
        pieces = public.pieces.copy()
        for place, (k, start, stop) in enumerate(self.private):
            part = raw[start:stop]
            pieces[2 * place + 1] = self.memory[k].get(part) or self._field(k, part)
        return b"".join(pieces)

    def _field(self, k: int, part: bytes) -> bytes:
        field = self.places[k][0]
        flat: list[int] = np.frombuffer(part, np.int64).tolist()
        if (
            field.kind == CARDS and field.shape == (SEATS,) and not field.by_team
        ):  # most of what changes; its other entries did not
            value = b"[%b]" % b",".join([_cards_json(self.game, flat[seat]) for seat in range(len(self.teams))])
        else:
            value = encode(list(members(flat[0])) if k == 1 else views.field_data(self.game, field, flat, self.teams))
        text = b'"%b":%b,' % (field.name.encode(), value)
        memory = self.memory[k]
        if len(memory) >= KEEP:
            memory.clear()
        memory[part] = text
        return text

    def _question(self, raw: bytes) -> bytes:
        """Which question is open depends on whether anyone owes an answer."""
        both = raw[8:24]
        memory = self.questions
        text = memory.get(both)
        if text is None:
            to_act, question = np.frombuffer(both, np.int64).tolist()
            text = b'"question":%s,' % encode(self.game.questions[question].name if to_act else None)
            memory[both] = text
        return text


@lru_cache(maxsize=256)
def view_writer(game: Game, teams: tuple[int, ...]) -> ViewWriter:
    """The writer for tables of a game with these teams."""
    return ViewWriter(game, teams)


@lru_cache(maxsize=4096)
def told_json(game: Game, n: int, row: tuple[int, ...], hearer: int, names: tuple[str, ...]) -> bytes:
    """An event as a `Told`, for one who hears it as this seat, or as −1 if the event does not concern the seat."""
    told = told_data(game, n, row, hearer, names)
    return encode(told)


def told_data(game: Game, n: int, row: tuple[int, ...], hearer: int | None, names: tuple[str, ...]) -> dict[str, Any]:
    """An event as a `Told`, in plain data. ``hearer`` ``None`` hears everything, as a record does."""
    event = hear_row(row, game.rules.EVENTS, game.ranks, hearer)
    words = say(event, game.rules.EVENTS, names.__getitem__, None if hearer is None or hearer < 0 else hearer)
    return {"n": n, "event": event, "words": words}


@lru_cache(maxsize=8)
def _seat_places(game: Game) -> tuple[tuple[int, ...], ...]:
    """For every kind of event, which of its values are seats."""
    return tuple(
        tuple(k + 1 for k, value in enumerate(event.values) if value.kind == SEAT) for event in game.rules.EVENTS
    )


def seats_in(game: Game, row: tuple[int, ...]) -> tuple[int, ...]:
    """The seats that an event speaks of; all others hear the same of it. An undo (−1) speaks of its seat."""
    return tuple(row[k] for k in _seat_places(game)[row[0]]) if row[0] >= 0 else (row[1],)
