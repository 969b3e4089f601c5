"""`GameAdapter`: everything that bots need from a game beyond its rules.

Its functions are plain Python on rows, like the rules, and get a row of the game's own type: ``s`` is a state or a
world, ``v`` a view with everything that a perfect memory knows (`diamonds.bots.bot.bot_view`). Functions marked
*compiled* become part of kernels, so they and everything they call are limited to what `diamonds.jit` can compile;
``modules`` are the modules that define them. None of them needs the compiler itself. A game may have its own search for
its best levels; functions that differ for it have a ``game_specific`` flag.

A *candidate* is one of the choices that a search compares: the number of an answer or, when several cards are named in
turn (`is_set`), the whole set as bits. A *plan* is a number whose meaning is up to the game; `NO_PLAN` and
`TRAINED_PLAN` mean the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType, ModuleType
from typing import Any, Literal, NamedTuple

import numpy as np

from diamonds.bots.games.reason_kinds import ReasonKind
from diamonds.fields import MAX_SEATS

SET_ASIDE = MAX_SEATS  # the holder of cards that are in no hand; smaller numbers are seats
HOLDER_COUNT = MAX_SEATS + 1

NO_PLAN = 0
TRAINED_PLAN = 3  # plan: use the trained weights (`GameAdapter.playout_styles`)

COUNT_COLUMNS = 18  # maximum number of event kinds counted in playouts (`GameAdapter.count_events`)

ValueUnit = Literal["points", "%"]
POINTS: ValueUnit = "points"  # own points minus the mean of the others'
WIN_CHANCE: ValueUnit = "%"  # percent, for games that are not decided by points

WeightArray = np.ndarray[Any, np.dtype[np.integer[Any]]]


MAX_CANDIDATES = 560  # ways to choose three of sixteen cards to pass in crystals (C8, C24)
HALVING_THRESHOLD = 6  # above this many candidates, each step drops the worse half; below it, only clearly worse ones


class SearchParams(NamedTuple):
    """Parameters of a search and of the choice among its results.

    At most ``max_worlds`` are dealt, and ``initial_worlds`` before the first decision (for up to `HALVING_THRESHOLD`
    candidates). ``own_random_permille`` and ``other_random_permille`` are the shares of random answers of the player
    and of the others, in thousandths. A candidate is dropped when it is ``drop_std_errors`` standard errors behind the
    best, after ``drop_margin`` is added to its distance; while more than ``halving_threshold`` candidates remain, the
    worse half is dropped at every step. The usual answer is kept unless the best is ``default_std_errors`` standard
    errors ahead.
    ``plans`` are the plans to try with every candidate where plans matter, as bits (`GameAdapter.plans`). A ``horizon``
    ends playouts after that many tricks (in mines: turns), before the end of the round. ``solve_endgame`` solves the
    last tricks exactly where all cards are known (`diamonds.bots.search.endgame`). ``game_specific`` uses the game's
    own search, if any. Prior knowledge about candidates counts as much as ``prior_worlds`` worlds
    (`GameAdapter.write_prior`).

    For weaker levels each candidate's value gets a random error and a preference by suit, with standard deviations
    ``error_sd`` and ``suit_preference_sd``. A candidate that is ``max_regret`` worse than the best is never chosen. All
    three are 0 for the best level.
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
    prior_worlds: int = 0


class JudgeParams(NamedTuple):
    """Parameters for judging a decision: worlds, playouts, and the certainty of a mistake.

    A decision is judged in ``quick_worlds`` and, if it may be a mistake, in ``full_worlds``. Hindsight plays out the
    true cards ``true_deal_playouts`` times. A mistake is ``mistake_std_errors`` standard errors worse than the best
    answer.
    """

    quick_worlds: int
    full_worlds: int
    true_deal_playouts: int
    mistake_std_errors: float


class SearchResult(NamedTuple):
    """The result of a search: candidates, their mean values, and the number of worlds each was tried in."""

    candidates: list[int]
    values: list[float]
    worlds: list[int]
    best_index: int


EQUAL_TOLERANCE = 1e-9  # values closer than this count as equal


class GameAdapter(NamedTuple):
    """The adapter of one game."""

    modules: tuple[ModuleType, ...]

    # Rules of thumb
    heuristic_answer: Callable[[Any, int, int], Any]
    """``heuristic_answer(s, seat, plan)``, compiled: return a legal, sensible answer, using only what the seat may see."""
    default_plan: int
    """The plan that playouts assume for the other seats."""
    default_candidate: Callable[[Any, int, int], Any]
    """``default_candidate(s, own_seat, plan)``, compiled: return the candidate that `heuristic_answer` gives, building
    a set card by card; may change ``s``."""

    # Worlds
    hidden_cards: Callable[..., Any]
    """``hidden_cards(v, own_seat, sizes, banned)``, compiled: for each of `HOLDER_COUNT` holders, write the number of
    unseen cards and, as bits, the suits it cannot have; return the unseen cards."""
    write_world: Callable[..., Any]
    """``write_world(s, own_seat, hands, deck, rng)``, compiled: write dealt cards, by holder, into a row that holds the
    view, and draw everything else that is hidden; return whether the game can have reached this state."""
    infer_beliefs: Callable[..., Any]
    """``infer_beliefs(v, own_seat, unseen, sizes, game_specific)``, compiled: return the beliefs about unseen cards,
    for `deal_by_beliefs`."""
    deal_by_beliefs: Callable[..., Any]
    """``deal_by_beliefs(unseen, own_seat, beliefs, hands, rng)``, compiled: deal the unseen cards by beliefs and return
    true; return false to have them dealt evenly."""

    # Playouts
    clear_secret_choices: Callable[..., Any]
    """``clear_secret_choices(s, own_seat)``, compiled: undo the secret choices of others in a world, so that playouts
    choose for them again."""
    apply_candidate: Callable[..., Any]
    """``apply_candidate(s, own_seat, candidate, log)``, compiled: give a candidate's answer, or all answers of a set."""
    playout_styles: Callable[..., Any]
    """``playout_styles(plan, style_draw, luck)``, compiled: return the styles of the player's seat and of the others,
    both of the same type. Two random numbers are drawn for each world: ``style_draw``, from 0 to 999, because the
    others' style is unknown, and ``luck``, a whole number below 2³², for styles that answer at random."""
    random_permille: Callable[..., Any]
    """``random_permille(style, usual_permille)``, compiled: return how many in a thousand of the others' answers are
    random in this style."""
    playout_answer: Callable[..., Any]
    """``playout_answer(s, seat, style, memory)``, compiled: return a seat's answer in a playout in this style."""
    playout_memory: Callable[..., Any]
    """``playout_memory(weights)``, compiled: return the ``memory`` for `playout_answer`: the weights, and space for
    cached sums."""
    write_prior: Callable[..., Any]
    """``write_prior(v, own_seat, plans, candidates, memory, prior)``, compiled: write each candidate's relative value
    before any playout; return whether anything is known."""
    trained_weights: Callable[[], WeightArray | None]
    """``trained_weights()``: return the trained weights, a row for each kind of table; ``None`` if there are none."""
    table_kind: Callable[..., Any]
    """``table_kind(s)``, compiled: return the row of the weights for tables like this one."""
    turns_played: Callable[..., Any]
    """``turns_played(s)``, compiled: return the number of finished tricks (or turns), the clock for horizons and forecasts."""
    value: Callable[..., Any]
    """``value(s, own_seat, win_bonus)``, compiled: return the value of a row at the end of a playout, with
    ``win_bonus`` where the game is won."""
    outlook: Callable[..., Any]
    """``outlook(s, own_seat, plan, memory, value)``, compiled: return the value of a row at the end of a playout that may
    have ended at a horizon; ``value`` is that of the row as it stands."""
    win_bonus: float
    """The value of winning, in addition to the margin."""
    count_events: Callable[..., Any]
    """``count_events(log, s, own_seat, counts, trick_open)``, compiled: count the events of one answer in up to
    `COUNT_COLUMNS` columns; ``trick_open`` says whether the trick on the table is still undecided, and the result is
    its new value."""

    # Candidates
    candidates: Callable[..., Any]
    """``candidates(v, own_seat, legal, game_specific, out)``, compiled: write one answer of each class of equivalent
    ones, or sets that contain the cards named already, in ascending order; return their number (at most
    `MAX_CANDIDATES`)."""
    representative: Callable[..., Any]
    """``representative(v, candidates, candidate)``, compiled: return which of the candidates, in ascending order,
    represents this one."""
    is_set: Callable[[Any], Any]
    """``is_set(v)``, compiled: return whether a candidate is a set, as bits, whose members are named in turn."""
    answers_of: Callable[..., Any]
    """``answers_of(v, own_seat, candidate)``, compiled: return, as bits, the answers of a candidate that have not been
    given yet; the lowest comes first."""
    plans: Callable[..., Any]
    """``plans(v, own_seat, params)``, compiled: return the plans to try with each candidate, as bits. The lowest one
    decides the player's usual answer."""
    max_worlds: Callable[..., Any]
    """``max_worlds(plans, params)``, compiled: return the maximum number of worlds to deal with these plans."""
    card_of: Callable[..., Any]
    """``card_of(v, candidate)``, compiled: return the card to whose suit a player's preference applies; −1 for none."""

    # Endgames
    has_no_secret_choice: Callable[..., Any]
    """``has_no_secret_choice(s)``, compiled: return whether the open question involves no secret choices."""
    equivalence_class: Callable[..., Any]
    """``equivalence_class(s, seat, answers)``, compiled: return the lowest of some answers and those equivalent to it
    with all cards known."""
    position_key: Callable[..., Any]
    """``position_key(s)``, compiled: return a number for everything that the rest of the game depends on, or 0 for none."""
    has_draws: bool
    """True if cards outside the hands may still come into play."""

    # Levels
    search_params: Callable[[int, int, bool, bool], SearchParams]
    """``search_params(worlds, horizon, is_error_free, game_specific)``: return a level's search parameters: its number
    of worlds, its horizon in turns (for games with long rounds), whether it is free of errors, and whether it uses
    the game's own search."""
    level_error_sd: tuple[float, ...]
    """The standard deviation of each level's error in an answer's value, from the first level to the best; 0 for no
    error."""
    bots_version: str
    """A fingerprint of the bots' answers, for records. Bots of the same version answer alike
    (`tests/test_answer_check.py`)."""

    # Hints and reviews
    reason_kinds: tuple[ReasonKind, ...]
    """All reasons that the game can give."""
    write_reasons: Callable[..., Any]
    """``write_reasons(v, own_seat, candidate, counts, rival, difference, reason_rows)``, compiled: write the reasons
    why a candidate is better or worse than a rival, from the events counted after it (`count_events`) and their
    difference to the rival's. Return the number of reasons (`reason_kinds.add_reason`)."""
    obvious_card: Callable[..., Any]
    """``obvious_card(v, own_seat)``, compiled: return the card (in crystals also the rival to take from) that the lessons
    suggest to a newcomer, or −1. Hints prefer it among equally good answers, and otherwise say what is wrong with it."""
    unit: ValueUnit
    hint_worlds: int
    """The number of fresh worlds in which a hint compares the best answers."""
    hint_params: SearchParams
    """The search parameters of hints."""
    material_difference: float
    """The smallest difference, in the unit, that is worth pointing out."""
    forecast_playouts: int
    """The number of playouts from each moment of a review."""
    in_reviews: Mapping[str, Any] = MappingProxyType({})
    """Compiled members that reviews use instead, by name. They give the same answers, without code for plans that
    reviews never make."""

    @property
    def measures_win_chance(self) -> bool:
        """True if the unit is the chance to win, not points."""
        return self.unit == WIN_CHANCE

    def weights_for(self, row: np.void) -> WeightArray | None:
        """Return the trained weights for tables like this one, if any."""
        weights = self.trained_weights()
        return None if weights is None else weights[self.table_kind(row)]
