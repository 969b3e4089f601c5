"""Members of `GameAdapter` for games with simple questions and cards: every answer is compared, and worlds are dealt evenly."""

from diamonds.cards import bit
from diamonds.rng import fill_deck


def all_answers(v, own_seat, legal, game_specific, out):
    """Write all legal answers; return their number."""
    return fill_deck(out, legal)


def itself(v, candidates, candidate):
    """Return the candidate: no two answers are equivalent."""
    return candidate


def never_a_set(v):
    """Return false: no cards are named one after the other."""
    return False


def single_answer(v, own_seat, candidate):
    """Return the candidate itself, as bits."""
    return bit(candidate)


def no_beliefs(v, own_seat, unseen, sizes, game_specific):
    """Return no beliefs about unseen cards."""
    return 0


def no_belief_deal(unseen, own_seat, beliefs, hands, rng):
    """Deal nothing by beliefs."""
    return False


def no_memory(weights):
    """Return the weights, as `GameAdapter.playout_memory` of a game whose playouts remember nothing."""
    return weights


def no_prior(v, own_seat, plans, candidates, memory, prior):
    """Return that nothing is known, as `GameAdapter.write_prior`."""
    return False


def no_obvious_card(v, own_seat):
    """Return −1, as `GameAdapter.obvious_card` of a game whose lessons teach no card."""
    return -1


def usual_permille(style, usual_permille):
    """Return the usual share, as `GameAdapter.random_permille` of a game whose styles all have it."""
    return usual_permille


def same_worlds(plans, params):
    """Return the parameter, as `GameAdapter.max_worlds` of a game whose playouts all take as long."""
    return params.max_worlds


def single_table_kind(s):
    """Return 0, as `GameAdapter.table_kind` of a game whose tables are all of one kind."""
    return 0
