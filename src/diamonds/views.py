"""Views: the state as one seat may see it, as a row for bots and as data for people.

All redaction follows from the field declarations, so no game can forget to hide a field. Hidden values are −1 in a row
and ``None`` in data.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from diamonds import cards
from diamonds.fields import (
    CARD,
    CARDS,
    FLAG,
    MAX_SEATS,
    NOBODY,
    OWNER,
    PILE_OWNERS,
    PLAYERS,
    PUBLIC,
    SUIT,
    SUITS,
    TEAM,
    TRICK,
    Field,
)
from diamonds.game import Game

_Ints = np.ndarray[Any, np.dtype[np.int64]]

SPECTATOR = -1  # seat number of a spectator
HIDDEN_VALUE = -1


def view(game: Game, state: np.void, seat: int, perfect_recall: bool = False) -> np.void:
    """Return the state as one seat sees it: a row of the same type with −1 for everything hidden (R2).

    With ``perfect_recall`` the row also has values that the table does not show but a player with a perfect memory
    knows; bots get these.
    """
    team = int(game.rules.team(state, seat)) if seat >= 0 else SPECTATOR
    flat = np.frombuffer(state.tobytes(), np.int64)
    return (flat | view_mask(game, seat, team, revealed_flags(game, state), perfect_recall)).view(game.dtype)[0]  # type: ignore[no-any-return]


@lru_cache(maxsize=8)
def reveal_flags(game: Game) -> tuple[str, ...]:
    """Return the flags that reveal fields (`Field.revealed_by`)."""
    return tuple(dict.fromkeys(field.revealed_by for field in game.fields if field.revealed_by))


def revealed_flags(game: Game, state: np.void) -> tuple[bool, ...]:
    """Return which of the `reveal_flags` are set."""
    return tuple([bool(state[flag]) for flag in reveal_flags(game)])


@lru_cache(maxsize=4096)
def view_mask(game: Game, seat: int, team: int, revealed: tuple[bool, ...], perfect_recall: bool) -> _Ints:
    """Return the mask of a seat: OR-ed with a flat state, it leaves the visible values and turns the others into −1.

    It is 0 where the seat, as part of this team, may look, and −1 elsewhere; ``revealed`` has the values of the
    `reveal_flags`.
    """
    flat = np.zeros(game.dtype.itemsize // 8, np.int64)
    starts = {field.name: start for field, start, _ in field_offsets(game)}
    for name, is_set in zip(reveal_flags(game), revealed, strict=True):
        flat[starts[name]] = is_set
    hidden = np.empty_like(flat)
    fill_view(flat, seat, team, perfect_recall, visibility_table(game), hidden)  # type: ignore[no-untyped-call]
    hidden = np.where(hidden == HIDDEN_VALUE, HIDDEN_VALUE, 0)
    hidden.flags.writeable = False
    return hidden


def is_publicly_forced(game: Game, state: np.void, seat: int) -> bool:
    """Return whether everyone knows that a seat has only one legal answer, for example its last card.

    Only public knowledge counts: the spectator's view and the number of cards in the seat's hand. With several cards in
    hand, an answer counts as possible if any single card would make it legal.
    """
    row = view(game, state, SPECTATOR)
    if "hand" not in (game.dtype.names or ()) or game.question(state).is_sequential:
        return False
    held = int(state["hand"][seat]).bit_count()
    possible = 0
    for card in range(len(game.card_names)) if held else (-1,):
        row["hand"][seat] = 0 if card < 0 else 1 << card
        legal = int(game.rules.legal(row, seat))
        possible |= legal
        if legal.bit_count() != 1 or (held > 1 and possible.bit_count() > 1):
            return False
    return True


class VisibilityTable(NamedTuple):
    """The visibility of each number in a flat row, as four arrays with one entry per number."""

    visibility: Any
    owner_seat: Any
    flag: Any
    perfect_recall: Any


VISIBILITIES = (PUBLIC, OWNER, TEAM, PLAYERS, NOBODY)
_PUBLIC, _OWNER, _TEAM, _PLAYERS, _ = range(len(VISIBILITIES))


@lru_cache(maxsize=8)
def visibility_table(game: Game) -> VisibilityTable:
    """Return the visibility of each number of a game's state."""
    starts = {field.name: start for field, start, _ in field_offsets(game)}
    rows = [
        (VISIBILITIES.index(field.visibility), (k - start) * field.shape[0] // (stop - start) if field.shape else 0,
         starts[field.revealed_by] if field.revealed_by else -1, field.perfect_recall)
        for field, start, stop in field_offsets(game)
        for k in range(start, stop)
    ]  # fmt: skip
    return VisibilityTable(*(np.array(column, np.int16) for column in zip(*rows, strict=True)))


def fill_view(flat, seat, team, perfect_recall, table, view):  # type: ignore[no-untyped-def]
    """Write what a seat of a team may see of a flat row; ``perfect_recall`` adds what a perfect memory knows."""
    for k in range(len(flat)):
        visibility, flag, owner = table.visibility[k], table.flag[k], table.owner_seat[k]
        is_visible = (
            visibility == _PUBLIC
            or (flag >= 0 and flat[flag] != 0)
            or (perfect_recall and table.perfect_recall[k] != 0)
        )
        if visibility == _PLAYERS:
            is_visible = is_visible or seat >= 0
        elif visibility == _OWNER:
            is_visible = is_visible or owner == seat
        elif visibility == _TEAM:
            is_visible = is_visible or owner == team
        view[k] = flat[k] if is_visible else HIDDEN_VALUE


class ViewMasks:
    """The view masks of all viewers of a table, for code that computes many views.

    ``masks[c, seat]`` is the `view_mask` of a seat; the last seat is a spectator's. ``c`` encodes the `reveal_flags` as
    a binary number, the first flag most significant. ``self.reveal_flags`` are the positions of these flags in the row.
    ``blank_row`` has only the seats and options.
    """

    def __init__(self, game: Game, blank_row: np.void) -> None:
        starts = {field.name: start for field, start, _ in field_offsets(game)}
        self.reveal_flags: _Ints = np.array([starts[name] for name in reveal_flags(game)], np.int64)
        teams = [int(game.rules.team(blank_row, seat)) for seat in range(int(blank_row["seats"]))]
        viewers = [*enumerate(teams), (SPECTATOR, SPECTATOR)]
        settings = product((False, True), repeat=len(self.reveal_flags))
        self.masks: _Ints = np.array(
            [[view_mask(game, seat, team, revealed, True) for seat, team in viewers] for revealed in settings]
        )

    def view(self, flat: _Ints, seat: int) -> _Ints:
        """Return the seat (−1: a spectator) followed by its view of a flat state."""
        setting = 0
        for flag in self.reveal_flags.tolist():
            setting = 2 * setting + (flat[flag] != 0)
        seen = np.empty(len(flat) + 1, np.int64)
        seen[0] = seat
        np.bitwise_or(flat, self.masks[setting, seat], out=seen[1:])
        return seen


def view_data(game: Game, row: np.void) -> dict[str, Any]:
    """Return a view, or a whole state, as names, numbers and lists, ready for JSON.

    Arrays over seats are cut to the table's size, and a team's entry is repeated for each of its members.
    """
    flat: list[int] = np.frombuffer(row.tobytes(), np.int64).tolist()
    seats = flat[0]
    teams = [int(game.rules.team(row, seat)) for seat in range(seats)]
    data = {
        field.name: field_data(game, field, flat[start:stop], teams)
        for field, start, stop in field_offsets(game)
        if not field.is_derived
    }
    data["to_act"] = list(cards.iter_bits(flat[1]))
    data["question"] = game.questions[flat[2]].name if flat[1] else None
    data["team"] = teams
    return data


def field_data(game: Game, field: Field, numbers: list[int], teams: list[int]) -> Any:
    """Return one field's numbers as data; ``teams`` has the team of each seat at the table."""
    if not field.shape:
        return _value_data(field.kind, numbers[0], game)
    if field.kind == TRICK:
        return [game.card_names[card] for card in numbers if card >= 0]
    if field.kind == PILE_OWNERS:
        return [
            next((seat for seat in range(len(teams)) if numbers[seat] >> k & 1), None) for k in range(field.pile_count)
        ]
    width = len(numbers) // field.shape[0]
    rows = range(field.shape[0]) if field.shape[0] != MAX_SEATS else teams if field.per_team else range(len(teams))
    if len(field.shape) == 1:
        return [_value_data(field.kind, numbers[k], game) for k in rows]
    return [[_value_data(field.kind, v, game) for v in numbers[k * width : (k + 1) * width]] for k in rows]


@lru_cache(maxsize=8)
def field_offsets(game: Game) -> tuple[tuple[Field, int, int], ...]:
    """Return each field with its start and stop in the flat row."""
    offsets, start = [], 0
    for field in game.fields:
        stop = start + int(np.prod(field.shape, dtype=int))
        offsets.append((field, start, stop))
        start = stop
    return tuple(offsets)


def _value_data(kind: str, value: int, game: Game) -> Any:
    if value == -1:
        return None
    if kind == CARDS:
        return [game.card_names[card] for card in cards.iter_bits(value)]
    if kind == CARD:
        return game.card_names[value]
    if kind == SUIT:
        return cards.SUIT_LETTERS[value]
    if kind == SUITS:
        return [cards.SUIT_LETTERS[suit] for suit in cards.iter_bits(value)]
    return bool(value) if kind == FLAG else value
