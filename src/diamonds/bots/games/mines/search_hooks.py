"""The search of levels 2 to 5 in mines: worlds dealt by the opponent model, and playouts by tuned weights.

It is the common search (`diamonds.bots.search`) with four differences. In playouts the player's seat plays by tuned
weights (`weighted_policy`), and the opponent in a style drawn for each world, because it is unknown. The suits in the
opponent's hand follow the model of what people keep (`hand_beliefs`); ranks and the order of the piles are drawn
evenly. Of several similar answers only one is compared. Thousands of worlds are dealt before a close candidate is
dropped.
"""

from __future__ import annotations

import numpy as np

from diamonds.bots.games.adapter import SET_ASIDE, SearchParams
from diamonds.bots.games.mines import hand_beliefs, heuristics, weighted_policy
from diamonds.cards import CLUBS, DIAMONDS, SHORT_PACK_RANKS, SPADES, bit, lowest, suit_cards
from diamonds.rng import fill_deck, randbelow, random_bit
from diamonds.rules import mines

WEIGHTED_PLAN = 2  # plan: use the tuned weights
OPPONENT_STYLES = np.array(
    [weighted_policy.TUNED_WEIGHTS, weighted_policy.PLAIN_WEIGHTS, weighted_policy.AGGRESSIVE_WEIGHTS]
)  # the player uses the first
SEARCH_PARAMS = SearchParams(
    max_worlds=12000,
    initial_worlds=64,
    other_random_permille=100,
    drop_margin=0.003,
    halving_threshold=60,
    default_std_errors=2.0,
    game_specific=True,
)  # for the best level


def infer_beliefs(v, own_seat, unseen, sizes, game_specific):
    """Return the opponent's possible hands by suit, their cumulative probabilities, and their number.

    There are none unless ``game_specific``.
    """
    suit_counts, cumulative, number = (
        np.empty((hand_beliefs.MAX_SUIT_HANDS, 4), np.int64),
        np.empty(hand_beliefs.MAX_SUIT_HANDS),
        0,
    )
    if game_specific:
        number = hand_beliefs.suit_hands(
            v, 1 - own_seat, unseen, sizes[1 - own_seat], hand_beliefs.SUIT_FACTORS, suit_counts, cumulative
        )
    return suit_counts, cumulative, number


def deal_by_beliefs(unseen, own_seat, beliefs, hands, rng):
    """Deal the opponent a likely hand, and leave the rest for the piles."""
    suit_counts, cumulative, number = beliefs
    if number == 0:
        return False
    hands[:] = 0
    hands[1 - own_seat] = sample_hand(unseen, suit_counts, cumulative, number, rng)
    hands[SET_ASIDE] = unseen & ~hands[1 - own_seat]
    return True


def sample_hand(unseen, suit_counts, cumulative, number, rng):
    """Return a hand of unseen cards: suit distribution from the model, ranks at random."""
    target = cumulative[number - 1] * (randbelow(rng, 1 << 31) / (1 << 31))
    low, high = 0, number - 1
    while low < high:
        middle = (low + high) // 2
        if cumulative[middle] > target:
            high = middle
        else:
            low = middle + 1
    hand = 0
    for suit in range(4):
        for _ in range(suit_counts[low, suit]):
            hand |= bit(random_bit(unseen & suit_cards(suit, SHORT_PACK_RANKS) & ~hand, rng))
    return hand


def plans(v, own_seat, params):
    """Return the plan: tuned weights or, without the game-specific search, improved rules of thumb."""
    return bit(WEIGHTED_PLAN) if params.game_specific else bit(heuristics.IMPROVED_PLAN)


def playout_styles(plan, style_draw, luck):
    """Return the styles: tuned weights, with a random style for the other player; or rules of thumb for both."""
    return (plan, OPPONENT_STYLES[0]), (
        plan if plan == WEIGHTED_PLAN else heuristics.IMPROVED_PLAN,
        OPPONENT_STYLES[style_draw * len(OPPONENT_STYLES) // 1000],
    )


def playout_answer(s, seat, playout_style, weights):
    """Return a seat's answer in a playout: by weights, or by a plan of the rules of thumb."""
    plan, style = playout_style
    return (
        weighted_policy.weighted_answer(s, seat, style)
        if plan == WEIGHTED_PLAN
        else heuristics.heuristic_answer(s, seat, plan)
    )


def candidates(v, own_seat, legal, game_specific, out):
    """Write all answers. The game-specific search keeps only the extremes and the usual one of similar answers."""
    return fill_deck(
        out,
        cheapest_and_dearest(v, legal) | bit(weighted_policy.weighted_answer(v, own_seat, OPPONENT_STYLES[0]))
        if game_specific
        else legal,
    )


def cheapest_and_dearest(v, legal):
    """Return the legal answers, but only the cheapest and the most valuable of several similar cards."""
    question = v["question"]
    if question == mines.DIG:
        spades, piles = legal >> mines.SKIP + 1, legal & (1 << mines.SKIP + 1) - 1
        return piles | (bit(mines.SKIP + 1 + lowest(spades)) if spades != 0 else 0)
    if question != mines.GROW and question != mines.FIGHT_CARD and question != mines.DEFEND and question != mines.GIVE:
        return legal
    chosen = legal & bit(mines.NO_CARD)
    for suit in range(4):
        ranks = legal >> suit * SHORT_PACK_RANKS & weighted_policy.ALL_RANKS
        if ranks == 0 or (suit == DIAMONDS and ranks != legal):
            continue  # M13: a player gives a ♦ only with no other card
        chosen |= bit(suit * SHORT_PACK_RANKS + weighted_policy.weakest(ranks))
        if suit == CLUBS and question == mines.FIGHT_CARD:
            chosen |= bit(suit * SHORT_PACK_RANKS + weighted_policy.strongest(ranks))
    return chosen


assert SPADES == 2  # `hand_beliefs` orders suits by ♦, ♥, ♠, ♣
