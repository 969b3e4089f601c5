"""Reference rules of the three games, written plainly with names and lists instead of bit masks.

A referee is a generator. It yields the seats it asks, the question and the accepted answers, and receives ``(seat,
answer)``. It shares nothing with `diamonds.rules`, so agreement over whole random games is evidence that both follow
the written rules.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from typing import Any

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
ACE_LOW_RANKS = {rank: k for k, rank in enumerate(RANKS, 1)}  # F1: ace low
ACE_HIGH_RANKS = {rank: k for k, rank in enumerate((*RANKS[1:], "A"), 2)}  # M8: ace high

# The question, the seats to act, and the legal answers of each.
OpenQuestion = tuple[str, list[int], dict[int, set[str]]]
Referee = Generator[OpenQuestion, tuple[int, str], None]

# M1: the neighbours of each pile, as seen on the table.
ADJACENT_PILES = {
    0: {1, 4, 5}, 1: {0, 2, 5, 6}, 2: {1, 3, 6, 7}, 3: {2, 7, 8}, 4: {0, 5, 9}, 5: {0, 1, 4, 6, 9, 10},
    6: {1, 2, 5, 7, 10, 11}, 7: {2, 3, 6, 8, 11, 12}, 8: {3, 7, 12}, 9: {4, 5, 10}, 10: {5, 6, 9, 11},
    11: {6, 7, 10, 12}, 12: {7, 8, 11},
}  # fmt: skip


def of_suit(cards: Iterable[str], suit: str) -> set[str]:
    return {card for card in cards if card[0] == suit}


def pack_order(card: str) -> tuple[int, int]:
    return "DHSC".index(card[0]), int(card[1:])


@dataclass
class EventTeller:
    """The events of a game so far, except cuts and deals."""

    events: list[dict[str, Any]] = field(default_factory=list, init=False)

    def tell(self, event: str, **more: Any) -> None:
        self.events.append({"event": event, **more})


class CrystalsReferee(EventTeller):
    """A game of crystals (C1–C26). Each call of ``deal`` plays a round with a newly shuffled pack.

    Crystals and cards taken are kept for each team, which its lowest seat names.
    """

    def __init__(self, seats: int, dealer: int, options: dict[str, Any]) -> None:
        super().__init__()
        self.seats, self.dealer, self.options, self.round = seats, dealer, options, 0
        partners = options["partnership"]
        self.team = [min(seat, (seat + seats // 2) % seats) if partners else seat for seat in range(seats)]
        start = options["team_start"] if partners else 3
        self.showroom = dict.fromkeys(self.team, start)
        self.vault = dict.fromkeys(self.team, 0)
        self.supply = 235 - start * len(self.vault)
        self.thief = dealer if options["thief"] else None
        self.trick: list[str] = []
        self.taker: int | None = None

    def pack(self) -> list[str]:
        """Return the cards in play (C1, C24)."""
        ranks = {2: 8, 3: 9, 4: 13, 5: 15}[self.seats] if self.options["perfect"] else 15
        return [f"{suit}{rank}" for suit in "DHSC" for rank in range(1, ranks + 1)]

    def deal(self, deck: list[str]) -> Referee:
        """Play one round (C5–C8, C19–C21)."""
        seats, self.round = self.seats, self.round + 1
        dealt = deck if self.options["perfect"] else deck[: 10 * seats]
        self.aside = deck[len(dealt) :]
        order = [(self.dealer + 1 + k) % seats for k in range(seats)]
        self.hands = [dealt[order.index(seat) :: seats] for seat in range(seats)]
        self.tricks, self.voids = [0] * seats, [set[str]() for _ in range(seats)]
        self.taken = {team: list[str]() for team in self.team}
        _, number = yield "count", [self.dealer], {self.dealer: {"1", "2", "3"}}
        self.tell("count", seat=self.dealer, number=int(number))
        yield from self.passing(int(number))
        leader = order[0]
        while self.hands[leader]:
            leader = yield from self.play_trick(leader)
        for suit in "DHSC":
            number_of = {team: len(of_suit(cards, suit)) for team, cards in self.taken.items()}
            most = [team for team in number_of if number_of[team] == max(number_of.values())]
            if len(most) == 1:
                seat = next(seat for seat in order if self.team[seat] == most[0])
                self.tell("most", seat=seat, suit=suit, number=number_of[most[0]])
                yield from self.action(seat, suit)
            else:
                self.tell("tie", suit=suit)
        for seat in order:
            if not self.tricks[seat]:
                self.tell("no_trick", seat=seat)
                yield from self.action(seat, "D")
                yield from self.action(seat, "D")
        self.dealer = order[0]
        if self.round == self.options["rounds"]:
            for team in sorted(self.vault):
                crystals = {"vault": self.vault[team], "showroom": self.showroom[team]}
                self.tell("score", seat=team, **crystals, score=2 * self.vault[team] + self.showroom[team])

    def passing(self, number: int) -> Referee:
        """Let everyone choose cards in ascending order, then pass them (C9, C23)."""
        seats, chosen = self.seats, [list[str]() for _ in range(self.seats)]
        while waiting := [seat for seat in range(seats) if len(chosen[seat]) < number]:
            legal = {}
            for seat in waiting:
                last = pack_order(chosen[seat][-1]) if chosen[seat] else (-1, 0)
                higher = sorted((card for card in self.hands[seat] if pack_order(card) > last), key=pack_order)
                legal[seat] = set(higher[: len(higher) - (number - len(chosen[seat]) - 1)])
            seat, card = yield "pass", waiting, legal
            chosen[seat].append(card)
            if len(chosen[seat]) == number:
                self.tell("chosen", seat=seat)
        step = 1 + (self.round - 1) % (seats - 1) if self.options["pass_to"] == "rotating" else 1
        for seat in range(seats):
            to = (seat + (seats // 2 if self.options["partnership"] else step)) % seats
            self.hands[seat] = [card for card in self.hands[seat] if card not in chosen[seat]]
            self.hands[to] = self.hands[to] + chosen[seat]
            self.tell("passed", seat=seat, to=to, number=number, cards=chosen[seat])

    def play_trick(self, leader: int) -> Generator[OpenQuestion, tuple[int, str], int]:
        """Play one trick and return its winner (C11–C14, C22)."""
        trick = self.trick = []
        for k in range(4 if self.options["two_cards"] else self.seats):
            seat = (leader + k) % self.seats
            follow = of_suit(self.hands[seat], trick[0][0]) if trick else set()
            _, card = yield "play", [seat], {seat: follow or set(self.hands[seat])}
            self.hands[seat].remove(card)
            trick.append(card)
            self.tell("played", seat=seat, card=card)
            if card[0] != trick[0][0]:
                self.voids[seat].add(trick[0][0])
                yield from self.action(seat, card[0])
        winner = (leader + trick.index(max(of_suit(trick, trick[0][0]), key=pack_order))) % self.seats
        self.tricks[winner] += 1
        self.taken[self.team[winner]] += trick
        self.last, self.trick = (trick, leader, winner), []
        self.tell("trick", seat=winner, suit=trick[0][0])
        yield from self.action(winner, trick[0][0])
        return winner

    def action(self, seat: int, suit: str) -> Referee:
        """Take the action of a suit (C3, C15–C18, C25)."""
        own, clubs = self.team[seat], suit == "C"
        victims = [team for team, shown in self.showroom.items() if clubs and team != own and shown]
        if clubs and self.thief is not None:
            victims = [team for team in victims if team == self.team[self.thief]]
        if len(victims) > 1:
            self.taker = seat
            _, victim = yield "victim", [seat], {seat: set(map(str, victims))}
            self.taker, victims = None, [int(victim)]
        if victims:
            self.showroom[victims[0]] -= 1
            self.showroom[own] += 1
            self.tell("club", seat=seat, moved=1, victim=victims[0])
        elif clubs or (self.showroom[own] if suit == "S" else self.supply) == 0:
            self.tell("nothing", seat=seat, suit=suit)
        else:
            if suit == "S":
                self.showroom[own] -= 1
            else:
                self.supply -= 1
            (self.showroom if suit == "H" else self.vault)[own] += 1
            self.tell({"D": "diamond", "H": "heart", "S": "spade"}[suit], seat=seat, moved=1)
        if clubs and self.thief is not None:
            self.thief = (self.thief + 1) % self.seats
            self.tell("thief", seat=self.thief)

    def winners(self) -> list[int]:
        """Return the seats that won (C21)."""
        worth = {team: (2 * self.vault[team] + self.showroom[team], self.vault[team]) for team in self.vault}
        return [seat for seat in range(self.seats) if worth[self.team[seat]] == max(worth.values())]


@dataclass
class FourteenReferee(EventTeller):
    """A game of fourteen (F1–F12). Each call of ``deal`` returns a newly shuffled pack."""

    seats: int
    dealer: int  # of the first hand
    match_depth: int  # F9: the number of earlier cards that count
    scoring: str
    sealed: bool
    target: int
    hands: list[list[str]] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)
    bids: list[int] = field(default_factory=list)
    voids: list[set[str]] = field(default_factory=list)
    winner: int | None = None
    suit: str | None = None
    fourteens: int = 0  # made in this trick
    cards: list[str] = field(default_factory=list)  # of the trick on the table
    last: tuple[list[str], int, int] | None = None  # the previous trick, its leader and its winner

    def deal(self, deck: list[str]) -> Referee:
        """Play one hand (F3, F4, F8, F10, F11)."""
        seats, each = self.seats, len(deck) // self.seats
        self.totals = self.totals or [0] * seats
        order = [(self.dealer + 1 + k) % seats for k in range(seats)]
        self.hands = [deck[order.index(seat) : each * seats : seats] for seat in range(seats)]
        self.aside = deck[each * seats :]
        self.voids, self.last = [set() for _ in range(seats)], None
        if self.scoring == "bid":
            yield from self.bidding(order)
        taken, tricks, leader = [0] * seats, [0] * seats, self.dealer
        self.taken, self.tricks = taken, tricks
        for _ in range(each):
            trick: list[str] = []
            leader = yield from self.trick(leader, trick)
            taken[leader] += len(of_suit(trick, "D"))
            tricks[leader] += 1
            self.tell("trick", seat=leader, diamonds=len(of_suit(trick, "D")))
            if self.scoring == "tricks" and self.totals[leader] + tricks[leader] >= self.target:  # F11
                self.winner = leader
                break
        for seat in range(seats):
            points = (tricks if self.scoring == "tricks" else taken)[seat]
            if self.scoring == "bid":
                points = self.bids[seat] if points >= self.bids[seat] else 0
            self.totals[seat] += points
            self.tell("scored", seat=seat, points=points, total=self.totals[seat])
        self.dealer = order[0]  # F2
        top = max(self.totals)
        if top >= self.target and self.totals.count(top) == 1:  # F8, F12
            self.winner = self.totals.index(top)
        elif top >= self.target:
            self.tell("again")

    def bidding(self, order: list[int]) -> Referee:
        """Ask for the bids (F10)."""
        self.bids, numbers = [-1] * self.seats, {str(number) for number in range(14)}
        if not self.sealed:
            for seat in order:
                _, bid = yield "bid", [seat], {seat: numbers}
                self.bids[seat] = int(bid)
                self.tell("bid", seat=seat, number=int(bid))
            return
        while -1 in self.bids:
            waiting = [seat for seat in range(self.seats) if self.bids[seat] < 0]
            seat, bid = yield "bid", waiting, dict.fromkeys(waiting, numbers)
            self.bids[seat] = int(bid)
            self.tell("sealed", seat=seat)
        for seat in order:
            self.tell("bid", seat=seat, number=self.bids[seat])

    def trick(self, leader: int, trick: list[str]) -> Generator[OpenQuestion, tuple[int, str], int]:
        """Play one trick and return its winner (F4–F7, F9)."""
        suit, self.fourteens, self.cards = "", 0, trick
        for k in range(self.seats):
            seat = (leader + k) % self.seats
            hand = self.hands[seat]
            fourteens = {
                c
                for c in hand
                if any(ACE_LOW_RANKS[c[1:]] + ACE_LOW_RANKS[b[1:]] == 14 for b in trick[-self.match_depth :])
            }
            follow = of_suit(hand, suit)
            _, card = yield "play", [seat], {seat: follow | fourteens if follow else set(hand)}
            self.tell("played", seat=seat, card=card)
            if not trick or card in fourteens:
                if trick:
                    self.tell("stayed" if card[0] == suit else "turned", seat=seat, suit=card[0])
                    self.fourteens += 1
                self.suit = suit = card[0]
            elif card[0] != suit:
                self.voids[seat].add(suit)
            trick.append(card)
            hand.remove(card)
        best = max(of_suit(trick, suit), key=lambda card: ACE_LOW_RANKS[card[1:]])
        winner = (leader + trick.index(best)) % self.seats
        self.suit, self.fourteens, self.cards, self.last = None, 0, [], (trick, leader, winner)
        return winner


@dataclass
class MinesReferee(EventTeller):
    """A game of mines (M1–M13, R5)."""

    first: int
    piles: list[list[str]]  # top card first
    ranked: bool
    seen: bool
    owner: dict[int, int] = field(default_factory=dict)
    hands: list[list[str]] = field(default_factory=lambda: [[], []])
    known: list[set[str]] = field(default_factory=lambda: [set(), set()])
    winners: list[int] = field(default_factory=list)
    ending: str = ""

    def game(self) -> Referee:
        """Play turns until one of them ends the game (M2, M10, M12)."""
        self.owner = {0: self.first, 12: 1 - self.first}
        seat, idle, passed = self.first, 0, [False, False]
        while True:
            before = (dict(self.owner), [*map(tuple, self.piles)], [*map(tuple, self.hands)])
            passed[seat] = yield from self.turn(seat, passed[seat])
            idle = idle + 1 if before == (self.owner, [*map(tuple, self.piles)], [*map(tuple, self.hands)]) else 0
            if not self.ending:
                self.check_end(seat, idle)
            if self.ending:
                return
            seat = 1 - seat

    def check_end(self, seat: int, idle: int) -> None:
        """End the game at the end of a seat's turn if a condition of M10–M12 holds."""
        for who in (seat, 1 - seat):
            if not self.ending and self.diamond_count(who) >= 7:
                self.win_by_seven(who)
            elif not self.ending and self.is_barred(1 - who):
                self.winners, self.ending = [who], "barred"
                self.tell("barred", seat=who, loser=1 - who)
        if not self.ending and idle == 6:
            most = max(self.diamond_count(0), self.diamond_count(1))
            self.winners, self.ending = [who for who in (0, 1) if self.diamond_count(who) == most], "idle"
            self.tell("idle")

    def win_by_seven(self, seat: int) -> None:
        self.winners, self.ending = [seat], "seven"
        self.tell("seven", seat=seat, diamonds=self.diamond_count(seat))

    def diamond_count(self, seat: int) -> int:
        """Return the number of ♦ in a hand."""
        return len(of_suit(self.hands[seat], "D"))

    def is_barred(self, seat: int) -> bool:
        """Return whether a seat is barred (M11)."""
        reachable = {pile for pile in range(13) if self.owner.get(pile) == seat}
        if not reachable:
            return True
        while (
            more := {pile for near in reachable for pile in ADJACENT_PILES[near] if pile not in self.owner} - reachable
        ):
            reachable |= more
        cards = [card for pile in reachable for card in self.piles[pile]] + self.hands[seat]
        if not self.seen:
            return not of_suit(cards, "C") and len(of_suit(cards, "D")) < 7
        shared, places = self.known[1 - seat], len(cards) - len(self.known[1 - seat])
        unseen = {card for some in (*self.piles, *self.hands) for card in some} - self.known[0] - self.known[1]
        if of_suit(shared, "C") or (places > 0 and of_suit(unseen, "C")):
            return False
        return len(of_suit(shared, "D")) + min(places, len(of_suit(unseen, "D"))) < 7

    def adjacent_piles(self, seat: int, owned_by: int | None) -> set[str]:
        """Return the piles, unclaimed or the other player's, next to one of this seat's."""
        own = [pile for pile, owner in self.owner.items() if owner == seat]
        return {str(pile) for mine in own for pile in ADJACENT_PILES[mine] if self.owner.get(pile) == owned_by}

    def nonempty_piles(self, seat: int) -> set[str]:
        """Return the seat's piles that have cards (M6)."""
        return {str(pile) for pile, owner in self.owner.items() if owner == seat and self.piles[pile]}

    def lose_card(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.known[1 - seat].discard(card)

    def discard(self, seat: int, card: str) -> None:
        self.lose_card(seat, card)
        self.tell("discarded", seat=seat, card=card)

    def draw(self, seat: int, pile: str) -> None:
        """Draw the top card of a pile; the seventh ♦ ends the game immediately (M6, M10)."""
        self.hands[seat].append(self.piles[int(pile)].pop(0))
        self.tell("dug", seat=seat, pile=int(pile), card=self.hands[seat][-1])
        if self.diamond_count(seat) >= 7:
            self.win_by_seven(seat)

    def turn(self, seat: int, passed: bool) -> Generator[OpenQuestion, tuple[int, str], bool]:
        """Play one turn; return whether it was passed (M3–M9)."""
        hand = self.hands[seat]
        if passed and self.adjacent_piles(seat, None):
            _, pile = yield "claim", [seat], {seat: self.adjacent_piles(seat, None) | {"skip"}}
            if pile != "skip":
                self.owner[int(pile)] = seat
                self.tell("claimed", seat=seat, pile=int(pile))
        _, answer = yield "turn", [seat], {seat: {"pass", "go"}}
        if answer == "pass":
            self.tell("passed", seat=seat)
            return True
        if self.nonempty_piles(seat):
            several_left = sum(len(self.piles[int(pile)]) for pile in self.nonempty_piles(seat)) > 1
            spades = of_suit(hand, "S") if several_left else set()
            _, answer = yield "dig", [seat], {seat: self.nonempty_piles(seat) | {"skip"} | spades}
            if answer in spades:
                self.discard(seat, answer)
                for question in ("dig_first", "dig_second"):
                    _, pile = yield question, [seat], {seat: self.nonempty_piles(seat)}
                    self.draw(seat, pile)
                    if self.ending:
                        return False
            elif answer != "skip":
                self.draw(seat, answer)
                if self.ending:
                    return False
        if self.adjacent_piles(seat, None) and hand:
            _, answer = yield "grow", [seat], {seat: of_suit(hand, "H") | {"skip"}}
            if answer != "skip":
                self.discard(seat, answer)
                _, pile = yield "grow_pile", [seat], {seat: self.adjacent_piles(seat, None)}
                self.owner[int(pile)] = seat
                self.tell("grew", seat=seat, pile=int(pile))
        yield from self.fights(seat)
        return False

    def fights(self, seat: int) -> Referee:
        """Play the fights of a turn (M8, M9)."""
        hand, other, theirs = self.hands[seat], 1 - seat, self.hands[1 - seat]
        while self.adjacent_piles(seat, other) and hand:
            clubs = of_suit(hand, "C")
            _, pile = yield "fight", [seat], {seat: (self.adjacent_piles(seat, other) if clubs else set()) | {"end"}}
            if pile == "end":
                return
            self.tell("attacked", seat=seat, pile=int(pile))
            _, club = yield "fight_card", [seat], {seat: clubs}
            self.discard(seat, club)
            defence = "decline"
            if theirs:
                as_high = {card for card in theirs if ACE_HIGH_RANKS[card[1:]] >= ACE_HIGH_RANKS[club[1:]]}
                may = of_suit(as_high, "H") | of_suit(as_high if self.ranked else theirs, "C")
                _, defence = yield "defend", [other], {other: may | {"decline"}}
            if defence != "decline":
                self.lose_card(other, defence)
                self.tell("defended", seat=other, card=defence)
                continue
            self.tell("declined", seat=other)
            spoils = "conquer"
            if theirs:
                _, spoils = yield "spoils", [seat], {seat: {"conquer", "raid"}}
            if spoils == "raid":
                self.tell("raided", seat=seat)
                _, card = yield "give", [other], {other: set(theirs)}
                self.lose_card(other, card)
                self.tell("gave", seat=other, to=seat, card=card)
                hand.append(card)
                self.known[other].add(card)
            else:
                self.owner[int(pile)] = seat
                self.tell("conquered", seat=seat, pile=int(pile))
            return
