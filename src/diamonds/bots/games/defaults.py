"""What a game gives whose questions and cards are of the plain sort: every answer compared, and worlds dealt evenly."""

from diamonds.cards import bit
from diamonds.rng import fill_deck


def all_answers(v, own_seat, legal, game_specific, out):
    """All legal answers."""
    return fill_deck(out, legal)


def itself(v, candidates, candidate):
    """Every answer is of a kind of its own."""
    return candidate


def never_a_set(v):
    """No cards are named one after the other."""
    return False


def single_answer(v, own_seat, candidate):
    """The candidate itself."""
    return bit(candidate)


def no_beliefs(v, own_seat, unseen, sizes, game_specific):
    """Nothing is believed of where the unseen cards are."""
    return 0


def no_belief_deal(unseen, own_seat, beliefs, hands, rng):
    """Nothing is dealt by beliefs."""
    return False


def single_table_kind(s):
    """`GameAdapter.table` where all tables are of one kind."""
    return 0
