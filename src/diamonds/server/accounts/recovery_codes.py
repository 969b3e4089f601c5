"""Recovery codes: each is shown once, and signs its account in on a new device. The server keeps a proof of it."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets

from diamonds.i18n import Message
from diamonds.server.errors import RateLimitedError
from diamonds.server.storage.accounts import RecoveryCodeRecord

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
    plain = normalize_code(text)
    return plain[:LOOKUP_CHARS], plain[LOOKUP_CHARS:]


def normalize_code(text: str) -> str:
    """Return the letters and digits of a code as it was typed, without those that look alike."""
    return "".join(c for c in text.upper() if c.isalnum()).translate(_LOOKALIKES)
