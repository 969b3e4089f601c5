"""Passkeys: what a browser is asked for, and whether its answer is one. The only file that knows WebAuthn's ways.

A passkey belongs to the name of a house, its *address*: without one that browsers trust there are none. On one's own machine that
is ``localhost``, on any port that the house listens at.
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

from diamonds.game import Refused
from diamonds.server.api.refusals import Forbidden
from diamonds.server.store.accounts import Passkey, today
from diamonds.words import Message

SECONDS = 300  # for which a browser may take its time
LONGEST_ID = 1023  # bytes (WebAuthn, 5.8.3)

log = logging.getLogger("diamonds")


class Address:
    """Where people find the house: ``https://diamonds.example``, or ``http://localhost:8000`` on one's own machine."""

    def __init__(self, text: str) -> None:
        parts = urlsplit(text)
        self.host = parts.hostname or ""
        self.secure = parts.scheme == "https"
        whole = not (parts.path.strip("/") or parts.query or parts.fragment or parts.username)
        if not self.host or not whole or not (self.secure or (parts.scheme == "http" and self.host == "localhost")):
            raise Refused("server-address", given=text[:100])
        if _is_number(self.host):
            raise Refused("server-address", given=text[:100])
        self.origin = f"{parts.scheme}://{parts.netloc.lower()}"


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


class Passkeys:
    """What passkeys there can be in a house: of its ``address``, or of localhost while it has none."""

    def __init__(self, address: Address | None) -> None:
        self.address = address
        self.name = address.host if address else "localhost"

    def origin(self, port: int) -> str:
        """Where browsers must say that they are."""
        return self.address.origin if self.address else f"http://localhost:{port}"

    def why_not(self, host: str, port: int) -> Message | None:
        """Why passkeys cannot work on a page whose address is ``host`` (as in the header, with its port); ``None`` if they can."""
        origin = self.origin(port)
        if host.lower() == origin.partition("://")[2]:
            return None
        if self.address or _is_this_machine(urlsplit(f"//{host}").hostname or ""):
            return Message("account-passkeys-there", {"address": origin})
        return Message("account-passkeys-nowhere")

    def ask_for_new(self, challenge: bytes, handle: bytes, name: str, known: list[bytes]) -> dict[str, Any]:
        """What a browser is asked for to make a passkey that its owner need not be named for; ``known`` it need not make again."""
        options = webauthn.generate_registration_options(
            rp_id=self.name,
            rp_name="Diamonds",
            user_id=handle,
            user_name=name,
            challenge=challenge,
            timeout=SECONDS * 1000,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(id=id) for id in known],
        )
        found: dict[str, Any] = json.loads(webauthn.options_to_json(options))
        return found

    def made(self, answer: dict[str, Any], challenge: bytes, port: int, person: str, label: str) -> Passkey:
        """The passkey that a browser made, or `Forbidden`."""
        try:
            found = webauthn.verify_registration_response(
                credential=answer,
                expected_challenge=challenge,
                expected_rp_id=self.name,
                expected_origin=self.origin(port),
                require_user_verification=True,
            )
        except Exception as error:  # whatever is wrong with it, it came from outside
            raise _no_passkey(error) from None
        if not 1 <= len(found.credential_id) <= LONGEST_ID:
            raise _no_passkey(ValueError("its id is too long"))
        return Passkey(found.credential_id, person, found.credential_public_key, found.sign_count, label, today())

    def ask_for_one(self, challenge: bytes) -> dict[str, Any]:
        """What a browser is asked for to sign in with any passkey that it has for this house."""
        options = webauthn.generate_authentication_options(
            rp_id=self.name,
            challenge=challenge,
            timeout=SECONDS * 1000,
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        found: dict[str, Any] = json.loads(webauthn.options_to_json(options))
        return found

    def used(self, answer: dict[str, Any], challenge: bytes, port: int, passkey: Passkey, handle: bytes) -> int:
        """How often the passkey has been used by now; `Forbidden` if this is not its answer."""
        try:
            response = answer["response"]
            whose = response.get("userHandle")
            if whose and base64url_to_bytes(whose) != handle:
                raise ValueError("it names somebody else")
            return webauthn.verify_authentication_response(
                credential=answer,
                expected_challenge=challenge,
                expected_rp_id=self.name,
                expected_origin=self.origin(port),
                credential_public_key=passkey.key,
                credential_current_sign_count=passkey.uses,
                require_user_verification=True,
            ).new_sign_count
        except Exception as error:  # whatever is wrong with it, it came from outside
            raise _no_passkey(error) from None


def id_of(answer: dict[str, Any]) -> bytes:
    """Which passkey an answer is from, as it says; empty if it does not."""
    id = answer.get("id")
    try:
        return base64url_to_bytes(id) if isinstance(id, str) else b""
    except ValueError:
        return b""


def _is_this_machine(host: str) -> bool:
    return host == "localhost" or (_is_number(host) and ipaddress.ip_address(host).is_loopback)


def _no_passkey(error: Exception) -> Forbidden:
    """One sentence whatever was wrong: who tries answers learns nothing from it."""
    log.debug("A passkey was refused: %s.", type(error).__name__)
    return Forbidden("account-no-passkey")
