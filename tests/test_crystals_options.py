"""Crystals, rule by rule: the options (C4, C14, C22–C26), their text forms, and invalid combinations."""

import json
import random
import re
from typing import Any

import numpy as np
import pytest

from diamonds.errors import DiamondsError, InvalidInputError, NotAllowedError
from diamonds.game import GAMES
from diamonds.server.tables.offered_games import game_info
from tests.support.positions import (
    Events,
    crystal_counts,
    crystals_position,
    error_of,
    event_kinds,
    events_of_kind,
    kinds_and_seats,
    legal_answers,
    new_game,
    open_question,
    play_answers,
    seen_events,
    set_fields,
    state_data,
)
from tests.support.random_positions import Variant, random_positions

CRYSTALS = GAMES["crystals"]
PARTNERS = {"partnership": True}
THIEF = {"thief": True}


def play_round(seats: int, options: dict[str, Any]) -> tuple[np.void, Events]:
    """Play one round of random answers; return the game and all events."""
    state, rng = new_game("crystals", seats, options), random.Random(1)
    events = seen_events(state, CRYSTALS.deal(state, rng.sample(CRYSTALS.pack(state), len(CRYSTALS.pack(state)))))
    while not CRYSTALS.needs_deal(state):
        question, waiting = open_question(state)
        seat = rng.choice(waiting)
        events += play_answers(state, f"{seat} {question} {rng.choice(legal_answers(state, seat))}")
    return state, events


# Visibility


def test_c4_open_vaults_are_visible_to_all():
    state = crystals_position(3, {"open_vaults": True}, vault=[4, 5, 6])
    assert all(state_data(state, seat)["vault"] == [4, 5, 6] for seat in (-1, 0, 1, 2))


def test_c14_memory_aid_counts_taken_cards_for_all():
    state = crystals_position(3, {"memory_aid": True}, hands={0: "H9 D1", 1: "H3 D2", 2: "S15 D3"})
    play_answers(state, "0 play H9", "1 play H3", "2 play S15")
    assert all(state_data(state, seat)["taken"][0] == [0, 2, 1, 0] for seat in (-1, 0, 1, 2))


def test_c14_without_memory_aid_taken_cards_are_hidden_but_bots_count():
    state = crystals_position(3, {"memory_aid": False}, hands={0: "H9 D1", 1: "H3 D2", 2: "S15 D3"})
    play_answers(state, "0 play H9", "1 play H3", "2 play S15")
    assert all(state_data(state, seat)["taken"] == [[None] * 4] * 3 for seat in (-1, 0, 1, 2))
    assert state_data(state, 1, memory=True)["taken"] == [[0, 2, 1, 0], [0] * 4, [0] * 4]


def test_c14_without_memory_aid_only_the_last_two_tricks_are_shown():
    state = crystals_position(3, {"memory_aid": False}, hands={0: "H9 D1 C1", 1: "H3 D2 C2", 2: "S15 D3 C3"})
    play_answers(state, "0 play H9", "1 play H3", "2 play S15", "0 play D1", "1 play D2", "2 play D3")
    for seat in (-1, 0, 1, 2):
        seen = state_data(state, seat)
        assert seen["last_trick"] == ["D1", "D2", "D3"]
        assert seen["played"] == [None] * 3, "the play before the last trick is still shown (C14)"
        assert seen["void"] == [None] * 3, "an older trick shows that seat 2 is out of ♥ (C14)"
        assert seen["tricks"] == [1, 0, 1], "expected tricks won to be visible (C14)"
    assert state_data(state, 1, memory=True)["played"] == [["D1", "H9"], ["D2", "H3"], ["D3", "S15"]]
    assert state_data(state, 1, memory=True)["void"] == [[], [], ["H"]]


def test_c14_without_the_memory_aid_no_view_names_a_card_of_an_older_trick():
    checked = 0
    for seats, more in ((2, {}), (3, {"pass_to": "rotating"}), (4, PARTNERS), (5, {"perfect": True})):
        variant = Variant(CRYSTALS, seats, CRYSTALS.check_options(seats, {"memory_aid": False, "rounds": 2, **more}))
        for match in random_positions(variant, 3, 7):
            if match.over:
                continue
            everything = state_data(match.state)
            lately = {*everything["trick"], *everything["last_trick"]}
            older = {card for cards in everything["played"] for card in cards} - lately
            for seat in range(-1, seats):
                seen = state_data(match.state, seat)
                own = (
                    {card for field in ("given", "received") for card in seen[field][seat] or []}
                    if seat >= 0
                    else set()
                )
                del seen["cut"]  # public before the first deal
                shows = set(re.findall(r"[DHSC]\d+", json.dumps(seen)))
                assert not shows & older - own, f"{variant}, n {match.n}: seat {seat} sees {shows & older - own}"
            checked += len(older) > 0
    assert checked > 20


# Two cards each (C22)


def test_c22_example_chad_and_mike_play_two_cards_each_into_one_trick():
    chad, mike = 0, 1
    state = crystals_position(2, hands={chad: "D4 H6 S1 S2", mike: "D3 D8 S3 S4"}, dealer=mike)
    assert open_question(state) == ("play", [chad])
    assert event_kinds(play_answers(state, "0 play D4", "1 play D3")) == ["played", "played"]
    assert open_question(state) == ("play", [chad]), "expected each player's second card in the same trick"
    assert legal_answers(state, chad) == ["H6", "S1", "S2"]
    assert event_kinds(play_answers(state, "0 play H6")) == ["played", "heart"]
    assert legal_answers(state, mike) == ["D8"]
    events = play_answers(state, "1 play D8")
    assert events[1:] == [{"event": "trick", "seat": mike, "suit": "D"}, {"event": "diamond", "seat": mike, "moved": 1}]
    assert crystal_counts(state) == (227, [0, 1], [4, 3])
    assert open_question(state) == ("play", [mike])
    assert state_data(state)["taken"] == [[0] * 4, [3, 1, 0, 0]]
    play_answers(state, "1 play S3", "0 play S1", "1 play S4")
    assert open_question(state) == ("play", [chad])


@pytest.mark.parametrize(
    ("cards", "winner"),
    [("H9 H1 H2 H3", 0), ("H1 H9 H2 H3", 1), ("H1 H2 H9 H3", 0), ("H1 H2 H3 H9", 1), ("H1 S9 S15 D15", 0)],
)
def test_c22_highest_card_of_the_led_suit_wins_in_every_suit(cards, winner):
    first, second, third, fourth = cards.split()
    state = crystals_position(2, hands={0: f"{first} {third} D1 D2", 1: f"{second} {fourth} D3 D4"})
    events = play_answers(state, f"0 play {first}", f"1 play {second}", f"0 play {third}", f"1 play {fourth}")
    assert events_of_kind(events, "trick") == [{"event": "trick", "seat": winner, "suit": "H"}]
    assert open_question(state) == ("play", [winner])
    assert state_data(state)["last_trick"] == [first, second, third, fourth]
    assert state_data(state)["tricks"] == [1 - winner, winner]


def test_c22_each_card_by_itself_follows_or_earns_its_action():
    state = crystals_position(2, hands={0: "H5 H6 D1 D2", 1: "S1 H2 D9 D3"}, showroom=[3, 3])
    play_answers(state, "0 play H5")
    assert legal_answers(state, 1) == ["H2"]
    play_answers(state, "1 play H2")
    assert legal_answers(state, 0) == ["H6"]
    assert error_of(state, "0 play D1") == "You hold ♥: follow suit."
    play_answers(state, "0 play H6")
    assert event_kinds(play_answers(state, "1 play S1")) == ["played", "spade", "trick", "heart"]

    state = crystals_position(2, hands={0: "H5 H6 D1 D2", 1: "S1 S2 D9 D3"})
    events = play_answers(state, "0 play H5", "1 play S1", "0 play H6", "1 play D9")
    assert event_kinds(events) == ["played", "played", "spade", "played", "played", "diamond", "trick", "heart"]
    assert crystal_counts(state)[1:] == ([0, 2], [4, 2])


@pytest.mark.parametrize(("options", "tricks", "cards"), [
    ({}, 5, 4),
    ({"two_cards": False}, 10, 2),
    ({"perfect": True}, 8, 4),
    ({"perfect": True, "two_cards": False}, 16, 2),
])  # fmt: skip
def test_c22_c24_two_player_round_has_the_stated_tricks_and_cards(options, tricks, cards):
    state, told = play_round(2, options)
    assert len(events_of_kind(told, "trick")) == tricks == sum(state_data(state)["tricks"])
    assert len(events_of_kind(told, "played")) == tricks * cards
    assert sum(map(sum, state_data(state)["taken"])) == tricks * cards


# Partners (C23, C26)

TEAMS = {4: [0, 1, 0, 1], 6: [0, 1, 2, 0, 1, 2]}


@pytest.mark.parametrize("seats", TEAMS)
def test_c23_c26_partners_sit_opposite_and_share_vault_and_showroom(seats):
    state = new_game("crystals", seats, PARTNERS)
    assert state_data(state)["team"] == TEAMS[seats]
    assert crystal_counts(state) == (235 - 6 * seats // 2, [0] * seats, [6] * seats)


@pytest.mark.parametrize("seats", TEAMS)
def test_c26_team_may_start_with_three(seats):
    state = new_game("crystals", seats, PARTNERS | {"team_start": 3})
    assert crystal_counts(state) == (235 - 3 * seats // 2, [0] * seats, [3] * seats)


@pytest.mark.parametrize("seats", TEAMS)
def test_c23_cards_pass_to_the_partner_and_the_dealer_chooses_how_many(seats):
    hands = {
        seat: " ".join(f"{'DHSC'[seat % 4]}{rank + 5 * (seat // 4)}" for rank in range(1, 6)) for seat in range(seats)
    }
    state = crystals_position(seats, PARTNERS, hands=hands, question="count", dealer=1)
    assert open_question(state) == ("count", [1])
    play_answers(state, "1 count 2")
    events = play_answers(state, *(f"{seat} pass {hands[seat].split()[k]}" for seat in range(seats) for k in range(2)))
    for seat in range(seats):
        partner = (seat + seats // 2) % seats
        assert events_of_kind(events, "passed")[seat]["to"] == partner
        assert state_data(state)["received"][partner] == hands[seat].split()[:2]
        assert set(hands[seat].split()[:2]) < set(state_data(state)["hand"][partner])
    assert open_question(state) == ("play", [2])


def test_c23_partners_actions_move_the_teams_crystals():
    state = crystals_position(4, PARTNERS, hands={0: "H9 D1", 1: "D9 D2", 2: "S9 D3", 3: "C9 D4"})
    events = play_answers(state, "0 play H9", "1 play D9", "2 play S9", "3 play C9")
    assert kinds_and_seats(events, "played") == "diamond 1, spade 2, club 3, trick 0, heart 0"
    assert crystal_counts(state) == (221, [1, 1, 1, 1], [5, 7, 5, 7])
    assert open_question(state) == ("play", [0]), "expected no question with one possible victim (C18)"


def test_c23_teams_vault_is_known_to_both_partners_and_to_no_one_else():
    state = crystals_position(6, PARTNERS, vault={0: 4, 1: 5, 2: 6})
    for seat in range(6):
        mine = seat % 3
        assert state_data(state, seat)["vault"] == [4 + mine if other % 3 == mine else None for other in range(6)]
    assert state_data(state, -1)["vault"] == [None] * 6


def test_c23_partners_hand_stays_hidden():
    state = crystals_position(4, PARTNERS)
    assert [hand is not None for hand in state_data(state, 1, memory=True)["hand"]] == [False, True, False, False]


def test_c23_club_takes_from_another_team_named_by_its_lowest_seat():
    hands = {0: "H9 D1", 1: "H1 D2", 2: "H2 D3", 3: "C9 D4", 4: "H3 D5", 5: "H4 D6"}
    state = crystals_position(6, PARTNERS, hands=hands)
    play_answers(state, "0 play H9", "1 play H1", "2 play H2", "3 play C9")
    assert open_question(state) == ("victim", [3])
    assert legal_answers(state, 3) == [1, 2]
    for own in (0, 3):
        assert error_of(state, f"3 victim {own}") == "You cannot take from your own Showroom."
    assert error_of(state, "3 victim 5") == "Name that team by its lowest seat, 2."
    play_answers(state, "3 victim 2")
    assert crystal_counts(state)[2] == [7, 6, 5, 7, 6, 5]


def test_c23_cards_taken_are_counted_per_team():
    hands = {0: "S9 S1", 1: "S2 S3", 2: "S4 S15", 3: "S5 S6"}
    state = crystals_position(4, PARTNERS, hands=hands, taken={1: [0, 0, 5, 0]}, tricks=[0, 1, 0, 1])
    events = play_answers(state, "0 play S9", "1 play S2", "2 play S4", "3 play S5")
    events += play_answers(state, "0 play S1", "1 play S3", "2 play S15", "3 play S6")
    assert events_of_kind(events, "most") == [{"event": "most", "seat": 0, "suit": "S", "number": 8}]
    assert crystal_counts(state)[1:] == ([3, 0, 3, 0], [3, 6, 3, 6])


def test_c23_tie_between_teams_gives_neither_the_action():
    hands = {0: "S9", 1: "S2", 2: "S4", 3: "S5"}
    state = crystals_position(4, PARTNERS, hands=hands, taken={1: [0, 0, 4, 0]}, tricks=[0, 1, 1, 1])
    events = play_answers(state, "0 play S9", "1 play S2", "2 play S4", "3 play S5")
    assert {"event": "tie", "suit": "S"} in events
    assert not events_of_kind(events, "most")


def test_c23_player_without_tricks_acts_for_the_team_despite_partner():
    hands = {0: "S9", 1: "S2", 2: "S4", 3: "S5"}
    state = crystals_position(4, PARTNERS, hands=hands, taken={1: [0, 0, 4, 0]}, tricks=[0, 3, 0, 0])
    events = play_answers(state, "0 play S9", "1 play S2", "2 play S4", "3 play S5")
    assert [e["seat"] for e in events_of_kind(events, "no_trick")] == [2, 3]
    assert crystal_counts(state)[1:] == ([1 + 2, 2, 1 + 2, 2], [5, 6, 5, 6])


@pytest.mark.parametrize(("dealer", "chooser"), [(0, 3), (1, 3), (2, 3), (3, 0), (4, 0), (5, 0)])
def test_c23_first_member_left_of_the_dealer_chooses_for_the_team(dealer, chooser):
    hands = {0: "S9", 1: "S2", 2: "S4", 3: "S5", 4: "S6", 5: "S7"}
    state = crystals_position(6, PARTNERS, hands=hands, dealer=dealer, taken={0: [0, 0, 0, 6]}, tricks=[1] * 6)
    events = play_answers(state, *(f"{seat} play {hands[seat]}" for seat in range(6)))
    assert events_of_kind(events, "most")[-1] == {"event": "most", "seat": chooser, "suit": "C", "number": 6}
    assert open_question(state) == ("victim", [chooser])
    assert legal_answers(state, chooser) == [1, 2]
    play_answers(state, f"{chooser} victim 1")
    assert crystal_counts(state)[2] == [4 + 1, 5, 6] * 2
    assert CRYSTALS.needs_deal(state)


@pytest.mark.parametrize(("vault", "showroom", "winners", "reason"), [
    ([9, 8, 7], [1, 1, 9], [2, 5], "most points"),
    ([9, 8, 7], [1, 3, 1], [0, 3], "equal points, most in the Vault"),
    ([9, 9, 7], [1, 1, 1], [0, 1, 3, 4], "equal points and Vaults, a shared victory"),
])  # fmt: skip
def test_c21_c23_partners_win_together(vault, showroom, winners, reason):
    state = set_fields(crystals_position(6, PARTNERS), over=1, to_act=[], vault=vault, showroom=showroom)
    result = CRYSTALS.result(state)
    assert result["scores"] == [2 * v + s for v, s in zip(vault, showroom, strict=True)] * 2
    assert (result["winners"], CRYSTALS.ending_text(result)) == (winners, reason)


def test_c21_c23_team_is_counted_once_at_the_end():
    hands = {0: "S9", 1: "S2", 2: "S4", 3: "S5"}
    state = crystals_position(4, PARTNERS, hands=hands, round=4, tricks=[1] * 4)
    events = play_answers(state, "0 play S9", "1 play S2", "2 play S4", "3 play S5")
    assert [(e["seat"], e["score"]) for e in events_of_kind(events, "score")] == [(0, 8), (1, 6)]


# Perfect (C24)


@pytest.mark.parametrize(("seats", "ranks", "each"), [(2, 8, 16), (3, 9, 12), (4, 13, 13), (5, 15, 12)])
def test_c24_every_card_of_a_smaller_pack_is_dealt(seats, ranks, each):
    state = new_game("crystals", seats, {"perfect": True})
    CRYSTALS.deal(state, CRYSTALS.pack(state))
    seen = state_data(state)
    assert [len(hand) for hand in seen["hand"]] == [each] * seats
    dealt = {card for hand in seen["hand"] for card in hand}
    assert dealt == {f"{suit}{rank}" for suit in "DHSC" for rank in range(1, ranks + 1)}
    assert seen["aside"] == []


@pytest.mark.parametrize(("seats", "tricks"), [(3, 12), (4, 13), (5, 12)])
def test_c24_perfect_round_has_a_trick_for_every_card(seats, tricks):
    state, told = play_round(seats, {"perfect": True})
    assert len(events_of_kind(told, "trick")) == tricks
    assert len(CRYSTALS.pack(state)) == seats * tricks, "expected the same pack in all rounds"


def test_c24_four_may_play_a_perfect_partnership():
    state, told = play_round(4, {"perfect": True, "partnership": True})
    assert len(events_of_kind(told, "trick")) == 13
    assert state_data(state)["team"] == TEAMS[4]


# The thief (C25)


@pytest.mark.parametrize("first", range(3))
def test_c25_thief_starts_before_the_first_dealer(first):
    state = new_game("crystals", 3, THIEF, first)
    assert state_data(state)["thief_at"] == first
    CRYSTALS.deal(state, CRYSTALS.pack(state))
    assert (state_data(state)["thief_at"], state_data(state)["dealer"]) == (first, first)


def clubs_of_seat_1(seats: int, options: dict[str, Any], **rest: Any) -> tuple[np.void, Events]:
    """Let seat 1 discard a ♣ on seat 0's ♥."""
    hands = {seat: f"H{seat + 2} D{seat + 1}" for seat in range(seats)} | {1: "C9 D2"}
    state = crystals_position(seats, options, hands=hands, **rest)
    return state, play_answers(state, "0 play H2", "1 play C9")[2:]


@pytest.mark.parametrize(
    ("holder", "then", "showroom"), [(0, 1, [2, 4, 3, 3]), (2, 3, [3, 4, 2, 3]), (3, 0, [3, 4, 3, 2])]
)
def test_c25_club_takes_from_the_thief_holder_and_the_thief_moves_left(holder, then, showroom):
    state, told = clubs_of_seat_1(4, THIEF, thief_at=holder)
    assert told == [{"event": "club", "seat": 1, "moved": 1, "victim": holder}, {"event": "thief", "seat": then}]
    assert state_data(state)["thief_at"] == then
    assert crystal_counts(state)[2] == showroom
    assert open_question(state) == ("play", [2])


@pytest.mark.parametrize(("options", "holder", "showroom", "then"), [
    (THIEF, 1, [3, 3, 3, 3], 2),  # held by the taker
    (THIEF, 2, [3, 3, 0, 3], 3),  # held by a seat with an empty Showroom, while others have crystals
    (THIEF | PARTNERS, 3, [6, 6], 0),  # held by the partner
    (THIEF | PARTNERS, 1, [6, 6], 2),
    (THIEF | PARTNERS, 2, [0, 6], 3),
])  # fmt: skip
def test_c25_thief_only_moves_from_the_takers_team_or_an_empty_showroom(options, holder, showroom, then):
    state, told = clubs_of_seat_1(4, options, thief_at=holder, showroom=showroom)
    assert told == [{"event": "nothing", "seat": 1, "suit": "C"}, {"event": "thief", "seat": then}]
    assert crystal_counts(state)[2][: len(showroom)] == showroom
    assert state_data(state)["thief_at"] == then


@pytest.mark.parametrize("holder", [0, 2])
def test_c23_c25_thief_takes_from_the_showroom_of_its_holders_team(holder):
    state, told = clubs_of_seat_1(4, THIEF | PARTNERS, thief_at=holder)
    assert event_kinds(told) == ["club", "thief"]
    assert crystal_counts(state)[2] == [5, 7, 5, 7]


def test_c18_c25_club_is_taken_even_if_it_brings_the_thief():
    state = crystals_position(3, THIEF, hands={0: "H9 D1", 1: "C3 D2", 2: "H4 D3"}, thief_at=0, showroom=[0, 5, 5])
    events = play_answers(state, "0 play H9", "1 play C3")
    assert event_kinds(events)[-2:] == ["nothing", "thief"], "expected a ♣ without a question (C18, C25)"
    assert state_data(state, -1)["thief_at"] == 1


def test_c19_c25_most_clubs_follow_the_thief_which_stays_between_rounds():
    hands = {0: "S15", 1: "S2", 2: "S3"}
    state = crystals_position(3, THIEF, hands=hands, tricks=[1] * 3, taken={1: [0, 0, 0, 3]}, thief_at=0)
    events = play_answers(state, "0 play S15", "1 play S2", "2 play S3")
    assert event_kinds(events)[-3:] == ["most", "club", "thief"]
    assert crystal_counts(state)[2] == [0, 4, 3]
    CRYSTALS.deal(state, CRYSTALS.pack(state))
    assert (state_data(state)["thief_at"], state_data(state)["dealer"]) == (1, 0), "expected the thief to stay (C25)"


def test_c25_without_the_option_there_is_no_thief():
    state = crystals_position(3)
    assert state_data(state)["thief_at"] is None
    assert not events_of_kind(play_round(3, {})[1], "thief")


# Reading options

ROUNDS = {2: 4, 3: 6, 4: 4, 5: 5, 6: 6}  # C5
DEFAULT_OPTIONS = {
    "pass_to": "left", "perfect": False, "thief": False, "partnership": False, "team_start": 6, "open_vaults": False,
    "memory_aid": True,
}  # fmt: skip


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_options_not_given_are_the_defaults_and_two_cards_is_on_for_two(seats):
    assert CRYSTALS.check_options(seats) == DEFAULT_OPTIONS | {"two_cards": seats == 2, "rounds": ROUNDS[seats]}
    assert CRYSTALS.check_options(seats, {}) == CRYSTALS.check_options(seats, None)


@pytest.mark.parametrize(("said", "meant"), [
    *(("on", True), ("ON", True), ("true", True), ("yes", True), (True, True)),
    *(("off", False), ("False", False), ("no", False), (False, False)),
])  # fmt: skip
def test_option_may_be_written_as_text(said, meant):
    assert CRYSTALS.check_options(4, {"thief": said})["thief"] is meant
    assert bool(new_game("crystals", 4, {"thief": said})["thief"]) is meant


@pytest.mark.parametrize("said", ["3", 3])
def test_c26_team_start_may_be_written_as_text(said):
    assert CRYSTALS.check_options(4, {"partnership": "on", "team_start": said})["team_start"] == 3


def test_inapplicable_option_may_be_set_to_off():
    said = {"two_cards": "off", "partnership": False, "perfect": "no", "team_start": "6"}
    assert CRYSTALS.check_options(6, said | {"partnership": True})["partnership"] is True
    assert CRYSTALS.check_options(3, said) == DEFAULT_OPTIONS | {"two_cards": False, "rounds": 6}


ILLEGAL_OPTIONS: list[tuple[int, dict[str, Any], type[DiamondsError], str]] = [
    (3, {"two_cards": True}, NotAllowedError, "two_cards is for 2 players."),
    (4, {"two_cards": "on"}, NotAllowedError, "two_cards is for 2 players."),
    (2, {"partnership": True}, NotAllowedError, "partnership is for 4 or 6 players."),
    (3, {"partnership": True}, NotAllowedError, "partnership is for 4 or 6 players."),
    (5, {"partnership": "yes"}, NotAllowedError, "partnership is for 4 or 6 players."),
    (6, {"perfect": True}, NotAllowedError, "perfect is for 2 to 5 players."),
    (6, {"perfect": True, "partnership": True}, NotAllowedError, "perfect is for 2 to 5 players."),
    (4, {"team_start": 3}, NotAllowedError, "team_start needs partnership to be on."),
    (4, {"team_start": 3, "partnership": "off"}, NotAllowedError, "team_start needs partnership to be on."),
    (5, {"team_start": "3"}, NotAllowedError, "team_start needs partnership to be on."),
    (4, {"team_start": 4, "partnership": True}, InvalidInputError, "team_start must be 6 or 3, not 4."),
    (4, {"team_start": True, "partnership": True}, InvalidInputError, "team_start must be 6 or 3, not True."),
    (4, {"pass_to": "rotating", "partnership": True}, NotAllowedError, "pass_to needs partnership to be off."),
    (2, {"pass_to": "rotating"}, NotAllowedError, "pass_to is for 3 to 6 players."),
    (4, {"pass_to": "right"}, InvalidInputError, "pass_to must be left or rotating, not “right”."),
    (4, {"rounds": 13}, InvalidInputError, "rounds must be between 1 and 12, not 13."),
    (4, {"rounds": True}, InvalidInputError, "rounds must be between 1 and 12, not True."),
    (4, {"thief": 1}, InvalidInputError, "thief must be off or on, not 1."),
    (4, {"thief": "maybe"}, InvalidInputError, "thief must be off or on, not “maybe”."),
    (4, {"thief": None}, InvalidInputError, "thief must be off or on, not None."),
    (4, {"memory_aid": ["on"]}, InvalidInputError, "memory_aid must be off or on, not ['on']."),
    (4, {"open_vaults": 1.0}, InvalidInputError, "open_vaults must be off or on, not 1.0."),
]


@pytest.mark.parametrize(("seats", "options", "kind", "sentence"), ILLEGAL_OPTIONS)
def test_invalid_option_or_combination_is_rejected_by_its_rule(seats, options, kind, sentence):
    with pytest.raises(kind) as refused:
        new_game("crystals", seats, options)
    assert str(refused.value) == sentence


def test_c5_form_gets_the_default_rounds_for_every_number_of_players():
    rounds = next(option for option in game_info(CRYSTALS).options if option.name == "rounds")
    assert rounds.values == list(range(1, 13))
    assert rounds.default_by == {"seats": {str(seats): number for seats, number in ROUNDS.items()}}


def test_unknown_option_is_rejected_with_the_known_ones():
    with pytest.raises(InvalidInputError) as refused:
        new_game("crystals", 4, {"jokers": True})
    assert str(refused.value) == (
        "Crystals has no option “jokers”. Its options are memory_aid, open_vaults, partnership, pass_to, perfect, "
        "rounds, team_start, thief, two_cards."
    )


@pytest.mark.parametrize("seats", [0, 1, 7, -2, "4", 4.0, True, None])
def test_crystals_is_for_two_to_six_players(seats):
    with pytest.raises(InvalidInputError, match=r"^Crystals is for 2 to 6 players, not .*\.$"):
        CRYSTALS.start(seats, {}, [0] * 7)
