"""Registration: who may create an account, and invitations."""

from __future__ import annotations

import hashlib
import secrets
from typing import Literal, NamedTuple

from diamonds.errors import NotAllowedError
from diamonds.server.accounts.recovery_codes import ALPHABET, normalize_code
from diamonds.server.errors import ForbiddenError
from diamonds.server.people.display_names import is_confusable
from diamonds.server.storage.moderation import Invitation, ModerationStore

INVITATION_CHARS = 16  # 80 bits


class RegistrationPolicy(NamedTuple):
    """The rule for new accounts. A reserved name requires an invitation for exactly that name."""

    mode: Literal["open", "invitation", "closed"] = "open"
    reserved_names: tuple[str, ...] = ()

    def is_reserved(self, name: str) -> bool:
        """Return whether a name is reserved or confusable with a reserved one."""
        return any(is_confusable(name, reserved) for reserved in self.reserved_names)

    async def check(self, store: ModerationStore, name: str, typed: str, now: float) -> str:
        """Return the hash of the invitation that an account of this name uses; empty if it needs none.

        Raise `DiamondsError` if the account may not be created.
        """
        if self.mode == "closed":
            raise ForbiddenError("account-closed")
        is_reserved = self.is_reserved(name)
        if self.mode == "open" and not is_reserved:
            return ""
        invitation = await store.invitation(invitation_hash(typed)) if typed.strip() else None
        is_valid = invitation is not None and invitation.until_s > now
        if is_reserved and (not is_valid or invitation is None or invitation.name != name):
            # Any taken name gets the same error, so the error does not reveal the moderators' names.
            raise NotAllowedError("account-name-taken")
        if not is_valid or invitation is None or invitation.name not in ("", name):
            raise ForbiddenError("account-uninvited")
        return invitation.code_hash


def new_invitation(name: str, until: int) -> tuple[str, Invitation]:
    """Return a new invitation code as displayed, and its stored record."""
    text = "".join(secrets.choice(ALPHABET) for _ in range(INVITATION_CHARS))
    return "-".join(text[k : k + 4] for k in range(0, INVITATION_CHARS, 4)), Invitation(
        invitation_hash(text), name, until
    )


def invitation_hash(typed: str) -> str:
    """Return the hash under which a typed invitation is stored."""
    return hashlib.sha256(normalize_code(typed).encode()).hexdigest()
