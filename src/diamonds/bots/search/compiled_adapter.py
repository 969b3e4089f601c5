"""`CompiledAdapter`: the compiled part of a game adapter, a named tuple used by kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from diamonds import jit
from diamonds.bots import games
from diamonds.game import Game
from diamonds.playout import RulesFunctions, rules_of


class CompiledAdapter(NamedTuple):
    """A game's rules, its number of ranks, and the compiled members of its `GameAdapter`, under the same names."""

    rules: RulesFunctions
    ranks: int
    heuristic_answer: Callable[..., Any]
    default_plan: int
    default_candidate: Callable[..., Any]
    hidden_cards: Callable[..., Any]
    write_world: Callable[..., Any]
    infer_beliefs: Callable[..., Any]
    deal_by_beliefs: Callable[..., Any]
    clear_secret_choices: Callable[..., Any]
    apply_candidate: Callable[..., Any]
    playout_styles: Callable[..., Any]
    random_permille: Callable[..., Any]
    playout_answer: Callable[..., Any]
    playout_memory: Callable[..., Any]
    write_prior: Callable[..., Any]
    turns_played: Callable[..., Any]
    value: Callable[..., Any]
    outlook: Callable[..., Any]
    win_bonus: float
    count_events: Callable[..., Any]
    candidates: Callable[..., Any]
    representative: Callable[..., Any]
    is_set: Callable[..., Any]
    answers_of: Callable[..., Any]
    plans: Callable[..., Any]
    max_worlds: Callable[..., Any]
    card_of: Callable[..., Any]
    has_no_secret_choice: Callable[..., Any]
    equivalence_class: Callable[..., Any]
    position_key: Callable[..., Any]
    has_draws: bool
    measures_win_chance: bool
    material_difference: float


jit.register_static_tuple(CompiledAdapter)


def compiled_adapter(game: Game) -> CompiledAdapter:
    """Return a game's compiled adapter, ready for use in kernels."""
    adapter = games.adapter_for(game)
    for module in adapter.modules:
        jit.register_module(module)
    return CompiledAdapter(
        rules_of(game), game.ranks, *(getattr(adapter, name) for name in CompiledAdapter._fields[2:])
    )


def judging_adapter(game: Game) -> CompiledAdapter:
    """Return a game's compiled adapter without what reviews never use (`GameAdapter.in_reviews`)."""
    return compiled_adapter(game)._replace(**games.adapter_for(game).in_reviews)
