"""Bringing one message to a push service: encrypted for the browser alone, and signed so that the service knows the house."""

from __future__ import annotations

import base64
import http.client
import time
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from diamonds.server.reminding.services import Place, Services
from diamonds.server.store.pushes import Subscription

SECONDS = 10.0  # for one message
SIGNED_FOR = 3600  # seconds
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the curve P-256


class Brought(NamedTuple):
    """What a service said: its status (0: nothing), and after how many seconds one may ask again."""

    status: int
    after: int = 0

    @property
    def gone(self) -> bool:
        """Whether the browser takes no messages any more."""
        return self.status in (404, 410)

    @property
    def again(self) -> bool:
        """Whether it may go better another time."""
        return self.status in (0, 408, 429) or self.status >= 500


def on_curve(key: bytes) -> bool:
    """Whether these bytes are a browser's public key."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)
    except ValueError:
        return False
    return len(key) == 65


def in_base64(data: bytes) -> str:
    """Bytes as they stand in addresses."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Sender:
    """Brings messages, in any thread. ``key`` are the house's 32 bytes, ``contact`` where its keeper is found."""

    def __init__(self, services: Services, key: bytes, contact: str) -> None:
        self.services = services
        self.contact = contact
        number = int.from_bytes(key, "big") % (ORDER - 1) + 1
        self._raw = in_base64(number.to_bytes(32, "big")).encode()
        public = ec.derive_private_key(number, ec.SECP256R1()).public_key()
        self.public = in_base64(public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    def bring(self, to: Subscription, text: bytes, topic: str, seconds: int) -> Brought:
        """Bring a message, which the service keeps for so many seconds; it takes the place of one with the same topic.

        No redirect is followed, and nothing that a service says is read but the status and when to come again.
        """
        place = self.services.place(to.endpoint)
        headers = {
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(seconds),
            "Topic": topic,
            "Urgency": "normal",
            **self._signed(place),
        }
        kind = http.client.HTTPSConnection if place.secure else http.client.HTTPConnection
        line = kind(place.host, place.port, timeout=SECONDS)
        try:
            line.request("POST", place.path, _encrypted(to, text), headers)
            reply = line.getresponse()
            after = reply.getheader("Retry-After") or ""
            return Brought(reply.status, int(after) if after.isascii() and after.isdecimal() and len(after) < 7 else 0)
        except (OSError, http.client.HTTPException):
            return Brought(0)
        finally:
            line.close()

    def _signed(self, place: Place) -> dict[str, str]:
        from py_vapid import Vapid02  # these take a while to load: not before there is something to send

        claims = {"sub": self.contact, "aud": place.origin, "exp": int(time.time()) + SIGNED_FOR}
        signed: dict[str, str] = Vapid02.from_raw(self._raw).sign(claims)
        return signed


def _encrypted(to: Subscription, text: bytes) -> bytes:
    """Encrypt a message for one browser (RFC 8291). Each message has a key pair and a salt of its own."""
    import http_ece

    own_key = ec.generate_private_key(ec.SECP256R1())
    return bytes(http_ece.encrypt(text, private_key=own_key, dh=to.key, auth_secret=to.auth, version="aes128gcm"))
