"""What a game gives whose questions and cards are of the plain sort: every answer compared, and worlds dealt evenly."""

from diamonds.cards import bit
from diamonds.chance import lay_out


def candidates(v, me, legal, own_way, found):
    """All legal answers."""
    return lay_out(found, legal)


def same_kind(v, candidates, candidate):
    """Every answer is of a kind of its own."""
    return candidate


def sets(v):
    """No cards are named one after the other."""
    return False


def answers(v, me, candidate):
    """The candidate itself."""
    return bit(candidate)


def believe(v, me, unseen, sizes, own_way):
    """Nothing is believed of where the unseen cards are."""
    return 0


def share(unseen, me, beliefs, hands, rng):
    """Nothing is dealt by beliefs."""
    return False


def the_only_table(s):
    """`Knowledge.table` where all tables are of one kind."""
    return 0
