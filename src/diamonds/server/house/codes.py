"""Recovery codes: shown once, and kept as something that only the code leads to.

A code is 24 letters and digits (base32 without I, L, O and U, which are read as what they look like). By the first eight it is
found; the other sixteen, 80 bits, are its secret. Of that `scrypt` makes a proof, which takes a while and much memory: done in a
thread, one at a time.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets

from diamonds.server.api.refusals import TooMany
from diamonds.server.store.accounts import Code
from diamonds.words import Message

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
FOUND_BY, SECRET = 8, 16
SALT = 16  # bytes
COST = 15  # scrypt's n as a power of two: 32 MB and a tenth of a second. Each proof says by which it was made
WAITING = 8  # people who may wait for a code to be tried

_READ = str.maketrans("ILO", "110")


def _proof(secret: str, cost: int, salt: bytes) -> bytes:
    made = hashlib.scrypt(secret.encode(), salt=salt, n=1 << cost, r=8, p=1, maxmem=1 << 26, dklen=32)
    return bytes([cost]) + salt + made


class Codes:
    """Makes codes and tries them."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def new(self) -> tuple[str, Code]:
        """A new code, as it is shown, and what is kept of it."""
        text = "".join(secrets.choice(LETTERS) for _ in range(FOUND_BY + SECRET))
        proof = await self._work(text[FOUND_BY:], COST, secrets.token_bytes(SALT))
        return "-".join(text[k : k + 4] for k in range(0, len(text), 4)), Code(text[:FOUND_BY], proof)

    async def fits(self, secret: str, proof: bytes | None) -> bool:
        """Whether a secret leads to a proof. If there is none, to try takes as long, and it does not."""
        cost, salt = (proof[0], proof[1 : 1 + SALT]) if proof else (COST, bytes(SALT))
        found = await self._work(secret, cost, salt)
        return hmac.compare_digest(found, proof or bytes(len(found)))

    async def _work(self, secret: str, cost: int, salt: bytes) -> bytes:
        if self._waiting >= WAITING:
            raise TooMany("server-too-many", 5, what=Message("server-many-codes"))
        self._waiting += 1
        try:
            async with self._turn:
                return await asyncio.to_thread(_proof, secret, cost, salt)
        finally:
            self._waiting -= 1


def read(text: str) -> tuple[str, str]:
    """A code as it was typed: what it is found by, and its secret. Whatever else was typed is found by nothing."""
    plain = "".join(c for c in text.upper() if c.isalnum()).translate(_READ)
    return plain[:FOUND_BY], plain[FOUND_BY:]
