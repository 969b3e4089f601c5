# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, no-check-untyped-defs
"""Training of the weights in `diamonds.bots.games.crystals.trained_policy`.

One seat learns; the others follow rules of thumb with some random answers, as in a search's playouts. Whenever the
learner has a choice, every card is tried and the round played to its end once, with the same random numbers for all
cards and with the current weights for the learner. The sums of the cards' weights should differ by as much as their
results, so the weights move slightly in that direction (linear regression by stochastic steps, which get smaller the
more a weight has moved: Duchi, Hazan and Singer 2011). As the weights improve, so does the play that they learn from.
The result is the mean over the second half.

Progress is kept in a folder with a file for each kind of table, so training can be stopped and resumed. The same seed
gives the same weights, in any number of processes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from diamonds import jit
from diamonds.bots import games
from diamonds.bots.games.adapter import NO_PLAN
from diamonds.bots.games.crystals import heuristics, playouts, trained_policy
from diamonds.bots.games.crystals.trained_policy import TABLE_KINDS
from diamonds.cards import LONG_PACK_RANKS, lowest
from diamonds.errors import InvalidInputError
from diamonds.game import GAMES
from diamonds.lab.pool import OneProcess, Pool
from diamonds.rng import fill_deck, randbelow, random_bit, shuffle
from diamonds.rules import crystals

ROUNDS_PER_KIND = 600_000  # rounds of training per kind of table
ROUNDS_PER_CHUNK = 5_000  # progress is saved this often
OTHERS_RANDOM_PERMILLE = 100  # random answers of the others, per 1,000
OWN_RANDOM_PERMILLE = 200  # random cards of the learner, per 1,000
LEARNING_RATE = 0.25  # size of the first steps
DECAY = 20.0  # steps shrink once the sum of squared errors exceeds this
START_POSITIONS = 512  # rounds start from this many different showrooms and options


def distinct_cards(cards):
    """Return the lowest card of each run of consecutive cards, which are equivalent."""
    highest = 1 << LONG_PACK_RANKS - 1
    top_cards = highest | highest << LONG_PACK_RANKS | highest << 2 * LONG_PACK_RANKS | highest << 3 * LONG_PACK_RANKS
    return cards & ~((cards & ~top_cards) << 1)


compiled = jit.compiled_for_modules(*games.adapter_for(GAMES[crystals.NAME]).modules, sys.modules[__name__])


@lru_cache(maxsize=1)
def training_kernel() -> Callable[..., None]:
    """Return the compiled training function, ``learn(starts, weights, squared_errors, rng, rounds)``.

    It updates both arrays in place: ``weights``, in points, and ``squared_errors``, the sum of the squared errors of
    each weight.
    """

    @compiled
    def learn(starts, weights, squared_errors, rng, rounds):
        rows = np.empty(2, starts.dtype)
        s, t = rows[0], rows[1]
        deck, cards = np.zeros(60, np.int64), np.zeros(60, np.int64)
        features = np.zeros((60, trained_policy.FEATURE_TABLES), np.int64)
        gain, predicted = np.zeros(60), np.zeros(60)
        replay_rng = np.zeros(1, np.uint64)
        for _ in range(rounds):
            rows[0] = starts[randbelow(rng, len(starts))]
            shuffle(deck, fill_deck(deck, crystals.pack(s)), crystals.cards_dealt(s), rng)
            crystals.deal(s, deck, None)
            learner = randbelow(rng, s["seats"])
            crystals.step(s, s["dealer"], 1 + randbelow(rng, 3), None)
            passes_anything = randbelow(rng, 1000) < 400
            while s["to_act"] != 0:
                seat = lowest(s["to_act"])
                legal = crystals.legal(s, seat)
                choices = distinct_cards(legal) if s["question"] == crystals.PLAY else legal
                if seat != learner or s["question"] != crystals.PLAY or choices & (choices - 1) == 0:
                    is_random = (
                        passes_anything and s["question"] == crystals.PASS
                        if seat == learner
                        else randbelow(rng, 1000) < OTHERS_RANDOM_PERMILLE
                    )
                    answer = random_bit(legal, rng) if is_random else heuristics.heuristic_answer(s, seat, NO_PLAN)
                    crystals.step(s, seat, answer, None)
                    continue
                card_count = fill_deck(cards, choices)
                context = trained_policy.trick_context(s, learner)
                randbelow(rng, 2)
                best, mean_gain, mean_predicted = 0, 0.0, 0.0
                for k in range(card_count):
                    card_features = trained_policy.feature_indices(s, learner, cards[k], context)
                    predicted[k] = 0.0
                    for j in range(trained_policy.FEATURE_TABLES):
                        features[k, j] = card_features[j]
                        predicted[k] += weights[card_features[j]]
                    if predicted[k] > predicted[best]:
                        best = k
                    rows[1] = rows[0]
                    replay_rng[0] = rng[0]
                    crystals.step(t, learner, cards[k], None)
                    while t["to_act"] != 0:
                        seat = lowest(t["to_act"])
                        if seat == learner:
                            answer = trained_policy.trained_answer(t, seat, weights)
                        elif randbelow(replay_rng, 1000) < OTHERS_RANDOM_PERMILLE:
                            answer = random_bit(crystals.legal(t, seat), replay_rng)
                        else:
                            answer = heuristics.heuristic_answer(t, seat, NO_PLAN)
                        crystals.step(t, seat, answer, None)
                    gain[k] = playouts.value(t, learner, 0.0)
                    mean_gain += gain[k] / card_count
                    mean_predicted += predicted[k] / card_count
                for k in range(card_count):
                    error = gain[k] - mean_gain - (predicted[k] - mean_predicted)
                    for j in range(trained_policy.FEATURE_TABLES):
                        feature = features[k, j]
                        squared_errors[feature] += error * error
                        weights[feature] += LEARNING_RATE * error / np.sqrt(squared_errors[feature] + DECAY)
                crystals.step(
                    s,
                    learner,
                    cards[randbelow(rng, card_count)] if randbelow(rng, 1000) < OWN_RANDOM_PERMILLE else cards[best],
                    None,
                )

    return learn  # type: ignore[no-any-return]


def start_positions(kind: tuple[int, int], seed: int) -> np.ndarray[Any, Any]:
    """Return varied rounds before their deal: early, late, plain, perfect, with the thief, with two cards per turn."""
    seats, partnership = kind
    game = GAMES[crystals.NAME]
    rng = np.random.default_rng([seed, seats, partnership])
    rows = np.zeros(START_POSITIONS, game.dtype)
    for k in range(START_POSITIONS):
        variant = rng.integers(10)
        options: dict[str, Any] = {"partnership": True} if partnership else {}
        if variant < 2:
            options["thief"] = True
        elif variant < 4 and seats < 6:
            options["perfect"] = True
        elif variant < 5 and seats == 2:
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


def progress_path(folder: Path, kind: tuple[int, int]) -> Path:
    """Return the file with a kind's progress."""
    return folder / f"crystals-{kind[0]}{'-partnership' if kind[1] else ''}.npz"


def load_progress(folder: Path, kind: tuple[int, int]) -> dict[str, Any]:
    """Return a kind's progress: current weights, their mean, squared errors, rounds, and the seed."""
    path = progress_path(folder, kind)
    if path.is_file():
        with np.load(path) as data:
            return {name: data[name] for name in data.files}
    zeros = np.zeros(trained_policy.WEIGHT_COUNT)
    return {"numbers": zeros, "mean": zeros.copy(), "squares": zeros.copy(), "rounds": 0, "seed": -1}


def train_chunk(kind: tuple[int, int], progress: dict[str, Any], rounds: int, seed: int) -> dict[str, Any]:
    """Return the progress after one more chunk, of ``rounds`` in total."""
    progress = {**progress, "numbers": progress["numbers"].copy(), "squares": progress["squares"].copy()}
    done = int(progress["rounds"])
    chunk = min(ROUNDS_PER_CHUNK, rounds - done)
    rng = jit.new_rng(np.random.SeedSequence([seed, *kind, done]).generate_state(1)[0])
    training_kernel()(start_positions(kind, seed), progress["numbers"], progress["squares"], rng, chunk)
    averaged_chunks = max(0, (done - rounds // 2) // ROUNDS_PER_CHUNK)  # number of chunks already in the mean
    mean = (
        progress["mean"] + (progress["numbers"] - progress["mean"]) / (averaged_chunks + 1)
        if done >= rounds // 2
        else progress["numbers"]
    )
    return {**progress, "mean": mean, "rounds": done + chunk, "seed": seed}


def save_progress(folder: Path, kind: tuple[int, int], progress: dict[str, Any]) -> None:
    """Replace the file with the training progress for one kind of game."""
    path = progress_path(folder, kind)
    with open(path.with_suffix(".part"), "wb") as file:
        np.savez(file, **progress)
    path.with_suffix(".part").replace(path)


class TrainingJob(NamedTuple):
    """The training of all kinds. A task is a kind and its progress; its result is the progress after one more chunk."""

    rounds: int
    seed: int

    def open(self) -> Callable[[tuple[tuple[int, int], dict[str, Any]]], dict[str, Any]]:
        return lambda task: train_chunk(*task, self.rounds, self.seed)


def train(
    folder: Path,
    rounds: int = ROUNDS_PER_KIND,
    seed: int = 1,
    pool: Pool | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
    out: Path = trained_policy.WEIGHTS_FILE,
) -> None:
    """Train every kind of table for ``rounds`` rounds and write the weights, in hundredths of a point.

    Raise `InvalidInputError` if the folder holds training with another seed. ``progress(done, total)`` counts rounds.
    """
    folder.mkdir(parents=True, exist_ok=True)
    state = {kind: load_progress(folder, kind) for kind in TABLE_KINDS}
    if any(int(entry["seed"]) not in (-1, seed) for entry in state.values()):
        raise InvalidInputError(f"{folder.name} holds training of another seed; name another folder.")
    job, workers = TrainingJob(rounds, seed), pool or OneProcess()
    while unfinished := [kind for kind in reversed(TABLE_KINDS) if state[kind]["rounds"] < rounds]:  # slow kinds first
        for kind, after in zip(unfinished, workers.run(job, [(kind, state[kind]) for kind in unfinished]), strict=True):
            save_progress(folder, kind, after)
            state[kind] = after
            progress(sum(int(entry["rounds"]) for entry in state.values()), rounds * len(TABLE_KINDS))
    means = np.array([state[kind]["mean"] for kind in TABLE_KINDS])
    np.save(out, np.clip(np.rint(100 * means), -32768, 32767).astype(np.int16))
