"""Mines, rule by rule: the field, claim, pass, dig and grow (M1–M7), and rejected answers (R1, R5)."""

import random

import pytest

from diamonds.game import GAMES
from tests.support.mines_positions import ADJACENT_PILES, mines_position, piles_owned_by
from tests.support.positions import (
    error_of,
    event_kinds,
    legal_answers,
    new_game,
    open_question,
    play_answers,
    seen_events,
    state_data,
)

MINES = GAMES["mines"]
# M1, M2: the field


def test_m1_thirteen_piles_of_four_are_dealt_in_order_first_card_on_top():
    deck = random.Random(1).sample(range(52), 52)
    state = new_game("mines", 2)
    MINES.deal(state, deck)
    names = [MINES.card_names[card] for card in deck]
    assert state_data(state)["piles"] == [names[4 * pile : 4 * pile + 4] for pile in range(13)]
    assert state_data(state, -1)["left"] == [4] * 13
    assert sorted(MINES.card_names[card] for card in MINES.pack(new_game("mines", 2))) == sorted(set(names)), (
        "52 cards (M1)"
    )


@pytest.mark.parametrize("pile", range(13))
def test_m1_pile_touches_its_row_and_diagonal_neighbours(pile):
    for seat in (0, 1):
        far = next(other for other in range(13) if other != pile and other not in ADJACENT_PILES[pile])
        state = mines_position("claim", seat, own_piles=str(pile), other_piles=str(far))
        assert legal_answers(state, seat) == [*sorted(ADJACENT_PILES[pile]), "skip"], f"neighbours of pile {pile} (M1)"


def test_m1_twenty_six_pairs_of_piles_touch_and_no_pile_more_than_six():
    assert sum(len(piles) for piles in ADJACENT_PILES.values()) == 2 * 26
    assert max(len(piles) for piles in ADJACENT_PILES.values()) == 6
    row = [0] * 4 + [1] * 5 + [2] * 4
    place = [1, 3, 5, 7, 0, 2, 4, 6, 8, 1, 3, 5, 7]  # in half piles: the middle row extends half a pile to both sides
    for a in range(13):
        beside = {b for b in range(13) if (abs(row[a] - row[b]), abs(place[a] - place[b])) in ((0, 2), (1, 1))}
        assert ADJACENT_PILES[a] == beside, f"pile {a}"


@pytest.mark.parametrize(
    ("cut", "first"), [("H5 SK", 1), ("SK H5", 0), ("CA D2", 1), ("C9 D9", 1), ("S9 H9", 0), ("D9 H9", 1), ("CK SQ", 0)]
)
def test_m2_highest_cut_begins_top_left_and_the_other_bottom_right(cut, first):
    state = MINES.start(2, None, [MINES.card_names.index(name) for name in cut.split()])
    events = seen_events(state, MINES.deal(state, MINES.pack(state)), seat=-1)
    assert open_question(state) == ("turn", [first])
    assert state_data(state, -1)["owner"] == [first, *[None] * 11, 1 - first]
    assert [event.get("card") for event in events] == [*cut.split(), None]
    assert events[-1] == {"event": "dealt", "first": first}
    play_answers(state, f"{first} turn pass")
    assert open_question(state) == ("turn", [1 - first])


def test_m2_dug_pile_is_public_and_its_card_is_not():
    for seat in (0, 1):
        state = mines_position("dig", seat, piles={0: "D7 SK"})
        log = MINES.apply_answer(state, seat, 0)
        dug = {"event": "dug", "seat": seat, "pile": 0, "card": "D7"}
        assert seen_events(state, log, seat) == [dug]
        assert seen_events(state, log, 1 - seat) == seen_events(state, log, -1) == [dug | {"card": None}]
        for other in (1 - seat, -1):
            seen = state_data(state, other, memory=True)
            assert (seen["hand"][seat], seen["piles"][0]) == (None, [None] * 4), "expected hidden hands and piles (M2)"
            assert (seen["hand_size"], seen["left"][0]) == ([2, 1] if seat == 0 else [1, 2], 1), "public sizes"
        assert state_data(state, seat)["hand"][seat] == ["D7", "CK"]
        assert state_data(state, seat)["piles"] == [[None] * 4] * 13, "expected closed piles, for their owner too"


def test_m2_r2_fields_with_different_hidden_cards_look_alike():
    one = mines_position("dig", hands={0: "S2 CK", 1: "CQ H4"}, piles={0: "D7 SK D2", 5: "H9 C3"})
    two = mines_position("dig", hands={0: "S2 CK", 1: "C3 D2"}, piles={0: "D7 H9 CQ", 5: "H4 SK"})
    for state in (one, two):
        play_answers(state, "0 dig 0")
    for seat in (0, -1):
        assert state_data(one, seat, memory=True) == state_data(two, seat, memory=True), "hidden cards show (M2, R2)"
    assert state_data(one, 1) != state_data(two, 1)


def test_m2_markers_do_not_run_out():
    state = mines_position("claim", own_piles="0 1 2 3 4 5 6 7 8 9 10", other_piles="12")
    play_answers(state, "0 claim 11")
    assert piles_owned_by(state, 0) == list(range(12))


def test_m3_turn_order_is_claim_pass_dig_grow_fight():
    piles = {0: "S9 D2 D3", 1: "H4 D4", 6: "D5", 12: "D8"}
    state = mines_position("claim", piles=piles, hands={0: "S5 H6 C7", 1: "H2 D9"}, other_piles="6 12", own_piles="0")
    steps = ["claim 1", "turn go", "dig S5", "dig_first 0", "dig_second 1", "grow H6", "grow_pile 5", "fight 6"]
    for step in steps:
        assert open_question(state) == (step.split()[0], [0])
        play_answers(state, f"0 {step}")
    events = play_answers(state, "0 fight_card C7", "1 defend decline", "0 spoils conquer")
    assert event_kinds(events) == ["discarded", "declined", "conquered"]
    assert (piles_owned_by(state, 0), piles_owned_by(state, 1)) == ([0, 1, 5, 6], [12])
    assert sorted(state_data(state)["hand"][0]) == ["H4", "S9"]
    assert {"H6", "S5", "C7"} <= set(state_data(state, -1)["discards"]), "expected discards to be public (M2)"
    assert open_question(state) == ("turn", [1]), "the turn has ended"


# M4, M5: claim and pass


def test_m4_claim_follows_a_pass_on_the_turn_before_and_only_once():
    state = mines_position()
    play_answers(state, "0 turn pass")
    assert open_question(state) == ("turn", [1]), "expected no claim: player 1 has not passed before (M4)"
    play_answers(state, "1 turn pass")
    assert open_question(state) == ("claim", [0])
    assert legal_answers(state, 0) == [1, 4, 5, "skip"]
    assert play_answers(state, "0 claim 5") == [{"event": "claimed", "seat": 0, "pile": 5}]
    assert open_question(state) == ("turn", [0]), "expected one claimed pile, then the turn (M4)"
    play_answers(state, "0 turn go", "0 dig skip", "0 grow skip")
    assert open_question(state) == ("claim", [1])
    play_answers(state, "1 claim skip", "1 turn pass")
    assert open_question(state) == ("turn", [0]), "a turn without any action is not a pass (M4)"
    assert (piles_owned_by(state, 0), piles_owned_by(state, 1)) == ([0, 5], [12])


def test_m5_passing_ends_the_turn():
    state = mines_position(hands={0: "S5 H6 C7", 1: "CQ"}, other_piles="5")
    assert legal_answers(state, 0) == ["pass", "go"]
    assert play_answers(state, "0 turn pass") == [{"event": "passed", "seat": 0}]
    assert open_question(state) == ("turn", [1])
    assert (state_data(state)["hand"][0], state_data(state)["turn"]) == (["H6", "S5", "C7"], 1)


# M6: dig


def test_m6_dig_draws_the_top_card_of_an_own_pile():
    state = mines_position("dig", own_piles="0 5 7", piles={0: "H9 D7", 5: "", 7: "S3"})
    assert legal_answers(state, 0) == [0, 7, "skip"], "expected the player's own piles with cards only (M6)"
    play_answers(state, "0 dig 0")
    assert state_data(state)["hand"][0] == ["H9", "CK"]
    assert state_data(state)["piles"][0] == [None, None, None, "D7"], "expected only the top card to be drawn (M6)"
    assert open_question(state) == ("grow", [0]), "expected one card for each turn (M6)"


def test_m6_spade_digs_two_cards_and_shows_the_first_before_the_second():
    state = mines_position("dig", own_piles="0 5", hands={0: "SA SK CK", 1: "CQ"}, piles={0: "H9 D7", 5: "S3 D8"})
    assert legal_answers(state, 0) == [0, 5, "skip", "SA", "SK"], "expected every ♠ to be offered (M6)"
    assert play_answers(state, "0 dig SK") == [{"event": "discarded", "seat": 0, "card": "SK"}]
    assert (open_question(state), legal_answers(state, 0)) == (("dig_first", [0]), [0, 5])
    play_answers(state, "0 dig_first 5")
    assert state_data(state, 0)["hand"][0] == ["SA", "S3", "CK"]
    assert (open_question(state), legal_answers(state, 0)) == (("dig_second", [0]), [0, 5])
    play_answers(state, "0 dig_second 0")
    assert state_data(state)["hand"][0] == ["H9", "SA", "S3", "CK"]
    assert open_question(state) == ("grow", [0])
    assert "SK" in state_data(state, -1)["discards"]


@pytest.mark.parametrize(
    ("piles", "may"), [({0: "H9", 5: ""}, False), ({0: "H9", 5: "S3"}, True), ({0: "H9 D2", 5: ""}, True)]
)
def test_m6_spade_needs_two_cards_left_in_the_players_piles(piles, may):
    state = mines_position("dig", own_piles="0 5", hands={0: "S2 CK", 1: "CQ"}, piles=piles)
    assert ("S2" in legal_answers(state, 0)) == may
    if not may:
        assert error_of(state, "0 dig S2") == "A ♠ digs two cards, but your piles hold fewer."


# M7: grow


def test_m7_heart_marks_one_unclaimed_neighbour_once_a_turn():
    state = mines_position("grow", hands={0: "H2 HA D3 S4 CK", 1: "CQ"}, other_piles="12 4")
    assert legal_answers(state, 0) == ["HA", "H2", "skip"], "expected ♥ only (M7)"
    assert play_answers(state, "0 grow H2") == [{"event": "discarded", "seat": 0, "card": "H2"}]
    assert (open_question(state), legal_answers(state, 0)) == (("grow_pile", [0]), [1, 5])
    assert play_answers(state, "0 grow_pile 5") == [{"event": "grew", "seat": 0, "pile": 5}]
    assert piles_owned_by(state, 0) == [0, 5]
    assert open_question(state) == ("fight", [0]), "expected no second ♥ in this turn (M7)"


def test_m7_r5_grow_is_asked_with_any_card_and_an_unclaimed_neighbour():
    state = mines_position("dig", hands={0: "S2 DK", 1: "CQ"})
    play_answers(state, "0 dig skip")
    assert (open_question(state), legal_answers(state, 0)) == (("grow", [0]), ["skip"]), "a skip would reveal ♥ (R5)"
    empty = mines_position("dig", hands={1: "CQ"})
    play_answers(empty, "0 dig skip")
    assert open_question(empty) == ("turn", [1]), "expected no question: an empty hand is public (R5)"
    shut_in = mines_position("dig", hands={0: "H3 CK", 1: "CQ"}, other_piles="1 4 5")
    play_answers(shut_in, "0 dig skip")
    assert open_question(shut_in) == ("fight", [0]), "expected no question: no unclaimed neighbour is public (R5)"


# R1: rejected answers


@pytest.mark.parametrize(("question", "line", "words"), [
    ("claim", "0 claim 7", "Choose an unclaimed pile that touches one of yours."),
    ("claim", "0 claim 1", "Choose an unclaimed pile that touches one of yours."),
    ("turn", "0 turn dig", "“dig” is not an answer to “Pass, or take your turn?”"),
    ("dig", "0 dig 12", "Dig from a pile of yours that has a card left."),
    ("dig", "0 dig 4", "Dig from a pile of yours that has a card left."),
    ("dig", "0 dig S9", "That card is not in your hand."),
    ("dig", "0 dig H5", "“H5” is not an answer to “Dig one card, or discard a ♠ to dig two.”"),
    ("dig_first", "0 dig_first 5", "Dig from a pile of yours that has a card left."),
    ("dig_second", "0 dig_second 4", "Dig from a pile of yours that has a card left."),
    ("grow", "0 grow S5", "Growing takes a ♥."),
    ("grow", "0 grow D5", "Growing takes a ♥."),
    ("grow", "0 grow H7", "That card is not in your hand."),
    ("grow_pile", "0 grow_pile 0", "Choose an unclaimed pile that touches one of yours."),
    ("fight", "0 fight 5", "Fight for an opponent’s pile that touches one of yours."),
    ("fight", "0 fight 12", "Fight for an opponent’s pile that touches one of yours."),
    ("fight_card", "0 fight_card H5", "Fighting takes a ♣."),
    ("fight_card", "0 fight_card C7", "That card is not in your hand."),
    ("defend", "0 defend H5", "Defend with any ♣, or with a ♥ at least as high."),
    ("defend", "0 defend D5", "Defend with any ♣, or with a ♥ at least as high."),
    ("defend", "0 defend HA", "That card is not in your hand."),
    ("spoils", "0 spoils both", "“both” is not an answer to “Conquer the pile, or raid a card?”"),
    ("give", "0 give D6", "That card is not in your hand."),
    ("grow", "1 grow H6", "It is not your turn."),
    ("grow", "0 fight end", "The question is grow, not “fight”."),
])  # fmt: skip
def test_r1_illegal_answer_names_its_rule_and_changes_nothing(question, line, words):
    hands, fields = {0: "D5 H5 S5 C5", 1: "H6 C6"}, {"piles": {4: ""}, "attacked": 0, "attack": "C9"}
    state = mines_position(question, own_piles="0 4", other_piles="1 12", hands=hands, **fields)
    assert error_of(state, line) == words


def test_r1_missing_club_is_named_as_the_reason():
    state = mines_position("fight", other_piles="1 12", hands={0: "H5", 1: "CQ"})
    assert error_of(state, "0 fight 1") == "You have no ♣ to fight with: end the turn."


def test_r1_ranked_defence_is_explained_as_such():
    state = mines_position("defend", hands={0: "C5", 1: "CQ"}, attacked=0, attack="C9", options={"defence": "ranked"})
    assert error_of(state, "0 defend C5") == ("Defend with a ♣ or a ♥ at least as high.")
