"""Mines, rule by rule: fights and their results (M8, M9)."""

import pytest

from diamonds.errors import InvalidInputError
from diamonds.game import GAMES
from tests.support.mines_positions import ACE_HIGH_RANKS, mines_position, piles_owned_by, under_attack
from tests.support.positions import (
    event_kinds,
    legal_answers,
    new_game,
    open_question,
    play_answers,
    seen_events,
    state_data,
)

MINES = GAMES["mines"]


# M8: fight and defend


def test_m8_fight_names_an_adjacent_enemy_pile_and_discards_a_club():
    state = mines_position("fight", own_piles="0 5", other_piles="1 4 7 12", hands={0: "CA C9 HK SK DK", 1: "CQ"})
    assert legal_answers(state, 0) == [1, 4, "end"], "expected adjacent enemy piles only: 7 and 12 are too far (M8)"
    assert play_answers(state, "0 fight 4") == [{"event": "attacked", "seat": 0, "pile": 4}]
    assert (open_question(state), legal_answers(state, 0)) == (("fight_card", [0]), ["CA", "C9"])
    assert play_answers(state, "0 fight_card C9") == [{"event": "discarded", "seat": 0, "card": "C9"}]
    assert open_question(state) == ("defend", [1])
    seen = state_data(state, 1)
    assert (seen["attacked"], seen["attack"]) == (4, "C9"), "expected the attacking card and pile to be seen"


def test_m8_r5_fight_is_asked_with_any_card_and_an_enemy_neighbour():
    state = mines_position("grow", other_piles="1 12", hands={0: "H3 D2", 1: "CQ"})
    play_answers(state, "0 grow skip")
    assert (open_question(state), legal_answers(state, 0)) == (("fight", [0]), ["end"]), "a skip would reveal ♣ (R5)"
    state = mines_position("grow", other_piles="1 12", hands={0: "H3", 1: "CQ"})
    play_answers(state, "0 grow H3", "0 grow_pile 4")
    assert open_question(state) == ("turn", [1]), "expected no question: an empty hand is public (R5)"
    state = mines_position("grow", other_piles="12")
    play_answers(state, "0 grow skip")
    assert open_question(state) == ("turn", [1]), "expected no question: no adjacent enemy pile is public (R5)"


@pytest.mark.parametrize("defence", ["any", "ranked"])
@pytest.mark.parametrize("rank", ACE_HIGH_RANKS)
def test_m8_equal_or_higher_hearts_and_clubs_defend_by_option(defence, rank):
    reds = " ".join(f"H{name} D{name}" for name in ACE_HIGH_RANKS)
    clubs = " ".join(f"C{name}" for name in ACE_HIGH_RANKS if name != rank)
    state = mines_position(
        "fight", other_piles="1 12", hands={0: f"C{rank}", 1: f"{reds} SA S7 SK {clubs}"}, options={"defence": defence}
    )
    play_answers(state, "0 fight 1", f"0 fight_card C{rank}")
    high = [name for name in ACE_HIGH_RANKS if ACE_HIGH_RANKS[name] >= ACE_HIGH_RANKS[rank]]
    expected = {f"H{name}" for name in high} | {"decline"}
    expected |= {f"C{name}" for name in (high if defence == "ranked" else ACE_HIGH_RANKS) if name != rank}
    assert set(legal_answers(state, 1)) == expected, f"♣{rank} with {defence} defence (M8)"


def test_m8_r5_defender_without_cards_is_skipped_and_loses_the_pile():
    state = mines_position("fight", other_piles="1 12", hands={0: "C9 D3"})
    events = play_answers(state, "0 fight 1", "0 fight_card C9")
    assert event_kinds(events) == ["attacked", "discarded", "declined", "conquered"]
    assert (piles_owned_by(state, 0), open_question(state)) == ([0, 1], ("turn", [1]))


@pytest.mark.parametrize("defence", ["any", "ranked"])
def test_m8_table_chooses_between_any_and_ranked_defence(defence):
    assert MINES.check_options(2)["defence"] == "any"
    assert MINES.check_options(2, {"defence": defence})["defence"] == defence
    with pytest.raises(InvalidInputError, match=r"^defence must be any or ranked, not “hearts”\.$"):
        MINES.check_options(2, {"defence": "hearts"})


@pytest.mark.parametrize("seats", [1, 3, 4])
def test_m2_mines_is_for_two(seats):
    with pytest.raises(InvalidInputError, match=r"^Mines is for 2 players, not \d\.$"):
        new_game("mines", seats)


# M9: results of a fight


def test_m9_defence_holds_the_pile_and_the_attacker_may_fight_again():
    state = under_attack()
    assert play_answers(state, "1 defend H9") == [{"event": "defended", "seat": 1, "card": "H9"}]
    assert piles_owned_by(state, 1) == [1, 4, 12]
    assert {"H9", "C9"} <= set(state_data(state, -1)["discards"]), "expected both fighting cards to be discarded (M8)"
    assert (open_question(state), legal_answers(state, 0)) == (("fight", [0]), [1, 4, "end"])
    assert (state_data(state)["attacked"], state_data(state)["attack"]) == (None, None)
    play_answers(state, "0 fight 4", "0 fight_card C5", "1 defend decline", "0 spoils conquer")
    assert (piles_owned_by(state, 0), open_question(state)) == ([0, 4], ("turn", [1]))


def test_m9_conquering_replaces_the_marker_and_ends_the_turn():
    for seat in (0, 1):
        state = under_attack(seat)
        other = 1 - seat
        play_answers(state, f"{other} defend decline")
        assert (open_question(state), legal_answers(state, seat)) == (("spoils", [seat]), ["conquer", "raid"])
        events = play_answers(state, f"{seat} spoils conquer")
        assert events == [{"event": "conquered", "seat": seat, "pile": 1}]
        assert (piles_owned_by(state, seat), piles_owned_by(state, other)) == ([0, 1], [4, 12])
        assert open_question(state) == ("turn", [other]), "expected no further fight despite another ♣ (M9)"
        assert state_data(state)["hand"][other] == ["D5", "H9", "C2"]
        assert (state_data(state)["attacked"], state_data(state)["attack"]) == (None, None), "expected no attack"


def test_m9_m2_raided_card_is_chosen_by_the_opponent_and_known_to_both():
    for seat in (0, 1):
        state = under_attack(seat)
        other = 1 - seat
        assert play_answers(state, f"{other} defend decline", f"{seat} spoils raid")[-1] == {
            "event": "raided",
            "seat": seat,
        }
        assert (open_question(state), legal_answers(state, other)) == (("give", [other]), ["D5", "H9", "C2"]), (
            "expected every card to be offered (M9)"
        )
        log = MINES.apply_answer(state, other, "D5")
        gave = {"event": "gave", "seat": other, "to": seat, "card": "D5"}
        assert seen_events(state, log, seat) == seen_events(state, log, other) == [gave]
        assert seen_events(state, log, -1) == [gave | {"card": None}]
        assert state_data(state, seat)["hand"][seat] == ["D5", "DK", "C5"]
        assert state_data(state, other)["known"][other] == ["D5"], "expected the giver to know where the card is (M2)"
        assert state_data(state, seat)["known"][other] == ["D5"], "expected both to know it"
        assert state_data(state, -1)["known"] == [None, None], "expected spectators not to see the card (M2)"
        assert state_data(state)["known"][seat] == []
        assert state_data(state, -1)["hand_size"] == ([3, 2] if seat == 0 else [2, 3])
        assert open_question(state) == ("turn", [other]), "expected a raid to end the turn (M9)"
        assert piles_owned_by(state, other) == [1, 4, 12], "expected a raid to leave the markers (M9)"


def test_m2_raided_card_stays_known_until_discarded():
    state = under_attack(defender="H3 S2", attacker="C9 C5", own_piles="0 5")
    play_answers(state, "1 defend decline", "0 spoils raid", "1 give H3", "1 turn pass")
    assert state_data(state, 1)["known"][1] == ["H3"]
    play_answers(state, "0 turn go", "0 dig skip")
    assert state_data(state, 1)["known"][1] == ["H3"]
    play_answers(state, "0 grow H3")
    assert state_data(state, 1)["known"][1] == [], "expected the card among the discards (M2)"


def test_m2_card_raided_back_is_known_to_its_last_giver():
    state = under_attack(defender="D3 C8")
    play_answers(state, "1 defend decline", "0 spoils raid", "1 give D3", "1 turn go", "1 dig skip", "1 grow skip")
    play_answers(state, "1 fight 0", "1 fight_card C8", "0 defend decline", "1 spoils raid", "0 give D3")
    known = state_data(state)["known"]
    assert known == [["D3"], []], "expected seat 0 to know ♦3 in seat 1's hand, and seat 1 no card (M2)"


def test_m2_known_card_that_defends_is_known_no_more():
    state = under_attack(defender="C8 C3 D4", attacker="C9 C2 DK")
    play_answers(state, "1 defend decline", "0 spoils raid", "1 give C8", "1 turn go", "1 dig skip", "1 grow skip")
    play_answers(state, "1 fight 0", "1 fight_card C3", "0 defend C8")
    assert state_data(state)["known"] == [[], []]
