"""The policy network of mines: 64 hidden units, one byte a weight, whole numbers only.

Level 5 uses it for playouts. Like the tuned weights (`weighted_policy`) it looks at the player's hand and at what
everyone has seen, and is plain Python on a row that `jit` compiles.

The input is a list of features, each with one of a few values: the owner and cards of every pile, the player's cards by
suit, the other's known cards, what either can reach, and so on (`write_features`). Every value of every feature adds
its row of weights to the hidden units. An answer's sum is its own row of weights times the positive hidden units, plus
its bonus and, for a pile, a bonus for what is beside it. The answer with the highest sum is given, and the lowest
answer in a tie. Of similar cards only some are considered (`weighted_policy.cheapest_and_dearest`). Piles are numbered
from the player's first one.

The weights are in ``policy_network.npy``; ``policy_network.md`` beside it says how they were made, and
`diamonds.lab.train_mines_network` trains them. Eight weights are packed in each integer, each as a byte with 128 added.
Sums of up to 128 bytes fit sixteen bits, so four hidden units are added at a time.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from diamonds.bots.games.mines import weighted_policy
from diamonds.cards import CLUBS, DIAMONDS, HEARTS, SHORT_PACK_RANKS, SPADES, bit, count, lowest
from diamonds.rules import mines

WEIGHTS_FILE = Path(__file__).with_name("policy_network.npy")

HIDDEN = 64  # hidden units
PACKED = HIDDEN // 8  # integers of eight bytes in a row

# The number of values of each feature, in the order of `write_features`.
# fmt: off
VALUES = np.array((
    *(11,) * mines.PILES, 8, 6, 6, 6, 8, 8, 16, 7, 4, 4, 7, 4, *(14,) * 4, 13, 13, 10, 10, 12, 12, 8, 7, 11, 7, 11, 12, 4, 14, 8, 6, 16, 16,
))
# fmt: on
FEATURES = len(VALUES)
FIRST_ROWS = np.cumsum(VALUES) - VALUES  # the row of each feature's value 0

# The first row of each part of the weights. Answers have `ANSWERS` rows for each question.
ANSWERS = mines.PILES + 2
ANSWER_ROW = int(VALUES.sum())
BONUS_ROW = ANSWER_ROW + ANSWERS * len(mines.QUESTIONS)  # eight bonuses a row: of answers, then of piles' surroundings
DIG_BONUS = ANSWERS * len(mines.QUESTIONS)
CLAIM_BONUS = DIG_BONUS + mines.DEPTH * 3
FIGHT_BONUS = CLAIM_BONUS + 7 * 4 * 4
BONUSES = FIGHT_BONUS + (mines.DEPTH + 1) * 7 * 4
ROW_COUNT = BONUS_ROW + (BONUSES + PACKED - 1) // PACKED

INPUT_SCALE, ANSWER_SCALE = 32, 64  # real weights are bytes divided by these
SUM_SCALE = INPUT_SCALE * ANSWER_SCALE  # an answer whose sum is higher by this much has e times the odds of winning

# The chance of winning minus that of losing, for sums in steps of 2 ** `LEAD_SHIFT`. It is rounded to thousandths, so that
# it is the same on every machine.
LEAD_SHIFT = 7
LEADS = (
    np.array([round(1000 * float(np.tanh((k + 0.5) * 2**LEAD_SHIFT / SUM_SCALE / 2))) for k in range(-96, 96)]) / 1000
)

EVEN_BYTES = 0x00FF00FF00FF00FF

# Sums of hidden units kept for each seat: a row for even bytes, one for odd bytes, then the rows that they add up.
KEPT_ROW = ROW_COUNT
KEPT_ROWS = 2 + (FEATURES + PACKED - 1) // PACKED


def new_memory(weights):
    """Return the weights with space for sums that are kept between answers (`hidden_units`)."""
    memory = np.empty((KEPT_ROW + 2 * KEPT_ROWS, PACKED), np.int64)
    for row in range(len(memory)):
        for j in range(PACKED):
            memory[row, j] = weights[row, j] if row < KEPT_ROW else -1
    for seat in range(2):
        for k in range(2):
            for j in range(PACKED):
                memory[KEPT_ROW + KEPT_ROWS * seat + k, j] = 0
    return memory


def network_answer(s, seat, memory):
    """Return the network's answer to any question."""
    left = weighted_policy.cheapest_and_dearest(s, mines.legal(s, seat))
    return lowest(left) if left & (left - 1) == 0 else best_answer(s, seat, left, memory)[0]


def network_lead(s, seat, memory):
    """Return the chance of winning minus that of losing after the network's answer, from −1 to 1."""
    total = best_answer(s, seat, weighted_policy.cheapest_and_dearest(s, mines.legal(s, seat)), memory)[1]
    return LEADS[min(max((total >> LEAD_SHIFT) + len(LEADS) // 2, 0), len(LEADS) - 1)]


def best_answer(s, seat, answers, memory):
    """Return the best of these answers, and its sum."""
    left, units = answers, hidden_units(s, seat, memory)
    best, best_sum = -1, 0
    while left != 0:
        answer = lowest(left)
        left &= left - 1
        total = answer_sum(s, seat, answer, units, memory)
        if best < 0 or total > best_sum:
            best, best_sum = answer, total
    return best, best_sum


def half_rank(rank):
    """Return a rank in seven steps, 1 to 7, ace high (M8)."""
    return ((rank if rank > 0 else SHORT_PACK_RANKS) + 1) // 2


def own_number(s, seat, pile):
    """Return the number of a pile as counted from the player's first one."""
    return pile if s["first"] == seat else mines.PILES - 1 - pile


def write_features(s, seat, rows):
    """Write the row of each feature's value. The features contain only what the seat may know."""
    other = 1 - seat
    own, theirs, free = mines.owned(s, seat), mines.owned(s, other), mines.unclaimed(s)
    own_left, their_left = 0, 0
    for pile in range(mines.PILES):
        left, value = s["left"][pile], 0
        if own >> pile & 1 != 0:
            value = 1 + left
            own_left += left
        elif theirs >> pile & 1 != 0:
            value = 2 + mines.DEPTH + left
            their_left += left
        rows[own_number(s, seat, pile)] = value
    hearts, clubs = weighted_policy.ranks_of(s, seat, HEARTS), weighted_policy.ranks_of(s, seat, CLUBS)
    known, own_known = s["known"][seat], s["known"][other]  # cards in the other's hand that a player knows
    seen = s["discards"] | s["hand"][seat] | known
    reach, their_reach = mines.adjacent(own), mines.adjacent(theirs)
    k = mines.PILES
    rows[k + 0] = min(mines.diamonds(s, seat), 7)
    rows[k + 1] = min(count(hearts), 5)
    rows[k + 2] = min(count(weighted_policy.ranks_of(s, seat, SPADES)), 5)
    rows[k + 3] = min(count(clubs), 5)
    rows[k + 4] = half_rank(weighted_policy.strongest(hearts)) if hearts != 0 else 0
    rows[k + 5] = half_rank(weighted_policy.weakest(clubs)) if clubs != 0 else 0
    rows[k + 6] = min(s["hand_size"][other], 15)
    rows[k + 7] = min(suit_count(known, DIAMONDS), 6)
    rows[k + 8] = min(suit_count(known, CLUBS), 3)
    rows[k + 9] = min(suit_count(known, HEARTS), 3)
    rows[k + 10] = min(suit_count(own_known, DIAMONDS), 6)
    rows[k + 11] = min(suit_count(own_known, CLUBS), 3)
    for suit in range(4):
        rows[k + 12 + suit] = SHORT_PACK_RANKS - suit_count(seen, suit)
    rows[k + 16] = min(own_left, 12)
    rows[k + 17] = min(their_left, 12)
    rows[k + 18] = min(count(own), 9)
    rows[k + 19] = min(count(theirs), 9)
    rows[k + 20] = min(count(mines.reachable_free(own, free)), 11)
    rows[k + 21] = min(count(mines.reachable_free(theirs, free)), 11)
    rows[k + 22] = min(count(reach & free), 7)
    rows[k + 23] = min(count(reach & theirs), 6)
    rows[k + 24] = min(mines.cards_left(s, reach & theirs), 10)
    rows[k + 25] = min(count(their_reach & own), 6)
    rows[k + 26] = min(mines.cards_left(s, their_reach & own), 10)
    rows[k + 27] = s["question"]
    rows[k + 28] = (1 if s["passed"][seat] != 0 else 0) + (2 if s["passed"][other] != 0 else 0)
    rows[k + 29] = 1 + own_number(s, seat, s["attacked"]) if s["attacked"] >= 0 else 0
    rows[k + 30] = half_rank(s["attack"] % SHORT_PACK_RANKS) if s["attack"] >= 0 else 0
    rows[k + 31] = min(s["idle"], 5)
    rows[k + 32] = min(s["turns"] // 3, 15)
    rows[k + 33] = min(s["hand_size"][seat], 15)
    for k in range(FEATURES):
        rows[k] += FIRST_ROWS[k]


def suit_count(cards, suit):
    """Return how many of these cards are of a suit."""
    return count(cards >> suit * SHORT_PACK_RANKS & weighted_policy.ALL_RANKS)


def hidden_units(s, seat, memory):
    """Return the hidden units, in the order in which `answer_sum` needs them: byte by byte of the packed rows.

    The sums of a seat's last answer are kept, so that only changed features are added and subtracted. Sums are whole
    numbers, so the starting point does not affect the result.
    """
    units = np.empty(HIDDEN, np.int64)
    write_features(s, seat, units)
    even = KEPT_ROW + KEPT_ROWS * seat
    odd, kept = even + 1, even + 2
    for k in range(FEATURES):
        row, old = units[k], memory[kept + k // PACKED, k % PACKED]
        if row == old:
            continue
        memory[kept + k // PACKED, k % PACKED] = row
        if old >= 0:
            for j in range(PACKED):
                memory[even, j] += (memory[row, j] & EVEN_BYTES) - (memory[old, j] & EVEN_BYTES)
                memory[odd, j] += (memory[row, j] >> 8 & EVEN_BYTES) - (memory[old, j] >> 8 & EVEN_BYTES)
        else:
            for j in range(PACKED):
                memory[even, j] += memory[row, j] & EVEN_BYTES
                memory[odd, j] += memory[row, j] >> 8 & EVEN_BYTES
    for k in range(8):
        for j in range(PACKED):
            units[k * PACKED + j] = max((memory[even + (k & 1), j] >> 16 * (k >> 1) & 0xFFFF) - 128 * FEATURES, 0)
    return units


def answer_row(s, seat, answer):
    """Return the number of an answer among those of its question."""
    question = s["question"]
    if question == mines.TURN or question == mines.SPOILS:
        return answer
    if question == mines.GROW or question == mines.DEFEND or question == mines.GIVE:
        return answer // SHORT_PACK_RANKS  # the suit, or 4 for none
    if question == mines.FIGHT_CARD:
        return (
            0 if answer % SHORT_PACK_RANKS == weighted_policy.weakest(weighted_policy.ranks_of(s, seat, CLUBS)) else 1
        )
    return own_number(s, seat, answer) if answer < mines.PILES else min(answer, mines.PILES + 1)


def is_pile(question, answer):
    """Return whether an answer names a pile."""
    return answer < mines.PILES and question <= mines.FIGHT and question != mines.TURN and question != mines.GROW


def surroundings(s, seat, pile):
    """Return the index of the bonus for a pile's neighbours, which depends on the question."""
    question, beside = s["question"], mines.adjacent(bit(pile))
    theirs = count(beside & mines.owned(s, 1 - seat))
    if question == mines.DIG or question == mines.DIG_FIRST or question == mines.DIG_SECOND:
        return DIG_BONUS + (s["left"][pile] - 1) * 3 + min(theirs, 2)
    free, own = count(beside & mines.unclaimed(s)), min(count(beside & mines.owned(s, seat)), 3)
    if question == mines.FIGHT:
        return FIGHT_BONUS + (s["left"][pile] * 7 + free) * 4 + own
    return CLAIM_BONUS + (free * 4 + min(theirs, 3)) * 4 + own


def answer_sum(s, seat, answer, units, memory):
    """Return an answer's sum."""
    question = s["question"]
    index = ANSWERS * question + answer_row(s, seat, answer)
    total, row = memory[BONUS_ROW + index // PACKED, index % PACKED], ANSWER_ROW + index
    for k in range(8):
        for j in range(PACKED):
            total += units[k * PACKED + j] * ((memory[row, j] >> 8 * k & 0xFF) - 128)
    if is_pile(question, answer):
        index = surroundings(s, seat, answer)
        total += memory[BONUS_ROW + index // PACKED, index % PACKED]
    return total


@lru_cache(maxsize=1)
def load_weights() -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the packed weights."""
    return np.load(WEIGHTS_FILE)  # type: ignore[no-any-return]


def load_weights_by_table() -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the packed weights, for the only kind of table, as a single row."""
    return load_weights()[np.newaxis]
