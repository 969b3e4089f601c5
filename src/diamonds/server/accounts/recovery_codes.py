"""Recovery codes: each is shown once, and signs its account in on a new device. The server stores only a proof."""

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
SALT_BYTES = 16
SCRYPT_LOG2_N = 15  # log2 of scrypt's n: 32 MB and about 0.1 s. Each proof contains its own value.
MAX_WAITING = 8  # limit of codes being verified or waiting for verification

_LOOKALIKES = str.maketrans("ILO", "110")


def derive_proof(secret: str, cost: int, salt: bytes) -> bytes:
    derived = hashlib.scrypt(secret.encode(), salt=salt, n=1 << cost, r=8, p=1, maxmem=1 << 26, dklen=32)
    return bytes([cost]) + salt + derived


class RecoveryCodes:
    """The creation and verification of recovery codes."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._waiting = 0

    async def new(self) -> tuple[str, RecoveryCodeRecord]:
        """Return a new code as displayed, and its stored record."""
        text = "".join(secrets.choice(ALPHABET) for _ in range(LOOKUP_CHARS + SECRET_CHARS))
        proof = await self._derive(text[LOOKUP_CHARS:], SCRYPT_LOG2_N, secrets.token_bytes(SALT_BYTES))
        return "-".join(text[k : k + 4] for k in range(0, len(text), 4)), RecoveryCodeRecord(text[:LOOKUP_CHARS], proof)

    async def verify(self, secret: str, proof: bytes | None) -> bool:
        """Return whether a secret matches a proof. Without a proof, return `False` after the same time."""
        cost, salt = (proof[0], proof[1 : 1 + SALT_BYTES]) if proof else (SCRYPT_LOG2_N, bytes(SALT_BYTES))
        derived = await self._derive(secret, cost, salt)
        return hmac.compare_digest(derived, proof or bytes(len(derived)))

    async def _derive(self, secret: str, cost: int, salt: bytes) -> bytes:
        if self._waiting >= MAX_WAITING:
            raise RateLimitedError("server-too-many", 5, what=Message("server-many-codes"))
        self._waiting += 1
        try:
            async with self._lock:
                return await asyncio.to_thread(derive_proof, secret, cost, salt)
        finally:
            self._waiting -= 1


def parse_code(text: str) -> tuple[str, str]:
    """Return the lookup part and the secret of a typed code."""
    plain = normalize_code(text)
    return plain[:LOOKUP_CHARS], plain[LOOKUP_CHARS:]


def normalize_code(text: str) -> str:
    """Return the letters and digits of a typed code, with lookalikes replaced."""
    return "".join(c for c in text.upper() if c.isalnum()).translate(_LOOKALIKES)
