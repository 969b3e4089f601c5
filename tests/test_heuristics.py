"""Bots answer every question legally, from their view alone, and better than at random."""

import numpy as np
import pytest

from diamonds import cards
from diamonds.bots import games
from diamonds.bots.bot import bot_view
from diamonds.bots.games.adapter import NO_PLAN
from diamonds.bots.levels import BOTS, find_bot
from diamonds.errors import NotFoundError
from diamonds.game import GAMES
from diamonds.lab import arena
from tests.support.random_games import ONE_PER_KIND, new_random_game, play_random, possible_questions

pytestmark = pytest.mark.later


@pytest.mark.parametrize(("name", "seats", "options"), ONE_PER_KIND)
def test_simple_policy_beats_random_players_over_duplicate_deals(name, seats, options):
    """One simple player (with similar partners) among random ones, with every deal played from every seat."""
    teams = seats // 2 if options.get("partnership") else seats
    lineup = tuple("simple" if seat % teams == 0 else "random" for seat in range(seats))
    result, _ = arena.run_match(arena.MatchSetup(name, lineup, options, 14), 8 if seats < 4 else 5, processes=1)
    margin = result.bot_result("simple").margin
    assert margin.mean > 1.5 * margin.plus_minus, f"a margin of {margin} is not clearly above 0"


@pytest.mark.parametrize(("name", "seats", "options"), ONE_PER_KIND)
def test_simple_bot_answers_alike_on_view_and_state(name, seats, options):
    game, rng = GAMES[name], np.random.default_rng(3)
    choose = games.adapter_for(game).heuristic_answer
    asked = set()
    for _ in range(2):
        state = new_random_game(game, seats, options, rng)
        for seat in play_random(game, state, rng):
            seen = bot_view(game, state, seat)
            legal = int(game.rules.legal(state, seat))
            assert seen.legal == legal, "the legal answers of the view differ from the state's"
            answer = int(choose(state, seat, NO_PLAN))
            assert int(choose(seen.row, seat, NO_PLAN)) == answer, f"hidden cards at {game.question(state).name}"
            assert legal >> answer & 1, f"answer {answer} to {game.question(state).name} is not legal"
            asked.add(game.question(state).name)
            if rng.random() < 0.5:
                answer = int(rng.choice(list(cards.iter_bits(legal))))
            game.rules.step(state, seat, answer, None)
    expected = possible_questions(name, seats, options)
    assert asked == expected, f"never asked: {expected - asked}"


def test_bots_are_found_by_name():
    assert find_bot("simple") is BOTS["simple"]
    with pytest.raises(NotFoundError, match=r"no bot 'deep blue'\. The bots are"):
        find_bot("deep blue")
