"""A software passkey, which a test can store and load."""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key
from webauthn.helpers import bytes_to_base64url

USER_VERIFIED, ATTESTED = 1 | 4, 64


class Passkey:
    """A passkey; `stored` contains it as JSON."""

    def __init__(self, stored: dict[str, Any]) -> None:
        self.id = bytes.fromhex(stored["id"])
        self.user_handle: str = stored["handle"]
        self.sign_count: int = stored["uses"]
        private = load_pem_private_key(stored["private"].encode(), None)
        assert isinstance(private, ec.EllipticCurvePrivateKey)
        self._private = private

    @property
    def stored(self) -> dict[str, Any]:
        """The whole passkey, as JSON."""
        pem = self._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
        return {"id": self.id.hex(), "handle": self.user_handle, "uses": self.sign_count, "private": pem}

    @classmethod
    def create(cls, options: dict[str, Any], origin: str) -> tuple[Passkey, dict[str, Any]]:
        """Create the passkey that a server requests; return it and the browser's reply."""
        private = ec.generate_private_key(ec.SECP256R1())
        pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
        key = cls({"id": os.urandom(16).hex(), "handle": options["user"]["id"], "uses": 0, "private": pem})
        numbers = private.public_key().public_numbers()
        x, y = (number.to_bytes(32, "big") for number in (numbers.x, numbers.y))
        data = key._authenticator_data(options["rp"]["id"], USER_VERIFIED | ATTESTED)
        data += bytes(16) + len(key.id).to_bytes(2, "big") + key.id + cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client_data = _client_data("webauthn.create", options["challenge"], origin)
        return key, key._reply(client_data, attestationObject=attestation)

    def sign(self, options: dict[str, Any], origin: str) -> dict[str, Any]:
        """Sign the challenge of a server; return the reply of the browser."""
        self.sign_count += 1
        data = self._authenticator_data(options["rpId"], USER_VERIFIED)
        client_data = _client_data("webauthn.get", options["challenge"], origin)
        signed = self._private.sign(data + hashlib.sha256(client_data).digest(), ec.ECDSA(hashes.SHA256()))
        reply = self._reply(client_data, authenticatorData=data, signature=signed)
        reply["response"]["userHandle"] = self.user_handle
        return reply

    def _authenticator_data(self, relying_party: str, flags: int) -> bytes:
        return hashlib.sha256(relying_party.encode()).digest() + bytes([flags]) + self.sign_count.to_bytes(4, "big")

    def _reply(self, client_data: bytes, **parts: bytes) -> dict[str, Any]:
        id = bytes_to_base64url(self.id)
        coded = {name: bytes_to_base64url(part) for name, part in parts.items()}
        response = {"clientDataJSON": bytes_to_base64url(client_data), **coded}
        return {"id": id, "rawId": id, "type": "public-key", "response": response}


def _client_data(kind: str, challenge: str, origin: str) -> bytes:
    return json.dumps({"type": kind, "challenge": challenge, "origin": origin}).encode()
