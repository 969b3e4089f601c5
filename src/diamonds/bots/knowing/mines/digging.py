"""How levels 2 to 5 play mines: worlds dealt by what the other is likely to hold, and playouts by tuned weights.

The search is that of all games (`diamonds.bots.thinking`), with four differences. In the playouts one's own seat plays by tuned weights
(`weights`), and the other in one of several styles, drawn for each world: nobody knows whom they sit across
from. The other's hand is not drawn evenly from the unseen cards but by suits as people keep them
(`likely`); which cards of a suit, and how the piles lie, is even. Answers that hardly differ are compared once. And thousands
of worlds are dealt, before anything is dropped that is close.
"""

from __future__ import annotations

import numpy as np

from diamonds.bots.knowing.contract import ASIDE, Effort
from diamonds.bots.knowing.mines import likely, thumb, weights
from diamonds.cards import CLUBS, DIAMONDS, SHORT, SPADES, bit, lowest, suit_cards
from diamonds.chance import draw, lay_out, pick
from diamonds.rules import mines

WEIGHED = 2  # a plan: by tuned weights
STYLES = np.array([weights.TUNED, weights.PLAIN, weights.EAGER])  # the first is one's own
EFFORT = Effort(worlds=12000, first=64, noise=100, close=0.003, few=60, gate=2.0, own_way=True)  # of the best level


def believe(v, me, unseen, sizes, own_way):
    """The hands by suits that the other may hold, with their chances added up, and how many they are: none, if it is not asked for."""
    ways, upto, number = np.empty((likely.LONGEST, 4), np.int64), np.empty(likely.LONGEST), 0
    if own_way:
        number = likely.hands(v, 1 - me, unseen, sizes[1 - me], likely.BELIEFS, ways, upto)
    return ways, upto, number


def share(unseen, me, beliefs, hands, rng):
    """Deal the other a hand by chance, as it is likely, and leave the rest for the piles."""
    ways, upto, number = beliefs
    if number == 0:
        return False
    hands[:] = 0
    hands[1 - me] = draw_hand(unseen, ways, upto, number, rng)
    hands[ASIDE] = unseen & ~hands[1 - me]
    return True


def draw_hand(unseen, ways, upto, number, rng):
    """A hand of unseen cards: how many of each suit by chance, and then any of them."""
    at = upto[number - 1] * (draw(rng, 1 << 31) / (1 << 31))
    low, high = 0, number - 1
    while low < high:
        middle = (low + high) // 2
        if upto[middle] > at:
            high = middle
        else:
            low = middle + 1
    hand = 0
    for suit in range(4):
        for _ in range(ways[low, suit]):
            hand |= bit(pick(unseen & suit_cards(suit, SHORT) & ~hand, rng))
    return hand


def plans(v, me, effort):
    """Tuned weights, or rules of thumb, improved."""
    return bit(WEIGHED) if effort.own_way else bit(thumb.IMPROVED)


def manners(plan, luck):
    """By tuned weights, and the other in a style that chance has given; or both by rules of thumb."""
    return (plan, STYLES[0]), (plan if plan == WEIGHED else thumb.IMPROVED, STYLES[luck * len(STYLES) // 1000])


def go_on(s, seat, manner, numbers):
    """What a seat answers in a playout: by weights, or by a plan of the rules of thumb."""
    plan, style = manner
    return weights.choose(s, seat, style) if plan == WEIGHED else thumb.choose(s, seat, plan)


def candidates(v, me, legal, own_way, found):
    """All answers; in the own way, of those that hardly differ (which ♠ to discard, …) the cheapest and the dearest card, and the usual one."""
    return lay_out(found, few_of(v, legal) | bit(weights.choose(v, me, STYLES[0])) if own_way else legal)


def few_of(v, legal):
    """Of answers that hardly differ the cheapest and the dearest card."""
    question = v["question"]
    if question == mines.DIG:
        spades, piles = legal >> mines.SKIP + 1, legal & (1 << mines.SKIP + 1) - 1
        return piles | (bit(mines.SKIP + 1 + lowest(spades)) if spades != 0 else 0)
    if question != mines.GROW and question != mines.FIGHT_CARD and question != mines.DEFEND and question != mines.GIVE:
        return legal
    kept = legal & bit(mines.NO_CARD)
    for suit in range(4):
        ranks = legal >> suit * SHORT & weights.RANKS
        if ranks == 0 or (suit == DIAMONDS and ranks != legal):
            continue  # M13: a ♦ is given only by who has nothing else
        kept |= bit(suit * SHORT + weights.weakest(ranks))
        if suit == CLUBS and question == mines.FIGHT_CARD:
            kept |= bit(suit * SHORT + weights.strongest(ranks))
    return kept


assert SPADES == 2  # ways lists hands by ♦, ♥, ♠, ♣
