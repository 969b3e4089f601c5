"""Fourteen, rule by rule (F1–F12, R1, R5)."""

import itertools
import random
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
    set_fields,
    state_data,
)

FOURTEEN = GAMES["fourteen"]
RANK = {name: k for k, name in enumerate(["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"], 1)}  # F1
FOURTEEN_PAIRS = (("A", "K"), ("2", "Q"), ("3", "J"), ("4", "10"), ("5", "9"), ("6", "8"), ("7", "7"))  # F5


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


# F1, F2, F3: the pack, the cut, the deal


def test_f1_pack_has_fifty_two_cards_of_four_suits_from_ace_to_king():
    names = [FOURTEEN.card_names[card] for card in FOURTEEN.pack(new_game("fourteen", 4))]
    assert sorted(names) == sorted(suit + rank for suit in "DHSC" for rank in RANK)


@pytest.mark.parametrize(("low", "high"), list(itertools.pairwise(RANK)))
def test_f1_rank_order_has_ace_low_and_king_high(low, high):
    state = fourteen_position(hands={0: f"H{low} S6", 1: f"H{high} S9", 2: f"D{low} SQ"})
    play_answers(state, f"0 play H{low}", f"1 play H{high}", f"2 play D{low}")
    assert state["last_winner"] == 1, f"{high} did not beat {low} (F1)"


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


def test_f2_deal_passes_left_each_hand_and_the_cut_is_sent_once():
    state = fourteen_position(3, hands={0: "H2", 1: "H3", 2: "H4"}, dealer=1, leader=1)
    for dealer in (2, 0, 1):
        play_last_cards(state)
        assert FOURTEEN.needs_deal(state), "expected a new deal after the hand"
        events = seen_events(state, FOURTEEN.deal(state, FOURTEEN.pack(state)))
        assert event_kinds(events) == ["dealt"]
        assert (state["dealer"], events[0]["dealer"]) == (dealer, dealer)
        assert open_question(state) == ("play", [dealer]), "expected each dealer to lead the hand that it deals (F4)"
        set_fields(state, hand={0: "H2", 1: "H3", 2: "H4"})


@pytest.mark.parametrize(("seats", "each"), [(3, 17), (4, 13), (5, 10), (6, 8)])
@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_f3_cards_are_dealt_evenly_from_the_dealers_left(seats, each, dealer):
    deck = random.Random(seats).sample(range(52), 52)
    state = new_game("fourteen", seats, first=dealer)
    FOURTEEN.deal(state, deck)
    names, data = [FOURTEEN.card_names[card] for card in deck], state_data(state)
    for k in range(seats):
        dealt = names[: each * seats][k::seats]
        assert sorted(data["hand"][(dealer + 1 + k) % seats]) == sorted(dealt), "not dealt one at a time (F3)"
    assert sorted(data["aside"]) == sorted(names[each * seats :]), "expected the remaining cards to be set aside (F3)"
    for seat in range(-1, seats):
        seen = state_data(state, seat, memory=True)
        assert seen["aside"] is None, "expected the cards set aside to be hidden (F3)"
        assert [k for k, hand in enumerate(seen["hand"]) if hand is not None] == [k for k in range(seats) if k == seat]


# F4–F7: the trick


def test_f4_dealer_leads_play_is_clockwise_and_the_winner_leads_next():
    state = fourteen_position(4, hands={0: "H2 SK", 1: "H5 S2", 2: "HQ S3", 3: "H6 S4"}, dealer=3, leader=3)
    order = []
    for card in ("H6", "H2", "H5", "HQ"):
        order += open_question(state)[1]
        play_answers(state, f"{order[-1]} play {card}")
    assert order == [3, 0, 1, 2]
    assert open_question(state) == ("play", [2]), "seat 2 won the trick and leads (F4)"
    assert (state["last_leader"], state["last_winner"]) == (3, 2)
    assert state_data(state)["last_trick"] == ["H6", "H2", "H5", "HQ"]


@pytest.mark.parametrize(("one", "other"), [*FOURTEEN_PAIRS, *((b, a) for a, b in FOURTEEN_PAIRS[:-1])])
def test_f5_these_ranks_make_fourteen_and_no_others(one, other):
    everything = " ".join(f"{suit}{rank}" for suit in "DS" for rank in RANK)
    state = fourteen_position(hands={1: f"CA {everything} CK H{'2' if one != '2' else '3'}"}, leader=0, trick=f"H{one}")
    off_suit = [card for card in legal_answers(state, 1) if card[0] != "H"]
    clubs = [f"C{other}"] if other in ("A", "K") else []
    assert off_suit == [f"D{other}", f"S{other}", *clubs], f"expected {one} + {other} to be the only sum of 14 (F5)"


def test_f5_holder_of_the_suit_must_follow_or_make_fourteen():
    state = fourteen_position(4, hands={2: "H2 HK D9 S10 C5 SA"}, leader=0, trick="H4 H9")
    assert legal_answers(state, 2) == ["H2", "HK", "C5"], "♥, or a five on the nine; no four on the ten (F5)"
    assert error_of(state, "2 play S10") == "You hold ♥. Follow suit, or make fourteen with the previous card."


def test_f5_throw_reveals_a_void_but_a_fourteen_reveals_nothing():
    state = fourteen_position(4, hands={1: "S9 C2", 2: "D2 C3", 3: "CQ DK"}, leader=0, trick="H5")
    play_answers(state, "1 play S9", "2 play D2")
    assert state_data(state, -1)["void"] == [[], [], ["S"], []], "seat 1 may still hold ♥; seat 2 holds no ♠ (F5)"
    play_answers(state, "3 play CQ")
    assert state_data(state, -1)["void"] == [[], [], ["S"], []], "a queen on the two proves nothing about ♠ (F5)"


def test_f6_fourteen_turns_the_suit_for_the_next_players():
    state = fourteen_position(4, hands={1: "H2 C9", 2: "C3 HA H6", 3: "H3 D2"}, leader=0, trick="H5")
    events = play_answers(state, "1 play C9")
    assert events[1:] == [{"event": "turned", "seat": 1, "suit": "C"}]
    assert state_data(state)["suit"] == "C"
    assert legal_answers(state, 2) == ["C3"], "♣ is the suit now (F6)"
    play_answers(state, "2 play C3")
    assert legal_answers(state, 3) == ["D2", "H3"], "expected the led suit not to bind anyone any longer (F6)"


def test_f6_thrown_card_can_make_fourteen():
    state = fourteen_position(4, hands={1: "S9 S2", 2: "H4 S3", 3: "S4 HK"}, leader=0, trick="H5")
    events = play_answers(state, "1 play S9")
    assert event_kinds(events) == ["played", "turned"], "expected fourteen for any reason to play the card (F6)"
    assert legal_answers(state, 2) == ["S3"]


def test_f6_fourteen_within_the_suit_counts_without_turning_it():
    state = fourteen_position(hands={1: "H9", 2: "H2 S3"}, leader=0, trick="H5")
    events = play_answers(state, "1 play H9")
    assert events[1:] == [{"event": "stayed", "seat": 1, "suit": "H"}], "expected no turn of the suit from ♥ to ♥"
    assert (state_data(state)["suit"], state["turned"]) == ("H", 1)
    assert legal_answers(state, 2) == ["H2"]


def test_f6_f7_suit_can_turn_three_times_and_return_to_the_led_card():
    state = fourteen_position(4, hands={0: "CQ S5", 1: "H2 CA D4", 2: "SQ H3 D3", 3: "C2 S9 D2"})
    events = play_answers(state, "0 play CQ", "1 play H2", "2 play SQ")
    assert state["turned"] == 2
    events += play_answers(state, "3 play C2")
    assert [event["suit"] for event in events_of_kind(events, "turned")] == ["H", "S", "C"]
    assert events_of_kind(events, "trick") == [{"event": "trick", "seat": 0, "diamonds": 0}], "♣Q is high (F7)"
    assert (state["turned"], state_data(state)["suit"]) == (0, None), "expected no turned suit at the start"


def test_f7_highest_card_of_the_final_suit_wins():
    state = fourteen_position(5, hands={0: "HK S5", 1: "H10 SK", 2: "S4 DA", 3: "S8 DQ", 4: "DK CK"})
    events = play_answers(state, "0 play HK", "1 play H10", "2 play S4", "3 play S8", "4 play DK")
    assert events_of_kind(events, "trick") == [{"event": "trick", "seat": 3, "diamonds": 1}], "♠8 is the highest ♠ (F7)"


# F8, F12: the score and the end


def test_f8_each_taken_diamond_is_one_point():
    state = fourteen_position(4, hands={0: "HK C2", 1: "D3 C3", 2: "H2 C4", 3: "DJ CK"}, totals=[0, 5, 0, 1])
    play_answers(state, "0 play HK", "1 play D3", "2 play H2", "3 play DJ")
    assert state_data(state, -1)["taken"] == [2, 0, 0, 0]
    assert state_data(state)["totals"] == [0, 5, 0, 1], "expected points to be entered at the end of the hand (F8)"
    events = play_answers(state, "0 play C2", "1 play C3", "2 play C4", "3 play CK")
    assert [(e["points"], e["total"]) for e in events_of_kind(events, "scored")] == [(2, 2), (0, 5), (0, 0), (0, 1)]
    assert FOURTEEN.needs_deal(state)


@pytest.mark.parametrize(("totals", "diamonds", "winners"), [
    ([39, 0, 0], "DK", [0]),
    ([38, 0, 0], "DK", None),  # thirty-nine is not enough
    ([38, 0, 0], "DK D2", [0]),
    ([39, 42, 40], "DK", [1]),  # the highest total wins, not the one just made
    ([44, 40, 12], "DK D2 D3", [0]),  # far beyond
    ([40, 41, 3], "DK", None),  # shared at the top
    ([40, 41, 41], "DK", None),  # shared by all
    ([2, 41, 41], "DK", None),
    ([40, 40, 40], "DK", [0]),  # shared only below the top
    ([1, 39, 39], "DK", None),  # no score of forty, shared or not
    ([39, 39, 39, 39, 39, 39], "DK", [0]),
    ([38, 39, 0, 0, 39], "DK", None),
])  # fmt: skip
def test_f8_highest_total_of_forty_or_more_wins_unless_it_is_shared(totals, diamonds, winners):
    state = last_trick_of_a_hand(totals, diamonds)
    events = play_last_cards(state)
    final = [totals[0] + len(diamonds.split()), *totals[1:]]
    assert state_data(state)["totals"] == final
    assert bool(state["over"]) == (winners is not None), f"{final}: over, or not, against F8"
    shared = max(final) >= 40 and final.count(max(final)) > 1
    assert event_kinds(events).count("again") == shared, "expected the reason for another hand (F8)"
    if winners:
        ending = {"ended": "target", "points": max(final), "target": 40}
        assert FOURTEEN.result(state) == {"scores": final, "winners": winners, **ending}
        assert FOURTEEN.ending_text(FOURTEEN.result(state)) == f"{max(final)} points, 40 needed"
        assert open_question(state) == (None, [])
        assert not FOURTEEN.needs_deal(state)


def test_f8_tied_highest_total_adds_a_deciding_hand():
    state = last_trick_of_a_hand([40, 41, 3], "DK")
    play_last_cards(state)
    FOURTEEN.deal(state, FOURTEEN.pack(state))
    assert state["dealer"] == 1, "expected the deal to pass on as usual (F2)"
    set_fields(state, hand={0: "S2", 1: "SK", 2: "D3"})
    play_last_cards(state)
    assert FOURTEEN.result(state)["winners"] == [1]
    assert [int(FOURTEEN.rules.seats_ahead(state, seat)) for seat in range(3)] == [1, 0, 2]


# F9: fourteen with either of the last two


def test_f9_fourteen_with_either_of_the_last_two_turns_the_suit():
    state = fourteen_position(
        5, {"match": "last_two"}, hands={3: "H2 D5 S10 CK C8", 4: "S2 D9"}, leader=0, trick="HA H4 H9"
    )
    assert legal_answers(state, 3) == ["D5", "H2", "S10"], "five on the nine, ten on the four, no king on the ace (F9)"
    events = play_answers(state, "3 play S10")
    assert events[1:] == [{"event": "turned", "seat": 3, "suit": "S"}], "the card before the last turns it too (F9)"
    assert legal_answers(state, 4) == ["S2"], "nine no longer makes fourteen: its five was not played"


def test_f9_refusal_names_both_cards():
    state = fourteen_position(4, {"match": "last_two"}, hands={2: "H2 DK"}, leader=0, trick="H4 H9")
    words = "You hold ♥. Follow suit, or make fourteen with either of the last two."
    assert error_of(state, "2 play DK") == words


# F10: bids


def bidding(seats: int = 3, bids: str = "aloud", **more: Any) -> np.void:
    """Return a hand dealt by seat 0 in which seats are asked to bid."""
    options = {"scoring": "bid", "bids": bids} | more
    state = new_game("fourteen", seats, options)
    FOURTEEN.deal(state, FOURTEEN.pack(state))
    return state


def test_f10_bids_go_round_from_the_dealers_left_and_the_dealer_leads():
    state = bidding(4)
    for seat, number in ((1, 3), (2, 0), (3, 13), (0, 4)):
        assert open_question(state) == ("bid", [seat])
        assert legal_answers(state, seat) == list(range(14)), "any number from 0 to 13 (F10)"
        assert play_answers(state, f"{seat} bid {number}") == [{"event": "bid", "seat": seat, "number": number}]
        assert all(state_data(state, other)["bid"][seat] == number for other in range(-1, 4)), "public bids (F10)"
    assert open_question(state) == ("play", [0])
    assert state_data(state, 2)["bid"] == [4, 3, 0, 13]


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


def test_f10_r2_views_hide_sealed_bids_until_the_last():
    one, two = bidding(3, "sealed"), bidding(3, "sealed")
    play_answers(one, "1 bid 2", "2 bid 3")
    play_answers(two, "2 bid 3", "1 bid 13")
    for seat in (-1, 0, 2):
        assert state_data(one, seat) == state_data(two, seat), f"seat {seat} sees a sealed bid (F10, R2)"


def test_f10_bids_are_sealed_again_in_the_next_hand():
    state = bidding(3, "sealed")
    play_answers(state, "0 bid 1", "1 bid 2", "2 bid 3")
    set_fields(state, hand={0: "S2", 1: "S3", 2: "S4"})
    play_last_cards(state)
    assert state_data(state, -1)["bid"] == [1, 2, 3], "expected the bids on the table while the hand is scored"
    FOURTEEN.deal(state, FOURTEEN.pack(state))
    assert state_data(state)["bid"] == [None] * 3
    assert open_question(state) == ("bid", [0, 1, 2])
    play_answers(state, "0 bid 4")
    assert state_data(state, 1)["bid"] == [None] * 3


@pytest.mark.parametrize(
    ("bid", "taken", "points"),
    [(2, 2, 2), (2, 5, 2), (3, 2, 0), (0, 0, 0), (0, 2, 0), (1, 0, 0), (13, 12, 0), (13, 13, 13)],
)
def test_f10_met_bid_scores_itself_and_missed_bid_nothing(bid, taken, points):
    state = last_trick_of_a_hand([4, 0, 0], "SK", {"scoring": "bid"}, bid=[bid, 5, 0], taken=[taken, 0, 13 - taken])
    events = play_last_cards(state)
    scored = [(e["points"], e["total"]) for e in events_of_kind(events, "scored")]
    assert scored == [(points, 4 + points), (0, 0), (0, 0)]


@pytest.mark.parametrize("scoring", ["diamonds", "tricks"])
def test_f10_sealed_bids_need_bid_scoring(scoring):
    with pytest.raises(NotAllowedError, match=r"^bids needs scoring to be bid\.$"):
        new_game("fourteen", 4, {"scoring": scoring, "bids": "sealed"})
    state = new_game("fourteen", 4, {"scoring": scoring})
    FOURTEEN.deal(state, FOURTEEN.pack(state))
    assert open_question(state) == ("play", [0]), "expected no bids (F10)"
    assert state_data(state)["bid"] == [None] * 4


# F11, F12


def test_f11_scored_tricks_are_points_and_diamonds_are_not():
    state = fourteen_position(
        hands={0: "HK C2", 1: "D3 C3", 2: "H2 CK"}, options={"scoring": "tricks"}, tricks=[1, 4, 0], totals=[9, 0, 3]
    )
    play_answers(state, "0 play HK", "1 play D3", "2 play H2")
    events = play_answers(state, "0 play C2", "1 play C3", "2 play CK")
    assert [(e["points"], e["total"]) for e in events_of_kind(events, "scored")] == [(2, 11), (4, 4), (1, 4)]


def test_f11_trick_that_reaches_the_target_ends_the_game_at_once():
    hands = {0: "HK C2 CK", 1: "D3 C3 SK", 2: "H2 C4 DK"}
    state = fourteen_position(3, {"scoring": "tricks"}, hands=hands, tricks=[2, 4, 1], totals=[27, 9, 28])
    events = play_answers(state, "0 play HK", "1 play D3", "2 play H2")
    assert state["over"], "expected the game to end with seat 0's thirtieth trick (F11)"
    assert [(e["points"], e["total"]) for e in events_of_kind(events, "scored")] == [(3, 30), (4, 13), (1, 29)]
    assert state_data(state, -1)["totals"] == [30, 13, 29], "expected totals at the end of the game (F11)"
    assert FOURTEEN.result(state)["winners"] == [0], "expected the remaining tricks not to count (F11)"
    assert not FOURTEEN.needs_deal(state)
    assert error_of(state, "0 play C2") == "The game is over."


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


@pytest.mark.parametrize("scoring", ["diamonds", "bid", "tricks"])
@pytest.mark.parametrize("target", [5, 6, 200])
def test_f12_table_may_set_the_target_of_any_scoring(scoring, target):
    for total, over in ((target - 1, False), (target, True)):
        more = {"bid": [1, 0, 0]} if scoring == "bid" else {}
        state = last_trick_of_a_hand([total - 1, 0, 0], "DK", {"scoring": scoring, "target": target}, **more)
        play_last_cards(state)
        assert bool(state["over"]) == over, f"{total} of {target} (F12)"


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


# R1, R5: rejected answers and answers without a choice


@pytest.mark.parametrize(("line", "words"), [
    ("1 play D2", r"^That card is not in your hand\.$"),
    ("1 play S9", r"^You hold ♥. Follow suit, or make fourteen with the previous card\.$"),
    ("2 play H3", r"^It is not your turn\.$"),
    ("1 play H14", r"^“H14” is not an answer to “Play a card\.”$"),
    ("1 bid 3", r"^The question is play, not “bid”\.$"),
    ("3 play H3", r"^There is no seat 3 at this table\.$"),
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


def test_r5_single_playable_card_is_still_asked_for():
    state = fourteen_position(hands={1: "H2 S3", 2: "H3"}, leader=0, trick="H6")
    assert (open_question(state), legal_answers(state, 1)) == (("play", [1]), ["H2"])
    play_answers(state, "1 play H2")
    assert (open_question(state), legal_answers(state, 2)) == (("play", [2]), ["H3"]), "even the last card (R5)"
