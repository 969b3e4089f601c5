"""What bots know of fourteen."""

from __future__ import annotations

from diamonds.bots.knowing import alike, contract, counting, plainly, reasoning
from diamonds.bots.knowing.contract import AS_IT_COMES, POINTS, Effort, Knowledge
from diamonds.bots.knowing.fourteen import playouts, reasons, thumb, worlds


def effort(worlds: int, horizon: int, sure: bool, own_way: bool) -> Effort:
    """All think to the end of the hand, however roughly."""
    return Effort(worlds=worlds, exact=sure)


KNOWLEDGE = Knowledge(
    modules=(thumb, worlds, playouts, alike, counting, plainly, reasons, reasoning),
    choose=thumb.choose,
    usual=AS_IT_COMES,
    habit=thumb.choose,
    needs=worlds.needs,
    fill=worlds.fill,
    believe=plainly.believe,
    share=plainly.share,
    forget=playouts.forget,
    give=playouts.give,
    manners=playouts.manners,
    go_on=playouts.go_on,
    learned=contract.nothing_learned,
    table=plainly.the_only_table,
    clock=playouts.clock,
    worth=playouts.worth,
    winning=6.0,
    hear=playouts.hear,
    candidates=plainly.candidates,  # because of F5, hardly two cards amount to the same
    same_kind=plainly.same_kind,
    sets=plainly.sets,
    answers=plainly.answers,
    plans=playouts.plans,
    card=playouts.card,
    shown=playouts.shown,
    kind=playouts.kind,
    key=alike.no_key,
    turned_up=False,
    effort=effort,
    slips=(1.8, 1.3, 0.7, 0.15, 0.0),
    because=reasons.BECAUSE,
    reasons=reasons.reasons,
    unit=POINTS,
    weighed=1000,
    material=0.3,
    forecasts=300,
)
