"""Why an answer in fourteen is good: each reason is worth telling by what it is worth in points."""

from __future__ import annotations

from diamonds.bots.knowing.fourteen import playouts
from diamonds.bots.knowing.reasoning import CHANCE, OF_TRICKS, OWN, WHICH_SUIT, Because, emptied, note, percent, trick
from diamonds.cards import DIAMONDS, bit
from diamonds.events import Value
from diamonds.fields import NUMBER
from diamonds.rules import fourteen

HOW_MANY = Value("number", NUMBER)

BECAUSE = (
    *OF_TRICKS,
    Because("hint-wins"),
    Because("hint-likely-wins"),
    Because("hint-wins-diamonds", (HOW_MANY,)),
    Because("hint-likely-wins-diamonds", (HOW_MANY,)),
    Because("hint-bid-kept", (CHANCE,)),
    Because("hint-turns-suit", (WHICH_SUIT,)),
    Because("hint-keeps-suit"),
    Because("hint-gives-diamond"),
    Because("hint-more-diamonds"),
    Because("hint-fewer-diamonds"),
    Because("hint-bid-more-often", (CHANCE,)),
    Because("hint-bid-less-often", (CHANCE,)),
)
(
    WINS, LIKELY, WINS_DIAMONDS, LIKELY_DIAMONDS, KEPT, TURNS, KEEPS, GIVES, MORE_DIAMONDS, FEWER_DIAMONDS, MORE_OFTEN, LESS_OFTEN,
) = range(OWN, len(BECAUSE))  # fmt: skip


def reasons(v, me, candidate, counts, rival, more, notes):
    """See `Knowledge.reasons`."""
    if v["question"] == fourteen.BIDDING:
        return note(notes, 0, 1.0, KEPT, percent(counts[playouts.KEPT]), 0)
    hand, suit, noted = v["hand"][me], candidate // fourteen.RANKS, 0
    if v["trick_size"] > 0 and fourteen.making_fourteen(v) & bit(candidate) != 0:
        if suit != v["suit"]:
            noted = note(notes, noted, 0.6, TURNS, suit, 0)
        else:
            noted = note(notes, noted, 0.3, KEEPS, 0, 0)
    chance, prize = counts[playouts.THIS_TRICK], counts[playouts.PRIZE]
    won = prize / chance if chance > 0.05 else 0.0
    if won >= 0.75:
        noted = trick(notes, noted, chance, more[playouts.THIS_TRICK], WINS_DIAMONDS, LIKELY_DIAMONDS, round(won))
    else:
        noted = trick(notes, noted, chance, more[playouts.THIS_TRICK], WINS, LIKELY, 0)
    if v["scoring"] != fourteen.TRICKS:
        if suit == DIAMONDS and chance < 0.4:
            noted = note(notes, noted, -0.4, GIVES, 0, 0)
        later = more[playouts.TAKEN] - more[playouts.PRIZE]
        if later >= 0.12:
            noted = note(notes, noted, later, MORE_DIAMONDS, 0, 0)
        elif later <= -0.2:
            noted = note(notes, noted, 0.6 * later, FEWER_DIAMONDS, 0, 0)
    kept = more[playouts.KEPT]
    if v["scoring"] == fourteen.BID and abs(kept) >= 0.03:
        often = MORE_OFTEN if kept > 0 else LESS_OFTEN
        noted = note(notes, noted, 5 * abs(kept), often, percent(counts[playouts.KEPT]), 0)
    return emptied(notes, noted, hand, bit(candidate), fourteen.RANKS)
