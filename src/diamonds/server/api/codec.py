"""Fast JSON for views and events: fragments are cached by field and by row.

A view's JSON equals that of `views.view_data`, byte for byte (a test compares them). The JSON of a field is cached by the
bytes that it shows, so a field that is unchanged, or equal for four seats, is encoded once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
import numpy as np

from diamonds import views
from diamonds.cards import iter_bits
from diamonds.events import event_for
from diamonds.fields import CARDS, MAX_SEATS, TRICK
from diamonds.game import Game

MAX_CACHED_FRAGMENTS = 250  # per field; a full cache is cleared
TO_ACT_FIELD, QUESTION_FIELD = 1, 2  # positions in every game's fields (`fields.COMMON_FIELDS`)

encode = msgspec.json.Encoder().encode


class EncodedViews(NamedTuple):
    """The views of all seats, and of a spectator, at one moment, as JSON fragments.

    Fields that are equal for all viewers are joined once; the others are inserted for each viewer.
    """

    state: np.ndarray[Any, np.dtype[np.int64]]
    reveal_flags: tuple[bool, ...]  # values of the flags that reveal fields
    common: list[bytes]  # by position: the JSON of each field that is equal for all; else empty
    per_viewer: dict[int, list[bytes]]  # by position: each other field's JSON for each viewer
    segments: list[bytes]  # the `common` fields before, between and after the positions of `per_viewer`

    def for_seat(self, seat: int) -> bytes:
        """Return the view of a seat (−1: a spectator) as a JSON object."""
        pieces = [self.segments[0]]
        for field, rest in zip(self.per_viewer.values(), self.segments[1:], strict=True):
            pieces += field[seat], rest
        return b"".join(pieces)


class VisibilityMask(NamedTuple):
    """The part of a field that a group of viewers sees."""

    hidden_mask: int  # the bits of the hidden cells, in the field's bytes as one number (see `views.view_mask`)
    visible_cells: frozenset[int]  # positions of the visible cells in the flat row
    viewers: list[int]


@lru_cache(maxsize=4_000)
def cards_json(game: Game, cards: int) -> bytes:
    if cards == -1:
        return b"null"
    bytes_and_names = zip(_card_name_table(game), cards.to_bytes(8, "little"), strict=True)
    return b"[%b]" % b"".join([names[byte] for names, byte in bytes_and_names])[:-1]


@lru_cache(maxsize=8)
def _card_name_table(game: Game) -> list[list[bytes]]:
    """Return names as JSON, each with a comma, for all sets of the first eight cards, of the next eight, and so on."""
    names = [b'"%b",' % name.encode() for name in game.card_names]
    return [
        [
            b"".join([names[8 * k + card] for card in iter_bits(byte) if 8 * k + card < len(names)])
            for byte in range(256)
        ]
        for k in range(8)
    ]


class ViewEncoder:
    """An encoder for the views of all tables of one game with the same seats and teams."""

    def __init__(self, game: Game, teams: tuple[int, ...]) -> None:
        self.game = game
        self.teams = teams
        self.field_ranges = views.field_offsets(game)
        # For each field: its JSON, by its bytes as one number with all hidden bits set.
        self.cache: list[dict[int, bytes]] = [{} for _ in self.field_ranges]
        self.visibility: dict[tuple[bool, ...], list[list[VisibilityMask]]] = {}  # by the reveal flags
        self.question_cache: dict[bytes, bytes] = {}
        self.names = [encode(name) for name in game.card_names]
        self.tail = b'"team":' + encode(teams) + b"}"
        starts = {field.name: start for field, start, _ in self.field_ranges}
        self.reveal_cells = [starts[name] for name in views.reveal_flags(game)]
        self.field_of_cell = [k for k, (_, start, stop) in enumerate(self.field_ranges) for _ in range(start, stop)]

    def encode_views(self, state: np.void, before: EncodedViews | None = None) -> EncodedViews:
        """Return the views of a state. `before` are those of an earlier state, most of which are still valid."""
        raw = state.tobytes()
        flat = np.frombuffer(raw, np.int64)
        cells = memoryview(raw).cast("q")
        reveal_flags = tuple([cells[at] != 0 for at in self.reveal_cells])
        visibility = self.visibility.get(reveal_flags)
        if visibility is None:
            visibility = self.visibility[reveal_flags] = self._field_visibility(reveal_flags)
        if before is None or before.reveal_flags != reveal_flags:
            before = None
            common = [b"{", *[b""] * len(self.field_ranges), self.tail]
            per_viewer = {
                k + 1: [b""] * (len(self.teams) + 1) for k, different in enumerate(visibility) if len(different) > 1
            }
            changed = list(range(len(flat)))
        else:
            common, per_viewer = before.common.copy(), before.per_viewer.copy()
            changed = (flat != before.state).nonzero()[0].tolist()
        for k in {self.field_of_cell[at] for at in changed}:
            _, start, stop = self.field_ranges[k]
            field, cache = int.from_bytes(raw[8 * start : 8 * stop], "little"), self.cache[k]
            differs = k + 1 in per_viewer
            if differs:
                per_viewer[k + 1] = per_viewer[k + 1].copy()
            for hidden_mask, visible_cells, viewers in visibility[k]:
                if hidden_mask and before is not None and visible_cells.isdisjoint(changed):
                    continue  # these viewers see no change
                text = cache.get(field | hidden_mask)
                if text is None:
                    text = self._encode_field_cached(k, field | hidden_mask)
                if not differs:
                    common[k + 1] = text
                    continue
                for viewer in viewers:
                    per_viewer[k + 1][viewer] = text
        common[QUESTION_FIELD + 1] = self._question_json(raw)
        begin, segments = 0, []
        for at in per_viewer:
            segments.append(b"".join(common[begin:at]))
            begin = at + 1
        segments.append(b"".join(common[begin:]))
        return EncodedViews(flat, reveal_flags, common, per_viewer, segments)

    def _field_visibility(self, reveal_flags: tuple[bool, ...]) -> list[list[VisibilityMask]]:
        """Return, for each field, the groups of viewers with equal visibility, given the reveal flags.

        Viewers are numbered by seat; the last number is a spectator.
        """
        viewers = [*enumerate(self.teams), (views.SPECTATOR, views.SPECTATOR)]
        rows = [views.view_mask(self.game, seat, team, reveal_flags, False) for seat, team in viewers]
        visibility: list[list[VisibilityMask]] = []
        for _, start, stop in self.field_ranges:
            by_mask: dict[int, VisibilityMask] = {}
            for viewer, row in enumerate(rows):
                hidden_mask = int.from_bytes(row[start:stop].tobytes(), "little")
                visible_cells = frozenset((np.flatnonzero(row[start:stop] == 0) + start).tolist())
                by_mask.setdefault(hidden_mask, VisibilityMask(hidden_mask, visible_cells, [])).viewers.append(viewer)
            visibility.append(list(by_mask.values()))
        return visibility

    def _encode_field_cached(self, k: int, key: int) -> bytes:
        """Encode and cache a field, given its bytes as one number, in which all hidden bits are set."""
        cache = self.cache[k]
        if len(cache) >= MAX_CACHED_FRAGMENTS:
            cache.clear()
        _, start, stop = self.field_ranges[k]
        numbers: list[int] = memoryview(key.to_bytes(8 * (stop - start), "little")).cast("q").tolist()
        cache[key] = text = self._encode_field(k, numbers)
        return text

    def _encode_field(self, k: int, numbers: list[int]) -> bytes:
        field = self.field_ranges[k][0]
        if field.is_derived:
            return b""
        # Cards by seat change most often. `cards_json` encodes only the seats whose cards have changed.
        if field.kind == CARDS and field.shape == (MAX_SEATS,) and not field.per_team:
            value = b"[%b]" % b",".join([cards_json(self.game, cards) for cards in numbers[: len(self.teams)]])
        elif field.kind == TRICK:
            value = b"[%b]" % b",".join([self.names[card] for card in numbers if card >= 0])
        else:
            value = encode(
                list(iter_bits(numbers[0]))
                if k == TO_ACT_FIELD
                else views.field_data(self.game, field, numbers, list(self.teams))
            )
        return b'"%b":%b,' % (field.name.encode(), value)

    def _question_json(self, raw: bytes) -> bytes:
        """Return the open question as JSON; `null` if nobody is to act."""
        both = raw[8 * TO_ACT_FIELD : 8 * QUESTION_FIELD + 8]
        text = self.question_cache.get(both)
        if text is None:
            to_act, question = np.frombuffer(both, np.int64).tolist()
            text = b'"question":%s,' % encode(self.game.questions[question].name if to_act else None)
            self.question_cache[both] = text
        return text


@lru_cache(maxsize=256)
def view_encoder(game: Game, teams: tuple[int, ...]) -> ViewEncoder:
    """Return the encoder for tables of a game with these teams."""
    return ViewEncoder(game, teams)


@lru_cache(maxsize=4_000)
def event_json(game: Game, row: tuple[int, ...], viewer: int | None) -> bytes:
    """Return an event as JSON as a seat sees it; −1 for a spectator, `None` for everything."""
    return encode(event_for(row, game.rules.EVENTS, game.ranks, viewer))


@lru_cache(maxsize=8)
def _audience_columns(game: Game) -> tuple[tuple[int, ...], ...]:
    """Return, for each kind of event, the columns with the seats that see more than others."""
    return tuple(
        tuple(
            k + 1 for k, value in enumerate(event.values) if any(value.name in other.audience for other in event.values)
        )
        for event in game.rules.EVENTS
    )


def privileged_seats(game: Game, row: tuple[int, ...]) -> tuple[int, ...]:
    """Return the seats that see more of an event than others."""
    return tuple(row[k] for k in _audience_columns(game)[row[0]]) if row[0] >= 0 else ()
