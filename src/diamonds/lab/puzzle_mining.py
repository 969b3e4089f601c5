"""Puzzle mining: the search in games between bots for positions with one answer clearly better than all others.

A seeded game is played by bots of several levels. Every decision in it passes through filters, cheap ones first:

1. *A race.* All answers are evaluated in a few worlds, then those near the best in more, as for hints
   (`diamonds.bots.analysis.hints`). It ends as soon as the lead of the best is certainly less than `CLARITY`, or after
   the first worlds if the lowest level finds the best answer `INSTANT_SOLVES` times in a row.
2. *A first check* of the remaining answers in `FIRST_CONFIRM_WORLDS` fresh worlds, which had no part in the choice.
3. *The lowest levels* decide `TRIES_PER_LEVEL` times, each time with different tastes. A level has found the answer if
   it gives it in half of them. An answer that the lowest two find is too easy for a puzzle.
4. *A longer check*, up to `WORLDS_PER_CHUNK` worlds, and then *the best level*. A position whose answer it does not
   find is dropped, because the evaluation may be wrong.
5. *Confirmation*, up to `ClarityThreshold.worlds`. The lower end of the 95 % interval of the lead over every other
   answer must be above the margin.
6. *All answers* are evaluated once more for display, and every level decides.

Cards of a suit that hardly differ (`ClarityThreshold.max_tie_gap`) count as one answer, with the lead of the worst of
them. Whether to grow with the ♥3 or the ♥5 is no puzzle.

Each deal gives at most one puzzle, or a second one much later with another question. A set of cards to pass is never a
puzzle: it has hundreds of answers, and the best are close.

After a puzzle the game continues with its best answer. The seat's next decisions, up to `MAX_SEQUENCE_GAP` answers
later, may be puzzles too, easy or not: together they are a *sequence*.

Everything follows from (seed, game, number), so games can be mined in any order and repeatedly.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from diamonds import deals, records
from diamonds.bots import games
from diamonds.bots.analysis import hints, reason_text
from diamonds.bots.bot import BotView, bot_view
from diamonds.bots.games.adapter import COUNT_COLUMNS, POINTS, WIN_CHANCE, ValueUnit
from diamonds.bots.levels import LEVELS, Level, LevelBot, find_bot
from diamonds.bots.search.reason_selection import AGAINST, FOR
from diamonds.cards import iter_bits
from diamonds.game import Game

LINEUP = ("2", "3", "4")  # strong enough to reach sensible positions, and varied
RACE_WORLDS = (24, 96, 384)  # numbers of worlds after which the race is judged
FIRST_CONFIRM_WORLDS = 1000  # fresh worlds for the first check
DROP_STD_ERRORS = 2.6  # an answer this far behind is certainly worse
CONFIDENCE_STD_ERRORS = 1.96  # for a 95 % interval
WORLDS_PER_CHUNK = 4000  # worlds in one evaluation, in the longer check, and for all answers
TRIES_PER_LEVEL = 20  # decisions of each level
INSTANT_SOLVES = 6  # after this many correct first tries the lowest level counts as finding the answer
EASY_LEVELS = 2  # an answer found by this many of the lowest levels is too easy
MIN_ANSWERS_APART = 24  # distance between two puzzles from one deal; only deals of mines last so long after a puzzle
MAX_PUZZLES_PER_GAME = 3
MAX_SEQUENCE_GAP = 8  # limit of answers between a puzzle and the next one of its sequence
BASE62 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"  # one digit per answer


class ClarityThreshold(NamedTuple):
    """The margin of a clear answer in the game's unit, the fresh worlds to confirm it, and the largest gap of a tie."""

    margin: float
    worlds: int
    max_tie_gap: float


CLARITY: dict[ValueUnit, ClarityThreshold] = {
    POINTS: ClarityThreshold(1.0, 60_000, 0.2),
    WIN_CHANCE: ClarityThreshold(5.0, 120_000, 1.0),
}


class PuzzleAnswer(NamedTuple):
    """One evaluated answer, or several equivalent ones: ``answers`` are their names.

    ``gain`` is its gain from now on and ``gap`` how much worse it is than the best, with its standard error, in
    ``worlds``.
    """

    answers: list[int | str]
    gain: float
    gap: float
    error: float
    worlds: int
    reasons: list[tuple[str, dict[str, Any]]]


class Puzzle(NamedTuple):
    """A position after ``n`` answers, its answers from the best on, and how often each level finds the best.

    ``margin`` is the lead over the next best answer; ``low`` and ``high`` are the ends of its 95 % interval. In a
    sequence, ``follows`` is the ``n`` of the previous puzzle.
    """

    n: int
    seat: int
    deal: int
    question: str
    answers: list[PuzzleAnswer]
    margin: float
    low: float
    high: float
    worlds: int
    found: list[int]
    grade: int
    follows: int | None = None


class MinedGame(NamedTuple):
    """A mined game and its puzzles.

    ``answers`` are those up to the last puzzle, one `BASE62` digit each; they are given by the lowest seat to act.
    """

    number: int
    seats: int
    bots: list[str]
    decisions: int
    answers: str
    puzzles: list[Puzzle]


def derived_number(*parts: object) -> int:
    """Return a 56-bit number hashed from the parts."""
    return int.from_bytes(hashlib.sha256(" ".join(map(str, parts)).encode()).digest()[:7])


def secret_of(game: Game, seed: int, number: int) -> bytes:
    """Return the secret that determines a game's deals."""
    return deals.seeded_secret(derived_number("puzzles", game.name, seed, number))


def seats_of(game: Game, number: int) -> int:
    """Return the number of seats: the default in even games; odd games use every number in turn."""
    return game.seats[number // 2 % len(game.seats)] if number % 2 else game.default_seats


def mine(game: Game, seed: int, number: int) -> MinedGame:
    """Play a game and search it for puzzles. The result depends only on seed and number."""
    seats, secret = seats_of(game, number), secret_of(game, seed, number)
    bots = [LINEUP[derived_number(seed, number, "bot", seat) % len(LINEUP)] for seat in range(seats)]
    played = records.start_game(game, seats, {}, secret)
    puzzles: list[Puzzle] = []
    decisions, answers = 0, ""
    while not played.over and len(puzzles) < MAX_PUZZLES_PER_GAME:
        state = played.state
        seat, seed_parts = game.to_act(state)[0], ("at", game.name, seed, number, played.n)
        view, question, puzzle = bot_view(game, state, seat), game.question(state), None
        if len(game.legal(state, seat)) > 1:
            decisions += 1
            follows = previous_of_sequence(view, played.n, puzzles)
            if follows is not None or is_new_position(view, played.n, puzzles):
                puzzle = find_puzzle(view, played.n, seed_parts, follows)
        rng = np.random.default_rng(derived_number(*seed_parts, "answer"))
        if puzzle:
            puzzles.append(puzzle)
            answer = question.answers.index(puzzle.answers[0].answers[0])
        else:
            answer = find_bot(bots[seat]).choose(view, question.name, rng)
        answers += BASE62[answer]
        played.answer(seat, question.answers[answer])
    return MinedGame(number, seats, bots, decisions, answers[: puzzles[-1].n if puzzles else 0], puzzles)


def replay_state(game: Game, seed: int, mined_game: MinedGame, n: int) -> np.void:
    """Return the state of a mined game after its first ``n`` answers."""
    played = records.start_game(game, mined_game.seats, {}, secret_of(game, seed, mined_game.number))
    for digit in mined_game.answers[:n]:
        played.answer(game.to_act(played.state)[0], game.question(played.state).answers[BASE62.index(digit)])
    return played.state


def is_new_position(view: BotView, n: int, puzzles: list[Puzzle]) -> bool:
    """Return whether a position differs enough from the last puzzle: another deal, or much later with another question."""
    if not puzzles or puzzles[-1].deal != int(view.row["deals"]) - 1:
        return True
    other = puzzles[-1].question != view.game.question(view.row).name
    return other and n - puzzles[-1].n >= MIN_ANSWERS_APART


def previous_of_sequence(view: BotView, n: int, puzzles: list[Puzzle]) -> int | None:
    """Return the ``n`` of the last puzzle if this decision of the same seat comes soon after it in the same deal."""
    if not puzzles:
        return None
    last = puzzles[-1]
    is_near = n - last.n <= MAX_SEQUENCE_GAP and last.deal == int(view.row["deals"]) - 1
    return last.n if is_near and last.seat == view.seat else None


def find_puzzle(view: BotView, n: int, seed_parts: tuple[object, ...], follows: int | None = None) -> Puzzle | None:
    """Return the puzzle in a decision, if there is one. In a sequence, it may be easy for the levels."""
    from diamonds.bots.search import search

    if games.adapter_for(view.game).is_set(view.row):
        return None
    candidates = search.candidates_of(view.game, view.row, view.seat)
    is_first = follows is None
    comparison = race(view, candidates, seed_parts, is_first) if len(candidates) > 1 else None
    if comparison is None:
        return None
    confirmed, right_answers = AnswerComparison(view, comparison.near_best()), comparison.right_answers()
    if len(confirmed.candidates) == 1 or not confirm(view, confirmed, FIRST_CONFIRM_WORLDS, seed_parts):
        return None
    if is_first and all(
        level_solves(view, level, candidates, right_answers, seed_parts) for level in LEVELS[:EASY_LEVELS]
    ):
        return None
    if not confirm(view, confirmed, WORLDS_PER_CHUNK, seed_parts) or not level_solves(
        view, LEVELS[-1], candidates, right_answers, seed_parts
    ):
        return None
    right_answers = [
        answer for answer in right_answers if answer not in confirmed.candidates or answer in confirmed.right_answers()
    ]
    confirmed = confirmed.narrow_to_near(view)
    if not confirm(view, confirmed, confirmed.clarity.worlds, seed_parts) or not confirmed.settle():
        return None
    all_answers = AnswerComparison(view, candidates, candidates.index(confirmed.candidates[confirmed.best]))
    all_answers.add_worlds(view, WORLDS_PER_CHUNK, derived_number(*seed_parts, "all"))
    right_answers = [
        *confirmed.right_answers(),
        *(answer for answer in right_answers if answer not in confirmed.candidates),
    ]
    if not all_answers.agrees_with(confirmed, right_answers):
        return None
    solves = [sum(solved_tries(view, level, candidates, right_answers, seed_parts)) for level in LEVELS]
    is_easy = all(2 * times >= TRIES_PER_LEVEL for times in solves[:EASY_LEVELS])
    if 2 * solves[-1] < TRIES_PER_LEVEL or (is_first and is_easy):
        return None
    return make_puzzle(view, n, all_answers, confirmed, right_answers, solves)._replace(follows=follows)


# Evaluation


class AnswerComparison:
    """Combined evaluations of several candidates; the others are compared with the one at index ``best``."""

    def __init__(self, view: BotView, candidates: list[int], best: int = 0) -> None:
        self.candidates, self.best, self.worlds = candidates, best, 0
        self.clarity = CLARITY[games.adapter_for(view.game).unit]
        names = view.game.question(view.row).answers
        self.suits = [suit_of(view.game, names[candidate]) for candidate in candidates]
        self.value, self.points = np.zeros((0, len(candidates))), np.zeros((0, len(candidates)))
        self.counts = np.zeros((len(candidates), COUNT_COLUMNS))
        # cards equal to another in every world, which are no longer evaluated
        self.equal_candidates: dict[int, int] = {}

    def add_worlds(self, view: BotView, worlds: int, seed: int) -> None:
        """Evaluate the candidates in more worlds."""
        game, seat, row = view
        evaluation = hints.evaluate_candidates(game, row, seat, self.candidates, worlds, seed)
        self.value = np.concatenate([self.value, evaluation.values])
        self.points = np.concatenate([self.points, evaluation.points])
        self.counts = (self.counts * self.worlds + evaluation.counts * worlds) / (self.worlds + worlds)
        self.worlds += worlds

    def lead(self, k: int) -> tuple[float, float]:
        """Return how far the best is ahead of another candidate, and the standard error."""
        return hints.mean_and_error(self.value[:, self.best] - self.value[:, k])

    def others(self) -> Iterator[tuple[int, float, float]]:
        """Yield the index of each candidate but the best, its gap to the best, and the standard error."""
        for k in range(len(self.candidates)):
            if k != self.best:
                yield k, *self.lead(k)

    def is_tied(self, k: int, gap: float, error: float) -> bool:
        """Return whether a candidate is a card of the same suit as the best and possibly equal to it."""
        return (
            bool(self.suits[k])
            and self.suits[k] == self.suits[self.best]
            and abs(gap) <= self.clarity.max_tie_gap + error
        )

    def has_close_rival(self) -> bool:
        """Return whether another candidate is certainly too close and not tied."""
        close = [
            (k, lead, error) for k, lead, error in self.others() if lead + DROP_STD_ERRORS * error < self.clarity.margin
        ]
        return any(not self.is_tied(k, lead, DROP_STD_ERRORS * error) for k, lead, error in close)

    def right_answers(self) -> list[int]:
        """Return the best candidate, and those that may be tied with it."""
        tied = [
            self.candidates[k] for k, lead, error in self.others() if self.is_tied(k, lead, DROP_STD_ERRORS * error)
        ]
        answers = [self.candidates[self.best], *tied]
        return answers + [candidate for candidate, other in self.equal_candidates.items() if other in answers]

    def near_best(self) -> list[int]:
        """Return the best candidate and all near it: possibly closer than twice the margin, or the nearest untied one.

        Cards equal to the best in every world are left out from now on.
        """
        best = self.candidates[self.best]
        near, right, rival_index = [best], self.right_answers(), self.best_rival(self.right_answers())
        for k, lead, error in self.others():
            candidate = self.candidates[k]
            if candidate in right and lead == error == 0:
                self.equal_candidates[candidate] = best
            elif k == rival_index or lead - DROP_STD_ERRORS * error < 2 * self.clarity.margin:
                near.append(candidate)
        return near

    def narrow_to_near(self, view: BotView) -> AnswerComparison:
        """Return the same evaluations for the near candidates only."""
        comparison = AnswerComparison(view, self.near_best())
        indices = [self.candidates.index(candidate) for candidate in comparison.candidates]
        comparison.value, comparison.points = self.value[:, indices], self.points[:, indices]
        comparison.counts, comparison.worlds = self.counts[indices], self.worlds
        return comparison

    def best_rival(self, right_answers: list[int]) -> int:
        """Return the index of the best wrong candidate; −1 if there is none."""
        rivals = [(lead, k) for k, lead, _ in self.others() if self.candidates[k] not in right_answers]
        return min(rivals)[1] if rivals else -1

    def settle(self) -> bool:
        """Make the worst right answer the best; return whether its lead and the ties are certain."""
        right = [k for k, candidate in enumerate(self.candidates) if candidate in self.right_answers()]
        self.best = min(right, key=lambda k: float(self.value[:, k].mean()))
        clarity, distinct = self.clarity, 0
        for k, lead, error in self.others():
            if k in right:
                if abs(lead) + CONFIDENCE_STD_ERRORS * error > clarity.max_tie_gap:
                    return False
            elif lead - CONFIDENCE_STD_ERRORS * error < clarity.margin:
                return False
            else:
                distinct += 1
        return distinct > 0

    def agrees_with(self, confirmed: AnswerComparison, right_answers: list[int]) -> bool:
        """Return whether the candidates that were not fully evaluated keep their distance in these evaluations."""
        rest = [(k, lead, error) for k, lead, error in self.others() if self.candidates[k] not in confirmed.candidates]
        return all(
            self.is_tied(k, lead, error) if self.candidates[k] in right_answers else lead >= self.clarity.margin
            for k, lead, error in rest
        )


def suit_of(game: Game, name: int | str) -> str:
    """Return the suit of an answer that is a card, or ""."""
    return str(name)[0] if name in game.card_names else ""


def race(
    view: BotView, candidates: list[int], seed_parts: tuple[object, ...], must_be_hard: bool = True
) -> AnswerComparison | None:
    """Evaluate candidates in increasing numbers of worlds; return ``None`` once the best is certain not to be clear.

    If it ``must_be_hard``, the result is also ``None`` if the lowest level immediately finds the answer that looks best
    after the first worlds.
    """
    equal_candidates: dict[int, int] = {}
    all_candidates = candidates
    for worlds in RACE_WORLDS:
        comparison = AnswerComparison(view, candidates)
        comparison.equal_candidates = equal_candidates
        comparison.add_worlds(view, worlds, derived_number(*seed_parts, "race", worlds))
        comparison.best = int(np.argmax(comparison.value.mean(axis=0)))
        if comparison.has_close_rival():
            return None
        if (
            must_be_hard
            and worlds == RACE_WORLDS[0]
            and all(
                islice(
                    solved_tries(view, LEVELS[0], all_candidates, comparison.right_answers(), seed_parts),
                    INSTANT_SOLVES,
                )
            )
        ):
            return None
        candidates = comparison.near_best()
    return comparison


def solved_tries(
    view: BotView, level: Level, candidates: list[int], right_answers: list[int], seed_parts: tuple[object, ...]
) -> Iterator[bool]:
    """Yield whether a level gives one of the right answers, `TRIES_PER_LEVEL` times."""
    from diamonds.bots.search import search

    game, seat, row = view
    adapter, search_params = games.adapter_for(game), LevelBot(level).search_params(game)
    for k in range(TRIES_PER_LEVEL):
        varied_row = row.copy()  # tastes follow from the cut, which no longer has any other effect
        varied_row["cut"] = [
            derived_number(*seed_parts, "mood", k, place) % len(game.card_names) for place in range(len(row["cut"]))
        ]
        answer = search.decide_view(
            game, varied_row, seat, search_params, derived_number(*seed_parts, "try", level.name, k)
        )[1]
        yield int(adapter.representative(row, np.array(candidates), answer)) in right_answers


def level_solves(
    view: BotView, level: Level, candidates: list[int], right_answers: list[int], seed_parts: tuple[object, ...]
) -> bool:
    """Return whether a level gives a right answer in half of its tries; stop as soon as that is decided."""
    solved = failed = 0
    for is_right in solved_tries(view, level, candidates, right_answers, seed_parts):
        solved, failed = solved + is_right, failed + (not is_right)
        if 2 * solved >= TRIES_PER_LEVEL or 2 * failed > TRIES_PER_LEVEL:
            break
    return 2 * solved >= TRIES_PER_LEVEL


def confirm(view: BotView, comparison: AnswerComparison, max_worlds: int, seed_parts: tuple[object, ...]) -> bool:
    """Evaluate the best answer and all near ones in more fresh worlds; return whether it may still be clear."""
    while comparison.worlds < max_worlds:
        worlds = (
            min(WORLDS_PER_CHUNK - comparison.worlds % WORLDS_PER_CHUNK, max_worlds - comparison.worlds)
            if comparison.worlds
            else min(FIRST_CONFIRM_WORLDS, max_worlds)
        )
        comparison.add_worlds(view, worlds, derived_number(*seed_parts, "confirm", comparison.worlds))
        if comparison.has_close_rival():
            return False
    return True


def make_puzzle(
    view: BotView,
    n: int,
    all_answers: AnswerComparison,
    confirmed: AnswerComparison,
    right_answers: list[int],
    solves: list[int],
) -> Puzzle:
    """Return the puzzle, its best answer first."""
    game, seat, row = view
    adapter, names = games.adapter_for(game), game.question(row).answers
    current_value, by_chance = hints.current_margin(game, row, seat), adapter.unit == WIN_CHANCE
    best = confirmed.candidates[confirmed.best]
    grouped: dict[int, list[int | str]] = {}
    for answer in iter_bits(game.rules.legal(row, seat)):
        kind = int(adapter.representative(row, np.array(all_answers.candidates), answer))
        grouped.setdefault(best if kind in right_answers else kind, []).append(names[answer])
    answers = []
    for candidate in grouped:
        comparison = confirmed if candidate in confirmed.candidates else all_answers
        index = comparison.candidates.index(candidate)
        rival = comparison.best_rival(right_answers) if index == comparison.best else comparison.best
        answer_reasons = reason_text.reason_messages(
            game, row, seat, candidate, comparison.counts[index], comparison.candidates[rival], comparison.counts[rival],
            AGAINST if index != comparison.best else FOR,
        )[:1]  # fmt: skip
        gain = hints.mean_and_error(comparison.points[:, index])[0]
        gap, error = comparison.lead(index) if index != comparison.best else (0.0, 0.0)
        answers.append(
            PuzzleAnswer(
                grouped[candidate],
                round(50 + gain if by_chance else gain - current_value, 3),
                round(gap, 3),
                round(error, 4),
                comparison.worlds,
                [(reason.id, dict(reason.args)) for reason in answer_reasons],
            )
        )
    answers.sort(key=lambda puzzle_answer: puzzle_answer.gap)
    margin, error = confirmed.lead(confirmed.best_rival(right_answers))
    return Puzzle(
        n,
        seat,
        int(row["deals"]) - 1,
        game.question(row).name,
        answers,
        round(margin, 3),
        round(margin - CONFIDENCE_STD_ERRORS * error, 3),
        round(margin + CONFIDENCE_STD_ERRORS * error, 3),
        confirmed.worlds,
        solves,
        1 + max((k + 1 for k, times in enumerate(solves) if 2 * times < TRIES_PER_LEVEL), default=0),
    )
