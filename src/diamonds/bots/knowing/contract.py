"""What a game gives so that bots can think about it: one `Knowledge` a game, and nothing else is asked of it.

Its functions are plain Python on rows, like the rules, and see a row of the game's own type: ``s`` a state or a world, ``v`` a view
with all that a perfect memory knows (`diamonds.bots.bot.see`). Those marked *compiled* become part of kernels, so they and all that
they call are kept to what `diamonds.jit` can compile; ``modules`` are where they live. None of them needs the compiler itself.

A *candidate* is what is compared when a question is open: an answer, by number, or where several cards are named one after the
other (`sets`) the whole set of them, as bits. A *plan* is a number that a game gives its own meaning to; `AS_IT_COMES` and `TRAINED`
mean the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any, Literal, NamedTuple

import numpy as np

from diamonds.bots.knowing.reasoning import Reason
from diamonds.fields import SEATS

ASIDE = SEATS  # the holder, after the seats, of what no hand holds
HOLDERS = SEATS + 1

AS_IT_COMES = 0  # a plan: none
TRAINED = 3  # a plan: by numbers that training has found (`Knowledge.own`)

COLUMNS = 11  # at most so many things are counted along the way (`Knowledge.hear`)

Unit = Literal["points", "%"]
POINTS: Unit = "points"  # own points less the mean of the others'
CHANCE: Unit = "%"  # hundredths of the chance to win: a game in which points are not what is won

type_of_numbers = np.ndarray[Any, np.dtype[np.int16]]
NO_NUMBERS: type_of_numbers = np.zeros(1, np.int16)


class Effort(NamedTuple):
    """How hard to search.

    ``worlds`` are dealt at most, ``first`` before anything is decided (for up to `search.FEW` candidates). ``own_noise`` and
    ``noise`` are the random answers among one's own and the others', in thousandths. A candidate is dropped when it is ``doubt``
    standard errors behind the best; what the rules of thumb would answer is kept unless the best is ``gate`` ahead of it.
    ``plans`` are those tried with every candidate where plans matter (`Knowledge.plans`). With a ``horizon`` nobody looks further
    ahead than so many tricks (in mines: turns), and what comes at the end of the round is not seen coming. ``exact``: the
    last tricks are played out where all cards are known (`diamonds.bots.thinking.exact`).
    """

    worlds: int = 600
    first: int = 32
    own_noise: int = 0
    noise: int = 400
    doubt: float = 2.0
    plans: tuple[int, ...] = (0, 1)
    gate: float = 0.0
    horizon: int = 0
    exact: bool = True


class Found(NamedTuple):
    """What a search found: candidates, their mean worth, and how many worlds each had."""

    candidates: list[int]
    worth: list[float]
    worlds: list[int]
    best: int  # the place of the best candidate


Solve = Callable[[Any, int, Sequence[int]], list[float] | None]
"""``solve(v, me, candidates)``: what each is worth exactly, where the view leaves one world and little to play; else ``None``."""
SAME = 1e-9  # such worths closer than this are equal


class Knowledge(NamedTuple):
    """What is known of one game. Where a name stands in brackets, it is how people would ask for it."""

    modules: tuple[ModuleType, ...]

    # Rules of thumb
    choose: Callable[[Any, int, int], Any]
    """(What would a sensible player answer?) ``choose(s, seat, plan)``, compiled: a legal answer that reads only what the seat may see."""
    usual: int
    """The plan that others are taken to follow in playouts."""
    habit: Callable[[Any, int], int]
    """``habit(v, me)``: the candidate that rules of thumb would give."""

    # Worlds
    needs: Callable[..., Any]
    """(What can this seat not see?) ``needs(v, me, sizes, banned)``, compiled: fills in how many unseen cards each of `HOLDERS` has, and
    which suits not, as bits; returns the unseen cards that are anywhere."""
    fill: Callable[..., Any]
    """(Lay them there.) ``fill(s, me, hands, deck, rng)``, compiled: writes dealt cards, by holder, into a row that holds the view, and
    draws what else is hidden; returns whether the game could have come to this."""

    # Playouts
    forget: Callable[..., Any]
    """``forget(s, me)``, compiled: in playouts others choose by themselves what a world says they have chosen in secret."""
    give: Callable[..., Any]
    """``give(s, me, candidate, log)``, compiled: gives a candidate's answer, or all of a set."""
    own: Callable[..., Any]
    """``own(s, me, plan, numbers)``, compiled: how one's own seat goes on."""
    numbers: Callable[[Any], type_of_numbers]
    """``numbers(row)``: what training has found about tables like this one; `NO_NUMBERS` where nothing was."""
    clock: Callable[..., Any]
    """``clock(s)``, compiled: how many tricks (or turns) are over: the moments at which people look up."""
    worth: Callable[..., Any]
    """``worth(s, me, winning)``, compiled: what a row is worth at the end of a playout, and ``winning`` more where the game is won."""
    winning: float
    """What winning is worth beside the margin."""
    hear: Callable[..., Any]
    """``hear(log, s, me, counts, first)``, compiled: counts what one answer has told, in up to `COLUMNS` columns; ``first`` is whether the
    trick on the table is still to be won, and what it returns is that from now on."""

    # What is compared
    candidates: Callable[[Any, int, int], list[int]]
    """``candidates(v, me, legal)``: one of each class of answers that amount to the same; or sets that go on from what is named already."""
    same_kind: Callable[[Any, list[int], int], int]
    """``same_kind(v, candidates, candidate)``: the one among them that stands for another; `ValueError` if none does."""
    sets: Callable[[Any], bool]
    """``sets(v)``: whether a candidate is a set, as bits, whose members are named one after the other."""
    answers: Callable[[Any, int, int], list[int]]
    """``answers(v, me, candidate)``: the answers that make up a candidate and are still to be given, in order."""
    plans: Callable[[Any, int, Effort], tuple[int, ...]]
    """``plans(v, me, effort)``: the plans worth trying with each candidate."""
    card: Callable[[Any, int], int]
    """``card(v, candidate)``: the card by whose suit a candidate is to someone's taste; −1 for none."""

    # The last tricks
    shown: Callable[..., Any]
    """``shown(s)``, compiled: whether nothing is chosen in secret."""
    kind: Callable[..., Any]
    """``kind(s, seat, answers)``, compiled: the lowest of some answers, and those that amount to the same with all cards known."""
    key: Callable[..., Any]
    """``key(s)``, compiled: a number for all that the rest depends on, or 0 for none."""
    turned_up: bool
    """Whether cards that no hand holds may come into play yet."""

    # Levels
    effort: Callable[[int, int, bool], Effort]
    """``effort(worlds, horizon, sure)``: how hard a level searches that has so many worlds, looks so many turns ahead, if rounds of
    the game are long enough for that, and slips or is sure."""
    slips: tuple[float, ...]
    """How far each level, from the first to the best, misjudges an answer's worth: one standard deviation; 0 for never."""
    own_search: Callable[[Any, int, int, bool, int, Solve], Found] | None
    """``own_search(v, me, worlds, sure, seed, solve)``: a search of the game's own, for the best levels; ``None`` if there is none."""

    # Hints and reviews
    reasons: Callable[[Any, int, int, Any, int, Any], Iterator[Reason]]
    """``reasons(v, me, candidate, counts, rival, more)``: why a candidate is good, or not, beside a rival: what was heard after it (`hear`),
    and how much more of it than after the rival."""
    unit: Unit
    weighed: int
    """Fresh worlds in which a hint weighs the best answers."""
    material: float
    """A difference, in the unit, that is worth pointing out."""
    forecasts: int
    """Games played on from each moment of a review."""


def one_answer(v: np.void, candidates: list[int], candidate: int) -> int:
    """`Knowledge.same_kind` where every answer is of a kind of its own."""
    if candidate not in candidates:
        raise ValueError(f"{candidate} is not among the answers compared.")
    return candidate


def no_sets(v: np.void) -> bool:
    """`Knowledge.sets` where there are none."""
    return False


def by_itself(v: np.void, me: int, candidate: int) -> list[int]:
    """`Knowledge.answers` where there are no sets."""
    return [candidate]


def no_numbers(row: np.void) -> type_of_numbers:
    """`Knowledge.numbers` where nothing has been trained."""
    return NO_NUMBERS
