"""Why an answer in crystals is good: each reason is worth telling by what it is worth in points."""

from __future__ import annotations

from diamonds.bots.knowing.crystals import playouts
from diamonds.bots.knowing.reasoning import CHANCE, OF_TRICKS, OWN, WHICH_SUIT, Because, emptied, note, percent, trick
from diamonds.cards import CLUBS, DIAMONDS, HEARTS, SPADES, bit
from diamonds.events import Value
from diamonds.fields import NUMBER
from diamonds.rules import crystals

ABOUT = Value("about", NUMBER)

BECAUSE = (
    *OF_TRICKS,
    Because("hint-wins-action", (WHICH_SUIT,)),
    Because("hint-likely-wins-action", (WHICH_SUIT,)),
    Because("hint-diamond-at-once"),  # by suit
    Because("hint-heart-at-once"),
    Because("hint-spade-at-once"),
    Because("hint-club-at-once"),
    Because("hint-takes-from-first"),
    Because("hint-no-trick-in-reach", (CHANCE,)),
    Because("hint-no-trick-given-up"),
    Because("hint-no-trick-at-risk"),
    Because("hint-suit-later", (WHICH_SUIT, ABOUT)),  # ♦ and ♥ share their sentences
    Because("hint-suit-less", (WHICH_SUIT,)),
    Because("hint-spade-later", (ABOUT,)),
    Because("hint-spade-less"),
    Because("hint-club-later", (ABOUT,)),
    Because("hint-club-less"),
    Because("hint-robbed-less"),
    Because("hint-robbed-more"),
    Because("hint-most", (WHICH_SUIT,)),
)
(
    WINS, LIKELY, AT_ONCE, _, _, _, FROM_FIRST, NO_TRICK, GIVEN_UP, AT_RISK, SUIT_LATER, SUIT_LESS, SPADE_LATER, SPADE_LESS,
    CLUB_LATER, CLUB_LESS, ROBBED_LESS, ROBBED_MORE, MOST,
) = range(OWN, len(BECAUSE))  # fmt: skip

SUIT_WORTH = (2.0, 1.0, 1.0, 1.3)  # of an action, by suit, in points
OWN_ACTIONS = (playouts.OWN_D, playouts.OWN_H, playouts.OWN_S, playouts.OWN_C)  # columns, by suit
LATER = (SUIT_LATER, SUIT_LATER, SPADE_LATER, CLUB_LATER)
LESS = (SUIT_LESS, SUIT_LESS, SPADE_LESS, CLUB_LESS)
IN_ORDER = (CLUBS, DIAMONDS, HEARTS, SPADES)


def reasons(v, me, candidate, counts, rival, more, notes):
    """See `Knowledge.reasons`."""
    hand, question, noted = v["hand"][me], v["question"], 0
    immediate, theirs = at_once(v, me, candidate), at_once(v, me, rival)
    if question == crystals.PLAY:
        suit, led = candidate // crystals.RANKS, v["led"]
        if led < 0 or suit == led:
            win, by = counts[playouts.THIS_TRICK], more[playouts.THIS_TRICK]
            noted = trick(notes, noted, win, by, WINS, LIKELY, suit if led < 0 else led)
        elif immediate >= 0:
            noted = note(notes, noted, SUIT_WORTH[immediate], AT_ONCE + immediate, 0, 0)
        noted = emptied(notes, noted, hand, bit(candidate), crystals.RANKS)
    elif question == crystals.PASS:
        noted = emptied(notes, noted, hand, candidate, crystals.RANKS)
    elif question == crystals.VICTIM and leads(v, me, candidate):
        noted = note(notes, noted, 0.5, FROM_FIRST, 0, 0)
    if v["tricks"][me] == 0:
        chance, change = counts[playouts.NO_TRICK], more[playouts.NO_TRICK]
        if change >= 0.08:
            noted = note(notes, noted, 4 * change, NO_TRICK, percent(chance), 0)
        elif change <= -0.08:
            noted = note(notes, noted, 4 * change, GIVEN_UP if chance < 0.1 else AT_RISK, 0, 0)
    for suit in IN_ORDER:  # what comes later, beside the action taken at once
        at_hand = 1 if immediate == suit else 0
        change = more[OWN_ACTIONS[suit]] - at_hand + (1 if theirs == suit else 0)
        shared = LATER[suit] == SUIT_LATER
        if change >= 0.2:
            how_many = about(counts[OWN_ACTIONS[suit]] - at_hand)
            first, second = (suit, how_many) if shared else (how_many, 0)
            noted = note(notes, noted, SUIT_WORTH[suit] * change, LATER[suit], first, second)
        elif change <= -0.35:
            noted = note(notes, noted, 0.6 * SUIT_WORTH[suit] * change, LESS[suit], suit if shared else 0, 0)
    robbed = more[playouts.ROBBED]
    if robbed <= -0.15:
        noted = note(notes, noted, -robbed, ROBBED_LESS, 0, 0)
    elif robbed >= 0.15:
        noted = note(notes, noted, -0.6 * robbed, ROBBED_MORE, 0, 0)
    for suit in range(4):
        change = more[playouts.MOST + suit]
        if change >= 0.12:
            noted = note(notes, noted, (2.0 if suit == DIAMONDS else 1.0) * change, MOST, suit, 0)
    return noted


def leads(v, me, victim):
    """Whether nobody of another team than one's own has more than a victim."""
    own, most, ahead = crystals.team(v, me), crystals.score(v, victim), 0
    for other in range(v["seats"]):
        if crystals.team(v, other) != own and crystals.score(v, other) > most:
            ahead += 1
    return ahead == 0


def at_once(v, me, candidate):
    """C12: the suit whose action a card thrown on another suit takes at once, if a crystal can move; else −1."""
    suit, own = candidate // crystals.RANKS, crystals.team(v, me)
    if v["question"] != crystals.PLAY or v["led"] < 0 or suit == v["led"]:
        return -1
    if suit == CLUBS:
        moves = thief_takes(v, own) if v["thief"] != 0 else crystals.victims(v, me) != 0
    elif suit == SPADES:
        moves = v["showroom"][own] > 0
    else:
        moves = v["supply"] > 0
    return suit if moves else -1


def thief_takes(v, own):
    """C25: whether the thief's holder has something to take."""
    holder = crystals.team(v, v["thief_at"])
    return holder != own and v["showroom"][holder] > 0


def about(number):
    """About how many: one at least."""
    return round(number) if number >= 1.5 else 1
