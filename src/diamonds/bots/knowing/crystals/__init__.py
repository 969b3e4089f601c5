"""What bots know of crystals."""

from __future__ import annotations

import numpy as np

from diamonds import fields
from diamonds.bots.knowing import alike, counting, plainly
from diamonds.bots.knowing.contract import AS_IT_COMES, POINTS, Effort, Knowledge
from diamonds.bots.knowing.crystals import choices, playouts, reasons, thumb, values, worlds
from diamonds.cards import LONG, bit, count
from diamonds.rules import crystals


def same_kind(v: np.void, candidates: list[int], candidate: int) -> int:
    """Of neighbouring cards that amount to the same, the lowest is compared."""
    if candidate in candidates or v["question"] == crystals.PASS:
        return candidate
    if v["question"] != crystals.PLAY:
        raise ValueError(f"{candidate} is not among the answers compared.")
    return max(one for one in candidates if one <= candidate and one // LONG == candidate // LONG)


def sets(v: np.void) -> bool:
    """C9: cards to pass are named one after the other."""
    return bool(v["question"] == crystals.PASS)


def habit(v: np.void, me: int) -> int:
    """The answer by rules of thumb; of cards to pass, the set of them."""
    if not sets(v):
        return int(thumb.choose(v, me, AS_IT_COMES))
    going_on = fields.copy_state(v)
    for _ in range(int(v["passing"]) - count(int(v["chosen"][me]))):
        going_on["chosen"][me] |= bit(int(thumb.choose(going_on, me, AS_IT_COMES)))
    return int(going_on["chosen"][me])


def effort(worlds: int, horizon: int, sure: bool, own_way: bool) -> Effort:
    """All think to the end of the round, however roughly: who looks at two tricks alone plays worse than rules of thumb with slips."""
    return Effort(worlds=worlds, exact=sure)


KNOWLEDGE = Knowledge(
    modules=(thumb, values, worlds, choices, playouts, alike, counting, plainly),
    choose=thumb.choose,
    usual=AS_IT_COMES,
    habit=habit,
    needs=worlds.needs,
    fill=worlds.fill,
    believe=plainly.believe,
    share=plainly.share,
    forget=playouts.forget,
    give=playouts.give,
    manners=playouts.manners,
    go_on=playouts.go_on,
    numbers=values.numbers,
    clock=playouts.clock,
    worth=playouts.worth,
    winning=6.0,
    hear=playouts.hear,
    candidates=choices.candidates,
    same_kind=same_kind,
    sets=sets,
    answers=choices.answers,
    plans=choices.plans,
    card=choices.card,
    shown=playouts.shown,
    kind=playouts.kind,
    key=playouts.key,
    turned_up=False,
    effort=effort,
    slips=(0.5, 0.35, 0.15, 0.1, 0.0),
    reasons=reasons.reasons,
    unit=POINTS,
    weighed=800,
    material=0.3,
    forecasts=500,
)
