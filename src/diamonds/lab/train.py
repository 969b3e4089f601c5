# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, no-check-untyped-defs
"""Training: finds the numbers by which `diamonds.bots.knowing.crystals.values` plays the cards of crystals.

One seat learns, the others go by rules of thumb with some answers drawn at random, as in a search's playouts. Whenever the
learner has a choice, every card is played and the round played on to its end once, with the same luck for all, the learner
going by its numbers as they are now. By how much one card did better than the others, that much the sums of their numbers
should differ: they are moved a little that way (linear regression by stochastic steps, each number's the smaller the more
it has been moved: Duchi, Hazan and Singer 2011). As the numbers improve so does the play that is learned from. What is kept
is the mean over the second half.

What has been trained is kept in a folder, a file for each kind of table, so it can be stopped and goes on where it was. The
same seed gives the same numbers, in any number of processes.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from diamonds import jit
from diamonds.bots import knowing
from diamonds.bots.knowing.contract import AS_IT_COMES
from diamonds.bots.knowing.crystals import playouts, thumb, values
from diamonds.bots.knowing.crystals.values import KINDS
from diamonds.cards import LONG, lowest
from diamonds.chance import draw, lay_out, pick, shuffle
from diamonds.game import GAMES, Malformed
from diamonds.rules import crystals

ROUNDS = 600_000  # of training for each kind of table
CHUNK = 5_000  # rounds between two savings
NOISE = 100  # of the others' answers, in thousandths
STRAY = 200  # of the learner's own cards
STEP = 0.25  # the first steps
SLOW = 20.0  # beyond so many squared points of error, steps shrink
STARTS = 512  # rounds begin with so many different showrooms and options


def runs(cards):
    """The lowest of each run of neighbours in some cards: the others amount to the same."""
    highest = 1 << LONG - 1
    tops = highest | highest << LONG | highest << 2 * LONG | highest << 3 * LONG
    return cards & ~((cards & ~tops) << 1)


compiled = jit.compiled_with(*knowing.of(GAMES[crystals.NAME]).modules, sys.modules[__name__])


@lru_cache(maxsize=1)
def trainer() -> Callable[..., None]:
    """The compiled training: ``learn(starts, numbers, squares, rng, rounds)`` changes numbers (points) and squares in place.

    ``squares`` adds up how much each number has been moved.
    """

    @compiled
    def learn(starts, numbers, squares, rng, rounds):
        rows = np.empty(2, starts.dtype)
        s, t = rows[0], rows[1]
        deck, cards = np.zeros(60, np.int64), np.zeros(60, np.int64)
        marks = np.zeros((60, values.TABLES), np.int64)
        gain, guess = np.zeros(60), np.zeros(60)
        again = np.zeros(1, np.uint64)
        for _ in range(rounds):
            rows[0] = starts[draw(rng, len(starts))]
            shuffle(deck, lay_out(deck, crystals.pack(s)), crystals.dealt(s), rng)
            crystals.deal(s, deck, None)
            me = draw(rng, s["seats"])
            crystals.step(s, s["dealer"], 1 + draw(rng, 3), None)
            wild = draw(rng, 1000) < 400  # passes anything
            while s["to_act"] != 0:
                seat = lowest(s["to_act"])
                legal = crystals.legal(s, seat)
                choices = runs(legal) if s["question"] == crystals.PLAY else legal
                if seat != me or s["question"] != crystals.PLAY or choices & (choices - 1) == 0:
                    anything = wild and s["question"] == crystals.PASS if seat == me else draw(rng, 1000) < NOISE
                    answer = pick(legal, rng) if anything else thumb.choose(s, seat, AS_IT_COMES)
                    crystals.step(s, seat, answer, None)
                    continue
                number = lay_out(cards, choices)
                around = values.look_around(s, me)
                draw(rng, 2)
                best, mean_gain, mean_guess = 0, 0.0, 0.0
                for k in range(number):
                    found = values.marks_of(s, me, cards[k], around)
                    guess[k] = 0.0
                    for j in range(values.TABLES):
                        marks[k, j] = found[j]
                        guess[k] += numbers[found[j]]
                    if guess[k] > guess[best]:
                        best = k
                    rows[1] = rows[0]
                    again[0] = rng[0]
                    crystals.step(t, me, cards[k], None)
                    while t["to_act"] != 0:
                        seat = lowest(t["to_act"])
                        if seat == me:
                            answer = values.choose(t, seat, numbers)
                        elif draw(again, 1000) < NOISE:
                            answer = pick(crystals.legal(t, seat), again)
                        else:
                            answer = thumb.choose(t, seat, AS_IT_COMES)
                        crystals.step(t, seat, answer, None)
                    gain[k] = playouts.worth(t, me, 0.0)
                    mean_gain += gain[k] / number
                    mean_guess += guess[k] / number
                for k in range(number):
                    error = gain[k] - mean_gain - (guess[k] - mean_guess)
                    for j in range(values.TABLES):
                        place = marks[k, j]
                        squares[place] += error * error
                        numbers[place] += STEP * error / np.sqrt(squares[place] + SLOW)
                crystals.step(s, me, cards[draw(rng, number)] if draw(rng, 1000) < STRAY else cards[best], None)

    return learn  # type: ignore[no-any-return]


def starts(kind: tuple[int, int], seed: int) -> np.ndarray[Any, Any]:
    """Rounds about to be dealt, of all sorts: early and late in a game, plain, perfect, with the thief, one card each."""
    seats, partnership = kind
    game = GAMES[crystals.NAME]
    rng = np.random.default_rng([seed, seats, partnership])
    rows = np.zeros(STARTS, game.dtype)
    for k in range(STARTS):
        sort = rng.integers(10)
        options: dict[str, Any] = {"partnership": True} if partnership else {}
        if sort < 2:
            options["thief"] = True
        elif sort < 4 and seats < 6:
            options["perfect"] = True
        elif sort < 5 and seats == 2:
            options["two_cards"] = False
        row = jit.random_start(game, seats, options, rng)
        row["round"] = rng.integers(row["rounds"])
        row["dealer"] = rng.integers(seats)
        for seat in range(seats):
            if crystals.team(row, seat) == seat and row["round"] > 0:
                shown = max(0, round(row["showroom"][seat] + rng.normal(0.5, 0.7) * row["round"]))
                row["supply"] += row["showroom"][seat] - shown
                row["showroom"][seat] = shown
        if row["thief"]:
            row["thief_at"] = rng.integers(seats)
        rows[k] = row
    return rows


def path_of(folder: Path, kind: tuple[int, int]) -> Path:
    """Where a kind's training is kept."""
    return folder / f"crystals-{kind[0]}{'-partnership' if kind[1] else ''}.npz"


def kept_so_far(folder: Path, kind: tuple[int, int]) -> dict[str, Any]:
    """What a kind has been trained so far: numbers now, their mean so far, squares, rounds, and the seed."""
    path = path_of(folder, kind)
    if path.is_file():
        with np.load(path) as kept:
            return {name: kept[name] for name in kept.files}
    nothing = np.zeros(values.NUMBERS)
    return {"numbers": nothing, "mean": nothing.copy(), "squares": nothing.copy(), "rounds": 0, "seed": -1}


def go_on(folder: Path, kind: tuple[int, int], rounds: int, seed: int) -> int:
    """Train a chunk more, of ``rounds`` in all, and keep it; returns how many rounds this kind has had."""
    kept = kept_so_far(folder, kind)
    done = int(kept["rounds"])
    chunk = min(CHUNK, rounds - done)
    rng = jit.new_rng(np.random.SeedSequence([seed, *kind, done]).generate_state(1)[0])
    trainer()(starts(kind, seed), kept["numbers"], kept["squares"], rng, chunk)
    late = max(0, (done - rounds // 2) // CHUNK)  # chunks in the mean already
    mean = kept["mean"] + (kept["numbers"] - kept["mean"]) / (late + 1) if done >= rounds // 2 else kept["numbers"]
    path = path_of(folder, kind)
    with open(path.with_suffix(".part"), "wb") as file:
        np.savez(file, numbers=kept["numbers"], mean=mean, squares=kept["squares"], rounds=done + chunk, seed=seed)
    path.with_suffix(".part").replace(path)
    return done + chunk


def train(
    folder: Path,
    rounds: int = ROUNDS,
    seed: int = 1,
    processes: int | None = None,
    progress: Callable[[int, int], None] = lambda done, of: None,
    out: Path = values.FILE,
) -> None:
    """Train every kind of table for so many rounds and write the numbers, in hundredths of a point.

    `Malformed` if the folder holds training of another seed. ``progress(done, of)`` counts rounds.
    """
    folder.mkdir(parents=True, exist_ok=True)
    kept = [kept_so_far(folder, kind) for kind in KINDS]
    if any(int(one["seed"]) not in (-1, seed) for one in kept):
        raise Malformed(f"{folder.name} holds training of another seed; name another folder.")
    done = {kind: int(one["rounds"]) for kind, one in zip(KINDS, kept, strict=True)}
    of = rounds * len(KINDS)
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        running = {pool.submit(go_on, folder, kind, rounds, seed): kind for kind in KINDS if done[kind] < rounds}
        while running:
            progress(sum(done.values()), of)
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                kind = running.pop(future)
                done[kind] = future.result()
                if done[kind] < rounds:
                    running[pool.submit(go_on, folder, kind, rounds, seed)] = kind
    progress(sum(done.values()), of)
    means = np.array([kept_so_far(folder, kind)["mean"] for kind in KINDS])
    np.save(out, np.clip(np.rint(100 * means), -32768, 32767).astype(np.int16))
