"""Positions of mines for tests: the seat to act, its question, and the owner of each pile."""

from __future__ import annotations

from typing import Any

import numpy as np

from diamonds import cards
from tests.support.positions import play_answers, position

# M1: the neighbours of each pile, as seen on the table.
ADJACENT_PILES = {
    0: {1, 4, 5}, 1: {0, 2, 5, 6}, 2: {1, 3, 6, 7}, 3: {2, 7, 8}, 4: {0, 5, 9}, 5: {0, 1, 4, 6, 9, 10},
    6: {1, 2, 5, 7, 10, 11}, 7: {2, 3, 6, 8, 11, 12}, 8: {3, 7, 12}, 9: {4, 5, 10}, 10: {5, 6, 9, 11},
    11: {6, 7, 10, 12}, 12: {7, 8, 11},
}  # fmt: skip
ACE_HIGH_RANKS = {rank: k for k, rank in enumerate((*"23456789", "10", *"JQKA"), 2)}  # M8


def mines_position(
    question: str = "turn", seat: int = 0, own_piles: str = "0", other_piles: str = "12", **more: Any
) -> np.void:
    """Return a position in which ``seat`` is asked a question and the piles have these owners.

    Unnamed piles are unclaimed. Both players hold a ♣ unless ``hands`` says otherwise, so that neither is barred by
    accident (M11).
    """
    owner = dict.fromkeys(range(13), -1)
    owner |= {int(pile): seat for pile in own_piles.split()} | {int(pile): 1 - seat for pile in other_piles.split()}
    more.setdefault("hands", {seat: "CK", 1 - seat: "CQ"})
    return position("mines", 2, question=question, to_act=[seat], turn=seat, owner=owner, **more)


def piles_owned_by(state: np.void, seat: int) -> list[int]:
    return list(cards.iter_bits(state["owner"][seat]))


def bare_position(question: str = "turn", seat: int = 0, piles: dict[int, str] | None = None, **more: Any) -> np.void:
    """Return the same position with unnamed piles exhausted, so that the test decides which are in reach (M11)."""
    return mines_position(question, seat, piles=dict.fromkeys(range(13), "") | (piles or {}), **more)


def under_attack(seat: int = 0, attacker: str = "C9 C5 DK", defender: str = "H9 C2 D5", **more: Any) -> np.void:
    """Return a position in which the other player defends pile 1 against ♣9."""
    state = mines_position("fight", seat, other_piles="1 4 12", hands={seat: attacker, 1 - seat: defender}, **more)
    play_answers(state, f"{seat} fight 1", f"{seat} fight_card C9")
    return state
