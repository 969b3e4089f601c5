"""Reasons for answers in fourteen, weighted by their effect in points."""

from __future__ import annotations

from diamonds.bots.games.fourteen import playouts
from diamonds.bots.games.reason_kinds import (
    CHANCE_VALUE,
    FIRST_GAME_REASON,
    SUIT_VALUE,
    TRICK_REASONS,
    ReasonKind,
    add_reason,
    add_trick_reasons,
    add_void_reasons,
    percent,
)
from diamonds.cards import DIAMONDS, bit
from diamonds.events import EventField
from diamonds.fields import NUMBER
from diamonds.rules import fourteen

NUMBER_VALUE = EventField("number", NUMBER)

REASON_KINDS = (
    *TRICK_REASONS,
    ReasonKind("hint-wins"),
    ReasonKind("hint-likely-wins"),
    ReasonKind("hint-wins-diamonds", (NUMBER_VALUE,)),
    ReasonKind("hint-likely-wins-diamonds", (NUMBER_VALUE,)),
    ReasonKind("hint-bid-kept", (CHANCE_VALUE,)),
    ReasonKind("hint-turns-suit", (SUIT_VALUE,)),
    ReasonKind("hint-keeps-suit"),
    ReasonKind("hint-gives-diamond"),
    ReasonKind("hint-more-diamonds"),
    ReasonKind("hint-fewer-diamonds"),
    ReasonKind("hint-bid-more-often", (CHANCE_VALUE,)),
    ReasonKind("hint-bid-less-often", (CHANCE_VALUE,)),
)
(
    R_WINS, R_LIKELY_WINS, R_WINS_DIAMONDS, R_LIKELY_WINS_DIAMONDS, R_BID_KEPT, R_TURNS_SUIT, R_KEEPS_SUIT, R_GIVES_DIAMOND, R_MORE_DIAMONDS, R_FEWER_DIAMONDS, R_BID_MORE_OFTEN, R_BID_LESS_OFTEN,
) = range(FIRST_GAME_REASON, len(REASON_KINDS))  # fmt: skip


def write_reasons(v, own_seat, candidate, counts, rival, difference, reason_rows):
    """Write the reasons for an answer; see `GameAdapter.write_reasons`."""
    if v["question"] == fourteen.BIDDING:
        return add_reason(reason_rows, 0, 1.0, R_BID_KEPT, percent(counts[playouts.COL_BID_KEPT]), 0)
    hand, suit, reason_count = v["hand"][own_seat], candidate // fourteen.RANKS, 0
    if v["trick_size"] > 0 and fourteen.making_fourteen(v) & bit(candidate) != 0:
        if suit != v["suit"]:
            reason_count = add_reason(reason_rows, reason_count, 0.6, R_TURNS_SUIT, suit, 0)
        else:
            reason_count = add_reason(reason_rows, reason_count, 0.3, R_KEEPS_SUIT, 0, 0)
    chance, prize = counts[playouts.COL_THIS_TRICK], counts[playouts.COL_PRIZE]
    won = prize / chance if chance > 0.05 else 0.0
    if won >= 0.75:
        reason_count = add_trick_reasons(
            reason_rows,
            reason_count,
            chance,
            difference[playouts.COL_THIS_TRICK],
            R_WINS_DIAMONDS,
            R_LIKELY_WINS_DIAMONDS,
            round(won),
        )
    else:
        reason_count = add_trick_reasons(
            reason_rows, reason_count, chance, difference[playouts.COL_THIS_TRICK], R_WINS, R_LIKELY_WINS, 0
        )
    if v["scoring"] != fourteen.TRICKS:
        if suit == DIAMONDS and chance < 0.4:
            reason_count = add_reason(reason_rows, reason_count, -0.4, R_GIVES_DIAMOND, 0, 0)
        later = difference[playouts.COL_TAKEN] - difference[playouts.COL_PRIZE]
        if later >= 0.12:
            reason_count = add_reason(reason_rows, reason_count, later, R_MORE_DIAMONDS, 0, 0)
        elif later <= -0.2:
            reason_count = add_reason(reason_rows, reason_count, 0.6 * later, R_FEWER_DIAMONDS, 0, 0)
    bid_kept = difference[playouts.COL_BID_KEPT]
    if v["scoring"] == fourteen.BID and abs(bid_kept) >= 0.03:
        reason = R_BID_MORE_OFTEN if bid_kept > 0 else R_BID_LESS_OFTEN
        reason_count = add_reason(
            reason_rows, reason_count, 5 * abs(bid_kept), reason, percent(counts[playouts.COL_BID_KEPT]), 0
        )
    return add_void_reasons(reason_rows, reason_count, hand, bit(candidate), fourteen.RANKS)
