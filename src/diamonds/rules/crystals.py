"""Crystals: the Diamonds of suit actions, vaults and showrooms, for 2 to 6 players (rules C1–C26).

Teams: a team is named by its lowest seat, and its crystals and cards taken are kept in that seat's entries. Without
`partnership` every seat is a team of its own, so the rules below speak of teams throughout.
"""

from diamonds.cards import (
    CLUBS,
    DIAMONDS,
    HEARTS,
    LONG_PACK_RANKS,
    SPADES,
    bit,
    count,
    cut_winner,
    highest,
    lowest,
    pack_names,
    suit_cards,
    write_packet,
)
from diamonds.events import EventExpiry, EventField, EventKind, IllegalReason, emit
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
    TEAM,
    TRICK,
    Field,
    Option,
    Question,
    seat_to_left,
)
from diamonds.fields import (
    MAX_SEATS as MOST_SEATS,
)

NAME = "crystals"
VERSION = 1  # of these rules; see CONTRIBUTING.md before raising it
RANKS = LONG_PACK_RANKS  # C1
SEATS = (2, 3, 4, 5, 6)
DEFAULT_SEATS = 4
TYPICAL_DECISIONS = {
    2: 42,
    3: 65,
    4: 43,
    5: 54,
    6: 66,
}  # one player's decisions in a usual game of `simple` bots; a run of questions counts once
TOTAL_CRYSTALS = 235  # C2: 110 ones and 25 fives
SHOWROOM_START = 3  # C2
LEFT, ROTATING = 0, 1  # C9

# fmt: off
OPTIONS = (
    Option("rounds", range(1, 13), 4, "C5", default_from=("seats", {2: 4, 3: 6, 4: 4, 5: 5, 6: 6})),
    Option("two_cards", (False, True), True, "C22", seats=(2,)),
    Option("partnership", (False, True), False, "C23", seats=(4, 6)),
    Option("pass_to", ("left", "rotating"), "left", "C9", seats=(3, 4, 5, 6), needs=("partnership", False)),
    Option("perfect", (False, True), False, "C24", seats=(2, 3, 4, 5)),
    Option("thief", (False, True), False, "C25"),
    Option("team_start", (6, 3), 6, "C26", needs=("partnership", True)),
    Option("open_vaults", (False, True), False, "C4"),
    Option("memory_aid", (False, True), True, "C14"),
)
# fmt: on

# fmt: off
FIELDS = (
    *COMMON_FIELDS,
    Field("rounds", NUMBER, PUBLIC, "option: how many rounds the game has"),
    Field("two_cards", FLAG, PUBLIC, "option: two cards per player in each trick"),
    Field("partnership", FLAG, PUBLIC, "option: partners"),
    Field("pass_to", NUMBER, PUBLIC, "option: 0 passes to the left neighbour, 1 one seat further each round"),
    Field("perfect", FLAG, PUBLIC, "option: every card is in play"),
    Field("thief", FLAG, PUBLIC, "option: play with the thief"),
    Field("team_start", NUMBER, PUBLIC, "option: crystals that a team starts with"),
    Field("open_vaults", FLAG, PUBLIC, "vaults are open: by option, or because the game has ended"),
    Field("memory_aid", FLAG, PUBLIC, "option: the table counts cards taken, and shows tricks older than the last"),
    Field("cut", CARD, PUBLIC, "the card each seat cut for the first deal", (MOST_SEATS,)),
    Field("round", NUMBER, PUBLIC, "the number of the round, from 1"),
    Field("dealer", SEAT, PUBLIC, "the dealer of this round"),
    Field("passing", NUMBER, PUBLIC, "the number of cards that everyone passes this round; 0 until the dealer has chosen"),
    Field("passes_to", SEAT, PUBLIC, "the seat that gets each seat's cards this round", (MOST_SEATS,)),
    Field("hand", CARDS, OWNER, "cards in hand", (MOST_SEATS,)),
    Field("aside", CARDS, NOBODY, "cards set aside unseen"),
    Field("chosen", CARDS, OWNER, "cards in hand that the seat has chosen to pass", (MOST_SEATS,)),
    Field("given", CARDS, OWNER, "cards this seat has passed on this round", (MOST_SEATS,)),
    Field("received", CARDS, OWNER, "cards this seat was passed this round", (MOST_SEATS,)),
    Field("leader", SEAT, PUBLIC, "the leader of the trick on the table"),
    Field("led", SUIT, PUBLIC, "the suit led"),
    Field("trick", TRICK, PUBLIC, "the cards of the trick on the table, in the order they were played", (MOST_SEATS,)),
    Field("trick_size", NUMBER, PUBLIC, "the number of cards in the trick"),
    Field("last_trick", TRICK, PUBLIC, "the cards of the previous trick", (MOST_SEATS,)),
    Field("last_leader", SEAT, PUBLIC, "the leader of the previous trick"),
    Field("last_winner", SEAT, PUBLIC, "the winner of the previous trick"),
    Field("played", CARDS, NOBODY, "cards each seat has played this round", (MOST_SEATS,), revealed_by="memory_aid", perfect_recall=True),
    Field("void", SUITS, NOBODY, "suits in which each seat is known to be void", (MOST_SEATS,), revealed_by="memory_aid", perfect_recall=True),
    Field("tricks", NUMBER, PUBLIC, "tricks each seat has won this round", (MOST_SEATS,)),
    Field("taken", NUMBER, NOBODY, "cards of each suit that each team has taken this round", (MOST_SEATS, 4),
          revealed_by="memory_aid", perfect_recall=True, per_team=True),
    Field("supply", NUMBER, PUBLIC, "points in the Supply"),
    Field("vault", NUMBER, TEAM, "points put away for good", (MOST_SEATS,), revealed_by="open_vaults", perfect_recall=True, per_team=True),
    Field("showroom", NUMBER, PUBLIC, "points on show", (MOST_SEATS,), per_team=True),
    Field("thief_at", SEAT, PUBLIC, "the seat with the thief"),
    Field("taker", SEAT, PUBLIC, "the seat choosing a victim"),
    Field("stage", NUMBER, PUBLIC, "what follows automatically: see the stages below"),
)
# fmt: on

COUNT, PASS, PLAY, VICTIM = 0, 1, 2, 3
# fmt: off
QUESTIONS = (
    Question("count", (0, 1, 2, 3)),
    Question("pass", pack_names(RANKS), silent=pack_names(RANKS), follow_up="pass"),  # all except the last
    Question("play", pack_names(RANKS)),
    Question("victim", tuple(range(MOST_SEATS))),
)
# fmt: on

# fmt: off
EVENTS = (
    EventKind("cut", (EventField("seat", SEAT), EventField("card", CARD))),
    EventKind("dealt", (EventField("dealer", SEAT), EventField("round", NUMBER))),
    EventKind("count", (EventField("seat", SEAT), EventField("number", NUMBER))),
    EventKind("chosen", (EventField("seat", SEAT),)),
    EventKind("passed", (EventField("seat", SEAT), EventField("to", SEAT), EventField("number", NUMBER), EventField("cards", CARDS, ("seat", "to")))),
    EventKind("played", (EventField("seat", SEAT), EventField("card", CARD))),
    EventKind("diamond", (EventField("seat", SEAT), EventField("moved", NUMBER))),
    EventKind("heart", (EventField("seat", SEAT), EventField("moved", NUMBER))),
    EventKind("spade", (EventField("seat", SEAT), EventField("moved", NUMBER))),
    EventKind("club", (EventField("seat", SEAT), EventField("moved", NUMBER), EventField("victim", SEAT))),
    EventKind("nothing", (EventField("seat", SEAT), EventField("suit", SUIT))),
    EventKind("trick", (EventField("seat", SEAT), EventField("suit", SUIT))),
    EventKind("most", (EventField("seat", SEAT), EventField("suit", SUIT), EventField("number", NUMBER))),
    EventKind("tie", (EventField("suit", SUIT),)),
    EventKind("no_trick", (EventField("seat", SEAT),)),
    EventKind("thief", (EventField("seat", SEAT),)),
    EventKind("score", (EventField("seat", SEAT), EventField("vault", NUMBER), EventField("showroom", NUMBER), EventField("score", NUMBER))),
)
# fmt: on
(
    EV_CUT,
    EV_DEALT,
    EV_COUNT,
    EV_CHOSEN,
    EV_PASSED,
    EV_PLAYED,
    EV_DIAMOND,
    EV_HEART,
    EV_SPADE,
    EV_CLUB,
    EV_NOTHING,
    EV_TRICK,
    EV_MOST,
    EV_TIE,
    EV_NO_TRICK,
    EV_THIEF,
    EV_SCORE,
) = range(len(EVENTS))  # fmt: skip

# fmt: off
ILLEGAL_REASONS = (
    IllegalReason("count", "C8"),
    IllegalReason("no_seat", "C18", EventField("number", NUMBER)),
    IllegalReason("own_showroom", "C18"),
    IllegalReason("lowest_seat", "C23", EventField("number", NUMBER)),
    IllegalReason("nothing_on_show", "C18"),
    IllegalReason("in_hand", "C9"),
    IllegalReason("in_hand", "C11"),
    IllegalReason("chosen_already", "C9"),
    IllegalReason("in_order", "C9"),
    IllegalReason("follow", "C12", EventField("suit", SUIT)),
)
# fmt: on
(
    IR_COUNT,
    IR_NO_SEAT,
    IR_OWN_SHOWROOM,
    IR_LOWEST_SEAT,
    IR_NOTHING_ON_SHOW,
    IR_CARD_TO_PASS,
    IR_CARD_TO_PLAY,
    IR_CHOSEN,
    IR_ORDER,
    IR_FOLLOW,
) = range(len(ILLEGAL_REASONS))  # fmt: skip

SCORE_PAD_FIELDS = ("dealer", "passing", "tricks", "taken", "vault", "showroom")  # closed Vaults stay hidden (C4)
EVENT_EXPIRY = EventExpiry("memory_aid", EV_PLAYED, EV_TRICK, EV_DEALT)  # C14

# Stages of the automatic actions once no seat owes an answer.
DEALING, IN_TRICK, TRICK_WON, REWARDING_MOST, REWARDING_NO_TRICK, ENDED = (
    0,
    1,
    2,
    3,
    7,
    8,
)  # REWARDING_MOST + suit, in the order ♦ ♥ ♠ ♣


def start(s, cut):
    """Lay out crystals; the seat that cut the highest card deals first (C2, C6, C23, C25, C26).

    Options are already in the row.
    """
    s["supply"] = TOTAL_CRYSTALS
    for seat in range(s["seats"]):
        s["cut"][seat] = cut[seat]
        if team(s, seat) == seat:
            s["showroom"][seat] = s["team_start"] if s["partnership"] else SHOWROOM_START
            s["supply"] -= s["showroom"][seat]
    first = cut_winner(cut, s["seats"], RANKS)
    s["thief_at"] = first if s["thief"] else -1
    s["dealer"] = seat_to_left(first, s["seats"] - 1, s["seats"])  # `deal` moves the dealer one seat to the left
    s["leader"] = s["led"] = s["last_leader"] = s["last_winner"] = s["taker"] = -1
    s["last_trick"][:] = -1
    s["trick"][:] = -1


def pack(s):
    """C1, C24: the cards in play: sixty, or fewer ranks of each suit in a perfect game."""
    ranks = RANKS
    if s["perfect"]:
        ranks = 8 if s["seats"] == 2 else 9 if s["seats"] == 3 else 13 if s["seats"] == 4 else 15
    a_suit = (1 << ranks) - 1
    return a_suit | a_suit << RANKS | a_suit << 2 * RANKS | a_suit << 3 * RANKS


def hand_size(s):
    """C7, C24: ten cards each, or in a perfect game as many as come out even."""
    if not s["perfect"]:
        return 10
    return 16 if s["seats"] == 2 else 13 if s["seats"] == 4 else 12


def cards_dealt(s):
    """Return how many cards of the pack are handed out; the rest is set aside."""
    return hand_size(s) * s["seats"]


def deal(s, deck, log):
    """C6, C7: the next dealer deals the shuffled pack, one card at a time from the left; the rest is set aside."""
    seats = s["seats"]
    if s["deals"] == 0:
        for seat in range(seats):
            emit(log, EV_CUT, seat, s["cut"][seat])
    s["deals"] += 1
    s["round"] += 1
    s["dealer"] = seat_to_left(s["dealer"], 1, seats)
    s["passing"] = 0
    for seat in range(seats):
        s["passes_to"][seat] = receiver(s, seat)
        s["hand"][seat] = s["chosen"][seat] = s["given"][seat] = s["received"][seat] = 0
        s["played"][seat] = s["void"][seat] = s["tricks"][seat] = 0
        for suit in range(4):
            s["taken"][seat, suit] = 0
    s["aside"] = pack(s)
    seat = s["dealer"]
    for k in range(cards_dealt(s)):
        seat = seat_to_left(seat, 1, seats)
        s["hand"][seat] |= bit(deck[k])
        s["aside"] ^= bit(deck[k])
    s["leader"] = s["led"] = s["last_leader"] = s["last_winner"] = -1
    s["last_trick"][:] = -1
    s["trick"][:] = -1
    s["trick_size"] = 0
    emit(log, EV_DEALT, s["dealer"], s["round"])
    ask_seat(s, s["dealer"], COUNT)  # C8


def receiver(s, seat):
    """C9, C23: the seat that gets a seat's cards: the left neighbour, one seat further each round, or the partner."""
    seats = s["seats"]
    if s["partnership"]:
        return seat_to_left(seat, seats // 2, seats)
    if s["pass_to"] == ROTATING:
        return seat_to_left(seat, 1 + (s["round"] - 1) % (seats - 1), seats)
    return seat_to_left(seat, 1, seats)


def ask_seat(s, seat, question):
    """Make this seat the only one to owe an answer."""
    s["to_act"] = bit(seat)
    s["question"] = question


def legal(s, seat):
    """Return the legal answers of a seat that owes one, as bits."""
    question = s["question"]
    if question == PLAY:
        return playable(s, seat)
    if question == PASS:
        return passable(s, seat)
    if question == VICTIM:
        return victims(s, seat)
    return 0b1110  # C8: one, two or three


def playable(s, seat):
    """C11, C12: the leader plays anything; the others follow suit if they can."""
    hand = s["hand"][seat]
    if s["led"] >= 0:
        following = hand & suit_cards(s["led"], RANKS)
        if following != 0:
            return following
    return hand


def passable(s, seat):
    """C9: cards are chosen in ascending order, so that a set has one spelling, and enough must be left to finish it."""
    left = s["hand"][seat]
    if s["chosen"][seat] != 0:
        left &= ~((bit(highest(s["chosen"][seat])) << 1) - 1)
    for _ in range(s["passing"] - count(s["chosen"][seat]) - 1):
        left ^= bit(highest(left))
    return left


def victims(s, seat):
    """C18, C23: the other teams that have a crystal on show."""
    result = 0
    own = team(s, seat)
    for other in range(s["seats"]):
        if team(s, other) == other and other != own and s["showroom"][other] > 0:
            result |= bit(other)
    return result


def team(s, seat):
    """C23: return the team of a seat, named by its lowest seat. Partners sit opposite each other."""
    return seat % (s["seats"] // 2) if s["partnership"] else seat


def step(s, seat, answer, log):
    """Apply a legal answer and everything that automatically follows."""
    question = s["question"]
    if question == PLAY:
        play(s, seat, answer, log)
    elif question == PASS:
        choose_card_to_pass(s, seat, answer, log)
    elif question == VICTIM:
        take_chosen(s, seat, answer, log)
    else:
        s["passing"] = answer
        emit(log, EV_COUNT, seat, answer)
        s["to_act"] = (1 << s["seats"]) - 1  # C9: all choose simultaneously
        s["question"] = PASS
    advance(s, log)


def choose_card_to_pass(s, seat, card, log):
    """C9: nobody learns another's choice before all have chosen."""
    s["chosen"][seat] |= bit(card)
    if count(s["chosen"][seat]) < s["passing"]:
        return
    emit(log, EV_CHOSEN, seat)
    s["to_act"] ^= bit(seat)
    if s["to_act"] == 0:
        pass_cards(s, log)
        s["leader"] = seat_to_left(s["dealer"], 1, s["seats"])  # C11
        ask_seat(s, s["leader"], PLAY)


def pass_cards(s, log):
    """C9, C10: all cards change hands simultaneously. Givers and receivers remember them."""
    seats = s["seats"]
    for seat in range(seats):
        to = s["passes_to"][seat]
        cards = s["chosen"][seat]
        s["given"][seat] = s["received"][to] = cards
        emit(log, EV_PASSED, seat, to, s["passing"], cards)
    for seat in range(seats):
        s["hand"][seat] = s["hand"][seat] & ~s["given"][seat] | s["received"][seat]
        s["chosen"][seat] = 0


def play(s, seat, card, log):
    """C11, C12: lay a card; a player who cannot follow takes the action of the card's suit before the next player plays."""
    suit = card // RANKS
    s["hand"][seat] ^= bit(card)
    s["played"][seat] |= bit(card)
    s["trick"][s["trick_size"]] = card
    s["trick_size"] += 1
    s["to_act"] = 0
    s["stage"] = IN_TRICK
    emit(log, EV_PLAYED, seat, card)
    if s["led"] < 0:
        s["led"] = suit
    elif suit != s["led"]:
        s["void"][seat] |= 1 << s["led"]
        suit_action(s, seat, suit, log)


def advance(s, log):
    """Continue automatically until a seat owes an answer, a deal is due, or the game is over."""
    while s["to_act"] == 0 and s["stage"] != DEALING and s["stage"] != ENDED:
        stage = s["stage"]
        if stage == IN_TRICK:
            if s["trick_size"] < trick_length(s):
                ask_seat(s, whose_turn(s, s["trick_size"]), PLAY)
            else:
                win_trick(s, log)
        elif stage == TRICK_WON:
            if s["hand"][s["leader"]] != 0:
                ask_seat(s, s["leader"], PLAY)
            else:
                s["stage"] = REWARDING_MOST
        elif stage < REWARDING_NO_TRICK:
            s["stage"] += 1
            reward_most(s, stage - REWARDING_MOST, log)
        else:
            reward_no_trick(s, log)
            end_round(s, log)


def whose_turn(s, place):
    """C11, C22: return the seat that plays this card of the trick; with two cards each, the order repeats."""
    while place >= s["seats"]:
        place -= s["seats"]
    return seat_to_left(s["leader"], place, s["seats"])


def trick_length(s):
    """C11, C22: one card from each seat, or two."""
    return 4 if s["two_cards"] else s["seats"]


def win_trick(s, log):
    """C13, C22: the highest card of the suit led wins, whoever played it; the winner takes its action and leads next."""
    led, size = s["led"], s["trick_size"]
    best = 0
    for k in range(1, size):
        card = s["trick"][k]
        if card // RANKS == led and card > s["trick"][best]:
            best = k
    winner = whose_turn(s, best)
    owner = team(s, winner)
    for k in range(size):
        s["taken"][owner, s["trick"][k] // RANKS] += 1
        s["last_trick"][k] = s["trick"][k]
        s["trick"][k] = -1
    s["tricks"][winner] += 1
    s["last_leader"] = s["leader"]
    s["last_winner"] = s["leader"] = winner
    s["trick_size"] = 0
    s["led"] = -1
    s["stage"] = TRICK_WON
    emit(log, EV_TRICK, winner, led)
    suit_action(s, winner, led, log)


def suit_action(s, seat, suit, log):
    """C3, C15–C18: the action of a suit. A ♣ with several possible victims asks for one; any other action happens immediately."""
    own = team(s, seat)
    if suit == CLUBS:
        if s["thief"]:
            follow_thief(s, seat, log)
            return
        possible = victims(s, seat)
        if possible & (possible - 1) != 0:
            s["taker"] = seat
            ask_seat(s, seat, VICTIM)
        elif possible != 0:
            take_from(s, seat, lowest(possible), log)
        else:
            emit(log, EV_NOTHING, seat, CLUBS)
    elif suit == SPADES:
        if s["showroom"][own] > 0:
            s["showroom"][own] -= 1
            s["vault"][own] += 1
            emit(log, EV_SPADE, seat, 1)
        else:
            emit(log, EV_NOTHING, seat, SPADES)
    elif s["supply"] == 0:
        emit(log, EV_NOTHING, seat, suit)
    elif suit == HEARTS:
        s["supply"] -= 1
        s["showroom"][own] += 1
        emit(log, EV_HEART, seat, 1)
    else:
        s["supply"] -= 1
        s["vault"][own] += 1
        emit(log, EV_DIAMOND, seat, 1)


def take_from(s, seat, victim, log):
    """C18: move one point from the victim's Showroom into the taker's."""
    s["showroom"][victim] -= 1
    s["showroom"][team(s, seat)] += 1
    emit(log, EV_CLUB, seat, 1, victim)


def take_chosen(s, seat, victim, log):
    """C18: take from the chosen victim."""
    s["to_act"] = 0
    s["taker"] = -1
    take_from(s, seat, victim, log)


def follow_thief(s, seat, log):
    """C25: take from the thief's holder, unless it is the taker's team or has nothing; then the thief moves left."""
    holder = team(s, s["thief_at"])
    if holder != team(s, seat) and s["showroom"][holder] > 0:
        take_from(s, seat, holder, log)
    else:
        emit(log, EV_NOTHING, seat, CLUBS)
    s["thief_at"] = seat_to_left(s["thief_at"], 1, s["seats"])
    emit(log, EV_THIEF, s["thief_at"])


def reward_most(s, suit, log):
    """C19, C23: the only team with the most cards of a suit takes its action, through its first member left of the dealer."""
    best, alone = -1, False
    for seat in range(s["seats"]):
        if team(s, seat) == seat:
            if best < 0 or s["taken"][seat, suit] > s["taken"][best, suit]:
                best, alone = seat, True
            elif s["taken"][seat, suit] == s["taken"][best, suit]:
                alone = False
    if not alone:
        emit(log, EV_TIE, suit)
        return
    seat = seat_to_left(s["dealer"], 1, s["seats"])
    while team(s, seat) != best:
        seat = seat_to_left(seat, 1, s["seats"])
    emit(log, EV_MOST, seat, suit, s["taken"][best, suit])
    suit_action(s, seat, suit, log)


def reward_no_trick(s, log):
    """C20: every seat without a trick takes two ♦ actions, from the dealer's left on."""
    for k in range(1, s["seats"] + 1):
        seat = seat_to_left(s["dealer"], k, s["seats"])
        if s["tricks"][seat] == 0:
            emit(log, EV_NO_TRICK, seat)
            suit_action(s, seat, DIAMONDS, log)
            suit_action(s, seat, DIAMONDS, log)


def end_round(s, log):
    """C5, C21: the next round, or the end: vaults are opened and counted."""
    s["stage"] = DEALING
    if s["round"] == s["rounds"]:
        s["stage"] = ENDED
        s["over"] = 1
        s["open_vaults"] = 1
        for seat in range(s["seats"]):
            if team(s, seat) == seat:
                emit(log, EV_SCORE, seat, s["vault"][seat], s["showroom"][seat], score(s, seat))


def score(s, seat):
    """C21: return two for each point in the Vault, one for each in the Showroom."""
    own = team(s, seat)
    return 2 * s["vault"][own] + s["showroom"][own]


def seats_ahead(s, seat):
    """C21: return the number of seats that did better: by score, then by Vault."""
    own = team(s, seat)
    better = 0
    for other in range(s["seats"]):
        its = team(s, other)
        if score(s, other) > score(s, seat) or (
            score(s, other) == score(s, seat) and s["vault"][its] > s["vault"][own]
        ):
            better += 1
    return better


ENDINGS: dict[str, tuple[str, ...]] = {"points": (), "vault": (), "shared": ()}
EN_POINTS, EN_VAULT, EN_SHARED = range(len(ENDINGS))


def ending(s, values):
    """C21: return how the game was decided."""
    first, winners, level = -1, 0, 0
    for seat in range(s["seats"]):
        if seats_ahead(s, seat) == 0:
            winners += 1
            if first < 0:
                first = seat
            elif team(s, seat) != team(s, first):
                return EN_SHARED
    for seat in range(s["seats"]):
        if score(s, seat) == score(s, first):
            level += 1
    return EN_VAULT if level > winners else EN_POINTS


def illegal_reason(s, seat, answer):
    """Return the number of the reason why an answer is not legal, and its value or −1."""
    question = s["question"]
    if question == COUNT:
        return IR_COUNT, -1
    if question == VICTIM:
        if answer >= s["seats"]:
            return IR_NO_SEAT, answer
        if team(s, answer) == team(s, seat):
            return IR_OWN_SHOWROOM, -1
        if s["showroom"][team(s, answer)] > 0:
            return IR_LOWEST_SEAT, team(s, answer)
        return IR_NOTHING_ON_SHOW, -1
    if s["hand"][seat] & bit(answer) == 0:
        return IR_CARD_TO_PASS if question == PASS else IR_CARD_TO_PLAY, -1
    if question == PASS:
        return IR_CHOSEN if s["chosen"][seat] & bit(answer) != 0 else IR_ORDER, -1
    return IR_FOLLOW, s["led"]


def referee_counts(s):
    """Return counts that an outside referee checks, per seat; a team's count is repeated for each member."""
    seats = range(s["seats"])
    return {
        "supply": int(s["supply"]),
        "vault": [int(s["vault"][team(s, seat)]) for seat in seats],
        "showroom": [int(s["showroom"][team(s, seat)]) for seat in seats],
        "tricks": [int(s["tricks"][seat]) for seat in seats],
        "taken": [s["taken"][team(s, seat)].tolist() for seat in seats],
    }


def deal_packets(s, packets):
    """Write each seat's cards right after a deal; return the dealer and the size."""
    size = 0
    for seat in range(s["seats"]):
        size = write_packet(packets, size, s["hand"][seat])
    return s["dealer"], size
