"""Playouts of mines to the end of the game: policy, value and event counts."""

from diamonds.cards import DIAMONDS, SHORT_PACK_RANKS, bit, lowest
from diamonds.rules import mines

# Columns of counts: seven ♦ reached; the opponent barred; the player barred; the opponent's seven ♦; cards dug; piles
# conquered and lost; ♦ taken and given in raids.
(
    COL_OWN_SEVEN,
    COL_OPPONENT_BARRED,
    COL_OWN_BARRED,
    COL_OPPONENT_SEVEN,
    COL_CARDS_DUG,
    COL_PILES_CONQUERED,
    COL_PILES_LOST,
    COL_DIAMONDS_RAIDED,
    COL_DIAMONDS_GIVEN,
) = 0, 1, 2, 3, 4, 5, 6, 7, 8


def clear_secret_choices(s, own_seat):
    """Do nothing: no choice is secret."""


def apply_candidate(s, own_seat, candidate, log):
    """Give a candidate's answer."""
    mines.step(s, own_seat, candidate, log)


def card_of(v, candidate):
    """Return the card to hand over (M9); bots have preferences for no other cards."""
    return candidate if v["question"] == mines.GIVE else -1


def turns_played(s):
    """Return the number of turns begun."""
    return s["turns"]


def value(s, own_seat, win_bonus):
    """Return 1 for a win or −1 for a loss, plus 0.01 for each ♦ of lead, or 0.1 in an unfinished game."""
    value = (mines.diamonds(s, own_seat) - mines.diamonds(s, 1 - own_seat)) / (100 if s["over"] != 0 else 10)
    if s["winner"] == own_seat:
        value += win_bonus
    elif s["winner"] == 1 - own_seat:
        value -= win_bonus
    return value


def count_events(log, s, own_seat, counts, trick_open):
    """Count the events of one answer; there are no tricks."""
    for k in range(1, log[0, 0] + 1):
        kind, seat = log[k, 0], log[k, 1]
        if kind == mines.EV_DUG:
            if seat == own_seat:
                counts[COL_CARDS_DUG] += 1
        elif kind == mines.EV_CONQUERED:
            counts[COL_PILES_CONQUERED if seat == own_seat else COL_PILES_LOST] += 1
        elif kind == mines.EV_GAVE:
            if log[k, 3] // SHORT_PACK_RANKS == DIAMONDS:
                counts[COL_DIAMONDS_GIVEN if seat == own_seat else COL_DIAMONDS_RAIDED] += 1
        elif kind == mines.EV_SEVEN:
            counts[COL_OWN_SEVEN if seat == own_seat else COL_OPPONENT_SEVEN] += 1
        elif kind == mines.EV_BARRED:
            counts[COL_OPPONENT_BARRED if seat == own_seat else COL_OWN_BARRED] += 1
    return False


def has_no_secret_choice(s):
    """Return true: no choice is secret."""
    return True


def equivalence_class(s, seat, answers):
    """Return the lowest answer: no two are equivalent."""
    return bit(lowest(answers))
