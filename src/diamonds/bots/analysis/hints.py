"""Hints: the best answers to the open question, how much better they are, and why.

A hint is made from a view alone, with the search of the best level, so it reveals no more than a bot may know; a test
deals the hidden cards again and gets the same hint. The answers that look best are evaluated again in fresh worlds (in
the worlds that chose it, the best answer looks better than it is), and answers whose order may be chance are reported
as ties. The reasons come from the playouts' events (`reason_text.py`).

Numbers are in points: own score less the mean of the rivals', until the end of the round (crystals) or hand (fourteen).
In mines they are percentages of the chance to win. Where the game can end with the round, a win counts 6 extra points
in comparisons, as it does for the bots.
"""

from __future__ import annotations

import functools
import hashlib
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from diamonds import cards, i18n
from diamonds.bots import games, kernels
from diamonds.bots.analysis.reason_groups import GENERAL_REASONS, explains_more, is_direct, says_win_more_often
from diamonds.bots.games.adapter import POINTS, WIN_CHANCE, SearchParams, ValueUnit
from diamonds.bots.games.reason_kinds import HIGH_RANKS
from diamonds.errors import NotAllowedError
from diamonds.game import Game
from diamonds.i18n import Message

if TYPE_CHECKING:
    from diamonds.bots.bot import BotView

TIE_STD_ERRORS = 2.0  # answers closer than this many standard errors are reported as equally good
# Differences too small to report, however certain. Reviews mark no smaller ones in points either.
NEGLIGIBLE_GAIN = {POINTS: 0.3, WIN_CHANCE: 0.5}
# The obvious card is recommended if it is behind the best by no more than this share of the material difference.
OBVIOUS_SHARE = 0.5
MAX_EVALUATED = {POINTS: 16, WIN_CHANCE: 8}  # answers evaluated
SHORTLIST_SIZE = 4  # answers compared if more than `MAX_EVALUATED` are possible
MAX_CHOICES = {POINTS: 16, WIN_CHANCE: 3}  # reported answers
SAVING_REASONS = ("hint-saves", "hint-saves-highest", "hint-saves-higher", "hint-saves-to-throw", "hint-most-by-saving")
# Reasons that a card contradicts which is about as good: a ♦, a high one, one of the suit, a higher one of it, the card
# itself, or any.
CONTRADICTED_BY_DIAMOND = (
    "hint-gives-no-diamond", "hint-gives-player-no-diamond", "hint-saves-good-for-diamonds", "hint-keeps-diamonds",
    "hint-saves-beaten-diamonds", "hint-saves-highest-diamond",
)  # fmt: skip
CONTRADICTED_BY_HIGH = (
    "hint-saves-good-for-diamonds", "hint-saves-high-for-diamonds", "hint-saves-high", "hint-little-to-win-high",
    "hint-nothing-to-win-high", "hint-no-diamond-yet-high", "hint-passes-low",
)  # fmt: skip
CONTRADICTED_BY_SUIT = ("hint-saves-suit-for-diamonds", "hint-gives-for-suit")
CONTRADICTED_BY_HIGHER = ("hint-saves-higher-for-diamonds", "hint-keeps-higher", "hint-most-passing")
CONTRADICTED_BY_CARD = ("hint-saves",)
CONTRADICTED_BY_ANY = (*GENERAL_REASONS, "hint-higher-than", "hint-fewer-higher", "hint-last-trick")
# Reasons that speak of a suit that a set of cards empties, or nearly.
ABOUT_VOIDS = ("hint-void", "hint-void-two", "hint-nearly-void")
# Reasons that name nothing that a player can see.
UNEXPLAINED = ("hint-free-alike", "hint-tried")
MAX_SHARED = 2  # other choices with the same reason that a hint names
VICTIM, PLAY = "victim", "play"  # questions
CLEAR_LEAD = 1.0  # lead in points that makes the best answer clearly better
# Meanings of numeric answers, by question.
NUMBER_NAMES = {
    VICTIM: "seat",
    **dict.fromkeys(("claim", "dig", "dig_first", "dig_second", "grow_pile", "fight"), "pile"),
}

DEFAULT_PARAMS = SearchParams()

FloatMatrix = np.ndarray[Any, np.dtype[np.float64]]


class HintChoice(NamedTuple):
    """One answer of a hint.

    ``answers`` holds its name, or the names of all cards in a set to pass; ``text`` is for people. ``gain`` is its gain from now on, in the hint's unit (mines: the chance to win); ``gap`` is how much worse it is
    than the best. Both come with their standard errors. ``tied`` means that the difference may be chance.
    """

    answers: tuple[int | str, ...]
    text: Message
    gain: float
    gain_error: float
    gap: float
    gap_error: float
    tied: bool
    reasons: tuple[Message, ...]


class Hint(NamedTuple):
    """The best answers to a question, best first, and the number of worlds used to compare them."""

    question: str
    unit: ValueUnit
    choices: tuple[HintChoice, ...]
    worlds: int
    text: Message


class CandidateValues(NamedTuple):
    """Candidates evaluated in common worlds: ``values`` are compared, ``points`` leave out the win bonus.

    Both have a row for each world and a column for each candidate; ``counts`` has a row for each candidate.
    """

    candidates: list[int]
    values: FloatMatrix
    points: FloatMatrix
    counts: FloatMatrix

    def mean(self, k: int) -> float:
        """Return the mean value of a candidate."""
        return ordered_sum(self.values[:, k]) / len(self.values)

    def only(self, kept: list[int]) -> CandidateValues:
        """Return the values of these candidates, by index."""
        candidates = [self.candidates[k] for k in kept]
        return CandidateValues(candidates, self.values[:, kept], self.points[:, kept], self.counts[kept])

    def difference(self, k: int, other: int) -> tuple[float, float]:
        """Return how much better one candidate is than another, compared world by world, with the standard error."""
        return mean_and_error(self.values[:, k] - self.values[:, other])


def ordered_sum(values: Sequence[float] | FloatMatrix) -> float:
    """Return the sum of numbers, added in order to get the same last digit on every machine."""
    return float(np.cumsum(values)[-1]) if len(values) else 0.0


def mean_and_error(values: FloatMatrix) -> tuple[float, float]:
    """Return the mean of independent values and its standard error."""
    mean = ordered_sum(values) / len(values)
    return mean, float(
        np.sqrt(ordered_sum((values - mean) * (values - mean)) / (len(values) - 1)) / np.sqrt(len(values))
    )


def require_analysis() -> None:
    """Raise `NotAllowedError` if hints and reviews are unavailable."""
    kernels.require(Message("hint-cannot-be-made"))


def evaluate_candidates(
    game: Game,
    row: np.void,
    seat: int,
    candidates: list[int],
    worlds: int,
    seed: int,
    params: SearchParams = DEFAULT_PARAMS,
) -> CandidateValues:
    """Evaluate candidates in a number of fresh worlds; the player's seat continues as in a full search.

    Where all cards are known and few are left, their values are exact (`diamonds.bots.search.endgame`) and the same in
    every world.
    """
    from diamonds.bots.search import evaluate

    plan = cards.lowest(games.adapter_for(game).plans(row, seat, params))
    return CandidateValues(
        candidates, *evaluate.evaluate(game, row, seat, candidates, plan, worlds, params, False, seed)
    )


def evaluate_shortlist(
    game: Game,
    row: np.void,
    seat: int,
    size: int,
    given_candidate: int | None,
    seed: int,
    worlds: int,
    few: int = 0,
    params: SearchParams = DEFAULT_PARAMS,
) -> CandidateValues | None:
    """Evaluate the best candidates of a search, and ``given_candidate`` if set, in fresh worlds.

    If there are more than ``few`` candidates, ``few`` are evaluated (at least ``size``) and the best ``size`` returned.
    Return ``None`` if there is only one answer.
    """
    from diamonds.bots.search import search

    result = search.search(game, row, seat, params, seed)
    if len(result.candidates) == 1:
        return None
    order = sorted(
        range(len(result.candidates)), key=lambda k: (k != result.best_index, -result.worlds[k], -result.values[k])
    )
    chosen, representative = [result.candidates[k] for k in order[: max(size, few)]], None
    if given_candidate is not None:
        representative = games.adapter_for(game).representative(row, result.candidates, given_candidate)
        if representative not in chosen:
            chosen.append(representative)
    evaluated = evaluate_candidates(game, row, seat, chosen, worlds, seed + 2, params)
    if len(order) <= few or few <= size:
        return evaluated
    best = sorted(range(len(chosen)), key=lambda k: -evaluated.mean(k))[:size]
    return evaluated.only([k for k in range(len(chosen)) if k in best or chosen[k] == representative])


def candidate_names(game: Game, row: np.void, seat: int, candidate: int) -> tuple[int | str, ...]:
    """Return the names of a candidate: one answer, or the answers of a set that are still to be given."""
    names = game.question(row).answers
    return tuple(names[answer] for answer in cards.iter_bits(games.adapter_for(game).answers_of(row, seat, candidate)))


def current_margin(game: Game, row: np.void, seat: int) -> float:
    """Return the current margin in points; 0 where the unit is the chance to win."""
    adapter = games.adapter_for(game)
    return 0.0 if adapter.unit == WIN_CHANCE else float(adapter.value(row, seat, 0.0))


def view_seed(view: BotView) -> int:
    """Return a seed derived from a view, so that the hint is the same in the game and in its review."""
    return int.from_bytes(hashlib.sha256(view.row.tobytes()).digest()[:7], "big")


def hint(view: BotView, seed: int | None = None) -> Hint:
    """Return the best answers to the open question: the same for the same view and seed, by default `view_seed`.

    Raise `NotAllowedError` if compiled playouts are not installed, or no question is open for the seat.
    """
    require_analysis()
    game, seat, row = view
    if not int(row["to_act"]) >> seat & 1:
        raise NotAllowedError("hint-not-your-turn")
    question, adapter = game.question(row).name, games.adapter_for(game)
    obvious = obvious_answer(game, row, seat)
    evaluated = evaluate_shortlist(
        game,
        row,
        seat,
        SHORTLIST_SIZE,
        obvious,
        view_seed(view) if seed is None else seed,
        adapter.hint_worlds,
        MAX_EVALUATED[adapter.unit],
        adapter.hint_params,
    )
    if evaluated is None:
        from diamonds.bots.search import search

        only = candidate_names(game, row, seat, search.candidates_of(game, row, seat)[0])
        choice = HintChoice(only, answer_text(game, question, only), 0.0, 0.0, 0.0, 0.0, False, ())
        return Hint(question, adapter.unit, (choice,), 0, Message("hint-nothing-to-choose", {"answer": choice.text}))
    choices = rank_choices(game, row, seat, evaluated)[: MAX_CHOICES[adapter.unit]]
    return Hint(question, adapter.unit, choices, len(evaluated.values), hint_summary(choices, adapter.unit))


def obvious_answer(game: Game, row: np.void, seat: int) -> int | None:
    """Return what the lessons tell a newcomer, if anything: the card to play (`GameAdapter.obvious_card`) or set to pass."""
    from diamonds.bots.search import search

    adapter = games.adapter_for(game)
    if adapter.is_set(row):
        return whole_suits(game, search.candidates_of(game, row, seat))
    card = int(adapter.obvious_card(row, seat))
    return None if card < 0 else card


def whole_suits(game: Game, candidates: Iterable[int]) -> int | None:
    """Return the set of cards that empties the most suits and has no ♦, or `None` if no set does."""
    sets = [int(one) for one in candidates]
    suits = held_suits(game, sets)

    def emptied(one: int) -> int:
        parts = [(one & suit, suit) for suit in suits if one & suit]
        return len(parts) if not one & suits[cards.DIAMONDS] and all(part == suit for part, suit in parts) else 0

    best = max(sets, key=lambda one: (emptied(one), -one))
    return best if emptied(best) else None


def held_suits(game: Game, sets: Iterable[int]) -> list[int]:
    """Return the cards in hand by suit, given all sets that may be passed."""
    hand, ranks = functools.reduce(operator.or_, map(int, sets)), len(game.card_names) // len(cards.SUIT_LETTERS)
    return [hand & cards.suit_cards(suit, ranks) for suit in range(len(cards.SUIT_LETTERS))]


def why_no_suit_goes(game: Game, candidates: Iterable[int], best: int, told: Sequence[Message]) -> list[Message]:
    """Return why the best set of cards empties no suit, as the lessons suggest, if that is plain and not yet ``told``.

    Either all suits are too long, or the highest card of each short one is high and stays. ♦ are better kept. The
    message has the number of ``short`` suits, where 1 stands for ♦ and 2 for any with high cards.
    """
    suits, ranks = held_suits(game, candidates), len(game.card_names) // len(cards.SUIT_LETTERS)
    if not told or any(reason.id in ABOUT_VOIDS for reason in told) or not all(suit & ~best for suit in suits):
        return []
    short = [suit for suit in suits if cards.count(suit) <= cards.count(best)]
    diamonds = [suit for suit in short if suit == suits[cards.DIAMONDS]]
    if short == diamonds:  # none or one
        return [Message("hint-not-emptied", {"short": len(short)})]
    tops = [cards.highest(suit) for suit in short if suit not in diamonds]
    are_kept = all(top % ranks >= ranks - HIGH_RANKS and not best & cards.bit(top) for top in tops)
    wants_tricks = not any(reason.id.startswith("hint-no-trick") for reason in told)
    return [Message("hint-not-emptied", {"short": 2})] if are_kept and wants_tricks else []


def rank_choices(game: Game, row: np.void, seat: int, evaluated: CandidateValues) -> tuple[HintChoice, ...]:
    """Return all evaluated candidates as choices, best first.

    Among equally good ones the obvious answer comes first. The best gets reasons for it (`reasons_for_best`), and after
    them what is wrong with the obvious card if that is clearly worse. Clearly worse candidates get a reason against
    them; cards without one get what is wrong with them, or what the best card does instead. Equally good ones get none,
    except in mines, where each of a turn's two answers gets a reason for it, and in crystals for the players to take
    from; players whom nothing on the table tells apart are equally good, for the same reasons.
    """
    from diamonds.bots.analysis import reason_text
    from diamonds.bots.search import search
    from diamonds.bots.search.reason_selection import AGAINST, CONTRAST, FOR

    adapter, obvious = games.adapter_for(game), obvious_answer(game, row, seat)
    expected = (
        None
        if obvious is None
        else evaluated.candidates.index(
            int(adapter.representative(row, np.array(sorted(evaluated.candidates)), obvious))
        )
    )

    @functools.cache
    def reasons(k: int, rival: int, side: int) -> list[Message]:
        pair = [(evaluated.candidates[one], evaluated.counts[one]) for one in (k, rival)]
        if (
            rival == expected and side != AGAINST and obvious is not None
        ):  # the obvious card itself, not its lowest equivalent
            pair[1] = (obvious, evaluated.counts[rival])
        return reason_text.reason_messages(game, row, seat, *pair[0], *pair[1], side)

    order = sorted(range(len(evaluated.candidates)), key=lambda k: -evaluated.mean(k))
    best, current, question = order[0], current_margin(game, row, seat), game.question(row).name
    unit = adapter.unit
    choices: list[HintChoice] = []
    # In mines a turn's two answers are often equal, each with its own reason; so are players to take from.
    explains_ties = unit == WIN_CHANCE or question == VICTIM

    def reason_against(k: int) -> list[Message]:
        found = reasons(k, best, AGAINST)
        if not found and question == PLAY:
            card, *_ = candidate_names(game, row, seat, evaluated.candidates[best])
            instead = [reason for reason in reasons(best, k, FOR) if reason.id not in GENERAL_REASONS]
            told = [Message("hint-instead", {"card": card, "reason": reason}) for reason in instead]
            found = [*reasons(best, k, CONTRAST), *told]
        return found[:1]

    gaps = {k: evaluated.difference(best, k) if k != best else (0.0, 0.0) for k in order}
    small = adapter.material_difference * OBVIOUS_SHARE
    tied = {k for k in order[1:] if gaps[k][0] <= max(TIE_STD_ERRORS * gaps[k][1], NEGLIGIBLE_GAIN[unit])}
    if unit == WIN_CHANCE:  # a small difference that nothing on the table explains tells a player nothing
        tied |= {
            k for k in order[1:] if gaps[k][0] <= small and all(why.id in UNEXPLAINED for why in reasons(best, k, FOR))
        }
    if expected is not None and expected in tied:
        order = [best, expected, *(k for k in order if k not in (best, expected))]
        if question == VICTIM or gaps[expected][0] <= small:
            tied = {best, *tied} - {expected}
            order[:2] = order[1::-1]
            best = expected
    alike: set[int] = set()
    if question == VICTIM:  # a small difference that nothing on the table explains, again
        alike = {
            k
            for k in order
            if k != best and gaps[k][0] < CLEAR_LEAD and not reasons(best, k, FOR) and not reasons(k, best, FOR)
        }
        tied |= alike
        order.sort(key=lambda k: (k != best, k not in alike))
    for k in order:
        if k == best:
            worse = sorted((rival for rival in order[1:] if rival not in tied), key=lambda rival: rival != expected)
            rivals = [*worse, *(rival for rival in order[1:] if explains_ties and rival in tied)]
            named = {
                one: [
                    str(name)
                    for name in candidate_names(game, row, seat, evaluated.candidates[one])
                    if name in game.card_names
                ]
                for one in order
            }
            cards_of = {rival: named[rival] for rival in worse}
            if obvious is not None and expected is not None and cards_of.get(expected) and not adapter.is_set(row):
                # The reasons name the obvious card, not its lowest equivalent.
                cards_of[expected] = [game.card_names[obvious]]
            equal = [card for one in tied for card in named[one]]

            def uncontradicted(
                one: int, rival: int, own: list[str] = named[best], equal: list[str] = equal
            ) -> list[Message]:
                found = reasons(one, rival, FOR)
                return [why for why in found if not is_contradicted(why, own, equal, game.card_names)]

            if adapter.is_set(row):
                others = [rival for rival in order if rival in tied]
                found = reasons_for_set(best, worse, others, uncontradicted, lambda one: gaps[one][0])
                found += why_no_suit_goes(
                    game, search.candidates_of(game, row, seat), evaluated.candidates[best], found
                )
            else:
                found = reasons_for_best(
                    best, rivals, cards_of, uncontradicted, unit, lambda one: gaps[one][0], expected, bool(tied)
                )
                if unit == POINTS:
                    found += reason_beyond_direct(best, worse, found, uncontradicted)
            if expected in worse:
                found += reasons(best, expected, CONTRAST)[:1]
        elif k in alike:
            found = list(choices[0].reasons)  # the same
        else:
            found = reason_against(k) if k not in tied else reasons(k, best, FOR)[:1] if explains_ties else []
        gain, gain_error = mean_and_error(evaluated.points[:, k])
        answers = candidate_names(game, row, seat, evaluated.candidates[k])
        choices.append(
            HintChoice(
                answers,
                answer_text(game, question, answers),
                50 + gain if unit == WIN_CHANCE else gain - current,
                gain_error,
                *gaps[k],
                k in tied,
                tuple(found),
            )
        )
    return tuple(choices)


def is_contradicted(reason: Message, best: Sequence[str], equal: Sequence[str], card_names: Sequence[str]) -> bool:
    """Return whether a reason for the best card does not hold for an ``equal`` one, which is about as good."""
    ranks, suit = len(card_names) // len(cards.SUIT_LETTERS), reason.args.get("suit")
    places = {card: card_names.index(card) for card in (*best, *equal)}
    own_places = [places[card] for card in best if card[0] == suit]
    return bool(best and equal) and (
        reason.id in CONTRADICTED_BY_ANY
        or (reason.id in CONTRADICTED_BY_DIAMOND and any(card[0] == "D" for card in equal))
        or (reason.id in CONTRADICTED_BY_HIGH and any(places[card] % ranks >= ranks - HIGH_RANKS for card in equal))
        or (reason.id in CONTRADICTED_BY_SUIT and any(card[0] == suit for card in equal))
        or (
            reason.id in CONTRADICTED_BY_HIGHER
            and any(card[0] == suit and places[card] > max(own_places, default=-1) for card in equal)
        )
        or (reason.id in CONTRADICTED_BY_CARD and reason.args["card"] in equal)
    )


def reasons_for_set(
    best: int,
    worse: Sequence[int],
    equal: Sequence[int],
    reasons: Callable[[int, int], list[Message]],
    gap: Callable[[int], float],
) -> list[Message]:
    """Return up to two reasons for the best set of cards, because one seldom explains all of its cards.

    The first is the one that holds for the fewest ``worse`` sets, and one about all cards before one about a suit or
    card; the second, about something else, leaves the fewest of them. Without such reasons, they are the ones that hold
    compared with sets that are as good. ``reasons`` lists those for a candidate compared with a rival, heaviest first.
    """

    def holds(reason: Message, other: int) -> bool:
        if reason not in reasons(best, other):
            return True
        return reason.id not in SAVING_REASONS and any(
            reason in reasons(other, rival) for rival in worse if rival != other
        )

    def same(one: Message, other: Message) -> bool:
        return one.id == other.id or (
            one.args.get("suit") is not None and one.args.get("suit") == other.args.get("suit")
        )

    listed = [
        (reason, {other for other in worse if holds(reason, other)})
        for rival in worse
        for reason in reasons(best, rival)
    ]
    listed = listed or [(reason, set()) for rival in equal for reason in reasons(best, rival)]
    if not listed:
        return [Message("hint-scores-most", {"clear": int(min(map(gap, worse)) >= CLEAR_LEAD)})] if not equal else []
    first, left = min(listed, key=lambda one: (len(one[1]), not {"suit", "card"}.isdisjoint(one[0].args)))
    more = [one for one in listed if not same(one[0], first)]
    if more:
        return [first, min(more, key=lambda one: (len(one[1] & left), one[0].id in SAVING_REASONS))[0]]
    return [first]


def reasons_for_best(
    best: int,
    rivals: Sequence[int],
    worse: Mapping[int, list[str]],
    reasons: Callable[[int, int], list[Message]],
    unit: ValueUnit,
    gap: Callable[[int], float],
    obvious: int | None = None,
    has_equals: bool = False,
) -> list[Message]:
    """Return reasons for the best candidate that together hold for no clearly worse one (``worse``, with their cards).

    That is one reason compared with one of the ``rivals``, or two of them. If there is none, a sentence names the few
    candidates for which a reason also holds, and whether they are clearly worse (by their ``gap`` in points); or the
    reason is a general one (`GENERAL_REASONS`). If other candidates are as good (``has_equals``), naming them says more
    than that sentence: then the reason is one that holds against the ``obvious`` candidate, or against at least half of
    the worse ones. ``reasons`` lists those for a candidate compared with a rival, heaviest first.
    """

    def is_shared(reason: Message, other: int) -> bool:
        if reason.id in SAVING_REASONS:  # every other answer saves this card
            return reason.args["card"] not in worse[other]
        return any(reason in reasons(other, rival) for rival in worse if rival != other)

    def holds(reason: Message, other: int) -> bool:
        if unit == POINTS and reason not in reasons(best, other):
            return True
        return reason.id not in GENERAL_REASONS and is_shared(reason, other)

    def lead_over(others: Iterable[int]) -> dict[str, int]:
        return {"clear": int(min(map(gap, others)) >= CLEAR_LEAD)}

    def with_others(reason: Message, others: list[int]) -> list[Message]:
        either = [Message("hint-cards", {"cards": worse[other]}) for other in others if worse[other]]
        is_named = either and len(others) <= MAX_SHARED
        return [
            reason,
            Message("hint-shared-by", {"either": either, **lead_over(others)})
            if is_named
            else Message("hint-shared", lead_over(others)),
        ]

    listed = [
        (reason, [other for other in worse if holds(reason, other)])
        for rival in rivals
        for reason in reasons(best, rival)
    ]
    specific = [one for one in listed if one[0].id not in GENERAL_REASONS]
    for reason, others in specific:
        if not others:
            return [reason]
    for first, others in specific:
        for second, left in specific:
            is_same = first.id == second.id or (
                first.args and first.args == second.args
            )  # both about the same suit: “saves your ♠”, “lets your ♠ …”
            if not is_same and not set(others) & set(left):
                return [first, second]
    if unit == WIN_CHANCE:
        return [listed[0][0]] if listed else []
    if has_equals:
        of_obvious = reasons(best, obvious) if obvious is not None and obvious in worse else []
        against = [one for one in specific if one[0] in of_obvious]
        most = [one for one in specific if 2 * len(one[1]) <= len(worse)]
        return [reason for reason, _ in sorted(against or most, key=lambda one: len(one[1]))[:1]]
    named = [one for one in specific if one[0].id != "hint-saves-higher"]  # a third card may be higher still
    alike = [one for one in named if all(is_shared(one[0], other) for other in one[1])]
    alike.sort(key=lambda one: len(one[1]))
    general = [[reason] for reason, others in listed if not others]
    if general and not (alike and len(alike[0][1]) <= MAX_SHARED):
        return general[0]
    if alike:
        return with_others(*alike[0])
    more = Message("hint-scores-most", lead_over(worse)) if worse else None
    return [*(reason for reason, _ in listed[:1]), *([more] if more else [])]


def reason_beyond_direct(
    best: int, worse: Sequence[int], found: Sequence[Message], reasons: Callable[[int, int], list[Message]]
) -> list[Message]:
    """Return a second reason if the first only repeats what the card does at once, which some worse cards do as well.

    Those are the ones that win this trick about as often. The reason is the one that holds against most of them.
    """
    if not found or not all(map(is_direct, found)):
        return []
    alike = [rival for rival in worse if not any(map(says_win_more_often, reasons(best, rival)))]
    listed = [reason for rival in alike for reason in reasons(best, rival) if explains_more(reason)]
    return [max(listed, key=lambda reason: sum(reason in reasons(best, rival) for rival in alike))] if listed else []


def hint_summary(choices: tuple[HintChoice, ...], unit: ValueUnit) -> Message:
    """Return the sentence about the best answer and its lead, or about equally good ones."""
    tied = [choice.text for choice in choices if choice.tied]
    best = choices[0].text
    if tied:
        return Message("hint-equally", {"each": [best, *tied]})
    if len(choices) == 1:
        return Message("hint-best", {"answer": best})
    second = {"answer": best, "second": choices[1].text}
    if unit == WIN_CHANCE:
        return Message("hint-best-by-chance", {**second, "percent": round(choices[1].gap)})
    return Message("hint-best-by-points", {**second, "points": round(choices[1].gap, 1)})


def answer_text(game: Game, question: str, answers: Sequence[int | str]) -> Message:
    """Return an answer, or the cards of a set to pass, for people: with suit symbols, seats by name, and piles counted from 1."""
    answer = answers[0]
    message_id = i18n.message_id("hint", "answer", question)
    if answer in game.card_names:
        card_message_id = i18n.message_id(message_id, "card")
        has_message = i18n.has_message(card_message_id)
        return (
            Message(card_message_id, {"card": answer})
            if has_message
            else Message("hint-cards", {"cards": list(answers)})
        )
    if isinstance(answer, int):
        return (
            Message(message_id, {NUMBER_NAMES.get(question, "number"): answer})
            if i18n.has_message(message_id)
            else Message("as-it-is", {"text": answer})
        )
    word_id = i18n.message_id(message_id, answer)
    return Message(word_id) if i18n.has_message(word_id) else Message("as-it-is", {"text": answer})
