"""Why an answer in fourteen is good: each reason is worth telling by what it is worth in points."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from diamonds.bots.knowing.fourteen import playouts
from diamonds.bots.knowing.reasoning import Reason, emptied, percent, trick, type_of_counts
from diamonds.cards import DIAMONDS, SUIT_LETTERS, bit
from diamonds.rules import fourteen
from diamonds.words import Message


def reasons(
    row: np.void, seat: int, candidate: int, counts: type_of_counts, rival: int, more: type_of_counts
) -> Iterator[Reason]:
    """See `Knowledge.reasons`."""
    if row["question"] == fourteen.BIDDING:
        yield 1.0, Message("hint-bid-kept", {"chance": percent(counts[playouts.KEPT])})
        return
    hand, suit = int(row["hand"][seat]), candidate // fourteen.RANKS
    if row["trick_size"] > 0 and fourteen.making_fourteen(row) & bit(candidate):
        if suit != row["suit"]:
            yield 0.6, Message("hint-turns-suit", {"suit": SUIT_LETTERS[suit]})
        else:
            yield 0.3, Message("hint-keeps-suit")
    chance, prize = counts[playouts.THIS_TRICK], counts[playouts.PRIZE]
    won = prize / chance if chance > 0.05 else 0.0
    if won >= 0.75:
        yield from trick(chance, more[playouts.THIS_TRICK], "-diamonds", number=round(won))
    else:
        yield from trick(chance, more[playouts.THIS_TRICK])
    if row["scoring"] != fourteen.TRICKS:
        if suit == DIAMONDS and chance < 0.4:
            yield -0.4, Message("hint-gives-diamond")
        later = more[playouts.TAKEN] - more[playouts.PRIZE]
        if later >= 0.12:
            yield later, Message("hint-more-diamonds")
        elif later <= -0.2:
            yield 0.6 * later, Message("hint-fewer-diamonds")
    if row["scoring"] == fourteen.BID and abs(more[playouts.KEPT]) >= 0.03:
        id = "hint-bid-more-often" if more[playouts.KEPT] > 0 else "hint-bid-less-often"
        chance_kept = {"chance": percent(counts[playouts.KEPT])}
        yield 5 * abs(more[playouts.KEPT]), Message(id, chance_kept)
    yield from emptied(hand, bit(candidate), fourteen.RANKS)
