"""Game positions arranged for a test: only the cards that matter, answers as people write them, and the events.

    state = position("crystals", 3, hands={0: "H7 D2", 1: "H9 C1", 2: "S4 C5"}, supply=0)
    events = play_answers(state, "0 play H7", "1 play H9")
    assert error_of(state, "2 play H1") == "That card is not in your hand."

It serves all three games. A state's type tells its game, so only `position` and `new_game` take a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from diamonds import cards, views
from diamonds.errors import DiamondsError
from diamonds.events import EventLogArray, events_for
from diamonds.fields import CARD, CARDS, PILE_OWNERS, SUIT, SUITS, TRICK, Field
from diamonds.game import GAMES, Game
from diamonds.rules.mines import DEPTH, PILES

Events = list[dict[str, Any]]


def game_of(state: np.void) -> Game:
    return next(game for game in GAMES.values() if game.dtype == state.dtype)


def new_game(game: str, seats: int, options: Mapping[str, Any] | None = None, first: int = 0) -> np.void:
    """Return a new game that needs cards. Seat ``first`` has cut the highest card, the last ♣ of the pack."""
    pack = GAMES[game].pack_for(seats, options)
    cut = pack[:seats]
    cut[first] = pack[-1]
    return GAMES[game].start(seats, options, cut)


def position(
    game: str,
    seats: int,
    options: Mapping[str, Any] | None = None,
    hands: Mapping[int, str] | None = None,
    **fields: Any,
) -> np.void:
    """Return a dealt game arranged for a test.

    ``hands`` names the cards of each seat; a seat not named then holds none. Hands may be shorter than the rules deal
    them: the round ends when they are played. Without ``hands``, every seat has what an unshuffled pack deals.

    ``fields`` are written as in `set_fields`. Defaults for the rest:

    * crystals: seat 0 leads, so the last seat has dealt; fourteen: seat 0 has dealt and leads. With a ``leader`` and
      a ``trick``, the next seat plays to it. ``question="count"`` (or any other) asks that question of ``to_act``,
      by default of the dealer.
    * mines: seat 0 began and is asked ``turn``. ``piles={5: "D7 SK"}`` names a pile's cards, top first, and
      ``owner={5: 1}`` the seats. Unnamed piles share the rest of the pack, four each, in ascending order; the
      remainder is discarded.
    """
    first = fields.get("turn", 0) if game == "mines" else fields.get("dealer", seats - 1 if game == "crystals" else 0)
    state = new_game(game, seats, options, first)
    GAMES[game].deal(state, GAMES[game].pack(state))
    if game == "mines":
        _lay_out(state, hands or {}, fields)
        fields = {"question": "turn", "to_act": [first]} | fields
    else:
        if hands is not None:
            state["hand"][:] = 0
            set_fields(state, hand=hands)
        leader = fields.setdefault("leader", 0)
        trick = _cards(game_of(state), fields.get("trick", ""))
        if trick:
            fields["trick_size"] = len(trick)
            fields.setdefault("led" if game == "crystals" else "suit", trick[0] // GAMES[game].ranks)
        question = fields.setdefault("question", "play")
        fields.setdefault("to_act", [(leader + len(trick)) % seats if question == "play" else first])
        if game == "crystals":
            fields.setdefault("passing", 0 if question == "count" else 1)
        else:
            fields.setdefault("bids_open", fields.get("bid") is not None)
    set_fields(state, **fields)
    if game != "mines" and hands is not None:
        held = int(np.bitwise_or.reduce(state["hand"])) | sum(1 << card for card in trick)
        state["aside"] = int(GAMES[game].rules.pack(state)) & ~(held | int(np.bitwise_or.reduce(state["played"])))
    return state


def crystals_position(seats: int, options: dict[str, Any] | None = None, **rest: Any) -> np.void:
    """Return a table of crystals at which seat 0 leads."""
    return position("crystals", seats, options, **rest)


def _lay_out(state: np.void, hands: Mapping[int, str], fields: dict[str, Any]) -> None:
    """Lay out the pack of mines: named hands, piles and discards first, then the other piles."""
    game = game_of(state)
    named = {pile: _cards(game, text) for pile, text in fields.pop("piles", {}).items()}
    held = {seat: _cards(game, hands.get(seat, "")) for seat in range(2)}
    discards = _cards(game, fields.pop("discards", ""))
    placed = [card for group in (*named.values(), *held.values(), discards) for card in group]
    assert len(placed) == len(set(placed)), "expected each card to be named once"
    rest = [card for card in range(52) if card not in placed]
    for pile in range(PILES):
        if pile not in named:
            named[pile], rest = rest[:DEPTH], rest[DEPTH:]
        state["piles"][pile] = [-1] * (DEPTH - len(named[pile])) + named[pile]
        state["left"][pile] = len(named[pile])
    sort_piles(state)
    for seat in range(2):
        state["hand"][seat] = sum(1 << card for card in held[seat])
        state["hand_size"][seat] = len(held[seat])
    state["discards"] = sum(1 << card for card in discards + rest)


def sort_piles(state: np.void) -> None:
    """Update everything derived from piles that a test laid out by hand."""
    for pile in range(PILES):
        state["inside"][pile] = sum(1 << card for card in state["piles"][pile].tolist() if card >= 0)


def set_fields(state: np.void, **fields: Any) -> np.void:
    """Set the named fields of a state from their readable form.

    Cards are named (``"H7"``, several as ``"H7 D2"``), suits are letters, questions are named, ``to_act`` is a list of
    seats. An array takes a list from its beginning, or ``{place: value}``; owners take a seat or −1 for each place.
    """
    game = game_of(state)
    declared = {field.name: field for field in game.fields}
    for name, value in fields.items():
        field = declared[name]
        if name == "question":
            state[name] = [question.name for question in game.questions].index(value)
        elif name == "to_act":
            state[name] = sum(1 << seat for seat in value)
        elif not field.shape:
            state[name] = _number(game, field, value)
        elif field.kind == TRICK:
            laid = _cards(game, value)
            state[name][:] = laid + [-1] * (field.shape[0] - len(laid))
        elif field.kind == PILE_OWNERS:
            for place, seat in value.items():
                state[name] &= ~(1 << place)
                if seat >= 0:
                    state[name][seat] |= 1 << place
        else:
            for place, entry in value.items() if isinstance(value, Mapping) else enumerate(value):
                state[name][place] = entry if len(field.shape) > 1 else _number(game, field, entry)
    return state


def _number(game: Game, field: Field, value: Any) -> int:
    if value is None:
        return -1
    if not isinstance(value, str):
        return int(value)
    if field.kind == CARD:
        return game.card_names.index(value)
    if field.kind == CARDS:
        return sum(1 << card for card in _cards(game, value))
    if field.kind == SUIT:
        return cards.SUIT_LETTERS.index(value)
    if field.kind == SUITS:
        return sum(1 << cards.SUIT_LETTERS.index(letter) for letter in value)
    raise AssertionError(f"{field.name} is a {field.kind}; {value!r} is text")


def _cards(game: Game, text: str) -> list[int]:
    """Return the cards in ``"D7 H3"``, in the written order."""
    return [game.card_names.index(name) for name in text.split()]


def play_answers(state: np.void, *lines: str) -> Events:
    """Give answers such as ``"0 play H7"`` one after the other; return all their events, hidden or not."""
    events: Events = []
    for line in lines:
        seat, question, answer = line.split()
        events += seen_events(state, game_of(state).apply_answer(state, int(seat), answer, question))
    return events


def error_of(state: np.void, line: str) -> str:
    """Return the error message of a rejected answer; assert that the state is unchanged (R1)."""
    seat, question, answer = line.split()
    before = state.tobytes()
    with pytest.raises(DiamondsError) as raised:
        game_of(state).apply_answer(state, int(seat), answer, question)
    assert state.tobytes() == before, f"“{line}” was rejected and yet changed the state (R1)"
    return str(raised.value)


def seen_events(state: np.void, log: EventLogArray, seat: int | None = None) -> Events:
    """Return a log as data, as a seat receives it: −1 is a spectator, ``None`` receives everything."""
    game = game_of(state)
    return events_for(log, game.rules.EVENTS, game.ranks, seat)


def events_of_kind(events: Iterable[Mapping[str, Any]], *kinds: str) -> Events:
    return [dict(event) for event in events if event["event"] in kinds]


def event_kinds(events: Iterable[Mapping[str, Any]]) -> list[str]:
    return [event["event"] for event in events]


def state_data(state: np.void, seat: int | None = None, memory: bool = False) -> dict[str, Any]:
    """Return a state as names, numbers and lists: all of it, or one seat's view (−1: a spectator's)."""
    game = game_of(state)
    return views.view_data(game, state if seat is None else views.view(game, state, seat, memory))


def legal_answers(state: np.void, seat: int) -> list[int | str]:
    """Return the names of a seat's legal answers; none if it is not to act."""
    return game_of(state).legal(state, seat)


def open_question(state: np.void) -> tuple[str | None, list[int]]:
    """Return the open question and the seats to act: ``("play", [0])``, or ``(None, [])``."""
    game = game_of(state)
    seats: Sequence[int] = game.to_act(state)
    return (game.question(state).name, list(seats)) if seats else (None, [])


def crystal_counts(state: np.void) -> tuple[int, list[int], list[int]]:
    """Return Supply, Vaults and Showrooms of a crystals table; each member of a team has the team's values."""
    data = state_data(state)
    return data["supply"], data["vault"], data["showroom"]
