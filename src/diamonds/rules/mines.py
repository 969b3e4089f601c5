"""Mines: the diamond hunters' duel on thirteen hidden piles (rules M1–M13).

The field by pile number. A pile touches the piles beside it and diagonally above and below it (M1)::

       0   1   2   3
     4   5   6   7   8
       9  10  11  12
"""

import numpy as np

from diamonds.cards import (
    CLUBS,
    DIAMONDS,
    HEARTS,
    SHORT_PACK_RANKS,
    SPADES,
    bit,
    count,
    cut_winner,
    lowest,
    pack_names,
    suit_cards,
)
from diamonds.events import EventField, EventKind, IllegalReason, emit
from diamonds.fields import (
    CARD,
    CARDS,
    COMMON_FIELDS,
    FLAG,
    NOBODY,
    NUMBER,
    OWNER,
    PILE_OWNERS,
    PLAYERS,
    PUBLIC,
    SEAT,
    Field,
    Option,
    Question,
)
from diamonds.fields import (
    MAX_SEATS as MOST_SEATS,
)

NAME = "mines"
VERSION = 1  # of these rules; see CONTRIBUTING.md before raising it
RANKS = SHORT_PACK_RANKS
SEATS = (2,)
DEFAULT_SEATS = 2
TYPICAL_DECISIONS = {2: 20}  # one player's decisions in a usual game of `simple` bots; a run of questions counts once
PILES, DEPTH = 13, 4  # M1
DIAMONDS_TO_WIN = 7  # M10
MAX_IDLE_TURNS = 6  # M12
FIRST_PILE, SECOND_PILE = 0, 12  # M2

# M1: the twenty-six pairs of touching piles.
ADJACENT_PAIRS = (
    *((row + k, row + k + 1) for row, length in ((0, 4), (4, 5), (9, 4)) for k in range(length - 1)),
    *((outer + k, 4 + k + side) for outer in (0, 9) for k in range(4) for side in (0, 1)),
)
ALL_PILES = (1 << PILES) - 1  # as bits
ADJACENT = np.zeros(
    ALL_PILES + 1, np.int16
)  # for each set of piles, the piles that touch any of them; small, to stay in the cache
for _pile in range(PILES):
    _adjacent = sum(1 << other for pair in ADJACENT_PAIRS if _pile in pair for other in pair if other != _pile)
    ADJACENT[1 << _pile : 2 << _pile] = ADJACENT[: 1 << _pile] | _adjacent

HEARTS_ONLY, RANKED = 0, 1
BY_CARDS, BY_WHAT_IS_SEEN = 0, 1
# fmt: off
OPTIONS = (
    Option("defence", ("any", "ranked"), "any", "M8"),
    Option("impossible", ("cards", "seen"), "cards", "M11"),
)
# fmt: on

# fmt: off
FIELDS = (
    *COMMON_FIELDS,
    Field("defence", NUMBER, PUBLIC, "option: 1 if a defending ♣ needs at least the rank of the attacking ♣"),
    Field("impossible", NUMBER, PUBLIC, "option: 1 if the impossibility of seven ♦ is judged only on what both players know"),
    Field("cut", CARD, PUBLIC, "the card each seat cut to see who begins", (MOST_SEATS,)),
    Field("first", SEAT, PUBLIC, "the seat that took the first turn"),
    Field("turn", SEAT, PUBLIC, "the seat on turn"),
    Field("turns", NUMBER, PUBLIC, "turns begun"),
    Field("idle", NUMBER, PUBLIC, "turns in a row without a marker placed, a card drawn or a card discarded"),
    Field("busy", FLAG, PUBLIC, "whether this turn has placed a marker, drawn or discarded"),
    Field("passed", FLAG, PUBLIC, "whether each seat passed on its last turn", (MOST_SEATS,)),
    Field("owner", PILE_OWNERS, PUBLIC, "the owner of the marker on each pile", (MOST_SEATS,), pile_count=PILES),
    Field("left", NUMBER, PUBLIC, "cards left in each pile", (PILES,)),
    Field("piles", CARD, NOBODY, "the cards of each pile, top first; drawn cards are none", (PILES, DEPTH)),
    Field("inside", CARDS, NOBODY, "the cards left in each pile, in no order", (PILES,), is_derived=True),
    Field("hand", CARDS, OWNER, "cards in hand", (MOST_SEATS,)),
    Field("hand_size", NUMBER, PUBLIC, "the number of cards in each hand", (MOST_SEATS,)),
    Field("known", CARDS, PLAYERS, "cards each seat has handed over and the other still holds, as both know", (MOST_SEATS,)),
    Field("discards", CARDS, PUBLIC, "cards discarded"),
    Field("attacked", NUMBER, PUBLIC, "the pile being fought for"),
    Field("attack", CARD, PUBLIC, "the ♣ that attacks"),
    Field("ending", NUMBER, PUBLIC, "the ending: see the constants below"),
    Field("winner", SEAT, PUBLIC, "the winner; none for a draw"),
)
# fmt: on

SKIP = END = PILES  # the answer after the last pile
NO_CARD = 4 * RANKS  # the answer after the last card
CLAIM, TURN, DIG, DIG_FIRST, DIG_SECOND, GROW, GROW_PILE, FIGHT, FIGHT_CARD, DEFEND, SPOILS, GIVE = range(12)
_PILE_ANSWERS = tuple(range(PILES))
_CARD_ANSWERS = pack_names(RANKS)
_SPADE_ANSWERS = tuple(f"S{name[1:]}" for name in _CARD_ANSWERS[-RANKS:])
# M3: an answer is silent if it leads only to digging or to another question. One that may end the turn is not (M10).
# fmt: off
QUESTIONS = (
    Question("claim", (*_PILE_ANSWERS, "skip"), silent=(*_PILE_ANSWERS, "skip"), follow_up="turn"),
    Question("turn", ("pass", "go"), silent=("go",), follow_up="dig"),
    Question("dig", (*_PILE_ANSWERS, "skip", *_SPADE_ANSWERS),
             silent=_SPADE_ANSWERS, follow_up="dig_first"),
    Question("dig_first", _PILE_ANSWERS),
    Question("dig_second", _PILE_ANSWERS),
    Question("grow", (*_CARD_ANSWERS, "skip"), silent=_CARD_ANSWERS, follow_up="grow_pile"),
    Question("grow_pile", _PILE_ANSWERS),
    Question("fight", (*_PILE_ANSWERS, "end"), silent=_PILE_ANSWERS, follow_up="fight_card"),
    Question("fight_card", _CARD_ANSWERS),
    Question("defend", (*_CARD_ANSWERS, "decline")),
    Question("spoils", ("conquer", "raid")),
    Question("give", _CARD_ANSWERS),
)
# fmt: on

# fmt: off
EVENTS = (
    EventKind("cut", (EventField("seat", SEAT), EventField("card", CARD))),
    EventKind("dealt", (EventField("first", SEAT),)),
    EventKind("claimed", (EventField("seat", SEAT), EventField("pile", NUMBER))),
    EventKind("passed", (EventField("seat", SEAT),)),
    EventKind("dug", (EventField("seat", SEAT), EventField("pile", NUMBER), EventField("card", CARD, ("seat",)))),
    EventKind("discarded", (EventField("seat", SEAT), EventField("card", CARD))),
    EventKind("grew", (EventField("seat", SEAT), EventField("pile", NUMBER))),
    EventKind("attacked", (EventField("seat", SEAT), EventField("pile", NUMBER))),
    EventKind("defended", (EventField("seat", SEAT), EventField("card", CARD))),
    EventKind("declined", (EventField("seat", SEAT),)),
    EventKind("conquered", (EventField("seat", SEAT), EventField("pile", NUMBER))),
    EventKind("raided", (EventField("seat", SEAT),)),
    EventKind("gave", (EventField("seat", SEAT), EventField("to", SEAT), EventField("card", CARD, ("seat", "to")))),
    EventKind("seven", (EventField("seat", SEAT), EventField("diamonds", NUMBER))),
    EventKind("barred", (EventField("seat", SEAT), EventField("loser", SEAT))),
    EventKind("idle", ()),
)
# fmt: on
(
    EV_CUT,
    EV_DEALT,
    EV_CLAIMED,
    EV_PASSED,
    EV_DUG,
    EV_DISCARDED,
    EV_GREW,
    EV_ATTACKED,
    EV_DEFENDED,
    EV_DECLINED,
    EV_CONQUERED,
    EV_RAIDED,
    EV_GAVE,
    EV_SEVEN,
    EV_BARRED,
    EV_IDLE,
) = range(len(EVENTS))  # fmt: skip

# fmt: off
ILLEGAL_REASONS = (
    IllegalReason("unclaimed", "M4, M7"),
    IllegalReason("own_pile", "M6"),
    IllegalReason("no_club", "M8"),
    IllegalReason("their_pile", "M8"),
    IllegalReason("in_hand", "M6"),
    IllegalReason("in_hand", "M7"),
    IllegalReason("in_hand", "M8"),
    IllegalReason("in_hand", "M9"),
    IllegalReason("two_cards", "M6"),
    IllegalReason("heart", "M7"),
    IllegalReason("club", "M8"),
    IllegalReason("defence", "M8"),
    IllegalReason("defence_ranked", "M8"),
)
# fmt: on
(
    IR_UNCLAIMED,
    IR_OWN_PILE,
    IR_NO_CLUB,
    IR_THEIR_PILE,
    IR_CARD_TO_DIG,
    IR_CARD_TO_GROW,
    IR_CARD_TO_FIGHT,
    IR_CARD_TO_GIVE,
    IR_TWO_CARDS,
    IR_HEART,
    IR_CLUB,
    IR_DEFENCE,
    IR_DEFENCE_RANKED,
) = range(len(ILLEGAL_REASONS))  # fmt: skip

IN_PROGRESS, BY_SEVEN, BY_BARRING, BY_IDLING = 0, 1, 2, 3


def start(s, cut):
    """M2: the highest cut takes the first turn; the first marker lies on the top left pile, the second on the bottom right.

    Options are already in the row.
    """
    for seat in range(2):
        s["cut"][seat] = cut[seat]
    first = cut_winner(cut, 2, RANKS)
    s["first"] = s["turn"] = first
    s["owner"][first] = bit(FIRST_PILE)
    s["owner"][1 - first] = bit(SECOND_PILE)
    s["attacked"] = s["attack"] = s["winner"] = -1
    s["piles"][:] = -1


def pack(s):
    """M1: return all fifty-two cards."""
    return (1 << 4 * RANKS) - 1


def cards_dealt(s):
    """M1: return the number of cards laid out, which is all of them."""
    return PILES * DEPTH


def deal(s, deck, log):
    """M1: lay out thirteen piles of four, one after another, the first card of each on top."""
    for seat in range(2):
        emit(log, EV_CUT, seat, s["cut"][seat])
    s["deals"] += 1
    for pile in range(PILES):
        s["left"][pile] = DEPTH
        s["inside"][pile] = 0
        for k in range(DEPTH):
            s["piles"][pile, k] = deck[pile * DEPTH + k]
            s["inside"][pile] |= bit(deck[pile * DEPTH + k])
    emit(log, EV_DEALT, s["first"])
    begin_turn(s)


# The steps of a turn come in a fixed order (M3). Each `offer_…` asks its question, or skips to the next step if
# everyone can see that there is no choice (R5).


def begin_turn(s):
    """M4: a player who passed last turn may first claim a pile."""
    seat = s["turn"]
    s["turns"] += 1
    s["busy"] = 0
    if s["passed"][seat] and claimable(s, seat) != 0:
        s["passed"][seat] = 0
        ask_seat(s, seat, CLAIM)
    else:
        s["passed"][seat] = 0
        ask_seat(s, seat, TURN)


def ask_seat(s, seat, question):
    """Make this seat the only one to owe an answer."""
    s["to_act"] = bit(seat)
    s["question"] = question


def offer_dig(s, seat, log):
    """M6, R5: asked while one of the seat's piles has a card."""
    if diggable(s, seat) != 0:
        ask_seat(s, seat, DIG)
    else:
        offer_grow(s, seat, log)


def offer_grow(s, seat, log):
    """M7, R5: asked while there is a pile to grow onto and a card in hand."""
    if claimable(s, seat) != 0 and s["hand_size"][seat] > 0:
        ask_seat(s, seat, GROW)
    else:
        offer_fight(s, seat, log)


def offer_fight(s, seat, log):
    """M8, R5: asked while there is a pile to fight for and a card in hand; else the turn ends."""
    if attackable(s, seat) != 0 and s["hand_size"][seat] > 0:
        ask_seat(s, seat, FIGHT)
    else:
        end_turn(s, seat, log)


def owned(s, seat):
    """Return the piles under a seat's markers, as bits."""
    return s["owner"][seat]


def unclaimed(s):
    """Return the piles under nobody's marker."""
    return ALL_PILES & ~(s["owner"][0] | s["owner"][1])


def adjacent(piles):
    """Return every pile that touches one of these."""
    return np.int64(ADJACENT[piles])


def claimable(s, seat):
    """M4, M7: return the unclaimed piles next to one of the seat's.

    They are full, because only owners dig and markers never leave.
    """
    return adjacent(owned(s, seat)) & unclaimed(s)


def attackable(s, seat):
    """M8: return the opponent's piles adjacent to one of the seat's."""
    return adjacent(owned(s, seat)) & owned(s, 1 - seat)


def diggable(s, seat):
    """M6: return the seat's piles that have a card left."""
    result, piles = 0, owned(s, seat)
    while piles != 0:
        pile = lowest(piles)
        piles &= piles - 1
        if s["left"][pile] > 0:
            result |= bit(pile)
    return result


def cards_to_dig(s, seat):
    """Return how many cards the seat's piles still hold."""
    return cards_left(s, owned(s, seat))


def cards_left(s, piles):
    """Return how many cards lie in these piles."""
    cards = 0
    while piles != 0:
        cards += s["left"][lowest(piles)]
        piles &= piles - 1
    return cards


def legal(s, seat):
    """Return the legal answers of a seat that owes one, as bits."""
    question = s["question"]
    hand = s["hand"][seat]
    if question == DIG:
        return legal_digs(s, seat)
    if question in (TURN, SPOILS):
        return 0b11  # R5: `spoils` is asked only when there is a card to raid
    if question == CLAIM:
        return claimable(s, seat) | bit(SKIP)
    if question == GROW:
        return hand & suit_cards(HEARTS, RANKS) | bit(NO_CARD)
    if question == GROW_PILE:
        return claimable(s, seat)
    if question == FIGHT:
        return bit(END) | (attackable(s, seat) if hand & suit_cards(CLUBS, RANKS) != 0 else 0)
    if question == FIGHT_CARD:
        return hand & suit_cards(CLUBS, RANKS)
    if question == DEFEND:
        return hand & defences(s) | bit(NO_CARD)
    if question == GIVE:
        return hand
    return diggable(s, seat)  # DIG_FIRST, DIG_SECOND


def legal_digs(s, seat):
    """M6: one of the seat's piles with a card; nothing; or, with two cards left in these piles, a ♠."""
    answers = diggable(s, seat) | bit(SKIP)
    if cards_to_dig(s, seat) >= 2:
        spades = s["hand"][seat] >> SPADES * RANKS & (1 << RANKS) - 1
        answers |= spades << PILES + 1
    return answers


def defences(s):
    """M8: return every card that defends against the attacking ♣: a ♥ of its rank or higher, ace high, or a ♣."""
    rank = s["attack"] % RANKS
    enough = 1  # the ace, which is high
    if rank != 0:
        enough |= (1 << RANKS) - (1 << rank)
    clubs = enough if s["defence"] == RANKED else (1 << RANKS) - 1
    return enough << HEARTS * RANKS | clubs << CLUBS * RANKS


def step(s, seat, answer, log):
    """Apply a legal answer and everything that automatically follows."""
    question = s["question"]
    s["to_act"] = 0
    if question == CLAIM:
        if answer != SKIP:
            place_marker(s, seat, answer)
            emit(log, EV_CLAIMED, seat, answer)
        ask_seat(s, seat, TURN)
    elif question == TURN:
        take_turn(s, seat, answer, log)
    elif question == DIG:
        dig(s, seat, answer, log)
    elif question == DIG_FIRST:
        if draw(s, seat, answer, log):
            ask_seat(s, seat, DIG_SECOND)
    elif question == DIG_SECOND:
        if draw(s, seat, answer, log):
            offer_grow(s, seat, log)
    elif question == GROW:
        grow(s, seat, answer, log)
    elif question == GROW_PILE:
        place_marker(s, seat, answer)
        emit(log, EV_GREW, seat, answer)
        offer_fight(s, seat, log)
    elif question == FIGHT:
        fight(s, seat, answer, log)
    elif question == FIGHT_CARD:
        attack(s, seat, answer, log)
    elif question == DEFEND:
        defend(s, seat, answer, log)
    elif question == SPOILS:
        take_spoils(s, seat, answer, log)
    else:
        give(s, seat, answer, log)


def take_turn(s, seat, go, log):
    """M5: pass, which ends the turn, or go on to dig."""
    if go:
        offer_dig(s, seat, log)
    else:
        s["passed"][seat] = 1
        emit(log, EV_PASSED, seat)
        end_turn(s, seat, log)


def dig(s, seat, answer, log):
    """M6: dig one card from one of the seat's piles, or two for a ♠, or none."""
    if answer < SKIP:
        if draw(s, seat, answer, log):
            offer_grow(s, seat, log)
    elif answer == SKIP:
        offer_grow(s, seat, log)
    else:
        discard(s, seat, SPADES * RANKS + answer - SKIP - 1, log)
        ask_seat(s, seat, DIG_FIRST)


def grow(s, seat, answer, log):
    """M7: discard a ♥ to mark a pile, or not."""
    if answer == NO_CARD:
        offer_fight(s, seat, log)
    else:
        discard(s, seat, answer, log)
        ask_seat(s, seat, GROW_PILE)


def fight(s, seat, answer, log):
    """M8: name a pile, or end the turn."""
    if answer == END:
        end_turn(s, seat, log)
    else:
        s["attacked"] = answer
        emit(log, EV_ATTACKED, seat, answer)
        ask_seat(s, seat, FIGHT_CARD)


def attack(s, seat, card, log):
    """M8, R5: discard the attacking ♣; the opponent may defend, and is asked while holding any card."""
    discard(s, seat, card, log)
    s["attack"] = card
    if s["hand_size"][1 - seat] > 0:
        ask_seat(s, 1 - seat, DEFEND)
    else:
        emit(log, EV_DECLINED, 1 - seat)
        offer_spoils(s, seat, log)


def defend(s, seat, answer, log):
    """M8, M9: after a successful defence the attacker may fight again; without one the defender loses the pile or a card."""
    attacker = 1 - seat
    if answer == NO_CARD:
        emit(log, EV_DECLINED, seat)
        offer_spoils(s, attacker, log)
    else:
        lose_card(s, seat, answer)
        s["discards"] |= bit(answer)
        emit(log, EV_DEFENDED, seat, answer)
        s["attacked"] = s["attack"] = -1
        offer_fight(s, attacker, log)


def offer_spoils(s, seat, log):
    """M9, R5: conquer or raid; with nothing to raid, the pile is conquered."""
    if s["hand_size"][1 - seat] > 0:
        ask_seat(s, seat, SPOILS)
    else:
        take_spoils(s, seat, 0, log)


def take_spoils(s, seat, raid, log):
    """M9: replace the marker, or have the opponent choose a card to hand over; then the turn ends."""
    if raid:
        emit(log, EV_RAIDED, seat)
        ask_seat(s, 1 - seat, GIVE)
    else:
        place_marker(s, seat, s["attacked"])
        emit(log, EV_CONQUERED, seat, s["attacked"])
        end_turn(s, seat, log)


def give(s, seat, card, log):
    """M2, M9, M13: hand over a card, which both players know from then on."""
    raider = 1 - seat
    lose_card(s, seat, card)
    s["hand"][raider] |= bit(card)
    s["hand_size"][raider] += 1
    s["known"][seat] |= bit(card)
    emit(log, EV_GAVE, seat, raider, card)
    end_turn(s, raider, log)


def place_marker(s, seat, pile):
    """Put a seat's marker on a pile. Markers do not run out (M2)."""
    s["owner"][seat] |= bit(pile)
    s["owner"][1 - seat] &= ~bit(pile)
    s["busy"] = 1


def draw(s, seat, pile, log):
    """M2, M10: the pile is public, the card is not. Return whether the game continues: the seventh ♦ ends it immediately."""
    top = DEPTH - s["left"][pile]
    card = s["piles"][pile, top]
    s["piles"][pile, top] = -1
    s["inside"][pile] ^= bit(card)
    s["left"][pile] -= 1
    s["hand"][seat] |= bit(card)
    s["hand_size"][seat] += 1
    s["busy"] = 1
    emit(log, EV_DUG, seat, pile, card)
    if diamonds(s, seat) >= DIAMONDS_TO_WIN:
        finish(s, seat, log)
    return s["over"] == 0


def discard(s, seat, card, log):
    """M2: discards are public."""
    lose_card(s, seat, card)
    s["discards"] |= bit(card)
    emit(log, EV_DISCARDED, seat, card)


def lose_card(s, seat, card):
    """Remove a card from a hand, and from what the other seat knows of that hand."""
    s["hand"][seat] ^= bit(card)
    s["hand_size"][seat] -= 1
    s["known"][1 - seat] &= ~bit(card)
    s["busy"] = 1


def end_turn(s, seat, log):
    """M10, M12: check whether the game has ended; if not, it is the other player's turn."""
    s["attacked"] = s["attack"] = -1
    s["idle"] = 0 if s["busy"] else s["idle"] + 1
    if wins(s, seat):
        finish(s, seat, log)
    elif wins(s, 1 - seat):
        finish(s, 1 - seat, log)
    elif s["idle"] == MAX_IDLE_TURNS:
        s["over"] = 1
        s["ending"] = BY_IDLING
        mine, theirs = diamonds(s, seat), diamonds(s, 1 - seat)
        if mine != theirs:
            s["winner"] = seat if mine > theirs else 1 - seat
        emit(log, EV_IDLE)
    else:
        s["turn"] = 1 - seat
        begin_turn(s)


def wins(s, seat):
    """M10: return whether a seat wins: it has seven ♦ in hand, or its opponent can no longer get seven."""
    return diamonds(s, seat) >= DIAMONDS_TO_WIN or barred(s, 1 - seat)


def finish(s, seat, log):
    """M10: record the winner and the ending."""
    s["over"] = 1
    s["winner"] = seat
    if diamonds(s, seat) >= DIAMONDS_TO_WIN:
        s["ending"] = BY_SEVEN
        emit(log, EV_SEVEN, seat, diamonds(s, seat))
    else:
        s["ending"] = BY_BARRING
        emit(log, EV_BARRED, seat, 1 - seat)


def diamonds(s, seat):
    """Return how many ♦ a seat holds."""
    return count(s["hand"][seat] & suit_cards(DIAMONDS, RANKS))


def barred(s, seat):
    """M11: return whether seven ♦ have become impossible, even if both sides help as much as the rules allow."""
    own_piles = owned(s, seat)
    if own_piles == 0:
        return True
    if s["impossible"] == BY_WHAT_IS_SEEN:
        return barred_as_seen(s, seat, own_piles | reachable_free(own_piles, unclaimed(s)))
    if s["hand"][seat] & suit_cards(CLUBS, RANKS) != 0:
        return False
    reachable = cards_in(s, own_piles | reachable_free(own_piles, unclaimed(s)))
    if reachable & suit_cards(CLUBS, RANKS) != 0:
        return False
    return diamonds(s, seat) + count(reachable & suit_cards(DIAMONDS, RANKS)) < DIAMONDS_TO_WIN


def barred_as_seen(s, seat, reach):
    """M11: return the same, judged by what both players know: discards, cards handed over, hidden cards by place."""
    own = s["known"][1 - seat]
    unseen = pack(s) & ~(s["discards"] | s["known"][0] | s["known"][1])
    hidden = s["hand_size"][seat] - count(own) + cards_left(s, reach)
    if (own | (unseen if hidden > 0 else 0)) & suit_cards(CLUBS, RANKS) != 0:
        return False
    unseen_diamonds = count(unseen & suit_cards(DIAMONDS, RANKS))
    return count(own & suit_cards(DIAMONDS, RANKS)) + min(hidden, unseen_diamonds) < DIAMONDS_TO_WIN


def reachable_free(start, free):
    """M11: return the free piles that can be reached from adjacent ones through free piles."""
    reached = 0
    frontier = adjacent(start) & free
    while frontier != 0:
        reached |= frontier
        frontier = adjacent(frontier) & free & ~reached
    return reached


def cards_in(s, piles):
    """Return all cards left in these piles."""
    cards = 0
    while piles != 0:
        cards |= s["inside"][lowest(piles)]
        piles &= piles - 1
    return cards


def score(s, seat):
    """Return the number of ♦ in hand."""
    return diamonds(s, seat)


def team(s, seat):
    """Return the seat: everyone plays alone."""
    return seat


def seats_ahead(s, seat):
    """Return how many seats did better: none for the winner, and none for either seat in a draw (M12)."""
    return 1 if s["winner"] == 1 - seat else 0


ENDINGS: dict[str, tuple[str, ...]] = {"seven": (), "barred": (), "barred_as_seen": (), "idle": (), "draw": ()}
EN_SEVEN, EN_BARRED, EN_BARRED_AS_SEEN, EN_IDLE, EN_DRAW = range(len(ENDINGS))
FACTS: dict[str, tuple[str, ...]] = {
    "no_pile": ("loser",),
    "within": ("loser", "held", "within"),
    "as_seen": ("loser",),
}
FA_NO_PILE, FA_WITHIN, FA_AS_SEEN = range(len(FACTS))


def ending(s, values):
    """M10, M11, M12: how the game ended."""
    if s["ending"] == BY_SEVEN:
        return EN_SEVEN
    if s["ending"] == BY_BARRING:
        return EN_BARRED_AS_SEEN if s["impossible"] == BY_WHAT_IS_SEEN else EN_BARRED
    return EN_DRAW if s["winner"] < 0 else EN_IDLE


def facts(s, values):
    """M11: return why a player was barred: the index in `FACTS`, and the piles as bits; −1 for other endings."""
    if s["ending"] != BY_BARRING:
        return -1, 0
    loser = 1 - s["winner"]
    own_piles = owned(s, loser)
    values[0] = loser
    if own_piles == 0:
        return FA_NO_PILE, 0
    reachable = own_piles | reachable_free(own_piles, unclaimed(s))
    if s["impossible"] == BY_WHAT_IS_SEEN:
        return FA_AS_SEEN, reachable
    values[1], values[2] = diamonds(s, loser), count(cards_in(s, reachable) & suit_cards(DIAMONDS, RANKS))
    return FA_WITHIN, reachable


def illegal_reason(s, seat, answer):
    """Return the number of the reason why an answer is not legal; no reason has a value."""
    question = s["question"]
    if question in (CLAIM, GROW_PILE):
        return IR_UNCLAIMED, -1
    if question in (DIG_FIRST, DIG_SECOND) or (question == DIG and answer < SKIP):
        return IR_OWN_PILE, -1
    if question == FIGHT:
        return IR_NO_CLUB if s["hand"][seat] & suit_cards(CLUBS, RANKS) == 0 else IR_THEIR_PILE, -1
    card = SPADES * RANKS + answer - SKIP - 1 if question == DIG else answer
    if s["hand"][seat] & bit(card) == 0:
        if question == DIG:
            return IR_CARD_TO_DIG, -1
        if question == GROW:
            return IR_CARD_TO_GROW, -1
        return IR_CARD_TO_GIVE if question == GIVE else IR_CARD_TO_FIGHT, -1
    if question == DIG:
        return IR_TWO_CARDS, -1
    if question == GROW:
        return IR_HEART, -1
    if question == FIGHT_CARD:
        return IR_CLUB, -1
    return IR_DEFENCE_RANKED if s["defence"] == RANKED else IR_DEFENCE, -1


def referee_counts(s):
    """Return counts that an outside referee checks."""
    return {
        "owner": [next((seat for seat in range(2) if owned(s, seat) & bit(pile)), None) for pile in range(PILES)],
        "left": s["left"].tolist(),
        "hand_sizes": s["hand_size"][:2].tolist(),
        "diamonds": [int(diamonds(s, seat)) for seat in range(2)],
    }


def deal_packets(s, packets):
    """Write the cards of each pile right after the deal, top card first; return who begins and the size."""
    size = 0
    for pile in range(PILES):
        for place in range(DEPTH):
            packets[size] = s["piles"][pile, place]
            size += 1
        packets[size] = -1
        size += 1
    return s["first"], size
