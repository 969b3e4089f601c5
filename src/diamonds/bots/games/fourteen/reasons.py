"""Reasons for answers in fourteen, weighted by their effect in points."""

from __future__ import annotations

from diamonds.bots.games.fourteen import heuristics, playouts
from diamonds.bots.games.reason_kinds import (
    CARD_VALUE,
    CHANCE_VALUE,
    FIRST_GAME_REASON,
    HIGH_RANKS,
    R_HIGHEST_LEFT,
    R_LOSES_TO,
    SEAT_VALUE,
    SUIT_VALUE,
    TRICK_REASONS,
    ReasonKind,
    add_contrast,
    add_reason,
    add_saving_reasons,
    add_spending_reason,
    add_trick_reasons,
    add_void_reasons,
    card_of_extreme_rank,
    is_highest_left,
    likely_winner,
    percent,
)
from diamonds.cards import DIAMONDS, bit, count, highest, suit_cards
from diamonds.events import EventField
from diamonds.fields import NUMBER
from diamonds.rules import fourteen

NUMBER_VALUE, RANK_VALUE = EventField("number", NUMBER), EventField("rank", NUMBER)
LOWEST_VALUE = EventField("lowest", NUMBER)  # 1 if the answer is the lowest of several ♦, which the sentence then says
LEADS_VALUE = EventField("leads", NUMBER)  # 1 for a card led: then no ♦ lies on the table yet
LIGHT = 0.16  # weight of reasons that are only given if a heavier one also holds for other cards
LITTLE_LATER = 0.1  # minimum of additional ♦ won later for a light reason
SURE = 0.8  # minimum chance to win for a trick to count as won
FOURTEEN_COMES = 0.15  # minimum chance of a fourteen with the next card for it to be a reason

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
    ReasonKind("hint-gives-no-diamond"),
    ReasonKind("hint-little-to-win", (CARD_VALUE,)),
    ReasonKind("hint-saves-for-fourteen", (CARD_VALUE,)),
    ReasonKind("hint-no-fourteen"),
    ReasonKind("hint-fewer-fourteens", (CARD_VALUE,)),
    ReasonKind("hint-need-not-follow", (SUIT_VALUE,)),
    ReasonKind("hint-bid-more-often", (CHANCE_VALUE,)),
    ReasonKind("hint-bid-less-often", (CHANCE_VALUE,)),
    ReasonKind("hint-nothing-to-win", (CARD_VALUE,)),
    ReasonKind("hint-gives-later-lost"),
    ReasonKind("hint-gives-for-suit", (SUIT_VALUE, LOWEST_VALUE)),
    ReasonKind("hint-gives-for-last-trick", (LOWEST_VALUE,)),
    ReasonKind("hint-last-trick"),
    ReasonKind("hint-not-turned", (CARD_VALUE,)),
    ReasonKind("hint-not-beaten", (CARD_VALUE, SUIT_VALUE)),
    ReasonKind("hint-saves-for-diamonds", (CARD_VALUE, LEADS_VALUE)),
    ReasonKind("hint-not-fourteen", (RANK_VALUE, CARD_VALUE)),
    ReasonKind("hint-gives-player-no-diamond", (SEAT_VALUE,)),
    ReasonKind("hint-saves-suit-for-diamonds", (SUIT_VALUE, LEADS_VALUE)),
    ReasonKind("hint-saves-higher-for-diamonds", (SUIT_VALUE, LEADS_VALUE)),
    ReasonKind("hint-little-to-win-high"),
    ReasonKind("hint-nothing-to-win-high"),
    ReasonKind("hint-saves-good-for-diamonds", (LEADS_VALUE,)),
    ReasonKind("hint-saves-high-for-diamonds", (LEADS_VALUE,)),
    ReasonKind("hint-more-later"),
    ReasonKind("hint-more-likely-wins"),
    ReasonKind("hint-saves-high"),
    ReasonKind("hint-not-yet", (CARD_VALUE,)),
    ReasonKind("hint-not-yet-more", (CARD_VALUE,)),
    ReasonKind("hint-higher-than", (CARD_VALUE,)),
    ReasonKind("hint-ahead-of", (CARD_VALUE,)),
    ReasonKind("hint-fewer-higher", (CARD_VALUE,)),
    ReasonKind("hint-gives-lowest"),
    ReasonKind("hint-draws-diamonds"),
    ReasonKind("hint-lowest-card"),
    ReasonKind("hint-not-risk", (CARD_VALUE,)),
    ReasonKind("hint-no-diamond-yet", (CARD_VALUE,)),
    ReasonKind("hint-no-diamond-yet-high"),
    ReasonKind("hint-own-diamond"),
    ReasonKind("hint-saves-beaten-diamonds", (CARD_VALUE,)),
    ReasonKind("hint-saves-highest-diamond", (CARD_VALUE,)),
)
(
    R_WINS, R_LIKELY_WINS, R_WINS_DIAMONDS, R_LIKELY_WINS_DIAMONDS, R_BID_KEPT, R_TURNS_SUIT, R_KEEPS_SUIT, R_GIVES_DIAMOND, R_GIVES_NO_DIAMOND,
    R_LITTLE_TO_WIN, R_SAVES_FOR_FOURTEEN, R_NO_FOURTEEN, R_FEWER_FOURTEENS, R_NEED_NOT_FOLLOW, R_BID_MORE_OFTEN, R_BID_LESS_OFTEN,
    R_NOTHING_TO_WIN, R_GIVES_LATER_LOST, R_GIVES_FOR_SUIT, R_GIVES_FOR_LAST_TRICK, R_LAST_TRICK, R_NOT_TURNED, R_NOT_BEATEN,
    R_SAVES_FOR_DIAMONDS, R_FOURTEEN_COMES, R_GIVES_PLAYER_NO_DIAMOND, R_SAVES_SUIT_FOR_DIAMONDS, R_SAVES_HIGHER_FOR_DIAMONDS,
    R_LITTLE_TO_WIN_HIGH, R_NOTHING_TO_WIN_HIGH, R_SAVES_GOOD_FOR_DIAMONDS, R_SAVES_HIGH_FOR_DIAMONDS, R_MORE_LATER, R_MORE_LIKELY_WINS, R_SAVES_HIGH, R_NOT_YET, R_NOT_YET_MORE,
    R_HIGHER_THAN, R_AHEAD_OF, R_FEWER_HIGHER, R_GIVES_LOWEST, R_DRAWS_DIAMONDS, R_LOWEST_CARD, R_NOT_RISK, R_NO_DIAMOND_YET, R_NO_DIAMOND_YET_HIGH,
    R_OWN_DIAMOND, R_SAVES_BEATEN_DIAMONDS, R_SAVES_HIGHEST_DIAMOND,
) = range(FIRST_GAME_REASON, len(REASON_KINDS))  # fmt: skip


def write_reasons(v, own_seat, candidate, counts, rival, difference, reason_rows):
    """Write the reasons for an answer; see `GameAdapter.write_reasons`."""
    if v["question"] == fourteen.BIDDING:
        return add_reason(reason_rows, 0, 1.0, R_BID_KEPT, percent(counts[playouts.COL_BID_KEPT]), 0)
    ranks, hand, reason_count = fourteen.RANKS, v["hand"][own_seat], 0
    suit, rival_suit, unseen = candidate // ranks, rival // ranks, heuristics.unseen_cards(v, own_seat)
    makers = fourteen.making_fourteen(v) if v["trick_size"] > 0 else 0
    chance, change = counts[playouts.COL_THIS_TRICK], difference[playouts.COL_THIS_TRICK]
    if makers & bit(candidate) != 0 and makers & bit(rival) == 0 and chance >= 0.05:
        if suit != v["suit"]:
            reason_count = add_reason(reason_rows, reason_count, 0.6, R_TURNS_SUIT, suit, 0)
        else:
            reason_count = add_reason(reason_rows, reason_count, 0.3, R_KEEPS_SUIT, 0, 0)
    won = prize_won(counts[playouts.COL_PRIZE], chance)
    rival_chance = chance - change
    rival_won = prize_won(counts[playouts.COL_PRIZE] - difference[playouts.COL_PRIZE], rival_chance)
    many = won >= 0.75 and v["scoring"] != fourteen.TRICKS
    wins, likely = (R_WINS_DIAMONDS, R_LIKELY_WINS_DIAMONDS) if many else (R_WINS, R_LIKELY_WINS)
    cause = why_it_wins_more_often(v, own_seat, candidate, rival)
    is_top = is_highest_left(candidate, hand | unseen, ranks)
    if cause >= 0 and change >= 0.08 and (change < 0.2 or chance < 0.6) and not is_top:
        reason_count = add_reason(reason_rows, reason_count, 2.0 * change, cause, rival, 0)
    else:
        reason_count = add_trick_reasons(
            reason_rows, reason_count, 2.0, chance, change, rival, wins, likely, round(won) if many else 0
        )
    if change >= 0.08:
        reason_count = add_reason(reason_rows, reason_count, LIGHT, R_MORE_LIKELY_WINS, 0, 0)
    if change >= 0.08 and candidate % ranks < ranks - 1 and is_top:
        reason_count = add_reason(reason_rows, reason_count, 2.0 * change + 0.1, R_HIGHEST_LEFT, suit, 0)
    if v["scoring"] != fourteen.TRICKS:
        if suit == DIAMONDS and rival_suit != DIAMONDS and chance >= SURE and abs(change) < 0.2:
            reason_count = add_reason(reason_rows, reason_count, 0.6, R_OWN_DIAMOND, 0, 0)
        if suit == DIAMONDS and rival_suit != DIAMONDS and chance < 0.4:
            reason_count = add_reason(reason_rows, reason_count, -0.4, R_GIVES_DIAMOND, 0, 0)
        if suit != DIAMONDS and rival_suit == DIAMONDS and rival_chance < 0.7:
            is_last = v["trick_size"] + 1 == v["seats"]  # before that, another player may still win the trick
            winner = likely_winner(counts, difference, playouts.COL_WINNER, own_seat) if is_last else -1
            reason = R_GIVES_NO_DIAMOND if winner < 0 else R_GIVES_PLAYER_NO_DIAMOND
            reason_count = add_reason(reason_rows, reason_count, 0.8 - rival_chance, reason, max(winner, 0), 0)
        if v["trick_size"] > 0 and change <= -0.2 and rival_won < 0.75 and rival % ranks >= ranks - HIGH_RANKS:
            is_last = v["trick_size"] + 1 == v["seats"]
            is_only = other_high_cards(fourteen.legal(v, own_seat), candidate, rival) == 0
            diamonds = heuristics.diamonds_on_table(v)
            if diamonds == 0:
                reason = R_NOTHING_TO_WIN if is_only else R_NOTHING_TO_WIN_HIGH
                if not is_last:
                    reason = R_NO_DIAMOND_YET if is_only else R_NO_DIAMOND_YET_HIGH
                reason_count = add_reason(reason_rows, reason_count, 0.7, reason, rival, 0)
            elif not is_last or diamonds == 1:
                reason = R_LITTLE_TO_WIN if is_only else R_LITTLE_TO_WIN_HIGH
                reason_count = add_reason(reason_rows, reason_count, 0.7, reason, rival, 0)
        reason_count = add_reasons_from_later_tricks(
            v, own_seat, candidate, counts, rival, difference, reason_rows, reason_count
        )
    later = difference[playouts.COL_TAKEN] - difference[playouts.COL_PRIZE]
    reason_count = add_reasons_that_many_cards_share(v, own_seat, candidate, rival, later, reason_rows, reason_count)
    reason_count = add_reasons_why_the_rival_loses(
        v, own_seat, candidate, counts, rival, difference, reason_rows, reason_count
    )
    reason_count = add_saving_reasons(reason_rows, reason_count, candidate, rival, hand | unseen, change, ranks)
    reason_count = add_spending_reason(reason_rows, reason_count, candidate, rival, hand, change, ranks)
    partners_left = count(fourteen.partners(candidate) & unseen)
    rival_partners = count(fourteen.partners(rival) & unseen)
    if v["trick_size"] + 1 < v["seats"] and chance >= 0.25:
        if partners_left == 0 and rival_partners > 0:
            reason_count = add_reason(reason_rows, reason_count, 0.4, R_NO_FOURTEEN, 0, 0)
        elif partners_left < rival_partners:
            weight = 0.1 + 0.05 * (rival_partners - partners_left)
            reason_count = add_reason(reason_rows, reason_count, weight, R_FEWER_FOURTEENS, rival, 0)
    if suit == rival_suit and rival < candidate and rival_partners > partners_left:
        reason_count = add_reason(reason_rows, reason_count, 0.2, R_SAVES_FOR_FOURTEEN, rival, 0)
    if suit != DIAMONDS or chance >= 0.4 or v["scoring"] == fourteen.TRICKS:  # giving away a ♦ needs a better reason
        reason_count = add_void_reasons(
            reason_rows, reason_count, hand, bit(candidate), bit(rival), ranks, 0.3, R_NEED_NOT_FOLLOW
        )
    bid_kept = difference[playouts.COL_BID_KEPT]
    if v["scoring"] == fourteen.BID and abs(bid_kept) >= 0.03:
        reason = R_BID_MORE_OFTEN if bid_kept > 0 else R_BID_LESS_OFTEN
        reason_count = add_reason(
            reason_rows, reason_count, 5 * bid_kept, reason, percent(counts[playouts.COL_BID_KEPT]), 0
        )
    return reason_count


def why_it_wins_more_often(v, own_seat, candidate, rival):
    """Return the reason, to be seen on the table, why a card wins this trick more often than its rival; −1 if none."""
    ranks = fourteen.RANKS
    if candidate // ranks == rival // ranks:
        return R_HIGHER_THAN if candidate > rival else -1
    if v["trick_size"] > 0:
        return R_AHEAD_OF if wins_so_far(v, candidate) and not wins_so_far(v, rival) else -1
    unseen = heuristics.unseen_cards(v, own_seat)
    return R_FEWER_HIGHER if higher_cards(unseen, candidate) < higher_cards(unseen, rival) else -1


def higher_cards(cards, card):
    """Return how many of the cards are higher cards of the same suit."""
    return count(cards & suit_cards(card // fourteen.RANKS, fourteen.RANKS) & ~((bit(card) << 1) - 1))


def add_reasons_why_the_rival_loses(v, own_seat, candidate, counts, rival, difference, reason_rows, reason_count):
    """Write why the rival, a high card or a ♦, often loses its trick: to a fourteen or to a higher card.

    If the rival is a ♦ that likely wins its trick, write instead that it also wins later, or wins more then.

    The reason against a ♦ weighs more than the ♦ won later, because it is their cause.
    """
    ranks, suit, change = fourteen.RANKS, rival // fourteen.RANKS, difference[playouts.COL_THIS_TRICK]
    chance, unseen = counts[playouts.COL_THIS_TRICK] - change, heuristics.unseen_cards(v, own_seat)
    later_diamonds, now = difference[playouts.COL_WON_LATER + DIAMONDS], -difference[playouts.COL_PRIZE]
    if suit == DIAMONDS and v["scoring"] != fourteen.TRICKS and chance >= SURE and later_diamonds >= 0.6 * now:
        reason = R_NOT_YET_MORE if later_diamonds >= now + LITTLE_LATER else R_NOT_YET
        return add_contrast(reason_rows, reason_count, 0.6, reason, rival, 0)
    is_high = suit == DIAMONDS or rival % ranks >= ranks - HIGH_RANKS
    if chance >= 0.55 or change >= 0.2 or not is_high or (v["trick_size"] > 0 and not wins_so_far(v, rival)):
        return reason_count
    later = difference[playouts.COL_TAKEN] - difference[playouts.COL_PRIZE]
    weight = max(0.75, 0.3 + later) if suit == DIAMONDS and v["scoring"] != fourteen.TRICKS else 0.5
    is_top, partners = is_highest_left(rival, v["hand"][own_seat] | unseen, ranks), fourteen.partners(rival) & unseen
    turned = counts[playouts.COL_TURNED] - difference[playouts.COL_TURNED]
    turned_next = counts[playouts.COL_TURNED_NEXT] - difference[playouts.COL_TURNED_NEXT]
    winner = likely_winner(counts, difference, playouts.COL_WINNER, own_seat)
    is_feared = partners != 0 and turned_next >= (FOURTEEN_COMES if is_top else 2 * FOURTEEN_COMES)
    is_as_open = counts[playouts.COL_THIS_TRICK] >= 0.25 and count(fourteen.partners(candidate) & unseen) >= count(
        partners
    )
    if is_feared and is_as_open and rival % ranks > candidate % ranks:
        return add_contrast(reason_rows, reason_count, weight, R_NOT_RISK, rival, 0)
    if is_feared and not is_as_open:
        rank = highest(partners) % ranks + 1
        return add_contrast(reason_rows, reason_count, weight, R_FOURTEEN_COMES, rank, rival)
    if winner >= 0:
        return add_contrast(reason_rows, reason_count, weight, R_LOSES_TO, rival, winner)
    if not is_top:
        return add_contrast(reason_rows, reason_count, weight, R_NOT_BEATEN, rival, suit)
    if turned >= FOURTEEN_COMES:
        return add_contrast(reason_rows, reason_count, weight, R_NOT_TURNED, rival, 0)
    return reason_count


def add_reasons_from_later_tricks(v, own_seat, candidate, counts, rival, difference, reason_rows, reason_count):
    """Write which ♦ the answer wins or loses after the trick on the table, and why it gives away a ♦."""
    ranks = fourteen.RANKS
    suit, rival_suit, left = candidate // ranks, rival // ranks, v["hand"][own_seat] & ~bit(candidate)
    legal = fourteen.legal(v, own_seat) & ~bit(candidate)
    others = legal & suit_cards(DIAMONDS, ranks)
    is_lowest = suit == DIAMONDS and others != 0 and others & (bit(candidate) - 1) == 0
    gives = suit == DIAMONDS and counts[playouts.COL_THIS_TRICK] < 0.4
    gives = gives and (rival_suit != DIAMONDS or (is_lowest and candidate < rival))
    later = difference[playouts.COL_TAKEN] - difference[playouts.COL_PRIZE]
    best, most, enough = -1, 0.0, max(0.1, 0.4 * later)
    higher = left & suit_cards(suit, ranks) & ~((bit(candidate) << 1) - 1)
    leads = 1 if v["trick_size"] == 0 else 0
    for winning in range(4):
        gain = difference[playouts.COL_WON_LATER + winning]
        if gain > max(enough, most) and left & suit_cards(winning, ranks) != 0:
            best, most = winning, gain
    if later >= 0.15 and difference[playouts.COL_LAST_TRICK] >= 0.15:
        reason = R_GIVES_FOR_LAST_TRICK if gives else R_LAST_TRICK
        reason_count = add_reason(reason_rows, reason_count, 0.1 + later, reason, 1 if gives and is_lowest else 0, 0)
    if later >= 0.15 and best >= 0:
        draws = suit == DIAMONDS and v["trick_size"] == 0 and higher != 0
        if best == DIAMONDS and draws and (gives or rival > candidate):
            reason_count = add_reason(reason_rows, reason_count, 0.2 + later, R_DRAWS_DIAMONDS, 0, 0)
        elif gives and best == rival_suit and best != DIAMONDS:
            reason_count = add_reason(
                reason_rows, reason_count, 0.2 + later, R_GIVES_FOR_SUIT, best, 1 if is_lowest else 0
            )
        elif gives and is_lowest:
            reason_count = add_reason(reason_rows, reason_count, 0.2 + later, R_GIVES_LOWEST, 0, 0)
        elif best == suit and higher != 0 and rival_suit != suit:
            reason_count = add_reason(reason_rows, reason_count, 0.1 + later, R_SAVES_HIGHER_FOR_DIAMONDS, suit, leads)
        elif best == rival_suit and best == DIAMONDS and suit != best and leads == 1:
            diamonds = suit_cards(DIAMONDS, ranks)
            top = highest((left | heuristics.unseen_cards(v, own_seat)) & diamonds)
            reason = R_SAVES_HIGHEST_DIAMOND if left & bit(top) != 0 else R_SAVES_BEATEN_DIAMONDS
            reason_count = add_reason(reason_rows, reason_count, 0.2 + later, reason, top, 0)
        elif best == rival_suit and (suit != best or rival > candidate):
            # If the reason holds against several cards, name the whole suit or its higher cards.
            saved = legal & suit_cards(best, ranks)
            if suit == best and rival > candidate:
                saved &= ~(bit(candidate) - 1)
            reason, value = R_SAVES_FOR_DIAMONDS, rival
            if saved & ~bit(rival) != 0:
                value = best
                reason = R_SAVES_HIGHER_FOR_DIAMONDS if suit == best else R_SAVES_SUIT_FOR_DIAMONDS
            reason_count = add_reason(reason_rows, reason_count, 0.2 + later, reason, value, leads)
    if gives and counts[playouts.COL_LOST] > 0 and difference[playouts.COL_LOST] <= 0.5:
        reason_count = add_reason(reason_rows, reason_count, 0.35, R_GIVES_LATER_LOST, 0, 0)
    return reason_count


def add_reasons_that_many_cards_share(v, own_seat, candidate, rival, later, reason_rows, reason_count):
    """Write light reasons that hold against cards of several suits: the ♦ and high cards saved, or more ♦ later."""
    ranks, legal, diamonds = fourteen.RANKS, fourteen.legal(v, own_seat), suit_cards(DIAMONDS, fourteen.RANKS)
    high = other_high_cards(legal, candidate, candidate)
    leads = 1 if v["trick_size"] == 0 else 0
    pays, is_low = v["scoring"] != fourteen.TRICKS, candidate % ranks < ranks - HIGH_RANKS
    if pays and later < LITTLE_LATER:
        return reason_count
    if pays and is_low and candidate // ranks != DIAMONDS and high & ~diamonds != 0 and legal & diamonds != 0:
        if (high | diamonds) & bit(rival) != 0:
            reason_count = add_reason(reason_rows, reason_count, LIGHT, R_SAVES_GOOD_FOR_DIAMONDS, leads, 0)
    elif is_low and count(high) > 1 and high & bit(rival) != 0:
        reason = R_SAVES_HIGH_FOR_DIAMONDS if pays else R_SAVES_HIGH
        reason_count = add_reason(reason_rows, reason_count, LIGHT, reason, leads, 0)
    if pays:
        lowest_rank = card_of_extreme_rank(legal, False, ranks) % ranks
        is_safe = avoiding_diamonds(legal) & bit(candidate) != 0
        if is_safe and candidate % ranks == lowest_rank and candidate % ranks < rival % ranks:
            reason_count = add_reason(reason_rows, reason_count, LIGHT, R_LOWEST_CARD, 0, 0)
        reason_count = add_reason(reason_rows, reason_count, LIGHT, R_MORE_LATER, 0, 0)
    return reason_count


def obvious_card(v, own_seat):
    """Return the card that the lessons suggest; see `GameAdapter.obvious_card`.

    Lead a high ♦, else the highest card. Later play the highest card that wins so far, else the lowest card other than
    a ♦.
    """
    if v["question"] != fourteen.PLAY:
        return -1
    ranks, cards, pays = fourteen.RANKS, fourteen.legal(v, own_seat), v["scoring"] != fourteen.TRICKS
    if v["trick_size"] == 0:
        held = cards & suit_cards(DIAMONDS, ranks)
        if pays and held != 0 and highest(held) % ranks >= ranks - 3:
            return highest(held)
        return card_of_extreme_rank(avoiding_diamonds(cards) if pays else cards, True, ranks)
    winning = 0
    for card in range(4 * ranks):
        if cards >> card & 1 and wins_so_far(v, card):
            winning |= bit(card)
    if winning != 0:
        return card_of_extreme_rank(winning, True, ranks)
    return card_of_extreme_rank(avoiding_diamonds(cards) if pays else cards, False, ranks)


def avoiding_diamonds(cards):
    """Return the cards without ♦, or all of them if all are ♦."""
    others = cards & ~suit_cards(DIAMONDS, fourteen.RANKS)
    return others if others != 0 else cards


def wins_so_far(v, card):
    """Return whether a card would be the highest of the current suit, which it may change (F5, F7)."""
    if card // fourteen.RANKS != v["suit"] and fourteen.making_fourteen(v) & bit(card) == 0:
        return False
    return not heuristics.is_beaten(v, card)


def other_high_cards(cards, candidate, rival):
    """Return the cards of a rank worth saving, without the candidate and its rival."""
    high = 0
    for suit in range(4):
        own = suit_cards(suit, fourteen.RANKS)
        high |= own & ~(own >> HIGH_RANKS)
    return cards & high & ~bit(candidate) & ~bit(rival)


def prize_won(prize, chance):
    """Return the mean number of ♦ won with the trick on the table, in the playouts that win it."""
    return prize / chance if chance > 0.05 else 0.0
