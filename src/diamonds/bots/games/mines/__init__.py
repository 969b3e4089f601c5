"""The adapter of mines. Levels 2 to 5 use their own search (`search_hooks`)."""

from __future__ import annotations

from diamonds.bots.games import adapter_defaults, equivalence, reason_kinds
from diamonds.bots.games.adapter import WIN_CHANCE, GameAdapter, SearchParams
from diamonds.bots.games.mines import (
    hand_beliefs,
    heuristics,
    playouts,
    policy_network,
    reasons,
    search_hooks,
    weighted_policy,
    world_sampling,
)

WORLDS_FACTOR = 12  # times as many worlds as in other games: a game hinges on the cards of a few piles


def search_params(worlds: int, horizon: int, is_error_free: bool, game_specific: bool) -> SearchParams:
    """Return search parameters with more worlds, and a stricter test before departing from the usual answer."""
    if game_specific:
        return (
            search_hooks.SEARCH_PARAMS
            if is_error_free
            else search_hooks.WEIGHTED_SEARCH_PARAMS._replace(max_worlds=WORLDS_FACTOR * worlds, initial_worlds=16)
        )
    return SearchParams(
        max_worlds=WORLDS_FACTOR * worlds,
        other_random_permille=100,
        default_std_errors=2.0,
        horizon=horizon,
        solve_endgame=False,
    )


ADAPTER = GameAdapter(
    modules=(
        heuristics,
        weighted_policy,
        policy_network,
        hand_beliefs,
        world_sampling,
        search_hooks,
        playouts,
        equivalence,
        adapter_defaults,
        reasons,
        reason_kinds,
    ),
    heuristic_answer=heuristics.heuristic_answer,
    default_plan=heuristics.IMPROVED_PLAN,
    default_candidate=heuristics.heuristic_answer,
    hidden_cards=world_sampling.hidden_cards,
    write_world=world_sampling.write_world,
    infer_beliefs=search_hooks.infer_beliefs,
    deal_by_beliefs=search_hooks.deal_by_beliefs,
    clear_secret_choices=playouts.clear_secret_choices,
    apply_candidate=playouts.apply_candidate,
    playout_styles=search_hooks.playout_styles,
    random_permille=adapter_defaults.usual_permille,
    playout_answer=search_hooks.playout_answer,
    playout_memory=policy_network.new_memory,
    write_prior=adapter_defaults.no_prior,
    trained_weights=policy_network.load_weights_by_table,
    table_kind=adapter_defaults.single_table_kind,
    turns_played=playouts.turns_played,
    value=playouts.value,
    outlook=search_hooks.outlook,
    win_bonus=1.0,
    count_events=playouts.count_events,
    candidates=search_hooks.candidates,
    representative=adapter_defaults.itself,
    is_set=adapter_defaults.never_a_set,
    answers_of=adapter_defaults.single_answer,
    plans=search_hooks.plans,
    max_worlds=adapter_defaults.same_worlds,
    card_of=playouts.card_of,
    has_no_secret_choice=playouts.has_no_secret_choice,
    equivalence_class=playouts.equivalence_class,
    position_key=equivalence.no_position_key,
    has_draws=True,
    search_params=search_params,
    level_error_sd=(0.055, 0.03, 0.018, 0.003, 0.0),
    bots_version="b854d3d2a4f2",
    reason_kinds=reasons.REASON_KINDS,
    write_reasons=reasons.write_reasons,
    obvious_card=reasons.obvious_card,
    unit=WIN_CHANCE,
    hint_worlds=3200,
    hint_params=search_hooks.WEIGHTED_SEARCH_PARAMS._replace(
        max_worlds=2400
    ),  # without the network, which would take four times as long to the end of the game
    material_difference=5.0,
    forecast_playouts=1000,
    in_reviews={
        "playout_answer": search_hooks.heuristic_playout_answer,
        "playout_memory": adapter_defaults.no_memory,
        "outlook": adapter_defaults.value_as_it_stands,
    },
)
