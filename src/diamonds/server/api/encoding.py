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
from diamonds.fields import CARDS, SEATS, TRICK
from diamonds.game import Game

KEEP = 250  # fragments of one field that are remembered before it starts anew
TO_ACT, QUESTION = 1, 2  # where these stand among the fields of every game (`fields.COMMON`)

encode = msgspec.json.Encoder().encode


class Views(NamedTuple):
    """What every seat sees at one moment, and last what a spectator does, as JSON; and what it was made from.

    What all see alike is written once for all of them; only the fields that they see differently are put in between for each.
    """

    state: np.ndarray[Any, np.dtype[np.int64]]
    once: tuple[bool, ...]  # the flags that open fields
    common: list[bytes]  # the fields that all see alike, in their places; those of others are empty
    own: dict[int, list[bytes]]  # by its place, what each reader sees of any other field
    between: list[bytes]  # all of ``common`` before, between and after the places of ``own``

    def of(self, seat: int) -> bytes:
        """The view of a seat (−1: a spectator) as a JSON object."""
        pieces = [self.between[0]]
        for field, rest in zip(self.own.values(), self.between[1:], strict=True):
            pieces += field[seat], rest
        return b"".join(pieces)


class Sight(NamedTuple):
    """What some readers see of a field."""

    hidden: int  # as the field's bytes lie in one number: ones where they see nothing (see `views.mask`)
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
        self.places = views.places(game)
        self.memory: list[dict[int, bytes]] = [
            {} for _ in self.places
        ]  # by what readers see of the field's bytes, as one number
        self.sights: dict[tuple[bool, ...], list[list[Sight]]] = {}  # by those that are set
        self.questions: dict[bytes, bytes] = {}
        self.names = [encode(name) for name in game.names]
        self.tail = b'"team":' + encode(teams) + b"}"
        starts = {field.name: start for field, start, _ in self.places}
        self.openers = [starts[name] for name in views.openers(game)]
        self.field_at = [k for k, (_, start, stop) in enumerate(self.places) for _ in range(start, stop)]

    def write(self, state: np.void, before: Views | None = None) -> Views:
        """Everyone's view of a state. ``before`` is that of an earlier state: most of it is still true."""
        raw = state.tobytes()
        flat = np.frombuffer(raw, np.int64)
        cells = memoryview(raw).cast("q")
        once = tuple([cells[at] != 0 for at in self.openers])
        sights = self.sights.get(once)
        if sights is None:
            sights = self.sights[once] = self._look_who_sees_what(once)
        if before is None or before.once != once:
            before = None
            common = [b"{", *[b""] * len(self.places), self.tail]
            own = {k + 1: [b""] * (len(self.teams) + 1) for k, different in enumerate(sights) if len(different) > 1}
            new = list(range(len(flat)))
        else:
            common, own = before.common.copy(), before.own.copy()
            new = (flat != before.state).nonzero()[0].tolist()
        for k in {self.field_at[at] for at in new}:
            _, start, stop = self.places[k]
            field, memory = int.from_bytes(raw[8 * start : 8 * stop], "little"), self.memory[k]
            differs = k + 1 in own
            if differs:
                own[k + 1] = own[k + 1].copy()
            for hidden, seen, readers in sights[k]:
                if hidden and before is not None and seen.isdisjoint(new):
                    continue  # nothing of it that these readers see
                text = memory.get(field | hidden)
                if text is None:
                    text = self._remember(k, field | hidden)
                if not differs:
                    common[k + 1] = text
                    continue
                for reader in readers:
                    own[k + 1][reader] = text
        common[QUESTION + 1] = self._question(raw)
        begin, between = 0, []
        for at in own:
            between.append(b"".join(common[begin:at]))
            begin = at + 1
        between.append(b"".join(common[begin:]))
        return Views(flat, once, common, own, between)

    def _look_who_sees_what(self, once: tuple[bool, ...]) -> list[list[Sight]]:
        """For each field, who sees the same of it, as long as no flag opens another; the last reader is a spectator."""
        readers = [*enumerate(self.teams), (views.SPECTATOR, views.SPECTATOR)]
        rows = [views.mask(self.game, seat, team, once, False) for seat, team in readers]
        sights: list[list[Sight]] = []
        for _, start, stop in self.places:
            together: dict[int, Sight] = {}
            for reader, row in enumerate(rows):
                hidden = int.from_bytes(row[start:stop].tobytes(), "little")
                seen = frozenset((np.flatnonzero(row[start:stop] == 0) + start).tolist())
                together.setdefault(hidden, Sight(hidden, seen, [])).readers.append(reader)
            sights.append(list(together.values()))
        return sights

    def _remember(self, k: int, part: int) -> bytes:
        """A field as JSON, by its bytes as one number; from now on it is remembered."""
        memory = self.memory[k]
        if len(memory) >= KEEP:
            memory.clear()
        _, start, stop = self.places[k]
        numbers: list[int] = memoryview(part.to_bytes(8 * (stop - start), "little")).cast("q").tolist()
        memory[part] = text = self._write_field(k, numbers)
        return text

    def _write_field(self, k: int, numbers: list[int]) -> bytes:
        field = self.places[k][0]
        if field.derived:
            return b""
        if (
            field.kind == CARDS and field.shape == (SEATS,) and not field.by_team
        ):  # most of what changes; its other entries did not
            value = b"[%b]" % b",".join([cards_json(self.game, cards) for cards in numbers[: len(self.teams)]])
        elif field.kind == TRICK:
            value = b"[%b]" % b",".join([self.names[card] for card in numbers if card >= 0])
        else:
            value = encode(
                list(members(numbers[0]))
                if k == TO_ACT
                else views.field_data(self.game, field, numbers, list(self.teams))
            )
        return b'"%b":%b,' % (field.name.encode(), value)

    def _question(self, raw: bytes) -> bytes:
        """Which question is open depends on whether anyone owes an answer."""
        both = raw[8 * TO_ACT : 8 * QUESTION + 8]
        text = self.questions.get(both)
        if text is None:
            to_act, question = np.frombuffer(both, np.int64).tolist()
            text = b'"question":%s,' % encode(self.game.questions[question].name if to_act else None)
            self.questions[both] = text
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
