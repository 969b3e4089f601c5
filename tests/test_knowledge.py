"""What a game gives so that bots can think about it keeps what the contract says (`diamonds.bots.knowing.contract`)."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, get_type_hints

import numpy as np
import pytest

from diamonds import cards, fields
from diamonds.bots import knowing
from diamonds.bots.bot import see
from diamonds.bots.knowing.contract import AS_IT_COMES, CHANCE, HOLDERS, POINTS, Effort
from diamonds.bots.levels import LEVELS
from diamonds.bots.thinking import search
from diamonds.bots.thinking.mind import Mind
from diamonds.game import GAMES
from random_games import CASES, IDS, asked_in, new_game

pytestmark = pytest.mark.kernels

COMPILED = [name for name in Mind._fields if get_type_hints(Mind)[name] == Callable[..., Any]]


@pytest.mark.parametrize("name", GAMES)
def test_every_function_that_is_compiled_lives_in_a_module_that_is_registered(name: str) -> None:
    known = knowing.of(GAMES[name])
    assert all(hasattr(known, name) for name in set(Mind._fields) - {"rules", "ranks"})
    there = {module.__name__ for module in known.modules}
    assert len(COMPILED) == 22
    for part in COMPILED:
        function = getattr(known, part)
        assert inspect.isfunction(function)
        assert function.__module__ in there, f"{part} lives in {function.__module__}, which is not among the modules"
    assert known.unit in (POINTS, CHANCE)
    assert min(known.weighed, known.forecasts, known.material, known.winning) > 0
    assert len(known.slips) == len(LEVELS), "a level does not know how far it slips"
    assert sorted(set(known.slips), reverse=True) == list(known.slips), "a level slips no less than the one below"
    assert known.slips[-1] == 0, "the best level slips"


@pytest.mark.parametrize(("name", "seats", "options"), CASES, ids=IDS)
def test_candidates_are_made_of_legal_answers_and_stand_for_all_of_them(name: str, seats: int, options: dict) -> None:
    game, rng = GAMES[name], np.random.default_rng(8)
    known, state = knowing.of(game), new_game(game, seats, options, rng)
    for n, seat in enumerate(asked_in(game, state, rng)):
        seen = see(game, state, seat)
        row, question = seen.row, game.question(state)
        candidates = search.candidates_of(game, row, seat)
        assert candidates, f"nothing is compared at {question.name}"
        assert len(set(candidates)) == len(candidates)
        assert known.sets(row) == question.one_by_one
        for candidate in candidates:
            first = cards.lowest(known.answers(row, seat, candidate))
            assert seen.legal >> first & 1, f"{question.name}: a candidate begins with {first}, which is not legal"
            assert -1 <= known.card(row, candidate) < len(game.names)
        habit = known.habit(fields.copy_state(row), seat, AS_IT_COMES)
        assert known.same_kind(row, candidates, habit) in candidates
        if not known.sets(row):
            assert {known.same_kind(row, candidates, answer) for answer in cards.members(seen.legal)} == set(candidates)
        assert known.plans(row, seat, Effort())
        sizes, banned = np.zeros(HOLDERS, np.int64), np.zeros(HOLDERS, np.int64)
        unseen = int(known.needs(row, seat, sizes, banned))
        assert sizes.sum() == cards.count(unseen), "the unseen cards are not shared out to the last"
        assert sizes[seat] == 0, "the own hand is seen"
        if n == 40:
            break
        game.rules.step(state, seat, int(known.choose(state, seat, AS_IT_COMES)), None)


@pytest.mark.parametrize("name", GAMES)
def test_how_hard_a_level_searches_follows_its_worlds_and_in_a_long_game_its_horizon(name: str) -> None:
    known = knowing.of(GAMES[name])
    near, far = known.effort(6, 16, False, False), known.effort(60, 0, False, False)
    assert near.worlds < far.worlds
    assert near.horizon == (16 if name == "mines" else 0), "rounds and hands are short: everyone looks to their end"
    assert far.horizon == 0, "without a horizon everyone looks to the end"
