"""Asking one person to play: it stands for a minute, and is answered, or not.

Who asks hears the same of somebody who is away, who is not there at all, and who wants nothing to do with them: no answer.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from diamonds.game import Unknown, find_game
from diamonds.server.api.encoding import encode
from diamonds.server.api.meeting import ChallengeInfo, NewChallenge
from diamonds.server.cluster.notices import Challenged
from diamonds.server.house.called import name_of
from diamonds.server.house.lobby import table_for
from diamonds.server.house.tables import Tables
from diamonds.server.meeting.friends import Friends
from diamonds.server.table.header import Header
from diamonds.server.table.places import Places

STANDS = 60.0  # seconds
MOST = 10  # that stand before one person

_asked = msgspec.json.Decoder(list[ChallengeInfo])


class Challenge(NamedTuple):
    """Who asks, and what they are called; whom (by name; ``to`` is empty if that is nobody who can be asked), to play what."""

    id: str
    by: str
    called: str
    name: str
    to: str
    what: NewChallenge


class Challenges:
    """All that stand. ``meet`` seats people at a table; ``watchers`` are called with whomever there is something new for."""

    def __init__(
        self,
        tables: Tables,
        friends: Friends,
        meet: Callable[[str, list[str]], None],
        tell: Callable[[str], None],
    ) -> None:
        self.tables = tables
        self.friends = friends
        self.meet = meet
        self.watchers = [tell]
        self._standing: dict[str, Challenge] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._elsewhere: dict[str, list[ChallengeInfo]] = {}  # what people here are asked, as the lobby owner says

    def close(self) -> None:
        """The server stops."""
        for timer in self._timers.values():
            timer.cancel()

    async def put(self, person: str, asked: NewChallenge) -> str:
        """Somebody asks somebody; returns what it is called. Another one takes its place."""
        await self.friends.check(person)
        header, _ = _table(asked, [person, person])  # if it can be played
        asked = msgspec.structs.replace(asked, options=header.options)  # all of them: those left out are as usual
        called, other = await name_of(self.tables.store, person), await self.friends.named(asked.name)
        apart = (await self.tables.around.of(person)).apart  # as it is until somebody else has their turn
        shut = other == person or other in apart or not self.friends.here(other)
        if shut or len(self.before(other)) >= MOST:
            other = ""
        for one in [one for one in self._standing.values() if one.by == person]:
            self._end(one)
        challenge = Challenge(secrets.token_urlsafe(9), person, called, asked.name, other, asked)
        self._standing[challenge.id] = challenge
        self._timers[challenge.id] = asyncio.get_running_loop().call_later(STANDS, self._end, challenge)
        self._tell(challenge)
        return challenge.id

    async def answer(self, person: str, id: str, agree: bool) -> str | None:
        """Whoever is asked agrees or not; who asks takes it back by not agreeing. Returns the table at which the two play now."""
        found = self._standing.get(id)
        if found is None or person not in (found.by, found.to) or (agree and person == found.by):
            raise Unknown("server-no-challenge")
        self._end(found)
        if not agree:
            return None
        people = [found.by, found.to]
        table = await self.tables.making.set_up(*_table(found.what, people))
        self.meet(table, people)
        return table

    def before(self, person: str) -> list[ChallengeInfo]:
        """What somebody is asked."""
        here = [self._told(one, one.called) for one in self._standing.values() if one.to == person]
        return here or self._elsewhere.get(person, [])

    async def heard(self, _: int, notice: Challenged) -> None:
        """The lobby owner says what somebody is asked."""
        found = _asked.decode(notice.challenges)
        if found:
            self._elsewhere[notice.person] = found
        else:
            self._elsewhere.pop(notice.person, None)
        for tell in self.watchers:
            tell(notice.person)

    def tell_elsewhere(self, person: str) -> None:
        """Other members are told what somebody is asked, if anything."""
        if self.tables.cluster and (asked := self.before(person)):
            self.tables.cluster.publish(Challenged(person, msgspec.Raw(encode(asked))))

    def forget_elsewhere(self) -> None:
        """The lobby has another owner, where nobody is asked anything yet."""
        people = [*self._elsewhere]
        self._elsewhere.clear()
        for person in people:
            for tell in self.watchers:
                tell(person)

    def by(self, person: str) -> ChallengeInfo | None:
        """What somebody asks."""
        return next((self._told(one, one.name) for one in self._standing.values() if one.by == person), None)

    def drop_all(self) -> None:
        """Nothing stands here any more."""
        for challenge in [*self._standing.values()]:
            self._end(challenge)

    def apart(self, one: str, other: str) -> None:
        """These two have nothing to do with each other any more."""
        for challenge in [each for each in self._standing.values() if {each.by, each.to} == {one, other}]:
            self._end(challenge)

    def end(self, person: str) -> None:
        """Nothing stands any more that somebody asks or is asked."""
        for challenge in [each for each in self._standing.values() if person in (each.by, each.to)]:
            self._end(challenge)

    def _told(self, one: Challenge, name: str) -> ChallengeInfo:
        what = one.what
        return ChallengeInfo(one.id, name, what.game, what.seats, what.options, what.pace, what.clock)

    def _end(self, challenge: Challenge) -> None:
        if self._standing.pop(challenge.id, None):
            self._timers.pop(challenge.id).cancel()
            self._tell(challenge)

    def _tell(self, challenge: Challenge) -> None:
        for person in (challenge.by, challenge.to):
            if person and person == challenge.to and self.tables.cluster:
                self.tables.cluster.publish(Challenged(person, msgspec.Raw(encode(self.before(person)))))
            for tell in self.watchers:
                tell(person)


def _table(what: NewChallenge, people: list[str]) -> tuple[Header, Places]:
    """The table for a challenge; a `Refused` if there is no such table."""
    return table_for(find_game(what.game), what.seats, people, what.pace, what.options, private=True, clock=what.clock)
