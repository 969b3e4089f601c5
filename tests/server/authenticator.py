"""A browser with passkeys, in software: it answers what a house asks for as WebAuthn says, or wrongly on purpose."""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from guests import Guest
from webauthn.helpers import bytes_to_base64url

PRESENT, VERIFIED, ATTESTED = 1, 4, 64


class Key:
    """A passkey of its owner's authenticator."""

    def __init__(self, options: dict[str, Any], id: bytes = b"") -> None:
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.id = id or os.urandom(32)
        self.rp: str = options["rp"]["id"]
        self.handle: str = options["user"]["id"]
        self.uses = 0

    def cose(self) -> bytes:
        """Its public half."""
        numbers = self.private.public_key().public_numbers()
        x, y = (number.to_bytes(32, "big") for number in (numbers.x, numbers.y))
        return cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})


class Browser(Guest):
    """Someone in a browser: with a cookie, which replies may change, and with passkeys."""

    def __init__(self, port: int, host: str = "localhost") -> None:
        super().__init__(port)
        self.origin = f"http://{host}:{port}"
        self.headers = {"Host": f"{host}:{port}", "Sec-Fetch-Site": "same-origin"}
        self.keys: list[Key] = []
        self.get("/api/house")

    def send(self, *given: Any, **named: Any) -> tuple[int, bytes]:
        """See `Guest`; keeps the cookie."""
        found = super().send(*given, **named)
        if given_cookie := self.reply_headers.get("set-cookie"):
            self.headers["Cookie"] = given_cookie.partition(";")[0]
        return found

    # What its authenticator does

    def _client_data(self, kind: str, challenge: str, origin: str | None) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": origin or self.origin}).encode()

    def make_key(
        self, options: dict[str, Any], origin: str | None = None, flags: int = PRESENT | VERIFIED, id: bytes = b""
    ) -> Any:
        """A new passkey as the house asks for it; the answer."""
        key = Key(options, id)
        self.keys.append(key)
        data = hashlib.sha256(key.rp.encode()).digest() + bytes([flags | ATTESTED]) + key.uses.to_bytes(4, "big")
        data += bytes(16) + len(key.id).to_bytes(2, "big") + key.id + key.cose()
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        told = self._client_data("webauthn.create", options["challenge"], origin)
        return {
            "id": bytes_to_base64url(key.id),
            "rawId": bytes_to_base64url(key.id),
            "type": "public-key",
            "response": {
                "clientDataJSON": bytes_to_base64url(told),
                "attestationObject": bytes_to_base64url(attestation),
            },
        }

    def use_key(
        self,
        options: dict[str, Any],
        origin: str | None = None,
        flags: int = PRESENT | VERIFIED,
        key: Key | None = None,
    ) -> Any:
        """The answer of a passkey."""
        key = key or self.keys[-1]
        key.uses += 1
        data = hashlib.sha256(key.rp.encode()).digest() + bytes([flags]) + key.uses.to_bytes(4, "big")
        told = self._client_data("webauthn.get", options["challenge"], origin)
        signed = key.private.sign(data + hashlib.sha256(told).digest(), ec.ECDSA(hashes.SHA256()))
        return {
            "id": bytes_to_base64url(key.id),
            "rawId": bytes_to_base64url(key.id),
            "type": "public-key",
            "response": {
                "clientDataJSON": bytes_to_base64url(told),
                "authenticatorData": bytes_to_base64url(data),
                "signature": bytes_to_base64url(signed),
                "userHandle": key.handle,
            },
        }

    # What its person does

    def me(self) -> Any:
        """Who one is here."""
        return self.get("/api/me")

    def become(self, name: str) -> str:
        """Make an account; returns the recovery code."""
        asked = self.post("/api/me/account/begin", {"name": name}, 200)
        made = {"passkey": self.make_key(asked["options"]), "label": "A test"}
        code: str = self.post("/api/me/account", made, 201)["code"]
        return code

    def sign_in(self, expect: int = 200, **more: Any) -> Any:
        """Sign in with the newest passkey."""
        asked = self.post("/api/sign-in/passkey/begin", {}, 200)
        return self.post("/api/sign-in/passkey", {"passkey": self.use_key(asked["options"]), **more}, expect)

    def with_keys_of(self, other: Browser) -> Browser:
        """Its passkeys are here too, as people have theirs on all their devices."""
        self.keys = other.keys
        return self
