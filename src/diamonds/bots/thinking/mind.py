"""All that kernels need of a game, as one named tuple of plain functions and numbers: a kernel closes over it, and passes it on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from diamonds import jit
from diamonds.bots import knowing
from diamonds.game import Game
from diamonds.playout import Rules, rules_of


class Mind(NamedTuple):
    """A game's rules, the number of its ranks, and what is compiled of its `Knowledge`, by the same names."""

    rules: Rules
    ranks: int
    choose: Callable[..., Any]
    usual: int
    habit: Callable[..., Any]
    needs: Callable[..., Any]
    fill: Callable[..., Any]
    believe: Callable[..., Any]
    share: Callable[..., Any]
    forget: Callable[..., Any]
    give: Callable[..., Any]
    manners: Callable[..., Any]
    go_on: Callable[..., Any]
    clock: Callable[..., Any]
    worth: Callable[..., Any]
    winning: float
    hear: Callable[..., Any]
    candidates: Callable[..., Any]
    same_kind: Callable[..., Any]
    sets: Callable[..., Any]
    answers: Callable[..., Any]
    plans: Callable[..., Any]
    card: Callable[..., Any]
    shown: Callable[..., Any]
    kind: Callable[..., Any]
    key: Callable[..., Any]
    turned_up: bool
    by_chance: bool
    material: float


jit.known_when_compiled(Mind)


def mind_of(game: Game) -> Mind:
    """That of a game, ready to be compiled."""
    known = knowing.of(game)
    for module in known.modules:
        jit.compile_with(module)
    return Mind(rules_of(game), game.ranks, *(getattr(known, name) for name in Mind._fields[2:]))
