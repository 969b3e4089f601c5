"""Bots answer every question legally, from their view alone, and better than at random."""

import numpy as np
import pytest

from diamonds import cards
from diamonds.bots import games
from diamonds.bots.bot import Bot, bot_view
from diamonds.bots.games.adapter import NO_PLAN
from diamonds.bots.levels import BOTS, find_bot
from diamonds.errors import NotFoundError
from diamonds.game import GAMES, Game
from tests.support.random_games import ONE_PER_KIND, new_random_game, play_random, possible_questions

pytestmark = pytest.mark.later


def play_out(
    game: Game, state: np.void, bots: list[Bot], decks: list, rng: np.random.Generator, noise: float = 0
) -> None:
    """Play a game to its end; deal *n* uses ``decks[n]``. A share of the answers is random."""
    while not state["over"]:
        if game.needs_deal(state):
            game.rules.deal(state, decks[int(state["deals"])], None)
            continue
        seat = game.to_act(state)[0]
        bot = BOTS["random"] if rng.random() < noise else bots[seat]
        answer = bot.choose(bot_view(game, state, seat), game.question(state).name, rng)
        assert int(game.rules.legal(state, seat)) >> answer & 1, f"answer {answer} is not legal"
        game.rules.step(state, seat, answer, None)


def margin(game: Game, state: np.void, seat: int) -> float:
    """Return a seat's score minus the mean of the other teams; in mines, 1 for a win and −1 for a loss."""
    if game.name == "mines":
        return 0 if state["winner"] < 0 else 1 if state["winner"] == seat else -1
    others = [s for s in range(state["seats"]) if game.rules.team(state, s) != game.rules.team(state, seat)]
    return float(game.rules.score(state, seat) - np.mean([game.rules.score(state, s) for s in others]))


@pytest.mark.parametrize(("name", "seats", "options"), ONE_PER_KIND)
def test_simple_policy_beats_random_players_over_duplicate_deals(name, seats, options):
    """One simple player (with similar partners) among random ones, with every deal played from every seat."""
    game, rng = GAMES[name], np.random.default_rng(14)
    blocks = []
    for _ in range(8 if seats < 4 else 5):
        first = new_random_game(game, seats, options, rng)
        decks = [rng.permutation(game.pack(first)) for _ in range(60)]
        margins = []
        for me in range(seats):
            state = np.frombuffer(bytearray(first.tobytes()), game.dtype)[0]
            mine = int(game.rules.team(state, me))
            bots = [BOTS["simple" if game.rules.team(state, s) == mine else "random"] for s in range(seats)]
            play_out(game, state, bots, decks, rng)
            margins.append(margin(game, state, me))
        blocks.append(np.mean(margins))
    mean, error = np.mean(blocks), np.std(blocks, ddof=1) / len(blocks) ** 0.5
    assert mean > 3 * error > 0 or (mean > 0 and error == 0), f"margin {mean:.2f} ± {error:.2f} is not clearly above 0"


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
