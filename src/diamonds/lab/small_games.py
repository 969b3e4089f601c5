"""Crystals and fourteen with eight cards for two players, small enough to be solved exactly.

The pack is the 5, 6, 8 and 9 of ♦ and ♣. Each seat gets three cards, and two are set aside unseen. Nothing is passed,
seat 0 leads, and a trick has one card from each seat. The game is one deal; a seat wins its margin in points, so one
seat's gain is the other's loss. In fourteen these ranks give every card partners that make fourteen with it (F5).

Rules and bots are the shipped functions, in copies of their modules that differ only in the pack. Servers do not offer
these games.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import cache
from inspect import isfunction
from itertools import combinations
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from diamonds.bots import games
from diamonds.bots.games.adapter import GameAdapter
from diamonds.cards import CLUBS, DIAMONDS
from diamonds.game import Game, find_game
from diamonds.rules import crystals

SEATS, HAND_SIZE = 2, 3
SUITS, RANKS = (DIAMONDS, CLUBS), (5, 6, 8, 9)


class SmallGame(NamedTuple):
    """The options and the dealer of a small game.

    The options prevent the game from ending with the deal, so bots play for points without a bonus for winning. With
    this dealer seat 0 leads.
    """

    options: Mapping[str, Any]
    dealer: int


SMALL_GAMES = {
    "crystals": SmallGame({"two_cards": False, "rounds": 2}, dealer=1),
    "fourteen": SmallGame({"target": 5}, dealer=0),
}


@cache
def small_game(name: str) -> Game:
    """Return the small variant of crystals or fourteen, in a form that the bots can play."""
    full = find_game(name)
    adapter, pack = games.adapter_for(full), sum(1 << suit * full.ranks + rank - 1 for suit in SUITS for rank in RANKS)

    def small_pack(s):  # type: ignore[no-untyped-def]
        return pack

    def small_hand_size(s):  # type: ignore[no-untyped-def]
        return HAND_SIZE

    def small_cards_dealt(s):  # type: ignore[no-untyped-def]
        return SEATS * HAND_SIZE

    changed = {"pack": small_pack, "hand_size": small_hand_size, "cards_dealt": small_cards_dealt}
    copies = copy_modules([full.rules, *adapter.modules])
    rules = copies[full.rules.__name__]
    for function_name, function in changed.items():
        function.__module__ = rules.__name__
        setattr(rules, function_name, function)
    vars(rules).update(NAME=f"small {name}", SEATS=(SEATS,), DEFAULT_SEATS=SEATS)
    games.add_adapter(rules.NAME, copy_adapter(adapter, copies))
    return Game(rules)


def copy_modules(modules: list[ModuleType]) -> dict[str, ModuleType]:
    """Return copies of modules by name; their functions use names from the copies, not the originals.

    The copies are registered as modules in Python, because kernels on disk refer to modules by name.
    """
    copies = {module.__name__: ModuleType(f"{module.__name__}_eight_cards") for module in modules}
    for module in modules:
        for name, value in vars(module).items():
            if name.startswith("__"):
                continue
            if isfunction(value) and value.__module__ == module.__name__:
                names = vars(copies[module.__name__])
                value = FunctionType(value.__code__, names, name, value.__defaults__, value.__closure__)
                value.__module__ = copies[module.__name__].__name__
            setattr(copies[module.__name__], name, value)
    for module in copies.values():
        for name, value in vars(module).items():
            if isinstance(value, ModuleType) and value.__name__ in copies:
                setattr(module, name, copies[value.__name__])
            elif isfunction(value) and value.__module__ in copies:
                setattr(module, name, getattr(copies[value.__module__], value.__name__))
        sys.modules[module.__name__] = module
    return copies


def copy_adapter(adapter: GameAdapter, copies: Mapping[str, ModuleType]) -> GameAdapter:
    """Return an adapter with the functions of the copied modules, which include the rules."""
    functions: dict[str, Any] = {
        name: getattr(copies[value.__module__], value.__name__)
        for name, value in adapter._asdict().items()
        if isfunction(value) and value.__module__ in copies
    }
    return adapter._replace(modules=tuple(copies.values()), **functions)


def deals(name: str) -> Iterator[np.void]:
    """Yield the position after every possible deal; all are equally likely."""
    game, setup = small_game(name), SMALL_GAMES[name]
    pack = game.pack_for(SEATS, setup.options)
    start = game.start(SEATS, setup.options, pack[:SEATS])
    start["dealer"] = 1 - setup.dealer  # `deal` moves the dealer one seat to the left
    for first in combinations(pack, HAND_SIZE):
        rest = [card for card in pack if card not in first]
        for second in combinations(rest, HAND_SIZE):
            aside = [card for card in rest if card not in second]
            state = start.copy()
            game.deal(state, [card for pair in zip(first, second, strict=True) for card in pair] + aside)
            if name == "crystals":
                begin_without_passing(state)
            yield state


def begin_without_passing(s: np.void) -> None:
    """Let the seat left of the dealer lead (C11), as if no cards were passed."""
    s["leader"] = (int(s["dealer"]) + 1) % SEATS
    crystals.ask_seat(s, s["leader"], crystals.PLAY)


def margin(name: str, state: np.void) -> float:
    """Return how many more points seat 0 has than seat 1."""
    return float(games.adapter_for(small_game(name)).value(state, 0, 0.0))
