"""Small games: every deal, the shipped rules with another pack, and bots that know the pack."""

import random

import numpy as np
import pytest

from diamonds.bots import games
from diamonds.bots.bot import bot_view
from diamonds.bots.games.adapter import HOLDER_COUNT, SET_ASIDE
from diamonds.bots.levels import BOTS
from diamonds.cards import count
from diamonds.game import GAMES
from diamonds.lab import small_games
from diamonds.lab.small_games import SMALL_GAMES, small_game

small = pytest.mark.parametrize("name", SMALL_GAMES)


@small
def test_small_game_deals_three_cards_each_in_every_way(name):
    game, seen = small_game(name), set()
    for state in small_games.deals(name):
        hands = tuple(int(hand) for hand in state["hand"][:2])
        assert game.to_act(state) == [0]
        assert game.question(state).name == "play"
        assert [count(cards) for cards in (*hands, int(state["aside"]))] == [3, 3, 2]
        seen.add(hands)
    assert len(seen) == 560
    names = {game.card_names[card] for card in game.pack(state)}
    assert names == {f"{suit}{rank}" for suit in "DC" for rank in (5, 6, 8, 9)}


@small
def test_small_game_leaves_the_shipped_game_unchanged(name):
    small_game(name)
    full = GAMES[name]
    seats = full.default_seats
    assert len(full.pack_for(seats, {})) == 4 * full.ranks
    assert full.rules.cards_dealt(full.empty_state(seats, {})) > 6
    assert games.adapter_for(full).modules[0].__name__.startswith("diamonds.bots.games")
    assert f"small {name}" not in GAMES


@small
def test_bots_of_a_small_game_know_its_pack(name):
    game, dice = small_game(name), random.Random(4)
    adapter = games.adapter_for(game)
    for state in dice.sample(list(small_games.deals(name)), 40):
        while state["to_act"]:
            (seat,) = game.to_act(state)
            view = bot_view(game, state, seat)
            sizes, banned = np.zeros(HOLDER_COUNT, np.int64), np.zeros(HOLDER_COUNT, np.int64)
            unseen = int(adapter.hidden_cards(view.row, seat, sizes, banned))
            assert unseen == int(state["hand"][1 - seat]) | int(state["aside"])
            assert sizes[1 - seat] == count(int(state["hand"][1 - seat]))
            assert sizes[SET_ASIDE] == 2
            answer = BOTS["simple"].choose(view, "play", np.random.default_rng(1))
            assert view.legal >> answer & 1
            game.rules.step(state, seat, answer, None)
        assert not state["over"], "expected no bonus for winning the game"
        assert abs(small_games.margin(name, state)) <= 15
