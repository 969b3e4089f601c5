"""Positions of mines for tests: the seat to act, its question, and the owner of each pile."""

from __future__ import annotations

from typing import Any

import numpy as np

from diamonds import cards
from tests.support.positions import play_answers, position


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
