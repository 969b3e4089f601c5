"""Ratings from finishing orders: they recover true strengths, treat ties evenly, and have correct intervals."""

import numpy as np
import pytest

from diamonds.lab.rating import FinishOrder, ratings

pytestmark = pytest.mark.later

TRUE_RATINGS = {"a": -200.0, "b": 0.0, "c": 200.0, "d": 0.0}


def random_finish(rng: np.random.Generator) -> FinishOrder:
    """Return a random finishing order of three of four bots by Plackett–Luce."""
    names = list(rng.permutation(list(TRUE_RATINGS))[:3])
    left, order = list(range(3)), []
    while left:
        odds = np.array([10 ** (TRUE_RATINGS[names[k]] / 400) for k in left])
        order.append(left.pop(int(rng.choice(len(left), p=odds / odds.sum()))))
    return tuple(names), tuple(order.index(k) for k in range(3))


def test_rating_finds_the_strengths_that_games_were_drawn_from():
    rng = np.random.default_rng(2)
    found = ratings([[[random_finish(rng)] for _ in range(3000)]])
    for name, truth in TRUE_RATINGS.items():
        assert found[name].points == pytest.approx(truth, abs=30)
        assert 5 < found[name].plus_minus < 25


def test_interval_covers_the_true_rating_as_often_as_stated():
    rng, held = np.random.default_rng(5), 0
    for _ in range(10):
        found = ratings([[[random_finish(rng), random_finish(rng)] for _ in range(40)]])
        held += sum(abs(found[name].points - truth) <= found[name].plus_minus for name, truth in TRUE_RATINGS.items())
    assert 34 <= held <= 40, f"{held} of 40 intervals contain the true rating"


def test_blocks_count_once_however_many_games_they_have():
    rng = np.random.default_rng(3)
    games = [random_finish(rng) for _ in range(200)]
    once = ratings([[[one] for one in games]])
    often = ratings([[[one] * 9 for one in games]])
    for name in TRUE_RATINGS:
        assert often[name].points == pytest.approx(once[name].points, abs=1)
        assert often[name].plus_minus == pytest.approx(once[name].plus_minus, rel=0.05)


def test_ties_favour_nobody_and_no_games_give_no_rating():
    found = ratings([[[(("a", "b"), (0, 0))]] * 10])
    assert found["a"].points == pytest.approx(0, abs=1e-6)
    assert found["b"].points == pytest.approx(0, abs=1e-6)
    assert ratings([]) == {}


def test_tie_counts_as_a_win_of_each_of_the_tied():
    """Of twenty games, one bot wins ten and ten are tied: odds of two to one."""
    found = ratings([[[(("a", "b"), (0, 1))]] * 10 + [[(("a", "b"), (0, 0))]] * 10])
    assert found["a"].points - found["b"].points == pytest.approx(400 * np.log10(2), abs=0.5)


def test_every_block_of_every_match_counts_and_its_pools_mean_is_zero():
    """Thirty wins to ten in one match and ten to ten in another, then a third bot that wins as often as the weaker one."""
    won, lost = [(("a", "b"), (0, 1))], [(("a", "b"), (1, 0))]
    first, second = [won] * 30 + [lost] * 10, [won] * 10 + [lost] * 10
    both = ratings([first, second])
    assert both["a"].points == pytest.approx(200 * np.log10(40 / 20), abs=0.5)
    assert both["a"].points + both["b"].points == pytest.approx(0, abs=1e-6)
    one = ratings([first])
    assert one["a"].points == pytest.approx(200 * np.log10(30 / 10), abs=0.5)
    assert both["a"].plus_minus < one["a"].plus_minus, "expected narrower intervals with more games"
    third = ratings([first, second, [[(("b", "c"), (1, 0))], [(("b", "c"), (0, 1))]] * 20])
    assert sum(rating.points for rating in third.values()) == pytest.approx(0, abs=1e-6)
    assert third["c"].points == pytest.approx(third["b"].points, abs=0.5)


def test_bot_that_never_won_is_far_below_but_on_the_scale():
    found = ratings([[[(("a", "b"), (0, 1))]] * 50])
    assert 400 < found["a"].points - found["b"].points < 4000
