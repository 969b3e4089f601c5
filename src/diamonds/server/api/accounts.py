"""Messages about accounts: profile, registration and sign-in; see `tables`.

They contain nobody's identity. Passkeys and their options are WebAuthn JSON.
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
    """A signed-in browser. `created_day` and `last_seen_day` are days since 1970; `current` is the caller's."""

    id: str
    label: str
    created_day: int
    last_seen_day: int
    current: bool


class PasskeyInfo(Struct):
    """A passkey. `created_day` is a day since 1970."""

    id: str
    label: str
    created_day: int


class MeResponse(Struct):
    """`GET /api/me`: your profile.

    Without `has_account` you are a guest in this browser; without `has_chosen_name` others may have the same name.
    `passkeys_unavailable` says why passkeys cannot work here. `table_count` is the number of your tables,
    `registration` the rule for new accounts.
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
    """The WebAuthn options for the browser."""

    options: dict[str, Any]


class BeginAccountRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/me/account/begin`: register an account with this name.

    If an invitation is needed, `invitation` is its code.
    """

    name: DesiredName
    invitation: Annotated[str, Meta(max_length=100)] = ""


class PasskeyRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/me/account` and `POST /api/me/passkeys`: the new passkey, and a label for it."""

    passkey: dict[str, Any]
    label: DeviceLabel = ""


class OneTimeSecretResponse(Struct):
    """A secret that is shown once and never stored: a recovery `code`, or the secret of a `link`."""

    code: str = ""
    link: str = ""


class PasskeySignInRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/sign-in/passkey`: a passkey's response.

    With `bring_tables`, the tables of this browser's guest move to the account.
    """

    passkey: dict[str, Any]
    label: DeviceLabel = ""
    bring_tables: bool = True


class LinkSignInRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/sign-in/link` and `POST /api/sign-in/link/preview`: a link from another device."""

    link: SecretText
    label: DeviceLabel = ""
    bring_tables: bool = True


class CodeSignInRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/sign-in/code`: the recovery code."""

    code: SecretText
    label: DeviceLabel = ""
    bring_tables: bool = True


class SignedInResponse(Struct):
    """The name under which you are signed in."""

    name: str


class RemoveSignInRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/me/devices/remove` and `POST /api/me/passkeys/remove`: the `id` to remove."""

    id: PublicId


class SignOutRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/me/sign-out`: sign out this device, or all with `everywhere`."""

    everywhere: bool = False


class DeleteAccountRequest(Struct, forbid_unknown_fields=True):
    """`POST /api/me/delete`: delete everything stored about you. `name` is your own name, as confirmation."""

    name: DesiredName


class OkResponse(Struct):
    """Success."""

    ok: bool = True
