"""Why an answer is good: each reason belongs to what it is told of, has the right sign, and the heaviest come first."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from diamonds.bots.analysis import reason_text
from diamonds.bots.games import crystals, fourteen, mines
from diamonds.bots.games.adapter import COUNT_COLUMNS
from diamonds.i18n import translate
from tests.support.positions import game_of, position

pytestmark = pytest.mark.kernels

PLAYOUTS = {"crystals": crystals.playouts, "fourteen": fourteen.playouts, "mines": mines.playouts}


def reasons_for(
    state: np.void, answer: Any, rival: Any, *, seat: int = 0, his: dict | None = None, **counts: float
) -> list[str]:
    """The reasons for an answer with these counts (by the names of columns), beside a rival with others (``his``)."""
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

    found = reason_text.reason_messages(game, state, seat, number(answer), columns[0], number(rival), columns[1])
    return [translate(*why) for why in found]


def lead_position(**more: Any) -> np.void:
    """Crystals for three: seat 0 is to lead, holds cards of every suit, and has a trick already."""
    return position(
        "crystals", 3, hands={0: "D2 D9 H7 H8 S4 C5", 1: "H9 C1", 2: "S5 C6"}, **{"tricks": [1, 0, 0], **more}
    )


def test_reasons_are_ordered_by_weight_with_drawbacks_last() -> None:
    state = lead_position()
    good = {"OWN_DIAMONDS": 1.0, "OWN_HEARTS": 0.5}
    assert reasons_for(state, "H7", "H8", **good) == ["takes one more ♦ later", "takes one more ♥ later"]
    assert reasons_for(state, "H7", "H8", **good, CRYSTALS_LOST=1.0) == [
        "takes one more ♦ later", "takes one more ♥ later", "but leaves more to be stolen",
    ]  # fmt: skip
    assert reasons_for(state, "H7", "H8", his=good) == ["takes fewer ♦ actions later", "takes fewer ♥ actions later"]
    assert reasons_for(state, "H7", "H8", **good, OWN_CLUBS=2.0, **{"MOST_OF_SUIT+1": 1.0}) == [
        "likely steals about 2 crystals", "takes one more ♦ later", "helps to take the most ♥",
    ], "the three heaviest, 2.6, 2 and 1"  # fmt: skip
    assert reasons_for(state, "H7", "H8", OWN_DIAMONDS=0.19, OWN_SPADES=0.19, CRYSTALS_LOST=0.14) == []
    assert reasons_for(state, "H7", "H8", CRYSTALS_LOST=0.2) == [], "0.12 points are a trifle, as a drawback too"


@pytest.mark.parametrize(
    ("chance", "rivals", "words"),
    [
        (0.95, 0.5, ["wins the trick and its ♥ action"]),
        (0.7, 0.2, ["likely wins the trick and its ♥ action"]),
        (0.4, 0.1, ["wins the trick more often (40%)"]),
        (0.05, 0.5, ["leaves the trick to someone else"]),
        (0.3, 0.8, ["wins the trick less often (30%)"]),
        (0.95, 0.8, []),
    ],
)
def test_trick_winner_is_a_reason_where_answers_differ(chance: float, rivals: float, words: list[str]) -> None:
    """And what is less is a drawback, beside something good."""
    assert reasons_for(lead_position(), "H7", "D2", THIS_TRICK=chance, his={"THIS_TRICK": rivals}) == words
    beside = reasons_for(lead_position(), "H7", "D2", OWN_HEARTS=1.0, THIS_TRICK=chance, his={"THIS_TRICK": rivals})
    assert any(said.startswith("but ") for said in beside) == (chance < rivals)


def test_the_trick_that_a_card_may_win_has_the_action_of_the_suit_led() -> None:
    """C13: the ♠ action, for ♠ was led; and only a card of that suit can win it."""
    state = position("crystals", 3, hands={0: "S4 S9 D2", 1: "H9", 2: "C6"}, trick="S5", leader=2, tricks=[1, 0, 0])
    assert reasons_for(state, "S9", "S4", THIS_TRICK=1.0) == ["wins the trick and its ♠ action"]
    state = position(
        "crystals", 3, hands={0: "H4 D2 D3", 1: "H9", 2: "C6"}, trick="S5", leader=2, supply=0, tricks=[1, 0, 0]
    )
    assert reasons_for(state, "D2", "D3", THIS_TRICK=1.0) == []


IMMEDIATE_ACTIONS = [
    ("D2", {"supply": 1}, "puts a crystal into your Vault at once"),
    ("D2", {"supply": 0, "showroom": [5, 5, 5]}, None),
    ("H7", {"supply": 1}, "puts a crystal into your Showroom at once"),
    ("H7", {"supply": 0, "showroom": [5, 5, 5]}, None),
    ("S4", {"supply": 0, "showroom": [1, 0, 0]}, "makes a crystal of your Showroom safe at once"),
    ("S4", {"supply": 9, "showroom": [0, 5, 5]}, None),
    ("C5", {"supply": 0, "showroom": [0, 0, 1]}, "steals a crystal at once"),
    ("C5", {"supply": 9, "showroom": [5, 0, 0]}, None),
]


@pytest.mark.parametrize(("card", "crystals", "words"), IMMEDIATE_ACTIONS)
def test_c12_card_thrown_on_another_suit_acts_at_once_if_possible(card: str, crystals: dict, words: str | None) -> None:
    """Its neighbour would do the same, so nothing is told of what comes later."""
    hand = {"D2": "D2 D3", "H7": "H7 H8", "S4": "S4 S5", "C5": "C5 C7"}[card]
    led = "S9" if card[0] != "S" else "H9"
    more: dict[str, Any] = {"supply": 0, "showroom": [0, 0, 0], "tricks": [1, 0, 0], **crystals}
    state = position("crystals", 3, hands={0: hand, 1: "H1", 2: "S1"}, trick=led, leader=2, **more)
    other = hand.split()[1]
    column = {"D": "OWN_DIAMONDS", "H": "OWN_HEARTS", "S": "OWN_SPADES", "C": "OWN_CLUBS"}[card[0]]
    assert reasons_for(state, card, other, **{column: 1.0}, his={column: 1.0}) == ([words] if words else [])


def test_c13_card_of_the_led_suit_acts_when_the_trick_is_won() -> None:
    state = position(
        "crystals", 3, hands={0: "H7 H8", 1: "H1", 2: "S1"}, trick="H9", leader=2, supply=5, tricks=[1, 0, 0]
    )
    assert reasons_for(state, "H7", "H8", OWN_HEARTS=2.0) == ["takes about 2 ♥ later"]


def test_immediate_action_of_a_rival_is_not_offset_by_later_effects() -> None:
    """♥7 would act at once, ♦2 wins the led suit: the one ♥ action that it forgoes is not one that comes later."""
    state = position(
        "crystals", 3, hands={0: "D2 D3 H7 H8", 1: "H1", 2: "S1"}, trick="S9", leader=2, supply=5, tricks=[1, 0, 0]
    )
    said = reasons_for(state, "D2", "H7", OWN_DIAMONDS=1.0, his={"OWN_HEARTS": 1.0})
    assert said == ["puts a crystal into your Vault at once"]


def test_c25_thief_steals_only_from_an_opponent_with_a_showroom() -> None:
    for holder, shown, steals in ((1, [0, 1, 0], True), (1, [0, 0, 5], False), (0, [5, 5, 5], False)):
        state = position(
            "crystals", 3, {"thief": True}, hands={0: "C5 C7", 1: "H1", 2: "S1"}, trick="S9", leader=2,
            thief_at=holder, showroom=shown, tricks=[1, 0, 0],
        )  # fmt: skip
        assert reasons_for(state, "C5", "C7", OWN_CLUBS=1.0, his={"OWN_CLUBS": 1.0}) == (
            ["steals a crystal at once"] if steals else []
        )


def test_last_card_of_a_suit_leaves_it_except_the_last_of_all() -> None:
    assert reasons_for(lead_position(), "S4", "C5") == ["leaves you void in ♠"]
    assert reasons_for(lead_position(), "H7", "H8") == []
    assert reasons_for(position("crystals", 3, hands={0: "S4", 1: "H9", 2: "S5"}, tricks=[1, 0, 0]), "S4", "S4") == []
    choosing = position(
        "crystals", 3, hands={0: "D2 H7 H8 S4 C5"}, question="pass", passing=2, to_act=[0], tricks=[1, 0, 0]
    )
    assert reasons_for(choosing, "H7 H8", "D2 H7") == ["leaves you void in ♥"]
    assert reasons_for(choosing, "D2 S4", "H7 H8") == ["leaves you void in ♦", "leaves you void in ♠"]


def test_c18_leading_victim_is_named_as_such() -> None:
    state = position(
        "crystals", 3, question="victim", to_act=[0], taker=0, vault=[9, 1, 4], showroom=[9, 2, 2], tricks=[1, 0, 0]
    )
    assert reasons_for(state, 2, 1) == ["takes from the leader"]
    assert reasons_for(state, 1, 2) == []
    teams = position(
        "crystals", 6, {"partnership": True}, question="victim", to_act=[0], taker=0, vault=[9, 1, 4, 9, 1, 4],
        showroom=[2] * 6, tricks=[1] * 6,
    )  # fmt: skip
    assert reasons_for(teams, 2, 1) == ["takes from the leader"], "the own team and the partner are no rivals (C23)"


def test_c20_no_trick_reward_is_a_reason_while_possible() -> None:
    mine = lead_position(tricks=[0, 1, 1])
    assert reasons_for(mine, "H7", "H8", NO_TRICK=0.5, his={"NO_TRICK": 0.25}) == [
        "keeps the reward for no trick in reach (50%)"
    ]
    assert reasons_for(mine, "H7", "H8", NO_TRICK=0.25, his={"NO_TRICK": 0.5}) == [
        "puts the reward for no trick at risk"
    ]
    assert reasons_for(mine, "H7", "H8", NO_TRICK=0.05, his={"NO_TRICK": 0.5}) == ["gives up the reward for no trick"]
    assert reasons_for(mine, "H7", "H8", NO_TRICK=0.50, his={"NO_TRICK": 0.45}) == []
    assert reasons_for(lead_position(), "H7", "H8", NO_TRICK=0.5) == [], "who has a trick has lost it"


@pytest.mark.parametrize(
    ("column", "more", "fewer"),
    [
        ("OWN_CLUBS", "likely steals one crystal", "steals less later"),
        ("OWN_DIAMONDS", "takes one more ♦ later", "takes fewer ♦ actions later"),
        ("OWN_HEARTS", "takes one more ♥ later", "takes fewer ♥ actions later"),
        ("OWN_SPADES", "makes one crystal safe with ♠ later", "makes fewer crystals safe later"),
        ("CRYSTALS_LOST", "leaves more to be stolen", "loses fewer crystals to ♣"),
        ("MOST_OF_SUIT+0", "helps to take the most ♦", None),
        ("MOST_OF_SUIT+1", "helps to take the most ♥", None),
        ("MOST_OF_SUIT+2", "helps to take the most ♠", None),
        ("MOST_OF_SUIT+3", "helps to take the most ♣", None),
    ],
)
def test_later_effects_in_crystals_have_their_own_column(column: str, more: str, fewer: str | None) -> None:
    assert reasons_for(lead_position(), "H7", "H8", **{column: 1.0}) == [more]
    assert reasons_for(lead_position(), "H7", "H8", his={column: 1.0}) == ([fewer] if fewer else [])


def test_rival_losses_are_no_drawback_and_theft_is() -> None:
    """Beside something bad what is good stands first, without a “but”: so the words show which sign a reason has."""
    gains = {"OWN_HEARTS": 1.0}
    assert reasons_for(lead_position(), "H7", "H8", **gains, CRYSTALS_LOST=1.0)[-1] == "but leaves more to be stolen"
    assert (
        reasons_for(lead_position(), "H7", "H8", **gains, his={"CRYSTALS_LOST": 0.5})[-1] == "loses fewer crystals to ♣"
    )
    assert (
        reasons_for(lead_position(tricks=[0, 1, 1]), "H7", "H8", **gains, his={"NO_TRICK": 0.2})[-1]
        == "but gives up the reward for no trick"
    )


def fourteen_position(scoring: str = "diamonds", **more: Any) -> np.void:
    """Fourteen for three: seat 0 is to play to ♥8 (which ♦6 and ♥6 make fourteen with)."""
    hands = {0: "D6 D9 H6 H9 HK", 1: "S2", 2: "S3"}
    return position("fourteen", 3, {"scoring": scoring}, hands=hands, trick="H8", leader=2, **more)


def test_f5_making_fourteen_turns_or_keeps_the_suit() -> None:
    assert reasons_for(fourteen_position(), "H6", "H9") == ["makes fourteen and keeps the suit"]
    assert reasons_for(fourteen_position(), "D6", "D9", his={"THIS_TRICK": 0.0}) == [
        "makes fourteen and changes the suit to ♦", "but may give a ♦ away",
    ]  # fmt: skip
    assert reasons_for(fourteen_position(), "H9", "HK") == []


def test_f7_trick_prize_is_counted_when_won() -> None:
    assert reasons_for(fourteen_position(), "HK", "H9", THIS_TRICK=0.7, PRIZE=1.4, TAKEN=1.4) == [
        "likely wins the trick with 2 ♦"
    ]
    assert reasons_for(fourteen_position(), "HK", "H9", THIS_TRICK=0.95, PRIZE=0.5, TAKEN=0.5) == ["wins the trick"]
    assert reasons_for(fourteen_position("tricks"), "HK", "H9", THIS_TRICK=0.95, TAKEN=2.0) == ["wins the trick"], (
        "♦ count for nothing"
    )


def test_later_captures_exclude_this_trick() -> None:
    assert reasons_for(fourteen_position(), "HK", "H9", PRIZE=1.0, TAKEN=1.5) == ["takes more ♦ later"]
    assert reasons_for(fourteen_position(), "HK", "H9", PRIZE=1.0, TAKEN=1.0) == []
    assert reasons_for(fourteen_position(), "HK", "H9", his={"PRIZE": 1.0, "TAKEN": 1.5}) == ["takes fewer ♦ later"]
    assert reasons_for(fourteen_position(), "D9", "HK", THIS_TRICK=0.3) == [
        "wins the trick more often (30%)",
        "but may give a ♦ away",
    ]
    assert reasons_for(fourteen_position(), "D9", "HK", THIS_TRICK=0.5, his={"THIS_TRICK": 0.5}) == []


def test_f10_bid_shows_how_often_it_is_met() -> None:
    state = fourteen_position("bid", bid=[3, 3, 3])
    assert reasons_for(state, "HK", "H9", BID_KEPT=0.5, his={"BID_KEPT": 0.3}) == ["makes your bid more often (50%)"]
    assert reasons_for(state, "HK", "H9", BID_KEPT=0.3, his={"BID_KEPT": 0.5}) == ["makes your bid less often (30%)"]
    assert reasons_for(fourteen_position(), "HK", "H9", BID_KEPT=0.5) == [], "nothing was bid"
    bidding = position("fourteen", 3, {"scoring": "bid"}, question="bid", to_act=[0])
    assert reasons_for(bidding, 3, 4, BID_KEPT=0.42) == ["makes the bid in 42% of the deals"]


@pytest.mark.parametrize(
    ("column", "more", "fewer", "good"),
    [
        ("OWN_SEVEN", "reaches seven ♦ more often", "reaches seven ♦ less often", True),
        ("OPPONENT_SEVEN", "lets your opponent reach seven ♦ more often", "keeps your opponent from seven ♦", False),
        ("OPPONENT_BARRED", "more likely to block your opponent", "less likely to block your opponent", True),
        ("OWN_BARRED", "more likely to be blocked", "less likely to be blocked", False),
        ("PILES_CONQUERED", "conquers more piles", "conquers fewer piles", True),
        ("PILES_LOST", "loses more piles", "loses fewer piles", False),
        ("CARDS_DUG", "digs more cards", "digs fewer cards", True),
        ("DIAMONDS_RAIDED", "raids more ♦", "raids fewer ♦", True),
        ("DIAMONDS_GIVEN", "gives up more ♦ to raids", "gives up fewer ♦ to raids", False),
    ],
)
def test_mines_effects_have_their_own_column_and_sign(column: str, more: str, fewer: str, good: bool) -> None:
    """Beside a sure gain, what is bad comes last and after a “but”."""
    state, beside = position("mines", 2), "PILES_CONQUERED" if column != "PILES_CONQUERED" else "CARDS_DUG"
    gain = {"PILES_CONQUERED": "conquers more piles", "CARDS_DUG": "digs more cards"}[beside]
    for counts, his, words, fine in (({column: 1.0}, {}, more, good), ({}, {column: 1.0}, fewer, not good)):
        said = reasons_for(state, 0, 1, his=his, **counts, **{beside: 9.0})
        assert set(said) == {gain, words if fine else f"but {words}"}
        assert fine or said[-1] == f"but {words}"
    assert reasons_for(state, 0, 1, **{column: 0.02}) == []
