"""The network of fourteen answers alike everywhere, sees nothing hidden, and its training can be resumed."""

from __future__ import annotations

import gzip
import json
import random
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from diamonds import jit
from diamonds.bots.bot import BotView, bot_view, choose_legal
from diamonds.bots.games.adapter import MAX_CANDIDATES, NO_PLAN, TRAINED_PLAN, SearchParams
from diamonds.bots.games.fourteen import heuristics, playouts, policy_network
from diamonds.bots.levels import find_bot
from diamonds.bots.search.world_sampling import sample_worlds
from diamonds.errors import BotError
from diamonds.game import GAMES
from diamonds.lab import network_search, train_network
from diamonds.lab.pool import OneProcess
from diamonds.rules import fourteen
from tests.support import node
from tests.support.random_games import CASES, new_random_game, play_random
from tests.support.random_positions import all_variants, random_answer, start_variant

pytestmark = pytest.mark.kernels

FOURTEEN = GAMES["fourteen"]
FOURTEEN_CASES = [case for case in CASES if case[0] == "fourteen"]
ANSWERS_SCRIPT = Path(__file__).parent / "node" / "answers.mjs"


def choices(number: int) -> list[BotView]:
    """Return views with a choice of cards, from random games of all variants in turn."""
    variants, views = all_variants("fourteen"), []
    seed = 0
    while len(views) < number:
        rng, played = random.Random(seed), start_variant(variants[seed % len(variants)], seed)
        seed += 1
        for _ in range(150):
            if played.over:
                break
            seat, answer = random_answer(played, rng)
            question = played.state["question"] == fourteen.PLAY
            if question and rng.random() < 0.2 and len(FOURTEEN.legal(played.state, seat)) > 1:
                views.append(bot_view(FOURTEEN, played.state, seat))
            played.answer(seat, answer)
    return views[:number]


@lru_cache
def compiled_answer() -> Any:
    """Return the network's answer as a kernel."""
    network_search.network_adapter()
    network_answer = policy_network.network_answer

    @jit.compiled
    def answer(view, seat, weights):
        return network_answer(view[0], seat, weights)

    return answer


@pytest.fixture(scope="module")
def wasm_module(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A module with the network's answer, and the first free address of its memory."""
    file = tmp_path_factory.mktemp("network") / "network.wasm"
    command = [sys.executable, "-m", "tests.support.network_module", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=node.REPO_ROOT)
    assert done.returncode == 0, done.stderr
    return file, done.stdout.strip()


def wasm_answers(views: list[BotView], weights: np.ndarray, wasm_module: tuple[Path, str]) -> list[int]:
    """Return the network's answers by a module in Node."""
    questions = [
        {"row": list(map(str, np.frombuffer(view.row.tobytes(), np.int64).tolist())), "seat": view.seat}
        for view in views
    ]
    text = json.dumps({"weights": list(map(str, weights.ravel().tolist())), "questions": questions})
    done = node.run_node(ANSWERS_SCRIPT, *map(str, wasm_module), stdin_text=text)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_network_answers_alike_interpreted_compiled_and_in_wasm(wasm_module: tuple[Path, str]) -> None:
    """In 2,000 positions of all variants, with the trained weights and with the largest sums that bytes allow."""
    views, answer = choices(2000), compiled_answer()
    trained = policy_network.load_weights()
    extreme_bytes = np.random.default_rng(4).choice(
        np.array([0, 255], np.uint8), (policy_network.ROW_COUNT, policy_network.HIDDEN)
    )
    for weights, some in ((trained, views), (policy_network.packed_weights(extreme_bytes), views[::10])):
        compiled = [int(answer(jit.as_row_array(view.row), view.seat, weights)) for view in some]
        interpreted = [int(policy_network.network_answer(view.row, view.seat, weights)) for view in some]
        assert interpreted == compiled
        assert wasm_answers(some, weights, wasm_module) == compiled
        assert all(view.legal >> card & 1 for view, card in zip(some, compiled, strict=True))
        lowest_card = [(view.legal & -view.legal).bit_length() - 1 for view in some]
        assert np.mean(np.array(compiled) == lowest_card) < 0.7, "expected more than the lowest legal card"


def plain_answer(view: BotView, weight_bytes: np.ndarray) -> int:
    """Return the network's answer computed by matrices, straight from its description."""
    weights = weight_bytes.astype(np.int64) - 128
    words = policy_network.input_words(view.row, view.seat, view.legal)
    rows = [64 * k + place for k, word in enumerate(words) for place in range(64) if int(word) >> place & 1]
    hidden = np.maximum(weights[rows].sum(axis=0), 0)
    context = policy_network.shortcut_context(view.row)
    sums = {}
    for card in range(52):
        if view.legal >> card & 1:
            shortcut = weights[context + policy_network.card_kind(words, card), card]
            sums[card] = hidden @ weights[policy_network.CARD_ROW + card] + policy_network.SHORTCUT_FACTOR * shortcut
    return max(sums, key=lambda card: (sums[card], -card))


def test_packed_sums_equal_matrix_products() -> None:
    weight_bytes = np.load(policy_network.WEIGHTS_FILE)
    packed = policy_network.packed_weights(weight_bytes)
    for view in choices(150):
        assert policy_network.network_answer(view.row, view.seat, packed) == plain_answer(view, weight_bytes)


@pytest.mark.parametrize(("name", "seats", "options"), FOURTEEN_CASES)
def test_r2_network_sees_nothing_hidden(name: str, seats: int, options: dict) -> None:
    """With the hidden cards dealt again, and on the whole state, the input stays the same; the count of set bits fits."""
    rng, weights = np.random.default_rng(9), policy_network.load_weights()
    state = new_random_game(FOURTEEN, seats, options, rng)
    for seat in play_random(FOURTEEN, state, rng):
        legal = int(fourteen.legal(state, seat))
        if rng.random() < 0.2:
            view = bot_view(FOURTEEN, state, seat).row
            answer = policy_network.network_answer(view, seat, weights)
            assert legal >> int(answer) & 1
            for world in [state, *sample_worlds(FOURTEEN, view, seat, 3, 5)]:
                assert policy_network.network_answer(world, seat, weights) == answer
                if state["question"] == fourteen.PLAY:
                    words = policy_network.input_words(view, seat, legal)
                    assert policy_network.input_words(world, seat, legal) == words
                    assert sum(int(word).bit_count() for word in words) < 128, "sums no longer fit sixteen bits"
        choice = [k for k in range(52) if legal >> k & 1]
        fourteen.step(state, seat, int(rng.choice(choice)), None)


def test_weights_are_small_and_used() -> None:
    weight_bytes = np.load(policy_network.WEIGHTS_FILE)
    assert weight_bytes.shape == (policy_network.ROW_COUNT, policy_network.HIDDEN)
    assert weight_bytes.dtype == np.uint8
    assert len(gzip.compress(weight_bytes.tobytes(), 9, mtime=0)) <= 40_000
    clipped = np.mean((weight_bytes == 0) | (weight_bytes == 255))
    assert clipped < 0.001, "many weights are clipped"


def test_others_play_by_the_network_in_a_share_of_worlds() -> None:
    styles = [network_search.playout_styles(TRAINED_PLAN, draw) for draw in range(1000)]
    assert {own for own, _ in styles} == {TRAINED_PLAN}
    assert sum(others == TRAINED_PLAN for _, others in styles) == network_search.NETWORK_OPPONENT_PERMILLE
    assert {network_search.playout_styles(NO_PLAN, draw) for draw in range(1000)} == {(NO_PLAN, NO_PLAN)}


@pytest.mark.parametrize("name", ["network", "network-search"])
def test_bots_of_the_lab_play_every_variant_and_see_nothing_hidden(name: str) -> None:
    """Their answers are legal, and stay the same when hidden cards are dealt again; in other games they say why not."""
    bot, rng = find_bot(name), np.random.default_rng(2)
    asked = 0
    for _, seats, options in FOURTEEN_CASES:
        state = new_random_game(FOURTEEN, seats, options, rng)
        for seat in play_random(FOURTEEN, state, rng):
            view = bot_view(FOURTEEN, state, seat)
            if rng.random() < 0.2:
                question = FOURTEEN.question(state).name
                answer = choose_legal(bot, name, view, question, np.random.default_rng(1))
                for world in sample_worlds(FOURTEEN, view.row, seat, 2, 5):
                    again = choose_legal(bot, name, bot_view(FOURTEEN, world, seat), question, np.random.default_rng(1))
                    assert again == answer
                asked += 1
            fourteen.step(state, seat, int(rng.choice([k for k in range(52) if view.legal >> k & 1])), None)
            if state["deals"] > 1:
                break
    assert asked > 50
    mines = GAMES["mines"]
    state = new_random_game(mines, 2, {}, rng)
    seat = next(play_random(mines, state, rng))
    with pytest.raises(BotError, match="plays fourteen only"):
        choose_legal(bot, name, bot_view(mines, state, seat), mines.question(state).name, rng)


def test_network_search_is_equal_interpreted_and_compiled() -> None:
    compiled, params = (
        network_search.compiled_decide(),
        SearchParams(max_worlds=3, initial_worlds=2, plans=1 << TRAINED_PLAN),
    )
    weights = policy_network.load_weights()
    for view in choices(3):
        found = []
        for decide in (compiled, compiled.py_func):
            candidates, tried, values = (
                np.zeros(MAX_CANDIDATES, np.int64),
                np.zeros(MAX_CANDIDATES, np.int64),
                np.zeros(MAX_CANDIDATES),
            )
            with np.errstate(over="ignore"):
                made = decide(
                    jit.as_row_array(view.row), view.seat, params, weights, np.uint64(99), candidates, values, tried
                )
            found.append((*map(int, made), candidates.tolist(), values.tolist(), tried.tolist()))
        assert found[0] == found[1]


def test_network_alone_beats_rules_of_thumb() -> None:
    """With four players it takes more ♦ than their mean in sixty hands."""
    rng, answer, weights = np.random.default_rng(6), compiled_answer(), policy_network.load_weights()
    margin = 0.0
    for _ in range(15):
        first = new_random_game(FOURTEEN, 4, {}, rng)
        deck = rng.permutation(FOURTEEN.pack(first))
        for own in range(4):
            state = jit.as_row_array(first)[0]
            fourteen.deal(state, deck, None)
            while state["to_act"]:
                seat = FOURTEEN.to_act(state)[0]
                card = (
                    answer(jit.as_row_array(state), seat, weights)
                    if seat == own
                    else heuristics.card_to_play(state, seat)
                )
                fourteen.step(state, seat, int(card), None)
            margin += playouts.value(state, own, 0.0)
    assert margin / 60 > 0.5


@pytest.mark.slow
def test_training_resumes_and_is_reproducible_by_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stage = train_network.STAGES[2]._replace(decisions=300, passes=2, worlds=2)
    monkeypatch.setattr(train_network, "STAGES", (stage._replace(is_for_new_rows=False), stage))
    monkeypatch.setattr(train_network, "DECISIONS_PER_CHUNK", 300)
    for folder in ("once", "again"):
        (tmp_path / folder).mkdir()
        for number in range(2):
            train_network.gather_stage(tmp_path / folder, number, 2, 5, OneProcess(), lambda line: None)
            if folder == "again":  # stop after one pass
                monkeypatch.setattr(
                    train_network, "STAGES", tuple(one._replace(passes=1) for one in train_network.STAGES)
                )
            train_network.learn_stage(tmp_path / folder, number, 2, 5, lambda line: None)
            if folder == "again":
                monkeypatch.setattr(
                    train_network, "STAGES", tuple(one._replace(passes=2) for one in train_network.STAGES)
                )
                train_network.learn_stage(tmp_path / folder, number, 2, 5, lambda line: None)
    once, again = (np.load(tmp_path / folder / "fourteen-1.npy") for folder in ("once", "again"))
    assert once.shape == (policy_network.ROW_COUNT, policy_network.HIDDEN)
    first = np.load(tmp_path / "once" / "fourteen-0.npy")
    assert np.array_equal(first[policy_network.CARD_ROW :], once[policy_network.CARD_ROW :]), (
        "expected only new rows to change"
    )
    assert not np.array_equal(first, once)
    assert np.array_equal(once, again)
