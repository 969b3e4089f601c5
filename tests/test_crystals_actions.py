"""Crystals, rule by rule: suit actions, ends of rounds and games (C3, C15–C21), and the worked examples."""

from typing import Any

import numpy as np
import pytest

from diamonds.game import GAMES
from tests.support.positions import (
    Events,
    crystal_counts,
    crystals_position,
    error_of,
    event_kinds,
    events_of_kind,
    kinds_and_seats,
    legal_answers,
    open_question,
    play_answers,
    set_fields,
)

CRYSTALS = GAMES["crystals"]


def last_trick(taken: dict[int, list[int]], **rest: Any) -> tuple[np.void, Events]:
    """Return the end of a round of three: seat 0 wins the last trick, three ♠, after ``taken`` and a trick for everyone."""
    rest = {"hands": {0: "S15", 1: "S2", 2: "S3"}, "tricks": [1, 1, 1], "taken": taken} | rest
    state = crystals_position(3, **rest)
    return state, play_answers(state, "0 play S15", "1 play S2", "2 play S3")


# Suit actions


NO_CRYSTAL_CASES: dict[str, dict[str, Any]] = {
    "D2": {"supply": 0},
    "H2": {"supply": 0},
    "S2": {"showroom": [3, 0, 3]},
    "C2": {"showroom": [0, 3, 0]},  # a player's own Showroom does not count
}


@pytest.mark.parametrize("card", NO_CRYSTAL_CASES)
def test_c3_action_without_a_crystal_does_nothing_and_is_reported(card):
    led = "H9" if card != "H2" else "S9"
    state = crystals_position(3, hands={0: f"{led} D5", 1: f"{card} D6", 2: "D7 D8"}, **NO_CRYSTAL_CASES[card])
    before = crystal_counts(state)
    events = play_answers(state, f"0 play {led}", f"1 play {card}")
    assert events_of_kind(events, "nothing") == [{"event": "nothing", "seat": 1, "suit": card[0]}]
    assert crystal_counts(state) == before, "an action without a crystal moved one (C3)"
    assert open_question(state) == ("play", [2])
    words = CRYSTALS.event_text(events[-1], "Seat {}".format)
    assert "Nothing happens: no crystal for Seat 1 to move" in words


def seat_1_discards(card: str, **rest: Any) -> tuple[np.void, Events]:
    """Let seat 1 of three, which cannot follow suit, play this card."""
    led = "H9" if card[0] != "H" else "S9"
    state = crystals_position(3, hands={0: f"{led} D5", 1: f"{card} D6", 2: "D7 D8"}, supply=100, **rest)
    return state, play_answers(state, f"0 play {led}", f"1 play {card}")[2:]


def test_c15_diamond_moves_a_point_from_supply_to_vault():
    state, told = seat_1_discards("D9")
    assert told == [{"event": "diamond", "seat": 1, "moved": 1}]
    assert crystal_counts(state) == (99, [0, 1, 0], [3, 3, 3])


def test_c16_heart_moves_a_point_from_supply_to_showroom():
    state, told = seat_1_discards("H9")
    assert told == [{"event": "heart", "seat": 1, "moved": 1}]
    assert crystal_counts(state) == (99, [0, 0, 0], [3, 4, 3])


def test_c17_spade_moves_a_point_from_showroom_to_vault():
    state, told = seat_1_discards("S9")
    assert told == [{"event": "spade", "seat": 1, "moved": 1}]
    assert crystal_counts(state) == (100, [0, 1, 0], [3, 2, 3])


@pytest.mark.parametrize(("victim", "showrooms"), [(0, [2, 4, 3]), (2, [3, 4, 2])])
def test_c18_club_takes_a_point_from_the_showroom_that_the_taker_chooses(victim, showrooms):
    state, told = seat_1_discards("C9")
    assert told == []
    assert legal_answers(state, 1) == [0, 2]
    assert play_answers(state, f"1 victim {victim}") == [{"event": "club", "seat": 1, "moved": 1, "victim": victim}]
    assert crystal_counts(state) == (100, [0, 0, 0], showrooms)


def test_c18_only_others_with_a_crystal_on_show_can_be_chosen():
    state = crystals_position(
        5, hands={0: "H9 D5", 1: "C9 D6", 2: "D7 D8"}, showroom=[1, 5, 0, 2, 0], vault=[0, 0, 9, 0, 9]
    )
    play_answers(state, "0 play H9", "1 play C9")
    assert legal_answers(state, 1) == [0, 3]
    assert error_of(state, "1 victim 1") == "You cannot take from your own Showroom."
    assert error_of(state, "1 victim 2") == "There is no crystal on show to take from there."
    assert error_of(state, "1 victim 5") == "There is no seat 5 to take from."


@pytest.mark.parametrize(("showroom", "after"), [([0, 3, 1], [0, 4, 0]), ([1, 0, 0], [0, 1, 0])])
def test_c18_single_possible_victim_needs_no_question(showroom, after):
    state, told = seat_1_discards("C9", showroom=showroom)
    assert event_kinds(told) == ["club"]
    assert open_question(state) == ("play", [2])
    assert crystal_counts(state)[2] == after


# The end of a round


def test_c19_most_of_each_suit_acts_in_order_dhsc():
    state, events = last_trick({1: [5, 4, 6, 2]}, showroom=[2, 3, 0])
    most = "most 1, diamond 1, most 1, heart 1, most 1, spade 1, most 1, club 1"
    assert kinds_and_seats(events[3:]) == f"trick 0, spade 0, {most}"
    assert [f"{e['suit']}{e['number']}" for e in events_of_kind(events, "most")] == ["D5", "H4", "S6", "C2"]
    assert crystal_counts(state)[1:] == ([1, 2, 0], [0, 4, 0])
    assert CRYSTALS.needs_deal(state)


def test_c19_order_of_the_suits_matters():
    state, _ = last_trick({1: [0, 5, 5, 0]}, showroom=[3, 0, 3])
    assert crystal_counts(state)[1:] == ([1, 1, 0], [2, 0, 3]), "expected ♥ to bring what ♠ saves"
    state, _ = last_trick({1: [0, 0, 5, 5]}, showroom=[3, 0, 0])
    assert crystal_counts(state)[1:] == ([1, 0, 0], [1, 1, 0]), "expected ♠ to act before ♣ brings a crystal"
    state, events = last_trick({1: [0, 5, 0, 0], 2: [5, 0, 0, 0]}, supply=1)
    assert crystal_counts(state)[:2] == (0, [2, 0, 1]), "expected the Supply's last crystal to go to ♦ before ♥"
    assert events_of_kind(events, "nothing") == [{"event": "nothing", "seat": 1, "suit": "H"}]


@pytest.mark.parametrize(("hearts", "most"), [
    *(([5, 5, 4], None), ([5, 4, 5], None), ([4, 5, 5], None), ([5, 5, 5], None), ([0, 0, 0], None)),
    *(([5, 5, 6], 2), ([6, 5, 5], 0), ([5, 6, 5], 1), ([0, 0, 1], 2)),
])  # fmt: skip
def test_c19_tie_for_most_gives_no_action(hearts, most):
    state, events = last_trick({seat: [0, number, 0, 0] for seat, number in enumerate(hearts)})
    assert [e["seat"] for e in events_of_kind(events, "most") if e["suit"] == "H"] == ([] if most is None else [most])
    assert ({"event": "tie", "suit": "H"} in events) == (most is None)
    assert [e["seat"] for e in events_of_kind(events, "heart")] == ([] if most is None else [most])
    assert crystal_counts(state)[0] == 226 - (most is not None)


def test_c19_cards_of_the_last_trick_count():
    _, events = last_trick({0: [0, 0, 2, 0], 1: [0, 0, 4, 0]})
    assert events_of_kind(events, "most") == [{"event": "most", "seat": 0, "suit": "S", "number": 5}]


def test_c19_most_clubs_chooses_a_victim_before_the_round_continues():
    state, events = last_trick({2: [0, 0, 0, 3]}, tricks=[1, 0, 1])
    assert open_question(state) == ("victim", [2])
    assert legal_answers(state, 2) == [0, 1]
    assert not events_of_kind(events, "no_trick")
    assert event_kinds(play_answers(state, "2 victim 1")) == ["club", "no_trick", "diamond", "diamond"]
    assert CRYSTALS.needs_deal(state)
    assert crystal_counts(state)[1:] == ([1 + 1, 2, 0], [1, 2, 4])


def test_c20_player_without_tricks_takes_two_diamond_actions():
    state, events = last_trick({}, tricks=[0, 1, 0])
    assert event_kinds(events)[-3:] == ["no_trick", "diamond", "diamond"]
    assert [e["seat"] for e in events_of_kind(events, "no_trick", "diamond")] == [2, 2, 2]
    assert crystal_counts(state)[1] == [2, 0, 2], "expected most ♠ for seat 0 and two for seat 2 (C19, C20)"


@pytest.mark.parametrize(
    ("dealer", "supply", "vaults"),
    [(1, 3, [0, 2, 2, 1]), (2, 3, [1, 2, 0, 2]), (3, 3, [2, 2, 1, 0]), (0, 5, [1, 2, 2, 2]), (1, 0, [0, 2, 0, 0])],
)
def test_c20_actions_go_round_from_the_dealers_left_while_supply_lasts(dealer, supply, vaults):
    hands = {0: "S1", 1: "S9", 2: "S2", 3: "S3"}
    state = crystals_position(4, hands=hands, leader=1, dealer=dealer, supply=supply)
    events = play_answers(state, "1 play S9", "2 play S2", "3 play S3", "0 play S1")
    assert crystal_counts(state)[:2] == (max(0, supply - 6), vaults)
    assert len(events_of_kind(events, "diamond", "nothing")) == 6, "expected a report of no action (C3)"


def test_c20_follows_the_most_of_each_suit():
    state, events = last_trick({1: [3, 0, 0, 0]}, tricks=[1, 1, 0], supply=1)
    assert crystal_counts(state)[:2] == (0, [2, 1, 0]), "expected the last crystal for most ♦ (C19) before C20"
    assert [e["seat"] for e in events_of_kind(events, "nothing")] == [2, 2]


# The end of the game


def final_result(vault: list[int], showroom: list[int]) -> dict[str, Any]:
    """Return the result of a game that ended with these crystals."""
    return CRYSTALS.result(set_fields(crystals_position(len(vault)), over=1, to_act=[], vault=vault, showroom=showroom))


def test_c21_twenty_one_in_the_vault_and_five_on_show_are_forty_seven():
    result = final_result([21, 0, 10], [5, 47, 26])
    assert result["scores"] == [47, 47, 46]
    assert result["winners"] == [0]


@pytest.mark.parametrize(("vault", "showroom", "winners", "reason"), [
    ([3, 2], [0, 3], [1], "most points"),
    ([14, 12, 9, 15], [6, 10, 11, 2], [0], "equal points, most in the Vault"),
    ([5, 6, 6], [4, 2, 2], [1, 2], "equal points and Vaults, a shared victory"),
    ([5, 5, 5, 5, 5, 5], [1, 1, 1, 1, 1, 1], [0, 1, 2, 3, 4, 5], "equal points and Vaults, a shared victory"),
    ([9, 4, 4], [0, 10, 10], [0], "equal points, most in the Vault"),
])  # fmt: skip
def test_c21_most_points_win_then_fuller_vault_then_shared(vault, showroom, winners, reason):
    result = final_result(vault, showroom)
    assert (result["scores"], result["winners"]) == ([2 * v + s for v, s in zip(vault, showroom, strict=True)], winners)
    assert CRYSTALS.ending_text(result) == reason


def test_c21_game_ends_after_the_last_round_without_a_question():
    state, events = last_trick({1: [3, 0, 0, 0]}, round=6, tricks=[1, 1, 0])
    assert event_kinds(events)[-4:] == ["diamond", "score", "score", "score"]
    assert open_question(state) == (None, [])
    assert not CRYSTALS.needs_deal(state)
    assert CRYSTALS.result(state)["scores"] == [5, 5, 7]
    assert error_of(state, "0 play S1") == "The game is over."


# The examples of the sources and of the rules page


def test_c12_c13_c19_c20_example_has_four_actions_in_one_round():
    state = crystals_position(3, hands={0: "H3 H4", 1: "H8 H9", 2: "D2 S7"})
    events = play_answers(state, "0 play H3", "1 play H8", "2 play D2", "1 play H9", "2 play S7", "0 play H4")
    could_not_follow, won_a_trick = "diamond 2, trick 1", "heart 1, spade 2, trick 1, heart 1"
    has_most_of_a_suit = "most 1, diamond 1, most 1, heart 1, most 1, spade 1"
    won_no_trick = "no_trick 0, diamond 0, diamond 0, no_trick 2, diamond 2, diamond 2"
    assert kinds_and_seats(events, "played", "tie") == ", ".join(
        [could_not_follow, won_a_trick, has_most_of_a_suit, won_no_trick]
    )
    assert crystal_counts(state)[1:] == ([2, 2, 4], [3, 5, 2])
