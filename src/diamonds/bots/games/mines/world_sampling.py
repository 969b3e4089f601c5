"""Worlds of mines: the opponent's hand and the piles.

The view shows hand sizes, discards, and the cards handed over. It also implies that the game is still in progress (R6).
Three conclusions are drawn, all from the current row:

* Nobody holds seven ♦, because the seventh ends the game immediately (M10).
* Seven ♦ were still possible for the seat on turn when the last turn ended (M11). Its hand and reach together do not
  change in any relevant way until it discards a ♣, so the current row is checked up to the question of growing.
* The same goes for the other seat. A new marker may have cut its reach since, so the row is checked only while nothing
  has been marked, drawn or discarded in this turn.

Where M11 is judged by what both players know, hidden cards do not matter.
"""

from diamonds.bots.games.adapter import SET_ASIDE
from diamonds.cards import CLUBS, bit, count, suit_cards
from diamonds.fields import MAX_SEATS
from diamonds.rng import fill_deck, shuffle
from diamonds.rules import mines


def hidden_cards(v, own_seat, sizes, banned):
    """Write the number of hidden cards of each holder; see `GameAdapter.hidden_cards`. The other cards are in the piles."""
    unseen = mines.pack(v) & ~(v["hand"][own_seat] | v["discards"] | v["known"][own_seat])
    sizes[:] = 0
    banned[:] = 0
    sizes[1 - own_seat] = v["hand_size"][1 - own_seat] - count(v["known"][own_seat])
    sizes[SET_ASIDE] = count(unseen) - sizes[1 - own_seat]
    return unseen


def write_world(s, own_seat, hands, deck, rng):
    """Write the opponent's hand and the piles; return whether the game would still be in progress (see above)."""
    other = 1 - own_seat
    for seat in range(MAX_SEATS):
        if seat != own_seat:
            s["hand"][seat] = 0
    s["hand"][other] = hands[other] | s["known"][own_seat]
    fill_piles(s, hands[SET_ASIDE], deck, rng)
    return is_consistent(s)


def fill_piles(s, cards, deck, rng):
    """Distribute these cards among the piles in random order; places of drawn cards stay empty."""
    size = fill_deck(deck, cards)
    shuffle(deck, size, size, rng)
    position = 0
    for pile in range(mines.PILES):
        s["inside"][pile] = 0
        for k in range(mines.DEPTH - s["left"][pile]):
            s["piles"][pile, k] = -1
        for k in range(mines.DEPTH - s["left"][pile], mines.DEPTH):
            s["piles"][pile, k] = deck[position]
            s["inside"][pile] |= bit(deck[position])
            position += 1


def is_consistent(s):
    """R6: return whether the game would still be in progress, as far as this row shows.

    By M8, a player who has named a pile to fight for holds a ♣.
    """
    turn, question = s["turn"], s["question"]
    if question == mines.FIGHT_CARD and s["hand"][turn] & suit_cards(CLUBS, mines.RANKS) == 0:
        return False
    if mines.diamonds(s, 0) >= mines.DIAMONDS_TO_WIN or mines.diamonds(s, 1) >= mines.DIAMONDS_TO_WIN:
        return False
    if s["impossible"] == mines.BY_WHAT_IS_SEEN:
        return True
    if question <= mines.GROW_PILE and mines.barred(s, turn):
        return False
    return s["busy"] != 0 or not mines.barred(s, 1 - turn)
