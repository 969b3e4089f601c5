"""Matchmaking: from seeks to tables. Pure functions without waiting, randomness or state.

The person who has waited longest is seated first, together with the longest waiting of all who would play the same. A
newer seek is held back for an older, compatible one, for a quarter of the older one's waiting time but at most a
minute. So people with few preferences do not forever overtake people with many.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from diamonds.server.api.tables import BotSpeed

MAX_HOLD_S = 60.0  # longest time that a seek is held back
HOLD_SHARE = 0.25  # share of the older seek's waiting time
MAX_GROUP_TRIES = 2_000  # limit of groups tried per table, only reached if people have many blocks

AreApart = Callable[[str, str], bool]


class GameOffer(NamedTuple):
    """A kind of table: game, seats, bot speed and time control."""

    game: str
    seats: int
    bot_speed: BotSpeed
    time_control: str = "none"


class Seek(NamedTuple):
    """One person's seek: its start, and offers in order of preference. From `bots_at`, bots may fill other seats."""

    person: str
    offers: tuple[GameOffer, ...]
    since: float
    bots_at: float = math.inf


class Pairing(NamedTuple):
    """A table to create, with its people, longest waiting first. Bots take the remaining seats."""

    offer: GameOffer
    people: tuple[str, ...]


class SeekQueue:
    """The seeks for one offer, longest waiting first.

    Seeks already taken are skipped, and removed once they are the majority.
    """

    __slots__ = ("_people", "_taken", "count")

    def __init__(self, taken: set[str]) -> None:
        self._people: list[Seek] = []
        self._taken = taken
        self.count = 0  # seeks not yet taken

    def __iter__(self) -> Iterator[Seek]:
        if 2 * self.count < len(self._people):
            self._people = [seek for seek in self._people if seek.person not in self._taken]
        return (seek for seek in self._people if seek.person not in self._taken)

    def add(self, seek: Seek) -> None:
        self._people.append(seek)
        self.count += 1


def pair_seeks(seeks: Collection[Seek], now: float, are_apart: AreApart = lambda one, other: False) -> list[Pairing]:
    """Return all tables that can be created now.

    `are_apart` returns whether two people must not meet. Each person has one seek.
    """
    waiting = sorted(seeks, key=_waiting_order)
    taken: set[str] = set()
    queues: dict[GameOffer, SeekQueue] = {}
    for seek in waiting:
        for offer in seek.offers:
            if offer not in queues:
                queues[offer] = SeekQueue(taken)
            queues[offer].add(seek)
    return [
        *_full_tables(waiting, queues, taken, now, are_apart),
        *_tables_with_bots(waiting, queues, taken, now, are_apart),
    ]


def _full_tables(
    waiting: Sequence[Seek], queues: dict[GameOffer, SeekQueue], taken: set[str], now: float, are_apart: AreApart
) -> Iterable[Pairing]:
    """Yield tables without bots, for each seek in turn: the largest table possible, then the preferred offer."""
    passed_over: list[Seek] = []
    held_free: set[str] = set()  # people held back for someone who was passed over

    def is_eligible(seek: Seek) -> bool:
        if seek.person in taken or seek.person in held_free:
            return False
        if _may_pair(seek, passed_over, now, are_apart):
            return True
        held_free.add(seek.person)
        return False

    for seek in waiting:
        if seek.person in taken:
            continue
        for offer in sorted(seek.offers, key=lambda offer: -offer.seats):
            if queues[offer].count < offer.seats or not is_eligible(seek):
                continue
            others = (other for other in queues[offer] if other.person != seek.person and is_eligible(other))
            people = _compatible_group(seek, others, offer.seats, are_apart)
            if people:
                pairing = _pairing(offer, people)
                taken.update(pairing.people)
                for member in people:
                    for offered in member.offers:
                        queues[offered].count -= 1
                yield pairing
                break
        else:
            passed_over.append(seek)


def _pairing(offer: GameOffer, people: Iterable[Seek]) -> Pairing:
    return Pairing(offer, tuple(seek.person for seek in sorted(people, key=_waiting_order)))


def _waiting_order(seek: Seek) -> tuple[float, str]:
    """Return the sort key by waiting time; the person id breaks ties."""
    return seek.since, seek.person


def _tables_with_bots(
    waiting: Sequence[Seek], queues: dict[GameOffer, SeekQueue], taken: set[str], now: float, are_apart: AreApart
) -> Iterable[Pairing]:
    """Seat people whose time is up with bots and others who accept bots; the offer with the most people comes first."""
    for seek in waiting:
        if seek.person in taken or seek.bots_at > now:
            continue
        best: tuple[GameOffer, list[Seek]] | None = None
        for offer in seek.offers:
            people = [seek]
            for other in queues[offer]:
                fits = other.person not in taken and other.person != seek.person and other.bots_at < math.inf
                if (
                    fits
                    and len(people) < offer.seats
                    and not any(are_apart(other.person, member.person) for member in people)
                ):
                    people.append(other)
            if best is None or len(people) > len(best[1]):
                best = offer, people
        if best is not None:
            pairing = _pairing(*best)
            taken.update(pairing.people)
            yield pairing


def _may_pair(seek: Seek, passed: Iterable[Seek], now: float, are_apart: AreApart) -> bool:
    """Return whether a seek may be paired before these older, unmatched ones (oldest first)."""
    waited = now - seek.since
    for elder in passed:
        if waited >= min((now - elder.since) * HOLD_SHARE, MAX_HOLD_S):
            return True  # all following ones are newer
        if (
            elder.person != seek.person
            and not set(elder.offers).isdisjoint(seek.offers)
            and not are_apart(elder.person, seek.person)
        ):
            return False
    return True


def _compatible_group(first: Seek, others: Iterable[Seek], seats: int, are_apart: AreApart) -> list[Seek]:
    """Return `first` with enough compatible others, earliest first; empty if there are too few."""
    seen, group = [], [first]
    for other in others:  # the first others are almost always compatible
        seen.append(other)
        if not any(are_apart(other.person, member.person) for member in group):
            group.append(other)
            if len(group) == seats:
                return group
    return _search_group(first, seen, seats, are_apart) if len(seen) >= seats - 1 else []


def _search_group(first: Seek, others: Sequence[Seek], seats: int, are_apart: AreApart) -> list[Seek]:
    """Return a compatible group found by backtracking, or an empty list."""
    tries = MAX_GROUP_TRIES

    def fill(group: list[Seek], first_index: int) -> list[Seek]:
        nonlocal tries
        if len(group) == seats:
            return group
        for k in range(first_index, len(others)):
            tries -= 1
            if tries < 0 or len(others) - k < seats - len(group):
                return []
            if not any(are_apart(others[k].person, member.person) for member in group):
                group_found = fill([*group, others[k]], k + 1)
                if group_found:
                    return group_found
        return []

    return fill([first], 0)
