"""Compiled games are byte-identical to interpreted ones, and their game trees have known sizes."""

import dis
import os
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import CodeType
from typing import Any

import numpy as np
import pytest

from diamonds import cards, fields, jit
from diamonds.bots.games import adapter_defaults
from diamonds.bots.games.crystals import trained_policy
from diamonds.bots.games.fourteen import policy_network
from diamonds.bots.games.mines import hand_beliefs, weighted_policy
from diamonds.bots.search import endgame, evaluate, judge, search, world_sampling
from diamonds.code_fingerprint import reachable_functions
from diamonds.events import new_log
from diamonds.game import GAMES, Game
from diamonds.lab import ismcts, train, tune
from diamonds.rules import crystals, mines
from tests.support.random_positions import Variant, all_variants, random_answer, random_game, start_variant
from tests.support.sample_sizes import short_or_long

pytestmark = pytest.mark.kernels

GAMES_PER_VARIANT = {"crystals": 1, "fourteen": 2, "mines": 15}  # more than 300 games in total
LONG_GAMES_PER_VARIANT = {"crystals": 30, "fourteen": 60, "mines": 1000}


@pytest.mark.parametrize(
    "games", [GAMES_PER_VARIANT, pytest.param(LONG_GAMES_PER_VARIANT, marks=pytest.mark.slow)], ids=["", "at length"]
)
@pytest.mark.parametrize("name", GAMES)
def test_interpreted_and_compiled_states_and_events_are_byte_identical(name, games):
    game, kernels = GAMES[name], jit.game_kernels(GAMES[name])
    rules = game.rules
    for number, variant in enumerate(all_variants(name)):
        for k in range(games[name]):
            rng = random.Random(1000 * number + k)
            state = game.start(
                variant.seats, variant.options, rng.sample(game.pack_for(variant.seats, variant.options), variant.seats)
            )
            rows = jit.as_row_array(state)
            deals = 0
            while not state["over"] and deals < 3:  # three deals contain everything that a longer game repeats
                log, twin_log = new_log(), new_log()
                if not state["to_act"]:
                    deck = np.array(rng.sample(game.pack(state), len(game.pack(state))), np.int64)
                    rules.deal(state, deck, log)
                    kernels.deal(rows[0], deck, twin_log)
                    deals += 1
                else:
                    seat = rng.choice(game.to_act(state))
                    legal = int(rules.legal(state, seat))
                    assert legal == kernels.legal(rows[0], seat)
                    answer = rng.choice(list(cards.iter_bits(legal)))
                    rules.step(state, seat, answer, log)
                    kernels.step(rows[0], seat, answer, twin_log)
                assert state.tobytes() == rows[0].tobytes(), f"{variant}, game {k}: the states differ"
                told = 1 + int(log[0, 0])
                assert log[:told].tobytes() == twin_log[:told].tobytes(), f"{variant}, game {k}: the events differ"


@short_or_long("stride", 4, 1)
@pytest.mark.parametrize("name", GAMES)
def test_r1_illegal_reason_is_two_numbers_compiled_or_not(name, stride):
    game, rng = GAMES[name], random.Random(7)
    why_of = game.rules.illegal_reason

    @jit.compiled
    def why_not(s, seat, answer):
        return why_of(s, seat, answer)

    reasons = set()
    for variant in all_variants(name)[:: stride if name != "mines" else 1]:
        played = start_variant(variant, 8)
        for _ in range(120):
            if played.over:
                break
            seat = rng.choice(game.to_act(played.state))
            legal, row = int(game.rules.legal(played.state, seat)), jit.as_row_array(played.state)[0]
            illegal = [k for k in range(len(game.question(played.state).answers)) if not legal >> k & 1]
            for number in rng.sample(illegal, min(5 if name == "crystals" else 60, len(illegal))):
                why = why_of(played.state, seat, number)
                assert tuple(map(int, why)) == tuple(why_not(row, seat, number))
                reasons.add(game.rules.ILLEGAL_REASONS[why[0]])
            played.answer(*random_answer(played, rng))
    missing = set(game.rules.ILLEGAL_REASONS) - reasons
    assert not missing, f"expected a rejected answer for {sorted(why.name for why in missing)}"


def reference_perft(game: Game, state: np.void, depth: int) -> int:
    """Count leaves like `perft`, but interpreted and recursively: slow, but too simple for the same mistakes."""
    if depth == 0 or not state["to_act"]:
        return 1
    total = 0
    for seat in game.to_act(state):
        for answer in cards.iter_bits(game.rules.legal(state, seat)):
            after = fields.copy_state(state)
            game.rules.step(after, seat, answer, None)
            total += reference_perft(game, after, depth - 1)
    return total


PERFT_ROOTS = [
    # game, seats, options, answers before the root, depth
    ("crystals", 2, {}, 0, 6),
    ("crystals", 3, {"thief": True}, 14, 7),
    ("crystals", 4, {}, 0, 4),
    ("crystals", 4, {}, 20, 7),
    ("crystals", 4, {"partnership": True}, 40, 9),
    ("crystals", 5, {"perfect": True}, 60, 10),
    ("crystals", 6, {"partnership": True, "team_start": 3}, 60, 10),
    ("fourteen", 3, {}, 0, 6),
    ("fourteen", 4, {"match": "last_two"}, 4, 8),
    ("fourteen", 4, {"scoring": "bid", "bids": "sealed"}, 0, 4),
    ("fourteen", 6, {"scoring": "tricks"}, 20, 9),
    ("mines", 2, {}, 0, 7),
    ("mines", 2, {}, 60, 7),
    ("mines", 2, {"defence": "ranked"}, 120, 7),
]  # fmt: skip


def test_game_trees_have_the_size_they_always_had(golden):
    counts = {}
    for name, seats, given, before, depth in PERFT_ROOTS:
        variant = Variant(GAMES[name], seats, GAMES[name].check_options(seats, given))
        played = random_game(variant, 1, before)
        rows, perft = jit.as_row_array(played.state), jit.game_kernels(played.game).perft
        assert perft(rows, 3) == reference_perft(played.game, played.state, 3), f"{variant} after {before} answers"
        counts[f"{variant}, after {before} answers"] = [perft(rows, d) for d in range(1, depth + 1)]
    golden("perft.json", counts)


def test_seed_determines_the_games():
    game = GAMES["crystals"]
    assert jit.simulate_random(game, 4, {}, 50, 3) == jit.simulate_random(game, 4, {}, 50, 3)
    assert jit.simulate_random(game, 4, {}, 50, 3) != jit.simulate_random(game, 4, {}, 50, 4)


def test_kernels_release_the_interpreter():
    """While a kernel plays in another thread, this thread sees its random numbers change."""
    game = GAMES["fourteen"]
    start = jit.as_row_array(jit.random_start(game, 4, {}, np.random.default_rng(0)))
    rng, scores = jit.new_rng(0), np.zeros(fields.MAX_SEATS, np.int64)
    jit.game_kernels(game).playouts(start, 1, rng, 1_000_000, scores)
    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(jit.game_kernels(game).playouts, start, 50_000, rng, 1_000_000, scores)
        seen = set()
        while not playing.done():
            seen.add(int(rng[0]))
    assert playing.result() > 1_000_000
    assert len(seen) > 4, "expected to see the kernel's random numbers change while it plays"


def test_kernel_cache_keeps_the_last_few_of_each(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    kernel = jit.game_kernels(GAMES["mines"]).legal.py_func
    first = jit.KernelCacheLocator(kernel).folder
    assert jit.KernelCacheLocator(kernel).folder == first, "expected a compiled kernel to be found again"
    assert first.is_relative_to(tmp_path)
    for k in range(jit.CACHED_VERSIONS + 8):
        monkeypatch.setattr(mines, "ADJACENT", np.full(1 << 13, k))
        kept = jit.KernelCacheLocator(kernel).folder
        os.utime(kept, (k, k))
    assert kept != first, "expected another kernel for another table"
    assert kept.is_dir()
    assert len(list(first.parent.iterdir())) <= jit.CACHED_VERSIONS + 1, "expected old kernels to be dropped"


def all_kernels() -> Iterator[tuple[str, Any]]:
    """Yield every compiled function with its name."""
    for game in GAMES.values():
        for made in (*jit.game_kernels(game), *ismcts.ismcts_kernels(game)):
            yield f"{made.py_func.__qualname__} of {game.name}", made
        for make in (
            search.compiled_decide, endgame.compiled_solve, evaluate.compiled_evaluate, evaluate.compiled_forecast,
            judge.compiled_judge, world_sampling.compiled_deal,
        ):  # fmt: skip
            yield f"{make.__name__} of {game.name}", make(game)
    yield "training", train.training_kernel()
    yield "duel", tune.duel_kernel(weighted_policy.weighted_answer, adapter_defaults.no_memory)
    yield "watch", tune.observe_kernel()


def test_kernels_use_no_machine_dependent_arithmetic():
    """Bots answer the same on every machine (R4): sums, products and roots are exact; powers and logarithms are not."""
    inexact = set("exp exp2 expm1 log log2 log10 log1p sin cos tan tanh pow power normal".split())
    looked_at = set()
    for name, kernel in all_kernels():
        functions = reachable_functions(kernel.py_func)
        looked_at |= functions
        for function in functions:
            codes = [function.__code__]
            while codes:
                code = codes.pop()
                codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
                assert not inexact & set(code.co_names), f"{function.__qualname__}, in {name}"
                powers = [one for one in dis.get_instructions(code) if one.argrepr in ("**", "**=")]
                assert not powers, f"{function.__qualname__}, in {name}, computes a power"
    assert {
        hand_beliefs.suit_hands, crystals.step, mines.barred, policy_network.best_card,
        trained_policy.feature_indices,
    } <= looked_at, "expected more functions to check"  # fmt: skip
