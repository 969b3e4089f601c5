"""Reasons for answers in mines.

A reason names the pile or the cards that an answer gains, keeps or gives up, so that a player can check it on the table.
Where it gives up nothing of the kind, the reason against it comes from the playouts, weighted by the effect in percent
of the chance to win.
"""

from __future__ import annotations

from diamonds.bots.games.mines import heuristics, playouts
from diamonds.bots.games.reason_kinds import CARD_VALUE, MIN_REASON_WEIGHT, SUIT_VALUE, ReasonKind, add_reason
from diamonds.cards import CLUBS, DIAMONDS, HEARTS, SPADES, bit, count, lowest, suit_cards
from diamonds.events import EventField
from diamonds.fields import NUMBER
from diamonds.rules import mines

# For each line: a column of counts, the least difference to mention, and the value of one event.
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
FIRST_NAMED = len(COUNT_REASONS)  # number of the first reason that names a pile or cards

PILE_VALUE, NUMBER_VALUE = EventField("pile", NUMBER), EventField("number", NUMBER)

FEW_CARDS = 4  # with fewer cards left to dig, the reason to claim later names their number
FEW_FREE = 6  # piles; with no more of them, the reason to claim later names their number
MIN_CUT_OFF = 2  # minimum number of free piles cut off, besides the one claimed
ALMOST_SEVEN = 5  # ♦ in hand
MANY_CLUBS = 2  # expected in the opponent's hand and reach; then one is almost surely there
FEW_AT_STAKE = 2  # cards of a pile

# A reason against an answer for each line of `COUNT_REASONS`; then the reasons that name a pile or cards.
REASON_KINDS = (
    ReasonKind("hint-seven-less"), ReasonKind("hint-their-seven-more"),
    ReasonKind("hint-barring-less"), ReasonKind("hint-barred-more"),
    ReasonKind("hint-conquers-less"), ReasonKind("hint-loses-more"),
    ReasonKind("hint-digs-less"), ReasonKind("hint-raids-less"), ReasonKind("hint-gives-more"),
    ReasonKind("hint-claims-later", (NUMBER_VALUE,)),
    ReasonKind("hint-claims-many-later", (NUMBER_VALUE,)),
    ReasonKind("hint-claims-scarce", (NUMBER_VALUE,)),
    ReasonKind("hint-shuts-in-later"),
    ReasonKind("hint-digs-now"),
    ReasonKind("hint-digs-chance", (NUMBER_VALUE,)),
    ReasonKind("hint-digs-without-pile"),
    ReasonKind("hint-digs-unhurried"),
    ReasonKind("hint-digs-for-seven", (NUMBER_VALUE,)),
    ReasonKind("hint-digs-to-defend"),
    ReasonKind("hint-digs-at", (PILE_VALUE,)),
    ReasonKind("hint-digs-exposed"),
    ReasonKind("hint-digs-fullest"),
    ReasonKind("hint-digs-alike"),
    ReasonKind("hint-digs-two"),
    ReasonKind("hint-goes-with-spade"),
    ReasonKind("hint-goes-to-grow"),
    ReasonKind("hint-goes-to-fight"),
    ReasonKind("hint-goes-to-use"),
    ReasonKind("hint-shuts-in"),
    ReasonKind("hint-cuts-off", (NUMBER_VALUE,)),
    ReasonKind("hint-stays-open"),
    ReasonKind("hint-blocks"),
    ReasonKind("hint-out-of-reach"),
    ReasonKind("hint-opens", (NUMBER_VALUE,)),
    ReasonKind("hint-brings-pile", (PILE_VALUE, NUMBER_VALUE)),
    ReasonKind("hint-takes-last"),
    ReasonKind("hint-may-take-last"),
    ReasonKind("hint-leaves-too-few", (NUMBER_VALUE,)),
    ReasonKind("hint-may-bar", (NUMBER_VALUE,)),
    ReasonKind("hint-attacks-pile", (NUMBER_VALUE,)),
    ReasonKind("hint-wins-pile", (NUMBER_VALUE,)),
    ReasonKind("hint-may-shut-in"),
    ReasonKind("hint-may-cut-off", (NUMBER_VALUE,)),
    ReasonKind("hint-may-open", (NUMBER_VALUE,)),
    ReasonKind("hint-may-shield", (NUMBER_VALUE,)),
    ReasonKind("hint-may-raid"),
    ReasonKind("hint-saves-pile", (PILE_VALUE, NUMBER_VALUE)),
    ReasonKind("hint-saves-last-pile"),
    ReasonKind("hint-brings-cards"),
    ReasonKind("hint-keeps", (SUIT_VALUE,)),
    ReasonKind("hint-keeps-defence", (CARD_VALUE, NUMBER_VALUE)),
    ReasonKind("hint-keeps-unhurried"),
    ReasonKind("hint-keeps-for-pass"),
    ReasonKind("hint-keeps-club", (PILE_VALUE, NUMBER_VALUE)),
    ReasonKind("hint-keeps-heart", (PILE_VALUE, NUMBER_VALUE)),
    ReasonKind("hint-keeps-to-claim"),
    ReasonKind("hint-keeps-for-few", (SUIT_VALUE, NUMBER_VALUE)),
    ReasonKind("hint-costs-no-more"),
    ReasonKind("hint-keeps-higher", (SUIT_VALUE,)),
    ReasonKind("hint-harder-to-stop"),
    ReasonKind("hint-raids"),
    ReasonKind("hint-raids-last"),
    ReasonKind("hint-lets-attack"),
    ReasonKind("hint-fewer-attacks"),
    ReasonKind("hint-free-alike"),
    ReasonKind("hint-suit-alike", (SUIT_VALUE,)),
    ReasonKind("hint-tried"),
    ReasonKind("hint-lacks-pile"),
    ReasonKind("hint-lacks-card"),
    ReasonKind("hint-lacks-claim"),
    ReasonKind("hint-lacks-attack"),
    ReasonKind("hint-spends", (SUIT_VALUE,)),
    ReasonKind("hint-loses-pile", (PILE_VALUE, NUMBER_VALUE)),
    ReasonKind("hint-leaves-pile", (PILE_VALUE, NUMBER_VALUE)),
    ReasonKind("hint-hands-diamond"),
    ReasonKind("hint-leaves-exposed", (PILE_VALUE,)),
    ReasonKind("hint-leaves-free", (PILE_VALUE,)),
    ReasonKind("hint-wins-fewer"),
    ReasonKind("hint-lacks-hand-card"),
)  # fmt: skip
(
    R_CLAIMS_LATER, R_CLAIMS_MANY_LATER, R_CLAIMS_SCARCE, R_SHUTS_IN_LATER, R_DIGS_NOW, R_DIGS_CHANCE, R_DIGS_WITHOUT_PILE, R_DIGS_UNHURRIED, R_DIGS_FOR_SEVEN, R_DIGS_TO_DEFEND, R_DIGS_AT, R_DIGS_EXPOSED, R_DIGS_FULLEST, R_DIGS_ALIKE, R_DIGS_TWO, R_GOES_WITH_SPADE, R_GOES_TO_GROW, R_GOES_TO_FIGHT, R_GOES_TO_USE, R_SHUTS_IN, R_CUTS_OFF, R_STAYS_OPEN, R_BLOCKS, R_OUT_OF_REACH, R_OPENS, R_BRINGS_PILE, R_TAKES_LAST, R_MAY_TAKE_LAST, R_LEAVES_TOO_FEW, R_MAY_BAR, R_ATTACKS_PILE, R_WINS_PILE, R_MAY_SHUT_IN, R_MAY_CUT_OFF, R_MAY_OPEN, R_MAY_SHIELD, R_MAY_RAID, R_SAVES_PILE, R_SAVES_LAST_PILE, R_BRINGS_CARDS, R_KEEPS, R_KEEPS_DEFENCE, R_KEEPS_UNHURRIED, R_KEEPS_FOR_PASS, R_KEEPS_CLUB, R_KEEPS_HEART, R_KEEPS_TO_CLAIM, R_KEEPS_FOR_FEW, R_COSTS_NO_MORE, R_KEEPS_HIGHER, R_HARDER_TO_STOP, R_RAIDS, R_RAIDS_LAST, R_LETS_ATTACK, R_FEWER_ATTACKS, R_FREE_ALIKE, R_SUIT_ALIKE, R_TRIED, R_LACKS_PILE, R_LACKS_CARD, R_LACKS_CLAIM, R_LACKS_ATTACK, R_SPENDS, R_LOSES_PILE, R_LEAVES_PILE, R_HANDS_DIAMOND, R_LEAVES_EXPOSED, R_LEAVES_FREE, R_WINS_FEWER, R_LACKS_HAND_CARD,
) = range(FIRST_NAMED, len(REASON_KINDS))  # fmt: skip
NO_REASON = -1


def write_reasons(v, own_seat, candidate, counts, rival, difference, reason_rows):
    """Write the reasons for and against an answer; see `GameAdapter.write_reasons`."""
    reason_count, lost = 0, MIN_REASON_WEIGHT
    for index, (column, min_difference, worth) in enumerate(COUNT_REASONS):
        effect = worth * difference[column]
        if abs(difference[column]) >= min_difference:
            lost = max(lost, -effect)
            if effect < 0:
                reason_count = add_reason(reason_rows, reason_count, effect, index, 0, 0)
    reason, value, other = named_reason(v, own_seat, candidate, rival)
    if reason != NO_REASON:
        reason_count = add_reason(reason_rows, reason_count, 1.0, reason, value, other)
    elif difference[playouts.COL_OWN_SEVEN] + difference[playouts.COL_OPPONENT_BARRED] > 0:
        reason_count = add_reason(reason_rows, reason_count, MIN_REASON_WEIGHT, R_TRIED, 0, 0)
    reason, value, other = named_drawback(v, own_seat, candidate, rival)
    if reason != NO_REASON:  # shown before an effect on later turns
        reason_count = add_reason(reason_rows, reason_count, -lost - 1.0, reason, value, other)
    return reason_count


def named_reason(v, own_seat, candidate, rival):
    """Return the reason for an answer by the pile or cards that it gains or keeps, and its values."""
    question, attacked = v["question"], v["attacked"]
    if question == mines.TURN:
        return reason_to_pass(v, own_seat) if candidate == 0 else reason_to_go(v, own_seat)
    if question == mines.DIG and candidate > mines.SKIP:
        return (R_DIGS_TWO if rival <= mines.SKIP else R_SUIT_ALIKE), SPADES, 0
    if question in (mines.DIG, mines.DIG_FIRST, mines.DIG_SECOND):
        return named_dig(v, own_seat, candidate, rival)
    if question in (mines.CLAIM, mines.GROW_PILE):
        return named_marker(v, own_seat, candidate, rival)
    if question == mines.GROW:
        if candidate == mines.NO_CARD:
            return reason_to_keep_heart(v, own_seat, rival)
        return kept_card(candidate, rival) if rival != mines.NO_CARD else (R_BRINGS_CARDS, 0, 0)
    if question == mines.FIGHT:
        if candidate == mines.END:
            return reason_to_keep_club(v, own_seat)
        return reason_to_fight(v, own_seat, candidate)
    if question == mines.FIGHT_CARD:
        if v["hand_size"][1 - own_seat] > 0 and is_lower(rival, candidate):
            return R_HARDER_TO_STOP, 0, 0
        return kept_card(candidate, rival)
    if question == mines.DEFEND:
        if candidate == mines.NO_CARD:
            return reason_to_decline(v, own_seat, attacked, rival // mines.RANKS)
        if rival != mines.NO_CARD:
            return kept_card(candidate, rival)
        is_last = mines.owned(v, own_seat) == bit(attacked)
        return (R_SAVES_LAST_PILE, 0, 0) if is_last else (R_SAVES_PILE, attacked, v["left"][attacked])
    if question == mines.SPOILS:
        if candidate == 1:
            is_unknown = v["hand_size"][1 - own_seat] == 1 and v["known"][own_seat] == 0
            return (R_RAIDS_LAST if is_unknown else R_RAIDS), 0, 0
        return reason_to_conquer(v, own_seat, attacked)
    return kept_card(candidate, rival)  # `GIVE` is left


def reason_to_pass(v, own_seat):
    """Return the reason for passing, which means claiming in the next turn (M4).

    No pile is named, because the opponent's turn comes first and may make another one better.
    """
    piles, free = mines.claimable(v, own_seat), mines.unclaimed(v)
    if piles == 0:
        return NO_REASON, 0, 0
    hand, theirs = v["hand"][own_seat], mines.owned(v, 1 - own_seat)
    can_claim = reach(theirs, free) > 0
    while can_claim and piles != 0:
        pile = lowest(piles)
        piles &= piles - 1
        if reach(theirs, free & ~bit(pile)) == 0:
            return R_SHUTS_IN_LATER, 0, 0
    cards = mines.cards_to_dig(v, own_seat)
    if cards < FEW_CARDS:
        return R_CLAIMS_MANY_LATER, cards, 0
    if can_claim and count(free) <= FEW_FREE:
        return R_CLAIMS_SCARCE, count(free), 0
    can_dig_two = hand & suit_cards(SPADES, mines.RANKS) != 0
    return R_CLAIMS_LATER, 2 if can_dig_two else 1, 0


def reason_to_go(v, own_seat):
    """Return the reason to go on instead of passing: the cards to dig (M6) or, if none, the card to use (M7, M8).

    The player decides after the dig whether to use a ♥ or ♣, so neither is a reason to dig.
    """
    hand, own, theirs = v["hand"][own_seat], mines.owned(v, own_seat), mines.owned(v, 1 - own_seat)
    diggable = mines.diggable(v, own_seat)
    if diggable == 0:
        can_grow = hand & suit_cards(HEARTS, mines.RANKS) != 0 and mines.claimable(v, own_seat) != 0
        can_fight = hand & suit_cards(CLUBS, mines.RANKS) != 0 and mines.attackable(v, own_seat) != 0
        if can_grow and can_fight:
            return R_GOES_TO_USE, 0, 0
        return (R_GOES_TO_GROW if can_grow else R_GOES_TO_FIGHT if can_fight else NO_REASON), 0, 0
    if hand & suit_cards(SPADES, mines.RANKS) != 0 and mines.cards_to_dig(v, own_seat) >= 2:
        return R_GOES_WITH_SPADE, 0, 0
    reason, value, other = reason_to_dig(v, own_seat)
    exposed = mines.adjacent(theirs) & own & diggable
    if exposed != 0 and reason != R_DIGS_FOR_SEVEN and reason != R_DIGS_TO_DEFEND:
        return R_DIGS_AT, fullest(v, exposed), 0
    if reason == R_DIGS_CHANCE:
        claimable = mines.claimable(v, own_seat)
        if claimable == 0:
            return R_DIGS_WITHOUT_PILE, 0, 0
        if claimable & mines.claimable(v, 1 - own_seat) == 0:
            return R_DIGS_UNHURRIED, 0, 0
    return reason, value, other


def reason_to_dig(v, own_seat):
    """Return the reason for drawing a card, whatever the pile."""
    hand = v["hand"][own_seat]
    held = count(hand & suit_cards(DIAMONDS, mines.RANKS))
    if held >= ALMOST_SEVEN:
        return R_DIGS_FOR_SEVEN, held + 1, 0
    if hand == 0 and mines.attackable(v, 1 - own_seat) != 0:
        return R_DIGS_TO_DEFEND, 0, 0
    unseen = unseen_cards(v, own_seat)
    diamonds = count(unseen & suit_cards(DIAMONDS, mines.RANKS))
    if diamonds == 0:
        return R_DIGS_NOW, 0, 0
    return R_DIGS_CHANCE, (count(unseen) + diamonds // 2) // diamonds, 0


def unseen_cards(v, own_seat):
    """Return the cards that may lie in any pile, as far as the player knows."""
    return mines.pack(v) & ~(v["hand"][own_seat] | v["discards"] | v["known"][own_seat])


def fullest(v, piles):
    """Return the fullest of these piles."""
    best = lowest(piles)
    while piles != 0:
        pile = lowest(piles)
        piles &= piles - 1
        if v["left"][pile] > v["left"][best]:
            best = pile
    return best


def reach(piles, free):
    """Return how many free piles can be claimed from these piles, one after the other (M11)."""
    return count(mines.reachable_free(piles, free))


def named_dig(v, own_seat, pile, rival):
    """Return the reason for digging in this pile, because an attack could win it, or for digging at all."""
    if pile == mines.SKIP:
        return NO_REASON, 0, 0
    exposed = mines.attackable(v, 1 - own_seat) & mines.diggable(v, own_seat)
    if exposed & bit(pile) != 0:
        if rival >= mines.SKIP or exposed & bit(rival) == 0 or v["left"][pile] == v["left"][rival]:
            return R_DIGS_EXPOSED, 0, 0
        is_fullest = v["left"][pile] == v["left"][fullest(v, exposed)]
        return (R_DIGS_FULLEST if is_fullest else NO_REASON), 0, 0
    if rival > mines.SKIP:
        return R_KEEPS, SPADES, 0
    is_any = exposed == 0 and mines.diggable(v, own_seat) != bit(pile)
    if rival < mines.SKIP:
        return (R_DIGS_ALIKE if is_any else NO_REASON), 0, 0
    reason, value, other = reason_to_dig(v, own_seat)
    return (R_DIGS_ALIKE, 0, 0) if is_any and reason == R_DIGS_CHANCE else (reason, value, other)


def named_marker(v, own_seat, pile, rival):
    """Return the reason for a marker on a pile: it blocks the opponent, is safe, or leads to more piles.

    A reason that would hold even more for another pile is not given.
    """
    if pile == mines.SKIP:
        return NO_REASON, 0, 0
    own, theirs, free = mines.owned(v, own_seat), mines.owned(v, 1 - own_seat), mines.unclaimed(v)
    others = free & ~bit(rival) if rival != mines.SKIP else free
    before, after, after_rival = reach(theirs, free), reach(theirs, free & ~bit(pile)), reach(theirs, others)
    left = cards_reached(v, theirs, free & ~bit(pile))
    if after < before and left <= cards_reached(v, theirs, others) and may_bar(v, own_seat, left):
        return R_MAY_BAR, left, 0
    if after == 0 and after_rival != 0:
        return R_SHUTS_IN, 0, 0
    cuts_off_most = before - after > 1 and after == fewest_reached(v, own_seat, theirs, free)
    if cuts_off_most and before - after > MIN_CUT_OFF and after_rival - after >= MIN_CUT_OFF:
        return R_CUTS_OFF, before - after, 0
    others_own = own | bit(rival) if rival != mines.SKIP else own
    if worst_reach(others_own, theirs, others) == 0 and worst_reach(own | bit(pile), theirs, free & ~bit(pile)) > 0:
        return R_STAYS_OPEN, 0, 0
    beside = mines.adjacent(theirs)
    if beside & bit(pile) != 0 and (rival == mines.SKIP or beside & bit(rival) == 0):
        return R_BLOCKS, 0, 0
    if beside & bit(pile) == 0 and rival != mines.SKIP and beside & bit(rival) != 0:
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
    if rival == mines.SKIP:
        return R_BRINGS_CARDS, 0, 0  # every unclaimed pile is full
    if cuts_off_most and after < after_rival:
        return R_CUTS_OFF, before - after, 0
    touched, rival_touched = count(mines.adjacent(bit(pile)) & theirs), count(mines.adjacent(bit(rival)) & theirs)
    if touched < rival_touched:
        return R_FEWER_ATTACKS, 0, 0
    return (R_LETS_ATTACK if touched > rival_touched else R_FREE_ALIKE), 0, 0


def fewest_reached(v, own_seat, theirs, free):
    """Return the fewest free piles that the opponent can still reach after a claim of this player."""
    fewest, claims = reach(theirs, free), mines.claimable(v, own_seat)
    while claims != 0:
        pile = lowest(claims)
        claims &= claims - 1
        fewest = min(fewest, reach(theirs, free & ~bit(pile)))
    return fewest


def may_bar(v, own_seat, left):
    """Return whether the game may end because the opponent has only this many cards left to dig (M11)."""
    if v["impossible"]:  # judged only on what both players know, so it seldom ends at once
        return False
    unseen, size = unseen_cards(v, own_seat), v["hand_size"][1 - own_seat]
    if (left + size) * count(unseen & suit_cards(CLUBS, mines.RANKS)) >= MANY_CLUBS * count(unseen):
        return False
    diamonds = suit_cards(DIAMONDS, mines.RANKS)
    likely = round(size * count(unseen & diamonds) / max(count(unseen), 1))
    return left + max(count(v["known"][own_seat] & diamonds), likely) < mines.DIAMONDS_TO_WIN


def marker_worth(v, own_seat, pile):
    """Return how strong the reasons of `named_marker` for this pile are, as a number."""
    own, theirs, free = mines.owned(v, own_seat), mines.owned(v, 1 - own_seat), mines.unclaimed(v)
    others = free & ~bit(pile)
    after = reach(theirs, others)
    cut_off = reach(theirs, free) - after
    worth = 100 if after == 0 and cut_off > 0 else cut_off if cut_off > MIN_CUT_OFF else 0
    worth = 2 * worth + (1 if worst_reach(own | bit(pile), theirs, others) > 0 else 0)
    worth = 2 * worth + (1 if mines.adjacent(theirs) & bit(pile) != 0 else 0)
    return 16 * worth + piles_opened(v, mines.claimable(v, own_seat), pile)


def obvious_card(v, own_seat):
    """Return the answer to prefer among equally good ones, by rules of thumb that a reason explains.

    See `GameAdapter.obvious_card`.
    """
    question, hand = v["question"], v["hand"][own_seat]
    if question == mines.CLAIM or question == mines.GROW_PILE:
        piles = mines.claimable(v, own_seat)
        best = lowest(piles)
        while piles != 0:
            pile = lowest(piles)
            piles &= piles - 1
            if marker_worth(v, own_seat, pile) > marker_worth(v, own_seat, best):
                best = pile
        return best
    if question == mines.FIGHT_CARD and v["hand_size"][1 - own_seat] == 0:
        return heuristics.lowest_ace_high(hand & suit_cards(CLUBS, mines.RANKS), CLUBS)
    if question == mines.GIVE:
        for suit in (SPADES, HEARTS, CLUBS):
            cards = hand & suit_cards(suit, mines.RANKS)
            if cards != 0:
                return heuristics.lowest_ace_high(cards, suit)
    answer = heuristics.heuristic_answer(v, own_seat, heuristics.IMPROVED_PLAN)
    if question == mines.FIGHT and answer != mines.END:
        return fullest(v, mines.attackable(v, own_seat))
    exposed = mines.attackable(v, 1 - own_seat) & mines.diggable(v, own_seat)
    if question in (mines.DIG, mines.DIG_FIRST, mines.DIG_SECOND) and answer < mines.SKIP and exposed != 0:
        return fullest(v, exposed)
    return answer


def worst_reach(own, theirs, free):
    """Return how many free piles a player can still reach after the opponent's worst claim."""
    fewest, claims = reach(own, free), mines.adjacent(theirs) & free
    while claims != 0:
        pile = lowest(claims)
        claims &= claims - 1
        fewest = min(fewest, reach(own, free & ~bit(pile)))
    return fewest


def piles_opened(v, claimable, pile):
    """Return how many unclaimed piles become claimable with a marker on this one."""
    return count(mines.adjacent(bit(pile)) & mines.unclaimed(v) & ~claimable)


def reason_to_keep_club(v, own_seat):
    """Return the reason to end the turn with a ♣ in hand: the fullest pile that the opponent may attack."""
    exposed = mines.attackable(v, 1 - own_seat)
    if exposed == 0 or v["hand"][own_seat] & suit_cards(CLUBS, mines.RANKS) == 0:
        return NO_REASON, 0, 0
    pile = fullest(v, exposed)
    return R_KEEPS_CLUB, pile, v["left"][pile]


def reason_to_keep_heart(v, own_seat, rival):
    """Return the reason not to claim a pile with this ♥ (M7): the ♣ that it stops (M8), or that the piles can wait for a pass."""
    unseen = unseen_cards(v, own_seat) & suit_cards(CLUBS, mines.RANKS)
    defenders = v["hand"][own_seat] & (suit_cards(HEARTS, mines.RANKS) | suit_cards(CLUBS, mines.RANKS))
    stopped = 0
    for rank in range(mines.RANKS):
        is_no_higher = rank == rival % mines.RANKS or is_lower(rank, rival % mines.RANKS)
        if unseen & bit(CLUBS * mines.RANKS + rank) != 0 and is_no_higher:
            stopped += 1
    is_needed = count(defenders) == 1 and mines.attackable(v, 1 - own_seat) != 0
    if is_needed and 2 * stopped >= count(unseen) > 0:
        return R_KEEPS_DEFENCE, rival, stopped
    if mines.claimable(v, own_seat) & mines.claimable(v, 1 - own_seat) == 0:
        return R_KEEPS_UNHURRIED, 0, 0
    return R_KEEPS_FOR_PASS, 0, 0


def reason_to_decline(v, own_seat, attacked, suit):
    """Return the reason not to defend a pile with a card of a suit: what the card is for, or how little is at stake."""
    exposed = mines.attackable(v, 1 - own_seat) & ~bit(attacked)
    pile = fullest(v, exposed) if exposed != 0 else attacked
    if v["left"][pile] > v["left"][attacked]:
        return (R_KEEPS_CLUB if suit == CLUBS else R_KEEPS_HEART), pile, v["left"][pile]
    if v["left"][attacked] <= 1:
        return R_COSTS_NO_MORE, 0, 0
    claimable = mines.adjacent(mines.owned(v, own_seat) & ~bit(attacked)) & mines.unclaimed(v)
    if suit == HEARTS and claimable != 0:
        return R_KEEPS_TO_CLAIM, 0, 0
    return (R_KEEPS_FOR_FEW if v["left"][attacked] <= FEW_AT_STAKE else R_KEEPS), suit, v["left"][attacked]


def reason_to_fight(v, own_seat, pile):
    """Return the reason to attack a pile: the effect of its conquest, or the card that a raid brings (M9)."""
    reason, value, other = harm_of_loss(v, own_seat, pile, R_MAY_SHUT_IN, R_MAY_CUT_OFF)
    opponent_has_cards = v["hand_size"][1 - own_seat] > 0
    if reason == R_TAKES_LAST and opponent_has_cards:
        return R_MAY_TAKE_LAST, 0, 0
    if reason != NO_REASON:
        return reason, value, other
    if v["left"][pile] > (1 if opponent_has_cards else 0):  # else a card from hand is worth more
        return (R_ATTACKS_PILE if opponent_has_cards else R_WINS_PILE), v["left"][pile], 0
    own, theirs, free = mines.owned(v, own_seat), mines.owned(v, 1 - own_seat), mines.unclaimed(v)
    more = max(reach(own | bit(pile), free) - reach(own, free), piles_opened(v, mines.claimable(v, own_seat), pile))
    if more > 0:
        return R_MAY_OPEN, more, 0
    shielded = count(mines.adjacent(theirs) & own) - count(mines.adjacent(theirs & ~bit(pile)) & own)
    if shielded > 0:
        return R_MAY_SHIELD, shielded, 0
    # Any attack may win a card from hand. That speaks for this pile only if no other holds cards worth winning.
    is_special = v["left"][fullest(v, mines.attackable(v, own_seat))] <= 1
    return (R_MAY_RAID if opponent_has_cards and is_special else NO_REASON), 0, 0


def reason_to_conquer(v, own_seat, pile):
    """Return the reason to conquer a pile rather than raid a card (M9)."""
    reason, value, other = harm_of_loss(v, own_seat, pile, R_SHUTS_IN, R_CUTS_OFF)
    return (reason, value, other) if reason != NO_REASON else (R_BRINGS_PILE, pile, v["left"][pile])


def named_drawback(v, own_seat, candidate, rival):
    """Return the reason against an answer that names what it gives up or spends, unlike the rival, and its values."""
    question, attacked = v["question"], v["attacked"]
    exposed = mines.adjacent(mines.owned(v, 1 - own_seat))  # to attacks, or to the opponent's next claim
    if question == mines.TURN:
        if candidate == 0:
            return (R_LACKS_CARD if mines.diggable(v, own_seat) != 0 else NO_REASON), 0, 0
        return (R_LACKS_PILE if mines.claimable(v, own_seat) != 0 else NO_REASON), 0, 0
    if question in (mines.CLAIM, mines.GROW_PILE):
        if candidate == mines.SKIP:
            return R_LACKS_CLAIM, 0, 0
        is_left = rival != mines.SKIP and exposed & bit(rival) != 0 and exposed & bit(candidate) == 0
        return (R_LEAVES_FREE if is_left else NO_REASON), rival, 0
    if question in (mines.DIG, mines.DIG_FIRST, mines.DIG_SECOND):
        if candidate == mines.SKIP:
            return R_LACKS_CARD, 0, 0
        if candidate > mines.SKIP:
            return (R_SPENDS if rival <= mines.SKIP else NO_REASON), SPADES, 0
        is_left = rival < mines.SKIP and exposed & bit(rival) != 0 and exposed & bit(candidate) == 0
        return (R_LEAVES_EXPOSED if is_left else NO_REASON), rival, 0
    if question == mines.GROW:
        if candidate == mines.NO_CARD:
            return R_LACKS_CLAIM, 0, 0
        return (R_SPENDS if rival == mines.NO_CARD else NO_REASON), HEARTS, 0
    if question == mines.FIGHT:
        if candidate == mines.END:
            return R_LACKS_ATTACK, 0, 0
        if rival == mines.END:
            return R_SPENDS, CLUBS, 0
        return (R_WINS_FEWER if v["left"][candidate] < v["left"][rival] else NO_REASON), 0, 0
    if question == mines.DEFEND:
        if candidate == mines.NO_CARD:
            return R_LOSES_PILE, attacked, v["left"][attacked]
        return (R_SPENDS if rival == mines.NO_CARD else NO_REASON), candidate // mines.RANKS, 0
    if question == mines.SPOILS:
        return (R_LEAVES_PILE if candidate == 1 else R_LACKS_HAND_CARD), attacked, v["left"][attacked]
    if question == mines.GIVE and candidate // mines.RANKS == DIAMONDS and rival // mines.RANKS != DIAMONDS:
        return R_HANDS_DIAMOND, 0, 0
    return NO_REASON, 0, 0


def harm_of_loss(v, own_seat, pile, shuts_in, cuts_off):
    """Return the reason to take a pile because the opponent needs it, or `NO_REASON`."""
    theirs, free = mines.owned(v, 1 - own_seat), mines.unclaimed(v)
    if theirs == bit(pile):
        return R_TAKES_LAST, 0, 0
    before, after = reach(theirs, free), reach(theirs & ~bit(pile), free)
    if before > 0 and after == 0:
        return shuts_in, 0, 0
    remaining = cards_within(v, 1 - own_seat, theirs & ~bit(pile))
    if remaining < mines.DIAMONDS_TO_WIN:
        return R_LEAVES_TOO_FEW, remaining, 0
    if v["left"][pile] == 0 and before > after:
        return cuts_off, before - after, 0
    return NO_REASON, 0, 0


def cards_within(v, seat, piles):
    """Return how many cards a seat holds and can reach from these piles (M11)."""
    return v["hand_size"][seat] + cards_reached(v, piles, mines.unclaimed(v))


def cards_reached(v, piles, free):
    """Return how many cards lie in these piles and in the free piles within their reach (M11)."""
    return mines.cards_left(v, piles | mines.reachable_free(piles, free))


def kept_card(card, rival):
    """Return the reason for giving away a card instead of a rival: it keeps the rival."""
    suit = rival // mines.RANKS
    if card // mines.RANKS != suit:
        return R_KEEPS, suit, 0
    if suit in (SPADES, DIAMONDS):  # their rank never matters
        return R_SUIT_ALIKE, suit, 0
    return (R_KEEPS_HIGHER if is_lower(card, rival) else NO_REASON), suit, 0


def is_lower(card, other):
    """Return whether a card is lower than another of its suit; the ace is the highest."""
    return card % mines.RANKS != 0 and (other % mines.RANKS == 0 or card < other)
