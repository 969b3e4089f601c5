"""Puzzles are found: positions from games between bots in which one answer is better than every other, by a clear margin.

A game is played by bots of several levels, from a seed. Every decision in it goes through sieves, the cheap ones first:

1. *A race.* All answers are weighed in a few worlds, then those that are near the best in more, as hints are
   (`diamonds.bots.advising.hints`). It is left as soon as the lead of the best is surely less than what is `CLEAR`.
2. *Grading.* Every level decides `TRIES` times, each time in another mood. It has found the answer if it gives it in half of them. What all
   levels find is no puzzle. Neither is what the best level does not find: there it is not sure whether the scales or the level err.
3. *Confirmation.* In fresh worlds, which had no part in the choice, and in full: `Clear.worlds` of them. The lower end of the 95 % interval of the
   lead over every other answer has to be above the margin. It is left early as the race is.
4. *All answers* are weighed once more, for what is told of each.

Of one deal there is one puzzle, or a second much later that asks something else. A set of cards to pass is never one: it has hundreds of answers, and the best are close.

Everything follows from (seed, game, number), so games may be mined in any order, and again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from diamonds import deals, records
from diamonds.bots import knowing
from diamonds.bots.advising import hints, reasons
from diamonds.bots.bot import Seen, see
from diamonds.bots.knowing.contract import CHANCE, COLUMNS, POINTS, Unit
from diamonds.bots.levels import LEVELS, LevelBot, find_bot
from diamonds.cards import members
from diamonds.game import Game

FIELD = ("2", "3", "4")  # who plays: well enough to come to sensible positions, and not always the same ones
LOOKS = (24, 96, 384)  # worlds after which the race is judged
FIRST = 1000  # worlds after which a confirmation is judged first
DOUBT = 2.6  # standard errors: further off than that is surely off
CONFIDENCE = 1.96  # standard errors: a 95 % interval
CHUNK = 4000  # worlds weighed at once, and those in which all answers are
TRIES = 20  # decisions of each level
LOWEST = 2  # what so many of the lowest levels find is taken for found by all
LATER = 24  # answers between two puzzles from one deal: only in mines a deal lasts so long beyond its first puzzle
MOST = 3  # puzzles from one game
SIGNS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"  # an answer each, by its number


class Clear(NamedTuple):
    """By how much one answer has to be better, in the unit of a game, and in how many fresh worlds that is confirmed."""

    margin: float
    worlds: int


CLEAR: dict[Unit, Clear] = {POINTS: Clear(1.0, 60_000), CHANCE: Clear(10.0, 120_000)}


class Answer(NamedTuple):
    """One answer on the scales, or several that amount to the same: ``answers`` are their names.

    ``gain`` is what it brings from now on and ``behind`` how much less than the best, with its standard error, in so many worlds.
    """

    answers: list[int | str]
    gain: float
    behind: float
    error: float
    worlds: int
    because: list[tuple[str, dict[str, Any]]]


class Puzzle(NamedTuple):
    """A position after ``n`` answers, the best answer first, and which levels find it: in how many of `TRIES` each.

    ``margin`` is the lead over the next best; ``low`` and ``high`` are the ends of its 95 % interval.
    """

    n: int
    seat: int
    deal: int
    question: str
    answers: list[Answer]
    margin: float
    low: float
    high: float
    worlds: int
    found: list[int]
    grade: int


class Mined(NamedTuple):
    """A game that was mined, and its puzzles.

    ``answers`` are those given up to the last of them, a sign of `SIGNS` each: the lowest seat that owes one answers.
    """

    number: int
    seats: int
    bots: list[str]
    decisions: int
    answers: str
    puzzles: list[Puzzle]


def drawn(*parts: object) -> int:
    """A number that follows from these."""
    return int.from_bytes(hashlib.sha256(" ".join(map(str, parts)).encode()).digest()[:7])


def secret_of(game: Game, seed: int, number: int) -> bytes:
    """The secret that a game's deals follow from."""
    return deals.seeded_secret(drawn("puzzles", game.name, seed, number))


def seats_of(game: Game, number: int) -> int:
    """How many sit there: at every other table so many as usual, at the others any number in turn."""
    return game.seats[number // 2 % len(game.seats)] if number % 2 else game.usual_seats


def mine(game: Game, seed: int, number: int) -> Mined:
    """Play a game and look for puzzles in it: the same for the same seed and number."""
    seats, secret = seats_of(game, number), secret_of(game, seed, number)
    bots = [FIELD[drawn(seed, number, "bot", seat) % len(FIELD)] for seat in range(seats)]
    match = records.start(game, seats, {}, secret)
    puzzles: list[Puzzle] = []
    decisions, given = 0, ""
    while not match.over and len(puzzles) < MOST:
        state = match.state
        seat, words = game.to_act(state)[0], ("at", game.name, seed, number, match.n)
        view, question = see(game, state, seat), game.question(state)
        if len(game.legal(state, seat)) > 1:
            decisions += 1
            found = look_at(view, match.n, words) if fresh(view, match.n, puzzles) else None
            if found:
                puzzles.append(found)
        rng = np.random.default_rng(drawn(*words, "answer"))
        answer = find_bot(bots[seat]).choose(view, question.name, rng)
        given += SIGNS[answer]
        match.answer(seat, question.answers[answer])
    return Mined(number, seats, bots, decisions, given[: puzzles[-1].n if puzzles else 0], puzzles)


def replayed(game: Game, seed: int, mined: Mined, n: int) -> np.void:
    """The state of a mined game after its first ``n`` answers."""
    match = records.start(game, mined.seats, {}, secret_of(game, seed, mined.number))
    for sign in mined.answers[:n]:
        match.answer(game.to_act(match.state)[0], game.question(match.state).answers[SIGNS.index(sign)])
    return match.state


def fresh(view: Seen, n: int, puzzles: list[Puzzle]) -> bool:
    """Whether a position is unlike the last puzzle of its game: of another deal, or much later and another question."""
    if not puzzles or puzzles[-1].deal != int(view.row["deals"]) - 1:
        return True
    other = puzzles[-1].question != view.game.question(view.row).name
    return other and n - puzzles[-1].n >= LATER


def look_at(view: Seen, n: int, words: tuple[object, ...]) -> Puzzle | None:
    """The puzzle in a decision, if there is one."""
    from diamonds.bots.thinking import search

    known = knowing.of(view.game)
    if known.sets(view.row):
        return None
    candidates = search.candidates_of(view.game, view.row, view.seat)
    raced = race(view, candidates, words) if len(candidates) > 1 else None
    if raced is None:
        return None
    best = raced.candidates[raced.best]
    found = grade(view, candidates, best, words)
    if found is None:
        return None
    sure = confirm(view, raced, words)
    if sure is None:
        return None
    broad = Heap(candidates, candidates.index(best))
    broad.weigh(view, CHUNK, drawn(*words, "all"))
    clear = CLEAR[known.unit].margin
    if any(lead < clear for k, lead, _ in broad.others() if candidates[k] not in sure.candidates):
        return None
    return told(view, n, broad, sure, found)


# The scales


class Heap:
    """Weighings of some candidates in worlds, added up; ``best`` is the place of the one that all others are compared with."""

    def __init__(self, candidates: list[int], best: int = -1) -> None:
        self.candidates, self.best, self.worlds = candidates, best, 0
        self.value, self.points = np.zeros((0, len(candidates))), np.zeros((0, len(candidates)))
        self.counts = np.zeros((len(candidates), COLUMNS))

    def weigh(self, view: Seen, worlds: int, seed: int) -> None:
        """So many worlds more."""
        game, seat, row = view
        scales = hints.weigh(game, row, seat, self.candidates, worlds, seed)
        self.value = np.concatenate([self.value, scales.value])
        self.points = np.concatenate([self.points, scales.points])
        self.counts = (self.counts * self.worlds + scales.counts * worlds) / (self.worlds + worlds)
        self.worlds += worlds

    def lead(self, k: int) -> tuple[float, float]:
        """By how much the best is ahead of another, and the standard error."""
        return hints.mean_and_error(self.value[:, self.best] - self.value[:, k])

    def others(self) -> Iterator[tuple[int, float, float]]:
        """Every other candidate's place, how far it is behind, and the standard error."""
        for k in range(len(self.candidates)):
            if k != self.best:
                yield k, *self.lead(k)

    def lost(self, margin: float) -> bool:
        """Whether some other is surely closer than that."""
        return any(lead + DOUBT * error < margin for _, lead, error in self.others())

    def near(self, margin: float) -> list[int]:
        """The best, and then all that may be closer to it than that: the nearest in any case."""
        others = sorted(self.others(), key=lambda other: other[1])
        close = [k for at, (k, lead, error) in enumerate(others) if at == 0 or lead - DOUBT * error < margin]
        return [self.candidates[k] for k in (self.best, *close)]


def race(view: Seen, candidates: list[int], words: tuple[object, ...]) -> Heap | None:
    """The candidates weighed in as many worlds as it takes to be sure that none is clearly the best; ``None`` then."""
    margin = CLEAR[knowing.of(view.game).unit].margin
    for worlds in LOOKS:
        heap = Heap(candidates)
        heap.weigh(view, worlds, drawn(*words, "race", worlds))
        heap.best = int(np.argmax(heap.value.mean(axis=0)))
        if heap.lost(margin):
            return None
        candidates = heap.near(2 * margin)
    return heap


def grade(view: Seen, candidates: list[int], best: int, words: tuple[object, ...]) -> list[int] | None:
    """How often each level finds the best answer; ``None`` if the lowest find it, and so all, or the best level does not."""
    from diamonds.bots.thinking import search

    game, seat, row = view
    known = knowing.of(game)
    found: list[int] = []
    for level in LEVELS:
        if len(found) == LOWEST and all(2 * times >= TRIES for times in found):
            return None
        effort, times = LevelBot(level).effort(game), 0
        for k in range(TRIES):
            mood = row.copy()  # a player's tastes follow from the cut, which means nothing any more
            mood["cut"] = [drawn(*words, "mood", k, place) % len(game.names) for place in range(len(row["cut"]))]
            answer = search.think(game, mood, seat, effort, drawn(*words, "try", level.name, k))[1]
            times += int(known.same_kind(row, np.array(candidates), answer) == best)
        found.append(times)
    return found if 2 * found[-1] >= TRIES else None


def confirm(view: Seen, raced: Heap, words: tuple[object, ...]) -> Heap | None:
    """The best answer weighed in fresh worlds beside all that may be near; ``None`` as soon as it is not so clear after all."""
    clear = CLEAR[knowing.of(view.game).unit]
    heap = Heap(raced.near(2 * clear.margin), 0)
    while heap.worlds < clear.worlds:
        worlds = min(CHUNK, clear.worlds - heap.worlds) if heap.worlds else FIRST
        heap.weigh(view, worlds, drawn(*words, "confirm", heap.worlds))
        if heap.lost(clear.margin):
            return None
    return heap if min(lead - CONFIDENCE * error for _, lead, error in heap.others()) >= clear.margin else None


def told(view: Seen, n: int, broad: Heap, sure: Heap, found: list[int]) -> Puzzle:
    """What came of it, the best answer first."""
    game, seat, row = view
    known, names = knowing.of(game), game.question(row).answers
    standing, by_chance = hints.now(game, row, seat), known.unit == CHANCE
    alike: dict[int, list[int | str]] = {}
    for answer in members(game.rules.legal(row, seat)):
        alike.setdefault(int(known.same_kind(row, np.array(broad.candidates), answer)), []).append(names[answer])
    answers = []
    for candidate in broad.candidates:
        heap = sure if candidate in sure.candidates else broad
        at = heap.candidates.index(candidate)
        others = sorted(heap.others(), key=lambda other: other[1])
        rival = others[0][0] if at == heap.best else heap.best
        because = reasons.reasons(
            game, row, seat, candidate, heap.counts[at], heap.candidates[rival], heap.counts[rival]
        )
        gain = hints.mean_and_error(heap.points[:, at])[0]
        behind, error = heap.lead(at) if at != heap.best else (0.0, 0.0)
        answers.append(
            Answer(
                alike[candidate],
                round(50 + gain if by_chance else gain - standing, 3),
                round(behind, 3),
                round(error, 4),
                heap.worlds,
                [(why.id, dict(why.values)) for why in because],
            )
        )
    answers.sort(key=lambda one: one.behind)
    _, margin, error = min(sure.others(), key=lambda other: other[1])
    return Puzzle(
        n,
        seat,
        int(row["deals"]) - 1,
        game.question(row).name,
        answers,
        round(margin, 3),
        round(margin - CONFIDENCE * error, 3),
        round(margin + CONFIDENCE * error, 3),
        sure.worlds,
        found,
        1 + max(k + 1 for k, times in enumerate(found) if 2 * times < TRIES),
    )
