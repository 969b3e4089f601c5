"""The encoding shared by all adapters: actions, observations, features and rewards.

**Action**: the number of an answer to the open question (its index in ``Question.answers``). The same number means
different things in different questions; the observation has the open question.

**Observation**: a flat ``int64`` array: the number of the viewing seat, then its view with everything that a perfect
memory knows, field by field as the game declares them (`diamonds.views.field_offsets`). Hidden values are −1; a set of
cards is one number, with a bit for each card. ``observation.view(observation_dtype(game))`` gives the fields by name. A
seat knows nothing else (R2).

**Features**: the same as ``float32`` for a network, with sets and names spread out into zeros and ones.

**Rewards** are paid to every seat when the game ends; before, they are 0:

* ``win``: every seat stakes 1 and the winners share the stakes: alone against three, a win is +3 and a loss −1, and a
  game that all share is 0. Sums to 0.
* ``margin``: own score less the mean of the other teams'. Sums to 0.
* ``score``: the score by the rules. (In mines that is the number of ♦ held, which does not decide who wins.)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from diamonds import records, views
from diamonds.errors import InvalidInputError, quote_value
from diamonds.fields import CARD, CARDS, MAX_SEATS, NOBODY, OWNER, PILE_OWNERS, SEAT, SUIT, SUITS, TRICK, Field
from diamonds.game import Game

Ints = npt.NDArray[np.int64]

REWARDS = ("win", "margin", "score")
WIN, MARGIN, SCORE = range(len(REWARDS))

# No game has more (F12). Frameworks ask for the limit, and adapters cut games off there.
MAX_ANSWERS = records.MAX_ANSWERS


def action_count(game: Game) -> int:
    """Return the number of actions: the most answers of any question (60, 52 or 53)."""
    return max(len(question.answers) for question in game.questions)


def reward_kind(name: str) -> int:
    """Return the number of a kind of reward, or raise `InvalidInputError` with the known kinds."""
    if name not in REWARDS:
        raise InvalidInputError("env-reward", either=list(REWARDS), given=quote_value(name))
    return REWARDS.index(name)


# Compiled for batches, interpreted elsewhere.


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
    """Return a view, or a whole state, as text for debugging, one field a line."""
    return "\n".join(f"{name}: {value}" for name, value in views.view_data(game, row).items())


def row_of(game: Game, observation: Ints) -> np.void:
    """Return the view inside an observation, the form that bots take."""
    return np.frombuffer(bytearray(observation[1:].tobytes()), game.dtype)[0]  # type: ignore[no-any-return]


def action_mask(game: Game, legal: int) -> npt.NDArray[np.int8]:
    """Return a mask of legal answers, one ``int8`` an action, from bits."""
    bits = np.unpackbits(np.frombuffer(legal.to_bytes(8, "little"), np.uint8), bitorder="little")
    return bits[: action_count(game)].view(np.int8)


# Features


class FeatureEncoder:
    """Observations as ``float32`` for a network: ``features(observations)`` takes one or any array of them.

    Numbers and flags stay unchanged (hidden: −1). A card, a suit, a seat and the question become one of many (hidden or
    none: all 0); a set becomes a 0 or 1 for each member. A field that only its owner ever sees has just the viewer's
    entry, and fields that nobody sees are left out. ``names`` describes each feature; ``low`` and ``high`` are its
    bounds.
    """

    def __init__(self, game: Game, seats: int) -> None:
        self.names: list[str] = []
        self._own: list[slice] = []  # fields of which only the viewer's entry is visible; they follow the observation
        kinds: dict[str, list[tuple[int, int, int]]] = {
            "number": [],
            "member": [],
            "one": [],
        }  # by kind: feature, column, member

        def add(kind: str, column: int, name: str, each: Sequence[object] = ("",)) -> None:
            for member, value in enumerate(each):
                kinds[kind].append((len(self.names), column, member))
                self.names.append(f"{name} {value}".strip())

        def add_field(field: Field, column: int, name: str) -> None:
            card_names = {
                CARD: game.card_names,
                TRICK: game.card_names,
                CARDS: game.card_names,
                SUIT: "DHSC",
                SUITS: "DHSC",
            }
            if field.name == "question":
                add("one", column, name, [question.name for question in game.questions])
            elif field.name == "to_act":
                add("member", column, name, range(seats))
            elif field.kind == SEAT:
                add("one", column, name, range(seats))
            elif field.kind in (CARDS, SUITS):
                add("member", column, name, card_names[field.kind])
            elif field.kind in card_names:
                add("one", column, name, card_names[field.kind])
            else:
                add("number", column, name)

        add("one", 0, "seat", range(seats))
        for field, start, _ in views.field_offsets(game):
            if field.visibility == NOBODY and not field.revealed_by and not field.perfect_recall:
                continue
            if field.visibility == OWNER and not field.revealed_by:
                add_field(field, observation_size(game) + len(self._own), field.name)
                self._own.append(slice(1 + start, 1 + start + seats))
                continue
            if field.kind == PILE_OWNERS:
                for k in range(field.pile_count):
                    for seat in range(seats):
                        kinds["member"].append((len(self.names), 1 + start + seat, k))
                        self.names.append(f"{field.name}[{k}] {seat}")
                continue
            over_seats = field.kind != TRICK and field.shape[:1] == (MAX_SEATS,)
            shape = (seats, *field.shape[1:]) if over_seats else field.shape
            for place in np.ndindex(shape):
                at = start + int(np.ravel_multi_index(place, field.shape)) if place else start
                add_field(field, 1 + at, field.name + "".join(f"[{k}]" for k in place))
        self.size = len(self.names)
        self.low, self.high = np.zeros(self.size, np.float32), np.ones(self.size, np.float32)
        for number, _, _ in kinds[
            "number"
        ]:  # fourteen counts 500 hands, mines every turn: no count exceeds the answers
            self.low[number], self.high[number] = -1, MAX_ANSWERS
        self._number, self._member, self._one = (np.array(kinds[k], np.intp).T for k in ("number", "member", "one"))

    def __call__(self, observations: Ints) -> npt.NDArray[np.float32]:
        """Return an array with the features of each observation along its last axis."""
        # In a private field all entries but the viewer's are −1, so AND-ing them together leaves the viewer's.
        own = [np.bitwise_and.reduce(observations[..., part], axis=-1)[..., None] for part in self._own]
        columns = np.concatenate([observations, *own], axis=-1)
        result = np.empty((*columns.shape[:-1], self.size), np.float32)
        to, column, _ = self._number
        result[..., to] = columns[..., column]
        to, column, member = self._one
        result[..., to] = columns[..., column] == member
        to, column, member = self._member
        sets = columns[..., column]
        result[..., to] = np.where(sets == -1, 0, sets) >> member & 1
        return result
