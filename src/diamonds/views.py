"""What one seat may see, as a row for bots and as data for people.

Everything here follows from the declarations beside the fields: no game has a redaction of its own that could forget a
line. What is unseen reads −1 in a row and ``None`` in data.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from diamonds import cards
from diamonds.fields import CARD, CARDS, FLAG, NOBODY, OWNER, PUBLIC, SEATS, SUIT, SUITS, TEAM, TRICK, Field
from diamonds.game import Game

SPECTATOR = -1  # the seat of who has none


def view(game: Game, state: np.void, seat: int, memory: bool = False) -> np.void:
    """The state as one seat sees it: a row of the same type in which whatever it may not see is −1 (R2).

    With ``memory`` the row also has what the table does not show but a player with a perfect memory knows; bots get that.
    """
    row = np.frombuffer(bytearray(state.tobytes()), np.int64)
    once = tuple(bool(state[f.once]) for f in game.fields if f.once)
    team = int(game.rules.team(state, seat)) if seat >= 0 else SPECTATOR
    row[_hidden(game, seat, team, once, memory)] = -1
    return row.view(game.dtype)[0]  # type: ignore[no-any-return]


@lru_cache(maxsize=4096)
def _hidden(
    game: Game, seat: int, team: int, once: tuple[bool, ...], memory: bool
) -> np.ndarray[Any, np.dtype[np.intp]]:
    """The places in the flat row that a seat may not see."""
    is_open = dict(zip((f.name for f in game.fields if f.once), once, strict=True))
    hidden: list[int] = []
    start = 0
    for field in game.fields:
        size = int(np.prod(field.shape, dtype=int))
        places = np.arange(start, start + size).reshape(field.shape)
        start += size
        if field.who == PUBLIC or is_open.get(field.name) or (memory and field.remembered):
            continue
        if field.who != NOBODY:
            own = {OWNER: seat, TEAM: team}[field.who]
            places = places[[s for s in range(SEATS) if s != own]]
        hidden.extend(places.ravel().tolist())
    return np.array(hidden, np.intp)


def as_data(game: Game, row: np.void) -> dict[str, Any]:
    """A view, or a whole state, as names, numbers and lists, ready for JSON.

    Arrays over seats are cut to the table's size, and a team's entry is repeated for each of its members.
    """
    flat: list[int] = np.frombuffer(row.tobytes(), np.int64).tolist()
    seats = flat[0]
    teams = [int(game.rules.team(row, seat)) for seat in range(seats)]
    data = {field.name: field_data(game, field, flat[start:stop], teams) for field, start, stop in places(game)}
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
