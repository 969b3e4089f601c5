"""Tuning of mines: tuned weights win, fitted beliefs predict better, and the tuner finds improvements."""

import numpy as np
import pytest

from diamonds.bots.games.mines import hand_beliefs, weighted_policy
from diamonds.lab import tune

pytestmark = pytest.mark.kernels


def test_equal_styles_win_exactly_one_game_of_every_pair():
    """M2: both games of a pair have the same cards, with the seats exchanged."""
    assert set(tune.win_shares(weighted_policy.AGGRESSIVE_WEIGHTS, weighted_policy.AGGRESSIVE_WEIGHTS, 200, 1)) == {0.5}


def test_tuned_style_beats_the_others():
    """The style wins 72 % of games against plain and 63 % against eager players; the error is about 1.5 %."""
    for rival, least in ((weighted_policy.PLAIN_WEIGHTS, 0.68), (weighted_policy.AGGRESSIVE_WEIGHTS, 0.58)):
        won = tune.win_shares(weighted_policy.TUNED_WEIGHTS, rival, 2000, 3).mean()
        assert won > least, f"only {won:.1%}"


def test_style_is_its_weights():
    numbers = tune.weights_of(weighted_policy.TUNED_WEIGHTS)
    assert tune.style_of(numbers) == weighted_policy.TUNED_WEIGHTS
    assert dict(zip(weighted_policy.TUNED_BY_NAME, numbers, strict=True)) == weighted_policy.TUNED_BY_NAME
    assert weighted_policy.TUNED_WEIGHTS["pass_to_dig"] == weighted_policy.TUNED_BY_NAME["pass_to_dig"]


@pytest.mark.slow
def test_fitted_beliefs_beat_an_even_deal():
    """The gain is more than one in natural logarithms for every style, even for newly fitted beliefs."""
    again = tune.fit_beliefs(
        np.array([weighted_policy.TUNED_WEIGHTS, weighted_policy.PLAIN_WEIGHTS, weighted_policy.AGGRESSIVE_WEIGHTS]),
        1500,
        5,
    )
    for style in (weighted_policy.TUNED_WEIGHTS, weighted_policy.PLAIN_WEIGHTS, weighted_policy.AGGRESSIVE_WEIGHTS):
        alone = np.array([style])
        even = tune.observe_games(alone, 300, 1, np.ones_like(hand_beliefs.SUIT_FACTORS))
        assert tune.observe_games(alone, 300, 1, hand_beliefs.SUIT_FACTORS.copy()) > even + 1
        assert tune.observe_games(alone, 300, 1, again) > even + 1


@pytest.mark.slow
def test_tuner_finds_better_weights():
    *_, found = tune.tune(12, 1, weighted_policy.PLAIN_WEIGHTS, pairs=60)
    assert tune.win_shares(found.style, weighted_policy.PLAIN_WEIGHTS, 2000, 7).mean() > 0.53
