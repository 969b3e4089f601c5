"""The policy network for the cards of fourteen: 64 hidden units, one byte a weight, whole numbers only.

Level 5 uses it for playouts, and to rank cards before them (`playouts`); in the lab it also plays alone. Like the rules
of thumb (`heuristics`) it looks at the player's hand and at what everyone has seen, and is plain Python on a row that
`jit` compiles. One network serves all options and three to six players; it treats all seats between the left and the
right neighbour as one.

The input is a list of bits, about 45 of which are set. Each bit adds its row of weights to the hidden units. A legal
card's sum is its own row of weights times the positive hidden units, plus an entry of a small table, the *shortcut*.
The entry depends on the card, the place in the trick, and whether the card wins, makes fourteen or cannot be beaten.
The legal card with the highest sum is played, and the lowest card in a tie.

The weights are in ``policy_network.npy``; ``policy_network.md`` beside it says how they were made, and
`diamonds.lab.train_network` trains them. Eight weights are packed in each integer, each as a byte with 128 added. Sums
of up to 128 bytes fit sixteen bits, so four hidden units are added at a time; that is what makes it fast without vector
instructions, in a browser.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from diamonds.bots.games.fourteen import heuristics
from diamonds.cards import DIAMONDS, SHORT_PACK_RANKS, bit, count, highest, lowest, suit_cards
from diamonds.fields import MAX_SEATS
from diamonds.rules import fourteen

WEIGHTS_FILE = Path(__file__).with_name("policy_network.npy")

HIDDEN = 64  # hidden units
PACKED = HIDDEN // 8  # integers of eight bytes in a row
WORDS = 14  # 64-bit words of input
KEPT_WORDS = 6  # the first words, which change little between answers: cards in hand and played, and scores
CONTEXTS = 4 * 4  # contexts of the shortcut: place in the trick × ♦ in it
KINDS = 8  # kinds of cards: winning so far, making fourteen, unbeatable in its suit

# The first row of each part of the weights.
CARD_ROW = 64 * WORDS
SHORTCUT_ROW = CARD_ROW + 4 * SHORT_PACK_RANKS
ROW_COUNT = SHORTCUT_ROW + CONTEXTS * KINDS

# Real weights are bytes divided by these; a shortcut byte counts as much as `SHORTCUT_FACTOR` of a hidden sum.
INPUT_SCALE, CARD_SCALE, SHORTCUT_SCALE = 32, 64, 16
SHORTCUT_FACTOR = INPUT_SCALE * CARD_SCALE // SHORTCUT_SCALE
SUM_SCALE = INPUT_SCALE * CARD_SCALE  # a card whose sum is higher by this much is e times as likely

EVEN_BYTES = 0x00FF00FF00FF00FF

# The first bits of the groups in the words of the trick and of the scores.
PRIZES = 5  # counts of ♦ in a trick; the last one is for 4 or more
PRIZE_BIT, PLACE_BIT, BEST_LAG_BIT = 0, 30, 36
(VOID_BIT, OPTION_BIT, BID_BIT, RIVAL_BID_BIT, OWN_GOAL_BIT, RIVAL_GOAL_BIT, LEAD_BIT, FIRST_BIT, ALWAYS_BIT) = (
    0, 12, 15, 21, 24, 27, 30, 32, 62,
)  # fmt: skip
BIAS_ROW = 64 * (KEPT_WORDS - 1) + ALWAYS_BIT

NEAR = 12  # if both kept sums differ by more input bits than this, those of an early answer are replaced

# Kept sums follow the weights: for each seat those of its last answer, then for each seat those of an early answer
# (`kept_sums`). Each has two rows of sums, of even and odd bytes of weights, and then the first input words to which
# they belong.
KEPT_ROW = ROW_COUNT
KEPT_ROWS = 3

# Random numbers (Gumbel) added to the sums, so that each card has the highest sum with the network's probability.
LUCK_SIZE = 256
LUCK = np.array([round(-SUM_SCALE * float(np.log(-np.log((k + 0.5) / LUCK_SIZE)))) for k in range(LUCK_SIZE)])


def network_answer(s, seat, luck, memory):
    """Return an answer to any question: cards by the network, bids by rules of thumb.

    If ``luck`` is −1, it is the best card. Any other whole number below 2³² selects a random card with the network's
    probabilities, always the same one for this number, seat and number of cards in hand.
    """
    if s["question"] != fourteen.PLAY:
        return heuristics.heuristic_bid(s, seat)
    legal = fourteen.legal(s, seat)
    if legal & (legal - 1) == 0:
        return lowest(legal)
    words = input_words(s, seat, legal)
    units = hidden_units(words, seat, memory)
    if luck >= 0:
        luck ^= 64 * seat + count(words[0])
    return best_card(words, shortcut_context(s), legal, units, luck, memory)


def new_memory(weights):
    """Return the weights with space for sums that are kept between answers (`kept_sums`)."""
    memory = np.empty((KEPT_ROW + 2 * KEPT_ROWS * MAX_SEATS, PACKED), np.int64)
    for row in range(len(memory)):
        for j in range(PACKED):
            memory[row, j] = weights[row, j] if row < KEPT_ROW else 0
    return memory


def relative_place(s, seat, other):
    """Return another seat's relative place: 0 for the left neighbour, 1 for the right one, 2 between them."""
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
    """Return the bits of the trick on the table, its last three cards (latest first), and its best card as a set."""
    size, seats = s["trick_size"], s["seats"]
    last, second, third, best, best_lag, diamonds = 0, 0, 0, -1, 0, 0
    for k in range(size):
        card = s["trick"][k]
        third, second, last = second, last, bit(card)
        if card // SHORT_PACK_RANKS == DIAMONDS:
            diamonds += 1
        if card // SHORT_PACK_RANKS == s["suit"] and card > best:
            best, best_lag = card, size - k
    bits = bit(PLACE_BIT + size) | bit(PRIZE_BIT + PRIZES * (seats - size - 1) + min(diamonds, PRIZES - 1))
    if size == 0:
        return bits, 0, 0, 0, 0
    return bits | bit(BEST_LAG_BIT + best_lag - 1), last, second, third, bit(best)


def score_bits(s, seat):
    """Return the bits for void suits, options, bids and scores, and one that is always set."""
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
    """Return the input, `WORDS` words of up to 64 bits. It contains only what the seat may know."""
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
    in_trick, last, second, third, best = trick_bits(s)
    unseen = fourteen.pack(s) & ~(hand | own_played | left | right | between)
    makers, winners, unbeatable = 0, 0, 0
    if s["trick_size"] > 0:
        makers, rest = legal & fourteen.making_fourteen(s), legal
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
        hand, own_played, left, right, between, score_bits(s, seat), last, second, third, best, in_trick, makers, winners, unbeatable,
    )  # fmt: skip


def card_kind(words, card):
    """Return the kind of a card: which of its context's shortcut rows holds its entry."""
    return (words[WORDS - 2] >> card & 1) + 2 * (words[WORDS - 3] >> card & 1) + 4 * (words[WORDS - 1] >> card & 1)


def kept_sums(words, seat, memory):
    """Bring the sums kept for a seat up to date with ``words``; return how many rows they add up.

    Two sums are kept for each seat: those of its last answer, and those of an early answer in one of the playouts,
    which all playouts of a world share. The update starts from the closer of the two, or from zero, and adds or
    subtracts the row of every changed card. Sums are whole numbers, so the starting point does not affect the result.
    """
    own, early = KEPT_ROW + KEPT_ROWS * seat, KEPT_ROW + KEPT_ROWS * (MAX_SEATS + seat)
    own_far, early_far, rows = 0, 0, 0
    for k in range(KEPT_WORDS):
        own_far += count(words[k] ^ memory[own + 2, k])
        early_far += count(words[k] ^ memory[early + 2, k])
        rows += count(words[k])
    if early_far < own_far and early_far <= rows:
        for k in range(KEPT_ROWS):
            for j in range(PACKED):
                memory[own + k, j] = memory[early + k, j]
    elif rows < own_far:
        for k in range(KEPT_ROWS):
            for j in range(PACKED):
                memory[own + k, j] = 0
    for k in range(KEPT_WORDS):
        changed = words[k] ^ memory[own + 2, k]
        while changed != 0:
            card = lowest(changed)
            changed &= changed - 1
            row = 64 * k + card
            if words[k] >> card & 1 != 0:
                for j in range(PACKED):
                    memory[own, j] += memory[row, j] & EVEN_BYTES
                    memory[own + 1, j] += memory[row, j] >> 8 & EVEN_BYTES
            else:
                for j in range(PACKED):
                    memory[own, j] -= memory[row, j] & EVEN_BYTES
                    memory[own + 1, j] -= memory[row, j] >> 8 & EVEN_BYTES
        memory[own + 2, k] = words[k]
    if early_far > NEAR and own_far > NEAR:
        for k in range(KEPT_ROWS):
            for j in range(PACKED):
                memory[early + k, j] = memory[own + k, j]
    return rows


def hidden_units(words, seat, memory):
    """Return the hidden units, in the order in which `card_sum` needs them: byte by byte of the packed rows.

    The loop over a row is unrolled, so that compiled code keeps the sums of its even and odd bytes in registers. The
    packed sums follow the units in the same array, because browser modules free a single array immediately.
    """
    rows, kept = kept_sums(words, seat, memory), KEPT_ROW + KEPT_ROWS * seat
    units = np.empty(HIDDEN + 2 * PACKED, np.int64)
    even0, odd0 = memory[kept, 0], memory[kept + 1, 0]
    even1, odd1 = memory[kept, 1], memory[kept + 1, 1]
    even2, odd2 = memory[kept, 2], memory[kept + 1, 2]
    even3, odd3 = memory[kept, 3], memory[kept + 1, 3]
    even4, odd4 = memory[kept, 4], memory[kept + 1, 4]
    even5, odd5 = memory[kept, 5], memory[kept + 1, 5]
    even6, odd6 = memory[kept, 6], memory[kept + 1, 6]
    even7, odd7 = memory[kept, 7], memory[kept + 1, 7]
    for k in range(KEPT_WORDS, WORDS):
        left = words[k]
        while left != 0:
            row = 64 * k + lowest(left)
            left &= left - 1
            rows += 1
            packed = memory[row, 0]
            even0 += packed & EVEN_BYTES
            odd0 += packed >> 8 & EVEN_BYTES
            packed = memory[row, 1]
            even1 += packed & EVEN_BYTES
            odd1 += packed >> 8 & EVEN_BYTES
            packed = memory[row, 2]
            even2 += packed & EVEN_BYTES
            odd2 += packed >> 8 & EVEN_BYTES
            packed = memory[row, 3]
            even3 += packed & EVEN_BYTES
            odd3 += packed >> 8 & EVEN_BYTES
            packed = memory[row, 4]
            even4 += packed & EVEN_BYTES
            odd4 += packed >> 8 & EVEN_BYTES
            packed = memory[row, 5]
            even5 += packed & EVEN_BYTES
            odd5 += packed >> 8 & EVEN_BYTES
            packed = memory[row, 6]
            even6 += packed & EVEN_BYTES
            odd6 += packed >> 8 & EVEN_BYTES
            packed = memory[row, 7]
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
    """Return a card's sum. Only differences between cards count, so the offset of 128 in each byte may stay."""
    row, total = CARD_ROW + card, 0
    for k in range(8):
        for j in range(PACKED):
            total += hidden[k * PACKED + j] * (weights[row, j] >> 8 * k & 0xFF)
    shortcut = weights[context + card_kind(words, card), card >> 3] >> 8 * (card & 7) & 0xFF
    return total + SHORTCUT_FACTOR * shortcut


def card_luck(luck, card):
    """Return the addition to a card's sum for this luck: a 32-bit hash (Wellons 2018) in products that fit 63 bits."""
    x = luck ^ (card + 1) * 0x01000193
    x = (x ^ x >> 16) * 0x21F0AAAD & 0xFFFFFFFF
    x = (x ^ x >> 15) * 0x35A2D97 & 0xFFFFFFFF
    return LUCK[(x ^ x >> 15) & LUCK_SIZE - 1]


def best_card(words, context, legal, units, luck, weights):
    """Return the legal card with the highest sum, which includes luck unless it is negative."""
    best, best_sum, left = -1, -(1 << 60), legal
    while left != 0:
        card = lowest(left)
        left &= left - 1
        total = card_sum(words, context, card, units, weights)
        if luck >= 0:
            total += card_luck(luck, card)
        if total > best_sum:
            best, best_sum = card, total
    return best


def write_sums(v, seat, candidates, memory, sums):
    """Write the network's score of each candidate to ``sums``."""
    words, context = input_words(v, seat, fourteen.legal(v, seat)), shortcut_context(v)
    units = hidden_units(words, seat, memory)
    for k in range(len(candidates)):
        sums[k] = card_sum(words, context, candidates[k], units, memory)


def packed_weights(weight_bytes):
    """Return `ROW_COUNT` rows of bytes as packed rows of integers."""
    return np.ascontiguousarray(weight_bytes).view("<i8").astype(np.int64)


@lru_cache(maxsize=1)
def load_weights() -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the packed weights."""
    return packed_weights(np.load(WEIGHTS_FILE))  # type: ignore[no-any-return]


def load_weights_by_table() -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the packed weights, for the only kind of table, as a single row."""
    return load_weights()[np.newaxis]
