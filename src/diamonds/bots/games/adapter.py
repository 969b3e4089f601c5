"""What a game gives so that bots can think about it: one `GameAdapter` a game, and nothing else is asked of it.

Its functions are plain Python on rows, like the rules, and see a row of the game's own type: ``s`` a state or a world, ``v`` a view
with all that a perfect memory knows (`diamonds.bots.bot.bot_view`). Those marked *compiled* become part of kernels, so they and all that
they call are kept to what `diamonds.jit` can compile; ``modules`` are where they live. None of them needs the compiler itself.
A game may have a way of its own to think, for its best levels: where it differs, a function is told so by ``game_specific``.

A *candidate* is what is compared when a question is open: an answer, by number, or where several cards are named one after the
other (`sets`) the whole set of them, as bits. A *plan* is a number that a game gives its own meaning to; `NO_PLAN` and `TRAINED_PLAN`
mean the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, Literal, NamedTuple

import numpy as np

from diamonds.bots.games.reason_kinds import ReasonKind
from diamonds.fields import MAX_SEATS

SET_ASIDE = MAX_SEATS  # the holder, after the seats, of what no hand holds
HOLDER_COUNT = MAX_SEATS + 1

NO_PLAN = 0  # a plan: none
TRAINED_PLAN = 3  # a plan: by numbers that training has found (`GameAdapter.own`)

COUNT_COLUMNS = 11  # at most so many things are counted along the way (`GameAdapter.hear`)

ValueUnit = Literal["points", "%"]
POINTS: ValueUnit = "points"  # own points less the mean of the others'
WIN_CHANCE: ValueUnit = "%"  # hundredths of the chance to win: a game in which points are not what is won

WeightArray = np.ndarray[Any, np.dtype[np.int16]]


MAX_CANDIDATES = 560  # three cards of sixteen to pass, in crystals (C8, C24)
HALVING_THRESHOLD = (
    6  # candidates up to this many are only dropped for good reason; of more, the worse half goes at every step
)


class SearchParams(NamedTuple):
    """How hard to search, and how to choose among what was found.

    ``max_worlds`` are dealt at most, ``initial_worlds`` before anything is decided (for up to `HALVING_THRESHOLD` candidates).
    ``own_random_permille`` and ``other_random_permille`` are the random answers among one's own and the others', in thousandths. A candidate is dropped when it is
    ``drop_std_errors`` standard errors behind the best, ``drop_margin`` being added to its distance; of more than ``halving_threshold`` candidates the worse half is
    dropped at every step. What is usual is kept unless the best is ``default_std_errors`` standard errors ahead of it.
    ``plans`` are those tried with every candidate where plans matter, as bits (`GameAdapter.plans`). With a ``horizon`` nobody looks
    further ahead than so many tricks (in mines: turns), and what comes at the end of the round is not seen coming. ``solve_endgame``: the
    last tricks are played out where all cards are known (`diamonds.bots.search.endgame`). ``game_specific``: as the game itself
    has it, where it has one.

    Each candidate's worth is felt only up to an error of ``error_sd`` and a taste of ``suit_preference_sd``, both standard deviations, but none that is
    ``max_regret`` worse than the best is chosen; 0 for the best.
    """

    max_worlds: int = 600
    initial_worlds: int = 32
    own_random_permille: int = 0
    other_random_permille: int = 400
    drop_std_errors: float = 2.0
    drop_margin: float = 0.0
    halving_threshold: int = HALVING_THRESHOLD
    default_std_errors: float = 0.0
    plans: int = 0b11
    horizon: int = 0
    solve_endgame: bool = True
    game_specific: bool = False
    error_sd: float = 0.0
    suit_preference_sd: float = 0.0
    max_regret: float = 0.0


class JudgeParams(NamedTuple):
    """How a decision is judged: in how many worlds at a *glance*, and for *long* if it may have been a mistake; how often the true cards
    are played out for *hindsight*; and how many standard errors make a mistake ``certain``."""

    quick_worlds: int
    full_worlds: int
    true_deal_playouts: int
    mistake_std_errors: float


class SearchResult(NamedTuple):
    """What a search found: candidates, their mean worth, and how many worlds each had."""

    candidates: list[int]
    values: list[float]
    worlds: list[int]
    best_index: int  # the place of the best candidate


EQUAL_TOLERANCE = 1e-9  # such worths closer than this are equal


class GameAdapter(NamedTuple):
    """What is known of one game. Where a name stands in brackets, it is how people would ask for it."""

    modules: tuple[ModuleType, ...]

    # Rules of thumb
    heuristic_answer: Callable[[Any, int, int], Any]
    """(What would a sensible player answer?) ``choose(s, seat, plan)``, compiled: a legal answer that reads only what the seat may see."""
    default_plan: int
    """The plan that others are taken to follow in playouts."""
    default_candidate: Callable[[Any, int, int], Any]
    """``habit(s, me, plan)``, compiled: the candidate that `choose` would give, card by card if it is a set; it may change ``s`` on the way."""

    # Worlds
    hidden_cards: Callable[..., Any]
    """(What can this seat not see?) ``needs(v, me, sizes, banned)``, compiled: fills in how many unseen cards each of `HOLDER_COUNT` has, and
    which suits not, as bits; returns the unseen cards that are anywhere."""
    write_world: Callable[..., Any]
    """(Lay them there.) ``fill(s, me, hands, deck, rng)``, compiled: writes dealt cards, by holder, into a row that holds the view, and
    draws what else is hidden; returns whether the game could have come to this."""
    infer_beliefs: Callable[..., Any]
    """``believe(v, me, unseen, sizes, own_way)``, compiled: what is believed of where the unseen cards are, for `share`."""
    deal_by_beliefs: Callable[..., Any]
    """``share(unseen, me, beliefs, hands, rng)``, compiled: deals the unseen cards by beliefs, and returns whether it has; if not, they are
    dealt evenly."""

    # Playouts
    clear_secret_choices: Callable[..., Any]
    """``forget(s, me)``, compiled: in playouts others choose by themselves what a world says they have chosen in secret."""
    apply_candidate: Callable[..., Any]
    """``give(s, me, candidate, log)``, compiled: gives a candidate's answer, or all of a set."""
    playout_styles: Callable[..., Any]
    """``manners(plan, luck)``, compiled: how one's own seat goes on, and how the others do, of the same type; ``luck``, below 1000, is drawn
    once a world, for nobody knows how those play whom they sit across from."""
    playout_answer: Callable[..., Any]
    """``go_on(s, seat, manner, numbers)``, compiled: what a seat answers in a playout that goes on in this manner."""
    trained_weights: Callable[[], WeightArray | None]
    """``learned()``: what training has found, a row for each kind of table; ``None`` if nothing has been trained."""
    table_kind: Callable[..., Any]
    """``table(s)``, compiled: which row of it is for tables like this one."""
    turns_played: Callable[..., Any]
    """``clock(s)``, compiled: how many tricks (or turns) are over: the moments at which people look up."""
    value: Callable[..., Any]
    """``worth(s, me, winning)``, compiled: what a row is worth at the end of a playout, and ``winning`` more where the game is won."""
    win_bonus: float
    """What winning is worth beside the margin."""
    count_events: Callable[..., Any]
    """``hear(log, s, me, counts, first)``, compiled: counts what one answer has told, in up to `COUNT_COLUMNS` columns; ``first`` is whether the
    trick on the table is still to be won, and what it returns is that from now on."""

    # What is compared
    candidates: Callable[..., Any]
    """``candidates(v, me, legal, own_way, found)``, compiled: one of each class of answers that amount to the same, or sets that go on from
    what is named already; fills them in, in ascending order, and returns how many there are (at most `MAX_CANDIDATES`)."""
    representative: Callable[..., Any]
    """``same_kind(v, candidates, candidate)``, compiled: the one among all candidates, in ascending order, that stands for another."""
    is_set: Callable[[Any], Any]
    """``sets(v)``, compiled: whether a candidate is a set, as bits, whose members are named one after the other."""
    answers_of: Callable[..., Any]
    """``answers(v, me, candidate)``, compiled: the answers that make up a candidate and are still to be given, as bits: the lowest first."""
    plans: Callable[..., Any]
    """``plans(v, me, effort)``, compiled: the plans worth trying with each candidate, as bits. By the lowest the own seat's usual answer is found."""
    card_of: Callable[..., Any]
    """``card(v, candidate)``, compiled: the card by whose suit a candidate is to someone's taste; −1 for none."""

    # The last tricks
    has_no_secret_choice: Callable[..., Any]
    """``shown(s)``, compiled: whether nothing is chosen in secret."""
    equivalence_class: Callable[..., Any]
    """``kind(s, seat, answers)``, compiled: the lowest of some answers, and those that amount to the same with all cards known."""
    position_key: Callable[..., Any]
    """``key(s)``, compiled: a number for all that the rest depends on, or 0 for none."""
    has_draws: bool
    """Whether cards that no hand holds may come into play yet."""

    # Levels
    search_params: Callable[[int, int, bool, bool], SearchParams]
    """``effort(worlds, horizon, sure, own_way)``: how hard a level searches that has so many worlds, looks so many turns ahead, if
    rounds of the game are long enough for that, slips or is sure, and thinks as the game itself has it, if it has a way of its own."""
    level_error_sd: tuple[float, ...]
    """How far each level, from the first to the best, misjudges an answer's worth: one standard deviation; 0 for never."""

    # Hints and reviews
    reason_kinds: tuple[ReasonKind, ...]
    """The reasons that there can be."""
    write_reasons: Callable[..., Any]
    """``reasons(v, me, candidate, counts, rival, more, notes)``, compiled: why a candidate is good, or not, beside a rival: what was heard
    after it (`hear`), and how much more of it than after the rival. Notes what holds (`reasoning.note`), and returns how much that is."""
    unit: ValueUnit
    hint_worlds: int
    """Fresh worlds in which a hint weighs the best answers."""
    material_difference: float
    """A difference, in the unit, that is worth pointing out."""
    forecast_playouts: int
    """Games played on from each moment of a review."""

    @property
    def measures_win_chance(self) -> bool:
        """Whether chances to win are measured, and not points."""
        return self.unit == WIN_CHANCE

    def weights_for(self, row: np.void) -> WeightArray | None:
        """What training has found about tables like this one, if anything."""
        weights = self.trained_weights()
        return None if weights is None else weights[self.table_kind(row)]


def no_training() -> None:
    """`GameAdapter.learned` where nothing has been trained."""
