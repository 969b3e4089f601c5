"""A software WebAuthn authenticator whose passkeys answer ceremonies correctly, or wrongly on purpose."""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import bytes_to_base64url

from tests.server.support.client import Client

FLAG_USER_PRESENT, FLAG_USER_VERIFIED, FLAG_ATTESTED = 1, 4, 64


class SoftPasskey:
    """One passkey (an ES256 credential) of the authenticator."""

    def __init__(self, options: dict[str, Any], id: bytes = b"") -> None:
        self.private_key = ec.generate_private_key(ec.SECP256R1())
        self.id = id or os.urandom(32)
        self.rp_id: str = options["rp"]["id"]
        self.user_handle: str = options["user"]["id"]
        self.sign_count = 0

    def cose_public_key(self) -> bytes:
        numbers = self.private_key.public_key().public_numbers()
        x, y = (number.to_bytes(32, "big") for number in (numbers.x, numbers.y))
        return cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})

    def register(
        self, options: dict[str, Any], origin: str, flags: int = FLAG_USER_PRESENT | FLAG_USER_VERIFIED
    ) -> Any:
        """Return the registration response for the server's options."""
        data = self._authenticator_data(flags | FLAG_ATTESTED)
        data += bytes(16) + len(self.id).to_bytes(2, "big") + self.id + self.cose_public_key()
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        return self._response(
            _client_data("webauthn.create", options["challenge"], origin), attestationObject=attestation
        )

    def sign(self, options: dict[str, Any], origin: str, flags: int = FLAG_USER_PRESENT | FLAG_USER_VERIFIED) -> Any:
        """Sign the server's challenge and return the authentication response."""
        self.sign_count += 1
        data, client_data = self._authenticator_data(flags), _client_data("webauthn.get", options["challenge"], origin)
        signed = self.private_key.sign(data + hashlib.sha256(client_data).digest(), ec.ECDSA(hashes.SHA256()))
        response = self._response(client_data, authenticatorData=data, signature=signed)
        response["response"]["userHandle"] = self.user_handle
        return response

    def _authenticator_data(self, flags: int) -> bytes:
        return hashlib.sha256(self.rp_id.encode()).digest() + bytes([flags]) + self.sign_count.to_bytes(4, "big")

    def _response(self, client_data: bytes, **parts: bytes) -> Any:
        id = bytes_to_base64url(self.id)
        coded = {name: bytes_to_base64url(part) for name, part in parts.items()}
        response = {"clientDataJSON": bytes_to_base64url(client_data), **coded}
        return {"id": id, "rawId": id, "type": "public-key", "response": response}


def _client_data(kind: str, challenge: str, origin: str) -> bytes:
    return json.dumps({"type": kind, "challenge": challenge, "origin": origin}).encode()


class BrowserClient(Client):
    """A client that acts as a browser: it keeps cookies and has passkeys."""

    def __init__(self, port: int, host: str = "localhost") -> None:
        super().__init__(port)
        self.origin = f"http://{host}:{port}"
        self.headers = {"Host": f"{host}:{port}", "Sec-Fetch-Site": "same-origin"}
        self.passkeys: list[SoftPasskey] = []
        self.get("/api/server")

    def send(self, *args: Any, **kwargs: Any) -> tuple[int, bytes]:
        """Send a request like `Client.send`, and keep the cookie of the reply."""
        result = super().send(*args, **kwargs)
        if given_cookie := self.reply_headers.get("set-cookie"):
            self.headers["Cookie"] = given_cookie.partition(";")[0]
        return result

    # Authenticator

    def create_passkey(
        self,
        options: dict[str, Any],
        origin: str | None = None,
        flags: int = FLAG_USER_PRESENT | FLAG_USER_VERIFIED,
        id: bytes = b"",
    ) -> Any:
        """Create a passkey for the server's options and return the registration response."""
        self.passkeys.append(SoftPasskey(options, id))
        return self.passkeys[-1].register(options, origin or self.origin, flags)

    def sign_challenge(
        self,
        options: dict[str, Any],
        origin: str | None = None,
        flags: int = FLAG_USER_PRESENT | FLAG_USER_VERIFIED,
        key: SoftPasskey | None = None,
    ) -> Any:
        """Sign the challenge with a passkey (by default the newest) and return the authentication response."""
        return (key or self.passkeys[-1]).sign(options, origin or self.origin, flags)

    # Person

    def get_me(self) -> Any:
        return self.get("/api/me")

    def create_account(self, name: str) -> str:
        """Create an account and return its recovery code."""
        begun = self.post("/api/me/account/begin", {"name": name}, 200)
        made = {"passkey": self.create_passkey(begun["options"]), "label": "A test"}
        code: str = self.post("/api/me/account", made, 201)["code"]
        return code

    def with_account(self, name: str) -> BrowserClient:
        """Create an account, and return this browser."""
        self.create_account(name)
        return self

    def sign_in(self, expect: int = 200, **more: Any) -> Any:
        begun = self.post("/api/sign-in/passkey/begin", {}, 200)
        return self.post("/api/sign-in/passkey", {"passkey": self.sign_challenge(begun["options"]), **more}, expect)

    def with_passkeys_of(self, other: BrowserClient) -> BrowserClient:
        """Share the passkeys of another browser, as synced passkeys do, and return this one."""
        self.passkeys = other.passkeys
        return self
