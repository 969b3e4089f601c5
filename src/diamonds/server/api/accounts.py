"""What is said about people's accounts: who one is, and how one signs in; see `tables`.

Nobody's identity is in any of it. What a browser makes of a passkey, and what it is asked for, is as WebAuthn has it (its JSON).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from diamonds.server.api.tables import MessageRef

DeviceLabel = Annotated[str, Meta(max_length=60)]
DesiredName = Annotated[str, Meta(min_length=1, max_length=40)]
SecretText = Annotated[str, Meta(min_length=1, max_length=100)]
RegistrationMode = Literal["open", "invitation", "closed"]
PublicId = Annotated[str, Meta(min_length=1, max_length=60)]


class DeviceInfo(Struct):
    """A browser that is signed in. ``created_day`` and ``last_seen_day`` are days since 1970; ``current``: it is the one that asks."""

    id: str
    label: str
    created_day: int
    last_seen_day: int
    current: bool


class PasskeyInfo(Struct):
    """A passkey; ``created_day`` is a day since 1970."""

    id: str
    label: str
    created_day: int


class MeResponse(Struct):
    """``GET /api/me``: who you are here.

    Unless ``has_account`` you are a guest of this browser; unless ``has_chosen_name`` others may have the same name. ``passkeys_unavailable`` says why passkeys cannot work where you are; ``table_count`` is how many tables you have, ``registration`` who may have an account here.
    """

    name: str
    has_chosen_name: bool
    has_account: bool
    has_recovery_code: bool
    passkeys: list[PasskeyInfo]
    devices: list[DeviceInfo]
    table_count: int
    passkeys_unavailable: MessageRef | None
    registration: RegistrationMode


class WebAuthnOptionsResponse(Struct):
    """What a browser is asked for: the options of WebAuthn, as JSON."""

    options: dict[str, Any]


class BeginAccountRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/me/account/begin``: an account with this name; where one needs an ``invitation``, with its code."""

    name: DesiredName
    invitation: Annotated[str, Meta(max_length=100)] = ""


class PasskeyRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/me/account`` and ``POST /api/me/passkeys``: the passkey that was made, and what to call it."""

    passkey: dict[str, Any]
    label: DeviceLabel = ""


class SecretResponse(Struct):
    """What is shown once and kept nowhere: a recovery ``code``, or the secret of a ``link``."""

    code: str = ""
    link: str = ""


class PasskeySignInRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/sign-in/passkey``: a passkey's answer. ``bring_tables``: this browser's own tables come along."""

    passkey: dict[str, Any]
    label: DeviceLabel = ""
    bring_tables: bool = True


class LinkSignInRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/sign-in/link`` and ``…/link/look``: a link from another device."""

    link: SecretText
    label: DeviceLabel = ""
    bring_tables: bool = True


class CodeSignInRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/sign-in/code``: the recovery code."""

    code: SecretText
    label: DeviceLabel = ""
    bring_tables: bool = True


class SignedInResponse(Struct):
    """You are signed in, under this name."""

    name: str


class RemoveRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/me/devices/remove`` and ``POST /api/me/passkeys/remove``: which one, by its ``id``."""

    id: PublicId


class SignOutRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/me/sign-out``: this device, or ``everywhere``."""

    everywhere: bool = False


class DeleteAccountRequest(Struct, forbid_unknown_fields=True):
    """``POST /api/me/delete``: everything that is kept about you, for good. ``name`` is yours, to be sure."""

    name: DesiredName


class OkResponse(Struct):
    """It is done."""

    ok: bool = True
