"""Candidates in crystals: one of each class of equivalent cards, sets to pass, and all other answers."""

from diamonds.bots.games.adapter import TRAINED_PLAN
from diamonds.bots.games.crystals import heuristics
from diamonds.cards import LONG_PACK_RANKS, bit, count, highest, lowest
from diamonds.rng import fill_deck
from diamonds.rules import crystals


def candidates(v, own_seat, legal, game_specific, out):
    """Write the candidates; see `GameAdapter.candidates`."""
    if v["question"] == crystals.PLAY:
        return fill_deck(out, distinct_cards(v, own_seat, legal))
    if v["question"] == crystals.PASS:
        return pass_sets(v, own_seat, legal, out)
    return fill_deck(out, legal)


def distinct_cards(v, own_seat, legal):
    """Return the lowest card of each run: cards of a suit with only own or finished cards between them."""
    between, on_table = v["hand"][own_seat], 0
    for k in range(v["trick_size"]):
        on_table |= bit(v["trick"][k])
    for seat in range(v["seats"]):
        between |= v["played"][seat] & ~on_table
    distinct, last = 0, -1
    while legal != 0:
        card = lowest(legal)
        legal &= legal - 1
        gap = bit(card) - 1 & ~(bit(last + 1) - 1)
        if last < 0 or card // LONG_PACK_RANKS != last // LONG_PACK_RANKS or gap & ~between != 0:
            distinct |= bit(card)
        last = card
    return distinct


def pass_sets(v, own_seat, legal, out):
    """C9: write the sets of the wanted size that contain the cards named already, in ascending order; return their number."""
    chosen, hand = v["chosen"][own_seat], v["hand"][own_seat]
    missing = v["passing"] - count(chosen)
    number = 0
    for first in range(lowest(legal), highest(hand) + 1):
        if legal & bit(first) == 0:
            continue
        started = chosen | bit(first)
        if missing == 1:
            out[number] = started
            number += 1
            continue
        for second in range(first + 1, highest(hand) + 1):
            if hand & bit(second) == 0:
                continue
            if missing == 2:
                out[number] = started | bit(second)
                number += 1
                continue
            for third in range(second + 1, highest(hand) + 1):
                if hand & bit(third) != 0:
                    out[number] = started | bit(second) | bit(third)
                    number += 1
    return number


def representative(v, candidates, candidate):
    """Return the candidate that stands for a card: the lowest of its equivalent neighbours."""
    if v["question"] == crystals.PLAY:
        for k in range(len(candidates) - 1, -1, -1):
            if candidates[k] <= candidate and candidates[k] // LONG_PACK_RANKS == candidate // LONG_PACK_RANKS:
                return candidates[k]
    return candidate


def is_set(v):
    """C9: return whether the question names the cards to pass in turn."""
    return v["question"] == crystals.PASS


def default_candidate(s, own_seat, plan):
    """Return the rule-of-thumb answer; for cards to pass, the whole set."""
    if not is_set(s):
        return heuristics.heuristic_answer(s, own_seat, plan)
    while count(s["chosen"][own_seat]) < s["passing"]:
        s["chosen"][own_seat] |= bit(heuristics.heuristic_answer(s, own_seat, plan))
    return s["chosen"][own_seat]


def answers_of(v, own_seat, candidate):
    """Return the cards of a set that have not been named yet, or the answer itself."""
    return candidate & ~v["chosen"][own_seat] if v["question"] == crystals.PASS else bit(candidate)


def plans(v, own_seat, params):
    """Return the trained policy as the only plan, because it considers everything.

    It evaluates to the end of the round, so a search with a shorter horizon uses rules of thumb instead. While the
    player has no trick, such a search also tries the plan to take none (C20).
    """
    if params.horizon == 0:
        return bit(TRAINED_PLAN)
    early = (v["question"] == crystals.PLAY or v["question"] == crystals.PASS) and v["tricks"][own_seat] == 0
    return params.plans if early else params.plans & -params.plans


def card_of(v, candidate):
    """Return the card to play, or the highest card of a set to pass."""
    if v["question"] == crystals.PLAY:
        return candidate
    return highest(candidate) if v["question"] == crystals.PASS else -1
