"""Decisions of bots: the state from which a bot in a seat decides, and its random bits.

Both follow from the game alone, not from the time or the order of simultaneous answers, so anyone can repeat a bot's
answer and prove that it saw nothing else (``docs/records.md``).
"""

from __future__ import annotations

import hashlib

import numpy as np

from diamonds import fields
from diamonds.events import new_log
from diamonds.game import Game


def bot_bits(secret: bytes, seat: int, n: int) -> int:
    """Return the 64 random bits of a bot's answer; ``n`` is the number of effective answers the seat gave before."""
    text = f"{secret.hex()} bot {seat} at {n}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


class AskedQuestion:
    """The state when the open question was asked, and the answers given to it since.

    Several seats may be asked simultaneously. A seat's decision depends on its own answers, but not on those of others
    since the question.
    """

    __slots__ = ("_answers", "_state")

    def __init__(self, state: np.void) -> None:
        self._state = fields.copy_state(state)
        self._answers: tuple[tuple[int, int], ...] = ()

    def copy(self) -> AskedQuestion:
        """Return an independent copy."""
        other = AskedQuestion(self._state)
        other._answers = self._answers
        return other

    def note_answer(self, before: tuple[int, int, int], seat: int, number: int, state: np.void) -> None:
        """Record an answer that led to a state; ``before`` is the `question_key` before it."""
        question, deals, to_act = question_key(state)
        if (question, deals) == before[:2] and not to_act & ~before[2]:
            self._answers += ((seat, number),)
        else:
            self._state, self._answers = fields.copy_state(state), ()

    def state_for(self, game: Game, seat: int) -> np.void:
        """Return the state from which a seat decides."""
        state = fields.copy_state(self._state)
        for other, number in self._answers:
            if other == seat:
                game.rules.step(state, seat, number, new_log())
        return state


def question_key(state: np.void) -> tuple[int, int, int]:
    """Return the open question of a state: its number, the number of deals, and the seats to act as bits."""
    return int(state["question"]), int(state["deals"]), int(state["to_act"])
