"""What one seat may see, as a row for bots and as data for people.

Everything here follows from the declarations beside the fields: no game has a redaction of its own that could forget a
line. What is unseen reads −1 in a row and ``None`` in data.
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

SPECTATOR = -1  # the seat of who has none
HIDDEN_VALUE = -1


def view(game: Game, state: np.void, seat: int, perfect_recall: bool = False) -> np.void:
    """The state as one seat sees it: a row of the same type in which whatever it may not see is −1 (R2).

    With ``memory`` the row also has what the table does not show but a player with a perfect memory knows; bots get that.
    """
    team = int(game.rules.team(state, seat)) if seat >= 0 else SPECTATOR
    flat = np.frombuffer(state.tobytes(), np.int64)
    return (flat | view_mask(game, seat, team, revealed_flags(game, state), perfect_recall)).view(game.dtype)[0]  # type: ignore[no-any-return]


@lru_cache(maxsize=8)
def reveal_flags(game: Game) -> tuple[str, ...]:
    """The flags that open fields (`Field.once`)."""
    return tuple(dict.fromkeys(field.revealed_by for field in game.fields if field.revealed_by))


def revealed_flags(game: Game, state: np.void) -> tuple[bool, ...]:
    """Which of the `openers` are set."""
    return tuple([bool(state[flag]) for flag in reveal_flags(game)])


@lru_cache(maxsize=4096)
def view_mask(game: Game, seat: int, team: int, revealed: tuple[bool, ...], perfect_recall: bool) -> _Ints:
    """What hides a table's secrets from one seat: OR-ing it over a flat state leaves what the seat may know, and −1 for the rest.

    It is 0 where the seat, of that team, may look and −1 where not; ``once`` says which of the `reveal_flags` are set.
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
    """Return whether everyone knows that a seat has one legal answer, whatever it holds: with the last card in hand, for one.

    It rests on the spectator's view and on how many cards the seat holds, which lie on the table face down. With several cards in
    hand an answer counts as possible if some card alone would make it legal.
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
    """Who may look at each number of a flat row, as the fields declare it; an array has an entry a number.

    ``visibility`` is the place of `Field.visibility` in `VISIBILITIES`, ``owner_seat`` the seat or team whose number it is, ``flag`` where
    the flag lies that opens it (−1: none), ``perfect_recall`` whether a perfect memory knows it.
    """

    visibility: Any
    owner_seat: Any
    flag: Any
    perfect_recall: Any


VISIBILITIES = (PUBLIC, OWNER, TEAM, PLAYERS, NOBODY)
_PUBLIC, _OWNER, _TEAM, _PLAYERS, _ = range(len(VISIBILITIES))


@lru_cache(maxsize=8)
def visibility_table(game: Game) -> VisibilityTable:
    """Who may look at what in a game."""
    starts = {field.name: start for field, start, _ in field_offsets(game)}
    rows = [
        (VISIBILITIES.index(field.visibility), (k - start) * field.shape[0] // (stop - start) if field.shape else 0,
         starts[field.revealed_by] if field.revealed_by else -1, field.perfect_recall)
        for field, start, stop in field_offsets(game)
        for k in range(start, stop)
    ]  # fmt: skip
    return VisibilityTable(*(np.array(column, np.int16) for column in zip(*rows, strict=True)))


def fill_view(flat, seat, team, perfect_recall, table, view):  # type: ignore[no-untyped-def]
    """Write down what one seat of a team may see of a flat row; with ``perfect_recall`` also what a perfect memory knows."""
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
    """The masks of all who sit at a table, for whoever sees many states of it.

    ``masks[c, seat]`` is the `view_mask` of a seat; the last entry is a spectator's. ``c`` counts which of the `reveal_flags` are
    set: they lie at ``reveal_flags``, the first of them weighs most. ``blank_row`` has the seats and options, and no more.
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
        """The observation of one flat state by a seat (−1: a spectator)."""
        setting = 0
        for flag in self.reveal_flags.tolist():
            setting = 2 * setting + (flat[flag] != 0)
        seen = np.empty(len(flat) + 1, np.int64)
        seen[0] = seat
        np.bitwise_or(flat, self.masks[setting, seat], out=seen[1:])
        return seen


def view_data(game: Game, row: np.void) -> dict[str, Any]:
    """A view, or a whole state, as names, numbers and lists, ready for JSON.

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
    """One field's numbers as data; ``teams`` has each seat's team, and so as many entries as there are seats."""
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
    """Each field with where it lies in the flat row."""
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
