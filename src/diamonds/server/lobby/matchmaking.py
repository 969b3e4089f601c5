"""Who plays with whom: from what people would play to the tables that are made for them. Nothing here waits, draws or remembers.

Whoever has waited longest is seated first, with those who have waited longest of all who would play the same. A younger seek
keeps itself free for an older one that it could sit with, for a quarter of the time for which that has waited, and for a minute at
most: so whoever is hard to please is not passed over for ever by people who are easy to.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from diamonds.server.api.tables import BotSpeed

MAX_HOLD_S = 60.0  # seconds for which a seek keeps itself free at most
HOLD_SHARE = 0.25  # … of the time for which the other one has waited
MAX_GROUP_TRIES = (
    2_000  # ways to put people together that are looked at for one table: more are there only where many are blocked
)

AreApart = Callable[[str, str], bool]


class GameOffer(NamedTuple):
    """What can be played at one table."""

    game: str
    seats: int
    bot_speed: BotSpeed
    time_control: str = "none"


class Seek(NamedTuple):
    """What one person would play, what they like best first, and since when; from ``bots_at`` on bots may have the other seats."""

    person: str
    offers: tuple[GameOffer, ...]
    since: float
    bots_at: float = math.inf


class Pairing(NamedTuple):
    """A table to be made: who sits there, the longest waiting first. What is left of its seats is for bots."""

    offer: GameOffer
    people: tuple[str, ...]


class SeekQueue:
    """Who would play one kind, the longest waiting first. Whoever is ``taken`` drops out, and is forgotten when half of them have."""

    __slots__ = ("_people", "_taken", "count")

    def __init__(self, taken: set[str]) -> None:
        self._people: list[Seek] = []
        self._taken = taken
        self.count = 0  # who is still there

    def __iter__(self) -> Iterator[Seek]:
        if 2 * self.count < len(self._people):
            self._people = [seek for seek in self._people if seek.person not in self._taken]
        return (seek for seek in self._people if seek.person not in self._taken)

    def add(self, seek: Seek) -> None:
        """One more."""
        self._people.append(seek)
        self.count += 1


def pair_seeks(seeks: Collection[Seek], now: float, are_apart: AreApart = lambda one, other: False) -> list[Pairing]:
    """All tables that can be made now. ``apart`` says of two people that they do not play together; of each there is one seek."""
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
    """For one after the other, a table with people alone: the largest that there is, of these what they like best."""
    passed_over: list[Seek] = []
    held_free: set[str] = set()  # who keeps free for somebody who was passed over

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
    """Who has waited longest comes first; who came at the same moment, in an order of no meaning."""
    return seek.since, seek.person


def _tables_with_bots(
    waiting: Sequence[Seek], queues: dict[GameOffer, SeekQueue], taken: set[str], now: float, are_apart: AreApart
) -> Iterable[Pairing]:
    """Whose time is up sits down with bots, and takes along whoever would have bots too, sooner or later: the most people first."""
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
    """Whether a seek need not keep itself free for one of those, the oldest first, who have waited longer and found nobody."""
    waited = now - seek.since
    for elder in passed:
        if waited >= min((now - elder.since) * HOLD_SHARE, MAX_HOLD_S):
            return True  # nor for any after that one
        if (
            elder.person != seek.person
            and not set(elder.offers).isdisjoint(seek.offers)
            and not are_apart(elder.person, seek.person)
        ):
            return False
    return True


def _compatible_group(first: Seek, others: Iterable[Seek], seats: int, are_apart: AreApart) -> list[Seek]:
    """Somebody with as many others as there are seats, those first that stand first; empty if no such company is found."""
    seen, group = [], [first]
    for other in others:  # nearly always the first who come fit each other
        seen.append(other)
        if not any(are_apart(other.person, member.person) for member in group):
            group.append(other)
            if len(group) == seats:
                return group
    return _search_group(first, seen, seats, are_apart) if len(seen) >= seats - 1 else []


def _search_group(first: Seek, others: Sequence[Seek], seats: int, are_apart: AreApart) -> list[Seek]:
    """The same where who comes first does not fit the others."""
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
