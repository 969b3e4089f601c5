"""Who plays with whom: from what people would play to the tables that are made for them. Nothing here waits, draws or remembers.

Whoever has waited longest is seated first, with those who have waited longest of all who would play the same. A younger seek
keeps itself free for an older one that it could sit with, for a quarter of the time for which that has waited, and for a minute at
most: so whoever is hard to please is not passed over for ever by people who are easy to.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

PATIENCE = 60.0  # seconds for which a seek keeps itself free at most
SHARE = 0.25  # … of the time for which the other one has waited
TRIES = (
    2_000  # ways to put people together that are looked at for one table: more are there only where many are blocked
)

Apart = Callable[[str, str], bool]


class Kind(NamedTuple):
    """What can be played at one table."""

    game: str
    seats: int
    pace: str
    clock: str = "none"


class Seek(NamedTuple):
    """What one person would play, what they like best first, and since when; from ``bots_at`` on bots may have the other seats."""

    who: str
    kinds: tuple[Kind, ...]
    since: float
    bots_at: float = math.inf


class Match(NamedTuple):
    """A table to be made: who sits there, the longest waiting first. What is left of its seats is for bots."""

    kind: Kind
    people: tuple[str, ...]


class Queue:
    """Who would play one kind, the longest waiting first. Whoever is ``taken`` drops out, and is forgotten when half of them have."""

    __slots__ = ("_people", "_taken", "number")

    def __init__(self, taken: set[str]) -> None:
        self._people: list[Seek] = []
        self._taken = taken
        self.number = 0  # who is still there

    def __iter__(self) -> Iterator[Seek]:
        if 2 * self.number < len(self._people):
            self._people = [one for one in self._people if one.who not in self._taken]
        return (one for one in self._people if one.who not in self._taken)

    def put(self, seek: Seek) -> None:
        """One more."""
        self._people.append(seek)
        self.number += 1


def match(seeks: Collection[Seek], now: float, apart: Apart = lambda one, other: False) -> list[Match]:
    """All tables that can be made now. ``apart`` says of two people that they do not play together; of each there is one seek."""
    waiting = sorted(seeks, key=_age)
    taken: set[str] = set()
    queues: dict[Kind, Queue] = {}
    for seek in waiting:
        for kind in seek.kinds:
            if kind not in queues:
                queues[kind] = Queue(taken)
            queues[kind].put(seek)
    return [*_full_tables(waiting, queues, taken, now, apart), *_tables_with_bots(waiting, queues, taken, now, apart)]


def _full_tables(
    waiting: Sequence[Seek], queues: dict[Kind, Queue], taken: set[str], now: float, apart: Apart
) -> Iterable[Match]:
    """For one after the other, a table with people alone: the largest that there is, of these what they like best."""
    passed: list[Seek] = []
    held: set[str] = set()  # who keeps free for somebody who was passed over

    def fits(seek: Seek) -> bool:
        if seek.who in taken or seek.who in held:
            return False
        if _is_free(seek, passed, now, apart):
            return True
        held.add(seek.who)
        return False

    for seek in waiting:
        if seek.who in taken:
            continue
        for kind in sorted(seek.kinds, key=lambda kind: -kind.seats):
            if queues[kind].number < kind.seats or not fits(seek):
                continue
            others = (other for other in queues[kind] if other.who != seek.who and fits(other))
            people = _together(seek, others, kind.seats, apart)
            if people:
                found = _matched(kind, people)
                taken.update(found.people)
                for one in people:
                    for each in one.kinds:
                        queues[each].number -= 1
                yield found
                break
        else:
            passed.append(seek)


def _matched(kind: Kind, people: Iterable[Seek]) -> Match:
    return Match(kind, tuple(one.who for one in sorted(people, key=_age)))


def _age(seek: Seek) -> tuple[float, str]:
    """Who has waited longest comes first; who came at the same moment, in an order of no meaning."""
    return seek.since, seek.who


def _tables_with_bots(
    waiting: Sequence[Seek], queues: dict[Kind, Queue], taken: set[str], now: float, apart: Apart
) -> Iterable[Match]:
    """Whose time is up sits down with bots, and takes along whoever would have bots too, sooner or later: the most people first."""
    for seek in waiting:
        if seek.who in taken or seek.bots_at > now:
            continue
        best: tuple[Kind, list[Seek]] | None = None
        for kind in seek.kinds:
            people = [seek]
            for other in queues[kind]:
                fits = other.who not in taken and other.who != seek.who and other.bots_at < math.inf
                if fits and len(people) < kind.seats and not any(apart(other.who, one.who) for one in people):
                    people.append(other)
            if best is None or len(people) > len(best[1]):
                best = kind, people
        if best is not None:
            found = _matched(*best)
            taken.update(found.people)
            yield found


def _is_free(seek: Seek, passed: Iterable[Seek], now: float, apart: Apart) -> bool:
    """Whether a seek need not keep itself free for one of those, the oldest first, who have waited longer and found nobody."""
    waited = now - seek.since
    for elder in passed:
        if waited >= min((now - elder.since) * SHARE, PATIENCE):
            return True  # nor for any after that one
        if elder.who != seek.who and not set(elder.kinds).isdisjoint(seek.kinds) and not apart(elder.who, seek.who):
            return False
    return True


def _together(first: Seek, others: Iterable[Seek], seats: int, apart: Apart) -> list[Seek]:
    """Somebody with as many others as there are seats, those first that stand first; empty if no such company is found."""
    seen, company = [], [first]
    for other in others:  # nearly always the first who come fit each other
        seen.append(other)
        if not any(apart(other.who, one.who) for one in company):
            company.append(other)
            if len(company) == seats:
                return company
    return _of_all(first, seen, seats, apart) if len(seen) >= seats - 1 else []


def _of_all(first: Seek, others: Sequence[Seek], seats: int, apart: Apart) -> list[Seek]:
    """The same where who comes first does not fit the others."""
    tries = TRIES

    def fill(company: list[Seek], begin: int) -> list[Seek]:
        nonlocal tries
        if len(company) == seats:
            return company
        for k in range(begin, len(others)):
            tries -= 1
            if tries < 0 or len(others) - k < seats - len(company):
                return []
            if not any(apart(others[k].who, one.who) for one in company):
                found = fill([*company, others[k]], k + 1)
                if found:
                    return found
        return []

    return fill([first], 0)
