"""What bots know of crystals."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from diamonds import fields
from diamonds.bots.knowing import alike, counting
from diamonds.bots.knowing.contract import AS_IT_COMES, POINTS, TRAINED, Effort, Knowledge
from diamonds.bots.knowing.crystals import playouts, reasons, thumb, values, worlds
from diamonds.cards import LONG, bit, count, lowest, members
from diamonds.rules import crystals


def candidates(v: np.void, me: int, legal: int) -> list[int]:
    """Cards, one of each kind; sets to pass; other answers as they are."""
    if v["question"] == crystals.PLAY:
        return one_of_each_kind(v, me, legal)
    if v["question"] == crystals.PASS:
        chosen = int(v["chosen"][me])
        missing = int(v["passing"]) - count(chosen)
        above = [card for card in members(v["hand"][me]) if card >= lowest(legal)]
        found = [chosen | sum(1 << card for card in some) for some in combinations(above, missing)]
        return [cards for cards in found if legal >> lowest(cards & ~chosen) & 1]
    return list(members(legal))


def one_of_each_kind(v: np.void, me: int, legal: int) -> list[int]:
    """Of neighbouring cards of a suit only the lowest, when all between are own or gone in finished tricks."""
    between = int(v["hand"][me])
    table = 0
    for k in range(int(v["trick_size"])):
        table |= 1 << int(v["trick"][k])
    for seat in range(int(v["seats"])):
        between |= int(v["played"][seat]) & ~table
    kinds: list[int] = []
    last = -1
    for card in members(legal):
        gap = ((1 << card) - 1) & ~((1 << last + 1) - 1) if last >= 0 else 0
        if last < 0 or card // LONG != last // LONG or gap & ~between:
            kinds.append(card)
        last = card
    return kinds


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


def answers(v: np.void, me: int, candidate: int) -> list[int]:
    """The cards of a set that are not named yet, or the answer itself."""
    return list(members(candidate & ~int(v["chosen"][me]))) if sets(v) else [candidate]


def habit(v: np.void, me: int) -> int:
    """The answer by rules of thumb; of cards to pass, the set of them."""
    if not sets(v):
        return int(thumb.choose(v, me, AS_IT_COMES))
    going_on = fields.copy_state(v)
    for _ in range(int(v["passing"]) - count(int(v["chosen"][me]))):
        going_on["chosen"][me] |= bit(int(thumb.choose(going_on, me, AS_IT_COMES)))
    return int(going_on["chosen"][me])


def plans(v: np.void, me: int, effort: Effort) -> tuple[int, ...]:
    """To go by trained values, which take care of everything.

    But they look to the end of the round, so with a nearer horizon rules of thumb, and while the own seat has no trick also to stay
    without one (C20).
    """
    if effort.horizon == 0:
        return (TRAINED,)
    early = v["question"] in (crystals.PLAY, crystals.PASS) and v["tricks"][me] == 0
    return effort.plans if early else effort.plans[:1]


def card(v: np.void, candidate: int) -> int:
    """The card to play, or the highest of a set to pass."""
    if v["question"] == crystals.PLAY:
        return candidate
    return candidate.bit_length() - 1 if sets(v) else -1


def effort(worlds: int, horizon: int, sure: bool) -> Effort:
    """All think to the end of the round, however roughly: who looks at two tricks alone plays worse than rules of thumb with slips."""
    return Effort(worlds=worlds, exact=sure)


KNOWLEDGE = Knowledge(
    modules=(thumb, values, worlds, playouts, alike, counting),
    choose=thumb.choose,
    usual=AS_IT_COMES,
    habit=habit,
    needs=worlds.needs,
    fill=worlds.fill,
    forget=playouts.forget,
    give=playouts.give,
    own=playouts.own,
    numbers=values.numbers,
    clock=playouts.clock,
    worth=playouts.worth,
    winning=6.0,
    hear=playouts.hear,
    candidates=candidates,
    same_kind=same_kind,
    sets=sets,
    answers=answers,
    plans=plans,
    card=card,
    shown=playouts.shown,
    kind=playouts.kind,
    key=playouts.key,
    turned_up=False,
    effort=effort,
    slips=(0.5, 0.35, 0.15, 0.1, 0.0),
    own_search=None,
    reasons=reasons.reasons,
    unit=POINTS,
    weighed=800,
    material=0.3,
    forecasts=500,
)
