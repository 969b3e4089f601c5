"""Views and events as JSON, quickly: what was written once is remembered, field by field and row by row.

A view's JSON is that of `views.as_data`, byte for byte (a test compares them): each field is written by
`views.field_data` and kept under the bytes it was written from, so a field that did not change, or that four seats see
alike, is written once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
import numpy as np

from diamonds import views
from diamonds.cards import members
from diamonds.events import hear_row
from diamonds.fields import CARDS, SEATS
from diamonds.game import Game

KEEP = 250  # fragments of one field that are remembered before it starts anew
TO_ACT, QUESTION = 1, 2  # where these stand among the fields of every game (`fields.COMMON`)

encode = msgspec.json.Encoder().encode


class Views(NamedTuple):
    """What every seat sees at one moment, and last what a spectator does, field by field as JSON; and what it was made from."""

    state: np.ndarray[Any, np.dtype[np.int64]]
    once: tuple[bool, ...]  # the flags that open fields
    parts: list[list[bytes]]

    def of(self, seat: int) -> bytes:
        """The view of a seat (−1: a spectator) as a JSON object."""
        return b"".join(self.parts[seat])


Mask = np.ndarray[Any, np.dtype[np.bool_]]


class Sight(NamedTuple):
    """What some readers see of a field."""

    mask: Mask | None  # ``None``: all of it
    seen: frozenset[int]  # where what they see lies in the flat row
    readers: list[int]


@lru_cache(maxsize=4_000)
def cards_json(game: Game, cards: int) -> bytes:
    """A set of cards as JSON."""
    if cards == -1:
        return b"null"
    eights = zip(_eights(game), cards.to_bytes(8, "little"), strict=True)
    return b"[%b]" % b"".join([names[eight] for names, eight in eights])[:-1]


@lru_cache(maxsize=8)
def _eights(game: Game) -> list[list[bytes]]:
    """The names of any of the first eight cards, as JSON with a comma after each; of any of the next eight, and so on."""
    names = [b'"%b",' % name.encode() for name in game.names]
    return [
        [
            b"".join([names[8 * k + card] for card in members(eight) if 8 * k + card < len(names)])
            for eight in range(256)
        ]
        for k in range(8)
    ]


class ViewWriter:
    """Writes the views of all tables of one game with the same seats and teams."""

    def __init__(self, game: Game, teams: tuple[int, ...]) -> None:
        self.game = game
        self.teams = teams
        self.places = [(field, start * 8, stop * 8) for field, start, stop in views.places(game)]
        self.memory: list[dict[bytes, bytes]] = [{} for _ in self.places]
        self.sights: dict[tuple[bool, ...], list[list[Sight]]] = {}  # by those that are set
        self.questions: dict[bytes, bytes] = {}
        self.tail = b'"team":' + encode(teams) + b"}"
        self.field_at = [k for k, (_, start, stop) in enumerate(self.places) for _ in range(start, stop, 8)]

    def write(self, state: np.void, before: Views | None = None) -> Views:
        """Everyone's view of a state. ``before`` is that of an earlier state: most of it is still true."""
        once = views.opened(self.game, state)
        sights = self.sights.get(once)
        if sights is None:
            sights = self.sights[once] = self._look_who_sees_what(once)
        raw = state.tobytes()
        flat = np.frombuffer(raw, np.int64)
        if before is None or before.once != once:
            before = None
            parts = [[b"{", *[b""] * len(self.places), self.tail] for _ in range(len(self.teams) + 1)]
            new = list(range(len(flat)))
        else:
            parts = [part.copy() for part in before.parts]
            new = (flat != before.state).nonzero()[0].tolist()
        for k in {self.field_at[at] for at in new}:
            _, start, stop = self.places[k]
            for mask, seen, readers in sights[k]:
                if mask is None:
                    text = self._field(k, raw[start:stop])
                elif before is not None and seen.isdisjoint(new):
                    continue  # nothing of it that these readers see
                else:
                    text = self._field(k, np.where(mask, flat[start // 8 : stop // 8], -1).tobytes())
                for reader in readers:
                    parts[reader][k + 1] = text
        question = self._question(raw)
        for part in parts:
            part[QUESTION + 1] = question
        return Views(flat, once, parts)

    def _look_who_sees_what(self, once: tuple[bool, ...]) -> list[list[Sight]]:
        """For each field, who sees the same of it, as long as no flag opens another; the last reader is a spectator."""
        readers = [*enumerate(self.teams), (views.SPECTATOR, views.SPECTATOR)]
        rows = [views.mask(self.game, seat, team, once, False) == 0 for seat, team in readers]
        sights: list[list[Sight]] = []
        for _, start, stop in self.places:
            together: dict[bytes, Sight] = {}
            for reader, row in enumerate(rows):
                mask = row[start // 8 : stop // 8]
                seen = frozenset((np.flatnonzero(mask) + start // 8).tolist())
                sight = Sight(None if mask.all() else mask, seen, [])
                together.setdefault(mask.tobytes(), sight).readers.append(reader)
            sights.append(list(together.values()))
        return sights

    def _field(self, k: int, part: bytes) -> bytes:
        memory = self.memory[k]
        text = memory.get(part)
        if text is None:
            if len(memory) >= KEEP:
                memory.clear()
            memory[part] = text = self._write_field(k, part)
        return text

    def _write_field(self, k: int, part: bytes) -> bytes:
        field = self.places[k][0]
        if field.derived:
            return b""
        flat: list[int] = np.frombuffer(part, np.int64).tolist()
        if (
            field.kind == CARDS and field.shape == (SEATS,) and not field.by_team
        ):  # most of what changes; its other entries did not
            value = b"[%b]" % b",".join([cards_json(self.game, flat[seat]) for seat in range(len(self.teams))])
        else:
            value = encode(
                list(members(flat[0])) if k == TO_ACT else views.field_data(self.game, field, flat, list(self.teams))
            )
        return b'"%b":%b,' % (field.name.encode(), value)

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


@lru_cache(maxsize=4_000)
def told_json(game: Game, row: tuple[int, ...], hearer: int | None) -> bytes:
    """An event as JSON, for one who hears it as this seat; as −1 who hears what all do, as ``None`` who hears everything."""
    return encode(hear_row(row, game.rules.EVENTS, game.ranks, hearer))


@lru_cache(maxsize=8)
def _told_more(game: Game) -> tuple[tuple[int, ...], ...]:
    """For every kind of event, which of its values are seats that hear more than others do."""
    return tuple(
        tuple(k + 1 for k, value in enumerate(event.values) if any(value.name in other.to for other in event.values))
        for event in game.rules.EVENTS
    )


def who_hears_more(game: Game, row: tuple[int, ...]) -> tuple[int, ...]:
    """The seats that hear more of an event than all others do."""
    return tuple(row[k] for k in _told_more(game)[row[0]]) if row[0] >= 0 else ()
