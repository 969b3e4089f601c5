"""What is compared in crystals: cards, one of each kind; sets to pass; other answers as they are."""

from diamonds.bots.knowing.contract import TRAINED
from diamonds.bots.knowing.crystals import thumb
from diamonds.cards import LONG, bit, count, highest, lowest
from diamonds.chance import lay_out
from diamonds.rules import crystals


def candidates(v, me, legal, own_way, found):
    """See `contract.Knowledge.candidates`."""
    if v["question"] == crystals.PLAY:
        return lay_out(found, one_of_each_kind(v, me, legal))
    if v["question"] == crystals.PASS:
        return sets_to_pass(v, me, legal, found)
    return lay_out(found, legal)


def one_of_each_kind(v, me, legal):
    """Of neighbouring cards of a suit only the lowest, when all between are own or gone in finished tricks."""
    between, table = v["hand"][me], 0
    for k in range(v["trick_size"]):
        table |= bit(v["trick"][k])
    for seat in range(v["seats"]):
        between |= v["played"][seat] & ~table
    kinds, last = 0, -1
    while legal != 0:
        card = lowest(legal)
        legal &= legal - 1
        gap = bit(card) - 1 & ~(bit(last + 1) - 1)
        if last < 0 or card // LONG != last // LONG or gap & ~between != 0:
            kinds |= bit(card)
        last = card
    return kinds


def sets_to_pass(v, me, legal, found):
    """C9: sets of the wanted size that go on, in ascending order, from the cards named already."""
    chosen, hand = v["chosen"][me], v["hand"][me]
    missing = v["passing"] - count(chosen)
    number = 0
    for first in range(lowest(legal), highest(hand) + 1):
        if legal & bit(first) == 0:
            continue
        begun = chosen | bit(first)
        if missing == 1:
            found[number] = begun
            number += 1
            continue
        for second in range(first + 1, highest(hand) + 1):
            if hand & bit(second) == 0:
                continue
            if missing == 2:
                found[number] = begun | bit(second)
                number += 1
                continue
            for third in range(second + 1, highest(hand) + 1):
                if hand & bit(third) != 0:
                    found[number] = begun | bit(second) | bit(third)
                    number += 1
    return number


def same_kind(v, candidates, candidate):
    """Of neighbouring cards that amount to the same, the lowest is compared."""
    if v["question"] == crystals.PLAY:
        for k in range(len(candidates) - 1, -1, -1):
            if candidates[k] <= candidate and candidates[k] // LONG == candidate // LONG:
                return candidates[k]
    return candidate


def sets(v):
    """C9: cards to pass are named one after the other."""
    return v["question"] == crystals.PASS


def habit(s, me, plan):
    """The answer by rules of thumb; of cards to pass, the set of them."""
    if not sets(s):
        return thumb.choose(s, me, plan)
    while count(s["chosen"][me]) < s["passing"]:
        s["chosen"][me] |= bit(thumb.choose(s, me, plan))
    return s["chosen"][me]


def answers(v, me, candidate):
    """The cards of a set that are not named yet, or the answer itself."""
    return candidate & ~v["chosen"][me] if v["question"] == crystals.PASS else bit(candidate)


def plans(v, me, effort):
    """To go by trained values, which take care of everything.

    But they look to the end of the round, so with a nearer horizon rules of thumb, and while the own seat has no trick also to stay
    without one (C20).
    """
    if effort.horizon == 0:
        return bit(TRAINED)
    early = (v["question"] == crystals.PLAY or v["question"] == crystals.PASS) and v["tricks"][me] == 0
    return effort.plans if early else effort.plans & -effort.plans


def card(v, candidate):
    """The card to play, or the highest of a set to pass."""
    if v["question"] == crystals.PLAY:
        return candidate
    return highest(candidate) if v["question"] == crystals.PASS else -1
