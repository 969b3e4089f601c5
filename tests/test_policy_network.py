"""The network of fourteen answers the same everywhere, sees nothing hidden, and its training can be resumed."""

import gzip
import random
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from diamonds import jit
from diamonds.bots.bot import BotView, bot_view, choose_legal
from diamonds.bots.games.adapter import NO_PLAN, TRAINED_PLAN, SearchParams
from diamonds.bots.games.fourteen import playouts, policy_network
from diamonds.bots.levels import LEVELS, LevelBot, find_bot
from diamonds.bots.search import judge, search
from diamonds.bots.search.compiled_adapter import compiled_adapter
from diamonds.bots.search.world_sampling import sample_worlds
from diamonds.code_fingerprint import reachable_functions
from diamonds.errors import BotError
from diamonds.game import GAMES
from diamonds.lab import arena, train_network
from diamonds.lab.pool import OneProcess
from diamonds.rules import fourteen
from tests.support import network_module
from tests.support.random_games import CASES, new_random_game, play_random
from tests.support.random_positions import all_variants, random_answer, start_variant

pytestmark = pytest.mark.kernels

FOURTEEN = GAMES["fourteen"]
FOURTEEN_CASES = [case for case in CASES if case[0] == "fourteen"]


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
    compiled_adapter(FOURTEEN)
    network_answer, new_memory = policy_network.network_answer, policy_network.new_memory

    @jit.compiled
    def answer(view, seat, luck, weights):
        return network_answer(view[0], seat, luck, new_memory(weights))

    return answer


@pytest.fixture(scope="module")
def wasm_module(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A module with the network's answer, and the first free address of its memory."""
    file = tmp_path_factory.mktemp("network") / "network.wasm"
    return file, network_module.build_module("fourteen", file)


def test_network_answers_alike_interpreted_compiled_and_in_wasm(wasm_module):
    """Compare 2,000 positions of all variants, with the trained weights and with the largest sums that bytes allow."""
    views, answer = choices(2000), compiled_answer()
    trained = policy_network.load_weights()
    extreme_bytes = np.random.default_rng(4).choice(
        np.array([0, 255], np.uint8), (policy_network.ROW_COUNT, policy_network.HIDDEN)
    )
    for weights, some in ((trained, views), (policy_network.packed_weights(extreme_bytes), views[::10])):
        numbers = np.random.default_rng(5).integers(1 << 32, size=len(some)).tolist()
        luck = [n if k % 2 else -1 for k, n in enumerate(numbers)]
        compiled = [
            int(answer(jit.as_row_array(view.row), view.seat, n, weights)) for view, n in zip(some, luck, strict=True)
        ]
        memory = policy_network.new_memory(weights)  # the sums of one position are the start of the next
        interpreted = [
            int(policy_network.network_answer(view.row, view.seat, n, memory))
            for view, n in zip(some, luck, strict=True)
        ]
        assert interpreted == compiled
        cases = zip(some, luck, strict=True)
        assert network_module.answers_in_node(*wasm_module, weights, cases) == compiled
        assert all(view.legal >> card & 1 for view, card in zip(some, compiled, strict=True))
        lowest_card = [(view.legal & -view.legal).bit_length() - 1 for view in some]
        assert np.mean(np.array(compiled) == lowest_card) < 0.7, "expected more than the lowest legal card"


def plain_answer(view: BotView, weight_bytes: np.ndarray) -> int:
    """Return the network's answer computed by matrices, directly from its description."""
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


def test_packed_sums_equal_matrix_products():
    weight_bytes = np.load(policy_network.WEIGHTS_FILE)
    memory = policy_network.new_memory(policy_network.packed_weights(weight_bytes))
    for view in choices(150):
        assert policy_network.network_answer(view.row, view.seat, -1, memory) == plain_answer(view, weight_bytes)


def test_cards_by_luck_are_as_likely_as_the_network_says():
    """In four positions, over 4,000 numbers, the share of each card matches its exponentiated sum."""
    memory = policy_network.new_memory(policy_network.load_weights())
    for view in [view for view in choices(200) if view.legal.bit_count() in (3, 4)][:4]:
        cards = [card for card in range(52) if view.legal >> card & 1]
        sums = np.zeros(len(cards))
        policy_network.write_sums(view.row, view.seat, np.array(cards), memory, sums)
        chances = np.exp((sums - sums.max()) / policy_network.SUM_SCALE)
        chances /= chances.sum()
        words = policy_network.input_words(view.row, view.seat, view.legal)
        units = policy_network.hidden_units(words, view.seat, memory)
        context = policy_network.shortcut_context(view.row)
        numbers = np.random.default_rng(3).integers(1 << 32, size=4000).tolist()
        found = [policy_network.best_card(words, context, view.legal, units, n, memory) for n in numbers]
        shares = np.array([found.count(card) for card in cards]) / len(numbers)
        assert np.allclose(shares, chances, atol=0.03), (shares, chances)


@pytest.mark.parametrize(("name", "seats", "options"), FOURTEEN_CASES)
def test_r2_network_sees_nothing_hidden(name, seats, options):
    """The input is the same for other hidden cards and for the whole state, and has fewer than 128 bits set."""
    rng, weights = np.random.default_rng(9), policy_network.new_memory(policy_network.load_weights())
    state = new_random_game(FOURTEEN, seats, options, rng)
    for seat in play_random(FOURTEEN, state, rng):
        legal = int(fourteen.legal(state, seat))
        if rng.random() < 0.2:
            view = bot_view(FOURTEEN, state, seat).row
            answer = policy_network.network_answer(view, seat, -1, weights)
            assert legal >> int(answer) & 1
            for world in [state, *sample_worlds(FOURTEEN, view, seat, 3, 5)]:
                assert policy_network.network_answer(world, seat, -1, weights) == answer
                if state["question"] == fourteen.PLAY:
                    words = policy_network.input_words(view, seat, legal)
                    assert policy_network.input_words(world, seat, legal) == words
                    assert sum(int(word).bit_count() for word in words) < 128, "sums no longer fit sixteen bits"
        choice = [k for k in range(52) if legal >> k & 1]
        fourteen.step(state, seat, int(rng.choice(choice)), None)


def test_weights_are_small_and_used():
    weight_bytes = np.load(policy_network.WEIGHTS_FILE)
    assert weight_bytes.shape == (policy_network.ROW_COUNT, policy_network.HIDDEN)
    assert weight_bytes.dtype == np.uint8
    assert len(gzip.compress(weight_bytes.tobytes(), 9, mtime=0)) <= 40_000
    clipped = np.mean((weight_bytes == 0) | (weight_bytes == 255))
    assert clipped < 0.001, "many weights are clipped"


def test_others_play_by_the_network_in_a_share_of_worlds():
    """In the network's worlds no answer is random, because cards have their own luck."""
    styles = [playouts.playout_styles(TRAINED_PLAN, draw, 7) for draw in range(1000)]
    assert {own for own, _ in styles} == {(TRAINED_PLAN, -1)}
    assert [others for _, others in styles].count((TRAINED_PLAN, 7)) == playouts.NETWORK_OPPONENT_PERMILLE
    assert {others for _, others in styles} == {(TRAINED_PLAN, 7), (NO_PLAN, -1)}
    assert {playouts.playout_styles(NO_PLAN, draw, 7) for draw in range(1000)} == {((NO_PLAN, -1), (NO_PLAN, -1))}
    assert playouts.random_permille((TRAINED_PLAN, 7), 400) == 0
    assert playouts.random_permille((NO_PLAN, -1), 400) == 400


def test_only_level_5_uses_the_network_and_only_where_it_was_measured():
    """Level 5 searches fewer worlds there, and the network's opinion of cards counts from the start."""
    for variant in all_variants("fourteen"):
        state = start_variant(variant, 1).state
        is_measured = state["scoring"] == fourteen.POINTS and state["match"] == fourteen.LAST
        for level in LEVELS:
            params = LevelBot(level).search_params(FOURTEEN)
            plans, is_best = playouts.plans(state, 0, params), level is LEVELS[-1]
            assert plans == 1 << (TRAINED_PLAN if is_best and is_measured else NO_PLAN)
            assert playouts.max_worlds(plans, params) == (110 if is_best and is_measured else level.worlds)
            assert (params.prior_worlds > 0) == is_best
    small, params = start_variant(all_variants("fourteen")[0], 1).state, LevelBot(LEVELS[-1]).search_params(FOURTEEN)
    small["seats"] = 2  # like the game of eight cards that the lab solves
    assert playouts.plans(small, 0, params) == 1 << NO_PLAN


def test_cards_that_the_network_prefers_are_ahead_before_any_playout():
    memory = policy_network.new_memory(policy_network.load_weights())
    for view in choices(40):
        cards = np.array([card for card in range(52) if view.legal >> card & 1])
        prior = np.ones(len(cards))
        assert playouts.write_prior(view.row, view.seat, 1 << TRAINED_PLAN, cards, memory, prior)
        assert cards[prior.argmax()] == policy_network.network_answer(view.row, view.seat, -1, memory)
        assert prior.max() == 0
        assert prior.min() >= -6 * playouts.NETWORK_POINTS
        assert not playouts.write_prior(view.row, view.seat, 1 << NO_PLAN, cards, memory, prior)


def test_network_plays_every_variant_and_says_why_not_in_other_games():
    bot, rng = find_bot("network"), np.random.default_rng(2)
    for _, seats, options in FOURTEEN_CASES:
        state = new_random_game(FOURTEEN, seats, options, rng)
        for seat in play_random(FOURTEEN, state, rng):
            view = bot_view(FOURTEEN, state, seat)
            if rng.random() < 0.1:
                choose_legal(bot, "network", view, FOURTEEN.question(state).name, rng)
            fourteen.step(state, seat, int(rng.choice([k for k in range(52) if view.legal >> k & 1])), None)
            if state["deals"] > 1:
                break
    crystals = GAMES["crystals"]
    state = new_random_game(crystals, 2, {}, rng)
    seat = next(play_random(crystals, state, rng))
    with pytest.raises(BotError, match="plays fourteen and mines only"):
        choose_legal(bot, "network", bot_view(crystals, state, seat), crystals.question(state).name, rng)


def test_network_alone_beats_rules_of_thumb():
    match = arena.MatchSetup("fourteen", ("network", *["simple"] * 3), {"target": 5}, 6)
    result, _ = arena.run_match(match, 8, processes=1)
    assert result.bot_result("network").margin.mean > 0.5


def test_reviews_of_fourteen_need_no_network():
    """Reviews always play out by rules of thumb, so their kernel and their module leave out the network."""
    for variant in all_variants("fourteen"):
        state = start_variant(variant, 1).state
        assert playouts.plans(state, 0, SearchParams()) == 1 << NO_PLAN
    for kernel, has_network in ((search.compiled_decide(FOURTEEN), True), (judge.compiled_judge(FOURTEEN), False)):
        functions = {function.__module__ for function in reachable_functions(kernel.py_func)}
        assert (policy_network.__name__ in functions) == has_network


@pytest.mark.later
def test_training_command_runs_from_the_first_stage_to_the_weights(tmp_path, monkeypatch, capsys):
    """Few decisions of quick searches suffice. A second run finds every stage finished and writes the same file."""
    stages = [stage._replace(decisions=250, passes=1, worlds=2 + 10 * stage.plan) for stage in train_network.STAGES]
    monkeypatch.setattr(train_network, "STAGES", tuple(stages))
    monkeypatch.setattr(train_network, "DECISIONS_PER_CHUNK", 250)
    weights = []
    for name in ("first.npy", "second.npy"):
        folder = str(tmp_path / "progress")
        command = ["train_network", "--folder", folder, "--seed", "3", "--out", str(tmp_path / name)]
        monkeypatch.setattr(sys, "argv", command)
        train_network.main()
        weights.append(np.load(tmp_path / name))
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines if "loss" in line] == [f"stage {k}, pass 1" for k in (1, 2, 3, 4)]
    assert np.array_equal(*weights)
    assert weights[0].shape == (policy_network.ROW_COUNT, policy_network.HIDDEN)
    memory = policy_network.new_memory(policy_network.packed_weights(weights[0]))
    for view in choices(20):
        assert view.legal >> policy_network.network_answer(view.row, view.seat, -1, memory) & 1


@pytest.mark.slow
def test_training_resumes_and_is_reproducible_by_seed(tmp_path, monkeypatch):
    """Train two stages, by rules of thumb and by the network, in one go and then with a stop after each pass."""
    stages = tuple(train_network.STAGES[k]._replace(decisions=300, passes=2, worlds=2 + 10 * k) for k in range(2))
    monkeypatch.setattr(train_network, "DECISIONS_PER_CHUNK", 300)
    for folder in (tmp_path / "once", tmp_path / "again"):
        folder.mkdir()
        for number in range(2):
            for passes in (2,) if folder.name == "once" else (1, 2):
                monkeypatch.setattr(train_network, "STAGES", tuple(stage._replace(passes=passes) for stage in stages))
                train_network.gather_stage(folder, number, 5, OneProcess(), lambda line: None)
                train_network.learn_stage(folder, number, 5, lambda line: None)
    once, again = (np.load(tmp_path / name / "fourteen-1.npy") for name in ("once", "again"))
    assert once.shape == (policy_network.ROW_COUNT, policy_network.HIDDEN)
    assert not np.array_equal(np.load(tmp_path / "once" / "fourteen-0.npy"), once)
    assert np.array_equal(once, again)
