"""Duplicate matches: several tables play the same cards, and players are compared with all who held the same hand.

In each deal a person sits at one table, in one seat, and has the hand of that seat; bots fill the other seats. A
movement lists for each deal its tables, and for each table its seats: the number of a person, or `BOT`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from diamonds.game import Game

BOT = -1
MAX_PEOPLE = 24
MAX_SEATS = 6
MAX_DEALS = 24

IntArray = npt.NDArray[np.int64]
Table = tuple[int, ...]
Deal = tuple[Table, ...]
Movement = tuple[Deal, ...]
# For each table of a deal, the results by seat, or `None` if the game was not finished.
DealResults = Sequence[Sequence[float] | None]

# Costs of the squared counts: of deals in a seat, at the same table, as partners, and with the same hand.
_SEAT_WEIGHT, _TABLE_WEIGHT, _PARTNER_WEIGHT, _HAND_WEIGHT = 40, 8, 8, 1
_RETRIES = 144
_SWAPS_PER_RETRY = 6


def table_count(people: int, seats: int) -> int:
    """Return the number of tables: enough for everyone, but at least two, because one table allows no comparison."""
    return max(2, -(-people // seats))


def hands_with_people(people: int, seats: int) -> int:
    """Return the number of hands that people hold: as few as possible.

    Fewer hands mean more people per hand, and less noise in comparisons: the mean over n - 1 others adds 1 / (n - 1) of
    one result's variance, about as much as one more result for every hand in use.
    """
    return -(-people // table_count(people, seats))


@lru_cache(maxsize=64)
def movement(people: int, seats: int, deals: int, partners: bool = False) -> Movement:
    """Return the seating for every deal.

    Everyone has each seat about equally often, and meets everyone about equally often: at the same table and, with
    partners, as a partner. The people who hold the same hand at other tables vary too. The result depends only on the
    arguments.
    """
    _check(people, seats, deals)
    return _Search(people, seats, deals, partners and seats in (4, 6)).run()


def _check(people: int, seats: int, deals: int) -> None:
    for name, value, least, most in (
        ("people", people, 2, MAX_PEOPLE),
        ("seats", seats, 2, MAX_SEATS),
        ("deals", deals, 1, MAX_DEALS),
    ):
        if not least <= value <= most:
            raise ValueError(f"{name} must be between {least} and {most}, not {value}")


class _Search:
    """A local search for a movement, which swaps people within a deal as long as that evens out the counts."""

    def __init__(self, people: int, seats: int, deals: int, partners: bool) -> None:
        self.people, self.seats, self.deals = people, seats, deals
        self.sides = seats // 2 if partners else 0
        self.tables = table_count(people, seats)
        self.random = random.Random(f"{people} {seats} {deals} {partners}")
        # For each deal, each person's table and seat.
        self.table = np.zeros((deals, people), np.int64)
        self.seat = np.zeros((deals, people), np.int64)
        self.in_seat = np.zeros((people, seats), np.int64)
        self.together = {name: np.zeros((people, people), np.int64) for name in self.weights()}

    def weights(self) -> dict[str, int]:
        """Return the weight of each grouping of people in a deal."""
        return {"table": _TABLE_WEIGHT, "hand": _HAND_WEIGHT} | ({"side": _PARTNER_WEIGHT} if self.sides else {})

    def run(self) -> Movement:
        for deal in range(self.deals):
            self.table[deal], self.seat[deal] = self.places(deal)
            self.improve(deal)
            self.count(deal, 1)
        for retry in range(_RETRIES):
            if self.is_even():
                break
            self.retry(retry % self.deals)
        return tuple(self.listed(deal) for deal in range(self.deals))

    def places(self, deal: int) -> tuple[IntArray, IntArray]:
        """Return places for people. Bots take all unused hands; the other bots sit at different tables."""
        used = [(deal + k) % self.seats for k in range(hands_with_people(self.people, self.seats))]
        left = self.tables * len(used) - self.people
        with_bot = {(table, used[table % len(used)]) for table in range(left)}
        found = [(table, seat) for table in range(self.tables) for seat in used if (table, seat) not in with_bot]
        self.shuffle(found)
        tables, seats = zip(*found, strict=True)
        return np.array(tables), np.array(seats)

    def shuffle(self, places: list[tuple[int, int]]) -> None:
        places.sort(key=lambda _: self.random.random())

    def groups(self, table: IntArray, seat: IntArray) -> dict[str, IntArray]:
        """Return each person's group in each grouping of a deal."""
        groups = {"table": table, "hand": seat}
        if self.sides:
            groups["side"] = table * self.sides + seat % self.sides
        return groups

    def count(self, deal: int, times: int) -> None:
        table, seat = self.table[deal], self.seat[deal]
        self.in_seat[np.arange(self.people), seat] += times
        for name, group in self.groups(table, seat).items():
            self.together[name] += times * (group[:, None] == group)

    def cost(self, table: IntArray, seat: IntArray) -> int:
        """Return how much a deal adds to the sum of all squared counts, which must not include it."""
        cost = _SEAT_WEIGHT * 2 * int(self.in_seat[np.arange(self.people), seat].sum())
        for name, group in self.groups(table, seat).items():
            same = group[:, None] == group
            np.fill_diagonal(same, False)
            cost += self.weights()[name] * int((self.together[name][same] * 2 + 1).sum()) // 2
        return cost

    def improve(self, deal: int) -> None:
        """Make the best swap of two people in a deal, then swaps of hands, until none helps. The counts exclude it."""
        table, seat = self.table[deal], self.seat[deal]
        while True:
            gains = self.swap_costs(table, seat)
            best = int(gains.argmin())
            if gains.flat[best] < 0:
                self.swap(table, seat, list(divmod(best, self.people)))
            elif not self.swap_hands(table, seat):
                return

    def swap(self, table: IntArray, seat: IntArray, people: list[int]) -> None:
        table[people], seat[people] = table[people[::-1]], seat[people[::-1]]

    def swap_costs(self, table: IntArray, seat: IntArray) -> IntArray:
        """Return for each pair of people the cost of swapping them."""
        mine = self.in_seat[:, seat]
        change = _SEAT_WEIGHT * _exchanged(mine)
        for name, group in self.groups(table, seat).items():
            together = self.together[name].copy()
            np.fill_diagonal(together, 0)
            same = group[:, None] == group
            with_group = together @ same
            change += self.weights()[name] * np.where(same, 0, _exchanged(with_group) - 2 * together)
        return change

    def swap_hands(self, table: IntArray, seat: IntArray) -> bool:
        """Swap two hands at all tables if that helps; return whether it did."""
        now = self.cost(table, seat)
        for one, other in combinations(range(self.seats), 2):
            swapped = np.where(seat == one, other, np.where(seat == other, one, seat))
            if self.cost(table, swapped) < now:
                seat[:] = swapped
                return True
        return False

    def retry(self, deal: int) -> None:
        """Swap a few people at random and improve the deal again; undo this if the result is worse."""
        self.count(deal, -1)
        table, seat = self.table[deal].copy(), self.seat[deal].copy()
        before = self.cost(table, seat)
        for _ in range(_SWAPS_PER_RETRY):
            self.swap(self.table[deal], self.seat[deal], [int(self.random.random() * self.people) for _ in range(2)])
        self.improve(deal)
        if self.cost(self.table[deal], self.seat[deal]) > before:
            self.table[deal], self.seat[deal] = table, seat
        self.count(deal, 1)

    def is_even(self) -> bool:
        pairs = ~np.eye(self.people, dtype=bool)
        evened = [
            np.ptp(self.in_seat, axis=1).max(),
            *(np.ptp(self.together[name][pairs]) for name in self.weights() if name != "hand"),
        ]
        return bool(max(evened) <= 1)

    def listed(self, deal: int) -> Deal:
        tables = [[BOT] * self.seats for _ in range(self.tables)]
        for person, (table, seat) in enumerate(zip(self.table[deal], self.seat[deal], strict=True)):
            tables[table][seat] = person
        return tuple(map(tuple, tables))


def _exchanged(values: IntArray) -> IntArray:
    """Return for each pair of rows how much their diagonal values gain if they exchange columns."""
    own = np.diagonal(values)
    return values + values.T - own[:, None] - own


class HandEntry(NamedTuple):
    """A person's result with a hand.

    `score` is the result minus the mean of the other people with this hand, or of the bots if there are none
    (`with_bots`); `None` if nobody else has finished with it.
    """

    person: int
    table: int
    result: float
    score: float | None
    with_bots: bool


class Hand(NamedTuple):
    """The hand of a seat in a deal, and the results of the people who held it, best first."""

    seat: int
    entries: tuple[HandEntry, ...]


class Standing(NamedTuple):
    """A person's place, by the sum of the scores; equal sums share a place.

    A deal without a score counts 0, which is the average.
    """

    person: int
    place: int
    score: float
    # The sum of the results of all finished games.
    result: float
    # The number of deals with a score.
    scored: int


class Scores(NamedTuple):
    """The standings of a match, best first, and for each deal the hands with results."""

    standings: tuple[Standing, ...]
    deals: tuple[tuple[Hand, ...], ...]


def seat_results(game: Game, result: Mapping[str, Any]) -> tuple[float, ...]:
    """Return each seat's result of a finished game: points or, in two-player games, 1 for a win and ½ for a draw."""
    if max(game.rules.SEATS) > 2:
        return tuple(result["scores"])
    winners = result["winners"]
    return tuple((seat in winners) / len(winners) for seat in range(len(result["scores"])))


def scores(movement: Movement, results: Sequence[DealResults]) -> Scores:
    """Score a match from the results of each deal's tables. Tables without results are left out of comparisons."""
    people = 1 + max(person for table in movement[0] for person in table)
    totals, sums, scored = [Fraction()] * people, [0.0] * people, [0] * people
    deals = []
    for deal, found in zip(movement, results, strict=True):
        hands = []
        for seat in range(len(deal[0])):
            entries = []
            for entry, score in _compare(seat, deal, found):
                entries.append(entry)
                sums[entry.person] += entry.result
                if score is not None:
                    totals[entry.person] += score
                    scored[entry.person] += 1
            if entries:
                hands.append(Hand(seat, tuple(sorted(entries, key=lambda entry: -entry.result))))
        deals.append(tuple(hands))
    order = sorted(range(people), key=lambda person: (-totals[person], person))
    standings = (
        Standing(
            person,
            1 + sum(total > totals[person] for total in totals),
            float(totals[person]),
            sums[person],
            scored[person],
        )
        for person in order
    )
    return Scores(tuple(standings), tuple(deals))


def _compare(seat: int, deal: Deal, results: DealResults) -> Iterator[tuple[HandEntry, Fraction | None]]:
    """Yield each person's entry for a hand, with the exact score."""
    finished = {table: Fraction(found[seat]) for table, found in enumerate(results) if found is not None}
    people = [table for table in finished if deal[table][seat] != BOT]
    with_bots = len(people) == 1 < len(finished)
    for table in people:
        others = [finished[other] for other in (finished if with_bots else people) if other != table]
        score = finished[table] - sum(others, Fraction()) / len(others) if others else None
        result = float(finished[table])
        yield HandEntry(deal[table][seat], table, result, None if score is None else float(score), with_bots), score
