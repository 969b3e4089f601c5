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
    NOBODY,
    OWNER,
    OWNERS,
    PLAYERS,
    PUBLIC,
    SEATS,
    SUIT,
    SUITS,
    TEAM,
    TRICK,
    Field,
)
from diamonds.game import Game

_Ints = np.ndarray[Any, np.dtype[np.int64]]

SPECTATOR = -1  # the seat of who has none
UNSEEN = -1


def view(game: Game, state: np.void, seat: int, memory: bool = False) -> np.void:
    """The state as one seat sees it: a row of the same type in which whatever it may not see is −1 (R2).

    With ``memory`` the row also has what the table does not show but a player with a perfect memory knows; bots get that.
    """
    team = int(game.rules.team(state, seat)) if seat >= 0 else SPECTATOR
    flat = np.frombuffer(state.tobytes(), np.int64)
    return (flat | mask(game, seat, team, opened(game, state), memory)).view(game.dtype)[0]  # type: ignore[no-any-return]


@lru_cache(maxsize=8)
def openers(game: Game) -> tuple[str, ...]:
    """The flags that open fields (`Field.once`)."""
    return tuple(dict.fromkeys(field.once for field in game.fields if field.once))


def opened(game: Game, state: np.void) -> tuple[bool, ...]:
    """Which of the `openers` are set."""
    return tuple([bool(state[flag]) for flag in openers(game)])


@lru_cache(maxsize=4096)
def mask(game: Game, seat: int, team: int, once: tuple[bool, ...], memory: bool) -> _Ints:
    """What hides a table's secrets from one seat: OR-ing it over a flat state leaves what the seat may know, and −1 for the rest.

    It is 0 where the seat, of that team, may look and −1 where not; ``once`` says which of the `openers` are set.
    """
    flat = np.zeros(game.dtype.itemsize // 8, np.int64)
    starts = {field.name: start for field, start, _ in places(game)}
    for name, is_set in zip(openers(game), once, strict=True):
        flat[starts[name]] = is_set
    hidden = np.empty_like(flat)
    look(flat, seat, team, memory, sight(game), hidden)  # type: ignore[no-untyped-call]
    hidden = np.where(hidden == UNSEEN, UNSEEN, 0)
    hidden.flags.writeable = False
    return hidden


class Sight(NamedTuple):
    """Who may look at each number of a flat row, as the fields declare it; an array has an entry a number.

    ``who`` is the place of `Field.who` in `WHO`, ``own`` the seat or team whose number it is, ``flag`` where the flag lies that opens
    it (−1: none), ``remembered`` whether a perfect memory knows it.
    """

    who: Any
    own: Any
    flag: Any
    remembered: Any


WHO = (PUBLIC, OWNER, TEAM, PLAYERS, NOBODY)
_PUBLIC, _OWNER, _TEAM, _PLAYERS, _ = range(len(WHO))


@lru_cache(maxsize=8)
def sight(game: Game) -> Sight:
    """Who may look at what in a game."""
    starts = {field.name: start for field, start, _ in places(game)}
    rows = [
        (WHO.index(field.who), (k - start) * field.shape[0] // (stop - start) if field.shape else 0,
         starts[field.once] if field.once else -1, field.remembered)
        for field, start, stop in places(game)
        for k in range(start, stop)
    ]  # fmt: skip
    return Sight(*(np.array(column, np.int16) for column in zip(*rows, strict=True)))


def look(flat, seat, team, memory, sight, seen):  # type: ignore[no-untyped-def]
    """Write down what one seat of a team may see of a flat row; with ``memory`` also what a perfect memory knows."""
    for k in range(len(flat)):
        who, flag, own = sight.who[k], sight.flag[k], sight.own[k]
        is_open = who == _PUBLIC or (flag >= 0 and flat[flag] != 0) or (memory and sight.remembered[k] != 0)
        if who == _PLAYERS:
            is_open = is_open or seat >= 0
        elif who == _OWNER:
            is_open = is_open or own == seat
        elif who == _TEAM:
            is_open = is_open or own == team
        seen[k] = flat[k] if is_open else UNSEEN


class Curtain:
    """The masks of all who sit at a table, for whoever sees many states of it.

    ``hidden[c, seat]`` is the `mask` of a seat; the last entry is a spectator's. ``c`` counts which of the `openers` are
    set: they lie at ``switches``, the first of them weighs most. ``blank_row`` has the seats and options, and no more.
    """

    def __init__(self, game: Game, blank_row: np.void) -> None:
        starts = {field.name: start for field, start, _ in places(game)}
        self.switches: _Ints = np.array([starts[name] for name in openers(game)], np.int64)
        teams = [int(game.rules.team(blank_row, seat)) for seat in range(int(blank_row["seats"]))]
        readers = [*enumerate(teams), (SPECTATOR, SPECTATOR)]
        settings = product((False, True), repeat=len(self.switches))
        self.hidden: _Ints = np.array(
            [[mask(game, seat, team, once, True) for seat, team in readers] for once in settings]
        )

    def observe(self, flat: _Ints, seat: int) -> _Ints:
        """The observation of one flat state by a seat (−1: a spectator)."""
        c = 0
        for switch in self.switches.tolist():
            c = 2 * c + (flat[switch] != 0)
        seen = np.empty(len(flat) + 1, np.int64)
        seen[0] = seat
        np.bitwise_or(flat, self.hidden[c, seat], out=seen[1:])
        return seen


def as_data(game: Game, row: np.void) -> dict[str, Any]:
    """A view, or a whole state, as names, numbers and lists, ready for JSON.

    Arrays over seats are cut to the table's size, and a team's entry is repeated for each of its members.
    """
    flat: list[int] = np.frombuffer(row.tobytes(), np.int64).tolist()
    seats = flat[0]
    teams = [int(game.rules.team(row, seat)) for seat in range(seats)]
    data = {
        field.name: field_data(game, field, flat[start:stop], teams)
        for field, start, stop in places(game)
        if not field.derived
    }
    data["to_act"] = list(cards.members(flat[1]))
    data["question"] = game.questions[flat[2]].name if flat[1] else None
    data["team"] = teams
    return data


def field_data(game: Game, field: Field, part: list[int], teams: list[int]) -> Any:
    """One field's numbers as data; ``teams`` has each seat's team, and so as many entries as there are seats."""
    if not field.shape:
        return _write(field.kind, part[0], game)
    if field.kind == TRICK:
        return [game.names[card] for card in part if card >= 0]
    if field.kind == OWNERS:
        return [next((seat for seat in range(len(teams)) if part[seat] >> k & 1), None) for k in range(field.places)]
    width = len(part) // field.shape[0]
    rows = range(field.shape[0]) if field.shape[0] != SEATS else teams if field.by_team else range(len(teams))
    if len(field.shape) == 1:
        return [_write(field.kind, part[k], game) for k in rows]
    return [[_write(field.kind, v, game) for v in part[k * width : (k + 1) * width]] for k in rows]


@lru_cache(maxsize=8)
def places(game: Game) -> tuple[tuple[Field, int, int], ...]:
    """Each field with where it lies in the flat row."""
    places, start = [], 0
    for field in game.fields:
        stop = start + int(np.prod(field.shape, dtype=int))
        places.append((field, start, stop))
        start = stop
    return tuple(places)


def _write(kind: str, value: int, game: Game) -> Any:
    if value == -1:
        return None
    if kind == CARDS:
        return [game.names[card] for card in cards.members(value)]
    if kind == CARD:
        return game.names[value]
    if kind == SUIT:
        return cards.SUIT_LETTERS[value]
    if kind == SUITS:
        return [cards.SUIT_LETTERS[suit] for suit in cards.members(value)]
    return bool(value) if kind == FLAG else value
