"""Friends, those who would be, and people with whom one wants nothing to do. For whoever has an account.

Whoever is asked is called by the name of their account; the reply is the same whether there is one of that name, whether they are here, and
whether they want to be asked: nobody learns it here.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from diamonds.game import Unknown
from diamonds.server.api.meeting import FriendInfo
from diamonds.server.api.refusals import Forbidden
from diamonds.server.house.called import name_of, names
from diamonds.server.house.tables import Tables
from diamonds.server.store.accounts import AccountChange
from diamonds.server.store.circles import CircleChange
from diamonds.server.store.contract import Unavailable
from diamonds.server.table.glyphs import spell
from diamonds.server.table.names import guest_name, looks

LATER = 3.0  # seconds after which friends are told who came or went: who turns a page has not gone


class Friends:
    """Who is whose friend. ``here`` says who is in the house now, ``tell`` is called with whomever there is something new for."""

    def __init__(self, tables: Tables, here: Callable[[str], bool], tell: Callable[[str], None]) -> None:
        self.tables = tables
        self.store = tables.store
        self.around = tables.around
        self.here = here
        self.tell = tell
        self._due: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._told: set[str] = set()  # who is here, as friends were told

    def close(self) -> None:
        """The server stops."""
        for timer in self._due.values():
            timer.cancel()
        for task in self._tasks:
            task.cancel()

    async def check(self, person: str) -> None:
        """`Forbidden` for whoever has no account."""
        if not await self.store.accounts.account(person):
            raise Forbidden("account-guest")

    async def named(self, name: str) -> str:
        """Whose account has exactly this name; empty if nobody's."""
        found = {*(await self.store.accounts.whose(looks(name))).values()}
        person = found.pop() if len(found) == 1 else ""
        return person if person and spell(await name_of(self.store, person)) == spell(name) else ""

    async def ask(self, person: str, name: str) -> None:
        """Ask somebody to be friends, or agree to it."""
        await self.check(person)
        other = await self.named(name)
        if other:
            await self._change(person, "ask", other)

    async def change(self, person: str, what: str, name: str) -> None:
        """Part with somebody, block or unblock them: somebody who is around one already."""
        await self.check(person)
        await self._change(person, what, await self.known(person, name))

    async def known(self, person: str, name: str) -> str:
        """Who is called that of the people around somebody. Of those who are blocked some may be guests."""
        around = await self.around.of(person)
        for other in sorted(around.friends | around.asks | around.blocked):
            if await name_of(self.store, other) == name:
                return other
        raise Unknown("server-nobody-around")

    async def block(self, person: str, other: str) -> None:
        """Block somebody whom one has met at a table."""
        await self.check(person)
        await self._change(person, "block", other)

    async def _change(self, person: str, what: str, other: str) -> None:
        before = [await self.around.of(one) for one in (person, other)]
        await self.tables.commit_people(AccountChange(person, circle=CircleChange(person, what, other)))
        self.around.changed()
        for one, was in zip((person, other), before, strict=True):
            if await self.around.of(one) != was:
                self.tell(one)

    async def of(self, person: str) -> tuple[list[FriendInfo], list[str], list[str]]:
        """Somebody's friends by name, with who is here; who asks to be one; who is blocked."""
        around = await self.around.of(person)

        chosen = await names(self.store, around.friends | around.asks | around.blocked)

        def called(people: frozenset[str]) -> list[str]:
            return sorted((chosen.get(other) or guest_name(other) for other in people), key=str.casefold)

        friends = [FriendInfo(chosen.get(other) or guest_name(other), self.here(other)) for other in around.friends]
        return sorted(friends, key=lambda one: one.name.casefold()), called(around.asks), called(around.blocked)

    def moved(self, person: str) -> None:
        """Somebody came to the house, or left it: their friends hear of it, if it is still so in a moment."""
        if person not in self._due:
            self._due[person] = asyncio.get_running_loop().call_later(LATER, self._look, person)

    def _look(self, person: str) -> None:
        del self._due[person]
        task = asyncio.get_running_loop().create_task(self._tell_friends(person))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _tell_friends(self, person: str) -> None:
        """Nothing is told where it is as it was told last. Of guests nobody is told: they have no friends."""
        if self.here(person) == (person in self._told):
            return
        if self.here(person):
            self._told.add(person)
        else:
            self._told.discard(person)
        with contextlib.suppress(Unavailable):  # they see it when something else is new
            for friend in (await self.around.of(person)).friends:
                self.tell(friend)
