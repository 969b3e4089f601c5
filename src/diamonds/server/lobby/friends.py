"""Friends, friend requests and blocks, for people with an account.

People are addressed by account name. The reply is always the same, so it does not reveal whether the account exists, is
online, or wants requests.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Collection

from diamonds.errors import NotFoundError
from diamonds.server.api.lobby import FriendInfo
from diamonds.server.background_tasks import BackgroundTasks
from diamonds.server.errors import ForbiddenError
from diamonds.server.people.display_names import display_name, display_names, guest_name, skeletons
from diamonds.server.people.invisible_characters import normalize_line
from diamonds.server.storage.accounts import AccountChange
from diamonds.server.storage.commit_outcomes import StoreUnavailableError
from diamonds.server.storage.relationships import RelationshipChange
from diamonds.server.tables.service import TableService

REPLY_TIME_S = 0.2  # of a friend request, because storing one takes twice as long as ignoring an unknown name
ONLINE_DEBOUNCE_S = 3.0  # before friends are notified, because reloading a page is not leaving


class FriendService:
    """The friends of all accounts.

    `is_online` returns whether a person is connected; `on_news` is called with each person to update.
    """

    def __init__(self, tables: TableService, is_online: Callable[[str], bool], on_news: Callable[[str], None]) -> None:
        self.tables = tables
        self.store = tables.store
        self.relationships = tables.relationships
        self.is_online = is_online
        self.on_news = on_news
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._tasks = BackgroundTasks()
        self._announced_online: set[str] = set()  # people last announced as online to friends

    def close(self) -> None:
        """Stop all timers and tasks."""
        for timer in self._timers.values():
            timer.cancel()
        self._tasks.cancel()

    async def check(self, person: str) -> None:
        """Raise `ForbiddenError` if a person has no account."""
        if not await self.store.accounts.account(person):
            raise ForbiddenError("account-guest")

    async def find_account(self, name: str) -> str:
        """Return the person whose account has exactly this name; empty if there is none."""
        people = {*(await self.store.accounts.skeleton_holders(skeletons(name))).values()}
        person = people.pop() if len(people) == 1 else ""
        return (
            person if person and normalize_line(await display_name(self.store, person)) == normalize_line(name) else ""
        )

    async def request_friend(self, person: str, name: str) -> None:
        """Send a friend request, or accept one, in a time that does not depend on the other person."""
        await self.check(person)
        replies_at = asyncio.get_running_loop().time() + REPLY_TIME_S
        try:
            other = await self.find_account(name)
            if other:
                await self.change(person, "ask", other)
        finally:
            await sleep_until(replies_at)

    async def find_related(self, person: str, name: str, challengers: Collection[str]) -> str:
        """Return the related person, or challenger, with this name. Blocked people may be guests."""
        relationships = await self.relationships.get(person)
        for other in sorted(relationships.friends.union(relationships.requests_in, relationships.blocked, challengers)):
            if await display_name(self.store, other) == name:
                return other
        raise NotFoundError("server-no-such-person")

    async def change(self, person: str, action: str, other: str) -> None:
        """Change the relationship to another person; see `RelationshipChange`."""
        before = [await self.relationships.get(each) for each in (person, other)]
        await self.tables.commit_people(AccountChange(person, relationship=RelationshipChange(person, action, other)))
        self.relationships.invalidate()
        for each, earlier in zip((person, other), before, strict=True):
            if await self.relationships.get(each) != earlier:
                self.on_news(each)

    async def lists_of(self, person: str) -> tuple[list[FriendInfo], list[str], list[str]]:
        """Return a person's friends by name, with online status; friend requests; and blocked people."""
        relationships = await self.relationships.get(person)

        chosen_names = await display_names(
            self.store, relationships.friends | relationships.requests_in | relationships.blocked
        )

        def names_of(people: frozenset[str]) -> list[str]:
            return sorted((chosen_names.get(other) or guest_name(other) for other in people), key=str.casefold)

        friends = [
            FriendInfo(chosen_names.get(other) or guest_name(other), self.is_online(other))
            for other in relationships.friends
        ]
        return (
            sorted(friends, key=lambda friend: friend.name.casefold()),
            names_of(relationships.requests_in),
            names_of(relationships.blocked),
        )

    def on_presence_change(self, person: str) -> None:
        """Tell the friends of a person who connected or disconnected, unless they reverse it within a moment."""
        if person not in self._timers:
            self._timers[person] = asyncio.get_running_loop().call_later(
                ONLINE_DEBOUNCE_S, self._start_announcement, person
            )

    def _start_announcement(self, person: str) -> None:
        del self._timers[person]
        self._tasks.start(self._announce(person))

    async def _announce(self, person: str) -> None:
        """Announce a changed presence to friends. Guests have none."""
        if self.is_online(person) == (person in self._announced_online):
            return
        if self.is_online(person):
            self._announced_online.add(person)
        else:
            self._announced_online.discard(person)
        with contextlib.suppress(StoreUnavailableError):  # friends see it with their next update
            for friend in (await self.relationships.get(person)).friends:
                self.on_news(friend)


async def sleep_until(at: float) -> None:
    """Sleep until a time of the event loop."""
    await asyncio.sleep(at - asyncio.get_running_loop().time())
