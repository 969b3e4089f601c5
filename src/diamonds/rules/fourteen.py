"""Fourteen: Diamonds to forty, where a card that makes fourteen with the last one changes the suit (rules F1–F12)."""

from diamonds.cards import DIAMONDS, SHORT_PACK_RANKS, bit, cut_winner, pack_names, suit_cards, write_packet
from diamonds.events import EventField, EventKind, IllegalReason, emit
from diamonds.fields import (
    CARD,
    CARDS,
    COMMON_FIELDS,
    FLAG,
    NOBODY,
    NUMBER,
    OWNER,
    PUBLIC,
    SEAT,
    SUIT,
    SUITS,
    TRICK,
    Field,
    Option,
    Question,
    seat_to_left,
)
from diamonds.fields import (
    MAX_SEATS as MOST_SEATS,
)

NAME = "fourteen"
VERSION = 1  # of these rules; see CONTRIBUTING.md before raising it
RANKS = SHORT_PACK_RANKS  # F1: ace low, king high
SEATS = (3, 4, 5, 6)
DEFAULT_SEATS = 4
TYPICAL_DECISIONS = {
    3: 115,
    4: 115,
    5: 115,
    6: 115,
}  # one player's decisions in a usual game of `simple` bots; a run of questions counts once

LAST, LAST_TWO = 0, 1
POINTS, BID, TRICKS = 0, 1, 2
ALOUD, SEALED = 0, 1
MAX_HANDS = 500  # F12

# fmt: off
OPTIONS = (
    Option("match", ("last", "last_two"), "last", "F9"),
    Option("scoring", ("diamonds", "bid", "tricks"), "diamonds", "F10, F11"),
    Option("bids", ("aloud", "sealed"), "aloud", "F10", needs=("scoring", "bid")),
    Option("target", range(5, 201), 40, "F8, F12", default_from=("scoring", {"bid": 30, "tricks": 30})),
)
# fmt: on

# fmt: off
FIELDS = (
    *COMMON_FIELDS,
    Field("match", NUMBER, PUBLIC, "option: 0 if only the last card may make fourteen, 1 for the last two"),
    Field("scoring", NUMBER, PUBLIC, "option: 0 for ♦ taken, 1 for bids, 2 for tricks"),
    Field("bids", FLAG, PUBLIC, "option: whether bids are sealed"),
    Field("target", NUMBER, PUBLIC, "option: the total that ends the game"),
    Field("cut", CARD, PUBLIC, "the card each seat cut for the first deal", (MOST_SEATS,)),
    Field("dealer", SEAT, PUBLIC, "the dealer of this hand"),
    Field("hand", CARDS, OWNER, "cards in hand", (MOST_SEATS,)),
    Field("aside", CARDS, NOBODY, "cards set aside unseen"),
    Field("bid", NUMBER, OWNER, "♦ each seat has promised to take this hand", (MOST_SEATS,), revealed_by="bids_open"),
    Field("bids_open", FLAG, PUBLIC, "whether the bids of this hand are known to all"),
    Field("leader", SEAT, PUBLIC, "the leader of the trick on the table"),
    Field("suit", SUIT, PUBLIC, "the current suit"),
    Field("turned", NUMBER, PUBLIC, "how often fourteen was made in this trick"),
    Field("trick", TRICK, PUBLIC, "the cards of the trick on the table, in the order they were played", (MOST_SEATS,)),
    Field("trick_size", NUMBER, PUBLIC, "the number of cards in the trick"),
    Field("last_trick", TRICK, PUBLIC, "the cards of the previous trick", (MOST_SEATS,)),
    Field("last_leader", SEAT, PUBLIC, "the leader of the previous trick"),
    Field("last_winner", SEAT, PUBLIC, "the winner of the previous trick"),
    Field("played", CARDS, PUBLIC, "cards each seat has played this hand", (MOST_SEATS,)),
    Field("void", SUITS, PUBLIC, "suits in which each seat is known to be void", (MOST_SEATS,)),
    Field("taken", NUMBER, PUBLIC, "♦ each seat has taken this hand", (MOST_SEATS,)),
    Field("tricks", NUMBER, PUBLIC, "tricks each seat has won this hand", (MOST_SEATS,)),
    Field("totals", NUMBER, PUBLIC, "points each seat has scored, written at the end of a hand or of the game", (MOST_SEATS,)),
)
# fmt: on

BIDDING, PLAY = 0, 1
# fmt: off
QUESTIONS = (
    Question("bid", tuple(range(14))),
    Question("play", pack_names(RANKS)),
)
# fmt: on

# fmt: off
EVENTS = (
    EventKind("cut", (EventField("seat", SEAT), EventField("card", CARD))),
    EventKind("dealt", (EventField("dealer", SEAT), EventField("hand", NUMBER))),
    EventKind("bid", (EventField("seat", SEAT), EventField("number", NUMBER))),
    EventKind("sealed", (EventField("seat", SEAT),)),
    EventKind("played", (EventField("seat", SEAT), EventField("card", CARD))),
    EventKind("turned", (EventField("seat", SEAT), EventField("suit", SUIT))),
    EventKind("stayed", (EventField("seat", SEAT), EventField("suit", SUIT))),
    EventKind("trick", (EventField("seat", SEAT), EventField("diamonds", NUMBER))),
    EventKind("scored", (EventField("seat", SEAT), EventField("points", NUMBER), EventField("total", NUMBER))),
    EventKind("again", ()),
)
# fmt: on
EV_CUT, EV_DEALT, EV_BID, EV_SEALED, EV_PLAYED, EV_TURNED, EV_STAYED, EV_TRICK, EV_SCORED, EV_AGAIN = range(len(EVENTS))

SCORE_PAD_FIELDS = ("dealer", "bid", "taken", "tricks", "totals")

ILLEGAL_REASONS = (
    IllegalReason("in_hand", "F5"),
    IllegalReason("follow_or_last", "F5", EventField("suit", SUIT)),
    IllegalReason("follow_or_last_two", "F5, F9", EventField("suit", SUIT)),
)
IR_CARD, IR_FOLLOW_OR_LAST, IR_FOLLOW_OR_LAST_TWO = range(len(ILLEGAL_REASONS))


def start(s, cut):
    """F2: each seat cuts a card and the highest will deal. Options are already in the row."""
    for seat in range(s["seats"]):
        s["cut"][seat] = cut[seat]
    first = cut_winner(cut, s["seats"], RANKS)
    s["dealer"] = seat_to_left(first, s["seats"] - 1, s["seats"])  # `deal` moves the dealer one seat to the left
    s["leader"] = s["suit"] = s["last_leader"] = s["last_winner"] = -1
    s["bid"][:] = -1
    s["last_trick"][:] = -1
    s["trick"][:] = -1


def pack(s):
    """F1: return all fifty-two cards."""
    return (1 << 4 * RANKS) - 1


def cards_dealt(s):
    """F3: return the largest number of cards that gives every seat the same number."""
    return 4 * RANKS // s["seats"] * s["seats"]


def deal(s, deck, log):
    """F2, F3: the next dealer deals the pack evenly, one card at a time from the left, and sets the rest aside."""
    seats = s["seats"]
    if s["deals"] == 0:
        for seat in range(seats):
            emit(log, EV_CUT, seat, s["cut"][seat])
    s["deals"] += 1
    s["dealer"] = seat_to_left(s["dealer"], 1, seats)
    for seat in range(seats):
        s["hand"][seat] = s["played"][seat] = s["void"][seat] = s["taken"][seat] = s["tricks"][seat] = 0
        s["bid"][seat] = -1
    s["aside"] = pack(s)
    seat = s["dealer"]
    for k in range(cards_dealt(s)):
        seat = seat_to_left(seat, 1, seats)
        s["hand"][seat] |= bit(deck[k])
        s["aside"] ^= bit(deck[k])
    s["suit"] = s["last_leader"] = s["last_winner"] = -1
    s["last_trick"][:] = -1
    s["trick"][:] = -1
    s["trick_size"] = s["turned"] = 0
    s["leader"] = s["dealer"]  # F4
    emit(log, EV_DEALT, s["dealer"], s["deals"])
    s["bids_open"] = 0
    if s["scoring"] != BID:
        ask_seat(s, s["dealer"], PLAY)
    elif s["bids"] == SEALED:
        s["to_act"] = (1 << seats) - 1  # F10: all choose simultaneously
        s["question"] = BIDDING
    else:
        s["bids_open"] = 1
        ask_seat(s, seat_to_left(s["dealer"], 1, seats), BIDDING)


def ask_seat(s, seat, question):
    """Make this seat the only one to owe an answer."""
    s["to_act"] = bit(seat)
    s["question"] = question


def legal(s, seat):
    """F5: a card of the current suit or one that makes fourteen; any card without the suit. F10: any bid."""
    if s["question"] == BIDDING:
        return (1 << 14) - 1
    hand = s["hand"][seat]
    if s["trick_size"] == 0:
        return hand
    following = hand & suit_cards(s["suit"], RANKS)
    if following == 0:
        return hand
    return following | hand & making_fourteen(s)


def making_fourteen(s):
    """F5, F9: return all cards that make fourteen with the card just played, or with either of the last two."""
    size = s["trick_size"]
    found = partners(s["trick"][size - 1])
    if s["match"] == LAST_TWO and size > 1:
        found |= partners(s["trick"][size - 2])
    return found


def partners(card):
    """F5: return the four cards that add up to fourteen with this one: A+K, 2+Q, 3+J, 4+10, 5+9, 6+8, 7+7."""
    rank = 12 - card % RANKS  # ranks counted from 0 add up to twelve
    return (1 | 1 << RANKS | 1 << 2 * RANKS | 1 << 3 * RANKS) << rank


def step(s, seat, answer, log):
    """Apply a legal answer and everything that automatically follows."""
    if s["question"] == BIDDING:
        make_bid(s, seat, answer, log)
    else:
        play(s, seat, answer, log)


def make_bid(s, seat, number, log):
    """F10: bid openly, from the dealer's left round to the dealer, or sealed until the last seat has chosen."""
    s["bid"][seat] = number
    s["to_act"] ^= bit(seat)
    if s["bids"] == ALOUD:
        emit(log, EV_BID, seat, number)
        if seat != s["dealer"]:
            ask_seat(s, seat_to_left(seat, 1, s["seats"]), BIDDING)
    else:
        emit(log, EV_SEALED, seat)
        if s["to_act"] == 0:
            s["bids_open"] = 1
            for k in range(1, s["seats"] + 1):
                other = seat_to_left(s["dealer"], k, s["seats"])
                emit(log, EV_BID, other, s["bid"][other])
    if s["to_act"] == 0:
        ask_seat(s, s["dealer"], PLAY)  # F4


def play(s, seat, card, log):
    """F5, F6: lay a card; if it makes fourteen, its suit becomes the current suit."""
    suit, size = card // RANKS, s["trick_size"]
    emit(log, EV_PLAYED, seat, card)
    if size == 0:
        s["suit"] = suit
    elif making_fourteen(s) & bit(card):
        emit(log, EV_STAYED if suit == s["suit"] else EV_TURNED, seat, suit)
        s["suit"] = suit
        s["turned"] += 1
    elif suit != s["suit"]:
        s["void"][seat] |= 1 << s["suit"]  # a card that makes fourteen proves nothing (F5)
    s["hand"][seat] ^= bit(card)
    s["played"][seat] |= bit(card)
    s["trick"][size] = card
    s["trick_size"] = size + 1
    if size + 1 < s["seats"]:
        ask_seat(s, seat_to_left(seat, 1, s["seats"]), PLAY)
        return
    win_trick(s, log)
    if s["hand"][s["leader"]] == 0 or has_won_by_tricks(s, s["leader"]):
        end_hand(s, log)
    else:
        ask_seat(s, s["leader"], PLAY)


def win_trick(s, log):
    """F4, F7: the highest card of the final suit takes the trick, whenever it was played, and its player leads."""
    best, diamonds = -1, 0
    for k in range(s["seats"]):
        card = s["trick"][k]
        if card // RANKS == DIAMONDS:
            diamonds += 1
        if card // RANKS == s["suit"] and (best < 0 or card > s["trick"][best]):
            best = k
        s["last_trick"][k] = card
    winner = seat_to_left(s["leader"], best, s["seats"])
    s["trick"][:] = -1
    s["taken"][winner] += diamonds
    s["tricks"][winner] += 1
    s["last_leader"] = s["leader"]
    s["leader"] = s["last_winner"] = winner
    s["trick_size"] = s["turned"] = 0
    s["suit"] = -1
    emit(log, EV_TRICK, winner, diamonds)


def has_won_by_tricks(s, seat):
    """F11: return whether the trick just taken reaches the target; nobody else can have reached it."""
    return s["scoring"] == TRICKS and s["totals"][seat] + s["tricks"][seat] >= s["target"]


def end_hand(s, log):
    """F8, F11, F12: score the hand; at the target, or after the last hand, the highest total wins.

    A shared highest total means another hand, except after the last.
    """
    s["to_act"] = 0
    best, leaders = -1, 0
    for seat in range(s["seats"]):
        points = hand_points(s, seat)
        s["totals"][seat] += points
        emit(log, EV_SCORED, seat, points, s["totals"][seat])
        if s["totals"][seat] > best:
            best, leaders = s["totals"][seat], 1
        elif s["totals"][seat] == best:
            leaders += 1
    if s["deals"] >= MAX_HANDS or (best >= s["target"] and leaders == 1):
        s["over"] = 1
    elif best >= s["target"]:
        emit(log, EV_AGAIN)


def hand_points(s, seat):
    """F8, F10, F11: ♦ taken, or the bid if it was kept, or tricks."""
    if s["scoring"] == BID:
        return s["bid"][seat] if s["taken"][seat] >= s["bid"][seat] else 0
    return s["tricks"][seat] if s["scoring"] == TRICKS else s["taken"][seat]


def score(s, seat):
    """F8: return the total of the scored hands."""
    return s["totals"][seat]


def team(s, seat):
    """Return the seat: everyone plays alone."""
    return seat


def seats_ahead(s, seat):
    """F8: return the number of seats with a higher total."""
    better = 0
    for other in range(s["seats"]):
        if s["totals"][other] > s["totals"][seat]:
            better += 1
    return better


ENDINGS = {"target": ("points", "target"), "last_hand": ("hands",)}
EN_TARGET, EN_LAST_HAND = range(len(ENDINGS))


def ending(s, values):
    """F8, F12: how the game ended."""
    best, winners = 0, 0
    for seat in range(s["seats"]):
        if seats_ahead(s, seat) == 0:
            best = s["totals"][seat]
            winners += 1
    if winners > 1 or best < s["target"]:
        values[0] = MAX_HANDS
        return EN_LAST_HAND
    values[0], values[1] = best, s["target"]
    return EN_TARGET


def illegal_reason(s, seat, answer):
    """Return the number of the reason why a card may not be played, and the suit to follow.

    Every bid is legal (F10).
    """
    if s["hand"][seat] & bit(answer) == 0:
        return IR_CARD, -1
    return IR_FOLLOW_OR_LAST_TWO if s["match"] == LAST_TWO else IR_FOLLOW_OR_LAST, s["suit"]


def referee_counts(s):
    """Return counts that an outside referee checks."""
    seats = int(s["seats"])
    return {
        "totals": s["totals"][:seats].tolist(),
        "taken": s["taken"][:seats].tolist(),
        "tricks": s["tricks"][:seats].tolist(),
        "bids": [None if bid < 0 else bid for bid in s["bid"][:seats].tolist()],
        "suit": None if s["suit"] < 0 else "DHSC"[s["suit"]],
    }


def deal_packets(s, packets):
    """Write each seat's cards right after a deal; return the dealer and the size."""
    size = 0
    for seat in range(s["seats"]):
        size = write_packet(packets, size, s["hand"][seat])
    return s["dealer"], size
