"""Who is asking: guests with a random identity, kept in a signed cookie or sent as a token by a program.

An identity is sixteen random bytes; its signature is made with the key in the data folder, so that nobody can make one
up or choose someone else's. A name is what the person calls themselves; it identifies nobody.
"""

from __future__ import annotations

import hashlib
import secrets
from functools import lru_cache
from typing import Any

from itsdangerous import BadSignature, Signer

from diamonds.server.api.refusals import Forbidden, Stranger
from diamonds.server.wire.addresses import Scope

COOKIE = "diamonds"
COOKIE_DAYS = 400

SIGNED = 66  # characters of an identity and its signature


class People:
    """Signs and reads identities."""

    def __init__(self, key: bytes, secure: bool = False) -> None:
        self._cookie = Signer(key, salt="cookie", digest_method=_sha256)
        self._token = Signer(key, salt="token", digest_method=_sha256)
        self._read = lru_cache(maxsize=20_000)(self._check)
        self.secure = secure
        self.cookie_name = f"__Host-{COOKIE}" if secure else COOKIE

    def _check(self, kind: str, text: str) -> str:
        """The identity in a signed text; `BadSignature` if it is not ours, and so only ours are remembered."""
        signer = self._cookie if kind == "cookie" else self._token
        return signer.unsign(text.encode()).decode()

    def _person(self, kind: str, text: str) -> str:
        """The identity in a signed text, or an empty string if the signature is not ours."""
        if len(text) != SIGNED:
            return ""
        try:
            return self._read(kind, text)
        except (BadSignature, UnicodeError):
            return ""

    def identify(self, scope: Scope) -> tuple[str, bool]:
        """The identity behind a request ("" for none), and whether it came as a cookie, which a browser sends unasked.

        An ``Authorization`` header counts before a cookie; one that is not ours is a `Stranger`'s.
        """
        cookie = ""
        for name, value in scope["headers"]:
            if name == b"authorization":
                kind, _, token = value.decode("latin-1").partition(" ")
                person = self._person("token", token.strip()) if kind.lower() == "bearer" else ""
                if not person:
                    raise Stranger("server-no-token")
                return person, False
            if name == b"cookie":
                cookie = value.decode("latin-1")
        for part in cookie.split(";"):
            name, _, value = part.strip().partition("=")
            if name == self.cookie_name:
                person = self._person("cookie", value)
                if person:
                    return person, True
        return "", True

    def require(self, scope: Scope) -> str:
        """The identity behind a request that changes something; refuses strangers and other sites' forms."""
        person, by_cookie = self.identify(scope)
        if by_cookie:
            check_same_site(scope)
        if not person:
            raise Stranger("server-who-are-you")
        return person

    def new(self) -> str:
        """A new guest."""
        return secrets.token_urlsafe(16)

    def cookie(self, person: str) -> str:
        """The ``Set-Cookie`` header for an identity."""
        value = self._cookie.sign(person.encode()).decode()
        secure = "; Secure" if self.secure else ""
        return f"{self.cookie_name}={value}; Path=/; Max-Age={COOKIE_DAYS * 86400}; HttpOnly; SameSite=Lax{secure}"

    def token(self, person: str) -> str:
        """The token for an identity."""
        return self._token.sign(person.encode()).decode()


def _sha256(data: bytes = b"") -> Any:
    return hashlib.sha256(data)


def check_same_site(scope: Scope) -> None:
    """A browser says where a request comes from; with a cookie, only our own page may change anything."""
    headers = dict(scope["headers"])
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        if site not in (b"same-origin", b"none"):
            raise Forbidden("server-other-site")
        return
    origin = headers.get(b"origin")
    if origin is not None and origin.decode("latin-1").partition("://")[2] != headers.get(b"host", b"").decode(
        "latin-1"
    ):
        raise Forbidden("server-other-site")
