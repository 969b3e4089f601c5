"""The search of levels 2 to 5 in mines: worlds dealt by the opponent model, and playouts by tuned weights or a network.

It is the common search (`diamonds.bots.search`) with four differences. In playouts the player's seat plays by tuned
weights (`weighted_policy`), and the opponent in a style drawn for each world, because the true style is unknown. At
level 5 the player's seat plays four turns by a network instead (`policy_network`), as does the opponent in half of the
worlds, and the network's odds are the value. The suits in the opponent's hand follow the model of what people keep
(`hand_beliefs`); ranks and the order of the piles are drawn evenly. Of several similar answers only one is compared.
Thousands of worlds are dealt before a close candidate is dropped.
"""

from __future__ import annotations

import numpy as np

from diamonds.bots.games.adapter import SET_ASIDE, TRAINED_PLAN, SearchParams
from diamonds.bots.games.mines import hand_beliefs, heuristics, policy_network, weighted_policy
from diamonds.cards import SHORT_PACK_RANKS, SPADES, bit, lowest, suit_cards
from diamonds.rng import fill_deck, randbelow, random_bit

WEIGHTED_PLAN = 2  # plan: use the tuned weights
OPPONENT_STYLES = np.array(
    [weighted_policy.TUNED_WEIGHTS, weighted_policy.PLAIN_WEIGHTS, weighted_policy.AGGRESSIVE_WEIGHTS]
)  # the player uses the first
NETWORK_OPPONENT_PERMILLE = 500  # in this share of worlds the other plays by the network as well
WEIGHTED_SEARCH_PARAMS = SearchParams(
    initial_worlds=64,
    other_random_permille=100,
    drop_margin=0.003,
    halving_threshold=60,
    default_std_errors=2.0,
    plans=bit(WEIGHTED_PLAN),
    game_specific=True,
)  # for lower levels and hints
SEARCH_PARAMS = WEIGHTED_SEARCH_PARAMS._replace(
    max_worlds=12000, plans=bit(TRAINED_PLAN), horizon=4
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
    """Deal the opponent a likely hand and leave the rest for the piles; return false if there are no beliefs."""
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
    """Return the plan: the network or tuned weights or, without the game-specific search, improved rules of thumb."""
    if not params.game_specific:
        return bit(heuristics.IMPROVED_PLAN)
    return bit(TRAINED_PLAN) if params.plans >> TRAINED_PLAN & 1 != 0 else bit(WEIGHTED_PLAN)


def playout_styles(plan, style_draw, luck):
    """Return the styles of the player's seat and of the other: each is a plan and weights.

    If the player follows the network, the other does so too in some worlds (`NETWORK_OPPONENT_PERMILLE`). In the other
    worlds, and if the player follows weights, the other plays by random weights of `OPPONENT_STYLES`.
    """
    own = (plan, OPPONENT_STYLES[0])
    if plan == TRAINED_PLAN:
        if style_draw < NETWORK_OPPONENT_PERMILLE:
            return own, own
        style_draw = (style_draw - NETWORK_OPPONENT_PERMILLE) * 1000 // (1000 - NETWORK_OPPONENT_PERMILLE)
    return own, (
        WEIGHTED_PLAN if plan in (WEIGHTED_PLAN, TRAINED_PLAN) else heuristics.IMPROVED_PLAN,
        OPPONENT_STYLES[style_draw * len(OPPONENT_STYLES) // 1000],
    )


def playout_answer(s, seat, playout_style, memory):
    """Return a seat's answer in a playout: by the network, by weights, or by a plan of the rules of thumb."""
    if playout_style[0] == TRAINED_PLAN:
        return policy_network.network_answer(s, seat, memory)
    return heuristic_playout_answer(s, seat, playout_style, memory)


def heuristic_playout_answer(s, seat, playout_style, memory):
    """Return a seat's answer in a playout of a review: by weights, or by a plan of the rules of thumb."""
    plan, style = playout_style
    return (
        weighted_policy.weighted_answer(s, seat, style)
        if plan == WEIGHTED_PLAN
        else heuristics.heuristic_answer(s, seat, plan)
    )


def outlook(s, own_seat, plan, memory, value):
    """Return the value; after an unfinished playout by the network, return the network's estimate instead."""
    if plan != TRAINED_PLAN or s["to_act"] == 0:
        return value
    to_act = lowest(s["to_act"])
    lead = policy_network.network_lead(s, to_act, memory)
    return lead if to_act == own_seat else -lead


def candidates(v, own_seat, legal, game_specific, out):
    """Write all answers; of similar ones the game-specific search keeps only the usual one and a few others."""
    return fill_deck(
        out,
        weighted_policy.cheapest_and_dearest(v, legal)
        | bit(weighted_policy.weighted_answer(v, own_seat, OPPONENT_STYLES[0]))
        if game_specific
        else legal,
    )


assert SPADES == 2  # `hand_beliefs` orders suits by ♦, ♥, ♠, ♣
