"""Rules of thumb for crystals: the play of a sensible person who looks at their hand and counts a little.

`heuristic_answer` answers any question. It reads only what the seat may know, so it gives the same answer on a view
(`diamonds.bots.bot.bot_view`) and on the state behind it. Like the rules it is plain Python on a row:
`jit.register_module` makes it part of compiled playouts, where it takes well under a microsecond.

Values are hundredths of a point and chances are thousandths, all whole numbers, so they are equal when interpreted and
compiled.
"""

from diamonds.bots.games.void_chances import PERMILLE, no_card_permille
from diamonds.cards import CLUBS, DIAMONDS, LONG_PACK_RANKS, SPADES, bit, count, lowest, suit_cards
from diamonds.rules import crystals

# Plans: weigh the chances (`NO_PLAN`), try to take no trick (C20), or ignore that reward.
NO_TRICK_PLAN, ANY_TRICK_PLAN = 1, 2


def heuristic_answer(s, seat, plan):
    """Return an answer to any question, following a plan for the round."""
    question = s["question"]
    if question == crystals.PLAY:
        return card_to_play(s, seat, plan)
    if question == crystals.PASS:
        legal = crystals.passable(s, seat)
        preferred = cards_to_pass(s["hand"][seat], s["passing"]) & legal
        return lowest(preferred) if preferred != 0 else lowest(legal)
    if question == crystals.VICTIM:
        return best_victim(s, seat)
    return pass_count(s["hand"][seat])


def pass_count(hand):
    """C8: return the number of cards to pass: the length of the longest non-♦ suit of up to three cards, else one."""
    best = 1
    for suit in range(1, 4):
        length = count(hand & suit_cards(suit, LONG_PACK_RANKS))
        if best < length <= 3:
            best = length
    return best


def cards_to_pass(hand, number):
    """C9: empty the short suits first, because each card thrown on another suit takes an action; keep ♦ and high cards."""
    chosen = 0
    for _ in range(number):
        best, best_worth = -1, -1
        left = hand & ~chosen
        while left != 0:
            card = lowest(left)
            left &= left - 1
            suit = card // LONG_PACK_RANKS
            length = count(hand & ~chosen & suit_cards(suit, LONG_PACK_RANKS))
            worth = 1000 - 10 * abs(card % LONG_PACK_RANKS - 6)
            if suit == DIAMONDS:
                worth -= 300
            if length <= number - count(chosen):
                worth += 400 - 60 * length
            if worth > best_worth:
                best, best_worth = card, worth
        chosen |= bit(best)
    return chosen


def best_victim(s, seat):
    """C18: return the possible victim with the highest score."""
    possible = crystals.victims(s, seat)
    best, best_score = -1, -1
    while possible != 0:
        other = lowest(possible)
        possible &= possible - 1
        if crystals.score(s, other) > best_score:
            best, best_score = other, crystals.score(s, other)
    return best


def action_value(s, seat, suit):
    """Return the value of a suit's action to a seat, in 1/100 point relative to the mean of the others (C15–C18)."""
    own = crystals.team(s, seat)
    if suit == CLUBS:
        if s["thief"]:
            holder = crystals.team(s, s["thief_at"])
            if holder == own:
                return 20  # the thief moves on, away from the seat's own Showroom
            return 130 if s["showroom"][holder] > 0 else 0
        return 130 if crystals.victims(s, seat) != 0 else 0
    if suit == SPADES:
        return 105 if s["showroom"][own] > 0 else 0
    if s["supply"] == 0:
        return 0
    return 200 if suit == DIAMONDS else 95


def unseen_cards(s, seat):
    """Return the cards in other hands or set aside."""
    seen = s["hand"][seat]
    for other in range(s["seats"]):
        seen |= s["played"][other]
    return crystals.pack(s) & ~seen


def card_to_play(s, seat, plan):
    """C11–C13: for each card, weigh the chance to win, the action for throwing it, and its value in hand."""
    legal = crystals.playable(s, seat)
    if legal & (legal - 1) == 0:
        return lowest(legal)
    hand, led, size = s["hand"][seat], s["led"], s["trick_size"]
    unseen = unseen_cards(s, seat)
    own = crystals.team(s, seat)
    top, holder = -1, -1  # the winning card and its player
    for k in range(size):
        card = s["trick"][k]
        if card // LONG_PACK_RANKS == led and card > top:
            top, holder = card, (s["leader"] + k) % s["seats"]
    cards_left = count(hand)
    others_hold = cards_left * (s["seats"] - 1)
    share_each = PERMILLE * cards_left // max(count(unseen), others_hold + 1, 1)
    no_trick_chance = 0
    if s["tricks"][seat] == 0 and plan != ANY_TRICK_PLAN:
        no_trick_chance = PERMILLE if plan == NO_TRICK_PLAN else chance_of_no_trick(s, seat, hand, unseen)

    best, best_worth = -1, -1_000_000
    left = legal
    while left != 0:
        card = lowest(left)
        left &= left - 1
        suit = card // LONG_PACK_RANKS
        higher = count(unseen & suit_cards(suit, LONG_PACK_RANKS) & ~((bit(card) << 1) - 1))
        worth = -keep_value(card, higher, share_each, no_trick_chance)
        if led >= 0 and suit != led:
            worth += action_value(s, seat, suit)
        elif card > top:
            share = share_each * follower_count(s, seat, suit, size)
            wins = no_card_permille(higher, min(share, 950))
            gain = action_value(s, seat, suit) + 45 - 4 * no_trick_chance * 100 // PERMILLE
            worth += wins * gain // PERMILLE
            if size == 0:
                worth -= (PERMILLE - wins) * action_value(s, seat, suit) // (2500 * (s["seats"] - 1))
                worth -= 30 * void_rival_count(s, seat, suit)
                if count(hand & suit_cards(suit, LONG_PACK_RANKS)) == 1:
                    worth += 25
        if led >= 0 and card < top and holder >= 0 and crystals.team(s, holder) == own:
            worth += action_value(s, seat, led) // 2
        if worth > best_worth:
            best, best_worth = card, worth
    return best


def keep_value(card, higher, share, no_trick_chance):
    """Return the value of a card in hand: high ones win tricks, which is bad for a seat that may end without any (C20)."""
    likely = no_card_permille(higher, min(2 * share, 900))
    return 60 * likely // PERMILLE - 200 * likely // PERMILLE * no_trick_chance // PERMILLE + card % LONG_PACK_RANKS


def follower_count(s, seat, suit, size):
    """Return how many seats still to play in this trick may hold the suit (with `two_cards`, seats may count twice)."""
    number = 0
    for k in range(size + 1, crystals.trick_length(s)):
        other = (s["leader"] + k) % s["seats"]
        if other != seat and s["void"][other] >> suit & 1 == 0:
            number += 1
    return min(number, s["seats"] - 1)


def void_rival_count(s, seat, suit):
    """Return how many rivals are known to be void in a suit, and so take actions when it is led."""
    number = 0
    for other in range(s["seats"]):
        if crystals.team(s, other) != crystals.team(s, seat) and s["void"][other] >> suit & 1:
            number += 1
    return number


def chance_of_no_trick(s, seat, hand, unseen):
    """Return the chance of ending the round without a trick (C20), as if each card had to follow suit once."""
    chance = PERMILLE
    spread = PERMILLE * count(hand) * (s["seats"] - 1) // max(count(unseen), count(hand) * (s["seats"] - 1), 1)
    left = hand
    while left != 0:
        card = lowest(left)
        left &= left - 1
        a_suit = unseen & suit_cards(card // LONG_PACK_RANKS, LONG_PACK_RANKS)
        higher = count(a_suit & ~((bit(card) << 1) - 1))
        chance = chance * (PERMILLE - 600 * no_card_permille(higher, spread * 7 // 10) // PERMILLE) // PERMILLE
    return chance
