"""Puzzles are found: positions from games between bots in which one answer is better than every other, by a clear margin.

A game is played by bots of several levels, from a seed. Every decision in it goes through sieves, the cheap ones first:

1. *A race.* All answers are weighed in a few worlds, then those that are near the best in more, as hints are
   (`diamonds.bots.advising.hints`). It is left as soon as the lead of the best is surely less than what is `CLEAR`, and after the first worlds if the lowest
   level finds the best at once, `AT_ONCE` times in a row.
2. *A look* at what is left in `FIRST` fresh worlds, which had no part in the choice.
3. *The lowest levels* decide `TRIES` times, each time in another mood. A level has found the answer if it gives it in half of them. What the lowest two
   find is taken for found by all, and is no puzzle.
4. *A longer look*, up to `CHUNK` worlds, and then *the best level*. What it does not find is no puzzle: there it is not sure whether the scales or the
   level err.
5. *Confirmation*, up to `Clear.worlds`. The lower end of the 95 % interval of the lead over every other answer has to be above the margin.
6. *All answers* are weighed once more, for what is told of each, and every level decides.

Cards of a suit that hardly differ (`Clear.tie`) are one answer, and its lead is that of the least of them: whether one grows by the ♥3 or the ♥5
is not what is asked.

Of one deal there is one puzzle, or a second much later that asks something else. A set of cards to pass is never one: it has hundreds of answers, and the best are close.

Everything follows from (seed, game, number), so games may be mined in any order, and again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from diamonds import deals, records
from diamonds.bots import knowing
from diamonds.bots.advising import hints, reasons
from diamonds.bots.bot import Seen, see
from diamonds.bots.knowing.contract import CHANCE, COLUMNS, POINTS, Unit
from diamonds.bots.levels import LEVELS, Level, LevelBot, find_bot
from diamonds.cards import members
from diamonds.game import Game

FIELD = ("2", "3", "4")  # who plays: well enough to come to sensible positions, and not always the same ones
LOOKS = (24, 96, 384)  # worlds after which the race is judged
FIRST = 1000  # fresh worlds of the first look
DOUBT = 2.6  # standard errors: further off than that is surely off
CONFIDENCE = 1.96  # standard errors: a 95 % interval
CHUNK = 4000  # fresh worlds of the longer look, worlds weighed at once, and those in which all answers are
TRIES = 20  # decisions of each level
AT_ONCE = 6  # so many tries of the lowest level, all of them right, show that it finds the answer
LOWEST = 2  # what so many of the lowest levels find is taken for found by all
LATER = 24  # answers between two puzzles from one deal: only in mines a deal lasts so long beyond its first puzzle
MOST = 3  # puzzles from one game
SIGNS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"  # an answer each, by its number


class Clear(NamedTuple):
    """By how much one answer has to be better, in the unit of a game; in how many fresh worlds that is confirmed; and how close a tie is."""

    margin: float
    worlds: int
    tie: float


CLEAR: dict[Unit, Clear] = {POINTS: Clear(1.0, 60_000, 0.2), CHANCE: Clear(10.0, 120_000, 2.0)}


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

    if knowing.of(view.game).sets(view.row):
        return None
    candidates = search.candidates_of(view.game, view.row, view.seat)
    raced = race(view, candidates, words) if len(candidates) > 1 else None
    if raced is None:
        return None
    sure, right = Heap(view, raced.near()), raced.right()
    if len(sure.candidates) == 1 or not confirm(view, sure, FIRST, words):
        return None
    if all(finds(view, level, candidates, right, words) for level in LEVELS[:LOWEST]):
        return None
    if not confirm(view, sure, CHUNK, words) or not finds(view, LEVELS[-1], candidates, right, words):
        return None
    right = [one for one in right if one not in sure.candidates or one in sure.right()]
    sure = sure.narrowed(view)
    if not confirm(view, sure, sure.clear.worlds, words) or not sure.settled():
        return None
    broad = Heap(view, candidates, candidates.index(sure.candidates[sure.best]))
    broad.weigh(view, CHUNK, drawn(*words, "all"))
    right = [*sure.right(), *(one for one in right if one not in sure.candidates)]
    if not broad.agrees(sure, right):
        return None
    found = [sum(tries(view, level, candidates, right, words)) for level in LEVELS]
    if 2 * found[-1] < TRIES or all(2 * times >= TRIES for times in found[:LOWEST]):
        return None
    return told(view, n, broad, sure, right, found)


# The scales


class Heap:
    """Weighings of some candidates in worlds, added up; ``best`` is the place of the one that all others are compared with."""

    def __init__(self, view: Seen, candidates: list[int], best: int = 0) -> None:
        self.candidates, self.best, self.worlds = candidates, best, 0
        self.clear = CLEAR[knowing.of(view.game).unit]
        names = view.game.question(view.row).answers
        self.suits = [suit_of(view.game, names[candidate]) for candidate in candidates]
        self.value, self.points = np.zeros((0, len(candidates))), np.zeros((0, len(candidates)))
        self.counts = np.zeros((len(candidates), COLUMNS))
        self.same: dict[int, int] = {}  # cards that came to the same as another in every world, and are weighed no more

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

    def tied(self, k: int, lead: float, error: float) -> bool:
        """Whether a candidate, so far behind, is a card of the same suit as the best, and it is not sure that they differ."""
        return bool(self.suits[k]) and self.suits[k] == self.suits[self.best] and abs(lead) <= self.clear.tie + error

    def lost(self) -> bool:
        """Whether some other is surely too close, and not one of those that hardly differ."""
        close = [(k, lead, error) for k, lead, error in self.others() if lead + DOUBT * error < self.clear.margin]
        return any(not self.tied(k, lead, DOUBT * error) for k, lead, error in close)

    def right(self) -> list[int]:
        """The best, and what may be tied with it."""
        tied = [self.candidates[k] for k, lead, error in self.others() if self.tied(k, lead, DOUBT * error)]
        right = [self.candidates[self.best], *tied]
        return right + [one for one, other in self.same.items() if other in right]

    def near(self) -> list[int]:
        """The best, and then all that may be closer to it than twice the margin: the nearest that is not tied in any case.

        Cards that came to the same as the best in every world are left out from now on.
        """
        best = self.candidates[self.best]
        found, right, rival = [best], self.right(), self.nearest(self.right())
        for k, lead, error in self.others():
            one = self.candidates[k]
            if one in right and lead == error == 0:
                self.same[one] = best
            elif k == rival or lead - DOUBT * error < 2 * self.clear.margin:
                found.append(one)
        return found

    def narrowed(self, view: Seen) -> Heap:
        """The same weighings of those that are near."""
        heap = Heap(view, self.near())
        kept = [self.candidates.index(one) for one in heap.candidates]
        heap.value, heap.points, heap.counts = self.value[:, kept], self.points[:, kept], self.counts[kept]
        heap.worlds = self.worlds
        return heap

    def nearest(self, right: list[int]) -> int:
        """The place of the best of those that are not right; −1 if all are."""
        rivals = [(lead, k) for k, lead, _ in self.others() if self.candidates[k] not in right]
        return min(rivals)[1] if rivals else -1

    def settled(self) -> bool:
        """Make the least of the right answers the best. Whether the others are surely so far behind it, and the right ones surely tied."""
        right = [k for k, candidate in enumerate(self.candidates) if candidate in self.right()]
        self.best = min(right, key=lambda k: float(self.value[:, k].mean()))
        clear, apart = self.clear, 0
        for k, lead, error in self.others():
            if k in right:
                if abs(lead) + CONFIDENCE * error > clear.tie:
                    return False
            elif lead - CONFIDENCE * error < clear.margin:
                return False
            else:
                apart += 1
        return apart > 0

    def agrees(self, sure: Heap, right: list[int]) -> bool:
        """Whether those that were not weighed in full keep their distance here."""
        rest = [(k, lead, error) for k, lead, error in self.others() if self.candidates[k] not in sure.candidates]
        return all(
            self.tied(k, lead, error) if self.candidates[k] in right else lead >= self.clear.margin
            for k, lead, error in rest
        )


def suit_of(game: Game, name: int | str) -> str:
    """The suit of an answer that is a card, or nothing."""
    return str(name)[0] if name in game.names else ""


def race(view: Seen, candidates: list[int], words: tuple[object, ...]) -> Heap | None:
    """The candidates weighed in as many worlds as it takes to be sure that none is clearly the best; ``None`` then.

    ``None`` as well if the lowest level finds at once what looks best first.
    """
    same: dict[int, int] = {}
    everything = candidates
    for worlds in LOOKS:
        heap = Heap(view, candidates)
        heap.same = same
        heap.weigh(view, worlds, drawn(*words, "race", worlds))
        heap.best = int(np.argmax(heap.value.mean(axis=0)))
        if heap.lost():
            return None
        if worlds == LOOKS[0] and all(islice(tries(view, LEVELS[0], everything, heap.right(), words), AT_ONCE)):
            return None
        candidates = heap.near()
    return heap


def tries(
    view: Seen, level: Level, candidates: list[int], right: list[int], words: tuple[object, ...]
) -> Iterator[bool]:
    """Whether a level gives one of the right answers, `TRIES` times."""
    from diamonds.bots.thinking import search

    game, seat, row = view
    known, effort = knowing.of(game), LevelBot(level).effort(game)
    for k in range(TRIES):
        mood = row.copy()  # a player's tastes follow from the cut, which means nothing any more
        mood["cut"] = [drawn(*words, "mood", k, place) % len(game.names) for place in range(len(row["cut"]))]
        answer = search.think(game, mood, seat, effort, drawn(*words, "try", level.name, k))[1]
        yield int(known.same_kind(row, np.array(candidates), answer)) in right


def finds(view: Seen, level: Level, candidates: list[int], right: list[int], words: tuple[object, ...]) -> bool:
    """Whether a level gives one of the right answers in half of its tries: known as soon as so many were right, or too many wrong."""
    times = missed = 0
    for one in tries(view, level, candidates, right, words):
        times, missed = times + one, missed + (not one)
        if 2 * times >= TRIES or 2 * missed > TRIES:
            break
    return 2 * times >= TRIES


def confirm(view: Seen, heap: Heap, upto: int, words: tuple[object, ...]) -> bool:
    """The best answer weighed in fresh worlds beside all that may be near, up to so many; whether it may still be so clear."""
    while heap.worlds < upto:
        worlds = min(CHUNK - heap.worlds % CHUNK, upto - heap.worlds) if heap.worlds else min(FIRST, upto)
        heap.weigh(view, worlds, drawn(*words, "confirm", heap.worlds))
        if heap.lost():
            return False
    return True


def told(view: Seen, n: int, broad: Heap, sure: Heap, right: list[int], found: list[int]) -> Puzzle:
    """What came of it, the best answer first."""
    game, seat, row = view
    known, names = knowing.of(game), game.question(row).answers
    standing, by_chance = hints.now(game, row, seat), known.unit == CHANCE
    best = sure.candidates[sure.best]
    alike: dict[int, list[int | str]] = {}
    for answer in members(game.rules.legal(row, seat)):
        kind = int(known.same_kind(row, np.array(broad.candidates), answer))
        alike.setdefault(best if kind in right else kind, []).append(names[answer])
    answers = []
    for candidate in alike:
        heap = sure if candidate in sure.candidates else broad
        at = heap.candidates.index(candidate)
        rival = heap.nearest(right) if at == heap.best else heap.best
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
    margin, error = sure.lead(sure.nearest(right))
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
