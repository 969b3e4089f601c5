"""Short-lived and secret credentials: WebAuthn challenges, sign-in links, recovery codes, invitations and who may register.

Challenges and links live in this process alone, so a restart invalidates them. Their number is bounded; the oldest go first.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Generic, Literal, NamedTuple, TypeVar

from diamonds.errors import DiamondsError, NotAllowedError
from diamonds.i18n import Message
from diamonds.server.api.errors import ForbiddenError, RateLimitedError
from diamonds.server.people.names import is_confusable
from diamonds.server.storage.accounts import RecoveryCodeRecord
from diamonds.server.storage.moderation import Invitation, ModerationStore

Item = TypeVar("Item")


class OneTimeStore(Generic[Item]):
    """Things that are kept for ``seconds``, at most ``most`` of them, and at most ``each`` of one owner, until they are taken."""

    def __init__(self, lifetime_s: float, max_total: int, max_per_owner: int) -> None:
        self.lifetime_s, self.max_total, self.max_per_owner = lifetime_s, max_total, max_per_owner
        self.clock: Callable[[], float] = time.monotonic
        self._entries: dict[Hashable, tuple[float, str, Item]] = {}  # in the order in which they end
        self._keys_by_owner: dict[str, list[Hashable]] = {}
        self._in_use: dict[Hashable, str] = {}  # what is used just now, and whose it is

    def __len__(self) -> int:
        return len(self._entries)

    def put(self, key: Hashable, owner: str, item: Item) -> None:
        """Keep something; what had the same key before is gone."""
        self._remove(key)
        now = self.clock()
        while self._entries and (len(self._entries) >= self.max_total or next(iter(self._entries.values()))[0] <= now):
            self._remove(next(iter(self._entries)))
        while len(self._keys_by_owner.get(owner, ())) >= self.max_per_owner:
            self._remove(self._keys_by_owner[owner][0])
        self._entries[key] = (now + self.lifetime_s, owner, item)
        self._keys_by_owner.setdefault(owner, []).append(key)

    def peek(self, key: Hashable) -> Item | None:
        """What is kept under a key, if its time is not over."""
        entry = self._entries.get(key)
        return entry[2] if entry and entry[0] > self.clock() else None

    def take(self, key: Hashable) -> Item | None:
        """The same, and from now on nobody has it."""
        item = self.peek(key)
        self._remove(key)
        return item

    @contextmanager
    def consumed(self, key: Hashable) -> Iterator[Item | None]:
        """Take it for as long as something is done with it; if that is refused, it is there again until its time is over."""
        entry = self._entries.get(key)
        item = self.take(key)
        if entry and item is not None:
            self._in_use[key] = entry[1]
        try:
            yield item
        except DiamondsError:
            if entry and key in self._in_use:
                self._entries[key] = entry
                self._keys_by_owner.setdefault(entry[1], []).append(key)
            raise
        finally:
            self._in_use.pop(key, None)

    def forget(self, owner: str) -> None:
        """Nothing of an owner is kept any more."""
        for key in [*self._keys_by_owner.get(owner, ())]:
            self._remove(key)
        self._in_use = {key: other for key, other in self._in_use.items() if other != owner}

    def _remove(self, key: Hashable) -> None:
        entry = self._entries.pop(key, None)
        if entry:
            keys = self._keys_by_owner[entry[1]]
            keys.remove(key)
            if not keys:
                del self._keys_by_owner[entry[1]]


ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LOOKUP_CHARS, SECRET_CHARS = 8, 16
SALT_BYTES = 16  # bytes
SCRYPT_LOG2_N = 15  # scrypt's n as a power of two: 32 MB and a tenth of a second. Each proof says by which it was made
MAX_WAITING = 8  # people who may wait for a code to be tried

_LOOKALIKES = str.maketrans("ILO", "110")


def _derive_proof(secret: str, cost: int, salt: bytes) -> bytes:
    derived = hashlib.scrypt(secret.encode(), salt=salt, n=1 << cost, r=8, p=1, maxmem=1 << 26, dklen=32)
    return bytes([cost]) + salt + derived


class RecoveryCodes:
    """Makes codes and tries them."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._waiting = 0

    async def new(self) -> tuple[str, RecoveryCodeRecord]:
        """A new code, as it is shown, and what is kept of it."""
        text = "".join(secrets.choice(ALPHABET) for _ in range(LOOKUP_CHARS + SECRET_CHARS))
        proof = await self._derive(text[LOOKUP_CHARS:], SCRYPT_LOG2_N, secrets.token_bytes(SALT_BYTES))
        return "-".join(text[k : k + 4] for k in range(0, len(text), 4)), RecoveryCodeRecord(text[:LOOKUP_CHARS], proof)

    async def verify(self, secret: str, proof: bytes | None) -> bool:
        """Whether a secret leads to a proof. If there is none, to try takes as long, and it does not."""
        cost, salt = (proof[0], proof[1 : 1 + SALT_BYTES]) if proof else (SCRYPT_LOG2_N, bytes(SALT_BYTES))
        derived = await self._derive(secret, cost, salt)
        return hmac.compare_digest(derived, proof or bytes(len(derived)))

    async def _derive(self, secret: str, cost: int, salt: bytes) -> bytes:
        if self._waiting >= MAX_WAITING:
            raise RateLimitedError("server-too-many", 5, what=Message("server-many-codes"))
        self._waiting += 1
        try:
            async with self._lock:
                return await asyncio.to_thread(_derive_proof, secret, cost, salt)
        finally:
            self._waiting -= 1


def parse_code(text: str) -> tuple[str, str]:
    """A code as it was typed: what it is found by, and its secret. Whatever else was typed is found by nothing."""
    plain = "".join(c for c in text.upper() if c.isalnum()).translate(_LOOKALIKES)
    return plain[:LOOKUP_CHARS], plain[LOOKUP_CHARS:]


INVITATION_CHARS = 16  # letters and digits: 80 bits
_LOOKALIKES = str.maketrans("ILO", "110")


class RegistrationPolicy(NamedTuple):
    """Who may have an account; ``hosts`` are names that nobody gets without an invitation for that very name."""

    mode: Literal["open", "invitation", "closed"] = "open"
    reserved_names: tuple[str, ...] = ()

    def is_reserved(self, name: str) -> bool:
        """Whether a name, or one that looks like it, is a host's."""
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
            raise NotAllowedError("account-name-taken")  # as of any other: nobody learns here who is a host
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
    plain = "".join(c for c in typed.upper() if c.isalnum()).translate(_LOOKALIKES)
    return hashlib.sha256(plain.encode()).hexdigest()
