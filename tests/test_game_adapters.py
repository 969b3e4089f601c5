"""The adapter through which bots search a game keeps its contract (`diamonds.bots.games.adapter`)."""

import inspect
from collections.abc import Callable
from typing import Any, get_type_hints

import numpy as np
import pytest

from diamonds import cards, fields
from diamonds.bots import games
from diamonds.bots.bot import bot_view
from diamonds.bots.games.adapter import HOLDER_COUNT, NO_PLAN, POINTS, WIN_CHANCE, SearchParams
from diamonds.bots.levels import LEVELS
from diamonds.bots.search import search
from diamonds.bots.search.compiled_adapter import CompiledAdapter
from diamonds.game import GAMES
from tests.support.random_games import CASE_IDS, CASES, new_random_game, play_random

pytestmark = pytest.mark.kernels

COMPILED = [name for name in CompiledAdapter._fields if get_type_hints(CompiledAdapter)[name] == Callable[..., Any]]


@pytest.mark.parametrize("name", GAMES)
def test_compiled_functions_live_in_registered_modules(name):
    known = games.adapter_for(GAMES[name])
    assert all(hasattr(known, name) for name in set(CompiledAdapter._fields) - {"rules", "ranks"})
    there = {module.__name__ for module in known.modules}
    assert len(COMPILED) == 27
    for part in COMPILED:
        function = getattr(known, part)
        assert inspect.isfunction(function)
        assert function.__module__ in there, f"{part} is in {function.__module__}, which is not a registered module"
    assert known.unit in (POINTS, WIN_CHANCE)
    assert min(known.hint_worlds, known.forecast_playouts, known.material_difference, known.win_bonus) > 0
    assert len(known.level_error_sd) == len(LEVELS), "expected an error deviation for every level"
    assert sorted(set(known.level_error_sd), reverse=True) == list(known.level_error_sd), "expected fewer errors"
    assert known.level_error_sd[-1] == 0, "expected the best level not to err"


@pytest.mark.parametrize(("name", "seats", "options"), CASES, ids=CASE_IDS)
def test_candidates_are_made_of_legal_answers_and_stand_for_all_of_them(name, seats, options):
    game, rng = GAMES[name], np.random.default_rng(8)
    known, state = games.adapter_for(game), new_random_game(game, seats, options, rng)
    for n, seat in enumerate(play_random(game, state, rng)):
        seen = bot_view(game, state, seat)
        row, question = seen.row, game.question(state)
        candidates = search.candidates_of(game, row, seat)
        assert candidates, f"expected candidates to compare at {question.name}"
        assert len(set(candidates)) == len(candidates)
        assert known.is_set(row) == question.is_sequential
        for candidate in candidates:
            first = cards.lowest(known.answers_of(row, seat, candidate))
            assert seen.legal >> first & 1, f"{question.name}: a candidate begins with the illegal answer {first}"
            assert -1 <= known.card_of(row, candidate) < len(game.card_names)
        habit = known.default_candidate(fields.copy_state(row), seat, NO_PLAN)
        assert known.representative(row, candidates, habit) in candidates
        if not known.is_set(row):
            assert {known.representative(row, candidates, answer) for answer in cards.iter_bits(seen.legal)} == set(
                candidates
            )
        assert known.plans(row, seat, SearchParams())
        sizes, banned = np.zeros(HOLDER_COUNT, np.int64), np.zeros(HOLDER_COUNT, np.int64)
        unseen = int(known.hidden_cards(row, seat, sizes, banned))
        assert sizes.sum() == cards.count(unseen), "expected every unseen card to be shared out"
        assert sizes[seat] == 0, "the unseen cards include the player's hand"
        if n == 40:
            break
        game.rules.step(state, seat, int(known.heuristic_answer(state, seat, NO_PLAN)), None)


@pytest.mark.parametrize("name", GAMES)
def test_search_effort_follows_worlds_and_horizon(name):
    known = games.adapter_for(GAMES[name])
    near, far = known.search_params(6, 16, False, False), known.search_params(60, 0, False, False)
    assert near.max_worlds < far.max_worlds
    assert near.horizon == (16 if name == "mines" else 0), "expected a search to the end of short rounds"
    assert far.horizon == 0, "expected a search to the end without a horizon"
