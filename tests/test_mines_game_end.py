"""Mines, rule by rule: how impossible seven ♦ are (M11), and what an ending is called."""

import numpy as np
import pytest

from diamonds import i18n
from diamonds.game import GAMES
from tests.support.mines_positions import bare_position, mines_position
from tests.support.positions import open_question, play_answers, set_fields

MINES = GAMES["mines"]


SIX_DIAMONDS = "DA D2 D3 D4 D5 D6"


def ending_and_winners(state: np.void) -> tuple[str, list[int]]:
    """Return the reason of the end and the winners; ``("", [])`` before the end."""
    if not state["over"]:
        assert state["to_act"], "expected an open question before the end"
        return "", []
    assert open_question(state) == (None, []), "expected no question after the end"
    assert not MINES.needs_deal(state)
    return {1: "seven", 2: "barred", 3: "idle"}[int(state["ending"])], MINES.result(state)["winners"]


@pytest.mark.parametrize(("ending", "winner", "ended", "words"), [
    (1, 1, "seven", "seven ♦ in hand"),
    (2, 1, "barred", "the other player could no longer reach seven ♦"),
    (3, 1, "idle", "six turns in a row changed nothing, more ♦ in hand"),
    (3, -1, "draw", "six turns in a row changed nothing, equal ♦ in hand"),
])  # fmt: skip
def test_m10_m12_ending_is_named_and_told_in_words(ending, winner, ended, words):
    result = MINES.result(set_fields(mines_position(), over=1, to_act=[], ending=ending, winner=winner))
    assert (result["ended"], result["winners"]) == (ended, [0, 1] if winner < 0 else [winner])
    assert MINES.ending_text(result) == words


@pytest.mark.parametrize(("hand", "theirs", "mine", "piles", "impossible"), [
    ("C2", "12", "0", {}, False),  # a fight can win anything
    ("", "12", "0", {12: "H2 S3 H4 C5"}, False),  # a ♣ at the bottom of the seat's pile
    ("", "12", "0", {11: "C5"}, False),  # one unclaimed pile beside it
    ("", "12", "0", {4: "C5"}, False),  # a distant pile, connected by unclaimed ones
    ("", "12", "0", {0: "C5"}, True),  # the piles are the opponent's
    ("", "12", "7 8 11", {3: "C5", 10: "C6"}, True),  # the piles are behind the opponent's
    ("", "12", "7 11", {3: "C5"}, False),  # the way leads around them
    ("", "2 12", "1 3 6 7 8 11", {0: "C5"}, True),  # both piles enclosed
    ("", "2 12", "1 6 7 8 11", {3: "C5"}, False),  # one pile not enclosed
    ("DA D2 D3", "12", "0", {12: "D4 H2", 10: "D5", 6: "D6 D7"}, False),  # three in hand, four in reach
    ("DA D2 D3", "12", "0", {12: "D4 H2", 10: "D5", 6: "D6 H7"}, True),  # three in hand, three in reach
    ("DA D2 D3", "12", "0", {12: "D4 H2", 10: "D5", 6: "D6", 0: "D7"}, True),  # the seventh is in the opponent's pile
    ("DA D2 D3", "3 9", "4 5 6 7 8 10", {3: "D4 D5", 1: "D6", 9: "D7"}, False),  # two groups of piles count together
    ("DA D2 D3", "3 9", "4 5 6 7 8 10", {3: "D4 D5", 1: "D6", 12: "D7"}, True),
    ("HA H2 SK S3", "12", "0", {}, True),  # ♥ and ♠ are useless without cards in reach
    (SIX_DIAMONDS, "12", "0", {}, True),
    ("", "12", "0", {12: "DA D2 D3 D4", 11: "D5 D6 D7"}, False),
])  # fmt: skip
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("own_turn", [True, False])
def test_m11_seven_is_possible_with_pile_and_club_or_seven_in_reach(
    hand, theirs, mine, piles, impossible, seat, own_turn
):
    """The player holds ``hand`` and the piles ``theirs``; the opponent has the piles ``mine`` and, to be safe, a ♣."""
    actor, (own, other) = (seat, (theirs, mine)) if own_turn else (1 - seat, (mine, theirs))
    hands = {seat: hand, 1 - seat: "CK"}
    state = bare_position(seat=actor, own_piles=own, other_piles=other, piles=piles, hands=hands)
    play_answers(state, f"{actor} turn pass")
    assert ending_and_winners(state) == (("barred", [1 - seat]) if impossible else ("", [])), f"with {hand} (M11)"


@pytest.mark.parametrize(("hand", "piles", "other", "gave", "was_given", "cards", "seen"), [
    # The player's hand and pile, the other's hand, cards given to the other, and cards received.
    ("H2", "", "CK", "", "", True, False),  # as far as both players know, the ♥ could be the ♣
    ("", "S2", "CK", "", "", True, False),  # the card in the pile could also be the ♣
    ("", "", "CK", "", "", True, True),  # both can count that no place is left for a ♣
    ("H2", "", "CK", "CK", "", True, True),  # the player gave the ♣ away, so both know where it is
    ("H2", "", "CK CQ", "CK", "", True, False),  # one of two ♣
    ("CJ", "", "CK", "CK", "CJ", False, False),  # received from the other, so both know about it
    ("H2", "", "CK", "CK", "H2", True, True),
    ("DA D2 D3", "D4 D5 D6 H7", "CK D7", "CK", "", True, False),  # seven unseen ♦ and seven places
    ("DA D2 D3", "D4 D5 D6 H7", "CK D7", "CK D7", "", True, True),  # the seventh is known to be in the other's hand
    ("DA D2 D3", "D4 D5 D6 H7", "CK D7", "CK", "DA", True, False),
    ("DA H3", "D4 D5 D6 H7", "CK D7 D2 D3", "CK", "", True, True),  # seven ♦, but only six places
    ("DA H3 H4", "D4 D5 D6 H7", "CK D7 D2 D3", "CK", "", True, False),
    ("DA H3 H4", "D4 D5 D6 H7", "CK D7 D2 D3", "CK", "H3", True, True),  # the place is taken by ♥3
])  # fmt: skip
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("own_turn", [True, False])
def test_m11_with_seen_seven_are_impossible_only_if_both_players_know_it(
    hand, piles, other, gave, was_given, cards, seen, seat, own_turn
):
    """The player has one pile and no unclaimed pile in reach; every unnamed card is discarded."""
    for option, impossible in (("cards", cards), ("seen", seen)):
        state = bare_position(
            seat=seat if own_turn else 1 - seat, own_piles="12" if own_turn else "7 8 11",
            other_piles="7 8 11" if own_turn else "12", piles={12: piles}, hands={seat: hand, 1 - seat: other},
            known={seat: gave, 1 - seat: was_given}, options={"impossible": option},
        )  # fmt: skip
        state["idle"] = 0
        play_answers(state, f"{seat if own_turn else 1 - seat} turn pass")
        assert ending_and_winners(state) == (("barred", [1 - seat]) if impossible else ("", [])), f"{option} (M11)"
        if impossible:
            text = "not reach seven ♦, and both knew it" if option == "seen" else "no longer reach seven ♦"
            assert MINES.ending_text(MINES.result(state)) == f"the other player could {text}"


@pytest.mark.parametrize(
    ("hand", "theirs", "mine", "piles", "option", "says", "places"),
    [
        ("DA D2 D3", "12", "0 7", {12: "D4 H2", 10: "D5", 6: "D6", 0: "D7"}, "cards",
         "player 1 holds 3 ♦ and can reach 3 more. Without a ♣ no other pile can be won.", [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12]),
        (SIX_DIAMONDS, "12", "7 8 11", {}, "cards",
         "player 1 holds 6 ♦ and can reach 0 more. Without a ♣ no other pile can be won.", [12]),
        ("DA H3", "12", "7 8 11", {12: "D4 D5 D6 H7"}, "seen",
         "player 1 had no ♣ and could not reach seven ♦. Both players could tell.", [12]),
    ],
)  # fmt: skip
def test_m11_ending_shows_what_seven_failed_by_and_reachable_piles(hand, theirs, mine, piles, option, says, places):
    hands, known = ({0: "CK D7 D2 D3", 1: hand}, {1: "CK"}) if option == "seen" else ({0: "CK", 1: hand}, {})
    more = {"hands": hands, "known": known, "options": {"impossible": option}}
    state = bare_position(seat=0, own_piles=mine, other_piles=theirs, piles=piles, **more)
    play_answers(state, "0 turn pass")
    assert ending_and_winners(state) == ("barred", [0])
    fact, there = MINES.ending_facts(state)
    assert (i18n.translate(*fact, name_of=lambda seat: f"player {seat}"), there) == (says, places)


def test_m11_ending_without_a_pile_says_so_and_others_add_nothing():
    state = mines_position("fight", 0, other_piles="1", hands={0: "C9", 1: f"{SIX_DIAMONDS} CA"})
    play_answers(state, "0 fight 1", "0 fight_card C9", "1 defend decline", "0 spoils conquer")
    fact, there = MINES.ending_facts(state)
    assert (fact.id, fact.args, there) == ("mines-fact-no-pile", {"loser": 1}, [])
    state = mines_position("dig", 0, hands={0: f"{SIX_DIAMONDS} H5", 1: "CQ"}, piles={0: "D7 S2"})
    play_answers(state, "0 dig 0")
    assert MINES.ending_facts(state) is None
