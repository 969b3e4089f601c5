"""What a game gives so that bots can think about it: one `Knowledge` a game, and nothing else is asked of it.

Its functions are plain Python on rows, like the rules, and see a row of the game's own type: ``s`` a state or a world, ``v`` a view
with all that a perfect memory knows (`diamonds.bots.bot.see`). Those marked *compiled* become part of kernels, so they and all that
they call are kept to what `diamonds.jit` can compile; ``modules`` are where they live. None of them needs the compiler itself.
A game may have a way of its own to think, for its best levels: where it differs, a function is told so by ``own_way``.

A *candidate* is what is compared when a question is open: an answer, by number, or where several cards are named one after the
other (`sets`) the whole set of them, as bits. A *plan* is a number that a game gives its own meaning to; `AS_IT_COMES` and `TRAINED`
mean the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, Literal, NamedTuple

import numpy as np

from diamonds.bots.knowing.reasoning import Because
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


MOST_CANDIDATES = 560  # three cards of sixteen to pass, in crystals (C8, C24)
FEW = 6  # candidates up to this many are only dropped for good reason; of more, the worse half goes at every step


class Effort(NamedTuple):
    """How hard to search, and how to choose among what was found.

    ``worlds`` are dealt at most, ``first`` before anything is decided (for up to `FEW` candidates). ``own_noise`` and
    ``noise`` are the random answers among one's own and the others', in thousandths. A candidate is dropped when it is ``doubt``
    standard errors behind the best, ``close`` being added to its distance; of more than ``few`` candidates the worse half is
    dropped at every step. What is usual is kept unless the best is ``gate`` standard errors ahead of it.
    ``plans`` are those tried with every candidate where plans matter, as bits (`Knowledge.plans`). With a ``horizon`` nobody looks
    further ahead than so many tricks (in mines: turns), and what comes at the end of the round is not seen coming. ``exact``: the
    last tricks are played out where all cards are known (`diamonds.bots.thinking.exact`). ``own_way``: as the game itself
    has it, where it has one.

    Each candidate's worth is felt only up to an error of ``slip`` and a taste of ``taste``, both standard deviations, but none that is
    ``bound`` worse than the best is chosen; 0 for the best.
    """

    worlds: int = 600
    first: int = 32
    own_noise: int = 0
    noise: int = 400
    doubt: float = 2.0
    close: float = 0.0
    few: int = FEW
    gate: float = 0.0
    plans: int = 0b11
    horizon: int = 0
    exact: bool = True
    own_way: bool = False
    slip: float = 0.0
    taste: float = 0.0
    bound: float = 0.0


class Looks(NamedTuple):
    """How a decision is judged: in how many worlds at a *glance*, and for *long* if it may have been a mistake; how often the true cards
    are played out for *hindsight*; and how many standard errors make a mistake ``certain``."""

    glance: int
    long: int
    hindsight: int
    certain: float


class Found(NamedTuple):
    """What a search found: candidates, their mean worth, and how many worlds each had."""

    candidates: list[int]
    worth: list[float]
    worlds: list[int]
    best: int  # the place of the best candidate


SAME = 1e-9  # such worths closer than this are equal


class Knowledge(NamedTuple):
    """What is known of one game. Where a name stands in brackets, it is how people would ask for it."""

    modules: tuple[ModuleType, ...]

    # Rules of thumb
    choose: Callable[[Any, int, int], Any]
    """(What would a sensible player answer?) ``choose(s, seat, plan)``, compiled: a legal answer that reads only what the seat may see."""
    usual: int
    """The plan that others are taken to follow in playouts."""
    habit: Callable[[Any, int, int], Any]
    """``habit(s, me, plan)``, compiled: the candidate that `choose` would give, card by card if it is a set; it may change ``s`` on the way."""

    # Worlds
    needs: Callable[..., Any]
    """(What can this seat not see?) ``needs(v, me, sizes, banned)``, compiled: fills in how many unseen cards each of `HOLDERS` has, and
    which suits not, as bits; returns the unseen cards that are anywhere."""
    fill: Callable[..., Any]
    """(Lay them there.) ``fill(s, me, hands, deck, rng)``, compiled: writes dealt cards, by holder, into a row that holds the view, and
    draws what else is hidden; returns whether the game could have come to this."""
    believe: Callable[..., Any]
    """``believe(v, me, unseen, sizes, own_way)``, compiled: what is believed of where the unseen cards are, for `share`."""
    share: Callable[..., Any]
    """``share(unseen, me, beliefs, hands, rng)``, compiled: deals the unseen cards by beliefs, and returns whether it has; if not, they are
    dealt evenly."""

    # Playouts
    forget: Callable[..., Any]
    """``forget(s, me)``, compiled: in playouts others choose by themselves what a world says they have chosen in secret."""
    give: Callable[..., Any]
    """``give(s, me, candidate, log)``, compiled: gives a candidate's answer, or all of a set."""
    manners: Callable[..., Any]
    """``manners(plan, luck)``, compiled: how one's own seat goes on, and how the others do, of the same type; ``luck``, below 1000, is drawn
    once a world, for nobody knows how those play whom they sit across from."""
    go_on: Callable[..., Any]
    """``go_on(s, seat, manner, numbers)``, compiled: what a seat answers in a playout that goes on in this manner."""
    learned: Callable[[], type_of_numbers | None]
    """``learned()``: what training has found, a row for each kind of table; ``None`` if nothing has been trained."""
    table: Callable[..., Any]
    """``table(s)``, compiled: which row of it is for tables like this one."""
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
    candidates: Callable[..., Any]
    """``candidates(v, me, legal, own_way, found)``, compiled: one of each class of answers that amount to the same, or sets that go on from
    what is named already; fills them in, in ascending order, and returns how many there are (at most `MOST_CANDIDATES`)."""
    same_kind: Callable[..., Any]
    """``same_kind(v, candidates, candidate)``, compiled: the one among all candidates, in ascending order, that stands for another."""
    sets: Callable[[Any], Any]
    """``sets(v)``, compiled: whether a candidate is a set, as bits, whose members are named one after the other."""
    answers: Callable[..., Any]
    """``answers(v, me, candidate)``, compiled: the answers that make up a candidate and are still to be given, as bits: the lowest first."""
    plans: Callable[..., Any]
    """``plans(v, me, effort)``, compiled: the plans worth trying with each candidate, as bits. By the lowest the own seat's usual answer is found."""
    card: Callable[..., Any]
    """``card(v, candidate)``, compiled: the card by whose suit a candidate is to someone's taste; −1 for none."""

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
    effort: Callable[[int, int, bool, bool], Effort]
    """``effort(worlds, horizon, sure, own_way)``: how hard a level searches that has so many worlds, looks so many turns ahead, if
    rounds of the game are long enough for that, slips or is sure, and thinks as the game itself has it, if it has a way of its own."""
    slips: tuple[float, ...]
    """How far each level, from the first to the best, misjudges an answer's worth: one standard deviation; 0 for never."""

    # Hints and reviews
    because: tuple[Because, ...]
    """The reasons that there can be."""
    reasons: Callable[..., Any]
    """``reasons(v, me, candidate, counts, rival, more, notes)``, compiled: why a candidate is good, or not, beside a rival: what was heard
    after it (`hear`), and how much more of it than after the rival. Notes what holds (`reasoning.note`), and returns how much that is."""
    unit: Unit
    weighed: int
    """Fresh worlds in which a hint weighs the best answers."""
    material: float
    """A difference, in the unit, that is worth pointing out."""
    forecasts: int
    """Games played on from each moment of a review."""

    @property
    def by_chance(self) -> bool:
        """Whether chances to win are measured, and not points."""
        return self.unit == CHANCE

    def numbers(self, row: np.void) -> type_of_numbers | None:
        """What training has found about tables like this one, if anything."""
        learned = self.learned()
        return None if learned is None else learned[self.table(row)]


def nothing_learned() -> None:
    """`Knowledge.learned` where nothing has been trained."""
