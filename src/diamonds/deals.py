"""Fair deals: the cards follow from secrets that are fixed before play and revealed after it (R3).

1. Before anyone sits, the table fixes a 32-byte *secret* and shows its SHA-256, the *commitment*.
2. Each seat adds a *nonce* of up to 64 bytes when it is taken, so the table alone cannot choose the cards.
3. The key of deal *n* (from 0) is the SHA-256 of the secret, then each nonce in seat order preceded by one byte with
   its length, then *n* as four big-endian bytes.
4. A shuffle starts from the pack in ascending order. For k from the last index down to 1 it swaps index k with an index
   drawn uniformly from 0..k. Draws read one byte at a time from SHAKE-256 of (key, then ``deck``) and skip bytes of 256
   − 256 mod (k + 1) and above, so every index is equally likely.
5. Before the first deal each seat, in order, cuts a card: the first cards of the pack in play, shuffled in the same way
   with the key of deal 0 and ``cut`` in place of ``deck``. The highest card begins.

After the game the record holds the secret, so anyone can repeat all of this; `diamonds verify` does.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from typing import Any

SECRET_BYTES = 32
MAX_NONCE_BYTES = 64
FIRST_STREAM_BYTES = 256  # almost always enough for a deck


def new_secret() -> bytes:
    """Return a random secret."""
    return secrets.token_bytes(SECRET_BYTES)


def seeded_secret(seed: int) -> bytes:
    """Return a reproducible secret for simulations and tests."""
    return hashlib.sha256(b"diamonds seed %d" % seed).digest()


def commit(secret: bytes) -> str:
    """Return the commitment shown before play: it binds the secret without revealing it."""
    return hashlib.sha256(secret).hexdigest()


def deal_key(secret: bytes, nonces: Sequence[bytes], n: int) -> bytes:
    """Return the key of deal ``n``."""
    parts = [secret, *(bytes([len(nonce)]) + nonce for nonce in nonces), n.to_bytes(4, "big")]
    return hashlib.sha256(b"".join(parts)).digest()


def shuffle(key: bytes, label: bytes, pack: Sequence[int]) -> list[int]:
    """Return a pack shuffled by a key."""
    size = FIRST_STREAM_BYTES
    while True:
        deck = list(pack)
        if shuffle_by(deck, hashlib.shake_256(key + label).digest(size)):
            return deck
        size *= 2


def shuffle_by(deck: Any, stream: Any) -> bool:
    """Shuffle a deck in place with the bytes of a stream; return whether there were enough bytes.

    Simulations compile this function.
    """
    used = 0
    for k in range(len(deck) - 1, 0, -1):
        limit = 256 - 256 % (k + 1)
        while used < len(stream) and stream[used] >= limit:
            used += 1
        if used == len(stream):
            return False
        place = stream[used] % (k + 1)
        deck[k], deck[place] = deck[place], deck[k]
        used += 1
    return True


def deck_stream(key: bytes, size: int) -> bytes:
    """Return the beginning of the stream that shuffles a deal."""
    return hashlib.shake_256(key + b"deck").digest(size)


def deck(secret: bytes, nonces: Sequence[bytes], n: int, pack: Sequence[int]) -> list[int]:
    """Return the shuffled pack of deal ``n``, first card first."""
    return shuffle(deal_key(secret, nonces, n), b"deck", pack)


def cut_cards(secret: bytes, nonces: Sequence[bytes], seats: int, pack: Sequence[int]) -> list[int]:
    """Return the card that each seat cuts before the first deal, from the pack in play."""
    return shuffle(deal_key(secret, nonces, 0), b"cut", pack)[:seats]
