"""What bots know of crystals."""

from __future__ import annotations

from diamonds.bots.knowing import alike, counting, plainly, reasoning
from diamonds.bots.knowing.contract import AS_IT_COMES, POINTS, Effort, Knowledge
from diamonds.bots.knowing.crystals import choices, playouts, reasons, thumb, values, worlds


def effort(worlds: int, horizon: int, sure: bool, own_way: bool) -> Effort:
    """All think to the end of the round, however roughly: who looks at two tricks alone plays worse than rules of thumb with slips."""
    return Effort(worlds=worlds, exact=sure)


KNOWLEDGE = Knowledge(
    modules=(thumb, values, worlds, choices, playouts, alike, counting, plainly, reasons, reasoning),
    choose=thumb.choose,
    usual=AS_IT_COMES,
    habit=choices.habit,
    needs=worlds.needs,
    fill=worlds.fill,
    believe=plainly.believe,
    share=plainly.share,
    forget=playouts.forget,
    give=playouts.give,
    manners=playouts.manners,
    go_on=playouts.go_on,
    learned=values.values,
    table=values.table,
    clock=playouts.clock,
    worth=playouts.worth,
    winning=6.0,
    hear=playouts.hear,
    candidates=choices.candidates,
    same_kind=choices.same_kind,
    sets=choices.sets,
    answers=choices.answers,
    plans=choices.plans,
    card=choices.card,
    shown=playouts.shown,
    kind=playouts.kind,
    key=playouts.key,
    turned_up=False,
    effort=effort,
    slips=(0.5, 0.35, 0.25, 0.05, 0.0),
    because=reasons.BECAUSE,
    reasons=reasons.reasons,
    unit=POINTS,
    weighed=800,
    material=0.3,
    forecasts=500,
)
