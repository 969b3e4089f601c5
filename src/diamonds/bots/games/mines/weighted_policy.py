"""A policy for mines by weights: sums of features times weights, tuned by self-play.

`weighted_answer` answers any question for a seat from its hand, the open information, and the size of the other hand,
so it gives the same answer on a view and on the state behind it. The weights are `TUNED_WEIGHTS`. The functions are
plain Python on rows, and `jit.register_module` makes them part of kernels.
"""

import numpy as np

from diamonds.cards import CLUBS, DIAMONDS, HEARTS, SHORT_PACK_RANKS, SPADES, bit, count, lowest
from diamonds.rules import mines

ALL_RANKS = (1 << SHORT_PACK_RANKS) - 1  # all ranks of a suit, as bits

# fmt: off
TUNED_BY_NAME = {
    "pile_left": 96.3, "pile_free": 11.4, "pile_theirs": 92.5, "pile_own": 7.5, "pile_free_left": 4,
    "pile_theirs_left": 13, "pile_theirs_clubs": -12, "pile_cut": 0.22,
    "pass_always": 39.7, "pass_to_dig": -16.9, "pass_best": -0.25, "pass_hearts": -98.5, "pass_fight": -2.1,
    "pass_spades": -4.7, "pass_diamonds": 9.4, "pass_dug_out": 54.6, "pass_their_hand": -1.93, "pass_free": 21.7,
    "pass_reach": 2.5,
    "spade_always": 29.6, "spade_to_dig": -0.56, "spade_number": 3.2, "spade_diamonds": 0.48,
    "dig_left": 14.6, "dig_threatened": 26.8, "dig_threatened_left": 3.5, "dig_last": -3.5,
    "grow_always": 62.8, "grow_best": 0.06, "grow_number": 33.7, "grow_to_dig": -37.7, "grow_rank": -1.98,
    "grow_exposed": 2.3, "grow_threatened": -4.7,
    "fight_always": 34, "fight_left": 9.4, "fight_free": 5.9, "fight_empty": -41.3, "fight_last": 82.8,
    "fight_number": 2.2, "fight_their_hand": 3.8, "fight_to_dig": 3.3, "fight_diamonds": 4.6, "fight_own": -1.49,
    "fight_only": 6.1, "fight_their_dig": -0,
    "attack_rank": 0.72,
    "defend_always": 24.2, "defend_left": 11.8, "defend_empty": -72.7, "defend_last": 111.6, "defend_club": -4.3,
    "defend_rank": -0.87, "defend_number": -2.1, "defend_diamonds": 30.8, "defend_only": -15.2, "defend_hand": 23.2,
    "defend_to_dig": 3,
    "conquer_always": -2.7, "conquer_left": 25.1, "conquer_last": 108.6, "conquer_their_hand": -8,
    "conquer_empty": -21.2, "conquer_free": 4.5, "conquer_diamonds": -4.5, "conquer_to_dig": -2.3,
    "conquer_their_dig": -0.14,
    "give_spade": -0.74, "give_heart": -1.99, "give_club": -3.7, "give_spade_to_dig": -0.01,
    "give_one_of_clubs": 0.76,
}
# fmt: on


def weight_vector(**weights: float) -> np.void:
    """Return a weight vector; weights not named are 0."""
    dtype = np.dtype([(name, np.float64) for name in TUNED_BY_NAME])
    result: np.void = np.array([tuple(weights.get(name, 0.0) for name in TUNED_BY_NAME)], dtype)[0]
    return result


TUNED_WEIGHTS = weight_vector(**TUNED_BY_NAME)
# The rules of thumb (`heuristics`) as weights, for a player who passes early, grows, and fights with every ♣.
_BASE_WEIGHTS = {
    "pile_left": 100, "pile_free": 10, "spade_always": 50, "dig_left": 1, "dig_threatened": 8, "grow_always": 50, "grow_rank": -1,
    "fight_always": 5, "fight_left": 10, "fight_empty": -60, "fight_only": -20, "fight_last": 200, "attack_rank": 1,
    "defend_always": 20, "defend_left": 10, "defend_empty": -60, "defend_last": 100, "defend_club": -5, "defend_rank": -0.1,
    "defend_diamonds": 100, "conquer_always": -5, "conquer_left": 20, "conquer_last": 100,
    "give_spade": -1, "give_heart": -2, "give_club": -3,
}  # fmt: skip
PLAIN_WEIGHTS = weight_vector(**_BASE_WEIGHTS, pass_always=-1, pass_dug_out=2, pass_hearts=-10, pass_fight=-10)
AGGRESSIVE_WEIGHTS = weight_vector(
    **_BASE_WEIGHTS
    | {"pile_theirs": 60, "pass_always": 35, "pass_to_dig": -10, "pass_hearts": -100, "fight_free": 5, "fight_only": 0}
)


def ranks_of(s, seat, suit):
    """Return the ranks of a suit in a hand, as bits."""
    return s["hand"][seat] >> suit * SHORT_PACK_RANKS & ALL_RANKS


def weighted_answer(s, seat, w):
    """Return a seat's answer to the open question, by these weights."""
    question = s["question"]
    if question == mines.TURN:
        return 0 if should_pass(s, seat, w) else 1
    if question == mines.DIG:
        spades = ranks_of(s, seat, SPADES)
        to_dig = mines.cards_to_dig(s, seat)
        if spades != 0 and to_dig >= 2:
            worth = w["spade_always"] + w["spade_to_dig"] * min(to_dig, 10) + w["spade_number"] * count(spades)
            if worth + w["spade_diamonds"] * mines.diamonds(s, seat) > 0.0:
                return mines.SKIP + 1 + lowest(spades)
        return pile_to_dig(s, seat, w)
    if question == mines.DIG_FIRST or question == mines.DIG_SECOND:
        return pile_to_dig(s, seat, w)
    if question == mines.CLAIM or question == mines.GROW_PILE:
        return best_claim(s, seat, w)[0]
    if question == mines.GROW:
        return heart_to_grow(s, seat, w)
    if question == mines.FIGHT:
        if ranks_of(s, seat, CLUBS) == 0:
            return mines.END
        pile, worth = best_fight(s, seat, w)
        return pile if worth > 0.0 else mines.END
    if question == mines.FIGHT_CARD:
        clubs = ranks_of(s, seat, CLUBS)
        return CLUBS * SHORT_PACK_RANKS + (strongest(clubs) if w["attack_rank"] >= 0.0 else weakest(clubs))
    if question == mines.DEFEND:
        return defence_answer(s, seat, w)
    if question == mines.SPOILS:
        return 0 if should_conquer(s, seat, w) else 1
    return card_to_give(s, seat, w)


def cheapest_and_dearest(v, legal):
    """Return the legal answers, but of each suit only the lowest card and, to attack with, the highest ♣."""
    question = v["question"]
    if question == mines.DIG:
        spades, piles = legal >> mines.SKIP + 1, legal & (1 << mines.SKIP + 1) - 1
        return piles | (bit(mines.SKIP + 1 + lowest(spades)) if spades != 0 else 0)
    if question != mines.GROW and question != mines.FIGHT_CARD and question != mines.DEFEND and question != mines.GIVE:
        return legal
    chosen = legal & bit(mines.NO_CARD)
    for suit in range(4):
        ranks = legal >> suit * SHORT_PACK_RANKS & ALL_RANKS
        if ranks == 0 or (suit == DIAMONDS and ranks != legal):
            continue  # M13: a player gives a ♦ only without any other card
        chosen |= bit(suit * SHORT_PACK_RANKS + weakest(ranks))
        if suit == CLUBS and question == mines.FIGHT_CARD:
            chosen |= bit(suit * SHORT_PACK_RANKS + strongest(ranks))
    return chosen


def weakest(ranks):
    """Return the lowest of these ranks, ace high (M8)."""
    return lowest(ranks & ~1) if ranks & ~1 != 0 else 0


def strongest(ranks):
    """Return the highest of these ranks, ace high (M8)."""
    best = 0
    if ranks & 1 == 0:
        while ranks != 0:
            best = lowest(ranks)
            ranks &= ranks - 1
    return best


def best_claim(s, seat, w):
    """M4, M7: return the pile to claim, and its value."""
    theirs, own, free = mines.owned(s, 1 - seat), mines.owned(s, seat), mines.unclaimed(s)
    clubs = min(count(ranks_of(s, seat, CLUBS)), 2)
    reach = mines.cards_left(s, mines.reachable_free(theirs, free))
    best, best_worth = -1, 0.0
    piles = mines.adjacent(own) & free
    while piles != 0:
        pile = lowest(piles)
        piles &= piles - 1
        beside, left = mines.adjacent(bit(pile)), s["left"][pile]
        worth = w["pile_left"] * left + w["pile_free"] * count(beside & free) + w["pile_own"] * count(beside & own)
        worth += w["pile_free_left"] * mines.cards_left(s, beside & free)
        if beside & theirs != 0:
            worth += w["pile_theirs"] + w["pile_theirs_left"] * left + w["pile_theirs_clubs"] * clubs
        worth += w["pile_cut"] * (reach - mines.cards_left(s, mines.reachable_free(theirs, free & ~bit(pile))))
        if best < 0 or worth > best_worth:
            best, best_worth = pile, worth
    return best, best_worth


def should_pass(s, seat, w):
    """M5: return whether to pass in order to claim next time."""
    if mines.claimable(s, seat) == 0:
        return False
    free, to_dig = mines.unclaimed(s), mines.cards_to_dig(s, seat)
    worth = w["pass_always"] + w["pass_to_dig"] * min(to_dig, 10) + w["pass_best"] * best_claim(s, seat, w)[1]
    worth += w["pass_diamonds"] * mines.diamonds(s, seat) + w["pass_their_hand"] * s["hand_size"][1 - seat]
    worth += w["pass_free"] * count(free) + w["pass_reach"] * min(
        mines.cards_left(s, mines.reachable_free(mines.owned(s, seat), free)), 12
    )
    if to_dig == 0:
        worth += w["pass_dug_out"]
    if ranks_of(s, seat, HEARTS) != 0:
        worth += w["pass_hearts"]
    if ranks_of(s, seat, SPADES) != 0:
        worth += w["pass_spades"]
    if ranks_of(s, seat, CLUBS) != 0 and mines.attackable(s, seat) != 0 and best_fight(s, seat, w)[1] > 0.0:
        worth += w["pass_fight"]
    return worth > 0.0


def pile_to_dig(s, seat, w):
    """M6: return the pile to draw from."""
    threatened = mines.attackable(s, 1 - seat)
    best, best_worth = -1, 0.0
    piles = mines.diggable(s, seat)
    while piles != 0:
        pile = lowest(piles)
        piles &= piles - 1
        left = s["left"][pile]
        worth = w["dig_left"] * left
        if left == 1:
            worth += w["dig_last"]
        if threatened & bit(pile) != 0:
            worth += w["dig_threatened"] + w["dig_threatened_left"] * left
        if best < 0 or worth > best_worth:
            best, best_worth = pile, worth
    return best


def heart_to_grow(s, seat, w):
    """M7: return the ♥ to discard, if growing is worth it."""
    hearts = ranks_of(s, seat, HEARTS)
    if hearts == 0:
        return mines.NO_CARD
    threatened = mines.attackable(s, 1 - seat)
    worth = (
        w["grow_always"] + w["grow_number"] * count(hearts) + w["grow_to_dig"] * min(mines.cards_to_dig(s, seat), 10)
    )
    worth += w["grow_best"] * best_claim(s, seat, w)[1] + w["grow_exposed"] * mines.cards_left(s, threatened)
    if threatened != 0:
        worth += w["grow_threatened"]
    rank = weakest(hearts) if w["grow_rank"] <= 0.0 else strongest(hearts)
    return HEARTS * SHORT_PACK_RANKS + rank if worth > 0.0 else mines.NO_CARD


def best_fight(s, seat, w):
    """M8: return the opponent's pile to fight for, and its value."""
    hand, theirs, own, free = s["hand"][seat], mines.owned(s, 1 - seat), mines.owned(s, seat), mines.unclaimed(s)
    clubs = count(hand >> CLUBS * SHORT_PACK_RANKS)
    base = w["fight_always"] + w["fight_number"] * clubs + w["fight_their_hand"] * s["hand_size"][1 - seat]
    base += w["fight_to_dig"] * min(mines.cards_left(s, own), 8) + w["fight_diamonds"] * mines.diamonds(s, seat)
    base += w["fight_their_dig"] * min(mines.cards_left(s, theirs), 10)
    if clubs == 1:
        base += w["fight_only"]
    if theirs & (theirs - 1) == 0:
        base += w["fight_last"]
    best, best_worth = -1, 0.0
    piles = mines.adjacent(own) & theirs
    while piles != 0:
        pile = lowest(piles)
        piles &= piles - 1
        beside, left = mines.adjacent(bit(pile)), s["left"][pile]
        worth = w["fight_left"] * left + w["fight_free"] * count(beside & free) + w["fight_own"] * count(beside & own)
        if left == 0:
            worth += w["fight_empty"]
        if best < 0 or worth > best_worth:
            best, best_worth = pile, worth
    return best, best_worth + base


def defence_answer(s, seat, w):
    """M8: return the card to defend with, if that is worth it."""
    hand, own, left = s["hand"][seat], mines.owned(s, seat), s["left"][s["attacked"]]
    answers = hand & mines.defences(s)
    clubs = count(hand >> CLUBS * SHORT_PACK_RANKS)
    base = (
        w["defend_always"]
        + w["defend_left"] * left
        + w["defend_number"] * clubs
        + w["defend_hand"] * s["hand_size"][seat]
    )
    base += w["defend_to_dig"] * min(mines.cards_left(s, own), 10)
    if left == 0:
        base += w["defend_empty"]
    if own & (own - 1) == 0:
        base += w["defend_last"]
    if hand & ~answers & ~ALL_RANKS == 0:
        base += w["defend_diamonds"]
    best, best_worth = -1, 0.0
    for suit in (HEARTS, CLUBS):
        ranks = answers >> suit * SHORT_PACK_RANKS & ALL_RANKS
        if ranks == 0:
            continue
        rank = weakest(ranks)
        worth = w["defend_rank"] * (rank if rank > 0 else SHORT_PACK_RANKS)
        if suit == CLUBS:
            worth += w["defend_club"]
            if clubs == 1:
                worth += w["defend_only"]
        if best < 0 or worth > best_worth:
            best, best_worth = suit * SHORT_PACK_RANKS + rank, worth
    return best if best >= 0 and best_worth + base > 0.0 else mines.NO_CARD


def should_conquer(s, seat, w):
    """M9: return whether to take the pile rather than a card."""
    pile, theirs = s["attacked"], mines.owned(s, 1 - seat)
    left = s["left"][pile]
    worth = w["conquer_always"] + w["conquer_left"] * left + w["conquer_their_hand"] * s["hand_size"][1 - seat]
    worth += w["conquer_free"] * count(mines.adjacent(bit(pile)) & mines.unclaimed(s)) + w[
        "conquer_diamonds"
    ] * mines.diamonds(s, seat)
    worth += w["conquer_to_dig"] * min(mines.cards_to_dig(s, seat), 10)
    worth += w["conquer_their_dig"] * min(mines.cards_left(s, theirs), 10)
    if left == 0:
        worth += w["conquer_empty"]
    if theirs & (theirs - 1) == 0:
        worth += w["conquer_last"]
    return worth > 0.0


def card_to_give(s, seat, w):
    """M9: return the card to hand over; a ♦ only if there is no other."""
    best, best_worth = weakest(s["hand"][seat]), -1e9  # a ♦, unless a card of another suit is found
    for suit in (HEARTS, SPADES, CLUBS):
        ranks = ranks_of(s, seat, suit)
        if ranks == 0:
            continue
        if suit == HEARTS:
            worth = w["give_heart"]
        elif suit == SPADES:
            worth = w["give_spade"] + w["give_spade_to_dig"] * min(mines.cards_to_dig(s, seat), 6)
        else:
            worth = w["give_club"] + (w["give_one_of_clubs"] if ranks & (ranks - 1) != 0 else 0.0)
        if worth > best_worth:
            best, best_worth = suit * SHORT_PACK_RANKS + weakest(ranks), worth
    return best
