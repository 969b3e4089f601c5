"""Positions of mines for tests: the seat to act, its question, and the owner of each pile."""

from __future__ import annotations

from typing import Any

import numpy as np

from diamonds import cards
from tests.support.positions import position


def mines_position(
    question: str = "turn", seat: int = 0, own_piles: str = "0", other_piles: str = "12", **more: Any
) -> np.void:
    """Return a position in which ``seat`` is asked a question and the piles have these owners.

    Unnamed piles are unclaimed. Both hold a ♣ unless ``hands`` says otherwise, so neither is barred by chance (M11).
    """
    owner = dict.fromkeys(range(13), -1)
    owner |= {int(pile): seat for pile in own_piles.split()} | {int(pile): 1 - seat for pile in other_piles.split()}
    more.setdefault("hands", {seat: "CK", 1 - seat: "CQ"})
    return position("mines", 2, question=question, to_act=[seat], turn=seat, owner=owner, **more)


def piles_owned_by(state: np.void, seat: int) -> list[int]:
    return list(cards.iter_bits(state["owner"][seat]))


def bare_position(question: str = "turn", seat: int = 0, piles: dict[int, str] | None = None, **more: Any) -> np.void:
    """Return the same position with every unnamed pile exhausted, so the test decides which piles are in reach (M11)."""
    return mines_position(question, seat, piles=dict.fromkeys(range(13), "") | (piles or {}), **more)
