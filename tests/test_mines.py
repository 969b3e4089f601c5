"""Mines, rule by rule, where the reference rules decide nothing: visibility, options, rejected answers (M1–M9, R1)."""

import pytest

from diamonds.errors import InvalidInputError
from diamonds.game import GAMES
from tests.support.mines_positions import mines_position, piles_owned_by, under_attack
from tests.support.positions import (
    error_of,
    legal_answers,
    new_game,
    open_question,
    play_answers,
    seen_events,
    state_data,
)

MINES = GAMES["mines"]


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


def test_m6_spade_needs_two_cards_left_in_the_players_piles():
    state = mines_position("dig", own_piles="0 5", hands={0: "S2 CK", 1: "CQ"}, piles={0: "H9", 5: ""})
    assert error_of(state, "0 dig S2") == "A ♠ digs two cards, but your piles hold fewer."


def test_m9_m2_raided_card_is_chosen_by_the_opponent_and_known_to_both():
    for seat in (0, 1):
        state = under_attack(seat)
        other = 1 - seat
        events = play_answers(state, f"{other} defend decline", f"{seat} spoils raid")
        assert events[-1] == {"event": "raided", "seat": seat}
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


def test_m8_m11_any_defence_and_judgement_by_cards_are_the_defaults():
    assert MINES.check_options(2) == {"defence": "any", "impossible": "cards"}


@pytest.mark.parametrize("seats", [1, 3, 4])
def test_m2_mines_is_for_two(seats):
    with pytest.raises(InvalidInputError, match=r"^Mines is for 2 players, not \d\.$"):
        new_game("mines", seats)


# R1: rejected answers


@pytest.mark.parametrize(("question", "line", "words"), [
    ("claim", "0 claim 7", "Choose an unclaimed pile that touches one of yours."),
    ("dig", "0 dig 12", "Dig from a pile of yours that has a card left."),
    ("dig", "0 dig S9", "That card is not in your hand."),
    ("dig_first", "0 dig_first 5", "Dig from a pile of yours that has a card left."),
    ("dig_second", "0 dig_second 4", "Dig from a pile of yours that has a card left."),
    ("grow", "0 grow S5", "To claim a pile now, discard a ♥."),
    ("grow", "0 grow H7", "That card is not in your hand."),
    ("grow_pile", "0 grow_pile 0", "Choose an unclaimed pile that touches one of yours."),
    ("fight", "0 fight 5", "Attack an opponent’s pile that touches one of yours."),
    ("fight_card", "0 fight_card H5", "You need a ♣ to attack."),
    ("fight_card", "0 fight_card C7", "That card is not in your hand."),
    ("defend", "0 defend H5", "Defend with any ♣, or with a ♥ at least as high."),
    ("give", "0 give D6", "That card is not in your hand."),
])  # fmt: skip
def test_r1_illegal_answer_names_its_rule_and_changes_nothing(question, line, words):
    hands, fields = {0: "D5 H5 S5 C5", 1: "H6 C6"}, {"piles": {4: ""}, "attacked": 0, "attack": "C9"}
    state = mines_position(question, own_piles="0 4", other_piles="1 12", hands=hands, **fields)
    assert error_of(state, line) == words


def test_r1_missing_club_is_named_as_the_reason():
    state = mines_position("fight", other_piles="1 12", hands={0: "H5", 1: "CQ"})
    assert error_of(state, "0 fight 1") == "You have no ♣ to attack with: end the turn."


def test_r1_ranked_defence_is_explained_as_such():
    state = mines_position("defend", hands={0: "C5", 1: "CQ"}, attacked=0, attack="C9", options={"defence": "ranked"})
    assert error_of(state, "0 defend C5") == ("Defend with a ♣ or a ♥ at least as high.")
