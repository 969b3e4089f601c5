"""Registration: who may have an account, and the invitations that let somebody."""

from __future__ import annotations

import hashlib
import secrets
from typing import Literal, NamedTuple

from diamonds.errors import NotAllowedError
from diamonds.server.accounts.recovery_codes import ALPHABET, normalize_code
from diamonds.server.errors import ForbiddenError
from diamonds.server.people.names import is_confusable
from diamonds.server.storage.moderation import Invitation, ModerationStore

INVITATION_CHARS = 16  # letters and digits: 80 bits


class RegistrationPolicy(NamedTuple):
    """The rule for new accounts. A reserved name needs an invitation for that very name."""

    mode: Literal["open", "invitation", "closed"] = "open"
    reserved_names: tuple[str, ...] = ()

    def is_reserved(self, name: str) -> bool:
        """Whether a name, or one that looks like it, is reserved."""
        return any(is_confusable(name, reserved) for reserved in self.reserved_names)

    async def check(self, store: ModerationStore, name: str, typed: str, now: float) -> str:
        """The invitation that an account of this name uses up; empty if it needs none. `DiamondsError` if it may not be made."""
        if self.mode == "closed":
            raise ForbiddenError("account-closed")
        is_reserved = self.is_reserved(name)
        if self.mode == "open" and not is_reserved:
            return ""
        invitation = await store.invitation(invitation_hash(typed)) if typed.strip() else None
        is_valid = invitation is not None and invitation.until_s > now
        if is_reserved and (not is_valid or invitation is None or invitation.name != name):
            raise NotAllowedError(
                "account-name-taken"
            )  # as of any other: nobody learns here which names are moderators'
        if not is_valid or invitation is None or invitation.name not in ("", name):
            raise ForbiddenError("account-uninvited")
        return invitation.code_hash


def new_invitation(name: str, until: int) -> tuple[str, Invitation]:
    """A new code, as it is shown, and what is kept of it."""
    text = "".join(secrets.choice(ALPHABET) for _ in range(INVITATION_CHARS))
    return "-".join(text[k : k + 4] for k in range(0, INVITATION_CHARS, 4)), Invitation(
        invitation_hash(text), name, until
    )


def invitation_hash(typed: str) -> str:
    """What an invitation is found by, as it was typed."""
    return hashlib.sha256(normalize_code(typed).encode()).hexdigest()
