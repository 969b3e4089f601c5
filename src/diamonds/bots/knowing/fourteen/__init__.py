"""What bots know of fourteen."""

from __future__ import annotations

import numpy as np

from diamonds.bots.knowing import alike, contract, counting
from diamonds.bots.knowing.contract import AS_IT_COMES, POINTS, Effort, Knowledge
from diamonds.bots.knowing.fourteen import playouts, reasons, thumb, worlds
from diamonds.cards import members
from diamonds.rules import fourteen


def candidates(v: np.void, me: int, legal: int) -> list[int]:
    """All answers: because of F5, hardly two cards amount to the same."""
    return list(members(legal))


def habit(v: np.void, me: int) -> int:
    """The answer by rules of thumb."""
    return int(thumb.choose(v, me, AS_IT_COMES))


def plans(v: np.void, me: int, effort: Effort) -> tuple[int, ...]:
    """There is one."""
    return effort.plans[:1]


def card(v: np.void, candidate: int) -> int:
    """The card to play."""
    return candidate if v["question"] == fourteen.PLAY else -1


def effort(worlds: int, horizon: int, sure: bool) -> Effort:
    """All think to the end of the hand, however roughly."""
    return Effort(worlds=worlds, exact=sure)


KNOWLEDGE = Knowledge(
    modules=(thumb, worlds, playouts, alike, counting),
    choose=thumb.choose,
    usual=AS_IT_COMES,
    habit=habit,
    needs=worlds.needs,
    fill=worlds.fill,
    forget=playouts.forget,
    give=playouts.give,
    own=playouts.own,
    numbers=contract.no_numbers,
    clock=playouts.clock,
    worth=playouts.worth,
    winning=6.0,
    hear=playouts.hear,
    candidates=candidates,
    same_kind=contract.one_answer,
    sets=contract.no_sets,
    answers=contract.by_itself,
    plans=plans,
    card=card,
    shown=playouts.shown,
    kind=playouts.kind,
    key=alike.no_key,
    turned_up=False,
    effort=effort,
    slips=(1.8, 1.3, 0.7, 0.15, 0.0),
    own_search=None,
    reasons=reasons.reasons,
    unit=POINTS,
    weighed=1000,
    material=0.3,
    forecasts=300,
)
