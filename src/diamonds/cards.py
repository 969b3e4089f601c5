"""Cards as numbers, sets of cards as bits of a number, and the readable names of both.

The games use two packs. Each has four suits in the order ♦ ♥ ♠ ♣ and differs only in its number of ranks:

* the *long* pack of crystals, 15 ranks a suit, 60 cards, named by number: ``D7 H15 S1 C13`` (C1);
* the *short* pack of fourteen and mines, 13 ranks a suit, 52 cards, ace to king: ``DA H10 SK`` (F1).

A card of a pack with ``ranks`` ranks is ``suit * ranks + rank - 1``, so the cards of one suit lie side by side in
ascending order. Sixty bits fit a positive ``int64``.
"""

from __future__ import annotations

from collections.abc import Iterator

DIAMONDS, HEARTS, SPADES, CLUBS = 0, 1, 2, 3
SUIT_LETTERS = "DHSC"
SUIT_SYMBOLS = "♦♥♠♣"
LONG_PACK_RANKS, SHORT_PACK_RANKS = 15, 13
MAX_PACKET_NUMBERS = 80  # sixty cards, with a separator after each of up to thirteen piles
COURT_RANK_NAMES = {1: "A", 11: "J", 12: "Q", 13: "K"}


# The rules need only the following functions of cards. `jit.py` replaces each bit trick with one machine instruction.


def bit(card: int) -> int:
    """Return the set that holds only this card."""
    return 1 << card


def count(cards: int) -> int:
    """Return the number of cards in a set."""
    return int(cards).bit_count()


def lowest(cards: int) -> int:
    """Return the lowest card of a set, its lowest bit; the set must not be empty."""
    return (int(cards) & -int(cards)).bit_length() - 1


def highest(cards: int) -> int:
    """Return the highest card of a set; the set must not be empty."""
    return int(cards).bit_length() - 1


def suit_cards(suit: int, ranks: int) -> int:
    """Return all cards of a suit."""
    return ((1 << ranks) - 1) << suit * ranks


def cut_winner(cut, seats, ranks):  # type: ignore[no-untyped-def]
    """Return the seat that cut the highest card: by rank, then by suit, ♠ > ♥ > ♦ > ♣ (F2; also C6, M2)."""
    best, best_height = 0, -1
    for seat in range(seats):
        suit = cut[seat] // ranks
        order = 3 if suit == SPADES else 2 if suit == HEARTS else 1 if suit == DIAMONDS else 0
        height = cut[seat] % ranks * 4 + order
        if height > best_height:
            best, best_height = seat, height
    return best


def write_packet(packets, size, cards):  # type: ignore[no-untyped-def]
    """Write some cards in ascending order after the first ``size`` numbers, then −1; return the new size."""
    while cards != 0:
        packets[size] = lowest(cards)
        cards &= cards - 1
        size += 1
    packets[size] = -1
    return size + 1


def iter_bits(cards: int) -> Iterator[int]:
    """Yield the cards of a set in ascending order."""
    cards = int(cards)
    while cards:
        low = cards & -cards
        yield low.bit_length() - 1
        cards ^= low


def rank_name(rank: int, ranks: int) -> str:
    """Return ``7`` or ``15`` in the long pack, ``A 2 … 10 J Q K`` in the short one."""
    return COURT_RANK_NAMES.get(rank, str(rank)) if ranks == SHORT_PACK_RANKS else str(rank)


def card_name(card: int, ranks: int) -> str:
    """Return the short name of a card: ``D7``, ``SK``."""
    return SUIT_LETTERS[card // ranks] + rank_name(card % ranks + 1, ranks)


def card_symbol(name: str) -> str:
    """Return a card's name with the symbol of its suit: ``D7`` becomes ``♦7``."""
    return SUIT_SYMBOLS[SUIT_LETTERS.index(name[0])] + name[1:]


def pack_names(ranks: int) -> tuple[str, ...]:
    """Return the names of all cards in a pack with ``ranks`` ranks; the index is the card."""
    return tuple(card_name(card, ranks) for card in range(4 * ranks))
