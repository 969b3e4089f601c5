# mypy: allow-untyped-defs, allow-untyped-calls, allow-incomplete-defs, no-check-untyped-defs
"""Training of the network in `diamonds.bots.games.fourteen.policy_network`, which learns to answer like a search.

``python -m diamonds.lab.train_network`` trains in stages (`STAGES`). In each, searches play hands of fourteen, and the
network learns their cards and values. Playouts in the searches of the first stage follow rules of thumb. Those of each
later stage follow the network of the previous stage, so they are better teachers, and the network learns the decisions
of all these stages.

Most hands are played at the default table; the others have three to six players and any options. Half of the hands
begin at a random score. In three of eight hands the teacher plays every seat. In the others some seats follow rules of
thumb or the network, so the network also meets other players. In half of the hands some cards are random, but the
teacher's choice is still what is learned.

Progress is kept in a folder, so training can be stopped and resumed. The same seed gives the same weights on machines
with the same processor and compiler, in any number of processes.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from diamonds import jit, playout
from diamonds.bots.games.adapter import MAX_CANDIDATES, NO_PLAN, TRAINED_PLAN, SearchParams
from diamonds.bots.games.fourteen import heuristics, policy_network
from diamonds.bots.games.fourteen.policy_network import (
    BIAS_ROW,
    CARD_ROW,
    CARD_SCALE,
    HIDDEN,
    INPUT_SCALE,
    ROW_COUNT,
    SHORTCUT_ROW,
    SHORTCUT_SCALE,
    WORDS,
)
from diamonds.bots.search import candidate_race, endgame, search, world_sampling
from diamonds.bots.search.compiled_adapter import compiled_adapter
from diamonds.cards import bit, count, lowest
from diamonds.game import GAMES
from diamonds.lab.pool import Pool, open_pool
from diamonds.rng import fill_deck, randbelow, random_bit, shuffle
from diamonds.rules import fourteen


class Stage(NamedTuple):
    """A stage of training.

    The teacher searches with ``worlds``, ``plan`` and ``prior_worlds`` (`SearchParams`). ``decisions`` is the number of
    new decisions, ``passes`` the number of passes over all decisions learned, and ``rate`` the first step size.
    """

    worlds: int
    plan: int
    prior_worlds: int
    decisions: int
    passes: int
    rate: float


STAGES = (
    Stage(150, NO_PLAN, 0, 470_000, 6, 0.002),
    Stage(600, TRAINED_PLAN, 80, 283_000, 5, 0.001),
    Stage(600, TRAINED_PLAN, 100, 322_000, 5, 0.001),
    Stage(600, TRAINED_PLAN, 100, 408_000, 5, 0.001),
)
DECISIONS_PER_CHUNK = 10_000  # progress is saved this often
START_POSITIONS = 4096  # number of different options and scores from which hands start
DEFAULT_PERMILLE = 600  # share of hands with four players and default options
RANDOM_PERMILLE = 60  # share of random cards, in the hands that have any
# half of the loss follows the teacher's card, half the values of all cards; the temperature is in points
VALUE_SHARE, TEMPERATURE = 0.5, 0.5
BATCH = 128  # decisions per step
LAST_RATE = 0.00005
MAX_LEGAL = 18  # one more than the cards in a hand at a table of three
NO_VALUE = -1e6


class Decisions(NamedTuple):
    """Decisions to learn from: input words, shortcut row, legal cards, the teacher's card, and values.

    Values are the teacher's for the legal cards in ascending order, `NO_VALUE` for those that it did not compare.
    """

    words: Any
    contexts: Any
    legal: Any
    answers: Any
    values: Any


def new_decisions(number: int) -> Decisions:
    """Return empty arrays for this many decisions."""
    return Decisions(
        np.zeros((number, WORDS), np.int64), np.zeros(number, np.int64), np.zeros(number, np.int64), np.zeros(number, np.int64),
        np.full((number, MAX_LEGAL), NO_VALUE, np.float32),
    )  # fmt: skip


# Plain functions, compiled into kernels


def gather(starts, weights, params, adapter, rng, words, contexts, legals, answers, all_values):
    """Play hands until the arrays are full; return the number of decisions."""
    rows, deck = np.empty(1, starts.dtype), np.zeros(60, np.int64)
    s, number = rows[0], 0
    candidates, tried = np.empty(MAX_CANDIDATES, np.int64), np.empty(MAX_CANDIDATES, np.int64)
    values, memory = np.empty(MAX_CANDIDATES), adapter.playout_memory(weights)
    has_network = params.plans == bit(TRAINED_PLAN)
    while number + 60 <= len(legals):
        rows[0] = starts[randbelow(rng, len(starts))]
        shuffle(deck, fill_deck(deck, fourteen.pack(s)), fourteen.cards_dealt(s), rng)
        fourteen.deal(s, deck, None)
        teachers = (1 << s["seats"]) - 1
        if randbelow(rng, 8) >= 3:
            teachers = 1 + randbelow(rng, teachers)
        others_use_network = has_network and randbelow(rng, 2) == 0
        random_permille = RANDOM_PERMILLE if randbelow(rng, 2) == 0 else 0
        while s["to_act"] != 0:
            seat = lowest(s["to_act"])
            if s["question"] == fourteen.BIDDING:
                fourteen.step(s, seat, min(13, heuristics.heuristic_bid(s, seat) + randbelow(rng, 3)), None)
                continue
            legal = fourteen.legal(s, seat)
            card = lowest(legal)
            if legal & (legal - 1) != 0:
                if teachers >> seat & 1 == 0:
                    if others_use_network:
                        card = policy_network.network_answer(s, seat, randbelow(rng, 1 << 32), memory)
                    else:
                        card = heuristics.card_to_play(s, seat)
                else:
                    randbelow(rng, 2)
                    compared, _, card = search.decide(
                        rows, seat, params, weights, 0, rng[0], adapter, candidates, values, tried
                    )
                    input_words = policy_network.input_words(s, seat, legal)
                    for k in range(WORDS):
                        words[number, k] = input_words[k]
                    contexts[number] = policy_network.shortcut_context(s)
                    legals[number], answers[number] = legal, card
                    for k in range(compared):
                        all_values[number, count(legal & (1 << candidates[k]) - 1)] = values[k]
                    number += 1
                if randbelow(rng, 1000) < random_permille:
                    card = random_bit(legal, rng)
            fourteen.step(s, seat, card, None)
    return number


def learn(order, decisions, params, grads, means, squares, rate, step):
    """Make one pass of Adam (Kingma and Ba 2015), in small batches, over decisions in this order.

    ``params``, their gradients and their running means are rows of numbers, as in the network. Return the number of
    steps so far and the mean loss.
    """
    words, contexts, legals, answers, values = decisions
    hidden, hidden_grad = np.zeros(HIDDEN, np.float32), np.zeros(HIDDEN, np.float32)
    sums, cards, aims = np.zeros(MAX_LEGAL, np.float32), np.zeros(MAX_LEGAL, np.int64), np.zeros(MAX_LEGAL, np.float32)
    loss, done = 0.0, 0
    while done + BATCH <= len(order):
        grads[:] = 0
        for i in range(BATCH):
            n = order[done + i]
            for j in range(HIDDEN):
                hidden[j] = hidden_grad[j] = 0
            for k in range(WORDS):
                left = words[n, k]
                while left != 0:
                    row = 64 * k + lowest(left)
                    left &= left - 1
                    for j in range(HIDDEN):
                        hidden[j] += params[row, j]
            for j in range(HIDDEN):
                hidden[j] = max(hidden[j], np.float32(0.0))
            left, number, top = legals[n], 0, np.float32(-1e30)
            while left != 0:
                card = lowest(left)
                left &= left - 1
                total = params[contexts[n] + policy_network.card_kind(words[n], card), card]
                for j in range(HIDDEN):
                    total += hidden[j] * params[CARD_ROW + card, j]
                sums[number], cards[number] = total, card
                top = max(top, total)
                number += 1
            whole, top_value, weighed = np.float32(0.0), np.float32(-1e30), np.float32(0.0)
            for k in range(number):
                sums[k] = np.exp(sums[k] - top)
                whole += sums[k]
                top_value = max(top_value, values[n, k])
            for k in range(number):
                aims[k] = np.exp((values[n, k] - top_value) / np.float32(TEMPERATURE))
                weighed += aims[k]
            for k in range(number):
                chance, card = sums[k] / whole, cards[k]
                aim = np.float32(VALUE_SHARE) * aims[k] / weighed
                if card == answers[n]:
                    aim += np.float32(1.0 - VALUE_SHARE)
                loss -= aim * np.log(max(chance, np.float32(1e-9)))
                error = (chance - aim) / BATCH
                grads[contexts[n] + policy_network.card_kind(words[n], card), card] += error
                for j in range(HIDDEN):
                    grads[CARD_ROW + card, j] += error * hidden[j]
                    hidden_grad[j] += error * params[CARD_ROW + card, j]
            for j in range(HIDDEN):
                if hidden[j] <= 0:
                    hidden_grad[j] = 0
            for k in range(WORDS):
                left = words[n, k]
                while left != 0:
                    row = 64 * k + lowest(left)
                    left &= left - 1
                    for j in range(HIDDEN):
                        grads[row, j] += hidden_grad[j]
        done += BATCH
        step += 1
        first = np.float32(rate / (1.0 - 0.9**step))
        second = np.float32(1.0 / (1.0 - 0.999**step))
        for row in range(ROW_COUNT):
            for j in range(HIDDEN):
                g = grads[row, j]
                means[row, j] = np.float32(0.9) * means[row, j] + np.float32(0.1) * g
                squares[row, j] = np.float32(0.999) * squares[row, j] + np.float32(0.001) * g * g
                params[row, j] -= first * means[row, j] / (np.sqrt(second * squares[row, j]) + np.float32(1e-7))
    return step, loss / max(done, 1)


def measure(decisions, memory):
    """Return how often the network gives the teacher's card, and the loss of its cards by the teacher's values."""
    words, contexts, legals, answers, values = decisions
    agreeing, lost = 0, 0.0
    for n in range(len(legals)):
        units = policy_network.hidden_units(words[n], 0, memory)
        card = policy_network.best_card(words[n], contexts[n], legals[n], units, -1, memory)
        if card == answers[n]:
            agreeing += 1
        own, top = values[n, count(legals[n] & (1 << card) - 1)], np.float32(-1e30)
        for k in range(MAX_LEGAL):
            top = max(top, values[n, k])
        if own > NO_VALUE:
            lost += top - own
    return agreeing, lost


GAME = GAMES[fourteen.NAME]
ADAPTER = compiled_adapter(GAME)
compiled = jit.compiled_for_modules(
    playout, world_sampling, endgame, candidate_race, search, policy_network, sys.modules[__name__]
)


@lru_cache(maxsize=1)
def kernels() -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]:
    """Return `gather`, `learn` and `measure`, compiled."""

    @compiled
    def gather_kernel(starts, weights, params: SearchParams, rng, words, contexts, legals, answers, values):
        return gather(starts, weights, params, ADAPTER, rng, words, contexts, legals, answers, values)

    @compiled
    def learn_kernel(order, words, contexts, legals, answers, values, params, grads, means, squares, rate, step):
        decisions = words, contexts, legals, answers, values
        return learn(order, decisions, params, grads, means, squares, rate, step)

    @compiled
    def measure_kernel(words, contexts, legals, answers, values, memory):
        return measure((words, contexts, legals, answers, values), memory)

    return gather_kernel, learn_kernel, measure_kernel


def start_positions(seed: int) -> np.ndarray[Any, Any]:
    """Return positions before a deal: most of them at the default table, and half of all at a random score."""
    rng = np.random.default_rng([seed, 14])
    rows = np.zeros(START_POSITIONS, GAME.dtype)
    for k in range(START_POSITIONS):
        seats, options = 4, {}
        if rng.integers(1000) >= DEFAULT_PERMILLE:
            seats = int(rng.choice(fourteen.SEATS))
            if rng.integers(2):
                options["scoring"] = str(rng.choice(["bid", "tricks"]))
            if rng.integers(4) == 0:
                options["match"] = "last_two"
        row = jit.random_start(GAME, seats, options, rng)
        row["dealer"] = rng.integers(seats)
        if rng.integers(2):
            goal = int(row["target"])
            row["totals"][:seats] = np.clip(rng.integers(goal) + rng.normal(0, goal / 6, seats), 0, goal - 1).astype(
                int
            )
            row["deals"] = 1
        rows[k] = row
    return rows


def initial_params(seed: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return small random numbers as rows of the network."""
    rng = np.random.default_rng([seed, 15])
    params = rng.normal(0, 0.08, (ROW_COUNT, HIDDEN)).astype(np.float32)
    params[BIAS_ROW] = 0.05
    params[SHORTCUT_ROW:] = 0
    return params


def quantized(params: np.ndarray[Any, Any], used: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return the rows of the network as bytes. Input rows outside ``used``, which never learned, become zero."""
    scale = np.full((ROW_COUNT, 1), INPUT_SCALE)
    scale[CARD_ROW:SHORTCUT_ROW], scale[SHORTCUT_ROW:] = CARD_SCALE, SHORTCUT_SCALE
    rounded = np.clip(np.rint(params * scale), -128, 127)
    rounded[:CARD_ROW][~used[:CARD_ROW]] = 0
    return (rounded + 128).astype(np.uint8)  # type: ignore[no-any-return]


def used_rows(decisions: Decisions) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return for each input row whether any of these decisions sets it."""
    used = np.zeros(ROW_COUNT, np.bool_)
    for k in range(WORDS):
        together = int(np.bitwise_or.reduce(decisions.words[:, k]))
        for place in range(64):
            used[64 * k + place] = together >> place & 1
    return used


def chunk_path(folder: Path, stage: int, chunk: int) -> Path:
    """Return the file with one chunk of a stage's decisions."""
    return folder / f"fourteen-{stage}-{chunk:03}.npz"


def write_arrays(path: Path, **arrays: Any) -> None:
    """Write arrays to a file, replacing it completely."""
    part = path.with_suffix(".part")
    with open(part, "wb") as file:
        np.savez(file, **arrays)
    part.replace(path)


class GatheringJob(NamedTuple):
    """The collection of a stage's decisions. A task is the number of a chunk; its result comes with the CPU seconds.

    ``weight_bytes`` are those of the previous stage, if any.
    """

    stage: int
    seed: int
    weight_bytes: np.ndarray[Any, Any] | None

    def open(self) -> Callable[[int], tuple[Decisions, float]]:
        return self.gather

    def gather(self, chunk: int) -> tuple[Decisions, float]:
        """Return the decisions of a chunk, and the CPU seconds."""
        settings, started = STAGES[self.stage], time.process_time()
        params = SearchParams(
            max_worlds=settings.worlds,
            initial_worlds=min(32, settings.worlds),
            plans=bit(settings.plan),
            prior_worlds=settings.prior_worlds,
        )
        weights = np.zeros((ROW_COUNT, policy_network.PACKED), np.int64)
        if self.weight_bytes is not None:
            weights = policy_network.packed_weights(self.weight_bytes)
        decisions = new_decisions(DECISIONS_PER_CHUNK)
        rng = jit.new_rng(int(np.random.SeedSequence([self.seed, self.stage, chunk]).generate_state(1)[0]))
        number = kernels()[0](start_positions(self.seed), weights, params, rng, *decisions)
        return Decisions(*(values[:number] for values in decisions)), time.process_time() - started


def gather_stage(folder: Path, stage: int, seed: int, pool: Pool, report: Callable[[str], None]) -> None:
    """Write the missing files of a stage's decisions."""
    number, seconds, chunks = 0, 0.0, chunks_of(stage)
    weight_bytes = np.load(folder / f"fourteen-{stage - 1}.npy") if stage > 0 else None
    missing = [chunk for chunk in range(chunks) if not chunk_path(folder, stage, chunk).exists()]
    gathered = pool.run(GatheringJob(stage, seed, weight_bytes), missing)
    for chunk, (decisions, cpu_s) in zip(missing, gathered, strict=True):
        write_arrays(chunk_path(folder, stage, chunk), **decisions._asdict())
        number, seconds = number + len(decisions.legal), seconds + cpu_s
        report(f"stage {stage + 1}: file {chunk + 1} of {chunks}, {number} new decisions, {seconds:.0f} s of CPU")


def load_chunks(folder: Path, stage: int, chunks: range) -> Decisions:
    """Return the decisions of these chunks."""
    loaded = [np.load(chunk_path(folder, stage, chunk)) for chunk in chunks]
    return Decisions(*(np.concatenate([data[name] for data in loaded]) for name in Decisions._fields))


def chunks_of(stage: int) -> int:
    """Return the number of files of a stage's decisions.

    The first file is not learned, but held out for measurement.
    """
    return -(-STAGES[stage].decisions // DECISIONS_PER_CHUNK) + 1


def learn_stage(folder: Path, stage: int, seed: int, report: Callable[[str], None]) -> None:
    """Learn the decisions of a stage, and of earlier ones with the same kind of search; write the network's bytes."""
    settings = STAGES[stage]
    _, learn_kernel, measure_kernel = kernels()
    held_out = load_chunks(folder, stage, range(1))
    stages = [k for k in range(stage + 1) if STAGES[k].plan == settings.plan]
    loaded = [load_chunks(folder, k, range(1, chunks_of(k))) for k in stages]
    decisions = Decisions(*(np.concatenate(values) for values in zip(*loaded, strict=True)))
    path = folder / f"fourteen-{stage}-params.npz"
    if path.exists():
        progress = dict(np.load(path))
    else:
        earlier = np.load(folder / f"fourteen-{stage - 1}-params.npz") if stage else None
        params = initial_params(seed) if earlier is None else earlier["params"]
        used, zeros = used_rows(decisions), np.zeros_like(params)
        used |= False if earlier is None else earlier["used"]
        progress = {"params": params, "means": zeros, "squares": zeros.copy(), "used": used, "step": 0, "passes": 0}
    grads = np.zeros_like(progress["params"])
    while int(progress["passes"]) < settings.passes:
        done = int(progress["passes"])
        order = np.random.default_rng([seed, stage, done]).permutation(len(decisions.legal))
        rate = settings.rate * (1 - done / settings.passes) + LAST_RATE
        step, loss = learn_kernel(
            order, *decisions, progress["params"], grads, progress["means"], progress["squares"], rate, int(progress["step"])
        )  # fmt: skip
        progress |= {"step": step, "passes": done + 1}
        write_arrays(path, **progress)
        memory = policy_network.new_memory(
            policy_network.packed_weights(quantized(progress["params"], progress["used"]))
        )
        agreeing, lost = measure_kernel(*held_out, memory)
        report(
            f"stage {stage + 1}, pass {done + 1}: loss {loss:.4f}; of {len(held_out.legal)} unseen decisions "
            f"{100 * agreeing / len(held_out.legal):.1f} % agree, {lost / len(held_out.legal):.3f} points lost each"
        )
    np.save(folder / f"fourteen-{stage}.npy", quantized(progress["params"], progress["used"]))


def train(
    folder: Path, pool: Pool, seed: int = 1, out: Path = policy_network.WEIGHTS_FILE, report: Callable[[str], None] = print
) -> None:  # fmt: skip
    """Train all stages that are not finished, and write the weights."""
    folder.mkdir(parents=True, exist_ok=True)
    for stage in range(len(STAGES)):
        if not (folder / f"fourteen-{stage}.npy").exists():
            gather_stage(folder, stage, seed, pool, report)
            learn_stage(folder, stage, seed, report)
    np.save(out, np.load(folder / f"fourteen-{len(STAGES) - 1}.npy"))


def main() -> None:
    """Train from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m diamonds.lab.train_network", description="Train the network of fourteen."
    )
    parser.add_argument(
        "--folder", type=Path, default=Path("training"), help="for progress; training resumes from there"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--ray", help="address of a Ray cluster")
    parser.add_argument("--out", type=Path, default=policy_network.WEIGHTS_FILE)
    args = parser.parse_args()
    with open_pool(args.processes, args.ray) as pool:
        train(args.folder, pool, args.seed, args.out)


if __name__ == "__main__":
    main()
