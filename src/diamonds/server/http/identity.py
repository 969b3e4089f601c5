"""Who is asking: guests with a random identity, kept in a signed cookie or sent as a token by a program; and devices that
are signed in to an account.

An identity is sixteen random bytes; its signature is made with the key in the data folder, so that nobody can make one
up or choose someone else's. A guest's cookie says who they are, and for that is worth nothing once the guest has an account: from
then on each of their devices has an identity of its own, which the account can let go of. A name is what the person calls
themselves; it identifies nobody.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from itsdangerous import BadSignature, Signer

from diamonds.server.clock import today
from diamonds.server.errors import ForbiddenError, UnauthenticatedError
from diamonds.server.http.hosts import Scope
from diamonds.server.storage.accounts import AccountStore

COOKIE_NAME = "diamonds"
COOKIE_DAYS = 400

IDENTITY_CHARS = 22  # characters
SIGNED_CHARS = IDENTITY_CHARS + 44  # characters of an identity and its signature
MAX_CACHED_IDENTITIES = 20_000  # identities
DEVICE_ID_PREFIX = "~"  # before the identity of a device


class IdentityService:
    """Signs and reads identities. ``seen`` is told of each device once a day; ``check`` refuses whoever is not welcome."""

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
        self._persons: dict[str, str] = {}  # by identity
        self._generation = 0
        self._accounts = accounts
        self._on_device_seen = on_device_seen
        self.check_not_banned = check_not_banned
        self._day, self._seen_today = 0, set[str]()
        self.secure = secure
        self.cookie_name = f"__Host-{COOKIE_NAME}" if secure else COOKIE_NAME

    def _verify(self, kind: str, text: str) -> str:
        """The identity in a signed text; `BadSignature` if it is not ours, and so only ours are remembered."""
        signer = self._cookie_signer if kind == "cookie" else self._token_signer
        return signer.unsign(text.encode()).decode()

    def _read_signed(self, kind: str, text: str) -> str:
        """The identity in a signed text, or an empty string if the signature is not ours."""
        if not SIGNED_CHARS <= len(text) <= SIGNED_CHARS + len(DEVICE_ID_PREFIX):
            return ""
        try:
            return self._verify_cached(kind, text)
        except (BadSignature, UnicodeError):
            return ""

    async def _person_of(self, identity: str) -> str:
        """Who somebody with this cookie is, or an empty string if nobody: signed out, or a guest who has an account by now."""
        known = self._persons.get(identity)
        if known is not None:
            return known
        while True:
            generation = self._generation
            person = await self._look_up(identity)
            if generation == self._generation:  # else it may be as it was before
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
        """Somebody has signed in or out: who is who has to be asked again."""
        self._generation += 1
        self._persons.clear()

    def read_cookie(self, scope: Scope) -> str:
        """What the request's cookie says, a guest or a device; empty for none of ours."""
        for name, value in scope["headers"]:
            if name == b"cookie":
                for part in value.decode("latin-1").split(";"):
                    name_sent, _, text = part.strip().partition("=")
                    if name_sent == self.cookie_name and (identity := self._read_signed("cookie", text)):
                        return identity
        return ""

    async def identify(self, scope: Scope) -> tuple[str, bool]:
        """The person behind a request ("" for nobody), and whether it came as a cookie, which a browser sends unasked.

        An ``Authorization`` header counts before a cookie; one that is not ours is a `UnauthenticatedError`'s.
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
        """The identity behind a request that changes something; refuses strangers, other sites' forms and who is not welcome. Who
        ``leaves`` need not be."""
        person, by_cookie = await self.identify(scope)
        if by_cookie:
            check_same_site(scope)
        if not person:
            raise UnauthenticatedError("server-who-are-you")
        if not allow_banned:
            self.check_not_banned(person)
        return person

    def new_guest(self) -> str:
        """A new guest."""
        return secrets.token_urlsafe(16)

    def set_cookie_header(self, identity: str) -> str:
        """The ``Set-Cookie`` header for a guest or a device."""
        value = self._cookie_signer.sign(identity.encode()).decode()
        secure = "; Secure" if self.secure else ""
        return f"{self.cookie_name}={value}; Path=/; Max-Age={COOKIE_DAYS * 86400}; HttpOnly; SameSite=Lax{secure}"

    def sign_token(self, person: str) -> str:
        """The token for an identity."""
        return self._token_signer.sign(person.encode()).decode()


def _sha256(data: bytes = b"") -> Any:
    return hashlib.sha256(data)


def check_same_site(scope: Scope) -> None:
    """A browser says where a request comes from; with a cookie, only our own page may change anything."""
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
