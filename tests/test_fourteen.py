"""Fourteen, rule by rule, where the reference rules decide nothing (F2–F12, R1)."""

import re
from typing import Any

import numpy as np
import pytest

from diamonds.errors import InvalidInputError, NotAllowedError
from diamonds.game import GAMES
from diamonds.records import MAX_ANSWERS
from tests.support.positions import (
    error_of,
    event_kinds,
    events_of_kind,
    legal_answers,
    new_game,
    open_question,
    play_answers,
    position,
    seen_events,
    state_data,
)

FOURTEEN = GAMES["fourteen"]


def fourteen_position(seats: int = 3, options: dict[str, Any] | None = None, **fields: Any) -> np.void:
    return position("fourteen", seats, options, **fields)


def last_trick_of_a_hand(
    totals: list[int], diamonds: str, options: dict[str, Any] | None = None, **more: Any
) -> np.void:
    """Return the last trick of a hand that seat 0 is about to win: these ♦, led by the highest."""
    hands = dict(enumerate([*diamonds.split(), "S2", "S3", "S4", "S5", "S6"][: len(totals)]))
    return fourteen_position(len(totals), options, hands=hands, totals=totals, **more)


def play_last_cards(state: np.void) -> list[dict[str, Any]]:
    """Let each seat play its last card, in turn."""
    told: list[dict[str, Any]] = []
    while state["to_act"]:
        seat = open_question(state)[1][0]
        told += play_answers(state, f"{seat} play {legal_answers(state, seat)[0]}")
    return told


# F2: the cut


@pytest.mark.parametrize(("cut", "first"), [
    (["H5", "SK", "DA"], 1),
    (["CA", "DA", "C2"], 2),
    (["CQ", "DQ", "S9"], 1),
    (["HQ", "DQ", "S9"], 0),
    (["HQ", "D2", "SQ"], 2),
    (["C7", "H7", "S7", "D7"], 2),
    (["C7", "H6", "S6", "D7"], 3),
    (["H4", "C4", "S3", "D4", "H2", "C2"], 0),
])  # fmt: skip
def test_f2_highest_cut_deals_first_with_ties_by_shdc(cut, first):
    state = FOURTEEN.start(len(cut), None, [FOURTEEN.card_names.index(name) for name in cut])
    events = seen_events(state, FOURTEEN.deal(state, FOURTEEN.pack(state)), seat=-1)
    assert state["dealer"] == first, f"{cut[first]} was the highest cut (F2)"
    assert events_of_kind(events, "cut") == [{"event": "cut", "seat": k, "card": name} for k, name in enumerate(cut)]
    assert state_data(state, -1)["cut"] == cut, "expected the table to show the cut to all (F2)"


# F4–F7: the trick


def test_f5_holder_of_the_suit_must_follow_or_make_fourteen():
    state = fourteen_position(4, hands={2: "H2 HK D9 S10 C5 SA"}, leader=0, trick="H4 H9")
    assert legal_answers(state, 2) == ["H2", "HK", "C5"], "♥, or a five on the nine; no four on the ten (F5)"
    assert error_of(state, "2 play S10") == "You hold ♥. Follow suit, or make fourteen with the previous card."


# F8: the score


def test_f8_shared_highest_total_at_the_target_announces_another_hand():
    for totals, announced in (([39, 40, 3], 1), ([38, 39, 3], 0)):
        events = play_last_cards(last_trick_of_a_hand(totals, "DK"))
        assert event_kinds(events).count("again") == announced, f"{totals} and one ♦ for the first (F8)"


# F9: fourteen with either of the last two


def test_f9_refusal_names_both_cards():
    state = fourteen_position(4, {"match": "last_two"}, hands={2: "H2 DK"}, leader=0, trick="H4 H9")
    words = "You hold ♥. Follow suit, or make fourteen with either of the last two cards."
    assert error_of(state, "2 play DK") == words


# F10: bids


def bidding(seats: int = 3, bids: str = "aloud", **more: Any) -> np.void:
    """Return a hand dealt by seat 0 in which seats are asked to bid."""
    options = {"scoring": "bid", "bids": bids} | more
    state = new_game("fourteen", seats, options)
    FOURTEEN.deal(state, FOURTEEN.pack(state))
    return state


def test_f10_sealed_bids_come_in_any_order_and_open_with_the_last():
    state = bidding(4, "sealed")
    assert open_question(state) == ("bid", [0, 1, 2, 3])
    for seat, number in ((2, 5), (0, 0), (3, 1)):
        assert play_answers(state, f"{seat} bid {number}") == [{"event": "sealed", "seat": seat}]
        assert error_of(state, f"{seat} bid 7") == "It is not your turn.", "a sealed bid stands (F10)"
    assert open_question(state) == ("bid", [1])
    seen = {seat: state_data(state, seat, memory=True)["bid"] for seat in range(-1, 4)}
    assert seen[-1] == seen[1] == [None] * 4, "expected other seats not to see a sealed bid (F10)"
    assert (seen[2], seen[0]) == ([None, None, 5, None], [0, None, None, None]), "expected one's own bids only"
    events = play_answers(state, "1 bid 9")
    assert event_kinds(events) == ["sealed", "bid", "bid", "bid", "bid"]
    assert [(e["seat"], e["number"]) for e in events[1:]] == [(1, 9), (2, 5), (3, 1), (0, 0)]
    assert state_data(state, -1)["bid"] == [0, 9, 5, 1]
    assert open_question(state) == ("play", [0])


@pytest.mark.parametrize("scoring", ["diamonds", "tricks"])
def test_f10_sealed_bids_need_bid_scoring(scoring):
    with pytest.raises(NotAllowedError, match=r"^bids needs scoring to be bid\.$"):
        new_game("fourteen", 4, {"scoring": scoring, "bids": "sealed"})
    state = new_game("fourteen", 4, {"scoring": scoring})
    FOURTEEN.deal(state, FOURTEEN.pack(state))
    assert open_question(state) == ("play", [0]), "expected no bids (F10)"
    assert state_data(state)["bid"] == [None] * 4


# F11, F12


def test_f12_game_of_five_hundred_hands_ends_and_the_highest_total_wins():
    for hands, over in ((499, False), (500, True)):
        state = last_trick_of_a_hand([7, 3, 9], "DK D3", deals=hands)
        play_last_cards(state)
        assert bool(state["over"]) == over, f"after {hands} hands (F12)"
    assert FOURTEEN.result(state) == {"scores": [9, 3, 9], "winners": [0, 2], "ended": "last_hand", "hands": 500}, (
        "expected a shared victory of a shared highest total (F12)"
    )
    assert FOURTEEN.ending_text(FOURTEEN.result(state)) == "the highest total after 500 hands"
    state = last_trick_of_a_hand([50, 3, 51], "DK", deals=500)
    assert "again" not in event_kinds(play_last_cards(state)), "expected no announcement of another hand (F8, F12)"


def test_f12_r4_record_has_room_for_the_longest_game():
    longest = max(500 * (52 // seats * seats + seats) for seats in FOURTEEN.seats)
    assert longest <= MAX_ANSWERS, f"{longest} answers: a card and a bid for every seat in each of 500 hands (F12)"


def test_f12_target_is_5_to_200_and_40_or_30_by_default():
    for target in (4, 201, 0, -40, "many"):
        with pytest.raises(InvalidInputError, match=r"^target must be between 5 and 200, not .*\.$"):
            FOURTEEN.check_options(4, {"target": target})
    targets = [FOURTEEN.check_options(4, {"scoring": s})["target"] for s in ("diamonds", "bid", "tricks")]
    assert targets == [40, 30, 30]


@pytest.mark.parametrize("seats", [2, 7])
def test_f3_fourteen_is_for_three_to_six_players(seats):
    with pytest.raises(InvalidInputError, match=r"^Fourteen is for 3 to 6 players, not \d\.$"):
        new_game("fourteen", seats)


# R1: rejected answers


@pytest.mark.parametrize(("line", "words"), [
    ("1 play D2", r"^That card is not in your hand\.$"),
    ("1 play S9", r"^You hold ♥. Follow suit, or make fourteen with the previous card\.$"),
])  # fmt: skip
def test_r1_illegal_card_gets_its_reason_and_changes_nothing(line, words):
    state = fourteen_position(hands={1: "H2 S9", 2: "H3"}, leader=0, trick="H6")
    assert re.search(words, error_of(state, line))


@pytest.mark.parametrize("number", [14, -1, "two", "H2"])
def test_r1_bid_outside_0_to_13_is_rejected_and_changes_nothing(number):
    assert error_of(bidding(), f"1 bid {number}") == f"“{number}” is not an answer to “How many ♦ will you take?”"


def test_r1_no_answer_is_legal_after_the_end():
    state = last_trick_of_a_hand([39, 0, 0], "DK")
    play_last_cards(state)
    assert error_of(state, "0 play DK") == "The game is over."
