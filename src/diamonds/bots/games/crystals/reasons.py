"""Reasons for answers in crystals, weighted by their effect in points."""

from __future__ import annotations

from diamonds.bots.games.crystals import heuristics, playouts
from diamonds.bots.games.reason_kinds import (
    CARD_VALUE,
    CHANCE_VALUE,
    FIRST_GAME_REASON,
    HIGH_RANKS,
    R_HIGHEST_LEFT,
    R_LOSES_TO,
    R_SAVES,
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
    emptied_suits,
    is_highest_left,
    likely_winner,
    percent,
)
from diamonds.cards import CLUBS, DIAMONDS, HEARTS, SPADES, bit, count, highest, lowest, suit_cards
from diamonds.events import EventField
from diamonds.fields import NUMBER
from diamonds.rules import crystals

POINTS_VALUE, LEADERS_VALUE = EventField("points", NUMBER), EventField("leaders", NUMBER)

REASON_KINDS = (
    *TRICK_REASONS,
    ReasonKind("hint-wins-action", (SUIT_VALUE,)),
    ReasonKind("hint-likely-wins-action", (SUIT_VALUE,)),
    ReasonKind("hint-diamond-at-once"),  # the first of four, one for each suit
    ReasonKind("hint-heart-at-once"),
    ReasonKind("hint-spade-at-once"),
    ReasonKind("hint-club-at-once"),
    ReasonKind("hint-void", (SUIT_VALUE,)),
    ReasonKind("hint-nearly-void", (SUIT_VALUE,)),
    ReasonKind("hint-empties", (SUIT_VALUE,)),
    ReasonKind("hint-saves-to-throw", (CARD_VALUE,)),
    ReasonKind("hint-others-lead", (SUIT_VALUE,)),
    ReasonKind("hint-not-others-act", (CARD_VALUE, SUIT_VALUE)),
    ReasonKind("hint-not-other-acts", (CARD_VALUE, SEAT_VALUE)),
    ReasonKind("hint-not-likely-loses", (CARD_VALUE, SUIT_VALUE)),
    ReasonKind("hint-not-idle", (CARD_VALUE,)),
    ReasonKind("hint-not-now", (CARD_VALUE, SUIT_VALUE)),
    ReasonKind("hint-not-before-void", (CARD_VALUE, SUIT_VALUE)),
    ReasonKind("hint-not-before-nearly-void", (CARD_VALUE, SUIT_VALUE)),
    ReasonKind("hint-not-thrown-now", (CARD_VALUE, POINTS_VALUE)),
    ReasonKind("hint-not-on-show", (CARD_VALUE,)),
    ReasonKind("hint-takes-from-leader", (LEADERS_VALUE,)),
    ReasonKind("hint-takes-from-leader-points", (LEADERS_VALUE, POINTS_VALUE)),
    ReasonKind("hint-takes-from-leader-bonus", (LEADERS_VALUE, POINTS_VALUE)),
    ReasonKind("hint-takes-from-fullest"),
    ReasonKind("hint-no-trick-in-reach", (CHANCE_VALUE,)),
    ReasonKind("hint-no-trick-sheds"),
    ReasonKind("hint-no-trick-helped"),
    ReasonKind("hint-no-trick-given-up"),
    ReasonKind("hint-no-trick-at-risk"),
    ReasonKind("hint-robbed-less"),
    ReasonKind("hint-robbed-more"),
    ReasonKind("hint-most", (SUIT_VALUE,)),
    ReasonKind("hint-most-by-saving", (CARD_VALUE, SUIT_VALUE)),
    ReasonKind("hint-keeps-higher", (SUIT_VALUE,)),
    ReasonKind("hint-empties-two"),
    ReasonKind("hint-takes-from-richer"),
    ReasonKind("hint-keeps-diamond", (CARD_VALUE,)),
    ReasonKind("hint-longest-suit"),
    ReasonKind("hint-draws-clubs"),
    ReasonKind("hint-safe-from-clubs"),
    ReasonKind("hint-keeps-most-cards"),
    ReasonKind("hint-passes-most-cards"),
    ReasonKind("hint-most-passing", (SUIT_VALUE, EventField("passed", NUMBER))),
    ReasonKind("hint-void-two"),
    ReasonKind("hint-passes-lowest", (EventField("passed", NUMBER), EventField("diamonds", NUMBER))),
    ReasonKind("hint-passes-low", (EventField("passed", NUMBER),)),
    ReasonKind("hint-keeps-diamonds"),
)
(
    R_WINS, R_LIKELY_WINS, R_AT_ONCE, _, _, _, R_VOID, R_NEARLY_VOID, R_EMPTIES, R_SAVES_TO_THROW, R_OTHERS_LEAD, R_OTHERS_ACT, R_OTHER_ACTS, R_LIKELY_LOSES,
    R_IDLE, R_NOT_NOW, R_BEFORE_VOID, R_BEFORE_NEARLY_VOID, R_NOT_THROWN_NOW, R_ON_SHOW, R_FROM_LEADER, R_FROM_LEADER_POINTS, R_FROM_LEADER_BONUS, R_FROM_FULLEST, R_NO_TRICK, R_NO_TRICK_SHEDS, R_NO_TRICK_HELPED, R_NO_TRICK_GIVEN_UP, R_NO_TRICK_AT_RISK,
    R_ROBBED_LESS, R_ROBBED_MORE, R_MOST_OF_SUIT, R_MOST_BY_SAVING, R_KEEPS_HIGHER, R_EMPTIES_TWO, R_FROM_RICHER, R_KEEPS_DIAMOND, R_LONGEST_SUIT,
    R_DRAWS_CLUBS, R_SAFE_FROM_CLUBS, R_KEEPS_MOST_CARDS, R_PASSES_MOST_CARDS, R_MOST_PASSING,
    R_VOID_TWO, R_PASSES_LOWEST, R_PASSES_LOW, R_KEEPS_DIAMONDS,
) = range(FIRST_GAME_REASON, len(REASON_KINDS))  # fmt: skip

SUIT_ACTION_POINTS = (2.0, 1.0, 1.0, 1.3)  # points for an action, by suit
IDLE_ACTION_POINTS = 0.3  # points for an action that moves no crystal
LATE_CARDS = 3  # with at most this many cards in hand, the table shows the bonuses at the end of the round
LIKELY_NO_TRICK = 0.5  # the reward for no trick (C20) is recommended from this chance on
POSSIBLE_NO_TRICK = 0.2  # from this chance on it is a reason, but not promised
LOW_RANKS = 9  # this many of the lowest ranks are called low
MIN_PASSED, MAX_PASSED = 1, 3  # C8
CLEARLY_FEWER_LOST = -0.5  # crystals; a smaller difference gets no reason unless the table shows its cause
OWN_ACTION_COLUMNS = (
    playouts.COL_OWN_DIAMONDS,
    playouts.COL_OWN_HEARTS,
    playouts.COL_OWN_SPADES,
    playouts.COL_OWN_CLUBS,
)  # by suit


def write_reasons(v, own_seat, candidate, counts, rival, difference, reason_rows):
    """Write the reasons for an answer; see `GameAdapter.write_reasons`."""
    hand, question, reason_count = v["hand"][own_seat], v["question"], 0
    if question == crystals.PLAY:
        reason_count = add_play_reasons(v, own_seat, candidate, counts, rival, difference, reason_rows)
    elif question == crystals.PASS:
        emptied, more = emptied_suits(hand, candidate, crystals.RANKS), emptied_suits(hand, rival, crystals.RANKS)
        if count(emptied) > 1:
            weight = 0.6 if count(emptied) > count(more) else 0.2
            reason_count = add_reason(reason_rows, reason_count, weight, R_VOID_TWO, 0, 0)
        else:
            for leaving, weight in ((rival, 0.5), (0, 0.2)):
                reason_count = add_void_reasons(
                    reason_rows, reason_count, hand, candidate, leaving, crystals.RANKS, weight, R_VOID
                )
        for suit in range(1, 4):  # having few ♦ gains nothing
            left = hand & ~candidate & suit_cards(suit, crystals.RANKS)
            if count(left) == 1 and candidate & ~rival & suit_cards(suit, crystals.RANKS) != 0:
                reason_count = add_reason(reason_rows, reason_count, 0.25, R_NEARLY_VOID, suit, 0)
        reason_count = add_passing_reasons(reason_rows, reason_count, hand, candidate, rival, difference)
    elif question == crystals.COUNT:
        for suit in range(1, 4):
            if count(hand & suit_cards(suit, crystals.RANKS)) == candidate:
                reason_count = add_reason(reason_rows, reason_count, 0.5, R_EMPTIES, suit, 0)
        if shortest_two(hand) <= candidate and shortest_two(hand) > rival:
            reason_count = add_reason(reason_rows, reason_count, 0.4, R_EMPTIES_TWO, 0, 0)
        if candidate == MIN_PASSED:
            reason_count = add_reason(reason_rows, reason_count, 0.2, R_KEEPS_MOST_CARDS, 0, 0)
        elif candidate == MAX_PASSED:
            reason_count = add_reason(reason_rows, reason_count, 0.2, R_PASSES_MOST_CARDS, 0, 0)
    else:
        score = likely_score(v, own_seat, candidate)
        if score > likely_score(v, own_seat, rival):
            leaders = count_leaders(v, own_seat, score)
            if leaders > 0:
                is_public = v["round"] == 1 and v["memory_aid"] != 0  # the table then shows all points
                has_bonus = score > crystals.score(v, candidate)
                reason = (R_FROM_LEADER_BONUS if has_bonus else R_FROM_LEADER_POINTS) if is_public else R_FROM_LEADER
                reason_count = add_reason(reason_rows, reason_count, 0.6, reason, leaders, score)
            else:
                reason_count = add_reason(reason_rows, reason_count, 0.4, R_FROM_RICHER, 0, 0)
        if has_fullest_showroom(v, own_seat, candidate):
            reason_count = add_reason(reason_rows, reason_count, 0.5, R_FROM_FULLEST, 0, 0)
        return reason_count  # nobody can see what else it changes
    if v["tricks"][own_seat] == 0:
        chance, change = counts[playouts.COL_NO_TRICK], difference[playouts.COL_NO_TRICK]
        if change >= 0.08 and chance >= LIKELY_NO_TRICK:
            if sheds_high_card(v, own_seat, candidate, counts, rival):
                reason_count = add_reason(reason_rows, reason_count, 4 * change, R_NO_TRICK_SHEDS, 0, 0)
            else:
                reason_count = add_reason(reason_rows, reason_count, 4 * change, R_NO_TRICK, percent(chance), 0)
        elif change >= 0.08 and chance >= POSSIBLE_NO_TRICK:
            reason_count = add_reason(reason_rows, reason_count, 4 * change, R_NO_TRICK_HELPED, 0, 0)
        elif change <= -0.08:
            reason_count = add_reason(
                reason_rows, reason_count, 4 * change, R_NO_TRICK_GIVEN_UP if chance < 0.1 else R_NO_TRICK_AT_RISK, 0, 0
            )
    is_play = question == crystals.PLAY  # elsewhere nobody can see how crystals are lost
    robbed = difference[playouts.COL_CRYSTALS_LOST] if is_play else 0.0
    if robbed <= -0.15:
        reason_count = add_protection_reason(v, own_seat, candidate, robbed, reason_rows, reason_count)
    elif robbed >= 0.15:
        reason_count = add_reason(reason_rows, reason_count, -0.6 * robbed, R_ROBBED_MORE, 0, 0)
    for suit in range(4):
        weight = (2.0 if suit == DIAMONDS else 1.0) * difference[playouts.COL_MOST_OF_SUIT + suit]
        if weight < 0.12 or (suit == DIAMONDS and weight < 0.24) or question == crystals.COUNT:
            continue
        thrown = v["led"] >= 0 and v["led"] != suit  # the winner of the trick then takes the card
        if question == crystals.PASS:
            cards = suit_cards(suit, crystals.RANKS)
            passed, kept = candidate & cards, hand & ~candidate & cards
            if count(kept) < 2 or (passed == 0 and rival & cards == 0):  # one card wins no majority that one can see
                continue
            if passed == 0 or lowest(kept) > highest(passed):  # high cards win, so low ones are passed
                reason_count = add_reason(reason_rows, reason_count, weight, R_MOST_PASSING, suit, count(passed))
        elif question != crystals.PLAY or (candidate // crystals.RANKS == suit and not thrown):
            if question == crystals.PLAY and rival // crystals.RANKS == suit and rival > candidate:
                reason_count = add_reason(reason_rows, reason_count, weight, R_MOST_BY_SAVING, rival, suit)
            else:
                reason_count = add_reason(reason_rows, reason_count, weight, R_MOST_OF_SUIT, suit, 0)
        elif rival // crystals.RANKS == suit:  # otherwise the answer does not plainly save the suit
            reason_count = add_reason(reason_rows, reason_count, weight, R_MOST_BY_SAVING, rival, suit)
    return reason_count


def sheds_high_card(v, own_seat, candidate, counts, rival):
    """Return whether a candidate gets rid of a high card without winning the trick, while the rival would keep it."""
    ranks, top = crystals.RANKS, crystals.RANKS - HIGH_RANKS
    if v["question"] == crystals.PASS:
        shed = candidate & ~rival
        for suit in range(4):
            held = shed & suit_cards(suit, ranks)
            if held != 0 and highest(held) % ranks >= top:
                return True
        return False
    if v["question"] != crystals.PLAY or v["led"] < 0 or counts[playouts.COL_THIS_TRICK] >= 0.1:
        return False
    is_highest = candidate == highest(v["hand"][own_seat] & suit_cards(candidate // ranks, ranks))
    return is_highest and candidate % ranks >= max(rival % ranks + 1, top)


def add_protection_reason(v, own_seat, candidate, robbed, reason_rows, reason_count):
    """Write how a card protects crystals from ♣: it draws out ♣, or moves a crystal into the Vault."""
    suit, shown = candidate // crystals.RANKS, v["showroom"][crystals.team(v, own_seat)]
    if suit == CLUBS and v["led"] < 0 and shown > 0:
        return add_reason(reason_rows, reason_count, -robbed, R_DRAWS_CLUBS, 0, 0)
    if immediate_action(v, own_seat, candidate) == SPADES:
        return add_reason(reason_rows, reason_count, -robbed, R_SAFE_FROM_CLUBS, 0, 0)
    if robbed <= CLEARLY_FEWER_LOST:
        return add_reason(reason_rows, reason_count, -robbed, R_ROBBED_LESS, 0, 0)
    return reason_count


def obvious_card(v, own_seat):
    """Return the card that the lessons suggest: the highest if it can win, else the lowest.

    See `GameAdapter.obvious_card`. If the player cannot follow suit, it is a card whose action moves a crystal, a ♦
    before the others. A ♣ takes from the strongest rival.
    """
    if v["question"] == crystals.VICTIM:
        return strongest_victim(v, own_seat)
    if v["question"] != crystals.PLAY:
        return -1
    ranks, cards, led = crystals.RANKS, crystals.playable(v, own_seat), v["led"]
    if led < 0:
        return card_of_extreme_rank(cards, True, ranks)
    following = cards & suit_cards(led, ranks)
    if following != 0:
        top = -1
        for k in range(v["trick_size"]):
            if v["trick"][k] // ranks == led:
                top = max(top, v["trick"][k])
        return highest(following) if highest(following) > top else lowest(following)
    best = -1
    for suit in range(4):
        held = cards & suit_cards(suit, ranks)
        if held == 0 or not can_move(v, own_seat, suit):
            continue
        if best < 0 or SUIT_ACTION_POINTS[suit] > SUIT_ACTION_POINTS[best // ranks]:
            best = lowest(held)
    return best if best >= 0 else card_of_extreme_rank(cards, False, ranks)


def strongest_victim(v, own_seat):
    """Return the rival with the most points of those with a crystal to take, or −1 if all are equal."""
    possible, best, least = crystals.victims(v, own_seat), -1, 999
    for seat in range(v["seats"]):
        if possible >> seat & 1:
            points = likely_score(v, own_seat, seat)
            least = min(least, points)
            if best < 0 or points > likely_score(v, own_seat, best):
                best = seat
    return best if best >= 0 and likely_score(v, own_seat, best) > least else -1


def add_play_reasons(v, own_seat, candidate, counts, rival, difference, reason_rows):
    """Write the reasons for a card: the trick on the table, an immediate action, and the cards that remain in hand."""
    ranks, hand, led, reason_count = crystals.RANKS, v["hand"][own_seat], v["led"], 0
    suit, rival_suit, unseen = candidate // ranks, rival // ranks, heuristics.unseen_cards(v, own_seat)
    chance, change = counts[playouts.COL_THIS_TRICK], difference[playouts.COL_THIS_TRICK]
    immediate, rival_immediate = immediate_action(v, own_seat, candidate), immediate_action(v, own_seat, rival)
    if led < 0 or suit == led:
        points = SUIT_ACTION_POINTS[suit] if can_move(v, own_seat, suit) else IDLE_ACTION_POINTS
        reason_count = add_trick_reasons(
            reason_rows, reason_count, points, chance, change, rival, R_WINS, R_LIKELY_WINS, suit
        )
        if change >= 0.08 and candidate % ranks < ranks - 1 and is_highest_left(candidate, hand | unseen, ranks):
            reason_count = add_reason(reason_rows, reason_count, points * change + 0.1, R_HIGHEST_LEFT, suit, 0)
    elif immediate >= 0 and immediate != rival_immediate:
        saved = SUIT_ACTION_POINTS[rival_immediate] if rival_immediate >= 0 else 0.0
        reason_count = add_reason(
            reason_rows, reason_count, SUIT_ACTION_POINTS[immediate] - saved, R_AT_ONCE + immediate, 0, 0
        )
    keeps_diamond = immediate >= 0 and suit != DIAMONDS and rival_immediate == DIAMONDS
    if keeps_diamond and difference[playouts.COL_OWN_DIAMONDS] >= 0.2 - 1.0:  # the ♦ action of the rival comes later
        reason_count = add_reason(reason_rows, reason_count, 0.45, R_KEEPS_DIAMOND, rival, 0)
    reason_count = add_void_reasons(reason_rows, reason_count, hand, bit(candidate), bit(rival), ranks, 0.5, R_VOID)
    left = hand & ~bit(candidate)
    if (
        count(left & suit_cards(suit, ranks)) == 1
        and suit != rival_suit
        and count(hand & suit_cards(rival_suit, ranks)) > 2
    ):
        reason_count = add_reason(reason_rows, reason_count, 0.25, R_NEARLY_VOID, suit, 0)
    reason_count = add_saving_reasons(reason_rows, reason_count, candidate, rival, hand | unseen, change, ranks)
    is_lowest = candidate == lowest(hand & suit_cards(suit, ranks))
    if is_lowest and suit == rival_suit and candidate < rival and abs(change) < 0.2:
        reason_count = add_reason(reason_rows, reason_count, 0.24, R_KEEPS_HIGHER, suit, 0)
    reason_count = add_spending_reason(reason_rows, reason_count, candidate, rival, hand, change, ranks)
    void = void_suit(left)
    if void >= 0 and suit != rival_suit:
        at_hand = (1 if immediate == rival_suit else 0) - (1 if rival_immediate == rival_suit else 0)
        later = difference[OWN_ACTION_COLUMNS[rival_suit]] - at_hand
        if later >= 0.2 and rival % ranks < ranks - HIGH_RANKS and rival_immediate < 0:
            reason_count = add_reason(
                reason_rows, reason_count, SUIT_ACTION_POINTS[rival_suit] * later, R_SAVES_TO_THROW, rival, 0
            )
    if void >= 0 and led < 0 and change <= -0.2 and chance < 0.4:
        reason_count = add_reason(reason_rows, reason_count, 0.35, R_OTHERS_LEAD, void, 0)
    is_spare = suit != rival_suit and is_longest_suit(hand, suit) and (chance < 0.4 or (led >= 0 and suit != led))
    # It says the least, and the reward for no trick (C20) would be the true reason.
    if is_spare and reason_count == 0 and abs(difference[playouts.COL_NO_TRICK]) < 0.08:
        reason_count = add_reason(reason_rows, reason_count, 0.2, R_LONGEST_SUIT, 0, 0)
    return add_reasons_not_to_play(v, own_seat, candidate, counts, rival, difference, reason_rows, reason_count)


def add_reasons_not_to_play(v, own_seat, candidate, counts, rival, difference, reason_rows, reason_count):
    """Write the arguments against the rival: its trick, and the actions that it could still bring later."""
    ranks, led, hand = crystals.RANKS, v["led"], v["hand"][own_seat]
    suit, rival_suit = candidate // ranks, rival // ranks
    chance, others_act = counts[playouts.COL_THIS_TRICK], difference[playouts.COL_OTHERS_ACT]
    rival_chance, lost = chance - difference[playouts.COL_THIS_TRICK], difference[playouts.COL_CRYSTALS_LOST]
    may_win = led < 0 or rival_suit == led
    if led < 0 and others_act <= -0.2 and suit != rival_suit:
        weight = 0.4 - 1.5 * others_act
        if v["seats"] == 2:
            reason_count = add_contrast(reason_rows, reason_count, weight, R_OTHER_ACTS, rival, 1 - own_seat)
        else:
            reason_count = add_contrast(reason_rows, reason_count, weight, R_OTHERS_ACT, rival, rival_suit)
    is_top = is_highest_left(rival, hand | heuristics.unseen_cards(v, own_seat), ranks)
    if may_win and rival_chance < 0.4 and rival % ranks >= ranks - HIGH_RANKS and not is_top:
        weight, winner = 1.2 - rival_chance, likely_winner(counts, difference, playouts.COL_WINNER, own_seat)
        reason, value = (R_LOSES_TO, winner) if winner >= 0 else (R_LIKELY_LOSES, rival_suit)
        reason_count = add_contrast(reason_rows, reason_count, weight, reason, rival, value)
    if may_win and rival_chance >= 0.5 and not can_move(v, own_seat, rival_suit):
        reason_count = add_contrast(reason_rows, reason_count, 0.6, R_IDLE, rival, 0)
    if may_win and rival_suit == HEARTS and rival_chance >= 0.5 and lost <= -0.15:
        reason_count = add_contrast(reason_rows, reason_count, 0.1 - lost, R_ON_SHOW, rival, 0)
    for acting in range(4):
        now = actions_now(v, own_seat, candidate, chance, acting) - actions_now(
            v, own_seat, rival, rival_chance, acting
        )
        gain = difference[OWN_ACTION_COLUMNS[acting]]
        later, weight = gain - now, SUIT_ACTION_POINTS[acting] * max(gain, 0.0)
        if acting == rival_suit and later >= 0.2 and (not may_win or rival_chance >= 0.4):
            reason, value = R_NOT_THROWN_NOW, 2 if rival_suit == DIAMONDS else 1  # points (C21)
            if may_win:
                reason, value = R_NOT_NOW, rival_suit
                held = count(hand & suit_cards(suit, ranks))
                if suit != rival_suit and held <= 2 and count(hand) > held:
                    reason, value = R_BEFORE_VOID if held == 1 else R_BEFORE_NEARLY_VOID, suit
            reason_count = add_contrast(reason_rows, reason_count, 0.55 + weight, reason, rival, value)
    return reason_count


def actions_now(v, own_seat, card, chance, acting):
    """Return how often a card brings a suit's action in the trick on the table, given how often it wins."""
    suit, led = card // crystals.RANKS, v["led"]
    if led >= 0 and suit != led:
        return 1.0 if immediate_action(v, own_seat, card) == acting else 0.0
    return chance if suit == acting else 0.0


def add_passing_reasons(reason_rows, reason_count, hand, candidate, rival, difference):
    """Write what the answer keeps but the rival does not: a high card, the higher cards of a suit, high cards, or ♦."""
    ranks, diamonds = crystals.RANKS, suit_cards(DIAMONDS, crystals.RANKS)
    best, top = -1, highest_rank(candidate)
    saved_rank = max(top, ranks - HIGH_RANKS - 1)
    for suit in range(4):
        cards = suit_cards(suit, ranks)
        held = rival & ~candidate & cards
        # A reader would ask why a higher card may go, or why the second highest of a suit is named.
        if held != 0 and highest(held) == highest(hand & cards) and highest(held) % ranks > saved_rank:
            best, saved_rank = highest(held), highest(held) % ranks
    if best >= 0:
        reason_count = add_reason(reason_rows, reason_count, 0.3, R_SAVES, best, 0)
    for suit in range(4):
        cards = suit_cards(suit, ranks)
        passed, kept, others = candidate & cards, hand & ~candidate & cards, rival & cards
        keeps_higher = passed != 0 and kept != 0 and lowest(kept) > highest(passed)
        if keeps_higher and others != 0 and highest(others) > highest(passed):
            reason_count = add_reason(reason_rows, reason_count, 0.25, R_KEEPS_HIGHER, suit, 0)
    if passes_lowest(hand, candidate) and not passes_lowest(hand, rival):
        reason_count = add_reason(
            reason_rows, reason_count, 0.28, R_PASSES_LOWEST, count(candidate), count(hand & diamonds)
        )
    elif top < LOW_RANKS and highest_rank(rival) >= ranks - HIGH_RANKS:
        reason_count = add_reason(reason_rows, reason_count, 0.27, R_PASSES_LOW, count(candidate), 0)
    more = difference[playouts.COL_OWN_DIAMONDS]
    if hand & diamonds != 0 and candidate & diamonds == 0 and rival & diamonds != 0 and more >= 0.15:
        reason_count = add_reason(reason_rows, reason_count, 2 * more, R_KEEPS_DIAMONDS, 0, 0)
    return reason_count


def highest_rank(cards):
    """Return the highest rank of some cards, counted from 0."""
    top = -1
    for suit in range(4):
        held = cards & suit_cards(suit, crystals.RANKS)
        if held != 0:
            top = max(top, highest(held) % crystals.RANKS)
    return top


def passes_lowest(hand, passed):
    """Return whether the cards to pass have no ♦, and no card kept, other than a ♦, is lower than one of them."""
    top = highest_rank(passed)
    if passed & suit_cards(DIAMONDS, crystals.RANKS) != 0:
        return False
    for suit in range(1, 4):
        kept = hand & ~passed & suit_cards(suit, crystals.RANKS)
        if kept != 0 and lowest(kept) % crystals.RANKS < top:
            return False
    return True


def shortest_two(hand):
    """Return the number of cards in the two shortest suits in hand, without ♦, which are better kept."""
    least = 99
    for suit in range(1, 4):
        for other in range(suit + 1, 4):
            number = count(hand & suit_cards(suit, crystals.RANKS))
            number_of_other = count(hand & suit_cards(other, crystals.RANKS))
            if number > 0 and number_of_other > 0:
                least = min(least, number + number_of_other)
    return least


def is_longest_suit(hand, suit):
    """Return whether a hand holds at least three cards of a suit and fewer of every other."""
    held = count(hand & suit_cards(suit, crystals.RANKS))
    for other in range(4):
        if other != suit and count(hand & suit_cards(other, crystals.RANKS)) >= held:
            return False
    return held >= 3


def void_suit(hand):
    """Return a suit that the hand does not have, or −1."""
    for suit in range(4):
        if hand & suit_cards(suit, crystals.RANKS) == 0:
            return suit
    return -1


def count_leaders(v, own_seat, score):
    """Return how many rivals have this score, or 0 if one has more."""
    own, leaders = crystals.team(v, own_seat), 0
    for other in range(v["seats"]):
        if crystals.team(v, other) == other and other != own:
            points = likely_score(v, own_seat, other)
            if points > score:
                return 0
            if points == score:
                leaders += 1
    return leaders


def likely_score(v, own_seat, seat):
    """Return a team's points, near the end of the round with the bonuses it would get now (C19, C20)."""
    points, own = crystals.score(v, seat), crystals.team(v, seat)
    if count(v["hand"][own_seat]) > LATE_CARDS:
        return points
    if v["stage"] < crystals.REWARDING_MOST:
        for suit in range(4):
            most = v["taken"][own][suit]
            for other in range(v["seats"]):
                if crystals.team(v, other) != own and v["taken"][crystals.team(v, other)][suit] >= most:
                    most = 0
            if most > 0 and can_move(v, own, suit):
                points += 2 if suit == DIAMONDS else 1
    for other in range(v["seats"]):
        if crystals.team(v, other) == own and v["tricks"][other] == 0:
            points += 4
    return points


def has_fullest_showroom(v, own_seat, victim):
    """Return whether the victim has more in its Showroom than any other rival team."""
    own, as_full = crystals.team(v, own_seat), 0
    for other in range(v["seats"]):
        team = crystals.team(v, other)
        if team != own and team != victim and v["showroom"][team] >= v["showroom"][victim]:
            as_full += 1
    return as_full == 0


def immediate_action(v, own_seat, candidate):
    """C12: return the suit whose action a discard takes immediately if a crystal can move, or −1."""
    suit = candidate // crystals.RANKS
    if v["question"] != crystals.PLAY or v["led"] < 0 or suit == v["led"]:
        return -1
    return suit if can_move(v, own_seat, suit) else -1


def can_move(v, own_seat, suit):
    """Return whether the player's action in a suit can move a crystal (C15–C18)."""
    own = crystals.team(v, own_seat)
    if suit == CLUBS:
        return thief_can_take(v, own) if v["thief"] != 0 else crystals.victims(v, own_seat) != 0
    if suit == SPADES:
        return v["showroom"][own] > 0
    return v["supply"] > 0


def thief_can_take(v, own):
    """C25: return whether the thief's holder is a rival with something to take."""
    holder = crystals.team(v, v["thief_at"])
    return holder != own and v["showroom"][holder] > 0
