"""Reasons for answers in mines.

A reason for an answer names the pile or the cards that it brings or keeps. Reasons against an answer come from the
playouts, weighted by their effect in percent of the chance to win.
"""

from __future__ import annotations

from diamonds.bots.games.mines import playouts
from diamonds.bots.games.reason_kinds import MIN_REASON_WEIGHT, SUIT_VALUE, ReasonKind, add_reason
from diamonds.cards import CLUBS, SPADES, bit, count, lowest, suit_cards
from diamonds.events import EventField
from diamonds.fields import NUMBER
from diamonds.rules import mines

# Each line: a column of counts, the least difference to mention, and the value of one.
COUNT_REASONS = (
    (playouts.COL_OWN_SEVEN, 0.03, 20.0),
    (playouts.COL_OPPONENT_SEVEN, 0.03, -20.0),
    (playouts.COL_OPPONENT_BARRED, 0.03, 20.0),
    (playouts.COL_OWN_BARRED, 0.03, -20.0),
    (playouts.COL_PILES_CONQUERED, 0.15, 2.0),
    (playouts.COL_PILES_LOST, 0.15, -2.0),
    (playouts.COL_CARDS_DUG, 0.5, 0.4),
    (playouts.COL_DIAMONDS_RAIDED, 0.05, 4.0),
    (playouts.COL_DIAMONDS_GIVEN, 0.05, -4.0),
)
FIRST_NAMED = 2 * len(COUNT_REASONS)  # the number of the first reason that names a pile or cards

PILE_VALUE, NUMBER_VALUE = EventField("pile", NUMBER), EventField("number", NUMBER)

# For each line, a reason for more and a reason for less; then the reasons that name a pile or cards.
REASON_KINDS = (
    ReasonKind("hint-seven-more"), ReasonKind("hint-seven-less"),
    ReasonKind("hint-their-seven-more"), ReasonKind("hint-their-seven-less"),
    ReasonKind("hint-barring-more"), ReasonKind("hint-barring-less"),
    ReasonKind("hint-barred-more"), ReasonKind("hint-barred-less"),
    ReasonKind("hint-conquers-more"), ReasonKind("hint-conquers-less"),
    ReasonKind("hint-loses-more"), ReasonKind("hint-loses-less"),
    ReasonKind("hint-digs-more"), ReasonKind("hint-digs-less"),
    ReasonKind("hint-raids-more"), ReasonKind("hint-raids-less"),
    ReasonKind("hint-gives-more"), ReasonKind("hint-gives-less"),
    ReasonKind("hint-claims-later"),
    ReasonKind("hint-digs-now"),
    ReasonKind("hint-digs-exposed"),
    ReasonKind("hint-digs-two"),
    ReasonKind("hint-blocks"),
    ReasonKind("hint-out-of-reach"),
    ReasonKind("hint-opens", (NUMBER_VALUE,)),
    ReasonKind("hint-brings-pile", (PILE_VALUE, NUMBER_VALUE)),
    ReasonKind("hint-attacks-pile", (NUMBER_VALUE,)),
    ReasonKind("hint-saves-pile", (PILE_VALUE, NUMBER_VALUE)),
    ReasonKind("hint-brings-cards"),
    ReasonKind("hint-keeps", (SUIT_VALUE,)),
    ReasonKind("hint-keeps-defence"),
    ReasonKind("hint-keeps-club"),
    ReasonKind("hint-keeps-higher", (SUIT_VALUE,)),
    ReasonKind("hint-harder-to-stop"),
    ReasonKind("hint-may-raid-diamond"),
)  # fmt: skip
(
    R_CLAIMS_LATER, R_DIGS_NOW, R_DIGS_EXPOSED, R_DIGS_TWO, R_BLOCKS, R_OUT_OF_REACH, R_OPENS, R_BRINGS_PILE, R_ATTACKS_PILE, R_SAVES_PILE, R_BRINGS_CARDS, R_KEEPS, R_KEEPS_DEFENCE, R_KEEPS_CLUB, R_KEEPS_HIGHER, R_HARDER_TO_STOP, R_MAY_RAID_DIAMOND,
) = range(FIRST_NAMED, len(REASON_KINDS))  # fmt: skip
NO_REASON = -1


def write_reasons(v, own_seat, candidate, counts, rival, difference, reason_rows):
    """Write the reasons for an answer; see `GameAdapter.write_reasons`."""
    reason_count, heaviest = 0, MIN_REASON_WEIGHT
    for index, (column, min_difference, worth) in enumerate(COUNT_REASONS):
        change = difference[column]
        if abs(change) >= min_difference:
            heaviest = max(heaviest, worth * change)
            reason_count = add_reason(
                reason_rows, reason_count, worth * change, 2 * index + (0 if change > 0 else 1), 0, 0
            )
    reason, value, other = named_reason(v, own_seat, candidate, rival)
    if reason != NO_REASON:  # it is shown rather than an effect on later turns
        reason_count = add_reason(reason_rows, reason_count, heaviest + 1.0, reason, value, other)
    return reason_count


def named_reason(v, own_seat, candidate, rival):
    """Return the reason for an answer that names a pile or cards, and its values."""
    question, attacked = v["question"], v["attacked"]
    if question == mines.TURN:
        if candidate == 0:
            return (R_CLAIMS_LATER if mines.claimable(v, own_seat) != 0 else NO_REASON), 0, 0
        return (R_DIGS_NOW if mines.diggable(v, own_seat) != 0 else NO_REASON), 0, 0
    if question == mines.DIG and candidate > mines.SKIP:
        return (R_DIGS_TWO if rival <= mines.SKIP else R_KEEPS_HIGHER if candidate < rival else NO_REASON), SPADES, 0
    if question in (mines.DIG, mines.DIG_FIRST, mines.DIG_SECOND):
        return named_dig(v, own_seat, candidate, rival)
    if question in (mines.CLAIM, mines.GROW_PILE):
        return named_marker(v, own_seat, candidate, rival)
    if question == mines.GROW:
        if candidate == mines.NO_CARD:
            return R_KEEPS_DEFENCE, 0, 0
        return kept_card(candidate, rival) if rival != mines.NO_CARD else (R_BRINGS_CARDS, 0, 0)
    if question == mines.FIGHT:
        if candidate == mines.END:
            return (R_KEEPS_CLUB if v["hand"][own_seat] & suit_cards(CLUBS, mines.RANKS) != 0 else NO_REASON), 0, 0
        return R_ATTACKS_PILE, v["left"][candidate], 0
    if question == mines.FIGHT_CARD:
        if v["hand_size"][1 - own_seat] > 0 and is_lower(rival, candidate):
            return R_HARDER_TO_STOP, 0, 0
        return kept_card(candidate, rival)
    if question == mines.DEFEND:
        if candidate == mines.NO_CARD:
            return R_KEEPS, rival // mines.RANKS, 0
        return kept_card(candidate, rival) if rival != mines.NO_CARD else (R_SAVES_PILE, attacked, v["left"][attacked])
    if question == mines.SPOILS:
        return (R_MAY_RAID_DIAMOND, 0, 0) if candidate == 1 else (R_BRINGS_PILE, attacked, v["left"][attacked])
    return kept_card(candidate, rival)  # GIVE


def named_dig(v, own_seat, pile, rival):
    """Return the reason for digging in a pile: the opponent may attack it; or for digging at all."""
    if pile == mines.SKIP:
        return NO_REASON, 0, 0
    if mines.adjacent(mines.owned(v, 1 - own_seat)) & bit(pile) != 0:
        return R_DIGS_EXPOSED, 0, 0
    return (R_DIGS_NOW if rival == mines.SKIP else NO_REASON), 0, 0


def named_marker(v, own_seat, pile, rival):
    """Return the reason for a marker on a pile: it blocks the opponent, is safe, or leads to more piles.

    The reason is never one that holds more for another pile.
    """
    if pile == mines.SKIP:
        return NO_REASON, 0, 0
    theirs = mines.adjacent(mines.owned(v, 1 - own_seat))
    if theirs & bit(pile) != 0 and (rival == mines.SKIP or theirs & bit(rival) == 0):
        return R_BLOCKS, 0, 0
    if theirs & bit(pile) == 0 and rival != mines.SKIP and theirs & bit(rival) != 0:
        return R_OUT_OF_REACH, 0, 0
    claimable = mines.claimable(v, own_seat)
    more, others = piles_opened(v, claimable, pile), claimable
    while others != 0:
        other = lowest(others)
        others &= others - 1
        if piles_opened(v, claimable, other) > more:
            more = 0
    if more > 0:
        return R_OPENS, more, 0
    return (R_BRINGS_CARDS if rival == mines.SKIP else NO_REASON), 0, 0  # every unclaimed pile is full


def piles_opened(v, claimable, pile):
    """Return how many unclaimed piles become claimable with a marker on this one."""
    return count(mines.adjacent(bit(pile)) & mines.unclaimed(v) & ~claimable)


def kept_card(card, rival):
    """Return the reason for giving a card away rather than a rival: the rival is kept."""
    suit = rival // mines.RANKS
    if card // mines.RANKS != suit:
        return R_KEEPS, suit, 0
    return (R_KEEPS_HIGHER if is_lower(card, rival) else NO_REASON), suit, 0


def is_lower(card, other):
    """Return whether a card is lower than another of its suit; the ace is the highest."""
    return card % mines.RANKS != 0 and (other % mines.RANKS == 0 or card < other)
