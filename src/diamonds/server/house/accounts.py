"""Accounts: a guest becomes one, signs in on another device, signs out, takes their data along, or is forgotten.

Each step is checked, written, and only then told. What is answered to who may not sign in is the same sentence whoever they say
that they are, and takes as long: nobody learns here who has an account, but whoever chooses a name learns that it is taken.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Collection
from typing import NamedTuple

from diamonds.game import Illegal, Refused, Unknown
from diamonds.server.api import accounts as messages
from diamonds.server.api.refusals import Forbidden
from diamonds.server.house.called import name_of, names
from diamonds.server.house.codes import Codes, read
from diamonds.server.house.invitations import Registration
from diamonds.server.house.once import Once
from diamonds.server.house.passkeys import SECONDS, Passkeys, id_of
from diamonds.server.house.tables import Tables
from diamonds.server.store.accounts import APART, TAKEN, Account, AccountChange, Device, today
from diamonds.server.store.books import NOT_INVITED
from diamonds.server.store.contract import DONE, Listed
from diamonds.server.table.glyphs import spell
from diamonds.server.table.loading import read_header, read_places
from diamonds.server.table.names import clean_name, clean_text, looks, own_name

MOST_PASSKEYS = 20  # of one account
MOST_DEVICES = 30  # of one account: the one that was not seen for longest is signed out
LINK_SECONDS = 600
MOST_LINKS = 5  # of one account, that nobody has opened yet
MOST_KEPT = 10_000  # challenges, and links, in all
ALL = 1_000_000  # tables of one person
DEVICE = "~"  # before the identity of a device, see `wire.people`


class Visit(NamedTuple):
    """Who asks: the person, the identity that their cookie says (a guest's or a device's), and the address on the page."""

    person: str
    identity: str
    host: str
    port: int


class Wanted(NamedTuple):
    """What a challenge is for: to make an account, it has a name and a handle, and perhaps an invitation."""

    challenge: bytes
    name: str = ""
    handle: bytes = b""
    invitation: str = ""


class Register:
    """All that people do about their accounts. ``changed`` is called when somebody has signed in or out."""

    def __init__(
        self,
        tables: Tables,
        passkeys: Passkeys,
        changed: Callable[[], None],
        registration: Registration,
    ) -> None:
        self.tables = tables
        self.store = tables.store
        self.known = tables.store.accounts
        self.passkeys = passkeys
        self.changed = changed
        self.registration = registration
        self.codes = Codes()
        self.challenges: Once[Wanted] = Once(SECONDS, MOST_KEPT, 3)
        self.links: Once[str] = Once(LINK_SECONDS, MOST_KEPT, MOST_LINKS)  # whose, by the hash of their secrets

    # Who one is

    async def me(self, visit: Visit) -> messages.Me:
        """What somebody is told of themselves."""
        person = visit.person
        account = await self.known.account(person)
        return messages.Me(
            name=await name_of(self.store, person),
            chosen=person in await names(self.store, [person]),
            account=account is not None,
            code=account is not None and account.has_code,
            passkeys=[
                messages.PasskeyInfo(_mark(one.id), one.label, one.since) for one in await self.known.passkeys(person)
            ],
            devices=[
                messages.DeviceInfo(one.mark, one.label, one.since, one.seen, one.id == visit.identity)
                for one in await self.known.devices(person)
            ],
            tables=len(await self.known.tables_of(person)),
            passkeys_not=self.passkeys.why_not(visit.host, visit.port),
            registration=self.registration.who,
        )

    async def rename(self, person: str, name: str) -> str:
        """A new name, seen at once at every table; that of an account is its own from then on, and the old one anybody's."""
        name = own_name(name) if await self.known.account(person) else clean_name(name)
        await self._check_not_kept(person, name)
        await self._write(AccountChange(person, name=name, looks=looks(name)))
        self.tables.called(person, name)
        return name

    async def _check_not_kept(self, person: str, name: str) -> None:
        """A host's name is nobody else's."""
        if self.registration.keeps(name) and name != await name_of(self.store, person):
            raise Illegal("account-name-taken")

    # A guest becomes an account

    async def begin_account(self, visit: Visit, wanted: str, invitation: str = "") -> messages.Asked:
        """A name is chosen: what the browser is asked for to make a passkey."""
        await self._check_guest(visit)
        self._check_place(visit)
        name = own_name(wanted)
        if await self.known.whose(looks(name)):
            raise Illegal("account-name-taken")
        used = await self.registration.check(self.store.books, name, invitation, self.tables.standings.clock())
        asked = Wanted(secrets.token_bytes(32), name, secrets.token_bytes(32), used)
        self._ask(visit, "account", asked)
        return messages.Asked(self.passkeys.ask_for_new(asked.challenge, asked.handle, name, []))

    async def make_account(self, visit: Visit, made: messages.NewPasskey) -> tuple[str, messages.ShownOnce]:
        """The passkey is made: from now on the guest has an account. Returns the device that is signed in, and the recovery code."""
        await self._check_guest(visit)
        asked = self._asked(visit, "account")
        passkey = self.passkeys.made(made.passkey, asked.challenge, visit.port, visit.person, _label(made.label))
        text, code = await self.codes.new()
        device = _device(visit.person, made.label)
        change = AccountChange(
            visit.person,
            handle=asked.handle,
            name=asked.name,
            looks=looks(asked.name),
            code=code,
            passkey=passkey,
            device=device,
            invitation=asked.invitation,
        )
        await self._write(change)
        self.changed()
        self.tables.called(visit.person, asked.name)
        return device.id, messages.ShownOnce(code=text)

    # More ways in

    async def begin_passkey(self, visit: Visit) -> messages.Asked:
        """What the browser is asked for to make one passkey more."""
        account = await self._account(visit)
        self._check_place(visit)
        mine = [passkey.id for passkey in await self.known.passkeys(visit.person)]
        if len(mine) >= MOST_PASSKEYS:
            raise Illegal("account-passkeys-enough", most=MOST_PASSKEYS)
        asked = Wanted(secrets.token_bytes(32))
        self._ask(visit, "passkey", asked)
        name = await name_of(self.store, visit.person)
        return messages.Asked(self.passkeys.ask_for_new(asked.challenge, account.handle, name, mine))

    async def add_passkey(self, visit: Visit, made: messages.NewPasskey) -> None:
        """One passkey more."""
        await self._account(visit)
        asked = self._asked(visit, "passkey")
        passkey = self.passkeys.made(made.passkey, asked.challenge, visit.port, visit.person, _label(made.label))
        await self._write(AccountChange(visit.person, passkey=passkey))

    async def remove_passkey(self, visit: Visit, mark: str) -> None:
        """One passkey fewer; the last one stays, for the account would have none."""
        await self._account(visit)
        mine = await self.known.passkeys(visit.person)
        gone = next((passkey.id for passkey in mine if _mark(passkey.id) == mark), None)
        if gone is None:
            raise Unknown("account-no-such-passkey")
        if len(mine) == 1:
            raise Illegal("account-last-passkey")
        await self._write(AccountChange(visit.person, no_passkey=gone))

    async def new_code(self, visit: Visit) -> messages.ShownOnce:
        """Another recovery code; the one before is worth nothing any more."""
        await self._account(visit)
        text, code = await self.codes.new()
        await self._write(AccountChange(visit.person, code=code))
        return messages.ShownOnce(code=text)

    async def new_link(self, visit: Visit) -> messages.ShownOnce:
        """A link by which another device signs in, once and soon."""
        await self._account(visit)
        secret = secrets.token_urlsafe(24)
        self.links.put(_hashed(secret), visit.person, visit.person)
        return messages.ShownOnce(link=secret)

    # Signing in

    async def begin_sign_in(self, visit: Visit) -> messages.Asked:
        """What the browser is asked for to sign in with a passkey."""
        await self._check_guest(visit)
        self._check_place(visit)
        asked = Wanted(secrets.token_bytes(32))
        self._ask(visit, "sign in", asked)
        return messages.Asked(self.passkeys.ask_for_one(asked.challenge))

    async def sign_in_by_passkey(self, visit: Visit, answer: messages.Passkeyed) -> tuple[str, messages.SignedIn]:
        """Returns the device that is signed in, and what its person is called."""
        await self._check_guest(visit)
        asked = self._asked(visit, "sign in")
        passkey = await self.known.passkey(id_of(answer.passkey))
        account = await self.known.account(passkey.person) if passkey else None
        if passkey is None or account is None:
            raise Forbidden("account-no-passkey")
        uses = self.passkeys.used(answer.passkey, asked.challenge, visit.port, passkey, account.handle)
        return await self._enter(visit, passkey.person, answer.label, answer.bring, (passkey.id, uses))

    async def look_at_link(self, visit: Visit, secret: str) -> messages.SignedIn:
        """Whom a link signs in: so nobody is signed in by a link that somebody else has laid before them."""
        await self._check_guest(visit)
        person = self.links.look(_hashed(secret))
        if person is None:
            raise Unknown("account-no-link")
        return messages.SignedIn(await name_of(self.store, person))

    async def sign_in_by_link(self, visit: Visit, opened: messages.Linked) -> tuple[str, messages.SignedIn]:
        """See `sign_in_by_passkey`. Once it has done so the link is good for nothing any more."""
        await self._check_guest(visit)
        with self.links.used(_hashed(opened.link)) as person:
            if person is None:
                raise Unknown("account-no-link")
            return await self._enter(visit, person, opened.label, opened.bring)

    async def sign_in_by_code(self, visit: Visit, typed: messages.Coded) -> tuple[str, messages.SignedIn]:
        """See `sign_in_by_passkey`."""
        await self._check_guest(visit)
        name, secret = read(typed.code)
        found = await self.known.code(name)
        if not await self.codes.fits(secret, found[1] if found else None) or found is None:
            raise Forbidden("account-no-code")
        return await self._enter(visit, found[0], typed.label, typed.bring, by_code=name)

    async def _enter(
        self,
        visit: Visit,
        person: str,
        label: str,
        bring: bool,
        used: tuple[bytes, int] | None = None,
        by_code: str = "",
    ) -> tuple[str, messages.SignedIn]:
        """Sign a device in; the tables of the guest who was there come along, if they may."""
        self.tables.standings.check_welcome(person)
        device = _device(person, label)
        old = (await self.known.devices(person))[MOST_DEVICES - 1 :]
        change = AccountChange(
            person,
            device=device,
            no_devices=tuple(one.id for one in old),
            used=used,
            by_code=by_code,
            joins=visit.person if bring else "",
            leaves="" if bring else visit.person,
        )
        await self._write(change)
        await self.tables.standings.read()
        self.challenges.forget(visit.identity)
        self.changed()
        if bring:
            await self.tables.become_another([visit.person])
        return device.id, messages.SignedIn(await name_of(self.store, person))

    # Signing out

    async def sign_out(self, visit: Visit, everywhere: bool) -> None:
        """This device, or all of them. What is open there is cut; who is still signed in comes back by themselves."""
        await self._account(visit)
        devices = await self.known.devices(visit.person)
        await self._let_go(visit.person, [one for one in devices if everywhere or one.id == visit.identity])
        if everywhere:
            self.links.forget(visit.person)

    async def remove_device(self, visit: Visit, mark: str) -> None:
        """One device, from another one."""
        await self._account(visit)
        gone = [one for one in await self.known.devices(visit.person) if one.mark == mark]
        if not gone:
            raise Unknown("account-no-such-device")
        await self._let_go(visit.person, gone)

    async def _let_go(self, person: str, devices: list[Device]) -> None:
        await self._write(AccountChange(person, no_devices=tuple(one.id for one in devices)))
        for one in devices:
            self.challenges.forget(one.id)
        self.changed()
        self.tables.hub.cut([person])

    # Being forgotten

    async def forget(self, visit: Visit, name: str) -> None:
        """Nothing is kept of somebody any more. Where others play on, the seat is left first; nobody has it from then on."""
        person = visit.person
        called = await name_of(self.store, person)
        if spell(clean_text(name)) != spell(called):
            raise Illegal("account-other-name")
        talked = await self.known.talked_at(person)
        for line in await self.store.mine(person, ALL):
            if _others_play(person, line):
                await self.tables.stand_up(line.table, person)
        await self._write(AccountChange(person, forget=True, called=called), talked)
        await self.tables.standings.read()
        self.challenges.forget(visit.identity)
        self.links.forget(person)
        self.changed()
        await self.tables.become_another([person], talked)

    # What all of this has in common

    async def _account(self, visit: Visit) -> Account:
        found = await self.known.account(visit.person)
        if found is None:
            raise Forbidden("account-guest")
        return found

    async def _check_guest(self, visit: Visit) -> None:
        if await self.known.account(visit.person):
            raise Illegal("account-signed-in")

    def _check_place(self, visit: Visit) -> None:
        why = self.passkeys.why_not(visit.host, visit.port)
        if why:
            raise Illegal(why.id, **why.values)

    def _ask(self, visit: Visit, what: str, asked: Wanted) -> None:
        self.challenges.put((visit.identity, what), visit.identity, asked)

    def _asked(self, visit: Visit, what: str) -> Wanted:
        """What this very browser was asked for, once and not long ago."""
        found = self.challenges.take((visit.identity, what))
        if found is None:
            raise Illegal("account-ask-anew")
        return found

    async def _write(self, change: AccountChange, tables: Collection[str] = ()) -> None:
        """Make it durable, and known everywhere, also at ``tables``; or say why it cannot be."""
        outcome = await self.tables.commit_people(change, tables)
        if outcome.what == TAKEN:
            raise Illegal("account-name-taken")
        if outcome.what == APART:
            raise Illegal("account-both-sit")
        if outcome.what == NOT_INVITED:
            raise Forbidden("account-uninvited")
        if outcome.what != DONE:
            raise Illegal("account-changed")


def _others_play(person: str, line: Listed) -> bool:
    """Whether somebody sits at a table whose game is not over, and others do too."""
    if line.phase == "over":
        return False
    try:
        places = read_places(line.places, read_header(line.header))
    except Refused:
        return False  # it is damaged: nobody plays there
    people = [place.person for place in places.seats if place.kind == "person"]
    return person in people and len(people) > 1


def _device(person: str, label: str) -> Device:
    """A device that signs in now."""
    day = today()
    return Device(DEVICE + secrets.token_urlsafe(16), person, secrets.token_urlsafe(6), _label(label), day, day)


def _label(text: str) -> str:
    """What a device is called, as its browser says."""
    return clean_text(text)[:60] if text.strip() else ""


def _mark(id: bytes) -> str:
    """What a passkey is called by on the wire."""
    return hashlib.sha256(id).hexdigest()[:16]


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
