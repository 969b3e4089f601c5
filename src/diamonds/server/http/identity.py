"""Identities: guests and signed-in devices.

A guest has a random identity in a signed cookie; a program sends its own as a token. An identity is 16 random bytes,
signed with the key in the data folder, so nobody can forge one or choose someone else's. A guest's cookie stops working
when the guest becomes an account: from then on each device has its own identity, which the account can revoke. Display
names do not identify anyone.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from itsdangerous import BadSignature, Signer

from diamonds.server.errors import ForbiddenError, UnauthenticatedError
from diamonds.server.http.network_addresses import Scope
from diamonds.server.server_time import today
from diamonds.server.storage.accounts import AccountStore

COOKIE_NAME = "diamonds"
COOKIE_DAYS = 400

IDENTITY_CHARS = 22
SIGNED_CHARS = IDENTITY_CHARS + 44  # length including the signature
MAX_CACHED_IDENTITIES = 20_000
DEVICE_ID_PREFIX = "~"  # never occurs in the id of a person


class IdentityService:
    """A service that signs and reads identities. `on_device_seen` is called once a day per device."""

    def __init__(
        self,
        key: bytes,
        secure: bool,
        accounts: AccountStore,
        on_device_seen: Callable[[str], object] = lambda device: None,
        check_not_banned: Callable[[str], object] = lambda person: None,
    ) -> None:
        self._cookie_signer = Signer(key, salt="cookie", digest_method=_sha256)
        self._token_signer = Signer(key, salt="token", digest_method=_sha256)
        self._verify_cached = lru_cache(maxsize=MAX_CACHED_IDENTITIES)(self._verify)
        self._persons: dict[str, str] = {}  # persons by identity
        self._generation = 0
        self._accounts = accounts
        self._on_device_seen = on_device_seen
        self.check_not_banned = check_not_banned
        self._day, self._seen_today = 0, set[str]()
        self.secure = secure
        self.cookie_name = f"__Host-{COOKIE_NAME}" if secure else COOKIE_NAME

    def _verify(self, kind: str, text: str) -> str:
        """Return the identity in a signed text.

        Raise `BadSignature` for any other text, so that only texts signed here are cached.
        """
        signer = self._cookie_signer if kind == "cookie" else self._token_signer
        return signer.unsign(text.encode()).decode()

    def _read_signed(self, kind: str, text: str) -> str:
        """Return the identity in a signed text, empty if the signature is not ours."""
        if not SIGNED_CHARS <= len(text) <= SIGNED_CHARS + len(DEVICE_ID_PREFIX):
            return ""
        try:
            return self._verify_cached(kind, text)
        except (BadSignature, UnicodeError):
            return ""

    async def _person_of(self, identity: str) -> str:
        """Return the person with this identity; empty for a signed-out device or a guest who has become an account."""
        known = self._persons.get(identity)
        if known is not None:
            return known
        while True:
            generation = self._generation
            person = await self._look_up(identity)
            if generation == self._generation:  # otherwise the result may be outdated
                break
        if len(self._persons) >= MAX_CACHED_IDENTITIES:
            self._persons.clear()
        self._persons[identity] = person
        return person

    async def _look_up(self, identity: str) -> str:
        if identity.startswith(DEVICE_ID_PREFIX):
            device = await self._accounts.device(identity)
            return device.person if device else ""
        return "" if await self._accounts.account(identity) else identity

    def invalidate(self) -> None:
        """Forget which person has which identity, after a sign-in or sign-out."""
        self._generation += 1
        self._persons.clear()

    def read_cookie(self, scope: Scope) -> str:
        """Return the identity in the request's cookie; empty if there is no valid one."""
        for name, value in scope["headers"]:
            if name == b"cookie":
                for part in value.decode("latin-1").split(";"):
                    name_sent, _, text = part.strip().partition("=")
                    if name_sent == self.cookie_name and (identity := self._read_signed("cookie", text)):
                        return identity
        return ""

    async def identify(self, scope: Scope) -> tuple[str, bool]:
        """Return the person behind a request (empty for a stranger), and whether a cookie identified them.

        An `Authorization` header takes precedence over a cookie. Raise `UnauthenticatedError` if its token is not ours.
        """
        for name, value in scope["headers"]:
            if name == b"authorization":
                kind, _, token = value.decode("latin-1").partition(" ")
                person = self._read_signed("token", token.strip()) if kind.lower() == "bearer" else ""
                if not person:
                    raise UnauthenticatedError("server-no-token")
                return person, False
        identity = self.read_cookie(scope)
        if not identity:
            return "", True
        person = await self._person_of(identity)
        if person and identity.startswith(DEVICE_ID_PREFIX):
            self._note_device_seen(identity)
        return person, True

    def _note_device_seen(self, device: str) -> None:
        day = today()
        if day != self._day:
            self._day, self._seen_today = day, set()
        if device not in self._seen_today:
            self._seen_today.add(device)
            self._on_device_seen(device)

    async def require(self, scope: Scope, allow_banned: bool = False) -> str:
        """Return the person who makes a change.

        Raise for strangers, forms of other sites and, unless `allow_banned`, banned people.
        """
        person, by_cookie = await self.identify(scope)
        if by_cookie:
            check_same_site(scope)
        if not person:
            raise UnauthenticatedError("server-who-are-you")
        if not allow_banned:
            self.check_not_banned(person)
        return person

    def new_guest(self) -> str:
        return secrets.token_urlsafe(16)

    def set_cookie_header(self, identity: str) -> str:
        """Return the `Set-Cookie` header for a guest or a device."""
        value = self._cookie_signer.sign(identity.encode()).decode()
        secure = "; Secure" if self.secure else ""
        return f"{self.cookie_name}={value}; Path=/; Max-Age={COOKIE_DAYS * 86400}; HttpOnly; SameSite=Lax{secure}"

    def sign_token(self, person: str) -> str:
        return self._token_signer.sign(person.encode()).decode()


def _sha256(data: bytes = b"") -> Any:
    return hashlib.sha256(data)


def check_same_site(scope: Scope) -> None:
    """Raise `ForbiddenError` if a browser reports that the request comes from another site."""
    headers = dict(scope["headers"])
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        if site not in (b"same-origin", b"none"):
            raise ForbiddenError("server-other-site")
        return
    origin = headers.get(b"origin")
    if origin is not None and origin.decode("latin-1").partition("://")[2] != headers.get(b"host", b"").decode(
        "latin-1"
    ):
        raise ForbiddenError("server-other-site")
