"""Web Push: the push services, and sending to them.

The subscriber chooses the endpoint, so only allowed services are used.
"""

from __future__ import annotations

import base64
import http.client
import re
import time
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from diamonds.errors import InvalidInputError
from diamonds.server.storage.push import PushSubscription

# The services of current browsers. A leading dot includes all subdomains.
DEFAULT_PUSH_SERVICES = ("fcm.googleapis.com", ".push.services.mozilla.com", ".notify.windows.com", ".push.apple.com")
_LABEL = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
_HOST = re.compile(rf"(?=.{{1,253}}$)({_LABEL}\.)+(?!\d+$){_LABEL}")
_NAME = re.compile(r"\.?[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*")
_PRINTABLE = re.compile(r"[!-~]+")  # `urlsplit` drops tabs, line breaks and surrounding blanks
_LOCAL_TEST_URL = re.compile(r"http://127\.0\.0\.1:\d{1,5}")  # a service on the same machine, used in tests
_PATH = re.compile(r"/[!-~]*")


class PushServiceAddress(NamedTuple):
    """The address of a push service, parsed from an endpoint."""

    origin: str
    is_secure: bool
    host: str
    port: int
    path: str


class PushServiceAllowlist:
    """The known push services, and those that the operator adds: host names, or `.name` to include subdomains."""

    def __init__(self, more: Sequence[str] = ()) -> None:
        for name in more:
            if not _NAME.fullmatch(name) and not _LOCAL_TEST_URL.fullmatch(name):
                raise ValueError(f"{name!r} is not a host name")
        self._names = (*DEFAULT_PUSH_SERVICES, *more)

    def endpoint(self, url: str) -> PushServiceAddress:
        """Return the address of an endpoint.

        Raise `InvalidInputError` unless it is an allowed host over HTTPS on port 443.
        """
        if not _PRINTABLE.fullmatch(url):
            raise InvalidInputError("push-endpoint")
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            raise InvalidInputError("push-endpoint") from None
        host = (parts.hostname or "").lower()
        path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
        is_plain = "@" not in parts.netloc and not parts.fragment and _PATH.fullmatch(path)
        origin = f"{parts.scheme}://{parts.netloc}"
        if is_plain and origin in self._names and _LOCAL_TEST_URL.fullmatch(origin):
            return PushServiceAddress(origin, False, host, port or 80, path)
        is_allowed = any(host == name or (name.startswith(".") and host.endswith(name)) for name in self._names)
        if (
            not is_plain
            or parts.scheme != "https"
            or port not in (None, 443)
            or not is_allowed
            or not _HOST.fullmatch(host)
        ):
            raise InvalidInputError("push-endpoint")
        return PushServiceAddress(f"https://{host}", True, host, 443, path)


SEND_TIMEOUT_S = 10.0  # per notification
VAPID_LIFETIME_S = 3600  # lifetime of a VAPID token
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # order of the curve P-256


class PushResult(NamedTuple):
    """The response of a push service: status (0: none), and seconds to wait before the next attempt."""

    status: int
    retry_after_s: int = 0

    @property
    def is_gone(self) -> bool:
        """Return whether the subscription has ended."""
        return self.status in (404, 410)

    @property
    def should_retry(self) -> bool:
        """Return whether a later attempt may succeed."""
        return self.status in (0, 408, 429) or self.status >= 500


def is_valid_public_key(key: bytes) -> bool:
    """Return whether the bytes are a valid public key of a browser."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)
    except ValueError:
        return False
    return len(key) == 65


def base64url(data: bytes) -> str:
    """Encode bytes as base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class WebPushSender:
    """A thread-safe sender of push notifications.

    `key` is the server's 32-byte secret, `contact` the operator's address.
    """

    def __init__(self, allowlist: PushServiceAllowlist, key: bytes, contact: str) -> None:
        self.allowlist = allowlist
        self.contact = contact
        number = int.from_bytes(key, "big") % (P256_ORDER - 1) + 1
        self._private_key = base64url(number.to_bytes(32, "big")).encode()
        public = ec.derive_private_key(number, ec.SECP256R1()).public_key()
        self.public_key = base64url(public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    def send(self, subscription: PushSubscription, text: bytes, topic: str, seconds: int) -> PushResult:
        """Send a notification. The service keeps it for `seconds`, or until another with the same topic.

        Redirects are not followed; only the status and `Retry-After` of the response are used.
        """
        push_endpoint = self.allowlist.endpoint(subscription.endpoint)
        headers = {
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(seconds),
            "Topic": topic,
            "Urgency": "normal",
            **self._vapid_headers(push_endpoint),
        }
        kind = http.client.HTTPSConnection if push_endpoint.is_secure else http.client.HTTPConnection
        connection = kind(push_endpoint.host, push_endpoint.port, timeout=SEND_TIMEOUT_S)
        try:
            connection.request("POST", push_endpoint.path, _encrypt(subscription, text), headers)
            reply = connection.getresponse()
            retry_after = reply.getheader("Retry-After") or ""
            return PushResult(
                reply.status,
                int(retry_after) if retry_after.isascii() and retry_after.isdecimal() and len(retry_after) < 7 else 0,
            )
        except (OSError, http.client.HTTPException):
            return PushResult(0)
        finally:
            connection.close()

    def _vapid_headers(self, push_endpoint: PushServiceAddress) -> dict[str, str]:
        from py_vapid import Vapid02  # imported only when needed, because it is slow

        claims = {"sub": self.contact, "aud": push_endpoint.origin, "exp": int(time.time()) + VAPID_LIFETIME_S}
        signed: dict[str, str] = Vapid02.from_raw(self._private_key).sign(claims)
        return signed


def _encrypt(subscription: PushSubscription, text: bytes) -> bytes:
    """Encrypt a notification for one browser (RFC 8291), with a new key pair and salt."""
    import http_ece

    own_key = ec.generate_private_key(ec.SECP256R1())
    return bytes(
        http_ece.encrypt(
            text, private_key=own_key, dh=subscription.key, auth_secret=subscription.auth, version="aes128gcm"
        )
    )
