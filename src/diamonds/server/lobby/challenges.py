"""Asking one person to play: it stands for a minute, and is answered, or not.

Who asks hears the same of somebody who is away, who is not there at all, and who wants nothing to do with them: no answer.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from diamonds.errors import NotFoundError
from diamonds.game import find_game
from diamonds.server.api.codec import encode
from diamonds.server.api.lobby import ChallengeInfo, ChallengeRequest
from diamonds.server.cluster.notices import ChallengesChanged
from diamonds.server.lobby.friends import FriendService
from diamonds.server.people.names import display_name
from diamonds.server.tables.core.seating import Seating, TableHeader
from diamonds.server.tables.listing import table_for_pairing
from diamonds.server.tables.runtime import TableRuntime

CHALLENGE_LIFETIME_S = 60.0  # seconds
MAX_INCOMING = 10  # that stand before one person

_challenges_decoder = msgspec.json.Decoder(list[ChallengeInfo])


class Challenge(NamedTuple):
    """Who asks, and what they are called; whom (by name; ``to`` is empty if that is nobody who can be asked), to play what."""

    id: str
    challenger: str
    challenger_name: str
    target_name: str
    target: str
    game_request: ChallengeRequest


class Challenges:
    """All that stand. ``announce_table`` tells people of their table; ``on_change`` is called with whomever there is something new for."""

    def __init__(
        self,
        tables: TableRuntime,
        friends: FriendService,
        announce_table: Callable[[str, list[str]], None],
        on_change: Callable[[str], None],
    ) -> None:
        self.tables = tables
        self.friends = friends
        self.announce_table = announce_table
        self.change_callbacks = [on_change]
        self._open: dict[str, Challenge] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._remote: dict[str, list[ChallengeInfo]] = {}  # what people here are asked, as the lobby owner says

    def close(self) -> None:
        """The server stops."""
        for timer in self._timers.values():
            timer.cancel()

    async def create(self, person: str, request: ChallengeRequest) -> str:
        """Somebody asks somebody; returns what it is called. Another one takes its place."""
        await self.friends.check(person)
        header, _ = _table_for(request, [person, person])  # if it can be played
        request = msgspec.structs.replace(request, options=header.options)  # all of them: those left out are as usual
        challenger_name, other = (
            await display_name(self.tables.store, person),
            await self.friends.find_account(request.name),
        )
        apart_people = (
            await self.tables.relationships.get(person)
        ).all_blocked  # as it is until somebody else has their turn
        is_unavailable = other == person or other in apart_people or not self.friends.is_online(other)
        if is_unavailable or len(self.incoming(other)) >= MAX_INCOMING:
            other = ""
        for earlier in [earlier for earlier in self._open.values() if earlier.challenger == person]:
            self._close(earlier)
        challenge = Challenge(secrets.token_urlsafe(9), person, challenger_name, request.name, other, request)
        self._open[challenge.id] = challenge
        self._timers[challenge.id] = asyncio.get_running_loop().call_later(CHALLENGE_LIFETIME_S, self._close, challenge)
        self._notify(challenge)
        return challenge.id

    async def answer(self, person: str, id: str, accept: bool) -> str | None:
        """Whoever is asked agrees or not; who asks takes it back by not agreeing. Returns the table at which the two play now."""
        challenge = self._open.get(id)
        if (
            challenge is None
            or person not in (challenge.challenger, challenge.target)
            or (accept and person == challenge.challenger)
        ):
            raise NotFoundError("server-no-challenge")
        self._close(challenge)
        if not accept:
            return None
        people = [challenge.challenger, challenge.target]
        table = await self.tables.creator.create_for_people(*_table_for(challenge.game_request, people))
        self.announce_table(table, people)
        return table

    def incoming(self, person: str) -> list[ChallengeInfo]:
        """What somebody is asked."""
        own = [
            self._challenge_info(challenge, challenge.challenger_name)
            for challenge in self._open.values()
            if challenge.target == person
        ]
        return own or self._remote.get(person, [])

    async def on_notice(self, _: int, notice: ChallengesChanged) -> None:
        """The lobby owner says what somebody is asked."""
        challenges = _challenges_decoder.decode(notice.challenges)
        if challenges:
            self._remote[notice.person] = challenges
        else:
            self._remote.pop(notice.person, None)
        for callback in self.change_callbacks:
            callback(notice.person)

    def publish_incoming(self, person: str) -> None:
        """Other members are told what somebody is asked, if anything."""
        if self.tables.cluster and (challenges := self.incoming(person)):
            self.tables.cluster.publish(ChallengesChanged(person, msgspec.Raw(encode(challenges))))

    def forget_remote(self) -> None:
        """The lobby has another owner, where nobody is asked anything yet."""
        people = [*self._remote]
        self._remote.clear()
        for person in people:
            for callback in self.change_callbacks:
                callback(person)

    def outgoing(self, person: str) -> ChallengeInfo | None:
        """What somebody asks."""
        return next(
            (
                self._challenge_info(challenge, challenge.target_name)
                for challenge in self._open.values()
                if challenge.challenger == person
            ),
            None,
        )

    def drop_all(self) -> None:
        """Nothing stands here any more."""
        for challenge in [*self._open.values()]:
            self._close(challenge)

    def cancel_between(self, person: str, other: str) -> None:
        """These two have nothing to do with each other any more."""
        for challenge in [each for each in self._open.values() if {each.challenger, each.target} == {person, other}]:
            self._close(challenge)

    def cancel_all_of(self, person: str) -> None:
        """Nothing stands any more that somebody asks or is asked."""
        for challenge in [each for each in self._open.values() if person in (each.challenger, each.target)]:
            self._close(challenge)

    def _challenge_info(self, challenge: Challenge, name: str) -> ChallengeInfo:
        request = challenge.game_request
        return ChallengeInfo(
            challenge.id, name, request.game, request.seats, request.options, request.bot_speed, request.time_control
        )

    def _close(self, challenge: Challenge) -> None:
        if self._open.pop(challenge.id, None):
            self._timers.pop(challenge.id).cancel()
            self._notify(challenge)

    def _notify(self, challenge: Challenge) -> None:
        for person in (challenge.challenger, challenge.target):
            if person and person == challenge.target and self.tables.cluster:
                self.tables.cluster.publish(ChallengesChanged(person, msgspec.Raw(encode(self.incoming(person)))))
            for callback in self.change_callbacks:
                callback(person)


def _table_for(request: ChallengeRequest, people: list[str]) -> tuple[TableHeader, Seating]:
    """The table for a challenge; a `DiamondsError` if there is no such table."""
    return table_for_pairing(
        find_game(request.game),
        request.seats,
        people,
        request.bot_speed,
        request.options,
        private=True,
        time_control=request.time_control,
    )
