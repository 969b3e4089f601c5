"""Reasons for and against answers: each has the right subject and sign, and the largest is given."""

import itertools
import re
from typing import Any

import numpy as np
import pytest

from diamonds import i18n
from diamonds.bots import games
from diamonds.bots.analysis import hints, reason_text
from diamonds.bots.games import crystals, fourteen, mines
from diamonds.bots.games.adapter import COUNT_COLUMNS
from diamonds.bots.search.reason_selection import AGAINST, CONTRAST, FOR
from diamonds.cards import SUIT_LETTERS
from diamonds.fields import CARD, SUIT
from diamonds.game import find_game
from diamonds.i18n import Message, translate
from diamonds.rules import crystals as crystals_rules
from diamonds.rules import mines as mines_rules
from tests.support.positions import game_of, position

pytestmark = pytest.mark.kernels

PLAYOUTS = {"crystals": crystals.playouts, "fourteen": fourteen.playouts, "mines": mines.playouts}


def all_reasons_for(
    state: np.void,
    answer: Any,
    rival: Any,
    *,
    seat: int = 0,
    his: dict | None = None,
    against: bool = False,
    contrast: bool = False,
    **counts: float,
) -> list[str]:
    """Return the reasons for or against an answer with these counts, by column name, given the rival's (``his``)."""
    game = game_of(state)
    columns = [np.zeros(COUNT_COLUMNS), np.zeros(COUNT_COLUMNS)]
    for column, named in zip(columns, (counts, his or {}), strict=True):
        for name, value in named.items():
            column[getattr(PLAYOUTS[game.name], "COL_" + name.split("+")[0]) + int(name.partition("+")[2] or 0)] = value

    def number(given: Any) -> int:
        if isinstance(given, int):
            return given
        cards = [game.card_names.index(card) for card in given.split()]
        return sum(1 << card for card in cards) if game.question(state).name == "pass" else cards[0]

    side, (own, rivals) = AGAINST if against else CONTRAST if contrast else FOR, columns
    found = reason_text.reason_messages(game, state, seat, number(answer), own, number(rival), rivals, side)
    return [translate(*why) for why in found]


def reasons_for(state: np.void, answer: Any, rival: Any, **more: Any) -> list[str]:
    """Return the heaviest reason for or against an answer."""
    return all_reasons_for(state, answer, rival, **more)[:1]


FULL_HANDS = {0: "D2 D9 H7 H8 S4 C5", 1: "H9 C1", 2: "S5 C6"}


def crystals_state(hands: dict[int, str] = FULL_HANDS, **more: Any) -> np.void:
    """Return a position of crystals for three: seat 0 has a trick, leads, and holds cards of every suit by default."""
    return position("crystals", 3, hands=hands, **{"tricks": [1, 0, 0], **more})


def sides(state: np.void, answer: Any, rival: Any, **counts: Any) -> tuple[list[str], list[str]]:
    """Return the reason for an answer and the reason against it."""
    return reasons_for(state, answer, rival, **counts), reasons_for(state, answer, rival, against=True, **counts)


def told(state: np.void, answer: Any, rival: Any, **counts: Any) -> list[str]:
    """Return the reason for an answer and the reason against it, in a list."""
    return [*reasons_for(state, answer, rival, **counts), *reasons_for(state, answer, rival, against=True, **counts)]


def test_heaviest_reason_is_told_for_or_against_an_answer():
    state = crystals_state()
    good = {"MOST_OF_SUIT+1": 0.5, "MOST_OF_SUIT+2": 0.3}
    assert sides(state, "H8", "H7", **good) == (["helps you take the most ♥ this round"], [])
    assert sides(state, "H7", "H8", **good) == (["saves ♥8: you may take the most ♥"], [])
    assert sides(state, "H8", "H7", his=good) == ([], [])
    both = sides(state, "D9", "H8", **good, **{"MOST_OF_SUIT+0": 0.3}, CRYSTALS_LOST=1.0)
    assert both == (["helps you take the most ♦ this round"], ["loses more of your crystals to ♣"]), (
        "expected 0.6 to outweigh 0.5 and 0.3"
    )
    assert reasons_for(state, "D9", "S4", **{"MOST_OF_SUIT+2": 0.9}) == ["saves ♠4: you may take the most ♠"]
    assert sides(state, "H8", "H7", **{"MOST_OF_SUIT+1": 0.11}, CRYSTALS_LOST=0.14) == ([], [])
    assert sides(state, "H8", "H7", CRYSTALS_LOST=0.2) == ([], []), "expected no reason of 0.12 points"


@pytest.mark.parametrize(("chance", "rivals", "reason", "drawback"), [
    (0.95, 0.5, "wins the trick and its ♥ action", None),
    (0.7, 0.2, "likely wins the trick and its ♥ action", None),
    (0.59, 0.1, "wins the trick more often than ♦2", None),
    (0.95, 0.77, "wins the trick more often than ♦2", None),
    (0.95, 0.9, None, None),
    (0.3, 0.8, None, "seldom wins the trick (30%)"),
    (0.34, 0.8, None, "seldom wins the trick (34%)"),
    (0.35, 0.8, None, "wins the trick less often (35%)"),
    (0.59, 0.95, None, "wins the trick less often (59%)"),
])  # fmt: skip
def test_words_about_the_trick_follow_from_how_often_it_is_won(chance, rivals, reason, drawback):
    said = sides(crystals_state(), "H7", "D2", THIS_TRICK=chance, his={"THIS_TRICK": rivals})
    assert said == ([reason] if reason else [], [drawback] if drawback else [])


def test_reason_to_leave_a_trick_names_the_card_saved():
    """A card that wins less often than the rival is good because the rival stays in hand."""
    less = {"THIS_TRICK": 0.05, "his": {"THIS_TRICK": 0.5}}
    state = crystals_state({0: "D2 D14 H7 H12 S4 S5 C5", 1: "H9", 2: "S6"})
    assert reasons_for(state, "D2", "D14", **less) == ["saves ♦14 for a later trick"]
    assert reasons_for(state, "H7", "D14", **less) == ["saves ♦14 for a later trick"]
    assert reasons_for(state, "D14", "H12", **less) == ["saves ♥12 for a later trick"]
    assert reasons_for(state, "S4", "S5", **less) == [], "expected no reason from a low card"
    assert reasons_for(state, "S4", "S5") == ["keeps ♠5, the higher card"]
    assert reasons_for(state, "S5", "S4") == []


def test_highest_card_left_is_named_as_such():
    """♦15 has been played, so ♦14 is the highest ♦; ♥13 is not the highest ♥, because ♥14 is in the same hand."""
    state = crystals_state({0: "D2 D14 H13 H14 S4", 1: "H9", 2: "S6"}, played=[0, 1 << 14, 0])
    assert reasons_for(state, "D2", "D14") == ["saves ♦14, the highest ♦ left"]
    assert reasons_for(state, "D2", "H13") == ["saves ♥13 for a later trick"]
    more = {"THIS_TRICK": 0.9, "his": {"THIS_TRICK": 0.2}}
    assert reasons_for(state, "D14", "D2", **more) == ["is the highest ♦ left"]
    assert reasons_for(state, "H13", "H14", against=True) == [] == reasons_for(state, "H14", "H13")
    assert reasons_for(state, "D14", "D2", against=True) == ["uses up your highest ♦"]


def test_low_card_is_saved_to_be_thrown_by_a_hand_without_a_suit():
    state = crystals_state({0: "D2 D9 H7 S4 S5", 1: "H9", 2: "S6"})
    later = {"OWN_DIAMONDS": 1.0, "his": {"OWN_DIAMONDS": 0.6}}
    assert reasons_for(state, "S4", "D2", **later) == ["saves ♦2 to play when you cannot follow"]
    assert reasons_for(crystals_state(), "H8", "D2", **later) == [], "expected nothing to be thrown with all four suits"
    less = {"THIS_TRICK": 0.1, "his": {"THIS_TRICK": 0.6}}
    assert reasons_for(state, "S4", "H7", **less) == ["lets others lead ♣; without ♣, any card acts"]


def test_trick_that_a_card_may_win_has_the_action_of_the_suit_led():
    """C13: the ♠ action, because ♠ was led and only a card of that suit can win the trick."""
    state = crystals_state({0: "S4 S9 D2", 1: "H9", 2: "C6"}, trick="S5", leader=2, showroom=[1, 0, 0])
    assert reasons_for(state, "S9", "S4", THIS_TRICK=1.0) == ["wins the trick and its ♠ action"]
    idle = crystals_state({0: "H4 D2 D3"}, trick="S5", leader=2, supply=0)
    assert reasons_for(idle, "D3", "D2", THIS_TRICK=1.0) == [], "expected no reason from a trick that ♦ cannot win"


IMMEDIATE_ACTIONS = [
    ("D2", {"supply": 1}, "puts a crystal into your Vault at once"),
    ("D2", {"supply": 0, "showroom": [5, 5, 5]}, None),
    ("H7", {"supply": 1}, "puts a crystal into your Showroom at once"),
    ("H7", {"supply": 0, "showroom": [5, 5, 5]}, None),
    ("S4", {"supply": 0, "showroom": [1, 0, 0]}, "moves a crystal into your Vault at once"),
    ("S4", {"supply": 9, "showroom": [0, 5, 5]}, None),
    ("C5", {"supply": 0, "showroom": [0, 0, 1]}, "takes a crystal at once"),
    ("C5", {"supply": 9, "showroom": [5, 0, 0]}, None),
]


@pytest.mark.parametrize(("card", "crystals", "words"), IMMEDIATE_ACTIONS)
def test_c12_card_thrown_on_another_suit_acts_at_once_if_possible(card, crystals, words):
    """The other card cannot move a crystal."""
    hand, other = {
        "D2": ("D2 D3 S4 S6", "S4"), "H7": ("H7 H8 S4 S6", "S4"), "S4": ("S4 S6 H2 H3", "H2"), "C5": ("C5 C7 H2 H3", "H2")
    }[card]  # fmt: skip
    led = "C9" if card[0] != "C" else "S9"
    more: dict[str, Any] = {"supply": 0, "showroom": [0, 0, 0], "tricks": [1, 0, 0], **crystals}
    state = position("crystals", 3, hands={0: hand, 1: "H1", 2: "S1"}, trick=led, leader=2, **more)
    columns = {"D": "OWN_DIAMONDS", "H": "OWN_HEARTS", "S": "OWN_SPADES", "C": "OWN_CLUBS"}
    assert reasons_for(state, card, other, his={columns[other[0]]: 1.0}) == ([words] if words else [])


def test_immediate_action_is_compared_with_that_of_the_rival():
    """♦2 and ♥7 both act immediately, but ♦ brings more. Neither has a lasting effect."""
    state = crystals_state({0: "D2 D3 H7 H8", 1: "H1", 2: "S1"}, trick="S9", leader=2, supply=5)
    said = reasons_for(state, "D2", "H7", OWN_DIAMONDS=1.0, his={"OWN_HEARTS": 1.0})
    assert said == ["puts a crystal into your Vault at once"]
    assert reasons_for(state, "H7", "D2", OWN_HEARTS=1.0, his={"OWN_DIAMONDS": 1.0}) == []


def test_c25_thief_steals_only_from_an_opponent_with_a_showroom():
    for holder, shown, steals in ((1, [0, 1, 0], True), (1, [0, 0, 5], False), (0, [5, 5, 5], False)):
        state = position(
            "crystals", 3, {"thief": True}, hands={0: "C5 C7 H2 H3", 1: "H1", 2: "S1"}, trick="S9", leader=2, supply=0,
            thief_at=holder, showroom=shown, tricks=[1, 0, 0],
        )  # fmt: skip
        assert reasons_for(state, "C5", "H2") == (["takes a crystal at once"] if steals else [])


def test_last_card_of_a_suit_leaves_it_except_the_last_of_all():
    assert reasons_for(crystals_state(), "S4", "H7") == ["gets rid of all ♠; without ♠, any card acts"]
    assert reasons_for(crystals_state(), "S4", "C5") == [], "expected no reason that is as true of the rival"
    assert reasons_for(crystals_state({0: "S4", 1: "H9", 2: "S5"}), "S4", "S4") == []
    choosing = crystals_state({0: "D2 H7 H8 S4 C5"}, question="pass", passing=2, to_act=[0])
    assert reasons_for(choosing, "H7 H8", "D2 H7") == ["gets rid of all ♥; without ♥, any card acts"]
    assert reasons_for(choosing, "D2 S4", "H7 H8") == ["gets rid of two suits; without them, any card acts"]


def test_reason_to_pass_covers_all_the_cards():
    """A reader asks why “saves ♠14” if ♥14 goes, and why ♥2 goes if only ♠ is spoken of."""
    hand = {0: "D2 D9 H2 H14 S3 S8 S14 C9"}
    choosing = crystals_state(hand, question="pass", passing=2, to_act=[0])
    saves, lowest = "saves ♠14 for a later trick", "gives away your lowest cards, but no ♦"
    assert saves in all_reasons_for(choosing, "H2 S3", "H2 S14")
    assert saves not in all_reasons_for(choosing, "H2 H14", "H2 S14"), "expected no saved card beside one as high"
    assert lowest in all_reasons_for(choosing, "H2 S3", "H2 S14")
    assert lowest not in all_reasons_for(choosing, "H2 S8", "H2 S14"), "expected the ♠3 to be lower"
    assert "gives away low cards and keeps your high ones" in all_reasons_for(choosing, "H2 S8", "H2 S14")
    keeps = "keeps your ♦: each can score 2 points"
    assert keeps in all_reasons_for(choosing, "H2 S8", "D2 S8", OWN_DIAMONDS=0.5)
    assert keeps not in all_reasons_for(choosing, "H2 S8", "D2 S8"), "expected no ♦ that scores nothing"
    one = crystals_state(hand, question="pass", passing=1, to_act=[0])
    assert "gives away your lowest card, but no ♦" in all_reasons_for(one, "H2", "S14")
    none = crystals_state({0: "H2 H14 S3 S8"}, question="pass", passing=1, to_act=[0])
    assert "gives away your lowest card" in all_reasons_for(none, "H2", "S8")


def test_single_card_of_a_suit_is_not_said_to_win_the_most_of_it():
    choosing = crystals_state({0: "D2 H5 S4 S12 C5"}, question="pass", passing=1, to_act=[0])
    told = all_reasons_for(choosing, "S4", "S12", **{"MOST_OF_SUIT+2": 0.9})
    assert not [one for one in told if "the most" in one]
    assert "keeps your higher ♠" in told


def test_set_of_cards_gets_two_reasons_about_different_things():
    def listed(candidate: int, rival: int) -> list[i18n.Message]:
        return [] if candidate else [i18n.Message(id, args) for id, args in by_rival.get(rival, [])]

    void, saves, higher = (
        ("hint-void", {"suit": "S"}), ("hint-saves", {"card": "H14"}), ("hint-keeps-higher", {"suit": "S"}),
    )  # fmt: skip
    low = ("hint-passes-low", {"passed": 2})

    def ids(worse: list[int], equal: list[int]) -> list[str]:
        return [one.id for one in hints.reasons_for_set(0, worse, equal, listed, lambda _: 0.5)]

    by_rival = {1: [saves, void, higher], 2: [low, saves], 3: [low]}
    assert ids([1, 2, 3], []) == ["hint-passes-low", "hint-void"], "expected the two that leave no worse set"
    by_rival = {1: [void, higher, saves]}
    assert ids([1], []) == ["hint-void", "hint-saves"], "expected no second reason about the same suit"
    assert ids([], [1]) == ["hint-void", "hint-saves"], "expected reasons where all sets are as good"
    by_rival = {}
    assert (ids([1], []), ids([1], [2]), ids([], [1])) == (["hint-scores-most"], [], [])


@pytest.mark.parametrize(("hand", "passed", "told", "says"), [
    ("D1 D2 H3 H8 S4 S9 C5 C7", "H3", ["hint-passes-low"], "no suit is short enough to get rid of"),
    ("D1 H3 H8 S4 S9 C5 C7", "H3", ["hint-passes-low"], "no suit but ♦ is short enough to get rid of"),
    ("D1 D2 H14 S4 S9 C5 C7", "S4", ["hint-passes-low"], "your short suits hold high cards worth keeping"),
    ("D1 D2 H3 H14 S4 S9 S10 C5 C7 C8", "H3 S4", ["hint-passes-low"], "your short suits hold high cards worth keeping"),
    ("D1 D2 H14 S4 S9 C5 C7", "S4", ["hint-no-trick-helped"], ""),  # it would rather not win with high cards
    ("D1 D2 H14 S4 S9 C5", "S4", ["hint-passes-low"], ""),  # one short suit has no high card
    ("D1 D2 H3 S4 S9 C5 C7", "H3", ["hint-passes-low"], ""),  # it empties ♥
    ("D1 D2 S4 S9 C5 C7", "S4", ["hint-passes-low"], ""),  # the hand has no ♥
    ("D1 D2 H3 H8 S4 S9 C5 C7", "H3", ["hint-nearly-void"], ""),  # this says what it is good for
    ("D1 D2 H3 H8 S4 S9 C5 C7", "H3", [], ""),
])  # fmt: skip
def test_set_that_empties_no_suit_says_why_where_it_is_plain(hand, passed, told, says):
    """The lessons tell newcomers to get rid of a suit."""
    game = find_game("crystals")
    sets = [1 << game.card_names.index(card) for card in hand.split()]
    best = sum(1 << game.card_names.index(card) for card in passed.split())
    found = hints.why_no_suit_goes(game, sets, best, [i18n.Message(id) for id in told])
    assert [translate(*one) for one in found] == [says][: bool(says)]


def test_reward_for_no_trick_replaces_the_longest_suit_as_a_reason():
    state = crystals_state({0: "D2 D3 H7 H8 S4 S5 S6"}, tricks=[0, 1, 1])
    spare = "comes from your longest suit, so you can spare it"
    assert spare in all_reasons_for(state, "S4", "H7", THIS_TRICK=0.1, his={"THIS_TRICK": 0.1})
    close = {"NO_TRICK": 0.4, "his": {"NO_TRICK": 0.2}}
    assert all_reasons_for(state, "S4", "H7", **close) == ["helps you take no trick: that scores 4 points"]


def test_c18_victim_in_the_lead_or_with_the_fullest_showroom_is_named():
    state = crystals_state(question="victim", to_act=[0], taker=0, vault=[1, 4, 1], showroom=[1, 2, 3])
    assert reasons_for(state, 2, 1) == ["takes from the fullest Showroom"]
    assert reasons_for(state, 1, 2) == ["takes from your strongest rival: 10 points"]
    state["vault"][2] = 4
    assert reasons_for(state, 2, 1) == ["takes from your strongest rival: 11 points"]
    assert reasons_for(state, 1, 2) == []
    state["vault"][1] = state["vault"][2] = 1
    state["showroom"][1] = 3
    assert reasons_for(state, 2, 1) == [], "expected no fullest Showroom where two are equal"
    three = {"question": "victim", "to_act": [0], "taker": 0, "tricks": [1] * 4, "vault": [0] * 4}
    for leaders, says in (
        ([3, 2], "your strongest rival: 3 points"),
        ([3, 3], "one of your strongest rivals: 3 points each"),
    ):
        state = position("crystals", 4, hands={0: "D2 D3 D4 D5"}, showroom=[1, *leaders, 1], **three)
        assert reasons_for(state, 1, 3)[0] == f"takes from {says}"
    teams = position(
        "crystals", 6, {"partnership": True}, question="victim", to_act=[0], taker=0, vault=[9, 4, 1, 9, 4, 1],
        showroom=[9, 2, 3, 9, 2, 3], tricks=[1] * 6,
    )  # fmt: skip
    assert reasons_for(teams, 2, 1) == ["takes from the fullest Showroom"], "the player's team is not a rival (C23)"


def test_most_of_a_suit_is_a_reason_to_pass_only_lower_cards_of_it_or_none():
    """High cards win tricks, so to pass a low one leaves the best chance of the most cards of its suit."""
    choosing = crystals_state({0: "D2 H5 H10 H12 S4 C5"}, question="pass", passing=1, to_act=[0])
    most = {"MOST_OF_SUIT+1": 0.9}
    assert reasons_for(choosing, "H5", "S4", **most) == ["keeps your higher ♥ to win the most of them"]
    assert reasons_for(choosing, "C5", "H5", **most) == ["keeps your ♥ to win the most of them"]
    assert not [one for one in all_reasons_for(choosing, "H10", "S4", **most) if "most" in one]
    assert not [one for one in all_reasons_for(choosing, "C5", "S4", **most) if "most" in one]


def test_number_to_pass_may_empty_a_suit():
    state = crystals_state({0: "D2 D9 H7 H8 S4 S5 S6 C5"}, question="count", to_act=[0])
    assert [reasons_for(state, number, 4 - number) for number in (1, 2, 3)] == [
        ["lets you pass all your ♣"], ["lets you pass all your ♥"], ["lets you pass all your ♠"],
    ]  # fmt: skip


def test_number_to_pass_may_empty_two_suits_but_never_diamonds():
    """♠ and ♣ have three cards together, and ♦ and ♣ only two."""
    state = crystals_state({0: "D2 H7 H8 H9 H10 H11 S4 S5 S6 C5"}, question="count", to_act=[0])
    assert reasons_for(state, 3, 2) == ["lets you pass all your ♠"]
    two = crystals_state({0: "D2 H7 H8 H9 H10 H11 S4 S5 C5"}, question="count", to_act=[0])
    assert reasons_for(two, 3, 2) == ["lets you pass all of two suits"]
    assert reasons_for(two, 3, 1) == ["lets you pass all of two suits"]
    one = crystals_state({0: "D2 H7 H8 H9 H10 H11 C5"}, question="count", to_act=[0])
    assert reasons_for(one, 3, 2) == ["gets rid of the most cards"], "expected nothing about suits if ♦ and ♣ are short"
    assert reasons_for(one, 2, 3) == []
    assert reasons_for(one, 1, 2) == ["lets you pass all your ♣"]
    assert all_reasons_for(one, 1, 2)[1:] == ["lets you keep as many cards as possible"]


def test_cards_of_a_suit_are_passed_or_played_from_below():
    choosing = crystals_state({0: "D2 H7 H8 H9 H10 S4 S5 C5"}, question="pass", passing=2, to_act=[0])
    keeps = ["keeps your higher ♥"]
    assert reasons_for(choosing, "H7 H8", "H7 H9") == keeps
    assert reasons_for(choosing, "H7 S4", "H8 S4") == keeps
    assert reasons_for(choosing, "H7 H9", "H8 H9") == [], "expected no reason where the lowest ♥ stays"
    assert reasons_for(choosing, "H7 H8", "H7 S4") == [], "expected no reason where the rival passes fewer ♥"
    assert reasons_for(choosing, "H7 H8", "H7 H8") == []
    assert reasons_for(choosing, "S4 S5", "H7 S4") == ["gets rid of all ♠; without ♠, any card acts"]
    state = crystals_state({0: "D2 H7 H8 H9 S4", 1: "H10", 2: "S6"})
    assert all_reasons_for(state, "H7", "H9") == ["keeps ♥9, the higher card", "keeps your higher ♥"]
    assert all_reasons_for(state, "H8", "H9") == ["keeps ♥9, the higher card"]
    assert all_reasons_for(state, "H7", "H9", THIS_TRICK=0.5, his={"THIS_TRICK": 0.1}) == [
        "wins the trick more often than ♥9"
    ]


def test_c18_victim_with_more_points_is_named_with_its_no_trick_reward():
    """Seat 1 leads with 7 points. Seat 2 has 5, or 9 once the last card has been played and it gets the C20 reward."""
    more = {"question": "victim", "to_act": [0], "taker": 0, "vault": [1, 3, 2, 1], "showroom": [1, 1, 1, 1]}
    state = position("crystals", 4, hands={0: "D2 D3 D4 D5", 1: "H2", 2: "S2", 3: "C2"}, tricks=[1, 1, 0, 1], **more)
    assert reasons_for(state, 2, 3) == ["takes from the player with more points"]
    assert reasons_for(state, 1, 2) == ["takes from your strongest rival: 7 points"]
    assert reasons_for(state, 3, 2) == []
    over = position("crystals", 4, hands={0: ""}, tricks=[1, 1, 0, 1], stage=crystals_rules.REWARDING_NO_TRICK, **more)
    assert reasons_for(over, 1, 3) == ["takes from the player with more points"]
    assert reasons_for(over, 2, 1) == ["takes from your strongest rival: 9 points with the bonuses"]


def test_c19_strongest_rival_has_public_points_and_late_bonuses():
    """Seats 1 and 2 have 5 and 4 points. The most ♦ bring seat 2 two more, which the table shows from three cards on."""
    given = {
        "question": "victim", "to_act": [0], "taker": 0, "vault": [1, 2, 1, 1], "showroom": [1, 1, 2, 0],
        "tricks": [1, 1, 1, 1], "taken": [[0] * 4, [0] * 4, [2, 0, 0, 0], [1, 0, 0, 0]],
    }  # fmt: skip
    obvious = hints.obvious_answer
    early = position("crystals", 4, hands={0: "D2 H2 S2 C2"}, **given)
    late = position("crystals", 4, hands={0: "D2 H2 S2"}, **given)
    assert reasons_for(early, 1, 2) == ["takes from your strongest rival: 5 points"]
    assert reasons_for(late, 2, 1) == ["takes from your strongest rival: 6 points with the bonuses"]
    assert [obvious(game_of(state), state, 0) for state in (early, late)] == [1, 2]
    for more in ({"round": 2}, {"memory_aid": 0}):
        hidden = position("crystals", 4, hands={0: "D2 H2 S2"}, **given, **more)
        assert reasons_for(hidden, 2, 1) == ["takes from your strongest rival"], "expected no points that nobody shows"
    equal = position("crystals", 4, hands={0: "D2 H2 S2 C2"}, **{**given, "vault": [1, 1, 1, 1], "showroom": [1] * 4})
    assert obvious(game_of(equal), equal, 0) is None
    shown = position("crystals", 4, hands={0: "D2 H2 S2"}, **{**given, "showroom": [1, 1, 0, 1], "vault": [1, 2, 9, 1]})
    assert obvious(game_of(shown), shown, 0) == 1, "expected no player without a crystal to take"
    assert reasons_for(shown, 1, 3) == ["takes from the player with more points"]


def test_c9_nobody_takes_crystals_while_cards_are_passed():
    """A player cannot see how the cards they pass change the number of crystals they lose later."""
    for question, answers in (("pass", ("H8", "H7")), ("count", (2, 3))):
        state = crystals_state({0: "D2 D9 H7 H8 H9 S4 C5"}, question=question, passing=1, to_act=[0])
        assert told(state, *answers, CRYSTALS_LOST=1.0) == []
        assert told(state, *answers, his={"CRYSTALS_LOST": 1.0}) == []
    assert told(crystals_state(), "H8", "H7", CRYSTALS_LOST=1.0) != []


def test_c19_thrown_card_counts_for_the_winner_of_the_trick():
    more = {"MOST_OF_SUIT+1": 1.0}
    thrown = crystals_state({0: "D2 D3 H7 H8 C5", 1: "H9", 2: "S6"}, trick="S9", leader=2, supply=0, showroom=[1, 0, 0])
    assert reasons_for(thrown, "H8", "D3", **more) == []
    assert reasons_for(thrown, "D3", "H8", **more) == ["saves ♥8: you may take the most ♥"]
    following = crystals_state({0: "D2 H7 H8", 1: "H9", 2: "S6"}, trick="H2", leader=2)
    assert reasons_for(following, "H8", "H7", **more) == ["helps you take the most ♥ this round"]


def test_c20_no_trick_reward_is_a_reason_while_possible():
    mine = crystals_state(tricks=[0, 1, 1])
    assert told(mine, "H8", "H7", NO_TRICK=0.5, his={"NO_TRICK": 0.25}) == [
        "keeps your chance of the 4 points for no trick (50%)"
    ]
    assert told(mine, "H8", "H7", NO_TRICK=0.49, his={"NO_TRICK": 0.25}) == [
        "helps you take no trick: that scores 4 points"
    ], "expected no promise of an unlikely reward"
    assert told(mine, "H8", "H7", NO_TRICK=0.19, his={"NO_TRICK": 0.05}) == []
    assert told(mine, "H8", "H7", NO_TRICK=0.25, his={"NO_TRICK": 0.5}) == ["risks the 4 points for taking no trick"]
    assert told(mine, "H8", "H7", NO_TRICK=0.05, his={"NO_TRICK": 0.5}) == ["gives up the 4 points for taking no trick"]
    assert told(mine, "H8", "H7", NO_TRICK=0.50, his={"NO_TRICK": 0.45}) == []
    assert told(crystals_state(), "H8", "H7", NO_TRICK=0.5) == [], "a player with a trick cannot get the reward (C20)"


@pytest.mark.parametrize(("column", "more", "fewer"), [
    ("CRYSTALS_LOST", "loses more of your crystals to ♣", "loses fewer of your crystals to ♣"),
    ("MOST_OF_SUIT+0", None, None),
    ("MOST_OF_SUIT+1", "helps you take the most ♥ this round", None),
    ("MOST_OF_SUIT+2", None, None),
    ("MOST_OF_SUIT+3", None, None),
])  # fmt: skip
def test_later_effects_in_crystals_have_their_own_column(column, more, fewer):
    """The most cards of a suit are a reason only for its cards: nobody could see how a ♥ brings ♣."""
    assert told(crystals_state(), "H8", "H7", **{column: 1.0}) == ([more] if more else [])
    assert told(crystals_state(), "H8", "H7", his={column: 1.0}) == ([fewer] if fewer else [])


def test_contrast_says_what_is_wrong_with_the_obvious_card():
    """If the player considers the rival, its drawback in the playouts is named; other rivals get no such sentence."""
    state = crystals_state({0: "D14 D2 H7 H12 S4 S5 C5", 1: "H9", 2: "S6"})
    wins = {"THIS_TRICK": 0.9}

    def said(answer: str, rival: str, **counts: Any) -> list[str]:
        assert not [
            one for one in reasons_for(state, answer, rival, **counts) if rival[1:] + " " in one and "can" in one
        ]
        return reasons_for(state, answer, rival, contrast=True, **counts)

    assert said("H7", "D14", his={**wins, "OTHERS_ACT": 0.9}) == ["♦14 likely lets others act: they run out of ♦"]
    assert said("H7", "D14", his={"THIS_TRICK": 0.3}) == ["♦14 likely loses: others still hold a higher ♦"]
    later = {"OWN_DIAMONDS": 1.0, "his": {**wins, "OWN_DIAMONDS": 1.0}}
    assert said("C5", "D14", **later) == ["♦14 can wait: without ♣, any card acts when it is led"]
    assert said("S4", "D14", **later) == ["♦14 can wait: once your ♠ are gone, any card acts"]
    state["supply"] = 0
    assert said("S4", "D14", his=wins) == ["♦14 would win, but no crystal can move"]
    thrown = crystals_state({0: "D2 D3 S4 S6 S8", 1: "H1", 2: "S1"}, trick="C9", leader=2, supply=5)
    counts = {"OWN_DIAMONDS": 1.0, "his": {"OWN_DIAMONDS": 1.0}}
    assert reasons_for(thrown, "S4", "D2", contrast=True, **counts) == [
        "♦2 can still score its 2 points on a later trick"
    ]


def test_high_card_is_shed_for_the_reward_without_a_trick():
    state = position("crystals", 3, hands={0: "D2 S4 H13", 1: "H1", 2: "S1"}, trick="C9", leader=2, supply=0)
    kept = {"NO_TRICK": 0.9, "his": {"NO_TRICK": 0.6}}
    shed, in_reach = (
        ["sheds a high card; taking no trick scores 4 points"],
        ["keeps your chance of the 4 points for no trick (90%)"],
    )
    assert reasons_for(state, "H13", "D2", **kept) == shed
    assert reasons_for(state, "D2", "S4", **kept) == in_reach
    higher = position("crystals", 3, hands={0: "D2 H8 H12 H14", 1: "H1", 2: "S1"}, trick="C9", leader=2, supply=0)
    assert reasons_for(higher, "H14", "D2", **kept) == shed
    assert reasons_for(higher, "H8", "D2", **kept) == in_reach, "expected no high card beside ♥12 and ♥14"
    choosing = crystals_state({0: "D2 H3 H8 S4 S14"}, question="pass", passing=1, to_act=[0], tricks=[0, 0, 0])
    assert reasons_for(choosing, "S14", "H3", **kept) == shed
    assert reasons_for(choosing, "S4", "S14", **kept) == in_reach


def test_c18_protection_from_clubs_is_a_reason_if_the_table_shows_how():
    less = {"his": {"CRYSTALS_LOST": 0.3}}
    leading = crystals_state({0: "D2 D3 H7 H8 C5 C6"}, showroom=[2, 3, 3])
    assert reasons_for(leading, "C5", "H7", **less) == ["draws out ♣ that could take your crystals"]
    assert reasons_for(leading, "H7", "C5", **less) == [], "expected no reason that only playouts know"
    assert reasons_for(leading, "H7", "C5", his={"CRYSTALS_LOST": 0.6}) == ["loses fewer of your crystals to ♣"]
    leading["showroom"][0] = 0
    assert reasons_for(leading, "C5", "H7", **less) == []
    thrown = crystals_state({0: "D2 D3 S4 S6"}, trick="C9", leader=2, showroom=[1, 0, 0], supply=9)
    assert reasons_for(thrown, "S4", "D2", **less) == ["saves ♦2: it can still score 2 points later"]
    later = all_reasons_for(thrown, "S4", "D2", **less)
    assert "moves a crystal into your Vault, safe from ♣" in later
    choosing = crystals_state(question="victim", to_act=[0], taker=0, showroom=[1, 3, 3])
    assert told(choosing, 2, 1, **less) == [] == told(choosing, 1, 2, CRYSTALS_LOST=0.9)


def test_thrown_card_leaves_a_diamond_that_scores_later():
    state = crystals_state({0: "D2 D3 H7 H8 S4 S6"}, trick="C9", leader=2, supply=5, showroom=[1, 0, 0])
    both = {"OWN_SPADES": 1.0, "OWN_DIAMONDS": 1.0, "his": {"OWN_DIAMONDS": 1.0}}
    assert reasons_for(state, "S4", "D2", **both) == ["saves ♦2: it can still score 2 points later"]
    once = {"OWN_SPADES": 1.0, "his": {"OWN_DIAMONDS": 1.0}}
    assert reasons_for(state, "S4", "D2", **once) == [], "expected no reason from a ♦ that scores no more"
    assert reasons_for(state, "D2", "S4", OWN_DIAMONDS=1.0) == ["puts a crystal into your Vault at once"]


def test_card_of_the_longest_suit_can_be_spared():
    state = crystals_state({0: "D2 D3 H7 H8 S4 S5 S6"})
    lost = {"THIS_TRICK": 0.1, "his": {"THIS_TRICK": 0.1}}
    spare = "comes from your longest suit, so you can spare it"
    assert reasons_for(state, "S4", "H7", **lost) == [spare]
    assert spare not in all_reasons_for(state, "H7", "S4", **lost)
    assert spare not in all_reasons_for(state, "S4", "S6", **lost), "expected no reason that is as true of the rival"
    assert spare not in all_reasons_for(state, "S4", "H7", THIS_TRICK=0.9), "expected a card that wins to say so"
    state = crystals_state({0: "D2 D3 D4 H7 H8 S4 S5 S6"})
    assert spare not in all_reasons_for(state, "S4", "H7", **lost), "expected no longest suit where two are equal"


def test_obvious_card_is_the_one_that_the_lessons_teach():
    def obvious(state: np.void) -> str:
        game = game_of(state)
        return str(game.card_names[games.adapter_for(game).obvious_card(state, 0)])

    def crystals_card(hand: str, trick: str, **more: Any) -> str:
        return obvious(
            position("crystals", 3, hands={0: hand, 1: "H1", 2: "S1"}, trick=trick, leader=2 if trick else 0, **more)
        )

    assert crystals_card("D9 H14 S14 C2", "") == "H14"
    assert crystals_card("D9 D14 S14 C2", "") == "D14"
    assert crystals_card("S3 S9 S12 D2", "S10") == "S12"
    assert crystals_card("S3 S9 D2", "S10") == "S3"
    assert crystals_card("D2 D7 H3 C1", "S10") == "D2"
    assert crystals_card("D2 D7 H3 C1", "S10", supply=0, showroom=[1, 1, 0]) == "C1"

    def fourteen_card(hand: str, trick: str, scoring: str = "diamonds") -> str:
        leader = 2 if trick else 0
        return obvious(
            position("fourteen", 3, {"scoring": scoring}, hands={0: hand, 1: "S2", 2: "S3"}, trick=trick, leader=leader)
        )

    assert fourteen_card("D4 DK HK S3", "") == "DK"
    assert fourteen_card("D4 D5 HQ S3", "") == "HQ"
    assert fourteen_card("H3 HJ HK D2", "HQ") == "HK"
    assert fourteen_card("H3 HJ D2", "HQ") == "D2", "2 + Q = 14"
    assert fourteen_card("D4 S3 C9", "HQ") == "S3", "expected no ♦ for others"
    assert fourteen_card("D4 S3 C9", "HQ", "tricks") == "S3"
    assert fourteen_card("D4 D9", "HQ") == "D4"


def test_theft_counts_as_a_drawback_and_rival_losses_do_not():
    gains = {"MOST_OF_SUIT+1": 0.9}
    gain = ["saves ♥8: you may take the most ♥"]
    assert sides(crystals_state(), "H7", "H8", **gains, CRYSTALS_LOST=1.0) == (
        gain,
        ["loses more of your crystals to ♣"],
    )
    less_theft = sides(crystals_state(), "H8", "H7", his={"CRYSTALS_LOST": 0.5})
    assert less_theft == (["loses fewer of your crystals to ♣"], [])
    no_trick = sides(crystals_state(tricks=[0, 1, 1]), "H7", "H8", **gains, his={"NO_TRICK": 0.2})
    assert no_trick == (gain, ["gives up the 4 points for taking no trick"])


def fourteen_position(scoring: str = "diamonds", **more: Any) -> np.void:
    """Return a position of fourteen for three: seat 0 plays to ♥8, with which ♦6 and ♥6 make fourteen."""
    hands = {0: "D6 D9 H6 H9 HK", 1: "S2", 2: "S3"}
    return position("fourteen", 3, {"scoring": scoring}, hands=hands, trick="H8", leader=2, **more)


def test_f5_making_fourteen_turns_or_keeps_the_suit():
    leading = {"THIS_TRICK": 0.5, "his": {"THIS_TRICK": 0.5}}
    assert reasons_for(fourteen_position(), "D6", "H9", **leading) == ["makes fourteen and changes the suit to ♦"]
    state = position("fourteen", 3, hands={0: "H2 H6 HK", 1: "S2", 2: "S3"}, trick="H8", leader=2)
    assert reasons_for(state, "H6", "H2", **leading) == ["makes fourteen and keeps the suit"]
    beaten = {"THIS_TRICK": 0.04, "his": {"THIS_TRICK": 0.04}}
    assert reasons_for(state, "H6", "H2", **beaten) == [], "expected no reason from a fourteen that will not win"


def test_f5_card_that_makes_fourteen_is_saved_or_feared():
    """♥Q makes fourteen with twos, all four of which are left, and ♥9 with fives, of which three have been played."""
    fives = sum(1 << suit * 13 + 4 for suit in (0, 1, 2))
    state = position(
        "fourteen", 3, hands={0: "H9 S9 SQ C2 C3", 1: "S2", 2: "S3"}, trick="DA", leader=2, played=[0, fives, 0]
    )
    even = {"THIS_TRICK": 0.4, "his": {"THIS_TRICK": 0.4}}
    assert reasons_for(state, "H9", "C2", **even) == ["leaves you without ♥, so you need not follow it"]
    assert reasons_for(state, "S9", "C2", **even) == ["lets others make fourteen less often than ♣2"]
    state["played"][1] |= 1 << 3 * 13 + 4
    assert reasons_for(state, "S9", "C2", **even) == ["lets nobody change the suit with a fourteen on it"]
    lost = {"THIS_TRICK": 0.0, "his": {"THIS_TRICK": 0.0}}
    assert reasons_for(state, "SQ", "S9", **lost) == []
    assert reasons_for(position("fourteen", 3, hands={0: "C5 C8 CK"}, played=[0, 1 << 5, 0]), "C8", "C5", **lost) == [
        "saves ♣5 to make fourteen later"
    ]


def test_f7_trick_prize_is_counted_when_won():
    assert reasons_for(fourteen_position(), "HK", "H9", THIS_TRICK=0.7, PRIZE=1.4, TAKEN=1.4) == [
        "likely wins the trick with 2 ♦"
    ]
    assert reasons_for(fourteen_position(), "HK", "H9", THIS_TRICK=0.95, PRIZE=0.5, TAKEN=0.5) == ["wins the trick"]
    assert reasons_for(fourteen_position("tricks"), "HK", "H9", THIS_TRICK=0.95, TAKEN=2.0, PRIZE=2.0) == [
        "wins the trick"
    ], "expected no reason from ♦ in a game of tricks"


def test_diamond_is_given_away_only_where_it_does_not_win():
    state = position("fourteen", 3, hands={0: "D2 D9 S4 S5", 1: "S2", 2: "S3"}, trick="H8", leader=2)
    assert sides(state, "S4", "D2") == (["gives no ♦ away"], [])
    assert sides(state, "D2", "S4") == ([], ["may give one ♦ away"])
    assert sides(state, "D2", "D9") == (["saves ♦9 for a later trick"], []), "expected nothing against a forced ♦"
    tricks = position("fourteen", 3, {"scoring": "tricks"}, hands={0: "D2 D9 S4 S5"}, trick="H8", leader=2)
    assert told(tricks, "S4", "D2") == [] == told(tricks, "D2", "S4")


def test_diamond_given_away_needs_what_it_is_given_for():
    """“Leaves you without ♦” alone would not explain why the lesson's rule does not hold."""
    state = position("fourteen", 3, hands={0: "D2 S4 S5 HK CK", 1: "S2", 2: "S3"}, trick="C8", leader=2)
    state["hand"][0] &= ~(1 << 3 * 13 + 12)
    assert reasons_for(state, "D2", "S4") == []
    gain = {"TAKEN": 1.0, "his": {"TAKEN": 0.5}}
    assert reasons_for(state, "D2", "HK", **gain, **{"WON_LATER+1": 0.5}) == ["gives up a ♦; your ♥ may win more"]
    assert reasons_for(state, "D2", "S4", **gain, LAST_TRICK=0.5) == ["gives one ♦ away; your last card wins more"]
    lost = {"LOST": 1.0, "his": {"LOST": 0.8}}
    assert reasons_for(state, "D2", "S4", **lost) == ["gives one ♦ away that you would likely lose anyway"]


def test_king_of_diamonds_is_kept_or_feared():
    state = position("fourteen", 3, hands={0: "DK S4 S5 HK", 1: "S2", 2: "S3"})
    less = {"TAKEN": 2.0, "his": {"TAKEN": 1.5, "THIS_TRICK": 0.6}}
    kept = reasons_for(state, "S4", "DK", **less, **{"WON_LATER+0": 0.5})
    assert kept == ["saves your ♦; ♦K is the highest left"]
    lost = {"his": {"THIS_TRICK": 0.4, "TURNED": 0.5}}
    assert reasons_for(state, "S4", "DK", contrast=True, **lost) == ["♦K often loses to a fourteen"]
    assert reasons_for(state, "S4", "HK", contrast=True, **lost) == ["♥K often loses to a fourteen"]
    assert reasons_for(state, "S4", "HK", contrast=True, his={"THIS_TRICK": 0.4}) == [], "expected no fourteen to blame"


def test_f5_led_diamond_invites_a_named_card_that_makes_fourteen():
    """The worlds say whether the next player makes fourteen; without such a card left, another cause is named."""
    hands = {0: "DJ DQ S4 S5 HK", 1: "S2", 2: "S3"}
    state, lost = position("fourteen", 3, hands=hands), {"THIS_TRICK": 0.2, "TURNED": 0.5, "TURNED_NEXT": 0.3}
    later = {"TAKEN": 3.0, "WON_LATER+0": 2.0}

    def fault(state: np.void, card: str, **his: float) -> list[str]:
        return reasons_for(state, "S4", card, contrast=True, **later, his={**lost, **his})

    assert fault(state, "DJ") == ["a 3 on ♦J would make fourteen and change the suit"]
    assert fault(state, "DQ") == ["a 2 on ♦Q would make fourteen and change the suit"]
    assert fault(state, "HK") == ["an ace on ♥K would make fourteen and change the suit"]
    assert fault(state, "DJ", TURNED_NEXT=0.2) == ["♦J often loses: a higher ♦ or a fourteen beats it"]
    assert fault(state, "DJ", THIS_TRICK=0.6) == [], "expected no fault in a card that wins"
    threes = sum(1 << suit * 13 + 2 for suit in range(4))
    state = position("fourteen", 3, hands=hands, played=[0, threes, 0])
    assert fault(state, "DJ") == ["♦J often loses: a higher ♦ or a fourteen beats it"]
    assert reasons_for(state, "S4", "DJ", **later, his=lost) == ["saves your ♦; others may still hold ♦K"]


def test_reason_of_fourteen_names_the_cards_that_it_holds_against():
    """“Saves ♦Q” would not say why the other ♦ are worse."""
    state = position("fourteen", 3, hands={0: "D3 D9 DQ S4 S9 SK", 1: "S2", 2: "S3"})
    later = {"TAKEN": 3.0, "his": {"TAKEN": 1.0}}
    for rival in ("D3", "D9", "DQ"):
        assert reasons_for(state, "S4", rival, **later, **{"WON_LATER+0": 2.0}) == [
            "saves your ♦; others may still hold ♦K"
        ]
        given = reasons_for(state, "S9", rival, **later, **{"WON_LATER+2": 2.0})
        assert given == ["saves your higher ♠ until a trick has ♦"]
    for rival in ("S9", "SK"):
        saved = reasons_for(state, "S4", rival, **later, **{"WON_LATER+2": 2.0})
        assert saved == ["saves your higher ♠ until a trick has ♦"]
    for rival in ("D9", "DQ", "SK"):  # a lead: the others must follow
        given = reasons_for(state, "D3", rival, **later, **{"WON_LATER+0": 2.0})
        assert given == ["draws out ♦ first; your higher ♦ may win later"]
    assert reasons_for(state, "D3", "SK", **later, **{"WON_LATER+2": 2.0}) == [
        "gives up your lowest ♦; your ♠ may win more"
    ]
    thrown = position("fourteen", 3, hands={0: "D3 D9 DQ S4 S9 SK", 1: "S2", 2: "C3"}, trick="H5", leader=2)
    assert "gives up your lowest ♦, but likely wins more later" in all_reasons_for(
        thrown, "D3", "DQ", **later, **{"WON_LATER+0": 2.0}
    )
    led = position("fourteen", 3, hands={0: "D3 D9 DQ S4 S9", 1: "S2", 2: "C3"}, trick="C2", leader=2)
    led["hand"][0] |= 1 << 3 * 13 + 3  # so that of the ♦ only ♦Q, which makes fourteen, may be played
    assert reasons_for(led, "C4", "DQ", **later, **{"WON_LATER+0": 2.0}) == ["saves ♦Q for tricks with more ♦"]
    led = position("fourteen", 3, hands={0: "D3 HQ HK S4", 1: "S2", 2: "C3"}, trick="H5", leader=2)
    for rival in ("HQ", "HK"):
        given = reasons_for(led, "D3", rival, his={"THIS_TRICK": 0.9})
        assert given == ["saves your high cards; this trick has no ♦ yet"]


def test_light_reasons_of_fourteen_hold_against_cards_of_several_suits():
    """Light reasons come last: they serve a hint whose heavier reasons each also hold for a clearly worse card."""
    state = position("fourteen", 3, hands={0: "D3 HQ HK S4 S5 C4", 1: "S2", 2: "S3"})
    later = {"TAKEN": 3.0, "his": {"TAKEN": 1.0}}
    for rival in ("D3", "HQ", "HK"):
        *found, any_later = all_reasons_for(state, "S4", rival, **later)
        assert "saves ♦ and high cards until a trick has ♦" in found, rival
        assert any_later == "wins more ♦ in trial games"
    for answer, rival in (("S4", "S5"), ("HQ", "HK"), ("D3", "HK")):
        assert "saves ♦ and high cards until a trick has ♦" not in all_reasons_for(state, answer, rival, **later)
    assert "wins more ♦ in trial games" not in all_reasons_for(state, "S4", "D3", TAKEN=0.05)
    state = position("fourteen", 3, hands={0: "HQ HK S4 S5 C4", 1: "S2", 2: "S3"})
    assert "saves your high cards until a trick has ♦" in all_reasons_for(state, "S4", "HQ", **later)
    assert all_reasons_for(state, "S5", "S4", THIS_TRICK=0.4)[-1] == "is more likely to win this trick"
    state = position("fourteen", 3, {"scoring": "tricks"}, hands={0: "HQ HK S4 S5 C4", 1: "S2", 2: "S3"})
    assert all_reasons_for(state, "S4", "HQ", **later)[-1] == "saves your high cards for later tricks"


def test_sure_diamond_that_waits_also_wins_later():
    state = position("fourteen", 3, hands={0: "D4 DK S4 S5 HK", 1: "S2", 2: "S3"})
    his = {"THIS_TRICK": 0.95, "PRIZE": 2.0}

    def fault(rival: str, won_later: float, **more: float) -> list[str]:
        return reasons_for(state, "S4", rival, contrast=True, his={**his, **more}, **{"WON_LATER+0": won_later})

    assert fault("DK", 2.5) == ["♦K likely wins now, but keeping it wins more ♦ later"]
    assert fault("DK", 1.9) == ["♦K can wait: it likely wins later, too"]
    assert fault("DK", 0.5) == [], "expected no reason to keep a ♦ that wins more now"
    assert fault("HK", 2.5) == []
    assert fault("DK", 2.5, THIS_TRICK=0.7) == [], "expected no word about a ♦ that may lose"
    state["scoring"] = fourteen.playouts.fourteen.TRICKS
    assert fault("DK", 2.5) == []


def test_player_who_likely_wins_is_named():
    """The reason names one player, not “someone”. Without names, a number stands for the seat."""
    led = crystals_state({0: "D2 D12 H7 S4", 1: "H9", 2: "S6"})
    lost = {"THIS_TRICK": 0.3}
    assert reasons_for(led, "H7", "D12", contrast=True, his={**lost, "WINNER+2": 0.65}) == ["♦12 likely loses to 2"]
    assert reasons_for(led, "H7", "D12", contrast=True, his={**lost, "WINNER+2": 0.5}) == [
        "♦12 likely loses: others still hold a higher ♦"
    ]
    duel = position("crystals", 2, hands={0: "D2 D14 H7 S4", 1: "H9"}, tricks=[1, 0])
    assert reasons_for(duel, "H7", "D14", contrast=True, his={"THIS_TRICK": 0.9, "OTHERS_ACT": 0.9}) == [
        "after ♦14, 1 likely plays another suit, which acts"
    ]
    last = position("fourteen", 3, hands={0: "D2 S4", 1: "C2"}, trick="H8 H9", leader=1)
    assert reasons_for(last, "S4", "D2", his={"WINNER+2": 1.0}) == ["gives 2 no ♦"]
    assert reasons_for(last, "S4", "D2", his={"WINNER+2": 0.5, "WINNER+1": 0.5}) == ["gives no ♦ away"]
    early = position("fourteen", 3, hands={0: "D2 S4", 1: "C2", 2: "C3"}, trick="H8", leader=2)
    assert reasons_for(early, "S4", "D2", his={"WINNER+2": 1.0}) == ["gives no ♦ away"], (
        "expected no name of a winner yet"
    )


def test_reason_for_the_best_card_comes_before_the_fault_of_the_other():
    state = position("fourteen", 3, hands={0: "DK S4 S5 HK", 1: "S2", 2: "S3"})
    counts = [np.zeros(COUNT_COLUMNS), np.zeros(COUNT_COLUMNS)]
    counts[1][[fourteen.playouts.COL_TURNED_NEXT, fourteen.playouts.COL_TURNED]] = 0.5
    named = [game_of(state).card_names.index(card) for card in ("S4", "DK")]
    said = reason_text.reason_and_contrast(game_of(state), state, 0, named[0], counts[0], named[1], counts[1])
    assert [one.id for one in said] == ["hint-gives-no-diamond", "hint-not-fourteen"]


@pytest.mark.parametrize(("chance", "reasons"), [
    (0.9, ["hint-saves-highest"]),  # ♥K would win as well
    (0.4, ["hint-turns-suit"]),
])  # fmt: skip
def test_review_says_why_not_a_card_that_wins_as_well(chance, reasons):
    """“Makes fourteen” would not say why not ♥K, which wins the trick too."""
    hands = {0: "C9 HK", 1: "H2", 2: "H3", 3: "D2"}
    state = position("fourteen", 4, hands=hands, trick="H6 H4 H5", leader=1)
    counts = [np.zeros(COUNT_COLUMNS), np.zeros(COUNT_COLUMNS)]
    for own, wins in zip(counts, (0.9, chance), strict=True):
        own[fourteen.playouts.COL_THIS_TRICK] = wins
    named = [game_of(state).card_names.index(card) for card in ("C9", "HK")]
    preferred = [Message("hint-turns-suit", {"suit": "C"})]
    said = reason_text.reason_and_contrast(
        game_of(state), state, 0, named[0], counts[0], named[1], counts[1], preferred
    )
    assert [one.id for one in said] == reasons


def test_high_card_is_saved_where_there_is_little_to_win():
    less = {"THIS_TRICK": 0.1, "his": {"THIS_TRICK": 0.9, "PRIZE": 0.2}}
    assert reasons_for(fourteen_position(), "H9", "HK", **less) == ["saves ♥K; this trick has no ♦ yet"]
    few = position("fourteen", 4, hands={0: "H9 HK", 1: "S2", 2: "S3", 3: "S4"}, trick="H8 D2", leader=2)
    assert reasons_for(few, "H9", "HK", **less) == ["saves ♥K; this trick likely has few ♦"]
    rich = {"THIS_TRICK": 0.1, "his": {"THIS_TRICK": 0.9, "PRIZE": 1.8}}
    assert reasons_for(fourteen_position(), "H9", "HK", **rich) == ["saves ♥K, the highest ♥ left"]
    leading = position("fourteen", 3, hands={0: "D6 H6 H9 HK", 1: "S2", 2: "S3"})
    assert reasons_for(leading, "H9", "HK", **less) == ["saves ♥K, the highest ♥ left"]


@pytest.mark.parametrize(("trick", "answer", "rival", "reason"), [
    ("", "H9", "H6", "ranks above ♥6 and wins more often"),
    ("", "S10", "D9", "has fewer higher cards against it than ♦9"),
    ("H4", "H9", "D9", "takes the lead now, which ♦9 would not"),
    ("H4", "S10", "H9", "makes fourteen and changes the suit to ♠"),
    ("", "HK", "S10", "wins the trick more often than ♠10"),  # the king needs no comparison of the higher cards
])  # fmt: skip
def test_card_that_wins_more_often_says_what_can_be_seen_of_it(trick, answer, rival, reason):
    now: dict[str, Any] = {"trick": trick, "leader": 2} if trick else {}
    state = position("fourteen", 3, hands={0: "D9 H6 H9 HK S10", 1: "S2", 2: "S3"}, **now)
    more = {"THIS_TRICK": 0.3, "his": {"THIS_TRICK": 0.15}}
    assert reason in all_reasons_for(state, answer, rival, **more)


def test_winning_diamond_brings_its_own_point():
    both = {"THIS_TRICK": 1.0, "PRIZE": 1.0, "his": {"THIS_TRICK": 1.0}}
    assert "brings its own ♦: one point more" in all_reasons_for(fourteen_position(), "D6", "H6", **both)
    assert "brings its own ♦: one point more" not in all_reasons_for(fourteen_position("tricks"), "D6", "H6", **both)


def test_lowest_card_is_called_so_where_all_others_are_higher():
    state = position("fourteen", 3, hands={0: "D2 D9 H4 S5 C6", 1: "S2", 2: "S3"}, trick="H8", leader=2)
    state["hand"][0] &= ~(1 << 13 + 3 | 1 << 1)
    later, lowest = {"TAKEN": 1.0}, "is the lowest card you may play"
    assert lowest in all_reasons_for(state, "S5", "C6", **later)
    assert lowest not in all_reasons_for(state, "C6", "D9", **later)
    state["hand"][0] |= 1 << 1
    assert lowest not in all_reasons_for(state, "S5", "C6", **later), "expected no such word beside ♦2"


def test_f5_card_that_is_as_open_to_a_fourteen_is_the_smaller_loss():
    """An ace on ♥K and a 4 on ♥10 make fourteen; three of each are unseen. If the aces are gone, none is feared."""
    state = position("fourteen", 3, hands={0: "HA H4 H10 HK S5", 1: "S2", 2: "S3"})
    feared = {"THIS_TRICK": 0.4, "his": {"THIS_TRICK": 0.45, "TURNED": 0.5, "TURNED_NEXT": 0.3}}
    assert reasons_for(state, "H10", "HK", contrast=True, **feared) == ["♥K is more to lose if a fourteen comes"]
    lost = feared | {"THIS_TRICK": 0.1}
    assert reasons_for(state, "H10", "HK", contrast=True, **lost) == [
        "an ace on ♥K would make fourteen and change the suit"
    ]
    fours = sum(1 << suit * 13 + 3 for suit in (0, 2, 3))
    state = position("fourteen", 3, hands={0: "HA H4 H10 HK S5", 1: "S2", 2: "S3"}, played=[0, fours, 0])
    safer = reasons_for(state, "H10", "HK", contrast=True, **feared)
    assert safer == ["an ace on ♥K would make fourteen and change the suit"]


@pytest.mark.parametrize(("reason", "best", "equal", "is_wrong"), [
    ({"id": "hint-more-later"}, "S8", "H7", True),
    ({"id": "hint-more-later"}, "S8", "", False),
    ({"id": "hint-higher-than", "card": "S2"}, "S8", "H7", True),
    ({"id": "hint-gives-no-diamond"}, "S8", "H7 D2", True),
    ({"id": "hint-gives-no-diamond"}, "S8", "H7", False),
    ({"id": "hint-saves-high-for-diamonds"}, "S8", "H9", True),
    ({"id": "hint-saves-high-for-diamonds"}, "S8", "H8", False),
    ({"id": "hint-saves-suit-for-diamonds", "suit": "C"}, "S8", "CA", True),
    ({"id": "hint-saves-suit-for-diamonds", "suit": "C"}, "S8", "HA", False),
    ({"id": "hint-saves-higher-for-diamonds", "suit": "S"}, "S8", "S9", True),
    ({"id": "hint-saves-higher-for-diamonds", "suit": "S"}, "S8", "S7", False),
    ({"id": "hint-saves", "card": "SK"}, "S8", "S9", False),
    ({"id": "hint-saves", "card": "SK"}, "S8", "SK", True),
    ({"id": "hint-passes-low", "passed": 1}, "S8", "S9", True),
    ({"id": "hint-keeps-diamonds"}, "S8", "D9", True),
    ({"id": "hint-keeps-higher", "suit": "S"}, "H8 S4", "H8 S5", True),
    ({"id": "hint-keeps-higher", "suit": "S"}, "H8 S4", "H9 S3", False),
])  # fmt: skip
def test_reason_that_an_equal_card_contradicts_is_not_given(reason, best, equal, is_wrong):
    """“Saves your ♣” would be wrong beside “♣A would score about as much”."""
    given = dict(reason)
    message = i18n.Message(given.pop("id"), given)
    assert hints.is_contradicted(message, best.split(), equal.split(), find_game("fourteen").card_names) == is_wrong


def test_f10_bid_shows_how_often_it_is_met():
    state = fourteen_position("bid", bid=[3, 3, 3])
    assert sides(state, "H9", "H6", BID_KEPT=0.5, his={"BID_KEPT": 0.3})[0] == ["makes your bid more often (50%)"]
    assert sides(state, "H9", "H6", BID_KEPT=0.3, his={"BID_KEPT": 0.5}) == ([], ["makes your bid less often (30%)"])
    assert told(fourteen_position(), "H9", "H6", BID_KEPT=0.5) == [], "expected no bid yet"
    bidding = position("fourteen", 3, {"scoring": "bid"}, question="bid", to_act=[0])
    assert told(bidding, 3, 4, BID_KEPT=0.42) == ["is made in 42% of deals: the best on average"]


@pytest.mark.parametrize(("column", "worse", "is_good"), [
    ("OWN_SEVEN", "reaches seven ♦ less often", True),
    ("OPPONENT_SEVEN", "lets your opponent reach seven ♦ more often", False),
    ("OPPONENT_BARRED", "leaves your opponent enough cards for seven ♦", True),
    ("OWN_BARRED", "may leave you too few cards for seven ♦", False),
    ("PILES_CONQUERED", "wins you piles less often", True),
    ("PILES_LOST", "loses you piles more often", False),
    ("CARDS_DUG", "digs fewer cards", True),
    ("DIAMONDS_RAIDED", "wins fewer ♦ by attacks", True),
    ("DIAMONDS_GIVEN", "loses more ♦ to attacks", False),
])  # fmt: skip
def test_mines_effects_argue_against_an_answer_that_gives_up_nothing_else(column, worse, is_good):
    """An effect on later turns cannot be checked on the table, so it is never a reason for an answer."""
    state = position("mines", 2, question="claim", owner=dict.fromkeys(range(13), -1) | {0: 0, 12: 1})
    counts = {"his": {column: 1.0}} if is_good else {column: 1.0}
    assert reasons_for(state, 1, 4, against=True, **counts) == [worse]
    assert reasons_for(state, 1, 4, against=True, **{column: 0.02}) == []
    better = {column: 1.0} if is_good else {"his": {column: 1.0}}
    assert reasons_for(state, 1, 4, against=True, **better) == []
    assert all_reasons_for(state, 4, 1, **better) == ["gets you four cards, as other free piles do"]


def mines_reason(
    question: str,
    answer: Any,
    rival: Any,
    hand: str = "",
    other: str = "",
    *,
    seven: float = 0.9,
    own: str = "0 5",
    theirs: str = "6 12",
    **fields: Any,
) -> str | None:
    """Return the reason for an answer that reaches seven ♦ more often by ``seven``, with these owners of piles."""
    owner = dict.fromkeys(range(13), -1)
    owner |= {int(pile): 0 for pile in own.split()} | {int(pile): 1 for pile in theirs.split()}
    state = position("mines", 2, hands={0: hand, 1: other}, question=question, **{"owner": owner, **fields})
    found = reasons_for(state, answer, rival, OWN_SEVEN=seven)
    return found[0] if found else None


SKIP, NO_CARD = mines_rules.SKIP, mines_rules.NO_CARD


@pytest.mark.parametrize(("question", "answer", "rival", "reason"), [
    ("dig", 5, 0, "saves a card where your opponent can attack"),
    ("dig", 0, 5, "wins more often in trial games"),
    ("dig", SKIP + 5, 0, "gets two cards for one"),
    ("dig", SKIP + 5, SKIP + 6, "does the same as any other ♠"),
    ("dig", 0, SKIP + 5, "keeps your ♠"),
    ("claim", 1, 4, "takes a pile that your opponent could claim next"),
    ("claim", 4, 1, "stays clear of your opponent’s attacks"),
    ("grow_pile", 1, 10, "opens your way to one more free pile"),
    ("claim", 4, 9, "gets you four cards, as other free piles do"),
    ("fight", 6, SKIP, "is sure to win its 4 cards"),
])  # fmt: skip
def test_mines_reason_names_what_an_answer_brings(question, answer, rival, reason):
    assert mines_reason(question, answer, rival) == reason


@pytest.mark.parametrize(
    ("answer", "reason"),
    [(8, "gets you four cards, as other free piles do"), (7, "opens your way to 3 more free piles")],
)
def test_mines_claim_is_not_argued_for_by_what_another_pile_does_more(answer, reason):
    """From pile 13, pile 8 leads to three more unclaimed piles, but pile 9 to one."""
    assert mines_reason("claim", answer, 11, own="12", theirs="0") == reason


def test_m8_claim_beside_more_of_their_piles_allows_attacks_by_both():
    now = {"own": "0 1 2 3 5 10", "theirs": "4 6 8 12"}
    assert mines_reason("claim", 7, 11, **now) == "lets you attack more of your opponent’s piles later"
    assert mines_reason("claim", 11, 7, **now) == "touches fewer of your opponent’s piles, so it is safer"


def test_m4_free_piles_are_said_to_have_as_many_cards():
    """That is true even if another pile does more later, which no player can check."""
    alike = "gets you four cards, as other free piles do"
    for seven in (0.02, 0.9, -0.02):
        assert mines_reason("claim", 4, 6, seven=seven, theirs="12") == alike


def test_m9_rank_of_a_spade_or_diamond_never_matters():
    assert mines_reason("give", "S9", "S2", "S2 S9", seven=0.02) == "does the same as any other ♠"
    assert mines_reason("give", "D9", "D2", "D2 D9", seven=0.02) == "does the same as any other ♦"


def test_mines_answer_without_another_reason_was_better_in_playouts():
    assert mines_reason("claim", SKIP, 1, seven=0.02) == "wins more often in trial games"
    assert mines_reason("claim", SKIP, 1, seven=-0.02) is None


@pytest.mark.parametrize(("question", "now", "answer"), [
    ("claim", {"own": "0", "theirs": "2"}, 1),  # beside the opponent's pile
    ("claim", {"own": "1 2 6 7 11", "theirs": "8 12"}, 3),  # shuts the opponent in
    ("grow_pile", {"own": "0", "theirs": "12"}, 5),  # opens your way to most free piles
    ("dig_first", {"own": "0 5", "theirs": "6 12"}, 5),  # can be attacked
    ("dig_second", {"own": "0 5", "theirs": "12", "piles": {5: "D2"}}, 0),  # the fullest
    ("dig_second", {"own": "0 5 7", "theirs": "6 8 12", "piles": {5: "D2"}}, 7),  # the fullest of those that can be attacked
    ("fight", {"own": "0 5", "theirs": "6 1", "hand": "CA", "piles": {1: "D2"}}, 6),  # the fullest
    ("fight_card", {"hand": "C4 CA CK", "other": "H2", "attacked": 6}, "CA"),
    ("fight_card", {"hand": "C4 CA CK", "attacked": 6}, "C4"),  # nothing can stop it
    ("give", {"hand": "D2 SA S3 H4"}, "S3"),
    ("give", {"hand": "D2 HA H4"}, "H4"),
    ("give", {"hand": "D2 D3"}, "D2"),
    ("spoils", {"attacked": 6, "other": "H2"}, 0),
])  # fmt: skip
def test_mines_recommends_one_of_equal_answers_by_a_rule_of_thumb(question, now, answer):
    fields = dict(now)
    hand, other = fields.pop("hand", ""), fields.pop("other", "")
    own, theirs = fields.pop("own", "0 5"), fields.pop("theirs", "6 12")
    owner = dict.fromkeys(range(13), -1)
    owner |= {int(pile): 0 for pile in own.split()} | {int(pile): 1 for pile in theirs.split()}
    state = position("mines", 2, hands={0: hand, 1: other}, question=question, owner=owner, **fields)
    game = game_of(state)
    expected = game.card_names.index(answer) if isinstance(answer, str) else answer
    found = games.adapter_for(game).obvious_card(state, 0)
    assert found == expected
    assert int(game.rules.legal(state, 0)) >> int(found) & 1


PASS, GO = 0, 1
EMPTY: dict[str, Any] = {"piles": {0: "", 5: ""}}
HEARTS_AND_CLUBS = "HA H2 H3 H4 H5 H6 H7 H8 H9 H10 HJ HQ HK CA C2 C3 C4 C5 C6 C7 C8 C9 C10 CJ CQ CK"


@pytest.mark.parametrize(("answer", "now", "reason"), [
    (PASS, {"seven": 0.9, "own": "0", "theirs": "12"}, "gets four cards to dig, not just one"),
    (PASS, {"hand": "D2 S3"}, "gets four cards to dig, not just two"),
    (PASS, {"own": "1 2 6 7 11", "theirs": "8 12"}, "may soon leave your opponent no free pile"),
    (PASS, {}, "gets four cards to dig, not just one"),
    (PASS, {"own": "0 1 2 4", "theirs": "9 10 11 12"}, "gets a pile; only 5 piles are still free"),
    (PASS, {"own": "0 1 3 5 7 8 10 11", "theirs": "12"}, "gets four cards to dig, not just one"),
    (PASS, {"own": "0", "theirs": "12", "piles": {0: "D2 D3 D4"}}, "gets a pile of four cards; your piles hold 3"),
    (PASS, {"own": "0", "theirs": "12", "piles": {0: ""}}, "gets a pile of four cards; your piles are empty"),
    (PASS, {"owner": dict.fromkeys(range(12), 0) | {12: 1}}, "wins more often in trial games"),
    (GO, {"own": "0", "theirs": "9"}, "gets a card; about one in 4 is a ♦"),
    (GO, {"own": "0", "theirs": "9", "hand": HEARTS_AND_CLUBS}, "gets a card; about one in 2 is a ♦"),
    (GO, {"own": "0", "theirs": "12"}, "gets a card; dotted piles will still be free later"),
    (GO, {"own": "0 2", "theirs": "12", "owner": {**dict.fromkeys(range(11), 0), 11: 0, 12: 1}, "hand": "D2", "piles": {7: "", 8: "", 11: ""}}, "gets a card; passing gets you no pile"),
    (GO, {"hand": "D2 H3 C3"}, "saves a card of pile 6 from an attack"),
    (GO, {"hand": "D2 H3", **EMPTY}, "lets your ♥ claim a free pile now"),
    (GO, {"hand": "D2 C3", **EMPTY}, "lets your ♣ attack a pile now"),
    (GO, {"hand": "D2 H3 C3", **EMPTY}, "lets your ♥ claim or your ♣ attack now"),
    (GO, {"hand": "D2", **EMPTY}, "wins more often in trial games"),
    (GO, {"hand": "D2"}, "saves a card of pile 6 from an attack"),
    (GO, {"hand": "D2", "piles": {5: ""}}, "gets a card; about one in 4 is a ♦"),
    (GO, {"hand": "D2 S3"}, "lets your ♠ dig two cards now"),
    (GO, {}, "gets a card; an empty hand cannot defend"),
    (GO, {"hand": "D2 D3 D4 D5 D6"}, "may get you ♦ number 6 of seven"),
    (GO, {"seven": 0.9, "own": "0", "theirs": "9"}, "gets a card; about one in 4 is a ♦"),
])  # fmt: skip
def test_m5_pass_and_dig_each_say_what_they_are_worth_here(answer, now, reason):
    """Whether a ♥ or ♣ is used is decided after the dig, so it is a reason for a turn only if no pile can be dug."""
    assert mines_reason("turn", answer, 1 - answer, **{"seven": 0.04, **now}) == reason


def test_m6_digging_at_all_is_argued_for_by_the_next_card():
    assert mines_reason("dig", 0, SKIP, hand="C2") == "gets a card; about one in 4 is a ♦"
    assert mines_reason("dig", 0, SKIP, seven=0.04) == "gets a card; an empty hand cannot defend"
    for pile, rival in ((0, 4), (4, 0), (0, SKIP)):  # equal answers get the same reason, in danger or not
        safe, attacked = ({"hand": "C2", "own": "0 4", "theirs": theirs} for theirs in ("12", "1 9"))
        assert mines_reason("dig", pile, rival, **safe) == "gets a card; none of your piles can be attacked"
        assert mines_reason("dig", pile, rival, **attacked) == "saves a card where your opponent can attack"


@pytest.mark.parametrize(("answer", "rival", "now", "reason"), [
    (3, 0, {"own": "1 2 6 7 11", "theirs": "8 12"}, "leaves your opponent no free pile"),
    (3, 0, {"own": "1 2 6 7 11", "theirs": "8 12", "piles": {8: "D2", 12: ""}}, "may win now: your opponent could dig only one card"),
    (10, 1, {}, "cuts your opponent off from 3 of the free piles"),
    (7, 5, {"own": "2 4 8", "theirs": "9 12"}, "cuts your opponent off from 2 of the free piles"),
    (5, SKIP, {"own": "0", "theirs": "1 4"}, "keeps your way to free piles open"),
])  # fmt: skip
def test_m4_claim_says_what_it_does_to_the_free_piles(answer, rival, now, reason):
    assert mines_reason("claim", answer, rival, **now) == reason


EMPTY_AROUND = dict.fromkeys((0, 1, 4, 9, 10), "")  # the piles that touch pile 5, besides pile 6


@pytest.mark.parametrize(("now", "reason"), [
    ({"theirs": "6"}, "takes your opponent’s last pile and wins"),
    ({"theirs": "6", "other": "H2"}, "may take your opponent’s last pile and win the game"),
    ({}, "is sure to win its 4 cards"),
    ({"other": "H2"}, "may win its 4 cards, if nothing stops you"),
    ({"other": "H2", "piles": {6: "D2"}}, "may open your way to 3 more free piles"),
    ({"own": "5", "theirs": "0 1 2 3 4 6 7 8 9 10 11 12", "piles": {6: "D2"}, "other": "H2"}, "wins more often in trial games"),
    ({"own": "5", "theirs": "0 1 2 3 4 6 7 8 9 10 11 12", "piles": {6: "D2", **EMPTY_AROUND}, "other": "H2"}, "may win a card from your opponent’s hand"),
    ({"piles": {6: "D2"}}, "is sure to win its last card"),
    ({"own": "1 2 5 7 8 11"}, "may leave your opponent no free pile"),
    ({"own": "1 2 5 7 8 10 11"}, "leaves your opponent 4 cards, too few for seven ♦"),
    ({"own": "3 5 7 11", "piles": {6: ""}}, "may cut your opponent off from 6 free piles"),
    ({"own": "1 5", "theirs": "0 6 12", "piles": {6: ""}, "other": "H2"}, "may open your way to 2 more free piles"),
    ({"own": "1 2 3 5 7 10 11", "theirs": "0 4 6 12", "piles": {6: ""}, "other": "H2"}, "may make 2 of your piles safe from attack"),
    ({"own": "5", "theirs": "0 1 2 3 4 6 7 8 9 10 11 12", "piles": {6: "", **EMPTY_AROUND}, "other": "H2"}, "may win a card from your opponent’s hand"),
])  # fmt: skip
def test_m9_attack_says_what_the_pile_is_worth(now, reason):
    assert mines_reason("fight", 6, SKIP, **now) == reason


@pytest.mark.parametrize(("question", "answer", "rival", "reason"), [
    ("grow", "H4", NO_CARD, "gets you another pile with four cards"),
    ("grow", "H4", "H9", "keeps your higher ♥"),
    ("grow", NO_CARD, "H9", "keeps your ♥; a pass claims a free pile too"),
    ("grow", NO_CARD, "H4", "keeps your ♥; a pass claims a free pile too"),
    ("fight", mines_rules.END, 6, "keeps a ♣ to defend pile 6 with 4 cards"),
    ("fight_card", "CA", "CK", "is stopped by fewer ♥"),
    ("fight_card", "C4", "C9", "keeps your higher ♣"),
    ("defend", "H9", NO_CARD, "saves pile 6 with its 4 cards"),
    ("defend", "H9", "C4", "keeps your ♣"),
    ("defend", NO_CARD, "C4", "keeps your ♣"),
    ("defend", NO_CARD, "H9", "keeps your ♥ to claim a new pile"),
    ("spoils", 0, 1, "gets you pile 6 with its 4 cards"),
    ("spoils", 1, 0, "takes your opponent’s only card, perhaps a ♦"),
    ("give", "S2", "D9", "keeps your ♦"),
    ("give", "SA", "S2", "does the same as any other ♠"),
    ("give", "H9", "H4", "wins more often in trial games"),
])  # fmt: skip
def test_mines_reason_names_the_card_that_it_keeps(question, answer, rival, reason):
    hand = "H4 H9 CA CK C4 C9 S2 SA D9"
    assert mines_reason(question, answer, rival, hand, "H2", attacked=5, attack=40) == reason


@pytest.mark.parametrize(("hand", "theirs", "reason"), [
    ("H9 S2 D9", "6 12", "keeps your only defence; ♥9 stops 8 unseen ♣"),
    ("H9 H4 D9", "6 12", "keeps your ♥; a pass claims a free pile too"),
    ("H9 C4 D9", "6 12", "keeps your ♥; a pass claims a free pile too"),
    ("H9 S2 D9", "12", "keeps your ♥; dotted piles will still be free later"),
])  # fmt: skip
def test_m7_heart_is_kept_to_defend_only_if_no_other_card_can(hand, theirs, reason):
    assert mines_reason("grow", NO_CARD, "H9", hand, "C2", own="0 5", theirs=theirs) == reason


def test_m4_claim_is_said_to_cut_off_only_if_no_other_cuts_off_more():
    """With pile 6 the opponent loses three free piles, but with pile 7 four."""
    now = {"own": "0 1 7 10", "theirs": "12"}
    assert mines_reason("claim", 5, 2, **now) == "gets you four cards, as other free piles do"
    assert mines_reason("claim", 6, 2, **now) == "cuts your opponent off from 4 of the free piles"


@pytest.mark.parametrize(("answer", "rival", "now", "reason"), [
    (NO_CARD, "H9", {}, "costs one card at most, as defending would"),
    (NO_CARD, "H9", {"own": "1 5"}, "keeps your ♥ to defend pile 2 with 4 cards"),
    (NO_CARD, "C4", {"own": "1 5"}, "keeps a ♣ to defend pile 2 with 4 cards"),
    (NO_CARD, "C4", {"piles": {5: "D2 D3"}, "own": "5 9"}, "keeps your ♣; only 2 cards are at stake"),
    ("H9", NO_CARD, {}, "saves pile 6 with its last card"),
    ("H9", NO_CARD, {"own": "5"}, "saves your last pile; without it you lose"),
])  # fmt: skip
def test_m8_reason_not_to_defend_says_what_the_card_is_for(answer, rival, now, reason):
    """A ♥ that was saved to stop a ♣ is not spent on every attack, so the hint says why."""
    state: dict[str, Any] = {"piles": {5: "D2"}, "attacked": 5, "attack": 40, **now}
    assert mines_reason("defend", answer, rival, "H4 H9 C4", "H2", **state) == reason


@pytest.mark.parametrize(("pile", "rival", "reason"), [
    (5, 8, "saves a card where an attack could win the most"),
    (5, 0, "saves a card where your opponent can attack"),
    (8, 9, "saves a card where your opponent can attack"),
    (8, 5, "wins more often in trial games"),
    (0, 8, "wins more often in trial games"),
    (9, 5, "wins more often in trial games"),
])  # fmt: skip
def test_m6_pile_to_dig_is_the_fullest_in_danger(pile, rival, reason):
    """The next card of each pile is equally likely to be a ♦, so only what an attack could win tells piles apart."""
    piles = {0: "D2", 8: "D3 D4"}
    assert mines_reason("dig_first", pile, rival, own="0 5 8 9", theirs="3 6", piles=piles, hand="C2") == reason


@pytest.mark.parametrize("known", ["H2", "D3"])
def test_m9_raid_of_a_known_card_is_not_said_to_bring_perhaps_a_diamond(known):
    gets = "gets a card and leaves your opponent one fewer"
    assert mines_reason("spoils", 1, 0, "C4", known, attacked=6, known={0: known}) == gets


def test_mines_attack_on_an_empty_hand_keeps_the_higher_club():
    assert mines_reason("fight_card", "C4", "CA", "C4 CA") == "keeps your higher ♣"
    assert mines_reason("fight_card", "CA", "C4", "C4 CA") == "wins more often in trial games"


@pytest.mark.parametrize(("question", "answer", "rival", "drawback"), [
    ("turn", PASS, GO, "gets no card this turn"),
    ("turn", GO, PASS, "gives up the pile that a pass brings"),
    ("claim", SKIP, 1, "gets no new pile now"),
    ("claim", 4, 1, "leaves pile 2 for your opponent to claim"),
    ("dig", SKIP, 0, "gets no card this turn"),
    ("dig", SKIP + 5, 0, "uses up a ♠"),
    ("dig", 0, 5, "saves no card of pile 6 from an attack"),
    ("grow", NO_CARD, "H4", "gets no new pile now"),
    ("grow", "H4", NO_CARD, "uses up a ♥"),
    ("fight", mines_rules.END, 6, "attacks no pile this turn"),
    ("fight", 6, mines_rules.END, "uses up a ♣"),
    ("defend", NO_CARD, "C4", "may cost you pile 6 with its 4 cards"),
    ("defend", "C4", NO_CARD, "uses up a ♣"),
    ("spoils", 0, 1, "gets no card from your opponent’s hand"),
    ("spoils", 1, 0, "leaves your opponent pile 6 with 4 cards"),
    ("give", "D9", "S2", "gives away a ♦"),
])  # fmt: skip
def test_mines_drawback_names_what_an_answer_gives_up(question, answer, rival, drawback):
    """It is said before an effect on later turns, and without one too."""
    owner = dict.fromkeys(range(13), -1) | {0: 0, 5: 0, 6: 1, 12: 1}
    state = position(
        "mines", 2, hands={0: "H4 C4 S2 D9", 1: "H2"}, question=question, owner=owner, attacked=5, attack=40
    )
    assert reasons_for(state, answer, rival, against=True) == [drawback]
    assert reasons_for(state, answer, rival, against=True, OWN_BARRED=0.9) == [drawback]


def test_mines_attack_on_a_pile_with_fewer_cards_is_said_to_win_fewer():
    owner = dict.fromkeys(range(13), -1) | {5: 0, 6: 1, 1: 1}
    state = position("mines", 2, hands={0: "C4", 1: "H2"}, question="fight", owner=owner, piles={1: "D2"})
    assert reasons_for(state, 1, 6, against=True) == ["wins fewer cards"]
    assert reasons_for(state, 6, 1, against=True) == []


@pytest.mark.parametrize("language", i18n.languages())
@pytest.mark.parametrize("name", sorted(PLAYOUTS))
def test_each_reason_ends_a_short_sentence_in_every_suit_and_number(name, language):
    """The sentence fits one card or several, called “this”. Numbers are in brackets, so that the page can omit them."""
    wrong = []
    for id, values in games.adapter_for(find_game(name)).reason_kinds:
        domains = [{SUIT: SUIT_LETTERS, CARD: ("D15", "CQ")}.get(value.kind, (1, 2, 8, 60)) for value in values]
        for given in itertools.product(*domains):
            reason = translate(id, dict(zip((value.name for value in values), given, strict=True)), language)
            sentence = translate("page-hint-because", {"answer": "♥7", "reason": reason}, language)
            if id.startswith("hint-not-"):  # a separate sentence
                wrong += [reason] if len(reason.split()) > 12 or "  " in reason else []
                continue
            bare = re.sub(r"\s\(\d+\s?%\)", "", sentence)
            words = [word for word in bare.split() if re.search(r"[\w♦♥♠♣]", word)]
            if (
                len(words) > 12
                or not re.fullmatch(r"♥7: (this ((likely |seldom )?\w+s|may)|Das (\w+t|wird)) .*\w.*\.", bare)
                or "  " in bare
            ):
                wrong.append(sentence)
            if language == "en" and re.search(r"\b1 \w+s\b|\b[28] (crystal|action)\b", bare):
                wrong.append(sentence)
    assert not wrong, "\n".join(wrong)


def test_mines_hint_is_made_where_the_usual_answer_is_much_worse():
    owner = dict.fromkeys(range(13), -1) | {0: 0, 5: 0, 6: 1, 12: 1}
    state = position(
        "mines", 2, hands={0: "C4", 1: "H2"}, question="defend", owner=owner, attacked=5, attack=40, piles={5: ""}
    )
    game, none = game_of(state), mines_rules.NO_CARD
    assert games.adapter_for(game).obvious_card(state, 0) == none
    values = np.array([[20.0, 0.0]] * 100)
    counts = np.zeros((2, COUNT_COLUMNS))
    evaluated = hints.CandidateValues([game.card_names.index("C4"), none], values, values, counts)
    best, worse = hints.rank_choices(game, state, 0, evaluated)
    assert best.answers == ("C4",)
    assert [translate(*why) for why in worse.reasons] == ["may cost you empty pile 6"]
