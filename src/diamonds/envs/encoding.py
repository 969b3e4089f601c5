"""What all adapters share: observations, masks, rewards, and features for networks.

**Action**: the number of an answer to the open question (its place in ``Question.answers``). The same number means
different things to different questions; which question is open stands in the observation.

**Observation**: a flat ``int64`` array: the seat that looks, then its view with all that a perfect memory knows, field by
field as the game declares them (`diamonds.views.places`). Unseen reads −1; a set of cards is one number, a bit a card.
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
from diamonds.fields import CARD, CARDS, NOBODY, OWNER, OWNERS, SEAT, SEATS, SUIT, SUITS, TRICK, Field
from diamonds.game import Game, Malformed, shown
from diamonds.views import Curtain as Curtain

Ints = npt.NDArray[np.int64]

REWARDS = ("win", "margin", "score")
WIN, MARGIN, SCORE = range(len(REWARDS))

# No game has more (F12). Frameworks want to know it, and adapters cut off there.
MOST_ANSWERS = records.MAX_ANSWERS


def actions(game: Game) -> int:
    """How many actions there are: the most answers that any question has (60, 52 or 53)."""
    return max(len(question.answers) for question in game.questions)


def reward_kind(name: str) -> int:
    """The number of a kind of reward, or `Malformed` with those there are."""
    if name not in REWARDS:
        raise Malformed("env-reward", either=list(REWARDS), given=shown(name))
    return REWARDS.index(name)


# The next function is compiled for batches and runs as it stands elsewhere.


def pay(kind: int, scores: Any, places: Any, teams: Any, seats: int, paid: Any) -> None:
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
        [int(of(state, seat)) for seat in range(seats)] for of in (rules.score, rules.place, rules.team)
    )
    pay(kind, scores, places, teams, seats, paid)
    return [float(amount) for amount in paid]


# Observations


@lru_cache(maxsize=8)
def observation_type(game: Game) -> np.dtype[np.void]:
    """An observation as a structured row: ``seat``, then the game's fields."""
    return np.dtype([("seat", np.int64), *((f.name, np.int64, f.shape) for f in game.fields)])


def width(game: Game) -> int:
    """How many numbers an observation has."""
    return 1 + game.dtype.itemsize // 8


def bounds(game: Game) -> tuple[int, int]:
    """The least and the most that an observation's numbers can be."""
    return -1, (1 << 4 * game.ranks) - 1


def text(game: Game, row: np.void) -> str:
    """A view, or a whole state, one field a line: for people who debug."""
    return "\n".join(f"{name}: {value}" for name, value in views.as_data(game, row).items())


def row_of(game: Game, observation: Ints) -> np.void:
    """The view inside an observation, as bots take it."""
    return np.frombuffer(bytearray(observation[1:].tobytes()), game.dtype)[0]  # type: ignore[no-any-return]


def mask_of(game: Game, legal: int) -> npt.NDArray[np.int8]:
    """Legal answers, from bits to one ``int8`` an action."""
    bits = np.unpackbits(np.frombuffer(legal.to_bytes(8, "little"), np.uint8), bitorder="little")
    return bits[: actions(game)].view(np.int8)


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
            for which, value in enumerate(each):
                kinds[kind].append((len(self.names), column, which))
                self.names.append(f"{name} {value}".strip())

        def add_field(field: Field, column: int, name: str) -> None:
            of = {CARD: game.names, TRICK: game.names, CARDS: game.names, SUIT: "DHSC", SUITS: "DHSC"}
            if field.name == "question":
                add("one", column, name, [question.name for question in game.questions])
            elif field.name == "to_act":
                add("member", column, name, range(seats))
            elif field.kind == SEAT:
                add("one", column, name, range(seats))
            elif field.kind in (CARDS, SUITS):
                add("member", column, name, of[field.kind])
            elif field.kind in of:
                add("one", column, name, of[field.kind])
            else:
                add("number", column, name)

        add("one", 0, "seat", range(seats))
        for field, start, _ in views.places(game):
            if field.who == NOBODY and not field.once and not field.remembered:
                continue
            if field.who == OWNER and not field.once:
                add_field(field, width(game) + len(self._own), field.name)
                self._own.append(slice(1 + start, 1 + start + seats))
                continue
            if field.kind == OWNERS:
                for k in range(field.places):
                    for seat in range(seats):
                        kinds["member"].append((len(self.names), 1 + start + seat, k))
                        self.names.append(f"{field.name}[{k}] {seat}")
                continue
            over_seats = field.kind != TRICK and field.shape[:1] == (SEATS,)
            shape = (seats, *field.shape[1:]) if over_seats else field.shape
            for place in np.ndindex(shape):
                at = start + int(np.ravel_multi_index(place, field.shape)) if place else start
                add_field(field, 1 + at, field.name + "".join(f"[{k}]" for k in place))
        self.size = len(self.names)
        self.low, self.high = np.zeros(self.size, np.float32), np.ones(self.size, np.float32)
        for number, _, _ in kinds[
            "number"
        ]:  # fourteen counts 500 hands, mines every turn: no count exceeds the answers
            self.low[number], self.high[number] = -1, MOST_ANSWERS
        self._number, self._member, self._one = (np.array(kinds[k], np.intp).T for k in ("number", "member", "one"))

    def __call__(self, observations: Ints) -> npt.NDArray[np.float32]:
        """An array with the features of each observation along its last axis."""
        # Of the entries of a private field all but the own are −1, which leaves the own when they are AND-ed together.
        own = [np.bitwise_and.reduce(observations[..., part], axis=-1)[..., None] for part in self._own]
        seen = np.concatenate([observations, *own], axis=-1)
        found = np.empty((*seen.shape[:-1], self.size), np.float32)
        to, column, _ = self._number
        found[..., to] = seen[..., column]
        to, column, which = self._one
        found[..., to] = seen[..., column] == which
        to, column, which = self._member
        sets = seen[..., column]
        found[..., to] = np.where(sets == -1, 0, sets) >> which & 1
        return found
