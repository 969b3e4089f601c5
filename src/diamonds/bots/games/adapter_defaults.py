"""Default members of `GameAdapter` for games with simple questions and cards: compare every answer, deal evenly."""

from diamonds.cards import bit
from diamonds.rng import fill_deck


def all_answers(v, own_seat, legal, game_specific, out):
    """Write all legal answers; return their number."""
    return fill_deck(out, legal)


def itself(v, candidates, candidate):
    """Return the candidate itself: no two answers are equivalent."""
    return candidate


def never_a_set(v):
    """Return false: no question asks for a set of cards."""
    return False


def single_answer(v, own_seat, candidate):
    """Return the candidate itself, as bits."""
    return bit(candidate)


def no_beliefs(v, own_seat, unseen, sizes, game_specific):
    """Return no beliefs about unseen cards."""
    return 0


def no_belief_deal(unseen, own_seat, beliefs, hands, rng):
    """Return false: nothing is dealt by beliefs."""
    return False


def no_memory(weights):
    """Return the weights alone: playouts keep no sums."""
    return weights


def no_prior(v, own_seat, plans, candidates, memory, prior):
    """Return false: nothing is known before the playouts."""
    return False


def value_as_it_stands(s, own_seat, plan, memory, value):
    """Return the value unchanged, whether or not a horizon ended the playout."""
    return value


def usual_permille(style, usual_permille):
    """Return the usual share of random answers, whatever the style."""
    return usual_permille


def same_worlds(plans, params):
    """Return the number of worlds unchanged: playouts take equally long with every plan."""
    return params.max_worlds


def single_table_kind(s):
    """Return 0: there is only one kind of table."""
    return 0
