"""Passkeys: options for browsers and verification of their responses. The only module that uses WebAuthn.

A passkey belongs to the public address of a server. Without an address that browsers trust, there are no passkeys. On
the operator's own machine, browsers trust `localhost` with any port.
"""

from __future__ import annotations

import ipaddress
import json
import logging
from typing import Any
from urllib.parse import urlsplit

import webauthn
from webauthn.helpers import base64url_to_bytes
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from diamonds.errors import DiamondsError
from diamonds.i18n import Message
from diamonds.server.errors import ForbiddenError
from diamonds.server.server_time import today
from diamonds.server.storage.accounts import Passkey

CEREMONY_TIMEOUT_S = 300
MAX_CREDENTIAL_ID_BYTES = 1023  # limit in WebAuthn, 5.8.3

log = logging.getLogger("diamonds")


class PublicOrigin:
    """The origin at which people reach a server, such as `https://diamonds.example`.

    On the operator's machine, it may be `http://localhost:8000`.
    """

    def __init__(self, text: str) -> None:
        parts = urlsplit(text)
        self.host = parts.hostname or ""
        self.is_secure = parts.scheme == "https"
        is_bare = not (parts.path.strip("/") or parts.query or parts.fragment or parts.username)
        if (
            not self.host
            or not is_bare
            or not (self.is_secure or (parts.scheme == "http" and self.host == "localhost"))
        ):
            raise DiamondsError("server-address", given=text[:100])
        if _is_ip_address(self.host):
            raise DiamondsError("server-address", given=text[:100])
        self.origin = f"{parts.scheme}://{parts.netloc.lower()}"


def _is_ip_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


class PasskeyVerifier:
    """The passkeys of a server, bound to its public address, or to localhost if it has none."""

    def __init__(self, public_url: PublicOrigin | None) -> None:
        self.public_url = public_url
        self.rp_id = public_url.host if public_url else "localhost"

    def origin(self, port: int) -> str:
        """Return the origin that browsers must report."""
        return self.public_url.origin if self.public_url else f"http://localhost:{port}"

    def unavailable_reason(self, host: str, port: int) -> Message | None:
        """Return why passkeys cannot work on a page with this `Host` header; `None` if they can."""
        origin = self.origin(port)
        if host.lower() == origin.partition("://")[2]:
            return None
        if self.public_url or _is_loopback(urlsplit(f"//{host}").hostname or ""):
            return Message("account-passkeys-there", {"address": origin})
        return Message("account-passkeys-nowhere")

    def registration_options(
        self, webauthn_challenge: bytes, handle: bytes, name: str, existing_ids: list[bytes]
    ) -> dict[str, Any]:
        """Return the options for creating a discoverable passkey. `existing_ids` prevents duplicates on a device."""
        options = webauthn.generate_registration_options(
            rp_id=self.rp_id,
            rp_name="Diamonds",
            user_id=handle,
            user_name=name,
            challenge=webauthn_challenge,
            timeout=CEREMONY_TIMEOUT_S * 1000,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(id=credential_id) for credential_id in existing_ids],
        )
        result: dict[str, Any] = json.loads(webauthn.options_to_json(options))
        return result

    def verify_registration(
        self, answer: dict[str, Any], webauthn_challenge: bytes, port: int, person: str, label: str
    ) -> Passkey:
        """Return the passkey that a browser has created. Raise `ForbiddenError` if the response is invalid."""
        try:
            verified = webauthn.verify_registration_response(
                credential=answer,
                expected_challenge=webauthn_challenge,
                expected_rp_id=self.rp_id,
                expected_origin=self.origin(port),
                require_user_verification=True,
            )
        except Exception as error:  # any error is due to outside input
            raise _passkey_error(error) from None
        if not 1 <= len(verified.credential_id) <= MAX_CREDENTIAL_ID_BYTES:
            raise _passkey_error(ValueError("invalid length of the credential id"))
        return Passkey(
            verified.credential_id, person, verified.credential_public_key, verified.sign_count, label, today()
        )

    def sign_in_options(self, webauthn_challenge: bytes) -> dict[str, Any]:
        """Return the options for signing in with any passkey for this server."""
        options = webauthn.generate_authentication_options(
            rp_id=self.rp_id,
            challenge=webauthn_challenge,
            timeout=CEREMONY_TIMEOUT_S * 1000,
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        result: dict[str, Any] = json.loads(webauthn.options_to_json(options))
        return result

    def verify_sign_in(
        self, answer: dict[str, Any], webauthn_challenge: bytes, port: int, passkey: Passkey, handle: bytes
    ) -> int:
        """Return the new sign count of the passkey. Raise `ForbiddenError` if the response is invalid."""
        try:
            response = answer["response"]
            user_handle = response.get("userHandle")
            if user_handle and base64url_to_bytes(user_handle) != handle:
                raise ValueError("the user handle is someone else's")
            return webauthn.verify_authentication_response(
                credential=answer,
                expected_challenge=webauthn_challenge,
                expected_rp_id=self.rp_id,
                expected_origin=self.origin(port),
                credential_public_key=passkey.public_key,
                credential_current_sign_count=passkey.sign_count,
                require_user_verification=True,
            ).new_sign_count
        except Exception as error:  # any error is due to outside input
            raise _passkey_error(error) from None


def credential_id_of(answer: dict[str, Any]) -> bytes:
    """Return the credential id in a response; empty if there is none."""
    credential_id = answer.get("id")
    try:
        return base64url_to_bytes(credential_id) if isinstance(credential_id, str) else b""
    except ValueError:
        return b""


def _is_loopback(host: str) -> bool:
    return host == "localhost" or (_is_ip_address(host) and ipaddress.ip_address(host).is_loopback)


def _passkey_error(error: Exception) -> ForbiddenError:
    """Return the same error for every failure, so that attackers learn nothing."""
    log.debug("Passkey rejected: %s.", type(error).__name__)
    return ForbiddenError("account-no-passkey")
