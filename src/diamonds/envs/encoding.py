"""What all adapters share: observations, masks, rewards, and features for networks.

**Action**: the number of an answer to the open question (its place in ``Question.answers``). The same number means
different things to different questions; which question is open stands in the observation.

**Observation**: a flat ``int64`` array: the seat that looks, then its view with all that a perfect memory knows, field by
field as the game declares them (`diamonds.views.field_offsets`). Unseen reads −1; a set of cards is one number, a bit a card.
``observation.view(observation_type(game))`` gives the fields by name. Nothing else is known to a seat (R2).

**Features**: the same as ``float32`` for a network, sets and names spread out into zeros and ones.

**Rewards**, paid to every seat when the game ends and 0 before:

* ``win``: everyone stakes 1 and the winners share the stakes, so alone against three it is +3 or −1, and a game that all
  share is 0. Sums to 0.
* ``margin``: the own score less the mean of the other teams'. Sums to 0.
* ``score``: the score as the rules have it. (In mines that is ♦ held, which does not say who won.)
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

# No game has more (F12). Frameworks want to know it, and adapters cut off there.
MAX_ANSWERS = records.MAX_ANSWERS


def action_count(game: Game) -> int:
    """How many actions there are: the most answers that any question has (60, 52 or 53)."""
    return max(len(question.answers) for question in game.questions)


def reward_kind(name: str) -> int:
    """The number of a kind of reward, or `InvalidInputError` with those there are."""
    if name not in REWARDS:
        raise InvalidInputError("env-reward", either=list(REWARDS), given=quote_value(name))
    return REWARDS.index(name)


# The next function is compiled for batches and runs as it stands elsewhere.


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
    """Every seat's reward as the state stands: final when the game is over."""
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
    """An observation as a structured row: ``seat``, then the game's fields."""
    return np.dtype([("seat", np.int64), *((f.name, np.int64, f.shape) for f in game.fields)])


def observation_size(game: Game) -> int:
    """How many numbers an observation has."""
    return 1 + game.dtype.itemsize // 8


def observation_bounds(game: Game) -> tuple[int, int]:
    """The least and the most that an observation's numbers can be."""
    return -1, (1 << 4 * game.ranks) - 1


def render_text(game: Game, row: np.void) -> str:
    """A view, or a whole state, one field a line: for people who debug."""
    return "\n".join(f"{name}: {value}" for name, value in views.view_data(game, row).items())


def row_of(game: Game, observation: Ints) -> np.void:
    """The view inside an observation, as bots take it."""
    return np.frombuffer(bytearray(observation[1:].tobytes()), game.dtype)[0]  # type: ignore[no-any-return]


def action_mask(game: Game, legal: int) -> npt.NDArray[np.int8]:
    """Legal answers, from bits to one ``int8`` an action."""
    bits = np.unpackbits(np.frombuffer(legal.to_bytes(8, "little"), np.uint8), bitorder="little")
    return bits[: action_count(game)].view(np.int8)


# Features


class Features:
    """Observations as ``float32`` for a network: ``features(observations)`` works on one or on any array of them.

    Numbers and flags stay as they are (unseen: −1). A card, a suit, a seat, the question become one of many (unseen or
    none: all 0); a set becomes a 0 or 1 for each member. Of fields that only their owner ever sees there is the own entry
    alone, and fields that nobody sees are left out. ``names`` says what each feature is; ``low`` and ``high`` bound each.
    """

    def __init__(self, game: Game, seats: int) -> None:
        self.names: list[str] = []
        self._own: list[slice] = []  # fields of which only the own entry is seen; they follow the observation
        kinds: dict[str, list[tuple[int, int, int]]] = {"number": [], "member": [], "one": []}  # feature, column, which

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
        """An array with the features of each observation along its last axis."""
        # Of the entries of a private field all but the own are −1, which leaves the own when they are AND-ed together.
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
