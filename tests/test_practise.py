"""Practice at mines pays: tuned weights win, fitted beliefs foresee, and the tuner finds what is better."""

from __future__ import annotations

import numpy as np
import pytest

from diamonds.bots.knowing import hunches, practice
from diamonds.lab import practise


def test_equal_styles_win_exactly_one_game_of_every_pair() -> None:
    """M2: the cards are the same in both games of a pair, and the seats are exchanged."""
    assert set(practise.duel(practice.EAGER, practice.EAGER, 200, 1)) == {0.5}


def test_the_practised_style_beats_the_others() -> None:
    """It wins 72 % of games against plain and 63 % against eager players; 2,000 pairs are sure to about 1.5 %."""
    for rival, least in ((practice.PLAIN, 0.68), (practice.EAGER, 0.58)):
        won = practise.duel(practice.PRACTISED, rival, 2000, 3).mean()
        assert won > least, f"only {won:.1%}"


def test_a_style_is_its_weights() -> None:
    numbers = practise.as_numbers(practice.PRACTISED)
    assert practise.as_style(numbers) == practice.PRACTISED
    assert dict(zip(practice.WEIGHTS, numbers, strict=True)) == practice.WEIGHTS
    assert practice.PRACTISED["pass_to_dig"] == practice.WEIGHTS["pass_to_dig"]


@pytest.mark.slow
def test_what_is_believed_of_hands_is_far_likelier_than_an_even_deal() -> None:
    """By more than one in natural logarithms for every style; and watching finds such beliefs again."""
    again = practise.believe(np.array([practice.PRACTISED, practice.PLAIN, practice.EAGER]), 1500, 5)
    for style in (practice.PRACTISED, practice.PLAIN, practice.EAGER):
        alone = np.array([style])
        even = practise.watch(alone, 300, 1, np.ones_like(hunches.BELIEFS))
        assert practise.watch(alone, 300, 1, hunches.BELIEFS.copy()) > even + 1
        assert practise.watch(alone, 300, 1, again) > even + 1


@pytest.mark.slow
def test_the_tuner_finds_better_weights() -> None:
    *_, found = practise.tune(12, 1, practice.PLAIN, pairs=60)
    assert practise.duel(found.style, practice.PLAIN, 2000, 7).mean() > 0.53
