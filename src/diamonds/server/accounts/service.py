"""Accounts: registration, sign-in, sign-out, data export and deletion.

Each step is checked, committed, and only then published. A failed sign-in gets the same reply in the same time for
every account, so it does not reveal who has one. Registration does reveal that a name is taken.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Collection
from typing import NamedTuple

from diamonds.errors import DiamondsError, NotAllowedError, NotFoundError
from diamonds.server.accounts.one_time_store import OneTimeStore
from diamonds.server.accounts.passkeys import CEREMONY_TIMEOUT_S, PasskeyVerifier, credential_id_of
from diamonds.server.accounts.recovery_codes import RecoveryCodes, parse_code
from diamonds.server.accounts.registration import RegistrationPolicy
from diamonds.server.api import accounts as messages
from diamonds.server.errors import ForbiddenError
from diamonds.server.people.display_names import (
    clean_account_name,
    clean_name,
    clean_text,
    display_name,
    display_names,
    skeletons,
)
from diamonds.server.people.invisible_characters import normalize_line
from diamonds.server.server_time import today
from diamonds.server.storage.accounts import NAME_TAKEN, SAME_TABLE, Account, AccountChange, Device
from diamonds.server.storage.commit_outcomes import DONE
from diamonds.server.storage.moderation import NOT_INVITED
from diamonds.server.storage.table_data import StoredSummary
from diamonds.server.tables.core.loading import decode_header, decode_seating
from diamonds.server.tables.service import TableService

MAX_PASSKEYS = 20  # per account
MAX_DEVICES = 30  # per account; a further one signs out the device that was unused for longest
LINK_LIFETIME_S = 600
MAX_OPEN_LINKS = 5  # unused links, per account
MAX_PENDING = 10_000  # limit of all ceremonies, and of all links
MAX_TABLES = 1_000_000  # limit of tables listed per person
DEVICE_ID_PREFIX = "~"  # as in `http/identity.py`


class BrowserRequest(NamedTuple):
    """A browser's request: the person, the identity in its cookie (a guest's or device's), and the page's address."""

    person: str
    identity: str
    host: str
    port: int


class PendingCeremony(NamedTuple):
    """A WebAuthn ceremony in progress. For registration it has a name, a handle and perhaps an invitation."""

    webauthn_challenge: bytes
    name: str = ""
    handle: bytes = b""
    invitation: str = ""


class AccountService:
    """The operations on accounts. They call `on_identity_change` after each sign-in or sign-out."""

    def __init__(
        self,
        tables: TableService,
        passkeys: PasskeyVerifier,
        on_identity_change: Callable[[], None],
        registration: RegistrationPolicy,
    ) -> None:
        self.tables = tables
        self.store = tables.store
        self.accounts = tables.store.accounts
        self.passkeys = passkeys
        self.on_identity_change = on_identity_change
        self.registration = registration
        self.recovery_codes = RecoveryCodes()
        self.pending_ceremonies: OneTimeStore[PendingCeremony] = OneTimeStore(CEREMONY_TIMEOUT_S, MAX_PENDING, 3)
        # The person whom each link signs in, by the hash of its secret.
        self.sign_in_links: OneTimeStore[str] = OneTimeStore(LINK_LIFETIME_S, MAX_PENDING, MAX_OPEN_LINKS)

    # Profile

    async def describe_me(self, browser: BrowserRequest) -> messages.MeResponse:
        """Return a person's own profile."""
        person = browser.person
        account = await self.accounts.account(person)
        return messages.MeResponse(
            name=await display_name(self.store, person),
            has_chosen_name=person in await display_names(self.store, [person]),
            has_account=account is not None,
            has_recovery_code=account is not None and account.has_recovery_code,
            passkeys=[
                messages.PasskeyInfo(_public_passkey_id(record.id), record.label, record.created_day)
                for record in await self.accounts.passkeys(person)
            ],
            devices=[
                messages.DeviceInfo(
                    record.public_id,
                    record.label,
                    record.created_day,
                    record.last_seen_day,
                    record.id == browser.identity,
                )
                for record in await self.accounts.devices(person)
            ],
            table_count=len(await self.accounts.tables_of(person)),
            passkeys_unavailable=self.passkeys.unavailable_reason(browser.host, browser.port),
            registration=self.registration.mode,
        )

    async def rename(self, person: str, name: str) -> str:
        """Change a person's display name at every table. An account reserves its new name and frees the old one."""
        name = clean_account_name(name) if await self.accounts.account(person) else clean_name(name)
        await self._check_not_reserved(person, name)
        await self._commit(AccountChange(person, name=name, skeletons=skeletons(name)))
        self.tables.set_name(person, name)
        return name

    async def _check_not_reserved(self, person: str, name: str) -> None:
        """Raise `NotAllowedError` if a name is reserved for a moderator, unless the person already has it."""
        if self.registration.is_reserved(name) and name != await display_name(self.store, person):
            raise NotAllowedError("account-name-taken")

    # Registration

    async def begin_registration(
        self, browser: BrowserRequest, desired_name: str, invitation: str = ""
    ) -> messages.WebAuthnOptionsResponse:
        """Begin to register under a name. Return the options for creating a passkey."""
        await self._check_guest(browser)
        self._check_passkeys_available(browser)
        name = clean_account_name(desired_name)
        if await self.accounts.skeleton_holders(skeletons(name)):
            raise NotAllowedError("account-name-taken")
        invitation_hash = await self.registration.check(
            self.store.moderation, name, invitation, self.tables.sanctions.clock()
        )
        pending = PendingCeremony(secrets.token_bytes(32), name, secrets.token_bytes(32), invitation_hash)
        self._put_ceremony(browser, "account", pending)
        return messages.WebAuthnOptionsResponse(
            self.passkeys.registration_options(pending.webauthn_challenge, pending.handle, name, [])
        )

    async def register(
        self, browser: BrowserRequest, request: messages.PasskeyRequest
    ) -> tuple[str, messages.OneTimeSecretResponse]:
        """Turn a guest into an account. Return the id of the signed-in device and the recovery code."""
        await self._check_guest(browser)
        pending = self._take_ceremony(browser, "account")
        passkey = self.passkeys.verify_registration(
            request.passkey, pending.webauthn_challenge, browser.port, browser.person, _device_label(request.label)
        )
        text, code = await self.recovery_codes.new()
        device = _new_device(browser.person, request.label)
        change = AccountChange(
            browser.person,
            handle=pending.handle,
            name=pending.name,
            skeletons=skeletons(pending.name),
            recovery_code=code,
            passkey=passkey,
            device=device,
            invitation=pending.invitation,
        )
        await self._commit(change)
        self.on_identity_change()
        self.tables.set_name(browser.person, pending.name)
        return device.id, messages.OneTimeSecretResponse(code=text)

    # Further ways to sign in

    async def begin_passkey(self, browser: BrowserRequest) -> messages.WebAuthnOptionsResponse:
        """Return the options for creating another passkey."""
        account = await self._account(browser)
        self._check_passkeys_available(browser)
        credential_ids = [passkey.id for passkey in await self.accounts.passkeys(browser.person)]
        if len(credential_ids) >= MAX_PASSKEYS:
            raise NotAllowedError("account-passkeys-enough", most=MAX_PASSKEYS)
        pending = PendingCeremony(secrets.token_bytes(32))
        self._put_ceremony(browser, "passkey", pending)
        name = await display_name(self.store, browser.person)
        return messages.WebAuthnOptionsResponse(
            self.passkeys.registration_options(pending.webauthn_challenge, account.handle, name, credential_ids)
        )

    async def add_passkey(self, browser: BrowserRequest, request: messages.PasskeyRequest) -> None:
        await self._account(browser)
        pending = self._take_ceremony(browser, "passkey")
        passkey = self.passkeys.verify_registration(
            request.passkey, pending.webauthn_challenge, browser.port, browser.person, _device_label(request.label)
        )
        await self._commit(AccountChange(browser.person, passkey=passkey))

    async def remove_passkey(self, browser: BrowserRequest, public_id: str) -> None:
        """Remove a passkey, unless it is the last one."""
        await self._account(browser)
        passkeys = await self.accounts.passkeys(browser.person)
        removed = next((passkey.id for passkey in passkeys if _public_passkey_id(passkey.id) == public_id), None)
        if removed is None:
            raise NotFoundError("account-no-such-passkey")
        if len(passkeys) == 1:
            raise NotAllowedError("account-last-passkey")
        await self._commit(AccountChange(browser.person, remove_passkey=removed))

    async def new_recovery_code(self, browser: BrowserRequest) -> messages.OneTimeSecretResponse:
        """Replace the recovery code, and return the new one."""
        await self._account(browser)
        text, code = await self.recovery_codes.new()
        await self._commit(AccountChange(browser.person, recovery_code=code))
        return messages.OneTimeSecretResponse(code=text)

    async def new_sign_in_link(self, browser: BrowserRequest) -> messages.OneTimeSecretResponse:
        """Return a link that signs in another device once, within `LINK_LIFETIME_S`."""
        await self._account(browser)
        secret = secrets.token_urlsafe(24)
        self.sign_in_links.put(_hash_secret(secret), browser.person, browser.person)
        return messages.OneTimeSecretResponse(link=secret)

    # Signing in

    async def begin_sign_in(self, browser: BrowserRequest) -> messages.WebAuthnOptionsResponse:
        """Return the options for signing in with a passkey."""
        await self._check_guest(browser)
        self._check_passkeys_available(browser)
        pending = PendingCeremony(secrets.token_bytes(32))
        self._put_ceremony(browser, "sign in", pending)
        return messages.WebAuthnOptionsResponse(self.passkeys.sign_in_options(pending.webauthn_challenge))

    async def sign_in_by_passkey(
        self, browser: BrowserRequest, request: messages.PasskeySignInRequest
    ) -> tuple[str, messages.SignedInResponse]:
        """Sign in with a passkey. Return the id of the signed-in device, and the person's name."""
        await self._check_guest(browser)
        pending = self._take_ceremony(browser, "sign in")
        passkey = await self.accounts.passkey(credential_id_of(request.passkey))
        account = await self.accounts.account(passkey.person) if passkey else None
        if passkey is None or account is None:
            raise ForbiddenError("account-no-passkey")
        sign_count = self.passkeys.verify_sign_in(
            request.passkey, pending.webauthn_challenge, browser.port, passkey, account.handle
        )
        return await self._sign_in(
            browser, passkey.person, request.label, request.bring_tables, (passkey.id, sign_count)
        )

    async def preview_link(self, browser: BrowserRequest, secret: str) -> messages.SignedInResponse:
        """Return the name that a link signs in, so that people notice a link to someone else's account."""
        await self._check_guest(browser)
        person = self.sign_in_links.peek(_hash_secret(secret))
        if person is None:
            raise NotFoundError("account-no-link")
        return messages.SignedInResponse(await display_name(self.store, person))

    async def sign_in_by_link(
        self, browser: BrowserRequest, request: messages.LinkSignInRequest
    ) -> tuple[str, messages.SignedInResponse]:
        """Sign in with a link, which works only once; see `sign_in_by_passkey`."""
        await self._check_guest(browser)
        with self.sign_in_links.consumed(_hash_secret(request.link)) as person:
            if person is None:
                raise NotFoundError("account-no-link")
            return await self._sign_in(browser, person, request.label, request.bring_tables)

    async def sign_in_by_code(
        self, browser: BrowserRequest, request: messages.CodeSignInRequest
    ) -> tuple[str, messages.SignedInResponse]:
        """Sign in with a recovery code; see `sign_in_by_passkey`."""
        await self._check_guest(browser)
        name, secret = parse_code(request.code)
        result = await self.accounts.recovery_code(name)
        if not await self.recovery_codes.verify(secret, result[1] if result else None) or result is None:
            raise ForbiddenError("account-no-code")
        return await self._sign_in(browser, result[0], request.label, request.bring_tables, by_code=name)

    async def _sign_in(
        self,
        browser: BrowserRequest,
        person: str,
        label: str,
        bring_tables: bool,
        passkey_use: tuple[bytes, int] | None = None,
        by_code: str = "",
    ) -> tuple[str, messages.SignedInResponse]:
        """Sign in a device. With `bring_tables`, the guest's tables move to the account, if possible."""
        self.tables.sanctions.check_not_banned(person)
        device = _new_device(person, label)
        old = (await self.accounts.devices(person))[MAX_DEVICES - 1 :]
        change = AccountChange(
            person,
            device=device,
            remove_devices=tuple(old_device.id for old_device in old),
            used_passkey=passkey_use,
            used_recovery_lookup=by_code,
            merged_guest=browser.person if bring_tables else "",
            unsubscribed_guest="" if bring_tables else browser.person,
        )
        await self._commit(change)
        await self.tables.sanctions.refresh()
        self.pending_ceremonies.forget(browser.identity)
        self.on_identity_change()
        if bring_tables:
            await self.tables.reload_people([browser.person])
        return device.id, messages.SignedInResponse(await display_name(self.store, person))

    # Signing out

    async def sign_out(self, browser: BrowserRequest, everywhere: bool) -> None:
        """Sign out this device, or all of them. Open streams are closed; devices that are still signed in reconnect."""
        await self._account(browser)
        devices = await self.accounts.devices(browser.person)
        await self._remove_devices(
            browser.person, [signed_in for signed_in in devices if everywhere or signed_in.id == browser.identity]
        )
        if everywhere:
            self.sign_in_links.forget(browser.person)

    async def remove_device(self, browser: BrowserRequest, public_id: str) -> None:
        """Sign out one of the person's devices."""
        await self._account(browser)
        removed = [
            signed_in for signed_in in await self.accounts.devices(browser.person) if signed_in.public_id == public_id
        ]
        if not removed:
            raise NotFoundError("account-no-such-device")
        await self._remove_devices(browser.person, removed)

    async def _remove_devices(self, person: str, devices: list[Device]) -> None:
        await self._commit(AccountChange(person, remove_devices=tuple(removed.id for removed in devices)))
        for removed in devices:
            self.pending_ceremonies.forget(removed.id)
        self.on_identity_change()
        self.tables.streams.close_of([person])

    # Deletion

    async def delete_person(self, browser: BrowserRequest, name: str) -> None:
        """Delete a person. First vacate their seats at unfinished tables with others."""
        person = browser.person
        current_name = await display_name(self.store, person)
        if normalize_line(clean_text(name)) != normalize_line(current_name):
            raise NotAllowedError("account-other-name")
        chat_tables = await self.accounts.tables_chatted_at(person)
        for listed in await self.store.summaries_of(person, MAX_TABLES):
            if _plays_with_others(person, listed):
                await self.tables.actions.vacate_seat(listed.table, person)
        await self._commit(AccountChange(person, delete_person=True, current_name=current_name), chat_tables)
        await self.tables.sanctions.refresh()
        self.pending_ceremonies.forget(browser.identity)
        self.sign_in_links.forget(person)
        self.on_identity_change()
        await self.tables.reload_people([person], chat_tables)

    # Helpers

    async def _account(self, browser: BrowserRequest) -> Account:
        account = await self.accounts.account(browser.person)
        if account is None:
            raise ForbiddenError("account-guest")
        return account

    async def _check_guest(self, browser: BrowserRequest) -> None:
        if await self.accounts.account(browser.person):
            raise NotAllowedError("account-signed-in")

    def _check_passkeys_available(self, browser: BrowserRequest) -> None:
        reason = self.passkeys.unavailable_reason(browser.host, browser.port)
        if reason:
            raise NotAllowedError(reason.id, **reason.args)

    def _put_ceremony(self, browser: BrowserRequest, purpose: str, pending: PendingCeremony) -> None:
        self.pending_ceremonies.put((browser.identity, purpose), browser.identity, pending)

    def _take_ceremony(self, browser: BrowserRequest, purpose: str) -> PendingCeremony:
        """Remove and return the ceremony that this browser recently began."""
        pending = self.pending_ceremonies.take((browser.identity, purpose))
        if pending is None:
            raise NotAllowedError("account-ceremony-expired")
        return pending

    async def _commit(self, change: AccountChange, tables: Collection[str] = ()) -> None:
        """Make a change durable and publish it, including at `tables`. Raise an error if it is refused."""
        outcome = await self.tables.commit_people(change, tables)
        if outcome.kind == NAME_TAKEN:
            raise NotAllowedError("account-name-taken")
        if outcome.kind == SAME_TABLE:
            raise NotAllowedError("account-both-sit")
        if outcome.kind == NOT_INVITED:
            raise ForbiddenError("account-uninvited")
        if outcome.kind != DONE:
            raise NotAllowedError("account-changed")


def _plays_with_others(person: str, listed: StoredSummary) -> bool:
    """Return whether a person sits at an unfinished table with other people."""
    if listed.phase == "over":
        return False
    try:
        seating = decode_seating(listed.seating, decode_header(listed.header))
    except DiamondsError:
        return False  # a damaged table cannot be played
    people = [holder.person for holder in seating.seats if holder.kind == "person"]
    return person in people and len(people) > 1


def _new_device(person: str, label: str) -> Device:
    """Return a new device, signed in today."""
    day = today()
    return Device(
        DEVICE_ID_PREFIX + secrets.token_urlsafe(16), person, secrets.token_urlsafe(6), _device_label(label), day, day
    )


def _device_label(text: str) -> str:
    """Return the name that a browser reports for its device, cleaned and shortened."""
    return clean_text(text)[:60] if text.strip() else ""


def _public_passkey_id(credential_id: bytes) -> str:
    """Return the id of a passkey for the API."""
    return hashlib.sha256(credential_id).hexdigest()[:16]


def _hash_secret(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
