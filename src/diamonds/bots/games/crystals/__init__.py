"""The adapter of crystals."""

from __future__ import annotations

from diamonds.bots.games import adapter_defaults, equivalence, reason_kinds, void_chances
from diamonds.bots.games.adapter import NO_PLAN, POINTS, GameAdapter, SearchParams
from diamonds.bots.games.crystals import candidates, heuristics, playouts, reasons, trained_policy, world_sampling


def search_params(worlds: int, horizon: int, is_error_free: bool, game_specific: bool) -> SearchParams:
    """Return search parameters without a horizon: a search of two tricks is weaker than rules of thumb with errors."""
    return SearchParams(max_worlds=worlds, solve_endgame=is_error_free)


ADAPTER = GameAdapter(
    modules=(
        heuristics,
        trained_policy,
        world_sampling,
        candidates,
        playouts,
        equivalence,
        void_chances,
        adapter_defaults,
        reasons,
        reason_kinds,
    ),
    heuristic_answer=heuristics.heuristic_answer,
    default_plan=NO_PLAN,
    default_candidate=candidates.default_candidate,
    hidden_cards=world_sampling.hidden_cards,
    write_world=world_sampling.write_world,
    infer_beliefs=adapter_defaults.no_beliefs,
    deal_by_beliefs=adapter_defaults.no_belief_deal,
    clear_secret_choices=playouts.clear_secret_choices,
    apply_candidate=playouts.apply_candidate,
    playout_styles=playouts.playout_styles,
    random_permille=adapter_defaults.usual_permille,
    playout_answer=playouts.playout_answer,
    playout_memory=adapter_defaults.no_memory,
    write_prior=adapter_defaults.no_prior,
    trained_weights=trained_policy.load_weights,
    table_kind=trained_policy.table_kind,
    turns_played=playouts.turns_played,
    value=playouts.value,
    outlook=adapter_defaults.value_as_it_stands,
    win_bonus=6.0,
    count_events=playouts.count_events,
    candidates=candidates.candidates,
    representative=candidates.representative,
    is_set=candidates.is_set,
    answers_of=candidates.answers_of,
    plans=candidates.plans,
    max_worlds=adapter_defaults.same_worlds,
    card_of=candidates.card_of,
    has_no_secret_choice=playouts.has_no_secret_choice,
    equivalence_class=playouts.equivalence_class,
    position_key=playouts.position_key,
    has_draws=False,
    search_params=search_params,
    level_error_sd=(0.5, 0.35, 0.25, 0.05, 0.0),
    bots_version="5f0feb788569",
    reason_kinds=reasons.REASON_KINDS,
    write_reasons=reasons.write_reasons,
    obvious_card=reasons.obvious_card,
    unit=POINTS,
    hint_worlds=800,
    hint_params=SearchParams(initial_worlds=512),  # with 120 sets to pass, about 24 worlds for each
    material_difference=0.3,
    forecast_playouts=500,
)
