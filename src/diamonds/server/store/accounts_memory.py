"""People's accounts in the store that forgets, with the tables that they have; see `accounts`."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Sequence

import apsw

from diamonds.server.store import pushes_sql
from diamonds.server.store.accounts import (
    APART,
    TAKEN,
    Account,
    AccountChange,
    Code,
    Device,
    Part,
    Passkey,
    today,
)
from diamonds.server.store.books import NOT_INVITED
from diamonds.server.store.books_memory import MemoryBooks
from diamonds.server.store.circles import Circle
from diamonds.server.store.circles_memory import MemoryCircles
from diamonds.server.store.contract import CONFLICT, DONE, Outcome, Stored


class MemoryAccounts:
    """See `Accounts`."""

    def __init__(self) -> None:
        self.tables: dict[str, Stored] = {}
        self.created: dict[str, float] = {}
        self.over: dict[str, int] = {}  # since when a table's game is over
        self.asked: dict[str, int] = {}  # which seats of a table owe an answer
        self.members: dict[str, dict[str, None]] = {}
        self.names: dict[str, str] = {}
        self.keys: dict[tuple[str, str, str], tuple[bytes, bytes]] = {}  # see `MemoryStore`
        self._accounts: dict[str, Account] = {}
        self._looks: dict[str, str] = {}
        self._codes: dict[str, Code] = {}  # by person
        self._passkeys: dict[bytes, Passkey] = {}
        self._devices: dict[str, Device] = {}
        self.circles = MemoryCircles()
        self.books = MemoryBooks(self.tables, self.over, self.members, self.names, self._accounts)
        self.here = apsw.Connection(":memory:")  # messages
        self.here.execute(pushes_sql.TABLES)

    async def account(self, person: str) -> Account | None:
        """See `Accounts`."""
        found = self._accounts.get(person)
        return found and found._replace(has_code=person in self._codes)

    async def whose(self, looks: Collection[str]) -> dict[str, str]:
        """See `Accounts`."""
        return {look: self._looks[look] for look in looks if look in self._looks}

    async def code(self, name: str) -> tuple[str, bytes] | None:
        """See `Accounts`."""
        return next(((person, code.proof) for person, code in self._codes.items() if code.name == name), None)

    async def passkey(self, id: bytes) -> Passkey | None:
        """See `Accounts`."""
        return self._passkeys.get(id)

    async def passkeys(self, person: str) -> list[Passkey]:
        """See `Accounts`."""
        mine = [passkey for passkey in self._passkeys.values() if passkey.person == person]
        return sorted(mine, key=lambda passkey: (passkey.since, passkey.id))

    async def device(self, id: str) -> Device | None:
        """See `Accounts`."""
        return self._devices.get(id)

    async def devices(self, person: str) -> list[Device]:
        """See `Accounts`."""
        mine = [device for device in self._devices.values() if device.person == person]
        return sorted(mine, key=lambda device: (-device.seen, -device.since, device.mark))

    async def circle(self, person: str) -> Circle:
        """See `Accounts`."""
        return self.circles.read(person)

    async def tables_of(self, person: str) -> list[str]:
        """See `Accounts`."""
        return [*self.members.get(person, ())]

    async def talked_at(self, person: str) -> list[str]:
        """See `Accounts`."""
        return [table for table, saved in self.tables.items() if any(line.person == person for line in saved.chat)]

    async def parts(self, person: str, tables: Sequence[str]) -> list[Part]:
        """See `Accounts`."""
        return [self._part(person, table) for table in tables if table in self.tables]

    def _part(self, person: str, table: str) -> Part:
        saved = self.tables[table]
        entries = [(n, seat, words, at) for n, (seat, words, who, _, at) in enumerate(saved.entries) if who == person]
        lines = [line for line in saved.chat if line.person == person]
        return Part(table, saved.header, saved.places, saved.phase, self.created[table], entries, lines)

    # Changes

    def apply(self, change: AccountChange) -> Outcome:
        """Look first, then write: nothing of a change that cannot be made whole is written."""
        person = change.person
        wrong = self._in_the_way(change)
        if wrong:
            return Outcome(wrong)
        if change.handle:
            self._accounts[person] = Account(person, change.handle, today(), False)
        if change.name:
            self.names[person] = change.name
            for look in [look for look, whose in self._looks.items() if whose == person]:
                del self._looks[look]
            self._looks.update(dict.fromkeys(change.looks if person in self._accounts else (), person))
        if change.code:
            self._codes[person] = change.code
        if change.passkey:
            self._passkeys[change.passkey.id] = change.passkey
        if change.used:
            self._passkeys[change.used[0]] = self._passkeys[change.used[0]]._replace(uses=change.used[1])
        if change.no_passkey in [passkey.id for passkey in self._passkeys.values() if passkey.person == person]:
            del self._passkeys[change.no_passkey]
        for id in change.no_devices:
            if id in self._devices and self._devices[id].person == person:
                del self._devices[id]
                pushes_sql.signed_out(self.here, id)
        if change.device:
            self._devices[change.device.id] = change.device
        if change.seen in self._devices:
            self._devices[change.seen] = self._devices[change.seen]._replace(seen=today())
        if change.joins:
            self._rename(change.joins, lambda: person)
            self.members[person] = {**self.members.get(change.joins, {}), **self.members.get(person, {})}
            for saved in self.tables.values():
                saved.chat[:] = [
                    line._replace(person=person) if line.person == change.joins else line for line in saved.chat
                ]
            self.circles.join(change.joins, person)
            self.books.join(change.joins, person)
            if change.device:
                pushes_sql.signed_in(self.here, change.joins, person, change.device.id)
            self._let_go(change.joins)
        if change.handle and change.device:
            pushes_sql.signed_in(self.here, person, person, change.device.id)
        if change.leaves:
            pushes_sql.signed_out(self.here, change.leaves)
        if change.circle:
            self.circles.apply(change.circle)
        if change.no_name:
            self.names.pop(person, None)
        if change.books:
            self.books.apply(person, change.books)
            for look in change.books.taken_away:
                self._looks.setdefault(look, "")
            for table in change.books.gone:
                self._drop(table)
        if change.forget:
            self._forget(change)
        return Outcome(DONE)

    def _in_the_way(self, change: AccountChange) -> str:
        """Why the change cannot be made, as an outcome; empty if it can."""
        person = change.person
        if any(self._looks.get(look, person) != person for look in change.looks):
            return TAKEN
        known = person in self._accounts
        if change.handle and known:
            return CONFLICT
        if (change.device or change.passkey or change.code) and not known and not change.handle:
            return CONFLICT  # the account was deleted meanwhile
        if change.passkey and change.passkey.id in self._passkeys:
            return CONFLICT
        if change.used and change.used[0] not in self._passkeys:
            return CONFLICT
        if change.by_code and (person not in self._codes or self._codes[person].name != change.by_code):
            return CONFLICT
        if change.no_name and known:
            return CONFLICT
        if change.no_passkey and [id for id, one in self._passkeys.items() if one.person == person] == [
            change.no_passkey
        ]:
            return CONFLICT
        if change.joins in self._accounts:
            return CONFLICT
        if change.joins and self._sit_together(person, change.joins):
            return APART
        if change.invitation and not self.books.use_invitation(change.invitation):
            return NOT_INVITED
        return ""

    def _sit_together(self, one: str, other: str) -> bool:
        """Whether both have had a seat at a table whose game is not over."""
        for table in self.members.get(one, {}).keys() & self.members.get(other, {}).keys():
            saved = self.tables[table]
            sent = {entry[2] for entry in saved.entries}
            if saved.phase != "over" and all(each.encode() in saved.places or each in sent for each in (one, other)):
                return True
        return False

    def _drop(self, table: str) -> None:
        """Nothing is kept of a table any more."""
        for kept in (self.tables, self.created, self.over, self.asked, *self.members.values()):
            kept.pop(table, None)  # type: ignore[attr-defined]
        for key in [key for key in self.keys if key[0] == table]:
            del self.keys[key]

    def _rename(self, person: str, new: Callable[[], str]) -> None:
        """At every table of a person somebody else was there instead: whoever ``new`` gives, asked once a table."""
        for table in self.members.get(person, ()):
            other, saved = new(), self.tables[table]
            was, now = person.encode(), other.encode()
            self.tables[table] = saved._replace(
                header=saved.header.replace(was, now),
                places=saved.places.replace(was, now),
                revision=saved.revision + 1,
                entries=[
                    (seat, words, other if who == person else who, key, at)
                    for seat, words, who, key, at in saved.entries
                ],
            )

    def _forget(self, change: AccountChange) -> None:
        """Let go of everything; what others need of it stays as somebody's who has no name."""
        person = change.person
        for table, saved in self.tables.items():
            mine = table in self.members.get(person, ())
            called = (change.called, f"{change.called} (")
            saved.chat[:] = [
                line
                for line in saved.chat
                if line.person != person
                and not (mine and not line.person and (line.name == called[0] or line.name.startswith(called[1])))
            ]
        self._rename(person, lambda: secrets.token_urlsafe(16))
        self._let_go(person)
        self.circles.forget(person)
        self.books.forget(person)
        pushes_sql.forget(self.here, person)
        self._accounts.pop(person, None)
        self._codes.pop(person, None)
        self._looks = {look: who for look, who in self._looks.items() if who != person}
        self._passkeys = {id: passkey for id, passkey in self._passkeys.items() if passkey.person != person}
        self._devices = {id: device for id, device in self._devices.items() if device.person != person}

    def _let_go(self, guest: str) -> None:
        """What is kept of an identity that nobody has any more."""
        self.members.pop(guest, None)
        self.names.pop(guest, None)
        for key in [key for key in self.keys if key[0] == "" and key[1] == guest]:
            del self.keys[key]
