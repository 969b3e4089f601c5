"""Friends, those who would be, and people with whom one wants nothing to do. For whoever has an account.

Whoever is asked is called by the name of their account; the reply is the same whether there is one of that name, whether they are here, and
whether they want to be asked: nobody learns it here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from diamonds.game import Unknown
from diamonds.server.api.meeting import FriendInfo
from diamonds.server.api.refusals import Forbidden
from diamonds.server.house.called import name_of
from diamonds.server.store.accounts import AccountChange
from diamonds.server.store.circles import Circle, CircleChange
from diamonds.server.store.contract import Store
from diamonds.server.table.names import looks

LATER = 3.0  # seconds after which friends are told who came or went: who turns a page has not gone


class Friends:
    """Who is whose friend. ``here`` says who is in the house now, ``tell`` is called with whomever there is something new for."""

    def __init__(self, store: Store, here: Callable[[str], bool], tell: Callable[[str], None]) -> None:
        self.store = store
        self.here = here
        self.tell = tell
        self._due: dict[str, asyncio.TimerHandle] = {}
        self._told: set[str] = set()  # who is here, as friends were told

    def close(self) -> None:
        """The server stops."""
        for timer in self._due.values():
            timer.cancel()

    def circle(self, person: str) -> Circle:
        """The people around somebody."""
        return self.store.accounts.circle(person)

    def check(self, person: str) -> None:
        """`Forbidden` for whoever has no account."""
        if not self.store.accounts.account(person):
            raise Forbidden("account-guest")

    def named(self, name: str) -> str:
        """Whose account has exactly this name; empty if nobody's."""
        found = {*self.store.accounts.whose(looks(name)).values()}
        person = found.pop() if len(found) == 1 else ""
        return person if person and name_of(self.store, person) == name else ""

    async def ask(self, person: str, name: str) -> None:
        """Ask somebody to be friends, or agree to it."""
        self.check(person)
        other = self.named(name)
        if other:
            await self._change(person, "ask", other)

    async def change(self, person: str, what: str, name: str) -> None:
        """Part with somebody, block or unblock them: somebody who is around one already."""
        self.check(person)
        await self._change(person, what, self.known(person, name))

    def known(self, person: str, name: str) -> str:
        """Who is called that of the people around somebody. Of those who are blocked some may be guests."""
        around = self.circle(person)
        for other in sorted(around.friends | around.asks | around.blocked):
            if name_of(self.store, other) == name:
                return other
        raise Unknown("server-nobody-around")

    async def block(self, person: str, other: str) -> None:
        """Block somebody whom one has met at a table."""
        self.check(person)
        await self._change(person, "block", other)

    async def _change(self, person: str, what: str, other: str) -> None:
        before = self.circle(person), self.circle(other)
        await self.store.commit(AccountChange(person, circle=CircleChange(person, what, other)))
        for one, was in zip((person, other), before, strict=True):
            if self.circle(one) != was:
                self.tell(one)

    def of(self, person: str) -> tuple[list[FriendInfo], list[str], list[str]]:
        """Somebody's friends by name, with who is here; who asks to be one; who is blocked."""
        around = self.circle(person)

        def called(people: frozenset[str]) -> list[str]:
            return sorted((name_of(self.store, other) for other in people), key=str.casefold)

        friends = [FriendInfo(name_of(self.store, other), self.here(other)) for other in around.friends]
        return sorted(friends, key=lambda one: one.name.casefold()), called(around.asks), called(around.blocked)

    def moved(self, person: str) -> None:
        """Somebody came to the house, or left it: their friends hear of it, if it is still so in a moment."""
        if person not in self._due:
            self._due[person] = asyncio.get_running_loop().call_later(LATER, self._tell_friends, person)

    def _tell_friends(self, person: str) -> None:
        del self._due[person]
        if self.here(person) == (person in self._told):
            return
        if self.here(person):
            self._told.add(person)
        else:
            self._told.discard(person)
        for friend in self.circle(person).friends:
            self.tell(friend)
