"""Challenges: direct invitations to play, open for a minute.

Nothing tells the challenger whether the other person is away, does not exist, or has blocked them.
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
from diamonds.server.people.display_names import display_name
from diamonds.server.tables.core.seating import SeatsAndSettings, TableHeader
from diamonds.server.tables.new_tables import table_for_pairing
from diamonds.server.tables.service import TableService

CHALLENGE_LIFETIME_S = 60.0
MAX_FROM_STRANGERS = 10  # limit of open challenges to one person; those of friends do not count

_challenges_decoder = msgspec.json.Decoder(list[ChallengeInfo])


class Challenge(NamedTuple):
    """A challenge. `target` is empty if the person cannot be challenged."""

    id: str
    challenger: str
    challenger_name: str
    target_name: str
    target: str
    from_friend: bool
    game_request: ChallengeRequest


class Challenges:
    """All open challenges.

    `announce_table` sends people to their table; `on_change` is called with each affected person.
    """

    def __init__(
        self,
        tables: TableService,
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
        self._remote: dict[str, list[ChallengeInfo]] = {}  # open challenges as reported by the lobby owner

    def close(self) -> None:
        """Stop all timers."""
        for timer in self._timers.values():
            timer.cancel()

    async def create(self, person: str, request: ChallengeRequest) -> str:
        """Challenge a person, replacing the challenger's earlier challenge. Return its id."""
        await self.friends.check(person)
        header, _ = _table_for(request, [person, person])  # raises an error if the game is impossible
        request = msgspec.structs.replace(request, options=header.options)  # with defaults filled in
        challenger_name = await display_name(self.tables.store, person)
        other = await self.friends.find_account(request.name)
        # Nothing is awaited between this read and the checks, so its result is current.
        relationships = await self.tables.relationships.get(person)
        from_friend = other in relationships.friends
        from_strangers = [each for each in self._open.values() if each.target == other and not each.from_friend]
        is_full = not from_friend and len(from_strangers) >= MAX_FROM_STRANGERS
        is_apart = other == person or other in relationships.all_blocked
        if is_apart or is_full or not self.friends.is_online(other):
            other = ""
        for earlier in [earlier for earlier in self._open.values() if earlier.challenger == person]:
            self._close(earlier)
        challenge = Challenge(
            secrets.token_urlsafe(9), person, challenger_name, request.name, other, from_friend, request
        )
        self._open[challenge.id] = challenge
        self._timers[challenge.id] = asyncio.get_running_loop().call_later(CHALLENGE_LIFETIME_S, self._close, challenge)
        self._notify(challenge)
        return challenge.id

    async def answer(self, person: str, id: str, accept: bool) -> str | None:
        """Accept or decline a challenge; for the challenger, declining withdraws it.

        Return the table if it is accepted.
        """
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
        """Return the open challenges to a person."""
        own = [
            self._challenge_info(challenge, challenge.challenger_name)
            for challenge in self._open.values()
            if challenge.target == person
        ]
        return own or self._remote.get(person, [])

    def challengers_of(self, person: str) -> set[str]:
        """Return the people with an open challenge to a person."""
        return {challenge.challenger for challenge in self._open.values() if challenge.target == person}

    async def on_notice(self, _: int, notice: ChallengesChanged) -> None:
        """Handle a notice of the lobby owner about the challenges to a person."""
        challenges = _challenges_decoder.decode(notice.challenges)
        if challenges:
            self._remote[notice.person] = challenges
        else:
            self._remote.pop(notice.person, None)
        for callback in self.change_callbacks:
            callback(notice.person)

    def publish_incoming(self, person: str) -> None:
        """Notify other members of the open challenges to a person."""
        if self.tables.cluster and (challenges := self.incoming(person)):
            self.tables.cluster.publish(ChallengesChanged(person, msgspec.Raw(encode(challenges))))

    def forget_remote(self) -> None:
        """Drop the reported challenges, because the new lobby owner has none."""
        people = [*self._remote]
        self._remote.clear()
        for person in people:
            for callback in self.change_callbacks:
                callback(person)

    def outgoing(self, person: str) -> ChallengeInfo | None:
        """Return the open challenge that a person has sent."""
        return next(
            (
                self._challenge_info(challenge, challenge.target_name)
                for challenge in self._open.values()
                if challenge.challenger == person
            ),
            None,
        )

    def drop_all(self) -> None:
        for challenge in [*self._open.values()]:
            self._close(challenge)

    def cancel_between(self, person: str, other: str) -> None:
        """Close the challenges between two people."""
        for challenge in [each for each in self._open.values() if {each.challenger, each.target} == {person, other}]:
            self._close(challenge)

    def cancel_all_of(self, person: str) -> None:
        """Close all challenges from or to a person."""
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


def _table_for(request: ChallengeRequest, people: list[str]) -> tuple[TableHeader, SeatsAndSettings]:
    """Return the table for a challenge. Raise `DiamondsError` if the game is impossible."""
    return table_for_pairing(
        find_game(request.game),
        request.seats,
        people,
        request.bot_speed,
        request.options,
        private=True,
        time_control=request.time_control,
    )
