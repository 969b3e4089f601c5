"""A software passkey, which a test can store and load."""

from __future__ import annotations

from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key

from tests.server.support.authenticator import SoftPasskey


class Passkey(SoftPasskey):
    """A passkey of `localhost`; `stored` contains it as JSON."""

    @classmethod
    def load(cls, stored: dict[str, Any]) -> Passkey:
        key = cls({"rp": {"id": "localhost"}, "user": {"id": stored["handle"]}}, bytes.fromhex(stored["id"]))
        private_key = load_pem_private_key(stored["private"].encode(), None)
        assert isinstance(private_key, ec.EllipticCurvePrivateKey)
        key.private_key, key.sign_count = private_key, stored["uses"]
        return key

    @property
    def stored(self) -> dict[str, Any]:
        """The whole passkey, as JSON."""
        pem = self.private_key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
        return {"id": self.id.hex(), "handle": self.user_handle, "uses": self.sign_count, "private": pem}
