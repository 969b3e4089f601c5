"""The network of mines answers the same everywhere, sees nothing hidden, and learns from games against itself."""

import gzip
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from diamonds import cards, fields, jit
from diamonds.bots.bot import BotView, bot_view, choose_legal
from diamonds.bots.games import adapter_for
from diamonds.bots.games.adapter import TRAINED_PLAN, SearchParams
from diamonds.bots.games.mines import heuristics, policy_network, search_hooks, weighted_policy
from diamonds.bots.levels import LEVELS, LevelBot, find_bot
from diamonds.bots.search import evaluate, judge, search
from diamonds.bots.search.compiled_adapter import compiled_adapter
from diamonds.bots.search.world_sampling import sample_worlds
from diamonds.code_fingerprint import reachable_functions
from diamonds.game import GAMES
from diamonds.lab import train_mines_network
from tests.support import network_module
from tests.support.random_games import new_random_game, play_random

pytestmark = pytest.mark.kernels

MINES = GAMES["mines"]
OPTIONS: list[dict[str, Any]] = [{}, {"defence": "ranked", "impossible": "seen"}]


@lru_cache
def positions() -> list[tuple[np.void, BotView]]:
    """Return states and views with a choice, from games of all variants, played by the network with random answers."""
    rng, found = np.random.default_rng(3), []
    memory = policy_network.new_memory(policy_network.load_weights())
    for k in range(12):
        state = new_random_game(MINES, 2, OPTIONS[k % 2], rng)
        for seat in play_random(MINES, state, rng):
            legal = int(MINES.rules.legal(state, seat))
            if rng.random() < 0.4 and legal & (legal - 1):
                found.append((state.copy(), bot_view(MINES, state, seat)))
            answer = policy_network.network_answer(state, seat, memory)
            if rng.random() < 0.2:
                answer = rng.choice(list(cards.iter_bits(legal)))
            MINES.rules.step(state, seat, int(answer), None)
    return found


def test_positions_contain_every_question():
    assert {int(state["question"]) for state, _ in positions()} == set(range(len(MINES.questions)))


def matrix_sums(view: BotView) -> dict[int, int]:
    """Return the answers' sums computed by matrices, directly from the network's description."""
    packed = policy_network.load_weights()
    weights = packed[: policy_network.BONUS_ROW].astype("<i8").view(np.uint8).astype(np.int64) - 128
    bonuses = packed[policy_network.BONUS_ROW :].ravel()
    rows = np.zeros(policy_network.FEATURES, np.int64)
    policy_network.write_features(view.row, view.seat, rows)
    hidden = np.maximum(weights[rows].sum(axis=0), 0)
    # units are in the order of bytes: all first bytes, then all second bytes
    sums, question = {}, int(view.row["question"])
    for answer in cards.iter_bits(weighted_policy.cheapest_and_dearest(view.row, view.legal)):
        index = policy_network.ANSWERS * question + int(policy_network.answer_row(view.row, view.seat, answer))
        sums[answer] = int(hidden @ weights[policy_network.ANSWER_ROW + index] + bonuses[index])
        if policy_network.is_pile(question, answer):
            sums[answer] += int(bonuses[policy_network.surroundings(view.row, view.seat, answer)])
    return sums


def test_network_answers_alike_by_matrices_compiled_and_in_wasm(tmp_path):
    compiled_adapter(MINES)
    network_answer, new_memory = policy_network.network_answer, policy_network.new_memory
    network_lead = policy_network.network_lead

    @jit.compiled
    def answer(view, seat, weights):
        return network_answer(view[0], seat, new_memory(weights)), network_lead(view[0], seat, new_memory(weights))

    weights = policy_network.load_weights()
    memory = policy_network.new_memory(weights)  # the sums of one position are the start of the next
    views = [view for _, view in positions()]
    answers = []
    for view in views:
        found = int(policy_network.network_answer(view.row, view.seat, memory))
        lead = policy_network.network_lead(view.row, view.seat, memory)
        assert (found, lead) == answer(jit.as_row_array(view.row), view.seat, weights)
        sums = matrix_sums(view)
        assert found == max(sums, key=lambda option: (sums[option], -option))
        assert lead == pytest.approx(np.tanh(sums[found] / policy_network.SUM_SCALE / 2), abs=0.02)
        assert view.legal >> found & 1
        answers.append(found)
    module = tmp_path / "network.wasm"
    heap_start = network_module.build_module("mines", module)
    assert network_module.answers_in_node(module, heap_start, weights, [(view, 0) for view in views]) == answers
    lowest = [found == cards.lowest(view.legal) for view, found in zip(views, answers, strict=True)]
    assert np.mean(lowest) < 0.7, "expected more than the lowest legal answer"


def test_r2_network_sees_nothing_hidden():
    """The features stay the same if the hidden cards are dealt again, and if they are computed from the whole state."""
    found, expected = (np.zeros(policy_network.FEATURES, np.int64) for _ in range(2))
    ends = policy_network.FIRST_ROWS + policy_network.VALUES
    for state, view in positions()[::3]:
        policy_network.write_features(view.row, view.seat, expected)
        assert np.all((expected >= policy_network.FIRST_ROWS) & (expected < ends)), "a feature has an unknown value"
        for world in [state, *sample_worlds(MINES, view.row, view.seat, 3, 5)]:
            policy_network.write_features(world, view.seat, found)
            assert np.array_equal(found, expected)


def test_weights_are_small_and_used():
    weights = policy_network.load_weights()
    assert weights.shape == (policy_network.ROW_COUNT, policy_network.PACKED)
    assert len(gzip.compress(weights.tobytes(), 9, mtime=0)) <= 40_000
    weight_bytes = weights[: policy_network.BONUS_ROW].astype("<i8").view(np.uint8)
    assert np.mean((weight_bytes == 0) | (weight_bytes == 255)) < 0.001, "many weights are clipped"


def test_network_beats_all_weights():
    """The network wins 63 to 74 % of 4,000 pairs against each; the error of 1,000 pairs is about 2 %."""
    for rival, least in zip(search_hooks.OPPONENT_STYLES, (0.59, 0.69, 0.60), strict=True):
        won = train_mines_network.win_shares(policy_network.load_weights(), rival, 1000, 3).mean()
        assert won > least, f"only {won:.1%}"


def test_network_bot_plays_mines():
    bot, rng = find_bot("network"), np.random.default_rng(4)
    for _, view in positions()[::20]:
        choose_legal(bot, "network", view, MINES.question(view.row).name, rng)


def test_only_level_5_uses_the_network():
    """Hints play to the end by weights. In half of the worlds the opponent also follows the network."""
    for level in LEVELS:
        params = LevelBot(level).search_params(MINES)
        is_best = level is LEVELS[-1]
        assert (search_hooks.plans(None, 0, params) == 1 << TRAINED_PLAN) == is_best
        assert (params.horizon == 4) == is_best
    assert search_hooks.plans(None, 0, adapter_for(MINES).hint_params) == 1 << search_hooks.WEIGHTED_PLAN
    styles = [search_hooks.playout_styles(TRAINED_PLAN, draw, 7) for draw in range(1000)]
    assert {own[0] for own, _ in styles} == {TRAINED_PLAN}
    by_network = [other[0] for _, other in styles].count(TRAINED_PLAN)
    assert by_network == search_hooks.NETWORK_OPPONENT_PERMILLE
    weights = [other[1].tobytes() for _, other in styles if other[0] != TRAINED_PLAN]
    assert {weights.count(style.tobytes()) for style in search_hooks.OPPONENT_STYLES} <= {166, 167}


def test_unfinished_playout_is_worth_the_odds_of_the_seat_to_act():
    memory = policy_network.new_memory(policy_network.load_weights())
    for state, view in positions()[::7]:
        lead = policy_network.network_lead(state, view.seat, memory)
        assert search_hooks.outlook(state, view.seat, TRAINED_PLAN, memory, 0.3) == lead
        assert search_hooks.outlook(state, 1 - view.seat, TRAINED_PLAN, memory, 0.3) == -lead
        assert search_hooks.outlook(state, view.seat, search_hooks.WEIGHTED_PLAN, memory, 0.3) == 0.3
    over = fields.copy_state(state)
    over["to_act"] = 0
    assert search_hooks.outlook(over, 0, TRAINED_PLAN, memory, -0.98) == -0.98


def test_reviews_of_mines_need_no_network():
    """Reviews play out by rules of thumb, so their kernel and their module leave out the network."""
    assert search_hooks.plans(None, 0, SearchParams()) == 1 << heuristics.IMPROVED_PLAN
    kernels = ((search.compiled_decide(MINES), True), (evaluate.compiled_evaluate(MINES), True))
    for kernel, has_network in (*kernels, (judge.compiled_judge(MINES), False)):
        functions = {function.__module__ for function in reachable_functions(kernel.py_func)}
        assert (policy_network.__name__ in functions) == has_network


def test_training_learns_to_beat_the_first_weights():
    start = train_mines_network.packed_weights(train_mines_network.first_weights(1))
    trained = train_mines_network.packed_weights(train_mines_network.train(4000, 1))
    assert trained.shape == policy_network.load_weights().shape
    rival = weighted_policy.PLAIN_WEIGHTS
    before, after = (train_mines_network.win_shares(w, rival, 500, 3).mean() for w in (start, trained))
    assert after > before + 0.05, f"{before:.1%} before, {after:.1%} after"
    assert np.array_equal(trained, train_mines_network.packed_weights(train_mines_network.train(4000, 1)))
