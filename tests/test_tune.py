"""Practice at mines pays: tuned weights win, fitted beliefs foresee, and the tuner finds what is better."""

from __future__ import annotations

import numpy as np
import pytest

from diamonds.bots.knowing.mines import likely, weights
from diamonds.lab import tune

pytestmark = pytest.mark.kernels


def test_equal_styles_win_exactly_one_game_of_every_pair() -> None:
    """M2: the cards are the same in both games of a pair, and the seats are exchanged."""
    assert set(tune.duel(weights.EAGER, weights.EAGER, 200, 1)) == {0.5}


def test_the_tuned_style_beats_the_others() -> None:
    """It wins 72 % of games against plain and 63 % against eager players; 2,000 pairs are sure to about 1.5 %."""
    for rival, least in ((weights.PLAIN, 0.68), (weights.EAGER, 0.58)):
        won = tune.duel(weights.TUNED, rival, 2000, 3).mean()
        assert won > least, f"only {won:.1%}"


def test_a_style_is_its_weights() -> None:
    numbers = tune.as_numbers(weights.TUNED)
    assert tune.as_style(numbers) == weights.TUNED
    assert dict(zip(weights.WEIGHTS, numbers, strict=True)) == weights.WEIGHTS
    assert weights.TUNED["pass_to_dig"] == weights.WEIGHTS["pass_to_dig"]


@pytest.mark.slow
def test_what_is_believed_of_hands_is_far_likelier_than_an_even_deal() -> None:
    """By more than one in natural logarithms for every style; and watching finds such beliefs again."""
    again = tune.believe(np.array([weights.TUNED, weights.PLAIN, weights.EAGER]), 1500, 5)
    for style in (weights.TUNED, weights.PLAIN, weights.EAGER):
        alone = np.array([style])
        even = tune.watch(alone, 300, 1, np.ones_like(likely.BELIEFS))
        assert tune.watch(alone, 300, 1, likely.BELIEFS.copy()) > even + 1
        assert tune.watch(alone, 300, 1, again) > even + 1


@pytest.mark.slow
def test_the_tuner_finds_better_weights() -> None:
    *_, found = tune.tune(12, 1, weights.PLAIN, pairs=60)
    assert tune.duel(found.style, weights.PLAIN, 2000, 7).mean() > 0.53
