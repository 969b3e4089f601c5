"""Rules of thumb for fourteen: the play of a sensible person who looks at their hand and counts a little.

`heuristic_answer` answers any question. It reads only what the seat may know, so it gives the same answer on a view
(`diamonds.bots.bot.bot_view`) and on the state behind it. Like the rules it is plain Python on a row:
`jit.register_module` makes it part of compiled playouts, where it takes well under a microsecond.

Values are hundredths of a point and chances are thousandths, all whole numbers, so they are equal when interpreted and
compiled.
"""

from diamonds.bots.games.void_chances import PERMILLE, no_card_permille
from diamonds.cards import DIAMONDS, SHORT_PACK_RANKS, bit, count, lowest, suit_cards
from diamonds.rules import fourteen


def heuristic_answer(s, seat, plan):
    """Return an answer to any question; there are no plans."""
    if s["question"] == fourteen.BIDDING:
        return heuristic_bid(s, seat)
    return card_to_play(s, seat)


def heuristic_bid(s, seat):
    """F10: bid a share of the ♦ by the strength of the hand, rounded down, because a missed bid scores nothing."""
    hand = s["hand"][seat]
    strength, left = 0, hand
    while left != 0:
        card = lowest(left)
        left &= left - 1
        strength += max(card % SHORT_PACK_RANKS - 6, 0) * (2 if card // SHORT_PACK_RANKS == DIAMONDS else 1)
    # An average hand has a strength of 26 for every 13 cards.
    fair = 13 * 100 // s["seats"]
    own = fair * (50 + 50 * strength * 13 // (26 * max(count(hand), 1))) // 100
    return max(0, min(13, own * 55 // 10000))


def card_to_play(s, seat):
    """F5–F7: for each card, weigh the chance to win the trick's contents against the loss of a ♦ that does not win."""
    legal = fourteen.legal(s, seat)
    if legal & (legal - 1) == 0:
        return lowest(legal)
    hand, size, seats, unseen = s["hand"][seat], s["trick_size"], s["seats"], unseen_cards(s, seat)
    to_come = seats - size - 1
    share = min(950, PERMILLE * count(hand) * to_come // max(count(unseen), 1))
    expected = 100 * count(unseen & suit_cards(DIAMONDS, SHORT_PACK_RANKS)) * to_come // max(count(unseen), 1) // 2
    prize = 100 if s["scoring"] == fourteen.TRICKS else 100 * diamonds_on_table(s) + expected + 15
    makers = fourteen.making_fourteen(s) if size > 0 else 0

    best, best_worth = -1, -1_000_000
    left = legal
    while left != 0:
        card = lowest(left)
        left &= left - 1
        suit = card // SHORT_PACK_RANKS
        own = 100 if suit == DIAMONDS and s["scoring"] != fourteen.TRICKS else 0
        current = suit if size == 0 or makers & bit(card) != 0 else s["suit"]
        wins = 0
        if suit == current and not is_beaten(s, card):
            higher = count(unseen & suit_cards(suit, SHORT_PACK_RANKS) & ~((bit(card) << 1) - 1))
            turners = count(unseen & fourteen.partners(card) & ~suit_cards(suit, SHORT_PACK_RANKS))
            wins = no_card_permille(higher, share) * no_card_permille(turners, share // 2) // PERMILLE
        worth = wins * (prize + own) // PERMILLE - own * 2 // 3 - 3 * (card % SHORT_PACK_RANKS)
        if size == 0 and suit == DIAMONDS:
            worth += wins * 100 // PERMILLE
        if worth > best_worth:
            best, best_worth = card, worth
    return best


def unseen_cards(s, seat):
    """Return the cards in other hands or set aside."""
    seen = s["hand"][seat]
    for other in range(s["seats"]):
        seen |= s["played"][other]
    return fourteen.pack(s) & ~seen


def diamonds_on_table(s):
    """Return the number of ♦ in the trick on the table."""
    diamonds = 0
    for k in range(s["trick_size"]):
        if s["trick"][k] // SHORT_PACK_RANKS == DIAMONDS:
            diamonds += 1
    return diamonds


def is_beaten(s, card):
    """Return whether the trick already has a higher card of the same suit (F7)."""
    beaten = False
    for k in range(s["trick_size"]):
        beaten = beaten or (s["trick"][k] // SHORT_PACK_RANKS == card // SHORT_PACK_RANKS and s["trick"][k] > card)
    return beaten
