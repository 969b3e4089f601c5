"""Advice for players: what the best answers are now, by how much, and why.

A hint is made from a view alone, with the search that plays the best level, so it can tell no more than a bot may know; a
test deals the hidden cards anew and gets the same hint. The answers that look best are weighed again in fresh worlds (what
looks best in the worlds that chose it looks better than it is), and answers that chance could have put in either order are
told as ties. The reasons come from what the playouts led to (`reasons.py`).

Numbers are in points: own score less the mean of the rivals', until the end of the round (crystals) or hand (fourteen); in
mines in hundredths of the chance to win. Where the game can end with the round, a win counts 6 points more when answers are
compared, as it does for the bots.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from diamonds import cards, words
from diamonds.bots import kernels, knowing
from diamonds.bots.knowing.contract import CHANCE, POINTS, Effort, Unit
from diamonds.game import Game, Illegal
from diamonds.words import Message

if TYPE_CHECKING:
    from diamonds.bots.bot import Seen

TIED = 2.0  # standard errors: closer than that and two answers are told as equally good
NOTHING = {POINTS: 0.05, CHANCE: 0.5}  # a difference that is not worth telling, however certain
SHORTLIST = 4  # how many are weighed
TOLD = 3  # how many are told

type_of_matrix = np.ndarray[Any, np.dtype[np.float64]]


class Choice(NamedTuple):
    """One answer that a hint lists. ``answers`` has its name, or those of all cards of a set to pass; ``says`` is for people.

    ``gain`` is what it brings from now on, in the hint's unit (mines: the chance to win); ``behind`` how much less than the
    best, in the same unit. Both come with their standard errors. ``tied`` says that the difference may be chance.
    """

    answers: tuple[int | str, ...]
    says: Message
    gain: float
    gain_error: float
    behind: float
    behind_error: float
    tied: bool
    because: tuple[Message, ...]


class Hint(NamedTuple):
    """The best answers to a question, the best first, and how many worlds they were weighed in."""

    question: str
    unit: Unit
    choices: tuple[Choice, ...]
    worlds: int
    says: Message


class Scales(NamedTuple):
    """Candidates weighed in common worlds: ``value`` is what is compared, ``points`` leaves out what winning is worth.

    Both have a row for each world and a column for each candidate; ``counts`` has a row for each candidate.
    """

    candidates: list[int]
    value: type_of_matrix
    points: type_of_matrix
    counts: type_of_matrix

    def mean(self, k: int) -> float:
        """The mean value of a candidate."""
        return total(self.value[:, k]) / len(self.value)

    def difference(self, k: int, other: int) -> tuple[float, float]:
        """By how much one candidate is better than another, world by world, with the standard error."""
        return mean_and_error(self.value[:, k] - self.value[:, other])

    def difference_in_points(self, k: int, other: int) -> tuple[float, float]:
        """The same, leaving out what winning is worth."""
        return mean_and_error(self.points[:, k] - self.points[:, other])


def total(values: Sequence[float] | type_of_matrix) -> float:
    """The sum of numbers, one after the other: so it is the same to the last digit wherever it is worked out."""
    return float(np.cumsum(values)[-1]) if len(values) else 0.0


def mean_and_error(values: type_of_matrix) -> tuple[float, float]:
    """The mean of independent values and its standard error."""
    mean = total(values) / len(values)
    return mean, float(np.sqrt(total((values - mean) * (values - mean)) / (len(values) - 1)) / np.sqrt(len(values)))


def require() -> None:
    """`Illegal` with one sentence where hints and reviews cannot be made."""
    kernels.require(Message("hint-cannot-be-made"))


def weigh(game: Game, row: np.void, seat: int, candidates: list[int], worlds: int, seed: int) -> Scales:
    """Weigh candidates in so many fresh worlds, the own seat going on as in a full search.

    Where all cards are known and few are left their worth is exact (`diamonds.bots.thinking.exact`), and so the same in every world.
    """
    from diamonds.bots.thinking import weigh

    effort = Effort()
    plan = cards.lowest(knowing.of(game).plans(row, seat, effort))
    return Scales(candidates, *weigh.weigh(game, row, seat, candidates, plan, worlds, effort, False, seed))


def shortlist(
    game: Game, row: np.void, seat: int, wanted: int, also: int | None, seed: int, worlds: int
) -> Scales | None:
    """The candidates that a search thinks best (and ``also``, a given answer), weighed in fresh worlds.

    The first is the search's choice. ``None`` if there is a single answer.
    """
    from diamonds.bots.thinking import search

    found = search.search(game, row, seat, Effort(), seed)
    if len(found.candidates) == 1:
        return None
    order = sorted(range(len(found.candidates)), key=lambda k: (k != found.best, -found.worlds[k], -found.worth[k]))
    chosen = [found.candidates[k] for k in order[:wanted]]
    if also is not None:
        twin = knowing.of(game).same_kind(row, found.candidates, also)
        if twin not in chosen:
            chosen.append(twin)
    return weigh(game, row, seat, chosen, worlds, seed + 2)


def names_of(game: Game, row: np.void, seat: int, candidate: int) -> tuple[int | str, ...]:
    """A candidate as people name it: one answer, or those of a set that are still to be given."""
    names = game.question(row).answers
    return tuple(names[answer] for answer in cards.members(knowing.of(game).answers(row, seat, candidate)))


def now(game: Game, row: np.void, seat: int) -> float:
    """The margin in points as it stands; 0 where chances are measured, which is half of one each."""
    known = knowing.of(game)
    return 0.0 if known.unit == CHANCE else float(known.worth(row, seat, 0.0))


def hint(seen: Seen, seed: int) -> Hint:
    """The best answers to the open question: the same for the same view and seed.

    `Illegal` where compiled playouts are not installed, or nothing is asked.
    """
    require()
    game, seat, row = seen
    if not int(row["to_act"]) >> seat & 1:
        raise Illegal("hint-not-your-turn")
    question, known = game.question(row).name, knowing.of(game)
    scales = shortlist(game, row, seat, SHORTLIST, None, seed, known.weighed)
    if scales is None:
        from diamonds.bots.thinking import search

        only = names_of(game, row, seat, search.candidates_of(game, row, seat)[0])
        choice = Choice(only, spoken(game, question, only), 0.0, 0.0, 0.0, 0.0, False, ())
        return Hint(question, known.unit, (choice,), 0, Message("hint-nothing-to-choose", {"answer": choice.says}))
    choices = rank(game, row, seat, scales)[:TOLD]
    return Hint(question, known.unit, choices, len(scales.value), verdict(choices, known.unit))


def rank(game: Game, row: np.void, seat: int, scales: Scales) -> tuple[Choice, ...]:
    """All weighed candidates as choices, the best first."""
    from diamonds.bots.advising import reasons

    order = sorted(range(len(scales.candidates)), key=lambda k: -scales.mean(k))
    best, standing, question = order[0], now(game, row, seat), game.question(row).name
    unit, found = knowing.of(game).unit, []
    for k in order:
        behind, behind_error = scales.difference(best, k) if k != best else (0.0, 0.0)
        gain, gain_error = mean_and_error(scales.points[:, k])
        rival = best if k != best else order[1]
        because = reasons.reasons(
            game, row, seat, scales.candidates[k], scales.counts[k], scales.candidates[rival], scales.counts[rival]
        )
        answers = names_of(game, row, seat, scales.candidates[k])
        found.append(
            Choice(
                answers,
                spoken(game, question, answers),
                50 + gain if unit == CHANCE else gain - standing,
                gain_error,
                behind,
                behind_error,
                k != best and behind <= max(TIED * behind_error, NOTHING[unit]),
                tuple(because),
            )
        )
    return tuple(found)


def verdict(choices: tuple[Choice, ...], unit: Unit) -> Message:
    """One sentence: which answer is best and by how much, or which are equally good."""
    tied = [choice.says for choice in choices if choice.tied]
    best = choices[0].says
    if tied:
        return Message("hint-equally", {"each": [best, *tied]})
    if len(choices) == 1:
        return Message("hint-best", {"answer": best})
    second = {"answer": best, "second": choices[1].says}
    if unit == CHANCE:
        return Message("hint-best-by-chance", {**second, "percent": round(choices[1].behind)})
    return Message("hint-best-by-points", {**second, "points": round(choices[1].behind, 1)})


def spoken(game: Game, question: str, answers: Sequence[int | str]) -> Message:
    """An answer for people, or the cards of a set to pass: cards with their suits drawn, seats by name, piles as piles."""
    answer = answers[0]
    own = words.name("hint", "answer", question)
    if answer in game.names:
        with_card = words.name(own, "card")
        known = words.known(with_card)
        return Message(with_card, {"card": answer}) if known else Message("hint-cards", {"cards": list(answers)})
    if question == "victim":
        return Message("hint-answer-victim", {"seat": answer})
    if isinstance(answer, int):
        return Message(own, {"number": answer}) if words.known(own) else Message("as-it-is", {"text": answer})
    word = words.name(own, answer)
    return Message(word) if words.known(word) else Message("as-it-is", {"text": answer})
