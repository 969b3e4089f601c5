"""The adapter of fourteen."""

from __future__ import annotations

from diamonds.bots.games import adapter_defaults, equivalence, reason_kinds, void_chances
from diamonds.bots.games.adapter import NO_PLAN, POINTS, TRAINED_PLAN, GameAdapter, SearchParams
from diamonds.bots.games.fourteen import heuristics, playouts, policy_network, reasons, world_sampling
from diamonds.cards import bit

PRIOR_WORLDS = 300  # the network's opinion of a card weighs as much as this many worlds


def search_params(worlds: int, horizon: int, is_error_free: bool, game_specific: bool) -> SearchParams:
    """Return search parameters without a horizon: every level plays hands out, the best one with the network."""
    plans = bit(TRAINED_PLAN) if is_error_free else bit(NO_PLAN)
    return SearchParams(
        max_worlds=worlds, solve_endgame=is_error_free, plans=plans, prior_worlds=PRIOR_WORLDS if is_error_free else 0
    )


ADAPTER = GameAdapter(
    modules=(
        heuristics,
        policy_network,
        world_sampling,
        playouts,
        equivalence,
        void_chances,
        adapter_defaults,
        reasons,
        reason_kinds,
    ),
    heuristic_answer=heuristics.heuristic_answer,
    default_plan=NO_PLAN,
    default_candidate=heuristics.heuristic_answer,
    hidden_cards=world_sampling.hidden_cards,
    write_world=world_sampling.write_world,
    infer_beliefs=adapter_defaults.no_beliefs,
    deal_by_beliefs=adapter_defaults.no_belief_deal,
    clear_secret_choices=playouts.clear_secret_choices,
    apply_candidate=playouts.apply_candidate,
    playout_styles=playouts.playout_styles,
    random_permille=playouts.random_permille,
    playout_answer=playouts.playout_answer,
    playout_memory=policy_network.new_memory,
    write_prior=playouts.write_prior,
    trained_weights=policy_network.load_weights_by_table,
    table_kind=adapter_defaults.single_table_kind,
    turns_played=playouts.turns_played,
    value=playouts.value,
    outlook=adapter_defaults.value_as_it_stands,
    win_bonus=6.0,
    count_events=playouts.count_events,
    candidates=adapter_defaults.all_answers,  # because of F5, hardly any two cards are equivalent
    representative=adapter_defaults.itself,
    is_set=adapter_defaults.never_a_set,
    answers_of=adapter_defaults.single_answer,
    plans=playouts.plans,
    max_worlds=playouts.max_worlds,
    card_of=playouts.card_of,
    has_no_secret_choice=playouts.has_no_secret_choice,
    equivalence_class=playouts.equivalence_class,
    position_key=equivalence.no_position_key,
    has_draws=False,
    search_params=search_params,
    level_error_sd=(1.8, 1.3, 0.7, 0.15, 0.0),
    bots_version="8266a8e2aed2",
    reason_kinds=reasons.REASON_KINDS,
    write_reasons=reasons.write_reasons,
    obvious_card=reasons.obvious_card,
    unit=POINTS,
    hint_worlds=1000,
    hint_params=SearchParams(),
    material_difference=0.3,
    forecast_playouts=300,
    in_reviews={
        "playout_answer": playouts.heuristic_playout_answer,
        "playout_memory": adapter_defaults.no_memory,
        "write_prior": adapter_defaults.no_prior,
    },
)
