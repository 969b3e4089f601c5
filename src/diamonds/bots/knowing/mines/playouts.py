"""Playouts of mines, to the end of the game: how they go on, what they are worth, what is heard on the way."""

from diamonds.cards import DIAMONDS, SHORT, bit, lowest
from diamonds.rules import mines

# What is counted, a column each: seven ♦ reached, the other shut out, shut out oneself, seven ♦ of the other's; cards dug; piles
# conquered and lost; ♦ got and given in raids.
SEVEN, BARRING, BARRED, THEIR_SEVEN, DUG, CONQUERED, LOST, GOT, GAVE = 0, 1, 2, 3, 4, 5, 6, 7, 8


def forget(s, me):
    """Nothing is chosen in secret."""


def give(s, me, candidate, log):
    """Give a candidate's answer."""
    mines.step(s, me, candidate, log)


def card(v, candidate):
    """The card to hand over (M9): of all others their use decides, not taste."""
    return candidate if v["question"] == mines.GIVE else -1


def clock(s):
    """How many turns have begun."""
    return s["turns"]


def worth(s, me, winning):
    """One for a win, minus one for a loss; a hundredth for each ♦ more, a tenth in a game broken off."""
    value = (mines.diamonds(s, me) - mines.diamonds(s, 1 - me)) / (100 if s["over"] != 0 else 10)
    if s["winner"] == me:
        value += winning
    elif s["winner"] == 1 - me:
        value -= winning
    return value


def hear(log, s, me, counts, first):
    """Count what one answer has told; there are no tricks."""
    for k in range(1, log[0, 0] + 1):
        what, seat = log[k, 0], log[k, 1]
        if what == mines.T_DUG:
            if seat == me:
                counts[DUG] += 1
        elif what == mines.T_CONQUERED:
            counts[CONQUERED if seat == me else LOST] += 1
        elif what == mines.T_GAVE:
            if log[k, 3] // SHORT == DIAMONDS:
                counts[GAVE if seat == me else GOT] += 1
        elif what == mines.T_SEVEN:
            counts[SEVEN if seat == me else THEIR_SEVEN] += 1
        elif what == mines.T_BARRED:
            counts[BARRING if seat == me else BARRED] += 1
    return False


def shown(s):
    """Whether nothing is chosen in secret: nothing is."""
    return True


def kind(s, seat, answers):
    """Every answer is of a kind of its own."""
    return bit(lowest(answers))
