"""The encoding shared by all adapters: actions, plain observations and rewards.

**Action**: the number of an answer to the open question (its index in ``Question.answers``). The same number means
different things in different questions; the observation has the open question.

**Observation**: a flat ``int64`` array: the number of the viewing seat, then its view with everything that a perfect
memory knows, field by field as the game declares them (`diamonds.views.field_offsets`). Hidden values are −1; a set of
cards is one number, with a bit for each card. ``observation.view(observation_dtype(game))`` gives the fields by name. A
seat knows nothing else (R2). Networks get planes made from it (`diamonds.envs.planes`).

**Rewards** are paid to every seat when the game ends; before, they are 0:

* ``win``: every seat stakes 1 and the winners share the stakes: alone against three, a win is +3, a loss −1, and a
  victory shared by all 0. Sums to 0.
* ``margin``: own score minus the mean of the other teams'. Sums to 0.
* ``score``: the score by the rules. (In mines that is the number of ♦ held, which does not decide who wins.)
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from diamonds import records, views
from diamonds.errors import InvalidInputError, quote_value
from diamonds.game import Game

Ints = npt.NDArray[np.int64]

REWARDS = ("win", "margin", "score")
WIN, MARGIN, SCORE = range(len(REWARDS))

# No game has more answers (F12). Frameworks ask for a limit, and adapters cut games off there.
MAX_ANSWERS = records.MAX_ANSWERS


def action_count(game: Game) -> int:
    """Return the number of actions: the largest number of answers to a question (60, 52 or 53)."""
    return max(len(question.answers) for question in game.questions)


def reward_kind(name: str) -> int:
    """Return the number of a kind of reward, or raise `InvalidInputError` with the known kinds."""
    if name not in REWARDS:
        raise InvalidInputError("env-reward", either=list(REWARDS), given=quote_value(name))
    return REWARDS.index(name)


# This function is compiled for batches and interpreted elsewhere.


def write_rewards(kind: int, scores: Any, places: Any, teams: Any, seats: int, paid: Any) -> None:
    """Write every seat's reward, from all scores, places (0 for winners) and teams."""
    winners = 0
    for seat in range(seats):
        if places[seat] == 0:
            winners += 1
    for seat in range(seats):
        if kind == WIN:
            paid[seat] = seats / winners - 1.0 if places[seat] == 0 else -1.0
        elif kind == MARGIN:
            others, total = 0, 0
            for other in range(seats):
                if teams[other] != teams[seat]:
                    others += 1
                    total += scores[other]
            paid[seat] = scores[seat] - total / others
        else:
            paid[seat] = scores[seat]


def rewards(game: Game, state: np.void, kind: int) -> list[float]:
    """Return every seat's reward in a state: final when the game is over."""
    seats, rules = int(state["seats"]), game.rules
    paid = [0.0] * seats
    scores, places, teams = (
        [int(rule(state, seat)) for seat in range(seats)] for rule in (rules.score, rules.seats_ahead, rules.team)
    )
    write_rewards(kind, scores, places, teams, seats, paid)
    return [float(amount) for amount in paid]


# Observations


@lru_cache(maxsize=8)
def observation_dtype(game: Game) -> np.dtype[np.void]:
    """Return the dtype of an observation as a structured row: ``seat``, then the game's fields."""
    return np.dtype([("seat", np.int64), *((f.name, np.int64, f.shape) for f in game.fields)])


def observation_size(game: Game) -> int:
    """Return the number of values in an observation."""
    return 1 + game.dtype.itemsize // 8


def observation_bounds(game: Game) -> tuple[int, int]:
    """Return the bounds of an observation's values."""
    return -1, (1 << 4 * game.ranks) - 1


def render_text(game: Game, row: np.void) -> str:
    """Return a view or a whole state as text for debugging, one field per line."""
    return "\n".join(f"{name}: {value}" for name, value in views.view_data(game, row).items())


def row_of(game: Game, observation: Ints) -> np.void:
    """Return the view inside an observation, in the form that bots take."""
    return np.frombuffer(bytearray(observation[1:].tobytes()), game.dtype)[0]  # type: ignore[no-any-return]


def action_mask(game: Game, legal: int) -> npt.NDArray[np.int8]:
    """Return a mask of legal answers, given as bits: one ``int8`` per action."""
    bits = np.unpackbits(np.frombuffer(legal.to_bytes(8, "little"), np.uint8), bitorder="little")
    return bits[: action_count(game)].view(np.int8)
