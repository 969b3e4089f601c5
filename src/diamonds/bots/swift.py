"""Mines for bots that think ahead: the rules once more, on a short array of whole numbers, several times as fast as on rows.

A *position* is an ``int64`` array of `LENGTH` places. Sets of piles are bits, so that what touches what is one look-up
(`BESIDE`). `load` makes a position from a state or a view, `step` gives an answer, `legal` lists the answers; questions and
answers are those of `diamonds.rules.mines`, and a test plays both side by side through thousands of games. Anyone who
changes the rules must change them here too.

Plain functions; `jit.compile_with` makes them part of kernels.
"""

import numpy as np

from diamonds.cards import CLUBS, DIAMONDS, HEARTS, SHORT, SPADES, bit, count, lowest
from diamonds.rules import mines

# The places of a position. Where there are two or more, one for each seat, each pile, or each card of a pile, top first.
OWN, HAND, SIZE, PASSED = 0, 2, 4, 6
LEFT, INSIDE, PILES = 8, 21, 34  # how many cards each pile holds, which, and in what order
TURN, ASKED, QUESTION, IDLE, BUSY, ATTACKED, ATTACK, RANKED, OVER, WINNER = range(86, 96)
LENGTH = 96

SUIT = (1 << SHORT) - 1  # the ranks of a suit, shifted down
EVERYWHERE = (1 << mines.PILES) - 1
TO_WIN, IDLE_LIMIT, NO_CARD, SKIP = mines.TO_WIN, mines.IDLE_LIMIT, mines.NO_CARD, mines.SKIP
CLAIM, GO, DIG, DIG_FIRST, DIG_SECOND, GROW = (
    mines.CLAIM,
    mines.TURN,
    mines.DIG,
    mines.DIG_FIRST,
    mines.DIG_SECOND,
    mines.GROW,
)
GROW_PILE, FIGHT, FIGHT_CARD, DEFEND, SPOILS, GIVE = (
    mines.GROW_PILE, mines.FIGHT, mines.FIGHT_CARD, mines.DEFEND, mines.SPOILS, mines.GIVE,
)  # fmt: skip

BESIDE = np.array([mines.beside(piles) for piles in range(EVERYWHERE + 1)], np.int64)


def load(s, f):
    """Fill a position from a row. Of a view, the other's hand and the piles are to be filled in (`put`, `bury`)."""
    for seat in range(2):
        f[OWN + seat] = mines.owned(s, seat)
        f[HAND + seat] = s["hand"][seat]
        f[SIZE + seat] = s["hand_size"][seat]
        f[PASSED + seat] = s["passed"][seat]
    for pile in range(mines.PILES):
        f[LEFT + pile] = s["left"][pile]
        f[INSIDE + pile] = 0
        for k in range(mines.DEPTH):
            bury(f, pile, k, s["piles"][pile, k])
    f[TURN] = s["turn"]
    f[ASKED] = lowest(s["to_act"]) if s["to_act"] != 0 else -1
    f[QUESTION] = s["question"]
    f[IDLE] = s["idle"]
    f[BUSY] = s["busy"]
    f[ATTACKED] = s["attacked"]
    f[ATTACK] = s["attack"]
    f[RANKED] = s["defence"]
    f[OVER] = s["over"]
    f[WINNER] = s["winner"]


def bury(f, pile, k, card):
    """Put a card into a pile at a place from the top; −1: nobody knows, or none."""
    f[PILES + mines.DEPTH * pile + k] = card
    if card >= 0:
        f[INSIDE + pile] |= bit(card)


def suit_of(f, seat, suit):
    """The ranks of a suit in a hand, as bits."""
    return f[HAND + seat] >> suit * SHORT & SUIT


def free(f):
    """The unclaimed piles."""
    return EVERYWHERE & ~(f[OWN] | f[OWN + 1])


def claimable(f, seat):
    """M4, M7."""
    return BESIDE[f[OWN + seat]] & free(f)


def attackable(f, seat):
    """M8."""
    return BESIDE[f[OWN + seat]] & f[OWN + 1 - seat]


def diggable(f, seat):
    """M6: own piles with a card left."""
    found, piles = 0, f[OWN + seat]
    while piles != 0:
        pile = lowest(piles)
        piles &= piles - 1
        if f[LEFT + pile] > 0:
            found |= bit(pile)
    return found


def cards_left(f, piles):
    """How many cards lie in some piles."""
    cards = 0
    while piles != 0:
        cards += f[LEFT + lowest(piles)]
        piles &= piles - 1
    return cards


def joined(near, free_ones):
    """M11: the free piles that can be reached from near ones through free piles."""
    reached, edge = 0, BESIDE[near] & free_ones
    while edge != 0:
        reached |= edge
        edge = BESIDE[edge] & free_ones & ~reached
    return reached


def diamonds(f, seat):
    """How many ♦ a seat holds."""
    return count(f[HAND + seat] & SUIT)


def barred(f, seat):
    """M11: whether seven ♦ have become impossible."""
    near = f[OWN + seat]
    if near == 0:
        return True
    piles, cards = near | joined(near, free(f)), f[HAND + seat]
    while piles != 0:
        cards |= f[INSIDE + lowest(piles)]
        piles &= piles - 1
    if cards >> CLUBS * SHORT != 0:
        return False
    return count(cards & SUIT) < TO_WIN


def legal(f):
    """The legal answers of the seat that is asked, as bits."""
    seat, question = f[ASKED], f[QUESTION]
    hand = f[HAND + seat]
    if question == DIG:
        answers = diggable(f, seat) | bit(SKIP)
        if cards_left(f, f[OWN + seat]) >= 2:
            answers |= (hand >> SPADES * SHORT & SUIT) << SKIP + 1
        return answers
    if question in (GO, SPOILS):
        return 0b11
    if question == CLAIM:
        return claimable(f, seat) | bit(SKIP)
    if question == GROW:
        return hand & SUIT << HEARTS * SHORT | bit(NO_CARD)
    if question == GROW_PILE:
        return claimable(f, seat)
    if question == FIGHT:
        return bit(SKIP) | (attackable(f, seat) if hand >> CLUBS * SHORT != 0 else 0)
    if question == FIGHT_CARD:
        return hand & SUIT << CLUBS * SHORT
    if question == DEFEND:
        return hand & defences(f) | bit(NO_CARD)
    if question == GIVE:
        return hand
    return diggable(f, seat)


def defences(f):
    """M8: every card that defends against the attacking ♣."""
    rank = f[ATTACK] % SHORT
    enough = 1
    if rank != 0:
        enough |= SUIT & ~((1 << rank) - 1)
    return enough << HEARTS * SHORT | (enough if f[RANKED] != 0 else SUIT) << CLUBS * SHORT


def step(f, answer):
    """Give a legal answer for the seat that is asked, and do all that follows from it by itself."""
    seat, question = f[ASKED], f[QUESTION]
    if question == GO:
        if answer == 0:
            f[PASSED + seat] = 1
            end_turn(f)
        elif diggable(f, seat) != 0:
            f[QUESTION] = DIG
        else:
            offer_grow(f)
    elif question == DIG:
        if answer < SKIP:
            draw_card(f, seat, answer)
            offer_grow(f)
        elif answer == SKIP:
            offer_grow(f)
        else:
            lose(f, seat, SPADES * SHORT + answer - SKIP - 1)
            f[QUESTION] = DIG_FIRST
    elif question == DIG_FIRST:
        draw_card(f, seat, answer)
        f[QUESTION] = DIG_SECOND
    elif question == DIG_SECOND:
        draw_card(f, seat, answer)
        offer_grow(f)
    elif question == GROW:
        if answer == NO_CARD:
            offer_fight(f)
        else:
            lose(f, seat, answer)
            f[QUESTION] = GROW_PILE
    elif question == GROW_PILE:
        mark(f, seat, answer)
        offer_fight(f)
    elif question == FIGHT:
        if answer == SKIP:
            end_turn(f)
        else:
            f[ATTACKED] = answer
            f[QUESTION] = FIGHT_CARD
    elif question == FIGHT_CARD:
        lose(f, seat, answer)
        f[ATTACK] = answer
        if f[SIZE + 1 - seat] > 0:
            f[QUESTION] = DEFEND
            f[ASKED] = 1 - seat
        else:
            conquer(f)
    elif question == DEFEND:
        f[ASKED] = 1 - seat
        if answer != NO_CARD:
            lose(f, seat, answer)
            offer_fight(f)
        elif f[SIZE + seat] > 0:
            f[QUESTION] = SPOILS
        else:
            conquer(f)
    elif question == SPOILS:
        if answer == 0:
            conquer(f)
        else:
            f[QUESTION] = GIVE
            f[ASKED] = 1 - seat
    elif question == GIVE:
        lose(f, seat, answer)
        f[HAND + 1 - seat] |= bit(answer)
        f[SIZE + 1 - seat] += 1
        end_turn(f)
    else:
        if answer != SKIP:
            mark(f, seat, answer)
        f[QUESTION] = GO


def draw_card(f, seat, pile):
    """M2, M6: the top card of a pile."""
    left = f[LEFT + pile]
    card = f[PILES + mines.DEPTH * (pile + 1) - left]
    f[PILES + mines.DEPTH * (pile + 1) - left] = -1
    f[LEFT + pile] = left - 1
    f[INSIDE + pile] &= ~bit(card)
    f[HAND + seat] |= bit(card)
    f[SIZE + seat] += 1
    f[BUSY] = 1


def lose(f, seat, card):
    """A card leaves a hand."""
    f[HAND + seat] &= ~bit(card)
    f[SIZE + seat] -= 1
    f[BUSY] = 1


def mark(f, seat, pile):
    """Put a seat's marker on a pile."""
    f[OWN + seat] |= bit(pile)
    f[OWN + 1 - seat] &= ~bit(pile)
    f[BUSY] = 1


def conquer(f):
    """M9: the marker is replaced and the turn ends."""
    mark(f, f[TURN], f[ATTACKED])
    end_turn(f)


def offer_grow(f):
    """M7, R5."""
    seat = f[TURN]
    f[ASKED] = seat
    if f[SIZE + seat] > 0 and claimable(f, seat) != 0:
        f[QUESTION] = GROW
    else:
        offer_fight(f)


def offer_fight(f):
    """M8, R5."""
    seat = f[TURN]
    f[ASKED] = seat
    f[ATTACKED] = f[ATTACK] = -1
    if f[SIZE + seat] > 0 and attackable(f, seat) != 0:
        f[QUESTION] = FIGHT
    else:
        end_turn(f)


def end_turn(f):
    """M10, M12: see whether the game has ended; if not, it is the other's turn, who may claim after a pass (M4)."""
    seat = f[TURN]
    f[ATTACKED] = f[ATTACK] = -1
    f[IDLE] = 0 if f[BUSY] != 0 else f[IDLE] + 1
    if diamonds(f, seat) >= TO_WIN or barred(f, 1 - seat):
        finish(f, seat)
    elif diamonds(f, 1 - seat) >= TO_WIN or barred(f, seat):
        finish(f, 1 - seat)
    elif f[IDLE] == IDLE_LIMIT:
        ahead = diamonds(f, seat) - diamonds(f, 1 - seat)
        finish(f, -1 if ahead == 0 else seat if ahead > 0 else 1 - seat)
    else:
        seat = 1 - seat
        f[TURN] = f[ASKED] = seat
        f[BUSY] = 0
        f[QUESTION] = CLAIM if f[PASSED + seat] != 0 and claimable(f, seat) != 0 else GO
        f[PASSED + seat] = 0


def finish(f, winner):
    """The game is over."""
    f[OVER] = 1
    f[ASKED] = -1
    f[WINNER] = winner


def goes_on(f):
    """R6, M8: as `worlds.mines_goes_on`."""
    turn, question = f[TURN], f[QUESTION]
    undug = question in (CLAIM, GO, DIG)
    if question == FIGHT_CARD and f[HAND + turn] >> CLUBS * SHORT == 0:
        return False
    if diamonds(f, 1 - turn) >= TO_WIN:
        return False
    if diamonds(f, turn) >= TO_WIN + (0 if undug else 2):
        return False
    if (undug or (question >= DIG_FIRST and question <= GROW_PILE)) and barred(f, turn):
        return False
    return f[BUSY] != 0 or not barred(f, 1 - turn)


assert DIAMONDS == 0  # `diamonds` and `barred` count the lowest bits
