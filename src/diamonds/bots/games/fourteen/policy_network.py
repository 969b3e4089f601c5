"""The policy network for the cards of fourteen: 64 hidden units, one byte a weight, whole numbers only.

The lab plays by it, alone and in the playouts of a search (`diamonds.lab.network_search`); no level uses it yet. Like the rules of thumb (`heuristics`) it looks at the player's hand and at
what everyone has seen, and is plain Python on a row that `jit` compiles. One network serves all options and three to six
players: seats between the left and the right neighbour count together.

The input is a list of bits, about 45 of which are set. Each bit adds its row of weights to the hidden units. A
legal card's sum is its own row of weights times the positive hidden units, plus an entry of a small table, the
*shortcut*. The entry depends on the card, the place in the trick, and whether the card wins, makes fourteen or cannot
be beaten. The legal card with the highest sum is played, the lowest card of equals.

The weights are in ``policy_network.npy``; ``policy_network.md`` beside it says how they were made, and
`diamonds.lab.train_network` trains them. Eight weights are packed in each integer, each as a byte with 128 added. Sums of
up to 128 bytes fit sixteen bits, so four hidden units are added at a time; that is what makes it fast without vector
instructions, in a browser.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from diamonds.bots.games.fourteen import heuristics
from diamonds.cards import DIAMONDS, SHORT_PACK_RANKS, bit, highest, lowest, suit_cards
from diamonds.rules import fourteen

WEIGHTS_FILE = Path(__file__).with_name("policy_network.npy")

HIDDEN = 64  # hidden units
PACKED = HIDDEN // 8  # integers of eight bytes in a row
WORDS = 13  # words of input bits
CONTEXTS = 4 * 4  # of the shortcut: place in the trick × ♦ in it
KINDS = 8  # of a card: wins the trick so far, makes fourteen, cannot be beaten in its suit

# The first row of each part of the weights.
CARD_ROW = 64 * WORDS
SHORTCUT_ROW = CARD_ROW + 4 * SHORT_PACK_RANKS
ROW_COUNT = SHORTCUT_ROW + CONTEXTS * KINDS

# Real weights are bytes divided by these; a shortcut byte counts as much as `SHORTCUT_FACTOR` of a hidden sum.
INPUT_SCALE, CARD_SCALE, SHORTCUT_SCALE = 32, 64, 16
SHORTCUT_FACTOR = INPUT_SCALE * CARD_SCALE // SHORTCUT_SCALE

EVEN_BYTES = 0x00FF00FF00FF00FF

# The first bits of the groups in words 8 and 9.
(PLACE_BIT, PRIZE_BIT, SEATS_BIT, BEST_LAG_BIT, SUIT_BIT, LAST_RANK_BIT, BEST_RANK_BIT, TO_COME_BIT) = (
    0, 6, 11, 15, 20, 24, 37, 50,
)  # fmt: skip
(VOID_BIT, OPTION_BIT, BID_BIT, RIVAL_BID_BIT, OWN_GOAL_BIT, RIVAL_GOAL_BIT, LEAD_BIT, FIRST_BIT, ALWAYS_BIT) = (
    0, 12, 15, 21, 24, 27, 30, 32, 62,
)  # fmt: skip
BIAS_ROW = 64 * 9 + ALWAYS_BIT


def network_answer(s, seat, weights):
    """Return an answer to any question: cards by the network, bids by rules of thumb."""
    if s["question"] != fourteen.PLAY:
        return heuristics.heuristic_bid(s, seat)
    legal = fourteen.legal(s, seat)
    if legal & (legal - 1) == 0:
        return lowest(legal)
    return best_card(input_words(s, seat, legal), shortcut_context(s), legal, weights)


def relative_place(s, seat, other):
    """Return where another seat sits: 0 for the left neighbour, 1 for the right one, 2 between them."""
    seats = s["seats"]
    distance = other - seat if other > seat else other - seat + seats
    return 0 if distance == 1 else 1 if distance == seats - 1 else 2


def shortcut_context(s):
    """Return the row of the shortcut for the place in the trick and the ♦ in it."""
    size, diamonds = s["trick_size"], 0
    for k in range(size):
        if s["trick"][k] // SHORT_PACK_RANKS == DIAMONDS:
            diamonds += 1
    to_come = s["seats"] - size - 1
    place = 0 if size == 0 else 3 - min(to_come, 2)
    return SHORTCUT_ROW + KINDS * (4 * place + min(diamonds, 3))


def trick_bits(s):
    """Return the bits of the trick on the table, and its last three cards as sets, the latest first."""
    size, seats = s["trick_size"], s["seats"]
    bits = bit(PLACE_BIT + size) | bit(SEATS_BIT + seats - 3) | bit(TO_COME_BIT + seats - size - 1)
    last, second, third, diamonds = 0, 0, 0, 0
    if size > 0:
        best, best_lag = -1, 0
        for k in range(size):
            card = s["trick"][k]
            third, second, last = second, last, bit(card)
            if card // SHORT_PACK_RANKS == DIAMONDS:
                diamonds += 1
            if card // SHORT_PACK_RANKS == s["suit"] and card > best:
                best, best_lag = card, size - k
        bits |= bit(BEST_LAG_BIT + best_lag - 1) | bit(SUIT_BIT + s["suit"])
        bits |= bit(LAST_RANK_BIT + s["trick"][size - 1] % SHORT_PACK_RANKS)
        bits |= bit(BEST_RANK_BIT + best % SHORT_PACK_RANKS)
    return bits | bit(PRIZE_BIT + min(diamonds, 4)), last, second, third


def score_bits(s, seat):
    """Return the bits of suits that others are out of, of the options, and of bids and scores, and one that is always set."""
    seats, bits = s["seats"], bit(ALWAYS_BIT)
    own_score, best_score, leader = s["totals"][seat], -1, 0
    if s["scoring"] != fourteen.BID:
        own_score += fourteen.hand_points(s, seat)
    for other in range(seats):
        if other == seat:
            continue
        where = relative_place(s, seat, other)
        bits |= s["void"][other] << (VOID_BIT + 4 * where)
        score = s["totals"][other]
        if s["scoring"] == fourteen.BID:
            if s["taken"][other] < s["bid"][other]:
                bits |= bit(RIVAL_BID_BIT + where)
        else:
            score += fourteen.hand_points(s, other)
        if score > best_score:
            best_score, leader = score, where
    if s["scoring"] == fourteen.TRICKS:
        bits |= bit(OPTION_BIT)
    elif s["scoring"] == fourteen.BID:
        bits |= bit(OPTION_BIT + 1) | bit(BID_BIT + max(0, min(5, s["bid"][seat] - s["taken"][seat])))
    if s["match"] == fourteen.LAST_TWO:
        bits |= bit(OPTION_BIT + 2)
    own_goal, rival_goal, lead = s["target"] - own_score, s["target"] - best_score, own_score - best_score
    if rival_goal <= 9:
        bits |= bit(FIRST_BIT + leader)
    return (
        bits
        | goal_bits(own_goal) << OWN_GOAL_BIT
        | goal_bits(rival_goal) << RIVAL_GOAL_BIT
        | (1 if lead >= 4 else 2 if lead <= -4 else 0) << LEAD_BIT
    )


def goal_bits(missing):
    """Return three bits for the points that someone needs to end the game."""
    return 7 if missing <= 2 else 6 if missing <= 5 else 4 if missing <= 9 else 0


def input_words(s, seat, legal):
    """Return the input, `WORDS` words of up to 64 bits: only what the seat may know."""
    hand, own_played = s["hand"][seat], s["played"][seat]
    left, right, between = 0, 0, 0
    for other in range(s["seats"]):
        if other != seat:
            where = relative_place(s, seat, other)
            if where == 0:
                left = s["played"][other]
            elif where == 1:
                right = s["played"][other]
            else:
                between |= s["played"][other]
    in_trick, last, second, third = trick_bits(s)
    unseen = fourteen.pack(s) & ~(hand | own_played | left | right | between)
    makers, winners, unbeatable = 0, legal, 0
    if s["trick_size"] > 0:
        makers, winners, rest = legal & fourteen.making_fourteen(s), 0, legal
        while rest != 0:
            card = lowest(rest)
            rest &= rest - 1
            is_current = makers & bit(card) != 0 or card // SHORT_PACK_RANKS == s["suit"]
            if is_current and not heuristics.is_beaten(s, card):
                winners |= bit(card)
    for suit in range(4):
        here = suit_cards(suit, SHORT_PACK_RANKS)
        higher = unseen & here
        unbeatable |= legal & here & (-1 if higher == 0 else ~((bit(highest(higher)) << 1) - 1))
    return (
        hand, own_played, left, right, between, last, second, third, in_trick, score_bits(s, seat), makers, winners, unbeatable,
    )  # fmt: skip


def card_kind(words, card):
    """Return the kind of a card, for the shortcut."""
    return (words[WORDS - 2] >> card & 1) + 2 * (words[WORDS - 3] >> card & 1) + 4 * (words[WORDS - 1] >> card & 1)


def hidden_units(words, weights):
    """Return the hidden units, in the order in which `card_sum` needs them: byte by byte of the packed rows.

    The loop over a row is written out, so that compiled code keeps the sums of its even and odd bytes in registers. Behind
    the units are the packed sums: with a single array, modules in browsers free its memory immediately.
    """
    units, rows = np.empty(HIDDEN + 2 * PACKED, np.int64), 0
    even0 = even1 = even2 = even3 = even4 = even5 = even6 = even7 = 0
    odd0 = odd1 = odd2 = odd3 = odd4 = odd5 = odd6 = odd7 = 0
    for k in range(WORDS):
        left = words[k]
        while left != 0:
            row = 64 * k + lowest(left)
            left &= left - 1
            rows += 1
            packed = weights[row, 0]
            even0 += packed & EVEN_BYTES
            odd0 += packed >> 8 & EVEN_BYTES
            packed = weights[row, 1]
            even1 += packed & EVEN_BYTES
            odd1 += packed >> 8 & EVEN_BYTES
            packed = weights[row, 2]
            even2 += packed & EVEN_BYTES
            odd2 += packed >> 8 & EVEN_BYTES
            packed = weights[row, 3]
            even3 += packed & EVEN_BYTES
            odd3 += packed >> 8 & EVEN_BYTES
            packed = weights[row, 4]
            even4 += packed & EVEN_BYTES
            odd4 += packed >> 8 & EVEN_BYTES
            packed = weights[row, 5]
            even5 += packed & EVEN_BYTES
            odd5 += packed >> 8 & EVEN_BYTES
            packed = weights[row, 6]
            even6 += packed & EVEN_BYTES
            odd6 += packed >> 8 & EVEN_BYTES
            packed = weights[row, 7]
            even7 += packed & EVEN_BYTES
            odd7 += packed >> 8 & EVEN_BYTES
    units[HIDDEN + 0], units[HIDDEN + PACKED + 0] = even0, odd0
    units[HIDDEN + 1], units[HIDDEN + PACKED + 1] = even1, odd1
    units[HIDDEN + 2], units[HIDDEN + PACKED + 2] = even2, odd2
    units[HIDDEN + 3], units[HIDDEN + PACKED + 3] = even3, odd3
    units[HIDDEN + 4], units[HIDDEN + PACKED + 4] = even4, odd4
    units[HIDDEN + 5], units[HIDDEN + PACKED + 5] = even5, odd5
    units[HIDDEN + 6], units[HIDDEN + PACKED + 6] = even6, odd6
    units[HIDDEN + 7], units[HIDDEN + PACKED + 7] = even7, odd7
    added = 128 * rows
    for k in range(8):
        first = HIDDEN + PACKED * (k & 1)
        for j in range(PACKED):
            units[k * PACKED + j] = max((units[first + j] >> 16 * (k >> 1) & 0xFFFF) - added, 0)
    return units


def card_sum(words, context, card, hidden, weights):
    """Return a card's sum. Only differences between cards count, so the 128 in each byte may stay."""
    row, total = CARD_ROW + card, 0
    for k in range(8):
        for j in range(PACKED):
            total += hidden[k * PACKED + j] * (weights[row, j] >> 8 * k & 0xFF)
    shortcut = weights[context + card_kind(words, card), card >> 3] >> 8 * (card & 7) & 0xFF
    return total + SHORTCUT_FACTOR * shortcut


def best_card(words, context, legal, weights):
    """Return the legal card with the highest sum."""
    hidden = hidden_units(words, weights)
    best, best_sum, left = -1, -1, legal
    while left != 0:
        card = lowest(left)
        left &= left - 1
        total = card_sum(words, context, card, hidden, weights)
        if total > best_sum:
            best, best_sum = card, total
    return best


def packed_weights(weight_bytes):
    """Return `ROW_COUNT` rows of bytes as rows of integers, as the functions above need them."""
    return np.ascontiguousarray(weight_bytes).view("<i8").astype(np.int64)


@lru_cache(maxsize=1)
def load_weights() -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the packed weights."""
    return packed_weights(np.load(WEIGHTS_FILE))  # type: ignore[no-any-return]
