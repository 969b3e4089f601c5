"""What bots know of mines. Its best levels think in a way of their own (`digging`)."""

from __future__ import annotations

import numpy as np

from diamonds.bots.knowing import alike, contract
from diamonds.bots.knowing.contract import AS_IT_COMES, CHANCE, Effort, Found, Knowledge, Solve
from diamonds.bots.knowing.mines import playouts, reasons, thumb, worlds
from diamonds.cards import members
from diamonds.rules import mines

MORE = 12  # times as many worlds as in other games: one game hangs on what lies in a few piles


def candidates(v: np.void, me: int, legal: int) -> list[int]:
    """All answers."""
    return list(members(legal))


def habit(v: np.void, me: int) -> int:
    """The answer by rules of thumb."""
    return int(thumb.choose(v, me, AS_IT_COMES))


def plans(v: np.void, me: int, effort: Effort) -> tuple[int, ...]:
    """Rules of thumb, improved."""
    return (thumb.IMPROVED,)


def card(v: np.void, candidate: int) -> int:
    """The card to hand over (M9): of all others their use decides, not taste."""
    return candidate if v["question"] == mines.GIVE else -1


def effort(worlds: int, horizon: int, sure: bool) -> Effort:
    """More worlds, and more doubt."""
    return Effort(worlds=MORE * worlds, noise=100, gate=2.0, horizon=horizon, exact=False)


def own_search(v: np.void, me: int, worlds: int, sure: bool, seed: int, solve: Solve) -> Found:
    """The search in `digging`, which is loaded when it is first needed: it brings the compiler."""
    from diamonds.bots.knowing.mines import digging

    pains = digging.Pains() if sure else digging.Pains(worlds=MORE * worlds, first=16)
    return digging.search(v, me, pains, seed, solve)


KNOWLEDGE = Knowledge(
    modules=(thumb, worlds, playouts, alike),
    choose=thumb.choose,
    usual=thumb.IMPROVED,
    habit=habit,
    needs=worlds.needs,
    fill=worlds.fill,
    forget=playouts.forget,
    give=playouts.give,
    own=playouts.own,
    numbers=contract.no_numbers,
    clock=playouts.clock,
    worth=playouts.worth,
    winning=1.0,
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
    turned_up=True,
    effort=effort,
    slips=(0.055, 0.03, 0.018, 0.003, 0.0),
    own_search=own_search,
    reasons=reasons.reasons,
    unit=CHANCE,
    weighed=800,
    material=5.0,
    forecasts=1000,
)
