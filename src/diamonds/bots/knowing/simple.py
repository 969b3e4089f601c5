"""Rules of thumb for every question: what a sensible player does who looks at the own hand and counts a little.

Each game has one function ``policy(s, seat)`` that returns a legal answer, by number. It reads only what the seat may
know, so it gives the same answer on a view (`diamonds.bots.bot.see`) and on the state behind it, and like the rules it is
plain Python on a row: `jit.compile_with` makes it part of compiled playouts, where it takes well under a microsecond.

Worths are hundredths of a point and chances are thousandths, all whole numbers, so that interpreted and compiled agree.
"""

from collections.abc import Callable

import numpy as np

from diamonds.cards import CLUBS, DIAMONDS, HEARTS, LONG, SHORT, SPADES, bit, count, highest, lowest, suit_cards
from diamonds.rules import crystals, fourteen, mines

ALL = 1000  # a certain chance
# Plans for crystals: weigh the chances; mean to take no trick (C20); do not care about that.
AS_IT_COMES, NO_TRICK, ANY_TRICK = 0, 1, 2
PRACTISED = 1  # in mines: with what trying variations has taught


def _none_of(cards, share):
    """The chance that someone with this share of the unseen cards holds none of so many."""
    chance = ALL
    for _ in range(cards):
        chance = chance * (ALL - share) // ALL
    return chance


# Playouts ask this more often than anything else, so the answers are kept: by cards (0–15) and share (0–1000).
NONE_OF = np.array([[_none_of(cards, share) for share in range(ALL + 1)] for cards in range(LONG + 1)], np.int64)


def none_of(cards, share):
    """The chance that someone with this share (in thousandths, 0–1000) of the unseen cards holds none of so many (0–15)."""
    return NONE_OF[cards, share]


# Crystals


def crystals_policy(s, seat):
    """An answer to any question of crystals."""
    return crystals_planned(s, seat, AS_IT_COMES)


def crystals_planned(s, seat, plan):
    """The same for who has a plan for the round."""
    question = s["question"]
    if question == crystals.PLAY:
        return crystals_card(s, seat, plan)
    if question == crystals.PASS:
        legal = crystals.passable(s, seat)
        wanted = cards_to_pass(s["hand"][seat], s["passing"]) & legal
        return lowest(wanted) if wanted != 0 else lowest(legal)
    if question == crystals.VICTIM:
        return victim(s, seat)
    return how_many_to_pass(s["hand"][seat])


def how_many_to_pass(hand):
    """C8: as many as it takes to be rid of the shortest suit other than ♦; one when that is out of reach."""
    best = 1
    for suit in range(1, 4):
        length = count(hand & suit_cards(suit, LONG))
        if best < length <= 3:
            best = length
    return best


def cards_to_pass(hand, number):
    """C9: empty the short suits first, for whoever is void takes an action with every card thrown; keep ♦ and high cards."""
    chosen = 0
    for _ in range(number):
        best, best_worth = -1, -1
        left = hand & ~chosen
        while left != 0:
            card = lowest(left)
            left &= left - 1
            suit = card // LONG
            length = count(hand & ~chosen & suit_cards(suit, LONG))
            worth = 1000 - 10 * abs(card % LONG - 6)
            if suit == DIAMONDS:
                worth -= 300
            if length <= number - count(chosen):
                worth += 400 - 60 * length
            if worth > best_worth:
                best, best_worth = card, worth
        chosen |= bit(best)
    return chosen


def victim(s, seat):
    """C18: take from whoever is ahead."""
    possible = crystals.victims(s, seat)
    best, best_score = -1, -1
    while possible != 0:
        other = lowest(possible)
        possible &= possible - 1
        if crystals.score(s, other) > best_score:
            best, best_score = other, crystals.score(s, other)
    return best


def action_worth(s, seat, suit):
    """What the action of a suit is worth to a seat, in hundredths of a point against the mean of the others (C15–C18)."""
    own = crystals.team(s, seat)
    if suit == CLUBS:
        if s["thief"]:
            holder = crystals.team(s, s["thief_at"])
            if holder == own:
                return 20  # the thief goes on, away from the own Showroom
            return 130 if s["showroom"][holder] > 0 else 0
        return 130 if crystals.victims(s, seat) != 0 else 0
    if suit == SPADES:
        return 105 if s["showroom"][own] > 0 else 0
    if s["supply"] == 0:
        return 0
    return 200 if suit == DIAMONDS else 95


def unseen_in_crystals(s, seat):
    """The cards that lie in other hands, or aside."""
    seen = s["hand"][seat]
    for other in range(s["seats"]):
        seen |= s["played"][other]
    return crystals.pack(s) & ~seen


def crystals_card(s, seat, plan):
    """C11–C13: weigh for each card the chance to win, the action for throwing it, and what it is worth kept."""
    legal = crystals.playable(s, seat)
    if legal & (legal - 1) == 0:
        return lowest(legal)
    hand, led, size = s["hand"][seat], s["led"], s["trick_size"]
    unseen = unseen_in_crystals(s, seat)
    own = crystals.team(s, seat)
    top, holder = -1, -1  # the card that is winning, and whose it is
    for k in range(size):
        card = s["trick"][k]
        if card // LONG == led and card > top:
            top, holder = card, (s["leader"] + k) % s["seats"]
    cards_left = count(hand)
    others_hold = cards_left * (s["seats"] - 1)
    share_each = ALL * cards_left // max(count(unseen), others_hold + 1, 1)
    nothing = 0
    if s["tricks"][seat] == 0 and plan != ANY_TRICK:
        nothing = ALL if plan == NO_TRICK else chance_of_no_trick(s, seat, hand, unseen)

    best, best_worth = -1, -1_000_000
    left = legal
    while left != 0:
        card = lowest(left)
        left &= left - 1
        suit = card // LONG
        higher = count(unseen & suit_cards(suit, LONG) & ~((bit(card) << 1) - 1))
        worth = -card_kept(card, higher, share_each, nothing)
        if led >= 0 and suit != led:
            worth += action_worth(s, seat, suit)
        elif card > top:
            share = share_each * followers(s, seat, suit, size)
            wins = none_of(higher, min(share, 950))
            gain = action_worth(s, seat, suit) + 45 - 4 * nothing * 100 // ALL
            worth += wins * gain // ALL
            if size == 0:
                worth -= (ALL - wins) * action_worth(s, seat, suit) // (2500 * (s["seats"] - 1))
                worth -= 30 * rivals_void(s, seat, suit)
                if count(hand & suit_cards(suit, LONG)) == 1:
                    worth += 25
        if led >= 0 and card < top and holder >= 0 and crystals.team(s, holder) == own:
            worth += action_worth(s, seat, led) // 2
        if worth > best_worth:
            best, best_worth = card, worth
    return best


def card_kept(card, higher, share, nothing):
    """What a card is worth in hand: high ones win tricks, which is unwelcome to who may end without any (C20)."""
    likely = none_of(higher, min(2 * share, 900))
    return 60 * likely // ALL - 200 * likely // ALL * nothing // ALL + card % LONG


def followers(s, seat, suit, size):
    """How many other seats are still to play in this trick and may hold the suit (C22: in `two_cards` once or twice)."""
    number = 0
    for k in range(size + 1, crystals.trick_length(s)):
        other = (s["leader"] + k) % s["seats"]
        if other != seat and s["void"][other] >> suit & 1 == 0:
            number += 1
    return min(number, s["seats"] - 1)


def rivals_void(s, seat, suit):
    """How many rivals are known to be out of a suit, and would take actions when it is led."""
    number = 0
    for other in range(s["seats"]):
        if crystals.team(s, other) != crystals.team(s, seat) and s["void"][other] >> suit & 1:
            number += 1
    return number


def chance_of_no_trick(s, seat, hand, unseen):
    """The chance to end the round without a trick (C20), card by card as if each had to be followed with once."""
    chance = ALL
    spread = ALL * count(hand) * (s["seats"] - 1) // max(count(unseen), count(hand) * (s["seats"] - 1), 1)
    left = hand
    while left != 0:
        card = lowest(left)
        left &= left - 1
        a_suit = unseen & suit_cards(card // LONG, LONG)
        higher = count(a_suit & ~((bit(card) << 1) - 1))
        chance = chance * (ALL - 600 * none_of(higher, spread * 7 // 10) // ALL) // ALL
    return chance


# Fourteen


def fourteen_policy(s, seat):
    """An answer to any question of fourteen."""
    if s["question"] == fourteen.BIDDING:
        return fourteen_bid(s, seat)
    return fourteen_card(s, seat)


def fourteen_bid(s, seat):
    """F10: a share of the ♦ according to how high the hand is, rounded down: only a bid that is kept counts."""
    hand = s["hand"][seat]
    strength, left = 0, hand
    while left != 0:
        card = lowest(left)
        left &= left - 1
        strength += max(card % SHORT - 6, 0) * (2 if card // SHORT == DIAMONDS else 1)
    # A hand of average height is worth 26 points of strength for every 13 cards.
    fair = 13 * 100 // s["seats"]
    own = fair * (50 + 50 * strength * 13 // (26 * max(count(hand), 1))) // 100
    return max(0, min(13, own * 55 // 10000))


def fourteen_card(s, seat):
    """F5–F7: weigh for each card the chance to win what lies in the trick, less what is lost with a ♦ that does not win."""
    legal = fourteen.legal(s, seat)
    if legal & (legal - 1) == 0:
        return lowest(legal)
    hand, size, seats = s["hand"][seat], s["trick_size"], s["seats"]
    seen, diamonds = hand, 0
    for other in range(seats):
        seen |= s["played"][other]
    unseen = fourteen.pack(s) & ~seen
    for k in range(size):
        if s["trick"][k] // SHORT == DIAMONDS:
            diamonds += 1
    to_come = seats - size - 1
    share = min(950, ALL * count(hand) * to_come // max(count(unseen), 1))
    expected = 100 * count(unseen & suit_cards(DIAMONDS, SHORT)) * to_come // max(count(unseen), 1) // 2
    prize = 100 if s["scoring"] == fourteen.TRICKS else 100 * diamonds + expected + 15
    makers = fourteen.making_fourteen(s) if size > 0 else 0

    best, best_worth = -1, -1_000_000
    left = legal
    while left != 0:
        card = lowest(left)
        left &= left - 1
        suit = card // SHORT
        own = 100 if suit == DIAMONDS and s["scoring"] != fourteen.TRICKS else 0
        current = suit if size == 0 or makers & bit(card) != 0 else s["suit"]
        wins = 0
        if suit == current and not beaten_in_trick(s, card):
            higher = count(unseen & suit_cards(suit, SHORT) & ~((bit(card) << 1) - 1))
            turners = count(unseen & fourteen.partners(card) & ~suit_cards(suit, SHORT))
            wins = none_of(higher, share) * none_of(turners, share // 2) // ALL
        worth = wins * (prize + own) // ALL - own * 2 // 3 - 3 * (card % SHORT)
        if size == 0 and suit == DIAMONDS:
            worth += wins * 100 // ALL
        if worth > best_worth:
            best, best_worth = card, worth
    return best


def beaten_in_trick(s, card):
    """Whether a higher card of its suit lies in the trick already (F7)."""
    beaten = False
    for k in range(s["trick_size"]):
        beaten = beaten or (s["trick"][k] // SHORT == card // SHORT and s["trick"][k] > card)
    return beaten


def fourteen_planned(s, seat, plan):
    """There are no plans in fourteen."""
    return fourteen_policy(s, seat)


# Mines


def mines_policy(s, seat):
    """An answer to any question of mines."""
    return mines_planned(s, seat, AS_IT_COMES)


def mines_planned(s, seat, plan):
    """The same for who plays plain (`AS_IT_COMES`) or `PRACTISED`.

    What practice teaches came out of trying variations against each other; 4,000 swapped pairs a variation: to fight with every ♣,
    to pass and claim while there is still something to dig, and to claim on the opponent's side first. It wins about
    three games in four against plain play.
    """
    question = s["question"]
    hand = s["hand"][seat]
    if question == mines.CLAIM or question == mines.GROW_PILE:
        return best_pile(s, seat, mines.claimable(s, seat), plan)
    if question == mines.TURN:
        return worth_going(s, seat, plan)
    if question == mines.DIG:
        return mines_dig(s, seat)
    if question == mines.DIG_FIRST or question == mines.DIG_SECOND:
        return pile_to_dig(s, seat)
    if question == mines.GROW:
        hearts = hand & suit_cards(HEARTS, SHORT)
        return lowest_ace_high(hearts, HEARTS) if hearts != 0 else mines.NO_CARD
    if question == mines.FIGHT:
        return mines_fight(s, seat, plan)
    if question == mines.FIGHT_CARD:
        return highest_ace_high(hand & suit_cards(CLUBS, SHORT), CLUBS)
    if question == mines.DEFEND:
        return mines_defence(s, seat)
    if question == mines.SPOILS:
        return spoils(s, seat)
    return card_to_give(hand)


def lowest_ace_high(cards, suit):
    """The lowest of some cards of one suit, the ace being the highest (M8)."""
    rest = cards & ~bit(suit * SHORT)
    return lowest(rest) if rest != 0 else lowest(cards)


def highest_ace_high(cards, suit):
    """The highest of some cards of one suit, the ace being the highest (M8)."""
    return suit * SHORT if cards & bit(suit * SHORT) != 0 else highest(cards)


def best_pile(s, seat, piles, plan):
    """The fullest pile, and of those the one that opens most unclaimed ones; practised, rather one that the opponent touches."""
    free, theirs = mines.unclaimed(s), mines.owned(s, 1 - seat)
    best, best_worth = -1, -1
    while piles != 0:
        pile = lowest(piles)
        piles &= piles - 1
        beside = mines.beside(bit(pile))
        worth = 100 * s["left"][pile] + 10 * count(beside & free)
        if plan == PRACTISED and beside & theirs != 0:
            worth += 60
        if worth > best_worth:
            best, best_worth = pile, worth
    return best


def worth_going(s, seat, plan):
    """M5: go on while there is something to dig, to grow or to fight for; else pass, and claim next time.

    Practised, pass already with three cards or fewer left to dig.
    """
    hand = s["hand"][seat]
    claimable, hearts = mines.claimable(s, seat), hand & suit_cards(HEARTS, SHORT)
    if plan == PRACTISED and claimable != 0 and hearts == 0 and mines.cards_to_dig(s, seat) <= 3:
        return 0
    if mines.diggable(s, seat) != 0 or claimable == 0 or hearts != 0:
        return 1
    return 1 if mines_fight_pile(s, seat, plan) >= 0 and hand & suit_cards(CLUBS, SHORT) != 0 else 0


def pile_to_dig(s, seat):
    """M6: first the piles that the opponent could fight for, the fullest of them."""
    threatened = mines.attackable(s, 1 - seat)
    piles = mines.diggable(s, seat)
    best, best_worth = -1, -1
    while piles != 0:
        pile = lowest(piles)
        piles &= piles - 1
        worth = s["left"][pile] + (8 if threatened & bit(pile) != 0 else 0)
        if worth > best_worth:
            best, best_worth = pile, worth
    return best


def mines_dig(s, seat):
    """M6: always dig, and two cards for a ♠ where possible: seven ♦ are a race."""
    spades = s["hand"][seat] >> SPADES * SHORT & (1 << SHORT) - 1
    if spades != 0 and mines.cards_to_dig(s, seat) >= 2:
        return mines.SKIP + 1 + lowest(spades)
    return pile_to_dig(s, seat) if mines.diggable(s, seat) != 0 else mines.SKIP


def mines_fight_pile(s, seat, plan):
    """The opponent's fullest pile that touches an own one, or any if it is the opponent's last; −1 if none is worth a ♣.

    Practised, of equally full ones that which opens most unclaimed piles.
    """
    free = mines.unclaimed(s)
    best, best_worth = -1, 0
    piles = mines.attackable(s, seat)
    last = count(mines.owned(s, 1 - seat)) == 1
    while piles != 0:
        pile = lowest(piles)
        piles &= piles - 1
        if s["left"][pile] == 0 and not (last and best < 0):
            continue
        worth = 10 * s["left"][pile] + (5 * count(mines.beside(bit(pile)) & free) if plan == PRACTISED else 0)
        if worth > best_worth or best < 0:
            best, best_worth = pile, worth
    return best


def mines_fight(s, seat, plan):
    """M8: fight for the fullest pile; plainly, keep one ♣ back: who holds one always has something to hope for (M11)."""
    clubs = count(s["hand"][seat] & suit_cards(CLUBS, SHORT))
    pile = mines_fight_pile(s, seat, plan)
    if pile < 0 or clubs == 0:
        return mines.END
    last = count(mines.owned(s, 1 - seat)) == 1
    if plan != PRACTISED and clubs == 1 and not last and s["hand_size"][1 - seat] > 0 and s["left"][pile] < 2:
        return mines.END
    return pile


def mines_defence(s, seat):
    """M8: defend with the cheapest card that holds, a ♥ before a ♣, unless the pile is empty and another is left."""
    answers = s["hand"][seat] & mines.defences(s)
    if answers == 0:
        return mines.NO_CARD
    if (
        s["left"][s["attacked"]] == 0
        and count(mines.owned(s, seat)) > 1
        and s["hand"][seat] & suit_cards(DIAMONDS, SHORT) != s["hand"][seat]
    ):
        return mines.NO_CARD
    hearts = answers & suit_cards(HEARTS, SHORT)
    if hearts != 0:
        return lowest_ace_high(hearts, HEARTS)
    return lowest_ace_high(answers, CLUBS)


def spoils(s, seat):
    """M9: conquer a pile that holds cards or is the opponent's last; else raid."""
    if s["left"][s["attacked"]] > 0 or count(mines.owned(s, 1 - seat)) == 1:
        return 0
    return 1


def card_to_give(hand):
    """M9: the least useful card, never a ♦ while there is another."""
    for suit in (SPADES, HEARTS, CLUBS):
        cards = hand & suit_cards(suit, SHORT)
        if cards != 0:
            return lowest(cards)
    return lowest(hand)


POLICIES: dict[str, Callable[[np.void, int], int]] = {
    crystals.NAME: crystals_policy,
    fourteen.NAME: fourteen_policy,
    mines.NAME: mines_policy,
}

# The same for who has a plan: ``policy(s, seat, plan)``.
PLANNED: dict[str, Callable[[np.void, int, int], int]] = {
    crystals.NAME: crystals_planned,
    fourteen.NAME: fourteen_planned,
    mines.NAME: mines_planned,
}
