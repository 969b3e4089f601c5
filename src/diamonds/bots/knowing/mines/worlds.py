"""What a seat cannot see in mines: the opponent's hand and the piles.

The row shows hand sizes, discards, and the cards that were handed over. R6 adds that the game goes on, and only what
follows from the row as it stands is used:

* nobody holds seven ♦: the seventh ends the game at once (M10);
* seven ♦ were not impossible for the seat on turn at the end of the last turn (M11). Its hand and reach together change in no
  way that matters until it discards a ♣, so the row is judged as it stands up to the questions of growing;
* nor for the other seat, whose reach a new marker may have cut since: so the row is judged as long as nothing has been
  marked, drawn or discarded in this turn. Where M11 is judged on what both players know, hidden cards play no part in it.
"""

from diamonds.bots.knowing.contract import ASIDE
from diamonds.cards import CLUBS, bit, count, suit_cards
from diamonds.chance import lay_out, shuffle
from diamonds.fields import SEATS
from diamonds.rules import mines


def needs(v, me, sizes, banned):
    """See `contract.Knowledge.needs`; what no hand holds lies in the piles."""
    unseen = mines.pack(v) & ~(v["hand"][me] | v["discards"] | v["known"][me])
    sizes[:] = 0
    banned[:] = 0
    sizes[1 - me] = v["hand_size"][1 - me] - count(v["known"][me])
    sizes[ASIDE] = count(unseen) - sizes[1 - me]
    return unseen


def fill(s, me, hands, deck, rng):
    """The opponent's hand and the piles; returns whether the game would go on (see above)."""
    other = 1 - me
    for seat in range(SEATS):
        if seat != me:
            s["hand"][seat] = 0
    s["hand"][other] = hands[other] | s["known"][me]
    bury(s, hands[ASIDE], deck, rng)
    return goes_on(s)


def bury(s, cards, deck, rng):
    """Lay these cards into the piles of mines, in any order; those that have been drawn leave their places empty."""
    size = lay_out(deck, cards)
    shuffle(deck, size, size, rng)
    at = 0
    for pile in range(mines.PILES):
        s["inside"][pile] = 0
        for k in range(mines.DEPTH - s["left"][pile]):
            s["piles"][pile, k] = -1
        for k in range(mines.DEPTH - s["left"][pile], mines.DEPTH):
            s["piles"][pile, k] = deck[at]
            s["inside"][pile] |= bit(deck[at])
            at += 1


def goes_on(s):
    """R6: whether the game would not have ended before, as far as this row shows it.

    And M8: who has named a pile to fight for holds a ♣.
    """
    turn, question = s["turn"], s["question"]
    if question == mines.FIGHT_CARD and s["hand"][turn] & suit_cards(CLUBS, mines.RANKS) == 0:
        return False
    if mines.diamonds(s, 0) >= mines.TO_WIN or mines.diamonds(s, 1) >= mines.TO_WIN:
        return False
    if s["impossible"] == mines.BY_WHAT_IS_SEEN:
        return True
    if question <= mines.GROW_PILE and mines.barred(s, turn):
        return False
    return s["busy"] != 0 or not mines.barred(s, 1 - turn)
