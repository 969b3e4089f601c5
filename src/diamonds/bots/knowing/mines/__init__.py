"""What bots know of mines. Its two best levels think in a way of their own (`digging`)."""

from __future__ import annotations

from diamonds.bots.knowing import alike, contract, plainly, reasoning
from diamonds.bots.knowing.contract import CHANCE, Effort, Knowledge
from diamonds.bots.knowing.mines import digging, likely, playouts, reasons, thumb, weights, worlds

MORE = 12  # times as many worlds as in other games: one game hangs on what lies in a few piles


def effort(worlds: int, horizon: int, sure: bool, own_way: bool) -> Effort:
    """More worlds, and more doubt."""
    if own_way:
        return digging.EFFORT if sure else digging.EFFORT._replace(worlds=MORE * worlds, first=16)
    return Effort(worlds=MORE * worlds, noise=100, gate=2.0, horizon=horizon, exact=False)


KNOWLEDGE = Knowledge(
    modules=(thumb, weights, likely, worlds, digging, playouts, alike, plainly, reasons, reasoning),
    choose=thumb.choose,
    usual=thumb.IMPROVED,
    habit=thumb.choose,
    needs=worlds.needs,
    fill=worlds.fill,
    believe=digging.believe,
    share=digging.share,
    forget=playouts.forget,
    give=playouts.give,
    manners=digging.manners,
    go_on=digging.go_on,
    learned=contract.nothing_learned,
    table=plainly.the_only_table,
    clock=playouts.clock,
    worth=playouts.worth,
    winning=1.0,
    hear=playouts.hear,
    candidates=digging.candidates,
    same_kind=plainly.same_kind,
    sets=plainly.sets,
    answers=plainly.answers,
    plans=digging.plans,
    card=playouts.card,
    shown=playouts.shown,
    kind=playouts.kind,
    key=alike.no_key,
    turned_up=True,
    effort=effort,
    slips=(0.055, 0.03, 0.018, 0.003, 0.0),
    because=reasons.BECAUSE,
    reasons=reasons.reasons,
    unit=CHANCE,
    weighed=800,
    material=5.0,
    forecasts=1000,
)
